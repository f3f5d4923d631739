//! Many tours of one small board as lines, as fast as they are found.
//!
//! What [`list`](super::list) writes of each, but names are made once: a square is then eight bytes copied, of which the
//! next one keeps those that belong to its name.

use crate::board::{Board, SMALL_SQUARES_MAX, TourRef};

/// Bytes of a blank and the longest name of a square on a board of at most [`SMALL_SQUARES_MAX`], and more.
const WORD: usize = 8;

/// The lines of one board: its name and those of its squares.
///
/// ```
/// # use destrier::board::{Board, Checker, Ending};
/// # use destrier::store::write::Lines;
/// let board: Board = "3x4".parse()?;
/// let checker = Checker::new(board, Ending::Open).ok_or("a small board")?;
/// let mut text = Vec::new();
/// let tour = checker.check(&[0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4])?;
/// Lines::new(board).append(tour, &mut text);
/// assert_eq!(text, b"3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lines {
    head: String,
    /// By square a blank and its name, and how many bytes these are.
    words: Vec<([u8; WORD], u8)>,
}

impl Lines {
    /// The lines of `board`.
    ///
    /// # Panics
    /// When it has more than [`SMALL_SQUARES_MAX`] squares.
    pub fn new(board: Board) -> Lines {
        assert!(board.squares() as usize <= SMALL_SQUARES_MAX, "{board} has more squares than a byte");
        let word = |name: String| {
            let mut word = [b' '; WORD];
            word[1..=name.len()].copy_from_slice(name.as_bytes());
            (word, 1 + name.len() as u8)
        };
        Lines { head: board.to_string(), words: board.all().map(|square| word(board.name(square))).collect() }
    }

    /// Appends a tour of the board as one line.
    ///
    /// # Panics
    /// When it is of a larger board.
    pub fn append(&self, tour: TourRef<'_>, block: &mut Vec<u8>) {
        block.extend_from_slice(self.head.as_bytes());
        let begin = block.len();
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
        block.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Checker, Ending, Numbered, Tour};
    use crate::store::write::list;

    /// Names of two to five letters and digits.
    #[test]
    fn lines_are_the_lists_of_single_tours() {
        for (text, squares) in [("1x1", vec![0]), ("3x4", vec![0, 6, 8, 1, 7, 9, 2, 11, 5, 3, 10, 4])] {
            let board: Board = text.parse().unwrap();
            let tour = Checker::new(board, Ending::Open).unwrap();
            let (lines, mut many) = (Lines::new(board), Vec::new());
            for _ in 0..3 {
                lines.append(tour.check(&squares).unwrap(), &mut many);
            }
            let whole: Vec<_> = squares.iter().filter_map(|&square| board.at(u32::from(square))).collect();
            let mut one = Vec::new();
            list(&Numbered::from(&Tour::verify(board, Ending::Open, whole).unwrap()), &mut one).unwrap();
            assert_eq!(many, one.repeat(3), "{text}");
        }
    }

    #[test]
    fn the_longest_names_fit() {
        for text in ["1x128", "128x1", "8x16", "16x8"] {
            let board: Board = text.parse().unwrap();
            for (square, (word, length)) in board.all().zip(&Lines::new(board).words) {
                assert_eq!(word[..usize::from(*length)], *format!(" {}", board.name(square)).as_bytes());
            }
        }
    }
}
