//! Fast verification of plain tours: lists and grids of one board, one after the other, written in one way.
//! Tours are verified in the input buffer; several threads verify many tours as a [`stretch`](super::stretch).
//!
//! The first tour that is anything else, with a fault, a comma or another board, ends the run of plain tours. [`list`](super::list)
//! or [`table`](super::table) then reads it from its beginning, and only they report errors. Where no reasons are wanted any
//! more, a list of which is certain that they would report one error is counted as wrong, and the run continues.
//!
//! # Lists up to 8x8
//!
//! Their lines are verified many bytes at a time. A line is the board, if it is named, and names, each a letter, a digit and a
//! blank, or the end of the line:
//!
//! ```text
//! 8x8 a1 b3 d4 ..      text        'a'  '1'  ' '  'b'  '3'  ' '  ..
//!     ^^^ one name     three on    'b'  '3'  ' '  'd'  '4'  ' '
//! ```
//!
//! Letters and digits stay where they are in the text. The byte three further on is the same part of the next name, so that
//! the distances of a move are differences of the line and the line moved by three bytes. A knight's move has distances
//! whose sum is 3 and whose maximum is 2. What each place of a line must be stands in tables of its length; a place that is
//! no letter has a table entry that lets its differences pass. So the loops have neither branches nor lookups, and a
//! compiler makes vectors of 32 bytes of them: 38 ns for a line of 8x8 where a table of names takes 68.
//!
//! The tables end with entries that let everything pass, because the last vector reaches over the end of the names. A text
//! that has too few bytes for that is read as larger boards are, and so is every line that is no tour. The tests hold both
//! ways against each other.
//!
//! # Larger boards, and grids
//!
//! A name has one digit or two, so the next one begins anywhere. The beginnings of words are found eight bytes at a time, by a
//! bit that only they have, and four bytes from each are gathered as a number. Names are decoded from these numbers, and
//! distances are taken, by vectors again. The numbers of a grid are gathered in the same way, and each puts its square in its
//! place among the moves.

use crate::board::{Board, Ending};
use crate::bounded::first_line;
use std::io::BufRead as _;

/// Verified tours, one after the other in a text or packed file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlainTours {
    /// Number of tours that are right.
    pub tours: u64,
    /// Number of those tours whose last square is a knight's move from the first.
    pub closed: u64,
    /// Number of tours that are wrong, where no reasons are wanted.
    pub wrong: u64,
    /// Number of bytes of the lines, or of the blocks.
    pub(super) bytes: usize,
}

impl PlainTours {
    /// Adds the tours that follow.
    pub(super) fn add(&mut self, next: PlainTours) {
        self.tours += next.tours;
        self.closed += next.closed;
        self.wrong += next.wrong;
        self.bytes += next.bytes;
    }
}

/// Number of bytes of the whole lines in a text.
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// The way in which the tours of a text are written: lists with a tour a line, or grids with an empty line between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainForm {
    /// Whether the board is named.
    has_head: bool,
    /// What lists call the first column, `a` or `A`; 0 for grids.
    first: u8,
    is_crlf: bool,
}

impl PlainForm {
    /// The form of the tour with which a text begins, which may have `head` before its squares. `None` for any other text: then
    /// [`PlainForm::whole`] would look for its end in vain.
    pub fn of(head: &str, text: &[u8]) -> Option<PlainForm> {
        let names = text.strip_prefix(head.as_bytes());
        let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b' ';
        let first = match (names, names.unwrap_or(text)) {
            (Some(_), [b'a'..=b'z', ..]) | (None, [b'a'..=b'z', b'0'..=b'9', b' ' | b'0'..=b'9', ..]) => b'a',
            (Some(_), [b'A'..=b'Z', ..]) | (None, [b'A'..=b'Z', b'0'..=b'9', b' ' | b'0'..=b'9', ..]) => b'A',
            (None, [b'\n', row @ ..]) if first_line(row).iter().all(is_number) => 0,
            _ => return None,
        };
        let is_crlf = first > 0 && first_line(text).ends_with(b"\r");
        Some(PlainForm { has_head: names.is_some(), first, is_crlf })
    }

