//! Boards with holes: the squares that a tour visits.

use super::holes::Holes;
use super::rectangle::{Board, BoardError, Square};
use super::symmetry::{Orbit, Symmetry};
use std::fmt;
use std::str::FromStr;

/// A board with its holes. A clone is cheap, and a [`Board`] is a shape without holes.
///
/// A shape is read and written as its board and the names of its holes:
///
/// ```
/// # use destrier::board::{Board, Shape};
/// let ring: Shape = "3x3-b2".parse()?;
/// assert_eq!((ring.squares(), ring.colours(), ring.symmetries().len()), (8, [4, 4], 8));
/// assert_eq!(ring.to_string(), "3x3-b2");
/// assert_eq!(Shape::from(ring.board()), "3x3".parse()?);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    board: Board,
    holes: Holes,
}

impl From<Board> for Shape {
    fn from(board: Board) -> Shape {
        Shape { board, holes: Holes::none() }
    }
}

impl From<&Shape> for Shape {
    fn from(shape: &Shape) -> Shape {
        shape.clone()
    }
}

impl Shape {
    /// The squares of `board` that are not `holes`.
    pub fn new(board: Board, holes: Holes) -> Shape {
        Shape { board, holes }
    }

    /// The rectangle, holes included.
    pub fn board(&self) -> Board {
        self.board
    }

    pub fn holes(&self) -> &Holes {
        &self.holes
    }

    pub fn has_holes(&self) -> bool {
        !self.holes.is_empty()
    }

    /// Number of squares that are not holes.
    pub fn squares(&self) -> u32 {
        self.board.squares() - self.holes.len() as u32
    }

    /// Whether the square is on the board and is no hole.
    pub fn has(&self, square: Square) -> bool {
        self.board.at(square.index()).is_some() && !self.holes.contains(square)
    }

    /// The name for messages and screens: of many holes their number.
    pub fn short(&self) -> String {
        match self.holes.len() {
            0..=4 => self.to_string(),
            holes => format!("{} without {holes} squares", self.board),
        }
    }

    /// The names of the holes.
    pub fn hole_names(&self) -> Vec<String> {
        self.holes.squares().iter().map(|&hole| self.board.name(hole)).collect()
    }

    /// Every square that is not a hole, row by row.
    pub fn all(&self) -> impl Iterator<Item = Square> {
        self.board.all().filter(|&square| !self.holes.contains(square))
    }

    /// The squares a knight's move away from `square`, in the order of [`MOVES`](super::MOVES); none from a hole.
    pub fn neighbours(&self, square: Square) -> impl Iterator<Item = Square> {
        let from = Some(square).filter(|&square| self.has(square));
        from.into_iter().flat_map(|from| self.board.neighbours(from)).filter(|&to| self.has(to))
    }

    /// The symmetries of the board that take holes to holes, the identity first.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let keeps_holes = |symmetry: &Symmetry| {
            self.holes.squares().iter().all(|&hole| self.holes.contains(symmetry.apply(self.board, hole)))
        };
        self.board.symmetries().iter().copied().filter(keeps_holes).collect()
    }

    /// Whether each edge of the rectangle has a square that is no hole. Where one has none, a smaller rectangle has the same squares, and
    /// may have more symmetries.
    pub fn reaches_edges(&self) -> bool {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        // Of the holes, for they are few: a board has up to billions of squares.
        let mut free = [cols, cols, rows, rows];
        for (row, col) in self.holes.squares().iter().map(|&hole| self.board.row_col(hole)) {
            let at = [row == 0, row + 1 == rows, col == 0, col + 1 == cols];
            free.iter_mut().zip(at).for_each(|(free, at)| *free -= u32::from(at));
        }
        free.iter().all(|&free| free > 0)
    }

    /// Every orbit of squares under the [symmetries](Shape::symmetries), by ascending representative.
    pub fn orbits(&self) -> Vec<Orbit> {
        if !self.has_holes() {
            return self.board.orbits().collect();
        }
        let symmetries = self.symmetries();
        let orbits = self.all().map(|square| (square, self.board.orbit_under(&symmetries, square)));
        orbits.filter(|(square, orbit)| orbit.representative() == *square).map(|(_, orbit)| orbit).collect()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)?;
        for (sign, &hole) in std::iter::once('-').chain(std::iter::repeat(',')).zip(self.holes.squares()) {
            write!(f, "{sign}{}", self.board.name(hole))?;
        }
        Ok(())
    }
}

impl FromStr for Shape {
    type Err = String;

    /// Reads a board, with its holes behind a `-` if it has any, such as `8x8-a1,h8`.
    fn from_str(text: &str) -> Result<Shape, String> {
        let Some((board, names)) = text.split_once('-').filter(|(board, _)| !board.is_empty()) else {
            return text.parse().map(|board: Board| Shape::from(board)).map_err(|error| error.to_string());
        };
        let board: Board = board.parse().map_err(|error: BoardError| error.to_string())?;
        let begins_with_digit = |name: &str| name.starts_with(|letter: char| letter.is_ascii_digit());
        let hole = |name: &str| match name.trim() {
            name if name.is_empty() || name.contains('-') || begins_with_digit(name) => {
                Err(format!("'{name}' in '{text}' is not a square: holes are written as in {board}-a1,b1"))
            }
            name => board.parse_square(name).map_err(|error| error.to_string()),
        };
        let named = names.split(',').map(hole).collect::<Result<Vec<Square>, _>>()?;
        let (squares, shape) = (named.len(), Shape::new(board, Holes::new(named)));
        if shape.holes.len() < squares {
            return Err(format!("'{text}' names a hole twice"));
        }
        if shape.squares() == 0 { Err(format!("every square of {board} is a hole")) } else { Ok(shape) }
    }
}
