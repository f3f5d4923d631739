//! Reads numbers in brackets: a grid, the rows and columns of the squares in their order, or the numbers of the squares.
//!
//! ```text
//! [[0, 3, 6, 9], [11, 8, 1, 4], [2, 5, 10, 7]]     a grid; rows may be divided by a blank or a line, too
//! [[0, 0], [1, 2], [2, 0], ..]                     row and column of each square: no board of two columns has a tour
//! [1, 7, 9, 2, ..]                                 numbers of squares from the top left, where the board is known
//! [1, 4, 7, 10]                                    else each array is a row of a grid, a line each
//! [12, 9, 2, 5]
//! ```

use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WordEnd, excerpt};
use crate::board::{Board, GridRows, Holes, Square};
use crate::store::check::first_wrong_move;
use std::collections::HashSet;
use std::io::Read;

/// Numbers in brackets that were read.
pub struct NumberTable {
    line: u64,
    rows: GridRows,
    /// Whether an array holds the rows.
    is_nested: bool,
}

/// Whether an array that was opened just now begins with an array of numbers, which the text `ahead` shows.
pub fn is_table(ahead: &[u8]) -> bool {
    let rest = ahead.trim_ascii_start();
    rest.strip_prefix(b"[").is_some_and(|row| is_row(row.trim_ascii_start()))
}

/// Whether an array that was opened just now begins with a number.
pub fn is_row(ahead: &[u8]) -> bool {
    ahead.first().is_some_and(u8::is_ascii_digit)
}

/// Reads an array of arrays of numbers, which has been opened. `open` says how many arrays are open where it ends, also with a
/// flaw.
pub fn read_table<R: Read>(source: &mut TextSource<R>, open: &mut usize) -> Result<NumberTable, ReadStop> {
    let mut table = NumberTable { line: source.line(), rows: GridRows::default(), is_nested: true };
    *open = 1;
    loop {
        match source.skip_blanks(WordEnd::Tag)? {
            Some(b',') => source.take(),
            Some(b'[') => {
                source.take();
                *open = 2;
                table.read_row(source)?;
                *open = 1;
            }
            Some(b']') => {
                source.take();
                *open = 0;
                return Ok(table);
            }
            _ => return Err(table.flaw(source, "an array of numbers, or its end, should be here")),
        }
    }
}

/// Reads an array of numbers, which has been opened, and those that follow if it `may_go_on` and does not fill the board. `open`
/// says how many arrays are open where it ends, also with a flaw.
pub fn read_rows<R: Read>(
    source: &mut TextSource<R>,
    board: Option<Board>,
    may_go_on: bool,
    open: &mut usize,
) -> Result<NumberTable, ReadStop> {
    let mut table = NumberTable { line: source.line(), rows: GridRows::default(), is_nested: false };
    *open = 1;
    table.read_row(source)?;
    let is_whole = |rows: &GridRows| board.is_some_and(|board| rows.numbers().len() == board.squares() as usize);
    while may_go_on && !is_whole(&table.rows) && follows(source)? {
        source.take();
        table.read_row(source)?;
    }
    *open = 0;
    Ok(table)
}

/// Whether a further array of numbers follows on this line or the next one; its bracket is not consumed then.
fn follows<R: Read>(source: &mut TextSource<R>) -> Result<bool, ReadStop> {
    let is_between = |byte: u8| byte == b',' || (byte != b'\n' && byte.is_ascii_whitespace());
    if source.skip_until(|byte| !is_between(byte))? == Some(b'\n') {
        source.take();
    }
    let ahead = source.look_ahead(64)?;
    let row = ahead.trim_ascii_start();
    let is_next_line = !ahead[..ahead.len() - row.len()].contains(&b'\n');
    let follows = is_next_line && row.strip_prefix(b"[").is_some_and(|row| is_row(row.trim_ascii_start()));
    if follows {
        source.skip_blanks(WordEnd::Line)?;
    }
    Ok(follows)
}

/// Reads the numbers of a `TOUR_SECTION` of TSPLIB, which ends with -1: the squares in their order, from 1.
///
/// # Source
/// Gerhard Reinelt, "TSPLIB 95", 1995, section 1.2.
pub fn read_section<R: Read>(source: &mut TextSource<R>) -> Result<NumberTable, ReadStop> {
    let mut table = NumberTable { line: source.line(), rows: GridRows::default(), is_nested: false };
    source.skip_line()?;
    while source.skip_blanks(WordEnd::Tag)?.is_some_and(|byte| byte.is_ascii_digit()) {
        let word = excerpt(source.word(|_| false, WordEnd::Tag)?.unwrap_or_default());
        table.rows.push_word(&word).map_err(|error| table.flaw(source, &error.to_string()))?;
    }
    table.rows.end_row().map_err(|error| table.flaw(source, &error.to_string()))?;
    Ok(table)
}

