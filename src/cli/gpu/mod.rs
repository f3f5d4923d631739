//! `destrier gpu`: what a GPU is good at.
//!
//! `gpu map` moves a knight from every start of a board, with one order of the moves or with many, and says from which
//! starts Warnsdorff's rule makes a tour. Without a GPU workers on the CPU do it.

mod report;
#[cfg(feature = "tui")]
mod watch;

use super::args::{THREADS_MAX, cores, threads};
use super::files::WrittenFiles;
use super::output::Destination;
use super::say::{print_object, say};
use super::{adapter, headless};
use crate::board::Board;
use crate::cli::failure::{Failure, running, usage};
use crate::cli::record::{Recording, Tap};
use crate::gpu::map::{Batch, MapOutcome, MapWork};
use crate::gpu::{DeviceChoice, DevicePlace, GpuError};
use crate::run::journal::{SAMPLE_EVERY, Subject};
use crate::run::{Body, End, Filled, Frame};
use crate::stop::{Stop, StopReason};
use crate::words::{clock, progress, rate, span};
use clap::{Args, Subcommand, value_parser};
use report::MapReport;
use std::io::{self, Write};
use std::path::PathBuf;
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
    /// From which starts Warnsdorff's rule makes a tour: every start of a board, with many orders of the moves at once
    Map(MapArgs),
}

/// `destrier gpu map`.
#[derive(Args)]
pub struct MapArgs {
    /// ROWSxCOLS, such as 6x6 or 3x10; 8 alone means 8x8
    board: Board,
    /// How many orders of the moves decide ties, 1 to 40320: the source's and those after it
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = value_parser!(u32).range(1..=i64::from(crate::gpu::ORDERS)))]
    orders: u32,
    /// The device: hardware (the default: a GPU, or the CPU where there is none), any (the default of --compare),
    /// software, cpu, or a part of an adapter's name
    #[arg(long, value_name = "NAME")]
    adapter: Option<DeviceChoice>,
    /// Workers on the CPU, 1 to 4096; without it one per available core
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// A device and the CPU both move every knight: how fast each is, and whether they agree; 1 when they do not. Without
    /// a device the workers of the CPU are compared with a plain twin of the rule
    #[arg(long)]
    compare: bool,
    /// See the map fill on the screen
    #[arg(long)]
    watch: bool,
    /// Write a line for each start to FILE, or to stdout when it is -
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Record how the map fills in FILE, for `destrier replay`; compressed when it ends in .zst
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Replace the FILEs if they exist
    #[arg(long)]
    force: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Runs the command; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the work or its output failed.
pub fn run(args: &GpuArgs) -> Result<u8, Failure> {
    let GpuCommand::Map(args) = &args.command;
    let batch = Batch::new(args.board, args.orders).map_err(usage)?;
    let wanted = args.wanted();
    adapter::check(&wanted)?;
    WrittenFiles::default().file("--csv", args.csv.as_deref()).file("--record", args.record.as_deref()).check()?;
    let output = args.output()?;
    if args.force && args.csv.is_none() && args.record.is_none() {
        return Err(usage("--force replaces a file: add --csv or --record"));
    }
    let recording = Recording::begin(args.record.as_deref(), args.force, || Subject::Map(batch))?;
    let order = MapOptions { batch, wanted, threads: threads(args.threads), compare: args.compare };
    let files = (output, recording);
    if args.watch { watch(args, order, files) } else { map(args, &order, files) }
}

impl MapArgs {
    /// Where the map goes, checked before any work begins.
    fn output(&self) -> Result<Destination, Failure> {
        match Destination::new("--csv", self.csv.as_deref(), self.force)? {
            Destination::Stdout(_) if self.json => {
                Err(usage("--json and --csv - both claim stdout: give --csv a file"))
            }
            Destination::Stdout(_) if self.watch => {
                Err(usage("--csv - would write over the screen: give --csv a file"))
            }
            output => Ok(output),
        }
    }

    /// Which device is wanted: to compare, any will do.
    fn wanted(&self) -> DeviceChoice {
        let usual = if self.compare { DeviceChoice::Any } else { DeviceChoice::Hardware };
        self.adapter.clone().unwrap_or(usual)
    }
}

/// How the work is to be done.
#[derive(Clone)]
struct MapOptions {
    batch: Batch,
    wanted: DeviceChoice,
    threads: usize,
    compare: bool,
}

impl MapOptions {
    /// Opens the device, and is ready to begin; answers too why there is no device, if one was hoped for.
    fn open(&self) -> Result<(MapWork, Option<GpuError>), GpuError> {
        self.begin(DevicePlace::open(&self.wanted)?)
    }

    /// Is ready to begin in this place, or on the CPU where a device was only hoped for and cannot do it. A device that is
    /// there is not replaced in a comparison.
    fn begin(&self, place: DevicePlace) -> Result<(MapWork, Option<GpuError>), GpuError> {
        let work = |place| MapWork::new(self.batch, place, self.threads, self.compare);
        match self.compare && !matches!(place, DevicePlace::Cpu(_)) {
            true => Ok((work(place)?, None)),
            false => place.prepare(&self.wanted, work),
        }
    }
}

/// A device that is not there is bad input, one that is and fails or refuses is a failure.
fn failed(error: &GpuError) -> Failure {
    match error {
        GpuError::NotBuilt | GpuError::NoAdapter(_) | GpuError::NotThis { .. } => usage(error),
        GpuError::Refused(_) | GpuError::Invalid(_) | GpuError::Lost(_) => running(error),
    }
}

