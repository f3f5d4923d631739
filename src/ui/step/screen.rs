//! The step view as a screen: the only file of the view that gets time.

use super::model::{StepModel, update};
use super::subject::StepSubject;
use super::view::view;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{ScreenMsg, Surface};
use crate::ui::stage::Stage;
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Time between two frames while the view plays.
const FRAME: Duration = Duration::from_millis(50);
/// Time between two frames of a run; keys are handled in between.
const RUN_FRAME: Duration = Duration::from_millis(100);

/// The step view as a screen.
pub struct Steps {
    model: StepModel,
    /// The time of the last tick and of the next one, while anything moves.
    clock: Option<(Instant, Instant)>,
}

impl Steps {
    /// The view of a search before its first step.
    pub fn new(subject: StepSubject) -> Steps {
        Steps { model: StepModel::new(subject, Surface::of_terminal()), clock: None }
    }

    /// Starts the clock if anything moves. `last` is the time of the last tick.
    fn start_clock(&mut self, last: Instant) {
        let every = if self.model.run.is_some() { Duration::ZERO } else { FRAME };
        self.clock = self.model.moves().then_some((last, last + every));
    }
}

impl Screen for Steps {
    fn take(&mut self, msg: ScreenMsg) -> Turn {
        let wish = update(&mut self.model, msg);
        self.start_clock(self.clock.map_or_else(Instant::now, |(last, _)| last));
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        self.clock.map(|(_, due)| due)
    }

    /// Runs many bursts between two frames, as time allows.
    fn tick(&mut self, now: Instant) -> Turn {
        let Some((last, _)) = self.clock else { return Turn::Stay };
        update(&mut self.model, ScreenMsg::Passed(now - last));
        while self.model.run.is_some() && now.elapsed() < RUN_FRAME {
            update(&mut self.model, ScreenMsg::Passed(Duration::ZERO));
        }
        self.start_clock(now);
        Turn::Stay
    }
}

/// Shows a search on the terminal until the user leaves or a signal arrives.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if it fails.
pub fn run(subject: StepSubject) -> Result<Exit, UiError> {
    Stage::enter()?.show(&mut Steps::new(subject))
}
