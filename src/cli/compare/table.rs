//! What `compare` prints: the figures of the runs below one another, or their reports.

use crate::cli::sheet::{sparkline, sparkline_ticks};
use crate::job::say::{print, safe};
use crate::job::{Failure, Report, running};
use crate::run::Rival;
use crate::run::balance::{SHARE_MIN, SHORT_S, Verdict};
use crate::words::{self, grouped, number_of, percent, rate};
use serde_json::Value;
use std::mem::take;

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
    let mut report = compared(asked, names, &runs);
    report.key("runs", runs.into_iter().filter_map(|run| run.report).collect::<Vec<Value>>());
    print(&report, json, false)?;
    match differ {
        true => Err(running("the runs are complete and found different numbers of tours: one of them is wrong")),
        false => Ok(()),
    }
}

/// What all are asked, the runs with their names, and below them their figures, no wider than a sheet.
fn compared(asked: &str, names: &[String], runs: &[ComparedReport]) -> Report {
    let mut report = Report::default();
    report.hanging("", asked, 0);
    for (number, (name, run)) in (1..).zip(names.iter().zip(runs)) {
        let stopped = match &run.report {
            None => ": no report: cut off, or not seen to its end",
            Some(run) if run["complete"] == true => "",
            Some(_) => ": stopped before its end",
        };
        report.hanging(&format!("run {number}  "), &format!("{}{stopped}", safe(name)), INDENT);
    }
    report.text(format_args!("\n{}", row(0, Some(&Value::Null)).headings()));
    (1..).zip(runs).for_each(|(number, run)| report.text(row(number, run.report.as_ref())));
    tell_speed(&mut report, runs);
    tell_verdicts(&mut report, runs);
    tell_depths(&mut report, runs, "pruned", |rival| rival.depths.pruned(rival.last.nodes()));
    tell_depths(&mut report, runs, "nodes", |rival| rival.depths.nodes(rival.last.nodes()));
    if let Some(conclusion) = conclusion(names, runs) {
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
        let beside = beside.map_or(String::new(), |(place, share)| {
            format!("  {} of that of run {}, by one thread", percent(share), place + 1)
        });
        report.text(format_args!("{number:>3}  {:>14}{beside}", speed.map_or("-".to_owned(), rate)));
    }
}

/// Why the workers of each run did not search.
fn tell_verdicts(report: &mut Report, runs: &[ComparedReport]) {
    let all = runs.iter().map(|run| run.rival.balance.verdicts());
    let told = (1..).zip(all).filter(|(_, verdicts)| !verdicts.is_empty());
    for (place, (number, verdicts)) in told.enumerate() {
        if place == 0 {
            report.text("\nwhy workers did not search");
        }
        let mut label = number.to_string();
        for verdict in &verdicts {
            report.hanging(&format!("{:>3}  ", take(&mut label)), &verdict.told(), INDENT);
        }
    }
}

/// Figures by depth of each run as bars of one scale, with its total.
fn tell_depths(report: &mut Report, runs: &[ComparedReport], what: &str, of: fn(&Rival) -> Vec<f64>) {
    let mut all: Vec<Vec<f64>> = runs.iter().map(|run| of(&run.rival)).collect();
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
        let total = run.report.as_ref().and_then(|run| run[what].as_u64()).filter(|&total| total > 0);
        // Some solvers count dead ends by depth alone.
        let about = || words::count(by_depth.iter().sum::<f64>() as u64);
        let total = total.map_or_else(about, grouped);
        let bars = if by_depth.is_empty() { "too few were counted".to_owned() } else { sparkline(by_depth, most) };
        report.text(format_args!("{number:>3}  {total:>17}  {}", bars.trim_end()));
    }
    report.text(format_args!("{:24}{}", "", sparkline_ticks(deepest)));
}

/// The slowest run beside the fastest in a sentence, and what it did more; of several, first the fastest beside each other
/// one. `None` where one was not seen to its end.
fn conclusion(names: &[String], runs: &[ComparedReport]) -> Option<String> {
    let reports = runs.iter().map(|run| run.report.as_ref().filter(|run| run["complete"] == true));
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
        let workers = [slow, fast].map(|place| runs[place].rival.last.workers.len());
        match workers[0] < workers[1] {
            true => format!("It had {}, run {} had {}.", number_of(workers[0], "worker"), fast + 1, workers[1]),
            false => greater_loss(runs, fast, slow).unwrap_or_default(),
        }
    };
    let seconds: Vec<f64> = (0..reports.len()).map(|place| figure(place, "elapsed_s")).collect();
    let first = if reports.len() > 2 { pays(names, &seconds, fast) } else { String::new() };
    let last = format!("Run {} took {} times as long as run {}.", slow + 1, times(longer), fast + 1);
    let said = [first, last, why, cuts_most(runs, fast).unwrap_or_default()];
    Some(said.into_iter().filter(|sentence| !sentence.is_empty()).collect::<Vec<_>>().join(" "))
}

