//! Runs without a screen, which `--detach` begins: `destrier runs` lists them, prints what one has printed, and forgets those
//! that have ended; `destrier attach` is the live view of one.

use super::terminal::{needs_terminal, on_screens};
use crate::bounded;
use crate::claim::is_held;
#[cfg(feature = "tui")]
use crate::cli::screen::look_on;
use crate::job::detached::{RunEntry, RunStatus, RunsFolder, known_run, now_s};
use crate::job::{
    Answer, Failure, LinesOptions, Report, STDERR, STDOUT, io_failure, keys, print, print_object, refuse_if, running,
    say, usage,
};
use crate::run::remote::Attached;
use crate::run::{End, RunObserver, SearchEnd, Source};
use crate::schedule::StopReason;
use crate::words::{self, number_in, visible};
use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

/// The names of the columns; the last one takes as many lines as it needs.
const HEADING: &str = "  ID  STATE    BEGAN           DONE     PID  QUESTION";
const QUESTION: &str = "QUESTION";

/// What the number of a run may be.
const RUN_IDS: RangeInclusive<u64> = 1..=u32::MAX as u64;

/// `destrier runs`.
#[derive(Args)]
pub struct RunsArgs {
    /// Print what this run has printed, instead of a list of all
    #[arg(value_parser = number_in::<u32>(RUN_IDS))]
    pub id: Option<u32>,
    /// Print what this run was like instead, a line a minute since it began
    #[arg(long, requires = "id")]
    history: bool,
    /// Remove what is known of these runs, which must have ended
    #[arg(long, value_name = "ID", value_parser = number_in::<u32>(RUN_IDS), num_args = 1.., conflicts_with = "id")]
    forget: Vec<u32>,
    /// End these runs as a TERM signal does, and wait until they have saved what they keep
    #[arg(long, value_name = "ID", value_parser = number_in::<u32>(RUN_IDS), num_args = 1.., conflicts_with_all = ["id", "forget"])]
    stop: Vec<u32>,
    /// Print one JSON object instead of text
    #[arg(long, conflicts_with_all = ["id", "forget", "stop"])]
    json: bool,
}

/// Lists runs, or does with one what is asked.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or the folder of runs is not the user's own.
pub fn run(args: &RunsArgs) -> Result<Answer, Failure> {
    let folder = RunsFolder::there()?;
    let folder = folder.as_ref();
    match args.id {
        Some(id) if args.history => print_history(folder, id),
        Some(id) => print_again(folder, id),
        None if !args.forget.is_empty() => forget(folder, &args.forget),
        None if !args.stop.is_empty() => stop(folder, &args.stop),
        None => list(folder, args.json),
    }
    .map(|()| Answer::Yes)
}

/// Prints all runs.
fn list(folder: Option<&RunsFolder>, json: bool) -> Result<(), Failure> {
    let runs: Vec<Report> = match folder {
        Some(folder) => folder.all()?.map(|(id, read)| row(folder, id, read)).collect(),
        None => Vec::new(),
    };
    let mut report = Report::default();
    report.text(if runs.is_empty() { "no runs; --detach of search and count begins one" } else { HEADING });
    report.rows("runs", runs);
    print(&report, json, false)
}

/// Prints what a run has printed.
fn print_again(folder: Option<&RunsFolder>, id: u32) -> Result<(), Failure> {
    let (folder, _) = known_run(folder, id)?;
    let open = |file: PathBuf| {
        let named = |error| running(format!("what run {id} has printed is in {}: {error}", file.display()));
        bounded::open(&file).map_err(named)
    };
    let [out, err] = folder.printed(id).map(open);
    io::copy(&mut out?, &mut io::stdout()).map_err(io_failure(STDOUT))?;
    io::copy(&mut err?, &mut io::stderr()).map_err(io_failure(STDERR))?;
    Ok(())
}

/// Prints what a run was like.
fn print_history(folder: Option<&RunsFolder>, id: u32) -> Result<(), Failure> {
    let (folder, _) = known_run(folder, id)?;
    let file = folder.history(id);
    match bounded::open(&file) {
        Ok(mut history) => io::copy(&mut history, &mut io::stdout()).map(drop).map_err(io_failure(STDOUT)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            say(format_args!("run {id} has no line of history: one is kept after a second and one each minute"))
        }
        Err(error) => Err(running(format!("the history of run {id} is in {}: {error}", file.display()))),
    }
}

