//! The file that a count is saved in: claimed before the work, and what is said of it at the end. The count itself saves and
//! resumes: [`CountFile`].

use super::place::{PartFiles, opened, say_how_to_resume};
use crate::count::{CountAnswer, CountFile, CountPosition, CountQuestion, SavedCount, SavedQuestion, Settings};
use crate::job::command_line::CommandLine;
use crate::job::fault::{Failure, running};
use crate::job::say::say;
use crate::saved::{self, SaveError, SavedFile};

/// The files of a count that runs.
#[derive(Default)]
pub struct CountFiles {
    /// The part that it makes, if it makes one.
    pub part: Option<PartFiles>,
    /// The file that it is saved in, when it is claimed.
    pub file: Option<SavedFile>,
    /// What the file held then: what is resumed, or is complete.
    pub found: Option<SavedCount>,
}

impl CountFiles {
    /// Claims the file of the settings or the part, and reads what it holds, before anything that takes long.
    ///
    /// # Errors
    /// [`Failure::Usage`] when another run has the file, it is of another question, or there can be no such file.
    pub fn open(&mut self, question: &CountQuestion, settings: &Settings) -> Result<(), Failure> {
        let asked = SavedQuestion::new(question, settings.modulus);
        let (file, found) = match (&self.part, &settings.checkpoint) {
            _ if self.file.is_some() => return Ok(()),
            (Some(part), _) => part.open(&asked)?,
            (None, Some(path)) => opened("--checkpoint", path, &asked)?,
            (None, None) => return Ok(()),
        };
        (self.file, self.found) = (Some(file), found);
        Ok(())
    }

    /// Begins the file, if it does not exist.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there can be no such file. What a disk refuses is reported at the end.
    pub fn begin(&mut self, question: &CountQuestion, settings: &Settings) -> Result<Option<CountFile>, Failure> {
        let Some(file) = &self.file else { return Ok(None) };
        file.check_folder().map_err(|why| SaveError::unusable(file.path(), why))?;
        let begun = CountFile::new(file.clone(), self.found.take(), question, settings);
        if let Err(taken @ SaveError::Unusable(_)) = begun.begin() { Err(taken.into()) } else { Ok(Some(begun)) }
    }

    /// Removes the file before that of a count that is complete: one that was killed at its end has left it.
    pub fn remove_older(&self) {
        self.file.iter().for_each(SavedFile::remove_older);
    }

    /// Removes the file of a count that is refused after all, if it was begun by this run.
    pub fn withdraw(&self) {
        self.file.iter().for_each(SavedFile::withdraw);
    }

    /// Leaves the files as they are to be found. Returns what could not be saved of a count that is not lost for that.
    ///
    /// # Errors
    /// [`Failure::Running`] when a complete part cannot get its name.
    pub fn settle(&self, answer: Option<&CountAnswer>) -> Result<Option<String>, Failure> {
        let problem = self.file.as_ref().and_then(SavedFile::problem);
        match (self.part.as_ref().filter(|_| answer.is_some_and(|answer| answer.complete)), problem) {
            (Some(_), Some(problem)) => Err(running(problem)),
            (Some(part), None) => part.settle().map(|()| None),
            (None, problem) => Ok(problem),
        }
    }

    /// Says what a stopped count has saved in its file, and how to resume it.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_how_to_resume(
        &self,
        question: &CountQuestion,
        modulus: Option<u32>,
        position: Option<CountPosition>,
    ) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            return say("nothing was kept; with --checkpoint FILE a stopped count goes on where it was");
        };
        let command = match (&self.part, modulus) {
            (Some(part), Some(modulus)) => CommandLine::count_part(saved::folder(&part.done), question, modulus),
            _ => CommandLine::resume(file.path(), false),
        };
        let begun = || "nothing is counted yet; ".to_owned();
        let holds = position.map_or_else(begun, |place| format!("{} holds {place}; ", file.path().display()));
        say_how_to_resume(file, &holds, &command)
    }
}
