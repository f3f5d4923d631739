//! The parts in a folder: which files are parts of which question, what is missing, and what all parts come to.
//!
//! `search.rs` adds up the totals of a search ([`SearchParts::sum`]); `count.rs` gathers the remainders of a count; `folder.rs`
//! lists the files.

mod count;
mod folder;
mod search;

pub use count::{CountParts, WholePart};
pub use folder::{part_files, part_kinds};
pub use search::{SearchParts, WrongPart};
