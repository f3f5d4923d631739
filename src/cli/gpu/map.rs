//! `destrier gpu map`: what is typed, and the job that moves the knights.

use super::report::{self, MapReport};
use crate::board::Board;
use crate::cli::adapter;
use crate::cli::args::{THREADS_MAX, cores, threads};
use crate::gpu::map::{Batch, MapOutcome, MapWork};
use crate::gpu::{DeviceChoice, DevicePlace, DoneBy, GpuError};
use crate::job::output::Destination;
use crate::job::{
    self, Answer, AttendedWork, Failure, Job, Observation, ObserveOptions, Report, Reported, RunOptions, SettledFiles,
    WrittenFiles, note, print_object, put, refuse_if, running, say, usage, with_signals,
};
use crate::run::journal::{SAMPLE_EVERY, Subject};
use crate::run::{Body, End, Filled, Frame, RunObservers};
use crate::stop::{Stop, StopReason};
use crate::words::{clock, number_in, progress, rate, span};
use clap::{Args, Subcommand};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

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
#[derive(Args, Clone)]
pub struct MapArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    board: Board,
    /// How many orders of the moves decide ties, 1 to 40320
    ///
    /// The source's order is the first.
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = number_in::<u32>(1..=u64::from(crate::gpu::ORDERS)))]
    orders: u32,
    /// The device: hardware (the default), any, software, cpu, or a part of an adapter's name
    ///
    /// hardware is a GPU, or the CPU where there is none. The default of --compare is any.
    #[arg(long, value_name = "NAME")]
    adapter: Option<DeviceChoice>,
    /// Workers on the CPU, 1 to 4096; without it one per core
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// Compare a device and the CPU: how fast each is, and whether they agree
    ///
    /// Without a device the workers of the CPU are compared with a plain twin of the rule.
    #[arg(long)]
    compare: bool,
    /// Write a line for each start to FILE; - is stdout
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Record the map in FILE, for `destrier replay`
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

/// Runs the command.
///
/// # Errors
/// [`Failure`] on bad input, or when the work or its output failed.
pub fn run(args: &GpuArgs) -> Result<Answer, Failure> {
    let GpuCommand::Map(args) = &args.command;
    let batch = Batch::new(args.board, args.orders).map_err(usage)?;
    // To compare, any device will do.
    let usual = if args.compare { DeviceChoice::Any } else { DeviceChoice::Hardware };
    let wanted = args.adapter.clone().unwrap_or(usual);
    adapter::check(&wanted)?;
    let &MapArgs { force, json, .. } = args;
    refuse_if(force && args.csv.is_none() && args.record.is_none(), "--force replaces a file: add --csv or --record")?;
    let observe = ObserveOptions { record: args.record.clone(), ..ObserveOptions::default() };
    let (threads, output) = (threads(args.threads)?, Destination::Nowhere);
    let job = MapJob { args: args.clone(), batch, wanted, threads, output };
    job::run(job, &RunOptions { observe, force, json, ..RunOptions::default() })
}

struct MapJob {
    args: MapArgs,
    batch: Batch,
    wanted: DeviceChoice,
    /// Workers on the CPU.
    threads: usize,
    output: Destination,
}

impl MapJob {
    /// Prepares the work in this place, or on the CPU where a device was only hoped for and cannot do it. A device that is
    /// there is not replaced in a comparison.
    fn prepare(&self, place: DevicePlace) -> Result<MapWork, GpuError> {
        let work = |place| MapWork::new(self.batch, place, self.threads, self.args.compare);
        let stays = self.args.compare && !matches!(place, DevicePlace::Cpu(_));
        if stays { work(place) } else { place.prepare(&self.wanted, work) }
    }

    /// Writes the lines to their file.
    fn write(&mut self, outcome: &MapOutcome) -> Result<(), Failure> {
        let output = std::mem::take(&mut self.output);
        report::write_csv(&outcome.map, &mut io::BufWriter::new(output.writer()))
            .map_err(|error| output.failure(error))?;
        output.keep()
    }
}

impl Job for MapJob {
    type Work = MapOutcome;
    type Done = MapOutcome;

    fn written_files(&self) -> WrittenFiles {
        WrittenFiles::default().file("--csv", self.args.csv.as_deref())
    }

    fn subject(&self) -> Subject {
        Subject::Map(self.batch)
    }

