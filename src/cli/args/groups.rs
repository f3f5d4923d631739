//! Groups of options that several commands share.

use super::values::{THREADS_MAX, parse_time};
use crate::job::detached::Detaching;
use crate::job::saving::{SaveOptions, SearchPart};
use crate::job::{Failure, TraceOptions, usage};
use crate::schedule::Shard;
use clap::{Args, value_parser};
use std::path::PathBuf;
use std::time::Duration;

/// By how many workers.
#[derive(Args, Clone, Copy, Default, PartialEq, Debug)]
pub struct ThreadsArgs {
    /// Number of workers, 1 to 4096; without it one per core
    ///
    /// DESTRIER_THREADS, or else SLURM_CPUS_PER_TASK, asks for fewer than there are cores.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    pub threads: Option<u32>,
}

/// The options of a run that is saved.
#[derive(Args, Clone, Default, Debug)]
pub struct SaveArgs {
    /// Save the run to FILE, also when Ctrl-C stops it; if it exists, resume from it
    ///
    /// `destrier resume FILE` resumes it as well. SIGUSR1 saves it ahead of time.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is saved: 500ms, 30s (the default), 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    every: Option<Duration>,
}

impl SaveArgs {
    /// Where the run is saved, and how often.
    pub fn options(&self) -> SaveOptions {
        SaveOptions { checkpoint: self.checkpoint.clone(), every: self.every }
    }
}

/// What is asked of a search beside its answer.
#[derive(Args, Clone, Default)]
pub struct TraceArgs {
    /// Write who worked when to FILE
    ///
    /// A trace in the format of Chrome, which ui.perfetto.dev opens.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Say how well the work was shared, figure by figure
    #[arg(long)]
    balance: bool,
}

impl TraceArgs {
    /// The trace and the balance.
    pub fn options(&self) -> TraceOptions {
        TraceOptions { trace: self.trace.clone(), balance: self.balance }
    }
}

/// The options of a detached run.
#[derive(Args, Clone, Copy, Default, Debug)]
pub struct DetachArgs {
    /// Run without a screen and without this terminal
    ///
    /// `destrier runs` lists it, `destrier attach` shows it.
    #[arg(long)]
    pub detach: bool,
    /// The number of a run that has begun so
    #[arg(long, hide = true, value_name = "ID")]
    hosted: Option<u32>,
}

impl DetachArgs {
    /// Refuses a screen for a run that continues without one.
    ///
    /// # Errors
    /// [`Failure::Usage`] then.
    pub fn refuse_screen(&self, watch: bool) -> Result<(), Failure> {
        match self.detach && watch {
            true => Err(usage("--detach goes on without a screen: leave out --watch, and see it by destrier attach")),
            false => Ok(()),
        }
    }

    /// Whether the run continues in a process of its own, or is such a run.
    pub fn options(&self) -> Detaching {
        Detaching { detach: self.detach, hosted: self.hosted }
    }
}

/// The options of a part.
#[derive(Args, Clone, Default, Debug)]
pub struct PartArgs {
    /// Do part I of N only, from 1/N to N/N
    ///
    /// A part is drawn from all over the tree. `destrier merge D` puts the parts together.
    #[arg(long, value_name = "I/N", requires = "out_dir", conflicts_with = "checkpoint")]
    shard: Option<Shard>,
    /// The folder that the result of a part is written to; it is made
    #[arg(long, value_name = "D", requires = "shard")]
    out_dir: Option<PathBuf>,
}

impl PartArgs {
    /// The part, if one is wanted.
    pub fn part(&self) -> Option<SearchPart> {
        Some(SearchPart { shard: self.shard?, folder: self.out_dir.clone()? })
    }
}
