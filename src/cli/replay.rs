//! `destrier replay`: a recorded run, looked at again, or a recorded map, printed; or what the journal holds, for scripts;
//! or its trace or balance, made of it afterwards.

use super::args::TraceArgs;
use super::gpu::{MapReport, coloured};
use super::terminal::{on_screens, on_terminal};
use crate::job::say::{print, say};
use crate::job::{Failure, Tracing, WrittenFiles, usage};
use crate::lock::LockAlways as _;
use crate::run::balance::BalanceFigures;
use crate::run::journal::{LastLine, Reader, Subject};
use crate::run::{Account, Body, End, Frame, Recorded, SearchEnd, Source};
use crate::words::{self, grouped};
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// `destrier replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The journal, as --record wrote it
    pub file: PathBuf,
    /// Print one JSON object about it instead of showing it
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    traced: TraceArgs,
    /// Replace the FILE of --trace if it exists
    #[arg(long, requires = "trace")]
    force: bool,
}

/// What a journal holds.
#[derive(Serialize)]
struct ReplayReport<'a> {
    question: &'a Subject,
    frames: u64,
    events: u64,
    /// Frames that did not fit while it was written; not known of one that was cut off.
    lost: Option<u64>,
    from_s: Option<f64>,
    to_s: Option<f64>,
    /// Whether it has its last line.
    complete: bool,
    /// Numbers of the lines that could not be read, and what is wrong with them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    damaged: Vec<(u64, &'a str)>,
    /// Why the run stopped before its end, if so.
    #[serde(skip)]
    stopped: Option<String>,
    /// The report of the run, if it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<&'a Value>,
    /// How well the work was shared, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<BalanceFigures>,
}

impl<'a> ReplayReport<'a> {
    fn new(question: &'a Subject, account: &'a Account, balance: Option<BalanceFigures>) -> ReplayReport<'a> {
        let [from, to] = [0, 1].map(|end| account.times.map(|times| times[end].as_secs_f64()));
        ReplayReport {
            question,
            frames: account.frames,
            events: account.events,
            lost: account.last.as_ref().map(|last| last.lost),
            from_s: from,
            to_s: to,
            complete: account.last.is_some(),
            damaged: account.damage.iter().map(|damage| (damage.line, &*damage.why)).collect(),
            stopped: account.last.as_ref().and_then(stopped),
            report: account.last.as_ref().and_then(|last| last.report.as_ref()),
            balance,
        }
    }
}

impl fmt::Display for ReplayReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.question)?;
        let time = |s: Option<f64>| words::moment(Duration::try_from_secs_f64(s.unwrap_or(0.0)).unwrap_or_default());
        let (from, to) = (time(self.from_s), time(self.to_s));
        writeln!(f, "frames   {} from {from} to {to}, {} events", grouped(self.frames), grouped(self.events))?;
        match (self.lost, &self.stopped) {
            (None, _) => write!(f, "NOT complete: it was cut off")?,
            (Some(_), None) => write!(f, "complete")?,
            (Some(_), Some(reason)) if self.damaged.is_empty() => {
                write!(f, "stopped by {reason}: its journal is whole")?
            }
            (Some(_), Some(reason)) => write!(f, "stopped by {reason}")?,
        }
        if !self.damaged.is_empty() {
            write!(f, ", but for {} that could not be read", words::number_of(self.damaged.len(), "line"))?;
        }
        if let Some(lost @ 1..) = self.lost {
            write!(f, ", but for {} frames that came too fast", grouped(lost))?;
        }
        self.balance.as_ref().map_or(Ok(()), |balance| write!(f, "\n{balance}"))
    }
}

/// Why a run stopped before its end: its last line says so of a search, the report of any run.
fn stopped(last: &LastLine) -> Option<String> {
    match &last.end {
        Some(End::Run(SearchEnd { stopped: Some(reason), .. })) => Some(reason.name().to_owned()),
        _ => Some(last.report.as_ref()?["stopped"].as_str()?.to_owned()),
    }
}

/// Shows a journal, or tells what it holds. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when the file is no journal of this version, or nothing of what is asked can be made of it;
/// [`Failure`] when the screen failed, or a trace cannot be written.
pub fn run(args: &ReplayArgs) -> Result<u8, Failure> {
    let traced = args.traced.options();
    let reader = Reader::open(&args.file).map_err(|error| usage(format!("{}: {error}", args.file.display())))?;
    let subject = reader.subject().clone();
    let mut recorded = Recorded::new(reader);
    let account = recorded.account();
    WrittenFiles::default().read("replay", &args.file).file("--trace", traced.trace.as_deref()).check()?;
    let tracing = Tracing::begin(&traced, args.force, &subject)?;
    // A trace or a balance is made without a view, and a map is printed.
    let has_screen = !matches!(subject, Subject::Map(_));
    let reads = args.json || traced.are_some() || !has_screen || !on_terminal()? || !recorded.has_frames();
    let (code, last) = match reads {
        true => (0, read(recorded, &tracing)),
        false => (on_screens!(recorded => super::screen::look_on(&subject, Box::new(recorded)))?, None),
    };
    let account = account.locked();
    for damage in &account.damage {
        say(format_args!("{}: line {} was skipped: {}", args.file.display(), damage.line, damage.why))?;
    }
    if let Some(Frame { body: Body::Map(filled), .. }) = last
        && !args.json
        && filled.map.is_some()
    {
        let at_end = account.last.as_ref().and_then(|last| last.report.as_ref());
        let report = MapReport::recorded(at_end, *filled);
        report.map_or(Ok(()), |report| writeln!(io::stdout(), "{}", report.text(coloured())))?;
    }
    print(&ReplayReport::new(&subject, &account, tracing.balance()), args.json, false)?;
    tracing.end()?;
    Ok(code)
}

/// Reads all frames, and passes them to the trace and the balance. Returns the last one.
fn read(mut recorded: Recorded, tracing: &Tracing) -> Option<Frame> {
    let observer = tracing.observer();
    let mut last = None;
    while let Some(frame) = recorded.look() {
        observer.iter().for_each(|observer| observer.take(&frame));
        last = Some(frame);
    }
    last
}