    /// The form in a word.
    pub fn name(&self) -> &'static str {
        if self.first == 0 { "grid" } else { "list" }
    }

    /// Number of bytes of the whole tours in a text. A grid has its empty line before it.
    pub fn whole(&self, text: &[u8]) -> usize {
        match self.first {
            0 => text.windows(2).rposition(|pair| pair == b"\n\n").map_or(0, |at| at + 1),
            _ => whole_lines(text),
        }
    }
}

/// Verifies plain tours of one board.
#[derive(Debug)]
pub struct PlainLines {
    board: Board,
    pub ending: Ending,
    pub form: PlainForm,
    /// The board with a blank, if it is named.
    head: String,
    /// The faster way, for lists of small boards.
    short: Option<ShortLines>,
}

impl PlainLines {
    /// For tours of this board and ending in this form, which may have `head` before the squares. `None` for a board with too many
    /// squares, rows or columns, or too few.
    pub fn new(board: Board, ending: Ending, form: PlainForm, head: &str) -> Option<PlainLines> {
        let (rows, cols) = (board.rows(), board.cols());
        let is_small = rows <= ROWS_MAX.into() && cols <= COLS_MAX.into() && board.squares() as usize <= SQUARES_MAX;
        if !is_small || rows.min(cols) < 3 {
            return None;
        }
        let head = if form.has_head { head.to_owned() } else { String::new() };
        let short = ShortLines::new(board, form);
        Some(PlainLines { board, ending, form, head, short })
    }

    /// Number of lines of these tours.
    pub fn lines(&self, run: PlainTours) -> u64 {
        (run.tours + run.wrong) * if self.form.first == 0 { u64::from(self.board.rows()) + 1 } else { 1 }
    }

    /// Verifies the plain tours at the beginning of `text`, which ends with a whole tour. A list is counted as well if `is_wrong` says of its
    /// names, in the order of its arguments: the board, the first column, the names, and whether the list ends for certain.
    pub fn plain_prefix(&self, text: &[u8], is_wrong: impl Fn(Board, u8, &[u8], bool) -> bool) -> PlainTours {
        let mut run = PlainTours::default();
        let mut words = TourWords::NONE;
        // The words are for the last line, a larger board, a grid, or a tour that is not plain.
        let mut next = |text: &[u8]| {
            let text = text.strip_prefix(self.head.as_bytes())?;
            let found = self.short.as_ref().and_then(|short| short.line(text)).or_else(|| self.tour(text, &mut words));
            found.filter(|&(_, closes)| closes || self.ending == Ending::Open)
        };
        loop {
            let text = &text[run.bytes..];
            if let Some((bytes, closes)) = next(text) {
                run.add(PlainTours { tours: 1, closed: closes.into(), wrong: 0, bytes: self.head.len() + bytes });
                continue;
            }
            let (line, head) = (line_bytes(text).unwrap_or(0), self.head.as_bytes());
            let end = if self.form.is_crlf { "\r\n" } else { "\n" };
            let names = text[..line].strip_prefix(head).and_then(|names| names.strip_suffix(end.as_bytes()));
            let is_followed = !head.is_empty() && text[line..].starts_with(head);
            let first = Some(self.form.first).filter(|&first| first > 0);
            if !names.zip(first).is_some_and(|(names, first)| is_wrong(self.board, first, names, is_followed)) {
                return run;
            }
            run.add(PlainTours { tours: 0, closed: 0, wrong: 1, bytes: line });
        }
    }

    /// The bytes of the tour at the beginning of `text`, and whether it closes. `None` if it is not plain, or wrong.
    #[inline(never)]
    fn tour(&self, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
        if self.form.first == 0 { self.grid(text, words) } else { self.list(text, words) }
    }

