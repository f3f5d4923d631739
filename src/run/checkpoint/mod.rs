//! A search in a file: it is saved there while it works, and resumed from there.
//!
//! The file is a [record](crate::saved). Its header has the question and the totals. Its body has a line for each open branch:
//! its choices, two hexadecimal digits each, and its share of the tree, such as `000a1b 0.0078125`.
//! [The crew](crate::schedule::Crew::resume) that resumes the search checks that the branches belong to the tree and that none
//! contains another. `read.rs` checks the rest. The file of a count is another one: `count/run`.

mod read;
mod write;

pub use write::{Checkpoint, Continuation, Unfinished};
