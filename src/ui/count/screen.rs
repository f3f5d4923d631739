//! The view of a count on a stage: the one part of it that is told the time and that looks at the count.

use super::model::{Model, Msg, update};
use super::{Answered, view};
use crate::count::{Question, Watch};
use crate::ui::model::Notice;
use crate::ui::stage::{Screen, Turn};
use crate::ui::surface::{self, Surface};
use crossbeam_channel::{Receiver, TryRecvError};
use ratatui::Frame;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;
use std::time::{Duration, Instant};

/// Frames while the count goes on are this far apart.
const FRAME: Duration = Duration::from_millis(100);

/// The view of a count as a screen.
pub struct Counting<'a> {
    model: Model,
    watch: &'a Watch,
    answer: Receiver<Answered>,
    due: Instant,
}

impl<'a> Counting<'a> {
    /// The view of a count that sends its answer.
    pub fn new(question: &Question, watch: &'a Watch, answer: Receiver<Answered>) -> Counting<'a> {
        let model = Model::new(question, watch.threads(), Surface::of_terminal());
        Counting { model, watch, answer, due: Instant::now() }
    }

    fn sample(&mut self) {
        update(&mut self.model, Msg::Sampled(Box::new(self.watch.snapshot())));
    }
}

impl Screen for Counting<'_> {
    fn key(&mut self, key: KeyEvent) -> Turn {
        update(&mut self.model, Msg::Screen(surface::Msg::Key(key))).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        view(&self.model, frame);
    }

    fn resized(&mut self, size: Size) {
        update(&mut self.model, Msg::Screen(surface::Msg::Resized(size)));
    }

    fn due(&self) -> Option<Instant> {
        self.model.answer.is_none().then_some(self.due)
    }

    /// A count that goes away without an answer has failed or was refused: whoever started it says why.
    fn tick(&mut self, now: Instant) -> Turn {
        self.due = now + FRAME;
        self.sample();
        match self.answer.try_recv() {
            Ok(answer) => {
                // What was done in its last moments.
                self.sample();
                update(&mut self.model, Msg::Answered(Box::new(answer)));
                Turn::Stay
            }
            Err(TryRecvError::Empty) => Turn::Stay,
            Err(TryRecvError::Disconnected) => Turn::Quit,
        }
    }

    fn said(&mut self, notice: Notice) {
        update(&mut self.model, Msg::Screen(surface::Msg::Said(notice)));
    }
}
