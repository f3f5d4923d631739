//! Files that a run can be taken up from: whole at any moment, whatever happens.
//!
//! ```text
//! destrier search 1                    what this is, a line
//! ..                                   what it holds
//! 4 bytes                              the CRC-32 of all that, the low byte first
//! ```
//!
//! A new file is written under another name in the same folder and brought to the disk. Then the one before gets a
//! second name, `FILE~`, which it keeps; then the new one takes the place of the first name, and the folder is brought to
//! the disk too. So `FILE` is there at every moment from its first on, and it is always a whole one: the new or the old.
//!
//! # One run at a time
//!
//! A run claims `FILE` before it reads it: see [`claim`](mod@crate::claim). A file that is there is locked, and each file
//! that replaces it is locked before it gets the name. Where no file is there, there is nothing to lock, and several runs
//! that start at once find the same. The first file decides between them:
//!
//! 1. The run writes the first file whole, under another name, which it has locked since it made the file.
//! 2. It gives that file the name `FILE` by a call that fails where the name exists, `renameat2` without replacing or
//!    `link`: of all runs one succeeds. From that moment on `FILE` is whole and locked.
//! 3. All others are refused before any of them has begun to work: by [`is_taken`], or by [`ReplacedFile::check_claim`] where
//!    they find the file when they come to read it.
//!
//! A run that is killed before step 2 leaves a file under another name, which no lock holds any more, and no `FILE`; one
//! that is killed after it leaves a whole `FILE`, which can be resumed. There is no moment at which `FILE` is empty, or
//! whole and not locked. A run whose `FILE` was free and is removed by the user meanwhile replaces what it finds later,
//! as it does with each save after the first.
//!
//! Files under another name, `.destrier-*.part`, are locked by whoever writes them. One that nobody has locked is left
//! over from a run that was killed: [`leftovers`] finds them.

use crate::bounded;
use crate::claim::claim;
use crate::lock::LockAlways as _;
use crate::test_halt::{self, HaltPoint};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tempfile::NamedTempFile;

/// How the name of a file begins that has not got its own yet.
const PREFIX: &str = ".destrier-";
/// How it ends.
const SUFFIX: &str = ".part";
/// How the name of one ends that is to be taken up.
const UNFINISHED: &str = ".unfinished";
/// Nobody takes longer to lock a file that he has made.
const MAKING: Duration = Duration::from_secs(60);
/// What is said of a file that another run made first, in words that follow its name.
const TAKEN: &str = "is being written by a run that started at the same moment: name another file, or type the same command \
                     again when that run is over";
/// Bytes that are gathered before they are written or read.
const BLOCK: usize = 1 << 20;

/// The name of a file that is replaced as a whole.
#[derive(Clone, Debug)]
pub struct ReplacedFile {
    path: PathBuf,
    hold: Arc<Mutex<FileHold>>,
}

/// What a run holds of the file that it replaces.
#[derive(Debug, Default)]
enum FileHold {
    /// The file was not claimed: the first save replaces what has the name.
    #[default]
    Unclaimed,
    /// The file was claimed, and there was none: the first save refuses to replace one.
    Free,
    /// The file that has the name. It stays open because it is locked: no other run is to replace it.
    Locked(#[expect(dead_code, reason = "the lock ends when the file is closed")] File),
}

impl ReplacedFile {
    /// A file, which need not be there; its folder must take files. A link is followed: what it points to is replaced,
    /// not the link.
    ///
    /// # Errors
    /// Why it cannot be such a file, in words that follow its name.
    pub fn new(path: &Path) -> Result<ReplacedFile, String> {
        let path = match fs::symlink_metadata(path) {
            Err(_) => path.to_owned(),
            Ok(_) => path.canonicalize().map_err(|error| format!("is a link that leads nowhere: {error}"))?,
        };
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => return Err("is a folder; name a file in it".to_owned()),
            Ok(found) if !found.is_file() => return Err("is no regular file".to_owned()),
            _ => {}
        }
        part(folder(&path), None).map_err(|error| format!("cannot write in its folder: {error}"))?;
        Ok(ReplacedFile { path, hold: Arc::default() })
    }

