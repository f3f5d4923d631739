//! `destrier merge DIR`: the parts of one question, put together, whatever they are parts of.

#[cfg(feature = "tui")]
use super::campaign::watched;
use super::failure::{Failure, usage};
use super::{count, parts};
use crate::bounded::{FileFormat, FileKind, refusal};
use crate::run::part::{CHECKPOINT, PART};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};

/// `destrier merge`.
#[derive(Args)]
pub struct MergeArgs {
    /// The folder of the parts, as --out-dir made it
    pub folder: PathBuf,
    /// Print what the parts that are there tell of the whole: the tours, the standard error, the time
    #[arg(long)]
    pub estimate: bool,
    /// See the parts gather on the screen while they are being done, and print what they come to when that is left; a
    /// folder that is not there yet is waited for
    #[arg(long, conflicts_with = "estimate")]
    pub watch: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

/// Puts the parts together, or shows how they gather; answers the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there are none, or when they are to be seen and cannot be.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    if args.watch {
        return watched(args);
    }
    put_together(args)
}

#[cfg(not(feature = "tui"))]
fn watched(_: &MergeArgs) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}

/// Puts the parts together that are there; answers the exit code.
///
/// # Errors
/// As [`run`].
pub fn put_together(args: &MergeArgs) -> Result<u8, Failure> {
    let files = files(&args.folder)?;
    let kinds = kinds(&files);
    match [FileKind::Count, FileKind::Search].map(|kind| kinds.contains(&kind)) {
        [true, true] => {
            Err(usage(format!("{}: has parts of a search and of a count: keep them apart", args.folder.display())))
        }
        [true, _] if args.estimate => {
            Err(usage("--estimate: residues tell nothing of a number before they are all there; leave it out"))
        }
        [true, _] => count::merge::run(args, &files),
        [_, true] => parts::merge(args, &files),
        [false, false] => {
            let folder = args.folder.display();
            Err(usage(format!("{folder}: has no part of anything: name a folder that --out-dir has made")))
        }
    }
}

/// The kinds of the files that are recognised, in the order of the files.
pub fn kinds(files: &[PathBuf]) -> Vec<FileKind> {
    files.iter().filter_map(|file| Some(FileFormat::of_file(file).ok()??.kind)).collect()
}

/// What may be a part, or one that is not done, in the order of their names.
///
/// # Errors
/// [`Failure::Usage`] when it is no folder that can be read.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        usage(format!("{}: {why}: name a folder that --out-dir has made", folder.display()))
    };
    if folder.is_file() {
        let why = FileFormat::of_file(folder).ok().flatten().map(|found| refusal(Some(found), "folder of parts"));
        return Err(why.map_or_else(|| failed(&"is no folder"), |why| usage(format!("{}: {why}", folder.display()))));
    }
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| failed(&error))?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Those that begin with a dot are not written to their end.
        !name.starts_with('.') && [PART, CHECKPOINT].iter().any(|end| name.ends_with(end))
    });
    files.sort();
    Ok(files)
}
