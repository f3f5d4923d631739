//! Which run is resumed, and what is different now.

use super::size::parse_size;
use super::values::THREADS_MAX;
use crate::job::detached::Detaching;
use crate::job::saving::ResumeChanges;
use crate::job::{Failure, usage};
use crate::schedule::Scheduler;
use crate::words::parse_time;
use clap::{Args, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// `destrier resume`.
#[derive(Args)]
pub struct ResumeArgs {
    /// The file that --checkpoint has written
    pub file: PathBuf,
    /// Number of workers, 1 to 4096
    ///
    /// Without it a search has as many as before, a count one per core.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    pub threads: Option<u32>,
    /// How the workers share the work, from now on
    #[arg(long, value_name = "NAME", value_enum)]
    scheduler: Option<Scheduler>,
    /// The name that the file of tours gets in the end, on the same disk
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of tours if it is still the one that stood there when the run began
    #[arg(long)]
    force: bool,
    /// How often the run is saved, at most; without it as often as before
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub every: Option<Duration>,
    /// For a search: stop after this time, 500ms, 30s, 5m, 2h
    ///
    /// The time counts from now on. The run can be resumed again.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    deadline: Option<Duration>,
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
        self.refuse_count_options("a search")?;
        Ok(self.changes())
    }

    fn changes(&self) -> ResumeChanges {
        let threads = self.threads.map(|threads| threads as usize);
        let &ResumeArgs { scheduler, every, deadline, force, .. } = self;
        ResumeChanges { threads, scheduler, out: self.out.clone(), force, every, deadline }
    }

    /// Refuses what has a meaning for counts only.
    fn refuse_count_options(&self, held: &str) -> Result<(), Failure> {
        let typed = [("--memory", self.memory.is_some()), ("--spill", self.spill.is_some())];
        match typed.into_iter().find(|(_, typed)| *typed) {
            None => Ok(()),
            Some((option, _)) => {
                let file = self.file.display();
                Err(usage(format!("{option}: {file} holds {held}; the option is for counts: leave it out")))
            }
        }
    }

    /// Refuses what has no meaning for a count.
    ///
    /// # Errors
    /// [`Failure::Usage`] that names it.
    pub fn refuse_for_count(&self) -> Result<(), Failure> {
        let file = self.file.display();
        if self.scheduler.is_some() {
            return Err(usage(format!("--scheduler: {file} holds a count, which has no scheduler: leave it out")));
        }
        if self.deadline.is_some() {
            return Err(usage(format!("--deadline: {file} holds a count, which has no deadline: leave it out")));
        }
        let typed = [("--out", self.out.is_some()), ("--force", self.force)];
        if let Some((option, _)) = typed.into_iter().find(|(_, typed)| *typed) {
            return Err(usage(format!("{option}: {file} holds a count, which lists no tours: leave it out")));
        }
        Ok(())
    }
}
