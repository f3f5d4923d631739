//! A tour in tiles, or in blocks, whatever the board.

use super::bands::Bands;
use super::error::{CombError, against, not_neighbours, where_ends_may_lie};
use super::thin::LyingBoard;
use super::tiled::Tiled;
use super::tiles::{self, SIDE_MIN};
use crate::board::{Board, Ending, Route, Square};
use crate::find::strands::TourEnds;

/// A tour in tiles, or in blocks; see the module.
pub type Comb = Tiled<Bands>;

impl Comb {
    /// A tour of a board with this ending. Where there is a closed one, an open one is a closed one as well, unless both
    /// ends are given and there is a path between them. The same seed gives the same tour.
    ///
    /// # Errors
    /// [`CombError`] when the board has no such tour, or when it cannot start and end where it is to.
    pub fn new(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) -> Result<Comb, CombError> {
        if let Some(reason) = against(board, ending, ends) {
            return Err(CombError::NoTour { board, ending, reason });
        }
        let mut random = fastrand::Rng::with_seed(seed);
        if board.existence(Ending::Closed).exists {
            let cycle = lay_cycle(board, &mut random).unwrap_or_else(|| unreachable!("every kind of cycle is found"));
            if let Some(comb) = Tiled::round(board, ending, cycle, ends) {
                return Ok(comb);
            }
        }
        if ending == Ending::Closed {
            return Err(CombError::Ends(not_neighbours(board)));
        }
        let [start, end] = ends;
        let mut lay = |ends| lay_path(board, ends, &mut random);
        let path = lay([start, end]).map(|path| (path, false)).or_else(|| lay([end, start]).map(|path| (path, true)));
        let (path, backwards) = path.ok_or_else(|| CombError::Ends(where_ends_may_lie(board)))?;
        Ok(Tiled::open(board, path, backwards))
    }

    /// Writes the numbers, from 0, of the squares of a row, from 0 at the top: one for every column. Rows are independent
    /// of each other, and so may be written by several threads.
    ///
    /// # Panics
    /// When there is no such row, or it is not as long.
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
    let laid = ends.map(|end| end.map(|end| lying.lay(end)));
    match lying.board.rows() {
        SIDE_MIN.. => tiles::lay(board, tiles::root_ends(board, ends)?, random),
        4 => lying.four_open(laid, random),
        3 => lying.three_open(laid, random),
        _ => Some(lying.alone()),
    }
}
