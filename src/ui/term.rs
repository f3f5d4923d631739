//! The terminal as a guest should treat it: entered, left as it was found, whatever happens; and the signals that ask
//! for it.

use crate::gpu::QuietStderr;
use crate::lock::LockAlways as _;
use crate::signal::{CaughtSignals, is_ignored};
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{self, EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::crossterm::{execute, queue};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::write;
use rustix::stdio::stdout;
use rustix::termios::ttyname;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGSTOP, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::{flag, low_level};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// Whether the terminal is ours, so that it is left once.
static ENTERED: AtomicBool = AtomicBool::new(false);

/// While the terminal is ours the drivers of devices do not write to it.
static QUIET: Mutex<Option<QuietStderr>> = Mutex::new(None);

/// Ends an update of the screen. One that was cut short would hold the screen back.
const UPDATE_ENDS: &[u8] = b"\x1b[?2026l";

fn enter() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    ENTERED.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, Hide)?;
    // What goes to a file or a pipe is in nobody's way; and without a log the screen has to bear what comes.
    if QuietStderr::hides_terminal() {
        *QUIET.locked() = QuietStderr::begin().ok();
    }
    Ok(())
}

/// Does what it can: a terminal that has hung up cannot be asked for more.
fn leave() {
    if ENTERED.swap(false, Ordering::SeqCst) {
        // First, because it waits for no output: a terminal that takes none is not left raw.
        let _ = terminal::disable_raw_mode();
        let mut out = io::stdout();
        let _ = out.write_all(UPDATE_ENDS);
        let _ = queue!(out, ResetColor, Show, LeaveAlternateScreen);
        let _ = out.flush();
        drop(QUIET.locked().take());
        // A device may still be being opened.
        QuietStderr::restore();
    }
}

/// Restores what the shell needs of a terminal that is ours, before a signal ends the program there and then: another
/// thread may be in the middle of a write that does not end.
///
/// The modes are set without waiting for output. The main screen is asked for only as far as the terminal takes it at
/// once: by a descriptor of its own, because one that does not wait is shared with the shell otherwise, and not through
/// `stdout`, which the other thread has locked.
fn restore_at_once() {
    // It does nothing where the modes are restored already.
    let _ = terminal::disable_raw_mode();
    if !ENTERED.load(Ordering::SeqCst) {
        return;
    }
    let mut bytes = UPDATE_ENDS.to_vec();
    let _ = queue!(bytes, ResetColor, Show, LeaveAlternateScreen);
    let flags = OFlags::WRONLY | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let own = ttyname(stdout(), Vec::new()).and_then(|name| open(name, flags, Mode::empty()));
    let _ = own.map(|own| write(own, &bytes));
}

/// What panicking threads said while the screen was ours.
type PanicWords = Arc<Mutex<Vec<String>>>;

/// The terminal while it is ours. Dropping it gives the terminal back.
#[derive(Debug)]
pub struct Guard {
    said: PanicWords,
}

impl Guard {
    /// Enters raw mode and the alternate screen.
    ///
    /// Until the guard is dropped a panic of this thread gives the terminal back before it is reported; a panic of
    /// another one waits with its report, for its run answers for it.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn enter() -> io::Result<Guard> {
        let said = PanicWords::default();
        let (own, to) = (std::thread::current().id(), said.clone());
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
        Ok(Guard { said })
    }

    /// Gives the terminal back, stops the process until it is continued, and takes the terminal again.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn suspend(&self) -> io::Result<()> {
        leave();
        // Not SIGTSTP: the kernel drops it where no shell is left to continue us.
        low_level::raise(SIGSTOP)?;
        enter()
    }

    /// Takes the terminal again after somebody else has stopped and continued the process.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn resume(&self) -> io::Result<()> {
        leave();
        enter()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
        for report in self.said.locked().drain(..) {
            // The terminal may be gone, and nobody there to read it.
            let _ = writeln!(io::stderr(), "{report}");
        }
    }
}

/// Signals, as flags that the loop reads.
#[derive(Debug)]
pub struct Signals {
    calls: CaughtSignals,
    stop: Arc<AtomicBool>,
    continued: Arc<AtomicBool>,
    resized: Arc<AtomicBool>,
    left: Arc<AtomicBool>,
}

impl Signals {
    /// Catches the signals that end or stop a program, or tell it of another size of the screen, until it is dropped;
    /// those that whoever started the program had it ignore stay ignored.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub fn catch() -> io::Result<Signals> {
        let (calls, listener) = CaughtSignals::catch_with(&[SIGTERM, SIGHUP, SIGINT, SIGQUIT], restore_at_once)?;
        // The loop reads what has come; the thread is there for a loop that is stuck: it gives the terminal back.
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || listener.listen(|| ()))?;
        let [stop, continued, resized, left] = std::array::from_fn(|_| Arc::<AtomicBool>::default());
        if !is_ignored(SIGTSTP) {
            flag::register_conditional_default(SIGTSTP, left.clone())?;
            flag::register(SIGTSTP, stop.clone())?;
        }
        flag::register(SIGCONT, continued.clone())?;
        flag::register(SIGWINCH, resized.clone())?;
        Ok(Signals { calls, stop, continued, resized, left })
    }

    /// The signal that asks the program to end, if one has come.
    pub fn ending(&self) -> Option<i32> {
        self.calls.last()
    }

    /// Whether the program was asked to stop since the last question.
    pub fn take_stop(&self) -> bool {
        self.stop.swap(false, Ordering::Relaxed)
    }

    /// Whether the program was continued since the last question.
    pub fn take_continued(&self) -> bool {
        self.continued.swap(false, Ordering::Relaxed)
    }

    /// Whether the screen was given another size since the last question.
    pub fn take_resized(&self) -> bool {
        self.resized.swap(false, Ordering::Relaxed)
    }

    /// The terminal was seen to go away, whether a signal says so or not.
    pub fn hung_up(&self) {
        self.calls.note_hangup();
    }
}

impl Drop for Signals {
    /// From now on signals do what they do to any program.
    fn drop(&mut self) {
        self.calls.release();
        self.left.store(true, Ordering::Relaxed);
    }
}
