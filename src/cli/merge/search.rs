//! `merge D` of a search: its parts put together, or what is missing; and what some of them tell of all.

use crate::cli::args::MergeArgs;
use crate::cli::report::SearchReport;
use crate::job::parts::{SearchParts, WrongPart};
use crate::job::say::{print, print_object, say};
use crate::job::{Failure, usage};
use crate::run::{Plan, Sample};
use crate::schedule::RunOutcome;
use crate::words::{grouped, number_of, span};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most commands that are printed one by one.
const COMMANDS_MAX: usize = 20;
/// Fewest parts that tell something of all.
const TELLING: usize = 2;

/// Puts these parts together and prints the report of the whole; answers the exit code: 1, with what is missing, when
/// they are not all. With `estimate` it prints what they tell of the whole.
///
/// # Errors
/// [`Failure`] when the sum contradicts what is known, or nothing can be printed.
pub fn run(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    let &MergeArgs { ref folder, estimate, json, .. } = args;
    let parts = match SearchParts::read(files) {
        Ok(parts) => parts,
        Err(wrong) => {
            say_wrong(&wrong)?;
            say(format_args!("{} has no part that is whole", folder.display()))?;
            return Ok(1);
        }
    };
    say_wrong(&parts.wrong)?;
    if estimate {
        return print_estimate(&parts, folder, json);
    }
    let missing = parts.missing();
    if missing.is_empty() && parts.wrong.is_empty() {
        let (whole, sum) = (parts.plan.undivided(), parts.sum());
        if let Some(why) = whole.contradiction(&sum) {
            let folder = folder.display();
            return Err(usage(format!("{folder}: the sum of its parts: {why}; make them again in another folder")));
        }
        let report = SearchReport::new(&whole, &sum);
        print(&report.of_parts(parts.of), json, false)?;
        return Ok(0);
    }
    print_missing(&parts, folder, &missing, json)?;
    Ok(1)
}

fn say_wrong(wrong: &[WrongPart]) -> io::Result<()> {
    wrong.iter().try_for_each(|WrongPart { path, why, .. }| say(format_args!("{} {why}", path.display())))
}

/// Lists what is missing, and the commands that make it.
fn print_missing(parts: &SearchParts, folder: &Path, missing: &[u32], json: bool) -> io::Result<()> {
    let begun: Vec<u32> = missing.iter().copied().filter(|&index| parts.is_begun(folder, index)).collect();
    let commands = parts.commands(folder, missing);
    if json {
        let wrong: Vec<String> = parts.wrong.iter().map(|wrong| wrong.path.display().to_string()).collect();
        return print_object(&serde_json::json!({
            "board": parts.plan.question.board().to_string(),
            "parts": parts.outcomes().count(),
            "of": parts.of,
            "missing": missing,
            "begun": begun,
            "wrong": wrong,
            "commands": commands,
            "complete": false,
        }));
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let Plan { question, .. } = &parts.plan;
    writeln!(out, "{} {} tours by {}", question.board(), question.ending().name(), question.method())?;
    let wrong = if parts.wrong.is_empty() { String::new() } else { format!(", {} wrong", parts.wrong.len()) };
    writeln!(out, "parts    {} of {}, {} missing{wrong}", parts.outcomes().count(), parts.of, missing.len())?;
    if !missing.is_empty() {
        writeln!(out, "missing  {}", ranges(missing))?;
    }
    if !begun.is_empty() {
        writeln!(out, "begun    {}: they are being done, or were stopped and go on", ranges(&begun))?;
    }
    writeln!(out, "to be made whole by")?;
    commands.iter().take(COMMANDS_MAX).try_for_each(|command| writeln!(out, "  {command}"))?;
    if commands.len() > COMMANDS_MAX {
        let more = grouped((commands.len() - COMMANDS_MAX) as u64);
        writeln!(out, "  and so on: {more} more, --json names them all")?;
    }
    writeln!(out, "NOT complete")?;
    out.flush()
}

fn print_estimate(parts: &SearchParts, folder: &Path, json: bool) -> Result<u8, Failure> {
    if parts.outcomes().count() < TELLING {
        let parts = number_of(parts.outcomes().count(), "whole part");
        say(format_args!("{} has {parts}; two tell something of all", folder.display()))?;
        return Ok(1);
    }
    let figures = |of: fn(&RunOutcome) -> f64| parts.outcomes().map(of).collect::<Vec<f64>>();
    let whole = |of| figures(of).into_iter().collect::<Sample>().whole(parts.of);
    let tours = whole(|part| part.total().tours as f64);
    let nodes = whole(|part| part.total().nodes as f64);
    let busy = whole(|part| part.workers.iter().map(|worker| worker.busy).sum::<Duration>().as_secs_f64());
    let estimate = Estimate {
        board: parts.plan.question.board().to_string(),
        ending: parts.plan.question.ending().name(),
        solver: parts.plan.question.method(),
        convention: parts.plan.question.convention(),
        tours_estimate: tours.sum,
        standard_error: tours.error,
        interval: tours.interval(),
        nodes_estimate: nodes.sum,
        cpu_s_estimate: busy.sum,
        spread: nodes.spread,
        parts: parts.outcomes().count(),
        of: parts.of,
    };
    print(&estimate, json, false)?;
    Ok(0)
}

/// What some of the parts tell of all.
#[derive(Serialize)]
struct Estimate {
    board: String,
    ending: &'static str,
    solver: &'static str,
    convention: &'static str,
    tours_estimate: f64,
    standard_error: f64,
    /// In 95 of 100 cases the number lies between.
    interval: [f64; 2],
    nodes_estimate: f64,
    /// Time with work of all workers.
    cpu_s_estimate: f64,
    /// Standard deviation of the nodes of a part, as a share of the mean.
    spread: f64,
    parts: usize,
    of: u32,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |value: f64| grouped(value.round() as u64);
        let Estimate { board, ending, solver, convention, .. } = self;
        writeln!(f, "{board} {ending} tours by {solver}, from {} of {}", self.parts, number_of(self.of, "part"))?;
        let error = 100.0 * self.standard_error / self.tours_estimate.max(1.0);
        writeln!(
            f,
            "tours    about {} {convention}, standard error {} ({error:.2} %)",
            whole(self.tours_estimate),
            whole(self.standard_error)
        )?;
        writeln!(f, "95 %     {} to {}", whole(self.interval[0]), whole(self.interval[1]))?;
        let spread = 100.0 * self.spread;
        writeln!(f, "nodes    about {}; a part has the mean, give or take {spread:.1} %", whole(self.nodes_estimate))?;
        write!(f, "time     about {} of one core", span(self.cpu_s_estimate))
    }
}

/// Numbers in rising order: `3, 7-9`.
fn ranges(numbers: &[u32]) -> String {
    let groups = numbers.chunk_by(|one, next| one + 1 == *next);
    let word = |group: &[u32]| match group {
        [first, .., last] => format!("{first}-{last}"),
        _ => group.iter().map(u32::to_string).collect(),
    };
    groups.map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_written_as_ranges() {
        assert_eq!(ranges(&[3, 7, 8, 9, 11, 12]), "3, 7-9, 11-12");
    }
}
