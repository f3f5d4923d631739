//! A lock on a file: only the run that holds the lock may write the file. The operating system frees the lock when the run
//! ends.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long a process that only tests a lock may hold it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Locks a file or a folder, if it exists, for as long as the result lives. Where the file system has no locks, other runs
/// are not kept out. If a process only tests the lock, or is about to end, `claim` waits for it.
///
/// # Errors
/// When another run holds the lock; the text follows the name of the file.
pub fn claim(path: &Path) -> Result<Option<File>, &'static str> {
    let began = Instant::now();
    // The file is opened anew each time: a run at work may have put another file in its place, and then holds that file.
    while let Ok(file) = File::open(path) {
        if is_ours(&file, path) {
            return Ok(Some(file));
        }
        if began.elapsed() > PATIENCE {
            return Err("is being written by a run that is not over");
        }
        thread::sleep(PATIENCE / 50);
    }
    Ok(None)
}

/// Whether a run holds this file. The test takes a shared lock, so that two tests at the same time do not take each other
/// for a run.
pub fn is_held(path: &Path) -> bool {
    // A pipe is never locked, and to open one may block for ever.
    path.is_file() && File::open(path).is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Locks the file unless another process holds it. Answers whether it is locked, and still is the file of this name.
fn is_ours(file: &File, path: &Path) -> bool {
    is_free(file) && has_name(file, path)
}

/// Whether `file` is the file that has this name now.
fn has_name(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(id).ok().is_some_and(|own| fs::metadata(path).map(id).ok() == Some(own))
}

/// Locks the file unless another process holds it. Where there are no locks, the file is free.
fn is_free(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::ReplacedFile;
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};

    const MAGIC: &str = "rows 1\n";

    #[test]
    fn a_file_that_a_run_holds_cannot_be_claimed_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| ReplacedFile::new(&folder.path().join("rows")).unwrap());
        assert_eq!(one.claim(), Ok(()));
        one.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        assert!(other.claim().is_err());
        one.save(MAGIC, |output| writeln!(output, "2")).unwrap();
        assert!(other.claim().is_err());
        drop(one);
        assert_eq!(other.claim(), Ok(()));
    }

    /// A run that waits for a file gets the one that has its name now, not the one before it.
    #[test]
    fn a_run_that_saves_meanwhile_keeps_its_claim() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| ReplacedFile::new(&folder.path().join("rows")).unwrap());
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
