//! `destrier runs`: lists runs of other processes, prints what one has printed, and forgets those that have ended.

use crate::bounded;
use crate::claim::is_held;
use crate::cli::sheet::WIDTH;
use crate::job::detached::{RunEntry, RunsFolder, Standing, known_run, now_s};
use crate::job::say::{print, say};
use crate::job::{Failure, running, usage};
use crate::words::{self, visible};
use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fmt, io, thread};

/// The names of the columns; the last one takes as many lines as it needs.
const HEADING: &str = "  ID  STATE    BEGAN           DONE     PID  QUESTION";
const QUESTION: &str = "QUESTION";

/// `destrier runs`.
#[derive(Args)]
pub struct RunsArgs {
    /// Print what this run has printed, instead of a list of all
    pub id: Option<u32>,
    /// Remove what is known of these runs, which must have ended
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with = "id")]
    forget: Vec<u32>,
    /// End these runs as a TERM signal does, and wait until they have saved what they keep
    #[arg(long, value_name = "ID", num_args = 1.., conflicts_with_all = ["id", "forget"])]
    stop: Vec<u32>,
    /// Print one JSON object instead of text
    #[arg(long, conflicts_with_all = ["id", "forget", "stop"])]
    json: bool,
}

#[derive(Serialize)]
struct RunRow {
    id: u32,
    pid: u32,
    question: String,
    progress: Option<f64>,
    state: &'static str,
    elapsed_s: Option<f64>,
    age_s: u64,
    guests: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    socket: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    /// The run that is at work with what this one has saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed_by: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Value>,
}

#[derive(Serialize)]
struct Rows {
    runs: Vec<RunRow>,
}

/// Lists runs, or does with one what is asked. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or the folder of runs is not the user's own.
pub fn run(args: &RunsArgs) -> Result<u8, Failure> {
    let folder = RunsFolder::there()?;
    if let Some(id) = args.id {
        let (folder, _) = known_run(folder.as_ref(), id)?;
        let open = |file: PathBuf| {
            let named = |error| running(format!("what run {id} has printed is in {}: {error}", file.display()));
            bounded::open(&file).map_err(named)
        };
        let [out, err] = folder.printed(id).map(open);
        io::copy(&mut out?, &mut io::stdout())?;
        io::copy(&mut err?, &mut io::stderr())?;
        return Ok(0);
    }
    if !args.forget.is_empty() {
        return forget(folder.as_ref(), &args.forget).map(|()| 0);
    }
    if !args.stop.is_empty() {
        return stop(folder.as_ref(), &args.stop).map(|()| 0);
    }
    let runs = match &folder {
        Some(folder) => folder.entries()?.map(|entry| RunRow::new(folder, entry)).collect(),
        None => Vec::new(),
    };
    print(&Rows { runs }, args.json, false)?;
    Ok(0)
}

/// Removes what is known of runs that have ended.
fn forget(folder: Option<&RunsFolder>, ids: &[u32]) -> Result<(), Failure> {
    let ended = |&id: &u32| {
        let (folder, mut entry) = known_run(folder, id)?;
        match entry.standing(folder) {
            Standing::Ending => return Err(usage(format!("run {id} has not quite ended: try again"))),
            standing if standing.goes_on() => {
                return Err(usage(format!("run {id} goes on: destrier runs --stop {id} ends it")));
            }
            _ => {}
        }
        Ok((folder, id))
    };
    let all = ids.iter().map(ended).collect::<Result<Vec<_>, _>>()?;
    for (folder, id) in all {
        let checkpoint = folder.checkpoint(id);
        let mut others = folder.entries()?.filter(|other| !ids.contains(&other.id));
        let is_anothers = others.any(|other| other.checkpoint.as_ref() == Some(&checkpoint));
        // Another run has resumed from this checkpoint, and may resume from it again.
        if is_anothers || is_held(&checkpoint) { folder.give_up(id) } else { folder.forget(id) }
    }
    Ok(())
}

impl RunRow {
    fn new(folder: &RunsFolder, mut entry: RunEntry) -> RunRow {
        let standing = entry.standing(folder);
        let goes_on = standing.goes_on();
        RunRow {
            id: entry.id,
            pid: entry.pid,
            question: entry.question.clone(),
            progress: entry.progress(&standing),
            state: standing.name(),
            elapsed_s: entry.elapsed_s(&standing),
            age_s: now_s().saturating_sub(entry.began_s),
            guests: if let Standing::Running(state) = &standing { state.guests } else { 0 },
            socket: goes_on.then(|| folder.socket(entry.id)),
            resume: entry.resume(&standing),
            resumed_by: entry.resumed_by(folder).filter(|_| !goes_on),
            report: entry.report,
        }
    }

