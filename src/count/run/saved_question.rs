//! The question of a checkpoint file, as text, and its conversion back.

use crate::board::Ending;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::strip::Strip;
use serde::{Deserialize, Serialize};

/// A question as the header of a file stores it.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct SavedQuestion {
    /// The board; for a range of boards, the longest one.
    board: String,
    /// The range of boards, if the question is for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    strip: Option<Strip>,
    ending: String,
    /// Name of the start square.
    start: Option<String>,
    unique: bool,
    strict: bool,
    /// The only modulus, if the question asks for a remainder.
    modulus: Option<u32>,
}

impl SavedQuestion {
    /// Stores a question, and its only modulus if it asks for a remainder.
    pub fn new(question: &CountQuestion, modulus: Option<u32>) -> SavedQuestion {
        let CountQuestion { board, strip, ending, start, unique, strict } = *question;
        let start = start.map(|start| board.name(start));
        let (board, ending) = (board.to_string(), ending.name().to_owned());
        SavedQuestion { board, strip, ending, start, unique, strict, modulus }
    }

    /// The question as part of a sentence, such as `closed tours of 5x6`.
    pub fn words(&self) -> String {
        let SavedQuestion { board, strip, ending, start, unique, strict, modulus } = self;
        let board = strip.map_or_else(|| board.clone(), |strip| strip.to_string());
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
        let strip = self.strip.map(Strip::check).transpose().ok()?;
        let (unique, strict) = (self.unique, self.strict);
        let mut question = CountQuestion { strip, unique, strict, ..CountQuestion::new(board, ending) };
        if let Some(start) = &self.start {
            question.start = Some(board.parse_square(start).ok()?);
        }
        question.check().ok()?;
        let modulus = self.modulus.map(|prime| question.modulo(prime)).transpose().ok()?;
        (*self == SavedQuestion::new(&question, self.modulus)).then_some((question, modulus))
    }

    /// Whether the question is for a range of boards.
    pub fn is_for_range(&self) -> bool {
        self.strip.is_some()
    }

    /// The only modulus, if the question asks for a remainder.
    pub fn modulus(&self) -> Option<u32> {
        self.modulus
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
            (CountQuestion::of_range(Strip::new(board, "5x9".parse().unwrap()).unwrap(), Ending::Open), None),
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
            SavedQuestion { strip: Strip::new(board, "5x9".parse().unwrap()).ok(), ..good.clone() },
            SavedQuestion { strict: true, ending: "closed".to_owned(), ..good.clone() },
        ] {
            assert_eq!(bad.question(), None, "{bad:?}");
        }
    }
}
