//! A file that a run writes under a temporary name; it gets its final name when the run ends.

use super::stream::Stream;
use crate::job::failure::{Failure, running, usage};
use crate::job::say::say_leftovers;
use crate::run::Unfinished;
use crate::saved;
use crate::store::write::PackedProgress;
use crate::test_halt::{self, HaltPoint};
use std::fs::{self, File, Permissions};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use tempfile::NamedTempFile;

/// The option that names a file of tours: one that may be compressed.
const TOURS: &str = "--out";

/// Whether a file of this name is compressed.
fn is_compressed(target: &Path) -> bool {
    target.extension().is_some_and(|extension| extension == "zst")
}

/// How long a file stays that has its temporary name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileLifetime {
    /// Until the run fails.
    UntilFailure,
    /// Until a run resumes with it: a checkpoint has its temporary name.
    UntilResumed,
}

/// The file that a run writes its tours to. Until [`OutFile::keep`] it has a temporary name in the same folder. It is removed
/// if the run fails, but not if the run is saved: then a later run resumes with it.
pub struct OutFile {
    /// The option that names the file.
    option: &'static str,
    target: PathBuf,
    force: bool,
    file: Arc<Stream<TemporaryFile>>,
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

/// A writer to the whole stream, for one thread.
struct StreamWriter(Arc<Stream<TemporaryFile>>);

/// How much of a file has been written.
#[derive(Clone, Copy, Default)]
pub struct OutPosition {
    bytes: u64,
    /// The progress of the packed format, if it is used.
    packed: Option<PackedProgress>,
}

/// Brings the contents of a file to the disk while workers write to it, and tells how much that is.
pub struct OutWatch {
    target: PathBuf,
    force: bool,
    file: Weak<Stream<TemporaryFile>>,
}

impl OutWatch {
    /// How much has been written.
    ///
    /// # Errors
    /// When the disk does not tell, or the file has its final name already.
    pub fn written(&self) -> io::Result<OutPosition> {
        self.with(|file, packed| Ok(OutPosition { bytes: file.as_file().metadata()?.len(), packed }))
    }

    /// Brings the file up to this position to the disk. Returns where it is, with the name of its format.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn note(&self, format: &str, OutPosition { bytes, packed }: OutPosition) -> io::Result<Unfinished> {
        // The lock is released before the disk is waited for, so that workers can write.
        let (file, part) = self.with(|file, _| Ok((file.as_file().try_clone()?, file.path().to_owned())))?;
        file.sync_data()?;
        let (target, format) = (self.target.clone(), format.to_owned());
        Ok(Unfinished { target, force: self.force, part, bytes, format, packed })
    }

    fn with<T>(&self, ask: impl FnOnce(&NamedTempFile, Option<PackedProgress>) -> io::Result<T>) -> io::Result<T> {
        let file = self.file.upgrade().ok_or_else(|| io::Error::other("the tours have got their name"))?;
        file.with(|file, far| ask(&file.0, far))
    }
}

impl Write for StreamWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutFile {
    /// A file that will be `target`, which this option names, checked before any work begins.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file exists and may not be replaced, or when its folder cannot be written.
    pub fn create(option: &'static str, target: &Path, force: bool, lasts: FileLifetime) -> Result<OutFile, Failure> {
        let shown = target.display();
        let refused = |why: &str| usage(format!("{option} {shown}: {why}"));
        // A link is followed: what it points to is replaced, not the link.
        let target = &match fs::symlink_metadata(target) {
            Err(_) => target.to_owned(),
            Ok(_) => match target.canonicalize() {
                Ok(target) => target,
                Err(error) => return Err(refused(&format!("is a link that leads nowhere: {error}"))),
            },
        };
        let found = fs::metadata(target);
        match &found {
            Ok(found) if found.is_dir() => return Err(refused("is a folder; name a file in it")),
            Ok(found) if !found.is_file() => {
                let instead = if option == TOURS { "; for a pipe use --out - and the shell's >" } else { "" };
                return Err(refused(&format!("is no regular file{instead}")));
            }
            Ok(_) if !force => return Err(refused("the file exists; add --force to replace it")),
            _ => {}
        }
        // The run that resumes may have another current folder.
        let target = std::path::absolute(target)?;
        let folder = saved::folder(&target);
        // A new file has the usual permissions, a replaced one those of the file before.
        let mode = found.ok().map(|found| Permissions::from_mode(found.mode() & 0o777));
        let unwritable = |error: io::Error| refused(&format!("cannot write in {}: {}", folder.display(), error.kind()));
        say_leftovers(folder)?;
        let file = match lasts {
            FileLifetime::UntilFailure => saved::create_part(folder, mode),
            FileLifetime::UntilResumed => saved::create_unfinished(folder, mode),
        };
        let file =
            Arc::new(Stream::new(TemporaryFile(file.map_err(unwritable)?), option == TOURS && is_compressed(&target)));
        Ok(OutFile { option, target, force, file })
    }

