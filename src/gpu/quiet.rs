//! What drivers write to the terminal goes to a file.
//!
//! The C libraries behind a Vulkan driver write to file descriptor 2 whatever a program does about its own messages: a
//! line about an environment variable is enough to wreck a screen. So while a screen owns the terminal, and while a
//! device is being opened, the descriptor leads to a log file, which `destrier doctor` names.

use crate::lock::LockAlways as _;
use rustix::fs::OFlags;
use rustix::io::dup;
use rustix::stdio::{dup2_stderr, stderr};
use std::fs::File;
use std::io::{self, IsTerminal};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// Those who are quiet now, and where descriptor 2 led before.
static HOLDERS: Mutex<QuietHolders<OwnedFd>> = Mutex::new(QuietHolders { count: 0, before: None });

/// Where the log lies: in the user's state directory; nowhere if there is none. In a folder that others write to they
/// could have made a file of its name, or a link to one of the user's.
pub fn log_path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("destrier").join("drivers.log"))
}

/// While one of these lives, what is written to descriptor 2 goes to the log; with the last it leads back. Until then
/// [`QuietStderr::speak`] leads it back at once, so that a screen that is left can speak although a device is still being
/// opened.
#[derive(Debug)]
#[must_use = "it is quiet for as long as this lives"]
pub struct QuietStderr(());

impl QuietStderr {
    /// Leads descriptor 2 to the log, or to nowhere if that cannot be written.
    ///
    /// # Errors
    /// When descriptors cannot be had; then nothing has changed.
    pub fn begin() -> io::Result<QuietStderr> {
        holders().begin(lead_away)?;
        Ok(QuietStderr(()))
    }

    /// Leads descriptor 2 back, whoever is quiet still; the next one who begins leads it away again.
    pub fn speak() {
        holders().speak(lead_back);
    }

    /// Whether descriptor 2 is a terminal, or was before it was led away.
    pub fn hides_terminal() -> bool {
        holders().before.as_ref().map_or_else(|| io::stderr().is_terminal(), IsTerminal::is_terminal)
    }
}

impl Drop for QuietStderr {
    fn drop(&mut self) {
        holders().end(lead_back);
    }
}

fn holders() -> MutexGuard<'static, QuietHolders<OwnedFd>> {
    HOLDERS.locked()
}

fn lead_away() -> io::Result<OwnedFd> {
    let log = open_log().or_else(|_| File::options().write(true).open("/dev/null"))?;
    let terminal = dup(stderr())?;
    dup2_stderr(&log)?;
    Ok(terminal)
}

fn lead_back(terminal: OwnedFd) {
    // There is nobody left to be told that it failed.
    let _ = dup2_stderr(terminal);
}

fn open_log() -> io::Result<File> {
    let path = log_path().ok_or(io::ErrorKind::NotFound)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    append(&path)
}

/// A regular file that what is written goes behind.
fn append(path: &Path) -> io::Result<File> {
    // Nobody may read the pipe that stands there: opening it would wait for somebody who does.
    let at_once = OFlags::NONBLOCK.bits() as i32;
    let log = File::options().create(true).append(true).custom_flags(at_once).open(path)?;
    if log.metadata()?.is_file() { Ok(log) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// How many are quiet, and what led where they do not want it to, while it is led away.
struct QuietHolders<T> {
    count: usize,
    before: Option<T>,
}

impl<T> QuietHolders<T> {
    fn begin(&mut self, lead_away: impl FnOnce() -> io::Result<T>) -> io::Result<()> {
        if self.before.is_none() {
            self.before = Some(lead_away()?);
        }
        self.count += 1;
        Ok(())
    }

    fn end(&mut self, lead_back: impl FnOnce(T)) {
        self.count -= 1;
        if self.count == 0 {
            self.speak(lead_back);
        }
    }

    fn speak(&mut self, lead_back: impl FnOnce(T)) {
        if let Some(before) = self.before.take() {
            lead_back(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A descriptor that is led away and back, never twice in the same direction.
    #[derive(Default)]
    struct Descriptor(Cell<bool>);

    impl Descriptor {
        fn away(&self) -> io::Result<()> {
            assert!(!self.0.replace(true), "led away twice");
            Ok(())
        }

        fn back(&self, (): ()) {
            assert!(self.0.replace(false), "led back twice");
        }
    }

    /// Every order of eight steps of three who begin and end, and of one who speaks.
    #[test]
    fn it_is_quiet_from_the_first_to_the_last_but_for_whoever_speaks() {
        for order in 0..4u32.pow(8) {
            let (descriptor, mut held) = (Descriptor::default(), [false; 3]);
            let mut holders = QuietHolders { count: 0, before: None };
            let mut quiet = false;
            for step in 0..8 {
                match (order >> (2 * step)) as usize % 4 {
                    3 => {
                        holders.speak(|before| descriptor.back(before));
                        quiet = false;
                    }
                    who if held[who] => {
                        held[who] = false;
                        holders.end(|before| descriptor.back(before));
                        quiet &= held.contains(&true);
                    }
                    who => {
                        held[who] = true;
                        holders.begin(|| descriptor.away()).unwrap();
                        quiet = true;
                    }
                }
                assert_eq!(descriptor.0.get(), quiet, "order {order:#x} step {step}");
            }
        }
    }

    #[test]
    fn a_log_is_a_regular_file_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let [log, pipe] = ["log", "pipe"].map(|name| folder.path().join(name));
        for _ in 0..2 {
            io::Write::write_all(&mut append(&log).unwrap(), b"word ").unwrap();
        }
        assert_eq!(std::fs::read_to_string(&log).unwrap(), "word word ");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(append(&pipe).is_err() && append(folder.path()).is_err());
    }

    #[test]
    fn who_could_not_begin_holds_nothing() {
        let (descriptor, mut holders) = (Descriptor::default(), QuietHolders { count: 0, before: None });
        holders.begin(|| Err(io::ErrorKind::Other.into())).unwrap_err();
        holders.begin(|| descriptor.away()).unwrap();
        holders.end(|before| descriptor.back(before));
        assert!(!descriptor.0.get());
    }
}
