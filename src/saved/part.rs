//! Files that do not have their final name yet: `.destrier-*.part` and `.destrier-*.unfinished`.
//!
//! The process that writes such a file locks it. A `.part` file that no process has locked is left over from a run that was
//! killed: [`leftovers`] finds it. An `.unfinished` file is the output of a run with a checkpoint; the resumed run reopens it.

use crate::bounded;
use crate::claim::lock_new;
use std::fs::{self, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

/// Prefix of the name of a file that does not have its final name yet.
pub const PREFIX: &str = ".destrier-";
/// Suffix of that name.
pub const SUFFIX: &str = ".part";
/// Suffix of the name of a file that a later run resumes.
const UNFINISHED: &str = ".unfinished";
/// Grace period between creating a file and locking it.
const LOCK_GRACE: Duration = Duration::from_secs(60);

/// A new locked file in a folder, under a name that says that it is not complete. It is deleted when it is dropped.
///
/// # Errors
/// When the folder does not take it.
pub fn create_part(folder: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    create_locked(folder, SUFFIX, mode)
}

/// A new locked file in a folder, under a name that says that a later run resumes it. It stays when it is dropped.
///
/// # Errors
/// When the folder does not take it.
pub fn create_unfinished(folder: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut file = create_locked(folder, UNFINISHED, mode)?;
    file.disable_cleanup(true);
    Ok(file)
}

/// Keeps a [part file](create_part), under a name that says that a later run resumes it. Answers whether it could be renamed.
pub fn keep_unfinished(file: NamedTempFile) -> (NamedTempFile, io::Result<()>) {
    let unfinished = file.path().with_extension(&UNFINISHED[1..]);
    let path = match tempfile::TempPath::try_from_path(&unfinished) {
        Ok(path) => path,
        Err(error) => return (file, Err(error)),
    };
    if let Err(error) = fs::rename(file.path(), &unfinished) {
        // Dropping `path` deletes no file, because none has this name.
        return (file, Err(error));
    }
    let mut path = path;
    path.disable_cleanup(true);
    (NamedTempFile::from_parts(file.into_parts().0, path), Ok(()))
}

/// Opens an unfinished file again, and locks it.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] when another process is writing it; and when it cannot be opened.
pub fn reopen_unfinished(path: &Path) -> io::Result<NamedTempFile> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    file.try_lock()?;
    let mut path = tempfile::TempPath::try_from_path(path)?;
    path.disable_cleanup(true);
    Ok(NamedTempFile::from_parts(file, path))
}

fn create_locked(folder: &Path, suffix: &str, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    // The umask of the user says who may read the file, as for any new file.
    let permissions = mode.clone().unwrap_or_else(|| Permissions::from_mode(0o666));
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(suffix).permissions(permissions).tempfile_in(folder)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    // A process that looks for leftovers may hold the lock for a moment.
    lock_new(file.as_file(), file.path());
    Ok(file)
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
