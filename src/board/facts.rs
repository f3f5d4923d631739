//! What can be said of a tour besides that it is one: whether it closes, its symmetries, turns, crossings, and sums of its numbers.

use super::rectangle::{Board, Square};
use super::symmetry::Symmetry;
use super::tour::Tour;
use crate::memory::{filled, zeros};
use crate::table::table;
use std::fmt;

table! {
    /// Whether the numbers of a tour, from 1, have equal sums.
    ///
    /// # Source
    /// The words are those of George P. Jelliss, "Knight's Tour Notes", volume 9, "Magic Knight's Tours".
    /// `name`: the name in reports.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Magic(name: &'static str) {
        No: "no";
        /// All rows have one sum, or all columns have one, but not both.
        SemiMagic: "semi-magic";
        /// All rows have one sum, and all columns have one.
        Magic: "magic";
        /// The board is square, and both diagonals have that sum, too.
        DiagonallyMagic: "diagonally magic";
    }
}

/// The facts of a tour. The move from the last square to the first belongs to a tour that closes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TourFacts {
    /// Whether a knight's move leads from the last square to the first.
    pub is_closed: bool,
    /// The symmetries of the board, but for the identity, that take the moves of the tour to its moves, whatever their order and
    /// direction.
    pub symmetries: Vec<Symmetry>,
    /// Squares on which the knight leaves in another direction than that in which it came.
    pub turns: u32,
    /// Pairs of moves whose lines, drawn from centre to centre, cross between their ends.
    pub crossings: u64,
    pub magic: Magic,
}

impl TourFacts {
    pub fn of(tour: &Tour) -> TourFacts {
        let (board, squares) = (tour.board(), tour.squares());
        let is_closed = squares.len() > 2 && board.adjacent(squares[squares.len() - 1], squares[0]);
        let moves = MoveGraph::of(board, squares, is_closed);
        let symmetries = board
            .symmetries()
            .iter()
            .copied()
            .filter(|&symmetry| symmetry != Symmetry::Identity && moves.are_kept_by(symmetry));
        TourFacts {
            is_closed,
            symmetries: symmetries.collect(),
            turns: turns(board, squares, is_closed),
            crossings: moves.crossings(),
            magic: if tour.holes().is_empty() { magic(board, squares) } else { Magic::No },
        }
    }
}

impl fmt::Display for TourFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TourFacts { is_closed, symmetries, turns, crossings, magic } = self;
        let names: Vec<String> = symmetries.iter().map(Symmetry::to_string).collect();
        let kept = if names.is_empty() { "no symmetry".to_owned() } else { format!("symmetry {}", names.join(", ")) };
        let magic = if *magic == Magic::No { "not magic" } else { magic.name() };
        let ending = if *is_closed { "closed" } else { "open" };
        write!(f, "{ending}, {kept}, {turns} turns, {crossings} crossings, {magic}")
    }
}

fn turns(board: Board, squares: &[Square], is_closed: bool) -> u32 {
    let turns_at = |[from, at, to]: [Square; 3]| {
        let [from, at, to] = [from, at, to].map(|square| place(board, square));
        (at.0 - from.0, at.1 - from.1) != (to.0 - at.0, to.1 - at.1)
    };
    let inner = squares.windows(3).filter(|window| turns_at([window[0], window[1], window[2]])).count();
    let last = squares.len().saturating_sub(1);
    let ends = if is_closed {
        let at_last = turns_at([squares[last - 1], squares[last], squares[0]]);
        u32::from(at_last) + u32::from(turns_at([squares[last], squares[0], squares[1]]))
    } else {
        0
    };
    inner as u32 + ends
}

/// Row and column of a square.
fn place(board: Board, square: Square) -> (i64, i64) {
    let (row, col) = board.row_col(square);
    (row.into(), col.into())
}

/// The moves of a tour by their squares.
struct MoveGraph {
    board: Board,
    /// The squares before and behind every square of the board; `NONE` where there is none.
    beside: Vec<[u32; 2]>,
}

const NONE: u32 = u32::MAX;

impl MoveGraph {
    fn of(board: Board, squares: &[Square], is_closed: bool) -> MoveGraph {
        let mut beside = filled([NONE; 2], board.squares() as usize);
        let mut join = |from: Square, to: Square| {
            beside[from.index() as usize][1] = to.index();
            beside[to.index() as usize][0] = from.index();
        };
        squares.windows(2).for_each(|pair| join(pair[0], pair[1]));
        if is_closed {
            join(squares[squares.len() - 1], squares[0]);
        }
        MoveGraph { board, beside }
    }

