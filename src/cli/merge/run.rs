//! What `destrier merge DIR` does: put the parts of one question together, whichever question it is.

use super::{count, search};
use crate::bounded::FileKind;
use crate::cli::args::MergeArgs;
use crate::job::parts::{part_files, part_kinds};
use crate::job::{Failure, usage};

/// Puts the parts together that are there. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there are none; [`Failure`] when their sum contradicts what is known, or nothing can be printed.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let files = part_files(&args.folder)?;
    let kinds = part_kinds(&files);
    match [FileKind::Count, FileKind::Search].map(|kind| kinds.contains(&kind)) {
        [true, true] => {
            Err(usage(format!("{}: has parts of a search and of a count: keep them apart", args.folder.display())))
        }
        [true, _] if args.estimate => {
            Err(usage("--estimate: residues tell nothing of a number before they are all there; leave it out"))
        }
        [true, _] => count::run(args, &files),
        [_, true] => search::run(args, &files),
        [false, false] => {
            let folder = args.folder.display();
            Err(usage(format!("{folder}: has no part of anything: name a folder that --out-dir has made")))
        }
    }
}
