//! The terminal, and the screens that are shown on it one above the other.
//!
//! A [`Screen`] takes keys and time and draws itself; the stage alone touches terminal, signals and clock. What a screen
//! wants of it is a [`Turn`]. A screen may open another one over itself; those below go on with their time, unseen.

use super::echo::{self, Cause, Echo};
use super::end::{Exit, UiError};
use super::keyboard::{KeyNews, Keyboard};
use super::kit::keys::Action;
use super::kit::{Notice, ScreenMsg, StageWish};
use super::save;
use super::term::{Guard, Signals};
use super::wire::Wire;
use crate::signal;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Frame, Terminal};
use signal_hook::consts::{SIGHUP, SIGINT};
use std::io::{self, IsTerminal, Stdout};
use std::path::Path;
use std::time::{Duration, Instant};

/// Signals are noticed at least this often.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The largest screen that is drawn; of a larger one the rest stays empty. A terminal is believed about its size, and
/// nothing keeps it from saying 65535x65535: the cells of that would not fit into any memory. These take 50 MB, and are
/// more than a wall of pixels shows in letters that can be read.
const SCREEN_MAX: Size = Size { width: 1000, height: 500 };

/// What a screen wants next.
pub enum Turn {
    /// To stay.
    Stay,
    /// To give way to the screen below; the lowest one ends the session.
    Leave,
    /// To give way to the screen below, if there is one.
    Close,
    /// To end the session.
    Quit,
    /// To end the session as if by SIGINT.
    Interrupt,
    /// To stop the program until it is continued.
    Suspend,
    /// To be drawn again, every cell.
    Redraw,
    /// To be written to a file as text.
    Save,
    /// To be covered by another screen until that leaves.
    Open(Box<dyn Screen>),
}

impl From<StageWish> for Turn {
    fn from(wish: StageWish) -> Turn {
        match wish {
            StageWish::Leave => Turn::Leave,
            StageWish::Close => Turn::Close,
            StageWish::Interrupt => Turn::Interrupt,
            StageWish::Save => Turn::Save,
            StageWish::Redraw => Turn::Redraw,
            StageWish::Suspend => Turn::Suspend,
        }
    }
}

/// Something that fills the terminal.
pub trait Screen {
    /// Takes in a key, something that is to be said, or its size from now on, which is told before anything is drawn.
    fn take(&mut self, msg: ScreenMsg) -> Turn;

    /// Draws everything.
    fn draw(&self, frame: &mut Frame<'_>);

    /// When it next wants to be told the time, if at all.
    fn due(&self) -> Option<Instant> {
        None
    }

    /// The time has come.
    fn tick(&mut self, _now: Instant) -> Turn {
        Turn::Stay
    }

    /// Whether something is still to be done when it has left that a signal must not keep from being done.
    fn lingers(&self) -> bool {
        false
    }

    /// The screen above has left, and this one is seen again.
    fn uncovered(&mut self) -> Turn {
        Turn::Stay
    }
}

/// The terminal while it is ours.
pub struct Stage {
    guard: Guard,
    signals: Signals,
    keyboard: Keyboard,
    terminal: Terminal<Wire<Stdout>>,
    size: Size,
    echo: Echo,
    /// Whether something was not drawn, because the terminal is behind.
    stale: bool,
}

impl Stage {
    /// Takes the terminal.
    ///
    /// # Errors
    /// [`UiError::NoTerminal`] when stdout is none, or when it refuses.
    pub fn enter() -> Result<Stage, UiError> {
        if !io::stdout().is_terminal() {
            return Err(UiError::NoTerminal);
        }
        let signals = Signals::catch()?;
        let keyboard = Keyboard::open()?;
        let guard = Guard::enter()?;
        let size = screen_size()?;
        let terminal = Terminal::new(Wire::new(io::stdout(), size))?;
        Ok(Stage { guard, signals, keyboard, terminal, size, echo: Echo::default(), stale: false })
    }

