//! The parts of a count in a folder, judged: which are there, and what is missing until they give the number.

use crate::count::{BoardNumber, Count, CountQuestion, FinishedCount, MergedCount, SavedCount, unused_prime};
use crate::job::saving::{CountPart, modulus_of};
use crate::job::say::shell_word;
use crate::run::part::{CHECKPOINT, PART, of_most};
use crate::words::grouped;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A part that is whole.
pub struct WholePart {
    /// The name of its file.
    pub name: String,
    /// The prime.
    pub modulus: u32,
    /// The question.
    pub question: CountQuestion,
    /// The remainder by the prime.
    pub remainder: Count,
    /// What it took.
    pub finished: FinishedCount,
}

/// The parts of a count in a folder.
pub struct CountParts<'a> {
    folder: &'a Path,
    /// The question of the parts.
    pub question: Option<CountQuestion>,
    /// The complete parts.
    pub parts: Vec<WholePart>,
    /// What keeps the others from being put together, in sentences.
    pub missing: Vec<String>,
    /// What to type for that.
    pub commands: Vec<String>,
    /// Moduli of parts that are damaged.
    damaged: Vec<u32>,
    /// Moduli of parts that were stopped.
    stopped: Vec<u32>,
}

impl<'a> CountParts<'a> {
    /// Reads the parts of a count among these files.
    pub fn read(folder: &'a Path, files: &[PathBuf]) -> CountParts<'a> {
        let (missing, commands, damaged, stopped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut parts = CountParts { folder, question: None, parts: Vec::new(), missing, commands, damaged, stopped };
        files.iter().for_each(|file| parts.take(file));
        parts.question = parts.asked(files);
        if let Some(question) = parts.question {
            parts.refuse_others(&question);
        }
        parts
    }

    /// The remainders, by modulus.
    pub fn remainders(&self) -> BTreeMap<u32, BigUint> {
        self.parts.iter().map(|part| (part.modulus, part.remainder.value().clone())).collect()
    }

    /// Takes a file, if it is a part, and says what is wrong with it, if something is.
    fn take(&mut self, file: &Path) {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let modulus = modulus_of(&name);
        let is_checkpoint = name.ends_with(CHECKPOINT);
        if is_checkpoint && file.with_extension(&PART[1..]).exists() {
            return;
        }
        match SavedCount::read(file) {
            Ok(SavedCount { question, modulus: Some(prime), finished: Some(finished), .. })
                if modulus == Some(prime) && question.strip.is_none() && !finished.boards.is_empty() =>
            {
                let remainder = finished.boards[0].count.clone();
                self.parts.push(WholePart { name, modulus: prime, question, remainder, finished });
            }
            // A checkpoint that was resumed to its end is a part too.
            _ if is_checkpoint => self.stopped.extend(modulus),
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

    /// The question of most parts, or else of a checkpoint.
    fn asked(&self, files: &[PathBuf]) -> Option<CountQuestion> {
        // A range has no parts.
        let of_board = |saved: SavedCount| Some(saved.question).filter(|question| question.strip.is_none());
        let begun = || files.iter().find_map(|file| of_board(SavedCount::read(file).ok()?));
        of_most(self.parts.iter().map(|part| part.question)).or_else(begun)
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
    pub fn add_commands(&mut self, question: &CountQuestion, remainders: &BTreeMap<u32, BigUint>) {
        let mut moduli = self.damaged.clone();
        if let MergedCount::Open { least, product } = MergedCount::new(question, remainders) {
            let known = match remainders.is_empty() {
                true => "nothing is known of the number yet".to_owned(),
                false => {
                    let (least, product) = (grouped(&least), grouped(&product));
                    format!("the number is {least} more than a multiple of {product}, and not known")
                }
            };
            self.missing.push(format!("{known}: moduli are wanted until one more changes nothing"));
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

    /// The number that all parts come to, and what they took.
    pub fn whole(&self, number: BoardNumber) -> FinishedCount {
        let all = || self.parts.iter().map(|part| &part.finished);
        FinishedCount {
            boards: vec![number],
            states: all().map(|part| part.states).fold(0, u64::saturating_add),
            peak_states: all().map(|part| part.peak_states).max().unwrap_or(0),
            threads: all().map(|part| part.threads).max().unwrap_or(0),
            elapsed: all().map(|part| part.elapsed).fold(Duration::ZERO, Duration::saturating_add),
        }
    }
}
