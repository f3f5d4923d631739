//! The comb of a board: the layout in tiles or in blocks that fits the board and the ends.

use super::bands::Bands;
use super::error::{CombError, ends_message, no_tour_reason, not_neighbours_message};
use super::thin::LyingBoard;
use super::tiled::Tiled;
use super::tiles::{self, SIDE_MIN};
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
        SIDE_MIN.. => tiles::lay(board, TourEnds::Closed, random),
        _ => LyingBoard::new(board).three_closed(random),
    }
}

fn lay_path(board: Board, ends: [Option<Square>; 2], random: &mut fastrand::Rng) -> Option<Bands> {
    let lying = LyingBoard::new(board);
    let lying_ends = ends.map(|end| end.map(|end| lying.lay_square(end)));
    match lying.board.rows() {
        SIDE_MIN.. => tiles::lay(board, tiles::root_ends(board, ends)?, random),
        4 => lying.four_open(lying_ends, random),
        3 => lying.three_open(lying_ends, random),
        _ => Some(lying.lay_one_square()),
    }
}
