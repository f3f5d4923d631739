//! The question of a count in a file, as text and back.

use crate::board::Ending;
use crate::count::ask::board_range::BoardRange;
use crate::count::ask::question::CountQuestion;
use serde::{Deserialize, Serialize};

/// A question, and the only modulus if it asks for a remainder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "QuestionText", try_from = "QuestionText")]
pub struct SavedQuestion {
    pub question: CountQuestion,
    pub modulus: Option<u32>,
}

impl SavedQuestion {
    pub fn new(question: &CountQuestion, modulus: Option<u32>) -> SavedQuestion {
        SavedQuestion { question: *question, modulus }
    }

    /// The question as part of a sentence, such as `closed tours of 5x6`.
    pub fn words(&self) -> String {
        let QuestionText { board, range, ending, start, unique, strict, modulus } = (*self).into();
        let board = range.map_or(board, |range| range.to_string());
        let start = start.map(|start| format!(" from {start}")).unwrap_or_default();
        let kind = if unique { "classes of " } else { "" };
        let strict = if strict { " that cannot be closed" } else { "" };
        let modulo = modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{kind}{ending} tours of {board}{start}{strict}{modulo}")
    }
}

/// A question as the header of a file stores it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
struct QuestionText {
    /// The board; for a range of boards, the longest one.
    board: String,
    /// The range of boards, if the question is for one.
    #[serde(rename = "strip", default, skip_serializing_if = "Option::is_none")]
    range: Option<BoardRange>,
    ending: String,
    /// Name of the start square.
    start: Option<String>,
    unique: bool,
    strict: bool,
    modulus: Option<u32>,
}

impl From<SavedQuestion> for QuestionText {
    fn from(SavedQuestion { question, modulus }: SavedQuestion) -> QuestionText {
        let CountQuestion { board, range, ending, start, unique, strict } = question;
        let start = start.map(|start| board.name(start));
        let (board, ending) = (board.to_string(), ending.name().to_owned());
        QuestionText { board, range, ending, start, unique, strict, modulus }
    }
}

impl QuestionText {
    /// The question; nothing if no question is stored so.
    fn question(&self) -> Option<SavedQuestion> {
        let board = self.board.parse().ok()?;
        let ending = [Ending::Closed, Ending::Open].into_iter().find(|ending| ending.name() == self.ending)?;
        let range = self.range.map(BoardRange::check).transpose().ok()?;
        let (unique, strict) = (self.unique, self.strict);
        let mut question = CountQuestion { range, unique, strict, ..CountQuestion::new(board, ending) };
        if let Some(start) = &self.start {
            question.start = Some(board.parse_square(start).ok()?);
        }
        question.check().ok()?;
        self.modulus.map(|prime| question.modulo(prime)).transpose().ok()?;
        let saved = SavedQuestion::new(&question, self.modulus);
        (*self == QuestionText::from(saved)).then_some(saved)
    }
}

impl TryFrom<QuestionText> for SavedQuestion {
    type Error = &'static str;

    fn try_from(text: QuestionText) -> Result<SavedQuestion, &'static str> {
        text.question().ok_or("its question is not valid")
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
            assert_eq!(QuestionText::from(saved).question(), Some(saved), "{}", saved.words());
        }
        let good = QuestionText::from(SavedQuestion::new(&open, None));
        for bad in [
            QuestionText { board: "5x06".to_owned(), ..good.clone() },
            QuestionText { ending: "ajar".to_owned(), ..good.clone() },
            QuestionText { start: Some("z9".to_owned()), ..good.clone() },
            QuestionText { start: Some("#1".to_owned()), ..good.clone() },
            QuestionText { modulus: Some(4), ..good.clone() },
            QuestionText { modulus: Some(7), unique: true, ..good.clone() },
            QuestionText { range: BoardRange::new(board, "5x9".parse().unwrap()).ok(), ..good.clone() },
            QuestionText { strict: true, ending: "closed".to_owned(), ..good.clone() },
        ] {
            assert_eq!(bad.question(), None, "{bad:?}");
        }
    }
}
