//! A stopped search in a file: what it is, what may be different when it is resumed, and its files.

use super::options::ResumeChanges;
use super::place::{beside, checked_interval, claimed_to_read, read_if_there, refused};
use super::search::{FinishedSearch, SearchFiles, SearchStart, reopened};
use crate::job::failure::{Failure, usage};
use crate::job::files::{WrittenFiles, absolute};
use crate::job::output::ReopenOptions;
use crate::run::part::PART;
use crate::run::{Checkpoint, Plan};
use crate::saved::{self, RecordFault, ReplacedFile};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A search in a file that is to be resumed.
pub struct StoppedSearch {
    path: PathBuf,
    own: ReplacedFile,
    changes: ResumeChanges,
    plan: Plan,
    checkpoint: Checkpoint,
    /// The folder of the tours before their name was changed.
    former: Option<PathBuf>,
}

impl StoppedSearch {
    /// Claims the file, and reads it. Changes nothing on the disk.
    ///
    /// # Errors
    /// [`Failure::Usage`] when another run has the file, or it cannot be resumed in this way.
    pub fn read(path: &Path, changes: ResumeChanges) -> Result<StoppedSearch, Failure> {
        let own = claimed_to_read("resume", path)?;
        let (checkpoint, former) = read(path, &changes)?;
        own.check_claim().map_err(|why| usage(format!("{} {why}", path.display())))?;
        let plan = &checkpoint.plan;
        let plan = if checkpoint.ended { plan.clone() } else { changed(plan, &changes)? };
        Ok(StoppedSearch { path: path.to_owned(), own, changes, plan, checkpoint, former })
    }

    /// The plan, with the changes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Whether the search has ended, so that its report is all that is left.
    pub fn has_ended(&self) -> bool {
        self.checkpoint.ended
    }

    /// Opens the files of the search.
    ///
    /// # Errors
    /// [`Failure`] when the search cannot be saved in its file, or its tours cannot be resumed.
    pub fn open(self) -> Result<SearchStart, Failure> {
        let StoppedSearch { path, own, changes, plan, mut checkpoint, former } = self;
        let (is_named, former, force) = (changes.out.is_some(), former.as_deref(), changes.force);
        let reopen = ReopenOptions { checkpoint: &path, is_named, former, force };
        if checkpoint.ended {
            return FinishedSearch::settled(checkpoint, &reopen);
        }
        own.check_folder().map_err(|why| usage(format!("resume {}: {why}", path.display())))?;
        checkpoint.every = checked_interval(changes.every)?.unwrap_or(checkpoint.every);
        // The result of a part goes to the part's file, whichever command makes it.
        let part = part_of(&path, &plan).map(|part| beside("resume", &part)).transpose()?;
        let (output, format) = reopened(&checkpoint, &reopen)?;
        Ok(SearchStart::Running(SearchFiles::resumed(own, part, &plan, output, format, checkpoint)?))
    }
}

fn changed(plan: &Plan, changes: &ResumeChanges) -> Result<Plan, Failure> {
    let scheduler = changes.scheduler.unwrap_or(plan.scheduler);
    let threads = scheduler.threads(changes.threads.map(|threads| threads as usize), plan.threads).map_err(usage)?;
    Ok(Plan { threads, scheduler, deadline: changes.deadline, ..plan.clone() })
}

/// The file of the part that the search in this file makes, if it makes one.
fn part_of(path: &Path, plan: &Plan) -> Option<PathBuf> {
    plan.shard.map(|_| path.with_extension(&PART[1..]))
}

/// The checkpoint in a file, with the changed name of its tours; no two files of the run may be one. The second result is
/// the folder of the tours before that change.
fn read(path: &Path, changes: &ResumeChanges) -> Result<(Checkpoint, Option<PathBuf>), Failure> {
    let gone = || refused(path, &RecordFault::Missing, Checkpoint::read);
    let mut checkpoint = read_if_there(path, Checkpoint::read)?.ok_or_else(gone)?;
    let former = changes.out.as_ref().map(|out| rename_output(&mut checkpoint, out)).transpose()?;
    let tours = checkpoint.tours.as_ref().map(|tours| &*tours.target);
    WrittenFiles::default()
        .saved("resume", Some(path))
        .saved("resume", part_of(path, &checkpoint.plan).as_deref())
        .file("--out", tours)
        .check()?;
    Ok((checkpoint, former))
}

/// Gives the tours another final name. Returns the folder of the former one.
fn rename_output(checkpoint: &mut Checkpoint, out: &Path) -> Result<PathBuf, Failure> {
    let refused = |why: &str| usage(format!("--out {}: {why}", out.display()));
    let Some(tours) = &mut checkpoint.tours else {
        return Err(refused("the tours that were found until now were not written; begin again with --out"));
    };
    let out = absolute("--out", out)?;
    let part = tours.part();
    // Without the temporary file the tours have their name already.
    if checkpoint.ended && out != tours.target && !part.exists() {
        return Err(refused(&format!("the run has ended, and its tours are in {}", tours.target.display())));
    }
    if out != tours.target && fs::symlink_metadata(&out).is_ok() {
        return Err(refused("the file exists; name another one"));
    }
    let device = |path: &Path| fs::metadata(saved::folder(path)).map(|folder| folder.dev()).ok();
    if device(&out).is_none() {
        return Err(refused("its folder is not there: make it first"));
    }
    if device(&out) != device(&part) {
        return Err(refused(&format!("it must be on the disk of {}", part.display())));
    }
    let former = saved::folder(&tours.target).to_owned();
    if out != tours.target {
        (tours.target, tours.replaces) = (out, None);
    }
    Ok(former)
}
