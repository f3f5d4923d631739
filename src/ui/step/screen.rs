//! The step view as a screen: the only file of the view that gets time.

use super::model::{StepModel, update};
use super::subject::StepSubject;
use super::view::view;
use crate::ui::end::{Exit, UiError};
use crate::ui::kit::{Clip, Clock, ScreenMsg, Surface};
use crate::ui::stage::{Screen, Stage, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Time between two frames while the view plays.
const FRAME: Duration = Duration::from_millis(50);
/// Time between two frames of a run; keys are handled in between.
const RUN_FRAME: Duration = Duration::from_millis(100);

/// The step view as a screen.
pub struct Steps {
    model: StepModel,
    clock: Clock,
}

impl Steps {
    /// The view of a search before its first step.
    pub fn new(subject: StepSubject) -> Steps {
        Steps { model: StepModel::new(subject, Surface::of_terminal()), clock: Clock::default() }
    }
}

impl Screen for Steps {
    fn takes_keys(&self) -> bool {
        self.model.surface.takes_keys() || self.model.jump.text().is_some()
    }

    fn take(&mut self, msg: ScreenMsg) -> Turn {
        let wish = update(&mut self.model, msg);
        self.clock.follow(self.model.moves());
        wish.map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn clip(&self) -> Option<Clip> {
        let board = self.model.title.board;
        let squares = |chain: &Vec<u32>| {
            let names: Vec<String> = chain.iter().filter_map(|&square| Some(board.name(board.at(square)?))).collect();
            format!("{board} {}\n", names.join(" "))
        };
        let text: String = self.model.drawing.chains.iter().map(squares).collect();
        Some(Clip::Text("the board".to_owned(), text))
    }

    fn due(&self) -> Option<Instant> {
        self.clock.due(if self.model.run.is_some() { Duration::ZERO } else { FRAME })
    }

    /// Runs many bursts between two frames, as time allows.
    fn tick(&mut self, now: Instant) -> Turn {
        let Some(passed) = self.clock.passed(now) else { return Turn::Stay };
        update(&mut self.model, ScreenMsg::Passed(passed));
        while self.model.run.is_some() && now.elapsed() < RUN_FRAME {
            update(&mut self.model, ScreenMsg::Passed(Duration::ZERO));
        }
        self.clock.follow(self.model.moves());
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
