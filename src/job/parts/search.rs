//! The parts of a search in a folder, judged: which are there, which are missing, and which files are wrong.

use crate::claim::is_held;
use crate::job::saving::part_command;
use crate::job::say::shell_word;
use crate::run::part::{self, CHECKPOINT, of_most};
use crate::run::{Checkpoint, Plan};
use crate::schedule::{RunOutcome, Shard, Totals};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The parts of a search in a folder.
pub struct SearchParts {
    /// The plan of one of the parts.
    pub plan: Plan,
    /// The number of parts that the search has.
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
    /// What it has done so far.
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

impl WrongPart {
    fn new(path: PathBuf, why: impl Into<String>) -> WrongPart {
        WrongPart { path, why: why.into(), is_part: None }
    }
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
                Err(error) => wrong.push(WrongPart::new(path, error.to_string())),
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
            wrong.extend(read.into_iter().map(|(path, _)| WrongPart::new(path, "is no part of a search")));
            return Err(wrong);
        };
        let mut parts = SearchParts { plan, of, done: BTreeMap::new(), begun: BTreeMap::new(), wrong };
        for (path, part) in read {
            match part::fault(&path, &part.plan, part.ended, parts.is_mine(&part)) {
                Some(fault) => {
                    let is_part = part.plan.shard.filter(|_| part.ended && parts.is_mine(&part)).map(Shard::index);
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
        part.plan.shard.is_some_and(|shard| shard.of() == self.of) && part.is_of(&wanted)
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
                _ => {
                    let mut other = path.as_os_str().to_owned();
                    other.push(".other");
                    other.into()
                }
            };
            commands.push(format!("mv {} {}", shell_word(path), shell_word(&to)));
        }
        let command = |index| {
            let shard = Shard::new(index, self.of);
            (index, part_command(&Plan { shard, ..self.plan.clone() }, folder))
        };
        (commands, missing.into_iter().map(command).collect())
    }

    /// The outcome of all parts together, with a row of workers for each part.
    pub fn sum(&self) -> RunOutcome {
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

    /// The outcomes of the complete parts.
    pub fn outcomes(&self) -> impl Iterator<Item = &RunOutcome> {
        self.done.values().map(|part| &part.so_far)
    }

    /// The numbers of the missing parts.
    pub fn missing(&self) -> Vec<u32> {
        (1..=self.of).filter(|index| !self.done.contains_key(index)).collect()
    }
}
