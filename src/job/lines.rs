//! A run told in lines, one a second or as often as is asked: for scripts, and for those who look later or listen. There is no
//! control sequence in them, and no terminal is needed.

use super::progress;
use super::say::{print_object, put};
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, RecentUse, WorkerMarks};
use crate::run::journal::Subject;
use crate::run::{Body, Frame, RunObserver};
use crate::schedule::{Rate, Snapshot};
use crate::words::parse_time;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Time from one line to the next, if it is not asked for.
const EVERY: Duration = Duration::from_secs(1);

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
        let (balance, finds) = match subject {
            Subject::Run(plan) => (Balance::of(plan.scheduler), plan.question.finds()),
            _ => (Balance::default(), false),
        };
        let told = ToldLines { balance, marks: WorkerMarks::default(), due: Instant::now() + every, is_unread: false };
        Some(Arc::new(LinesObserver { form, every, finds, told: Mutex::new(told) }))
    }
}

/// Prints lines of the frames that it sees.
pub struct LinesObserver {
    form: LinesForm,
    every: Duration,
    /// Whether the run is a race for tours.
    finds: bool,
    told: Mutex<ToldLines>,
}

/// What was seen until the last line, and when the next one is due.
struct ToldLines {
    balance: Balance,
    marks: WorkerMarks,
    due: Instant,
    /// Whether stdout is gone.
    is_unread: bool,
}

/// A line about a search.
#[derive(Serialize)]
struct SearchLine {
    at_s: f64,
    nodes: u64,
    tours: u64,
    /// The share of the tree that was searched, if there is an estimate.
    done: Option<f64>,
    /// Seconds that are left, at least and at most.
    left_s: Option<(f64, f64)>,
    hires: u64,
    paused: bool,
    /// What all workers did since the line before.
    recent: Option<RecentUse>,
    /// What those of each group did.
    groups: Vec<RecentUse>,
    sentence: String,
}

impl LinesObserver {
    /// Whether a line could not be printed, because stdout is gone.
    pub fn is_unread(&self) -> bool {
        self.told.locked().is_unread
    }

    fn print(&self, body: &Body, told: &ToldLines) -> Result<(), super::Failure> {
        match body {
            Body::Tree(tree) => {
                let line = told.line(&tree.snapshot);
                let totals = if self.finds { progress::race } else { progress::search };
                match self.form {
                    LinesForm::Json => print_object(&line),
                    LinesForm::Text => {
                        let recent = line.recent.iter().chain(&line.groups).map(|used| format!("; {}", used.told()));
                        let (recent, sentence) = (recent.collect::<String>(), line.sentence);
                        put(format_args!("{}{recent}; {sentence}\n", totals(&tree.snapshot)))
                    }
                }
            }
            Body::Count(seen) if self.form == LinesForm::Json => print_object(seen),
            Body::Count(seen) => put(format_args!("{}\n", progress::count(seen))),
            Body::Map(_) | Body::Cycles(_) => Ok(()),
        }
    }
}

impl ToldLines {
    fn line(&self, seen: &Snapshot) -> SearchLine {
        let mut uses = self.balance.since(&self.marks).into_iter();
        let recent = uses.next();
        let rate = Rate::mean(seen.nodes(), seen.tours(), seen.elapsed);
        let stands = recent.as_ref().is_some_and(|all| all.nodes_per_s == 0.0 && all.time.is_some());
        let verdict = || self.balance.verdicts().first().map_or(String::new(), |verdict| verdict.told());
        SearchLine {
            at_s: seen.elapsed.as_secs_f64(),
            nodes: seen.nodes(),
            tours: seen.tours(),
            done: seen.progress().map(|progress| progress.done()),
            left_s: seen.left(rate).filter(|_| !seen.is_held()),
            hires: seen.hires(),
            paused: seen.paused,
            recent,
            groups: uses.collect(),
            sentence: match (seen.paused, stands) {
                (true, _) => "The run is paused.".to_owned(),
                (false, true) => "No worker has entered a node since the line before.".to_owned(),
                (false, false) => verdict(),
            },
        }
    }
}

impl RunObserver for LinesObserver {
    fn take(&self, frame: &Frame) {
        let mut told = self.told.locked();
        told.balance.take(frame);
        let now = Instant::now();
        if now < told.due || told.is_unread {
            return;
        }
        told.is_unread = self.print(&frame.body, &told).is_err();
        told.marks = told.balance.marks();
        told.due = now.max(told.due + self.every);
    }
}
