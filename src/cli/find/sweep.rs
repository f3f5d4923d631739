//! `destrier find` of a range of boards: a tour of every one of them, found and verified, and a table of what came of it.

use super::args::FindArgs;
use crate::board::{Board, Ending};
use crate::cli::boards::Boards;
use crate::cli::found::{TourDisplay, check};
use crate::cli::sheet::WIDTH;
use crate::job::{
    ActiveRuns, Answer, Failure, NoReason, RaceQuestion, RaceVerdict, Report, keys, print, race_request, refuse_if,
    running, usage, with_request,
};
use crate::run::{Plan, RunDone};
use crate::schedule::{RunError, StopReason};
use crate::solve::{FindAnswer, Request};
use crate::system::{self, fewer_threads};
use crate::words::{self, clock, grouped, number_of, wrapped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Characters of the progress bar.
const BAR: usize = 30;
/// Boards that the table names for one reason.
const NAMED: usize = 8;
/// How often the worker of a board is started before its refusal is an answer.
const SPAWNS: u32 = 100;

/// Finds and verifies a tour of every board.
///
/// # Errors
/// [`Failure`] on bad input, or when a method failed.
pub fn run(args: &FindArgs, boards: Boards) -> Result<Answer, Failure> {
    let message = "a range of boards takes --closed or --open, and no squares, moves, holes or number of tours";
    refuse_if(!args.wanted.is_plain(), message)?;
    let is_shown = args.shown != TourDisplay { json: args.shown.json, ..TourDisplay::default() };
    refuse_if(is_shown, "the tours of a range of boards are verified, not shown: leave out --format and --out")?;
    let is_pipe = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
    if let Some(library) = args.by.library.as_deref().filter(|path| is_pipe(path)) {
        let name = library.display();
        return Err(usage(format!("{name} is read for each board of a range: name a file, not a pipe")));
    }
    let all = boards.all();
    // The options say the same of every board.
    let mut question = args.question(&all[0].into())?;
    question.plan.threads = 1;
    let (threads, runs, done) = (args.by.threads()?.min(all.len()), ActiveRuns::default(), AtomicUsize::new(0));
    let began = Instant::now();
    let progress = || bar(done.load(Ordering::Relaxed), &all, began.elapsed());
    let (rows, signal) = runs.attend(progress, || tour_all(&question, &all, threads, &runs, &done))?;
    let sweep = Sweep::new(all.len(), rows?);
    if let ([refused, ..], 0) = (sweep.refused.as_slice(), sweep.answered()) {
        return Err(usage(refused.reason.clone()));
    }
    let answer = Answer::no_if(!sweep.is_as_it_should_be(), NoReason::NoTour).or_signal(signal);
    print(&sweep.report(&question.plan, boards, threads, began.elapsed()), args.shown.json, false)?;
    Ok(answer)
}

/// Puts the question about every board, some boards at a time; answers in the order of the boards, less those that a
/// stop came before.
fn tour_all(
    question: &RaceQuestion,
    boards: &[Board],
    threads: usize,
    runs: &ActiveRuns,
    done: &AtomicUsize,
) -> Result<Vec<RaceVerdict>, Failure> {
    let (began, next) = (Instant::now(), AtomicUsize::new(0));
    let of_board = |board: Board, deadline| {
        let request = Request { shape: board.into(), ..race_request(&question.plan).1.clone() };
        RaceQuestion { plan: Plan { deadline, ..with_request(&question.plan, request) }, ..question.clone() }
    };
    // The worker of a board is one more thread beside each of the pool.
    let pool = system::pool_with(threads, 2).map_err(running)?;
    let ended = pool.broadcast(|thread| {
        let mut verdicts = Vec::new();
        while let Some((i, &board)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, boards.get(i)?)))
        {
            let left = question.plan.deadline.map(|time| time.saturating_sub(began.elapsed()));
            if runs.is_stopped() || left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let toured = tour_one(&of_board(board, left), runs, thread.index(), threads);
            verdicts.push((i, toured.inspect_err(|_| runs.stop())?));
            done.fetch_add(1, Ordering::Relaxed);
        }
        Ok(verdicts)
    });
    let ended = ended.into_iter().collect::<Result<Vec<_>, Failure>>()?;
    let mut verdicts: Vec<_> = ended.into_iter().flatten().collect();
    verdicts.sort_unstable_by_key(|&(i, _)| i);
    Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
}

