//! `merge D` of a search: its parts put together, or what is missing; and what some of them tell of all.

use super::failure::{Failure, usage};
use super::merge::MergeArgs;
use super::report::SearchReport;
use super::say::{print, print_object, say, shell_word};
use super::shard;
use crate::run::part::{self, CHECKPOINT};
use crate::run::{Checkpoint, Plan, Sample};
use crate::schedule::{RunOutcome, Shard, Totals};
use crate::words::{grouped, number_of, span};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Commands that are printed one by one, at most.
const COMMANDS_MAX: usize = 20;
/// Parts from which something is told of all.
const TELLING: usize = 2;

/// The parts of a search in a folder.
struct Parts {
    plan: Plan,
    of: u32,
    /// Those that are there and whole, by number.
    done: BTreeMap<u32, Checkpoint>,
    /// Files that are no part of it.
    wrong: Vec<WrongPart>,
}

/// A file that is no part, or not under this name.
struct WrongPart {
    path: PathBuf,
    /// In words that follow its name.
    why: String,
    /// The number of the part that it is, under another name.
    is_part: Option<u32>,
}

impl WrongPart {
    fn new(path: PathBuf, why: impl Into<String>) -> WrongPart {
        WrongPart { path, why: why.into(), is_part: None }
    }
}

/// Puts these parts together and prints the report of the whole; answers the exit code: 1, with what is missing, when
/// they are not all. With `estimate` it prints what they tell of the whole.
///
/// # Errors
/// [`Failure`] when the sum contradicts what is known, or nothing can be printed.
pub fn merge(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    let &MergeArgs { ref folder, estimate, json, .. } = args;
    let is_begun = |file: &PathBuf| file.to_string_lossy().ends_with(CHECKPOINT);
    let (begun, files): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(is_begun);
    let parts = match Parts::read(files, &begun) {
        Ok(parts) => parts,
        Err(wrong) => {
            say_wrong(&wrong)?;
            say(format_args!("{} has no part that is whole", folder.display()))?;
            return Ok(1);
        }
    };
    say_wrong(&parts.wrong)?;
    if estimate {
        return parts.print_estimate(folder, json);
    }
    let missing: Vec<u32> = (1..=parts.of).filter(|index| !parts.done.contains_key(index)).collect();
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
    parts.print_missing(folder, &missing, json)?;
    Ok(1)
}

fn say_wrong(wrong: &[WrongPart]) -> io::Result<()> {
    wrong.iter().try_for_each(|WrongPart { path, why, .. }| say(format_args!("{} {why}", path.display())))
}

impl Parts {
    /// Reads the parts of a search. Where no part is whole, the checkpoints `begun` tell which search it is.
    ///
    /// # Errors
    /// What is wrong with each file, when none is a part and no checkpoint is one of a part.
    fn read(files: Vec<PathBuf>, begun: &[PathBuf]) -> Result<Parts, Vec<WrongPart>> {
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for path in files {
            match Checkpoint::read(&path) {
                Ok(part) => read.push((path, part)),
                Err(error) => wrong.push(WrongPart::new(path, error.to_string())),
            }
        }
        // What most of them are about.
        let mut subjects: BTreeMap<String, usize> = BTreeMap::new();
        let key = |part: &Checkpoint| (part.plan.shard.map(Shard::of), part.plan.undivided().subject());
        read.iter().for_each(|(_, part)| *subjects.entry(format!("{:?}", key(part))).or_default() += 1);
        let most = subjects.into_iter().max_by_key(|&(_, count)| count).map(|(subject, _)| subject);
        let first = read.iter().find(|(_, part)| Some(format!("{:?}", key(part))) == most);
        let of_part = |part: &Checkpoint| Some((part.plan.clone(), part.plan.shard?.of()));
        let of_begun = || begun.iter().find_map(|path| of_part(&Checkpoint::read(path).ok()?));
        let Some((plan, of)) = first.and_then(|(_, part)| of_part(part)).or_else(of_begun) else {
            wrong.extend(read.into_iter().map(|(path, _)| WrongPart::new(path, "is no part of a search")));
            return Err(wrong);
        };
        let mut parts = Parts { plan, of, done: BTreeMap::new(), wrong };
        for (path, part) in read {
            match part::fault(&path, &part.plan, part.ended, parts.is_mine(&part)) {
                Some(fault) => {
                    let is_part = part.plan.shard.filter(|_| part.ended && parts.is_mine(&part)).map(Shard::index);
                    parts.wrong.push(WrongPart { path, why: fault, is_part });
                }
                None => drop(part.plan.shard.map(|shard| parts.done.insert(shard.index(), part))),
            }
        }
        Ok(parts)
    }

