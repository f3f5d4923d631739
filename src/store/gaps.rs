//! Grids with gaps: some of the move numbers of a tour, as puzzles give them.

use crate::board::{Board, Square};
use crate::bounded::{LineBegin, is_heading};

/// What the words of a grid mean, for messages.
const SIGNS: &str = "an empty square is _ ? - or nothing between two commas, or 0 or . where no other sign is, and a square \
                     that the tour leaves out is # or *";

/// Separators that may stand at both edges.
const BARS: [char; 3] = ['|', '\u{2502}', '\u{2551}'];

/// What stands in a grid with gaps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GapGrid {
    /// The squares that the tour leaves out.
    pub holes: Vec<Square>,
    /// The numbers of moves, from 1, with their squares, row by row.
    pub given: Vec<(u32, Square)>,
}

/// Reads a grid with gaps. `None` if the text has no row of this board.
///
/// The numbers are separated by blanks, tabs, commas, semicolons or bars, and rows may have brackets. An empty square is `_`, `?`, `-` or
/// an empty field. Where there is none of these, it is `0` if that stands twice, or else `.`; a single `0` is the first number of a grid
/// from 0. A square that is left out is `#`, `*`, `**`, or `.` where another sign means an empty square.
///
/// ```
/// # use destrier::store::gaps;
/// let board = "3x4".parse()?;
/// let grid = gaps::parse("1 _ _ _\n_ 9 _ _\n_ _ _ _\n", board).unwrap()?;
/// assert_eq!(grid.given, [(1, board.parse_square("a3")?), (9, board.parse_square("b2")?)]);
/// assert_eq!(gaps::parse("1,,,\n,9,,\n,,,\n", board).unwrap()?, grid);
/// assert_eq!(gaps::parse("1000\n0900\n0000\n", board), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A sentence about the first line that is wrong.
pub fn parse(text: &str, board: Board) -> Option<Result<GapGrid, String>> {
    let cols = board.cols() as usize;
    let rows: Vec<(usize, Vec<&str>)> = text
        .lines()
        .enumerate()
        .flat_map(|(i, line)| rows_in(line, cols).into_iter().map(move |row| (i + 1, row)))
        .collect();
    let is_row = |row: &[&str]| row.len() == cols && 2 * row.iter().filter(|word| is_known(word)).count() > cols;
    rows.iter().any(|(_, row)| is_row(row)).then(|| of_rows(&rows, board))
}

fn number(word: &str) -> Option<u32> {
    let is_number = (1..10).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| word.parse().ok())?
}

fn is_empty(word: &str) -> bool {
    matches!(word, "" | "_" | "?" | "-")
}

fn is_known(word: &str) -> bool {
    is_empty(word) || matches!(word, "." | "#" | "*" | "**") || number(word).is_some()
}

/// The rows on a line: one, or several in brackets. What is left of a bar at the edge is dropped, and a separator behind the row.
/// Comments, headings, and lines of boxes are no rows.
fn rows_in<'a>(line: &'a str, cols: usize) -> Vec<Vec<&'a str>> {
    let is_bracket = |c: char| "[](){}".contains(c);
    let ends: &[char] = if line.contains(is_bracket) { &[' ', '\t', '\r', ',', ';'] } else { &[' ', '\r'] };
    let row = |part: &'a str| {
        let mut words = words_in(part);
        if words.len() > cols && part.starts_with(BARS) {
            words.remove(0);
        }
        if words.len() > cols && words.last().is_some_and(|word| word.is_empty()) {
            words.pop();
        }
        words
    };
    let parts = line.split(is_bracket).map(|part| part.trim_matches(ends));
    let rows: Vec<_> = parts.filter(|part| !part.is_empty()).map(row).collect();
    let text = line.trim().as_bytes();
    let is_aside = LineBegin::of(text) == LineBegin::Aside && !rows.iter().flatten().all(|word| is_known(word));
    if is_aside || is_heading(text) { Vec::new() } else { rows }
}

/// The words between separators; one that is empty where two separators have nothing between them.
fn words_in(part: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for field in part.split(|c| BARS.contains(&c) || matches!(c, ',' | ';' | '\t')) {
        let before = words.len();
        words.extend(field.split_whitespace());
        if words.len() == before {
            words.push("");
        }
    }
    words
}