/// Removes what is known of runs that have ended.
fn forget(folder: Option<&RunsFolder>, ids: &[u32]) -> Result<(), Failure> {
    let ended = |&id: &u32| {
        let (folder, mut entry) = known_run(folder, id)?;
        let status = entry.status(folder);
        let is_ending = matches!(status, RunStatus::Ending);
        refuse_if(is_ending, format_args!("run {id} has not quite ended: try again"))?;
        refuse_if(status.goes_on(), format_args!("run {id} goes on: destrier runs --stop {id} ends it"))?;
        Ok((folder, id))
    };
    let all = ids.iter().map(ended).collect::<Result<Vec<_>, Failure>>()?;
    for (folder, id) in all {
        let checkpoint = folder.checkpoint(id);
        let mut others = folder.entries()?.filter(|other| !ids.contains(&other.id));
        let is_anothers = others.any(|other| other.checkpoint.as_ref() == Some(&checkpoint));
        // Another run has resumed from this checkpoint, and may resume from it again.
        if is_anothers || is_held(&checkpoint) { folder.give_up(id) } else { folder.forget(id) }
    }
    Ok(())
}

/// A run of the list: how far it is, and what came of it, or how to go on.
fn row(folder: &RunsFolder, id: u32, read: Result<RunEntry, String>) -> Report {
    let mut entry = match read {
        Ok(entry) => entry,
        Err(why) => return unreadable(id, &why),
    };
    let status = entry.status(folder);
    let (progress, resume, state) = (entry.progress(&status), entry.resume(&status), status.name());
    let (goes_on, age_s) = (status.goes_on(), now_s().saturating_sub(entry.began_s));
    let is_left = !goes_on && !matches!(status, RunStatus::Ended);
    let resumed_by = entry.resumed_by(folder).or_else(|| entry.followed_by(folder)).filter(|_| is_left);
    let outcome = match &status {
        _ if let Some(by) = resumed_by => Some(format!("resumed by run {by}")),
        _ if let Some(resume) = &resume => Some(format!("to go on: {resume}")),
        RunStatus::Ended | RunStatus::Stopped => entry.report.as_ref().and_then(found),
        _ => None,
    };
    let mut row = Report::default();
    let (age, done) = (words::span(age_s as f64) + " ago", progress.map_or("unknown".to_owned(), words::progress));
    let columns = format!("{:4}  {state:7}  {age:<10}  {done:>8}  {:6}  ", entry.id, entry.pid);
    row.hanging(&columns, &entry.question, HEADING.len() - QUESTION.len());
    // A command is copied as it is.
    if let Some(outcome) = outcome {
        row.text(format_args!("      {outcome}"));
    }
    let (question, elapsed_s) = (entry.question.clone(), entry.elapsed_s(&status));
    let guests = if let RunStatus::Running(state) = &status { state.guests } else { 0 };
    keys!(row, entry.id, entry.pid, question, progress, state, elapsed_s, age_s, guests);
    keys!(row, "socket"? => goes_on.then(|| folder.socket(entry.id)), "resume"? => resume.filter(|_| resumed_by.is_none()));
    // The run that is at work with what this one has saved, or was the last one.
    keys!(row, "resumed_by"? => resumed_by, "report"? => entry.report);
    row
}

/// A run of the list of which nothing is known: its file cannot be read.
fn unreadable(id: u32, why: &str) -> Report {
    let mut row = Report::default();
    row.text(format_args!("{id:4}  {why}"));
    row.key("id", id);
    ["pid", "question", "progress"].into_iter().for_each(|key| row.key(key, None::<()>));
    keys!(row, "state" => "unreadable", "elapsed_s" => None::<()>);
    row
}

/// What a run that is over has found.
fn found(report: &Value) -> Option<String> {
    let number = |name: &str| match &report[name] {
        Value::String(digits) => Some(digits.clone()),
        Value::Number(number) => number.as_u64().map(|number| number.to_string()),
        _ => None,
    };
    let found = number("count").or_else(|| number("tours"))?;
    Some(words::tours(found, report["convention"].as_str().unwrap_or_default()))
}

