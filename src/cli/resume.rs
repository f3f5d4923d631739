//! `destrier resume FILE`: resumes the run of a checkpoint, which says what kind of run it is. FILE may be the number of a run.

use super::args::ResumeArgs;
use super::{count, search};
use crate::bounded::{FileFormat, FileKind, refusal};
use crate::job::detached::{RunsFolder, begin_typed, known_run};
use crate::job::{Answer, Failure, usage};
use crate::saved::{self, RecordFault, SaveError};
use std::fs;
use std::path::{Path, PathBuf};

/// Resumes the run in the file, or of the number.
///
/// # Errors
/// [`Failure::Usage`] when the file is no checkpoint, and the errors of the command that began the run.
pub fn run(mut args: ResumeArgs) -> Result<Answer, Failure> {
    args.detach.refuse_screen(args.watch)?;
    args.file = checkpoint(args.file)?;
    match recognised(&args.file)? {
        FileKind::Count => count::resume(&args),
        // The other process opens the file.
        _ if args.detach.detach => begin_typed(args.json),
        _ => search::resume(&args),
    }
}

/// The file of this name; if there is none, the checkpoint of the run of this number.
fn checkpoint(file: PathBuf) -> Result<PathBuf, Failure> {
    let id = file.to_str().and_then(|name| name.parse().ok()).filter(|_| fs::symlink_metadata(&file).is_err());
    let Some(id) = id else { return Ok(file) };
    let entry = known_run(RunsFolder::there()?.as_ref(), id)?.1;
    let checkpoint = entry.checkpoint.filter(|file| file.exists());
    checkpoint.ok_or_else(|| usage(format!("run {id} has no checkpoint; what it has printed: destrier runs {id}")))
}

/// The kind of a checkpoint. If the file is missing or its first line is damaged, the kind of the previous checkpoint,
/// `FILE~`.
///
/// # Errors
/// [`Failure::Usage`] that says what the file is, when it is no checkpoint of this version.
fn recognised(path: &Path) -> Result<FileKind, Failure> {
    if path.is_dir() {
        let why = "is a folder: name a file in it, or put parts together with destrier merge";
        return Err(SaveError::unusable(path, why).into());
    }
    let found = FileFormat::of_file(path);
    let kind = |found: FileFormat| Some(found.kind).filter(|kind| [FileKind::Search, FileKind::Count].contains(kind));
    let own = found.as_ref().ok().copied().flatten().filter(|found| found.is_current()).and_then(kind);
    let older = || FileFormat::of_file(&saved::older(path)).ok().flatten().and_then(kind);
    own.or_else(older).ok_or_else(|| {
        let why = match found {
            Err(error) if error.kind() == std::io::ErrorKind::Other => error.to_string(),
            Err(error) => RecordFault::from(error).to_string(),
            Ok(None) => "is no checkpoint: name a file that --checkpoint has written".to_owned(),
            Ok(found) => refusal(found, "checkpoint"),
        };
        SaveError::unusable(path, why).into()
    })
}
