//! Squares that a tour leaves out.

use super::rectangle::Square;
use std::sync::Arc;

/// The squares of a board that a tour leaves out, usually none. A clone is cheap.
///
/// ```
/// # use destrier::board::{Board, Holes};
/// let board: Board = "3x3".parse().unwrap();
/// let middle = board.parse_square("b2").unwrap();
/// let holes = Holes::new([middle]);
/// assert!(holes.contains(middle));
/// assert_eq!((holes.len(), Holes::none().len()), (1, 0));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Holes(Option<Arc<[Square]>>);

impl Holes {
    pub const fn none() -> Holes {
        Holes(None)
    }

    /// The holes on these squares, given in any order; duplicates are ignored.
    pub fn new(squares: impl IntoIterator<Item = Square>) -> Holes {
        let mut squares: Vec<Square> = squares.into_iter().collect();
        squares.sort_unstable();
        squares.dedup();
        Holes((!squares.is_empty()).then(|| squares.into()))
    }

    /// The holes in the order of their numbers.
    pub fn squares(&self) -> &[Square] {
        self.0.as_deref().unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.squares().len()
    }

    /// Whether there are no holes.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether the square is a hole.
    pub fn contains(&self, square: Square) -> bool {
        self.squares().binary_search(&square).is_ok()
    }
}