    fn are_kept_by(&self, symmetry: Symmetry) -> bool {
        let image = |square: u32| match square {
            NONE => NONE,
            square => symmetry.apply(self.board, Square::from_index(square)).index(),
        };
        self.board.all().all(|square| {
            let [one, other] = self.beside[square.index() as usize].map(image);
            let found = self.beside[image(square.index()) as usize];
            found == [one, other] || found == [other, one]
        })
    }

    /// The move that leaves a square, as two places.
    fn from(&self, square: Square) -> Option<[(i64, i64); 2]> {
        let to = self.beside[square.index() as usize][1];
        (to != NONE).then(|| [place(self.board, square), place(self.board, Square::from_index(to))])
    }

    /// Pairs of moves that cross. MoveGraph that cross begin at most three rows and columns apart.
    fn crossings(&self) -> u64 {
        let mut crossings = 0;
        for (square, one) in self.board.all().filter_map(|square| Some((square, self.from(square)?))) {
            let (row, col) = self.board.row_col(square);
            for near in (row..(row + 4).min(self.board.rows())).flat_map(|near_row| {
                (col.saturating_sub(3)..(col + 4).min(self.board.cols())).map(move |c| (near_row, c))
            }) {
                let near = self.board.square(near.0, near.1).filter(|&near| near > square);
                let other = near.and_then(|near| self.from(near));
                crossings += u64::from(other.is_some_and(|other| cross(one, other)));
            }
        }
        crossings
    }
}

/// Whether two lines cross between their ends: the ends of each lie on both sides of the other.
fn cross(one: [(i64, i64); 2], other: [(i64, i64); 2]) -> bool {
    let side = |[from, to]: [(i64, i64); 2], at: (i64, i64)| {
        ((to.0 - from.0) * (at.1 - from.1) - (to.1 - from.1) * (at.0 - from.0)).signum()
    };
    let divides = |line: [(i64, i64); 2], [a, b]: [(i64, i64); 2]| side(line, a) * side(line, b) < 0;
    divides(one, other) && divides(other, one)
}

