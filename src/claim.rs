//! Locks on files: only the run that holds the lock of a file may write it, and only the run that holds the lock file of a
//! folder may write in it. The operating system frees a lock when the process ends.
//!
//! A lock is asked of a file that is open for reading and writing, because NFS gives an exclusive lock on no other. A test of a
//! lock opens the file for reading only, so the files of other users can be tested.

use crate::bounded;
use crate::words::visible;
use rustix::fs::OFlags;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that only tests a lock may hold it.
const PATIENCE: Duration = Duration::from_secs(1);
/// The file of a folder that is locked in its place.
pub const FOLDER_LOCK: &str = ".destrier-lock";

/// The lock of a folder. Its file is removed when the lock is freed.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    /// Locked until it is closed, which is after the file has lost its name.
    _file: File,
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // A file that cannot be removed is locked again by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

/// Locks a file, if it exists, for as long as the result lives. Where the file system has no locks, other runs are not kept
/// out, and stderr says so. If a process only tests the lock, or is about to end, `claim` waits for it.
///
/// # Errors
/// When another run holds the lock; the text follows the name of the file.
pub fn claim(path: &Path) -> Result<Option<File>, &'static str> {
    // A file that may only be read is opened for reading, which is enough for a lock but on NFS.
    let open = || bounded::open_for(path, OpenOptions::new().read(true).write(true)).or_else(|_| bounded::open(path));
    match locked(path, open) {
        Ok(None) => Err("is being written by a run that is not over"),
        Ok(file) => Ok(file),
        Err(_) => Ok(None),
    }
}

/// Locks a folder, by a file in it, for as long as the result lives; `None` if another run holds the lock.
///
/// # Errors
/// When the folder does not take the file.
pub fn claim_folder(folder: &Path) -> io::Result<Option<FolderLock>> {
    let path = folder.join(FOLDER_LOCK);
    // A link there, which another user may have made, is not followed.
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let create =
        || OpenOptions::new().read(true).write(true).create(true).truncate(false).custom_flags(flags).open(&path);
    let open = || match create() {
        // A killed process of another user has left it.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => bounded::open(&path).map_err(|_| error),
        opened => opened,
    };
    let file = locked(&path, open)?;
    Ok(file.map(|file| FolderLock { path, _file: file }))
}

/// Opens a file and locks it; `None` if another run holds the lock.
fn locked(path: &Path, open: impl Fn() -> io::Result<File>) -> io::Result<Option<File>> {
    let began = Instant::now();
    // The file is opened anew each time: a run at work may have put another file in its place, and then holds that file.
    loop {
        let file = open()?;
        if is_ours(&file, path) {
            return Ok(Some(file));
        }
        if began.elapsed() > PATIENCE {
            return Ok(None);
        }
        thread::sleep(PATIENCE / 50);
    }
}

/// Locks a new file under the name `path`, which no other run knows. Waits for a process that only tests the lock.
pub fn lock_new(file: &File, path: &Path) {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            locked => return locked.unwrap_or_else(|error| say_unlockable(path, &error)),
        }
    }
}

