//! Fast verification of plain lines of boards up to 8x8, many bytes of a line at a time.
//!
//! A line is the board and its names, each a blank, a letter and a digit:
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
//! that has too few bytes for that is left to [`PlainLines`](super::plain), and so is every line that is no tour: this file
//! never says what is wrong. Both are held against each other by the tests of `plain`.

use crate::board::{Board, Ending};

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
