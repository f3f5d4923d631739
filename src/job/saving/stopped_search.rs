//! A stopped search in a file: what it is, what may be different when it is resumed, and its files.

use super::place::{ResumeChanges, checked_interval, claimed_place, place, read_if_there, refused};
use super::search::{BegunSearch, EndedSearch, SearchFiles};
use crate::job::failure::{Failure, usage};
use crate::job::files::WrittenFiles;
use crate::run::part::PART;
use crate::run::{Checkpoint, Plan};
use crate::saved::{self, RecordFault};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A search in a file that is to be resumed.
pub struct StoppedSearch {
    path: PathBuf,
    changes: ResumeChanges,
    plan: Plan,
    ended: bool,
}

impl StoppedSearch {
    /// Reads the file, and changes nothing on the disk.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file cannot be resumed in this way.
    pub fn read(path: &Path, changes: ResumeChanges) -> Result<StoppedSearch, Failure> {
        let Checkpoint { plan, ended, .. } = read(path, &changes)?;
        let plan = if ended { plan } else { changed(&plan, &changes)? };
        Ok(StoppedSearch { path: path.to_owned(), changes, plan, ended })
    }

    /// The plan, with the changes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether the search has ended, so that its report is all that is left.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Claims the file, and opens the files of the search.
    ///
    /// # Errors
    /// [`Failure`] when another run has the file, or its tours cannot be resumed.
    pub fn open(self) -> Result<BegunSearch, Failure> {
        let StoppedSearch { path, changes, plan, ended } = self;
        if ended {
            return EndedSearch::settled(read(&path, &changes)?);
        }
        let own = claimed_place("resume", &path)?;
        // A run that was just ending may have saved more since.
        let checkpoint = read(&path, &changes)?;
        if checkpoint.ended {
            return EndedSearch::settled(checkpoint);
        }
        let every = checked_interval(changes.every)?.unwrap_or(checkpoint.every);
        // The result of a part goes to the part's file, whichever command makes it.
        let part = part_of(&path, &plan).map(|part| place("resume", &part)).transpose()?;
        Ok(BegunSearch::Running(SearchFiles::resumed(own, part, &plan, every, checkpoint)?))
    }
}

/// The plan with the changes.
fn changed(plan: &Plan, changes: &ResumeChanges) -> Result<Plan, Failure> {
    let scheduler = changes.scheduler.unwrap_or(plan.scheduler);
    let threads = scheduler.threads(changes.threads, plan.threads).map_err(usage)?;
    Ok(Plan { threads, scheduler, deadline: changes.deadline, ..plan.clone() })
}

/// The file of the part that the search in this file makes, if it makes one.
fn part_of(path: &Path, plan: &Plan) -> Option<PathBuf> {
    plan.shard.map(|_| path.with_extension(&PART[1..]))
}

/// The checkpoint in a file, with the changed name of its tours; no two files of the run may be one.
fn read(path: &Path, changes: &ResumeChanges) -> Result<Checkpoint, Failure> {
    let gone = || refused(path, &RecordFault::Missing, Checkpoint::read);
    let mut checkpoint = read_if_there(path, Checkpoint::read)?.ok_or_else(gone)?;
    if let Some(out) = &changes.out {
        rename_output(&mut checkpoint, out)?;
    }
    let tours = checkpoint.tours.as_ref().map(|tours| &*tours.target);
    WrittenFiles::default()
        .saved("resume", Some(path))
        .saved("resume", part_of(path, &checkpoint.plan).as_deref())
        .file("--out", tours)
        .check()?;
    Ok(checkpoint)
}

/// Gives the tours another final name.
fn rename_output(checkpoint: &mut Checkpoint, out: &Path) -> Result<(), Failure> {
    let refused = |why: &str| usage(format!("--out {}: {why}", out.display()));
    let Some(tours) = &mut checkpoint.tours else {
        return Err(refused("the tours that were found until now were not written; begin again with --out"));
    };
    let out = std::path::absolute(out)?;
    // Without the temporary file the tours have their name already.
    if checkpoint.ended && out != tours.target && !tours.part.exists() {
        return Err(refused(&format!("the run has ended, and its tours are in {}", tours.target.display())));
    }
    if out != tours.target && out.exists() {
        return Err(refused("the file exists; name another one"));
    }
    let device = |path: &Path| fs::metadata(saved::folder(path)).map(|folder| folder.dev()).ok();
    if device(&out).is_none() || device(&out) != device(&tours.part) {
        return Err(refused(&format!("it must be on the disk of {}", tours.part.display())));
    }
    tours.target = out;
    Ok(())
}
