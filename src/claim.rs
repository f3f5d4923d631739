//! Who may write to a file: the run that holds it, by a lock on it, which the system takes back when the run is over.

use rustix::fs::{FlockOperation, flock};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long somebody may hold a file who is no run at work.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps other runs from writing to a file or a folder, if it is there, as long as the answer is kept. Where there are no
/// locks, nothing does. Whoever only looks whether it is held, or is about to be over, is waited for.
///
/// # Errors
/// When another run does that, in words that follow its name.
pub fn claim(path: &Path) -> Result<Option<File>, &'static str> {
    let began = Instant::now();
    // Opened anew each time: a run that is not over may have put another file in its place, and holds that one then.
    while let Ok(file) = File::open(path) {
        if is_free(&file) && has_name(&file, path) {
            return Ok(Some(file));
        }
        if began.elapsed() > PATIENCE {
            return Err("is being written by a run that is not over");
        }
        thread::sleep(PATIENCE / 50);
    }
    Ok(None)
}

/// Whether some run is at work with this file.
pub fn is_held(path: &Path) -> bool {
    // Nobody holds a pipe, and to open it might take for ever.
    path.is_file() && File::open(path).is_ok_and(|file| !is_free(&file))
}

/// Whether this is the file of that name.
fn has_name(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(id).ok().is_some_and(|own| fs::metadata(path).map(id).ok() == Some(own))
}

/// Whether nobody else held the file, which is held now.
fn is_free(file: &File) -> bool {
    !matches!(flock(file, FlockOperation::NonBlockingLockExclusive), Err(rustix::io::Errno::WOULDBLOCK))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::Place;
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};

    const MAGIC: &str = "rows 1\n";

    #[test]
    fn a_file_that_a_run_keeps_itself_in_is_not_another_ones() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| Place::new(&folder.path().join("rows")).unwrap());
        assert_eq!(one.claim(), Ok(()));
        one.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        assert!(other.claim().is_err());
        one.save(MAGIC, |output| writeln!(output, "2")).unwrap();
        assert!(other.claim().is_err());
        drop(one);
        assert_eq!(other.claim(), Ok(()));
    }

    /// Whoever waits for a file does not get the one before it in its stead.
    #[test]
    fn a_run_that_saves_itself_meanwhile_keeps_its_claim() {
        let folder = tempfile::tempdir().unwrap();
        let [one, other] = [0, 1].map(|_| Place::new(&folder.path().join("rows")).unwrap());
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
}
