//! A file that is replaced as a whole, so that it is whole at any moment.

use super::checksum::{BLOCK, ChecksumStream};
use super::part::{PREFIX, SUFFIX, create_part, folder, why_unwritable};
use crate::claim::claim;
use crate::lock::LockAlways as _;
use crate::test_halt::{self, HaltPoint};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tempfile::NamedTempFile;

/// Refusal of a file that another run made first; the text follows the name of the file.
const TAKEN: &str = "is being written by a run that started at the same moment: name another file, or type the same command \
                     again when that run is over";

/// A file that is replaced as a whole, and the lock that a run holds on it. What a run does with its file is in `run.rs`.
#[derive(Clone, Debug)]
pub struct SavedFile {
    path: PathBuf,
    hold: Arc<Mutex<FileHold>>,
    /// Why the run could not save itself the last time.
    pub(super) problem: Arc<Mutex<Option<String>>>,
}

/// What a run holds of the file that it replaces.
#[derive(Debug, Default)]
enum FileHold {
    /// The file was not claimed: the first save replaces any file of that name.
    #[default]
    Unclaimed,
    /// The name was claimed, and there was no file: the first save refuses to replace a file.
    Free,
    /// The file that has the name, new if there was none when the name was claimed. It stays open because it is locked: no other
    /// run may replace it.
    Locked { _file: File, is_new: bool },
}

impl SavedFile {
    /// A file, which need not exist; its folder must be writable. A link is followed: the file that it points to is
    /// replaced, not the link.
    ///
    /// # Errors
    /// Why the path cannot be such a file; the text follows the name of the file.
    pub fn new(path: &Path) -> Result<SavedFile, String> {
        let file = SavedFile::to_read(path)?;
        file.check_folder().map(|()| file)
    }

