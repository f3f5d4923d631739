//! The step view as a screen: the only file of the view that gets time, and reads a device.

use super::film::{CyclesSubject, FilmModel, LastBoard};
use super::search::SearchModel;
use super::subject::StepSubject;
use crate::run::{Body, Source};
use crate::ui::kit::{Common, Effect, ScreenEvent};
use crate::ui::screen::{Exit, Feed, Model, ModelScreen, UiError};
use crate::ui::terminal::TerminalSession;
use std::time::{Duration, Instant};

/// Time between two frames of a run; keys are handled in between.
const RUN_FRAME: Duration = Duration::from_millis(100);

/// Runs many bursts between two frames, as time allows.
pub struct Bursts;

impl Feed<SearchModel> for Bursts {
    fn tick(&mut self, model: &mut SearchModel, now: Instant) -> Effect {
        while model.run.is_some() && now.elapsed() < RUN_FRAME {
            model.update(ScreenEvent::Passed(Duration::ZERO));
        }
        Effect::Stay
    }
}

/// The device of a film.
pub struct CycleFeed {
    source: Box<dyn Source>,
}

impl CycleFeed {
    fn sample(&mut self, model: &mut FilmModel) {
        if let Some(Body::Cycles(machine)) = self.source.look().map(|frame| frame.body) {
            model.sampled(*machine);
        }
    }
}

impl Feed<FilmModel> for CycleFeed {
    /// Sends the wishes of the model to the device.
    fn perform(&mut self, model: &mut FilmModel, effect: Effect) -> Effect {
        while let Some(wish) = model.tape.wish() {
            self.source.wish(wish);
            self.sample(model);
        }
        effect
    }

    fn tick(&mut self, model: &mut FilmModel, _: Instant) -> Effect {
        self.sample(model);
        Effect::Stay
    }
}

/// The view of a search before its first step.
pub fn steps(subject: StepSubject) -> ModelScreen<SearchModel, Bursts> {
    ModelScreen::new(SearchModel::new(subject, Common::for_session()), Bursts)
}

/// The view of a film before its first cycle, on the device of `source`.
pub fn cycles(subject: CyclesSubject, source: Box<dyn Source>) -> ModelScreen<FilmModel, CycleFeed> {
    ModelScreen::new(FilmModel::new(subject, Common::for_session()), CycleFeed { source })
}

/// Shows a search on the terminal until the user leaves or a signal arrives.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(subject: StepSubject) -> Result<Exit, UiError> {
    TerminalSession::enter()?.show(&mut steps(subject))
}

/// Shows a film on the terminal until the user leaves or a signal arrives. Also returns the last board, if the view
/// reached it.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run_cycles(subject: CyclesSubject) -> Result<(Exit, Option<LastBoard>), UiError> {
    let terminal = TerminalSession::enter()?;
    let source = subject.start();
    let mut screen = cycles(subject, source);
    let exit = terminal.show(&mut screen)?;
    Ok((exit, screen.model.tape.last_board()))
}
