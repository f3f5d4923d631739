//! Enters and leaves the terminal, restores it on panics and signals, and catches the signals that concern it.

use crate::gpu::QuietStderr;
use crate::lock::LockAlways as _;
use crate::signal::{CaughtSignals, ENDING, is_ignored};
use crate::system;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::queue;
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::write;
use rustix::stdio::stdout;
use rustix::termios::ttyname;
use signal_hook::consts::{SIGABRT, SIGCONT, SIGQUIT, SIGSTOP, SIGTSTP, SIGWINCH};
use signal_hook::{flag, low_level};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Whether this program has the terminal, so that it is left exactly once.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// Redirects stderr while this program has the terminal, because device drivers write to it.
static QUIET: Mutex<Option<QuietStderr>> = Mutex::new(None);

/// Asks the terminal to mark pasted text (bracketed paste).
const PASTE_ON: &[u8] = b"\x1b[?2004h";

/// Ends a synchronized update, and the use of mouse and pasted text. An update that was cut short would freeze the screen.
const MODES_END: &[u8] = b"\x1b[?2026l\x1b[?1006l\x1b[?1000l\x1b[?2004l";

/// What gives the terminal back. The screen is cleared first: a terminal that rewraps the lines of the alternate screen
/// may otherwise keep some of them above the prompt.
fn leaving() -> Vec<u8> {
    let mut bytes = MODES_END.to_vec();
    // Nothing is refused by a vector.
    let _ = queue!(bytes, ResetColor, Clear(ClearType::All), Show, LeaveAlternateScreen);
    bytes
}

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, Hide)?;
    out.write_all(PASTE_ON)?;
    out.flush()?;
    // Stderr in a file or pipe needs no redirection. Without a log, messages appear on the screen.
    if QuietStderr::hides_terminal() {
        *QUIET.locked() = QuietStderr::begin().ok();
    }
    Ok(())
}

/// Restores the terminal as far as possible: a terminal that has hung up refuses everything.
fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        // This comes first because it waits for no output: a terminal that accepts none must not stay raw.
        let _ = terminal::disable_raw_mode();
        let mut out = io::stdout();
        let _ = out.write_all(&leaving());
        let _ = out.flush();
        drop(QUIET.locked().take());
        // A device may still be opening.
        QuietStderr::restore();
    }
}

/// Restores what the shell needs before a signal ends the program at once. Another thread may be blocked in a write
/// that never returns.
///
/// The modes are set without waiting for output. The main screen is requested only as far as the terminal accepts
/// bytes at once. The write uses its own non-blocking descriptor: a shared one would become non-blocking for the
/// shell, too. It does not use `stdout`, which the other thread has locked.
fn restore_at_once() {
    // This has no effect if the modes are already restored.
    let _ = terminal::disable_raw_mode();
    if !ENTERED.load(Ordering::SeqCst) {
        return;
    }
    let flags = OFlags::WRONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let own = ttyname(stdout(), Vec::new()).and_then(|name| open(name, flags, Mode::empty()));
    let _ = own.map(|own| write(own, &leaving()));
}

/// Panic messages of other threads while this program has the terminal.
type PanicWords = Arc<Mutex<Vec<String>>>;

/// The terminal in use. Dropping the guard restores it.
#[derive(Debug)]
pub struct Guard {
    panic_words: PanicWords,
}

impl Guard {
    /// Enters raw mode and the alternate screen.
    ///
    /// Until the guard is dropped, a panic of this thread restores the terminal before it is reported. The report of
    /// a panic of another thread waits until then, because the run itself reports the failure.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn enter() -> io::Result<Guard> {
        let panic_words = PanicWords::default();
        let (own, to) = (std::thread::current().id(), panic_words.clone());
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if std::thread::current().id() == own {
                leave();
            }
            if ENTERED.load(Ordering::SeqCst) {
                let name = std::thread::current().name().unwrap_or("a thread").to_owned();
                to.locked().push(format!("{name}: {info}"));
            } else {
                QuietStderr::restore();
                before(info);
            }
        }));
        enter()?;
        Ok(Guard { panic_words })
    }

    /// Restores the terminal, suspends the process until it is continued, and enters the terminal again.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn suspend(&self) -> io::Result<()> {
        leave();
        // Not SIGTSTP: the kernel drops it if no shell is left to continue the process.
        low_level::raise(SIGSTOP)?;
        enter()
    }

    /// Enters the terminal again after the process was stopped and continued from outside.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn resume(&self) -> io::Result<()> {
        leave();
        enter()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
        for report in self.panic_words.locked().drain(..) {
            // The terminal may be gone; then the report is lost.
            let _ = writeln!(io::stderr(), "{report}");
        }
    }
}

/// The signals of the session, as flags that the main loop reads.
#[derive(Debug)]
pub struct Signals {
    calls: CaughtSignals,
    stop: Arc<AtomicBool>,
    continued: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    left: Arc<AtomicBool>,
}

impl Signals {
    /// Catches the signals that end or stop the program or report a new screen size, until the value is dropped.
    /// Signals that were ignored when the program started stay ignored.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub fn catch() -> io::Result<Signals> {
        let (calls, listener) =
            CaughtSignals::catch_with(&[&ENDING[..], &[SIGQUIT, SIGABRT]].concat(), restore_at_once)?;
        // The main loop reads the flags. The thread restores the terminal if the main loop is stuck.
        system::start("signal", move || listener.listen(|| ()))?;
        let [stop, continued, resized, left] = std::array::from_fn(|_| Arc::<AtomicBool>::default());
        if !is_ignored(SIGTSTP) {
            flag::register_conditional_default(SIGTSTP, left.clone())?;
            flag::register(SIGTSTP, stop.clone())?;
        }
        flag::register(SIGCONT, continued.clone())?;
        flag::register(SIGWINCH, resized.clone())?;
        Ok(Signals { calls, stop, continued, resized, left })
    }

    /// The signal that asks the program to end, if one has arrived.
    pub fn ending(&self) -> Option<i32> {
        self.calls.last()
    }

    /// Whether the program was asked to suspend since the last call.
    pub fn take_stop(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }

    /// Whether the program was continued since the last call.
    pub fn take_continued(&self) -> bool {
        self.continued.swap(false, Ordering::Relaxed)
    }

    /// Whether the screen changed its size since the last call.
    pub fn take_resized(&self) -> bool {
        self.resized.swap(false, Ordering::Relaxed)
    }

    /// Records that the terminal was closed, with or without a signal.
    pub fn hung_up(&self) {
        self.calls.note_hangup();
    }
}

impl Drop for Signals {
    /// Restores the default behaviour of the signals.
    fn drop(&mut self) {
        self.calls.release();
        self.left.store(true, Ordering::Relaxed);
    }
}
