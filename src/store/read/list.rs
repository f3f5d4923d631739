//! Reads a list of moves, `3x4 a3 c2 a1 ..`, a line or text up to a tag, square by square.
//!
//! Between squares may stand commas, dashes, arrows and brackets, or nothing: `A1B3C1`, `a1-b3-c1`, `(0,0)->(1,2)`, `1/5 3/4`,
//! `1. a1 2. b3`. A list of nothing but pairs is read [as pairs are](super::numbers).

use super::numbers::by_pairs;
use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WORD_MAX, WordEnd, excerpt, printable};
use crate::board::{Board, BoardError, Holes, Square};
use crate::memory::reserve;
use crate::store::check::first_wrong_move;
use crate::store::holes::WITHOUT;
use std::io::Read;

/// Reads a list. If it does not begin with its board, the board is `board`, or else the smallest that holds the squares. A
/// list that is too long is read up to the first square too many.
pub fn read<R: Read>(source: &mut TextSource<R>, board: Option<Board>, until: WordEnd) -> Result<FoundTour, ReadStop> {
    source.skip_blanks(until)?;
    let line = source.line();
    let flaw = |number, reason| ReadStop::Flaw(TourFlaw { line, number, reason });
    let board = if names_board(source.look_ahead(WORD_MAX)?) {
        let word = source.word(|_| false, until)?.unwrap_or_default();
        Some(excerpt(word).parse().map_err(|error: BoardError| flaw(None, error.to_string()))?)
    } else {
        board
    };
    let mut squares = Squares::new(board);
    // The rows and columns of a list that has nothing else so far.
    let mut pairs = Vec::new();
    let mut left_out = false;
    while let Some(whole) = source.word(|_| false, until)? {
        left_out = whole == WITHOUT.as_bytes();
        if left_out {
            break;
        }
        let word = whole.strip_suffix(b",").unwrap_or(whole);
        let is_name = word[0].is_ascii_alphabetic() && word.iter().all(u8::is_ascii_alphanumeric);
        let pushed = match is_name && pairs.is_empty() {
            true => squares.push(word),
            false => Err(String::new()),
        };
        let pushed = match pushed {
            Err(reason) => {
                let mut word = if is_open(word) { whole } else { word }.to_vec();
                while is_open(&word)
                    && word.len() < WORD_MAX
                    && let Some(more) = source.word(|_| false, until)?
                {
                    word.extend_from_slice(more);
                }
                squares.push_all(&word, &mut pairs, reason)
            }
            pushed => pushed,
        };
        match pushed {
            Ok(true) => {}
            Ok(false) => break,
            Err(reason) => return Err(no_square(line, &squares, &Holes::none(), &reason)),
        }
    }
    if !pairs.is_empty() && !left_out {
        return by_pairs(line, &pairs, board, &Holes::none());
    }
    squares.take_pairs(&mut pairs).map_err(|reason| no_square(line, &squares, &Holes::none(), &reason))?;
    let (board, squares) = squares.finish().map_err(|reason| flaw(None, reason))?;
    let mut holes = Squares::new(Some(board));
    while left_out && let Some(word) = source.word(|_| false, until)? {
        left_out = holes.push(word.strip_suffix(b",").unwrap_or(word)).map_err(|reason| flaw(None, reason))?;
    }
    let (_, holes) = holes.finish().map_err(|reason| flaw(None, reason))?;
    Ok(FoundTour { line, board, ending: None, holes: Holes::new(holes), squares, form: "list" })
}

/// Whether a list begins with its board, which a number begins; one of pairs, or that counts its moves, begins with a number, too.
fn names_board(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && !matches!(text.get(digits), Some(b',' | b'/' | b'.'))
}

/// Whether a bracket is open at the end of a word.
fn is_open(word: &[u8]) -> bool {
    word.iter().rev().find(|byte| matches!(byte, b'(' | b')')) == Some(&b'(')
}

/// A square in a word, as it is written.
enum Piece<'a> {
    Name(&'a [u8]),
    Pair([u32; 2]),
}

