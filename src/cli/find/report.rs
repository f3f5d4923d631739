//! What `find` says of its answer: the JSON object of the contract, and a line of text.

use super::answer::{Kind, Seek, Verdict};
use crate::board::{Route, checked};
use crate::find::genetic::Generation;
use crate::schedule::StopReason;
use crate::schedule::words::{grouped, moment};
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// The JSON object; tours are written as they are walked, so that one of any size needs no memory.
#[derive(Serialize)]
pub struct Report<'a> {
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
    tour: Option<Names<'a>>,
    /// Where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    tours: Option<Vec<Names<'a>>>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
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
pub struct Generations<'a>(pub &'a [(u64, Generation)]);

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
struct Names<'a>(&'a dyn Route);

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.0.board();
        let mut names = serializer.serialize_seq(Some(self.0.squares() as usize))?;
        let mut name = String::new();
        for square in checked(self.0) {
            name.clear();
            board.write_name(square.map_err(S::Error::custom)?, &mut name).map_err(S::Error::custom)?;
            names.serialize_element(&name)?;
        }
        names.end()
    }
}

impl<'a> Report<'a> {
    /// The report of an answer; `many` says that a number of tours was asked for.
    pub fn new(seek: &Seek, verdict: &'a Verdict, many: bool) -> Report<'a> {
        let request = &seek.request;
        let tours: &[_] = if let Kind::Tours(tours) = &verdict.kind { tours } else { &[] };
        let mut names = tours.iter().map(|tour| Names(&**tour));
        let (tour, tours) = if many { (None, Some(names.collect::<Vec<_>>())) } else { (names.next(), None) };
        let (reason, impossible) = match &verdict.kind {
            Kind::Tours(_) => (None, None),
            Kind::Impossible(reason) => (Some(reason.as_str()), Some(true)),
            Kind::NotFound(reason) => (Some(reason.as_str()), Some(false)),
            Kind::Refused(refusal) => (Some(refusal.0.as_str()), Some(false)),
        };
        Report {
            board: request.board.to_string(),
            ending: verdict.ending.name(),
            holes: request.holes.squares().iter().map(|&square| request.board.name(square)).collect(),
            method: seek.by(verdict.ending),
            device: verdict.device.as_ref().map(|device| device.label.to_string()),
            tour,
            tours,
            reason,
            impossible,
            generations: verdict.generations.iter().map(|&(island, figures)| Bred { island, figures }).collect(),
            seed: request.seed,
            threads: seek.threads,
            attempts: verdict.attempts,
            nodes: verdict.nodes,
            elapsed_s: verdict.elapsed.as_secs_f64(),
            complete: verdict.stopped.is_none(),
            stopped: verdict.stopped.map(|reason| match reason {
                StopReason::Deadline => "deadline",
                _ => "signal",
            }),
        }
    }
}

/// The answer in a line.
pub struct Line<'a>(pub &'a Seek, pub &'a Verdict);

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Line(seek, verdict) = self;
        let request = &seek.request;
        let (board, ending) = (request.board, verdict.ending.name());
        let mut method = seek.by(verdict.ending).to_owned();
        if let Some(device) = &verdict.device {
            method.push_str(&format!(" on {}", device.label));
        }
        match &verdict.kind {
            Kind::Tours(tours) => {
                let what = match tours.len() {
                    1 => format!("{ending} tour"),
                    n => format!("{} {ending} tours", grouped(n as u64)),
                };
                let squares = grouped(tours.first().map_or(0, |tour| tour.squares()));
                let time = time(verdict.elapsed);
                write!(f, "{board} {what} by {method}, seed {}: {squares} squares, found in {time}", request.seed)
            }
            Kind::Impossible(reason) => write!(f, "impossible: {board} has no {}: {reason}", asked(seek, verdict)),
            Kind::NotFound(reason) => {
                write!(f, "not found: no {} of {board} by {method}: {reason}", asked(seek, verdict))
            }
            Kind::Refused(refusal) => write!(f, "{method}: {refusal}"),
        }
    }
}

/// How long it took: `0.31 ms`, `12.30 ms`, `1.20s`, `0:12`.
fn time(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(1) { format!("{:.2} ms", elapsed.as_secs_f64() * 1e3) } else { moment(elapsed) }
}

/// The tour that was asked for, in words.
fn asked(seek: &Seek, verdict: &Verdict) -> String {
    let request = &seek.request;
    let name = |square| request.board.name(square);
    let mut words = format!("{} tour", verdict.ending.name());
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
