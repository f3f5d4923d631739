//! Reads a list of moves, `3x4 a3 c2 a1 ..`, a line, a square a line, several lines where the board is known, or text up to a tag,
//! square by square.
//!
//! Between squares may stand commas, dashes, arrows and brackets, or nothing: `A1B3C1`, `a1-b3-c1`, `(0,0)->(1,2)`, `1/5 3/4`,
//! `1. a1 2. b3`. A list of nothing but pairs is read [as pairs are](super::numbers).

use super::numbers::by_pairs;
use super::outcome::{FoundTour, ReadStop, TextPlace, WordPlaces, flaw};
use super::source::{TextSource, WORD_MAX, WordEnd, excerpt, is_blank, printable};
use crate::board::{Board, BoardError, Holes, Square};
use crate::bounded::{board_length, first_line};
use crate::memory::reserve;
use crate::store::check::first_wrong_move;
use crate::store::holes::WITHOUT;
use std::io::{self, Read};

/// Longest line, in bytes, that is looked at as the next line of a list.
const NEXT_LINE_MAX: usize = 4096;
/// Squares of the largest board whose lists have several squares on each of several lines.
const LINES_SQUARES_MAX: u32 = 1 << 16;

/// Reads a list. If it does not begin with its board, the board is `board`, or else the smallest that holds the squares. A
/// list that is too long is read up to the first square too many.
pub fn read<R: Read>(source: &mut TextSource<R>, board: Option<Board>, until: WordEnd) -> Result<FoundTour, ReadStop> {
    source.skip_blanks(until)?;
    let place = source.place();
    let named = read_board(source)?.transpose().map_err(|error| flaw(place, None, error.to_string()))?;
    let mut squares = Squares::new(named.or(board));
    let mut lines = 1;
    let mut end = squares.read_line(source, until)?;
    while end == ListEnd::Line && until == WordEnd::Line && squares.goes_on(source, lines)? {
        source.take();
        lines += 1;
        end = squares.read_line(source, until)?;
    }
    if !squares.pairs.is_empty() && end != ListEnd::Without {
        return by_pairs(place, &squares.pairs, squares.board, &Holes::none(), squares.places);
    }
    squares.take_pairs().map_err(|reason| no_square(place, &squares, &Holes::none(), &reason))?;
    let places = std::mem::take(&mut squares.places);
    let (board, squares) = squares.finish().map_err(|reason| flaw(place, None, reason))?;
    let mut holes = Squares::new(Some(board));
    while end == ListEnd::Without
        && let Some(word) = source.word(|_| false, until)?
    {
        let pushed = holes.push(word.strip_suffix(b",").unwrap_or(word));
        if !pushed.map_err(|reason| flaw(source.word_place(), None, reason))? {
            break;
        }
    }
    let (_, holes) = holes.finish().map_err(|reason| flaw(place, None, reason))?;
    Ok(FoundTour { place, board, ending: None, holes: Holes::new(holes), squares, places, form: "list" })
}

/// Where the squares of a list end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ListEnd {
    Line,
    /// At the first square too many.
    Full,
    /// At the word before the squares that the tour leaves out.
    Without,
}

/// Reads the board with which a list begins, if it does. A number that is followed by a sign is part of a pair, or only counts.
fn read_board<R: Read>(source: &mut TextSource<R>) -> io::Result<Option<Result<Board, BoardError>>> {
    let ahead = source.look_ahead(WORD_MAX)?;
    let digits = ahead.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length = match board_length(first_line(ahead)) {
        0 if digits == 0 || matches!(ahead.get(digits), Some(b',' | b'/' | b'.' | b')' | b':')) => return Ok(None),
        0 => ahead.iter().take_while(|byte| !byte.is_ascii_whitespace()).count(),
        length => length,
    };
    let name = excerpt(&ahead[..length]);
    (0..length).for_each(|_| source.take());
    Ok(Some(name.parse()))
}

/// Where the bracket is that is open at the end of a word.
fn open_bracket(word: &[u8]) -> Option<usize> {
    let last = word.iter().rposition(|byte| matches!(byte, b'(' | b')'))?;
    (word[last] == b'(').then_some(last)
}

/// A square in a word, as it is written.
enum Piece<'a> {
    Name(&'a [u8]),
    Pair([u32; 2]),
}