    fn list(&self, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
        let PlainForm { first, is_crlf, .. } = self.form;
        let bytes = line_bytes(text)?;
        let line = &text[..bytes - 1];
        let line = if is_crlf { line.strip_suffix(b"\r")? } else { line };
        words.line.get_mut(..line.len())?.copy_from_slice(line);
        words.gather::<LETTER>(line.len())?;
        let (is_on_board, names) = words.read_names(self.board.rows(), self.board.cols(), first)?;
        let is_whole = names == line.len() + 1 && words.count == self.board.squares() as usize;
        let is_tour = is_on_board && is_whole && words.visits_all();
        (is_tour && words.wrong_moves() == 0).then(|| (bytes, words.closes()))
    }

    fn grid(&self, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
        let text = text.strip_prefix(b"\n")?;
        let (rows, cols) = (self.board.rows() as usize, self.board.cols() as usize);
        let row = line_bytes(text)?;
        let (cell, bytes) = ((row / cols).max(2), rows * row);
        // Behind the whole text is an empty line.
        if text.get(bytes).is_some_and(|&next| next != b'\n') {
            return None;
        }
        let lines = words.line.get_mut(..bytes)?;
        lines.copy_from_slice(text.get(..bytes)?);
        for line in lines.chunks_exact_mut(row) {
            *line.last_mut().filter(|end| **end == b'\n')? = b' ';
        }
        // As many words as cells, and the end of one in each cell.
        let ends = lines.chunks_exact(cell).filter(|cell| cell[cell.len() - 2].is_ascii_digit()).count();
        words.gather::<DIGIT>(bytes)?;
        if row % cols != 0 || words.count != rows * cols || ends != words.count {
            return None;
        }
        // Moves are read as the names of the squares of a board of one column.
        words.words[..ends].iter_mut().for_each(|word| *word = (*word << 8) | u32::from(b'a'));
        let (are_moves, _) = words.read_names(self.board.squares(), 1, b'a')?;
        if !are_moves || words.others != 0 || !words.visits_all() {
            return None;
        }
        let mut moves = words.squares[..ends].iter();
        for row in 0..rows as u8 {
            for (col, &at) in (0..cols as u8).zip(&mut moves) {
                (words.cols[usize::from(at)], words.rows[usize::from(at)]) = (col, row);
            }
        }
        (words.wrong_moves() == 0).then(|| (bytes + 1, words.closes()))
    }
}

/// Most squares, and most rows and columns: numbers have up to two digits, names of columns one letter.
const SQUARES_MAX: usize = 1 << 8;
const ROWS_MAX: u8 = 99;
const COLS_MAX: u8 = 26;
/// Words that have room: more than a tour has show that it is wrong.
const WORDS_MAX: usize = SQUARES_MAX + VECTOR + 1;
/// Most bytes of a line.
const LINE_MAX: usize = 4 * SQUARES_MAX;
/// Bytes of a line that are looked at together, a bit each.
const BLOCK: usize = 64;
/// Eight blanks.
const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);
/// The bit that letters, or digits, have and a blank has not.
const LETTER: u32 = 6;
const DIGIT: u32 = 4;

/// Number of bytes of the line at the beginning of a text, with its line feed.
fn line_bytes(mut text: &[u8]) -> Option<usize> {
    // The fastest search for a byte that the standard library has.
    text.skip_until(b'\n').ok().filter(|&bytes| bytes > 0)
}

/// The words of a tour in a text, and what they say of each move.
struct TourWords {
    /// A line, and blanks behind it.
    line: [u8; LINE_MAX + BLOCK + 4],
    /// Four bytes from the first of each word.
    words: [u32; WORDS_MAX],
    count: usize,
    /// Not 0 if something is neither a word nor a blank.
    others: u64,
    /// By word: column, row and number of a square of the board, or of a move.
    cols: [u8; WORDS_MAX],
    rows: [u8; WORDS_MAX],
    squares: [u8; WORDS_MAX],
}

impl TourWords {
    const NONE: TourWords = TourWords {
        line: [0; LINE_MAX + BLOCK + 4],
        words: [0; WORDS_MAX],
        count: 0,
        others: 0,
        cols: [0; WORDS_MAX],
        rows: [0; WORDS_MAX],
        squares: [0; WORDS_MAX],
    };

