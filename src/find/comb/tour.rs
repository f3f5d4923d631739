//! The comb of a board: the layout in tiles or in blocks that fits the board and the ends, or why there is none.

use super::bands::Bands;
use super::thin::LyingBoard;
use super::tiled::{self, SIDE_MIN, Tiled};
use crate::board::{Board, Ending, Route, Square};
use crate::find::strands::TourEnds;

/// A tour in tiles of six by six, or in blocks on boards three and four wide.
pub type Comb = Tiled<Bands>;

impl Comb {
    /// A tour of a board with this ending. On a board with closed tours an open tour is a closed one too, unless both ends
    /// are given and are not neighbours on it. The seed determines the tour.
    ///
    /// # Errors
    /// [`CombError`] when the board has no such tour, or when the construction has none with the given ends.
    pub fn new(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) -> Result<Comb, CombError> {
        if let Some(reason) = no_tour_reason(board, ending, ends) {
            return Err(CombError::NoTour { board, ending, reason });
        }
        let mut random = fastrand::Rng::with_seed(seed);
        if board.existence(Ending::Closed).exists {
            let cycle =
                lay_cycle(board, &mut random).unwrap_or_else(|| unreachable!("the search finds every kind of cycle"));
            if let Some(comb) = Tiled::round(board, ending, cycle, ends) {
                return Ok(comb);
            }
        }
        if ending == Ending::Closed {
            return Err(CombError::Ends(not_neighbours_message(board)));
        }
        let [start, end] = ends;
        let mut lay = |ends| lay_path(board, ends, &mut random);
        let path = lay([start, end]).map(|path| (path, false)).or_else(|| lay([end, start]).map(|path| (path, true)));
        let (path, backwards) = path.ok_or_else(|| CombError::Ends(ends_message(board)))?;
        Ok(Tiled::open(board, path, backwards))
    }

    /// Writes the numbers, from 0, of the squares of a row: one for every column. Row 0 is the top. Rows are independent of
    /// each other, so several threads may write them.
    ///
    /// # Panics
    /// When the board has no such row, or `numbers` is not as long as the row.
    pub fn number_row(&self, row: u32, numbers: &mut [u32]) {
        let board = self.board();
        assert!(row < board.rows() && numbers.len() == board.cols() as usize, "a row of {board}");
        self.layout().number_row(row, numbers);
        if !self.is_plain() {
            numbers.iter_mut().for_each(|number| *number = self.number(*number));
        }
    }
}

fn lay_cycle(board: Board, random: &mut fastrand::Rng) -> Option<Bands> {
    match board.rows().min(board.cols()) {
        SIDE_MIN.. => tiled::lay(board, TourEnds::Closed, random),
        _ => LyingBoard::new(board).three_closed(random),
    }
}

fn lay_path(board: Board, ends: [Option<Square>; 2], random: &mut fastrand::Rng) -> Option<Bands> {
    let lying = LyingBoard::new(board);
    let lying_ends = ends.map(|end| end.map(|end| lying.lay_square(end)));
    match lying.board.rows() {
        SIDE_MIN.. => tiled::lay(board, tiled::root_ends(board, ends)?, random),
        4 => lying.four_open(lying_ends, random),
        3 => lying.three_open(lying_ends, random),
        _ => Some(lying.lay_one_square()),
    }
}

/// Why there is no tour as requested.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CombError {
    /// The board has no such tour at all.
    #[error("{board} has no such {} tour: {reason}", ending.name())]
    NoTour {
        board: Board,
        /// Open or closed.
        ending: Ending,
        /// Why.
        reason: String,
    },
    /// Quadrants do not fit the board.
    #[error(
        "quadrants takes boards of n x n and n x (n + 2) squares, n even and at least 6, not {0}; use tiles, which takes any"
    )]
    Sides(Board),
    /// The two ends are not neighbours on the cycle of the tour, or the construction has no path from one to the other.
    #[error("{0}")]
    Ends(String),
}

/// Why the board has no such tour at all; `None` if it may have one.
pub(super) fn no_tour_reason(board: Board, ending: Ending, ends: [Option<Square>; 2]) -> Option<String> {
    let existence = board.existence(ending);
    if !existence.exists {
        return Some(existence.reason);
    }
    let dark = |square: Square| {
        let (row, col) = board.row_col(square);
        (row + col) % 2 == 1
    };
    let squares = board.squares();
    if let Some(end) = ends.into_iter().flatten().find(|&end| squares % 2 == 1 && dark(end)) {
        return Some(format!(
            "a tour of an odd number of squares starts and ends on the colour of the corners, and {} has the other colour",
            board.name(end)
        ));
    }
    let [Some(start), Some(end)] = ends else { return None };
    let (start_name, end_name) = (board.name(start), board.name(end));
    if ending == Ending::Closed && !board.adjacent(end, start) {
        return Some(format!("no knight's move leads from {end_name} back to {start_name}"));
    }
    if squares.is_multiple_of(2) && dark(start) == dark(end) {
        return Some(format!(
            "a tour of an even number of squares ends on the other colour, but {start_name} and {end_name} are of one colour"
        ));
    }
    (start == end && squares > 1)
        .then(|| format!("a tour of more than one square does not end on {start_name}, its start"))
}

pub(super) fn not_neighbours_message(board: Board) -> String {
    format!(
        "the constructed cycle on {board} does not lead from the requested end to the requested start; leave out one of them, or use edges"
    )
}

/// Which ends an open tour of the board can have.
pub(super) fn ends_message(board: Board) -> String {
    let piece = match board.rows().min(board.cols()) {
        SIDE_MIN.. => tiled::root(board),
        _ => LyingBoard::new(board).first_block(),
    };
    format!(
        "tiles has no open tour of {board} with the requested ends: both must lie in its first piece, rows 1 to {} and columns \
         1 to {} from the top left, and not every pair has a tour; use edges, or leave out the ends",
        piece.rows(),
        piece.cols()
    )
}
