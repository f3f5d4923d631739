//! The file that a run is saved in: its claim, how often it is saved, the names of a part, and how the run is resumed.

use crate::bounded::FileFormat;
use crate::job::command_line::CommandLine;
use crate::job::fault::{Failure, running, usage};
use crate::job::files::{WrittenFiles, absolute};
use crate::job::say::say;
use crate::run::part::{CHECKPOINT, PART};
use crate::saved::{self, RecordFault, SaveError, SavedFile, SavedRun, older};
use crate::test_halt::{self, HaltPoint};
use std::fmt::Display;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Interval of saves, if none is given.
pub const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// The shortest interval that a disk can follow.
const INTERVAL_MIN: Duration = Duration::from_millis(10);

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Failure {
        match error {
            SaveError::Unusable(_) => usage(error),
            SaveError::Unwritten(_) | SaveError::Memory(_) => running(error),
        }
    }
}

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

/// The file of a run, as an option names it, locked before it is read: a run at work replaces it at any moment. The folder of
/// an existing file need not be writable.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file, or another run has it.
pub fn claimed(option: &str, path: &Path) -> Result<SavedFile, Failure> {
    let refused = |why: &dyn Display| usage(format!("{option} {}: {why}", path.display()));
    if path.to_str().is_none() {
        return Err(refused(&"its name is no text"));
    }
    let whole = absolute(option, path)?;
    let file = if whole.exists() { SavedFile::to_read(&whole) } else { SavedFile::new(&whole) };
    let file = file.map_err(|why| refused(&why))?;
    file.claim().map_err(|why| refused(&why)).map(|()| file)
}

/// The file of a run, as an option names it, locked, and the run in it, if the file exists.
///
/// # Errors
/// [`Failure::Usage`] as [`claimed`], and when the run is not what is asked.
pub fn opened<R: SavedRun>(option: &str, path: &Path, asked: &R::Question) -> Result<(SavedFile, Option<R>), Failure> {
    let file = claimed(option, path)?;
    let found = file.read(Some(asked))?;
    Ok((file, found))
}

/// The file of a run that is resumed, locked, and the run in it.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or another run has the file.
pub fn resumed<R: SavedRun>(path: &Path) -> Result<(SavedFile, R), Failure> {
    let file = claimed("resume", path)?;
    let gone = || SaveError::of_fault::<R>(path, RecordFault::Missing, None);
    let run = file.read(None)?.ok_or_else(gone)?;
    Ok((file, run))
}

/// Says how to resume a run; `holds` says before what its file holds.
///
/// # Errors
/// When stderr is gone.
pub fn say_how_to_resume(file: &SavedFile, holds: &str, command: &CommandLine) -> Result<(), Failure> {
    if file.is_free() {
        say(format_args!("{} was never written: nothing was kept", file.path().display()))
    } else {
        say(format_args!("{holds}to go on: {command}"))
    }
}

/// The files of a part in the folder of parts. While the part is being done, and when it is stopped, there is its checkpoint.
/// When it is complete, the checkpoint gets the name of the part.
#[derive(Clone, Debug)]
pub struct PartFiles {
    pub done: PathBuf,
    pub checkpoint: PathBuf,
}

impl PartFiles {
    /// The files of this name in a folder of parts.
    pub fn new(folder: &Path, name: &str) -> PartFiles {
        let named = |end| folder.join(format!("{name}{end}"));
        PartFiles { done: named(PART), checkpoint: named(CHECKPOINT) }
    }

    /// The files of the part that is saved in this checkpoint.
    pub fn of_checkpoint(checkpoint: &Path) -> PartFiles {
        PartFiles { done: checkpoint.with_extension(&PART[1..]), checkpoint: checkpoint.to_owned() }
    }

    pub fn written_files(&self) -> WrittenFiles {
        WrittenFiles::default().saved("--out-dir", Some(&self.done)).saved("--out-dir", Some(&self.checkpoint))
    }