    /// Keeps other runs from replacing the file, from now on if it is there, and else from the first [`ReplacedFile::save`] on.
    /// Where there are no locks, nothing does. What is claimed already stays so.
    ///
    /// # Errors
    /// When another run does that, in words that follow its name.
    pub fn claim(&self) -> Result<(), &'static str> {
        if !matches!(*self.hold(), FileHold::Unclaimed) {
            return Ok(());
        }
        self.set_hold(claim(&self.path)?.map_or(FileHold::Free, FileHold::Locked));
        Ok(())
    }

    /// Refuses a file that another run has made since this one was claimed: to be asked once the file has been read.
    ///
    /// # Errors
    /// In words that follow its name.
    pub fn check_claim(&self) -> Result<(), &'static str> {
        if self.is_free() { Err(TAKEN) } else { Ok(()) }
    }

    /// Whether the file was claimed, was not there, and has not been saved since.
    pub fn is_free(&self) -> bool {
        matches!(*self.hold(), FileHold::Free)
    }

    fn hold(&self) -> MutexGuard<'_, FileHold> {
        self.hold.locked()
    }

    fn set_hold(&self, hold: FileHold) {
        *self.hold() = hold;
    }

    /// Its name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the one before.
    pub fn older(&self) -> PathBuf {
        older(&self.path)
    }

    /// Puts what `write` writes, after this first line, in place of what is there.
    ///
    /// # Errors
    /// When the disk does not take it; what was there is still there. [`is_taken`] when the file was claimed, was not there,
    /// and another run has made it since.
    pub fn save(
        &self,
        magic: &str,
        write: impl FnOnce(&mut ChecksumWriter<BufWriter<&File>>) -> io::Result<()>,
    ) -> io::Result<()> {
        let folder = folder(&self.path);
        // One that is replaced says who may read it.
        let mode = fs::metadata(&self.path).ok().map(|found| Permissions::from_mode(found.mode() & 0o777));
        let file = part(folder, mode)?;
        let mut output = ChecksumWriter::new(BufWriter::with_capacity(BLOCK, file.as_file()));
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
        self.set_hold(FileHold::Locked(named));
        test_halt::reached(HaltPoint::Rename);
        // The new name, too, must survive what comes.
        File::open(folder)?.sync_all()
    }

    /// Gives the file that is there its second name.
    fn set_aside(&self) -> io::Result<()> {
        // A name of its own first, for a link cannot take a name that is there.
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
                // Where both are one file already, of a run that was killed just here, renaming does nothing.
                let _ = fs::remove_file(name);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// Gives a file its name, which no file is to have yet.
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

/// Whether a [`ReplacedFile::save`] failed because another run made the file first.
pub fn is_taken(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::AlreadyExists
}

/// The name of the file before this one.
pub fn older(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("~");
    name.into()
}

/// Opens a file for reading, from its first byte on.
///
/// # Errors
/// When that cannot be done, or it is no regular file: nobody may write into a pipe, and it would be waited for.
pub fn open(path: &Path) -> io::Result<ChecksumWriter<BufReader<File>>> {
    Ok(ChecksumWriter::new(BufReader::with_capacity(BLOCK, bounded::open(path)?)))
}

/// How many bytes a file has, and the CRC-32 of them all.
///
/// # Errors
/// When they cannot be read.
pub fn contents(mut file: &File) -> io::Result<(u64, u32)> {
    file.rewind()?;
    let mut all = ChecksumWriter::new(file);
    let bytes = io::copy(&mut all, &mut io::sink())?;
    Ok((bytes, all.hasher.finalize()))
}

/// The CRC-32 of these, one behind the other.
pub fn sum<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    pieces.into_iter().for_each(|piece| hasher.update(piece));
    hasher.finalize()
}

/// A new file in a folder under a name that says that it is not done, locked; it vanishes if it is dropped.
///
/// # Errors
/// When the folder does not take it.
pub fn part(folder: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    beside(folder, SUFFIX, mode)
}

