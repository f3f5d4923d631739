//! Masks: text that says which squares of a board a tour leaves out.

use super::read::squares_in;
use crate::board::{Board, Holes, Square};
use crate::bounded;
use std::io::{self, Read};
use std::path::Path;

/// Characters of a picture that mean a hole.
const HOLE: &str = "#xX*1";
/// Characters of a picture that mean a square; s is where a tour starts.
const SQUARE: &str = ".oO_0sS";
/// What the characters mean, for messages.
const SIGNS: &str = "# x * 1 or a blank for a hole, . o _ 0 s for a square";

/// Reads the mask in a file. [`parse`] describes the text.
///
/// # Errors
/// A sentence, when the file cannot be read, is no mask, or is the mask of another board.
pub fn read(path: &Path, board: Board) -> Result<Holes, String> {
    parse(&text(bounded::open_stream(path).map_err(|error| error.to_string())?, board)?, board)
}

/// Reads the text of a mask.
///
/// # Errors
/// When it cannot be read, or is longer than any mask of this board.
pub fn text(file: impl Read, board: Board) -> Result<String, String> {
    // The longest mask: every square by its longest name, and a page of blanks.
    let longest = u64::from(board.squares()) * 19 + 4096;
    let text = bounded::rest(file, longest).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => format!("the text is longer than any mask of {board}"),
        _ => error.to_string(),
    })?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Reads a mask: a picture of the board, or a list of the holes in any notation of squares.
///
/// A picture has a line for each row, from the top, and a character for each square. Blanks and empty lines are ignored, but where all
/// lines are as wide as the board at most and lack signs, a blank is a hole. A
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
///     "line 2, column 2: '?' is no sign of a map: it takes # x * 1 or a blank for a hole, . o _ 0 s for a square");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A sentence about the first wrong character or word, or a picture of the wrong size, or that no square is left to visit.
pub fn parse(text: &str, board: Board) -> Result<Holes, String> {
    let has_digit = text.contains(|c: char| c.is_ascii_digit());
    let is_map = text.chars().all(|c| c.is_whitespace() || HOLE.contains(c) || SQUARE.contains(c));
    let has_number = text.as_bytes().windows(2).any(|pair| pair[0] == b'#' && pair[1].is_ascii_digit());
    let squares = match (has_digit, is_map) {
        (false, _) => picture(text, board)?,
        (true, false) => squares_in(text, board)?,
        (true, true) => picture(text, board)
            .or_else(|error| squares_in(text, board).map_err(|other| if has_number { other } else { error }))?,
    };
    let holes = Holes::new(squares);
    let is_all = holes.len() == board.squares() as usize;
    if is_all { Err(format!("every square of {board} is a hole")) } else { Ok(holes) }
}

fn picture(text: &str, board: Board) -> Result<Vec<Square>, String> {
    let width = board.cols() as usize;
    let lines = || text.lines().map(str::trim_end).zip(1..);
    // A blank before a sign is a hole where all lines are then as wide as the board at most, and not all have as many signs.
    let drawn = |line: &str| line.chars().filter(|c| !c.is_whitespace()).count();
    let has_blank_holes = lines().all(|(line, _)| line.chars().count() <= width)
        && lines().any(|(line, _)| line.contains(' ') && drawn(line) < width);
    let is_every_line_a_row = has_blank_holes && lines().count() == board.rows() as usize;
    let is_sign = |c: char| HOLE.contains(c) || SQUARE.contains(c) || c.is_whitespace();
    let (mut holes, mut rows) = (Vec::new(), 0);
    for (signs, line) in lines().filter(|(line, _)| is_every_line_a_row || !line.is_empty()) {
        let is_drawn = |(_, c): &(usize, char)| has_blank_holes || !c.is_whitespace();
        let signs: Vec<(usize, char)> = signs.chars().enumerate().filter(is_drawn).collect();
        if let Some((at, found)) = signs.iter().find(|(_, found)| !is_sign(*found)) {
            let column = at + 1;
            return Err(format!("line {line}, column {column}: '{found}' is no sign of a map: it takes {SIGNS}"));
        }
        if !has_blank_holes && signs.len() != width {
            let drawn = signs.len();
            return Err(format!(
                "line {line} draws {drawn} squares, but a row of {board} has {width}; a map takes {SIGNS}"
            ));
        }
        // Blanks at the end of a line are often cut off.
        let is_hole = |&col: &u32| signs.get(col as usize).is_none_or(|(_, found)| !SQUARE.contains(*found));
        holes.extend((0..board.cols()).filter(is_hole).filter_map(|col| board.square(rows, col)));
        rows += 1;
    }
    let is_whole = rows == board.rows();
    if is_whole { Ok(holes) } else { Err(format!("the picture has {rows} rows, but {board} has {}", board.rows())) }
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
            "0#00\n0000\n0001",
            "0*0.\n0000\n000*",
            "b3 d1",
            "d1, b3,\nb3",
            "0,1 #12",
            "#2\n2,3",
        ] {
            assert_eq!(holes(text), expected, "{text}");
        }
        assert_eq!(holes("....\n....\n...."), Ok(String::new()));
        assert_eq!(holes("0 00\n0000\n000\n"), expected);
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
        let reason = |path| read(Path::new(path), board).unwrap_err();
        assert_eq!(reason("/dev/zero"), "the text is longer than any mask of 3x4");
        assert!(reason("/no/such/file").contains("No such file"));
    }
}