    /// Refuses links and folders: the names follow from others, and what is behind them would be replaced.
    ///
    /// # Errors
    /// [`Failure::Usage`] then.
    pub fn check(&self, option: &str) -> Result<(), Failure> {
        let refused = |path: &PathBuf| {
            let folder = || if path.is_dir() { Err("is a folder: move it away") } else { Ok(()) };
            let checked = saved::refuse_link(path).and_then(|()| folder());
            checked.map_err(|why| usage(format!("{option} {}: {why}", path.display())))
        };
        [&self.done, &self.checkpoint].into_iter().try_for_each(refused)
    }

    /// Whether there is a checkpoint that is to get the name of the part.
    pub fn has_checkpoint(&self) -> bool {
        self.checkpoint.extension().is_some_and(|end| *end == CHECKPOINT[1..]) && self.checkpoint.exists()
    }

    /// Makes the folder, claims the checkpoint, and reads the part, or else its checkpoint. A damaged part is made again.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there can be no such files, or one of them is of something else or of another version; as
    /// [`PartFiles::settle`].
    pub fn open<R: SavedRun>(&self, asked: &R::Question) -> Result<(SavedFile, Option<R>), Failure> {
        let folder = saved::folder(&self.done);
        fs::create_dir_all(folder)
            .map_err(|error| usage(format!("--out-dir {}: {error}: name a folder", folder.display())))?;
        self.check("--out-dir")?;
        // Claimed before the part is read: a run that makes the part now may put it there any time.
        let (file, shown) = (claimed("--out-dir", &self.checkpoint)?, self.done.display());
        let refused = |why: String| usage(format!("{shown} {why}: name another folder, or move it away"));
        match R::read(&self.done) {
            Ok(part) if !R::is_same(part.question(), asked) => {
                let (has, asked) = (R::words(part.question()), R::words(asked));
                return Err(refused(format!("is a part of {has}, not of {asked}")));
            }
            Ok(part) if part.has_ended() => {
                say(format_args!("{shown} is there"))?;
                // A run that was killed when the part had just got its name has left the file before.
                file.remove_older();
                return Ok((file, Some(part)));
            }
            Ok(_) => say(format_args!("{shown} is not done; it is made again"))?,
            Err(RecordFault::Missing) => {}
            Err(fault) if is_made_again(&self.done, &fault) => say(format_args!("{shown} {fault}; it is made again"))?,
            Err(fault) => return Err(refused(fault.to_string())),
        }
        let found = file.read(Some(asked))?;
        if found.as_ref().is_some_and(R::has_ended) {
            // A run was killed after its end, before the part had its name.
            self.settle()?;
        }
        Ok((file, found))
    }

    /// Gives the complete checkpoint the name of the part. A file that stood there, which was none, keeps a second name.
    ///
    /// # Errors
    /// [`Failure::Running`] when that cannot be done.
    pub fn settle(&self) -> Result<(), Failure> {
        if self.done == self.checkpoint {
            return Ok(());
        }
        let folder = saved::folder(&self.done);
        let rename = || {
            if self.done.exists() {
                fs::rename(&self.done, older(&self.done))?;
            }
            fs::rename(&self.checkpoint, &self.done)?;
            test_halt::reached(HaltPoint::Rename);
            // A file that does not exist, or cannot be removed, does no harm.
            let _ = fs::remove_file(older(&self.checkpoint));
            File::open(folder)?.sync_all()
        };
        rename().map_err(|error| running(format!("{}: {error}", self.done.display())))
    }
}

/// Whether the file of a part with this fault is made again: it is damaged, or no kind of file of this program. A file of
/// another version or kind is not replaced.
fn is_made_again(path: &Path, fault: &RecordFault) -> bool {
    let is_unknown = || matches!(FileFormat::of_file(path), Ok(None));
    matches!(fault, RecordFault::Damaged(_)) || (path.is_file() && is_unknown())
}
