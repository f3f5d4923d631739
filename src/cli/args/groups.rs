//! Groups of options that several commands share.

use super::values::THREADS_MAX;
use clap::{Args, value_parser};

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
