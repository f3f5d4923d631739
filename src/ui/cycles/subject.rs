//! The run of the three-cycle board that the screen shows.

use crate::board::{Board, Square};
use crate::gpu::DeviceChoice;
use crate::gpu::cycle::CycleState;
use crate::run::{CycleSource, Source};
use crate::solve::{self, DoneBy, Finder, GpuCyclesFinder, Request};
use crate::words::grouped;

/// Squares of the largest board that is shown: working out the whole of a board takes less than a frame.
const SQUARES_MAX: u32 = 1 << 18;

/// The last board of a run, and who did it; or a sentence when the board of the device is not that of the twin.
pub type LastBoard = Result<(CycleState, DoneBy), String>;

/// A run to be looked at.
#[derive(Clone, Debug)]
pub struct CyclesSubject {
    /// The board before the first cycle.
    pub first: CycleState,
    /// Which device is wanted.
    pub wanted: DeviceChoice,
    /// Whether it runs at once.
    pub runs: bool,
}

impl CyclesSubject {
    /// The run that `gpu-cycles` makes of a request, from the source's start where none is asked for.
    ///
    /// # Errors
    /// A sentence that says why it makes none.
    pub fn of(request: &Request, runs: bool) -> Result<CyclesSubject, String> {
        GpuCyclesFinder.admits(request).map_err(|refusal| refusal.to_string())?;
        let (board, squares) = (request.board, request.board.squares());
        if squares > SQUARES_MAX {
            let [most, squares] = [SQUARES_MAX, squares].map(grouped);
            let instead = format!("`destrier find {board} --method gpu-cycles` without --watch does the same");
            return Err(format!("cycles are shown on up to {most} squares, {board} has {squares}; {instead}"));
        }
        let Some(compass) = solve::compass(request) else { unreachable!("the request is admitted") };
        let start = request.start.unwrap_or_else(|| start_of(request.board));
        let first = CycleState::new(request.board, start, compass).map_err(|error| error.to_string())?;
        Ok(CyclesSubject { first, wanted: request.adapter.clone(), runs })
    }

    /// Begins to open the device.
    pub fn start(&self) -> Box<dyn Source> {
        Box::new(CycleSource::start(self.first.clone(), self.wanted.clone()))
    }
}

/// Where the source's sample starts on 8x8, row 2 and column 4; the first square of other boards.
fn start_of(board: Board) -> Square {
    let sample = board.square(2, 4).filter(|_| (board.rows(), board.cols()) == (8, 8));
    match sample.or(board.at(0)) {
        Some(start) => start,
        None => unreachable!("a board has a first square"),
    }
}
