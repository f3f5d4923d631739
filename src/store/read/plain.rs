//! Fast verification of plain tours: lists of a line each with a blank between the names, and grids of numbers with blanks between.
//! Tours are verified in the input buffer; several threads verify many tours as a [`stretch`](super::stretch). What stands before and
//! behind the names is the matter of [`shape`](super::shape), and what is no tour is read by the rules.
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
//! that has too few bytes for that is read square by square, and so is every line that is no tour. The tests hold both
//! ways against each other.
//!
//! # Larger boards, and grids
//!
//! A name has one digit or two, so the next one begins anywhere. The beginnings of words are found eight bytes at a time, by a
//! bit that only they have, and four bytes from each are gathered as a number. Names are decoded from these numbers, and
//! distances are taken, by vectors again. The numbers of a grid are gathered in the same way, and each puts its square in its
//! place among the moves.

use crate::board::Board;
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
    /// Number of bytes of the last tour behind its last line feed.
    pub(super) column: usize,
}

impl PlainTours {
    /// Adds the tours that follow.
    pub(super) fn add(&mut self, next: PlainTours) {
        self.tours += next.tours;
        self.closed += next.closed;
        self.wrong += next.wrong;
        self.bytes += next.bytes;
        self.column = if next.bytes > 0 { next.column } else { self.column };
    }
}

/// Number of bytes of the whole lines in a text.
pub fn whole_lines(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1)
}

/// Verifies lists of one board, a line each: names with a blank between.
pub struct PlainLines {
    board: Board,
    /// What the first column is called, `a` or `A`.
    pub first: u8,
    /// What stands behind the last name: a line feed, with one byte before it or none.
    pub end: Vec<u8>,
    /// The faster way, for small boards.
    short: Option<ShortLines>,
}

impl PlainLines {
    /// Whether tours of a board are verified by vectors: it is not too large or too narrow.
    pub fn has_room(board: Board) -> bool {
        let (rows, cols) = (board.rows(), board.cols());
        let is_small = rows <= ROWS_MAX.into() && cols <= COLS_MAX.into() && board.squares() as usize <= SQUARES_MAX;
        is_small && rows.min(cols) >= 3
    }

    /// For lists with these bytes behind their last name. `None` for others.
    pub fn new(board: Board, first: u8, end: &[u8]) -> Option<PlainLines> {
        let is_end = PlainLines::has_room(board) && end.len() <= 2 && end.ends_with(b"\n");
        is_end.then(|| PlainLines { board, first, end: end.to_vec(), short: ShortLines::new(board, first, end) })
    }

    /// The bytes of the tour whose names a text begins with, and whether it closes. `None` if it is no tour, or if too few bytes stand behind it.
    #[inline(always)]
    pub fn line(&self, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
        match &self.short {
            Some(short) => short.line(text),
            None => self.long_line(text, words),
        }
    }

    #[inline(never)]
    fn long_line(&self, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
        let bytes = line_bytes(text)?;
        let line = text[..bytes].strip_suffix(&self.end[..])?;
        words.line.get_mut(..line.len())?.copy_from_slice(line);
        words.gather::<LETTER>(line.len())?;
        let (is_on_board, names) = words.read_names(self.board.rows(), self.board.cols(), self.first)?;
        let is_whole = names == line.len() + 1 && words.count == self.board.squares() as usize;
        let is_tour = is_on_board && is_whole && words.visits_all();
        (is_tour && words.wrong_moves() == 0).then(|| (bytes, words.closes()))
    }
}

/// The bytes of the grid of a board at the beginning of a text, and whether its tour closes: rows of numbers with blanks between, below
/// an empty line. `None` if it is no tour.
#[inline(never)]
pub fn grid(board: Board, text: &[u8], words: &mut TourWords) -> Option<(usize, bool)> {
    let text = text.strip_prefix(b"\n")?;
    let (rows, cols) = (board.rows() as usize, board.cols() as usize);
    let row = line_bytes(text)?;
    let (cell, bytes) = ((row / cols).max(2), rows * row);
    let lines = words.line.get_mut(..bytes)?;
    lines.copy_from_slice(text.get(..bytes)?);
    for line in lines.chunks_exact_mut(row) {
        *line.last_mut().filter(|end| **end == b'\n')? = b' ';
    }
    // As many words as cells, and the end of one in each cell.
    let ends = lines.chunks_exact(cell).filter(|cell| cell[cell.len() - 2].is_ascii_digit()).count();
    words.gather::<DIGIT>(bytes)?;
    if row % cols != 0 || words.count != rows * cols || ends != words.count || words.others != 0 {
        return None;
    }
    // Moves are read as the names of the squares of a board of one column.
    words.words[..ends].iter_mut().for_each(|word| *word = (*word << 8) | u32::from(b'a'));
    let (are_moves, _) = words.read_names(board.squares(), 1, b'a')?;
    if !are_moves || !words.visits_all() {
        return None;
    }
    let mut moves = words.squares[..ends].iter();
    for row in 0..rows {
        for (col, &at) in (0..cols).zip(&mut moves) {
            (words.cols[usize::from(at)], words.rows[usize::from(at)]) = (col as u8, row as u8);
        }
    }
    (words.wrong_moves() == 0).then(|| (bytes + 1, words.closes()))
}

/// Most squares, and most rows and columns: numbers have up to two digits, names of columns one letter.
pub const SQUARES_MAX: usize = 1 << 8;
const ROWS_MAX: u8 = 99;
const COLS_MAX: u8 = 26;
/// Words that have room: more than a tour has show that it is wrong.
const WORDS_MAX: usize = SQUARES_MAX + VECTOR + 1;
/// Most bytes of a line.
const LINE_MAX: usize = 4 * SQUARES_MAX;
/// Bytes of a line that are looked at together, a bit each.
const BLOCK: usize = 64;
/// The bit that letters, or digits, have and a blank has not.
const LETTER: u32 = 6;
const DIGIT: u32 = 4;
/// Eight blanks.
const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);

