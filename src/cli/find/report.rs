//! What `find` says of its answer: the JSON object of the contract, and a line of text, and where that is printed.

use crate::board::{Route, verify_by_numbers};
use crate::find::genetic::Generation;
use crate::job::RaceVerdict;
use crate::job::say::{safe, say};
use crate::solve::{FindAnswer, Request};
use crate::words::{moment, number_of};
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;

/// The JSON object; tours are written as they are walked, so that one of any size needs no memory.
#[derive(Serialize)]
pub struct FindReport {
    board: String,
    ending: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    holes: Vec<String>,
    method: &'static str,
    /// What did the work, of a method that leaves it to a device.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<String>,
    /// Where no number of tours was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    tour: Option<Names>,
    /// Where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    tours: Option<Vec<Names>>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Whether it is proven that there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    impossible: Option<bool>,
    /// Where they were asked for: each with the number of its attempt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    generations: Vec<Bred>,
    seed: u64,
    threads: usize,
    attempts: u64,
    nodes: u64,
    elapsed_s: f64,
    complete: bool,
    /// Why it is not: `deadline` or `signal`.
    stopped: Option<&'static str>,
}

/// A generation and the island on which it was bred.
#[derive(Serialize)]
struct Bred {
    island: u64,
    #[serde(flatten)]
    figures: Generation,
}

/// The generations as a table.
struct Generations<'a>(&'a [(u64, Generation)]);

impl fmt::Display for Generations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "island  generation  evaluations  best   mean  tours  distinct")?;
        for (island, Generation { number, evaluations, best, mean, tours, distinct }) in self.0 {
            writeln!(f, "{island:>6} {number:>11} {evaluations:>12} {best:>5} {mean:>6.1} {tours:>6} {distinct:>9}")?;
        }
        Ok(())
    }
}

/// The squares of a tour by name, each checked on the way.
pub struct Names(pub Arc<dyn Route>);

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.0.board();
        let mut names = serializer.serialize_seq(Some(self.0.squares() as usize))?;
        let mut name = String::new();
        for square in verify_by_numbers(&*self.0) {
            name.clear();
            board.write_name(square.map_err(S::Error::custom)?, &mut name).map_err(S::Error::custom)?;
            names.serialize_element(&name)?;
        }
        names.end()
    }
}

impl FindReport {
    /// The report of an answer; `many` says that a number of tours was asked for.
    pub fn new(verdict: &RaceVerdict, many: bool) -> FindReport {
        let (request, done) = (verdict.request(), &verdict.done);
        let mut names = done.tours().iter().cloned().map(Names);
        let (tour, tours) = if many { (None, Some(names.collect::<Vec<_>>())) } else { (names.next(), None) };
        let (reason, impossible) = match &done.answer {
            Some(FindAnswer::Impossible(reason)) => (Some(reason.clone()), Some(true)),
            Some(FindAnswer::NotFound(reason) | FindAnswer::Refused(reason)) => (Some(reason.clone()), Some(false)),
            Some(FindAnswer::Tours(_)) | None => (None, None),
        };
        FindReport {
            board: request.board.to_string(),
            ending: request.ending.name(),
            holes: request.holes.squares().iter().map(|&square| request.board.name(square)).collect(),
            method: verdict.by(),
            device: done.device.as_ref().map(|device| device.label.to_string()),
            tour,
            tours,
            reason,
            impossible,
            generations: verdict
                .generations
                .iter()
                .flatten()
                .map(|&(island, figures)| Bred { island, figures })
                .collect(),
            seed: request.seed,
            threads: verdict.plan.threads,
            attempts: done.attempts,
            nodes: done.outcome.total().nodes,
            elapsed_s: done.outcome.elapsed.as_secs_f64(),
            complete: done.outcome.complete(),
            stopped: done.outcome.stopped.map(|reason| reason.with_signal(true).name()),
        }
    }
}

/// What is said of a tour that was found, and not written to its end.
pub const CUT_SHORT: &str = "the run was stopped before the tour was shown or written whole: no file is left of it";

/// Prints the answer in a line: to stderr where stdout has the tours.
///
/// # Errors
/// When it cannot be written.
pub fn print_answer(verdict: &RaceVerdict, to_stdout: bool) -> io::Result<()> {
    if let Some(generations) = &verdict.generations {
        write!(io::stderr(), "{}", Generations(generations))?;
    }
    let line = AnswerLine(verdict);
    match &verdict.done.answer {
        Some(FindAnswer::Tours(tours)) => {
            if !to_stdout {
                writeln!(io::stdout(), "{}", safe(&line.to_string()))?;
            } else if io::stderr().is_terminal() && !io::stdout().is_terminal() {
                writeln!(io::stderr(), "{}", safe(&line.to_string()))?;
            } else if cfg!(feature = "tui") && io::stderr().is_terminal() {
                say("with --show it is stepped through move by move")?;
            }
            let (found, wanted) = (tours.len() as u64, verdict.request().tours);
            if found < wanted {
                let why = if verdict.done.outcome.complete() { "no more were found" } else { "the run was stopped" };
                say(format_args!("{found} of {wanted} tours: {why}"))?;
            }
            Ok(())
        }
        Some(FindAnswer::NotFound(reason)) if reason == CUT_SHORT => say(reason),
        _ => say(line),
    }
}

/// The answer in a line.
pub struct AnswerLine<'a>(pub &'a RaceVerdict);

impl fmt::Display for AnswerLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLine(verdict) = self;
        let (request, done) = (verdict.request(), &verdict.done);
        let (board, ending) = (request.board, request.ending.name());
        let mut method = verdict.by().to_owned();
        if let Some(device) = &done.device {
            method.push_str(&format!(" on {}", device.label));
        }
        match &done.answer {
            Some(FindAnswer::Tours(tours)) => {
                let what = match tours.len() {
                    1 => format!("{ending} tour"),
                    n => number_of(n, &format!("{ending} tour")),
                };
                let squares = number_of(tours.first().map_or(0, |tour| tour.squares()), "square");
                let time = time(done.outcome.elapsed);
                write!(f, "{board} {what} by {method}, seed {}: {squares}, found in {time}", request.seed)
            }
            Some(FindAnswer::Impossible(reason)) => {
                write!(f, "impossible: {board} has no {}: {reason}", wanted(request))
            }
            Some(FindAnswer::NotFound(reason)) => {
                write!(f, "not found: no {} of {board} by {method}: {reason}", wanted(request))
            }
            Some(FindAnswer::Refused(refusal)) => write!(f, "{method}: {refusal}"),
            None => Ok(()),
        }
    }
}

/// How long it took: `0.31 ms`, `12.30 ms`, `1.20s`, `0:12`.
fn time(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(1) { format!("{:.2} ms", elapsed.as_secs_f64() * 1e3) } else { moment(elapsed) }
}

/// The tour that was asked for, in words.
fn wanted(request: &Request) -> String {
    let name = |square| request.board.name(square);
    let mut words = format!("{} tour", request.ending.name());
    for (preposition, square) in [("from", request.start), ("to", request.end)] {
        if let Some(square) = square {
            words.push_str(&format!(" {preposition} {}", name(square)));
        }
    }
    if !request.holes.is_empty() {
        words.push_str(" around these holes");
    }
    if !(request.must.is_empty() && request.must_not.is_empty()) {
        words.push_str(" with these moves");
    }
    words
}