/// The same, of a file that is not done and does not vanish: it is to be taken up.
///
/// # Errors
/// When the folder does not take it.
pub fn unfinished(folder: &Path, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    let mut file = beside(folder, UNFINISHED, mode)?;
    file.disable_cleanup(true);
    Ok(file)
}

/// Lets a [`part`] stay that was to vanish, under a name that says that it is to be taken up; answers whether that could be
/// done.
pub fn left_unfinished(file: NamedTempFile) -> (NamedTempFile, io::Result<()>) {
    let unfinished = file.path().with_extension(&UNFINISHED[1..]);
    let path = match tempfile::TempPath::try_from_path(&unfinished) {
        Ok(path) => path,
        Err(error) => return (file, Err(error)),
    };
    if let Err(error) = fs::rename(file.path(), &unfinished) {
        // There is nothing of this name.
        return (file, Err(error));
    }
    let mut path = path;
    path.disable_cleanup(true);
    (NamedTempFile::from_parts(file.into_parts().0, path), Ok(()))
}

/// Takes such a file up, and locks it.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] when somebody else is writing it; and when it cannot be opened.
pub fn take_up(path: &Path) -> io::Result<NamedTempFile> {
    let file = OpenOptions::new().read(true).write(true).open(path)?;
    file.try_lock()?;
    let mut path = tempfile::TempPath::try_from_path(path)?;
    path.disable_cleanup(true);
    Ok(NamedTempFile::from_parts(file, path))
}

fn beside(folder: &Path, suffix: &str, mode: Option<Permissions>) -> io::Result<NamedTempFile> {
    // As for any file that a program makes: whoever the user lets read may read.
    let wanted = mode.clone().unwrap_or_else(|| Permissions::from_mode(0o666));
    let file = tempfile::Builder::new().prefix(PREFIX).suffix(suffix).permissions(wanted).tempfile_in(folder)?;
    if let Some(mode) = mode {
        file.as_file().set_permissions(mode)?;
    }
    // Whoever looks for leftovers may hold it for a moment: that is waited for. Where there are no locks its run cannot be
    // told from one that was killed, and that is all.
    while file.as_file().lock().is_err_and(|error| error.kind() == io::ErrorKind::Interrupted) {}
    Ok(file)
}

/// Files in a folder that runs which were killed have left, and their bytes.
pub fn leftovers(folder: &Path) -> Vec<(PathBuf, u64)> {
    let is_part = |name: &std::ffi::OsStr| name.to_str().is_some_and(|n| n.starts_with(PREFIX) && n.ends_with(SUFFIX));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| is_part(&entry.file_name())).filter_map(|entry| {
        let file = bounded::open(&entry.path()).ok()?;
        // One that is made just now may not be locked yet; it is before anything is written to it.
        let age = |found: &fs::Metadata| found.modified().ok().and_then(|time| time.elapsed().ok());
        let found = file.metadata().ok().filter(|found| found.len() > 0 || age(found) > Some(MAKING))?;
        let free = file.try_lock_shared().is_ok();
        free.then(|| (entry.path(), found.len()))
    });
    left.collect()
}

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Sums up what goes through.
#[derive(Debug)]
pub struct ChecksumWriter<T> {
    inner: T,
    hasher: crc32fast::Hasher,
}

impl<T> ChecksumWriter<T> {
    /// Nothing has gone through yet.
    pub fn new(inner: T) -> ChecksumWriter<T> {
        ChecksumWriter { inner, hasher: crc32fast::Hasher::new() }
    }
}

impl<T: Write> ChecksumWriter<T> {
    /// Writes the sum, and all that waits to be written.
    fn seal(mut self) -> io::Result<()> {
        let sum = self.hasher.finalize();
        self.inner.write_all(&sum.to_le_bytes())?;
        self.inner.flush()
    }
}

