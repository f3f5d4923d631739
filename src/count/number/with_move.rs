//! The number of closed tours that have a given move. The share of the move among uniformly drawn tours is tested against it.
//!
//! The square of the move that is processed first must choose the other square. Apart from this it is an ordinary count.

use super::error::NumberError;
use super::make::pass_error;
use crate::board::{Board, Ending, Square};
use crate::count::ask::question::{CountQuestion, upright};
use crate::count::ask::residues::Modulus;
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassResources};
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::layers::Layers;
use crate::count::states::order::{Images, StepOrder, squares_in_order};
use crate::count::states::sweep::{PlannedSweep, sweeps_of};
use crate::count::watch::CountWatch;
use crate::system;

/// Counts the closed tours of a board that have the move between the two squares `ends`, in either direction. It uses as many
/// threads as `watch` has meters, and at most `memory` bytes.
///
/// # Errors
/// [`NumberError`] when the counts outgrow 64 bits or do not fit in `memory`, when the threads cannot be started, or when
/// `watch` is stopped.
///
/// # Panics
/// When the squares are not a knight's move apart.
pub fn closed_with_move(board: Board, ends: [Square; 2], memory: u64, watch: &CountWatch) -> Result<u64, NumberError> {
    assert!(board.adjacent(ends[0], ends[1]), "a tour has only knight's moves");
    let question = CountQuestion::new(board, Ending::Closed);
    CountPlan::check_sweeps(&question, &sweeps_of(&question), Images::Both, memory)?;
    if !board.squares().is_multiple_of(2) {
        return Ok(0);
    }
    let (across, exchanged) = upright(board);
    let to_upright = |square: Square| {
        let (row, col) = board.row_col(square);
        if exchanged { across.square(col, row).unwrap_or(square) } else { square }
    };
    let (_, squares) = squares_in_order(across, Images::Both);
    let mut order = StepOrder::new(across, None, Images::Both);
    order.require(across, &squares, ends.map(to_upright));
    let pool = system::pool(watch.threads()).map_err(CountError::Threads)?;
    let layers = pool.install(|| Layers::new(&order, watch)).ok_or(NumberError::Stopped)?;
    let sweep = PlannedSweep { name: "closed tours with a move", lengths: vec![across.rows()], order, layers };
    let resources = PassResources::new(CountThreads { pool: &pool, watch }, memory);
    let mut pass = Pass::new(&sweep, Modulus::None, &resources).map_err(pass_error)?;
    let count = pass.run(|_| ()).map_err(pass_error)?;
    match pass.state.modulus {
        Modulus::None => Ok(count),
        _ => Err(NumberError::Outgrown { board, ending: question.ending.name() }),
    }
}
