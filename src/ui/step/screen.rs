//! The step view on a stage: the one part of it that is told the time.

use super::model::{StepModel, update};
use super::subject::StepSubject;
use super::view::view;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{ScreenMsg, Surface};
use crate::ui::stage::Stage;
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Frames while it plays are this far apart.
const FRAME: Duration = Duration::from_millis(50);
/// A run is shown this often; keys are answered in between.
const RUN_FRAME: Duration = Duration::from_millis(100);

/// The step view as a screen.
pub struct Steps {
    model: StepModel,
    /// When time was last told, and when it is to be told again, while anything moves.
    clock: Option<(Instant, Instant)>,
}

impl Steps {
    /// The view of a search before its first step.
    pub fn new(subject: StepSubject) -> Steps {
        Steps { model: StepModel::new(subject, Surface::of_terminal()), clock: None }
    }

    /// Starts the clock, if anything moves; time was last told at `last`.
    fn wind(&mut self, last: Instant) {
        let every = if self.model.run.is_some() { Duration::ZERO } else { FRAME };
        self.clock = self.model.moves().then_some((last, last + every));
    }
}

impl Screen for Steps {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        let wish = update(&mut self.model, msg);
        self.wind(self.clock.map_or_else(Instant::now, |(last, _)| last));
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        self.clock.map(|(_, due)| due)
    }

    /// Many bursts of a run go between two frames, as long as there is time.
    fn tick(&mut self, now: Instant) -> Turn {
        let Some((last, _)) = self.clock else { return Turn::Stay };
        update(&mut self.model, ScreenMsg::Passed(now - last));
        while self.model.run.is_some() && now.elapsed() < RUN_FRAME {
            update(&mut self.model, ScreenMsg::Passed(Duration::ZERO));
        }
        self.wind(now);
        Turn::Stay
    }
}

/// Shows a search on the terminal until the user leaves or a signal comes.
///
/// # Errors
/// [`UiError`] when there is no terminal, or when it fails.
pub fn run(subject: StepSubject) -> Result<Exit, UiError> {
    Stage::enter()?.show(&mut Steps::new(subject))
}
