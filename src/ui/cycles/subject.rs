//! The run of the three-cycle board that the view shows.

use crate::board::{Board, Square};
use crate::gpu::DeviceChoice;
use crate::gpu::cycle::CycleState;
use crate::run::{CycleSource, Source};
use crate::solve::{self, DoneBy, Finder, GpuCyclesFinder, Request};
use crate::words::grouped;

/// Squares of the largest board that the view shows. Computing all squares of such a board takes less than a frame.
const SQUARES_MAX: u32 = 1 << 18;

/// The last board of a run and the device that computed it; or an error if the board of the device differs from the
/// twin's.
pub type LastBoard = Result<(CycleState, DoneBy), String>;

/// A run to show.
#[derive(Clone, Debug)]
pub struct CyclesSubject {
    /// The board before the first cycle.
    pub first: CycleState,
    /// The device that the user asked for.
    pub wanted: DeviceChoice,
    /// Whether the run starts at once.
    pub runs: bool,
}

impl CyclesSubject {
    /// The run that `gpu-cycles` makes of a request. Without a start square the run starts where the source's sample
    /// starts.
    ///
    /// # Errors
    /// A sentence that says why the request is refused.
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

    /// Starts to open the device.
    pub fn start(&self) -> Box<dyn Source> {
        Box::new(CycleSource::start(self.first.clone(), self.wanted.clone()))
    }
}

/// The start of the source's sample on 8x8 (row 2, column 4); on other boards the first square.
fn start_of(board: Board) -> Square {
    let sample = board.square(2, 4).filter(|_| (board.rows(), board.cols()) == (8, 8));
    match sample.or(board.at(0)) {
        Some(start) => start,
        None => unreachable!("a board has a first square"),
    }
}
