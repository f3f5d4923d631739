//! Paths that stand in a file, which another person may have made: where they may lead.
//!
//! `README.md` states the rule. A file that is read leads to reading; to writing it leads only beside its own output file, under
//! the name of an [unfinished file](super::part). A new one is made only near by: see [`is_near`].

use super::part::folder;
use serde::{Deserialize, Serialize};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Whether a path in `file` is that of the folder of the file or of the working folder. Links are followed.
pub fn is_near(path: &Path, file: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    [folder(file), Path::new(".")].into_iter().any(|near| near.canonicalize().is_ok_and(|near| path == near))
}

/// Refuses a link where the name of a file follows from that of another one: the file behind it would be replaced.
///
/// # Errors
/// The text follows the name of the file.
pub fn refuse_link(path: &Path) -> Result<(), &'static str> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => Err("is a link, and the file behind it would be replaced: remove the link"),
        _ => Ok(()),
    }
}

/// What tells a file from any other one that later has its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileIdentity {
    device: u64,
    inode: u64,
    bytes: u64,
    /// Time of the last change of its content, in seconds and nanoseconds since 1970.
    modified: (i64, i64),
}

impl FileIdentity {
    /// The file that has this name now; a link is a file of its own.
    pub fn at(path: &Path) -> Option<FileIdentity> {
        fs::symlink_metadata(path).ok().map(|found| FileIdentity::of(&found))
    }

    pub fn of(found: &Metadata) -> FileIdentity {
        let modified = (found.mtime(), found.mtime_nsec());
        FileIdentity { device: found.dev(), inode: found.ino(), bytes: found.len(), modified }
    }
}