/// The squares in a text of names, pairs and the signs between them; `None` if it has anything else. A number that is in no bracket, with
/// a point, bracket or colon behind it, only counts.
fn pieces(text: &[u8]) -> Option<Vec<Piece<'_>>> {
    let is_sign = |byte: &u8| b"()[]{}<>-,;:|'\" \t\r".contains(byte) || !byte.is_ascii();
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse().ok();
    std::str::from_utf8(text).ok()?;
    let (mut pieces, mut rest, mut open) = (Vec::new(), text, 0usize);
    loop {
        let (signs, behind) = rest.split_at(rest.iter().take_while(|byte| is_sign(byte)).count());
        for sign in signs {
            open = if *sign == b'(' { open + 1 } else { open.saturating_sub(usize::from(*sign == b')')) };
        }
        rest = behind;
        let Some(&first) = rest.first() else { return Some(pieces) };
        let before = match first {
            b'#' => 1,
            _ => rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count(),
        };
        let end = before + digits(&rest[before..]);
        // A number below 0 is no row.
        let is_negative =
            matches!(signs, [b'-'] if pieces.is_empty()) || matches!(signs, [.., b'(' | b',' | b' ', b'-']);
        if end == before || (before == 0 && is_negative) {
            return None;
        }
        let (piece, behind) = rest.split_at(end);
        rest = behind;
        match (before, behind) {
            (0, [b'.' | b')' | b':', more @ ..]) if open == 0 => rest = more,
            (0, [b',' | b'/', more @ ..]) => {
                let more = more.trim_ascii_start();
                let (other, behind) = more.split_at(digits(more));
                pieces.push(Piece::Pair([number(piece)?, number(other)?]));
                rest = behind;
            }
            (0, _) => return None,
            _ => pieces.push(Piece::Name(piece)),
        }
    }
}

/// Whether the names of a list behind its board end at a word that is no square in any notation: then the list is wrong, whatever
/// follows.
pub fn ends_at_no_square(board: Board, names: &[u8]) -> bool {
    let is_name = |word: &[u8]| {
        let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        letters > 0 && letters < word.len() && word[letters..].iter().all(u8::is_ascii_digit)
    };
    let word = names.split(|&byte| is_blank(byte)).find(|word| !is_name(word)).unwrap_or_default();
    let may_go_on = word.is_empty() || word == WITHOUT.as_bytes() || word.contains(&b'(');
    let word = word.strip_suffix(b",").unwrap_or(word);
    !may_go_on && pieces(word).is_none() && board.parse_square(&printable(word)).is_err()
}

/// The flaw of a list around `holes` with a word that is no square. If an earlier move is wrong, the flaw is that move.
pub fn no_square(place: TextPlace, squares: &Squares, holes: &Holes, reason: &str) -> ReadStop {
    let earlier = squares.board.and_then(|board| first_wrong_move(board, holes, &squares.squares));
    match earlier {
        Some((number, reason)) => flaw(squares.places.of_move(number, None).unwrap_or(place), Some(number), reason),
        None => {
            let number = squares.squares.len() + 1;
            flaw(place, Some(number), format!("move {number}: {reason}"))
        }
    }
}

/// The squares of a list so far. A list that does not name its board gets the smallest board that holds its squares.
pub struct Squares {
    board: Option<Board>,
    /// The squares on the board, or on [`placeholder_board`] while the board is not known.
    squares: Vec<Square>,
    /// The rows and columns of a list that has nothing else so far.
    pairs: Vec<u32>,
    pub places: WordPlaces,
}

/// The board of squares whose board is not known yet. On it they have their columns, and their rows from the bottom.
fn placeholder_board() -> Board {
    Board::new(u64::from(u16::MAX), u64::from(u16::MAX))
        .unwrap_or_else(|_| unreachable!("it has less than 2^32 squares"))
}

impl Squares {
    pub fn new(board: Option<Board>) -> Squares {
        Squares { board, squares: Vec::new(), pairs: Vec::new(), places: WordPlaces::default() }
    }

    /// Number of squares so far.
    fn len(&self) -> usize {
        self.squares.len() + self.pairs.len() / 2
    }

