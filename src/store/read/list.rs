//! Reads a list of moves, `3x4 a3 c2 a1 ..`, a line, a square a line, several lines where the board is known, or text up to a tag,
//! square by square.
//!
//! Between squares may stand commas, dashes, arrows and brackets, or nothing: `A1B3C1`, `a1-b3-c1`, `(0,0)->(1,2)`, `1/5 3/4`,
//! `1. a1 2. b3`. A list of nothing but pairs is read [as pairs are](super::judge).

use super::judge::by_pairs;
use super::outcome::{ReadStop, ReadTour, TextPlace, WordPlaces, flaw};
use super::source::{LINE, TAG, TextSource, is_blank};
use super::table::{closes, opens};
use crate::board::{Board, BoardError, Holes, Shape, Square};
use crate::bounded::{
    Piece, WORD_MAX, are_alike, board_length, count, ends_with_sign, excerpt, first_line, label_length, pieces,
    printable, words_between,
};
use crate::memory::reserve;
use crate::store::check::first_wrong_move;
use crate::store::write::WITHOUT;
use std::io::{self, Read};

/// Longest line, in bytes, that is looked at as the next line of a list.
const NEXT_LINE_MAX: usize = 4096;
/// The least number of columns of a board on which a name begins with na.
const KNIGHT_COLS: u32 = 366;
/// Squares of the largest board whose lists have several squares on each of several lines.
const LINES_SQUARES_MAX: u32 = 1 << 16;

/// Reads a list. If it does not begin with its board, the board is `board`, or else the smallest that holds the squares. A
/// list that is too long is read up to the second square too many. `before` is the board of the tour before.
pub fn read<R: Read>(
    source: &mut TextSource<R>,
    board: Option<Board>,
    before: Option<Board>,
    until: u8,
) -> Result<ReadTour, ReadStop> {
    source.skip_blanks(until)?;
    let place = source.place();
    let (named, is_side) = read_board(source)?;
    // A slip at the first square makes a side, or another board, which may have room for the tour on the next line.
    let is_one_line = until == TAG || is_side || (named.is_some() && board.is_some() && named != board);
    let mut list = Squares::new(named.or(board).map(Shape::from), place);
    let end = loop {
        let end = list.read_line(source, until)?;
        // So may one that is a tour of the board before but for its first square.
        let is_whole =
            |before: Board| named.is_some_and(|named| named != before) && list.len() + 1 == before.squares() as usize;
        if end != ListEnd::Line || is_one_line || before.is_some_and(is_whole) || !list.goes_on(source)? {
            break end;
        }
        source.take();
    };
    if list.open > 0 && end != ListEnd::Full {
        return Err(flaw(place, None, "a bracket of the list is not closed"));
    }
    let is_unknown = list.shape.is_none() && end == ListEnd::Line && until == LINE;
    let may_go_on = is_unknown && list.joins_next(source.look_ahead(WORD_MAX)?);
    if end == ListEnd::Without {
        list.take_pairs().map_err(|reason| list.no_square(place, &reason))?;
    }
    let mut found = list.finish("list")?;
    if end == ListEnd::Without {
        let (board, mut holes) = (found.shape.board(), Vec::new());
        while holes.len() <= board.squares() as usize
            && let Some((word, place)) = source.word(|_| false, until)?
        {
            holes.push(square_in(word, board).map_err(|reason| flaw(place, None, reason))?);
        }
        found.shape = Shape::new(board, Holes::new(holes));
    }
    Ok(ReadTour { may_go_on, ..found })
}

/// The square that a word names in any notation.
fn square_in(word: &[u8], board: Board) -> Result<Square, String> {
    board.parse_square(&printable(word.strip_suffix(b",").unwrap_or(word))).map_err(|error| error.to_string())
}

/// The squares that a text names in any notation.
///
/// # Errors
/// A sentence about the first word that names none.
pub fn squares_in(text: &str, board: Board) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    for (index, line) in text.as_bytes().split(|&byte| byte == b'\n').enumerate() {
        for word in words_between(line, |&byte| is_blank(byte)) {
            let column = word.as_ptr() as usize - line.as_ptr() as usize + 1;
            let square = square_in(word, board);
            squares.push(square.map_err(|reason| format!("line {}, column {column}: {reason}", index + 1))?);
        }
    }
    Ok(squares)
}

