//! The live view: the only room that knows ratatui and crossterm.
//!
//! A run is looked at from outside: snapshots of its meters some ten times a second, and its rare events. Both go into
//! a [`Model`] through [`update`], which answers what is to be done; [`view()`] draws the model. Only `live.rs` touches
//! the run, only [`stage`] the terminal and the clock. Keys are read before data and drawn at once.

mod about;
pub mod count;
pub mod cycles;
pub mod heat;
mod hires;
mod history;
mod keyboard;
mod keys;
mod layout;
mod live;
pub mod map;
mod model;
pub mod picker;
mod position;
mod question;
mod rates;
mod save;
pub mod stage;
pub mod step;
pub mod surface;
mod term;
mod theme;
pub mod tour;
mod view;
mod wire;

pub use about::{About, Ended};
pub use hires::Hires;
pub use history::{History, Point};
pub use keys::{Action, BINDINGS, Binding, action};
pub use layout::{Density, Grid, Layout, Pane, SCREEN_MIN};
pub use model::{Effect, Model, Msg, Notice, Phase, update};
pub use question::{Choice, Question};
pub use rates::{Rates, Shares};
pub use save::screen_text;
pub use theme::{Colours, Role, Theme};
pub use view::view;
pub use wire::Wire;

use crate::event::Event;
use crate::schedule::{Outcome, RunError, Watch};
use crate::search::HandOver;
use crate::solve::Answer;
use crossbeam_channel::Receiver;
use live::{Live, STOP_WITHIN};
pub use stage::Exit;
use stage::Stage;
use std::io;

/// Frames a second when nothing else is asked for.
pub const FPS_DEFAULT: u32 = 10;

/// What is to be shown.
pub struct Session {
    /// What is asked to begin with.
    pub choice: Choice,
    /// Whether the user may ask something else, or change the scheduler; not while its tours are written.
    pub may_restart: bool,
    /// The hand-over rule to begin with.
    pub hand_over: HandOver,
    /// Frames a second, 1..=60.
    pub fps: u32,
    /// Starts runs. Called again when the user changes the scheduler or asks something else, after the run before has
    /// ended.
    pub launch: Launch,
}

/// Starts a run on threads of its own and answers at once.
pub type Launch = Box<dyn FnMut(&Choice, Beginning) -> Launched>;

/// How a run is to begin.
#[derive(Clone, Copy, Debug)]
pub struct Beginning {
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
    pub outcome: Receiver<Result<Done, RunError>>,
}

/// How a run ended.
#[derive(Debug)]
pub struct Done {
    /// What it counted.
    pub outcome: Outcome,
    /// What it found, where one tour was looked for.
    pub answer: Option<Answer>,
    /// Attempts begun at it.
    pub attempts: u64,
}

/// How a session ended.
pub struct Report {
    /// How the last run ended; it was stopped if it was still going on.
    pub outcome: Result<Done, RunError>,
    /// What the last run was asked.
    pub choice: Choice,
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
    /// The thread that does what is shown could not be started.
    #[error("its thread could not be started: {0}")]
    Thread(io::Error),
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
    let stage = Stage::enter()?;
    let mut live = Live::new(session, stage.size());
    let exit = stage.show(&mut live);
    let (outcome, choice, hand_over) = live.close()?;
    let signal = match exit? {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    };
    Ok(Report { outcome, choice, hand_over, signal })
}
