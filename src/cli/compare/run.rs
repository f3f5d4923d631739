//! `destrier compare`: one question asked in several ways, side by side on one time axis: run one after the other, or as
//! they were recorded. Without a terminal, a table; with `--json`, the reports.

use super::table::report;
use super::ways::{Ends, asked, one_question, plan, short};
use crate::board::Board;
use crate::cli::report::SearchReport;
use crate::cli::terminal::{on_screens, on_terminal};
use crate::job::say::safe;
use crate::job::{ActiveRuns, Failure, exit_code, progress, running, usage};
use crate::lock::LockAlways as _;
use crate::run::journal::{Reader, Subject};
use crate::run::{Account, Continuation, Plan, Recorded, Source};
use crate::schedule::Levels;
use clap::Args;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// How many can be compared.
const RUNS: RangeInclusive<usize> = 2..=4;
/// `destrier compare`.
#[derive(Args)]
pub struct CompareArgs {
    /// ROWSxCOLS of the question, with --with; or the journals of runs of one question, 2 to 4
    #[arg(required = true, value_name = "BOARD|FILE")]
    what: Vec<PathBuf>,
    /// How one of the runs is asked: arguments of search, such as '--scheduler rayon --threads 8'; 2 to 4 times
    #[arg(long, value_name = "ARGS", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Print one JSON object instead of showing the runs: runs, an array of reports
    #[arg(long)]
    json: bool,
}

/// Compares. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when a run or the screen failed.
pub fn run(args: &CompareArgs) -> Result<u8, Failure> {
    match (args.what.as_slice(), args.with.as_slice()) {
        ([board], with) if !with.is_empty() => {
            let name = board.to_string_lossy();
            let board: Board = name.parse().map_err(|error| usage(format!("{name}: {error}")))?;
            enough(with.len(), "--with")?;
            let plans: Vec<(String, Plan)> =
                with.iter().map(|with| Ok((with.clone(), plan(board, with)?))).collect::<Result<_, Failure>>()?;
            one_question(&plans)?;
            side_by_side(plans, args.json)
        }
        (_, []) => {
            enough(args.what.len(), "journals")?;
            recorded(&args.what, args.json)
        }
        _ => Err(usage("--with is for one BOARD; journals are compared as they are, without --with")),
    }
}

fn enough(runs: usize, what: &str) -> Result<(), Failure> {
    match RUNS.contains(&runs) {
        true => Ok(()),
        false => Err(usage(format!(
            "{runs} {what}: {} to {} runs can be compared, as in: \
             destrier compare 6x7 --with '--scheduler hire' --with '--scheduler static'",
            RUNS.start(),
            RUNS.end()
        ))),
    }
}

/// Runs one after the other.
fn side_by_side(plans: Vec<(String, Plan)>, json: bool) -> Result<u8, Failure> {
    let (done, signal) = match json || !on_terminal()? {
        true => quietly(&plans)?,
        false => on_screens!(plans => super::watch::runs(&plans))?,
    };
    let reports = plans.iter().zip(&done).map(|((_, plan), done)| {
        let done = done.as_ref().map_err(running)?;
        serde_json::to_value(SearchReport::new(plan, &done.outcome)).map(Some).map_err(running)
    });
    let reports = reports.collect::<Result<Vec<Option<Value>>, Failure>>()?;
    let printed = report((asked(&plans), short(&plans)), reports, json);
    exit_code(printed, signal)
}

/// Without a screen.
fn quietly(plans: &[(String, Plan)]) -> Result<Ends, Failure> {
    let runs = ActiveRuns::default();
    let body = || {
        let mut ends = Vec::new();
        for (_, plan) in plans {
            if runs.is_stopped() {
                break;
            }
            let crew = plan.crew(Levels::Off);
            ends.push(runs.answer(0, plan, (crew, Continuation::default()), None, &|_, _| {}));
        }
        ends
    };
    let (mut ends, signal) = runs.attend(|| runs.progress(progress::search), body)?;
    for done in ends.iter_mut().flatten() {
        done.outcome.stopped = done.outcome.stopped.map(|reason| reason.with_signal(signal.is_some()));
    }
    Ok((ends, signal))
}

/// Journals.
fn recorded(files: &[PathBuf], json: bool) -> Result<u8, Failure> {
    let mut opened = Vec::new();
    let mut plans = Vec::new();
    for file in files {
        let reader = Reader::open(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
        let Subject::Run(plan) = reader.subject().clone() else {
            return Err(usage(format!("{}: only searches are compared", file.display())));
        };
        if plan.question.finds() {
            return Err(usage(format!("{}: only searches are compared, and find looks for one tour", file.display())));
        }
        plans.push((named(file), plan));
        opened.push(Recorded::new(reader));
    }
    one_question(&plans)?;
    let accounts: Vec<Arc<Mutex<Account>>> = opened.iter().map(Recorded::account).collect();
    let signal = match json || !on_terminal()? {
        true => read(opened),
        false => on_screens!(opened => super::watch::recordings(&plans, opened))?,
    };
    let reports = accounts.iter().map(|account| account.locked().last.as_ref()?.report.clone());
    let reports: Vec<Option<Value>> = reports.collect();
    if let Some((file, _)) = files.iter().zip(&reports).find(|(_, report)| json && report.is_none()) {
        return Err(usage(format!("{} was cut off: it has no report to be compared", file.display())));
    }
    let asked = asked(&plans);
    let printed = report((asked, plans.into_iter().map(|(name, _)| name).collect()), reports, json);
    exit_code(printed, signal)
}

fn named(file: &Path) -> String {
    safe(&file.display().to_string())
}

/// Reads all of them.
fn read(opened: Vec<Recorded>) -> Option<i32> {
    for mut recorded in opened {
        while recorded.look().is_some() {}
    }
    None
}
