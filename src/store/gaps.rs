//! Grids with gaps: some of the move numbers of a tour, as puzzles give them.

use crate::board::{Board, Square};
use crate::bounded::{LineBegin, Word, is_heading};
use std::collections::BTreeMap;

/// What the words of a grid mean, for messages.
pub const SIGNS: &str = "an empty square is _ ? - __ -- -1 or nothing between two commas, or 0 or . where no other sign is, \
                         and a square that the tour leaves out is # ## * ** xx";

/// Whether a character is a bar, or another part of a box; bars may stand at both edges.
fn is_bar(c: char) -> bool {
    matches!(c, '|' | '\u{2500}'..='\u{257f}')
}

/// What stands in a grid with gaps.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GapGrid {
    /// The squares that the tour leaves out.
    pub holes: Vec<Square>,
    /// The numbers of moves, from 1, with their squares, row by row.
    pub given: Vec<(u32, Square)>,
    /// The squares without a number.
    empty: Vec<Square>,
    /// Whether the grid counts from 0.
    pub is_from_0: bool,
    /// Whether its 0, which is taken for the first number of a tour, may as well be an empty square.
    pub may_count_from_1: bool,
}

impl GapGrid {
    /// The number of the last move, from 1.
    fn last(&self, board: Board) -> u32 {
        board.squares() - self.holes.len() as u32
    }

    /// Whether the numbers are a tour, with the one that is missing on the one empty square.
    fn is_tour(&self, board: Board) -> bool {
        let mut tour: BTreeMap<u32, Square> = self.given.iter().copied().collect();
        let missing = (1..=self.last(board)).find(|number| !tour.contains_key(number));
        tour.extend(missing.zip(self.empty.first().copied()));
        let squares: Vec<Square> = tour.values().copied().collect();
        tour.into_keys().eq(1..=self.last(board)) && squares.windows(2).all(|pair| board.adjacent(pair[0], pair[1]))
    }
}

/// Reads a grid with gaps. `None` if the text has no row of this board.
///
/// The numbers are separated by blanks, tabs, commas, semicolons or bars, and rows may have brackets. An empty square is `_`, `?`, `-` or
/// an empty field. Where there is none of these, it is `0` if that stands twice, or else `.`; a single `0` is the first number of a grid
/// from 0, unless the grid is a tour only with the 0 as an empty square, or has a number that a grid from 0 has not. A square that is left
/// out is `#`, `*`, `**`, or `.` where another sign means an empty square.
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
    // Texts from pages of the web have other blanks, too.
    let text = text.replace(|c: char| c.is_whitespace() && !c.is_ascii_whitespace(), " ");
    let of_line = |(line, number)| rows_in(line, cols).into_iter().map(move |row| (number, row));
    let rows: Vec<(usize, Vec<&str>)> = text.lines().zip(1..).flat_map(of_line).collect();
    let is_row = |row: &[&str]| row.len() == cols && 2 * row.iter().filter(|word| of(word).is_cell()).count() > cols;
    rows.iter().any(|(_, row)| is_row(row)).then(|| of_rows(&rows, board))
}

/// What a word is; one without a letter or sign is an empty square.
fn of(word: &str) -> Word {
    if word.is_empty() { Word::Empty } else { Word::of(word.as_bytes()) }
}

/// The rows on a line: one, or several in brackets. What is left of a bar at the edge is dropped, and a separator behind the row.
/// Comments, headings, and lines of boxes are no rows.
fn rows_in<'a>(line: &'a str, cols: usize) -> Vec<Vec<&'a str>> {
    let is_bracket = |c: char| "[](){}".contains(c);
    let ends: &[char] = if line.contains(is_bracket) { &[' ', '\t', '\r', ',', ';'] } else { &[' ', '\r'] };
    // A word is empty where two separators have nothing between them.
    let words = |field: &'a str| match field.trim_ascii() {
        "" => vec![""],
        field => field.split_ascii_whitespace().collect(),
    };
    let row = |part: &'a str| {
        let fields = part.split(|c| is_bar(c) || matches!(c, ',' | ';' | '\t'));
        let mut words: Vec<&str> = fields.flat_map(words).collect();
        if words.len() > cols && part.starts_with(is_bar) {
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
    // A line of a frame has parts of a box that run across, or dashes with nothing between them and the bars.
    let is_frame = line.contains(['\u{2500}', '\u{2501}', '\u{2550}']) || (line.contains("|-") && !line.contains(' '));
    let is_row = !is_frame && rows.iter().flatten().all(|word| of(word).is_cell());
    let is_aside = LineBegin::of(text) == LineBegin::Aside && !is_row;
    if is_aside || is_heading(text) { Vec::new() } else { rows }
}

fn of_rows(rows: &[(usize, Vec<&str>)], board: Board) -> Result<GapGrid, String> {
    let all = || rows.iter().flat_map(|(_, row)| row.iter().copied());
    let zeros = all().filter(|word| of(word) == Word::Number(0)).count();
    let has_empty = all().any(|word| of(word) == Word::Empty);
    let is_zero_empty = zeros > 1 && !has_empty;
    let grid = read(rows, board, is_zero_empty, !has_empty && !is_zero_empty)?;
    if zeros != 1 || has_empty {
        return Ok(grid);
    }
    let Ok(other) = read(rows, board, true, false) else { return Ok(grid) };
    let may_count_from_1 = other.is_tour(board);
    let is_past_end = grid.given.iter().any(|&(number, _)| number > grid.last(board));
    match grid.is_tour(board) {
        false if may_count_from_1 || is_past_end => Ok(other),
        is_tour => Ok(GapGrid { may_count_from_1: is_tour && may_count_from_1, ..grid }),
    }
}

