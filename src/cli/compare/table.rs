//! What `compare` prints: the figures of the runs below one another, or their reports.

use crate::cli::sheet::{WIDTH, sparkline, sparkline_ticks};
use crate::job::say::{print_object, safe};
use crate::job::{Failure, running};
use crate::run::Rival;
use crate::run::balance::{SHARE_MIN, SHORT_S, Verdict};
use crate::words::{self, grouped, number_of, percent, rate, wrapped};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Write};

/// Times that differ by less than this factor are the same.
const SAME: f64 = 1.05;
/// Where the names of the runs begin, in columns.
const INDENT: usize = 7;

/// One run of a comparison.
pub struct ComparedReport {
    /// Its report; `None` if it was cut off, or not seen to its end.
    pub report: Option<Value>,
    /// Its figures over time.
    pub rival: Rival,
}

/// Prints the table or the object.
pub fn report(asked: &str, names: &[String], runs: Vec<ComparedReport>, json: bool) -> Result<(), Failure> {
    let differ = differing(&runs);
    if json {
        let runs: Vec<Value> = runs.into_iter().filter_map(|run| run.report).collect();
        print_object(&json!({ "runs": runs }))?;
    } else {
        write!(io::stdout(), "{}", ComparisonTable { asked, names, runs: &runs })?;
    }
    match differ {
        true => Err(running("the runs are complete and found different numbers of tours: one of them is wrong")),
        false => Ok(()),
    }
}

/// What all are asked, the runs with their names, and below them their figures, no wider than a sheet.
struct ComparisonTable<'a> {
    asked: &'a str,
    names: &'a [String],
    runs: &'a [ComparedReport],
}

impl fmt::Display for ComparisonTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", wrapped(self.asked, WIDTH).join("\n"))?;
        for (number, (name, run)) in (1..).zip(self.names.iter().zip(self.runs)) {
            let stopped = match &run.report {
                None => ": no report: cut off, or not seen to its end",
                Some(run) if run["complete"] == true => "",
                Some(_) => ": stopped before its end",
            };
            let lines = wrapped(&format!("{}{stopped}", safe(name)), WIDTH - INDENT);
            writeln!(f, "run {number}  {}", lines.join(&format!("\n{:INDENT$}", "")))?;
        }
        let heads = ["run", "tours", "nodes", "seconds", "nodes/s", "hires", "waits"];
        let [run, tours, nodes, seconds, speed, hires, waits] = heads;
        writeln!(f, "\n{run}  {tours:>14} {nodes:>17} {seconds:>10} {speed:>8} {hires:>8} {waits:>6}")?;
        for (number, run) in (1..).zip(self.runs) {
            match &run.report {
                Some(run) => writeln!(f, "{number:>3}  {}", row(run))?,
                None => writeln!(f, "{number:>3}  {:>14}", "-")?,
            }
        }
        self.write_speed(f)?;
        self.write_verdicts(f)?;
        self.write_depths(f, "pruned", |rival| rival.depths.pruned(rival.last.nodes()))?;
        self.write_depths(f, "nodes", |rival| rival.depths.nodes(rival.last.nodes()))?;
        match self.conclusion() {
            Some(conclusion) => writeln!(f, "\n{}", wrapped(&conclusion, WIDTH).join("\n")),
            None => Ok(()),
        }
    }
}

