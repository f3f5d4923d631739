//! A run on the screen: reads the frames and the end of a source for a model, and plays what is past.
//!
//! A [`RunReader`] owns the source of a run. It gives each frame and the end to a [`RunModel`].

use super::kit::{Effect, Notice, Playback, ScreenEvent};
use super::screen::{Exit, Feed, Model, ModelScreen, UiError};
use super::terminal::TerminalSession;
use crate::run::{End, Frame, Moment, Source, Wish};
use std::io;
use std::ops::DerefMut;
use std::time::{Duration, Instant};

/// How often the end of a run is looked for, and the usual time between two frames.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The model of a screen that shows a run.
pub trait RunModel: Model {
    /// The frames of the run, and the moment that is shown.
    fn playback(&self) -> &Playback;

    /// The playback, to change it.
    fn playback_mut(&mut self) -> &mut Playback;

    /// Shows a new frame.
    fn show(&mut self, frame: &Frame);

    /// Shows the moment that the playback selects. Frames up to `from` are already included; `None` recomputes from
    /// the start.
    fn show_moment(&mut self, from: Option<Moment>);

    /// Shows the end of the run. Returns whether it is an end to show; otherwise the view ends, and its caller
    /// reports the failure.
    fn show_end(&mut self, end: &End) -> bool;

    /// Time between two frames.
    fn frame_time(&self) -> Duration {
        LOOK_EVERY
    }

    /// Adds a frame of the run, and shows it unless an earlier moment is shown.
    fn take(&mut self, frame: Frame) {
        if self.playback().shown().is_none() {
            self.show(&frame);
        }
        self.playback_mut().take(frame);
    }

    /// Adds the end of the run; returns whether it is an end to show.
    fn end(&mut self, end: End) -> bool {
        self.playback_mut().close(end.clone());
        self.show_end(&end)
    }

    /// Shows a recording from its start.
    fn replay(&mut self, playback: Playback) {
        *self.playback_mut() = playback;
        self.show_moment(None);
    }
}

pub struct RunReader<S> {
    pub source: S,
    frame_due: Instant,
    look_due: Instant,
}

impl<S: DerefMut<Target: Source>> RunReader<S> {
    /// Starts to read a run for a model; a recording is read at once, and played from its start.
    pub fn new<M: RunModel>(mut source: S, model: &mut M) -> RunReader<S> {
        if source.is_recorded() {
            model.replay(Playback::recorded(&mut *source))
        } else {
            *model.playback_mut() = Playback::of(&*source)
        }
        let now = Instant::now();
        RunReader { source, frame_due: now, look_due: now }
    }

    /// Gives the model all new frames.
    pub fn sample<M: RunModel>(&mut self, model: &mut M) {
        while let Some(frame) = self.source.look() {
            model.playback_mut().attend(&*self.source);
            model.take(frame);
            if !self.source.is_behind() {
                break;
            }
        }
        model.playback_mut().attend(&*self.source);
    }
}

impl<M: RunModel, S: DerefMut<Target: Source>> Feed<M> for RunReader<S> {
    fn perform(&mut self, model: &mut M, effect: Effect) -> Effect {
        match effect {
            // Between two looks a run has one pace: so there is one before the change, and one behind it.
            Effect::Run(wish @ (Wish::Pace(_) | Wish::Pause(_))) if model.playback().end().is_none() => {
                self.sample(model);
                self.source.wish(wish);
                self.sample(model);
                Effect::Stay
            }
            Effect::Run(wish) => {
                self.source.wish(wish);
                Effect::Stay
            }
            effect => effect,
        }
    }

    fn due(&self, model: &M) -> Option<Instant> {
        model.playback().end().is_none().then(|| self.frame_due.min(self.look_due))
    }

    /// Reads the run. A run that fails ends the session.
    fn tick(&mut self, model: &mut M, now: Instant) -> Effect {
        if model.playback().end().is_some() {
            return Effect::Stay;
        }
        if now >= self.frame_due {
            self.frame_due = now + model.frame_time();
            self.sample(model);
        }
        self.look_due = now + LOOK_EVERY;
        let Some(end) = self.source.end(Duration::ZERO) else { return Effect::Stay };
        // Reads the last frames.
        self.sample(model);
        if end == End::Cut && model.playback().goes_on_alone() {
            model.update(ScreenEvent::Said(Notice::cut()));
        }
        if model.end(end) { Effect::Stay } else { Effect::Quit }
    }
}

/// The screen of a run that has begun.
pub fn screen<M: RunModel, S: DerefMut<Target: Source>>(mut model: M, source: S) -> ModelScreen<M, RunReader<S>> {
    let reader = RunReader::new(source, &mut model);
    ModelScreen::new(model, reader)
}

/// Shows a run until the user leaves, a signal arrives, or the run fails. `begin` starts the run after the terminal
/// has been taken over, so that messages of a driver do not reach the screen.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if the terminal or `begin` fails.
pub fn show<M: RunModel>(
    model: M,
    source: &mut dyn Source,
    begin: impl FnOnce() -> io::Result<()>,
) -> Result<Exit, UiError> {
    let terminal = TerminalSession::enter()?;
    begin().map_err(UiError::Thread)?;
    terminal.show(&mut screen(model, source))
}
