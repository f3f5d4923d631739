//! Tours out of text: lists, grids, four paths side by side, JSON and SVG, many at once and mixed; and out of packed files.
//!
//! [`TourReader`] reads one tour after the other and keeps none, nor any text. What a tour looks like is seen from its first
//! word. A tour that cannot be read is an item too, and reading goes on with the next: after the line of a list, after
//! the empty line below a grid, after the array in JSON, after the picture in SVG.

mod columns;
mod decompress;
mod detect;
mod grid;
mod input;
mod json;
mod list;
mod outcome;
mod packed;
mod plain;
mod reader;
mod source;
mod squares;
mod stretch;
mod svg;

pub use outcome::{TourReadError, place};
pub use plain::PlainTours;
pub use reader::{ReadTour, TourReader};

#[cfg(test)]
mod tests;
