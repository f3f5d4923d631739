//! A file that a run writes under a temporary name; it gets its final name when the run ends.

use super::stream::{Stream, StreamWriter};
use crate::job::fault::{Failure, running, usage};
use crate::job::files::absolute;
use crate::job::say::{say, say_leftovers, shell_word};
use crate::run::Unfinished;
use crate::saved::{self, FileIdentity, RunNumber};
use crate::store::write::PackedProgress;
use crate::test_halt::{self, HaltPoint};
use crate::words;
use std::fs::{self, File, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use tempfile::NamedTempFile;

/// How many bytes a checksum in the checkpoint tells of: they were written last.
const TAIL: u64 = 64 << 10;
/// The option that names a file of tours: one that may be compressed.
const TOURS: &str = "--out";

/// Whether a file of this name is compressed.
fn is_compressed(target: &Path) -> bool {
    target.extension().is_some_and(|extension| extension == "zst")
}

/// The file that a run writes its tours to. Until [`OutFile::keep`] it has a temporary name in the same folder. It is removed
/// if the run fails, but not after [`OutWatch::keep_until_resumed`]: then a later run resumes with it.
pub struct OutFile {
    /// The option that names the file.
    option: &'static str,
    target: PathBuf,
    /// Whether the file may replace one of its name.
    force: bool,
    /// The file that had the name when the run began, if the run was to replace it.
    replaces: Option<FileIdentity>,
    /// Whether the run is resumed: then no other file than that one is replaced.
    is_resumed: bool,
    file: Arc<Stream<TemporaryFile>>,
}

/// How the tours of a run are resumed.
pub struct ReopenOptions<'a> {
    /// The checkpoint, which may be that of another person.
    pub checkpoint: &'a Path,
    /// Whether the user has named the output file anew.
    pub is_named: bool,
    /// The folder of its former name, if that was another one.
    pub former: Option<&'a Path>,
    /// Whether the user has typed `--force`.
    pub force: bool,
}

/// A file under its temporary name. Errors do not show that name: the user knows the final one.
pub struct TemporaryFile(NamedTempFile);

impl Write for TemporaryFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_file_mut().flush()
    }
}

/// Brings the contents of a file to the disk while workers write to it, and tells how much that is.
pub struct OutWatch {
    target: PathBuf,
    replaces: Option<FileIdentity>,
    format: &'static str,
    file: Weak<Stream<TemporaryFile>>,
}

impl OutWatch {
    /// Where the file is, and how much has been written.
    ///
    /// # Errors
    /// When the disk does not tell, or the file has its final name already.
    pub fn written(&self) -> io::Result<Unfinished> {
        let (target, replaces, format) = (self.target.clone(), self.replaces, self.format.to_owned());
        self.with(|file, packed| {
            let run =
                RunNumber::of(file.path()).ok_or_else(|| io::Error::other("the file of tours has lost its name"))?;
            let bytes = file.as_file().metadata()?.len();
            let tail = Some(tail_checksum(file.as_file(), bytes)?);
            Ok(Unfinished { target, replaces, run, bytes, tail, format, packed })
        })
    }

    /// Brings what has been written to the disk.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn sync(&self) -> io::Result<()> {
        // The lock is released before the disk is waited for, so that workers can write.
        self.with(|file, _| file.as_file().try_clone())?.sync_data()
    }

    /// Lets the file stay until a run resumes with it.
    ///
    /// # Errors
    /// When the disk does not allow it; then it is removed as before if the run fails.
    pub fn keep_until_resumed(&self) -> io::Result<()> {
        self.with(|file, _| saved::keep_unfinished(file))
    }

    /// Whether the run may replace the file that had the name when it began.
    pub fn replaces(&self) -> bool {
        self.replaces.is_some()
    }

    fn with<T>(&self, ask: impl FnOnce(&mut NamedTempFile, Option<PackedProgress>) -> io::Result<T>) -> io::Result<T> {
        let file = self.file.upgrade().ok_or_else(|| io::Error::other("the tours have got their name"))?;
        file.with(|file, far| ask(&mut file.0, far))
    }
}

