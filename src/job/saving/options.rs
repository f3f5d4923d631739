//! The options of a search that are about its files, as they are typed, and what may be different when it is resumed.

use super::place::PartFiles;
use crate::job::detached::Detaching;
use crate::job::fault::{Failure, refuse_if, usage};
use crate::job::observe::ObserveOptions;
use crate::job::output::{Destination, PACKED_IS_WHOLE, TourFormat, is_device, refuse_bytes_on_terminal};
use crate::job::run::RunOptions;
use crate::run::{Plan, Question, part};
use crate::schedule::{Scheduler, Shard, THREADS_MAX};
use crate::words::{number_in, parse_time};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where a search is written, saved and reported, and what observes it.
#[derive(Args, Clone, Default, Debug)]
pub struct SearchOutput {
    /// Write every tour to FILE; - is stdout
    ///
    /// The file is compressed when its name ends in .zst. It is refused if it exists, without --force.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// How tours are written
    #[arg(long, value_enum, default_value = "list", requires = "out", help_heading = "Output")]
    pub format: TourFormat,
    #[command(flatten)]
    pub observe: ObserveOptions,
    #[command(flatten)]
    pub save: SaveOptions,
    /// Replace the FILEs if they exist
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl SearchOutput {
    /// The destination, checked before any work begins.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file cannot be written, or stdout is claimed twice.
    pub fn open(&self, question: &Question) -> Result<Destination, Failure> {
        refuse_if(self.format == TourFormat::Packed && question.shape().has_holes(), PACKED_IS_WHOLE)?;
        let output = Destination::new("--out", self.out.as_deref(), self.force)?;
        let output = output.formed(self.format, question.shape(), question.ending());
        let is_stdout = matches!(output, Destination::Stdout(_));
        refuse_if(is_stdout && self.json, "--json and --out - both claim stdout: give --out a file")?;
        if is_stdout && self.format == TourFormat::Packed {
            refuse_bytes_on_terminal()?;
        }
        Ok(output)
    }

    /// How the run begins and is reported; `detaching` says whether it continues in a process of its own.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no file to replace.
    pub fn run_options(&self, detaching: Detaching) -> Result<RunOptions, Failure> {
        let SearchOutput { out, observe, force, json, .. } = self;
        let has_file = out.is_some() || observe.record.is_some() || observe.traced.trace.is_some();
        refuse_if(*force && !has_file, "--force replaces a file: add --out or --record, or --trace")?;
        Ok(RunOptions { observe: observe.clone(), force: *force, detaching, json: *json, ..RunOptions::default() })
    }

    /// Refuses stdout for a run that resumes: what it has written there cannot be taken back.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the tours go to stdout.
    pub fn refuse_stdout(&self) -> Result<(), Failure> {
        let stays = self.out.as_deref().filter(|out| *out == Path::new("-") || is_device(out));
        let Some(out) = stays.map(Path::display) else { return Ok(()) };
        Err(usage(format!("--out {out} cannot be taken back by a run that goes on: give --out a file")))
    }
}

/// Where a run is to be saved, and how often.
#[derive(Args, Clone, Default, PartialEq, Debug)]
#[command(next_help_heading = "Saving and dividing")]
pub struct SaveOptions {
    /// Save the run to FILE, also when Ctrl-C stops it; if it exists, resume from it
    ///
    /// `destrier resume FILE` resumes it as well. SIGUSR1 saves it ahead of time.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is saved: 500ms, 30s (the default), 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub every: Option<Duration>,
}

/// A part of a search, which any machine can do, and its folder.
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
    pub fn files(&self) -> PartFiles {
        PartFiles::new(&self.folder, &part::stem(self.shard))
    }

    /// Refuses a plan of which no parts can be made.
    ///
    /// # Errors
    /// [`Failure::Usage`] then.
    pub fn check(plan: &Plan, options: &SearchOutput) -> Result<(), Failure> {
        options.refuse_stdout()?;
        let is_limited = matches!(&plan.question, Question::Search(_, problem) if problem.limit.is_some());
        let why = "--limit is about all parts together, and they know nothing of each other: leave it out";
        refuse_if(is_limited, why)
    }
}

/// What may be different when a run is resumed.
#[derive(Args, Clone, Default, Debug)]
pub struct ResumeChanges {
    /// Number of workers, 1 to 4096
    ///
    /// Without it a search has as many as before, a count one per core.
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=THREADS_MAX as u64))]
    pub threads: Option<u32>,
    /// How the workers share the work, from now on
    #[arg(long, value_name = "NAME", value_enum)]
    pub scheduler: Option<Scheduler>,
    /// The name that the file of tours gets in the end, on the same disk
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file of tours if it is still the one that stood there when the run began
    #[arg(long)]
    pub force: bool,
    /// How often the run is saved, at most; without it as often as before
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub every: Option<Duration>,
    /// For a search: stop after this time, pauses included: 500ms, 30s, 5m, 2h
    ///
    /// The time counts from now on. The run can be resumed again.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub deadline: Option<Duration>,
}
