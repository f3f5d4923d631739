//! A search in a file that is resumed by `destrier resume`, and what may be different then.

use super::options::ResumeChanges;
use super::place::{PartFiles, checked_interval, resumed};
use super::search::{BegunFiles, SearchFiles};
use crate::job::fault::{Failure, refuse_if, usage};
use crate::job::files::{WrittenFiles, absolute};
use crate::job::output::ReopenOptions;
use crate::run::{Checkpoint, Plan};
use crate::saved::{self, SavedFile, SavedRun as _};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A search in a file that is to be resumed.
pub struct StoppedSearch {
    file: SavedFile,
    changes: ResumeChanges,
    checkpoint: Checkpoint,
    /// The part that it makes, if it makes one.
    part: Option<PartFiles>,
    /// The folder of the tours before their name was changed.
    former: Option<PathBuf>,
}

impl StoppedSearch {
    /// Claims the file, and reads it. No two files of the run may be one.
    ///
    /// # Errors
    /// [`Failure::Usage`] when another run has the file, or it cannot be resumed in this way.
    pub fn read(path: &Path, changes: ResumeChanges) -> Result<StoppedSearch, Failure> {
        let (file, mut checkpoint) = resumed::<Checkpoint>(path)?;
        let former = changes.out.as_ref().map(|out| rename_output(&mut checkpoint, out)).transpose()?;
        let part = checkpoint.plan.shard.map(|_| PartFiles::of_checkpoint(path));
        WrittenFiles::default()
            .saved("resume", Some(path))
            .saved("resume", part.as_ref().map(|part| &*part.done))
            .file("--out", checkpoint.tours.as_ref().map(|tours| &*tours.target))
            .check()?;
        if !checkpoint.has_ended() {
            checkpoint.plan = changed(&checkpoint.plan, &changes)?;
        }
        Ok(StoppedSearch { file, changes, checkpoint, part, former })
    }

    /// The plan, with the changes.
    pub fn plan(&self) -> &Plan {
        &self.checkpoint.plan
    }

    /// Whether the search has ended, so that its report is all that is left.
    pub fn has_ended(&self) -> bool {
        self.checkpoint.has_ended()
    }

    /// Opens the files of the search.
    ///
    /// # Errors
    /// [`Failure`] when the search cannot be saved in its file, or its tours cannot be resumed.
    pub fn open(self) -> Result<BegunFiles, Failure> {
        let StoppedSearch { file, changes, mut checkpoint, part, former } = self;
        let (is_named, former, force) = (changes.out.is_some(), former.as_deref(), changes.force);
        checkpoint.every = checked_interval(changes.every)?.unwrap_or(checkpoint.every);
        // The result of a part goes to the part's file, whichever command makes it.
        part.as_ref().map_or(Ok(()), |part| part.check("resume"))?;
        let done = part.as_ref().filter(|part| checkpoint.has_ended() && part.has_checkpoint());
        let path = done.map_or(file.path(), |part| &*part.done).to_owned();
        let reopen = ReopenOptions { checkpoint: &path, is_named, former, force };
        SearchFiles::resumed(file, part, checkpoint, &reopen)
    }
}

fn changed(plan: &Plan, changes: &ResumeChanges) -> Result<Plan, Failure> {
    let scheduler = changes.scheduler.unwrap_or(plan.scheduler);
    let threads = scheduler.threads(changes.threads.map(|threads| threads as usize), plan.threads).map_err(usage)?;
    Ok(Plan { threads, scheduler, deadline: changes.deadline, ..plan.clone() })
}

/// Gives the tours another final name. Returns the folder of the former one.
fn rename_output(checkpoint: &mut Checkpoint, out: &Path) -> Result<PathBuf, Failure> {
    let shown = out.display();
    let check = |is_wrong: bool, why: &str| refuse_if(is_wrong, format_args!("--out {shown}: {why}"));
    let has_ended = checkpoint.has_ended();
    let Some(tours) = &mut checkpoint.tours else {
        let why = "the tours that were found until now were not written; begin again with --out";
        return Err(usage(format!("--out {shown}: {why}")));
    };
    let out = absolute("--out", out)?;
    let part = tours.part();
    // Without the temporary file the tours have their name already.
    let (is_other, has_name) = (out != tours.target, has_ended && !part.exists());
    let place = tours.target.display();
    check(is_other && has_name, &format!("the run has ended, and its tours are in {place}"))?;
    check(is_other && fs::symlink_metadata(&out).is_ok(), "the file exists; name another one")?;
    let device = |path: &Path| fs::metadata(saved::folder(path)).map(|folder| folder.dev()).ok();
    check(device(&out).is_none(), "its folder is not there: make it first")?;
    check(device(&out) != device(&part), &format!("it must be on the disk of {}", part.display()))?;
    let former = saved::folder(&tours.target).to_owned();
    if is_other {
        (tours.target, tours.replaces) = (out, None);
    }
    Ok(former)
}