/// Where the squares of a list end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ListEnd {
    Line,
    /// At the second square too many.
    Full,
    /// At the word before the squares that the tour leaves out.
    Without,
}

/// Reads the board with which a list begins, if it does, and says whether it is a side alone. A number that is followed by a sign is
/// part of a pair, or only counts. It has no holes: the first square of a tour behind a `-` is not left out.
fn read_board<R: Read>(source: &mut TextSource<R>) -> Result<(Option<Board>, bool), ReadStop> {
    let (place, ahead) = (source.place(), source.look_ahead(WORD_MAX)?);
    let (digits, named) = (count(ahead, u8::is_ascii_digit), board_length(first_line(ahead)));
    if named == 0 && (digits == 0 || matches!(ahead.get(digits), Some(b',' | b'/' | b'.' | b')' | b':'))) {
        return Ok((None, false));
    }
    let length = if named > 0 { named } else { count(ahead, |byte| !byte.is_ascii_whitespace()) };
    let name = excerpt(&ahead[..length]);
    source.take_bytes(length);
    let board = name.parse().map_err(|error: BoardError| flaw(place, None, error.to_string()))?;
    Ok((Some(board), named == 0))
}

/// Where the bracket is that is open at the end of a word, with the word that calls it, such as `pos(`.
fn open_bracket(word: &[u8]) -> Option<usize> {
    let last = word.iter().rposition(|byte| matches!(byte, b'(' | b')')).filter(|&last| word[last] == b'(')?;
    Some(last - word[..last].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count())
}

/// Whether the names of a list, which stands on one line, are no tour for certain: they are plain, with columns from `first` on, and too
/// few or too many, or a word is no square in any notation.
pub fn is_wrong(board: Board, first: u8, names: &[u8]) -> bool {
    let is_plain = |word: &&[u8]| match word {
        [letter, b'1'..=b'9'] | [letter, b'1'..=b'9', b'0'..=b'9'] => (first..first + 26).contains(letter),
        _ => false,
    };
    let words = || names.split(|&byte| byte == b' ');
    let Some(word) = words().find(|word| !is_plain(word)) else {
        // One name too many may be the first one again.
        return words().count() != board.squares() as usize + 1;
    };
    // A pair may have a blank in it, and what stands behind `without` is no move.
    let may_go_on = word == WITHOUT.as_bytes() || word.iter().any(|byte| b"( \t\r\x0c".contains(byte));
    !may_go_on && parts(word, &mut Vec::new()).is_err()
}

/// Takes a text apart, which is no list if it is no text; see [`bounded::pieces`](crate::bounded::pieces).
fn parts(text: &[u8], into: &mut Vec<(usize, Piece)>) -> Result<(), usize> {
    str::from_utf8(text).map_err(|error| error.valid_up_to())?;
    pieces(text, into)
}

/// The squares of a list so far. A list that does not name its board gets the smallest board that holds its squares.
#[derive(Default)]
pub struct Squares {
    /// The board with its holes, as far as they are known before the list.
    shape: Option<Shape>,
    /// The squares on the board, or on [`placeholder_board`] while the board is not known.
    squares: Vec<Square>,
    /// The rows and columns of a list that has nothing else so far.
    pairs: Vec<[u32; 2]>,
    places: WordPlaces,
    /// What stands in the last word.
    pieces: Vec<(usize, Piece)>,
    /// Brackets that are open.
    open: usize,
    /// Whether every name has an N for the knight before it.
    has_knights: bool,
    /// The first and the last number of a move.
    counts: Option<(u32, u32)>,
    /// The letters before the square of the first line.
    label: Vec<u8>,
    lines: usize,
    /// Whether a word, and a line, has squares that are no move from one to another.
    has_other_words: bool,
    has_other_lines: bool,
}

/// The board of squares whose board is not known yet. On it they have their columns, and their rows from the bottom.
fn placeholder_board() -> Board {
    Board::new(u64::from(u16::MAX), u64::from(u16::MAX))
        .unwrap_or_else(|_| unreachable!("it has less than 2^32 squares"))
}