    /// The size of the terminal.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Shows a screen until it, the user or a signal ends the session, or the terminal goes away. The terminal is given
    /// back, also on failure.
    ///
    /// # Errors
    /// When the terminal fails; one that went away, with a signal or without one, is no failure of ours.
    pub fn show(mut self, base: &mut dyn Screen) -> Result<Exit, UiError> {
        let shown = self.run(base);
        let exit = match (self.signals.ending(), shown) {
            (Some(signal), _) => Ok(Exit::Signal(signal)),
            (None, Err(UiError::Terminal(error))) if signal::is_hangup(&error) => Ok(Exit::Signal(SIGHUP)),
            (None, shown) => shown,
        };
        self.hear_out();
        drop(self.guard);
        if matches!(exit, Ok(Exit::Signal(SIGHUP))) {
            self.signals.hung_up();
        }
        if base.lingers() {
            // What follows is to be done whatever comes, once; as before, the second signal ends it.
            std::mem::forget(self.signals);
        }
        exit
    }

    fn run(&mut self, base: &mut dyn Screen) -> Result<Exit, UiError> {
        let mut above: Vec<Box<dyn Screen>> = Vec::new();
        base.take(ScreenMsg::Resized(self.size));
        self.redraw(base)?;
        loop {
            let (mut turns, ticked) = tick(base, &mut above);
            self.echo.answered(self.keyboard.take_answers(), Instant::now());
            if ticked || self.stale {
                self.draw(top(base, &mut above), Cause::News)?;
            }
            if let Some(signal) = self.signals.ending() {
                return Ok(Exit::Signal(signal));
            }
            if self.signals.take_stop() {
                turns.push(Turn::Suspend);
            } else if self.signals.take_continued() {
                self.guard.resume()?;
                turns.push(Turn::Redraw);
            }
            if turns.is_empty() {
                let due = [base.due()].into_iter().chain(above.iter().map(|screen| screen.due())).flatten().min();
                let wait = due.map_or(LOOK_EVERY, |due| due.saturating_duration_since(Instant::now()));
                if self.keyboard.wait(wait.min(LOOK_EVERY))? == KeyNews::Gone {
                    return Ok(Exit::Signal(SIGHUP));
                }
                while let Some(key) = self.keyboard.next() {
                    turns.push(top(base, &mut above).take(ScreenMsg::Key(key)));
                    // The next key may be for another screen.
                    if turns.last().is_some_and(|turn| !matches!(turn, Turn::Stay)) {
                        break;
                    }
                }
                if self.signals.take_resized() {
                    // Drawing looks at the size.
                    turns.push(Turn::Stay);
                }
            }
            if turns.is_empty() {
                continue;
            }
            for turn in turns {
                if let Some(exit) = self.take(turn, base, &mut above)? {
                    return Ok(exit);
                }
            }
            self.draw(top(base, &mut above), Cause::Key)?;
        }
    }

    /// Does what a screen wants; answers how the session ends, if it does.
    fn take(
        &mut self,
        turn: Turn,
        base: &mut dyn Screen,
        above: &mut Vec<Box<dyn Screen>>,
    ) -> Result<Option<Exit>, UiError> {
        match turn {
            Turn::Stay => {}
            Turn::Leave => {
                if above.pop().is_none() {
                    return Ok(Some(Exit::Left));
                }
                let screen = top(base, above);
                screen.take(ScreenMsg::Resized(self.size));
                let turn = screen.uncovered();
                return self.take(turn, base, above);
            }
            Turn::Close if above.is_empty() => {
                let text = format!("nothing is open; {} leaves", Action::Quit.key());
                base.take(ScreenMsg::Said(Notice { text, bad: false }));
            }
            Turn::Close => return self.take(Turn::Leave, base, above),
            Turn::Quit => return Ok(Some(Exit::Left)),
            Turn::Interrupt => return Ok(Some(Exit::Signal(SIGINT))),
            Turn::Suspend => {
                self.hear_out();
                self.guard.suspend()?;
                self.signals.take_continued();
                self.redraw(top(base, above))?;
            }
            Turn::Redraw => self.redraw(top(base, above))?,
            Turn::Save => {
                let screen = top(base, above);
                let text = save::text_of(self.size, |frame| screen.draw(frame));
                screen.take(ScreenMsg::Said(match save::write_screen(Path::new("."), &text) {
                    Ok(path) => Notice { text: format!("written to {}", path.display()), bad: false },
                    Err(error) => Notice { text: format!("the screen could not be written: {error}"), bad: true },
                }));
            }
            Turn::Open(mut screen) => {
                screen.take(ScreenMsg::Resized(self.size));
                above.push(screen);
            }
        }
        Ok(None)
    }

