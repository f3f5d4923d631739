//! The live view: the only room that knows ratatui and crossterm.
//!
//! A run is looked at from outside: snapshots of its meters some ten times a second, and its rare events. Both go into
//! a [`Model`] through [`update`], which answers what is to be done; [`view()`] draws the model. Only `live.rs` looks at
//! the run, only [`stage`] the terminal and the clock. Keys are read before data and drawn at once. Other screens may lie
//! over it; what all of them are made of is in [`kit`].

mod about;
pub mod count;
pub mod cycles;
mod hires;
mod keyboard;
mod keys;
pub mod kit;
mod layout;
mod live;
pub mod map;
mod model;
pub mod picker;
mod player;
mod position;
mod rates;
mod save;
pub mod stage;
pub mod step;
mod term;
pub mod tour;
mod view;
mod wire;

pub use about::About;
pub use hires::Hires;
pub use keys::KEYS;
pub use kit::{Colours, SCREEN_MIN, Theme};
pub use layout::{Layout, Pane};
pub use model::{Effect, Model, Msg, Phase, update};
pub use rates::{Rates, Shares};
pub use save::screen_text;
pub use view::view;
pub use wire::Wire;

use crate::run::{Beginning, Plan, Source};
use live::STOP_WITHIN;
pub use live::Watching;
pub use stage::Exit;
use stage::Stage;
use std::io;

/// Frames a second when nothing else is asked for.
pub const FPS_DEFAULT: u32 = 10;

/// What is to be shown.
pub struct Session {
    /// What is asked to begin with, and by whom it is answered.
    pub plan: Plan,
    /// Whether the user may ask something else, or change the scheduler; not while its tours are written.
    pub may_restart: bool,
    /// Frames a second, 1..=60.
    pub fps: u32,
    /// Starts runs. Called again when the user changes the scheduler or asks something else, after the run before has
    /// ended.
    pub launch: Launch,
}

/// Starts a run, or whatever else is to be looked at, and answers at once.
pub type Launch = Box<dyn FnMut(&Plan, Beginning) -> Box<dyn Source>>;

/// How a session ended; its last run has ended too, and has told whoever launched it how.
pub struct Report {
    /// What the last run was asked, and its hand-over rule at the end.
    pub plan: Plan,
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
    let mut live = Watching::new(session, stage.size());
    let exit = stage.show(&mut live);
    let plan = live.close()?;
    let signal = match exit? {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    };
    Ok(Report { plan, signal })
}
