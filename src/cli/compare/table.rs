//! What `compare` prints: the figures of the runs below one another, or their reports.

use crate::cli::sheet::{sparkline, sparkline_ticks};
use crate::job::{Failure, Report, print, running};
use crate::run::{Rival, TimePart, compared_verdicts, conclusion};
use crate::schedule::RunOutcome;
use crate::search::Tally;
use crate::words::{self, grouped, rate};
use serde::Deserialize;
use serde_json::Value;
use std::mem::take;

/// Where the names of the runs begin, in columns.
const INDENT: usize = 7;

/// One run of a comparison.
pub struct ComparedReport {
    /// Its report; `None` if it was cut off, or not seen to its end.
    pub report: Option<Value>,
    /// The figures of that report.
    pub figures: Option<ComparedFigures>,
    /// Its figures over time.
    pub rival: Rival,
}

/// Figures of a run at its end; those of a recorded run are read from the report in its journal.
#[derive(Clone, Copy, Deserialize)]
pub struct ComparedFigures {
    tours: u64,
    nodes: u64,
    pruned: u64,
    hires: u64,
    elapsed_s: f64,
    complete: bool,
}

impl ComparedFigures {
    pub fn of(outcome: &RunOutcome) -> ComparedFigures {
        let Tally { tours, nodes, pruned, .. } = outcome.total();
        let (hires, elapsed_s) = (outcome.sharing().hires, outcome.elapsed.as_secs_f64());
        ComparedFigures { tours, nodes, pruned, hires, elapsed_s, complete: outcome.complete() }
    }
}

/// Prints the table or the object.
pub fn report(asked: &str, runs: Vec<ComparedReport>, json: bool) -> Result<(), Failure> {
    let differ = differing(&runs);
    let mut report = compared(asked, &runs);
    report.key("runs", runs.into_iter().filter_map(|run| run.report).collect::<Vec<Value>>());
    print(&report, json, false)?;
    let why = "the runs are complete and found different numbers of tours: one of them is wrong";
    if differ { Err(running(why)) } else { Ok(()) }
}

/// What all are asked, the runs with their names, and below them their figures, no wider than a sheet.
fn compared(asked: &str, runs: &[ComparedReport]) -> Report {
    let mut report = Report::default();
    report.hanging("", asked, 0);
    for (number, run) in (1..).zip(runs) {
        let stopped = match run.figures {
            None => ": no report: cut off, or not seen to its end",
            Some(figures) if figures.complete => "",
            Some(_) => ": stopped before its end",
        };
        report.hanging(&format!("run {number}  "), &format!("{}{stopped}", run.rival.name), INDENT);
    }
    let none = ComparedFigures::of(&RunOutcome::default());
    report.text(format_args!("\n{}", row(0, Some(none), String::new()).headings()));
    (1..).zip(runs).for_each(|(number, run)| {
        let waits = run.rival.balance.time().map_or("-".to_owned(), |time| time.percent(TimePart::Waiting));
        report.text(row(number, run.figures, waits))
    });
    tell_speed(&mut report, runs);
    tell_verdicts(&mut report, runs);
    let pruned = |run: &ComparedReport| run.rival.depths.pruned(run.rival.last.nodes());
    tell_depths(&mut report, runs, "pruned", |figures| figures.pruned, pruned);
    let nodes = |run: &ComparedReport| run.rival.depths.nodes(run.rival.last.nodes());
    tell_depths(&mut report, runs, "nodes", |figures| figures.nodes, nodes);
    if let Some(conclusion) = conclusion(&runs.iter().map(|run| &run.rival).collect::<Vec<_>>()) {
        report.text("");
        report.hanging("", &conclusion, 0);
    }
    report
}