    /// Finds the words of the line, of so many bytes: each begins at a byte with this bit behind one without it.
    fn gather<const BIT: u32>(&mut self, bytes: usize) -> Option<()> {
        self.line.get_mut(bytes..bytes + BLOCK + 4)?.fill(b' ');
        (self.count, self.others) = (0, 0);
        let (mut before, mut count) = (0, 0);
        for at in (0..bytes).step_by(BLOCK) {
            let block: &[u8; BLOCK + 4] = self.line[at..].first_chunk()?;
            let mut has_bit = 0;
            for at in (0..BLOCK).step_by(8) {
                let bytes = u64::from_le_bytes(*block[at..].first_chunk()?);
                let bits = (bytes >> BIT) & (u64::MAX / 255);
                // The bits of eight bytes, side by side.
                has_bit |= (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) << at;
                if BIT == DIGIT {
                    self.others |= (bytes ^ BLANKS) & !(bits * 255);
                }
            }
            let mut begins = has_bit & !((has_bit << 1) | before);
            before = has_bit >> 63;
            while begins != 0 {
                let place = begins.trailing_zeros() as usize;
                *self.words.get_mut(count)? = u32::from_le_bytes(*block[place..].first_chunk()?);
                begins &= begins - 1;
                count += 1;
            }
        }
        self.count = count;
        Some(())
    }

    /// Reads names with a blank behind each. Returns whether all are on the board, and their bytes. `None` if a word is none.
    #[inline(always)]
    fn read_names(&mut self, rows: u32, cols: u32, first: u8) -> Option<(bool, usize)> {
        let lanes = self.count.next_multiple_of(VECTOR);
        self.words.get_mut(self.count..lanes)?.fill(u32::from_le_bytes([first, b'1', b' ', b' ']));
        let (rows, cols) = (rows as u8, cols as u8);
        let (mut wrong, mut off, mut second) = (0, 0, [0; VECTOR]);
        for at in (0..lanes).step_by(VECTOR) {
            let words: &[u32; VECTOR] = self.words[at..].first_chunk()?;
            let [mut letters, mut digits, mut nexts, mut lasts] = [[0; VECTOR]; 4];
            for at in 0..VECTOR {
                [letters[at], digits[at], nexts[at], lasts[at]] = words[at].to_le_bytes();
            }
            let col_of: &mut [u8; VECTOR] = self.cols[at..].first_chunk_mut()?;
            let row_of: &mut [u8; VECTOR] = self.rows[at..].first_chunk_mut()?;
            let squares: &mut [u8; VECTOR] = self.squares[at..].first_chunk_mut()?;
            for at in 0..VECTOR {
                let (col, digit, next) = (letters[at].wrapping_sub(first), digits[at] ^ b'0', nexts[at] ^ b'0');
                let has_two = next < 10;
                let row = if has_two { digit.wrapping_mul(10).wrapping_add(next) } else { digit }.wrapping_sub(1);
                let behind = if has_two { lasts[at] } else { nexts[at] };
                wrong |= u8::from(col >= COLS_MAX) | u8::from(digit > 9) | (behind ^ b' ');
                wrong |= u8::from(has_two && digit == 0);
                off |= u8::from(col >= cols) | u8::from(row >= rows);
                second[at] += u8::from(has_two);
                (col_of[at], row_of[at], squares[at]) = (col, row, row.wrapping_mul(cols).wrapping_add(col));
            }
        }
        let bytes = 3 * self.count + second.iter().map(|&second| usize::from(second)).sum::<usize>();
        (wrong == 0).then_some((off == 0, bytes))
    }

    /// Whether the squares, or moves, are all different.
    fn visits_all(&self) -> bool {
        let mut visited = [0u8; SQUARES_MAX];
        self.squares[..self.count].iter().for_each(|&square| visited[usize::from(square)] = 1);
        visited.iter().map(|&visited| usize::from(visited)).sum::<usize>() == self.count
    }

    /// Whether a knight's move leads from the last square to the first one.
    fn closes(&self) -> bool {
        let (TourWords { cols, rows, .. }, last) = (self, self.count - 1);
        wrong_move(cols[0].abs_diff(cols[last]), rows[0].abs_diff(rows[last])) == 0
    }

