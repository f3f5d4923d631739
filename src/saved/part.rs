//! Files that do not have their final name yet: `.destrier-*.part` and `.destrier-*.unfinished`.
//!
//! The process that writes such a file locks it. A `.part` file that no process has locked is left over from a run that was
//! killed: [`leftovers`] finds it. An `.unfinished` file is the output of a run with a checkpoint; the resumed run reopens it. It is
//! a `.part` file until the first checkpoint is there.
//! The name has the random number of the run, and a checkpoint stores that number, never a path: see `foreign.rs`.

use crate::bounded;
use crate::claim::{lock_new, try_lock};
use crate::test_halt::{self, HaltPoint};
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, Permissions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Prefix of the name of a file that does not have its final name yet.
pub const PREFIX: &str = ".destrier-";
pub const SUFFIX: &str = ".part";
/// Suffix of the name of a file that a later run resumes.
const UNFINISHED: &str = ".unfinished";
/// Characters of a [`RunNumber`].
const RUN_NUMBER_CHARS: usize = 16;
/// Grace period between creating a file and locking it.
const LOCK_GRACE: Duration = Duration::from_secs(60);

/// A new locked file in a folder, under a name that says that it is not complete. It is deleted when it is dropped.
///
/// # Errors
/// When the folder does not take it.
pub fn create_part(folder: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    // The umask of the user says who may read the file, as for any new file.
    let permissions = mode.clone().unwrap_or_else(|| Permissions::from_mode(0o666));
    let mut named = tempfile::Builder::new();
    named.prefix(PREFIX).suffix(SUFFIX).rand_bytes(RUN_NUMBER_CHARS).permissions(permissions);
    let file = named.tempfile_in(folder)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    // A process that looks for leftovers may hold the lock for a moment.
    lock_new(file.as_file(), file.path());
    Ok(file)
}

/// Writes a file as a whole: it has its name when it is complete.
///
/// # Errors
/// When the folder does not take it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut part = create_part(super::folder(path), None)?;
    part.write_all(bytes)?;
    Ok(part.persist(path).map(drop)?)
}

/// Gives a [part file](create_part), unless it has it, the name that says that a later run resumes it. It stays when it is dropped.
/// To be called when a checkpoint names the file: without one no run resumes with it, and none knows that it was left.
///
/// # Errors
/// When it cannot be renamed; then it has its name as before.
pub fn keep_unfinished(file: &mut NamedTempFile) -> io::Result<()> {
    let unfinished = file.path().with_extension(&UNFINISHED[1..]);
    if file.path() == unfinished { Ok(()) } else { rename_unfinished(file, &unfinished) }
}

/// Gives a file another name, which no file may have and which it keeps when it is dropped.
///
/// # Errors
/// When it cannot be renamed; then it has its name as before.
pub fn rename_unfinished(file: &mut NamedTempFile, to: &Path) -> io::Result<()> {
    let mut path = tempfile::TempPath::try_from_path(to)?;
    // Before anything else: the file that has the name, if one has it, is not this one.
    path.disable_cleanup(true);
    if fs::symlink_metadata(to).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    // Another descriptor of the open file, which has its lock.
    let renamed = NamedTempFile::from_parts(file.as_file().try_clone()?, path);
    fs::rename(file.path(), to)?;
    test_halt::reached(HaltPoint::Rename);
    std::mem::replace(file, renamed).disable_cleanup(true);
    Ok(())
}

/// The random number of a run in the name of its unfinished file: 16 letters or digits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunNumber(String);

impl RunNumber {
    /// The number in the name of a file that [`create_part`] has made.
    pub fn of(path: &Path) -> Option<RunNumber> {
        let name = path.file_name()?.to_str()?.strip_prefix(PREFIX)?;
        let number = name.strip_suffix(SUFFIX).or_else(|| name.strip_suffix(UNFINISHED))?;
        number.to_owned().try_into().ok()
    }

    /// The unfinished file of the run in this folder.
    pub fn unfinished(&self, folder: &Path) -> PathBuf {
        self.file(folder, UNFINISHED)
    }

