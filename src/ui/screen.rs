//! What a screen is: a [`Model`], which events update and which is drawn, and its [`Feed`], which has what a model may
//! not: a run, a device, files, other screens. A [`ModelScreen`] is the two with a clock, and every screen that shows
//! something is one. [`Screen`] is what the [session](super::terminal) sees of it; the frame that the tutorial puts around such
//! screens is the only other one.

use super::kit::{Clip, Clock, Effect, ScreenEvent};
use crate::run::{End, Source, Wish};
use ratatui::Frame;
use std::io;
use std::time::{Duration, Instant};

/// A view that fills the terminal.
pub trait Screen {
    /// Handles a key, a message to show, or a new size. The first size arrives before anything is drawn.
    fn take(&mut self, msg: ScreenEvent) -> Effect;

    fn draw(&self, frame: &mut Frame<'_>);

    /// When the screen next needs the time, if at all.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// Called at the time given by [`Screen::due`].
    fn tick(&mut self, _now: Instant) -> Effect {
        Effect::Stay
    }

    /// Whether work remains after this screen has closed that a signal must not interrupt.
    fn has_work_left(&self) -> bool {
        false
    }

    /// Whether something is open on the screen that every key belongs to: a line that is typed, a list, a question.
    fn takes_keys(&self) -> bool {
        false
    }

    /// What is copied of the screen; `None` for all of it.
    fn clip(&self) -> Option<Clip> {
        None
    }

    /// The screen to open over this one, after [`Effect::Open`].
    fn opened(&mut self) -> Option<Box<dyn Screen>>;

    /// Called when the screen above has closed.
    fn uncovered(&mut self) {}
}

/// All that a screen shows. A model uses no clock, terminal, thread or file.
pub trait Model {
    /// Updates the model; returns what it asks for.
    fn update(&mut self, msg: ScreenEvent) -> Effect;

    fn draw(&self, frame: &mut Frame<'_>);

    /// Time between two frames while it moves by itself; `None` while it stands still.
    fn moving(&self) -> Option<Duration>;

    /// As [`Screen::takes_keys`].
    fn takes_keys(&self) -> bool;

    /// As [`Screen::clip`].
    fn clip(&self) -> Option<Clip> {
        None
    }
}

/// Gives a model what is new, and does what it asks for.
pub trait Feed<M> {
    /// Does what the model asks for after an event; returns what is left for the session.
    fn perform(&mut self, _model: &mut M, effect: Effect) -> Effect {
        effect
    }

    /// When there may be something new, if at all.
    fn due(&self, _model: &M) -> Option<Instant> {
        None
    }

    /// Gives the model what is new.
    fn tick(&mut self, _model: &mut M, _now: Instant) -> Effect {
        Effect::Stay
    }

    /// As [`Screen::has_work_left`].
    fn has_work_left(&self) -> bool {
        false
    }

    /// As [`Screen::opened`].
    fn opened(&mut self) -> Option<Box<dyn Screen>> {
        None
    }

    /// As [`Screen::uncovered`].
    fn uncovered(&mut self) {}
}

/// A model with its feed and its clock.
pub struct ModelScreen<M, F> {
    pub model: M,
    pub feed: F,
    clock: Clock,
}

impl<M: Model, F: Feed<M>> ModelScreen<M, F> {
    pub fn new(model: M, feed: F) -> ModelScreen<M, F> {
        let mut clock = Clock::default();
        clock.follow(model.moving().is_some());
        ModelScreen { model, feed, clock }
    }
}

impl<M: Model, F: Feed<M>> Screen for ModelScreen<M, F> {
    fn take(&mut self, msg: ScreenEvent) -> Effect {
        let effect = self.model.update(msg);
        let effect = self.feed.perform(&mut self.model, effect);
        self.clock.follow(self.model.moving().is_some());
        effect
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        self.model.draw(frame);
    }

    fn due(&self) -> Option<Instant> {
        let moves = self.model.moving().and_then(|every| self.clock.due(every));
        moves.into_iter().chain(self.feed.due(&self.model)).min()
    }

    fn tick(&mut self, now: Instant) -> Effect {
        let effect = self.feed.tick(&mut self.model, now);
        self.clock.follow(self.model.moving().is_some());
        match self.clock.passed(now) {
            Some(passed) if effect == Effect::Stay => self.take(ScreenEvent::Passed(passed)),
            _ => effect,
        }
    }

    fn has_work_left(&self) -> bool {
        self.feed.has_work_left()
    }

    fn takes_keys(&self) -> bool {
        self.model.takes_keys()
    }

    fn clip(&self) -> Option<Clip> {
        self.model.clip()
    }

    fn opened(&mut self) -> Option<Box<dyn Screen>> {
        self.feed.opened()
    }

    fn uncovered(&mut self) {
        self.feed.uncovered();
    }
}

/// How long to wait for a run to stop. A run normally stops within one burst.
const STOP_WITHIN: Duration = Duration::from_secs(10);

/// Stops a run, and waits for its end; `None` if it has not ended within `STOP_WITHIN`.
pub fn stop(source: &mut dyn Source) -> Option<End> {
    source.wish(Wish::Stop);
    source.end(STOP_WITHIN)
}

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// The user left.
    Left,
    /// A signal ended the session; `ctrl-c` counts as SIGINT, a terminal that was closed as SIGHUP.
    Signal(i32),
}

/// Why a session could not be shown, or broke off.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// Standard output is not a terminal.
    #[error("the live view needs a terminal; search prints its figures without one")]
    NoTerminal,
    /// The terminal could not be read or written.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// The worker thread could not be started.
    #[error("{0}")]
    Thread(io::Error),
    /// The search ended without a result.
    #[error("the search ended without a result")]
    Vanished,
    /// The search did not stop within `STOP_WITHIN`.
    #[error("the search did not stop within {} seconds", STOP_WITHIN.as_secs())]
    Deaf,
}