    /// Whether it is of the same question, cut into as many parts.
    fn is_mine(&self, part: &Checkpoint) -> bool {
        let wanted = Plan { shard: part.plan.shard, ..self.plan.clone() };
        part.plan.shard.is_some_and(|shard| shard.of() == self.of) && part.is_of(&wanted)
    }

    /// What is to be typed, so that all parts are there and nothing else is.
    fn commands(&self, folder: &Path, missing: &[u32]) -> Vec<String> {
        let (mut commands, mut missing) = (Vec::new(), missing.to_vec());
        for WrongPart { path, is_part, .. } in &self.wrong {
            let own = is_part.filter(|index| missing.contains(index)).and_then(|index| Shard::new(index, self.of));
            let to = match own.map(|shard| (shard, part::path(folder, shard))) {
                Some((shard, own)) if !own.exists() => {
                    missing.retain(|&index| index != shard.index());
                    own
                }
                _ => {
                    let mut other = path.as_os_str().to_owned();
                    other.push(".other");
                    other.into()
                }
            };
            commands.push(format!("mv {} {}", shell_word(path), shell_word(&to)));
        }
        let command = |&index: &u32| {
            let shard = Shard::new(index, self.of);
            shard::command(&Plan { shard, ..self.plan.clone() }, folder)
        };
        commands.extend(missing.iter().map(command));
        commands
    }

    /// All together: a row of workers for each part.
    fn sum(&self) -> RunOutcome {
        let mut whole = RunOutcome::default();
        for Checkpoint { so_far, .. } in self.done.values() {
            let mut row = Totals::default();
            so_far.workers.iter().for_each(|worker| row.add(worker));
            whole.workers.push(row);
            whole.elapsed += so_far.elapsed;
            whole.events_lost += so_far.events_lost;
        }
        whole
    }

    /// Lists what is missing, and the commands that make it.
    fn print_missing(&self, folder: &Path, missing: &[u32], json: bool) -> io::Result<()> {
        let begun: Vec<u32> = missing.iter().copied().filter(|&index| self.is_begun(folder, index)).collect();
        let commands = self.commands(folder, missing);
        if json {
            let wrong: Vec<String> = self.wrong.iter().map(|wrong| wrong.path.display().to_string()).collect();
            return print_object(&serde_json::json!({
                "board": self.plan.question.board().to_string(),
                "parts": self.done.len(),
                "of": self.of,
                "missing": missing,
                "begun": begun,
                "wrong": wrong,
                "commands": commands,
                "complete": false,
            }));
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        let Plan { question, .. } = &self.plan;
        writeln!(out, "{} {} tours by {}", question.board(), question.ending().name(), question.method())?;
        let wrong = if self.wrong.is_empty() { String::new() } else { format!(", {} wrong", self.wrong.len()) };
        writeln!(out, "parts    {} of {}, {} missing{wrong}", self.done.len(), self.of, missing.len())?;
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

    /// Whether there is what a part is kept in while it is being done.
    fn is_begun(&self, folder: &Path, index: u32) -> bool {
        let path = Shard::new(index, self.of).map(|shard| part::path(folder, shard));
        path.is_some_and(|path| path.with_extension(&CHECKPOINT[1..]).exists())
    }

    fn print_estimate(&self, folder: &Path, json: bool) -> Result<u8, Failure> {
        if self.done.len() < TELLING {
            let parts = number_of(self.done.len(), "whole part");
            say(format_args!("{} has {parts}; two tell something of all", folder.display()))?;
            return Ok(1);
        }
        let figures =
            |of: fn(&RunOutcome) -> f64| self.done.values().map(|part| of(&part.so_far)).collect::<Vec<f64>>();
        let whole = |of| figures(of).into_iter().collect::<Sample>().whole(self.of);
        let tours = whole(|part| part.total().tours as f64);
        let nodes = whole(|part| part.total().nodes as f64);
        let busy = whole(|part| part.workers.iter().map(|worker| worker.busy).sum::<Duration>().as_secs_f64());
        let estimate = Estimate {
            board: self.plan.question.board().to_string(),
            ending: self.plan.question.ending().name(),
            solver: self.plan.question.method(),
            convention: self.plan.question.convention(),
            tours_estimate: tours.sum,
            standard_error: tours.error,
            interval: tours.interval(),
            nodes_estimate: nodes.sum,
            cpu_s_estimate: busy.sum,
            spread: nodes.spread,
            parts: self.done.len(),
            of: self.of,
        };
        print(&estimate, json, false)?;
        Ok(0)
    }
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
