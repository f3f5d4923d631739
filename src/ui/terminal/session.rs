//! A session: the terminal and the stack of screens on it.
//!
//! A [`Screen`] handles keys and time and draws itself; only the session uses the terminal, signals and the clock. A
//! screen tells the session with an [`Effect`] what to do next. A screen can open another one over itself; the covered
//! screens still get the time.

use super::echo::{self, Cause, Echo};
use super::keyboard::{KeyNews, Keyboard};
use super::term::{Guard, Signals};
use super::wire::Wire;
use crate::signal;
use crate::ui::kit::keys::Action;
use crate::ui::kit::{Clip, Effect, Notice, ScreenEvent};
use crate::ui::save;
use crate::ui::screen::{Exit, Screen, UiError};
use crate::ui::settings::{self, Look};
use ratatui::Terminal;
use ratatui::layout::{Position, Rect, Size};
use signal_hook::consts::{SIGHUP, SIGINT};
use std::io::{self, IsTerminal, Stdout, Write};
use std::time::{Duration, Instant};

/// Asks the terminal for its background (OSC 11). It answers before the question at the end of the first frame, which
/// every terminal answers; so the answer is not waited for, and none that comes is left to the next program.
const BACKGROUND: &[u8] = b"\x1b]11;?\x1b\\";