    fn file(&self, folder: &Path, suffix: &str) -> PathBuf {
        folder.join(format!("{PREFIX}{}{suffix}", self.0))
    }
}

impl TryFrom<String> for RunNumber {
    type Error = &'static str;

    fn try_from(number: String) -> Result<RunNumber, &'static str> {
        let is_one = number.len() == RUN_NUMBER_CHARS && number.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if is_one { Ok(RunNumber(number)) } else { Err("the number of a run is 16 letters or digits") }
    }
}

impl From<RunNumber> for String {
    fn from(number: RunNumber) -> String {
        number.0
    }
}

/// Opens the unfinished file of a run again, and locks it. The file must be one that only this program makes: a regular file of
/// this user with one name. No link is followed. A run that was killed when its first checkpoint was written has left a part file.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] when another process is writing it; and when it cannot be opened, or is no such file.
pub fn reopen_unfinished(folder: &Path, number: &RunNumber) -> io::Result<NamedTempFile> {
    let part = number.file(folder, SUFFIX);
    let path = Some(number.unfinished(folder)).filter(|path| fs::symlink_metadata(path).is_ok()).unwrap_or(part);
    // A pipe is opened without waiting for its other end, and refused.
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(&path, flags, Mode::empty()).map_err(|error| match error {
        rustix::io::Errno::LOOP => io::Error::other("is a link"),
        error => error.into(),
    })?);
    let found = file.metadata()?;
    let refused = |why| Err(io::Error::other(why));
    if !found.is_file() {
        return refused("is no regular file");
    } else if found.nlink() != 1 {
        return refused("has another name, too");
    } else if found.uid() != rustix::process::geteuid().as_raw() {
        return refused("belongs to another user");
    } else if !try_lock(&file, &path) {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    let mut path = tempfile::TempPath::try_from_path(path)?;
    path.disable_cleanup(true);
    Ok(NamedTempFile::from_parts(file, path))
}

/// Files in a folder that killed runs left, and their sizes in bytes.
pub fn leftovers(folder: &Path) -> Vec<(PathBuf, u64)> {
    let is_part = |name: &std::ffi::OsStr| name.to_str().is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| is_part(&entry.file_name())).filter_map(|entry| {
        let file = bounded::open(&entry.path()).ok()?;
        // A new file may not be locked yet; it is locked before anything is written to it.
        let age = |found: &fs::Metadata| found.modified().ok().and_then(|time| time.elapsed().ok());
        let found = file.metadata().ok().filter(|found| found.len() > 0 || age(found) > Some(LOCK_GRACE))?;
        let free = file.try_lock_shared().is_ok();
        free.then(|| (entry.path(), found.len()))
    });
    left.collect()
}

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Why no file could be made in a folder, in words that follow the name of the file. The error itself may name a temporary file.
pub fn why_unwritable(folder: &Path, error: &io::Error) -> String {
    let shown = folder.display();
    match error.kind() {
        io::ErrorKind::NotFound => format!("the folder {shown} is not there: make it, or name another one"),
        io::ErrorKind::NotADirectory => format!("{shown} is no folder: name another one"),
        kind => format!("cannot write in {shown}: {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    #[test]
    fn leftovers_of_a_killed_run_are_found_and_files_of_a_run_at_work_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let living = create_part(folder.path(), None).unwrap();
        let left = folder.path().join(".destrier-killed.part");
        fs::write(&left, "abc").unwrap();
        fs::write(folder.path().join("other.part"), "abc").unwrap();
        // Another process is about to lock this one.
        let new = folder.path().join(".destrier-new.part");
        let file = File::create(&new).unwrap();
        assert_eq!(leftovers(folder.path()), [(left.clone(), 3)]);
        file.set_modified(std::time::SystemTime::now() - 2 * LOCK_GRACE).unwrap();
        let mut found = leftovers(folder.path());
        found.sort();
        assert_eq!(found, [(left, 3), (new, 0)]);
        drop(living);
    }
}