impl Squares {
    /// None so far of a list that begins here, with room for a tour of the usual board.
    pub fn new(shape: Option<Shape>, begin: TextPlace) -> Squares {
        Squares { shape, squares: Vec::with_capacity(64), places: WordPlaces::new(begin), ..Squares::default() }
    }

    /// The board on which the squares are.
    #[inline(always)]
    fn board(&self) -> Board {
        self.shape.as_ref().map_or_else(placeholder_board, Shape::board)
    }

    /// Number of squares so far.
    pub fn len(&self) -> usize {
        self.squares.len() + self.pairs.len()
    }

    /// Most squares of the list, with the first one again.
    fn room(&self) -> usize {
        self.board().squares() as usize
    }

    /// Reads the squares of a line.
    fn read_line<R: Read>(&mut self, source: &mut TextSource<R>, until: u8) -> Result<ListEnd, ReadStop> {
        let before = self.len();
        self.lines += 1;
        if until == LINE {
            self.skip_label(source)?;
        }
        let mut word = Vec::new();
        while let Some((whole, mut place)) = source.word(|_| false, until)? {
            let mut more = true;
            if let Some(square) = self.plain_name(whole) {
                more = self.push_plain(square, place);
            } else if whole == WITHOUT.as_bytes() {
                return Ok(ListEnd::Without);
            } else {
                word.clear();
                word.extend_from_slice(whole);
                // A pair with a blank in it: what stands before its bracket is read first.
                while let Some(open) = open_bracket(&word).filter(|open| word.len() - open < WORD_MAX)
                    && more
                    && let Some((rest, _)) = source.word(|_| false, until)?
                {
                    more = self.push_word(&word[..open], place)?;
                    place = place.plus(open);
                    word.drain(..open);
                    word.push(b' ');
                    word.extend_from_slice(rest);
                }
                more = more && self.push_word(&word, place)?;
            }
            if !more {
                return Ok(ListEnd::Full);
            }
        }
        self.has_other_lines |= self.len() != before + 2;
        Ok(ListEnd::Line)
    }