impl ComparisonTable<'_> {
    /// Writes the nodes a second of CPU time; beside those of a run by one thread, if it searched the same tree. What is less
    /// was lost by sharing the machine, not by waiting.
    fn write_speed(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speeds: Vec<Option<f64>> =
            self.runs.iter().map(|run| run.rival.balance.figures().nodes_per_cpu_s).collect();
        if speeds.iter().all(Option::is_none) {
            return Ok(());
        }
        writeln!(f, "\nnodes a second of CPU time")?;
        for ((number, run), speed) in (1..).zip(self.runs).zip(&speeds) {
            // Runs of one tree enter the same nodes.
            let is_alone = |other: &&ComparedReport| {
                other.rival.last.workers.len() == 1 && other.rival.last.nodes() == run.rival.last.nodes()
            };
            let alone = self.runs.iter().position(|other| is_alone(&other)).filter(|place| place + 1 != number);
            let beside =
                alone.and_then(|place| Some((place, speed.as_ref()? / speeds[place].filter(|&one| one > 0.0)?)));
            let beside = beside.map_or(String::new(), |(place, share)| {
                format!("  {} of that of run {}, by one thread", percent(share), place + 1)
            });
            writeln!(f, "{number:>3}  {:>14}{beside}", speed.map_or("-".to_owned(), rate))?;
        }
        Ok(())
    }

    /// Writes why the workers of each run did not search.
    fn write_verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.runs.iter().map(|run| run.rival.balance.verdicts());
        let told = (1..).zip(all).filter(|(_, verdicts)| !verdicts.is_empty());
        for (place, (number, verdicts)) in told.enumerate() {
            if place == 0 {
                writeln!(f, "\nwhy workers did not search")?;
            }
            let mut label = number.to_string();
            for verdict in &verdicts {
                let lines = wrapped(&verdict.told(), WIDTH - INDENT);
                writeln!(f, "{label:>3}  {}", lines.join(&format!("\n{:INDENT$}", "")))?;
                label.clear();
            }
        }
        Ok(())
    }

    /// Writes figures by depth of each run as bars of one scale, with its total.
    fn write_depths(&self, f: &mut fmt::Formatter<'_>, what: &str, of: fn(&Rival) -> Vec<f64>) -> fmt::Result {
        let mut all: Vec<Vec<f64>> = self.runs.iter().map(|run| of(&run.rival)).collect();
        let deepest = all.iter().map(Vec::len).max().unwrap_or(0);
        let most = all.iter().flatten().copied().fold(0.0, f64::max);
        all.iter_mut().filter(|by_depth| !by_depth.is_empty()).for_each(|by_depth| by_depth.resize(deepest, 0.0));
        if most <= 0.0 {
            return Ok(());
        }
        let is_sample = self.runs.iter().any(|run| !run.rival.depths.are_exact());
        let sample = if is_sample { ", estimated from a sample" } else { "" };
        writeln!(f, "\n{what} by depth, 0 to {}, up to {}{sample}", deepest - 1, words::count(most as u64))?;
        for ((number, run), by_depth) in (1..).zip(self.runs).zip(&all) {
            let total = run.report.as_ref().and_then(|run| run[what].as_u64()).filter(|&total| total > 0);
            // Some solvers count dead ends by depth alone.
            let about = || words::count(by_depth.iter().sum::<f64>() as u64);
            let total = total.map_or_else(about, grouped);
            let bars = if by_depth.is_empty() { "too few were counted".to_owned() } else { sparkline(by_depth, most) };
            writeln!(f, "{number:>3}  {total:>17}  {}", bars.trim_end())?;
        }
        writeln!(f, "{:24}{}", "", sparkline_ticks(deepest))
    }

    /// The slowest run beside the fastest in a sentence, and what it did more; `None` where one was not seen to its end.
    fn conclusion(&self) -> Option<String> {
        let reports = self.runs.iter().map(|run| run.report.as_ref().filter(|run| run["complete"] == true));
        let reports: Vec<&Value> = reports.collect::<Option<_>>()?;
        let figure = |place: usize, name: &str| reports[place][name].as_f64().unwrap_or(0.0);
        let by_time = |a: &usize, b: &usize| figure(*a, "elapsed_s").total_cmp(&figure(*b, "elapsed_s"));
        let (fast, slow) = ((0..reports.len()).min_by(by_time)?, (0..reports.len()).max_by(by_time)?);
        let took = [fast, slow].map(|place| figure(place, "elapsed_s"));
        if took[1] < SHORT_S {
            return Some("The runs were too short to say which is faster.".to_owned());
        }
        let longer = took[1] / took[0].max(1e-9);
        if longer < SAME {
            return Some("The runs took the same time, within 5 %.".to_owned());
        }
        let nodes = figure(slow, "nodes") / figure(fast, "nodes").max(1.0);
        let why = if nodes >= SAME {
            format!("It entered {} times as many nodes.", times(nodes))
        } else if nodes <= SAME.recip() {
            format!(
                "It entered {} times as many nodes, but each took {} times as long.",
                times(nodes),
                times(longer / nodes)
            )
        } else {
            let workers = [slow, fast].map(|place| self.runs[place].rival.last.workers.len());
            match workers[0] < workers[1] {
                true => format!("It had {}, run {} had {}.", number_of(workers[0], "worker"), fast + 1, workers[1]),
                false => self.greater_loss(fast, slow).unwrap_or_default(),
            }
        };
        let conclusion = format!("Run {} took {} times as long as run {}. {why}", slow + 1, times(longer), fast + 1);
        Some(conclusion.trim_end().to_owned())
    }

    /// What of the time of the workers the one run lost beyond the other one.
    fn greater_loss(&self, fast: usize, slow: usize) -> Option<String> {
        let [of_fast, of_slow] = [fast, slow].map(|place| self.runs[place].rival.balance.verdicts());
        let beyond = |verdict: &Verdict| {
            let other = of_fast.iter().find(|other| other.name == verdict.name);
            verdict.share - other.map_or(0.0, |other| other.share)
        };
        let greatest = of_slow.iter().max_by(|a, b| beyond(a).total_cmp(&beyond(b)))?;
        (beyond(greatest) >= SHARE_MIN).then(|| greatest.sentence.clone())
    }
}

