//! The question of a count in a file, as text and back.

use crate::board::{Board, Ending, Holes, Shape, Square};
use crate::count::ask::board_range::BoardRange;
use crate::count::ask::question::CountQuestion;
use serde::{Deserialize, Serialize};

/// A question, and the only modulus if it asks for a remainder.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "QuestionText", try_from = "QuestionText")]
pub struct SavedQuestion {
    pub question: CountQuestion,
    pub modulus: Option<u32>,
}

impl SavedQuestion {
    pub fn new(question: &CountQuestion, modulus: Option<u32>) -> SavedQuestion {
        SavedQuestion { question: question.clone(), modulus }
    }

    /// The question as part of a sentence, such as `closed tours of 5x6`.
    pub fn words(&self) -> String {
        let SavedQuestion { question, modulus } = self;
        let (board, ending) = (question.name(), question.ending.name());
        let start = question.start.map(|start| format!(" from {}", question.board().name(start))).unwrap_or_default();
        let kind = if question.unique { "classes of " } else { "" };
        let strict = if question.strict { " that cannot be closed" } else { "" };
        let modulo = modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{kind}{ending} tours of {board}{start}{strict}{modulo}")
    }
}

/// A question as the header of a file stores it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
struct QuestionText {
    /// The board; for a range of boards, the longest one.
    board: String,
    /// Names of the holes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holes: Vec<String>,
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
        let CountQuestion { shape, range, ending, start, unique, strict } = question;
        let start = start.map(|start| shape.board().name(start));
        let (board, holes, ending) = (shape.board().to_string(), shape.hole_names(), ending.name().to_owned());
        QuestionText { board, holes, range, ending, start, unique, strict, modulus }
    }
}

impl QuestionText {
    /// The question; nothing if no question is stored so.
    fn question(&self) -> Option<SavedQuestion> {
        let board: Board = self.board.parse().ok()?;
        let holes: Option<Vec<Square>> = self.holes.iter().map(|hole| board.parse_square(hole).ok()).collect();
        let shape = Shape::new(board, Holes::new(holes?));
        let ending = Ending::ALL.into_iter().find(|ending| ending.name() == self.ending)?;
        let range = self.range.map(BoardRange::check).transpose().ok()?;
        let (unique, strict) = (self.unique, self.strict);
        let mut question = CountQuestion { range, unique, strict, ..CountQuestion::new(shape, ending) };
        if let Some(start) = &self.start {
            question.start = Some(board.parse_square(start).ok()?);
        }
        question.check().ok()?;
        self.modulus.map(|prime| question.modulo(prime)).transpose().ok()?;
        let saved = SavedQuestion::new(&question, self.modulus);
        (*self == QuestionText::from(saved.clone())).then_some(saved)
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
            (CountQuestion { start, ..open.clone() }, Some(65_521)),
            (CountQuestion { unique: true, strict: true, ..open.clone() }, None),
            (CountQuestion { strict: true, ..open.clone() }, Some(65_521)),
            (CountQuestion::new("5x6-a5,c3".parse::<Shape>().unwrap(), Ending::Closed), None),
            (CountQuestion::of_range(BoardRange::new(board, "5x9".parse().unwrap()).unwrap(), Ending::Open), None),
        ] {
            let saved = SavedQuestion::new(&question, modulus);
            assert_eq!(QuestionText::from(saved.clone()).question(), Some(saved.clone()), "{}", saved.words());
            // A file of a whole board is as it was before boards had holes.
            let text = serde_json::to_string(&saved).unwrap();
            assert_eq!(text.contains("holes"), saved.question.shape.has_holes(), "{text}");
        }
        let good = QuestionText::from(SavedQuestion::new(&open, None));
        for bad in [
            QuestionText { board: "5x06".to_owned(), ..good.clone() },
            QuestionText { ending: "ajar".to_owned(), ..good.clone() },
            QuestionText { start: Some("z9".to_owned()), ..good.clone() },
            QuestionText { start: Some("#1".to_owned()), ..good.clone() },
            QuestionText { holes: vec!["z9".to_owned()], ..good.clone() },
            QuestionText { holes: vec!["c3".to_owned(); 2], ..good.clone() },
            QuestionText { holes: board.all().map(|square| board.name(square)).collect(), ..good.clone() },
            QuestionText { holes: vec!["c3".to_owned()], start: Some("c3".to_owned()), ..good.clone() },
            QuestionText { modulus: Some(4), ..good.clone() },
            QuestionText { modulus: Some(7), unique: true, ..good.clone() },
            QuestionText { range: BoardRange::new(board, "5x9".parse().unwrap()).ok(), ..good.clone() },
            QuestionText { strict: true, ending: "closed".to_owned(), ..good.clone() },
        ] {
            assert_eq!(bad.question(), None, "{bad:?}");
        }
    }
}
