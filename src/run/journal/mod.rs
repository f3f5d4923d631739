//! A journal: a run in a file, one JSON object per line. It is compressed by zstd when its name ends in `.zst`.
//!
//! ```text
//! {"destrier":"journal","format":N,"subject":{"run":{..}}}      the question; N is the [format](super::FORMAT)
//! {"frame":{"body":{..},"events":[..]}}                         a frame
//! {"ended":{"end":{..},"report":{..},"lost":0,"frames":12}}     how the run ended; absent if the file was cut off
//! ```
//!
//! Each line ends in `,"crc":"..."}`, the CRC-32 of the text before it, so a damaged line is not read as another value.
//! Every frame can be read without the frames before it, so a damaged line costs one frame. The last line has the number of frames, so
//! frames that were cut out are missed. [`Recorder`] writes a journal
//! on a thread of its own; [`Reader`] reads it, even if it is damaged.

mod read;
#[cfg(test)]
mod tests;
mod title;
mod write;

pub use read::{Damage, Item, JournalError, Reader};
pub use title::{CountSubject, JournalLine, LastLine, Subject};
pub use write::{JournalTotals, Recorder, SAMPLE_EVERY, Scribe, check};
