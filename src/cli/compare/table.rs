//! What `compare` prints: the figures of the runs below one another, or their reports.

use crate::cli::sheet::WIDTH;
use crate::job::say::{print_object, safe};
use crate::job::{Failure, running};
use crate::words::{grouped, rate, wrapped};
use serde_json::{Value, json};
use std::fmt;
use std::io::{self, Write};

/// Where the names of the runs begin, in columns.
const INDENT: usize = 7;

/// Prints the table or the object; a run without a report is one that was cut off, or that was not seen to its end.
pub fn report((asked, names): (String, Vec<String>), runs: Vec<Option<Value>>, json: bool) -> Result<(), Failure> {
    let differ = differing(&runs);
    if json {
        let runs: Vec<Value> = runs.into_iter().flatten().collect();
        print_object(&json!({ "runs": runs }))?;
    } else {
        write!(io::stdout(), "{}", ComparisonTable { asked: &asked, names: &names, runs: &runs })?;
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
    runs: &'a [Option<Value>],
}

impl fmt::Display for ComparisonTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", wrapped(self.asked, WIDTH).join("\n"))?;
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
        let table = ComparisonTable {
            asked: "5x6 closed tours, undirected",
            names: &names,
            runs: &[Some(run(true)), Some(run(false))],
        }
        .to_string();
        assert!(table.lines().all(|line| line.chars().count() <= WIDTH), "{table}");
        assert!(table.contains("run 2  b: stopped before its end\n"), "{table}");
        let table =
            ComparisonTable { asked: "5x6 closed tours, undirected", names: &names, runs: &[Some(run(true)), None] }
                .to_string();
        assert!(table.contains("run 2  b: no report: cut off") && table.ends_with("  2               -\n"), "{table}");
    }
}
