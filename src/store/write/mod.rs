//! Writers of tours as text, pictures and packed files. They stream: one block of text is in memory, whatever the board.
//!
//! Every square is verified while it is written. If the route turns out to be no tour, some text has been written already:
//! [`WriteError::Fault`] reports it, and the caller has to discard the output.

mod lines;
mod list;
mod packed;
mod svg;
mod text;

pub use lines::BoardLines;
pub use list::{WITHOUT, json, json_squares, list};
pub use packed::{PackedProgress, PackedWriter, packed, packed_all};
pub use svg::{Picture, svg};
pub use text::{WriteError, grid};

#[cfg(test)]
mod tests;
