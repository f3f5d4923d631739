//! `destrier merge` of a count: the remainders of one folder, put together to the number; or what is missing.

use crate::board::Board;
use crate::cli::args::MergeArgs;
use crate::cli::count::{CountReport, PartLine, again};
use crate::count::{BoardNumber, MergedCount, Settings};
use crate::job::parts::{CountParts, WholePart};
use crate::job::say::{print, safe};
use crate::job::{Failure, usage};
use crate::words::{grouped, number_of};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

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
pub fn run(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
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