/// How long a frame of a run that is told in lines is waited for.
const FRAME_WITHIN: Duration = Duration::from_millis(100);
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
    let going: Vec<bool> = all.iter_mut().map(|(folder, entry)| entry.status(folder).goes_on()).collect();
    if !going.contains(&true)
        && let Some((folder, entry)) = all.first_mut()
    {
        let past = entry.status(folder).past();
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
        let status = entry.status(folder);
        if !status.goes_on() && !matches!(status, RunStatus::Ending) {
            return Ok(format!("run {id} has {}; {}", status.past(), next_step(&entry, &status)));
        }
        if since.elapsed() > TOLD_AFTER && !std::mem::replace(&mut is_told, true) {
            let what = match is_suspended(pid) {
                true => format!("which is suspended: kill -CONT {pid} lets it end"),
                false => "until it has saved what it keeps".to_owned(),
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

/// What to do with a run that is over: how it is resumed, or else where its output is.
fn next_step(entry: &RunEntry, status: &RunStatus) -> String {
    let printed = || format!("what it has printed: destrier runs {}", entry.id);
    entry.resume(status).map_or_else(printed, |resume| format!("to go on: {resume}"))
}

/// Whether a process is stopped by a signal, as by Ctrl-Z; false where the system does not say.
fn is_suspended(pid: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    status.lines().any(|line| line.starts_with("State:\tT"))
}

/// `destrier attach`.
#[derive(Args)]
pub struct AttachArgs {
    /// The number of a run, or its socket; without it the run, if only one is running
    ///
    /// `destrier runs` lists the numbers. The socket may be one that ssh -L forwards from another machine.
    #[arg(value_name = "ID|SOCKET")]
    run: Option<String>,
    /// Look only: no key changes the run
    #[arg(long)]
    read_only: bool,
    #[command(flatten)]
    lines: LinesOptions,
}

/// Shows a run of another process until the user has seen enough, or tells it in lines until its end.
///
/// # Errors
/// [`Failure::Usage`] when there is no such run, or no terminal.
pub fn attach(args: &AttachArgs) -> Result<Answer, Failure> {
    let (id, socket) = wanted(args.run.as_deref())?;
    if args.lines.lines.is_some() {
        return tell(id, &socket, &args.lines);
    }
    needs_terminal("attach", "destrier runs says how far a run is")?;
    let read_only = args.read_only;
    on_screens!(id, socket, read_only => show(id, &socket, read_only))
}

/// The number of the run that is wanted, if it has one, and its socket.
fn wanted(name: Option<&str>) -> Result<(Option<u32>, PathBuf), Failure> {
    let Ok(id) = name.map(str::parse::<u32>).transpose() else { return Ok((None, name.unwrap_or_default().into())) };
    let folder = RunsFolder::there()?;
    if let Some(id) = id {
        let (folder, mut entry) = known_run(folder.as_ref(), id)?;
        let status = entry.status(folder);
        if !status.goes_on() {
            let rest = match entry.resumed_by(folder) {
                Some(by) => format!("run {by} resumes it: destrier attach {by}"),
                _ if let Some(by) = entry.followed_by(folder) => format!("run {by} resumed it; see destrier runs"),
                None => next_step(&entry, &status),
            };
            return Err(usage(format!("run {id} has {}; {rest}", status.past())));
        }
        return Ok((Some(id), folder.socket(id)));
    }
    let mut going = Vec::new();
    if let Some(folder) = &folder {
        let runs = folder.entries()?.filter_map(|mut run| run.status(folder).goes_on().then_some(run.id));
        going.extend(runs.map(|id| (id, folder.socket(id))));
    }
    match &going[..] {
        [(id, socket)] => Ok((Some(*id), socket.clone())),
        [] => Err(usage("no run goes on; --detach of search and count begins one")),
        several => {
            let ids: Vec<String> = several.iter().map(|(id, _)| id.to_string()).collect();
            Err(usage(format!("several runs go on: say which, {}", ids.join(", "))))
        }
    }
}

/// The run behind a socket, which may have a number, and its name.
fn attached_to(id: Option<u32>, socket: &Path) -> Result<(String, Attached), Failure> {
    let name = id.map_or_else(|| socket.display().to_string(), |id| format!("run {id}"));
    let attached = Attached::to(socket).map_err(|error| usage(format!("{name}: {error}")))?;
    Ok((name, attached))
}

/// Tells the run behind this socket in lines until its end, and prints its summary.
///
/// # Errors
/// [`Failure`] when it cannot be reached, failed, or was cut off.
fn tell(id: Option<u32>, socket: &Path, options: &LinesOptions) -> Result<Answer, Failure> {
    let (name, mut attached) = attached_to(id, socket)?;
    let observer = options.observer(&attached.subject);
    let is_unread = || observer.as_ref().is_some_and(|observer| observer.is_unread());
    let end = loop {
        while let Some(frame) = attached.look() {
            observer.iter().for_each(|observer| observer.take(&frame));
        }
        match attached.end(FRAME_WITHIN) {
            _ if is_unread() => return Ok(Answer::Yes),
            Some(end) => break end,
            None => {}
        }
    };
    let report = attached.last.get().and_then(|last| last.report.clone());
    match (id, report) {
        (_, None) => return Err(running(format!("{name} has ended without a summary, or the connection was cut off"))),
        (_, Some(report)) if options.is_json() => print_object(&report)?,
        (Some(id), Some(_)) => print_again(RunsFolder::there()?.as_ref(), id)?,
        (None, Some(_)) => say(format_args!("{name} is over"))?,
    }
    // Which signal is not told; destrier runs --stop sends this one.
    let is_signal = matches!(end, End::Run(SearchEnd { stopped: Some(StopReason::Signal), .. }));
    Ok(Answer::Yes.or_signal(is_signal.then_some(Signal::TERM.as_raw())))
}

/// Shows the run behind this socket, which may have a number; `read_only` changes nothing of it.
///
/// # Errors
/// [`Failure`] when it cannot be reached, or when the terminal failed.
#[cfg(feature = "tui")]
fn show(id: Option<u32>, socket: &Path, read_only: bool) -> Result<Answer, Failure> {
    let (name, mut attached) = attached_to(id, socket)?;
    attached.read_only = read_only;
    let (subject, last) = (attached.subject.clone(), attached.last.clone());
    let answer = look_on(&subject, Box::new(attached))?;
    say(after_view(id, &name, last.get().is_some()))?;
    Ok(answer)
}

/// What is to be said of a run that was left, which may be over.
#[cfg(feature = "tui")]
fn after_view(id: Option<u32>, name: &str, over: bool) -> String {
    let known =
        id.and_then(|id| RunsFolder::there().ok().flatten().and_then(|folder| Some((folder.entry(id)?, folder))));
    let Some((mut entry, folder)) = known else {
        return if over { format!("{name} is over") } else { format!("{name} was left, and may go on") };
    };
    let (id, status) = (entry.id, entry.status(&folder));
    match (status.name(), entry.resume(&status)) {
        ("running", _) => format!("{name} goes on; to see it again: destrier attach {id}"),
        (state @ ("paused" | "slowed"), _) => format!("{name} is {state}; to see it again: destrier attach {id}"),
        ("stopped" | "died", Some(resume)) => format!("{name} has {}; to go on: {resume}", status.past()),
        _ => format!("{name} has {}; what it has printed: destrier runs {id}", status.past()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::WIDTH;

    #[test]
    fn a_row_is_broken_between_words_and_says_what_was_found() {
        let question = "search 6x7 closed by radley, hire, 16 threads, prune any-isolated, from a6, unique".to_owned();
        let report = serde_json::json!({ "tours": 1, "convention": "classes", "complete": true });
        let (pid, began_s) = (123_456, now_s() - 700);
        let entry =
            RunEntry { id: 12, pid, question: question.clone(), began_s, checkpoint: None, report: Some(report) };
        let folder = tempfile::tempdir().unwrap();
        let text = row(&RunsFolder::of_test(folder.path()), 12, Ok(entry)).to_string();
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
