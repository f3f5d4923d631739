//! The live view: the only room that knows ratatui and crossterm.
//!
//! A run is looked at from outside: snapshots of its meters some ten times a second, and its rare events. Both go into
//! a [`Model`] through [`update`], which answers what is to be done; [`view()`] draws the model. Only this file touches
//! the terminal, the clock and the run. Keys are read before data and drawn at once.

mod hires;
mod history;
mod keys;
mod layout;
mod model;
mod rates;
mod save;
mod term;
mod theme;
mod view;
mod wire;

/// Figures as short text.
pub use hires::Hires;
pub use history::{History, Point};
pub use keys::{Action, BINDINGS, Binding, action};
pub use layout::{Density, Grid, Layout, Pane, SCREEN_MIN};
pub use model::{About, Effect, Model, Msg, Notice, Phase, update};
pub use rates::{Rates, Shares};
pub use save::screen_text;
pub use theme::{Colours, Role, Theme};
pub use view::view;
pub use wire::Wire;

use crate::event::Event;
use crate::schedule::{Outcome, RunError, Scheduler, StopReason, Watch};
use crate::search::HandOver;
use crossbeam_channel::{Receiver, RecvTimeoutError, TryRecvError};
use ratatui::Terminal;
use ratatui::crossterm::event::{self as input, Event as Input, KeyEventKind};
use ratatui::crossterm::terminal;
use ratatui::layout::Size;
use std::io::{self, IsTerminal, Stdout};
use std::path::Path;
use std::time::{Duration, Instant};
use term::{Guard, Signals};

/// Frames a second when nothing else is asked for.
pub const FPS_DEFAULT: u32 = 10;
/// Signals and the end of a run are noticed at least this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// The position of a free run is shown this often: seen faster it is but a flicker, and costs most of the line.
const POSITION_EVERY: Duration = Duration::from_millis(250);
/// A run that was told to stop does so within a burst; one that does not is given up after this long.
const STOP_WITHIN: Duration = Duration::from_secs(10);
/// Events taken in between two frames at most.
const EVENTS_PER_FRAME: usize = 1 << 16;

/// What is to be shown.
pub struct Session {
    /// The question.
    pub about: About,
    /// The scheduler to begin with.
    pub scheduler: Scheduler,
    /// The hand-over rule to begin with.
    pub hand_over: HandOver,
    /// Frames a second, 1..=60.
    pub fps: u32,
    /// Starts a run on threads of its own and answers at once. Called again when the user changes the scheduler, after
    /// the run before has ended.
    pub launch: Box<dyn FnMut(Beginning) -> Launched>,
}

/// How a run is to begin.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
    /// The scheduler.
    pub scheduler: Scheduler,
    /// The hand-over rule.
    pub hand_over: HandOver,
    /// Whether it waits for the user before its first node.
    pub paused: bool,
    /// Nodes a second that each worker is limited to.
    pub pace: Option<u32>,
}

impl Beginning {
    /// Tells a run that has not been started yet whether to wait, and how fast to go.
    pub fn prepare(&self, watch: &Watch) {
        watch.control().set_pace(self.pace);
        if self.paused {
            watch.control().pause();
        }
    }
}

/// A run that has been started.
pub struct Launched {
    /// Its meters and its control.
    pub watch: Watch,
    /// Its events.
    pub events: Receiver<Event>,
    /// How it ended, once.
    pub outcome: Receiver<Result<Outcome, RunError>>,
}

/// How a session ended.
#[derive(Debug)]
pub struct Report {
    /// How the last run ended; it was stopped if it was still going on.
    pub outcome: Result<Outcome, RunError>,
    /// The scheduler of the last run.
    pub scheduler: Scheduler,
    /// Its hand-over rule at the end.
    pub hand_over: HandOver,
    /// The signal that ended the session, if one did; `ctrl-c` is SIGINT.
    pub signal: Option<i32>,
}

/// Why a session could not be shown, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// Standard output is not a terminal.
    #[error("the live view needs a terminal; search prints its figures without one")]
    NoTerminal,
    /// The terminal could not be read or written.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
    /// The search went away without a word.
    #[error("the search ended without a result")]
    Vanished,
    /// The search was told to stop and did not.
    #[error("the search did not stop within {} seconds", STOP_WITHIN.as_secs())]
    Deaf,
}

