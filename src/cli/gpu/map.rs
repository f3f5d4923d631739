//! `destrier gpu map`: what is typed, and the map that it means.

use super::job::MapJob;
use super::work::MapOptions;
use crate::board::Board;
use crate::cli::adapter;
use crate::cli::args::{THREADS_MAX, threads};
use crate::gpu::DeviceChoice;
use crate::gpu::map::Batch;
use crate::job::{self, Failure, ObserveOptions, RunOptions, usage};
use clap::{Args, Subcommand, value_parser};
use std::path::PathBuf;

/// `destrier gpu`.
#[derive(Args)]
pub struct GpuArgs {
    #[command(subcommand)]
    command: GpuCommand,
}

#[derive(Subcommand)]
enum GpuCommand {
    /// Show from which starts Warnsdorff's rule completes a tour
    ///
    /// Every start of a board is tried, with many orders of the moves at once.
    Map(MapArgs),
}

/// `destrier gpu map`.
#[derive(Args)]
pub struct MapArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    board: Board,
    /// How many orders of the moves decide ties, 1 to 40320
    ///
    /// The source's order is the first.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = value_parser!(u32).range(1..=i64::from(crate::gpu::ORDERS)))]
    orders: u32,
    /// The device: hardware (the default), any, software, cpu, or a part of an adapter's name
    ///
    /// hardware is a GPU, or the CPU where there is none. The default of --compare is any.
    #[arg(long, value_name = "NAME")]
    adapter: Option<DeviceChoice>,
    /// Workers on the CPU, 1 to 4096; without it one per core
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// Compare a device and the CPU: how fast each is, and whether they agree
    ///
    /// Without a device the workers of the CPU are compared with a plain twin of the rule.
    #[arg(long)]
    compare: bool,
    /// See the map fill on the screen
    #[arg(long)]
    watch: bool,
    /// Write a line for each start to FILE; - is stdout
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Record how the map fills in FILE, for `destrier replay`
    ///
    /// The file is compressed when its name ends in .zst.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the FILEs if they exist
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the work or its output failed.
pub fn run(args: &GpuArgs) -> Result<u8, Failure> {
    let GpuCommand::Map(args) = &args.command;
    let batch = Batch::new(args.board, args.orders).map_err(usage)?;
    let wanted = args.wanted();
    adapter::check(&wanted)?;
    let &MapArgs { compare, watch, force, json, .. } = args;
    if force && args.csv.is_none() && args.record.is_none() {
        return Err(usage("--force replaces a file: add --csv or --record"));
    }
    let options = MapOptions { batch, wanted, threads: threads(args.threads)?, compare };
    let observe = ObserveOptions { record: args.record.clone(), force, ..ObserveOptions::default() };
    let job = MapJob::new(options, args.csv.clone(), force, watch, json);
    job::run(job, &RunOptions { observe, json, ..RunOptions::default() })
}

impl MapArgs {
    /// Which device is wanted: to compare, any will do.
    fn wanted(&self) -> DeviceChoice {
        let usual = if self.compare { DeviceChoice::Any } else { DeviceChoice::Hardware };
        self.adapter.clone().unwrap_or(usual)
    }
}
