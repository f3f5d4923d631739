//! Fast verification of plain lines: lists of one small board in lower case with single blanks, as this program writes them.
//! Lines are verified in the input buffer; several threads verify many lines as a [`stretch`](super::stretch).
//!
//! A line that is anything else, with a fault, a comma or a capital, ends the run of plain lines. [`list`](super::list)
//! then reads it from its beginning, and only `list` reports errors.
//!
//! # Boards up to 8x8
//!
//! Their lines are verified many bytes at a time. A line is the board and its names, each a blank, a letter and a digit:
//!
//! ```text
//! 8x8 a1 b3 d4 ..      text        ' '  'a'  '1'  ' '  'b'  '3'  ..
//!    ^^^ one name      three on    ' '  'b'  '3'  ' '  'd'  '4'
//! ```
//!
//! Letters and digits stay where they are in the text. The byte three further on is the same part of the next name, so that
//! the distances of a move are differences of the line and the line moved by three bytes. A knight's move has distances
//! whose sum is 3 and whose maximum is 2. What each place of a line must be stands in tables of its length; a place that is
//! no letter has a table entry that lets its differences pass. So the loops have neither branches nor lookups, and a
//! compiler makes vectors of 32 bytes of them: 38 ns for a line of 8x8 where a table of names takes 68.
//!
//! The tables end with entries that let everything pass, because the last vector reaches over the end of the names. A text
//! that has too few bytes for that is read name by name, as those of larger boards are, and so is every line that is no
//! tour. The tests hold both ways against each other.

use crate::board::{Board, Checker, Ending, SMALL_SQUARES_MAX};

/// Most rows of a board: row numbers have at most two digits.
const ROWS_MAX: usize = 99;
/// The entry for a letter or a number that is not on the board. No square has this number.
const NOWHERE: u8 = 1 << 7;

/// Verifies plain lines of one board.
#[derive(Debug)]
pub struct PlainLines {
    head: String,
    checker: Checker,
    /// The faster way, for small boards.
    short: Option<ShortLines>,
    /// The column of every letter.
    cols: [u8; 256],
    /// The number of the first square of every row, by row number from 1 at the bottom.
    rows: [u8; ROWS_MAX + 1],
}

/// Verified tours, one after the other in a text or packed file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PlainTours {
    /// Number of tours. Each is a line, or a record.
    pub tours: u64,
    /// Number of those tours whose last square is a knight's move from the first.
    pub closed: u64,
    /// Number of bytes of the lines, or of the blocks.
    pub(super) bytes: usize,
}

impl PlainTours {
    /// Adds the tours that follow.
    pub(super) fn add(&mut self, next: PlainTours) {
        self.tours += next.tours;
        self.closed += next.closed;
        self.bytes += next.bytes;
    }
}

impl PlainLines {
    /// For lines of tours of this board and ending. `None` for a board with too many squares, rows or columns.
    pub fn new(board: Board, ending: Ending) -> Option<PlainLines> {
        let checker = Checker::new(board, ending)?;
        let (letters, numbers) = (b'a'..=b'z', 1..=ROWS_MAX);
        if board.cols() as usize > letters.len() || board.rows() as usize > ROWS_MAX {
            return None;
        }
        let (mut cols, mut rows) = ([NOWHERE; 256], [NOWHERE; ROWS_MAX + 1]);
        for (letter, col) in letters.zip(0..board.cols() as u8) {
            cols[usize::from(letter)] = col;
        }
        for (number, row) in numbers.zip((0..board.rows()).rev()) {
            rows[number] = (row * board.cols()) as u8;
        }
        let short = ShortLines::new(board, ending);
        Some(PlainLines { head: board.to_string(), checker, short, cols, rows })
    }

    pub fn board(&self) -> Board {
        self.checker.board()
    }