/// Asks for the clicks and the wheel of the mouse, in the notation without limits (1006); and no longer.
const MOUSE_ON: &[u8] = b"\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF: &[u8] = b"\x1b[?1006l\x1b[?1000l";

/// How often signals are checked.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The largest area that is drawn; the rest of a larger terminal stays empty. A terminal may report 65535x65535,
/// whose cells would not fit into memory. An area of this size takes 50 MB and exceeds any screen with readable
/// letters.
const SCREEN_MAX: Size = Size { width: 1000, height: 500 };

/// The terminal while this program uses it.
pub struct TerminalSession {
    guard: Guard,
    signals: Signals,
    keyboard: Keyboard,
    terminal: Terminal<Wire<Stdout>>,
    size: Size,
    echo: Echo,
    look: Look,
    /// Whether the mouse is used.
    mouse: bool,
    /// Whether a frame was skipped because the terminal lags behind.
    stale: bool,
}

impl TerminalSession {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// [`UiError::NoTerminal`] if stdout is not a terminal; [`UiError::Terminal`] if it fails.
    pub fn enter() -> Result<TerminalSession, UiError> {
        if !io::stdout().is_terminal() {
            return Err(UiError::NoTerminal);
        }
        ask_for_short_turns();
        let signals = Signals::catch()?;
        let keyboard = Keyboard::open()?;
        let guard = Guard::enter()?;
        let size = screen_size()?;
        let (look, terminal) = (Look::of_terminal(), Terminal::new(Wire::new(io::stdout(), size))?);
        Ok(TerminalSession {
            guard,
            signals,
            keyboard,
            terminal,
            size,
            echo: Echo::default(),
            look,
            mouse: false,
            stale: false,
        })
    }

    /// The size of the terminal.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Shows a screen until the screen, the user or a signal ends the session, or the terminal is closed. The
    /// terminal is always restored.
    ///
    /// # Errors
    /// If the terminal fails. A terminal that was closed, with or without a signal, is not an error.
    pub fn show(mut self, base: &mut dyn Screen) -> Result<Exit, UiError> {
        let shown = self.run(base);
        let exit = match (self.signals.ending(), shown) {
            (Some(signal), _) => Ok(Exit::Signal(signal)),
            (None, Err(UiError::Terminal(error))) if signal::is_hangup(&error) => Ok(Exit::Signal(SIGHUP)),
            (None, shown) => shown,
        };
        self.drain_answers();
        drop(self.guard);
        if let Err(error) = settings::remember() {
            // Without stderr the notice is lost, as the settings are.
            let _ = writeln!(io::stderr(), "destrier: the settings could not be remembered: {error}");
        }
        if matches!(exit, Ok(Exit::Signal(SIGHUP))) {
            self.signals.hung_up();
        }
        if base.has_work_left() {
            // The remaining work must be done once, in spite of a signal; a second signal still ends it.
            std::mem::forget(self.signals);
        }
        exit
    }

    fn run(&mut self, base: &mut dyn Screen) -> Result<Exit, UiError> {
        let mut above: Vec<Box<dyn Screen>> = Vec::new();
        self.begin(base)?;
        loop {
            let (mut effects, ticked) = tick(base, &mut above);
            // Only a terminal that answers is asked for its ground, and the usual question stands behind: an answer that comes
            // late would reach the shell.
            if self.echo.answered(self.keyboard.take_answers(), Instant::now()) && self.look.asks_background() {
                self.terminal.backend_mut().send(&[BACKGROUND, echo::QUESTION].concat())?;
                self.echo.sent(true, Instant::now());
            }
            if let Some(light) = self.keyboard.take_background() {
                self.look.light = Some(light);
                let looks = self.looks();
                top(base, &mut above).take(looks);
                self.stale = true;
            }
            if ticked || self.stale {
                self.draw(top(base, &mut above), Cause::News)?;
            }
            if let Some(signal) = self.signals.ending() {
                return Ok(Exit::Signal(signal));
            }
            if self.signals.take_stop() {
                effects.push(Effect::Suspend);
            } else if self.signals.take_continued() {
                self.guard.resume()?;
                effects.push(Effect::Redraw);
            }
            if effects.is_empty() {
                match self.wait(base, &mut above)? {
                    Some(heard) => effects = heard,
                    None => return Ok(Exit::Signal(SIGHUP)),
                }
            }
            if effects.is_empty() {
                continue;
            }
            for effect in effects {
                if let Some(exit) = self.take(effect, base, &mut above)? {
                    return Ok(exit);
                }
            }
            // Of keys that come faster than they can be drawn, the last one is.
            if self.keyboard.is_empty() {
                self.draw(top(base, &mut above), Cause::Key)?;
            }
        }
    }

    /// Gives the first screen its size and looks and the notice of the settings, and draws it.
    fn begin(&mut self, base: &mut dyn Screen) -> Result<(), UiError> {
        base.take(ScreenEvent::Resized(self.size));
        if settings::current().mouse {
            self.turn_mouse()?;
        }
        base.take(self.looks());
        if let Some(text) = settings::current().notice.clone() {
            base.take(ScreenEvent::Said(Notice { text, bad: true }));
        }
        self.redraw(base)
    }

    /// Waits for keys, until a screen needs the time at the latest, and gives them to the screen at the top. Returns the effects;
    /// nothing if the terminal has gone.
    fn wait(&mut self, base: &mut dyn Screen, above: &mut [Box<dyn Screen>]) -> Result<Option<Vec<Effect>>, UiError> {
        let due = [base.due()].into_iter().chain(above.iter().map(|screen| screen.due())).flatten().min();
        let wait = due.map_or(LOOK_EVERY, |due| due.saturating_duration_since(Instant::now()));
        if self.keyboard.wait(wait.min(LOOK_EVERY))? == KeyNews::Gone {
            return Ok(None);
        }
        let mut effects = Vec::new();
        while let Some(msg) = self.keyboard.next() {
            effects.push(top(base, above).take(msg));
            // The next key may belong to another screen.
            if effects.last().is_some_and(|effect| !matches!(effect, Effect::Stay)) {
                break;
            }
        }
        if self.signals.take_resized() {
            // Drawing reads the new size.
            effects.push(Effect::Stay);
        }
        Ok(Some(effects))
    }

    /// Performs an effect; returns how the session ends, if it ends.
    fn take(
        &mut self,
        effect: Effect,
        base: &mut dyn Screen,
        above: &mut Vec<Box<dyn Screen>>,
    ) -> Result<Option<Exit>, UiError> {
        let notice = match effect {
            Effect::Leave => {
                if above.pop().is_none() {
                    return Ok(Some(Exit::Left));
                }
                let screen = top(base, above);
                screen.take(ScreenEvent::Resized(self.size));
                screen.take(self.looks());
                screen.uncovered();
                None
            }
            Effect::Close if above.is_empty() => Some(format!("nothing is open; {} leaves", Action::Quit.key()).into()),
            Effect::Close => return self.take(Effect::Leave, base, above),
            Effect::Quit => return Ok(Some(Exit::Left)),
            Effect::Interrupt => return Ok(Some(Exit::Signal(SIGINT))),
            Effect::Suspend => {
                self.drain_answers();
                self.guard.suspend()?;
                self.signals.take_continued();
                return self.take(Effect::Redraw, base, above);
            }
            Effect::Redraw => return self.redraw(top(base, above)).map(|()| None),
            Effect::NextTheme => {
                let text = self.look.turn();
                top(base, above).take(self.looks());
                Some(text.into())
            }
            Effect::NextSigns => {
                let text = self.look.turn_signs();
                top(base, above).take(self.looks());
                Some(text.into())
            }
            Effect::KeepLook => {
                let look = self.look;
                settings::note(|settings| (settings.theme, settings.signs) = (look.name, look.signs));
                Some(look.kept().into())
            }
            Effect::Save(name) => Some(self.save(&name, top(base, above))),
            Effect::Copy => Some(self.copy(top(base, above))?),
            Effect::Mouse => {
                let text = self.turn_mouse()?.to_owned();
                top(base, above).take(self.looks());
                Some(text.into())
            }
            Effect::Open => {
                let opened = top(base, above).opened();
                above.extend(opened.map(|mut screen| {
                    screen.take(ScreenEvent::Resized(self.size));
                    screen.take(self.looks());
                    screen
                }));
                None
            }
            // What remains of these is done by the screen.
            Effect::Stay | Effect::Run(_) | Effect::Do(_) => None,
        };
        if let Some(notice) = notice {
            top(base, above).take(ScreenEvent::Said(notice));
        }
        Ok(None)
    }

    /// Writes the screen to a file of this name; says what came of it.
    fn save(&self, name: &str, screen: &dyn Screen) -> Notice {
        let buffer = save::drawn(self.size, |frame| screen.draw(frame));
        match save::write_screen(name, &buffer, self.look.theme().light()) {
            Ok(path) => format!("written to {}", path.display()).into(),
            Err(error) => Notice { text: save::refusal(name, &error), bad: true },
        }
    }

    /// The colours, and whether the mouse is used, for a screen.
    fn looks(&self) -> ScreenEvent {
        ScreenEvent::Looks(self.look.theme(), self.mouse)
    }

    /// Turns the mouse on or off; says which.
    fn turn_mouse(&mut self) -> io::Result<&'static str> {
        self.mouse = !self.mouse;
        self.terminal.backend_mut().send(if self.mouse { MOUSE_ON } else { MOUSE_OFF })?;
        Ok(if self.mouse {
            "the mouse selects and scrolls; hold shift to select text"
        } else {
            "the mouse selects text again"
        })
    }

    /// Copies what a screen offers to the clipboard of the terminal; says what was sent.
    fn copy(&mut self, screen: &dyn Screen) -> io::Result<Notice> {
        let whole = Rect::from((Position::ORIGIN, self.size));
        let (what, text) = match screen.clip().unwrap_or_else(|| Clip::Part("the screen".to_owned(), whole)) {
            Clip::Text(what, text) => (what, text),
            Clip::Part(what, part) => {
                // Nothing that lies over the screen, such as a notice, is copied: it is gone with the key.
                (what, save::text_of(&save::drawn(self.size, |frame| screen.draw(frame)), part))
            }
        };
        let Some(bytes) = save::copying(&text) else {
            let text = format!("{what} has {} bytes, too many for a clipboard", text.len());
            return Ok(Notice { text, bad: true });
        };
        self.terminal.backend_mut().send(bytes.as_bytes())?;
        Ok(format!("sent to the clipboard: {what}, {} bytes", text.len()).into())
    }

    /// Draws the screen, or postpones it if the terminal lags behind.
    fn draw(&mut self, screen: &mut dyn Screen, cause: Cause) -> Result<(), UiError> {
        self.stale = !self.echo.is_open(cause, Instant::now());
        if self.stale {
            return Ok(());
        }
        let size = screen_size()?;
        if size != self.size {
            self.size = size;
            screen.take(ScreenEvent::Resized(size));
            self.terminal.backend_mut().set_size(size);
        }
        let asks = self.echo.asks();
        self.terminal.backend_mut().add(if asks { echo::QUESTION } else { &[] });
        self.terminal.draw(|frame| screen.draw(frame))?;
        self.echo.sent(asks && self.terminal.backend_mut().has_added(), Instant::now());
        Ok(())
    }

    /// Waits a short time for answers of the terminal, because the next program would read them as keys. A key ends that: then
    /// what has come from the terminal is dropped, as where the time is up.
    fn drain_answers(&mut self) {
        let until = self.echo.answer_deadline(Instant::now());
        while self.keyboard.next().is_some() {}
        while self.echo.is_waiting() {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() || !matches!(self.keyboard.wait(wait), Ok(KeyNews::Here)) {
                break;
            }
            self.echo.answered(self.keyboard.take_answers(), Instant::now());
            if self.keyboard.next().is_some() {
                break;
            }
        }
        if self.echo.is_waiting() {
            self.keyboard.flush();
        }
        self.echo.forget();
    }

    /// Draws every cell again, whatever the terminal shows.
    fn redraw(&mut self, screen: &mut dyn Screen) -> Result<(), UiError> {
        self.size = screen_size()?;
        screen.take(ScreenEvent::Resized(self.size));
        let mouse = self.mouse;
        let backend = self.terminal.backend_mut();
        if mouse {
            // Another program may have turned it off.
            backend.send(MOUSE_ON)?;
        }
        backend.forget();
        backend.set_size(self.size);
        self.terminal.resize(Rect::from((Position::ORIGIN, self.size)))?;
        self.draw(screen, Cause::Anew)
    }
}

/// Calls every screen whose time is due. Returns their effects, and whether any screen was called.
fn tick(base: &mut dyn Screen, above: &mut [Box<dyn Screen>]) -> (Vec<Effect>, bool) {
    let now = Instant::now();
    let mut ticked = false;
    let mut effects = Vec::new();
    let mut tell = |screen: &mut dyn Screen| {
        if screen.due().is_some_and(|due| due <= now) {
            ticked = true;
            effects.push(screen.tick(now));
        }
    };
    tell(base);
    above.iter_mut().for_each(|screen| tell(&mut **screen));
    effects.retain(|effect| !matches!(effect, Effect::Stay));
    (effects, ticked)
}

fn top<'s>(base: &'s mut dyn Screen, above: &'s mut [Box<dyn Screen>]) -> &'s mut dyn Screen {
    match above.last_mut() {
        Some(screen) => &mut **screen,
        None => base,
    }
}

/// The size of the terminal, limited to [`SCREEN_MAX`].
fn screen_size() -> io::Result<Size> {
    let size = rustix::termios::tcgetwinsize(io::stdout())?;
    Ok(Size { width: size.ws_col.min(SCREEN_MAX.width), height: size.ws_row.min(SCREEN_MAX.height) })
}

// Asks the scheduler of the operating system to let this thread run soon after it wakes.
//
// The thread that draws needs half a millisecond a frame, but where all cores are busy it waits for its turn as long as
// a worker does. Since Linux 6.12 a thread may ask for short turns, and a thread with short turns is the next one when it
// wakes. This needs no privilege, and its share of the cores stays what it was.
//
// With 64 workers and two busy loops on two cores the help was painted in 7.6 ms after its key with short turns and in 9.5
// without (medians of 100), in 99 of 100 cases within 72 and 240 ms; in another pair within 24 and 25.
//
// # Source
// P. Zijlstra, "sched/eevdf: Use sched_attr::sched_runtime to set request/slice suggestion", Linux 6.12, 2024.

/// The shortest turn that Linux grants.
#[cfg(target_os = "linux")]
const TURN_NS: u64 = 100_000;

/// Asks for short turns of the calling thread, but not of threads that it starts. Where that is refused or not known, and
/// where the user has chosen another policy or a priority above the usual one, which threads started later would lose, the
/// thread runs as before.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "no library has these two calls; each uses one struct, which lives until it returns")]
fn ask_for_short_turns() {
    const SIZE: u32 = size_of::<libc::sched_attr>() as u32;
    let mut attr = libc::sched_attr {
        size: SIZE,
        sched_policy: 0,
        sched_flags: 0,
        sched_nice: 0,
        sched_priority: 0,
        sched_runtime: 0,
        sched_deadline: 0,
        sched_period: 0,
    };
    // SAFETY: the kernel writes at most `SIZE` bytes, into a struct of this size. Thread 0 is the calling one.
    let known = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attr, SIZE, 0) } == 0;
    if known && attr.sched_policy == libc::SCHED_OTHER as u32 && attr.sched_nice >= 0 {
        attr.sched_flags |= libc::SCHED_FLAG_RESET_ON_FORK as u64;
        attr.sched_runtime = TURN_NS;
        // SAFETY: the kernel reads as many bytes as the struct says it has.
        unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attr, 0) };
    }
}

/// Nothing can be asked for.
#[cfg(not(target_os = "linux"))]
fn ask_for_short_turns() {}