    /// The file of an earlier run, to be written behind the tours that its checkpoint counts.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it is not there any more, is shorter than it was, or is being written by another run.
    pub fn reopen(tours: &Unfinished) -> Result<OutFile, Failure> {
        let Unfinished { target, force, part, bytes, packed, .. } = tours;
        let shown = part.display();
        let refused =
            |why: String| usage(format!("the tours that were written until then are in {shown}, which {why}"));
        let file = saved::reopen_unfinished(part).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => refused("is gone".to_owned()),
            io::ErrorKind::WouldBlock => refused("another run is writing".to_owned()),
            _ => refused(format!("cannot be opened: {error}")),
        })?;
        let failed = |error: io::Error| refused(format!("cannot be continued: {error}"));
        let length = file.as_file().metadata().map_err(failed)?.len();
        if length < *bytes {
            return Err(refused(format!("has {length} bytes, not the {bytes} that it had")));
        }
        file.as_file().set_len(*bytes).map_err(failed)?;
        file.as_file().seek(SeekFrom::End(0)).map_err(failed)?;
        let file = Arc::new(Stream::resume(TemporaryFile(file), is_compressed(target), *bytes > 0, *packed));
        Ok(OutFile { option: TOURS, target: target.clone(), force: *force, file })
    }

    /// Lets the file stay until a run resumes with it. The second result is whether the disk allowed that.
    pub fn keep_until_resumed(self) -> (OutFile, io::Result<()>) {
        let Some(file) = Arc::into_inner(self.file) else { unreachable!("the crew and its couriers are gone") };
        let (file, done) = file.map(|TemporaryFile(file)| {
            let (file, done) = saved::keep_unfinished(file);
            (TemporaryFile(file), done)
        });
        (OutFile { file: Arc::new(file), ..self }, done)
    }

    /// What tells how much has been written.
    pub fn watch(&self) -> OutWatch {
        OutWatch { target: self.target.clone(), force: self.force, file: Arc::downgrade(&self.file) }
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
        StreamWriter(self.file.clone())
    }

    /// Writes the end of the file, and gives it its final name. All workers and writers must have ended.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it.
    pub fn keep(self) -> Result<(), Failure> {
        self.keep_after(|_| ())
    }

    /// As [`OutFile::keep`]; calls `whole` when all is on the disk, just before the file gets its final name.
    ///
    /// # Errors
    /// As [`OutFile::keep`].
    pub fn keep_after(self, whole: impl FnOnce(&File)) -> Result<(), Failure> {
        let shown = self.shown();
        let failed = |error: io::Error| running(format!("{shown}: {error}"));
        let Some(file) = Arc::into_inner(self.file) else { unreachable!("the crew and its couriers are gone") };
        file.end().map_err(failed)?;
        let TemporaryFile(file) = file.into_inner();
        file.as_file().sync_all().map_err(failed)?;
        whole(file.as_file());
        test_halt::reached(HaltPoint::Save);
        let kept = if self.force { file.persist(&self.target) } else { file.persist_noclobber(&self.target) };
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

    /// Removes the file, whatever its lifetime.
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
