//! `destrier count 8x1..40`: the number of tours on every board of a range, as text and as one JSON object.

use super::args::{CountArgs, settings};
use super::memory::Peak;
use super::plan::PlanReport;
use super::{claim, ended_by, planned, progress, with_memory, withdraw};
use crate::board::Board;
use crate::cli::failure::{Failure, usage};
use crate::cli::resume::ResumeArgs;
use crate::cli::say::{print, say, shell_word};
use crate::cli::{headless, search};
use crate::count::{
    BoardNumber, CountError, CountQuestion, CountSnapshot, CountWatch, Evidence, Modulus, RangeAnswer, RangePlan,
    SavedRange, Settings, Strip,
};
use crate::words::{self, bytes, grouped};
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::Path;

/// What is printed.
#[derive(Serialize)]
struct RangeReport {
    /// As typed.
    range: String,
    ending: &'static str,
    /// Whether tours that can be closed are left out.
    strict: bool,
    /// The only modulus, if remainders were all that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    modulus: Option<u32>,
    /// Those whose numbers are known, the shortest first.
    boards: Vec<RangeLine>,
    /// States stored, over all squares of all sweeps and passes.
    states: u64,
    /// Most states after one square.
    peak_states: u64,
    /// Resident maximum of the process; none where the system does not say.
    peak_bytes: Option<u64>,
    threads: usize,
    elapsed_s: f64,
    complete: bool,
    /// `signal`, if that stopped it.
    stopped: Option<&'static str>,
    /// How many boards the range has.
    #[serde(skip)]
    of: usize,
}

/// One board.
#[derive(Serialize)]
struct RangeLine {
    board: Board,
    /// Decimal digits; none when only a remainder was wanted.
    count: Option<String>,
    /// What the number leaves when it is divided by the modulus, if that was all that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    remainder: Option<String>,
    convention: &'static str,
    /// What it was counted modulo; nothing where no counter had overflowed before the board's end.
    moduli: Vec<String>,
    /// Whether it was counted in plain integers.
    #[serde(skip)]
    in_integers: bool,
}

/// Counts, or plans, and prints what came of it; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, when the count does not fit, or when it failed.
pub fn run(args: &CountArgs, strip: Strip) -> Result<u8, Failure> {
    let (question, settings) = (args.question()?, args.settings()?);
    if args.plan {
        let watch = CountWatch::new(settings.threads);
        let body = || {
            let plan = RangePlan::new(strip, &question, settings.usable_memory(), &watch)?;
            PlanReport::new(plan.plan(), &settings, &watch)
        };
        let failed = |error| ended_by(strip, &error, args.json, || with_memory(&error, &settings));
        return planned(&strip.to_string(), &watch, args.json, body, failed);
    }
    count(strip, &question, &settings, args.json)
}

/// Goes on with the count in a file; answers the exit code.
///
/// # Errors
/// As [`run`].
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    args.refuse_for_count()?;
    let file = args.file.display();
    let of_one_board = [("--watch", args.watch), ("--detach", args.detach.detach), ("--every", args.every.is_some())];
    if let Some((name, _)) = of_one_board.into_iter().find(|(_, typed)| *typed) {
        return Err(usage(format!(
            "{name}: {file} holds the count of a range of boards, which has none: leave it out"
        )));
    }
    let kept = SavedRange::read(&args.file).map_err(usage)?;
    let kept = kept.ok_or_else(|| usage(format!("{file}: is not there: name a file that --checkpoint has written")))?;
    let (strip, question) = kept.question().map_err(usage)?;
    let settings = settings(args.threads, kept.memory, None, kept.modulus)?;
    let settings = Settings { memory: settings.usable_memory(), checkpoint: Some(args.file.clone()), ..settings };
    count(strip, &question, &settings, args.json)
}

fn count(strip: Strip, question: &CountQuestion, settings: &Settings, json: bool) -> Result<u8, Failure> {
    let watch = CountWatch::new(settings.threads);
    let mut settings = settings.clone();
    let begin = |_: &Path, settings: &Settings| SavedRange::begin(strip, question, settings, &watch).map(|_| ());
    let new_file = claim(&mut settings, begin)?;
    let settings = &settings;
    let body = || RangePlan::new(strip, question, settings.memory, &watch)?.run(settings, &watch);
    let (answered, signal) = headless::heeding(|| watch.stop(), || progress::line(&watch.snapshot()), body)?;
    withdraw(new_file, &answered);
    let ended = match answered {
        Ok(answer) => Ok((answer.saved, answer.unsaved.clone(), Some(answer))),
        Err(CountError::Stopped) => {
            SavedRange::begin(strip, question, settings, &watch).map(|(saved, unsaved)| (saved, unsaved, None))
        }
        Err(error) => Err(error),
    };
    let (saved, unsaved, answer) = match ended {
        Ok(ended) => ended,
        Err(error) => {
            let failed = ended_by(strip, &error, json, || with_memory(&error, settings));
            return search::exit_code(failed, signal);
        }
    };
    let report = RangeReport {
        range: strip.to_string(),
        ending: question.ending.name(),
        strict: question.strict,
        of: strip.boards().count(),
        ..RangeReport::new(answer.as_ref(), settings, &watch.snapshot())
    };
    let printed = print(&report, json, false).map_err(Failure::from);
    search::exit_code(printed.and_then(|()| Ok(say_kept(settings, report.complete, (saved, unsaved))?)), signal)
}

