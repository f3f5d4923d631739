//! `destrier compare`: one question asked in several ways, side by side on one time axis: run one after the other, or as
//! they were recorded. Without a terminal, a table; with `--json`, the reports.

use super::args::QuestionArgs;
use super::replay::shows;
use super::report::SearchReport;
use super::sheet::WIDTH;
use crate::board::Board;
use crate::job::say::{print_object, safe};
use crate::job::{ActiveRuns, Failure, exit_code, progress, running, usage};
use crate::lock::LockAlways as _;
use crate::run::journal::{Reader, Subject};
use crate::run::{Account, Continuation, Plan, Recorded, RunDone, Source};
use crate::schedule::{Levels, RunError};
use crate::words::{grouped, rate, wrapped};
use clap::{Args, CommandFactory, FromArgMatches, Parser};
use serde::Serialize;
use serde_json::Value;
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// How many can be compared.
const RUNS: RangeInclusive<usize> = 2..=4;
/// Where the names of the runs begin, in columns.
const INDENT: usize = 7;

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

/// What one `--with` says.
#[derive(Parser)]
#[command(name = "--with", no_binary_name = true, disable_help_flag = true)]
struct With {
    #[command(flatten)]
    asked: QuestionArgs,
}

/// The object.
#[derive(Serialize)]
struct Runs {
    runs: Vec<Value>,
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

/// The plan that a `--with` asks for.
fn plan(board: Board, with: &str) -> Result<Plan, Failure> {
    let matches = With::command().try_get_matches_from(with.split_whitespace());
    let parsed = matches.and_then(|matches| With::from_arg_matches(&matches)).map_err(|error| {
        let said = error.to_string();
        let first = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
        usage(format!("--with '{}': {}; it takes the question and the crew of search", safe(with), safe(first)))
    })?;
    parsed.asked.plan(board)
}

/// Several ways to answer, but one question: otherwise the times say nothing of each other.
fn one_question(plans: &[(String, Plan)]) -> Result<(), Failure> {
    let asked = |plan: &Plan| {
        let question = &plan.question;
        let (board, start) = (question.board(), question.start());
        let narrowed = (question.restricted(), question.finds(), plan.shard);
        (board, question.ending(), start.map(|start| start.index()), question.convention(), narrowed)
    };
    let Some(((first, plan), rest)) = plans.split_first() else { return Ok(()) };
    match rest.iter().find(|(_, other)| asked(other) != asked(plan)) {
        None => Ok(()),
        Some((other, _)) => Err(usage(format!(
            "'{}' and '{}' ask different questions: board, ending, start and convention must be the same",
            safe(first),
            safe(other)
        ))),
    }
}

/// The names of the runs: what they are asked with, without the options that all of them have alike.
fn short(plans: &[(String, Plan)]) -> Vec<String> {
    let options: Vec<Vec<String>> = plans.iter().map(|(name, _)| options(name)).collect();
    let kept = |own: &Vec<String>| {
        let differs = |option: &&String| !options.iter().all(|other| other.contains(option));
        own.iter().filter(differs).map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    options.iter().map(|own| named_or_not(&kept(own))).collect()
}

/// The options of a `--with`, each with its value.
fn options(with: &str) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for word in with.split_whitespace() {
        match options.last_mut() {
            Some(option) if !word.starts_with("--") => *option = format!("{option} {word}"),
            _ => options.push(word.to_owned()),
        }
    }
    options
}

/// A name, also of what is asked with nothing.
fn named_or_not(name: &str) -> String {
    if name.trim().is_empty() { "as usual".to_owned() } else { safe(name).to_string() }
}

/// What all are asked, in words.
#[cfg(feature = "tui")]
fn question(plan: &Plan) -> String {
    format!("{} {} tours", plan.question.board(), plan.question.ending().name())
}

/// Runs one after the other.
fn side_by_side(plans: Vec<(String, Plan)>, json: bool) -> Result<u8, Failure> {
    let (done, signal) = if json || !shows()? { quietly(&plans)? } else { shown(&plans)? };
    let reports = plans.iter().zip(&done).map(|((_, plan), done)| match done {
        Ok(done) => Ok(SearchReport::new(plan, &done.outcome)),
        Err(error) => Err(running(error)),
    });
    let reports = reports.collect::<Result<Vec<_>, Failure>>()?;
    let values: Result<Vec<Option<Value>>, _> = reports.iter().map(|run| serde_json::to_value(run).map(Some)).collect();
    let printed = report(short(&plans), values.map_err(running)?, json);
    exit_code(printed, signal)
}

/// What came of the runs that began, in their order, and the signal that ended them, if one did.
type Ends = (Vec<Result<RunDone, RunError>>, Option<i32>);

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

/// On the screen.
#[cfg(feature = "tui")]
fn shown(plans: &[(String, Plan)]) -> Result<Ends, Failure> {
    use super::screen::signal_of;
    use crate::run::{Beginning, Live, Outbox};
    use crate::ui::compare::{self, ComparedRun};
    let outboxes: Vec<Outbox> = plans.iter().map(|_| Outbox::default()).collect();
    let entries = plans.iter().zip(&outboxes).zip(short(plans)).map(|(((_, plan), outbox), name)| ComparedRun {
        name,
        begin: Box::new(move || {
            Box::new(Live::start(plan, Beginning::default(), Continuation::default(), None, Arc::clone(outbox)))
        }),
    });
    let (exit, _) = compare::run(&question(&plans[0].1), entries.collect())?;
    let taken = outboxes.iter().filter_map(|outbox| outbox.locked().take());
    Ok((taken.collect(), signal_of(exit)))
}

#[cfg(not(feature = "tui"))]
fn shown(plans: &[(String, Plan)]) -> Result<Ends, Failure> {
    quietly(plans)
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
    let signal = if json || !shows()? { read(opened) } else { replayed(&plans, opened)? };
    let reports = accounts.iter().map(|account| account.locked().report.clone());
    let reports: Vec<Option<Value>> = reports.collect();
    if let Some((file, _)) = files.iter().zip(&reports).find(|(_, report)| json && report.is_none()) {
        return Err(usage(format!("{} was cut off: it has no report to be compared", file.display())));
    }
    let printed = report(plans.into_iter().map(|(name, _)| name).collect(), reports, json);
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

#[cfg(feature = "tui")]
fn replayed(plans: &[(String, Plan)], opened: Vec<Recorded>) -> Result<Option<i32>, Failure> {
    use super::screen::signal_of;
    use crate::ui::compare::{self, ComparedRun};
    let entries = plans
        .iter()
        .zip(opened)
        .map(|((name, _), recorded)| ComparedRun { name: name.clone(), begin: Box::new(move || Box::new(recorded)) });
    let (exit, _) = compare::run(&question(&plans[0].1), entries.collect())?;
    Ok(signal_of(exit))
}

#[cfg(not(feature = "tui"))]
fn replayed(_: &[(String, Plan)], opened: Vec<Recorded>) -> Result<Option<i32>, Failure> {
    Ok(read(opened))
}

/// Prints the table or the object; a run without a report is one that was cut off, or that was not seen to its end.
fn report(names: Vec<String>, runs: Vec<Option<Value>>, json: bool) -> Result<(), Failure> {
    let differ = differing(&runs);
    if json {
        print_object(&Runs { runs: runs.into_iter().flatten().collect() })?;
    } else {
        write!(io::stdout(), "{}", ComparisonTable { names: &names, runs: &runs })?;
    }
    match differ {
        true => Err(running("the runs are complete and found different numbers of tours: one of them is wrong")),
        false => Ok(()),
    }
}

/// The runs with their names, and below them their figures, no wider than a sheet.
struct ComparisonTable<'a> {
    names: &'a [String],
    runs: &'a [Option<Value>],
}

impl fmt::Display for ComparisonTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, run)) in (1..).zip(self.names.iter().zip(self.runs)) {
            let stopped = match run {
                None => ": no report: cut off, or not seen to its end",
                Some(run) if run["complete"] == true => "",
                Some(_) => ": stopped before its end",
            };
            let lines = wrapped(&format!("{}{stopped}", safe(name)), WIDTH - INDENT);
            writeln!(f, "run {number}  {}", lines.join(&format!("\n{:INDENT$}", "")))?;
        }
        let heads = ["run", "tours", "nodes", "seconds", "nodes/s", "hires", "busy"];
        let [run, tours, nodes, seconds, speed, hires, busy] = heads;
        writeln!(f, "\n{run}  {tours:>14} {nodes:>17} {seconds:>10} {speed:>8} {hires:>8} {busy:>6}")?;
        for (number, run) in (1..).zip(self.runs) {
            match run {
                Some(run) => writeln!(f, "{number:>3}  {}", row(run))?,
                None => writeln!(f, "{number:>3}  {:>14}", "-")?,
            }
        }
        Ok(())
    }
}