/// The squares in a word of names, pairs and the signs between them; `None` if it has anything else. A number with a point only
/// counts.
fn pieces(word: &[u8]) -> Option<Vec<Piece<'_>>> {
    let is_sign = |byte: &u8| b"()[]{}<>-,;:|'\"".contains(byte) || !byte.is_ascii();
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    let (mut pieces, mut rest) = (Vec::new(), word);
    loop {
        rest = &rest[rest.iter().take_while(|byte| is_sign(byte)).count()..];
        let Some(&first) = rest.first() else { return Some(pieces) };
        let before = match first {
            b'#' => 1,
            _ => rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count(),
        };
        let end = before + digits(&rest[before..]);
        if end == before {
            return None;
        }
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        match (before, behind) {
            (0, [b'.', more @ ..]) => rest = more,
            (0, [b',' | b'/', more @ ..]) => {
                let (other, behind) = more.split_at(digits(more));
                pieces.push(Piece::Pair([number(piece)?, number(other)?]));
                rest = behind;
            }
            (0, _) => return None,
            _ => pieces.push(Piece::Name(piece)),
        }
    }
}

/// The flaw of a list around `holes` with a word that is no square. If an earlier move is wrong, the flaw is that move.
pub fn no_square(line: u64, squares: &Squares, holes: &Holes, reason: &str) -> ReadStop {
    let earlier = squares.known().and_then(|(board, squares)| first_wrong_move(board, holes, squares));
    let number = squares.len() + 1;
    let (number, reason) = earlier.unwrap_or_else(|| (number, format!("move {number}: {reason}")));
    ReadStop::Flaw(TourFlaw { line, number: Some(number), reason })
}

/// The squares of a list so far. A list that does not name its board gets the smallest board that holds its squares.
pub struct Squares {
    board: Option<Board>,
    /// The squares on the board, or on [`placeholder_board`] while the board is not known.
    squares: Vec<Square>,
}

/// The board of squares whose board is not known yet. On it they have their columns, and their rows from the bottom.
fn placeholder_board() -> Board {
    Board::new(u64::from(u16::MAX), u64::from(u16::MAX))
        .unwrap_or_else(|_| unreachable!("it has less than 2^32 squares"))
}

impl Squares {
    pub fn new(board: Option<Board>) -> Squares {
        Squares { board, squares: Vec::new() }
    }

    /// The board and the squares so far, if the board is known.
    pub fn known(&self) -> Option<(Board, &[Square])> {
        Some((self.board?, &self.squares))
    }

    /// Number of squares so far.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Adds a square by its name. Returns whether the list may continue. A list with one square more than its board visits a
    /// square twice. Whatever follows cannot change that, and would only take memory.
    ///
    /// # Errors
    /// The reason why the word is no square.
    pub fn push(&mut self, word: &[u8]) -> Result<bool, String> {
        let board = self.board.unwrap_or_else(placeholder_board);
        let square = match algebraic(board, word) {
            Some(square) => square,
            None => self.parse_any(board, word)?,
        };
        reserve(&mut self.squares, 1);
        self.squares.push(square);
        Ok(self.squares.len() <= board.squares() as usize)
    }

    /// Adds the squares of a word with signs between them, or that is no name. A pair goes to `pairs` while there is no other
    /// square, because a list of pairs may be read in another way. Returns whether the list may continue.
    ///
    /// # Errors
    /// The reason why the word is no square: `reason`, if there is one.
    fn push_all(&mut self, word: &[u8], pairs: &mut Vec<u32>, reason: String) -> Result<bool, String> {
        let Some(pieces) = pieces(word) else {
            self.take_pairs(pairs)?;
            return if reason.is_empty() { self.push(word) } else { Err(reason) };
        };
        // A single name that is off the board.
        if !reason.is_empty() && matches!(pieces[..], [Piece::Name(_)]) {
            return Err(reason);
        }
        let mut more = true;
        for piece in pieces {
            match piece {
                Piece::Pair(pair) if self.squares.is_empty() => {
                    reserve(pairs, 2);
                    pairs.extend(pair);
                    more = self.board.is_none_or(|board| pairs.len() <= 2 * board.squares() as usize);
                }
                Piece::Pair([row, col]) => more = self.push(format!("{row},{col}").as_bytes())?,
                Piece::Name(name) => {
                    self.take_pairs(pairs)?;
                    more = self.push(name)?;
                }
            }
            if !more {
                break;
            }
        }
        Ok(more)
    }

    /// Adds the squares of pairs, each a row and a column from 0.
    fn take_pairs(&mut self, pairs: &mut Vec<u32>) -> Result<(), String> {
        let pairs = std::mem::take(pairs);
        pairs.chunks_exact(2).try_for_each(|pair| self.push(format!("{},{}", pair[0], pair[1]).as_bytes()).map(drop))
    }