fn tour_one(question: &RaceQuestion, runs: &ActiveRuns, slot: usize, threads: usize) -> Result<RaceVerdict, Failure> {
    let board = race_request(&question.plan).1.board();
    let mut spawns = 1;
    let answer = loop {
        match question.answer(runs, slot) {
            // The workers of boards before have ended, and the system counts them for a moment yet.
            Err(RunError::Spawn { .. }) if spawns < SPAWNS && !runs.is_stopped() => {
                spawns += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            answer => break answer,
        }
    };
    let mut verdict = answer.map_err(|error| match error {
        RunError::Spawn { error, .. } => {
            running(format!("{board}: its worker could not be started: {error}: {}", fewer_threads(threads / 2)))
        }
        error => running(format!("{board}: {error}")),
    })?;
    if let Some(FindAnswer::Tours(tours)) = &mut verdict.done.answer {
        for tour in tours.drain(..) {
            match check(&*tour, runs) {
                Err(_) if runs.is_stopped() => verdict.done.outcome.stopped = Some(StopReason::Asked),
                checked => checked?,
            }
        }
    }
    Ok(verdict)
}

fn bar(done: usize, boards: &[Board], elapsed: Duration) -> String {
    let filled = BAR * done / boards.len();
    let next = boards.get(done).map_or(String::new(), |board| format!(", {board}"));
    let (full, empty) = ("#".repeat(filled), ".".repeat(BAR - filled));
    format!("[{full}{empty}] {done} of {} boards, {}{next}", boards.len(), clock(elapsed))
}

/// What came of all boards.
#[derive(Default)]
struct Sweep {
    count: usize,
    closed: usize,
    open: usize,
    /// How many of these tours each method found.
    methods: BTreeMap<&'static str, usize>,
    /// Proven.
    none: Vec<Without>,
    /// There may be one.
    not_found: Vec<Without>,
    /// The method does not take them.
    refused: Vec<Without>,
    squares: u64,
    attempts: u64,
    nodes: u64,
    complete: bool,
}

/// A board without a tour.
#[derive(Serialize)]
struct Without {
    board: String,
    ending: &'static str,
    reason: String,
}

impl Sweep {
    fn new(count: usize, rows: Vec<RaceVerdict>) -> Sweep {
        let complete = rows.len() == count && rows.iter().all(|verdict| verdict.done.outcome.complete());
        let mut sweep = Sweep { count, complete, ..Sweep::default() };
        rows.into_iter().for_each(|verdict| sweep.add(verdict));
        sweep
    }

    fn add(&mut self, verdict: RaceVerdict) {
        let (by, request) = (verdict.by(), verdict.request());
        let (board, ending) = (request.board(), request.ending);
        let RunDone { answer, attempts, outcome, .. } = verdict.done;
        self.attempts += attempts;
        self.nodes += outcome.total().nodes;
        let without = |reason| Without { board: board.to_string(), ending: ending.name(), reason };
        match answer {
            Some(FindAnswer::Tours(_)) if outcome.complete() => {
                self.squares += u64::from(board.squares());
                *self.methods.entry(by).or_default() += 1;
                *(if ending == Ending::Closed { &mut self.closed } else { &mut self.open }) += 1;
            }
            // They were not verified to their end.
            Some(FindAnswer::Tours(_)) | None => {}
            Some(FindAnswer::Impossible(reason)) => self.none.push(without(reason)),
            Some(FindAnswer::NotFound(reason)) => self.not_found.push(without(reason)),
            Some(FindAnswer::Refused(reason)) => self.refused.push(without(reason)),
        }
    }

    /// Whether there is a tour of every board that has one, and of one board at least.
    fn is_as_it_should_be(&self) -> bool {
        let toured = self.closed + self.open;
        self.complete && toured > 0 && toured + self.none.len() == self.count
    }

    /// Boards about which the method said something.
    fn answered(&self) -> usize {
        self.closed + self.open + self.none.len() + self.not_found.len()
    }

    fn report(self, plan: &Plan, boards: Boards, threads: usize, elapsed: Duration) -> Report {
        let (method, seed, elapsed_s) = (plan.question.method(), race_request(plan).1.seed, elapsed.as_secs_f64());
        let (left, complete) = (self.count - self.answered() - self.refused.len(), self.complete);
        let mut report = Report::default();
        let number = |report: &mut Report, label: &str, boards: usize| {
            report.text(format_args!("{label:<11}{:>8}", grouped(boards as u64)));
        };

        let (count, by) = (number_of(self.count, "board"), words::threads(threads));
        report.text(format_args!("{boards}: {count} by {method}, seed {seed}, {by}, {elapsed_s:.2} s"));
        keys!(report, "boards" => boards.to_string(), self.count, method);
        number(&mut report, "closed", self.closed);
        number(&mut report, "open", self.open);
        self.methods.iter().for_each(|(method, &tours)| number(&mut report, &format!("by {method}"), tours));
        keys!(report, self.closed, self.open, self.methods);
        report.text(format_args!("verified   {}, every tour move by move", number_of(self.squares, "square")));
        for (key, label, boards) in [
            ("none", "none", self.none),
            ("not_found", "not found", self.not_found),
            ("refused", "not taken", self.refused),
        ] {
            number(&mut report, label, boards.len());
            reasons(&boards).iter().for_each(|line| report.text(format_args!("  {line}")));
            report.key(key, boards);
        }
        keys!(report, self.squares, self.attempts, self.nodes, seed, threads, elapsed_s, complete);
        if !complete {
            report.text(format_args!("NOT complete: {} not asked", number_of(left, "board")));
        }
        report
    }
}

/// Which boards have no tour for each reason, in lines.
fn reasons(boards: &[Without]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for without in boards {
        match reasons.iter_mut().find(|(reason, _)| *reason == without.reason) {
            Some((_, named)) => named.push(&without.board),
            None => reasons.push((&without.reason, vec![&without.board])),
        }
    }
    let lines = reasons.into_iter().flat_map(|(reason, named)| {
        let more = named.len().saturating_sub(NAMED);
        let tail = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
        wrapped(&format!("{}{tail}: {reason}", named[..named.len() - more].join(" ")), WIDTH - 2)
    });
    lines.collect()
}