    /// Verifies the plain lines at the beginning of `text`, which ends with a line feed.
    pub fn plain_prefix(&self, text: &[u8]) -> PlainTours {
        let mut run = PlainTours::default();
        let mut squares = [0; SMALL_SQUARES_MAX];
        let squares = &mut squares[..self.board().squares() as usize];
        let mut next = |text: &[u8]| {
            let short = self.short.as_ref().and_then(|short| short.line(text));
            // The last line, a larger board, or a line that is not plain.
            short.or_else(|| self.line(text, squares))
        };
        while let Some((bytes, closes)) = next(&text[run.bytes..]) {
            run.add(PlainTours { tours: 1, closed: u64::from(closes), bytes });
        }
        run
    }

    /// The bytes of the line at the beginning of `text`, and whether its tour closes. `None` if it is no plain line of a tour.
    /// `squares` are as many as the board has; what is in them does not matter.
    #[inline(always)]
    fn line(&self, text: &[u8], squares: &mut [u8]) -> Option<(usize, bool)> {
        let bytes = self.read_names(text, squares)?;
        Some((bytes, self.checker.pass(squares)?.closes()))
    }

    /// Reads the squares of a line. Returns the bytes of the line; `None` if it is not plain.
    #[inline(always)]
    fn read_names(&self, text: &[u8], squares: &mut [u8]) -> Option<usize> {
        let mut rest = text.strip_prefix(self.head.as_bytes())?;
        let (mut blanks, mut wrong) = (0, 0);
        for square in squares {
            let &[blank, letter, digit, next, ..] = rest else { return None };
            let digit = digit.wrapping_sub(b'0');
            let tens = digit > 0 && next.is_ascii_digit();
            let number = if tens { digit.min(9) * 10 + (next - b'0') } else { digit };
            let (col, row) = (self.cols[usize::from(letter)], *self.rows.get(usize::from(number)).unwrap_or(&NOWHERE));
            let wrong_digit = u8::from(digit > 9) << 7;
            *square = col.wrapping_add(row);
            (blanks, wrong) = (blanks | (blank ^ b' '), wrong | col | row | wrong_digit);
            rest = &rest[if tens { 4 } else { 3 }..];
        }
        let is_plain = blanks == 0 && wrong < NOWHERE && rest.first() == Some(&b'\n');
        is_plain.then(|| text.len() - rest.len() + 1)
    }
}

/// Most rows, and most columns.
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
    head: String,
    ending: Ending,
    /// Bytes of the names of a line.
    names: usize,
    /// The squares of the board, a bit each.
    all: u64,
    /// By place: the least byte that may stand there, and by how much it may be exceeded.
    least: [u8; NAMES_MAX],
    above: [u8; NAMES_MAX],
    /// By place: all bits for a letter of which a move leads to another name.
    moves: [u8; NAMES_MAX],
}

impl ShortLines {
    /// For lines of tours of this board and ending. `None` for a board with more rows or columns.
    pub fn new(board: Board, ending: Ending) -> Option<ShortLines> {
        let (rows, cols) = (board.rows(), board.cols());
        if rows > SIDE_MAX || cols > SIDE_MAX {
            return None;
        }
        let names = NAME * board.squares() as usize;
        let (mut least, mut above, mut moves) = ([0; NAMES_MAX], [u8::MAX; NAMES_MAX], [0; NAMES_MAX]);
        for at in (0..names).step_by(NAME) {
            least[at..at + NAME].copy_from_slice(b" a1");
            above[at..at + NAME].copy_from_slice(&[0, cols as u8 - 1, rows as u8 - 1]);
            moves[at + 1] = if at + NAME < names { u8::MAX } else { 0 };
        }
        let all = (0..rows).flat_map(|row| (0..cols).map(move |col| 1 << (SIDE_MAX * row + col))).sum();
        Some(ShortLines { head: board.to_string(), ending, names, all, least, above, moves })
    }