/// Whether two complete runs found different numbers of tours.
fn differing(runs: &[Option<Value>]) -> bool {
    let mut complete = runs.iter().flatten().filter(|run| run["complete"] == true).map(|run| &run["tours"]);
    complete.next().is_some_and(|first| complete.any(|tours| tours != first))
}

fn row(run: &Value) -> String {
    let whole = |name: &str| grouped(run[name].as_u64().unwrap_or(0));
    let seconds = run["elapsed_s"].as_f64().unwrap_or(0.0);
    let nodes_per_s = run["nodes"].as_f64().unwrap_or(0.0) / seconds.max(1e-9);
    let workers = run["workers"].as_array().map_or(&[][..], Vec::as_slice);
    let busy_s: f64 = workers.iter().filter_map(|worker| worker["busy_s"].as_f64()).sum();
    let busy = 100.0 * (busy_s / (seconds * workers.len() as f64).max(1e-9)).min(1.0);
    let (tours, nodes, hires, speed) = (whole("tours"), whole("nodes"), whole("hires"), rate(nodes_per_s));
    format!("{tours:>14} {nodes:>17} {seconds:>10.3} {speed:>8} {hires:>8} {busy:>4.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_complete_runs_must_agree() {
        let run = |tours: u64, complete: bool| Some(json!({"tours": tours, "complete": complete}));
        assert!(!differing(&[run(10, true), run(10, true), run(3, false)]));
        assert!(differing(&[run(10, true), run(3, false), run(11, true)]));
        assert!(!differing(&[None]));
    }

    #[test]
    fn a_table_is_no_wider_than_a_screen_of_80_columns() {
        let run = |complete| {
            json!({"tours": 13_267_364_410_532_u64, "nodes": 1_021_591_377_000_u64, "elapsed_s": 123_456.789,
            "hires": 1_234_567, "complete": complete, "workers": [{"busy_s": 123_000.0}]})
        };
        let names =
            ["--solver radley --prune any-isolated --scheduler rayon --threads 16 --prune-from 4 --prune-to 20", "b"];
        let names = names.map(str::to_owned);
        let table = ComparisonTable { names: &names, runs: &[Some(run(true)), Some(run(false))] }.to_string();
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains("run 2  b: stopped before its end\n"), "{table}");
        let table = ComparisonTable { names: &names, runs: &[Some(run(true)), None] }.to_string();
        assert!(table.contains("run 2  b: no report: cut off") && table.ends_with("  2               -\n"), "{table}");
    }

    #[test]
    fn names_leave_out_what_all_have() {
        let plan = |with: &str| (with.to_owned(), plan("5x6".parse().unwrap(), with).unwrap());
        let names = |withs: &[&str]| short(&withs.iter().map(|with| plan(with)).collect::<Vec<_>>());
        let two = ["--scheduler rayon --threads 2", "--threads 2 --scheduler hire"];
        assert_eq!(names(&two), ["--scheduler rayon", "--scheduler hire"]);
        assert_eq!(names(&["--threads 1", "--threads 2"]), ["--threads 1", "--threads 2"]);
        assert_eq!(names(&["--threads 2", "--threads 2 --solver path"]), ["as usual", "--solver path"]);
    }

    #[test]
    fn one_question_is_asked_in_all_ways() {
        let plan = |with: &str| (with.to_owned(), plan("5x6".parse().unwrap(), with).unwrap());
        assert!(one_question(&[plan("--solver radley --scheduler rayon"), plan("--solver path --threads 3")]).is_ok());
        for other in ["--open", "--unique", "--start a1"] {
            assert!(
                one_question(&[plan("--solver path"), plan(&format!("--solver path {other}"))]).is_err(),
                "{other}"
            );
        }
    }
}
