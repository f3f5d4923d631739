//! The parts in a folder: which files are parts of which question, what is missing, and what all parts come to.
//!
//! [`SearchParts::sum`] adds up the totals of a search; [`CountParts`] gathers the remainders of a count.

use crate::bounded::{FileFormat, FileKind, refusal};
use crate::claim::is_held;
use crate::count::{
    BoardNumber, CHECKED_PLAN_BYTES, Count, CountPlan, CountQuestion, CountWatch, FinishedCount, MergedCount,
    SavedCount, SavedQuestion, unused_prime,
};
use crate::job::command_line::CommandLine;
use crate::job::fault::{Failure, usage};
use crate::job::say::shell_word;
use crate::run::part::{self, CHECKPOINT, PART, of_most};
use crate::run::{Checkpoint, Plan};
use crate::saved::SavedRun as _;
use crate::schedule::{RunOutcome, Shard, StopReason, Totals};
use crate::words::grouped;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The kinds of the files that are recognised, in the order of the files.
pub fn part_kinds(files: &[PathBuf]) -> Vec<FileKind> {
    files.iter().filter_map(|file| Some(FileFormat::of_file(file).ok()??.kind)).collect()
}

/// The files that may be parts or checkpoints of parts, in the order of their names.
///
/// # Errors
/// [`Failure::Usage`] when it is no folder that can be read.
pub fn part_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let failed = |why: &dyn std::fmt::Display| {
        usage(format!("{}: {why}: name a folder that --out-dir has made", folder.display()))
    };
    if folder.is_file() {
        let why = FileFormat::of_file(folder).ok().flatten().map(|found| refusal(Some(found), "folder of parts"));
        return Err(why.map_or_else(|| failed(&"is no folder"), |why| usage(format!("{}: {why}", folder.display()))));
    }
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| failed(&error))?;
    let mut files: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    files.retain(|file| {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // Those that begin with a dot are not written to their end.
        !name.starts_with('.') && [PART, CHECKPOINT].iter().any(|end| name.ends_with(end))
    });
    files.sort();
    Ok(files)
}

/// The parts of a search in a folder.
pub struct SearchParts {
    pub plan: Plan,
    pub of: u32,
    /// The complete parts, by number.
    done: BTreeMap<u32, Checkpoint>,
    /// The parts that are not complete and have a checkpoint, by number.
    pub begun: BTreeMap<u32, BegunPart>,
    /// Files that are no part of it.
    pub wrong: Vec<WrongPart>,
}

/// A part that is running or was stopped.
pub struct BegunPart {
    pub so_far: RunOutcome,
    /// Whether a process holds its checkpoint.
    pub is_running: bool,
}

/// A file that is no part, or not under this name.
pub struct WrongPart {
    /// The file.
    pub path: PathBuf,
    /// In words that follow its name.
    pub why: String,
    /// The number of the part that it is, under another name.
    is_part: Option<u32>,
}

