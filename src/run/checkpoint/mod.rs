//! A search in a file: it is saved there while it works, and resumed from there.
//!
//! ```text
//! destrier search 1                    the format
//! 5f1d0c2e                             the CRC-32 of all that follows but the last 4 bytes, with a salt
//! {"plan":..,"elapsed_ns":..,..}       question and totals, as one line of JSON
//! 000a1b 0.0078125                     one line per open branch: its choices, and its share of the tree
//! 4 bytes                              the CRC-32 of the whole file, as in every checkpoint
//! ```
//!
//! `read` reads the file. [The crew](crate::schedule::Crew::resume) that resumes the search checks that the branches
//! belong to the tree and that none contains another.

mod read;
mod write;

pub use read::ReadError;
pub(super) use read::{CheckpointInput, blamed, faulty, next_line, opened};
pub use write::{Checkpoint, Goes, Unfinished};
