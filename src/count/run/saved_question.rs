//! The question of a checkpoint file, as text and back; and the summary of such a file, for a reader that knows only its name.

use super::checkpoint::CountCheckpoint;
use super::header::{CountOptions, FinishedCount, OpenedCount, checkpoint_error};
use crate::board::Ending;
use crate::count::ask::board_range::BoardRange;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::saved::{self, RecordFault};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;

/// A question as the header of a file stores it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct SavedQuestion {
    /// The board; for a range of boards, the longest one.
    board: String,
    /// The range of boards, if the question is for one.
    #[serde(rename = "strip", default, skip_serializing_if = "Option::is_none")]
    pub range: Option<BoardRange>,
    ending: String,
    /// Name of the start square.
    start: Option<String>,
    unique: bool,
    strict: bool,
    /// The only modulus, if the question asks for a remainder.
    pub modulus: Option<u32>,
}

impl SavedQuestion {
    /// Stores a question, and its only modulus if it asks for a remainder.
    pub fn new(question: &CountQuestion, modulus: Option<u32>) -> SavedQuestion {
        let CountQuestion { board, range, ending, start, unique, strict } = *question;
        let start = start.map(|start| board.name(start));
        let (board, ending) = (board.to_string(), ending.name().to_owned());
        SavedQuestion { board, range, ending, start, unique, strict, modulus }
    }

    /// The question as part of a sentence, such as `closed tours of 5x6`.
    pub fn words(&self) -> String {
        let SavedQuestion { board, range, ending, start, unique, strict, modulus } = self;
        let board = range.map_or_else(|| board.clone(), |range| range.to_string());
        let start = start.as_ref().map(|start| format!(" from {start}")).unwrap_or_default();
        let kind = if *unique { "classes of " } else { "" };
        let strict = if *strict { " that cannot be closed" } else { "" };
        let modulo = modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{kind}{ending} tours of {board}{start}{strict}{modulo}")
    }

    /// The question and its only modulus; nothing if [`SavedQuestion::new`] could not have stored the fields.
    pub fn question(&self) -> Option<(CountQuestion, Option<Modulus>)> {
        let board = self.board.parse().ok()?;
        let ending = [Ending::Closed, Ending::Open].into_iter().find(|ending| ending.name() == self.ending)?;
        let range = self.range.map(BoardRange::check).transpose().ok()?;
        let (unique, strict) = (self.unique, self.strict);
        let mut question = CountQuestion { range, unique, strict, ..CountQuestion::new(board, ending) };
        if let Some(start) = &self.start {
            question.start = Some(board.parse_square(start).ok()?);
        }
        question.check().ok()?;
        let modulus = self.modulus.map(|prime| question.modulo(prime)).transpose().ok()?;
        (*self == SavedQuestion::new(&question, self.modulus)).then_some((question, modulus))
    }
}

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
            modulus: opened.header.question.modulus,
            options: opened.header.options.clone(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_question_is_restored_and_nonsense_is_refused() {
        let board: crate::board::Board = "5x6".parse().unwrap();
        let open = CountQuestion::new(board, Ending::Open);
        let start = board.parse_square("b2").ok();
        for (question, modulus) in [
            (CountQuestion::new(board, Ending::Closed), None),
            (CountQuestion { start, ..open }, Some(65_521)),
            (CountQuestion { unique: true, strict: true, ..open }, None),
            (CountQuestion { strict: true, ..open }, Some(65_521)),
            (CountQuestion::of_range(BoardRange::new(board, "5x9".parse().unwrap()).unwrap(), Ending::Open), None),
        ] {
            let saved = SavedQuestion::new(&question, modulus);
            assert_eq!(saved.question(), Some((question, modulus.and_then(Modulus::prime))), "{}", saved.words());
        }
        let good = SavedQuestion::new(&open, None);
        for bad in [
            SavedQuestion { board: "5x06".to_owned(), ..good.clone() },
            SavedQuestion { ending: "ajar".to_owned(), ..good.clone() },
            SavedQuestion { start: Some("z9".to_owned()), ..good.clone() },
            SavedQuestion { start: Some("#1".to_owned()), ..good.clone() },
            SavedQuestion { modulus: Some(4), ..good.clone() },
            SavedQuestion { modulus: Some(7), unique: true, ..good.clone() },
            SavedQuestion { range: BoardRange::new(board, "5x9".parse().unwrap()).ok(), ..good.clone() },
            SavedQuestion { strict: true, ending: "closed".to_owned(), ..good.clone() },
        ] {
            assert_eq!(bad.question(), None, "{bad:?}");
        }
    }
}
