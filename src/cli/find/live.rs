//! `find --watch`: the race for a tour in the live view, and what it came to, printed when the view is left.

use super::answer::{Kind, Seek, Verdict};
use super::args::{FindArgs, Shown};
use super::halt::Halt;
use super::print_text;
use crate::board::Board;
use crate::cli::adapter;
use crate::cli::failure::{Failure, by_signal, usage};
use crate::cli::output::Destination;
use crate::cli::watch;
use crate::run::{Done, Plan, Question};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::{self, Finder, Request};
use crate::ui::{Exit, FPS_DEFAULT, cycles};
use std::io::{self, Write};

/// Shows the race, or the cycles of the three-cycle board; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or a run failed.
pub fn run(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let seek = args.seek(board)?;
    let request = seek.watched()?;
    watch::needs_terminal()?;
    if args.by.seed_was_drawn() {
        writeln!(io::stderr(), "seed {}", request.seed)?;
    }
    if seek.finder.card().cycles {
        return watch_cycles(args, &seek, request);
    }
    let (scheduler, hand_over) = (Scheduler::Hire, HandOver::Shallowest);
    let (question, deadline) = (Question::Find(seek.finder, request), args.by.time());
    let plan = Plan { question, threads: seek.threads, scheduler, hand_over, deadline };
    watch::live(plan, FPS_DEFAULT, Destination::Nowhere, false)
}

/// Shows the one run of the three-cycle board, and prints what it came to if that was seen.
fn watch_cycles(args: &FindArgs, seek: &Seek, request: Request) -> Result<u8, Failure> {
    if args.by.time().is_some() || request.tours > 1 {
        return Err(usage("--watch shows one run of gpu-cycles: leave out --deadline and --tours"));
    }
    let subject = cycles::Subject::of(&request, true).map_err(usage)?;
    let (exit, last) = cycles::run(subject)?;
    if let Exit::Signal(signal) = exit {
        return Ok(by_signal(signal));
    }
    let Some(last) = last else { return Ok(0) };
    let (last, by) = last.map_err(Failure::Running)?;
    adapter::tell(by.instead.as_ref().map(|why| why.to_string()).as_deref())?;
    let kind = Kind::from(solve::answer(&request, &last));
    let code = if matches!(kind, Kind::Tours(_)) { 0 } else { 1 };
    let verdict = Verdict { nodes: last.visits().into(), device: Some(by), ..Verdict::of(request.ending, kind) };
    show(&Seek { request, ..*seek }, &verdict)?;
    Ok(code)
}

impl Seek {
    /// The request with the first ending that the method takes and that may have tours.
    fn watched(&self) -> Result<Request, Failure> {
        let mut why = String::new();
        for &ending in self.endings {
            let request = Request { ending, ..self.request.clone() };
            let against = solve::impossible(&request)
                .or_else(|| self.finder.admits(&request).err().map(|refusal| refusal.to_string()));
            match against {
                None => return Ok(request),
                Some(reason) => why = reason,
            }
        }
        Err(usage(why))
    }
}

/// Prints what a watched race came to, as if it had not been watched.
///
/// # Errors
/// [`Failure`] when it cannot be written.
pub fn print(finder: &'static dyn Finder, request: Request, threads: usize, done: Done) -> Result<(), Failure> {
    let ending = request.ending;
    let seek = Seek { request, endings: &[], direction: None, finder, threads, deadline: None, generations: false };
    let nodes = done.outcome.total().nodes;
    let (elapsed, stopped) = (done.outcome.elapsed, done.outcome.stopped);
    let kind = done.answer.map_or_else(|| Kind::NotFound("the run was stopped".to_owned()), Kind::from);
    show(&seek, &Verdict { attempts: done.attempts, nodes, elapsed, stopped, ..Verdict::of(ending, kind) })
}

/// Prints tours on stdout, or else why there are none.
fn show(seek: &Seek, verdict: &Verdict) -> Result<(), Failure> {
    if let Kind::Tours(_) = verdict.kind {
        let target = Shown::default().target(seek.request.board, seek.request.tours, seek.finder)?;
        target.show(seek, verdict, &Halt::default())?;
    }
    Ok(print_text(seek, verdict, true)?)
}
