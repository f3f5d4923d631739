//! A run written down while it goes on: a journal, one JSON object a line, compressed by zstd when its name ends in `.zst`.
//!
//! ```text
//! {"destrier":"journal","format":3,"subject":{"run":{..}}}      what was asked
//! {"frame":{..}}                                                a frame in full
//! {"after":2,"change":{..},"events":{..},"positions":{..}}      what differs from the frame of line 2
//! {"ended":{"end":{..},"report":{..},"lost":0}}                 how it ended; not there when it was cut off
//! ```
//!
//! Each line ends in `,"crc":"..."}`, a CRC-32 of what stands before it: a line whose digits were damaged is not read as
//! something else. A change is held against the frame of the line before, for the least has changed since that: a damaged
//! line spoils what follows until the next frame in full, two seconds at most, and nothing else. [`Recorder`] writes it, on
//! a thread of its own; [`Reader`] reads it, whatever became of it meanwhile.

mod change;
mod read;
mod scribe;
mod write;

#[cfg(test)]
mod tests;

pub use read::{Damage, Item, JournalError, Reader};
pub use scribe::Scribe;
pub use write::{Recorder, SAMPLE_EVERY, Written};

use super::{End, FORMAT, Plan, Question};
use crate::board::{Board, Ending};
use crate::bounded::FIRST_LINE_MAX;
use crate::count;
use crate::gpu::map::Batch;
use crate::schedule::THREADS_MAX;
use crate::words;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// The checksum that ends a line whose other members are these.
fn seal(members: &[u8]) -> String {
    format!(",\"crc\":\"{:08x}\"}}", crc32fast::hash(members))
}

/// What a journal calls itself.
const NAME: &str = "journal";

/// What was run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A search or a race.
    Run(Plan),
    /// A count.
    Count(Counted),
    /// A batch of knights.
    Map(Batch),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Run(plan) => {
                let (question, detail) = (&plan.question, plan.question.detail());
                let (board, ending, method) = (question.board(), question.ending().name(), question.method());
                let verb = if question.finds() { "find" } else { "search" };
                write!(f, "{verb} {board} {ending} by {method}")?;
                // A device and attempts at one tour are shared out in their own ways.
                if matches!(question, Question::Search(solver, _) if !solver.card().alone) {
                    write!(f, ", {}", plan.scheduler.name())?;
                }
                write!(f, ", {}", words::threads(plan.threads))?;
                let part = plan.shard.map(|shard| format!(", part {shard}")).unwrap_or_default();
                if detail.is_empty() { write!(f, "{part}") } else { write!(f, ", {detail}{part}") }
            }
            Subject::Count(Counted { question, threads }) => {
                write!(f, "count {} {}, {}", question.board, question.ending.name(), words::threads(*threads))
            }
            Subject::Map(batch) => {
                write!(f, "gpu map {} with {}", batch.board(), words::number_of(batch.orders(), "order"))
            }
        }
    }
}

/// A count: what is asked, and how many threads were to answer it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// What is asked.
    pub question: count::CountQuestion,
    /// Threads, 1 to 4096.
    pub threads: usize,
}

/// Squares of the largest board of a count that is shown: no longer one is counted in a year.
const COUNTED_MAX: u32 = 1 << 22;
/// Its rows along the longer side: a frame has five numbers for each, and a line of the journal may not hold more.
const COUNTED_ROWS_MAX: u32 = 50_000;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCount {
    board: Board,
    open: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    unique: bool,
    strict: bool,
    threads: usize,
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let count::CountQuestion { board, ending, start, unique, strict } = self.question;
        let start = start.map(|start| board.name(start));
        WrittenCount { board, open: ending == Ending::Open, start, unique, strict, threads: self.threads }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counted, D::Error> {
        let WrittenCount { board, open, start, unique, strict, threads } = WrittenCount::deserialize(deserializer)?;
        if !(1..=THREADS_MAX).contains(&threads) {
            return Err(D::Error::custom(format!("1 to {THREADS_MAX} threads, not {threads}")));
        }
        let start = start.map(|start| board.parse_square(&start)).transpose().map_err(D::Error::custom)?;
        let ending = if open { Ending::Open } else { Ending::Closed };
        let question = count::CountQuestion { board, ending, start, unique, strict };
        if board.squares() > COUNTED_MAX || board.rows().max(board.cols()) > COUNTED_ROWS_MAX {
            return Err(D::Error::custom(format!("no count of {board} is shown")));
        }
        count::CountPlan::check_plannable(&question, u64::MAX).map_err(D::Error::custom)?;
        Ok(Counted { question, threads })
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    destrier: String,
    format: u32,
    subject: Subject,
}

impl Head {
    fn new(subject: Subject) -> Head {
        Head { destrier: NAME.to_owned(), format: FORMAT, subject }
    }
}

/// What the first line says of itself: it is looked at before anything is made of the others.
#[derive(Deserialize)]
struct JournalTitle {
    #[serde(default)]
    destrier: String,
    #[serde(default)]
    format: u64,
}

/// Checks that a journal of this run can be read again: writes its first line to memory and reads it.
///
/// # Errors
/// Why it cannot, in words that follow the name of the file.
pub fn check(subject: &Subject) -> Result<(), String> {
    let line = serde_json::to_vec(&Head::new(subject.clone())).map_err(|error| error.to_string());
    let checked = line.and_then(|line| {
        let (bytes, most) = ((line.len() + seal(&[]).len()) as u64, FIRST_LINE_MAX >> 20);
        if bytes > FIRST_LINE_MAX {
            return Err(format!(
                "it takes {} MiB, and a journal notes {most} MiB of it at most",
                bytes.div_ceil(1 << 20)
            ));
        }
        read::subject_of(&line).map(drop)
    });
    checked.map_err(|why| format!("a journal cannot note what is asked: {why}; leave out --record"))
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    /// A frame in full, and the number of its line: a damaged line may have become two, and those behind it are then
    /// where others were.
    Whole { line: u64, frame: Value },
    /// A frame as what differs from that of the line before this one, but for what is new in each.
    Change {
        line: u64,
        change: Value,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        events: Option<Value>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        positions: Option<Value>,
    },
    /// The end.
    Ended { ended: Last },
}

/// The last line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Last {
    /// How the run ended, as its view says it; nothing when nobody waited for its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// The report of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
    /// Frames that did not fit.
    pub lost: u64,
}

/// Takes out of a written frame what is new in each: its events and positions.
fn strip(frame: &mut Value) -> [Option<Value>; 2] {
    let events = frame.as_object_mut().and_then(|frame| frame.remove("events"));
    let tree = frame.pointer_mut("/body/tree").and_then(Value::as_object_mut);
    [events, tree.and_then(|tree| tree.remove("positions"))]
}

/// Puts it back.
fn dress(frame: &mut Value, [events, positions]: [Option<Value>; 2]) {
    if let (Some(frame), Some(events)) = (frame.as_object_mut(), events) {
        frame.insert("events".to_owned(), events);
    }
    let tree = frame.pointer_mut("/body/tree").and_then(Value::as_object_mut);
    if let (Some(tree), Some(positions)) = (tree, positions) {
        tree.insert("positions".to_owned(), positions);
    }
}
