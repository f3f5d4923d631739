//! `resume FILE` of a search: it goes on as it was, but for what is wanted otherwise now.

use super::args;
use super::failure::{Failure, usage};
use super::files::WrittenFiles;
use super::keep::{self, Begun, own_place, place};
use super::record::Recording;
use super::resume::ResumeArgs;
use super::search;
use crate::run::part::PART;
use crate::run::{Checkpoint, Plan};
use crate::saved;
use crate::saved::RecordFault;
use crate::schedule::Scheduler;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Goes on with what a file holds; answers the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be taken up, or when the search or its output failed.
pub fn resume(changes: &ResumeArgs) -> Result<u8, Failure> {
    let path = &changes.file;
    let gone = || keep::refused(path, &RecordFault::Missing, Checkpoint::read);
    let mut checkpoint = keep::read(path)?.ok_or_else(gone)?;
    if let Some(out) = &changes.out {
        rename(&mut checkpoint, out)?;
    }
    let part = checkpoint.plan.shard.map(|_| path.with_extension(&PART[1..]));
    let tours = checkpoint.tours.as_ref().map(|tours| &*tours.target);
    WrittenFiles::default()
        .saved("resume", Some(path))
        .saved("resume", part.as_deref())
        .file("--out", tours)
        .check()?;
    if checkpoint.ended {
        return search::print_ended(&checkpoint, changes.json);
    }
    let own = own_place("resume", path)?;
    let plan = planned(&checkpoint.plan, changes)?;
    let every = keep::often_enough(changes.every)?.unwrap_or(checkpoint.every);
    // A part that is done is a part, whoever did it.
    let part = part.map(|part| place("resume", &part)).transpose()?;
    let begun = keep::go_on(own, part, &plan, every, checkpoint)?;
    if changes.watch {
        return watch(plan, begun, changes.json);
    }
    let recording = search::hosted(Recording::default(), &begun, &changes.detach, &plan, Some(path))?;
    search::go(&plan, begun, recording, changes.json)
}

#[cfg(feature = "tui")]
fn watch(plan: Plan, begun: Begun, json: bool) -> Result<u8, Failure> {
    super::screen::needs_terminal()?;
    super::watch::go(plan, begun, Recording::default(), (crate::ui::FPS_DEFAULT, Default::default()), json)
}

#[cfg(not(feature = "tui"))]
fn watch(_: Plan, _: Begun, _: bool) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its live view (feature tui): leave out --watch"))
}

/// How the work is shared from now on.
fn planned(plan: &Plan, changes: &ResumeArgs) -> Result<Plan, Failure> {
    let scheduler = changes.scheduler.as_deref().map(args::scheduler).transpose()?.unwrap_or(plan.scheduler);
    let threads = match (scheduler, changes.threads) {
        (Scheduler::Serial, Some(threads)) if threads > 1 => {
            return Err(usage(format!(
                "the serial scheduler takes 1 thread, not {threads}; hire, rayon or static take more"
            )));
        }
        (Scheduler::Serial, _) => 1,
        (_, threads) => threads.map_or(plan.threads, |threads| threads as usize),
    };
    Ok(Plan { threads, scheduler, ..plan.clone() })
}

/// Lets the tours have another name in the end.
fn rename(checkpoint: &mut Checkpoint, out: &Path) -> Result<(), Failure> {
    let refused = |why: &str| usage(format!("--out {}: {why}", out.display()));
    let Some(tours) = &mut checkpoint.tours else {
        return Err(refused("the tours that were found until now were not written; begin again with --out"));
    };
    let out = std::path::absolute(out)?;
    // Where a file stands in their way they have not got their name.
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
