//! A journal: a run in a file, one JSON object per line. It is compressed by zstd when its name ends in `.zst`.
//!
//! ```text
//! {"destrier":"journal","format":4,"subject":{"run":{..}}}      the question
//! {"line":2,"frame":{..}}                                       a frame in full
//! {"line":3,"change":{..},"events":{..},"positions":{..}}       what differs from the frame of line 2
//! {"ended":{"end":{..},"report":{..},"lost":0}}                 how the run ended; absent if the file was cut off
//! ```
//!
//! Each line ends in `,"crc":"..."}`, the CRC-32 of the text before it, so a damaged line is not read as another value.
//! A change is relative to the frame of the line before, because least has changed since. A damaged line therefore
//! spoils all lines up to the next full frame, two seconds at most. [`Recorder`] writes a journal on a thread of its
//! own; [`Reader`] reads it, even if it is damaged.

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