    /// Reads a square in any notation.
    fn parse_any(&self, board: Board, word: &[u8]) -> Result<Square, String> {
        let text = if word.len() > WORD_MAX { excerpt(word) } else { printable(word) };
        match (board.parse_square(&text), self.board) {
            (Ok(square), Some(_)) => Ok(square),
            // The name may have capitals. The other notations count from the top left, which is not known yet.
            (Ok(square), None) if word[0].is_ascii_alphabetic() => Ok(square),
            (Err(error), Some(_)) => Err(error.to_string()),
            (Ok(_), None) => {
                Err(format!("'{text}' needs a board: begin the list with it, such as 6x6, or name it by --board"))
            }
            (Err(_), None) => Err(format!("'{}' is not the name of a square, such as e6", excerpt(word))),
        }
    }

    /// The board and the squares.
    ///
    /// # Errors
    /// The reason why there is no board: the list has no squares, or they fit on no board.
    pub fn finish(self) -> Result<(Board, Vec<Square>), String> {
        let Squares { board, mut squares } = self;
        if let Some(board) = board {
            return Ok((board, squares));
        }
        let places = || squares.iter().map(|&square| placeholder_board().row_col(square));
        let (top, right) = (places().map(|(row, _)| row).min(), places().map(|(_, col)| col).max());
        let (Some(top), Some(right)) = (top, right) else { return Err("the list has no squares".to_owned()) };
        let rows = placeholder_board().rows() - top;
        let board = Board::new(rows.into(), u64::from(right) + 1).map_err(|error| error.to_string())?;
        for square in &mut squares {
            let (row, col) = placeholder_board().row_col(*square);
            *square = board.square(row - top, col).unwrap_or_else(|| unreachable!("the board was made to hold it"));
        }
        Ok((board, squares))
    }
}

/// A fast form of [`Board::parse_square`] for the usual case: lower case letters, then digits, a square of the board.
#[inline]
fn algebraic(board: Board, word: &[u8]) -> Option<Square> {
    let letters = word.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let (letters, digits) = word.split_at(letters);
    // A number with at most six letters or nine digits fits in 32 bits.
    if !(1..=6).contains(&letters.len()) || !(1..=9).contains(&digits.len()) {
        return None;
    }
    let col = letters.iter().fold(0, |col, letter| col * 26 + u32::from(letter - b'a') + 1) - 1;
    let row =
        digits.iter().try_fold(0, |row, digit| digit.is_ascii_digit().then(|| row * 10 + u32::from(digit - b'0')))?;
    board.square(board.rows().checked_sub(row)?, col)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_without_a_board_gets_the_smallest_board() {
        let mut squares = Squares::new(None);
        for name in ["a1", "B3", "c2", "d1"] {
            assert_eq!(squares.push(name.as_bytes()), Ok(true));
        }
        let (board, squares) = squares.finish().unwrap();
        let names: Vec<String> = squares.iter().map(|&s| board.name(s)).collect();
        assert_eq!((board.to_string().as_str(), names.join(" ")), ("3x4", "a1 b3 c2 d1".to_owned()));
        assert!(Squares::new(None).finish().is_err());
        for (name, says) in [("#7", "needs a board"), ("1,2", "needs a board"), ("foo", "not the name of a square")] {
            assert!(Squares::new(None).push(name.as_bytes()).unwrap_err().contains(says), "{name}");
        }
    }

    #[test]
    fn squares_past_the_end_are_not_stored() {
        let mut squares = Squares::new("1x2".parse().ok());
        assert_eq!(["a1", "b1", "a1"].map(|name| squares.push(name.as_bytes())), [Ok(true), Ok(true), Ok(false)]);
    }

    proptest! {
        #[test]
        fn the_fast_reader_agrees_with_parse_square(text in "[a-cA-C#,]{0,3}[0-9,]{0,11}|[a-z]{1,8}[0-9]{1,10}") {
            for board in ["3x4", "30x40", "20000x20000"] {
                let board: Board = board.parse().unwrap();
                let fast = algebraic(board, text.as_bytes());
                prop_assert!(fast.is_none() || fast == board.parse_square(&text).ok(), "{}", text);
                let read = Squares::new(Some(board)).push(text.as_bytes()).is_ok();
                prop_assert_eq!(read, board.parse_square(&text).is_ok(), "{}", text);
            }
        }
    }
}