/// Shows a session until the user or a signal ends it, or its run fails.
///
/// # Errors
/// [`UiError`]. The terminal is as it was before, also then.
pub fn run(session: Session) -> Result<Report, UiError> {
    if !io::stdout().is_terminal() {
        return Err(UiError::NoTerminal);
    }
    let signals = Signals::catch()?;
    let guard = Guard::enter()?;
    let mut show = Show::new(session)?;
    let left = show.until_left(&guard, &signals);
    // A terminal that went away with a signal is no failure of ours.
    let (signal, failure) = match (left, signals.ending()) {
        (_, Some(signal)) => (Some(signal), None),
        (Ok(signal), None) => (signal, None),
        (Err(error), None) => (None, Some(error)),
    };
    drop(guard);
    signals.release();
    let report = show.close(signal)?;
    match failure {
        Some(error) => Err(error),
        None => Ok(report),
    }
}

/// A session on the screen.
struct Show {
    model: Model,
    terminal: Terminal<Wire<Stdout>>,
    launch: Box<dyn FnMut(Beginning) -> Launched>,
    run: Launched,
    position_due: Instant,
    outcome: Option<Result<Outcome, RunError>>,
}

impl Show {
    fn new(session: Session) -> Result<Show, UiError> {
        let Session { about, scheduler, hand_over, fps, mut launch } = session;
        let run = launch(Beginning { scheduler, hand_over, paused: false, pace: None });
        let size = screen_size()?;
        let terminal = Terminal::new(Wire::new(io::stdout(), size))?;
        let theme = Theme::from_env(|name| std::env::var(name).ok());
        let model = Model::new(about, theme, scheduler, fps.clamp(1, 60), size, run.watch.snapshot());
        Ok(Show { model, terminal, launch, run, position_due: Instant::now(), outcome: None })
    }

    /// The loop. Answers the signal that the user's key stands for, if it does.
    fn until_left(&mut self, guard: &Guard, signals: &Signals) -> Result<Option<i32>, UiError> {
        self.sample();
        self.redraw()?;
        let mut next_sample = Instant::now();
        loop {
            let now = Instant::now();
            if now >= next_sample {
                next_sample = now + Duration::from_secs(1) / self.model.fps;
                if self.outcome.is_none() {
                    self.sample();
                }
                self.draw()?;
            }
            if signals.ending().is_some() || self.look_for_the_end()? {
                return Ok(None);
            }
            if signals.take_stop() {
                self.suspend(guard, signals)?;
            } else if signals.take_continued() {
                guard.resume()?;
                self.redraw()?;
            }
            let wait = next_sample.saturating_duration_since(Instant::now()).min(LOOK_EVERY);
            if !input::poll(wait)? {
                continue;
            }
            let selected = self.model.selected;
            let mut effects = Vec::new();
            while input::poll(Duration::ZERO)? {
                effects.extend(self.take_input(input::read()?));
            }
            for effect in effects {
                match effect {
                    Effect::Quit => return Ok(None),
                    Effect::Interrupt => return Ok(Some(signal_hook::consts::SIGINT)),
                    Effect::Suspend => self.suspend(guard, signals)?,
                    effect => self.perform(effect)?,
                }
            }
            if self.model.selected != selected {
                self.look_at_selected();
            }
            self.draw()?;
        }
    }

    fn take_input(&mut self, event: Input) -> Option<Effect> {
        match event {
            Input::Key(key) if key.kind != KeyEventKind::Release => {
                action(key).and_then(|action| update(&mut self.model, Msg::Act(action)))
            }
            _ => None,
        }
    }

    fn perform(&mut self, effect: Effect) -> Result<(), UiError> {
        let watch = &self.run.watch;
        match effect {
            Effect::Pause(paused) => watch.set_paused(paused),
            Effect::Step => watch.step(),
            Effect::Pace(pace) => watch.control().set_pace(pace),
            Effect::Rule(rule) => watch.set_hand_over(rule),
            Effect::Restart(scheduler) => self.restart(scheduler)?,
            Effect::Redraw => self.redraw()?,
            Effect::Save => self.save(),
            // The loop leaves or stops by itself.
            Effect::Quit | Effect::Interrupt | Effect::Suspend => {}
        }
        Ok(())
    }

