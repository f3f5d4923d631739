//! The view of the cycles as a screen: reads the device, and sends it wishes.

use super::model::CyclesModel;
use crate::board::{Board, Square};
use crate::gpu::cycle::{CycleState, Film};
use crate::gpu::{DeviceChoice, DoneBy};
use crate::run::{Body, CycleSource, Source};
use crate::solve::{self, Finder, GpuCyclesFinder, Request};
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{Surface, Turn};
use crate::ui::screen::{Feed, ModelScreen};
use crate::ui::terminal::Stage;
use crate::words::grouped;
use std::time::Instant;

/// The device of a run.
pub struct CycleFeed {
    source: Box<dyn Source>,
}

impl CycleFeed {
    /// Sends the wishes of the model to the device.
    fn send_wishes(&mut self, model: &mut CyclesModel) {
        while let Some(wish) = model.wish() {
            self.source.wish(wish);
            self.sample(model);
        }
    }

    fn sample(&mut self, model: &mut CyclesModel) {
        if let Some(Body::Cycles(machine)) = self.source.look().map(|frame| frame.body) {
            model.sampled(*machine);
        }
    }
}

impl Feed<CyclesModel> for CycleFeed {
    fn perform(&mut self, model: &mut CyclesModel, turn: Turn) -> Turn {
        self.send_wishes(model);
        turn
    }

    fn tick(&mut self, model: &mut CyclesModel, _: Instant) -> Turn {
        self.sample(model);
        Turn::Stay
    }
}

/// The view of a run before its first cycle, on the device of `source`.
pub fn screen(subject: CyclesSubject, source: Box<dyn Source>) -> ModelScreen<CyclesModel, CycleFeed> {
    let CyclesSubject { first, wanted, runs } = subject;
    ModelScreen::new(CyclesModel::new(Film::of(first), wanted, runs, Surface::for_stage()), CycleFeed { source })
}

/// Shows a run on the terminal until the user leaves or a signal arrives. Also returns the last board, if the view
/// reached it.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(subject: CyclesSubject) -> Result<(Exit, Option<LastBoard>), UiError> {
    let stage = Stage::enter()?;
    let source = subject.start();
    let mut cycles = screen(subject, source);
    let exit = stage.show(&mut cycles)?;
    let CyclesModel { film, machine, at, .. } = &cycles.model;
    let last = cycles.model.is_over().then(|| machine.done_by(film).map(|by| (film.state(*at), by)));
    Ok((exit, last))
}

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