/// The nodes a second of CPU time; beside those of a run by one thread, if it searched the same tree. What is less was lost
/// by sharing the machine, not by waiting.
fn tell_speed(report: &mut Report, runs: &[ComparedReport]) {
    let speeds: Vec<Option<f64>> = runs.iter().map(|run| run.rival.balance.figures().nodes_per_cpu_s).collect();
    if speeds.iter().all(Option::is_none) {
        return;
    }
    report.text("\nnodes a second of CPU time");
    for ((number, run), speed) in (1..).zip(runs).zip(&speeds) {
        // Runs of one tree enter the same nodes.
        let is_alone = |other: &ComparedReport| {
            other.rival.last.workers.len() == 1 && other.rival.last.nodes() == run.rival.last.nodes()
        };
        let alone = runs.iter().position(is_alone).filter(|place| place + 1 != number);
        let beside = alone.and_then(|place| Some((place, speed.as_ref()? / speeds[place].filter(|&one| one > 0.0)?)));
        let beside = beside.map_or(String::new(), of_that_alone);
        report.text(format_args!("{number:>3}  {:>14}{beside}", speed.map_or("-".to_owned(), rate)));
    }
}

/// A speed as a share of that of the run at this place. It may be more: other programs do not disturb both alike.
fn of_that_alone((place, share): (usize, f64)) -> String {
    format!("  {:.1}% of that of run {}, by one thread", 100.0 * share, place + 1)
}

/// Why the workers of each run did not search.
fn tell_verdicts(report: &mut Report, runs: &[ComparedReport]) {
    let all = compared_verdicts(&runs.iter().map(|run| &run.rival).collect::<Vec<_>>());
    let told = (1..).zip(all).filter(|(_, verdicts)| !verdicts.is_empty());
    for (place, (number, verdicts)) in told.enumerate() {
        if place == 0 {
            report.text("\nwhy workers did not search");
        }
        let mut label = number.to_string();
        for verdict in &verdicts {
            report.hanging(&format!("{:>3}  ", take(&mut label)), &verdict.line(), INDENT);
        }
    }
}

/// Figures by depth of each run as bars of one scale, with its total.
fn tell_depths(
    report: &mut Report,
    runs: &[ComparedReport],
    what: &str,
    total: fn(ComparedFigures) -> u64,
    of: impl Fn(&ComparedReport) -> Vec<f64>,
) {
    let mut all: Vec<Vec<f64>> = runs.iter().map(of).collect();
    let deepest = all.iter().map(Vec::len).max().unwrap_or(0);
    let most = all.iter().flatten().copied().fold(0.0, f64::max);
    all.iter_mut().filter(|by_depth| !by_depth.is_empty()).for_each(|by_depth| by_depth.resize(deepest, 0.0));
    if most <= 0.0 {
        return;
    }
    let is_sample = runs.iter().any(|run| !run.rival.depths.are_exact());
    let sample = if is_sample { ", estimated from a sample" } else { "" };
    let most_words = words::count(most as u64);
    report.text(format_args!("\n{what} by depth, 0 to {}, up to {most_words}{sample}", deepest - 1));
    for ((number, run), by_depth) in (1..).zip(runs).zip(&all) {
        // A recording of before edges counted its dead ends says 0.
        let counted = run.figures.map(total).filter(|&total| total > 0 || by_depth.is_empty());
        let about = if run.rival.depths.are_exact() { "" } else { "about " };
        let about = || format!("{about}{}", words::count(by_depth.iter().sum::<f64>() as u64));
        let total = counted.map_or_else(about, grouped);
        let bars = match (by_depth.is_empty(), counted) {
            (false, _) => sparkline(by_depth, most),
            (true, Some(0)) => "none".to_owned(),
            (true, _) => "too few were counted".to_owned(),
        };
        report.text(format_args!("{number:>3}  {total:>17}  {}", bars.trim_end()));
    }
    report.text(format_args!("{:24}{}", "", sparkline_ticks(deepest)));
}

/// Whether two complete runs found different numbers of tours.
fn differing(runs: &[ComparedReport]) -> bool {
    let complete = runs.iter().filter_map(|run| run.figures).filter(|figures| figures.complete);
    let mut tours = complete.map(|figures| figures.tours);
    tours.next().is_some_and(|first| tours.any(|tours| tours != first))
}

