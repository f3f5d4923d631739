//! Redirects what drivers write to the terminal into a file.
//!
//! The C libraries behind a Vulkan driver write to file descriptor 2 without asking the program. A single line about
//! an environment variable garbles a screen. So the descriptor leads to a log file while a screen owns the terminal
//! and while a device is being opened. `destrier doctor` names the file.

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

/// The living [`QuietStderr`] values, and where descriptor 2 led before them.
static HOLDERS: Mutex<QuietHolders<OwnedFd>> = Mutex::new(QuietHolders { count: 0, before: None });

/// The log file, in the user's state directory; `None` if there is no such directory. A folder that other
/// users may write to is never used: they could have put a file or a link of that name there.
pub fn log_path() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| folder("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("destrier").join("drivers.log"))
}

/// While a value of this type lives, descriptor 2 leads to the log; dropping the last one restores it.
/// [`QuietStderr::restore`] restores it earlier: a program that has left its screen can print although a device is
/// still being opened.
#[derive(Debug)]
#[must_use = "descriptor 2 is redirected for as long as this value lives"]
pub struct QuietStderr(());

impl QuietStderr {
    /// Redirects descriptor 2 to the log, or to `/dev/null` if the log cannot be written.
    ///
    /// # Errors
    /// When a descriptor cannot be opened; then nothing has changed.
    pub fn begin() -> io::Result<QuietStderr> {
        holders().begin(redirect_to_log)?;
        Ok(QuietStderr(()))
    }

    /// Restores descriptor 2 at once, although values of this type are alive. The next [`QuietStderr::begin`]
    /// redirects it again.
    pub fn restore() {
        holders().restore(redirect_back);
    }

    /// Whether descriptor 2 is a terminal, or was one before it was redirected.
    pub fn hides_terminal() -> bool {
        holders().before.as_ref().map_or_else(|| io::stderr().is_terminal(), IsTerminal::is_terminal)
    }
}

impl Drop for QuietStderr {
    fn drop(&mut self) {
        holders().end(redirect_back);
    }
}

fn holders() -> MutexGuard<'static, QuietHolders<OwnedFd>> {
    HOLDERS.locked()
}

fn redirect_to_log() -> io::Result<OwnedFd> {
    let log = open_log().or_else(|_| File::options().write(true).open("/dev/null"))?;
    let terminal = dup(stderr())?;
    dup2_stderr(&log)?;
    Ok(terminal)
}

fn redirect_back(terminal: OwnedFd) {
    // A failure cannot be reported: stderr is what failed.
    let _ = dup2_stderr(terminal);
}

fn open_log() -> io::Result<File> {
    let path = log_path().ok_or(io::ErrorKind::NotFound)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    append(&path)
}

/// Opens a regular file for appending.
fn append(path: &Path) -> io::Result<File> {
    // If the path is a pipe without a reader, a blocking open would wait for one.
    let at_once = OFlags::NONBLOCK.bits() as i32;
    let log = File::options().create(true).append(true).custom_flags(at_once).open(path)?;
    if log.metadata()?.is_file() { Ok(log) } else { Err(io::ErrorKind::InvalidInput.into()) }
}

/// The number of holders, and where the descriptor led before; `before` is set only while it is redirected.
struct QuietHolders<T> {
    count: usize,
    before: Option<T>,
}

impl<T> QuietHolders<T> {
    fn begin(&mut self, redirect: impl FnOnce() -> io::Result<T>) -> io::Result<()> {
        if self.before.is_none() {
            self.before = Some(redirect()?);
        }
        self.count += 1;
        Ok(())
    }

    fn end(&mut self, restore: impl FnOnce(T)) {
        self.count -= 1;
        if self.count == 0 {
            self.restore(restore);
        }
    }

    fn restore(&mut self, restore: impl FnOnce(T)) {
        if let Some(before) = self.before.take() {
            restore(before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// A descriptor that must not be redirected or restored twice in a row.
    #[derive(Default)]
    struct Descriptor(Cell<bool>);

    impl Descriptor {
        fn away(&self) -> io::Result<()> {
            assert!(!self.0.replace(true), "redirected twice");
            Ok(())
        }

        fn back(&self, (): ()) {
            assert!(self.0.replace(false), "restored twice");
        }
    }

    /// Every order of eight steps: three holders begin and end, and `restore` is called in between.
    #[test]
    fn the_descriptor_is_redirected_from_the_first_holder_to_the_last_or_until_restored() {
        for order in 0..4u32.pow(8) {
            let (descriptor, mut held) = (Descriptor::default(), [false; 3]);
            let mut holders = QuietHolders { count: 0, before: None };
            let mut quiet = false;
            for step in 0..8 {
                match (order >> (2 * step)) as usize % 4 {
                    3 => {
                        holders.restore(|before| descriptor.back(before));
                        quiet = false;
                    }
                    holder if held[holder] => {
                        held[holder] = false;
                        holders.end(|before| descriptor.back(before));
                        quiet &= held.contains(&true);
                    }
                    holder => {
                        held[holder] = true;
                        holders.begin(|| descriptor.away()).unwrap();
                        quiet = true;
                    }
                }
                assert_eq!(descriptor.0.get(), quiet, "order {order:#x} step {step}");
            }
        }
    }

    #[test]
    fn a_log_is_a_regular_file_and_a_pipe_is_refused_at_once() {
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
    fn a_holder_that_cannot_begin_does_not_count() {
        let (descriptor, mut holders) = (Descriptor::default(), QuietHolders { count: 0, before: None });
        holders.begin(|| Err(io::ErrorKind::Other.into())).unwrap_err();
        holders.begin(|| descriptor.away()).unwrap();
        holders.end(|before| descriptor.back(before));
        assert!(!descriptor.0.get());
    }
}
