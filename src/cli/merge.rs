//! `destrier merge`: the parts of one question, put together, or how far they are.

use crate::bounded::FileKind;
use crate::cli::count::{PartLine, finished_report};
use crate::cli::search::search_report;
use crate::count::{BoardNumber, CountQuestion, MergedCount, Settings};
use crate::job::parts::{CountParts, SearchParts, WholePart, WrongPart, part_files, part_kinds};
use crate::job::{Answer, Failure, NoReason, Report, keys, print, say, usage};
use crate::run::{Plan, Sample};
use crate::schedule::RunOutcome;
use crate::words::{grouped, number_of, span};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `destrier merge`.
#[derive(Args)]
pub struct MergeArgs {
    /// The folder of the parts, as --out-dir made it
    pub folder: PathBuf,
    /// Say how far the parts are, and estimate the whole from them, with the standard error
    ///
    /// Checkpoints of parts that are running or stopped count too.
    #[arg(long)]
    estimate: bool,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// Puts the parts together that are there.
///
/// # Errors
/// [`Failure::Usage`] when there are none; [`Failure`] when their sum contradicts what is known, or nothing can be printed.
pub fn run(args: &MergeArgs) -> Result<Answer, Failure> {
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
pub fn merge_search(args: &MergeArgs, files: &[PathBuf]) -> Result<Answer, Failure> {
    let &MergeArgs { ref folder, estimate, json, .. } = args;
    let parts = match SearchParts::read(files) {
        Ok(parts) => parts,
        Err(wrong) => {
            say_wrong(&wrong)?;
            say(format_args!("{} has no part that is whole", folder.display()))?;
            return Ok(Answer::No(NoReason::PartsMissing));
        }
    };
    say_wrong(&parts.wrong)?;
    let (whole, sum, missing) = (parts.plan.undivided(), parts.sum(), parts.missing());
    if let Some(why) = whole.contradiction(&sum) {
        let folder = folder.display();
        return Err(usage(format!("{folder}: the sum of its parts: {why}; make them again in another folder")));
    }
    if estimate {
        return print_estimate(&parts, folder, json);
    }
    if missing.is_empty() && parts.wrong.is_empty() {
        print(&search_report(&whole, &sum, None, Some(parts.of)), json, false)?;
        return Ok(Answer::Yes);
    }
    print(&missing_of_search(&parts, folder, missing), json, false)?;
    Ok(Answer::No(NoReason::PartsMissing))
}

fn say_wrong(wrong: &[WrongPart]) -> Result<(), Failure> {
    wrong.iter().try_for_each(|WrongPart { path, why, .. }| say(format_args!("{} {why}", path.display())))
}

/// What is missing, and the commands that make it.
fn missing_of_search(parts: &SearchParts, folder: &Path, missing: Vec<u32>) -> Report {
    let begun: Vec<u32> = parts.begun.keys().copied().collect();
    let (renaming, making) = parts.commands(folder, &missing);
    let (Plan { question, .. }, done) = (&parts.plan, parts.outcomes().count());
    let mut report = Report::default();
    let (board, ending) = (question.shape().short(), question.ending().name());
    report.text(format_args!("{board} {ending} tours by {}", question.method()));
    let wrong = if parts.wrong.is_empty() { String::new() } else { format!(", {} wrong", parts.wrong.len()) };
    report.line("parts", format_args!("{done} of {}, {} missing{wrong}", parts.of, missing.len()));
    report.line_if("missing", (!missing.is_empty()).then(|| ranges(&missing)));
    let stopped = |begun: &[u32]| format!("{}: they are being done, or were stopped and go on", ranges(begun));
    report.line_if("begun", (!begun.is_empty()).then(|| stopped(&begun)));
    report.text("to be made whole by");
    renaming.iter().for_each(|command| report.text(format_args!("  {command}")));
    match &making[..] {
        [] => {}
        [(_, command)] => report.text(format_args!("  {command}")),
        [(first, command), ..] => {
            let numbers: Vec<u32> = making.iter().map(|&(number, _)| number).collect();
            let shard = |number: &str| format!("--shard {number}/{}", parts.of);
            let command = command.replacen(&shard(&first.to_string()), &shard("$part"), 1);
            report.text(format_args!("  for part in {}; do {command} || break; done", shell_numbers(&numbers)));
        }
    }
    report.text("NOT complete");
    let making = making.into_iter().map(|(_, command)| command);
    let commands: Vec<String> = renaming.into_iter().chain(making).collect();
    let wrong: Vec<String> = parts.wrong.iter().map(|wrong| wrong.path.display().to_string()).collect();
    keys!(report, begun, question.board(), commands, "complete" => false, missing, parts.of, "parts" => done, wrong);
    report
}

fn print_estimate(parts: &SearchParts, folder: &Path, json: bool) -> Result<Answer, Failure> {
    let (report, done) = (estimate(parts), parts.outcomes().count());
    print(&report, json, false)?;
    if done >= TELLING {
        return Ok(Answer::Yes);
    }
    let done = number_of(done, "whole part");
    say(format_args!("{} has {done}; two tell something of all", folder.display()))?;
    Ok(Answer::No(NoReason::PartsMissing))
}

/// How far the parts of a search are, and what some of them tell of all.
fn estimate(parts: &SearchParts) -> Report {
    let question = &parts.plan.question;
    let (shape, ending, solver) = (question.shape(), question.ending().name(), question.method());
    let (done, begun, wrong) = (parts.outcomes().count(), parts.begun.len(), parts.wrong.len());
    let all = || parts.outcomes().chain(parts.begun.values().map(|part| &part.so_far));
    let mut report = Report::default();

    let of = number_of(parts.of, "part");
    report.text(format_args!("{} {ending} tours by {solver}, from {done} of {of}", shape.short()));
    keys!(report, "board" => shape.board(), "holes"? => shape.has_holes().then(|| shape.hole_names()), ending, solver, question.convention(), "parts" => done, parts.of);
    // Parts whose checkpoint a process holds, and those whose checkpoint none does.
    let running = parts.begun.values().filter(|part| part.is_running).count();
    let (stopped, missing) = (begun - running, parts.of as usize - done - begun);
    keys!(report, running, stopped, missing, wrong);
    let wrong = if wrong > 0 { format!(", {wrong} wrong") } else { String::new() };
    let words = format!("{done} done, {running} running, {stopped} stopped, {missing} missing{wrong}");
    report.line("parts", words);
    let so_far = |of: fn(&RunOutcome) -> u64| all().map(of).fold(0, u64::saturating_add);
    let (tours, nodes) = (so_far(|part| part.total().tours), so_far(|part| part.total().nodes));
    keys!(report, "tours_so_far" => tours, "nodes_so_far" => nodes);
    report.line("so far", format_args!("{} tours, {} nodes", grouped(tours), grouped(nodes)));
    if done >= TELLING {
        tell_whole(&mut report, parts, all().map(busy_s).sum());
    }
    report
}

/// Seconds of all workers with work.
fn busy_s(part: &RunOutcome) -> f64 {
    part.workers.iter().map(|worker| worker.busy).sum::<Duration>().as_secs_f64()
}

/// What two complete parts and more tell of all; `spent` seconds of work are done.
fn tell_whole(report: &mut Report, parts: &SearchParts, spent: f64) {
    let whole = |of: fn(&RunOutcome) -> f64| parts.outcomes().map(of).collect::<Sample>().whole(parts.of);
    let tours = whole(|part| part.total().tours as f64);
    let nodes = whole(|part| part.total().nodes as f64);
    let busy = whole(busy_s);
    let (left, round) = ((busy.sum - spent).max(0.0), |value: f64| grouped(value.round() as u64));

    let (error, share) = (round(tours.error), 100.0 * tours.error / tours.sum.max(1.0));
    let (sum, convention) = (round(tours.sum), parts.plan.question.convention());
    let words = format!("about {sum} {convention}, standard error {error} ({share:.2} %)");
    report.fact("tours_estimate", tours.sum, "tours", words);
    report.key("standard_error", tours.error);
    // In 95 of 100 cases the number lies between.
    let [low, high] = tours.interval();
    report.fact("interval", [low, high], "95 %", format_args!("{} to {}", round(low), round(high)));
    let words = format!("about {}; a part has the mean, give or take {:.1} %", round(nodes.sum), 100.0 * nodes.spread);
    report.fact("nodes_estimate", nodes.sum, "nodes", words);
    // Time with work of all workers, and what is left of it.
    let words = format!("about {} of one core, {} of it left", span(busy.sum), span(left));
    report.fact("cpu_s_estimate", busy.sum, "time", words);
    report.key("cpu_left_s_estimate", left);
    // Standard deviation of the nodes of a part, as a share of the mean.
    report.key("spread", nodes.spread);
}

/// Numbers in rising order, as words of the shell: `3 $(seq 7 9)`.
fn shell_numbers(numbers: &[u32]) -> String {
    in_groups(numbers, " ", |group| match group {
        [first, _, .., last] => format!("$(seq {first} {last})"),
        _ => group.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
    })
}

/// Numbers in rising order: `3, 7-9`.
fn ranges(numbers: &[u32]) -> String {
    in_groups(numbers, ", ", |group| match group {
        [first, .., last] => format!("{first}-{last}"),
        _ => group.iter().map(u32::to_string).collect(),
    })
}

/// Words for each group of numbers that follow one another.
fn in_groups(numbers: &[u32], between: &str, words: impl Fn(&[u32]) -> String) -> String {
    numbers.chunk_by(|one, next| one + 1 == *next).map(words).collect::<Vec<_>>().join(between)
}

/// Puts together what these files are parts of.
///
/// # Errors
/// [`Failure::Usage`] when the number that they come to contradicts what is known; when stdout is gone.
pub fn merge_count(args: &MergeArgs, files: &[PathBuf]) -> Result<Answer, Failure> {
    let mut parts = CountParts::read(&args.folder, files);
    let (question, remainders) = (parts.question.clone(), parts.remainders());
    let lines: Vec<PartLine> = parts.parts.iter().map(line).collect();
    let asked = question.as_ref().filter(|_| parts.missing.is_empty());
    let merged = asked.map(|question| (question, MergedCount::new(question, &remainders)));
    if let Some((_, MergedCount::Wrong(why))) = &merged {
        let folder = args.folder.display();
        return Err(usage(format!("{folder}: the number of its parts: {why}; make them again in another folder")));
    }
    if let Some((question, MergedCount::Known(count, how))) = merged {
        let finished = parts.whole(BoardNumber { board: question.board(), count, evidence: how });
        print(&finished_report(question, &Settings::default(), &finished, Some(lines)), args.json, false)?;
        return Ok(Answer::Yes);
    }
    if let Some(question) = &question {
        parts.add_commands(question, &remainders);
    }
    print(&missing_of_count(&parts, lines), args.json, false)?;
    Ok(Answer::No(NoReason::PartsMissing))
}

/// What stands between the parts and the number.
fn missing_of_count(parts: &CountParts, lines: Vec<PartLine>) -> Report {
    let mut report = Report::default();
    let question = parts.question.as_ref();
    report.key("board", question.map(|question| question.board()));
    keys!(report, "holes"? => question.and_then(CountQuestion::hole_names));
    keys!(report, "ending" => question.map(|question| question.ending.name()), "count" => None::<()>);
    keys!(report, "convention" => question.map(|question| question.convention().name()), "parts" => lines.len());
    if let Some(question) = question {
        let parts = number_of(lines.len(), "part");
        report.text(format_args!("{} {} tours, {parts}", question.name(), question.ending.name()));
    }
    for part in &lines {
        let [rest, modulus] = [grouped(&part.remainder), grouped(part.modulus)];
        report.line("part", format_args!("{rest} more than a multiple of {modulus}"));
    }
    report.key("residues", lines);
    // What is wrong, in sentences that begin with the name of a file where one is to blame; and what to type for it.
    parts.missing.iter().for_each(|missing| report.line("missing", missing));
    report.key("missing", parts.missing.clone());
    parts.commands.iter().for_each(|command| report.line("type", command));
    keys!(report, "commands" => parts.commands.clone(), "complete" => false);
    report.text("NOT complete");
    report
}

fn line(part: &WholePart) -> PartLine {
    let WholePart { name, modulus, remainder, finished, .. } = part;
    let (remainder, elapsed_s) = (remainder.to_string(), finished.elapsed.as_secs_f64());
    PartLine { file: name.clone(), modulus: *modulus, remainder, elapsed_s }
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
