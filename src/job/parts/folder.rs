//! The files in a folder of parts.

use crate::bounded::{FileFormat, FileKind, refusal};
use crate::job::failure::{Failure, usage};
use crate::run::part::{CHECKPOINT, PART};
use std::fs;
use std::path::{Path, PathBuf};

/// The kinds of the files that are recognised, in the order of the files.
pub fn part_kinds(files: &[PathBuf]) -> Vec<FileKind> {
    files.iter().filter_map(|file| Some(FileFormat::of_file(file).ok()??.kind)).collect()
}

/// The files that may be parts or checkpoints of parts, in the order of their names.
///
/// # Errors
/// [`Failure::Usage`] when it is no folder that can be read.
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
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
