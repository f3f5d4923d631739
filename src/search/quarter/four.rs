//! Tours made of four rotated copies of one path, recognised and printed.

use super::quotient::orbit;
use super::stringing::{StringPiece, Stringing};
use crate::board::{Board, Ending, Route, Square, Tour};
use std::iter;
use std::ops::Range;

/// Side of the largest board on which tours made of four paths are recognised.
const SIDE_MAX: u32 = 64;

/// Four paths, each a quarter turn after the one before, and how a tour strings them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourPaths {
    /// Path k is path 0 turned by k quarter turns; each from its start to its end.
    pub paths: [Vec<Square>; 4],
    /// The centre of an odd board, which no path visits.
    pub centre: Option<Square>,
    /// The order in which the tour walks the paths; path 0 is the first, and the tour walks it forwards.
    pub stringing: Stringing,
}

impl FourPaths {
    /// Prints the paths side by side, one square of each a line, by number from 1: `65:71:17:11`.
    ///
    /// # Source
    /// Cameron Carter, "PCSE Final Project", 2016, section 2.2, prints its 9x9 sample so.
    pub fn columns(&self) -> String {
        let line = |k: usize| self.paths.each_ref().map(|path| (path[k].index() + 1).to_string()).join(":") + "\n";
        (0..self.paths[0].len()).map(line).collect()
    }
}

/// The four paths of a route; `None` unless it is a tour of a square board of at most 64x64 that is made of four paths.
pub fn four_paths_of(route: &dyn Route) -> Option<FourPaths> {
    let board = route.board();
    if board.rows() != board.cols() || board.rows() > SIDE_MAX || !route.is_whole() {
        return None;
    }
    let squares: Vec<Square> = route.walk().collect();
    four_paths(&Tour::verify(route.shape(), route.ending(), squares).ok()?)
}

/// The four paths of a route as ranges of square numbers. Empty for a route that is not made of four paths, or whose
/// start cuts a path in two.
pub fn four_ranges(route: &dyn Route) -> Vec<Range<u32>> {
    let Some(FourPaths { paths, .. }) = four_paths_of(route) else { return Vec::new() };
    let range = |path: &Vec<Square>| {
        let (first, last) = (route.number_of(*path.first()?)?, route.number_of(*path.last()?)?);
        let range = first.min(last)..first.max(last) + 1;
        (range.len() == path.len()).then_some(range)
    };
    paths.iter().map(range).collect::<Option<_>>().unwrap_or_default()
}

/// Cuts a tour into four paths that are quarter turns of one another, if it can be cut so.
///
/// ```text
/// +0 +1 c -3 -2    path 0, path 1, the centre, path 3 backwards, path 2 backwards
/// ```
///
/// A closed tour may be cut anywhere; of several ways the first is taken.
pub fn four_paths(tour: &Tour) -> Option<FourPaths> {
    let board = tour.board();
    if board.rows() != board.cols() || board.squares() < 4 || !tour.holes().is_empty() {
        return None;
    }
    let centre = if board.squares() % 2 == 1 { board.at(board.squares() / 2) } else { None };
    let mut squares: Vec<Square> = tour.squares().to_vec();
    let middle = centre.and_then(|centre| squares.iter().position(|&square| square == centre));
    middle.map(|at| squares.remove(at));
    let length = squares.len() / 4;
    // The centre lies between two paths, or before or after all of them.
    if middle.is_some_and(|at| at % length != 0) {
        return None;
    }
    // A closed tour continues after its last square.
    let cuts = if tour.ending() == Ending::Closed { length } else { 1 };
    let around = [&*squares, &squares[..cuts - 1]].concat();
    let (squares, mut pieces) =
        around.windows(4 * length).find_map(|squares| Some((squares, pieces(board, squares, length)?.to_vec())))?;
    if let Some(at) = middle {
        pieces.insert(at / length, StringPiece::Centre);
    }
    let turned: Vec<[Square; 4]> = squares[..length].iter().map(|&square| orbit(board, square)).collect();
    let paths = [0, 1, 2, 3].map(|turn| turned.iter().map(|images| images[turn]).collect());
    Some(FourPaths { paths, centre, stringing: Stringing(pieces) })
}