impl OutFile {
    /// A file that will be `target`, which this option names, checked before any work begins.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file exists and may not be replaced, or when its folder cannot be written.
    pub fn create(option: &'static str, target: &Path, force: bool) -> Result<OutFile, Failure> {
        let shown = target.display();
        let refused = |why: &str| usage(format!("{option} {shown}: {why}"));
        let whole = absolute(option, target)?;
        // Links there lead to the program itself and to open files.
        if whole.starts_with("/proc") {
            return Err(refused("is below /proc, where no file can be made: name another file"));
        }
        // A link is followed: what it points to is replaced, not the link.
        let target = match fs::symlink_metadata(target) {
            Err(_) => whole,
            Ok(_) => match target.canonicalize() {
                Ok(target) => target,
                Err(error) => return Err(refused(&format!("is a link that leads nowhere: {error}"))),
            },
        };
        let found = fs::metadata(&target);
        match &found {
            Ok(found) if found.is_dir() => return Err(refused("is a folder; name a file in it")),
            Ok(found) if !found.is_file() => {
                let instead = if option == TOURS { "; for a pipe use --out - and the shell's >" } else { "" };
                return Err(refused(&format!("is no regular file{instead}")));
            }
            Ok(_) if !force => return Err(refused("the file exists; add --force to replace it")),
            _ => {}
        }
        let folder = saved::folder(&target);
        let replaces = found.as_ref().ok().map(FileIdentity::of);
        // A new file has the usual permissions, a replaced one those of the file before.
        let mode = found.ok().map(|found| Permissions::from_mode(found.mode() & 0o777));
        let unwritable = |error: io::Error| refused(&saved::why_unwritable(folder, &error));
        say_leftovers(folder)?;
        let file = TemporaryFile(saved::create_part(folder, mode).map_err(unwritable)?);
        let file = Arc::new(Stream::new(file, option == TOURS && is_compressed(&target)));
        Ok(OutFile { option, target, force, replaces, is_resumed: false, file })
    }

    /// The file of an earlier run, to be written behind the tours that its checkpoint counts; they take `counted` bytes before
    /// they are compressed. Says where the tours go before anything is changed.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it is not there any more, is no file that only this program makes, has not the tours that the
    /// checkpoint counts, or is being written by another run; and when another file has its final name.
    pub fn reopen(tours: &Unfinished, options: &ReopenOptions<'_>, counted: u64) -> Result<OutFile, Failure> {
        let Unfinished { target, replaces, bytes, packed, run, tail, .. } = tours;
        let (part, folder) = (tours.part(), saved::folder(target));
        may_take_name(target, options.force, *replaces)?;
        let refused =
            |why: &str| usage(format!("the tours that were written until then are in {}, which {why}", part.display()));
        let begin_again = format!("to begin again, type rm {}", shell_word(options.checkpoint));
        // Where the run lay before its tours got another name; or beside that name, if a run was killed just then.
        let former = options.former.map(|former| saved::reopen_unfinished(former, run));
        let opened =
            former.filter(|opened| !is_missing(opened)).unwrap_or_else(|| saved::reopen_unfinished(folder, run));
        let is_new = is_missing(&opened) && *bytes == 0;
        let file = if is_new { created_anew(target, options)? } else { opened };
        let mut file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused(&format!("is gone: move it back there, or, {begin_again}")),
            io::ErrorKind::WouldBlock => refused("another run is writing"),
            io::ErrorKind::Other => refused(&format!("{error}: it is not written; {begin_again}")),
            _ => refused(&format!("cannot be opened: {error}")),
        })?;
        let failed = |error: io::Error| refused(&format!("cannot be continued: {error}"));
        let length = file.as_file().metadata().map_err(failed)?.len();
        let check =
            |is_wrong, why: &str| if is_wrong { Err(refused(&format!("{why}; {begin_again}"))) } else { Ok(()) };
        check(length < *bytes, &format!("has {length} bytes, not the {bytes} that it had"))?;
        let is_counted = written(file.as_file(), tours, counted).map_err(failed)? == counted;
        check(!is_counted, "has not the tours that the checkpoint counts")?;
        let is_other = tail.is_some_and(|tail| tail_checksum(file.as_file(), *bytes).ok() != Some(tail));
        check(is_other, "has other tours than the run wrote")?;
        let cut = |more| format!("; {} behind them are cut off and written again", words::bytes(more));
        let cut = if length > *bytes { cut(length - bytes) } else { String::new() };
        let (shown, written) = (target.display(), words::bytes(*bytes));
        let new = RunNumber::of(file.path()).filter(|_| is_new).map(|new| new.unfinished(folder));
        let until = new.as_ref().unwrap_or(&part).display();
        say(format_args!("the tours go to {shown}; until the end they are in {until}: {written}{cut}"))?;
        if !is_new && file.path() != part {
            saved::rename_unfinished(&mut file, &part).map_err(|error| running(format!("{until}: {error}")))?;
        }
        file.as_file().set_len(*bytes).map_err(failed)?;
        file.as_file().seek(SeekFrom::End(0)).map_err(failed)?;
        let file = Arc::new(Stream::resume(TemporaryFile(file), is_compressed(target), *bytes > 0, *packed));
        let (target, force, replaces) = (target.clone(), options.force, *replaces);
        Ok(OutFile { option: TOURS, target, force, replaces, is_resumed: true, file })
    }

    /// What tells how much has been written in a format of this name.
    pub fn watch(&self, format: &'static str) -> OutWatch {
        OutWatch { target: self.target.clone(), replaces: self.replaces, format, file: Arc::downgrade(&self.file) }
    }

    /// The option that names the file, and its final name.
    pub fn shown(&self) -> String {
        format!("{} {}", self.option, self.target.display())
    }

    /// The stream that all writers share.
    pub fn stream(&self) -> &Arc<Stream<TemporaryFile>> {
        &self.file
    }

    /// A writer for one thread.
    pub fn writer(&self) -> impl Write + use<> {
        StreamWriter(Arc::clone(&self.file))
    }

    /// Writes the end of the file, and gives it its final name. All workers and writers must have ended.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it.
    pub fn keep(self) -> Result<(), Failure> {
        let shown = self.shown();
        let failed = |error: io::Error| running(format!("{shown}: {error}"));
        let Some(file) = Arc::into_inner(self.file) else { unreachable!("the crew and its tour writers are gone") };
        file.end().map_err(failed)?;
        let TemporaryFile(file) = file.into_inner();
        file.as_file().sync_all().map_err(failed)?;
        test_halt::reached(HaltPoint::Save);
        // A resumed run replaces no file that was put there since it began.
        let is_same = || self.replaces.is_some() && FileIdentity::at(&self.target) == self.replaces;
        let force = self.force && (!self.is_resumed || is_same());
        let kept = if force { file.persist(&self.target) } else { file.persist_noclobber(&self.target) };
        kept.map(|_| test_halt::reached(HaltPoint::Rename)).map_err(|error| {
            // Not if the folder is gone, and the file with it.
            let kept = error.file.keep().ok().filter(|(_, path)| path.exists());
            let place = kept.map_or(String::new(), |(_, path)| format!("; what was written is in {}", path.display()));
            match error.error.kind() {
                io::ErrorKind::AlreadyExists => {
                    let instead = "move one of the two away";
                    running(format!("{shown}: a file with this name was made meanwhile{place}: {instead}"))
                }
                _ => running(format!("{shown}: {}{place}", error.error)),
            }
        })
    }

    /// Removes the file.
    pub fn discard(self) {
        if let Some(file) = Arc::into_inner(self.file) {
            // What cannot be removed is an empty file.
            let _ = file.into_inner().0.close();
        }
    }

    /// Leaves the file under its temporary name, and returns that.
    pub fn keep_part(self) -> Option<PathBuf> {
        let TemporaryFile(file) = Arc::into_inner(self.file)?.into_inner();
        file.keep().ok().map(|(_, path)| path).filter(|path| path.exists())
    }
}

