//! Which run is resumed, and what is different now.

use super::values::parse_size;
use crate::job::detached::Detaching;
use crate::job::saving::ResumeChanges;
use crate::job::{Failure, refuse_if};
use clap::Args;
use std::path::PathBuf;

/// `destrier resume`.
#[derive(Args)]
pub struct ResumeArgs {
    /// The file that --checkpoint has written, or the number of a run
    ///
    /// `destrier runs` lists the numbers. A file comes first if one has a number for its name.
    #[arg(value_name = "FILE|ID")]
    pub file: PathBuf,
    #[command(flatten)]
    pub changes: ResumeChanges,
    /// For a count: memory that it may take from now on, such as 3G
    ///
    /// Without it as much as before, or what is available.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    /// For a count: the folder for states that memory does not hold
    ///
    /// Without it the folder as before, if there was one.
    #[arg(long, value_name = "DIR")]
    pub spill: Option<PathBuf>,
    /// See it on the screen
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub detach: Detaching,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub json: bool,
}

impl ResumeArgs {
    /// What is different for a search.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an option that a search does not have.
    pub fn of_search(&self) -> Result<ResumeChanges, Failure> {
        let why = "a search; the option is for counts";
        self.refuse([("--memory", self.memory.is_some(), why), ("--spill", self.spill.is_some(), why)])?;
        Ok(self.changes.clone())
    }

    /// Refuses the first of these options that was typed, because of what the file holds.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names it.
    pub fn refuse<const N: usize>(&self, options: [(&str, bool, &str); N]) -> Result<(), Failure> {
        let file = self.file.display();
        options.into_iter().try_for_each(|(option, is_typed, held)| {
            refuse_if(is_typed, format_args!("{option}: {file} holds {held}: leave it out"))
        })
    }

    /// Refuses what has no meaning for a count.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names it.
    pub fn refuse_for_count(&self) -> Result<(), Failure> {
        let ResumeChanges { scheduler, deadline, out, force, .. } = &self.changes;
        self.refuse([
            ("--scheduler", scheduler.is_some(), "a count, which has no scheduler"),
            ("--deadline", deadline.is_some(), "a count, which has no deadline"),
            ("--out", out.is_some(), "a count, which lists no tours"),
            ("--force", *force, "a count, which lists no tours"),
        ])
    }
}
