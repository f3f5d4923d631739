//! A run on the screen: reads the frames and the end of a source for a model, and plays what is past.
//!
//! A [`RunReader`] owns the source of a run. It gives each frame and the end to a [`RunModel`], and the time to its
//! playback. A [`RunScreen`] is the screen of a model whose keys ask for nothing else than the stage does.

use super::end::{Exit, UiError};
use super::kit::{Clip, Clock, Notice, Playback, ScreenEvent, StageWish};
use super::stage::{Screen, Stage, Turn};
use crate::run::{End, Frame, Moment, Source};
use ratatui::Frame as Canvas;
use std::io;
use std::ops::DerefMut;
use std::time::{Duration, Instant};

/// How often the end of a run is looked for, and the usual time between two frames.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The model of a screen that shows a run.
pub trait RunModel {
    /// What a key can ask for.
    type Effect;

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

    /// Updates the model from an event of the screen.
    fn handle(&mut self, msg: ScreenEvent) -> Option<Self::Effect>;

    /// What is copied of the screen; `None` for all of it.
    fn clip(&self) -> Option<Clip> {
        None
    }

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

    /// Whether every key belongs to what is open on the screen, such as its help.
    fn takes_keys(&self) -> bool {
        false
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
    clock: Clock,
}

impl<S: DerefMut<Target: Source>> RunReader<S> {
    /// Starts to read a run for a model; a recording is read at once, and played from its start.
    pub fn new<M: RunModel>(mut source: S, model: &mut M) -> RunReader<S> {
        match source.is_recorded() {
            true => model.replay(Playback::recorded(&mut *source)),
            false => *model.playback_mut() = Playback::of(&*source),
        }
        let now = Instant::now();
        let mut reader = RunReader { source, frame_due: now, look_due: now, clock: Clock::default() };
        reader.clock.follow(model.playback().is_playing());
        reader
    }

    /// Gives the model all new frames.
    pub fn sample<M: RunModel>(&mut self, model: &mut M) {
        while let Some(frame) = self.source.look() {
            model.take(frame);
            if !self.source.is_behind() {
                break;
            }
        }
        model.playback_mut().set_unrecorded(self.source.unrecorded());
    }

    /// Gives the model an event of the screen; returns what it asks for.
    pub fn handle<M: RunModel>(&mut self, model: &mut M, msg: ScreenEvent) -> Option<M::Effect> {
        let effect = model.handle(msg);
        self.clock.follow(model.playback().is_playing());
        effect
    }

    /// When the reader next needs the time, if at all.
    pub fn due<M: RunModel>(&self, model: &M) -> Option<Instant> {
        let live = model.playback().end().is_none().then(|| self.frame_due.min(self.look_due));
        live.into_iter().chain(self.clock.due(model.frame_time())).min()
    }

    /// Plays what is past, and reads the run. A run that fails ends the session.
    pub fn tick<M: RunModel>(&mut self, model: &mut M, now: Instant) -> Turn {
        if let Some(passed) = self.clock.passed(now) {
            self.handle(model, ScreenEvent::Passed(passed));
        }
        if model.playback().end().is_some() {
            return Turn::Stay;
        }
        if now >= self.frame_due {
            self.frame_due = now + model.frame_time();
            self.sample(model);
        }
        self.look_due = now + LOOK_EVERY;
        let Some(end) = self.source.end(Duration::ZERO) else { return Turn::Stay };
        // Reads the last frames.
        self.sample(model);
        if end == End::Cut && model.playback().goes_on_alone() {
            self.handle(model, ScreenEvent::Said(Notice::cut()));
        }
        if model.end(end) { Turn::Stay } else { Turn::Quit }
    }
}

pub struct RunScreen<M, S> {
    model: M,
    reader: RunReader<S>,
    view: fn(&M, &mut Canvas<'_>),
}

impl<M: RunModel, S: DerefMut<Target: Source>> RunScreen<M, S> {
    /// The screen of a run that has begun.
    pub fn new(mut model: M, view: fn(&M, &mut Canvas<'_>), source: S) -> RunScreen<M, S> {
        let reader = RunReader::new(source, &mut model);
        RunScreen { model, reader, view }
    }
}

impl<M: RunModel<Effect = StageWish>, S: DerefMut<Target: Source>> Screen for RunScreen<M, S> {
    fn takes_keys(&self) -> bool {
        self.model.takes_keys()
    }

    fn take(&mut self, msg: ScreenEvent) -> Turn {
        self.reader.handle(&mut self.model, msg).map_or(Turn::Stay, Turn::from)
    }

    fn draw(&self, frame: &mut Canvas<'_>) {
        (self.view)(&self.model, frame);
    }

    fn due(&self) -> Option<Instant> {
        self.reader.due(&self.model)
    }

    fn clip(&self) -> Option<Clip> {
        self.model.clip()
    }

    fn tick(&mut self, now: Instant) -> Turn {
        self.reader.tick(&mut self.model, now)
    }
}

/// Shows a run until the user leaves, a signal arrives, or the run fails. `begin` starts the run after the terminal
/// has been taken over, so that messages of a driver do not reach the screen.
///
/// # Errors
/// [`UiError`] if there is no terminal, or if the terminal or `begin` fails.
pub fn show<M: RunModel<Effect = StageWish>>(
    model: M,
    view: fn(&M, &mut Canvas<'_>),
    source: &mut dyn Source,
    begin: impl FnOnce() -> io::Result<()>,
) -> Result<Exit, UiError> {
    let stage = Stage::enter()?;
    begin().map_err(UiError::Thread)?;
    stage.show(&mut RunScreen::new(model, view, source))
}