impl SearchParts {
    /// Reads the parts of a search among these files. Where no part is whole, the checkpoints tell which search it is.
    ///
    /// # Errors
    /// What is wrong with each file, when none is a part and no checkpoint is one of a part.
    pub fn read(files: &[PathBuf]) -> Result<SearchParts, Vec<WrongPart>> {
        let is_begun = |file: &PathBuf| file.to_string_lossy().ends_with(CHECKPOINT);
        let (begun, files): (Vec<PathBuf>, Vec<PathBuf>) = files.iter().cloned().partition(is_begun);
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for path in files {
            match Checkpoint::read(&path) {
                Ok(part) => read.push((path, part)),
                Err(error) => wrong.push(WrongPart { path, why: error.to_string(), is_part: None }),
            }
        }
        let key = |part: &Checkpoint| Some((part.plan.shard?.of(), part.plan.undivided().subject()));
        let most = of_most(read.iter().filter_map(|(_, part)| key(part)));
        let first = read.iter().find(|(_, part)| most.is_some() && key(part) == most);
        let of_part = |part: &Checkpoint| Some((part.plan.clone(), part.plan.shard?.of()));
        // A checkpoint that cannot be read is about to be replaced, or was never whole: its part is missing.
        let begun: Vec<(PathBuf, Checkpoint)> =
            begun.into_iter().filter_map(|path| Checkpoint::read(&path).ok().map(|part| (path, part))).collect();
        let of_begun = || begun.iter().find_map(|(_, part)| of_part(part));
        let Some((plan, of)) = first.and_then(|(_, part)| of_part(part)).or_else(of_begun) else {
            let none = |(path, _)| WrongPart { path, why: "is no part of a search".to_owned(), is_part: None };
            wrong.extend(read.into_iter().map(none));
            return Err(wrong);
        };
        let mut parts = SearchParts { plan, of, done: BTreeMap::new(), begun: BTreeMap::new(), wrong };
        for (path, part) in read {
            match part::fault(&path, &part.plan, part.has_ended(), parts.is_mine(&part)) {
                Some(fault) => {
                    let is_part =
                        part.plan.shard.filter(|_| part.has_ended() && parts.is_mine(&part)).map(Shard::index);
                    parts.wrong.push(WrongPart { path, why: fault, is_part });
                }
                None => drop(part.plan.shard.map(|shard| parts.done.insert(shard.index(), part))),
            }
        }
        for (path, part) in begun {
            // A copy under another name is none.
            let has_name = path.file_name().and_then(|name| part::named(name.to_str()?)) == part.plan.shard;
            let is_open = |shard: &Shard| parts.is_mine(&part) && !parts.done.contains_key(&shard.index());
            let shard = part.plan.shard.filter(|shard| has_name && is_open(shard));
            if let Some(shard) = shard {
                let begun = BegunPart { so_far: part.so_far, is_running: is_held(&path) };
                parts.begun.insert(shard.index(), begun);
            }
        }
        Ok(parts)
    }

    /// Whether it is of the same question, cut into as many parts.
    fn is_mine(&self, part: &Checkpoint) -> bool {
        let wanted = Plan { shard: part.plan.shard, ..self.plan.clone() };
        part.plan.shard.is_some_and(|shard| shard.of() == self.of) && Checkpoint::is_same(&part.plan, &wanted)
    }

    /// The commands after which all parts are there, and nothing else is: those that give files other names, and those that
    /// make parts, each with the number of the part.
    pub fn commands(&self, folder: &Path, missing: &[u32]) -> (Vec<String>, Vec<(u32, String)>) {
        let (mut commands, mut missing) = (Vec::new(), missing.to_vec());
        for WrongPart { path, is_part, .. } in &self.wrong {
            let own = is_part.filter(|index| missing.contains(index)).and_then(|index| Shard::new(index, self.of));
            let to = match own.map(|shard| (shard, part::path(folder, shard))) {
                Some((shard, own)) if !own.exists() => {
                    missing.retain(|&index| index != shard.index());
                    own
                }
                _ => path.with_added_extension("other"),
            };
            commands.push(format!("mv {} {}", shell_word(path), shell_word(&to)));
        }
        let command = |index| {
            let shard = Shard::new(index, self.of);
            let plan = Plan { shard, ..self.plan.clone() };
            (index, CommandLine::search(&plan).out_dir(folder).to_string())
        };
        (commands, missing.into_iter().map(command).collect())
    }

    /// The outcome of all parts together, with a row of workers for each part. Where parts are missing it is a stopped one, with what
    /// their checkpoints have.
    pub fn sum(&self) -> RunOutcome {
        let stopped = (!self.missing().is_empty()).then_some(StopReason::Signal);
        let mut whole = RunOutcome { stopped, ..RunOutcome::default() };
        for so_far in self.outcomes().chain(self.begun.values().map(|part| &part.so_far)) {
            let mut row = Totals::default();
            so_far.workers.iter().for_each(|worker| row.add(worker));
            whole.workers.push(row);
            whole.elapsed += so_far.elapsed;
            whole.slowed += so_far.slowed;
            whole.events_lost += so_far.events_lost;
        }
        whole
    }

    /// The outcomes of the complete parts.
    pub fn outcomes(&self) -> impl Iterator<Item = &RunOutcome> {
        self.done.values().map(|part| &part.so_far)
    }

    pub fn missing(&self) -> Vec<u32> {
        (1..=self.of).filter(|index| !self.done.contains_key(index)).collect()
    }
}

pub struct WholePart {
    /// The name of its file.
    pub name: String,
    /// The prime.
    pub modulus: u32,
    saved: SavedCount,
    /// The remainder by the prime.
    pub remainder: Count,
    /// What it took.
    pub finished: FinishedCount,
}

