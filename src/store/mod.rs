//! Tour files: tours as text and pictures, out and in.
//!
//! [`write`](mod@write) streams any [`Route`](crate::board::Route) as a list of moves, a grid, JSON or SVG, and
//! verifies it on the way. [`TourReader`] takes all of these back, many at once, one tour in memory at a time. [`check()`] says
//! of what was read whether it is a tour, and what is the first wrong move. [`holes`] reads masks of squares to leave
//! out.
//!
//! | format | looks like | leaves squares out by |
//! | --- | --- | --- |
//! | list | `3x3 a3 c2 a1 b3 c1 a2 c3 b1`, one tour a line | `without b2` at the end |
//! | grid | numbers, row by row; an empty line between tours | `.` instead of a number |
//! | paths | `65:71:17:11`, the four paths of a tour side by side | they do not |
//! | JSON | `["a3","c2",..]`, alone or in an object with `board`, `ending`, `holes` | `holes`, names again |
//! | SVG | a picture; its `<desc>` is a list | the list |
//! | [packed] | bytes; three bits a move | no tour does |

mod check;
pub mod frames;
pub mod holes;
pub mod packed;
mod read;
pub mod write;

pub use check::{check, number};
pub use read::{PlainTours, ReadTour, TourReadError, TourReader, place};