    /// 0 if all moves are a knight's.
    #[inline(always)]
    fn wrong_moves(&self) -> u8 {
        let mut wrong = 0;
        for at in (0..self.count - 1).step_by(VECTOR) {
            let moves = (self.count - 1 - at).min(VECTOR) as u8;
            let (cols, rows) = (&self.cols[at..=at + VECTOR], &self.rows[at..=at + VECTOR]);
            for at in 0..VECTOR {
                let bad = wrong_move(cols[at].abs_diff(cols[at + 1]), rows[at].abs_diff(rows[at + 1]));
                wrong |= if (at as u8) < moves { bad } else { 0 };
            }
        }
        wrong
    }
}

/// Most rows, and most columns, of short lines.
const SIDE_MAX: u32 = 8;
/// Bytes of a name with its blank.
const NAME: usize = 3;
/// Most bytes of the names of a line.
const NAMES_MAX: usize = NAME * (SIDE_MAX * SIDE_MAX) as usize;
/// Bytes of a vector. The names of 8x8 fill six.
const VECTOR: usize = 32;
/// The next name, and its digit: bytes behind a vector that are read with it.
const BEHIND: usize = NAME + 1;

/// Verifies plain lines of one board of at most eight rows and columns.
#[derive(Debug)]
pub struct ShortLines {
    /// Bytes of the names of a line.
    names: usize,
    /// The place of the line feed.
    end: usize,
    /// The squares of the board, a bit each.
    all: u64,
    /// By place: the least byte that may stand there, and by how much it may be exceeded.
    least: [u8; NAMES_MAX],
    above: [u8; NAMES_MAX],
    /// By place: all bits for a letter of which a move leads to another name.
    moves: [u8; NAMES_MAX],
}

impl ShortLines {
    /// For lines of tours of this board and form. `None` for grids and for a board with more rows or columns.
    pub fn new(board: Board, form: PlainForm) -> Option<ShortLines> {
        let (rows, cols) = (board.rows(), board.cols());
        if rows > SIDE_MAX || cols > SIDE_MAX || form.first == 0 {
            return None;
        }
        let names = NAME * board.squares() as usize;
        let (mut least, mut above, mut moves) = ([0; NAMES_MAX], [u8::MAX; NAMES_MAX], [0; NAMES_MAX]);
        for at in (0..names).step_by(NAME) {
            least[at..at + NAME].copy_from_slice(&[form.first, b'1', b' ']);
            above[at..at + NAME].copy_from_slice(&[cols as u8 - 1, rows as u8 - 1, 0]);
            moves[at] = if at + NAME < names { u8::MAX } else { 0 };
        }
        least[names - 1] = if form.is_crlf { b'\r' } else { b'\n' };
        let end = names - usize::from(!form.is_crlf);
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| 1 << (SIDE_MAX * row + col))).sum();
        Some(ShortLines { names, end, all, least, above, moves })
    }

    /// The number of bytes of the line that begins with these names, and whether its tour closes. `None` if it is no plain line of
    /// a tour, or if the text has too few bytes behind it.
    #[inline(always)]
    pub fn line(&self, names: &[u8]) -> Option<(usize, bool)> {
        let vectors = self.names.div_ceil(VECTOR);
        let whole = names.get(..VECTOR * vectors + BEHIND)?;
        let mut places = [0; NAMES_MAX];
        let mut wrong = whole[self.end] ^ b'\n';
        for at in (0..VECTOR * vectors).step_by(VECTOR) {
            let bytes: &[u8; VECTOR + BEHIND] = whole[at..].first_chunk()?;
            let (least, above) = (self.least[at..].first_chunk()?, self.above[at..].first_chunk()?);
            let places = places[at..].first_chunk_mut()?;
            wrong |= wrong_in(bytes, least, above, self.moves[at..].first_chunk()?, places);
        }
        let seen = places[..self.names].iter().step_by(NAME).fold(0, |seen, place| seen | 1u64 << (place & 63));
        let first = [whole[0], whole[1]];
        let last = [whole[self.names - 3], whole[self.names - 2]];
        let closes = wrong_move(first[0].abs_diff(last[0]), first[1].abs_diff(last[1])) == 0;
        (wrong == 0 && seen == self.all).then_some((self.end + 1, closes))
    }
}