/// The sums of the numbers that the squares of a whole board have by their order.
fn magic(board: Board, squares: &[Square]) -> Magic {
    let (rows, cols) = (board.rows() as usize, board.cols() as usize);
    if rows == 1 || cols == 1 {
        return Magic::No;
    }
    let (mut of_rows, mut of_cols, mut diagonals) = (zeros::<u64>(rows), zeros::<u64>(cols), [0; 2]);
    for (number, &square) in (1..).zip(squares) {
        let (row, col) = board.row_col(square);
        let (row, col) = (row as usize, col as usize);
        of_rows[row] += number;
        of_cols[col] += number;
        diagonals[0] += if row == col { number } else { 0 };
        diagonals[1] += if row + col + 1 == cols { number } else { 0 };
    }
    let are_equal = |sums: &[u64]| sums.iter().all(|&sum| sum == sums[0]);
    match (are_equal(&of_rows), are_equal(&of_cols)) {
        (true, true) if rows == cols && diagonals == [of_rows[0]; 2] => Magic::DiagonallyMagic,
        (true, true) => Magic::Magic,
        (false, false) => Magic::No,
        _ => Magic::SemiMagic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{Ending, KURAPATI, Shape, parse_grid, parse_move_list};

    /// # Source
    /// William Beverley, "On the magic square of the knight's march", Philosophical Magazine 33, 1848.
    const BEVERLEY: &str = "
         1 30 47 52  5 28 43 54
        48 51  2 29 44 53  6 27
        31 46 49  4 25  8 55 42
        50  3 32 45 56 41 26  7
        33 62 15 20  9 24 39 58
        16 19 34 61 40 57 10 23
        63 14 17 36 21 12 59 38
        18 35 64 13 60 37 22 11";

    fn facts(grid: &str) -> TourFacts {
        let (board, squares) = parse_grid(grid).unwrap();
        TourFacts::of(&Tour::verify(board, Ending::Open, squares).unwrap())
    }

    #[test]
    fn published_magic_tours_are_magic() {
        assert_eq!(facts(BEVERLEY).magic, Magic::Magic);
        assert_eq!(facts(KURAPATI).magic, Magic::No);
        // Rows exchanged leave the sums of rows and columns; numbers exchanged in a row leave those of rows.
        let durer = "16 3 2 13\n5 10 11 8\n9 6 7 12\n4 15 14 1";
        for (grid, expected) in [
            (durer, Magic::DiagonallyMagic),
            ("5 10 11 8\n16 3 2 13\n9 6 7 12\n4 15 14 1", Magic::Magic),
            ("3 16 2 13\n5 10 11 8\n9 6 7 12\n4 15 14 1", Magic::SemiMagic),
            ("3 16 2 13\n5 10 8 11\n9 6 7 12\n15 4 14 1", Magic::SemiMagic),
            ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 16", Magic::No),
        ] {
            let (board, squares) = parse_grid(grid).unwrap();
            assert_eq!(magic(board, &squares), expected, "{grid}");
        }
    }

    /// The numbers of each row have the sum 12.
    #[test]
    fn a_tour_around_holes_is_not_magic() {
        let (board, squares) = parse_move_list("3x14 a3 c2 e3 g2 i1 k2 m1 n3").unwrap();
        assert_eq!(magic(board, &squares), Magic::SemiMagic);
        let holes = crate::board::Holes::new(board.all().filter(|square| !squares.contains(square)));
        let tour = Tour::verify(Shape::new(board, holes), Ending::Open, squares).unwrap();
        assert_eq!(TourFacts::of(&tour).magic, Magic::No);
    }

    #[test]
    fn the_facts_of_small_tours_are_those_of_their_drawings() {
        // A star of eight points around the middle, a cycle.
        let (board, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        let holes = crate::board::Holes::new(board.parse_square("b2"));
        let ring = TourFacts::of(&Tour::verify(Shape::new(board, holes), Ending::Closed, squares).unwrap());
        assert_eq!((ring.is_closed, ring.symmetries.len(), ring.turns, ring.crossings), (true, 7, 8, 16));
        let said = "closed, symmetry half turn, left-right mirror, top-bottom mirror, quarter turn, three-quarter turn, \
                    main diagonal mirror, anti-diagonal mirror, 8 turns, 16 crossings, not magic";
        assert_eq!(ring.to_string(), said);
    }

    /// Facts by other means: fractions for crossings, sets of moves for symmetries, names of directions for turns.
    fn plain_facts(tour: &Tour) -> (bool, Vec<Symmetry>, u32, u64) {
        let board = tour.board();
        let at: Vec<(f64, f64)> =
            tour.squares().iter().map(|&square| board.row_col(square)).map(|(r, c)| (r.into(), c.into())).collect();
        let distance = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1);
        let is_closed = (distance(at[0], at[at.len() - 1]) - 5f64.sqrt()).abs() < 1e-9;
        let mut ends: Vec<usize> = (0..at.len()).collect();
        ends.extend(is_closed.then_some(0));
        let lines: Vec<_> = ends.windows(2).map(|pair| (at[pair[0]], at[pair[1]])).collect();
        let directions: Vec<_> = lines.iter().map(|(from, to)| (to.1 - from.1).atan2(to.0 - from.0)).collect();
        let mut turns = directions.windows(2).filter(|pair| (pair[0] - pair[1]).abs() > 1e-9).count();
        turns += usize::from(is_closed && (directions[0] - directions[directions.len() - 1]).abs() > 1e-9);
        let mut crossings = 0;
        for (i, &(a, b)) in lines.iter().enumerate() {
            for &(c, d) in &lines[..i] {
                let (u, v, w) = ((b.0 - a.0, b.1 - a.1), (d.0 - c.0, d.1 - c.1), (c.0 - a.0, c.1 - a.1));
                let area = u.0 * v.1 - u.1 * v.0;
                let [s, t] = [(w.0 * v.1 - w.1 * v.0) / area, (w.0 * u.1 - w.1 * u.0) / area];
                crossings += u64::from([s, t].iter().all(|part| (1e-9..1.0 - 1e-9).contains(part)));
            }
        }
        let moves = |through: Symmetry| {
            let mut moves: Vec<[u32; 2]> = ends
                .windows(2)
                .map(|pair| [pair[0], pair[1]].map(|at| through.apply(board, tour.squares()[at]).index()))
                .map(|[a, b]| [a.min(b), a.max(b)])
                .collect();
            moves.sort_unstable();
            moves
        };
        let own = moves(Symmetry::Identity);
        let kept = board.symmetries()[1..].iter().copied().filter(|&symmetry| moves(symmetry) == own).collect();
        (is_closed, kept, turns as u32, crossings)
    }

    #[test]
    fn facts_agree_with_a_plain_computation() {
        let (board, squares) = parse_grid(BEVERLEY).unwrap();
        let beverley = Tour::verify(board, Ending::Open, squares).unwrap();
        let mut symmetric = 0;
        for tour in tours_5x6().iter().chain([&beverley]) {
            let TourFacts { is_closed, symmetries, turns, crossings, .. } = TourFacts::of(tour);
            symmetric += usize::from(!symmetries.is_empty());
            assert_eq!((is_closed, symmetries, turns, crossings), plain_facts(tour), "{}", tour.move_list());
        }
        assert!(symmetric > 0, "no tour of 5x6 is symmetric");
    }
}
