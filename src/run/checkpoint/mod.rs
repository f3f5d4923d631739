//! A search as it is kept in a file while it goes on, and taken up from it again.
//!
//! ```text
//! destrier search 1                    what this is
//! 5f1d0c2e                             the CRC-32 of this and the last line, and of all that follows but its sum
//! {"plan":..,"elapsed_ns":..,..}       question and totals, as one line of JSON
//! 000a1b 0.0078125                     by line a part that nobody has entered: its choices, and its share of the tree
//! 4 bytes                              the CRC-32 of all that, as of every such file
//! ```
//!
//! `read` reads it again. Whether the parts are parts of the tree at all, and none is in another one, is looked at by [the
//! crew](crate::schedule::Crew::resume) that takes them up.

mod read;
mod write;

pub use read::ReadError;
pub(super) use read::{CheckpointInput, blamed, faulty, next_line, opened};
pub use write::{Checkpoint, Goes, Unfinished};
