//! `destrier resume FILE`: resumes the run of a checkpoint, which says what kind of run it is.

use super::args::ResumeArgs;
use super::{count, search};
use crate::bounded::{FileFormat, FileKind, refusal};
use crate::job::detached::begin_typed;
use crate::job::{Failure, usage};
use crate::saved;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Resumes the run in the file. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when the file is no checkpoint, and the errors of the command that began the run.
pub fn run(args: &ResumeArgs) -> Result<u8, Failure> {
    args.detach.refuse_screen(args.watch)?;
    match recognised(&args.file)? {
        FileKind::Count => count::resume(args),
        // The other process opens the file.
        _ if args.detach.detach => begin_typed(args.json),
        _ => search::resume(args),
    }
}

/// The kind of a checkpoint. If the file is missing or its first line is damaged, the kind of the previous checkpoint,
/// `FILE~`.
///
/// # Errors
/// [`Failure::Usage`] that says what the file is, when it is no checkpoint of this version.
fn recognised(path: &Path) -> Result<FileKind, Failure> {
    let named = |why: &dyn Display| usage(format!("{}: {why}", path.display()));
    if path.is_dir() {
        return Err(named(&"is a folder: name a file in it, or put parts together with destrier merge"));
    }
    let resumed = |found: &FileFormat| matches!(found.kind, FileKind::Search | FileKind::Count);
    let older = || FileFormat::of_file(&saved::older(path)).ok().flatten().filter(resumed);
    let found = match FileFormat::of_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let older = older().map(|older| older.kind);
            return older.ok_or_else(|| named(&"is not there: name a file that --checkpoint has written"));
        }
        found => found.map_err(|error| named(&error))?,
    };
    let found_or_older = found.filter(|found| resumed(found) && found.is_current()).or_else(older);
    let advice = if found.is_none() { ": name a file that --checkpoint has written" } else { "" };
    let refused = || named(&format!("{}{advice}", refusal(found, "checkpoint")));
    found_or_older.map(|found| found.kind).ok_or_else(refused)
}
