//! The map view on a stage: the one part of it that is told the time and that hears of the work.

use super::model::{Model, update};
use super::{News, view};
use crate::gpu::map::Batch;
use crate::ui::model::Notice;
use crate::ui::stage::{Screen, Turn};
use crate::ui::surface::{Msg, Surface};
use crossbeam_channel::{Receiver, TryRecvError};
use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Frames while the work goes on are this far apart.
const FRAME: Duration = Duration::from_millis(100);

/// The map view as a screen.
pub struct Filling {
    model: Model,
    news: Receiver<News>,
    due: Instant,
}

impl Filling {
    /// The view of a batch whose work sends these news.
    pub fn new(batch: Batch, news: Receiver<News>) -> Filling {
        Filling { model: Model::new(batch, Surface::of_terminal()), news, due: Instant::now() }
    }
}

impl Screen for Filling {
    fn key(&mut self, key: KeyEvent) -> Turn {
        update(&mut self.model, Msg::Key(key)).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn resized(&mut self, size: Size) {
        update(&mut self.model, Msg::Resized(size));
    }

    fn due(&self) -> Option<Instant> {
        (!self.model.over).then_some(self.due)
    }

    /// Work that goes away before its end has failed: whoever started it says why.
    fn tick(&mut self, now: Instant) -> Turn {
        self.due = now + FRAME;
        loop {
            match self.news.try_recv() {
                Ok(news) => self.model.heed(news),
                Err(TryRecvError::Disconnected) if !self.model.over => return Turn::Quit,
                Err(_) => return Turn::Stay,
            }
        }
    }

    fn said(&mut self, notice: Notice) {
        update(&mut self.model, Msg::Said(notice));
    }
}
