//! A run told in lines, one a second or as often as is asked: for scripts, and for those who look later or listen. There is no
//! control sequence in them, and no terminal is needed.

use super::progress;
use super::say::{print_object, put};
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, Verdict, WorkerMarks};
use crate::run::journal::Subject;
use crate::run::{Body, Frame, RunObserver};
use crate::schedule::{Rate, Snapshot};
use crate::words::parse_time;
use clap::{Args, ValueEnum};
use serde_json::json;
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

impl LinesObserver {
    /// Whether a line could not be printed, because stdout is gone.
    pub fn is_unread(&self) -> bool {
        self.told.locked().is_unread
    }

    fn print(&self, body: &Body, told: &ToldLines) -> Result<(), super::Failure> {
        match body {
            Body::Tree(tree) => self.print_search(&tree.snapshot, told),
            Body::Count(seen) if self.form == LinesForm::Json => print_object(seen),
            Body::Count(seen) => put(format_args!("{}\n", progress::count(seen))),
            Body::Map(_) | Body::Cycles(_) => Ok(()),
        }
    }

    fn print_search(&self, seen: &Snapshot, told: &ToldLines) -> Result<(), super::Failure> {
        let uses = told.balance.since(&told.marks);
        let stands = uses.first().is_some_and(|all| all.nodes_per_s == 0.0 && all.time.is_some());
        let sentence = match told.balance.verdicts().first() {
            _ if seen.paused => "The run is paused.".to_owned(),
            _ if stands => "No worker has entered a node since the line before.".to_owned(),
            verdict => verdict.map_or(String::new(), Verdict::told),
        };
        if self.form == LinesForm::Text {
            let totals = if self.finds { progress::race(seen) } else { progress::search(seen) };
            let uses: String = uses.iter().map(|used| format!("; {}", used.told())).collect();
            return put(format_args!("{totals}{uses}; {sentence}\n"));
        }
        let rate = Rate::mean(seen.nodes(), seen.tours(), seen.elapsed);
        print_object(&json!({
            "at_s": seen.elapsed.as_secs_f64(),
            "nodes": seen.nodes(),
            "tours": seen.tours(),
            // The share of the tree that was searched, and the seconds that are left at least and at most, if there is an estimate.
            "done": seen.progress().map(|progress| progress.done()),
            "left_s": seen.left(rate).filter(|_| !seen.is_held()),
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