/// A ratio with two digits that count.
fn times(ratio: f64) -> String {
    match ratio {
        0.0..1.0 => format!("{ratio:.2}"),
        1.0..10.0 => format!("{ratio:.1}"),
        _ => words::count(ratio.round() as u64),
    }
}

/// Whether two complete runs found different numbers of tours.
fn differing(runs: &[ComparedReport]) -> bool {
    let mut complete = runs
        .iter()
        .filter_map(|run| run.report.as_ref())
        .filter(|run| run["complete"] == true)
        .map(|run| &run["tours"]);
    complete.next().is_some_and(|first| complete.any(|tours| tours != first))
}

fn row(run: &Value) -> String {
    let whole = |name: &str| grouped(run[name].as_u64().unwrap_or(0));
    let seconds = run["elapsed_s"].as_f64().unwrap_or(0.0);
    let nodes_per_s = run["nodes"].as_f64().unwrap_or(0.0) / seconds.max(1e-9);
    let waits = 100.0 * run["balance"]["idle"].as_f64().unwrap_or(0.0);
    let (tours, nodes, hires, speed) = (whole("tours"), whole("nodes"), whole("hires"), rate(nodes_per_s));
    format!("{tours:>14} {nodes:>17} {seconds:>10.3} {speed:>8} {hires:>8} {waits:>4.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Scheduler;
    use serde_json::json;

    fn compared(report: Option<Value>) -> ComparedReport {
        ComparedReport { report, rival: Rival::new("", Scheduler::Hire) }
    }

    #[test]
    fn only_complete_runs_must_agree() {
        let run = |tours: u64, complete: bool| compared(Some(json!({"tours": tours, "complete": complete})));
        assert!(!differing(&[run(10, true), run(10, true), run(3, false)]));
        assert!(differing(&[run(10, true), run(3, false), run(11, true)]));
        assert!(!differing(&[compared(None)]));
    }

    #[test]
    fn the_slowest_run_is_told_beside_the_fastest() {
        let told = |runs: &[[f64; 2]]| {
            let report = |&[s, nodes]: &[f64; 2]| json!({"elapsed_s": s, "nodes": nodes, "complete": true});
            let runs: Vec<ComparedReport> = runs.iter().map(|run| compared(Some(report(run)))).collect();
            ComparisonTable { asked: "", names: &[], runs: &runs }.conclusion().unwrap()
        };
        assert_eq!(told(&[[2.0, 100.0], [2.05, 100.0]]), "The runs took the same time, within 5 %.");
        assert_eq!(told(&[[0.01, 100.0], [0.05, 100.0]]), "The runs were too short to say which is faster.");
        assert_eq!(told(&[[1.0, 100.0], [1.8, 100.0]]), "Run 2 took 1.8 times as long as run 1.");
        let nodes = told(&[[3.0, 100.0], [36.0, 700.0], [4.0, 300.0]]);
        assert_eq!(nodes, "Run 2 took 12 times as long as run 1. It entered 7.0 times as many nodes.");
        let fewer = told(&[[3.0, 25.0], [1.5, 100.0]]);
        assert!(fewer.ends_with("It entered 0.25 times as many nodes, but each took 8.0 times as long."), "{fewer}");
        let stopped = [compared(None), compared(None)];
        assert_eq!(ComparisonTable { asked: "", names: &[], runs: &stopped }.conclusion(), None);
    }

    #[test]
    fn a_table_is_no_wider_than_a_screen_of_80_columns() {
        let run = |complete| {
            json!({"tours": 13_267_364_410_532_u64, "nodes": 1_021_591_377_000_u64, "elapsed_s": 123_456.789,
            "hires": 1_234_567, "complete": complete, "balance": {"idle": 0.5}})
        };
        let names =
            ["--solver radley --prune any-isolated --scheduler rayon --threads 16 --prune-from 4 --prune-to 20", "b"];
        let names = names.map(str::to_owned);
        let table = ComparisonTable {
            asked: "5x6 closed tours, undirected",
            names: &names,
            runs: &[compared(Some(run(true))), compared(Some(run(false)))],
        }
        .to_string();
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains("run 2  b: stopped before its end\n"), "{table}");
        assert!(table.lines().any(|line| line.starts_with("  1  ") && line.ends_with("   50 %")), "{table}");
        let table = ComparisonTable {
            asked: "5x6 closed tours, undirected",
            names: &names,
            runs: &[compared(Some(run(true))), compared(None)],
        }
        .to_string();
        assert!(table.contains("run 2  b: no report: cut off") && table.ends_with("  2               -\n"), "{table}");
    }
}