/// Compares each quarter of the squares with the first one.
fn pieces(board: Board, squares: &[Square], length: usize) -> Option<[StringPiece; 4]> {
    let (path, rest) = squares.split_at(length);
    let mut pieces = [StringPiece::Strand { turn: 0, backwards: false }; 4];
    for (piece, quarter) in iter::zip(&mut pieces[1..], rest.chunks_exact(length)) {
        let is = |turn: usize, backwards: bool| {
            let at = |i: usize| quarter[if backwards { length - 1 - i } else { i }];
            path.iter().enumerate().all(|(i, &square)| orbit(board, square)[turn] == at(i))
        };
        let mut ways = (1..4).flat_map(|turn| [(turn, false), (turn, true)]);
        let (turn, backwards) = ways.find(|&(turn, backwards)| is(turn, backwards))?;
        *piece = StringPiece::Strand { turn: turn as u8, backwards };
    }
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{KURAPATI, Symmetry, parse_grid, parse_move_list};
    use crate::search::quarter::QuarterTurn;
    use crate::search::{Burst, BurstEnd, BurstOutput, Kernel, Tally, Task, TourSink};

    struct Keep(Vec<Vec<u8>>);

    impl TourSink for Keep {
        fn tour(&mut self, squares: &[u8]) -> u64 {
            self.0.push(squares.to_vec());
            1
        }
    }

    fn tours(side: u64, ending: Ending, nodes: u64) -> Vec<Tour> {
        let board = Board::new(side, side).unwrap();
        let mut search = QuarterTurn::new(board, ending).unwrap();
        search.begin(&Task::root());
        let mut keep = Keep(Vec::new());
        let mut out = BurstOutput { tally: &mut Tally::default(), levels: false, sink: Some(&mut keep) };
        let status = search.advance(Burst::nodes(nodes), &mut out);
        assert!(nodes < u64::MAX || status == BurstEnd::Exhausted);
        let verified = |squares: &Vec<u8>| {
            let squares: Vec<Square> = squares.iter().filter_map(|&square| board.at(square.into())).collect();
            Tour::verify(board, ending, squares).unwrap()
        };
        keep.0.iter().map(verified).collect()
    }

    #[test]
    fn every_tour_of_the_search_is_recognised_in_every_mirror() {
        let (open, closed) = (Ending::Open, Ending::Closed);
        let boards = [(5, open), (6, open), (6, closed), (7, open), (8, closed), (9, open), (10, closed)];
        for (side, ending) in boards {
            let tours = tours(side, ending, if side < 8 { 3000 } else { 300 });
            assert!(!tours.is_empty() || side == 5, "{side} {ending:?}");
            for tour in tours.iter().take(100).flat_map(|tour| Symmetry::ALL.map(|symmetry| tour.image(symmetry))) {
                let four = four_paths(&tour).unwrap_or_else(|| panic!("{}", tour.move_list()));
                let mut squares: Vec<Square> = four.paths.iter().flatten().copied().chain(four.centre).collect();
                squares.sort_unstable();
                assert!(squares.into_iter().eq(tour.board().all()));
                assert_eq!(four.centre.is_some(), side % 2 == 1);
                assert_eq!(four.columns().lines().count(), four.paths[3].len());
            }
        }
    }

    #[test]
    fn a_closed_tour_may_begin_anywhere() {
        for side in [6, 8] {
            let tour = &tours(side, Ending::Closed, 3000)[0];
            let strung: Vec<String> = (0..8)
                .map(|at| {
                    let mut squares = tour.squares().to_vec();
                    squares.rotate_left(at);
                    let tour = Tour::verify(tour.board(), Ending::Closed, squares).unwrap();
                    four_paths(&tour).unwrap().stringing.to_string()
                })
                .collect();
            let expected = if side == 6 { ["+0 +1 +2 +3", "+0 +3 +2 +1"] } else { ["+0 -1 +2 -3", "+0 -3 +2 -1"] };
            assert!(strung.iter().all(|strung| expected.contains(&strung.as_str())), "{strung:?}");
        }
    }

    #[test]
    fn a_tour_without_the_symmetry_is_not_recognised() {
        let (board, squares) = parse_move_list("3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2").unwrap();
        assert_eq!(four_paths(&Tour::verify(board, Ending::Open, squares).unwrap()), None);
        let (board, squares) = parse_grid(KURAPATI).unwrap();
        assert_eq!(four_paths(&Tour::verify(board, Ending::Open, squares).unwrap()), None);
    }

    /// The sample of the source: every column is the first one turned.
    #[test]
    fn the_columns_are_those_of_the_source() {
        let board: Board = "9x9".parse().unwrap();
        let path: Vec<Square> = [65, 76, 69, 80].iter().filter_map(|&number| board.at(number - 1)).collect();
        let turned: Vec<[Square; 4]> = path.iter().map(|&square| orbit(board, square)).collect();
        let paths = [0, 1, 2, 3].map(|turn| turned.iter().map(|images| images[turn]).collect());
        let four = FourPaths { paths, centre: None, stringing: Stringing(Vec::new()) };
        assert_eq!(four.columns(), "65:71:17:11\n76:54:6:28\n69:35:13:47\n80:18:2:64\n");
    }
}
