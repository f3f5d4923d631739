//! The map of a batch of knights, with its files: on a screen or without one.

use super::report::{self, MapReport};
use super::work::{MapDone, MapOptions, Sampled, failed, work};
use crate::cli::terminal::{on_screens, watch_needs_terminal};
use crate::gpu::map::MapOutcome;
use crate::job::output::Destination;
use crate::job::say::{print_object, say};
use crate::job::{AttendedWork, Failure, Job, Observation, SettledFiles, WrittenFiles, running, usage, with_signals};
use crate::run::End;
use crate::run::journal::Subject;
use crate::stop::{Stop, StopReason};
use crate::words::{clock, progress, rate, span};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A map that is to be made.
pub struct MapJob {
    options: MapOptions,
    /// The file of a line for each start, or `-`.
    csv: Option<PathBuf>,
    /// Whether an existing file may be replaced.
    force: bool,
    watched: bool,
    json: bool,
    output: Destination,
}

impl MapJob {
    /// A map whose lines go to `csv`.
    pub fn new(options: MapOptions, csv: Option<PathBuf>, force: bool, watched: bool, json: bool) -> MapJob {
        MapJob { options, csv, force, watched, json, output: Destination::Nowhere }
    }

    fn attend_without_screen(&mut self, observation: Observation) -> Result<AttendedWork<MapDone>, Failure> {
        let (stop, tried, moves) = (Stop::default(), AtomicU64::new(0), AtomicU64::new(0));
        let (began, knights) = (Instant::now(), self.options.batch.knights());
        let line = || {
            let share = tried.load(Ordering::Relaxed) as f64 / knights as f64;
            let elapsed = began.elapsed();
            let per_s = moves.load(Ordering::Relaxed) as f64 / elapsed.as_secs_f64().max(1e-3);
            let left =
                if share > 0.0 { span(elapsed.as_secs_f64() * (1.0 - share) / share) } else { "unknown".to_owned() };
            format!("{}  {} done, {} moves/s, left {left}", clock(elapsed), progress(share), rate(per_s))
        };
        // A device that is not there is reported before anything begins.
        let opened = self.options.open().map_err(|error| failed(&error))?;
        let mut sampled = Sampled::new(observation.observers());
        let body = || {
            work(opened, &stop, |outcome, why, _| {
                tried.store(outcome.map.tried(), Ordering::Relaxed);
                moves.store(outcome.map.moves(), Ordering::Relaxed);
                sampled.take(outcome, why);
            })
        };
        let (done, signal) = with_signals(|| stop.ask(StopReason::Asked), line, body)?;
        let done = done.map_err(|error| failed(&error))?;
        sampled.last(&done.outcome, done.why.as_ref());
        Ok(AttendedWork::without_screen(done, signal, observation))
    }

    #[cfg(feature = "tui")]
    fn attend_on_screen(&mut self, observation: Observation) -> Result<AttendedWork<MapDone>, Failure> {
        let (work, signal, view_failed) = super::watch::run(&self.options, &observation.observers())?;
        Ok(crate::job::FinishedWork { work, signal, view_failed, observation }.here())
    }

    /// Writes the lines to their file.
    fn write(&mut self, outcome: &MapOutcome) -> Result<(), Failure> {
        match std::mem::take(&mut self.output) {
            Destination::Nowhere => Ok(()),
            Destination::Stdout(_) => Ok(report::write_csv(&outcome.map, &mut io::stdout().lock())?),
            Destination::File(file) => {
                let written = report::write_csv(&outcome.map, &mut io::BufWriter::new(file.writer()));
                written.map_err(|error| running(format!("{}: {error}", file.shown())))?;
                file.keep()
            }
        }
    }
}

impl Job for MapJob {
    type Work = MapDone;
    type Done = MapDone;
    type Report = MapReport;

    fn written_files(&self) -> WrittenFiles {
        WrittenFiles::default().file("--csv", self.csv.as_deref())
    }

    fn check(&self) -> Result<(), Failure> {
        if self.watched { watch_needs_terminal() } else { Ok(()) }
    }

    fn subject(&self) -> Subject {
        Subject::Map(self.options.batch)
    }

    fn begin(&mut self) -> Result<Option<MapReport>, Failure> {
        self.output = match Destination::new("--csv", self.csv.as_deref(), self.force)? {
            Destination::Stdout(_) if self.json => {
                return Err(usage("--json and --csv - both claim stdout: give --csv a file"));
            }
            Destination::Stdout(_) if self.watched => {
                return Err(usage("--csv - would write over the screen: give --csv a file"));
            }
            output => output,
        };
        Ok(None)
    }

    fn attend(&mut self, observation: Observation) -> Result<AttendedWork<MapDone>, Failure> {
        if self.watched {
            on_screens!(observation => self.attend_on_screen(observation))
        } else {
            self.attend_without_screen(observation)
        }
    }

    fn report(&mut self, done: MapDone, signal: Option<i32>, _: &Observation) -> Result<(MapDone, MapReport), Failure> {
        let report = MapReport::new(&done.outcome, done.why.as_ref(), signal);
        Ok((done, report))
    }

    fn end(&self, done: &MapDone) -> Option<End> {
        done.outcome.is_over().then_some(End::Map)
    }

    fn settle(&mut self, done: &MapDone) -> SettledFiles {
        // The file first: a terminal that has gone takes no text any more.
        SettledFiles { result: self.write(&done.outcome), ..SettledFiles::well(done.outcome.is_over()) }
    }

    fn print(&self, report: &MapReport, done: Option<&MapDone>) -> Result<(), Failure> {
        let Some(done) = done else { return Ok(()) };
        if let Some((device, why)) = &done.outcome.failed_device {
            say(format_args!("{device} gave up: {why}; the CPU did the rest"))?;
        }
        let map = &done.outcome.map;
        let stdout_taken = self.csv.as_deref() == Some(Path::new("-"));
        Ok(match (self.json, stdout_taken) {
            (true, _) => print_object(report),
            (false, true) => write!(io::stderr(), "{}", report.text(map, false)),
            (false, false) => write!(io::stdout(), "{}", report.text(map, report::coloured())),
        }?)
    }

    fn exit_code(&self, _: &MapDone, report: &MapReport) -> u8 {
        report.exit_code()
    }
}
