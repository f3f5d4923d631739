//! What a file of a count says to whoever has nothing but its name: what is asked, how it was to be run, its answer.

use super::checkpoint::CountCheckpoint;
use super::error::CountError;
use super::header::{self, CheckpointFault, CountOptions, FinishedCount};
use super::question::CountQuestion;
use super::saved_question::SavedQuestion;
use super::settings::Settings;
use std::path::Path;
use std::time::Duration;

/// What a file of a count says.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedCount {
    /// What is asked.
    pub question: CountQuestion,
    /// The only modulus, if a remainder is.
    pub modulus: Option<u32>,
    /// How it was to be run.
    pub wishes: CountOptions,
    /// How long it took until then.
    pub elapsed: Duration,
    /// Its answer, if it is done.
    pub finished: Option<FinishedCount>,
}

impl SavedCount {
    /// Reads a file, all of it; it must be whole.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is not there, is no checkpoint of a count, or is damaged.
    pub fn read(path: &Path) -> Result<SavedCount, CountError> {
        SavedCount::whole(path, None).map_err(|bad| header::refused(path, bad, None))
    }

    /// Reads the file of a question, if it is there.
    ///
    /// # Errors
    /// As [`SavedCount::read`], and when it belongs to another question.
    pub fn of(path: &Path, question: &CountQuestion, modulus: Option<u32>) -> Result<Option<SavedCount>, CountError> {
        let asked = SavedQuestion::new(question, modulus);
        match SavedCount::whole(path, Some(&asked)) {
            Ok(kept) => Ok(Some(kept)),
            Err(CheckpointFault::Missing) => Ok(None),
            Err(bad) => Err(header::refused(path, bad, Some(&asked))),
        }
    }

    fn whole(path: &Path, asked: Option<&SavedQuestion>) -> Result<SavedCount, CheckpointFault> {
        let opened = header::open(path)?;
        asked.map_or(Ok(()), |asked| opened.is_of(asked)).map_err(CheckpointFault::Foreign)?;
        let kept = SavedCount {
            question: opened.question,
            modulus: opened.modulus(),
            wishes: opened.wishes.clone(),
            elapsed: opened.elapsed,
            finished: opened.finished(),
        };
        opened.check().map_err(CheckpointFault::Damaged)?;
        Ok(kept)
    }

    /// What is asked, in words.
    pub fn words(&self) -> String {
        SavedQuestion::new(&self.question, self.modulus).words()
    }

    /// Begins the file of a question of which nothing is counted yet, if it is not there.
    ///
    /// # Errors
    /// When that cannot be written, or another run writes it.
    pub fn begin(path: &Path, question: &CountQuestion, settings: &Settings) -> Result<(), CountError> {
        CountCheckpoint::new(path, question, settings)?.claim()?.begin()
    }
}
