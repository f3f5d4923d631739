//! The live view: the only room that knows ratatui and crossterm.
//!
//! The live view observes a run from outside: about ten snapshots of its meters a second, and its rare events. Both
//! update a [`LiveModel`] through [`update()`], which returns an effect to perform; [`view()`] draws the model. Only
//! `live.rs` talks to the run; only [`stage`] uses the terminal and the clock. Keys are handled before data and drawn
//! at once. Other screens can open over the live view. All screens are built from the parts in [`kit`].

mod about;
pub mod campaign;
pub mod compare;
mod control;
pub mod count;
pub mod cycles;
mod echo;
mod end;
mod find;
mod hires;
mod keyboard;
mod keys;
pub mod kit;
mod layout;
mod live;
mod look;
pub mod map;
mod model;
mod order;
pub mod picker;
pub mod playing;
mod position;
mod rates;
mod report;
mod save;
mod seen;
mod session;
pub mod stage;
pub mod step;
mod term;
pub mod tour;
mod update;
mod view;
mod wire;

pub use about::About;
pub use end::{Exit, UiError};
pub use keys::KEYS;
pub use kit::{Colours, SCREEN_MIN, Theme};
pub use layout::{LiveLayout, LivePane};
pub use live::Watching;
pub use model::{LiveEffect, LiveModel, Phase};
pub use order::WorkerOrder;
pub use playing::RunModel;
pub use save::screen_text;
pub use session::{Launch, PrepareDetach, Session};
pub use update::update;
pub use view::view;
pub use wire::Wire;

use crate::run::{Beginning, Plan, Source};
use stage::Stage;

/// Default number of frames a second.
pub const FPS_DEFAULT: u32 = 10;

/// How a session ended. Its last run has ended, too, and has reported its result to the code that launched it.
pub struct SessionReport {
    /// The plan of the last run, with its hand-over rule at the end.
    pub plan: Plan,
    /// Whether the last run continues in another process.
    pub detached: bool,
    /// The signal that ended the session, if any; `ctrl-c` counts as SIGINT.
    pub signal: Option<i32>,
}

/// Shows a run of another process, or a recorded run, until the user or a signal ends the session.
///
/// # Errors
/// [`UiError`] if there is no terminal or the terminal fails.
pub fn look_on(plan: Plan, source: Box<dyn Source>) -> Result<Exit, UiError> {
    let mut source = Some(source);
    let launch = move |_: &Plan, _| -> Box<dyn Source> {
        source.take().unwrap_or_else(|| unreachable!("what is not our own is not started again"))
    };
    let (fps, beginning) = (FPS_DEFAULT, Beginning::default());
    let prepare_detach = Box::new(|| Ok(()));
    let session = Session { plan, may_restart: false, fps, beginning, launch: Box::new(launch), prepare_detach };
    Ok(run(session)?.signal.map_or(Exit::Left, Exit::Signal))
}

/// Shows a session until the user or a signal ends it, or its run fails.
///
/// # Errors
/// [`UiError`]. The terminal is restored in that case, too.
pub fn run(session: Session) -> Result<SessionReport, UiError> {
    let stage = Stage::enter()?;
    let mut live = Watching::new(session, stage.size());
    let exit = stage.show(&mut live);
    let (plan, detached) = live.close()?;
    let signal = match exit? {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    };
    Ok(SessionReport { plan, detached, signal })
}
