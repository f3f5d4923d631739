//! The tables as a screen: reads what has come of them.

use super::model::{TablesModel, TablesState, update};
use super::view::view;
use crate::run::TableNews;
use crate::ui::kit::ScreenEvent;
use crate::ui::stage::{Screen, Turn};
use crossbeam_channel::{Receiver, TryRecvError};
use ratatui::Frame;
use std::time::{Duration, Instant};

/// How often news are read.
const LOOK: Duration = Duration::from_millis(100);

/// The tables as a screen.
pub struct TablesScreen {
    model: TablesModel,
    news: Receiver<TableNews>,
    due: Instant,
}

impl TablesScreen {
    /// The screen before the first table.
    pub fn new(model: TablesModel, news: Receiver<TableNews>) -> TablesScreen {
        TablesScreen { model, news, due: Instant::now() }
    }
}

impl Screen for TablesScreen {
    fn takes_keys(&self) -> bool {
        self.model.surface.takes_keys()
    }

    fn take(&mut self, msg: ScreenEvent) -> Turn {
        update(&mut self.model, msg).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        (self.model.state == TablesState::Running).then_some(self.due)
    }

    fn tick(&mut self, now: Instant) -> Turn {
        self.due = now + LOOK;
        loop {
            match self.news.try_recv() {
                Ok(news) => self.model.take(news),
                Err(TryRecvError::Empty) => return Turn::Stay,
                // Work that ends without its last news has failed; the command says why.
                Err(TryRecvError::Disconnected) if self.model.state == TablesState::Running => return Turn::Quit,
                Err(TryRecvError::Disconnected) => return Turn::Stay,
            }
        }
    }
}
