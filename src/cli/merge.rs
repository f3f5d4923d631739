//! `destrier merge`: the parts of one question, put together, or how far they are.

use crate::board::Board;
use crate::bounded::FileKind;
use crate::cli::args::MergeArgs;
use crate::cli::count::{CountReport, PartLine, again};
use crate::cli::report::SearchReport;
use crate::count::{BoardNumber, MergedCount, Settings};
use crate::job::parts::{CountParts, SearchParts, WholePart, WrongPart, part_files, part_kinds};
use crate::job::say::{print, print_object, safe, say};
use crate::job::{Failure, usage};
use crate::run::{Plan, Sample};
use crate::schedule::RunOutcome;
use crate::words::{grouped, number_of, span};
use serde::Serialize;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Puts the parts together that are there. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there are none; [`Failure`] when their sum contradicts what is known, or nothing can be printed.
pub fn run(args: &MergeArgs) -> Result<u8, Failure> {
    let files = part_files(&args.folder)?;
    let kinds = part_kinds(&files);
    match [FileKind::Count, FileKind::Search].map(|kind| kinds.contains(&kind)) {
        [true, true] => {
            Err(usage(format!("{}: has parts of a search and of a count: keep them apart", args.folder.display())))
        }
        [true, _] if args.estimate => {
            Err(usage("--estimate: residues tell nothing of a number before they are all there; leave it out"))
        }
        [true, _] => merge_count(args, &files),
        [_, true] => merge_search(args, &files),
        [false, false] => {
            let folder = args.folder.display();
            Err(usage(format!("{folder}: has no part of anything: name a folder that --out-dir has made")))
        }
    }
}

/// Fewest parts that tell something of all.
const TELLING: usize = 2;