/// A run with its figures, if they are known, and its share of time without work. Its object is its report, so that the columns
/// have no keys.
fn row(number: usize, figures: Option<ComparedFigures>, waits: String) -> Report {
    let mut row = Report::default();
    row.column("run ", 4, format_args!("{number:>3} "));
    let Some(ComparedFigures { tours, nodes, hires, elapsed_s, .. }) = figures else {
        row.column("tours", 14, "-");
        return row;
    };
    row.column("tours", 14, grouped(tours));
    row.column("nodes", 17, grouped(nodes));
    row.column("seconds", 10, format_args!("{elapsed_s:.3}"));
    row.column("nodes/s", 8, rate(nodes as f64 / elapsed_s.max(1e-9)));
    row.column("hires", 8, grouped(hires));
    row.column("waiting", 7, waits);
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::WIDTH;
    use crate::schedule::{Levels, Scheduler, Snapshot, WorkerSnapshot};
    use serde_json::json;

    fn run_of(name: &str, figures: Option<ComparedFigures>) -> ComparedReport {
        ComparedReport { report: None, figures, rival: Rival::new(name, Scheduler::HIRE) }
    }

    fn figures(report: Value) -> ComparedFigures {
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn only_complete_runs_must_agree() {
        let run = |tours: u64, complete| {
            let figures = ComparedFigures { tours, complete, ..ComparedFigures::of(&RunOutcome::default()) };
            run_of("", Some(figures))
        };
        assert!(!differing(&[run(10, true), run(10, true), run(3, false)]));
        assert!(differing(&[run(10, true), run(3, false), run(11, true)]));
        assert!(!differing(&[run_of("", None)]));
    }

    #[test]
    fn a_speed_may_be_more_than_that_of_a_run_alone() {
        assert_eq!(of_that_alone((1, 26.7 / 26.0)), "  102.7% of that of run 2, by one thread");
    }

    /// The exact total of a report, or about as many as a sample by depth says.
    #[test]
    fn one_number_has_one_value() {
        let run = |figures| {
            let mut run = run_of("", figures);
            let workers = vec![WorkerSnapshot { nodes: 200_000, ..WorkerSnapshot::default() }];
            let (nodes_by_depth, pruned_by_depth) = (vec![10_000, 10_000], vec![0, 5000]);
            let levels = Levels::Sampled;
            let snapshot = Snapshot { workers, levels, nodes_by_depth, pruned_by_depth, ..Snapshot::default() };
            run.rival.depths.take(&snapshot);
            run.rival.last = snapshot;
            run
        };
        let pruned = |pruned| ComparedFigures { pruned, ..ComparedFigures::of(&RunOutcome::default()) };
        let runs = [run(Some(pruned(51_234))), run(None), run_of("", Some(pruned(7))), run_of("", Some(pruned(0)))];
        let text = compared("", &runs).to_string();
        let told: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("pruned by depth")).skip(1).collect();
        for (line, total, end) in
            [(0, "51,234", ""), (1, "about 50.0k", ""), (2, "7", "too few were counted"), (3, "0", "none")]
        {
            let line = told[line].strip_prefix(&format!("{:>3}  {total:>17}  ", line + 1));
            assert!(line.is_some_and(|line| line.ends_with(end)), "{total}: {text}");
        }
    }

    #[test]
    fn a_table_is_no_wider_than_a_screen_of_80_columns() {
        let run = |complete| {
            figures(json!({"tours": 13_267_364_410_532_u64, "nodes": 1_021_591_377_000_u64, "elapsed_s": 123_456.789,
            "hires": 1_234_567, "pruned": 0, "complete": complete, "scheduler": "hire"}))
        };
        let long = "--solver radley --prune any-isolated --scheduler rayon --threads 16 --prune-from 4 --prune-to 20";
        let table = |second| {
            let runs = [run_of(long, Some(run(true))), run_of("b", second)];
            compared("5x6 closed tours, undirected", &runs).to_string()
        };
        let (cut, table) = (table(None), table(Some(run(false))));
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains("run 2  b: stopped before its end\n"), "{table}");
        assert!(table.lines().any(|line| line.starts_with("  1  ") && line.ends_with("     -")), "{table}");
        assert!(cut.contains("run 2  b: no report: cut off") && cut.ends_with("  2               -"), "{cut}");
    }
}
