//! Tour files: writing and reading tours as text, pictures and packed bytes.
//!
//! [`write`](mod@write) writes any [`Route`](crate::board::Route) as a list of moves, a grid, JSON, SVG or packed, and
//! verifies it while it streams. [`TourReader`] reads all these formats, any number of tours, one tour in memory at a
//! time. [`check()`] verifies the squares that were read and names the first wrong move. [`holes`] reads masks of squares
//! to leave out, [`gaps`] grids of which some numbers are given. [`frames`] compresses files by zstd.
//!
//! ```text
//!  Route ──> write ──> list, grid, JSON, SVG, packed [──> zstd] ──> TourReader ──> check ──> a tour, or its first fault
//! ```
//!
//! **Invariant**: what is written here is read here, in every format, and a file of any bytes is read in bounded memory.
//! **Where to begin**: `write/` for a format to write, `read/` for one to read; `tests` in both hold them to each other.
//!
//! | format | example | how squares are left out |
//! | --- | --- | --- |
//! | list | `3x3 a3 c2 a1 b3 c1 a2 c3 b1`, one tour a line | `without b2` at the end |
//! | grid | numbers, row by row; an empty line between tours | `.` instead of a number |
//! | JSON | `["a3","c2",..]`, alone or in an object with `board`, `ending`, `holes` | `holes`, an array of names |
//! | SVG | a picture; its `<desc>` is a list | as in a list |
//! | [packed] | bytes; three bits a move | not possible |

mod check;
mod distinct;
pub mod frames;
pub mod gaps;
pub mod holes;
pub mod packed;
mod read;
pub mod write;

pub use check::{check, fault_number};
pub use distinct::DistinctTours;
pub use read::{PlainTours, ReadTour, TourReadError, TourReader, lines_named, open_tours, tour_location};
