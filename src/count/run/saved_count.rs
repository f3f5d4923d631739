//! The summary of a checkpoint file of a count: question, options and answer, for a reader that knows only the file's
//! name.

use super::checkpoint::CountCheckpoint;
use super::header::{CountOptions, FinishedCount, OpenedCount, checkpoint_error};
use super::saved_question::SavedQuestion;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::saved::{self, RecordFault};
use std::path::Path;
use std::time::Duration;

/// Summary of a checkpoint file.
#[derive(Clone, PartialEq, Debug)]
pub struct SavedCount {
    /// The question; it may be for a range of boards.
    pub question: CountQuestion,
    /// The only modulus, if the question asks for a remainder.
    pub modulus: Option<u32>,
    /// The options that a resumed run takes over.
    pub options: CountOptions,
    /// Time spent on the count so far.
    pub elapsed: Duration,
    /// The answer, if the count is finished.
    pub finished: Option<FinishedCount>,
}

impl SavedCount {
    /// Reads and checks the whole file.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when the file does not exist, is no checkpoint of a count, or is damaged.
    pub fn read(path: &Path) -> Result<SavedCount, CountError> {
        SavedCount::read_whole(path, None).map_err(|fault| checkpoint_error(path, fault, None))
    }

    /// Reads the header of the file. The rest is checked when the count is resumed.
    ///
    /// # Errors
    /// As [`SavedCount::read`].
    pub fn read_header(path: &Path) -> Result<SavedCount, CountError> {
        let header = saved::read_twice(path, |path| OpenedCount::open(path).map(|opened| SavedCount::of(&opened)));
        header.map_err(|fault| checkpoint_error(path, fault, None))
    }

    /// Reads and checks the whole file, and leaves it to the caller what a fault means.
    ///
    /// # Errors
    /// [`RecordFault`].
    pub fn read_record(path: &Path) -> Result<SavedCount, RecordFault> {
        SavedCount::read_whole(path, None)
    }

    /// Reads and checks the file of a question, if it exists.
    ///
    /// # Errors
    /// As [`SavedCount::read`], and when the file belongs to another question.
    pub fn find(path: &Path, question: &CountQuestion, modulus: Option<u32>) -> Result<Option<SavedCount>, CountError> {
        let saved_question = SavedQuestion::new(question, modulus);
        match SavedCount::read_whole(path, Some(&saved_question)) {
            Ok(saved) => Ok(Some(saved)),
            Err(RecordFault::Missing) => Ok(None),
            Err(fault) => Err(checkpoint_error(path, fault, Some(&saved_question))),
        }
    }

    fn read_whole(path: &Path, question: Option<&SavedQuestion>) -> Result<SavedCount, RecordFault> {
        saved::read_twice(path, |path| {
            let opened = OpenedCount::open(path)?;
            question.map_or(Ok(()), |question| opened.check_question(question))?;
            let saved = SavedCount::of(&opened);
            opened.check().map(|()| saved)
        })
    }

    fn of(opened: &OpenedCount) -> SavedCount {
        SavedCount {
            question: opened.question,
            modulus: opened.modulus(),
            options: opened.options.clone(),
            elapsed: opened.elapsed,
            finished: opened.finished(),
        }
    }

    /// The question as part of a sentence.
    pub fn words(&self) -> String {
        SavedQuestion::new(&self.question, self.modulus).words()
    }

    /// Creates the file of a question with no square done, unless it exists.
    ///
    /// # Errors
    /// When the file cannot be written, or another run writes it.
    pub fn create(path: &Path, question: &CountQuestion, settings: &Settings) -> Result<(), CountError> {
        CountCheckpoint::new(path, question, settings)?.claim()?.create()
    }
}
