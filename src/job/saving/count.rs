//! The file that a count is saved in: claimed before the work, and what is said of it at the end.
//!
//! The count itself saves and resumes ([`Settings`]); here is what a run of it does with its file.
//!
//! A part of a count: its remainder by one prime, in a file of a folder of such parts.
//!
//! A part is the checkpoint of a complete count under another name: `modulo-P.checkpoint` until it holds the remainder, and
//! `modulo-P.part` from then on.

use super::place::{is_made_again, refuse_link};
use crate::count::{CountAnswer, CountPosition, CountQuestion, SavedCount, Settings};
use crate::job::command_line::CommandLine;
use crate::job::failure::{Failure, running, usage};
use crate::job::files::WrittenFiles;
use crate::job::say::say;
use crate::run::part::{CHECKPOINT, PART};
use crate::saved::{self, RecordFault};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The files of a count that runs.
#[derive(Default)]
pub struct CountFiles {
    /// The part that it makes, if it makes one.
    part: Option<CountPart>,
    /// The file that it is saved in.
    checkpoint: Option<PathBuf>,
    /// Whether that file was begun by this run.
    is_new: bool,
}

impl CountFiles {
    /// Claims the file that the settings name, and reads what it holds, before anything that takes long. The second result is
    /// what is resumed, or is complete.
    ///
    /// # Errors
    /// [`Failure::Usage`] when another run has the file, it is of another question, or there can be no such file.
    pub fn claim(
        question: &CountQuestion,
        settings: &mut Settings,
        part: Option<CountPart>,
    ) -> Result<(CountFiles, Option<SavedCount>), Failure> {
        part.as_ref().map_or(Ok(()), CountPart::prepare)?;
        settings.claim().map_err(usage)?;
        let saved = match (&part, &settings.checkpoint) {
            (Some(part), _) => part.find()?,
            (None, Some(file)) => SavedCount::find(file, question, settings.modulus).map_err(usage)?,
            (None, None) => None,
        };
        let files = CountFiles { part, checkpoint: settings.checkpoint.clone(), is_new: false };
        Ok((files, saved))
    }

    /// Begins the file, if it does not exist.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there can be no such file. What a disk refuses is reported at the end.
    pub fn begin(&mut self, question: &CountQuestion, settings: &Settings) -> Result<(), Failure> {
        let (Some(file), Some(place)) = (&self.checkpoint, &settings.claimed_file) else { return Ok(()) };
        let is_new = place.is_free();
        match SavedCount::create(file, question, settings) {
            Ok(()) => self.is_new = is_new,
            Err(error) if error.is_usage() => return Err(usage(error)),
            Err(_) => {}
        }
        Ok(())
    }

    /// Removes the file of a count that is refused after all, if it was begun by this run.
    pub fn withdraw(&self) {
        if let Some(file) = self.checkpoint.as_ref().filter(|_| self.is_new) {
            // It may not have been written.
            let _ = fs::remove_file(file);
        }
    }

    /// Leaves the files as they are to be found; there is no answer of a count that was stopped before its plan was made.
    /// Returns what could not be saved of a count that is not lost for that.
    ///
    /// # Errors
    /// [`Failure::Running`] when a complete part cannot get its name.
    pub fn settle(
        &self,
        question: &CountQuestion,
        settings: &Settings,
        answer: Option<&CountAnswer>,
    ) -> Result<Option<String>, Failure> {
        let save_error = answer.and_then(|answer| answer.save_error.clone());
        let is_complete = answer.is_some_and(|answer| answer.complete);
        match (&self.part, &self.checkpoint) {
            (Some(_), _) if is_complete && save_error.is_some() => {
                Err(running(format!("--out-dir {}", save_error.unwrap_or_default())))
            }
            (Some(part), _) if is_complete => part.settle().map(|()| None),
            (_, Some(file)) if answer.is_none() => {
                Ok(SavedCount::create(file, question, settings).err().map(|error| error.to_string()))
            }
            _ => Ok(save_error),
        }
    }

    /// What a stopped count has saved in its file, and how to resume it.
    pub fn how_to_resume(&self, saved: Option<CountPosition>) -> String {
        let Some(file) = self.checkpoint.as_deref() else {
            return "nothing was kept; with --checkpoint FILE a stopped count goes on where it was".to_owned();
        };
        let command = self.part.as_ref().map_or_else(|| CommandLine::resume(file, false), CountPart::command);
        let name = file.display();
        match saved {
            _ if !file.exists() => format!("{name} could not be written: nothing was kept"),
            Some(place) => format!("{name} holds {place}; to go on: {command}"),
            None => format!("nothing is counted yet; to go on: {command}"),
        }
    }
}

/// How both names begin.
const MODULO: &str = "modulo-";

/// A part, which may not exist yet.
#[derive(Clone)]
pub struct CountPart {
    folder: PathBuf,
    modulus: u32,
    question: CountQuestion,
}

