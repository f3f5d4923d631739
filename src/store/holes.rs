//! Masks: which squares of a board a tour shall leave out, as text.

use crate::board::{Board, Holes, Square};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Stands in a list between the moves and the squares that the tour leaves out.
pub(super) const WITHOUT: &str = "without";

/// Characters of a picture that mean a hole, and those that mean a square.
const HOLE: &str = "#xX";
const SQUARE: &str = ".oO_";

/// Why a text is not a mask of a board.
#[derive(Debug, thiserror::Error)]
pub enum HolesError {
    /// A character that means neither.
    #[error("line {line}, column {column}: '{found}' is neither a hole (# or x) nor a square (. or o)")]
    Character {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row that does not fit the board.
    #[error("line {line} draws {found} squares, but a row of {board} has {}", board.cols())]
    Width {
        /// The line.
        line: usize,
        /// How many squares it draws.
        found: usize,
        /// The board.
        board: Board,
    },
    /// More or fewer rows than the board has.
    #[error("{found} rows, but {board} has {}", board.rows())]
    Height {
        /// How many rows there are.
        found: usize,
        /// The board.
        board: Board,
    },
    /// A word that is no square of the board.
    #[error("line {line}, column {column}: {reason}")]
    Square {
        /// The line.
        line: usize,
        /// The column.
        column: usize,
        /// Why.
        reason: String,
    },
    /// Nothing is left to visit.
    #[error("every square of {0} is a hole")]
    Nothing(Board),
    /// No text for this board can be so long.
    #[error("too long for a mask of {0}")]
    TooLong(Board),
    /// The text is not to be had.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads the mask in a file, as [`parse`] does.
///
/// # Errors
/// [`HolesError`] when it cannot be read, is no mask or is one of another board.
pub fn read(path: &Path, board: Board) -> Result<Holes, HolesError> {
    // Every square by its longest name, and a page of blanks.
    let longest = u64::from(board.squares()) * 19 + 4096;
    let mut text = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut text)?;
    if text.len() as u64 > longest {
        return Err(HolesError::TooLong(board));
    }
    parse(&String::from_utf8_lossy(&text), board)
}

/// Reads a mask: a picture of the board, or a list of the squares to leave out in any notation.
///
/// A picture has a line for each row, from the top, and a character for each square; blanks between them and empty
/// lines do not count. A text with a digit in it is a list: a square's name has one, a picture has none.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::store::holes;
/// let board: Board = "3x3".parse()?;
/// let ring = holes::parse("...\n.#.\n...\n", board)?;
/// assert_eq!(ring, holes::parse("b2", board)?);
/// assert_eq!(holes::parse("...\n.?.\n...", board).unwrap_err().to_string(),
///     "line 2, column 2: '?' is neither a hole (# or x) nor a square (. or o)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`HolesError`] for the first character or word that is wrong, or for a picture of another size.
pub fn parse(text: &str, board: Board) -> Result<Holes, HolesError> {
    let squares = if text.contains(|c: char| c.is_ascii_digit()) { list(text, board)? } else { picture(text, board)? };
    let holes = Holes::new(squares);
    if holes.len() == board.squares() as usize { Err(HolesError::Nothing(board)) } else { Ok(holes) }
}

fn list(text: &str, board: Board) -> Result<Vec<Square>, HolesError> {
    let mut holes = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some(begin) = rest.find(|c: char| !c.is_whitespace()) {
            let column = line[..line.len() - rest.len() + begin].chars().count() + 1;
            let word = rest[begin..].split_whitespace().next().unwrap_or_default();
            rest = &rest[begin + word.len()..];
            let square = board.parse_square(word.strip_suffix(',').unwrap_or(word));
            holes.push(square.map_err(|e| HolesError::Square { line: i + 1, column, reason: e.to_string() })?);
        }
    }
    Ok(holes)
}

fn picture(text: &str, board: Board) -> Result<Vec<Square>, HolesError> {
    let mut holes = Vec::new();
    let mut rows = 0;
    for (i, drawn) in text.lines().enumerate().filter(|(_, drawn)| !drawn.trim().is_empty()) {
        let (line, mut col) = (i + 1, 0);
        for (at, found) in drawn.chars().enumerate().filter(|(_, found)| !found.is_whitespace()) {
            match (HOLE.contains(found), SQUARE.contains(found)) {
                (true, _) => holes.extend(board.square(rows as u32, col as u32)),
                (_, true) => {}
                _ => return Err(HolesError::Character { line, column: at + 1, found }),
            }
            col += 1;
        }
        if col != board.cols() as usize {
            return Err(HolesError::Width { line, found: col, board });
        }
        rows += 1;
    }
    if rows == board.rows() as usize { Ok(holes) } else { Err(HolesError::Height { found: rows, board }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holes(text: &str) -> Result<String, String> {
        let board: Board = "3x4".parse().unwrap();
        let names = |holes: Holes| holes.squares().iter().map(|&s| board.name(s)).collect::<Vec<_>>().join(" ");
        parse(text, board).map(names).map_err(|error| error.to_string())
    }

    #[test]
    fn pictures_and_lists_say_the_same() {
        let expected = Ok("b3 d1".to_owned());
        for text in [".#..\n....\n...#\n", "ox o o\r\n\r\noooo\r\nooo X", "b3 d1", "d1, b3,\nb3", "0,1 #12", "#2\n2,3"]
        {
            assert_eq!(holes(text), expected, "{text}");
        }
        assert_eq!(holes("....\n....\n...."), Ok(String::new()));
    }

    #[test]
    fn what_is_no_mask_of_the_board_is_told_where_and_why() {
        for (text, says) in [
            ("....\n..?.\n....", "line 2, column 3: '?' is neither a hole (# or x) nor a square (. or o)"),
            ("....\n\n...\n....", "line 3 draws 3 squares, but a row of 3x4 has 4"),
            ("....\n....", "2 rows, but 3x4 has 3"),
            ("", "0 rows, but 3x4 has 3"),
            ("....\n....\n....\n....", "4 rows, but 3x4 has 3"),
            ("####\n####\n####", "every square of 3x4 is a hole"),
            ("b3\n d1 e1", "line 2, column 5: 'e1' is not on the board 3x4: its squares are a1 to d3"),
        ] {
            assert_eq!(holes(text), Err(says.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_file_without_end_is_not_read_to_its_end() {
        let board: Board = "3x4".parse().unwrap();
        assert!(matches!(read(Path::new("/dev/zero"), board), Err(HolesError::TooLong(_))));
        assert!(matches!(read(Path::new("/no/such/file"), board), Err(HolesError::Io(_))));
    }
}
