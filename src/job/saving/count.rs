//! The file that a count is saved in: claimed before the work, and what is said of it at the end.
//!
//! The count itself saves and resumes ([`Settings`]); here is what a run of it does with its file.

use super::count_part::CountPart;
use crate::count::{CountAnswer, CountPosition, CountQuestion, SavedCount, Settings};
use crate::job::failure::{Failure, running, usage};
use crate::job::say::shell_word;
use std::fs;
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
        let (name, command) = (file.display(), self.command(file));
        match saved {
            _ if !file.exists() => format!("{name} could not be written: nothing was kept"),
            Some(place) => format!("{name} holds {place}; to go on: {command}"),
            None => format!("nothing is counted yet; to go on: {command}"),
        }
    }

    /// The command that resumes the count in a file.
    fn command(&self, file: &Path) -> String {
        self.part.as_ref().map_or_else(|| format!("destrier resume {}", shell_word(file)), CountPart::command)
    }
}
