//! The screens: the only room that knows ratatui and crossterm.
//!
//! A screen is a folder: a model that keys, time and frames update, a view that draws it, and the screen itself. The
//! screens of a run read it by [`playing`]; only [`terminal`] uses the terminal. Keys are handled before data and drawn
//! at once. The [`live`] view opens other screens. All screens are built from the parts in [`kit`].
//!
//! | file or folder | contents |
//! | --- | --- |
//! | `terminal/` | the terminal: `terminal/session.rs` is the loop of a session, `terminal/keyboard/` turns bytes into keys |
//! | `kit/` | the parts of all screens; `kit/keys.rs` turns keys into actions |
//! | `screen.rs`, `playing.rs` | what a screen is, and how a session ends; reads a run for a screen, and plays its past |
//! | `settings/` | what a user keeps: configuration, keys, themes; what is remembered |
//! | `save.rs` | the screen as text and as a picture, in a file or in the clipboard of the terminal |
//! | `tutorial.rs`, the other folders | a screen each |
//!
//! | word | what it is |
//! | --- | --- |
//! | *effect* | what a model asks for after a key or a frame: of the session, of its run, or of its screen ([`kit::Effect`]) |
//! | *feed* | gives a model what is new, and does what it asks for ([`screen::Feed`]) |
//! | *playback* | the past of a run and the moment of it that is shown, which is its last one while it is live |
//! | *place* | where a pane is drawn, and how much fits there |
//! | *sheet* | the part of a board that is seen, and where its squares are on the screen |
//! | *story* | the sentence about what has just happened, and those that wait for their turn |
//! | *tape* | what is stepped through: a search with its past, or the film of a device |
//! | *wire* | the terminal as ratatui writes to it, in few bytes |
//!
//! To add a screen, write `mod.rs`, `model.rs`, `view.rs`, `help.txt` and `tests.rs` in a folder, declare the folder here and add
//! its keys to [`SCREENS`], and open it by a command: seven files.

pub mod compare;
pub mod count;
pub mod kit;
pub mod live;
pub mod playing;
mod save;
pub mod screen;
pub mod settings;
pub mod step;
pub mod terminal;
pub mod tour;
pub mod tutorial;

pub use kit::workers::WorkerOrder;
pub use kit::{Colours, SCREEN_MIN, Signs, Theme};
pub use live::{
    About, KEYS, Launch, LiveModel, LivePane, LiveScreen, Phase, PrepareDetach, Session, screen_text, view,
};
pub use playing::RunModel;
pub use screen::Model;
pub use screen::{Exit, UiError};
pub use terminal::Wire;

use crate::run::{Beginning, Plan, Source};
use terminal::TerminalSession;

/// The key tables of the screens.
pub const SCREENS: [&kit::Keys; 6] =
    [&compare::KEYS, &count::KEYS, &live::KEYS, &step::FILM_KEYS, &step::KEYS, &tour::KEYS];

/// How a session ended. Its last run has ended, too, and has reported its result to the code that launched it.
pub struct SessionReport {
    /// The plan of the last run, with its hand-over rule at the end.
    pub plan: Plan,
    /// The time of the last run when it was left to another process, if it was.
    pub detached: Option<std::time::Duration>,
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
    let (fps, beginning) = (None, Beginning::default());
    let prepare_detach = Box::new(|| Ok(()));
    let session = Session { plan, may_restart: false, fps, beginning, launch: Box::new(launch), prepare_detach };
    Ok(run(session)?.signal.map_or(Exit::Left, Exit::Signal))
}

/// Shows a session until the user or a signal ends it, or its run fails.
///
/// # Errors
/// [`UiError`]. The terminal is restored in that case, too.
pub fn run(session: Session) -> Result<SessionReport, UiError> {
    let terminal = TerminalSession::enter()?;
    let mut live = live::screen(session, terminal.size());
    let exit = terminal.show(&mut live);
    let (plan, detached) = live.close()?;
    let signal = match exit? {
        Exit::Left => None,
        Exit::Signal(signal) => Some(signal),
    };
    Ok(SessionReport { plan, detached, signal })
}