/// Whether something is wrong with a vector of text: 0 if not. Where a letter stands, `places` has the bit number of its
/// square, in its six low bits: eight to a row, `a1` the first.
#[inline(always)]
fn wrong_in(
    bytes: &[u8; VECTOR + BEHIND],
    least: &[u8; VECTOR],
    above: &[u8; VECTOR],
    moves: &[u8; VECTOR],
    places: &mut [u8; VECTOR],
) -> u8 {
    let mut wrong = 0;
    for at in 0..VECTOR {
        let (byte, next) = (bytes[at], bytes[at + 1]);
        let distances = (byte.abs_diff(bytes[at + NAME]), next.abs_diff(bytes[at + NAME + 1]));
        let part = byte.wrapping_sub(least[at]);
        wrong |= part.saturating_sub(above[at]);
        wrong |= wrong_move(distances.0, distances.1) & moves[at];
        places[at] = (next.wrapping_sub(b'1') << 3).wrapping_add(part);
    }
    wrong
}

/// 0 if a knight goes this far by columns and rows.
#[inline(always)]
fn wrong_move(cols: u8, rows: u8) -> u8 {
    (cols.max(rows) ^ 2) | (cols.wrapping_add(rows) ^ 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;

    const TOUR: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n";

    /// For tours written as the one with which a text begins.
    fn lines_of(board: &str, ending: Ending, text: &str) -> Option<PlainLines> {
        let head = format!("{board} ");
        PlainLines::new(board.parse().unwrap(), ending, PlainForm::of(&head, text.as_bytes())?, &head)
    }

    /// A text of another form is not searched for the end of a tour, which would take as long as its tours all together.
    #[test]
    fn only_a_list_and_a_grid_below_an_empty_line_have_a_plain_form() {
        for (text, name) in [
            (TOUR, Some("list")),
            ("3x4 A3", Some("list")),
            ("a3 c2\r\n", Some("list")),
            ("\n 1  4\n", Some("grid")),
            ("\n 1  4\r\n", None),
            ("\r\n 1  4\r\n", None),
            (" 1  4\n", None),
            ("(2,0) (1,2)\n", None),
            ("1. a3 2. c2\n", None),
            ("# a comment\n", None),
            ("Tour 1:\n", None),
            ("3x4  a3\n", None),
            ("4x3 a3\n", None),
            ("", None),
        ] {
            assert_eq!(PlainForm::of("3x4 ", text.as_bytes()).map(|form| form.name()), name, "{text}");
        }
    }

    fn run(text: &str) -> (u64, usize) {
        let lines = lines_of("3x4", Ending::Open, TOUR).unwrap();
        let PlainTours { tours, bytes, .. } = lines.plain_prefix(text.as_bytes(), |_, _, _, _| false);
        (tours, bytes)
    }

    #[test]
    fn a_run_ends_before_the_first_line_that_is_not_plain() {
        for other in [
            TOUR.replace("c3", "C3"),
            TOUR.replace("c3", "c3,"),
            TOUR.replace("c3", " c3"),
            TOUR.replace("c3", "c\t3"),
            TOUR.replace("c3", "c03"),
            TOUR.replace("c3", "c0"),
            TOUR.replace("c3", "c9"),
            TOUR.replace("c3", "e3"),
            TOUR.replace("c3", "c:"),
            TOUR.replace("c3", "c/"),
            TOUR.replace("c3", "a3"),
            TOUR.replace("c3 d1", "d1 c3"),
            TOUR.replace(" a2\n", "\n"),
            TOUR.replace("\n", " \n"),
            TOUR.replace("\n", " a2\n"),
            TOUR.replace("3x4", "4x3"),
            TOUR.replace("3x4 ", ""),
            "\n".to_owned(),
            "3x4\n".to_owned(),
        ] {
            assert_eq!(run(&[TOUR, TOUR, &other, TOUR].concat()), (2, 2 * TOUR.len()), "{other}");
        }
        assert_eq!(run(""), (0, 0));
    }

    /// A closed tour of the largest board that is verified by vectors.
    const LARGEST: &str = "8x8 a8 b6 c8 a7 c6 a5 c4 a3 b5 d6 b7 d8 f7 h8 g6 f8 d7 b8 a6 c5 b3 a1 c2 d4 f3 h4 g2 e1 d3 e5 g4 \
                        h2 f1 e3 d1 b2 a4 c3 b1 d2 e4 f2 h1 g3 f5 h6 g8 e7 d5 b4 a2 c1 e2 g1 h3 f4 h5 f6 h7 g5 e6 g7 e8 c7\n";

    /// Every byte at every place of a line, and every pair of names exchanged: both ways say the same of all of them.
    #[test]
    fn vectors_say_of_a_line_what_its_words_say() {
        let tours = tours_5x6();
        let some = tours.first().into_iter().chain(tours.last()).map(|tour| format!("{}\n", tour.move_list()));
        let mut texts: Vec<String> = some.chain([TOUR.to_owned(), LARGEST.to_owned()]).collect();
        texts.extend([LARGEST[4..].to_owned(), TOUR.replace('\n', "\r\n"), TOUR[4..].to_uppercase()]);
        let (mut agreed, mut passed) = (0, 0);
        for line in &texts {
            let names = line.split_whitespace().filter(|word| !word.contains('x')).count();
            let board = if names == 64 {
                "8x8"
            } else if names == 30 {
                "5x6"
            } else {
                "3x4"
            };
            let lines = lines_of(board, Ending::Open, line).unwrap();
            let mut words = TourWords::NONE;
            let mut agree = |line: &[u8]| {
                // The vectors may look at what is behind the line.
                let text = [line, line, &[0; 64]].concat();
                let Some(names) = text.strip_prefix(lines.head.as_bytes()) else { return };
                let short = lines.short.as_ref().unwrap().line(names);
                let by_words = lines.tour(names, &mut words);
                assert_eq!(short, by_words, "{}", String::from_utf8_lossy(line));
                (agreed, passed) = (agreed + 1, passed + u32::from(short.is_some()));
            };
            agree(line.as_bytes());
            for at in 0..line.len() {
                let mut other = line.clone().into_bytes();
                for byte in 0..=u8::MAX {
                    other[at] = byte;
                    agree(&other);
                }
            }
            for (one, two) in (0..names).flat_map(|one| (0..one).map(move |two| (one, two))) {
                let mut words: Vec<&str> = line.trim_end().split(' ').collect();
                let head = words.len() - names;
                words.swap(head + one, head + two);
                agree((words.join(" ") + &line[line.trim_end().len()..]).as_bytes());
            }
        }
        assert!(agreed > 150_000 && passed > 400, "{passed} of {agreed}");
    }

    #[test]
    fn row_numbers_have_one_or_two_digits() {
        let board: Board = "12x3".parse().unwrap();
        let names: Vec<String> = board.all().map(|square| board.name(square)).collect();
        let line = format!("12x3 {}\n", names.join(" "));
        let mut words = TourWords::NONE;
        // Whether the names are on the board; `None` if one is no name.
        let mut read = |line: &str| {
            let names = line[5..].trim_end().as_bytes();
            words.line[..names.len()].copy_from_slice(names);
            words.gather::<LETTER>(names.len())?;
            let (is_on_board, bytes) = words.read_names(12, 3, b'a')?;
            (bytes == names.len() + 1).then_some(is_on_board)
        };
        assert_eq!(read(&line), Some(true));
        for (other, is_plain) in [
            ("a13", true),
            ("a99", true),
            ("a00", false),
            ("a0", true),
            ("a1:", false),
            ("a:1", false),
            ("a112", false),
        ] {
            let line = line.replace("a12", other);
            assert_eq!(read(&line), is_plain.then_some(false), "{other}");
        }
        for board in ["3x27", "100x3", "17x16", "2x9", "1x1"] {
            assert!(lines_of(board, Ending::Open, "a1").is_none(), "{board}");
        }
    }
}