    /// A file that is read first, and not replaced before [`SavedFile::check_folder`] has been called. It may be in a folder
    /// that is not writable.
    ///
    /// # Errors
    /// As [`SavedFile::new`].
    pub fn to_read(path: &Path) -> Result<SavedFile, String> {
        let path = match fs::symlink_metadata(path) {
            Err(_) => path.to_owned(),
            Ok(_) => path.canonicalize().map_err(|error| format!("is a link that leads nowhere: {error}"))?,
        };
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err("is a folder; name a file in it".to_owned()),
            Ok(found) if !found.is_file() => return Err("is no regular file: name another file".to_owned()),
            _ => {}
        }
        Ok(SavedFile { path, hold: Arc::default(), problem: Arc::default() })
    }

    /// Checks that the folder of the file is writable.
    ///
    /// # Errors
    /// Why it is not; the text follows the name of the file.
    pub fn check_folder(&self) -> Result<(), String> {
        let folder = folder(&self.path);
        create_part(folder, None).map(drop).map_err(|error| why_unwritable(folder, &error))
    }

    /// Keeps other runs from replacing the file: from now on if it exists, otherwise from the first [`SavedFile::save`]
    /// on. Where the file system has no locks, other runs are not kept out. A second claim changes nothing.
    ///
    /// # Errors
    /// When another run holds the file; the text follows the name of the file.
    pub fn claim(&self) -> Result<(), &'static str> {
        if !matches!(*self.hold(), FileHold::Unclaimed) {
            return Ok(());
        }
        let file = claim(&self.path)?;
        *self.hold() = file.map_or(FileHold::Free, |_file| FileHold::Locked { _file, is_new: false });
        Ok(())
    }

    /// Refuses to resume from a file that another run made: one that has just been read, although no file had the name when
    /// it was claimed. Call it only after the file has been read: it does not look at the disk.
    ///
    /// # Errors
    /// The text follows the name of the file.
    pub fn check_claim(&self) -> Result<(), &'static str> {
        if self.is_free() { Err(TAKEN) } else { Ok(()) }
    }

    /// Whether no file had the name when it was claimed, and this run has saved none since. Does not look at the disk: another
    /// run may have made the file.
    pub fn is_free(&self) -> bool {
        matches!(*self.hold(), FileHold::Free)
    }

    /// Whether there was no such file when it was claimed.
    pub fn is_new(&self) -> bool {
        matches!(*self.hold(), FileHold::Free | FileHold::Locked { is_new: true, .. })
    }

    fn hold(&self) -> MutexGuard<'_, FileHold> {
        self.hold.locked()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the previous file.
    pub fn older(&self) -> PathBuf {
        older(&self.path)
    }

    /// Removes the previous file, of which a run has no use when its last save is on the disk.
    pub fn remove_older(&self) {
        // A file that does not exist, or cannot be removed, does no harm.
        let _ = fs::remove_file(self.older());
    }

    /// Replaces the file by one with the first line `magic` and what `write` writes.
    ///
    /// # Errors
    /// When the disk does not take the file; the current file stays. `is_taken` when the name was claimed, no file had
    /// it, and another run has made the file since.
    pub fn save(
        &self,
        magic: &str,
        write: impl FnOnce(&mut ChecksumStream<BufWriter<&File>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let folder = folder(&self.path);
        // The new file has the permissions of the file that it replaces.
        let mode = fs::metadata(&self.path).ok().map(|found| Permissions::from_mode(found.mode() & 0o777));
        let file = create_part(folder, mode)?;
        let mut output = ChecksumStream::new(BufWriter::with_capacity(BLOCK, file.as_file()));
        output.write_all(magic.as_bytes())?;
        write(&mut output)?;
        output.seal()?;
        file.as_file().sync_all()?;
        test_halt::reached(HaltPoint::Save);
        let is_first = self.is_free();
        if !is_first {
            self.set_aside()?;
        }
        let named = if is_first { name_first(file, &self.path)? } else { file.persist(&self.path)? };
        let is_new = self.is_new();
        *self.hold() = FileHold::Locked { _file: named, is_new };
        test_halt::reached(HaltPoint::Rename);
        // The new name must survive a crash too.
        File::open(folder)?.sync_all()
    }

    /// Gives the current file its second name.
    fn set_aside(&self) -> io::Result<()> {
        // The link gets a name of its own first, because a link cannot take a name that exists.
        let beside = tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).make_in(folder(&self.path), |name| {
            match fs::hard_link(&self.path, name) {
                Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::AlreadyExists].contains(&error.kind()) => {
                    Err(error)
                }
                // Not every file system has links.
                Err(_) => fs::copy(&self.path, name).and_then(|_| File::open(name)?.sync_all()),
                Ok(()) => Ok(()),
            }
        });
        match beside {
            Ok(beside) => {
                let name = beside.path().to_owned();
                beside.into_temp_path().persist(self.older()).map_err(|error| error.error)?;
                test_halt::reached(HaltPoint::Rename);
                // If both are one file already, because a run was killed just here, renaming does nothing.
                let _ = fs::remove_file(name);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Gives a file its name, which no file may have yet.
fn name_first(file: NamedTempFile, path: &Path) -> io::Result<File> {
    use io::ErrorKind::{AlreadyExists, InvalidInput, PermissionDenied, Unsupported};
    match file.persist_noclobber(path) {
        Err(refused) if refused.error.kind() == AlreadyExists => Err(io::Error::new(AlreadyExists, TAKEN)),
        // The file system has neither call: there two runs that start at the same moment cannot be told apart.
        Err(refused) if [InvalidInput, PermissionDenied, Unsupported].contains(&refused.error.kind()) => {
            Ok(refused.file.persist(path)?)
        }
        named => Ok(named?),
    }
}

/// Whether a [`SavedFile::save`] failed because another run made the file first.
pub fn is_taken(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AlreadyExists
}

/// Path of the previous file.
pub fn older(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("~");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saved::open;

    const MAGIC: &str = "destrier test 1\n";

    fn read(path: &Path) -> io::Result<String> {
        let mut input = open(path)?;
        assert_eq!(input.line(64)?, MAGIC.as_bytes());
        let line = input.line(64)?;
        input.check()?;
        Ok(String::from_utf8(line).unwrap())
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_the_one_before_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("rows")).unwrap();
        for n in 1..4 {
            place.save(MAGIC, |output| writeln!(output, "number {n}")).unwrap();
            assert_eq!(read(place.path()).unwrap(), format!("number {n}\n"));
            assert_eq!(read(&place.older()).ok(), (n > 1).then(|| format!("number {}\n", n - 1)));
        }
        // A save that fails half way changes neither file.
        assert!(place.save(MAGIC, |_| Err(io::Error::other("full"))).is_err());
        assert_eq!(
            (read(place.path()).unwrap(), read(&place.older()).unwrap()),
            ("number 3\n".into(), "number 2\n".into())
        );
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.count(), 2);
    }

    /// Eight runs find no file, and write their first one at the same moment.
    #[test]
    fn of_first_files_that_are_written_at_once_one_gets_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let places: Vec<SavedFile> = (0..8).map(|_| SavedFile::new(&path).unwrap()).collect();
        places.iter().for_each(|place| place.claim().unwrap());
        assert!(places.iter().all(|place| place.is_free() && place.check_claim().is_err()));
        let together = std::sync::Barrier::new(places.len());
        let save = |n: usize| {
            together.wait();
            places[n].save(MAGIC, |output| writeln!(output, "{n}"))
        };
        let saved: Vec<io::Result<()>> = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..8).map(|n| scope.spawn(move || save(n))).collect();
            runs.into_iter().map(|run| run.join().unwrap()).collect()
        });
        let (named, refused): (Vec<usize>, Vec<usize>) = (0..8).partition(|&n| saved[n].is_ok());
        let [one] = named[..] else { panic!("{named:?} have the name") };
        assert_eq!(read(&path).unwrap(), format!("{one}\n"));
        assert!(refused.iter().all(|&n| saved[n].as_ref().is_err_and(is_taken)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the others leave nothing, and no second name");
        // The winner continues and holds the file; another run is refused, now and when the winner is over.
        assert!(places[one].check_claim().is_ok() && SavedFile::new(&path).unwrap().claim().is_err());
        places[one].save(MAGIC, |output| writeln!(output, "more")).unwrap();
        assert!(places[refused[0]].save(MAGIC, |_| Ok(())).is_err_and(|error| is_taken(&error)));
        assert_eq!(read(&path).unwrap(), "more\n");
        // A run that claims nothing replaces the file.
        SavedFile::new(&path).unwrap().save(MAGIC, |output| writeln!(output, "other")).unwrap();
        assert_eq!(read(&path).unwrap(), "other\n");
    }

    /// A run was killed when the current file had its second name and the new file did not have its name yet.
    #[test]
    fn a_file_that_has_its_second_name_already_leaves_no_third() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("rows")).unwrap();
        place.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        fs::hard_link(place.path(), place.older()).unwrap();
        place.save(MAGIC, |output| writeln!(output, "2")).unwrap();
        assert_eq!((read(place.path()).unwrap(), read(&place.older()).unwrap()), ("2\n".into(), "1\n".into()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_changed_byte_and_a_byte_too_many_or_too_few_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("rows")).unwrap();
        place.save(MAGIC, |output| writeln!(output, "42")).unwrap();
        let good = fs::read(place.path()).unwrap();
        let bad = |bytes: &[u8]| {
            fs::write(place.path(), bytes).unwrap();
            read(place.path()).is_err()
        };
        assert!(bad(&good[..good.len() - 1]) && bad(&[&good[..], b"x"].concat()));
        for place in MAGIC.len()..good.len() {
            let mut changed = good.clone();
            changed[place] ^= 1;
            assert!(bad(&changed), "{place}");
        }
    }
}