/// The whole batch without a screen.
fn map(args: &MapArgs, order: &MapOptions, files: (Destination, Recording)) -> Result<u8, Failure> {
    let (mut work, why) = order.open().map_err(|error| failed(&error))?;
    let (stop, tried, moves) = (Stop::default(), AtomicU64::new(0), AtomicU64::new(0));
    let began = Instant::now();
    let shown = || {
        let share = tried.load(Ordering::Relaxed) as f64 / order.batch.knights() as f64;
        let elapsed = began.elapsed();
        let per_s = moves.load(Ordering::Relaxed) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = if share > 0.0 { span(elapsed.as_secs_f64() * (1.0 - share) / share) } else { "unknown".to_owned() };
        format!("{}  {} done, {} moves/s, left {left}", clock(elapsed), progress(share), rate(per_s))
    };
    let recorder = files.1.recorder();
    let body = || -> Result<(), GpuError> {
        let mut record = Sampled::new(recorder);
        record.take(work.outcome(), why.as_ref(), true);
        while !work.outcome().is_over() && !stop.is_asked() {
            work.advance(&stop)?;
            tried.store(work.outcome().map.tried(), Ordering::Relaxed);
            moves.store(work.outcome().map.moves(), Ordering::Relaxed);
            record.take(work.outcome(), why.as_ref(), false);
        }
        record.take(work.outcome(), why.as_ref(), true);
        Ok(())
    };
    let (done, signal) = headless::heeding(|| stop.ask(StopReason::Asked), shown, body)?;
    done.map_err(|error| failed(&error))?;
    finish(args, work.outcome(), (why, signal), files)
}

/// What is seen of a batch at work; with its map, if that is wanted too.
fn filled(outcome: &MapOutcome, why: Option<&GpuError>, map: bool) -> Filled {
    Filled {
        placed: Some((outcome.label.clone(), because(outcome, why))),
        map: map.then(|| outcome.map.clone()),
        took: outcome.took,
    }
}

/// Why the knights are moved by nobody better; empty where there is nobody better.
fn because(outcome: &MapOutcome, why: Option<&GpuError>) -> String {
    outcome.failed_device.as_ref().map(|(_, why)| why).or(why).map_or_else(String::new, GpuError::to_string)
}

/// Records a batch that nobody looks at, ten frames a second.
struct Sampled {
    recorder: Tap,
    due: Instant,
}

impl Sampled {
    fn new(recorder: Tap) -> Sampled {
        Sampled { recorder, due: Instant::now() }
    }

    /// Takes a frame if it is time to, or if it is the first or the last.
    fn take(&mut self, outcome: &MapOutcome, why: Option<&GpuError>, outermost: bool) {
        let now = Instant::now();
        if let Some(recorder) = self.recorder.as_ref().filter(|_| outermost || now >= self.due) {
            self.due = now + SAMPLE_EVERY;
            let body = Body::Map(Box::new(filled(outcome, why, true)));
            recorder.take(&Frame { body, events: Vec::new() });
        }
    }
}

/// Moves every knight of a batch, with nobody to look on.
///
/// # Errors
/// [`Failure`] when who moves them fails or refuses.
pub fn whole(batch: Batch, place: DevicePlace, compare: bool) -> Result<MapOutcome, Failure> {
    let mut work = MapWork::new(batch, place, cores(), compare).map_err(running)?;
    while !work.outcome().is_over() {
        work.advance(&Stop::default()).map_err(running)?;
    }
    Ok(work.into_outcome())
}

/// Writes what was asked for; answers the exit code.
fn finish(
    args: &MapArgs,
    outcome: &MapOutcome,
    (why, signal): (Option<GpuError>, Option<i32>),
    (output, recording): (Destination, Recording),
) -> Result<u8, Failure> {
    let (report, map) = (MapReport::new(outcome, why.as_ref(), signal), &outcome.map);
    let stdout_taken = matches!(output, Destination::Stdout(_));
    let recorded = recording.end(outcome.is_over().then_some(End::Map), Some(&report));
    // The file first: nothing can be said any more on a terminal that has gone.
    match output {
        Destination::Nowhere => {}
        Destination::Stdout(_) => report::write_csv(map, &mut io::stdout().lock())?,
        Destination::File(file) => {
            let written = report::write_csv(map, &mut io::BufWriter::new(file.writer()));
            written.map_err(|error| running(format!("{}: {error}", file.shown())))?;
            file.keep()?;
        }
    }
    if let Some((device, why)) = &outcome.failed_device {
        say(format_args!("{device} gave up: {why}; the CPU did the rest"))?;
    }
    if args.json {
        print_object(&report)?;
    } else if stdout_taken {
        write!(io::stderr(), "{}", report.text(map, false))?;
    } else {
        write!(io::stdout(), "{}", report.text(map, report::coloured()))?;
    }
    recorded?;
    Ok(report.exit_code())
}

#[cfg(feature = "tui")]
fn watch(args: &MapArgs, order: MapOptions, files: (Destination, Recording)) -> Result<u8, Failure> {
    watch::run(args, order, files)
}

#[cfg(not(feature = "tui"))]
fn watch(_: &MapArgs, _: MapOptions, _: (Destination, Recording)) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
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
                Err(why) => return crate::gpu::trial::skip(why),
            };
            device.lose();
            let order = MapOptions { batch, wanted, threads: 1, compare };
            match order.begin(DevicePlace::Device(device)) {
                Ok((work, Some(GpuError::Lost(_)))) if replaced => {
                    assert_eq!(work.outcome().label.to_string(), "CPU, 1 thread (no GPU)");
                }
                Err(why @ GpuError::Lost(_)) if !replaced => assert!(matches!(failed(&why), Failure::Running(_))),
                other => panic!("{:?}", other.map(|(_, why)| why)),
            }
        }
    }
}