    fn begin(&mut self) -> Result<Option<Report>, Failure> {
        self.output = Destination::new("--csv", self.args.csv.as_deref(), self.args.force)?;
        let is_claimed = self.args.json && matches!(self.output, Destination::Stdout(_));
        refuse_if(is_claimed, "--json and --csv - both claim stdout: give --csv a file")?;
        Ok(None)
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<MapOutcome>, Failure> {
        let (stop, tried, moves) = (Stop::default(), AtomicU64::new(0), AtomicU64::new(0));
        let (began, knights) = (Instant::now(), self.batch.knights());
        let line = || {
            let share = tried.load(Ordering::Relaxed) as f64 / knights as f64;
            let elapsed = began.elapsed();
            let per_s = moves.load(Ordering::Relaxed) as f64 / elapsed.as_secs_f64().max(1e-3);
            let left =
                if share > 0.0 { span(elapsed.as_secs_f64() * (1.0 - share) / share) } else { "unknown".to_owned() };
            format!("{}  {} done, {} moves/s, left {left}", clock(elapsed), progress(share), rate(per_s))
        };
        // A device that is not there is reported before anything begins.
        let opened = DevicePlace::open(&self.wanted).and_then(|place| self.prepare(place));
        let mut work = opened.map_err(|error| failed(&error))?;
        let observers = observation.observers();
        let mut due = Instant::now();
        let body = || loop {
            let outcome = work.outcome();
            tried.store(outcome.map.tried(), Ordering::Relaxed);
            moves.store(outcome.map.moves(), Ordering::Relaxed);
            let over = outcome.is_over() || stop.is_asked();
            if over || Instant::now() >= due {
                due = Instant::now() + SAMPLE_EVERY;
                observe(&observers, outcome);
            }
            if over {
                return Ok(());
            }
            work.advance(&stop)?;
        };
        let (done, signal) = with_signals(|| stop.ask(StopReason::Asked), line, body)?;
        done.map_err(|error| failed(&error))?;
        Ok(AttendedWork::without_screen(work.into_outcome(), signal, observation))
    }

    fn report(&mut self, done: MapOutcome, _: Option<i32>, _: &Observation) -> Reported<MapOutcome> {
        let report = Report::of_object(MapReport::new(&done));
        Ok((done, report))
    }

    fn end(&self, done: &MapOutcome) -> Option<End> {
        done.is_over().then_some(End::Map)
    }

    fn settle(&mut self, done: &MapOutcome) -> SettledFiles {
        // The file first: a terminal that has gone takes no text any more.
        SettledFiles { result: self.write(done), ..SettledFiles::well(done.is_over()) }
    }

    fn print(&self, report: &Report, done: Option<&MapOutcome>) -> Result<(), Failure> {
        let Some(done) = done else { return Ok(()) };
        if let (Some(device), Some(why)) = (&done.failed_device, &done.done_by.instead) {
            say(format_args!("{device} gave up: {why}; the CPU did the rest"))?;
        }
        let (stdout_taken, map) = (self.args.csv.as_deref() == Some(Path::new("-")), MapReport::new(done));
        match (self.args.json, stdout_taken) {
            (true, _) => print_object(report),
            (false, true) => note(map.text(false)),
            (false, false) => put(map.text(report::coloured())),
        }
    }

    fn answer(&self, done: &MapOutcome) -> Answer {
        MapReport::new(done).answer()
    }
}

/// A device that is not there is bad input, one that is and fails or refuses is a failure.
fn failed(error: &GpuError) -> Failure {
    match error {
        GpuError::NotBuilt | GpuError::NoAdapter(_) | GpuError::NotThis { .. } => usage(error),
        GpuError::Refused(_) | GpuError::Invalid(_) | GpuError::Lost(_) => running(error),
    }
}

/// Passes a frame of the work to its observers, if there are some.
fn observe(observers: &RunObservers, outcome: &MapOutcome) {
    if observers.are_some() {
        let DoneBy { label, instead } = &outcome.done_by;
        let placed = Some((label.clone(), instead.as_ref().map_or_else(String::new, GpuError::to_string)));
        let filled = Filled { placed, map: Some(outcome.map.clone()), took: outcome.took };
        observers.take(&Frame { body: Body::Map(Box::new(filled)), events: Vec::new() });
    }
}

/// Moves every knight of a batch, unobserved.
///
/// # Errors
/// [`Failure`] when the engine fails or refuses.
pub fn whole(batch: Batch, place: DevicePlace, compare: bool) -> Result<MapOutcome, Failure> {
    let mut work = MapWork::new(batch, place, cores(), compare).map_err(running)?;
    while !work.outcome().is_over() {
        work.advance(&Stop::default()).map_err(running)?;
    }
    Ok(work.into_outcome())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refuses_is_a_failure_and_what_is_not_there_is_bad_input() {
        assert!(matches!(failed(&GpuError::Refused("too large".to_owned())), Failure::Running(_)));
        assert!(!matches!(failed(&GpuError::NotBuilt), Failure::Running(_)));
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn a_device_that_opens_and_cannot_do_it_is_replaced_only_where_it_was_hoped_for() {
        let batch = Batch::new("5x5".parse().unwrap(), 1).unwrap();
        let named = DeviceChoice::Named("any name".to_owned());
        for (wanted, compare, replaced) in [
            (DeviceChoice::Hardware, false, true),
            (DeviceChoice::Any, false, true),
            (DeviceChoice::Any, true, false),
            (named, false, false),
        ] {
            let device = match crate::gpu::Device::open(&DeviceChoice::Any) {
                Ok(device) => device,
                Err(why) => return crate::skip::skip_without_device(why),
            };
            device.lose();
            let (board, threads) = (batch.board(), Some(1));
            let (adapter, csv, record, force, json) = (None, None, None, false, false);
            let args = MapArgs { board, orders: 1, adapter, threads, compare, csv, record, force, json };
            let job = MapJob { args, batch, wanted, threads: 1, output: Destination::Nowhere };
            match job.prepare(DevicePlace::Device(device)) {
                Ok(work) if replaced => {
                    let DoneBy { label, instead } = &work.outcome().done_by;
                    assert_eq!(label.to_string(), "CPU, 1 thread (no GPU)");
                    assert!(matches!(instead, Some(GpuError::Lost(_))), "{instead:?}");
                }
                Err(why @ GpuError::Lost(_)) if !replaced => assert!(matches!(failed(&why), Failure::Running(_))),
                other => panic!("{:?}", other.map(|work| work.into_outcome())),
            }
        }
    }
}