    /// What came of it, or how to go on, in words.
    fn outcome(&self) -> Option<String> {
        let convention = || self.report.as_ref()?["convention"].as_str();
        let number = |name: &str| match &self.report.as_ref()?[name] {
            Value::String(digits) => Some(digits.clone()),
            Value::Number(number) => number.as_u64().map(|number| number.to_string()),
            _ => None,
        };
        let found = number("count").or_else(|| number("tours"));
        let found = found.map(|found| words::tours(found, convention().unwrap_or_default()));
        match (&self.resume, self.state) {
            _ if let Some(by) = self.resumed_by => Some(format!("resumed by run {by}")),
            (Some(resume), _) => Some(format!("to go on: {resume}")),
            (None, "ended" | "stopped") => found,
            _ => None,
        }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.runs.is_empty() {
            return write!(f, "no runs; --detach of search and count begins one");
        }
        write!(f, "{HEADING}")?;
        for row in &self.runs {
            let RunRow { id, state, question, pid, .. } = row;
            let age = format!("{} ago", words::span(Duration::from_secs(row.age_s).as_secs_f64()));
            let done = row.progress.map_or("unknown".to_owned(), words::progress);
            write!(f, "\n{id:4}  {state:7}  {age:<10}  {done:>8}  {pid:6}  ")?;
            let column = HEADING.len() - QUESTION.len();
            let lines = words::wrapped(&visible(question), WIDTH - column);
            write!(f, "{}", lines.join(&format!("\n{:column$}", "")))?;
            // A command is copied as it is.
            if let Some(outcome) = row.outcome() {
                write!(f, "\n      {}", visible(&outcome))?;
            }
        }
        Ok(())
    }
}

/// Time between two looks at a run that is ending.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// After this time the user is told what is waited for.
const TOLD_AFTER: Duration = Duration::from_secs(2);
/// How long a run may take to save what it keeps.
const ENDS_WITHIN: Duration = Duration::from_secs(300);

/// Ends the runs and says of each what has become of it. All are told to end before one is waited for. A run that has ended by
/// itself may be among several.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or none goes on. [`Failure::Running`] when one cannot be ended.
pub fn stop(folder: Option<&RunsFolder>, ids: &[u32]) -> Result<(), Failure> {
    let mut all = ids.iter().map(|&id| known_run(folder, id)).collect::<Result<Vec<_>, _>>()?;
    let going: Vec<bool> = all.iter_mut().map(|(folder, entry)| entry.standing(folder).goes_on()).collect();
    if !going.contains(&true)
        && let Some((folder, entry)) = all.first_mut()
    {
        let past = entry.standing(folder).past();
        return Err(usage(format!("run {} has {past}: there is nothing to stop", entry.id)));
    }
    for ((_, entry), _) in all.iter().zip(going).filter(|(_, goes_on)| *goes_on) {
        let process = Pid::from_raw(entry.pid.cast_signed());
        let told = process.map(|process| kill_process(process, Signal::TERM));
        if let Some(Err(error)) = told.filter(|told| *told != Err(rustix::io::Errno::SRCH)) {
            return Err(running(format!("run {} cannot be told to end: {error}", entry.id)));
        }
    }
    for (folder, entry) in all {
        print(&visible(&ended(folder, entry)?), false, false)?;
    }
    Ok(())
}

/// Waits for the end of a run; says what has become of it.
fn ended(folder: &RunsFolder, entry: RunEntry) -> Result<String, Failure> {
    let (id, pid, since) = (entry.id, entry.pid, Instant::now());
    let mut is_told = false;
    loop {
        let Some(mut entry) = folder.entry(id) else {
            return Ok(format!("run {id} has ended, and destrier runs --forget has removed its files"));
        };
        let standing = entry.standing(folder);
        if !standing.goes_on() && !matches!(standing, Standing::Ending) {
            let rest = match entry.resume(&standing) {
                Some(resume) => format!("to go on: {resume}"),
                None => format!("what it has printed: destrier runs {id}"),
            };
            return Ok(format!("run {id} has {}; {rest}", standing.past()));
        }
        if since.elapsed() > TOLD_AFTER && !std::mem::replace(&mut is_told, true) {
            let what = if is_suspended(pid) {
                format!("which is suspended: kill -CONT {pid} lets it end")
            } else {
                "until it has saved what it keeps".to_owned()
            };
            say(format_args!("waiting for run {id} (process {pid}), {what}"))?;
        }
        if since.elapsed() > ENDS_WITHIN {
            let waited = crate::words::span(ENDS_WITHIN.as_secs_f64());
            return Err(running(format!(
                "run {id} was told to end {waited} ago and goes on: kill -KILL {pid} ends it, without saving"
            )));
        }
        thread::sleep(LOOK_EVERY);
    }
}

/// Whether a process is stopped by a signal, as by Ctrl-Z; false where the system does not say.
fn is_suspended(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tT"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_broken_between_words_and_says_what_was_found() {
        let question = "search 6x7 closed by radley, hire, 16 threads, prune any-isolated, from a6, unique".to_owned();
        let report = serde_json::json!({ "tours": 1, "convention": "classes" });
        let row = RunRow {
            id: 12,
            pid: 123_456,
            question: question.clone(),
            progress: Some(1.0),
            state: "ended",
            elapsed_s: None,
            age_s: 700,
            guests: 0,
            socket: None,
            resume: None,
            resumed_by: None,
            report: Some(report),
        };
        let text = Rows { runs: vec![row] }.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let said = words(&text).join(" ");
        assert!(said.contains(&question) && said.ends_with("1 class"), "{text}");
    }

    /// Another process removes what is known of a run as soon as its end is noted.
    #[test]
    fn a_run_that_is_forgotten_while_it_is_waited_for_has_ended() {
        let place = tempfile::tempdir().unwrap();
        let question = "search 6x6".to_owned();
        let entry = RunEntry { id: 1, pid: u32::MAX, question, began_s: 0, checkpoint: None, report: None };
        let said = ended(&RunsFolder::of_test(place.path()), entry).ok();
        assert_eq!(said.as_deref(), Some("run 1 has ended, and destrier runs --forget has removed its files"));
    }
}