fn of_rows(rows: &[(usize, Vec<&str>)], board: Board) -> Result<GapGrid, String> {
    let all = || rows.iter().flat_map(|(_, row)| row.iter().copied());
    let zeros = all().filter(|&word| number(word) == Some(0)).count();
    let has_empty = all().any(is_empty);
    let is_zero_empty = zeros > 1 && !has_empty;
    let is_point_empty = !has_empty && !is_zero_empty;
    let first = u32::from(zeros == 0 || is_zero_empty);
    let mut grid = GapGrid::default();
    let mut squares = board.all();
    for (line, row) in rows {
        if row.len() != board.cols() as usize {
            return Err(format!(
                "line {line}: a row of {board} has {} squares, not {}; {SIGNS}",
                board.cols(),
                row.len()
            ));
        }
        for (&word, square) in row.iter().zip(squares.by_ref()) {
            match (word, number(word)) {
                ("#" | "*" | "**", _) => grid.holes.push(square),
                (".", _) if !is_point_empty => grid.holes.push(square),
                (_, Some(0)) if is_zero_empty => {}
                (_, Some(number)) => grid.given.push((number + 1 - first, square)),
                (".", _) => {}
                _ if is_empty(word) => {}
                _ => return Err(format!("line {line}: '{word}' is no number; {SIGNS}")),
            }
        }
    }
    if rows.len() != board.rows() as usize {
        return Err(format!("the grid has {} rows, but {board} has {}", rows.len(), board.rows()));
    }
    if grid.given.is_empty() { Err("no number is given".to_owned()) } else { Ok(grid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers and the squares that are left out; or the reason why there are none.
    fn read(text: &str) -> Option<Result<String, String>> {
        let board: Board = "3x4".parse().unwrap();
        let words = |grid: GapGrid| {
            let given = grid.given.iter().map(|&(number, square)| format!("{number}={}", board.name(square)));
            let holes = grid.holes.iter().map(|&hole| format!("#{}", board.name(hole)));
            given.chain(holes).collect::<Vec<_>>().join(" ")
        };
        parse(text, board).map(|grid| grid.map(words))
    }

    #[test]
    fn gaps_are_read_as_puzzles_have_them() {
        for text in [
            "1 _ _ 10\n_ 9 _ _\n_ _ _ _\n",
            "  1  ?  ? 10\r\n  ?  9  ?  ?\r\n  ?  ?  ?  ?\r\n",
            "1 - - 10\n- 9 - -\n- - - -",
            "1 0 0 10\n\n0 9 0 0\n0 0 0 0\n",
            "1 . . 10\n. 9 . .\n. . . .\n",
            "0 . . 9\n. 8 . .\n. . . .\n",
            "1,,,10\n,9,,\n,,,\n",
            "1, , ,10,\n ,9, , ,\n , , , ,\n",
            "1\t\t\t10\n\t9\t\t\n\t\t\t\n",
            "[[1, 0, 0, 10], [0, 9, 0, 0], [0, 0, 0, 0]]",
            "[[1, 0, 0, 10],\n [0, 9, 0, 0],\n [0, 0, 0, 0]]\n",
            "+--+--+--+--+\n|1 |  |  |10|\n+--+--+--+--+\n|  |9 |  |  |\n|  |  |  |  |\n+--+--+--+--+\n",
            "Puzzle of today\n\n1 _ _ 10\n_ 9 _ _\n_ _ _ _\n",
        ] {
            assert_eq!(read(text), Some(Ok("1=a3 10=d3 9=b2".to_owned())), "{text}");
        }
    }

    #[test]
    fn a_sign_for_a_square_that_is_left_out_stays_one() {
        for text in ["1 _ . 10\n_ 9 _ _\n_ _ # _", "1 0 . 10\n0 9 0 0\n0 0 * 0", "1 . ** 10\n. 9 . .\n. . # ."] {
            assert_eq!(read(text), Some(Ok("1=a3 10=d3 9=b2 #c3 #c1".to_owned())), "{text}");
        }
    }

    #[test]
    fn what_is_no_such_grid_is_told_why() {
        for (text, says) in [
            ("1 _ x _\n_ _ _ _\n_ _ _ _", "line 1: 'x' is no number; an empty square is"),
            ("1 _ _ _\n_ _ _\n_ _ _ _", "line 2: a row of 3x4 has 4 squares, not 3"),
            ("1 _ _ _\n_ _ _ _", "the grid has 2 rows, but 3x4 has 3"),
            ("1 _ _ _\n_ _ _ _\n_ _ _ _\n_ _ _ _", "the grid has 4 rows, but 3x4 has 3"),
            ("_ _ _ _\n_ _ _ _\n_ _ _ _", "no number is given"),
            ("1 _ _ 9999999999\n_ _ _ _\n_ _ _ _", "line 1: '9999999999' is no number"),
        ] {
            let reason = read(text).unwrap().unwrap_err();
            assert!(reason.starts_with(says), "{reason}");
        }
        for text in ["", "a3-c2-a1", "3x4 a3 c2 a1", "a3 c2\na1 b3", "1 _ _\n_ 2 _", "(0,0) (1,2)"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
