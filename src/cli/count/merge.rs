//! `destrier merge` of a count: the remainders of one folder, put together to the number; or what is missing.

use super::part::{CountPart, modulus_of};
use super::report::{CountReport, PartLine};
use crate::board::Board;
use crate::cli::failure::{Failure, usage};
use crate::cli::merge::MergeArgs;
use crate::cli::say::{print, safe, shell_word};
use crate::count::{BoardNumber, Count, CountQuestion, FinishedCount, MergedCount, SavedCount, unused_prime};
use crate::run::part::{CHECKPOINT, PART};
use crate::words::{grouped, number_of};
use num_bigint::BigUint;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A part that is whole.
struct WholePart {
    name: String,
    modulus: u32,
    question: CountQuestion,
    remainder: Count,
    finished: FinishedCount,
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

/// Puts together what these files are parts of; answers the exit code.
///
/// # Errors
/// [`Failure::Usage`] when the number that they come to contradicts what is known; when stdout is gone.
pub fn run(args: &MergeArgs, files: &[PathBuf]) -> Result<u8, Failure> {
    let mut heap = Heap {
        folder: &args.folder,
        parts: Vec::new(),
        missing: Vec::new(),
        commands: Vec::new(),
        damaged: Vec::new(),
        stopped: Vec::new(),
    };
    files.iter().for_each(|file| heap.take(file));
    let question = heap.question(files);
    if let Some(question) = &question {
        heap.refuse_others(question);
    }
    let remainders = heap.parts.iter().map(|part| (part.modulus, part.remainder.value().clone())).collect();
    let lines: Vec<PartLine> = heap.parts.iter().map(line).collect();
    let merged = question
        .filter(|_| heap.missing.is_empty())
        .map(|question| (question, MergedCount::new(&question, &remainders)));
    if let Some((_, MergedCount::Wrong(why))) = &merged {
        let folder = args.folder.display();
        return Err(usage(format!("{folder}: the number of its parts: {why}; make them again in another folder")));
    }
    if let Some((question, MergedCount::Known(count, how))) = merged {
        let finished = whole(&heap.parts, BoardNumber { board: question.board, count, evidence: how });
        print(&CountReport::again(&question, None, &finished).of_parts(lines), args.json, false)?;
        return Ok(0);
    }
    if let Some(question) = &question {
        heap.say_what_to_type(question, &remainders);
    }
    let missing = MissingParts {
        board: question.map(|question| question.board),
        ending: question.map(|question| question.ending.name()),
        count: None,
        convention: question.map(|question| question.convention().name()),
        parts: lines.len(),
        residues: lines,
        missing: heap.missing,
        commands: heap.commands,
        complete: false,
    };
    print(&missing, args.json, false)?;
    Ok(1)
}

/// The number that parts come to, and what they took.
fn whole(parts: &[WholePart], number: BoardNumber) -> FinishedCount {
    let all = || parts.iter().map(|part| &part.finished);
    FinishedCount {
        boards: vec![number],
        states: all().map(|part| part.states).fold(0, u64::saturating_add),
        peak_states: all().map(|part| part.peak_states).max().unwrap_or(0),
        threads: all().map(|part| part.threads).max().unwrap_or(0),
        elapsed: all().map(|part| part.elapsed).fold(Duration::ZERO, Duration::saturating_add),
    }
}

fn line(part: &WholePart) -> PartLine {
    let WholePart { name, modulus, remainder, finished, .. } = part;
    let (remainder, elapsed_s) = (remainder.to_string(), finished.elapsed.as_secs_f64());
    PartLine { file: name.clone(), modulus: *modulus, remainder, elapsed_s }
}

/// What a folder has.
struct Heap<'a> {
    folder: &'a Path,
    parts: Vec<WholePart>,
    /// What keeps the others from being put together.
    missing: Vec<String>,
    /// What to type for that.
    commands: Vec<String>,
    /// Moduli of parts that are damaged.
    damaged: Vec<u32>,
    /// Moduli of parts that were stopped.
    stopped: Vec<u32>,
}

impl Heap<'_> {
    /// Takes a file, if it is a part, and says what is wrong with it, if something is.
    fn take(&mut self, file: &Path) {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let modulus = modulus_of(&name);
        if name.ends_with(CHECKPOINT) {
            self.stopped.extend(modulus.filter(|_| !file.with_extension(&PART[1..]).exists()));
            return;
        }
        match SavedCount::read(file) {
            Ok(SavedCount { question, modulus: Some(prime), finished: Some(finished), .. })
                if modulus == Some(prime) && question.strip.is_none() && !finished.boards.is_empty() =>
            {
                let remainder = finished.boards[0].count.clone();
                self.parts.push(WholePart { name, modulus: prime, question, remainder, finished });
            }
            Ok(kept) => {
                self.missing.push(format!("{name}: is not what its name says: it holds the {}", kept.words()));
                self.move_away(&name);
            }
            Err(error) => {
                self.missing.push(error.to_string());
                match modulus {
                    Some(modulus) => self.damaged.push(modulus),
                    None => self.move_away(&name),
                }
            }
        }
    }

    fn move_away(&mut self, name: &str) {
        let [from, to] = [name.to_owned(), format!("{name}.other")].map(|name| shell_word(&self.folder.join(name)));
        self.commands.push(format!("mv {from} {to}"));
    }

    /// What is asked: what most parts are of, and of two as many the first; or else what is not done.
    fn question(&self, files: &[PathBuf]) -> Option<CountQuestion> {
        let of = |question: &CountQuestion| self.parts.iter().filter(|part| part.question == *question).count();
        let most = self.parts.iter().rev().max_by_key(|part| of(&part.question)).map(|part| part.question);
        most.or_else(|| files.iter().find_map(|file| SavedCount::read(file).ok()).map(|kept| kept.question))
    }

    /// Takes out parts of another question.
    fn refuse_others(&mut self, question: &CountQuestion) {
        let parts = std::mem::take(&mut self.parts);
        let (same, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.question == *question);
        self.parts = same;
        for WholePart { name, question: CountQuestion { board, ending, .. }, .. } in others {
            let ending = ending.name();
            self.missing.push(format!("{name}: is a part of another question, the {ending} tours of {board}"));
            self.move_away(&name);
        }
    }

    /// Adds what else is wanted where what there is does not give a number, and the commands that make it all.
    fn say_what_to_type(&mut self, question: &CountQuestion, remainders: &BTreeMap<u32, BigUint>) {
        let mut moduli = self.damaged.clone();
        if let MergedCount::Open { least, product } = MergedCount::new(question, remainders) {
            let (least, product) = (grouped(&least), grouped(&product));
            self.missing.push(format!(
                "the number is {least} more than a multiple of {product}, and not known: moduli are wanted until one \
                 more changes nothing"
            ));
            let stopped = |modulus: &u32| format!("modulo-{modulus}{CHECKPOINT}: was stopped, and is no part yet");
            self.missing.extend(self.stopped.iter().map(stopped));
            moduli.append(&mut self.stopped);
            if moduli.is_empty() {
                moduli.push(unused_prime(|prime| remainders.contains_key(&prime)));
            }
        }
        let command = |modulus: u32| CountPart::new(self.folder, question, modulus).command();
        self.commands.extend(moduli.into_iter().map(command));
        self.commands.push(format!("destrier merge {}", shell_word(self.folder)));
    }
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