impl NumberTable {
    /// Reads the numbers of a row up to its end.
    fn read_row<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        loop {
            match source.skip_blanks(WordEnd::Tag)? {
                Some(b',') => source.take(),
                Some(b']') => {
                    source.take();
                    return self.rows.end_row().map_err(|error| self.flaw(source, &error.to_string()));
                }
                Some(b'[' | b'{' | b'<') => return Err(self.flaw(source, "a number should be here")),
                _ => {
                    let line = source.line();
                    let word = source.word(|byte| matches!(byte, b',' | b']' | b'['), WordEnd::Tag)?;
                    let Some(word) = word else { return Err(self.flaw(source, "the array has no end")) };
                    let pushed = self.rows.push_word(&excerpt(word));
                    pushed.map_err(|error| flaw(line, None, error.to_string()))?;
                }
            }
        }
    }

    fn flaw<R: Read>(&self, source: &TextSource<R>, reason: &str) -> ReadStop {
        flaw(source.line(), None, reason.to_owned())
    }

    /// The tour that the numbers are, on `board` if it is known, which leaves out `holes` if it is no grid.
    pub fn finish(self, board: Option<Board>, holes: &Holes) -> Result<FoundTour, ReadStop> {
        let NumberTable { line, rows, is_nested } = self;
        let numbers = rows.numbers();
        if is_nested && rows.cols() == 2 {
            return by_pairs(line, numbers, board, holes);
        }
        match board {
            Some(board) if !is_nested && rows.rows() == 1 && board.rows() > 1 => {
                let first = u32::from(!numbers.contains(&0));
                let square = |(place, &number): (usize, &u32)| {
                    let square = number.checked_sub(first).and_then(|index| board.at(index));
                    let last = board.squares() - 1 + first;
                    square.ok_or_else(|| {
                        let place = place + 1;
                        let reason = format!(
                            "move {place}: the squares of {board} are numbered {first} to {last}, not {number}"
                        );
                        flaw(line, Some(place), reason)
                    })
                };
                // One square too many shows that a square is visited twice.
                let most = board.squares() as usize + 1;
                let squares = numbers.iter().take(most).enumerate().map(square).collect::<Result<_, _>>()?;
                let (holes, form) = (holes.clone(), "numbers of squares");
                Ok(FoundTour { line, board, ending: None, holes, squares, form })
            }
            None if !is_nested && rows.rows() == 1 => {
                let reason = "an array of numbers needs a board: name it by --board, or write a row of a grid a line";
                Err(flaw(line, None, reason.to_owned()))
            }
            _ => {
                let (board, holes, squares) = rows.finish().map_err(|error| flaw(line, None, error.to_string()))?;
                Ok(FoundTour { line, board, ending: None, holes, squares, form: "grid" })
            }
        }
    }
}

fn flaw(line: u64, number: Option<usize>, reason: String) -> ReadStop {
    ReadStop::Flaw(TourFlaw { line, number, reason })
}

/// How pairs of numbers may be meant: lists of this program have row and column from 0.
const WAYS: [PairWay; 4] = [
    PairWay { first: 0, is_column_first: false, form: "pairs" },
    PairWay { first: 1, is_column_first: false, form: "pairs from 1" },
    PairWay { first: 0, is_column_first: true, form: "pairs, column first" },
    PairWay { first: 1, is_column_first: true, form: "pairs from 1, column first" },
];

/// What a pair of numbers means.
struct PairWay {
    /// The number of the first row and column.
    first: u32,
    is_column_first: bool,
    form: &'static str,
}

impl PairWay {
    /// Row and column from 0, if the numbers are not too small.
    fn place(&self, pair: &[u32]) -> Option<(u32, u32)> {
        let (row, col) = if self.is_column_first { (pair[1], pair[0]) } else { (pair[0], pair[1]) };
        row.checked_sub(self.first).zip(col.checked_sub(self.first))
    }

    /// The board, and the squares on it, if all of them are; a board that is not known is the smallest that holds them.
    fn squares(&self, numbers: &[u32], board: Option<Board>) -> Option<(Board, Vec<Square>)> {
        let places = numbers.chunks_exact(2).map(|pair| self.place(pair)).collect::<Option<Vec<_>>>()?;
        let smallest = || {
            let rows = places.iter().map(|&(row, _)| u64::from(row) + 1).max()?;
            let cols = places.iter().map(|&(_, col)| u64::from(col) + 1).max()?;
            Board::new(rows, cols).ok()
        };
        let board = board.or_else(smallest)?;
        // One square too many shows that a square is visited twice.
        let places = places.into_iter().take(board.squares() as usize + 1);
        let squares = places.map(|(row, col)| board.square(row, col)).collect::<Option<Vec<_>>>()?;
        Some((board, squares))
    }
}

/// The tour whose squares are two numbers each, one after the other. They are read in another way than that of lists only if that makes a path
/// of them and the way of lists does not.
pub fn by_pairs(line: u64, numbers: &[u32], board: Option<Board>, holes: &Holes) -> Result<FoundTour, ReadStop> {
    let is_path = |board: Board, squares: &[Square]| {
        let has_repeated = squares.iter().collect::<HashSet<_>>().len() < squares.len();
        let is_full = squares.len() + holes.len() == board.squares() as usize;
        !has_repeated && is_full && first_wrong_move(board, holes, squares).is_none()
    };
    let read = |way: &PairWay| Some((way.squares(numbers, board)?, way.form));
    let found = WAYS.iter().filter_map(read).find(|((board, squares), _)| is_path(*board, squares));
    if let Some(((board, squares), form)) = found.or_else(|| read(&WAYS[0])) {
        return Ok(FoundTour { line, board, ending: None, holes: holes.clone(), squares, form });
    }
    let is_off = |pair: &[u32]| board.is_none_or(|board| board.square(pair[0], pair[1]).is_none());
    let place = numbers.chunks_exact(2).position(is_off).unwrap_or(0);
    let of = board.map_or_else(|| "a board".to_owned(), |board| format!("the board {board}"));
    let (row, col) = (numbers[2 * place], numbers[2 * place + 1]);
    let number = place + 1;
    let reason = format!("move {number}: '{row},{col}' is not on {of}: rows and columns count from 0");
    Err(flaw(line, Some(number), reason))
}