/// Puts these parts together and prints the report of the whole; answers the exit code: 1, with what is missing, when
/// they are not all. With `estimate` it prints what they tell of the whole.
///
/// # Errors
/// [`Failure`] when the sum contradicts what is known, or nothing can be printed.
pub fn merge_search(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
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
    let begun: Vec<u32> = parts.begun.keys().copied().collect();
    let (renaming, making) = parts.commands(folder, missing);
    if json {
        let commands: Vec<&String> = renaming.iter().chain(making.iter().map(|(_, command)| command)).collect();
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
    renaming.iter().try_for_each(|command| writeln!(out, "  {command}"))?;
    match &making[..] {
        [] => {}
        [(_, command)] => writeln!(out, "  {command}")?,
        [(first, command), ..] => {
            let numbers: Vec<u32> = making.iter().map(|&(number, _)| number).collect();
            let shard = |number: &str| format!("--shard {number}/{}", parts.of);
            let command = command.replacen(&shard(&first.to_string()), &shard("$part"), 1);
            writeln!(out, "  for part in {}; do {command} || break; done", shell_numbers(&numbers))?;
        }
    }
    writeln!(out, "NOT complete")?;
    out.flush()
}

fn print_estimate(parts: &SearchParts, folder: &Path, json: bool) -> Result<u8, Failure> {
    let estimate = Estimate::new(parts);
    print(&estimate, json, false)?;
    if estimate.whole.is_some() {
        return Ok(0);
    }
    let done = number_of(estimate.parts, "whole part");
    say(format_args!("{} has {done}; two tell something of all", folder.display()))?;
    Ok(1)
}

/// How far the parts of a search are, and what some of them tell of all.
#[derive(Serialize)]
struct Estimate {
    board: String,
    ending: &'static str,
    solver: &'static str,
    convention: &'static str,
    /// Parts that are complete.
    parts: usize,
    of: u32,
    /// Parts whose checkpoint a process holds.
    running: usize,
    /// Parts with a checkpoint that no process holds.
    stopped: usize,
    missing: usize,
    wrong: usize,
    /// Tours and nodes of all parts that are complete, running or stopped.
    tours_so_far: u64,
    nodes_so_far: u64,
    #[serde(flatten)]
    whole: Option<WholeSearch>,
}

/// What two complete parts and more tell of all.
#[derive(Serialize)]
struct WholeSearch {
    tours_estimate: f64,
    standard_error: f64,
    /// In 95 of 100 cases the number lies between.
    interval: [f64; 2],
    nodes_estimate: f64,
    /// Time with work of all workers.
    cpu_s_estimate: f64,
    /// What of that time is left.
    cpu_left_s_estimate: f64,
    /// Standard deviation of the nodes of a part, as a share of the mean.
    spread: f64,
}

impl Estimate {
    fn new(parts: &SearchParts) -> Estimate {
        let question = &parts.plan.question;
        let begun = parts.begun.values();
        let all = || parts.outcomes().chain(parts.begun.values().map(|part| &part.so_far));
        let (done, running) = (parts.outcomes().count(), begun.clone().filter(|part| part.is_running).count());
        Estimate {
            board: question.board().to_string(),
            ending: question.ending().name(),
            solver: question.method(),
            convention: question.convention(),
            parts: done,
            of: parts.of,
            running,
            stopped: begun.len() - running,
            missing: parts.of as usize - done - begun.len(),
            wrong: parts.wrong.len(),
            tours_so_far: all().map(|part| part.total().tours).fold(0, u64::saturating_add),
            nodes_so_far: all().map(|part| part.total().nodes).fold(0, u64::saturating_add),
            whole: (done >= TELLING).then(|| WholeSearch::new(parts, all().map(busy_s).sum())),
        }
    }
}

/// Seconds of all workers with work.
fn busy_s(part: &RunOutcome) -> f64 {
    part.workers.iter().map(|worker| worker.busy).sum::<Duration>().as_secs_f64()
}

impl WholeSearch {
    /// The estimate by the complete parts; `spent` seconds of work are done.
    fn new(parts: &SearchParts, spent: f64) -> WholeSearch {
        let whole = |of: fn(&RunOutcome) -> f64| parts.outcomes().map(of).collect::<Sample>().whole(parts.of);
        let tours = whole(|part| part.total().tours as f64);
        let nodes = whole(|part| part.total().nodes as f64);
        let busy = whole(busy_s);
        WholeSearch {
            tours_estimate: tours.sum,
            standard_error: tours.error,
            interval: tours.interval(),
            nodes_estimate: nodes.sum,
            cpu_s_estimate: busy.sum,
            cpu_left_s_estimate: (busy.sum - spent).max(0.0),
            spread: nodes.spread,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = |value: f64| grouped(value.round() as u64);
        let Estimate { board, ending, solver, convention, running, stopped, missing, wrong, .. } = self;
        writeln!(f, "{board} {ending} tours by {solver}, from {} of {}", self.parts, number_of(self.of, "part"))?;
        let wrong = if *wrong > 0 { format!(", {wrong} wrong") } else { String::new() };
        writeln!(f, "parts    {} done, {running} running, {stopped} stopped, {missing} missing{wrong}", self.parts)?;
        write!(f, "so far   {} tours, {} nodes", grouped(self.tours_so_far), grouped(self.nodes_so_far))?;
        let Some(WholeSearch { tours_estimate, standard_error, interval, .. }) = self.whole else { return Ok(()) };
        let error = 100.0 * standard_error / tours_estimate.max(1.0);
        let (tours, standard_error) = (whole(tours_estimate), whole(standard_error));
        write!(f, "\ntours    about {tours} {convention}, standard error {standard_error} ({error:.2} %)\n")?;
        writeln!(f, "95 %     {} to {}", whole(interval[0]), whole(interval[1]))?;
        let Some(WholeSearch { nodes_estimate, cpu_s_estimate, cpu_left_s_estimate, spread, .. }) = self.whole else {
            return Ok(());
        };
        let (nodes, spread) = (whole(nodes_estimate), 100.0 * spread);
        writeln!(f, "nodes    about {nodes}; a part has the mean, give or take {spread:.1} %")?;
        write!(f, "time     about {} of one core, {} of it left", span(cpu_s_estimate), span(cpu_left_s_estimate))
    }
}

/// Numbers in rising order, as words of the shell: `3 $(seq 7 9)`.
fn shell_numbers(numbers: &[u32]) -> String {
    let groups = numbers.chunk_by(|one, next| one + 1 == *next);
    let words = groups.map(|group| match group {
        [first, _, .., last] => format!("$(seq {first} {last})"),
        _ => group.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
    });
    words.collect::<Vec<_>>().join(" ")
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

/// What stands between the parts and the number.
#[derive(Serialize)]
struct MissingParts {
    board: Option<Board>,
    ending: Option<&'static str>,
    count: Option<String>,
    convention: Option<&'static str>,
    /// How many parts there are.
    parts: usize,
    residues: Vec<PartLine>,
    /// What is wrong, in sentences that begin with the name of a file where one is to blame.
    missing: Vec<String>,
    /// What to type for it, and then to merge again.
    commands: Vec<String>,
    complete: bool,
}

/// Puts together what these files are parts of. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when the number that they come to contradicts what is known; when stdout is gone.
pub fn merge_count(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    let mut parts = CountParts::read(&args.folder, files);
    let (question, remainders) = (parts.question, parts.remainders());
    let lines: Vec<PartLine> = parts.parts.iter().map(line).collect();
    let merged = question
        .filter(|_| parts.missing.is_empty())
        .map(|question| (question, MergedCount::new(&question, &remainders)));
    if let Some((_, MergedCount::Wrong(why))) = &merged {
        let folder = args.folder.display();
        return Err(usage(format!("{folder}: the number of its parts: {why}; make them again in another folder")));
    }
    if let Some((question, MergedCount::Known(count, how))) = merged {
        let finished = parts.whole(BoardNumber { board: question.board, count, evidence: how });
        let report = again(&question, &Settings::default(), &finished, CountReport::new);
        print(&report.of_parts(lines), args.json, false)?;
        return Ok(0);
    }
    if let Some(question) = &question {
        parts.add_commands(question, &remainders);
    }
    let missing = MissingParts {
        board: question.map(|question| question.board),
        ending: question.map(|question| question.ending.name()),
        count: None,
        convention: question.map(|question| question.convention().name()),
        parts: lines.len(),
        residues: lines,
        missing: parts.missing,
        commands: parts.commands,
        complete: false,
    };
    print(&missing, args.json, false)?;
    Ok(1)
}

fn line(part: &WholePart) -> PartLine {
    let WholePart { name, modulus, remainder, finished, .. } = part;
    let (remainder, elapsed_s) = (remainder.to_string(), finished.elapsed.as_secs_f64());
    PartLine { file: name.clone(), modulus: *modulus, remainder, elapsed_s }
}

impl fmt::Display for MissingParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(board), Some(ending)) = (self.board, self.ending) {
            writeln!(f, "{board} {ending} tours, {}", number_of(self.parts, "part"))?;
        }
        self.residues.iter().try_for_each(|part| {
            writeln!(f, "part     {} more than a multiple of {}", grouped(&part.remainder), grouped(part.modulus))
        })?;
        self.missing.iter().try_for_each(|missing| writeln!(f, "missing  {}", safe(missing)))?;
        self.commands.iter().try_for_each(|command| writeln!(f, "type     {}", safe(command)))?;
        write!(f, "NOT complete")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_written_as_ranges() {
        assert_eq!(ranges(&[3, 7, 8, 9, 11, 12]), "3, 7-9, 11-12");
        assert_eq!(shell_numbers(&[3, 7, 8, 9, 11, 12]), "3 $(seq 7 9) 11 12");
    }
}
