//! Readers of tours: lists, grids, JSON and SVG, any number and mixed; and packed files.
//!
//! [`TourReader`] reads one tour after the other and stores neither tours nor text. It detects the format of a tour from its
//! first words. A tour that cannot be read is an error item, and reading continues with the next tour: after the line of a
//! list, after the empty line below a grid, after the array in JSON, after the picture in SVG.

mod decompress;
mod json;
mod judge;
mod list;
mod outcome;
mod packed;
mod plain;
mod reader;
mod shape;
mod source;
mod stretch;
mod svg;
mod table;

pub use list::squares_in;
pub use outcome::{ReadTour, TourReadError, lines_named, tour_location};
pub use plain::PlainTours;
pub use reader::{TourReader, open_tours};

#[cfg(test)]
mod tests;