/// The prime in the name of a part or of its checkpoint.
pub fn modulus_of(name: &str) -> Option<u32> {
    let name = name.strip_prefix(MODULO)?;
    let digits = name.strip_suffix(PART).or_else(|| name.strip_suffix(CHECKPOINT))?;
    digits.parse().ok()
}

impl CountPart {
    /// The part of a question by a prime, in a folder.
    pub fn new(folder: &Path, question: &CountQuestion, modulus: u32) -> CountPart {
        CountPart { folder: folder.to_owned(), modulus, question: *question }
    }

    /// The file of the complete part.
    pub fn file(&self) -> PathBuf {
        self.named(PART)
    }

    pub fn checkpoint(&self) -> PathBuf {
        self.named(CHECKPOINT)
    }

    /// Both files.
    pub fn files(&self) -> WrittenFiles {
        WrittenFiles::default().saved("--out-dir", Some(&self.file())).saved("--out-dir", Some(&self.checkpoint()))
    }

    fn named(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{MODULO}{}{end}", self.modulus))
    }

    /// The command that makes it.
    pub fn command(&self) -> CommandLine {
        CommandLine::count(&self.question).option("modulus", Some(self.modulus)).out_dir(&self.folder)
    }

    /// Makes the folder of the part. No file of the part may be a link.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there can be no such folder or files.
    pub fn prepare(&self) -> Result<(), Failure> {
        let folder = self.folder.display();
        fs::create_dir_all(&self.folder)
            .map_err(|error| usage(format!("--out-dir {folder}: {error}: name a folder")))?;
        [self.file(), self.checkpoint()].iter().try_for_each(|file| refuse_link("--out-dir", file))
    }

    /// Reads the part, or else its checkpoint, if there is one. A damaged part is made again. The checkpoint is to be claimed
    /// before: a run that makes the part now may put it there any time.
    ///
    /// # Errors
    /// [`Failure::Usage`] when a file of something else or of another version has the name; as [`CountPart::settle`].
    pub fn find(&self) -> Result<Option<SavedCount>, Failure> {
        let file = self.file();
        let shown = file.display();
        match SavedCount::read_record(&file) {
            Ok(saved) if (saved.question, saved.modulus) != (self.question, Some(self.modulus)) => {
                let has = saved.words();
                let why = format!("{shown}: is a part of the {has}: name another folder, or move it away");
                return Err(usage(why));
            }
            Ok(saved) if saved.finished.is_some() => return Ok(Some(saved)),
            Ok(_) => say(format_args!("{shown} is not done; it is made again"))?,
            Err(RecordFault::Missing) => {}
            Err(fault) if is_made_again(&file, &fault) => say(format_args!("{shown} {fault}; it is made again"))?,
            Err(fault) => return Err(usage(format!("{shown} {fault}: name another folder, or move it away"))),
        }
        let saved = SavedCount::find(&self.checkpoint(), &self.question, Some(self.modulus)).map_err(usage)?;
        if saved.as_ref().is_some_and(|saved| saved.finished.is_some()) {
            // A run was killed after its end, before the part had its name.
            self.settle()?;
        }
        Ok(saved)
    }

    /// Gives what is done, in the checkpoint, the name of the part. A file that stood there, which was none, keeps a
    /// second name.
    ///
    /// # Errors
    /// [`Failure::Running`] when that cannot be done.
    pub fn settle(&self) -> Result<(), Failure> {
        let (checkpoint, file) = (self.checkpoint(), self.file());
        let rename = || {
            if file.exists() {
                fs::rename(&file, saved::older(&file))?;
            }
            fs::rename(&checkpoint, &file)?;
            match fs::remove_file(saved::older(&checkpoint)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            File::open(&self.folder)?.sync_all()
        };
        rename().map_err(|error: io::Error| running(format!("--out-dir {}: {error}", self.folder.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    #[test]
    fn a_command_makes_its_part_again() {
        let board: crate::board::Board = "5x6".parse().unwrap();
        let start = board.parse_square("a5").ok();
        let open = CountQuestion { start, ..CountQuestion::new(board, Ending::Open) };
        for (question, folder, command) in [
            (CountQuestion::new(board, Ending::Closed), "parts", "destrier count 5x6 --modulus 101 --out-dir parts"),
            (open, "my parts", "destrier count 5x6 --open --start a5 --modulus 101 --out-dir 'my parts'"),
            (
                CountQuestion { start: None, strict: true, ..open },
                "parts",
                "destrier count 5x6 --open --strict --modulus 101 --out-dir parts",
            ),
        ] {
            let part = CountPart::new(Path::new(folder), &question, 101);
            assert_eq!(part.command().to_string(), command);
            let names = [part.file(), part.checkpoint()].map(|file| file.file_name().unwrap().to_owned());
            assert_eq!(names.map(|name| modulus_of(name.to_str().unwrap())), [Some(101); 2]);
        }
        for name in ["modulo-101", "modulo-x.part", "101.part", "modulo-101.part~"] {
            assert_eq!(modulus_of(name), None);
        }
    }
}