impl<T: BufRead> ChecksumWriter<T> {
    /// Whether it begins with this line.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn begins_with(&mut self, magic: &str) -> io::Result<bool> {
        let mut read = vec![0; magic.len()];
        match self.read_exact(&mut read) {
            Ok(()) => Ok(read == magic.as_bytes()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The rest of a line, of at most so many bytes.
    ///
    /// # Errors
    /// As [`bounded::line`].
    pub fn line(&mut self, longest: u64) -> io::Result<Vec<u8>> {
        let line = bounded::line(&mut self.inner, longest)?;
        self.hasher.update(&line);
        Ok(line)
    }

    /// Reads the sum, which must be that of all that was read, and the end.
    ///
    /// # Errors
    /// When it is another one, or there is more, or less.
    pub fn check(mut self) -> io::Result<()> {
        let sum = self.hasher.finalize();
        let mut stored = [0; 4];
        self.inner.read_exact(&mut stored)?;
        if u32::from_le_bytes(stored) != sum || self.inner.read(&mut [0])? > 0 {
            let why = "its checksum does not agree with its contents";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(())
    }
}

impl<T: Read> Read for ChecksumWriter<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }
}

impl<T: Write> Write for ChecksumWriter<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &str = "destrier test 1\n";

    fn read(path: &Path) -> io::Result<String> {
        let mut input = open(path)?;
        assert!(input.begins_with(MAGIC)?);
        let line = input.line(64)?;
        input.check()?;
        Ok(String::from_utf8(line).unwrap())
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_the_one_before_stays() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("rows")).unwrap();
        for n in 1..4 {
            place.save(MAGIC, |output| writeln!(output, "number {n}")).unwrap();
            assert_eq!(read(place.path()).unwrap(), format!("number {n}\n"));
            assert_eq!(read(&place.older()).ok(), (n > 1).then(|| format!("number {}\n", n - 1)));
        }
        // One that fails half way changes neither.
        assert!(place.save(MAGIC, |_| Err(io::Error::other("full"))).is_err());
        assert_eq!(
            (read(place.path()).unwrap(), read(&place.older()).unwrap()),
            ("number 3\n".into(), "number 2\n".into())
        );
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.count(), 2);
    }

    /// Eight runs find that no file is there, and write their first one at the same moment.
    #[test]
    fn of_first_files_that_are_written_at_once_one_gets_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let places: Vec<ReplacedFile> = (0..8).map(|_| ReplacedFile::new(&path).unwrap()).collect();
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
        // The one goes on and holds the file; another one is refused, now and when the one is over.
        assert!(places[one].check_claim().is_ok() && ReplacedFile::new(&path).unwrap().claim().is_err());
        places[one].save(MAGIC, |output| writeln!(output, "more")).unwrap();
        assert!(places[refused[0]].save(MAGIC, |_| Ok(())).is_err_and(|error| is_taken(&error)));
        assert_eq!(read(&path).unwrap(), "more\n");
        // A run that claims nothing replaces what is there.
        ReplacedFile::new(&path).unwrap().save(MAGIC, |output| writeln!(output, "other")).unwrap();
        assert_eq!(read(&path).unwrap(), "other\n");
    }

    /// A run was killed when the file had its second name, and the new one was not there yet.
    #[test]
    fn a_file_that_has_its_second_name_already_leaves_no_third() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("rows")).unwrap();
        place.save(MAGIC, |output| writeln!(output, "1")).unwrap();
        fs::hard_link(place.path(), place.older()).unwrap();
        place.save(MAGIC, |output| writeln!(output, "2")).unwrap();
        assert_eq!((read(place.path()).unwrap(), read(&place.older()).unwrap()), ("2\n".into(), "1\n".into()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_changed_byte_and_a_byte_too_many_or_too_few_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("rows")).unwrap();
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

    #[test]
    fn what_a_killed_run_left_is_found_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let living = part(folder.path(), None).unwrap();
        let left = folder.path().join(".destrier-killed.part");
        fs::write(&left, "abc").unwrap();
        fs::write(folder.path().join("other.part"), "abc").unwrap();
        // Somebody is about to lock this one.
        let new = folder.path().join(".destrier-new.part");
        let file = File::create(&new).unwrap();
        assert_eq!(leftovers(folder.path()), [(left.clone(), 3)]);
        file.set_modified(std::time::SystemTime::now() - 2 * MAKING).unwrap();
        let mut found = leftovers(folder.path());
        found.sort();
        assert_eq!(found, [(left, 3), (new, 0)]);
        drop(living);
    }
}
