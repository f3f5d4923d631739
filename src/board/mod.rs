//! Geometry: boards, squares and the knight graph.
//!
//! A [`Board`] is two numbers; squares are numbered row by row from the top left, and neighbours are computed, so
//! that a board of ten thousand rows costs nothing until somebody walks on it. [`SmallBoard`] is the same graph as
//! bit masks, and evidence that the masks hold it. A [`Tour`] exists only by verification,
//! and so does a [`TourRef`], which keeps nothing and costs little.

mod between;
mod canonical;
mod checker;
mod degree;
#[cfg(test)]
pub(crate) mod exhaustive;
mod existence;
mod grid;
mod holes;
mod kept;
mod known;
mod notation;
mod rectangle;
mod route;
mod small;
mod square;
mod symmetry;
mod tour;

pub use canonical::Symmetries;
pub use checker::{Checker, TourRef};
pub use degree::{PRINTED_ESTIMATES, PrintedEstimate, tree_estimate};
pub use existence::Existence;
pub use grid::{GridError, GridRows, KURAPATI, NumberGrid, parse_grid};
pub use holes::Holes;
pub use kept::{GROUP, GROUP_BYTES, MoveDirections, PackedPath, PackedTour, append_directions, at_hand, directions};
pub use known::{CountKind, CountedTours, KnownCount, known_counts};
pub use notation::{MoveList, MoveListError, SquareError, parse_move_list};
pub use rectangle::{Board, BoardError, MOVES, opposite};
pub use route::{NumberedRoute, Route, checked, walked};
pub use small::{OFF_BOARD, SMALL_SQUARES_MAX, SmallBoard, SquareMask};
pub use square::Square;
pub use symmetry::{Orbit, Symmetry};
pub use tour::{Ending, Tour, TourFault};