/// Whether a run holds this file. The test takes a shared lock, so that two tests at the same time do not take each other
/// for a run.
pub fn is_held(path: &Path) -> bool {
    bounded::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The device and inode number of the file that has this name now, if there is one.
pub fn file_id(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().as_ref().map(id)
}

fn id(metadata: &fs::Metadata) -> (u64, u64) {
    (metadata.dev(), metadata.ino())
}

/// Locks the file unless another process holds it. Answers whether it is locked, and still is the file of this name.
fn is_ours(file: &File, path: &Path) -> bool {
    try_lock(file, path) && has_name(file, path)
}

/// Whether `file` is the file that has this name now.
fn has_name(file: &File, path: &Path) -> bool {
    file.metadata().is_ok_and(|own| file_id(path) == Some(id(&own)))
}

/// Locks an open file under the name `path`, unless another process holds it. Where no lock can be had, the file counts as
/// locked, and stderr says so.
pub fn try_lock(file: &File, path: &Path) -> bool {
    let locked = file.try_lock().or_else(|error| match error {
        TryLockError::WouldBlock => Err(TryLockError::WouldBlock),
        TryLockError::Error(error) => {
            say_unlockable(path, &error);
            // NFS gives a shared lock on a file that is open for reading only, unless a run holds the file.
            file.try_lock_shared()
        }
    });
    !matches!(locked, Err(TryLockError::WouldBlock))
}

/// Says once that files cannot be locked.
fn say_unlockable(path: &Path, error: &io::Error) {
    static SAID: Once = Once::new();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).display();
    let text = format!(
        "destrier: files in {folder} cannot be locked ({error}): start no second run that writes the same files"
    );
    // Without stderr the run is as good.
    SAID.call_once(|| drop(writeln!(io::stderr(), "{}", visible(&text))));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::SavedFile;
    use std::sync::atomic::{AtomicBool, Ordering};

    const MAGIC: &str = "rows 1\n";

    #[test]
    fn a_file_that_a_run_holds_cannot_be_claimed_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| SavedFile::new(&folder.path().join("rows")).unwrap());
        assert_eq!(one.claim(), Ok(()));
        one.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        assert!(other.claim().is_err());
        one.save(MAGIC, |output| writeln!(output, "2")).unwrap();
        assert!(other.claim().is_err());
        drop(one);
        assert_eq!(other.claim(), Ok(()));
    }

    /// NFS gives an exclusive lock on no other file.
    #[test]
    fn a_lock_is_asked_of_a_file_that_is_open_for_writing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        assert!(claim(&path).is_ok_and(|file| file.is_none()) && !path.exists());
        fs::write(&path, "").unwrap();
        let is_writable =
            |file: &File| rustix::fs::fcntl_getfl(file).is_ok_and(|flags| flags & OFlags::RWMODE == OFlags::RDWR);
        let claimed = claim(&path).unwrap().unwrap();
        assert!(is_writable(&claimed) && is_held(&path));
        let of_folder = claim_folder(folder.path()).unwrap().unwrap();
        assert!(is_writable(&of_folder._file));
        drop(claimed);
        assert!(!is_held(&path));
        // No lock can be had on this one: it is taken for free.
        let unlockable =
            OpenOptions::new().read(true).custom_flags(OFlags::PATH.bits().cast_signed()).open(&path).unwrap();
        assert!(unlockable.try_lock().is_err_and(|error| matches!(error, TryLockError::Error(_))));
        assert!(try_lock(&unlockable, &path));
    }

    #[test]
    fn a_folder_is_held_by_a_file_that_goes_with_the_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (file, claimed) = (folder.path().join(FOLDER_LOCK), || claim_folder(folder.path()).unwrap());
        // A process that was killed has left its file.
        fs::write(&file, "").unwrap();
        let held = claimed();
        assert!(held.is_some() && claimed().is_none());
        drop(held);
        assert!(!file.exists() && claimed().is_some());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = folder.path().join("missing");
        assert!(claim_folder(&missing).is_err());
        std::os::unix::fs::symlink(&missing, &file).unwrap();
        assert!(claim_folder(folder.path()).is_err() && !missing.exists());
    }

    /// The run before has removed the file, or replaced it, when this one has locked it.
    #[test]
    fn a_lock_on_a_file_that_has_lost_its_name_is_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let create = || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let opened = std::cell::Cell::new(0);
        let open = || {
            let file = create()?;
            if opened.replace(opened.get() + 1) == 0 {
                fs::remove_file(&path)?;
            }
            Ok(file)
        };
        let taken = locked(&path, open).unwrap().unwrap();
        assert!(has_name(&taken, &path) && opened.get() == 2);
    }

    /// A run that waits for a file gets the one that has its name now, not the one before it.
    #[test]
    fn a_run_that_saves_meanwhile_keeps_its_claim() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| SavedFile::new(&folder.path().join("rows")).unwrap());
        let save = || one.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        save();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    save();
                }
            });
            let claimed = other.claim();
            is_over.store(true, Ordering::Relaxed);
            assert!(claimed.is_err());
        });
        drop(one);
        assert_eq!(other.claim(), Ok(()));
    }
    /// Another run puts a new file in the place of one that was opened and not locked yet.
    #[test]
    fn a_file_that_has_lost_its_name_is_no_claim() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let opened = || File::open(&path).unwrap();
        fs::write(&path, "1").unwrap();
        let before = opened();
        fs::rename(&path, folder.path().join("rows~")).unwrap();
        assert!(!is_ours(&before, &path), "there is no file of the name");
        fs::write(&path, "2").unwrap();
        assert!(!is_ours(&before, &path));
        let now = opened();
        assert!(is_ours(&now, &path) && !is_ours(&opened(), &path), "it is locked once");
    }
}
