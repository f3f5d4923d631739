//! The map view on a stage: the one part of it that is told the time and that hears of the work.

use super::model::{Model, update};
use super::view;
use crate::gpu::map::Batch;
use crate::run::{Body, End, Source};
use crate::ui::kit::{Msg, Surface};
use crate::ui::stage::{Screen, Turn};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// Frames while the work goes on are this far apart.
const FRAME: Duration = Duration::from_millis(100);

/// The map view as a screen.
pub struct Filling<'a> {
    model: Model,
    source: &'a mut dyn Source,
    due: Instant,
}

impl<'a> Filling<'a> {
    /// The view of a batch.
    pub fn new(batch: Batch, source: &'a mut dyn Source) -> Filling<'a> {
        Filling { model: Model::new(batch, Surface::of_terminal()), source, due: Instant::now() }
    }
}

impl Screen for Filling<'_> {
    fn take(&mut self, msg: Msg) -> Turn {
        update(&mut self.model, msg).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        (!self.model.over).then_some(self.due)
    }

    /// Work that goes away before its end has failed: whoever started it says why.
    fn tick(&mut self, now: Instant) -> Turn {
        self.due = now + FRAME;
        if let Some(Body::Map(filled)) = self.source.look().map(|frame| frame.body) {
            self.model.heed(*filled);
        }
        match self.source.end(Duration::ZERO) {
            None => Turn::Stay,
            Some(End::Map) => {
                self.model.over = true;
                Turn::Stay
            }
            Some(_) => Turn::Quit,
        }
    }
}
