//! The first, the last and the other lines of a journal.

use crate::board::{Board, Ending, Holes, Shape};
use crate::gpu::map::Batch;
use crate::run::frame::FORMAT;
use crate::run::question::Plan;
use crate::run::source::End;
use crate::schedule::read_threads;
use crate::{count, words};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The checksum at the end of a line with these members.
pub(super) fn seal(members: &[u8]) -> String {
    format!(",\"crc\":\"{:08x}\"}}", crc32fast::hash(members))
}

/// The name of the format in the first line, which begins as [`FileKind::Journal`](crate::bounded::FileKind) says.
const NAME: &str = "journal";

/// What a journal records.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A search or a race.
    Run(Plan),
    Count(CountSubject),
    /// A batch of knights.
    Map(Batch),
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Run(plan) => {
                let question = &plan.question;
                let (board, ending, method) = (question.board(), question.ending().name(), question.method());
                let verb = if question.finds() { "find" } else { "search" };
                write!(f, "{verb} {board} {ending} by {method}")?;
                // Races of attempts use no scheduler.
                if !question.finds() {
                    write!(f, ", {}", plan.scheduler.name())?;
                }
                write!(f, ", {}{}", words::threads(plan.threads), plan.settings())
            }
            Subject::Count(CountSubject { question, threads }) => {
                write!(f, "count {} {}, {}", question.name(), question.ending.name(), words::threads(*threads))
            }
            Subject::Map(batch) => {
                write!(f, "gpu map {} with {}", batch.board(), words::number_of(batch.orders(), "order"))
            }
        }
    }
}

/// A count: its question and its number of threads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "CountJson", try_from = "CountJson")]
pub struct CountSubject {
    pub question: count::CountQuestion,
    /// Threads, 1 to 4096.
    pub threads: usize,
}

/// Squares of the largest board of a count in a journal: a larger one is not counted in a year.
pub(super) const COUNTED_MAX: u32 = 1 << 22;
/// Most rows along the longer side: a frame has five numbers per row, and the length of a line is limited.
pub(super) const COUNTED_ROWS_MAX: u32 = 50_000;

/// A count with its start square by name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountJson {
    board: Board,
    open: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    unique: bool,
    strict: bool,
    #[serde(deserialize_with = "read_threads")]
    threads: usize,
}

impl From<CountSubject> for CountJson {
    fn from(CountSubject { question, threads }: CountSubject) -> CountJson {
        let count::CountQuestion { shape, ending, start, unique, strict, .. } = question;
        let (board, holes) = (shape.board(), shape.hole_names());
        let start = start.map(|start| board.name(start));
        CountJson { board, open: ending == Ending::Open, holes, start, unique, strict, threads }
    }
}

impl TryFrom<CountJson> for CountSubject {
    type Error = String;

    fn try_from(count: CountJson) -> Result<CountSubject, String> {
        let CountJson { board, open, holes, start, unique, strict, threads } = count;
        let square = |name: &String| board.parse_square(name).map_err(|error| error.to_string());
        let start = start.as_ref().map(square).transpose()?;
        let shape = Shape::new(board, Holes::new(holes.iter().map(square).collect::<Result<Vec<_>, _>>()?));
        let ending = Ending::open_if(open);
        let question = count::CountQuestion { start, unique, strict, ..count::CountQuestion::new(shape, ending) };
        if board.squares() > COUNTED_MAX || board.rows().max(board.cols()) > COUNTED_ROWS_MAX {
            return Err(format!("the board {board} is too large for a count in a journal"));
        }
        count::CountPlan::check_plannable(&question, u64::MAX).map_err(|error| error.to_string())?;
        Ok(CountSubject { question, threads })
    }
}

/// The first line.
#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    destrier: String,
    format: u32,
    pub(super) subject: Subject,
}

impl Head {
    pub(super) fn new(subject: Subject) -> Head {
        Head { destrier: NAME.to_owned(), format: FORMAT, subject }
    }
}

/// Any line after the first. `F` is a frame, or a reference to one that is written.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalLine<F> {
    Frame(F),
    /// Frames for a viewer, of whose wishes the run has heard so many. No file has such a line.
    Frames {
        frames: Vec<F>,
        heard: u32,
        /// Whether they are from before the viewer came.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        past: bool,
    },
    Ended(LastLine),
}

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct LastLine {
    /// How the run ended; absent if the program did not wait for the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// The report of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
    /// Frames that were lost because the queue was full.
    pub lost: u64,
    /// Frames that the file has; older files, and what a viewer gets, do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frames: Option<u64>,
}
