//! `destrier compare`: one question asked in several ways, side by side on one time axis: run one after the other, or as
//! they were recorded. Without a terminal, a table; with `--json`, the reports.

use super::table::{ComparedFigures, ComparedReport, report};
use super::ways::{Ends, asked, one_question, plan, short};
use crate::board::Shape;
use crate::cli::search::search_report;
use crate::cli::terminal::{on_screens, on_terminal};
use crate::job::{ActiveRuns, Answer, Failure, answered, progress, refuse_if, running, safe, usage};
use crate::lock::LockAlways as _;
use crate::run::journal::{Reader, Subject};
use crate::run::{
    Continuation, End, Frame, JournalSummary, Plan, Recorded, Rival, RunObserver, RunObservers, SearchEnd, Source,
};
use crate::schedule::Levels;
use clap::Args;
use serde::Deserialize as _;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many can be compared; refusals and the help say so in words.
const RUNS: RangeInclusive<usize> = 2..=4;
/// `destrier compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// ROWSxCOLS of the question, with --with; or the journals of runs of one question, 2 to 4
    #[arg(required = true, value_name = "BOARD|FILE")]
    what: Vec<PathBuf>,
    /// How one of the runs is asked, 2 to 4 times: '--scheduler rayon --threads 8', '--solver radley --prune region'
    ///
    /// ARGS are options of search. The runs go one after the other, each to its end: together they take as long as search
    /// takes for each of them.
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Print one JSON object instead of text
    ///
    /// Its runs are an array of reports.
    #[arg(long)]
    json: bool,
}

/// Compares.
///
/// # Errors
/// [`Failure`] on bad input, or when a run or the screen failed.
pub fn run(args: &CompareArgs) -> Result<Answer, Failure> {
    match (args.what.as_slice(), args.with.as_slice()) {
        ([board], with) if !with.is_empty() || board.to_string_lossy().parse::<Shape>().is_ok() => {
            let name = board.to_string_lossy();
            let shape: Shape = name.parse().map_err(|error| usage(format!("{name}: {error}")))?;
            enough(with.len(), "a board needs --with 2 to 4 times")?;
            let plans: Vec<(String, Plan)> =
                with.iter().map(|with| Ok((with.clone(), plan(&shape, with)?))).collect::<Result<_, Failure>>()?;
            one_question(&plans)?;
            side_by_side(plans, args.json)
        }
        (_, []) => {
            enough(args.what.len(), "name 2 to 4 journals, or a board and --with as often")?;
            recorded(&args.what, args.json)
        }
        _ => Err(usage("--with is for one BOARD; journals are compared as they are, without --with")),
    }
}

fn enough(runs: usize, wanted: &str) -> Result<(), Failure> {
    let example = "destrier compare 6x7 --with '--scheduler hire' --with '--scheduler static'";
    refuse_if(!RUNS.contains(&runs), format_args!("{wanted}, as in: {example}"))
}

/// Runs one after the other.
fn side_by_side(plans: Vec<(String, Plan)>, json: bool) -> Result<Answer, Failure> {
    let Ends { done, rivals, signal } = if json || !on_terminal()? {
        quietly(&plans, json)?
    } else {
        on_screens!(plans => super::watch::runs(&plans))?
    };
    let reports = plans.iter().zip(done).zip(rivals).map(|(((_, plan), done), rival)| {
        let done = done.as_ref().map_err(running)?;
        let report = search_report(plan, &done.outcome, Some(rival.balance.figures()), None);
        let report = Some(serde_json::to_value(report).map_err(running)?);
        Ok(ComparedReport { report, figures: Some(ComparedFigures::of(&done.outcome)), rival })
    });
    let reports = reports.collect::<Result<Vec<ComparedReport>, Failure>>()?;
    let printed = report(&asked(&plans), reports, json);
    answered(printed, signal)
}

/// Keeps the figures of the run in progress.
impl RunObserver for Mutex<Rival> {
    fn take(&self, frame: &Frame) {
        self.locked().take(frame);
    }
}

