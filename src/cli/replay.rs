//! `destrier replay`: a recorded run, looked at again, or a recorded map, printed; or what the journal holds, for scripts;
//! or its trace or balance, made of it afterwards.

use super::gpu::{MapReport, coloured};
use super::terminal::{on_screens, on_terminal};
use crate::gpu::DeviceKind;
use crate::job::{Answer, Failure, Report, TraceOptions, Tracing, WrittenFiles, keys, print, put, say, usage};
use crate::lock::LockAlways as _;
use crate::run::balance::BalanceFigures;
use crate::run::journal::{LastLine, Reader, Subject};
use crate::run::{Body, End, Filled, Frame, JournalSummary, Recorded, SearchEnd, Source};
use crate::words::{self, grouped};
use clap::Args;
use std::path::PathBuf;

/// `destrier replay`.
#[derive(Args)]
pub struct ReplayArgs {
    /// The journal, as --record wrote it
    pub file: PathBuf,
    /// Print one JSON object about it instead of showing it
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    traced: TraceOptions,
    /// Replace the FILE of --trace if it exists
    #[arg(long, requires = "trace")]
    force: bool,
}

/// What a journal holds.
fn replay_report(question: Subject, summary: &JournalSummary, balance: Option<BalanceFigures>) -> Report {
    let (last, damage) = (summary.last.as_ref(), &summary.damage);
    let mut report = Report::default();

    report.text(&question);
    report.key("question", question);
    let [from, to] = summary.times().unwrap_or_default().map(words::moment);
    let [frames, events] = [summary.frames, summary.events].map(grouped);
    let words = format_args!("{frames} from {from} to {to} as watched, {events} events");
    report.fact("frames", summary.frames, "frames", words);
    // Frames that did not fit while it was written; not known of one that was cut off.
    let lost = last.map(|last| last.lost);
    let [from_s, to_s] = [0, 1].map(|end| summary.times().map(|times| times[end].as_secs_f64()));
    keys!(report, summary.events, lost, from_s, to_s);
    let mut end = match (last, last.and_then(stopped)) {
        (None, _) => "NOT complete: it was cut off".to_owned(),
        (Some(_), None) => "complete".to_owned(),
        (Some(_), Some(reason)) if damage.is_empty() => format!("stopped by {reason}: its journal is whole"),
        (Some(_), Some(reason)) => format!("stopped by {reason}"),
    };
    if !damage.is_empty() {
        end += &format!(", but its journal has {}", words::number_of(damage.len(), "fault"));
    }
    if let Some(lost @ 1..) = last.map(|last| last.lost) {
        end += &format!(", but for {} frames that came too fast", grouped(lost));
    }
    // Whether it has its last line.
    report.key("complete", last.is_some());
    report.text(end);
    // Numbers of the lines with a fault, and what is wrong with them.
    let damaged: Vec<(u64, String)> = damage.iter().map(|damage| (damage.line, damage.why.clone())).collect();
    report.key_if("damaged", Some(damaged).filter(|damaged| !damaged.is_empty()));
    report.key_if("report", last.and_then(|last| last.report.clone()));
    report.lines_if("balance", balance);
    report
}

/// Why a run stopped before its end: its last line says so of a search, the report of any run.
fn stopped(last: &LastLine) -> Option<String> {
    match &last.end {
        Some(End::Run(SearchEnd { stopped: Some(reason), .. })) => Some(reason.name().to_owned()),
        _ => Some(last.report.as_ref()?["stopped"].as_str()?.to_owned()),
    }
}

/// Shows a journal, or tells what it holds.
///
/// # Errors
/// [`Failure::Usage`] when the file is no journal of this version, or nothing of what is asked can be made of it;
/// [`Failure`] when the screen failed, or a trace cannot be written.
pub fn run(args: &ReplayArgs) -> Result<Answer, Failure> {
    let traced = args.traced.clone();
    let reader = Reader::open(&args.file).map_err(|error| usage(format!("{}: {error}", args.file.display())))?;
    let subject = reader.subject().clone();
    let mut recorded = Recorded::new(reader);
    let summary = recorded.summary();
    WrittenFiles::default().read("replay", &args.file).file("--trace", traced.trace.as_deref()).check()?;
    let tracing = Tracing::begin(&traced, args.force, &subject)?;
    // A trace or a balance is made without a view, and a map is printed.
    let has_screen = !matches!(subject, Subject::Map(_));
    let reads = args.json || traced.are_some() || !has_screen || !on_terminal()? || !recorded.has_frames();
    let (answer, (last, was_device)) = if reads {
        (Answer::Yes, read(recorded, &tracing))
    } else {
        (on_screens!(recorded => super::screen::look_on(&subject, Box::new(recorded)))?, (None, false))
    };
    let summary = summary.locked();
    for damage in &summary.damage {
        say(format_args!("{}: line {}: {}", args.file.display(), damage.line, damage.why))?;
    }
    if let Some(Frame { body: Body::Map(filled), .. }) = last
        && !args.json
        && filled.map.is_some()
    {
        let at_end = summary.last.as_ref().and_then(|last| last.report.as_ref());
        let gave_up = was_device && !is_on_device(&filled);
        let map = MapReport::recorded(at_end, *filled, was_device, gave_up);
        map.map_or(Ok(()), |map| put(format_args!("{}\n", map.text(coloured()))))?;
    }
    print(&replay_report(subject, &summary, tracing.balance()), args.json, false)?;
    tracing.end()?;
    Ok(answer)
}

/// Reads all frames, and passes them to the trace and the balance. Returns the last one, and whether one is of a map on a device.
fn read(mut recorded: Recorded, tracing: &Tracing) -> (Option<Frame>, bool) {
    let observer = tracing.observer();
    let (mut last, mut was_device) = (None, false);
    while let Some(frame) = recorded.look() {
        if let Some(observer) = &observer {
            observer.take(&frame);
        }
        was_device |= matches!(&frame.body, Body::Map(filled) if is_on_device(filled));
        last = Some(frame);
    }
    (last, was_device)
}

fn is_on_device(filled: &Filled) -> bool {
    filled.placed.as_ref().is_some_and(|(label, _)| label.kind != DeviceKind::Cpu)
}