/// The fastest run beside each other one.
fn pays(names: &[String], seconds: &[f64], fast: usize) -> String {
    let others = (0..seconds.len()).filter(|&place| place != fast);
    let shares = others.map(|place| format!("{} of that of run {}", times(seconds[fast] / seconds[place]), place + 1));
    let name = names.get(fast).map_or(String::new(), |name| format!(" ({})", safe(name)));
    format!("Run {}{name} pays: its time is {}.", fast + 1, shares.collect::<Vec<_>>().join(", "))
}

/// Where a run cuts most, if it cuts.
fn cuts_most(runs: &[ComparedReport], place: usize) -> Option<String> {
    let rival = &runs[place].rival;
    let pruned = rival.depths.pruned(rival.last.nodes());
    let (depth, most) = pruned.into_iter().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (most > 0.0).then(|| format!("Run {} cuts most at depth {depth}.", place + 1))
}

/// What of the time of the workers the one run lost beyond the other one.
fn greater_loss(runs: &[ComparedReport], fast: usize, slow: usize) -> Option<String> {
    let [of_fast, of_slow] = [fast, slow].map(|place| runs[place].rival.balance.verdicts());
    let beyond = |verdict: &Verdict| {
        let other = of_fast.iter().find(|other| other.name == verdict.name);
        verdict.share - other.map_or(0.0, |other| other.share)
    };
    let greatest = of_slow.iter().max_by(|a, b| beyond(a).total_cmp(&beyond(b)))?;
    (beyond(greatest) >= SHARE_MIN).then(|| greatest.sentence.clone())
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

/// A run with the figures of its report, if it has one. Its object is that report, so that the columns have no keys.
fn row(number: usize, report: Option<&Value>) -> Report {
    let mut row = Report::default();
    row.column("run ", 4, format_args!("{number:>3} "));
    let Some(report) = report else {
        row.column("tours", 14, "-");
        return row;
    };
    let whole = |name: &str| grouped(report[name].as_u64().unwrap_or(0));
    let seconds = report["elapsed_s"].as_f64().unwrap_or(0.0);
    row.column("tours", 14, whole("tours"));
    row.column("nodes", 17, whole("nodes"));
    row.column("seconds", 10, format_args!("{seconds:.3}"));
    row.column("nodes/s", 8, rate(report["nodes"].as_f64().unwrap_or(0.0) / seconds.max(1e-9)));
    row.column("hires", 8, whole("hires"));
    row.column("waits", 6, format_args!("{:.0} %", 100.0 * report["balance"]["idle"].as_f64().unwrap_or(0.0)));
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::sheet::WIDTH;
    use crate::schedule::Scheduler;
    use serde_json::json;

    fn run_of(report: Option<Value>) -> ComparedReport {
        ComparedReport { report, rival: Rival::new("", Scheduler::Hire) }
    }

    #[test]
    fn only_complete_runs_must_agree() {
        let run = |tours: u64, complete: bool| run_of(Some(json!({"tours": tours, "complete": complete})));
        assert!(!differing(&[run(10, true), run(10, true), run(3, false)]));
        assert!(differing(&[run(10, true), run(3, false), run(11, true)]));
        assert!(!differing(&[run_of(None)]));
    }

    #[test]
    fn the_slowest_run_is_told_beside_the_fastest() {
        let told = |runs: &[[f64; 2]]| {
            let report = |&[s, nodes]: &[f64; 2]| json!({"elapsed_s": s, "nodes": nodes, "complete": true});
            let runs: Vec<ComparedReport> = runs.iter().map(|run| run_of(Some(report(run)))).collect();
            conclusion(&[], &runs).unwrap()
        };
        assert_eq!(told(&[[2.0, 100.0], [2.05, 100.0]]), "The runs took the same time, within 5 %.");
        assert_eq!(told(&[[0.01, 100.0], [0.05, 100.0]]), "The runs were too short to say which is faster.");
        assert_eq!(told(&[[1.0, 100.0], [1.8, 100.0]]), "Run 2 took 1.8 times as long as run 1.");
        let nodes = told(&[[3.0, 100.0], [36.0, 700.0], [4.0, 300.0]]);
        assert_eq!(
            nodes,
            "Run 1 pays: its time is 0.08 of that of run 2, 0.75 of that of run 3. \
             Run 2 took 12 times as long as run 1. It entered 7.0 times as many nodes."
        );
        let fewer = told(&[[3.0, 25.0], [1.5, 100.0]]);
        assert!(fewer.ends_with("It entered 0.25 times as many nodes, but each took 8.0 times as long."), "{fewer}");
        let stopped = [run_of(None), run_of(None)];
        assert_eq!(conclusion(&[], &stopped), None);
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
        let table =
            compared("5x6 closed tours, undirected", &names, &[run_of(Some(run(true))), run_of(Some(run(false)))])
                .to_string();
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains("run 2  b: stopped before its end\n"), "{table}");
        assert!(table.lines().any(|line| line.starts_with("  1  ") && line.ends_with("   50 %")), "{table}");
        let table =
            compared("5x6 closed tours, undirected", &names, &[run_of(Some(run(true))), run_of(None)]).to_string();
        assert!(table.contains("run 2  b: no report: cut off") && table.ends_with("  2               -"), "{table}");
    }
}
