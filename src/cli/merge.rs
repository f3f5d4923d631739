//! `destrier merge DIR`: the parts of one question, put together, whatever they are parts of.

#[cfg(feature = "tui")]
use super::campaign::watched;
use super::failure::{Failure, usage};
use super::resume::first_line;
use super::{count, parts};
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
    let lines: Vec<String> = files.iter().filter_map(|file| first_line(file).ok().flatten()).collect();
    let is_of = |command: &str| lines.iter().any(|line| line.starts_with(command));
    match () {
        () if is_of("destrier count ") && is_of("destrier search ") => {
            Err(usage(format!("{}: has parts of a search and of a count: keep them apart", args.folder.display())))
        }
        () if is_of("destrier count ") && args.estimate => {
            Err(usage("--estimate: residues tell nothing of a number before they are all there; leave it out"))
        }
        () if is_of("destrier count ") => count::merge::run(args, &files),
        () if is_of("destrier search ") => parts::merge(args, &files),
        () => {
            let folder = args.folder.display();
            Err(usage(format!("{folder}: has no part of anything: name a folder that --out-dir has made")))
        }
    }
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
        return Err(failed(&"is no folder"));
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