/// Number of bytes of the line at the beginning of a text, with its line feed.
pub fn line_bytes(mut text: &[u8]) -> Option<usize> {
    // The fastest search for a byte that the standard library has.
    text.skip_until(b'\n').ok().filter(|&bytes| bytes > 0)
}

/// The words of a tour in a text, and what they say of each move.
pub struct TourWords {
    /// A line, and blanks behind it.
    line: [u8; LINE_MAX + BLOCK + 4],
    /// Four bytes from the first of each word.
    words: [u32; WORDS_MAX],
    pub count: usize,
    /// Not 0 if something is neither a number nor a blank.
    others: u64,
    /// By move: the column and the row of its square.
    cols: [u8; WORDS_MAX],
    rows: [u8; WORDS_MAX],
    /// By word: the number of its square, or of its move.
    pub squares: [u8; WORDS_MAX],
}

impl TourWords {
    pub const NONE: TourWords = TourWords {
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
        self.others = 0;
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

    /// Notes the square of a move.
    #[inline(always)]
    pub fn put(&mut self, number: u8, row: usize, col: usize) {
        (self.rows[usize::from(number)], self.cols[usize::from(number)]) = (row as u8, col as u8);
    }

    /// Notes the square to which a move leads. `None` if it is not on the board, which has so many rows and columns.
    #[inline(always)]
    pub fn put_square(&mut self, index: usize, row: usize, col: usize, (rows, cols): (usize, usize)) -> Option<()> {
        if row >= rows || col >= cols {
            return None;
        }
        self.put(index as u8, row, col);
        self.squares[index % SQUARES_MAX] = (row * cols + col) as u8;
        Some(())
    }

    /// The rows and columns of the moves.
    pub fn spots(&self) -> impl Iterator<Item = (u32, u32)> {
        self.rows[..self.count].iter().zip(&self.cols).map(|(&row, &col)| (row.into(), col.into()))
    }

    /// Whether the squares, or moves, are all different.
    pub fn visits_all(&self) -> bool {
        let mut visited = [0u8; SQUARES_MAX];
        self.squares[..self.count].iter().for_each(|&square| visited[usize::from(square)] = 1);
        visited.iter().map(|&visited| usize::from(visited)).sum::<usize>() == self.count
    }

    /// Whether a knight's move leads from the last square to the first one.
    pub fn closes(&self) -> bool {
        let (TourWords { cols, rows, .. }, last) = (self, self.count - 1);
        wrong_move(cols[0].abs_diff(cols[last]), rows[0].abs_diff(rows[last])) == 0
    }

    /// 0 if all moves are a knight's.
    #[inline(always)]
    pub fn wrong_moves(&self) -> u8 {
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
struct ShortLines {
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
    /// For lines of tours of this board that end so. `None` for a board with more rows or columns.
    fn new(board: Board, first: u8, end: &[u8]) -> Option<ShortLines> {
        let (rows, cols) = (board.rows(), board.cols());
        if rows > SIDE_MAX || cols > SIDE_MAX {
            return None;
        }
        let names = NAME * board.squares() as usize;
        let (mut least, mut above, mut moves) = ([0; NAMES_MAX], [u8::MAX; NAMES_MAX], [0; NAMES_MAX]);
        for at in (0..names).step_by(NAME) {
            least[at..at + NAME].copy_from_slice(&[first, b'1', b' ']);
            above[at..at + NAME].copy_from_slice(&[cols as u8 - 1, rows as u8 - 1, 0]);
            moves[at] = if at + NAME < names { u8::MAX } else { 0 };
        }
        least[names - 1] = end[0];
        let end = names + end.len() - 2;
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| 1 << (SIDE_MAX * row + col))).sum();
        Some(ShortLines { names, end, all, least, above, moves })
    }

    /// The number of bytes of the line that begins with these names, and whether its tour closes. `None` if it is no plain line of
    /// a tour, or if the text has too few bytes behind it.
    #[inline(always)]
    fn line(&self, names: &[u8]) -> Option<(usize, bool)> {
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
    use crate::board::Ending;
    use crate::board::exhaustive::tours_5x6;
    use crate::store::read::shape::TourShape;

    const TOUR: &str = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n";

    fn run(text: &str) -> (u64, usize) {
        let shape = TourShape::of_list(TOUR.trim_end().as_bytes(), None).unwrap();
        let PlainTours { tours, bytes, .. } = shape.prefix(text.as_bytes(), Ending::Open, false, false);
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
            let (head, end) = (line.find(' ').unwrap() + 1, line.trim_end().len());
            let head = if line[..head].contains('x') { &line[..head] } else { "" };
            let first = line.as_bytes()[head.len()];
            let lines = PlainLines::new(board.parse().unwrap(), first, &line.as_bytes()[end..]).unwrap();
            let mut words = TourWords::NONE;
            let mut agree = |line: &[u8]| {
                // The vectors may look at what is behind the line.
                let text = [line, line, &[0; 64]].concat();
                let Some(names) = text.strip_prefix(head.as_bytes()) else { return };
                let short = lines.short.as_ref().unwrap().line(names);
                let by_words = lines.long_line(names, &mut words);
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
                let skipped = words.len() - names;
                words.swap(skipped + one, skipped + two);
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
            assert!(!PlainLines::has_room(board.parse().unwrap()), "{board}");
        }
    }
}
