//! A run told in lines, one a second or as often as is asked: for scripts, and for those who look later or listen. There is no
//! control sequence in them, and no terminal is needed. Of a run without a terminal a line a minute is kept: its history.

use super::fault::io_failure;
use super::progress;
use super::say::{print_object, put, say};
use crate::bounded;
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, RecentUse, Verdict, WorkerMarks};
use crate::run::journal::Subject;
use crate::run::{Body, Frame, RunObserver};
use crate::schedule::{Forecast, Snapshot};
use crate::words::{self, parse_time};
use clap::{Args, ValueEnum};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// Time from one line to the next, if it is not asked for.
const EVERY: Duration = Duration::from_secs(1);
/// Time from one line of a history to the next, and the bytes of one at most.
const KEPT_EVERY: Duration = Duration::from_secs(60);
const KEPT_MAX: u64 = 1 << 20;
/// Letters of a time of day up to its minute: `2026-11-28T03:12`.
const MINUTE: usize = 16;

/// Whether a run is told in lines.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Lines")]
pub struct LinesOptions {
    /// Print a line a second in place of a screen, without a terminal
    ///
    /// A line has the totals, what the workers and those of each group of CPUs have done since the line before, and the verdict so
    /// far. The summary of the run is printed at the end.
    #[arg(long, value_enum, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub lines: Option<LinesForm>,
    /// Print a line as often as this: 500ms, 10s, 1m
    #[arg(long, value_name = "TIME", requires = "lines", value_parser = parse_time)]
    lines_every: Option<Duration>,
}

/// The form of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LinesForm {
    /// Words
    Text,
    /// An object; the summary is one, too
    Json,
}

impl LinesOptions {
    /// Whether each line is an object.
    pub fn is_json(&self) -> bool {
        self.lines == Some(LinesForm::Json)
    }

    /// What prints the lines of a run of this subject, if they are wanted.
    pub fn observer(&self, subject: &Subject) -> Option<Arc<LinesObserver>> {
        let (form, every) = (self.lines?, self.lines_every.unwrap_or(EVERY));
        Some(LinesObserver::new(subject, form, every, None))
    }
}

/// Prints lines of the frames that it sees.
pub struct LinesObserver {
    form: LinesForm,
    every: Duration,
    /// Whether the run is a race for tours.
    finds: bool,
    /// The file that the lines are kept in, if they are not printed.
    history: Option<PathBuf>,
    last: Mutex<LinesSeen>,
}

/// What was seen until the last line, and when the next one is due.
struct LinesSeen {
    balance: Balance,
    marks: WorkerMarks,
    due: Instant,
    /// Whether stdout is gone, or the history cannot be written.
    is_unread: bool,
}

impl LinesObserver {
    fn new(subject: &Subject, form: LinesForm, every: Duration, history: Option<PathBuf>) -> Arc<LinesObserver> {
        let (balance, finds) = match subject {
            Subject::Run(plan) => (Balance::of(plan.scheduler), plan.question.finds()),
            _ => (Balance::default(), false),
        };
        // The first line of a history is due after a second, when workers have done something.
        let due = Instant::now() + if history.is_some() { EVERY } else { every };
        let last = LinesSeen { balance, marks: WorkerMarks::default(), due, is_unread: false };
        Arc::new(LinesObserver { form, every, finds, history, last: Mutex::new(last) })
    }

    /// What keeps a line a minute of a run of this subject in a file.
    pub fn of_history(subject: &Subject, file: PathBuf) -> Arc<LinesObserver> {
        LinesObserver::new(subject, LinesForm::Text, KEPT_EVERY, Some(file))
    }

    /// Whether a line could not be printed, because stdout is gone.
    pub fn is_unread(&self) -> bool {
        self.last.locked().is_unread
    }

    fn print(&self, body: &Body, last: &LinesSeen) -> Result<(), super::Failure> {
        match body {
            Body::Tree(tree) => self.print_search(&tree.snapshot, last),
            Body::Count(seen) if self.form == LinesForm::Json => print_object(seen),
            Body::Count(seen) => self.tell(&progress::count(seen)),
            Body::Map(_) | Body::Cycles(_) => Ok(()),
        }
    }

    /// Prints a line, or keeps it with the time of day (UTC).
    fn tell(&self, line: &str) -> Result<(), super::Failure> {
        let Some(file) = &self.history else { return put(format_args!("{line}\n")) };
        let now = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        let minute = now[..MINUTE].replace('T', " ");
        keep(file, &format!("{minute}  {line}\n")).map_err(io_failure(file.display()))
    }

