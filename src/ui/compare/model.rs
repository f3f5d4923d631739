//! The model of the comparison, and its updates. This file uses no clock, run or terminal.

use super::keys::KEYS;
use super::layout::CompareLayout;
use crate::run::{End, Frame, Rival, RivalState};
use crate::ui::kit::keys::Action;
use crate::ui::kit::{ScreenMsg, StageWish, Surface, SurfaceMessage};
use crate::words;
use std::time::Duration;

/// How often the time axis can be halved.
const ZOOM_MAX: u32 = 16;

/// All that the comparison shows.
pub struct CompareModel {
    /// The question of all runs.
    pub question: String,
    /// The runs, in their order.
    pub rivals: Vec<Rival>,
    /// How often the time axis has been halved.
    pub zoom: u32,
    /// The state that all screens share.
    pub surface: Surface,
}

impl CompareModel {
    /// The model before the first run.
    pub fn new(question: &str, names: impl IntoIterator<Item = String>, surface: Surface) -> CompareModel {
        CompareModel {
            question: question.to_owned(),
            rivals: names.into_iter().map(Rival::new).collect(),
            zoom: 0,
            surface,
        }
    }

    /// The index of the current run.
    pub fn running(&self) -> Option<usize> {
        self.rivals.iter().position(|rival| rival.stand == RivalState::Running)
    }

    /// Starts the next run; returns its index, if a run is left.
    pub fn begin(&mut self) -> Option<usize> {
        let next = self.rivals.iter().position(|rival| rival.stand == RivalState::Waiting)?;
        self.rivals[next].begin();
        Some(next)
    }

    /// Adds a frame of the current run.
    pub fn take(&mut self, frame: &Frame) {
        if let Some(running) = self.running() {
            self.rivals[running].take(frame);
        }
    }

    /// Records the end of the current run.
    pub fn end(&mut self, end: &End) {
        if let Some(running) = self.running() {
            self.rivals[running].end(end);
        }
    }

    /// The layout; `None` if the screen is too small.
    pub fn layout(&self) -> Option<CompareLayout> {
        CompareLayout::of(self.surface.screen, self.rivals.len())
    }

    /// The end of the time axis.
    pub fn shown(&self) -> Duration {
        let longest = self.rivals.iter().map(|rival| rival.last.elapsed).max().unwrap_or_default();
        longest / 2u32.pow(self.zoom)
    }

    /// Whether a run is running or waiting, and would be lost.
    fn has_open_runs(&self) -> bool {
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

/// Updates the model from an event; returns a wish for the stage, if any.
pub fn update(model: &mut CompareModel, msg: ScreenMsg) -> Option<StageWish> {
    match model.surface.take(msg, KEYS.now())? {
        SurfaceMessage::Asked(Action::Quit, _) if model.has_open_runs() => {
            model.surface.ask("leave, and end the runs?", Action::Quit);
            None
        }
        SurfaceMessage::Asked(action, _) | SurfaceMessage::Agreed(action) => model.perform(action),
        SurfaceMessage::Passed(_) => None,
    }
}
