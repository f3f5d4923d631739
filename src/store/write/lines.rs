//! Fast writing of many tours of one small board as lines.
//!
//! A line is what [`list`](super::list()) writes, but names are made only once. For every square eight bytes are copied;
//! the next square overwrites the bytes that do not belong to the name.

use super::list::WITHOUT;
use crate::board::{SMALL_SQUARES_MAX, Shape, TourRef};
use std::array;

/// Number of bytes copied for a square: at least a blank and the longest name on a board of [`SMALL_SQUARES_MAX`] squares.
const WORD: usize = 8;
/// Number of bytes of a blank and a name, on boards of up to nine rows and 26 columns.
const SHORT: usize = 3;

/// Writes tours of one shape as lines.
///
/// ```
/// # use destrier::board::{Board, Checker, Ending};
/// # use destrier::store::write::BoardLines;
/// let board: Board = "3x4".parse()?;
/// let checker = Checker::new(board, Ending::Open).ok_or("a small board")?;
/// let mut text = Vec::new();
/// let tour = checker.check(&[0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4])?;
/// BoardLines::new(board).append(tour, &mut text);
/// assert_eq!(text, b"3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardLines {
    shape: Shape,
    head: String,
    /// The names of the holes, if there are any, and the end of the line.
    tail: String,
    /// For every square, and any other byte, a blank and its name, and the number of bytes of both.
    words: Box<[([u8; WORD], u8); 256]>,
    /// Whether a blank and a name have [`SHORT`] bytes for every square.
    is_short: bool,
}

impl BoardLines {
    /// A writer of lines for tours of `shape`.
    ///
    /// # Panics
    /// When the board has more than [`SMALL_SQUARES_MAX`] squares.
    pub fn new(shape: impl Into<Shape>) -> BoardLines {
        let shape = shape.into();
        let board = shape.board();
        assert!(board.squares() as usize <= SMALL_SQUARES_MAX, "{board} has more squares than a byte");
        let word = |byte: usize| {
            let mut word = [b' '; WORD];
            let name = board.at(byte as u32).map_or(String::new(), |square| board.name(square));
            word[1..=name.len()].copy_from_slice(name.as_bytes());
            (word, 1 + name.len() as u8)
        };
        let words = Box::new(array::from_fn(word));
        let is_short = board.rows() < 10 && board.cols() <= 26;
        let holes: String = shape.holes().squares().iter().map(|&hole| format!(" {}", board.name(hole))).collect();
        let tail = if holes.is_empty() { "\n".to_owned() } else { format!(" {WITHOUT}{holes}\n") };
        BoardLines { shape, head: board.to_string(), tail, words, is_short }
    }

    /// Number of bytes of a line.
    pub fn bytes(&self) -> usize {
        let squares = self.shape.all().map(|square| usize::from(self.words[square.index() as usize].1));
        self.head.len() + squares.sum::<usize>() + self.tail.len()
    }

    /// Appends a tour of the shape as one line.
    ///
    /// # Panics
    /// When the tour is of another shape.
    pub fn append(&self, tour: TourRef<'_>, block: &mut Vec<u8>) {
        assert_eq!(tour.shape(), &self.shape, "lines are of one shape");
        block.extend_from_slice(self.head.as_bytes());
        let begin = block.len();
        if self.is_short {
            block.resize(begin + tour.indices().len() * SHORT, b'\n');
            for (to, &square) in block[begin..].chunks_exact_mut(SHORT).zip(tour.indices()) {
                to.copy_from_slice(&self.words[usize::from(square)].0[..SHORT]);
            }
            block.extend_from_slice(self.tail.as_bytes());
            return;
        }
        block.resize(begin + tour.indices().len() * WORD, b'\n');
        let mut rest = &mut block[begin..];
        let room = rest.len();
        for &square in tour.indices() {
            let (word, length) = &self.words[usize::from(square)];
            rest[..WORD].copy_from_slice(word);
            rest = &mut rest[usize::from(*length)..];
        }
        let end = begin + room - rest.len();
        block.truncate(end);
        block.extend_from_slice(self.tail.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Checker, Ending, NumberedRoute, Tour, parse_move_list};
    use crate::store::write::list;

    const HIGH: &str =
        "10x3 a10 b8 c10 a9 c8 b10 a8 b6 a4 b2 c4 a5 c6 b4 c2 a1 b3 c1 a2 c3 b1 a3 b5 a7 b9 c7 a6 c5 b7 c9";

    #[test]
    fn lines_are_the_lists_of_single_tours() {
        let ring = |text: &str| {
            let (board, squares) = parse_move_list(text).unwrap();
            (board.to_string(), squares.iter().map(|square| square.index() as u8).collect())
        };
        for (text, squares) in [
            ("1x1".to_owned(), vec![0]),
            ("3x4".to_owned(), vec![0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4]),
            // Names of two bytes and of three.
            ring(HIGH),
            ("3x3-b2".to_owned(), vec![0, 5, 6, 1, 8, 3, 2, 7]),
        ] {
            let shape: Shape = text.parse().unwrap();
            let board = shape.board();
            let tour = Checker::new(&shape, Ending::Open).unwrap();
            let (lines, mut many) = (BoardLines::new(&shape), Vec::new());
            for _ in 0..3 {
                lines.append(tour.check(&squares).unwrap(), &mut many);
            }
            let whole: Vec<_> = squares.iter().filter_map(|&square| board.at(u32::from(square))).collect();
            let mut one = Vec::new();
            list(&NumberedRoute::from(&Tour::verify(&shape, Ending::Open, whole).unwrap()), &mut one).unwrap();
            assert_eq!(many, one.repeat(3), "{text}");
            assert_eq!(lines.bytes(), one.len());
        }
    }

    #[test]
    fn the_longest_names_fit() {
        for text in ["1x128", "128x1", "8x16", "16x8", "9x9", "10x9", "4x26", "4x27"] {
            let board: Board = text.parse().unwrap();
            let lines = BoardLines::new(board);
            assert_eq!(lines.is_short, board.all().all(|square| board.name(square).len() + 1 == SHORT), "{text}");
            for (square, (word, length)) in board.all().zip(&lines.words[..]) {
                assert_eq!(word[..usize::from(*length)], *format!(" {}", board.name(square)).as_bytes());
            }
        }
    }
}
