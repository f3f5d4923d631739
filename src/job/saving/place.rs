//! What is the same for all saved runs: the file, how often it is saved, how it is read, and what is reported at the end.

use crate::bounded::FileFormat;
use crate::job::failure::{Failure, running, usage};
use crate::job::files::absolute;
use crate::job::say::say;
use crate::lock::LockAlways as _;
use crate::saved::{self, RecordFault, ReplacedFile, older};
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use std::{fs, io};

/// Interval of saves, if none is given.
pub const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// The shortest interval that a disk can follow.
const INTERVAL_MIN: Duration = Duration::from_millis(10);

/// The interval, checked.
///
/// # Errors
/// [`Failure::Usage`] when it is shorter than a disk can follow.
pub fn checked_interval(every: Option<Duration>) -> Result<Option<Duration>, Failure> {
    match every {
        Some(every) if every < INTERVAL_MIN => Err(usage("--every: a run is kept every 10ms at most")),
        every => Ok(every),
    }
}

/// The file of a run, as an option names it.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file.
pub fn place(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    named(option, path, ReplacedFile::new)
}

fn named(option: &str, path: &Path, make: fn(&Path) -> Result<ReplacedFile, String>) -> Result<ReplacedFile, Failure> {
    if path.to_str().is_none() {
        return Err(usage(format!("{option} {}: its name is no text", path.display())));
    }
    let path = absolute(option, path)?;
    make(&path).map_err(|why| usage(format!("{option} {}: {why}", path.display())))
}

/// A file of a run whose name follows from that of another one: it must be no link.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file.
pub fn beside(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    refuse_link(option, path)?;
    place(option, path)
}

/// Refuses a link where the name of a file follows from that of another one or of its folder.
///
/// # Errors
/// [`Failure::Usage`] then.
pub fn refuse_link(option: &str, path: &Path) -> Result<(), Failure> {
    saved::refuse_link(path).map_err(|why| usage(format!("{option} {}: {why}", path.display())))
}

/// The file of a run, locked: no other run can be saved in it.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file, or another run has it.
pub fn claimed_place(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    claimed(option, place(option, path)?)
}

/// The file of a run that is read, and perhaps resumed: locked before it is read, because a run at work replaces it at any moment.
/// Its folder need not be writable.
///
/// # Errors
/// As [`claimed_place`].
pub fn claimed_to_read(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    claimed(option, named(option, path, ReplacedFile::to_read)?)
}

/// This file, locked.
///
/// # Errors
/// [`Failure::Usage`] when another run has it.
pub fn claimed(option: &str, place: ReplacedFile) -> Result<ReplacedFile, Failure> {
    place.claim().map_err(|why| usage(format!("{option} {}: {why}", place.path().display())))?;
    Ok(place)
}

/// The failure of a run whose first file could not be written: bad usage where another run has just made that file.
pub fn not_begun(place: &ReplacedFile, error: &io::Error) -> Failure {
    let path = place.path().display();
    match saved::is_taken(error) {
        true => usage(format!("{path} {error}")),
        false => running(format!("{path}: {error}")),
    }
}

/// Reads a checkpoint by `read`, if the file exists.
///
/// # Errors
/// [`Failure::Usage`] when it is no checkpoint, or is damaged; then the previous one is offered, if `read` can read it.
pub fn read_if_there<T>(path: &Path, read: impl Fn(&Path) -> Result<T, RecordFault>) -> Result<Option<T>, Failure> {
    match read(path) {
        Ok(saved) => Ok(Some(saved)),
        Err(RecordFault::Missing) => Ok(None),
        Err(fault) => Err(refused(path, &fault, read)),
    }
}

/// The refusal of a file that cannot be used; it offers the previous file if `read` can read that.
pub fn refused<T>(path: &Path, fault: &RecordFault, read: impl Fn(&Path) -> Result<T, RecordFault>) -> Failure {
    let why = saved::refusal(path, fault, |older| read(older).is_ok());
    usage(format!("{} {why}", path.display()))
}

/// Whether the file of a part with this fault is made again: it is damaged, or no kind of file of this program. A file of
/// another version or kind is not replaced.
pub fn is_made_again(path: &Path, fault: &RecordFault) -> bool {
    let is_unknown = || matches!(FileFormat::of_file(path), Ok(None));
    matches!(fault, RecordFault::Damaged(_)) || (path.is_file() && is_unknown())
}

/// Removes a checkpoint that is of no use any more, and the previous one; a missing file is as good.
pub fn remove(path: &Path) {
    for path in [older(path), path.to_owned()] {
        let _ = fs::remove_file(path);
    }
}

/// Why a run was not saved the last time, if so.
#[derive(Default)]
pub struct LastSave(Mutex<Option<String>>);

impl LastSave {
    /// Notes the result of a save. Returns the error if the save before had none.
    pub fn note(&self, saved: io::Result<()>) -> Option<String> {
        let mut problem = self.0.locked();
        let before = std::mem::replace(&mut *problem, saved.err().map(|error| error.to_string()));
        problem.clone().filter(|_| before.is_none())
    }

    /// Reports that the file was not written the last time, if so.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say(&self, path: &Path) -> io::Result<()> {
        match &*self.0.locked() {
            Some(problem) => say(format_args!("{} was not written the last time: {problem}", path.display())),
            None => Ok(()),
        }
    }
}
