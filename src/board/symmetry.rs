//! The symmetries of a board: their images of squares and tours, and the orbits of squares.

use super::rectangle::{Board, Square};
use crate::table::table;
use std::fmt;

table! {
    /// One of the eight symmetries of the square. Four of them map an oblong board to itself: the first four, which do not
    /// exchange rows and columns.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Symmetry(name: &'static str) {
        /// Maps every square to itself.
        Identity: "identity";
        /// Turns by 180 degrees.
        HalfTurn: "half turn";
        /// Exchanges left and right.
        LeftRight: "left-right mirror";
        /// Exchanges top and bottom.
        TopBottom: "top-bottom mirror";
        /// Turns by 90 degrees, clockwise.
        QuarterTurn: "quarter turn";
        /// Turns by 270 degrees, clockwise.
        ThreeQuarterTurn: "three-quarter turn";
        /// Reflects in the diagonal from the top left to the bottom right.
        MainDiagonal: "main diagonal mirror";
        /// Reflects in the diagonal from the top right to the bottom left.
        AntiDiagonal: "anti-diagonal mirror";
    }
}

impl Symmetry {
    /// Whether the symmetry exchanges rows and columns.
    pub fn exchanges_sides(self) -> bool {
        use Symmetry::{AntiDiagonal, MainDiagonal, QuarterTurn, ThreeQuarterTurn};
        matches!(self, QuarterTurn | ThreeQuarterTurn | MainDiagonal | AntiDiagonal)
    }