/// The parts of a count in a folder.
#[derive(Default)]
pub struct CountParts {
    folder: PathBuf,
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

impl CountParts {
    /// Reads the parts of a count among these files.
    pub fn read(folder: &Path, files: &[PathBuf]) -> CountParts {
        let mut parts = CountParts { folder: folder.to_owned(), ..CountParts::default() };
        files.iter().for_each(|file| parts.take(file));
        parts.question = parts.asked(files);
        if let Some(question) = parts.question.clone() {
            parts.refuse_others(&question);
            parts.refuse_changed(&question);
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
        let modulus = part::modulus_of(&name);
        let is_checkpoint = name.ends_with(CHECKPOINT);
        if is_checkpoint && file.with_extension(&PART[1..]).exists() {
            return;
        }
        let whole = |saved: &SavedCount| {
            let SavedQuestion { question, modulus: prime } = &saved.question;
            let finished = saved.finished().filter(|_| *prime == modulus && question.range.is_none())?;
            Some(((*prime)?, finished.boards.first()?.count.clone(), finished))
        };
        match SavedCount::read(file).map(|saved| (whole(&saved), saved)) {
            Ok((Some((modulus, remainder, finished)), saved)) => {
                self.parts.push(WholePart { name, modulus, saved, remainder, finished });
            }
            // A checkpoint that was resumed to its end is a part too.
            _ if is_checkpoint => self.stopped.extend(modulus),
            Ok((None, kept)) => {
                self.missing.push(format!("{name}: is not what its name says: it holds the {}", kept.question.words()));
                self.move_away(&name);
            }
            Err(fault) => {
                self.missing.push(format!("{name}: {fault}"));
                match modulus {
                    Some(modulus) => self.damaged.push(modulus),
                    None => self.move_away(&name),
                }
            }
        }
    }

    /// Takes out parts that no count can have finished so, which are made again.
    fn refuse_changed(&mut self, question: &CountQuestion) {
        let Ok(plan) = CountPlan::new(question, CHECKED_PLAN_BYTES, &CountWatch::new(1)) else { return };
        for part in std::mem::take(&mut self.parts) {
            match part.saved.check_states(&plan) {
                Ok(()) => self.parts.push(part),
                Err(why) => {
                    self.missing.push(format!("{}: {why}: the file was changed", part.name));
                    self.damaged.push(part.modulus);
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
        let of_board = |saved: SavedCount| Some(saved.question.question).filter(|question| question.range.is_none());
        let begun = || files.iter().find_map(|file| of_board(SavedCount::read(file).ok()?));
        of_most(self.parts.iter().map(|part| part.saved.question.question.clone())).or_else(begun)
    }

    /// Takes out parts of another question.
    fn refuse_others(&mut self, question: &CountQuestion) {
        let others: Vec<_> = self.parts.extract_if(.., |part| part.saved.question.question != *question).collect();
        for WholePart { name, saved, .. } in others {
            let question = saved.question.question;
            let (board, ending) = (question.name(), question.ending.name());
            self.missing.push(format!("{name}: is a part of another question, the {ending} tours of {board}"));
            self.move_away(&name);
        }
    }

    /// Adds what else is wanted where what there is does not give a number, and the commands that make it all.
    pub fn add_commands(&mut self, question: &CountQuestion, remainders: &BTreeMap<u32, BigUint>) {
        let mut moduli = self.damaged.clone();
        if let MergedCount::Open { least, product } = MergedCount::new(question, remainders) {
            let known = if remainders.is_empty() {
                "nothing is known of the number yet".to_owned()
            } else {
                let (least, product) = (grouped(&least), grouped(&product));
                format!("the number is {least} more than a multiple of {product}, and not known")
            };
            self.missing.push(format!("{known}: moduli are wanted until one more changes nothing"));
            let stopped = |modulus: &u32| format!("modulo-{modulus}{CHECKPOINT}: was stopped, and is no part yet");
            self.missing.extend(self.stopped.iter().map(stopped));
            moduli.append(&mut self.stopped);
            if moduli.is_empty() {
                moduli.push(unused_prime(|prime| remainders.contains_key(&prime)));
            }
        }
        let command = |modulus: u32| CommandLine::count_part(&self.folder, question, modulus).to_string();
        self.commands.extend(moduli.into_iter().map(command));
        self.commands.push(CommandLine::merge(&self.folder).to_string());
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