/// Without a screen. Nodes are counted by depth as a sample: to count all of them would cost some solvers a tenth of their
/// speed. A report counts them all.
fn quietly(plans: &[(String, Plan)], json: bool) -> Result<Ends, Failure> {
    let seen = Arc::new(Mutex::<Rival>::default());
    let observer: Arc<dyn RunObserver> = seen.clone();
    let runs = ActiveRuns::observed(RunObservers { others: vec![observer], ..RunObservers::default() });
    let body = || {
        let (mut done, mut rivals) = (Vec::new(), Vec::new());
        for ((_, plan), name) in plans.iter().zip(short(plans)) {
            if runs.is_stopped() {
                break;
            }
            *seen.locked() = Rival::new(name, plan.scheduler);
            runs.begin_anew();
            let crew = plan.crew(if json { plan.question.levels() } else { Levels::Sampled });
            let ended = runs.answer(0, plan, crew, Continuation::default(), None, &|_, _| {});
            let mut rival = std::mem::take(&mut *seen.locked());
            rival.end(&ended.as_ref().map_or(End::Failed, |done| End::Run(SearchEnd::of(done, plan.question.board()))));
            done.push(ended);
            rivals.push(rival);
        }
        (done, rivals)
    };
    let ((mut done, rivals), signal) = runs.attend(|| runs.progress(progress::search), body)?;
    for done in done.iter_mut().flatten() {
        done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(signal.is_some()));
    }
    Ok(Ends { done, rivals, signal })
}

/// Journals.
fn recorded(files: &[PathBuf], json: bool) -> Result<Answer, Failure> {
    let mut opened = Vec::new();
    let mut plans = Vec::new();
    for file in files {
        let reader = Reader::open(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
        let file = file.display();
        let Subject::Run(plan) = reader.subject().clone() else {
            return Err(usage(format!("{file}: only searches are compared")));
        };
        let finds = plan.question.finds();
        refuse_if(finds, format_args!("{file}: only searches are compared, and find looks for one tour"))?;
        plans.push((safe(&file.to_string()), plan));
        opened.push(Recorded::new(reader));
    }
    one_question(&plans)?;
    let summaries: Vec<Arc<Mutex<JournalSummary>>> = opened.iter().map(Recorded::summary).collect();
    let (rivals, signal) = if json || !on_terminal()? {
        (read(&plans, opened), None)
    } else {
        on_screens!(opened => super::watch::recordings(&plans, opened))?
    };
    let report_of = |summary: &Arc<Mutex<JournalSummary>>| summary.locked().last.as_ref()?.report.clone();
    let reports = summaries.iter().zip(rivals).map(|(summary, rival)| {
        let report = report_of(summary).map(|report| with_balance(report, &rival));
        let figures = report.as_ref().and_then(|report| ComparedFigures::deserialize(report).ok());
        ComparedReport { report, figures, rival }
    });
    let reports: Vec<ComparedReport> = reports.collect();
    if let Some((file, _)) = files.iter().zip(&reports).find(|(_, report)| json && report.report.is_none()) {
        return Err(usage(format!("{} was cut off: it has no report to be compared", file.display())));
    }
    let printed = report(&asked(&plans), reports, json);
    answered(printed, signal)
}

/// A recorded report, with the balance of the recording.
fn with_balance(mut report: Value, rival: &Rival) -> Value {
    if let (Some(object), Ok(balance)) = (report.as_object_mut(), serde_json::to_value(rival.balance.figures())) {
        object.insert("balance".to_owned(), balance);
    }
    report
}

fn read(plans: &[(String, Plan)], opened: Vec<Recorded>) -> Vec<Rival> {
    let read = |((name, plan), mut recorded): (&(String, Plan), Recorded)| {
        let mut rival = Rival::new(name, plan.scheduler);
        while let Some(frame) = recorded.look() {
            rival.take(&frame);
        }
        rival.end(&recorded.end(Duration::ZERO).unwrap_or(End::Cut));
        rival
    };
    plans.iter().zip(opened).map(read).collect()
}