/// Says how many passes the file of a count that was stopped holds, and what could not be kept.
fn say_kept(settings: &Settings, complete: bool, (saved, unsaved): (Option<usize>, Option<String>)) -> io::Result<()> {
    if let Some(unsaved) = unsaved {
        say(format_args!("--checkpoint {unsaved}"))?;
    }
    match (&settings.checkpoint, saved) {
        _ if complete => Ok(()),
        (Some(file), Some(passes)) => {
            let holds = match passes {
                0 => "no pass is done yet".to_owned(),
                1 => format!("{} holds 1 pass", file.display()),
                _ => format!("{} holds {passes} passes", file.display()),
            };
            say(format_args!("{holds}; to go on: destrier resume {}", shell_word(file)))
        }
        (Some(_), _) => say("nothing was kept"),
        (None, _) => {
            say("nothing was kept; with --checkpoint FILE a stopped count goes on after the last pass that was done")
        }
    }
}

impl RangeReport {
    /// What is known, without what was asked; without an answer it was stopped before it began to count.
    fn new(answer: Option<&RangeAnswer>, settings: &Settings, last: &CountSnapshot) -> RangeReport {
        let complete = answer.is_some_and(|answer| answer.complete);
        let modulus = settings.modulus;
        let boards = answer.map_or(&[][..], |answer| &answer.boards);
        RangeReport {
            range: String::new(),
            ending: "",
            strict: false,
            modulus,
            boards: boards.iter().map(|settled| RangeLine::new(settled, modulus.is_some())).collect(),
            states: last.states,
            peak_states: answer.map_or(0, |answer| answer.peak_states),
            peak_bytes: Peak::of_process().bytes(),
            threads: settings.threads,
            elapsed_s: answer.map_or(last.elapsed_s, |answer| answer.elapsed.as_secs_f64()),
            complete,
            stopped: (!complete).then_some("signal"),
            of: 0,
        }
    }

    /// How the numbers are known to be exact, in a sentence; nothing of remainders.
    fn how(&self) -> Option<String> {
        let exact = self.boards.iter().take_while(|line| line.moduli.is_empty()).filter(|line| line.in_integers).last();
        let residues = self.boards.iter().map(|line| &line.moduli).max_by_key(|moduli| moduli.len());
        let residues = residues.filter(|moduli| !moduli.is_empty()).map(|moduli| {
            let moduli = moduli.join(", ");
            format!("by residues, at most modulo {moduli}; one more changed nothing, or the last left 20 bits unused")
        });
        let exact =
            exact.map(|line| format!("to {} no count overflowed 64 bits: one pass is exact by itself", line.board));
        let parts: Vec<String> = exact.into_iter().chain(residues).collect();
        (self.modulus.is_none() && !parts.is_empty()).then(|| parts.join("; beyond "))
    }
}

impl RangeLine {
    fn new(settled: &BoardNumber, is_remainder: bool) -> RangeLine {
        let number = settled.count.to_string();
        let (count, remainder) = if is_remainder { (None, Some(number)) } else { (Some(number), None) };
        let in_integers = matches!(settled.evidence, Evidence::Counters { .. });
        let moduli = settled.evidence.moduli().iter().map(Modulus::to_string).collect();
        RangeLine {
            board: settled.board,
            count,
            remainder,
            convention: settled.count.convention().name(),
            moduli,
            in_integers,
        }
    }
}

impl fmt::Display for RangeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strict = if self.strict { " that cannot be closed" } else { "" };
        let convention = self.boards.first().map_or(String::new(), |line| format!(", {}", line.convention));
        let threads = words::threads(self.threads);
        writeln!(f, "{} {} tours{strict}{convention}, {threads}", self.range, self.ending)?;
        if let Some(modulus) = self.modulus {
            writeln!(f, "so many more than a multiple of {}", grouped(modulus))?;
        }
        let width = self.boards.iter().map(|line| line.board.to_string().len()).max().unwrap_or(0);
        for line in &self.boards {
            let number = line.count.as_ref().or(line.remainder.as_ref());
            writeln!(f, "{:<width$}  {}", line.board.to_string(), number.map_or(String::new(), grouped))?;
        }
        if let Some(how) = self.how() {
            writeln!(f, "how      {how}")?;
        }
        writeln!(f, "states   {}, at most {} at once", grouped(self.states), grouped(self.peak_states))?;
        if let Some(peak) = self.peak_bytes {
            writeln!(f, "memory   {} at most", bytes(peak))?;
        }
        writeln!(f, "time     {:.3} s", self.elapsed_s)?;
        match self.stopped {
            Some(stopped) => {
                let settled = self.boards.len();
                write!(f, "NOT complete: stopped by {stopped}, {settled} of {} boards settled", self.of)
            }
            None => write!(f, "complete"),
        }
    }
}
