//! A part of a search, which any machine can do, and its files in the folder of parts.
//!
//! A complete part is one file, `I-of-N.part`: a [`Checkpoint`] with nothing left, put there in one piece. While the part is
//! being done, and when it is stopped, there is `I-of-N.checkpoint` instead, from which the same command resumes.

use super::options::SearchOutput;
use super::place::{beside, claimed, is_made_again, remove};
use super::search::{FinishedSearch, SearchFiles, SearchStart, refuse_devices, refuse_other_tours};
use crate::job::failure::{Failure, usage};
use crate::job::files::WrittenFiles;
use crate::job::output::ReopenOptions;
use crate::job::say::say;
use crate::run::part::{self, CHECKPOINT};
use crate::run::{Checkpoint, Plan, Question};
use crate::saved::RecordFault;
use crate::schedule::Shard;
use clap::Args;
use std::fs;
use std::path::PathBuf;

/// A part of a search, and its folder.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Saving and dividing")]
pub struct SearchPart {
    /// Do part I of N only, from 1/N to N/N
    ///
    /// A part is drawn from all over the tree. `destrier merge D` puts the parts together.
    #[arg(long, value_name = "I/N", required = false, requires = "folder", conflicts_with = "checkpoint")]
    pub shard: Shard,
    /// The folder that the result of a part is written to; it is made
    #[arg(long = "out-dir", value_name = "D", required = false, requires = "shard")]
    folder: PathBuf,
}

impl SearchPart {
    /// The file of the complete part.
    fn file(&self) -> PathBuf {
        part::path(&self.folder, self.shard)
    }

    /// The file that the part is saved in while it is being done.
    fn checkpoint(&self) -> PathBuf {
        self.file().with_extension(&CHECKPOINT[1..])
    }

    /// Both files.
    pub fn files(&self) -> WrittenFiles {
        WrittenFiles::default().saved("--out-dir", Some(&self.file())).saved("--out-dir", Some(&self.checkpoint()))
    }

    /// Refuses a plan of which no parts can be made.
    ///
    /// # Errors
    /// [`Failure::Usage`] then.
    pub fn check(plan: &Plan, options: &SearchOutput) -> Result<(), Failure> {
        refuse_devices(plan, "--shard")?;
        options.refuse_stdout()?;
        if matches!(&plan.question, Question::Search(_, problem) if problem.limit.is_some()) {
            return Err(usage(
                "--limit is about all parts together, and they know nothing of each other: leave it out",
            ));
        }
        Ok(())
    }

    /// Begins this part of a plan, or resumes it, in its folder, which is made; nothing begins if the part is there.
    ///
    /// # Errors
    /// [`Failure`] when there can be no such files, or the folder has parts of another question.
    pub fn begin(&self, plan: &Plan, options: &SearchOutput) -> Result<SearchStart, Failure> {
        let folder = &self.folder;
        fs::create_dir_all(folder).map_err(|error| usage(format!("--out-dir {}: {error}", folder.display())))?;
        let path = self.file();
        let shown = path.display();
        // Claimed before the part is read: a run that makes the part now may put it there any time.
        let part = beside("--out-dir", &path)?;
        let checkpoint = beside("--out-dir", &self.checkpoint()).and_then(|place| claimed("--out-dir", place))?;
        match Checkpoint::read(&path) {
            Ok(part) if part.ended && part.is_of(plan) => {
                say(format_args!("{shown} is there"))?;
                refuse_other_tours(&path, &part, options)?;
                // A run that was killed when it had just put the part there has left its checkpoint.
                remove(&self.checkpoint());
                let (is_named, force) = (options.out.is_some(), options.force);
                return FinishedSearch::settled(
                    part,
                    &ReopenOptions { checkpoint: &path, is_named, former: None, force },
                );
            }
            // The file has the wrong name.
            Ok(part) if part.is_of(&Plan { shard: part.plan.shard, ..plan.clone() }) => {
                let done = if part.ended { "" } else { ", and not done" };
                say(format_args!("{shown} is of {}{done}; it is made again", part.plan.subject()))?;
            }
            Ok(part) => {
                let (has, wanted) = (part.plan.subject(), plan.subject());
                return Err(usage(format!("{shown} is of {has}, not of {wanted}: name another folder")));
            }
            Err(RecordFault::Missing) => {}
            Err(fault) if is_made_again(&path, &fault) => say(format_args!("{shown} {fault}; it is made again"))?,
            Err(fault) => return Err(usage(format!("{shown} {fault}: name another folder, or move it away"))),
        }
        SearchFiles::saved_in(checkpoint, Some(part), plan, options)
    }
}