    /// Draws what has changed; later, if the terminal is behind.
    fn draw(&mut self, screen: &mut dyn Screen, cause: Cause) -> Result<(), UiError> {
        self.stale = !self.echo.is_open(cause, Instant::now());
        if self.stale {
            return Ok(());
        }
        let size = screen_size()?;
        if size != self.size {
            self.size = size;
            screen.take(ScreenMsg::Resized(size));
            self.terminal.backend_mut().set_size(size);
        }
        let asks = self.echo.asks();
        self.terminal.backend_mut().add(if asks { echo::QUESTION } else { &[] });
        self.terminal.draw(|frame| screen.draw(frame))?;
        self.echo.sent(asks && self.terminal.backend_mut().has_added(), Instant::now());
        Ok(())
    }

    /// Waits a little for what the terminal was asked: whoever has it next would take the answers for keys.
    fn hear_out(&mut self) {
        let until = self.echo.farewell(Instant::now());
        while self.echo.is_waiting() {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() || !matches!(self.keyboard.wait(wait), Ok(KeyNews::Here)) {
                break;
            }
            // Keys that are pressed meanwhile are for nobody.
            while self.keyboard.next().is_some() {}
            self.echo.answered(self.keyboard.take_answers(), Instant::now());
        }
        self.echo.forget();
    }

    /// Draws every cell again, whatever the terminal shows.
    fn redraw(&mut self, screen: &mut dyn Screen) -> Result<(), UiError> {
        self.size = screen_size()?;
        screen.take(ScreenMsg::Resized(self.size));
        let backend = self.terminal.backend_mut();
        backend.forget();
        backend.set_size(self.size);
        self.terminal.resize(Rect::from((Position::ORIGIN, self.size)))?;
        self.draw(screen, Cause::Anew)
    }
}

/// Tells every screen the time that wants to know it; answers what they want, and whether any was told.
fn tick(base: &mut dyn Screen, above: &mut [Box<dyn Screen>]) -> (Vec<Turn>, bool) {
    let now = Instant::now();
    let mut ticked = false;
    let mut turns = Vec::new();
    let mut tell = |screen: &mut dyn Screen| {
        if screen.due().is_some_and(|due| due <= now) {
            ticked = true;
            turns.push(screen.tick(now));
        }
    };
    tell(base);
    above.iter_mut().for_each(|screen| tell(&mut **screen));
    turns.retain(|turn| !matches!(turn, Turn::Stay));
    (turns, ticked)
}

/// The screen that is seen.
fn top<'s>(base: &'s mut dyn Screen, above: &'s mut [Box<dyn Screen>]) -> &'s mut dyn Screen {
    match above.last_mut() {
        Some(screen) => &mut **screen,
        None => base,
    }
}

/// The size of the terminal, or what is drawn of it.
fn screen_size() -> io::Result<Size> {
    let size = rustix::termios::tcgetwinsize(io::stdout())?;
    Ok(Size { width: size.ws_col.min(SCREEN_MAX.width), height: size.ws_row.min(SCREEN_MAX.height) })
}