    /// The number of bytes of the line at the beginning of `text`, and whether its tour is closed by a knight's move. `None`
    /// if it is no plain line of a tour, or if the text has too few bytes behind it.
    #[inline(always)]
    pub fn line(&self, text: &[u8]) -> Option<(usize, bool)> {
        let names = text.strip_prefix(self.head.as_bytes())?;
        let vectors = self.names.div_ceil(VECTOR);
        let whole = names.get(..VECTOR * vectors + BEHIND)?;
        let mut places = [0; NAMES_MAX];
        let mut wrong = whole[self.names] ^ b'\n';
        for at in (0..VECTOR * vectors).step_by(VECTOR) {
            let bytes: &[u8; VECTOR + BEHIND] = whole[at..].first_chunk()?;
            let (least, above) = (self.least[at..].first_chunk()?, self.above[at..].first_chunk()?);
            let places = places[at..].first_chunk_mut()?;
            wrong |= wrong_in(bytes, least, above, self.moves[at..].first_chunk()?, places);
        }
        let seen = places[1..self.names].iter().step_by(NAME).fold(0, |seen, place| seen | 1u64 << (place & 63));
        let first = [whole[1], whole[2]];
        let last = [whole[self.names - 2], whole[self.names - 1]];
        let closes = wrong_move(first[0].abs_diff(last[0]), first[1].abs_diff(last[1])) == 0;
        let is_tour = wrong == 0 && seen == self.all && (closes || self.ending == Ending::Open);
        is_tour.then_some((self.head.len() + self.names + 1, closes))
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
        wrong |= byte.wrapping_sub(least[at]).saturating_sub(above[at]);
        wrong |= wrong_move(distances.0, distances.1) & moves[at];
        places[at] = (next.wrapping_sub(b'1') << 3).wrapping_add(byte.wrapping_sub(b'a'));
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

    fn run(text: &str) -> (u64, usize) {
        let lines = PlainLines::new("3x4".parse().unwrap(), Ending::Open).unwrap();
        let PlainTours { tours, bytes, .. } = lines.plain_prefix(text.as_bytes());
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
    fn vectors_say_of_a_line_what_its_names_say() {
        let (open, closed) = (Ending::Open, Ending::Closed);
        let tours = tours_5x6();
        let some = tours.first().into_iter().chain(tours.last()).map(|tour| format!("{}\n", tour.move_list()));
        let (mut agreed, mut passed) = (0, 0);
        for line in some.chain([TOUR.to_owned(), LARGEST.to_owned()]) {
            let board = line.split(' ').next().and_then(|board| board.parse().ok()).unwrap();
            for lines in [open, closed].map(|ending| PlainLines::new(board, ending).unwrap()) {
                let mut squares = vec![0; board.squares() as usize];
                let mut agree = |line: &[u8]| {
                    // The vectors may look at what is behind the line.
                    let text = [line, line, &[0; 64]].concat();
                    let short = lines.short.as_ref().unwrap().line(&text);
                    assert_eq!(short, lines.line(&text, &mut squares), "{}", String::from_utf8_lossy(line));
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
                let names = board.squares() as usize;
                for (one, two) in (0..names).flat_map(|one| (0..one).map(move |two| (one, two))) {
                    let mut words: Vec<&str> = line.trim_end().split(' ').collect();
                    words.swap(1 + one, 1 + two);
                    agree(format!("{}\n", words.join(" ")).as_bytes());
                }
            }
        }
        assert!(agreed > 200_000 && passed > 500, "{passed} of {agreed}");
    }

    #[test]
    fn row_numbers_have_one_or_two_digits() {
        let closed = "10x3 a10 b8 c10 a9 c8 a7 b9 c7 a8 b10 c9\n";
        let lines = |text: &str| PlainLines::new(text.parse().unwrap(), Ending::Open);
        assert_eq!(lines("10x3").unwrap().plain_prefix(closed.as_bytes()).tours, 0);
        assert!(lines("3x27").is_none() && lines("100x1").is_none() && lines("12x12").is_none());
        let one = lines("12x1").unwrap();
        let mut squares = [0; 12];
        let line = "12x1 a12 a11 a10 a9 a8 a7 a6 a5 a4 a3 a2 a1\n";
        assert_eq!(one.read_names(line.as_bytes(), &mut squares), Some(line.len()));
        assert!(squares.iter().copied().eq(0..12));
        for other in ["a13", "a00", "a0", "a1:", "a:1", "a112"] {
            assert_eq!(one.read_names(line.replace("a12", other).as_bytes(), &mut squares), None, "{other}");
        }
    }
}
