//! The step view as a screen: the only file of the view that gets time.

use super::model::StepModel;
use super::subject::StepSubject;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{ScreenEvent, Surface, Turn};
use crate::ui::screen::{Feed, Model, ModelScreen};
use crate::ui::terminal::Stage;
use std::time::{Duration, Instant};

/// Time between two frames of a run; keys are handled in between.
const RUN_FRAME: Duration = Duration::from_millis(100);

/// Runs many bursts between two frames, as time allows.
pub struct Bursts;

impl Feed<StepModel> for Bursts {
    fn tick(&mut self, model: &mut StepModel, now: Instant) -> Turn {
        while model.run.is_some() && now.elapsed() < RUN_FRAME {
            model.update(ScreenEvent::Passed(Duration::ZERO));
        }
        Turn::Stay
    }
}

/// The view of a search before its first step.
pub fn steps(subject: StepSubject) -> ModelScreen<StepModel, Bursts> {
    ModelScreen::new(StepModel::new(subject, Surface::for_stage()), Bursts)
}

/// Shows a search on the terminal until the user leaves or a signal arrives.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(subject: StepSubject) -> Result<Exit, UiError> {
    Stage::enter()?.show(&mut steps(subject))
}