    /// Reads the squares of a line.
    fn read_line<R: Read>(&mut self, source: &mut TextSource<R>, until: WordEnd) -> Result<ListEnd, ReadStop> {
        let board = self.board.unwrap_or_else(placeholder_board);
        while let Some(whole) = source.word(|_| false, until)? {
            // The usual case.
            if self.pairs.is_empty()
                && let Some(square) = algebraic(board, whole)
            {
                self.places.push(source.word_place());
                if !self.push_square(board, square) {
                    return Ok(ListEnd::Full);
                }
                continue;
            }
            if whole == WITHOUT.as_bytes() {
                return Ok(ListEnd::Without);
            }
            let word = whole.strip_suffix(b",").unwrap_or(whole);
            let is_name =
                word.first().is_some_and(u8::is_ascii_alphabetic) && word.iter().all(u8::is_ascii_alphanumeric);
            let pushed = if is_name && self.pairs.is_empty() { self.push(word) } else { Err(String::new()) };
            let more = match pushed {
                Ok(more) => {
                    self.places.push(source.word_place());
                    more
                }
                Err(reason) => {
                    let mut word = if open_bracket(word).is_some() { whole } else { word }.to_vec();
                    let (place, before) = (source.word_place(), self.len());
                    let mut pushed = Ok(true);
                    // A pair with a blank in it: what stands before its bracket is read first.
                    while let Some(open) = open_bracket(&word).filter(|open| word.len() - open < WORD_MAX)
                        && matches!(pushed, Ok(true))
                        && let Some(more) = source.word(|_| false, until)?
                    {
                        let pair = [&word[open..], b" ", more].concat();
                        pushed = self.push_all(&word[..open], String::new());
                        word = pair;
                    }
                    if matches!(pushed, Ok(true)) {
                        pushed = self.push_all(&word, reason);
                    }
                    let more = pushed.map_err(|reason| no_square(place, self, &Holes::none(), &reason))?;
                    (before..self.len()).for_each(|_| self.places.push(place));
                    more
                }
            };
            if !more {
                return Ok(ListEnd::Full);
            }
        }
        Ok(ListEnd::Line)
    }

    /// Whether the list goes on behind this line, which is number `lines` of it: the next line has a square as all lines before it
    /// have, or squares for which the board has room, the first of which is new. Squares of another tour are not new.
    fn goes_on<R: Read>(&self, source: &mut TextSource<R>, lines: usize) -> io::Result<bool> {
        let room = self.board.map_or(usize::MAX, |board| board.squares() as usize).saturating_sub(self.len());
        let is_one_a_line = self.len() == lines;
        let may_have_more = self.board.is_some_and(|board| board.squares() <= LINES_SQUARES_MAX);
        if room == 0 || !(is_one_a_line || may_have_more) {
            return Ok(false);
        }
        let ahead = source.look_ahead(NEXT_LINE_MAX)?;
        let next = first_line(ahead.get(1..).unwrap_or_default());
        let pieces = if next.len() + 1 < NEXT_LINE_MAX { pieces(next.trim_ascii()) } else { None };
        Ok(pieces.is_some_and(|pieces| match &pieces[..] {
            [_] if is_one_a_line => true,
            [first, ..] => may_have_more && pieces.len() <= room && self.is_new(first),
            [] => false,
        }))
    }

    /// Whether the list does not have this square.
    fn is_new(&self, piece: &Piece<'_>) -> bool {
        match *piece {
            Piece::Pair(pair) => self.pairs.chunks_exact(2).all(|other| other != pair),
            Piece::Name(name) => {
                let square = self.board.and_then(|board| board.parse_square(&printable(name)).ok());
                square.is_some_and(|square| !self.squares.contains(&square))
            }
        }
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
        Ok(self.push_square(board, square))
    }

    #[inline]
    fn push_square(&mut self, board: Board, square: Square) -> bool {
        reserve(&mut self.squares, 1);
        self.squares.push(square);
        self.squares.len() <= board.squares() as usize
    }

    /// Adds the squares of a word with signs between them, or that is no name. Pairs are kept as numbers while there is no other
    /// square, because a list of pairs may be read in another way. Returns whether the list may continue.
    ///
    /// # Errors
    /// The reason why the word is no square: `reason`, if there is one.
    fn push_all(&mut self, word: &[u8], reason: String) -> Result<bool, String> {
        let Some(pieces) = pieces(word) else {
            self.take_pairs()?;
            return if reason.is_empty() { self.push(word) } else { Err(reason) };
        };
        // A single name that is off the board.
        if !reason.is_empty() && matches!(pieces[..], [Piece::Name(_)]) {
            return Err(reason);
        }
        let mut more = true;
        for piece in pieces {
            more = match piece {
                Piece::Pair(pair) if self.squares.is_empty() => {
                    reserve(&mut self.pairs, 2);
                    self.pairs.extend(pair);
                    self.board.is_none_or(|board| self.pairs.len() <= 2 * board.squares() as usize)
                }
                Piece::Pair([row, col]) => self.push(format!("{row},{col}").as_bytes())?,
                Piece::Name(name) => {
                    self.take_pairs()?;
                    self.push(name)?
                }
            };
            if !more {
                break;
            }
        }
        Ok(more)
    }

    /// Adds the squares of pairs, each a row and a column from 0.
    fn take_pairs(&mut self) -> Result<(), String> {
        let pairs = std::mem::take(&mut self.pairs);
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
        let Squares { board, mut squares, .. } = self;
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
