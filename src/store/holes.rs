//! Masks: text that says which squares of a board a tour leaves out.

use crate::board::{Board, Holes, Square};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The word in a list between the moves and the squares that the tour leaves out.
pub(super) const WITHOUT: &str = "without";

/// Characters of a picture that mean a hole.
const HOLE: &str = "#xX*1";
/// Characters of a picture that mean a square; s is where a tour starts.
const SQUARE: &str = ".oO_0sS";
/// What the characters mean, for messages.
const SIGNS: &str = "# x * 1 for a hole, . o _ 0 s for a square";

/// Why a text is not a mask of a board.
#[derive(Debug, thiserror::Error)]
pub enum HolesError {
    /// A character of a picture is neither a hole nor a square.
    #[error("line {line}, column {column}: '{found}' is no sign of a map: it takes {SIGNS}")]
    Character {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the character in the line, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row of a picture is not as wide as the board.
    #[error("line {line} draws {found} squares, but a row of {board} has {}; a map takes {SIGNS}", board.cols())]
    Width {
        /// Number of the line, from 1.
        line: usize,
        /// Number of squares in the line.
        found: usize,
        board: Board,
    },
    /// The picture has more or fewer rows than the board.
    #[error("the picture has {found} rows, but {board} has {}", board.rows())]
    Height {
        /// Number of rows in the picture.
        found: usize,
        board: Board,
    },
    /// A word of a list is no square of the board.
    #[error("line {line}, column {column}: {reason}")]
    Square {
        /// Number of the line, from 1.
        line: usize,
        /// Number of the first character of the word in the line, from 1.
        column: usize,
        /// Why the word is no square.
        reason: String,
    },
    /// All squares are holes, so a tour has no square to visit.
    #[error("every square of {0} is a hole")]
    Nothing(Board),
    /// The text is longer than any mask of this board.
    #[error("the text is longer than any mask of {0}")]
    TooLong(Board),
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// Reads the mask in a file. [`parse`] describes the text.
///
/// # Errors
/// [`HolesError`] when the file cannot be read, is no mask, or is the mask of another board.
pub fn read(path: &Path, board: Board) -> Result<Holes, HolesError> {
    // The longest mask: every square by its longest name, and a page of blanks.
    let longest = u64::from(board.squares()) * 19 + 4096;
    let mut text = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut text)?;
    if text.len() as u64 > longest {
        return Err(HolesError::TooLong(board));
    }
    parse(&String::from_utf8_lossy(&text), board)
}

/// Reads a mask: a picture of the board, or a list of the holes in any notation of squares.
///
/// A picture has a line for each row, from the top, and a character for each square. Blanks and empty lines are ignored. A
/// text that has other characters and a digit is a list, because every name of a square has a digit; so is one with a letter or a #
/// before a digit, `x1` or `#1`, unless it is as large as the board.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::store::holes;
/// let board: Board = "3x3".parse()?;
/// let ring = holes::parse("...\n.#.\n...\n", board)?;
/// assert_eq!(ring, holes::parse("b2", board)?);
/// assert_eq!(holes::parse("...\n.?.\n...", board).unwrap_err().to_string(),
///     "line 2, column 2: '?' is no sign of a map: it takes # x * 1 for a hole, . o _ 0 s for a square");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`HolesError`] for the first wrong character or word, or for a picture of the wrong size.
pub fn parse(text: &str, board: Board) -> Result<Holes, HolesError> {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let is_map = text.chars().all(|c| c.is_whitespace() || HOLE.contains(c) || SQUARE.contains(c));
    let has_number = text.as_bytes().windows(2).any(|pair| pair[0] == b'#' && pair[1].is_ascii_digit());
    let squares = match (has_digit, is_map && !has_number) {
        (false, _) => picture(text, board)?,
        (true, false) => list(text, board)?,
        (true, true) => picture(text, board).or_else(|error| list(text, board).map_err(|_| error))?,
    };
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
    fn a_picture_and_a_list_give_equal_holes() {
        let expected = Ok("b3 d1".to_owned());
        for text in [
            ".#..\n....\n...#\n",
            "ox o o\r\n\r\noooo\r\nooo X",
            "s100\n0000\n0001",
            "0*0.\n0000\n000*",
            "b3 d1",
            "d1, b3,\nb3",
            "0,1 #12",
            "#2\n2,3",
        ] {
            assert_eq!(holes(text), expected, "{text}");
        }
        assert_eq!(holes("....\n....\n...."), Ok(String::new()));
    }

    #[test]
    fn a_wrong_mask_is_refused_with_place_and_reason() {
        for (text, says) in [
            ("....\n..?.\n....", "line 2, column 3: '?' is no sign of a map"),
            ("....\n\n...\n....", "line 3 draws 3 squares, but a row of 3x4 has 4; a map takes"),
            ("000\n000\n000", "line 1 draws 3 squares, but a row of 3x4 has 4; a map takes"),
            ("....\n....", "the picture has 2 rows, but 3x4 has 3"),
            ("", "the picture has 0 rows, but 3x4 has 3"),
            ("....\n....\n....\n....", "the picture has 4 rows, but 3x4 has 3"),
            ("####\n####\n####", "every square of 3x4 is a hole"),
            ("b3\n d1 e1", "line 2, column 5: 'e1' is not on the board 3x4: its squares are a1 to d3"),
        ] {
            let error = holes(text).unwrap_err();
            assert!(error.strip_prefix(says).is_some_and(|rest| rest.is_empty() || rest.ends_with(SIGNS)), "{error}");
        }
    }

    #[test]
    fn reading_an_endless_file_stops() {
        let board: Board = "3x4".parse().unwrap();
        assert!(matches!(read(Path::new("/dev/zero"), board), Err(HolesError::TooLong(_))));
        assert!(matches!(read(Path::new("/no/such/file"), board), Err(HolesError::Io(_))));
    }
}