/// Reads the rows. Says whether `0` and `.` are signs for an empty square.
fn read(rows: &[(usize, Vec<&str>)], board: Board, is_0: bool, is_point: bool) -> Result<GapGrid, String> {
    let mut grid = GapGrid::default();
    let mut squares = board.all();
    for (line, row) in rows {
        if row.len() != board.cols() as usize {
            let (cols, found) = (board.cols(), row.len());
            return Err(format!("line {line}: a row of {board} has {cols} squares, not {found}; {SIGNS}"));
        }
        for (&word, square) in row.iter().zip(squares.by_ref()) {
            match of(word) {
                Word::Number(number) if number > 0 || !is_0 => grid.given.push((number, square)),
                Word::Hole if word != "." || !is_point => grid.holes.push(square),
                word if word.is_cell() => grid.empty.push(square),
                _ => return Err(format!("line {line}: '{word}' is no number; {SIGNS}")),
            }
        }
    }
    if rows.len() != board.rows() as usize {
        return Err(format!("the grid has {} rows, but {board} has {}", rows.len(), board.rows()));
    }
    grid.is_from_0 = grid.given.iter().any(|&(number, _)| number == 0);
    let more = u32::from(grid.is_from_0);
    grid.given.iter_mut().for_each(|(number, _)| *number += more);
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

    /// Every grid with one or two empty squares of a tour that closes and of one that does not, with every sign: it is read as it was
    /// written. A tour that closes may have its 0 at either end.
    #[test]
    fn grids_with_one_or_two_gaps_are_read_with_every_sign() {
        let of_3x3 = "1 4 7 6 # 2 3 8 5".split(' ').collect::<Vec<_>>();
        let of_3x4 = "1 4 7 10 12 9 2 5 3 6 11 8".split(' ').collect::<Vec<_>>();
        for (board, cells) in [("3x3", of_3x3), ("3x4", of_3x4)] {
            let board: Board = board.parse().unwrap();
            let tour: Vec<Option<u32>> = cells.iter().map(|cell| cell.parse().ok()).collect();
            let pairs = (0..cells.len()).flat_map(|one| (0..=one).map(move |other| [one, other]));
            for [one, other] in pairs.filter(|pair| pair.iter().all(|&at| tour[at].is_some())) {
                for (sign, first) in ["_", "?", "-", ".", "0", ""].iter().flat_map(|sign| [(sign, 1), (sign, 0)]) {
                    // A 0 beside the first number, and the first number itself, cannot be told.
                    if first == 0 && (*sign == "0" || [one, other].iter().any(|&at| tour[at] == Some(1))) {
                        continue;
                    }
                    let cell = |at: usize| match tour[at] {
                        _ if at == one || at == other => (*sign).to_owned(),
                        Some(number) => (number + first - 1).to_string(),
                        None => "#".to_owned(),
                    };
                    let words: Vec<String> = (0..cells.len()).map(cell).collect();
                    let text: String = words.chunks(board.cols() as usize).map(|row| row.join(",") + "\n").collect();
                    let grid = parse(&text, board).unwrap().unwrap();
                    let closes = board.squares() == 9;
                    let is_last = one == other && tour[one] == Some(if closes { 8 } else { 12 });
                    let is_turned = closes && is_last && *sign == "0";
                    assert_eq!(grid.may_count_from_1, is_turned, "{text}");
                    let more = u32::from(is_turned);
                    let is_given = |&(at, _): &(usize, Square)| at != one && at != other && tour[at].is_some();
                    let given =
                        board.all().enumerate().filter(is_given).map(|(at, square)| (tour[at].unwrap() + more, square));
                    let mut given: Vec<_> = given.collect();
                    if is_turned {
                        given.push((1, board.at(one as u32).unwrap()));
                        given.sort_by_key(|given| given.1);
                    }
                    assert_eq!(grid.given, given, "{text}");
                    assert_eq!(grid.is_from_0, first == 0 || is_turned, "{text}");
                }
            }
        }
        // With neither reading a tour, the number of the squares says that the grid counts from 1.
        let board = "3x4".parse().unwrap();
        let is_from_0 = |text: &str| parse(text, board).unwrap().unwrap().is_from_0;
        assert!(!is_from_0("1 4 7 9\n12 10 2 5\n3 6 0 8") && is_from_0("1 4 7 9\n11 10 2 5\n3 6 0 8"));
        assert!(is_from_0("0 . . 9\n. 8 . .\n. . . .\n"));
        // A tour around holes, as this program prints it, with one number taken out.
        let ring = parse("1 4 7\n6 . 2\n3 0 5", "3x3".parse().unwrap()).unwrap().unwrap();
        assert_eq!((ring.holes.len(), ring.is_from_0), (1, false));
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
