//! Checkpoint files: each is whole at any moment, whatever happens, so that a run can be resumed from it.
//!
//! `README.md` beside this file describes every file that the program writes, byte by byte.
//!
//! A new file is written under another name in the same folder and flushed to the disk. Then the current file gets a
//! second name, `FILE~`, which it keeps. Then the new file takes over the first name, and the folder is flushed to
//! the disk too. So from its first moment on `FILE` always exists, and it is always whole: the new file or the old one.
//!
//! # One run at a time
//!
//! A run claims `FILE` before it reads it: see [`claim`](mod@crate::claim). If the file exists, it is locked, and each file
//! that replaces it is locked before it gets the name. If no file exists, there is nothing to lock, and several runs
//! that start at once find no file. The first file decides between them:
//!
//! 1. The run writes the first file whole, under another name. It holds a lock on that file since it created the file.
//! 2. It gives that file the name `FILE` by a call that fails where the name exists, `renameat2` without replacing or
//!    `link`: of all runs one succeeds. From that moment on `FILE` is whole and locked.
//! 3. All other runs are refused before any of them has begun to work: by [`SavedFile::save`], or by [`SavedFile::check_claim`] if
//!    they find the file when they are about to read it.
//!
//! A run that is killed before step 2 leaves a file under another name, without a lock, and no `FILE`. A run
//! that is killed after step 2 leaves a whole `FILE`, which can be resumed. There is no moment at which `FILE` is empty, or
//! whole and not locked. If the name was free and the user removes
//! `FILE` after the first save, the run replaces any file that it finds later, as it does with each save after the first.
//!
//! | file | holds |
//! | --- | --- |
//! | `run.rs` | [`SavedRun`]: a search or a count in its file, read, compared with what is asked, and refused; how its saves end |
//! | `replaced.rs` | [`SavedFile`]: claims and replaces a file |
//! | `foreign.rs` | where a path that stands in a file may lead |
//! | `part.rs` | files that do not have their final name yet, and what killed runs left of them |
//! | `record.rs` | [`RecordKind`], [`RecordFault`]: the first lines of every file that is resumed, and their refusals |
//! | `checksum.rs` | [`ChecksumStream`]: the stream with its checksum |

mod checksum;
mod foreign;
mod part;
mod record;
mod replaced;
mod run;

pub use checksum::{ChecksumStream, checksum, open};
pub use foreign::{FileIdentity, is_near, refuse_link};
pub use part::{
    RunNumber, create_part, folder, keep_unfinished, leftovers, rename_unfinished, reopen_unfinished, why_unwritable,
    write_whole,
};
pub use record::{RecordBody, RecordFault, RecordKind, read as read_record, seconds};
pub use replaced::{SavedFile, older};
pub use run::{SaveError, SavedRun};