/// Refuses a final name that a resumed run could not give its file in the end.
fn may_take_name(target: &Path, force: bool, replaces: Option<FileIdentity>) -> Result<(), Failure> {
    let refused = |why: &str| Err(usage(format!("--out {}: {why}", target.display())));
    match FileIdentity::at(target) {
        None => Ok(()),
        now if now != replaces => {
            refused("it was made or changed since the run began; move it away, or name another file with --out")
        }
        Some(_) if !force => refused("the file exists; add --force to replace it, or name another one"),
        Some(_) => Ok(()),
    }
}

/// Whether there is no unfinished file.
fn is_missing(opened: &io::Result<NamedTempFile>) -> bool {
    opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// A new unfinished file in place of one that is gone and had no tours: near by, or where the user has said.
fn created_anew(target: &Path, options: &ReopenOptions<'_>) -> Result<io::Result<NamedTempFile>, Failure> {
    let folder = saved::folder(target);
    let is_hidden = target.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    if options.is_named || (saved::is_near(folder, options.checkpoint) && !is_hidden) {
        return Ok(saved::create_part(folder, None));
    }
    let (checkpoint, target) = (options.checkpoint.display(), target.display());
    let why = "which is hidden or in another folder: name the file with --out";
    Err(usage(format!("{checkpoint} names {target} for its tours, {why}")))
}

/// The checksum of the last of the first so many bytes of a file.
fn tail_checksum(file: &File, bytes: u64) -> io::Result<u32> {
    let mut tail = vec![0; bytes.min(TAIL) as usize];
    file.read_exact_at(&mut tail, bytes.saturating_sub(TAIL))?;
    Ok(saved::checksum([&*tail]))
}

/// Number of bytes that a checkpoint includes of a file, before they were compressed; of more than `counted`, one more than that.
fn written(file: &File, tours: &Unfinished, counted: u64) -> io::Result<u64> {
    if !is_compressed(&tours.target) || tours.bytes == 0 {
        return Ok(tours.bytes);
    }
    let content = zstd::Decoder::new(Read::take(file, tours.bytes))?;
    io::copy(&mut content.take(counted.saturating_add(1)), &mut io::sink())
}