    /// The image of a square of `board`. It lies on `board`, or on the board with rows and columns exchanged if the symmetry
    /// exchanges them.
    ///
    /// ```text
    ///            half turn   left-right  top-bottom  quarter     3 quarters  main diag.  anti diag.
    /// 0 1 2      8 7 6       2 1 0       6 7 8       6 3 0       2 5 8       0 3 6       8 5 2
    /// 3 4 5  ->  5 4 3       5 4 3       3 4 5       7 4 1       1 4 7       1 4 7       7 4 1
    /// 6 7 8      2 1 0       8 7 6       0 1 2       8 5 2       0 3 6       2 5 8       6 3 0
    /// ```
    ///
    /// Each drawing shows, in every place, the number of the square that is mapped to this place.
    pub fn apply(self, board: Board, square: Square) -> Square {
        let (row, col) = board.row_col(square);
        let (up, left) = (board.rows() - 1 - row, board.cols() - 1 - col);
        let (row, col, cols) = match self {
            Symmetry::Identity => (row, col, board.cols()),
            Symmetry::HalfTurn => (up, left, board.cols()),
            Symmetry::LeftRight => (row, left, board.cols()),
            Symmetry::TopBottom => (up, col, board.cols()),
            Symmetry::QuarterTurn => (col, up, board.rows()),
            Symmetry::ThreeQuarterTurn => (left, row, board.rows()),
            Symmetry::MainDiagonal => (col, row, board.rows()),
            Symmetry::AntiDiagonal => (left, up, board.rows()),
        };
        Square::from_index(row * cols + col)
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An orbit: squares that the symmetries of a board map to each other. Searches that start on them are images of one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orbit {
    /// The squares in ascending order, each once, with a symmetry that maps the representative to it. The first entry is the
    /// representative itself, with the identity.
    pub members: Vec<(Square, Symmetry)>,
}

impl Orbit {
    /// The least square of the orbit.
    pub fn representative(&self) -> Square {
        self.members[0].0
    }
}

impl Board {
    /// The symmetries that map the board to itself: eight if it is square, else four.
    ///
    /// On a board one row or column wide some of them have equal images.
    pub fn symmetries(self) -> &'static [Symmetry] {
        if self.rows() == self.cols() { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    pub fn orbit(self, square: Square) -> Orbit {
        self.orbit_under(self.symmetries(), square)
    }

    /// The orbit of a square under these symmetries of the board.
    pub(super) fn orbit_under(self, symmetries: &[Symmetry], square: Square) -> Orbit {
        let images = |from| symmetries.iter().map(move |&symmetry| (symmetry.apply(self, from), symmetry));
        let representative = images(square).map(|(image, _)| image).min().unwrap_or(square);
        let mut members: Vec<_> = images(representative).collect();
        // The sort is stable: of several symmetries that lead to one square the first stays, for the first square the identity.
        members.sort_by_key(|&(image, _)| image);
        members.dedup_by_key(|&mut (image, _)| image);
        Orbit { members }
    }

    /// Number of orbits of squares.
    ///
    /// The representatives fill one quarter of the board, including a middle row and column. On a square board they fill half
    /// of that quarter, including the diagonal. 6x6 has 6, 5x6 has 9:
    ///
    /// ```text
    /// 0 1 2 . . .      0 1 2 . . .
    /// . 3 4 . . .      3 4 5 . . .
    /// . . 5 . . .      6 7 8 . . .
    /// . . . . . .      . . . . . .
    /// . . . . . .      . . . . . .
    /// . . . . . .
    /// ```
    pub fn orbit_count(self) -> u32 {
        let (rows, cols) = (self.rows().div_ceil(2), self.cols().div_ceil(2));
        if self.rows() == self.cols() { rows * (rows + 1) / 2 } else { rows * cols }
    }

    /// Every orbit of squares, by ascending representative. There are [`Board::orbit_count`]; every square is in one of them.
    ///
    /// ```
    /// # use destrier::board::Board;
    /// let board: Board = "5x5".parse().unwrap();
    /// let sizes = board.orbits().map(|orbit| orbit.members.len());
    /// assert_eq!(sizes.collect::<Vec<_>>(), [4, 8, 4, 4, 4, 1]);
    /// ```
    pub fn orbits(self) -> impl Iterator<Item = Orbit> {
        let square = self.rows() == self.cols();
        let (rows, cols) = (self.rows().div_ceil(2), self.cols().div_ceil(2));
        let representatives = (0..rows).flat_map(move |row| {
            let first = if square { row } else { 0 };
            (first..cols).map(move |col| Square::from_index(row * self.cols() + col))
        });
        representatives.map(move |representative| self.orbit(representative))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Tour, exhaustive};
    use proptest::prelude::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    /// For every place of 3x3, the number of the square that is mapped to it, as the documentation draws it.
    fn drawing(symmetry: Symmetry) -> [u32; 9] {
        let mut images = [0; 9];
        for square in board("3x3").all() {
            images[symmetry.apply(board("3x3"), square).index() as usize] = square.index();
        }
        images
    }

    #[test]
    fn symmetries_do_what_the_documentation_draws() {
        assert_eq!(drawing(Symmetry::Identity), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(drawing(Symmetry::HalfTurn), [8, 7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(drawing(Symmetry::LeftRight), [2, 1, 0, 5, 4, 3, 8, 7, 6]);
        assert_eq!(drawing(Symmetry::TopBottom), [6, 7, 8, 3, 4, 5, 0, 1, 2]);
        assert_eq!(drawing(Symmetry::QuarterTurn), [6, 3, 0, 7, 4, 1, 8, 5, 2]);
        assert_eq!(drawing(Symmetry::ThreeQuarterTurn), [2, 5, 8, 1, 4, 7, 0, 3, 6]);
        assert_eq!(drawing(Symmetry::MainDiagonal), [0, 3, 6, 1, 4, 7, 2, 5, 8]);
        assert_eq!(drawing(Symmetry::AntiDiagonal), [8, 5, 2, 7, 4, 1, 6, 3, 0]);
    }

    #[test]
    fn symmetries_take_knights_moves_to_knights_moves() {
        for text in ["4x4", "5x5", "3x7", "7x3", "1x4"] {
            let from = board(text);
            for symmetry in Symmetry::ALL {
                let to = if symmetry.exchanges_sides() { from.transposed() } else { from };
                let image = |square| symmetry.apply(from, square);
                let mut images: Vec<_> = from.all().map(image).collect();
                for (a, b) in from.all().flat_map(|a| from.all().map(move |b| (a, b))) {
                    assert_eq!(from.adjacent(a, b), to.adjacent(image(a), image(b)), "{text} {symmetry}");
                }
                images.sort();
                assert!(images.into_iter().eq(to.all()), "{text} {symmetry}");
            }
        }
    }

    #[test]
    fn orbits_partition_the_squares_and_their_symmetries_lead_there() {
        for (rows, cols) in (1..10).flat_map(|rows| (1..10).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let orbits: Vec<_> = board.orbits().collect();
            assert_eq!(orbits.len(), board.orbit_count() as usize, "{board}");
            assert!(orbits.is_sorted_by_key(Orbit::representative));
            let mut squares: Vec<_> = orbits.iter().flat_map(|orbit| &orbit.members).map(|&(s, _)| s).collect();
            squares.sort();
            assert!(squares.into_iter().eq(board.all()), "{board}");
            for orbit in orbits {
                assert_eq!(orbit.members[0].1, Symmetry::Identity);
                assert!(orbit.members.is_sorted_by_key(|&(square, _)| square));
                for &(square, symmetry) in &orbit.members {
                    assert_eq!(symmetry.apply(board, orbit.representative()), square);
                    assert_eq!(board.orbit(square), orbit);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn symmetries_take_tours_to_tours(at in any::<prop::sample::Index>(), k in 0usize..8) {
            let tour = at.get(exhaustive::tours_5x6());
            let image = tour.image(Symmetry::ALL[k]);
            prop_assert_eq!(&Tour::verify(image.board(), tour.ending(), image.squares()), &Ok(image.clone()));
            let back = match Symmetry::ALL[k] {
                Symmetry::QuarterTurn => Symmetry::ThreeQuarterTurn,
                Symmetry::ThreeQuarterTurn => Symmetry::QuarterTurn,
                its_own_inverse => its_own_inverse,
            };
            prop_assert_eq!(&image.image(back), tour);
        }
    }
}
