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
#[cfg(test)]
mod tests;
mod title;
mod write;

pub use read::{Damage, Item, JournalError, Reader};
pub use scribe::Scribe;
pub use title::{CountSubject, LastLine, Subject};
pub use write::{JournalTotals, Recorder, SAMPLE_EVERY, check};