    /// Takes in all that has happened since the last look.
    fn sample(&mut self) {
        for event in self.run.events.try_iter().take(EVENTS_PER_FRAME) {
            update(&mut self.model, Msg::Happened(event));
        }
        let snapshot = self.run.watch.snapshot();
        let held = snapshot.paused || snapshot.pace.is_some();
        update(&mut self.model, Msg::Sampled(Box::new(snapshot)));
        if held || Instant::now() >= self.position_due {
            self.look_at_selected();
        }
    }

    fn look_at_selected(&mut self) {
        self.position_due = Instant::now() + POSITION_EVERY;
        let drawing = self.run.watch.drawing(self.model.selected);
        update(&mut self.model, Msg::Drawn(drawing));
    }

    /// Notices that the run has ended; answers whether it failed, which ends the session.
    fn look_for_the_end(&mut self) -> Result<bool, UiError> {
        if let Some(outcome) = &self.outcome {
            return Ok(outcome.is_err());
        }
        let outcome = match self.run.outcome.try_recv() {
            Ok(outcome) => outcome,
            Err(TryRecvError::Empty) => return Ok(false),
            Err(TryRecvError::Disconnected) => return Err(UiError::Vanished),
        };
        self.sample();
        self.look_at_selected();
        let failed = match &outcome {
            Ok(outcome) => {
                update(&mut self.model, Msg::Ended(outcome.stopped, outcome.elapsed));
                false
            }
            Err(_) => true,
        };
        self.outcome = Some(outcome);
        Ok(failed)
    }

    /// Ends the present run and starts another one.
    fn restart(&mut self, scheduler: Scheduler) -> Result<(), UiError> {
        if self.outcome.take().is_none() {
            let outcome = self.stop_run()?;
            if outcome.is_err() {
                // It failed in its last moment: the next look ends the session.
                self.outcome = Some(outcome);
                return Ok(());
            }
        }
        let seen = &self.model.snapshot;
        let (hand_over, paused, pace) = (seen.hand_over, seen.paused, seen.pace);
        self.run = (self.launch)(Beginning { scheduler, hand_over, paused, pace });
        update(&mut self.model, Msg::Began(scheduler));
        self.sample();
        self.look_at_selected();
        Ok(())
    }

    fn stop_run(&self) -> Result<Result<Outcome, RunError>, UiError> {
        self.run.watch.control().stop(StopReason::Asked);
        self.run.outcome.recv_timeout(STOP_WITHIN).map_err(|error| match error {
            RecvTimeoutError::Timeout => UiError::Deaf,
            RecvTimeoutError::Disconnected => UiError::Vanished,
        })
    }

    fn save(&mut self) {
        let text = screen_text(&self.model);
        let notice = match save::write_screen(Path::new("."), &text) {
            Ok(path) => Notice { text: format!("written to {}", path.display()), bad: false },
            Err(error) => Notice { text: format!("the screen could not be written: {error}"), bad: true },
        };
        update(&mut self.model, Msg::Said(notice));
    }

    fn suspend(&mut self, guard: &Guard, signals: &Signals) -> Result<(), UiError> {
        guard.suspend()?;
        signals.take_continued();
        self.redraw()
    }

    fn draw(&mut self) -> Result<(), UiError> {
        let size = screen_size()?;
        if size != self.model.screen {
            update(&mut self.model, Msg::Resized(size));
            self.terminal.backend_mut().set_size(size);
        }
        self.terminal.draw(|frame| view(&self.model, frame))?;
        Ok(())
    }

    /// Draws every cell again, whatever the terminal shows.
    fn redraw(&mut self) -> Result<(), UiError> {
        let size = screen_size()?;
        self.terminal.backend_mut().forget();
        self.terminal.resize(ratatui::layout::Rect::from((ratatui::layout::Position::ORIGIN, size)))?;
        self.draw()
    }

    /// Stops the run if it still goes on, and reports how it ended.
    fn close(mut self, signal: Option<i32>) -> Result<Report, UiError> {
        let outcome = match self.outcome.take() {
            Some(outcome) => outcome,
            None => self.stop_run()?,
        };
        Ok(Report { outcome, scheduler: self.model.scheduler, hand_over: self.model.snapshot.hand_over, signal })
    }
}

fn screen_size() -> io::Result<Size> {
    let (width, height) = terminal::size()?;
    Ok(Size { width, height })
}
