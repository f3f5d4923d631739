//! What the view of compared runs shows, and how it changes. Nothing here reads a clock, a run or a terminal.

use super::keys::KEYS;
use super::layout::CompareLayout;
use crate::run::{End, Frame, Rival, RivalState};
use crate::ui::kit::keys::Action;
use crate::ui::kit::{ScreenMsg, StageWish, Surface, SurfaceMessage};
use crate::words;
use std::time::Duration;

/// How often the time that is shown is halved at most.
const ZOOM_MAX: u32 = 16;

/// Everything the screen shows.
pub struct CompareModel {
    /// What all runs are asked.
    pub question: String,
    /// The runs, in their order.
    pub rivals: Vec<Rival>,
    /// How often the time that is shown has been halved.
    pub zoom: u32,
    /// What all screens have.
    pub surface: Surface,
}

impl CompareModel {
    /// Before the first run.
    pub fn new(question: &str, names: impl IntoIterator<Item = String>, surface: Surface) -> CompareModel {
        CompareModel {
            question: question.to_owned(),
            rivals: names.into_iter().map(Rival::new).collect(),
            zoom: 0,
            surface,
        }
    }

    /// The run whose turn it is.
    pub fn running(&self) -> Option<usize> {
        self.rivals.iter().position(|rival| rival.stand == RivalState::Running)
    }

    /// The next run has its turn; answers which, if one is left.
    pub fn begin(&mut self) -> Option<usize> {
        let next = self.rivals.iter().position(|rival| rival.stand == RivalState::Waiting)?;
        self.rivals[next].begin();
        Some(next)
    }

    /// Takes in what was seen of the run whose turn it is.
    pub fn take(&mut self, frame: &Frame) {
        if let Some(running) = self.running() {
            self.rivals[running].take(frame);
        }
    }

    /// The run whose turn it was has ended.
    pub fn end(&mut self, end: &End) {
        if let Some(running) = self.running() {
            self.rivals[running].end(end);
        }
    }

    /// Where everything lies; nothing when the screen is too small.
    pub fn layout(&self) -> Option<CompareLayout> {
        CompareLayout::of(self.surface.screen, self.rivals.len())
    }

    /// The end of the time axis.
    pub fn shown(&self) -> Duration {
        let longest = self.rivals.iter().map(|rival| rival.last.elapsed).max().unwrap_or_default();
        longest / 2u32.pow(self.zoom)
    }

    /// Whether runs are left that would be lost.
    fn goes_on(&self) -> bool {
        self.rivals.iter().any(|rival| matches!(rival.stand, RivalState::Running | RivalState::Waiting))
    }

    fn perform(&mut self, action: Action) -> Option<StageWish> {
        match action {
            Action::Larger | Action::Smaller => {
                self.zoom =
                    if action == Action::Larger { (self.zoom + 1).min(ZOOM_MAX) } else { self.zoom.saturating_sub(1) };
                let end = words::moment(self.shown());
                self.surface.say(if self.zoom == 0 { "all of the time".into() } else { format!("the first {end}") });
                None
            }
            other => self.surface.perform(other),
        }
    }
}

/// Takes in what happened; answers what is wanted of the stage.
pub fn update(model: &mut CompareModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.surface.take(msg, KEYS.now())? {
        SurfaceMessage::Asked(Action::Quit, _) if model.goes_on() => {
            model.surface.ask("leave, and end the runs?", Action::Quit);
            None
        }
        SurfaceMessage::Asked(action, _) | SurfaceMessage::Agreed(action) => model.perform(action),
        SurfaceMessage::Passed(_) => None,
    }
}
