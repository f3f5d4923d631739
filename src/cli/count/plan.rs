//! What a count would take, before anything is counted: as text, and as one JSON object.

use super::run::failed;
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, MeasuredPace, Modulus, RowPlan, Settings};
use crate::job::say::{print, print_object};
use crate::job::{Failure, exit_code, progress, with_signals};
use crate::words::{bytes, grouped, number_of, span, threads};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};

/// What `count --plan` prints.
#[derive(Serialize)]
pub struct PlanReport {
    /// A board, or a range of boards.
    board: String,
    ending: &'static str,
    convention: &'static str,
    threads: usize,
    /// States stored in one pass, over all squares of all sweeps.
    states: u64,
    peak_states: u64,
    memory: PlanMemory,
    /// How long the plan took, which a count makes too before it counts.
    planned_s: f64,
    /// Of the first pass; none where that could not be tried.
    estimated_s: Option<f64>,
    /// What each pass will be modulo, about: `none` alone if one in plain integers is enough; null where that is unknown.
    passes: Option<Vec<String>>,
    /// Of the plan and all passes.
    total_s: Option<f64>,
    memory_limit: u64,
    /// Bytes that disks have to take, at most: counts in files, and a checkpoint with the one before and the next.
    disk_bytes: u64,
    fits: bool,
    #[serde(skip)]
    is_of_range: bool,
    /// Why it does not fit, and what would.
    refusal: Option<String>,
    sweeps: Vec<Sweep>,
}

/// Bytes that the run takes, by the width of its widest large layers.
#[derive(Serialize)]
struct PlanMemory {
    bits_16: u64,
    bits_32: u64,
    bits_64: u64,
    /// If the counts live in files.
    spilled: u64,
}

#[derive(Serialize)]
struct Sweep {
    name: &'static str,
    rows: Vec<PlanRow>,
}

#[derive(Serialize)]
struct PlanRow {
    /// From 1.
    row: u32,
    /// Summed over the squares of the row.
    states: u64,
    /// Most after one square.
    peak: u64,
    patterns: u64,
}

/// Plans a count, and prints what it would take. Returns the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be planned.
pub fn run(question: &CountQuestion, settings: &Settings, json: bool) -> Result<u8, Failure> {
    let watch = CountWatch::new(settings.threads);
    let body = || PlanReport::new(&CountPlan::new(question, settings.planning_memory(), &watch)?, settings, &watch);
    let name = question.name();
    let (planned, signal) = with_signals(|| watch.stop(), || progress::count(&watch.snapshot()), body)?;
    let end = match planned {
        Ok(report) => Ok(print(&report, json, false)?),
        Err(CountError::Stopped) => Ok(match json {
            true => print_object(&serde_json::json!({ "board": name, "complete": false, "stopped": "signal" })),
            false => writeln!(io::stdout(), "{name}: NOT planned: stopped by signal"),
        }?),
        Err(error) => Err(failed(question, settings, &error, json)),
    };
    exit_code(end, signal)
}

impl PlanReport {
    /// The report of a plan, and of what `settings` mean for it.
    ///
    /// # Errors
    /// [`CountError`] when the plan cannot be run for another reason than that it does not fit.
    pub fn new(plan: &CountPlan, settings: &Settings, watch: &CountWatch) -> Result<PlanReport, CountError> {
        let planned_s = watch.elapsed().as_secs_f64();
        let refusal = match plan.check(settings, watch) {
            Ok(()) => None,
            Err(refused @ CountError::Shortage(_)) => Some(refused.to_string()),
            Err(error) => return Err(error),
        };
        let row =
            |row: &RowPlan| PlanRow { row: row.row + 1, states: row.states, peak: row.peak, patterns: row.patterns };
        let sweeps = plan.sweeps().iter();
        let sweeps = sweeps.map(|sweep| Sweep { name: sweep.name, rows: sweep.rows.iter().map(row).collect() });
        let question = plan.question();
        let passes = plan.expected_moduli(settings, watch)?;
        let pace = MeasuredPace::measure(settings, watch)?;
        let seconds = |modulus: &Modulus| Some(plan.pass_seconds(pace.as_ref()?, *modulus, settings, watch));
        let estimated_s = seconds(passes.as_ref().and_then(|all| all.first()).unwrap_or(&Modulus::None));
        let all: Option<f64> = passes.as_ref().and_then(|all| all.iter().map(seconds).sum());
        Ok(PlanReport {
            board: plan.name(),
            ending: question.ending.name(),
            convention: question.convention().name(),
            threads: settings.threads,
            states: plan.states(),
            peak_states: plan.peak_states(),
            memory: PlanMemory {
                bits_16: plan.memory(16),
                bits_32: plan.memory(32),
                bits_64: plan.memory(64),
                spilled: plan.memory_spilling(),
            },
            planned_s,
            estimated_s,
            total_s: all.map(|seconds| planned_s + seconds),
            passes: passes.map(|moduli| moduli.iter().map(Modulus::to_string).collect()),
            memory_limit: settings.memory,
            disk_bytes: plan.disk_bytes(settings),
            fits: refusal.is_none(),
            is_of_range: question.range.is_some(),
            refusal,
            sweeps: sweeps.collect(),
        })
    }
}