    /// Passes over the words before the square of a line, which all lines of the list have.
    fn skip_label<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let line = first_line(source.look_ahead(WORD_MAX)?);
        let (label, rest) = line.split_at(label_length(line));
        // Before several squares a label ends with a sign.
        let is_label = !label.is_empty()
            && (ends_with_sign(label) || (parts(rest, &mut self.pieces).is_ok() && self.pieces.len() == 1));
        let label = if is_label { label.to_vec() } else { Vec::new() };
        let place = source.place();
        source.take_bytes(label.len());
        if self.lines == 1 {
            self.label.clone_from(&label);
        }
        let number = words_between(&label, |byte| !byte.is_ascii_digit()).last();
        let number = number.and_then(|number| str::from_utf8(number).ok()?.parse().ok());
        number.map_or(Ok(()), |number| self.count(number)).map_err(|reason| self.no_square(place, &reason))
    }

    /// Notes the number of a move.
    ///
    /// # Errors
    /// The reason why it is not the next one. The first of several is 0 or 1.
    fn count(&mut self, number: u32) -> Result<(), String> {
        let (first, last) = self.counts.unwrap_or((number, number.wrapping_sub(1)));
        if self.counts.is_some() && (first > 1 || number != last.wrapping_add(1)) {
            let next = if first > 1 { 1 } else { last + 1 };
            return Err(format!("the moves are numbered {first}, {number} where {first}, {next} should be"));
        }
        self.counts = Some((first, number));
        Ok(())
    }

    /// Whether all squares are in pairs so far, the beginning and the end of a move each: by words or by lines.
    fn are_moves(&self) -> bool {
        let is_path = self.len() > 1 && self.pairs.is_empty();
        is_path && (!self.has_other_words || (!self.has_other_lines && self.len() <= 2 * self.lines))
    }

    /// Whether the list goes on behind this line: the next line has a square as all lines before it have, or squares for which the
    /// board has room, the first of which is new. Squares of another tour are not new.
    fn goes_on<R: Read>(&mut self, source: &mut TextSource<R>) -> io::Result<bool> {
        let (len, is_one_a_line, are_moves) = (self.len(), self.len() == self.lines, self.are_moves());
        let room = self.room().saturating_sub(len);
        let may_have_more = self.board().squares() <= LINES_SQUARES_MAX;
        let has_room = room > 0 || is_one_a_line || (are_moves && len / 2 < self.room());
        if !(is_one_a_line || may_have_more || are_moves) || !has_room {
            return Ok(false);
        }
        let rest = source.look_ahead(NEXT_LINE_MAX)?.get(1..).unwrap_or_default();
        let next = first_line(rest);
        let (label, line) = next.trim_ascii().split_at(label_length(next.trim_ascii()));
        let is_other = next.len() + 1 >= NEXT_LINE_MAX || !are_alike(&self.label, label);
        if is_other || parts(line, &mut self.pieces).is_err() {
            return Ok(false);
        }
        self.pieces.retain(|(_, piece)| !matches!(piece, Piece::Count(_)));
        Ok(match &self.pieces[..] {
            [from, _] if are_moves => self.index_of(line, from).is_some_and(|index| index + 1 == len),
            // A closed tour that names its first square again, before an empty line or the end.
            [first] if is_one_a_line && room == 0 => {
                let behind = first_line(rest.get(next.len() + 1..).unwrap_or_default());
                behind.trim_ascii().is_empty() && self.index_of(line, first) == Some(0)
            }
            [_] if is_one_a_line => true,
            [first, ..] => may_have_more && self.pieces.len() <= room && self.index_of(line, first) == Some(len),
            [] => false,
        })
    }

    /// Whether the first square of the next line is a knight's move from the last one.
    fn joins_next(&self, ahead: &[u8]) -> bool {
        let line = ahead.get(1..).map(first_line).unwrap_or_default();
        let next = &line[..count(line, u8::is_ascii_alphanumeric)];
        let next = placeholder_board().named(next);
        next.zip(self.squares.last()).is_some_and(|(next, &last)| placeholder_board().adjacent(last, next))
    }

    /// The index at which the list has this square first, or its length if it is new; `None` if it is no square.
    fn index_of(&self, line: &[u8], &(at, piece): &(usize, Piece)) -> Option<usize> {
        let index = match piece {
            Piece::Pair(pair) => self.pairs.iter().position(|other| *other == pair),
            Piece::Name(length) => {
                let name = self.without_knight(&line[at..at + length])?;
                let square = self.board().parse_square(&printable(name)).ok()?;
                self.squares.iter().position(|&other| other == square)
            }
            Piece::Count(_) => None,
        };
        Some(index.unwrap_or(self.len()))
    }

    /// A name without the N before it, if names have one.
    fn without_knight<'a>(&self, name: &'a [u8]) -> Option<&'a [u8]> {
        if self.has_knights { name.strip_prefix(b"N") } else { Some(name) }
    }

    /// The flaw of a list with a word that is no square. If an earlier move is wrong, the flaw is that move.
    pub fn no_square(&self, place: TextPlace, reason: &str) -> ReadStop {
        let number = self.squares.len() + 1;
        match self.shape.as_ref().and_then(|shape| first_wrong_move(shape, &self.squares)) {
            Some((number, reason)) => flaw(self.places.of_move(number, None).unwrap_or(place), Some(number), reason),
            None => flaw(place, Some(number), format!("move {number}: {reason}")),
        }
    }

    /// Adds a square by its name. Returns whether the list may continue.
    ///
    /// # Errors
    /// The reason why the word is no square.
    fn push(&mut self, word: &[u8]) -> Result<bool, String> {
        let (board, is_known) = (self.board(), self.shape.is_some());
        if let Some(square) = board.named(word) {
            return Ok(self.push_square(square));
        }
        let text = if word.len() > WORD_MAX { excerpt(word) } else { printable(word) };
        match board.parse_square(&text) {
            // The name may have capitals. The other notations count from the top left, which is not known yet.
            Ok(square) if is_known || word[0].is_ascii_alphabetic() => Ok(self.push_square(square)),
            Err(error) if is_known => Err(error.to_string()),
            Ok(_) => Err(format!("'{text}' needs a board: begin the list with it, such as 6x6, or name it by --board")),
            Err(_) => Err(no_name(word)),
        }
    }

    /// Whether the list may continue: with two squares more than its board it visits a square twice, and is no closed tour that names its
    /// first square again. Whatever follows cannot change that, and would only take memory. Moves name all squares but two twice.
    #[inline]
    fn has_room(&self) -> bool {
        let (len, room) = (self.len(), self.room());
        len <= room + 1 || (len <= 2 * room && self.are_moves())
    }

    #[inline]
    fn push_plain(&mut self, square: Square, place: TextPlace) -> bool {
        self.has_other_words = true;
        self.places.push(place);
        self.push_square(square)
    }

    /// The square of a word that is its name and no more but a comma, which is the usual case.
    #[inline(always)]
    fn plain_name(&self, word: &[u8]) -> Option<Square> {
        let word = word.strip_suffix(b",").unwrap_or(word);
        let is_plain = self.pairs.is_empty() && !self.has_knights && word.first().is_some_and(u8::is_ascii_lowercase);
        is_plain.then(|| self.board().named(word))?
    }

    #[inline]
    fn push_square(&mut self, square: Square) -> bool {
        reserve(&mut self.squares, 1);
        self.squares.push(square);
        self.has_room()
    }

    /// Adds the squares of a word that stands at this place. Pairs are kept as numbers while there is no other square, because a list of
    /// pairs may be read in another way. Returns whether the list may continue.
    #[inline]
    pub fn push_word(&mut self, word: &[u8], place: TextPlace) -> Result<bool, ReadStop> {
        match self.plain_name(word) {
            Some(square) => Ok(self.push_plain(square, place)),
            None => self.push_pieces(word, place),
        }
    }

    /// Adds the squares of a word that is not only a name.
    fn push_pieces(&mut self, word: &[u8], place: TextPlace) -> Result<bool, ReadStop> {
        if let Err(offset) = parts(word, &mut self.pieces) {
            let pushed = self.take_pairs().and_then(|()| self.push(word.strip_suffix(b",").unwrap_or(word)));
            return pushed.map_err(|reason| self.no_square(place.plus(offset), &reason));
        }
        for &sign in word {
            self.open = (self.open + usize::from(opens(sign))).saturating_sub(usize::from(closes(sign)));
        }
        let is_square = |piece: &Piece| !matches!(piece, Piece::Count(_));
        let squares = self.pieces.iter().filter(|(_, piece)| is_square(piece)).count();
        self.has_other_words |= squares != 2 && squares > 0;
        for index in 0..self.pieces.len() {
            let (offset, piece) = self.pieces[index];
            let place = place.plus(offset);
            let more = self.push_piece(&word[offset..], piece).map_err(|reason| self.no_square(place, &reason))?;
            if is_square(&piece) {
                self.places.push(place);
            }
            if !more {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the squares of a word that has one at least.
    pub fn push_name(&mut self, name: &[u8], place: TextPlace) -> Result<bool, ReadStop> {
        let before = self.len();
        let may_go_on = self.push_word(name, place)?;
        if self.len() == before { Err(self.no_square(place, &no_name(name))) } else { Ok(may_go_on) }
    }

    /// Adds what the piece is with which a text begins.
    fn push_piece(&mut self, text: &[u8], piece: Piece) -> Result<bool, String> {
        match piece {
            Piece::Count(number) => self.count(number).map(|()| true),
            Piece::Pair(pair) if self.squares.is_empty() => {
                reserve(&mut self.pairs, 1);
                self.pairs.push(pair);
                Ok(self.has_room())
            }
            Piece::Pair([row, col]) => self.push(format!("{row},{col}").as_bytes()),
            // All names have an N for the knight before them, or none has.
            Piece::Name(length) => {
                let name = &text[..length];
                self.take_pairs()?;
                let is_narrow = self.shape.is_none() || self.board().cols() < KNIGHT_COLS;
                if self.squares.is_empty() {
                    self.has_knights = is_narrow && matches!(name, [b'N', b'a'..=b'z', b'0'..=b'9', ..]);
                }
                let reason = || format!("'{}' has no N before it, as the first square has", excerpt(name));
                self.push(self.without_knight(name).ok_or_else(reason)?)
            }
        }
    }

    /// Adds the squares of pairs, each a row and a column from 0.
    fn take_pairs(&mut self) -> Result<(), String> {
        let pairs = std::mem::take(&mut self.pairs);
        pairs.iter().try_for_each(|[row, col]| self.push(format!("{row},{col}").as_bytes()).map(drop))
    }

    /// Makes one path of moves from square to square, if each begins where the one before it ends.
    fn join_moves(&mut self) -> bool {
        let squares = &self.squares;
        let joins = squares.len() >= 4 && squares[1..].chunks(2).all(|pair| pair.len() == 1 || pair[0] == pair[1]);
        let are_moves = joins && squares.len().is_multiple_of(2) && self.are_moves();
        if are_moves {
            self.squares = squares[..1].iter().chain(squares[1..].iter().step_by(2)).copied().collect();
            self.places = self.places.only(|at| at == 0 || at % 2 == 1);
        }
        are_moves
    }

    /// The tour that the list is.
    ///
    /// # Errors
    /// The flaw of a list without a board: it has no squares, or they fit on no board.
    pub fn finish(mut self, form: &'static str) -> Result<ReadTour, ReadStop> {
        if !self.pairs.is_empty() {
            return by_pairs(&self.pairs, self.shape.as_ref(), &self.places);
        }
        let form = if self.join_moves() { "moves from square to square" } else { form };
        let Squares { shape, squares, places, .. } = self;
        if let Some(shape) = shape {
            return Ok(ReadTour::new(shape, squares, places, form));
        }
        let spots = || squares.iter().map(|&square| placeholder_board().row_col(square));
        let (top, right) = (spots().map(|(row, _)| row).min(), spots().map(|(_, col)| col).max());
        let (top, right) = top.zip(right).ok_or_else(|| flaw(places.begin, None, "the list has no squares"))?;
        let board = Board::new((placeholder_board().rows() - top).into(), u64::from(right) + 1)
            .map_err(|error| flaw(places.begin, None, error.to_string()))?;
        let squares = spots().filter_map(|(row, col)| board.square(row - top, col)).collect();
        Ok(ReadTour::new(board.into(), squares, places, form))
    }
}

fn no_name(word: &[u8]) -> String {
    format!("'{}' is not the name of a square, such as e6", excerpt(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_list_without_a_board_gets_the_smallest_board() {
        let none = || Squares::new(None, TextPlace::default());
        let mut squares = none();
        for name in ["a1", "B3", "c2", "d1"] {
            assert_eq!(squares.push(name.as_bytes()), Ok(true));
        }
        let ReadTour { shape, squares, .. } = squares.finish("list").ok().unwrap();
        let names: Vec<String> = squares.iter().map(|&s| shape.board().name(s)).collect();
        assert_eq!((shape.to_string().as_str(), names.join(" ")), ("3x4", "a1 b3 c2 d1".to_owned()));
        assert!(none().finish("list").is_err());
        for (name, says) in [("#7", "needs a board"), ("1,2", "needs a board"), ("foo", "not the name of a square")] {
            assert!(none().push(name.as_bytes()).unwrap_err().contains(says), "{name}");
        }
    }

    #[test]
    fn squares_past_the_end_are_not_stored() {
        let mut squares = Squares::new("1x2".parse().ok(), TextPlace::default());
        let names = ["a1", "b1", "a1", "b1"];
        let more = names.map(|name| squares.push_word(name.as_bytes(), TextPlace::default()).ok());
        assert_eq!(more, [Some(true), Some(true), Some(true), Some(false)]);
    }

    proptest! {
        #[test]
        fn the_fast_reader_agrees_with_parse_square(text in "[a-cA-C#,]{0,3}[0-9,]{0,11}|[a-z]{1,8}[0-9]{1,10}") {
            for board in ["3x4", "30x40", "20000x20000"] {
                let board: Board = board.parse().unwrap();
                let fast = board.named(text.as_bytes());
                prop_assert!(fast.is_none() || fast == board.parse_square(&text).ok(), "{}", text);
                let read = Squares::new(Some(board.into()), TextPlace::default()).push(text.as_bytes()).is_ok();
                prop_assert_eq!(read, board.parse_square(&text).is_ok(), "{}", text);
            }
        }
    }
}
