//! The parts in a folder: which files are parts of which question, what is missing, and what all parts come to.

mod count;
mod folder;
mod search;

pub use count::{CountParts, WholePart};
pub use folder::{part_files, part_kinds};
pub use search::{SearchParts, WrongPart};
