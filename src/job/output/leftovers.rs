//! The files that killed runs have left in a folder.

use crate::job::say::{say, shell_word};
use crate::saved;
use crate::words;
use std::io;
use std::path::Path;

/// Most files that are named.
const LEFTOVERS_NAMED: usize = 3;

/// Reports which files in a folder are left of runs that were killed.
///
/// # Errors
/// When stderr is gone.
pub fn say_leftovers(folder: &Path) -> io::Result<()> {
    let left = saved::leftovers(folder);
    let names: Vec<String> = left.iter().take(LEFTOVERS_NAMED).map(|(path, _)| shell_word(path)).collect();
    let bytes = words::bytes(left.iter().map(|(_, bytes)| bytes).sum());
    let more = if left.len() > names.len() { ", .." } else { "" };
    let names = names.join(", ");
    match left.len() {
        0 => Ok(()),
        1 => say(format_args!("{names} ({bytes}) is left of a run that was killed, and may be removed")),
        n => say(format_args!(
            "{n} files ({bytes}) are left of runs that were killed, and may be removed: {names}{more}"
        )),
    }
}
