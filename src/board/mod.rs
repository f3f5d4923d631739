//! Geometry: boards, squares and the knight graph.
//!
//! A [`Board`] is two numbers. Squares are numbered row by row from the top left, and neighbours are computed, so a board
//! of ten thousand rows costs no memory. [`SmallBoard`] holds the knight graph of a small board as bit masks.
//! A [`Tour`] can only be made by verification. A [`Checker`] verifies a tour in a caller's buffer without allocating;
//! its result is a [`TourRef`].
//!
//! ```text
//!     a  b  c  d       rows are named from below, columns from the left, as in chess;
//!  3  0  1  2  3       squares are numbered from the top left
//!  2  4  5  6  7
//!  1  8  9 10 11       text ──> Board, squares ──> Tour::verify ──> Tour   (or the fault: which move, and why)
//!                                                     verify_by_numbers: a Route of any size, square by square
//!                                                     verify_in_blocks:  the same, a thousand squares at a time
//! ```
//!
//! **Invariant**: a value of type [`Tour`] is a tour. It has no other constructor than verification, move by move.
//!
//! **Where to begin**: `rectangle.rs`, then `tour.rs`. A theorem about boards belongs into `existence.rs`, a published number
//! into `known_counts.csv`, each with its source.
//!
//! | file | purpose |
//! | --- | --- |
//! | `rectangle.rs` | boards, squares, the eight moves |
//! | `holes.rs`, `shape.rs` | squares that a tour leaves out; a board with them |
//! | `tour.rs`, `route.rs` | verified tours; ways over a board, stored or computed, and their verification |
//! | `stream.rs` | verification of a long route while it is written |
//! | `packed.rs` | tours in three bits a move, to hold many in memory |
//! | `small_board.rs`, `checker.rs` | bit masks; fast verification of many tours of one small board |
//! | `symmetry.rs`, `canonical.rs` | symmetries and orbits; one canonical tour of every class |
//! | `facts.rs` | turns, crossings, symmetries and equal sums of a tour |
//! | `notation.rs`, `grid.rs` | squares and tours as text |
//! | `existence.rs`, `endpoints.rs` | theorems: which boards have tours, and from which squares to which |
//! | `degree.rs` | number of moves, mean degree, size of a search tree |
//! | `known_counts.rs`, `known_bounds.rs` | published numbers of tours, and what contradicts them |

mod canonical;
mod checker;
mod degree;
mod endpoints;
#[cfg(test)]
pub(crate) mod exhaustive;
mod existence;
mod facts;
mod grid;
mod holes;
mod known_bounds;
mod known_counts;
mod notation;
mod packed;
mod rectangle;
mod route;
mod shape;
mod small_board;
mod stream;
mod symmetry;
#[cfg(test)]
mod texts;
mod tour;

pub use canonical::Symmetries;
pub use checker::{Checker, TourRef};
pub use degree::{PRINTED_ESTIMATES, PrintedEstimate, tree_estimate};
pub use existence::Existence;
pub use facts::{Magic, TourFacts};
pub use grid::{GridError, GridRows, NumberGrid};
pub use holes::Holes;
pub use known_bounds::CountedTours;
pub use known_counts::{CountKind, KnownCount, known_counts};
pub use notation::{MoveList, SquareError};
pub use packed::{
    DIRECTION_GROUP, DIRECTION_GROUP_BYTES, MoveDirections, PackedPath, PackedTour, append_directions, join_directions,
    read_directions, with_numbers,
};
pub use rectangle::{Board, BoardError, MOVE_NAMES, MOVES, Square, opposite};
pub use route::{NumberedRoute, Route, WALK_BLOCK, verify_by_numbers};
pub use shape::Shape;
pub use small_board::{OFF_BOARD, SMALL_SQUARES_MAX, SmallBoard, SquareMask};
pub use stream::{VerifiedBlock, verify_in_blocks};
pub use symmetry::{Orbit, Symmetry};
#[cfg(test)]
pub use texts::{KURAPATI, parse_grid, parse_move_list};
pub use tour::{Ending, RouteHead, Tour, TourFault, TourVerifier};