    fn print_search(&self, seen: &Snapshot, last: &LinesSeen) -> Result<(), super::Failure> {
        let uses = last.balance.since(&last.marks);
        if self.history.is_some() {
            // Short, so that a week has room.
            let done = seen.progress().map(|progress| words::progress(progress.done()) + " done");
            let used = uses.first().map(|all| all.line());
            let held = seen.is_held().then(|| "held by a viewer".to_owned());
            let verdict = last.balance.verdicts().first().map(|verdict| verdict.name.words().to_owned());
            return self.tell(&[done, used, held, verdict].into_iter().flatten().collect::<Vec<_>>().join("; "));
        }
        let stands = uses.first().is_some_and(|all| all.nodes_per_s == 0.0 && all.time.is_some());
        let sentence = match last.balance.verdicts().first() {
            _ if seen.paused => "The run is paused.".to_owned(),
            _ if stands => "No worker has entered a node since the line before.".to_owned(),
            verdict => verdict.map_or(String::new(), Verdict::line),
        };
        if self.form == LinesForm::Text {
            let totals = if self.finds { progress::race(seen) } else { progress::search(seen) };
            let uses: Vec<String> = uses.iter().map(RecentUse::line).collect();
            let since = match seen.earlier {
                _ if seen.paused || stands || sentence.is_empty() => String::new(),
                Some(earlier) => format!("since {}, ", words::clock(earlier.elapsed)),
                None => "since the beginning, ".to_owned(),
            };
            let recent = if last.marks.is_first() { "so far" } else { "since the last line" };
            return self.tell(&format!("{totals}; {recent}, {}; {since}{sentence}", uses.join("; ")));
        }
        let (rate, whole) = (seen.mean_rate(), Forecast::default());
        print_object(&json!({
            "at_s": seen.ran().as_secs_f64(),
            "nodes": seen.nodes(),
            "tours": seen.tours(),
            // The share of the tree that was searched, and the seconds that the rest takes at least and at most, if there
            // is an estimate; a deadline and a limit are not the tree's.
            "done": seen.progress().map(|progress| progress.done()),
            "left_s": seen.progress().and_then(|all| all.left(&whole, seen.elapsed, rate)).filter(|_| !seen.is_held()),
            "hires": seen.hires(),
            "paused": seen.paused,
            "recent": uses.first(),
            "groups": uses.get(1..),
            "sentence": sentence,
        }))
    }
}

impl RunObserver for LinesObserver {
    fn take(&self, frame: &Frame) {
        let mut last = self.last.locked();
        last.balance.take(frame);
        let now = Instant::now();
        if now < last.due || last.is_unread {
            return;
        }
        let printed = self.print(&frame.body, &last);
        last.is_unread = printed.is_err();
        if let (Err(failure), true) = (printed, self.history.is_some()) {
            // The run goes on without it.
            let _ = say(format_args!("no more of this run is kept in its history: {failure}"));
        }
        last.marks = last.balance.marks();
        last.due = now.max(last.due + self.every);
    }
}

/// Appends a line to a history. One that has grown too long loses every second line, so that it reaches back as far.
fn keep(file: &Path, line: &str) -> io::Result<()> {
    let mut kept = OpenOptions::new().append(true).create(true).mode(0o600).open(file)?;
    if kept.metadata()?.len() + line.len() as u64 > KEPT_MAX {
        let text = String::from_utf8_lossy(&bounded::contents(file, 2 * KEPT_MAX)?).into_owned();
        let mut half = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(Path::new("/")))?;
        text.split_inclusive('\n').step_by(2).try_for_each(|line| half.write_all(line.as_bytes()))?;
        kept = half.persist(file)?;
    }
    kept.write_all(line.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending};
    use crate::count::CountQuestion;
    use crate::run::journal::CountSubject;
    use std::fs;

    /// A line of a history begins with the time of day; without a place for it there is an error, and no panic.
    #[test]
    fn lines_of_a_history_have_the_time_of_day() {
        let folder = tempfile::tempdir().unwrap();
        let board: Board = "6x6".parse().unwrap();
        let question = CountQuestion::new(board, Ending::Closed);
        let subject = Subject::Count(CountSubject { question, threads: 1 });
        let file = folder.path().join("1.history");
        let observer = LinesObserver::new(&subject, LinesForm::Text, Duration::ZERO, Some(file.clone()));
        observer.tell("0:01  a line").unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let (time, line) = text.split_once("  ").unwrap();
        let whole = time.replace(' ', "T") + ":00Z";
        assert!(humantime::parse_rfc3339(&whole).is_ok() && line == "0:01  a line\n", "{text}");
        let observer = LinesObserver::new(&subject, LinesForm::Text, Duration::ZERO, Some(file.join("none")));
        assert!(observer.tell("0:01  a line").is_err());
    }

    #[test]
    fn a_history_reaches_back_to_its_beginning_in_bounded_room() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1.history");
        const WEEK: u32 = 7 * 24 * 60;
        (0..WEEK).for_each(|minute| keep(&file, &format!("{minute} {}\n", "x".repeat(96))).unwrap());
        assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), WEEK as usize, "a week has room");
        (WEEK..4 * WEEK).for_each(|minute| keep(&file, &format!("{minute} {}\n", "x".repeat(96))).unwrap());
        let text = fs::read_to_string(&file).unwrap();
        assert!((KEPT_MAX / 3..=KEPT_MAX).contains(&(text.len() as u64)), "{}", text.len());
        let minutes: Vec<u32> = text.lines().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
        assert_eq!((minutes[0], minutes[minutes.len() - 1]), (0, 4 * WEEK - 1));
        assert!(minutes.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= 64), "no gap is long");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
