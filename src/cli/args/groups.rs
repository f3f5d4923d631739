//! Groups of options that several commands share.

use super::values::THREADS_MAX;
use crate::job::saving::SearchPart;
use crate::schedule::Shard;
use clap::{Args, value_parser};
use std::path::PathBuf;

/// By how many workers.
#[derive(Args, Clone, Copy, Default, PartialEq, Debug)]
#[command(next_help_heading = "Sharing the work")]
pub struct ThreadsArgs {
    /// Number of workers, 1 to 4096; without it one per core
    ///
    /// DESTRIER_THREADS, or else SLURM_CPUS_PER_TASK, asks for fewer than there are cores.
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    pub threads: Option<u32>,
}

/// The options of a part.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Saving and dividing")]
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
