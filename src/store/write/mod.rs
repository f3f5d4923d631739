//! Tours into text and pictures, streamed: whatever the board, a block of text is all the memory that is needed.
//!
//! Every square is verified on the way. A route that is no tour is found out in the middle, with text written already:
//! [`WriteError::Fault`] says so, and what was written is not to be kept.

mod grid;
mod lines;
mod list;
mod names;
mod packed;
mod svg;
mod text_out;

pub use grid::grid;
pub use lines::BoardLines;
pub use list::{json, json_squares, list};
pub use packed::{Blocks, PackedProgress, packed, packed_all};
pub use svg::{Picture, svg};
pub use text_out::WriteError;

#[cfg(test)]
mod tests;
