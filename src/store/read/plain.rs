//! Fast verification of plain lines: lists of one small board in lower case with single blanks, as this program writes them.
//! Lines are verified in the input buffer; several threads verify many lines as a [`stretch`](super::stretch).
//!
//! A line that is anything else, with a fault, a comma or a capital, ends the run of plain lines. [`list`](super::list)
//! then reads it from its beginning, and only `list` reports errors.

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
    /// The column of every letter.
    cols: [u8; 256],
    /// The number of the first square of every row, by row number from 1 at the bottom.
    rows: [u8; ROWS_MAX + 1],
    /// The number of the first square of every row, by the digit that names the row, as a byte.
    digits: [u8; 256],
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
        let mut digits = [NOWHERE; 256];
        digits[usize::from(b'0')..=usize::from(b'9')].copy_from_slice(&rows[..10]);
        Some(PlainLines { head: board.to_string(), checker, cols, rows, digits })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.checker.board()
    }

    /// Verifies the plain lines at the beginning of `text`, which ends with a line feed.
    pub fn plain_prefix(&self, text: &[u8]) -> PlainTours {
        // Names have two bytes unless row numbers have two digits.
        match self.board().rows() {
            ..10 => self.prefix_by(text, PlainLines::read_short),
            _ => self.prefix_by(text, PlainLines::read_long),
        }
    }

    #[inline(always)]
    fn prefix_by(&self, text: &[u8], read: impl Fn(&PlainLines, &[u8], &mut [u8]) -> Option<usize>) -> PlainTours {
        let mut run = PlainTours::default();
        let mut squares = [0; SMALL_SQUARES_MAX];
        let squares = &mut squares[..self.board().squares() as usize];
        while let Some(bytes) = read(self, &text[run.bytes..], squares)
            && let Some(tour) = self.checker.pass(squares)
        {
            run.tours += 1;
            run.closed += u64::from(tour.closes());
            run.bytes += bytes;
        }
        run
    }

    /// Reads the squares of a line whose names all have two bytes. Returns the bytes of the line; `None` if it is not plain.
    #[inline(always)]
    fn read_short(&self, text: &[u8], squares: &mut [u8]) -> Option<usize> {
        let names = text.strip_prefix(self.head.as_bytes())?;
        let (names, rest) = names.split_at_checked(3 * squares.len())?;
        // A wrong blank leaves bits in `blanks`. A letter or digit that is not on the board leaves the bit of NOWHERE in `wrong`.
        let (mut blanks, mut wrong) = (0, 0);
        for (square, name) in squares.iter_mut().zip(names.chunks_exact(3)) {
            let (col, row) = (self.cols[usize::from(name[1])], self.digits[usize::from(name[2])]);
            *square = col.wrapping_add(row);
            (blanks, wrong) = (blanks | (name[0] ^ b' '), wrong | col | row);
        }
        let is_plain = blanks == 0 && wrong < NOWHERE && rest.first() == Some(&b'\n');
        is_plain.then(|| text.len() - rest.len() + 1)
    }

    /// Reads the squares of a line whose row numbers may have two digits. Returns the bytes of the line; `None` if not plain.
    #[inline(always)]
    fn read_long(&self, text: &[u8], squares: &mut [u8]) -> Option<usize> {
        let mut rest = text.strip_prefix(self.head.as_bytes())?;
        let (mut blanks, mut wrong) = (0, 0);
        for square in squares {
            let &[blank, letter, digit, next, ..] = rest else { return None };
            let digit = digit.wrapping_sub(b'0');
            let tens = next.is_ascii_digit();
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn row_numbers_have_one_or_two_digits() {
        let closed = "10x3 a10 b8 c10 a9 c8 a7 b9 c7 a8 b10 c9\n";
        let lines = |text: &str| PlainLines::new(text.parse().unwrap(), Ending::Open);
        assert_eq!(lines("10x3").unwrap().plain_prefix(closed.as_bytes()).tours, 0);
        assert!(lines("3x27").is_none() && lines("100x1").is_none() && lines("12x12").is_none());
        let one = lines("12x1").unwrap();
        let mut squares = [0; 12];
        let line = "12x1 a12 a11 a10 a9 a8 a7 a6 a5 a4 a3 a2 a1\n";
        assert_eq!(one.read_long(line.as_bytes(), &mut squares), Some(line.len()));
        assert!(squares.iter().copied().eq(0..12));
        for other in ["a13", "a00", "a0", "a1:", "a:1", "a112"] {
            assert_eq!(one.read_long(line.replace("a12", other).as_bytes(), &mut squares), None, "{other}");
        }
    }
}