impl fmt::Display for PlanReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sweeps = number_of(self.sweeps.len(), "sweep");
        writeln!(f, "{} {} tours, {}: {sweeps}", self.board, self.ending, self.convention)?;
        writeln!(f, "states   {} in all, {} at once", grouped(self.states), grouped(self.peak_states))?;
        let PlanMemory { bits_16, bits_32, bits_64, spilled } = self.memory;
        let [narrow, middle, wide] = [bits_16, bits_32, bits_64].map(bytes);
        writeln!(f, "memory   {narrow} with counters of 16 bits, {middle} of 32, {wide} of 64")?;
        if !self.is_of_range {
            writeln!(f, "spilled  {} of memory, if the counts live in files (--spill)", bytes(spilled))?;
        }
        if self.disk_bytes > 0 {
            writeln!(f, "disk     up to {}", bytes(self.disk_bytes))?;
        }
        if let Some(seconds) = self.estimated_s {
            let (pass, plan) = (about(seconds), about(self.planned_s));
            let which = if self.passes.as_ref().is_some_and(|passes| passes.len() > 1) { "for the first" } else { "a" };
            let threads = threads(self.threads);
            writeln!(f, "time     about {pass} {which} pass, {threads}, after {plan} of planning")?;
        }
        match (self.passes.as_deref(), self.total_s) {
            (Some([only]), _) if only == Modulus::None.to_string().as_str() => {
                writeln!(f, "passes   1, in plain integers")?;
            }
            (Some(moduli), total) => {
                let total = total.map_or(String::new(), |seconds| format!(", {} in all", about(seconds)));
                writeln!(f, "passes   about {}{total}: modulo {}", moduli.len(), shortened(moduli))?;
            }
            (None, _) => writeln!(f, "passes   one, or as many as the number needs, whose size is not known")?,
        }
        let limit = bytes(self.memory_limit);
        match &self.refusal {
            None => write!(f, "fits     in {limit}")?,
            Some(refusal) => write!(f, "fits     NOT in {limit}: {refusal}")?,
        }
        for sweep in &self.sweeps {
            write!(f, "\n\n{}\nrow {:>19} {:>19} {:>15}", sweep.name, "states", "at once", "patterns")?;
            for row in &sweep.rows {
                let [states, peak, patterns] = [row.states, row.peak, row.patterns].map(grouped);
                write!(f, "\n{:>3} {states:>19} {peak:>19} {patterns:>15}", row.row)?;
            }
        }
        Ok(())
    }
}

/// The first of a list, and its last.
fn shortened(moduli: &[String]) -> String {
    match moduli {
        [first, second, .., last] if moduli.len() > 4 => format!("{first}, {second}, .., {last}"),
        _ => moduli.join(", "),
    }
}

/// A time that may be short: `0.42 ms`, `0.50 s`, then as [`span`].
pub fn about(seconds: f64) -> String {
    match seconds {
        s if s < 0.01 => format!("{:.2} ms", 1000.0 * s),
        s if s < 10.0 => format!("{s:.2} s"),
        s => span(s),
    }
}
