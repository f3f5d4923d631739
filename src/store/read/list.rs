//! Reads a list of moves, `3x4 a3 c2 a1 ..`: a line, or text up to a tag.

use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WordEnd, excerpt};
use super::squares::Squares;
use crate::board::{Board, BoardError, Holes};
use crate::store::check::first_wrong_move;
use crate::store::holes::WITHOUT;
use std::io::Read;

/// Reads a list. If it does not begin with its board, the board is `board`, or else the smallest that holds the squares. A
/// list that is too long is read up to the first square too many.
pub fn read<R: Read>(source: &mut TextSource<R>, board: Option<Board>, until: WordEnd) -> Result<FoundTour, ReadStop> {
    let named = source.skip_blanks(until)?.is_some_and(|byte| byte.is_ascii_digit());
    let line = source.line();
    let flaw = |number, reason| ReadStop::Flaw(TourFlaw { line, number, reason });
    let board = if named {
        let word = source.word(|_| false, until)?.unwrap_or_default();
        Some(excerpt(word).parse().map_err(|error: BoardError| flaw(None, error.to_string()))?)
    } else {
        board
    };
    let mut squares = Squares::new(board);
    let mut left_out = false;
    while let Some(word) = source.word(|_| false, until)? {
        left_out = word == WITHOUT.as_bytes();
        if left_out {
            break;
        }
        let more = squares.push(word.strip_suffix(b",").unwrap_or(word));
        match more {
            Ok(true) => {}
            Ok(false) => break,
            Err(reason) => return Err(no_square(line, &squares, &Holes::none(), &reason)),
        }
    }
    let (board, squares) = squares.finish().map_err(|reason| flaw(None, reason))?;
    let mut holes = Squares::new(Some(board));
    while left_out && let Some(word) = source.word(|_| false, until)? {
        left_out = holes.push(word.strip_suffix(b",").unwrap_or(word)).map_err(|reason| flaw(None, reason))?;
    }
    let (_, holes) = holes.finish().map_err(|reason| flaw(None, reason))?;
    Ok(FoundTour { line, board, ending: None, holes: Holes::new(holes), squares })
}

/// The flaw of a list around `holes` with a word that is no square. If an earlier move is wrong, the flaw is that move.
pub fn no_square(line: u64, squares: &Squares, holes: &Holes, reason: &str) -> ReadStop {
    let earlier = squares.known().and_then(|(board, squares)| first_wrong_move(board, holes, squares));
    let number = squares.len() + 1;
    let (number, reason) = earlier.unwrap_or_else(|| (number, format!("move {number}: {reason}")));
    ReadStop::Flaw(TourFlaw { line, number: Some(number), reason })
}
