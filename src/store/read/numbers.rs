//! Reads numbers in brackets: a grid, the rows and columns of the squares in their order, or the numbers of the squares.
//!
//! ```text
//! [[0, 3, 6, 9], [11, 8, 1, 4], [2, 5, 10, 7]]     a grid; rows may be divided by a blank or a line, too
//! [[0, 0], [1, 2], [2, 0], ..]                     row and column of each square: no board of two columns has a tour
//! [1, 7, 9, 2, ..]                                 numbers of squares from the top left, where the board is known
//! [1, 4, 7, 10]                                    else each array is a row of a grid, a line each
//! [12, 9, 2, 5]
//! ```

use super::outcome::{FoundTour, ReadStop, TextPlace, WordPlaces, flaw};
use super::source::{TextSource, WordEnd, excerpt};
use crate::board::{Board, GridError, GridRows, Holes, Square};
use crate::store::check::first_wrong_move;
use std::collections::HashSet;
use std::io::Read;

/// Numbers in brackets that were read.
pub struct NumberTable {
    place: TextPlace,
    rows: GridRows,
    places: WordPlaces,
    /// Whether an array holds the rows.
    is_nested: bool,
}

/// Whether an array that was opened just now begins with an array of numbers, which the text `ahead` shows.
pub fn is_table(ahead: &[u8]) -> bool {
    let rest = ahead.trim_ascii_start();
    rest.first().is_some_and(|&byte| opens(byte)) && is_row(rest[1..].trim_ascii_start())
}

/// Whether a byte opens an array; other languages have other brackets.
fn opens(byte: u8) -> bool {
    matches!(byte, b'[' | b'{' | b'(')
}

/// Whether a byte closes an array.
fn closes(byte: u8) -> bool {
    matches!(byte, b']' | b'}' | b')')
}

/// Whether an array that was opened just now begins with a number.
pub fn is_row(ahead: &[u8]) -> bool {
    ahead.first().is_some_and(u8::is_ascii_digit)
}

/// Reads an array of arrays of numbers, which has been opened. `open` says how many arrays are open where it ends, also with a
/// flaw.
pub fn read_table<R: Read>(source: &mut TextSource<R>, open: &mut usize) -> Result<NumberTable, ReadStop> {
    let mut table = NumberTable::new(source.place(), true);
    *open = 1;
    loop {
        match source.skip_blanks(WordEnd::Tag)? {
            Some(b',' | b'-' | b'>') => source.take(),
            Some(byte) if opens(byte) => {
                source.take();
                *open = 2;
                table.read_row(source)?;
                *open = 1;
            }
            Some(byte) if closes(byte) => {
                source.take();
                *open = 0;
                return Ok(table);
            }
            _ => return Err(flaw(source.place(), None, "an array of numbers, or its end, should be here")),
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
    let mut table = NumberTable::new(source.place(), false);
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
    let follows = is_next_line && is_table(row);
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
    let mut table = NumberTable::new(source.place(), false);
    source.skip_line()?;
    while source.skip_blanks(WordEnd::Tag)?.is_some_and(|byte| byte.is_ascii_digit()) {
        table.read_number(source)?;
    }
    table.end_row(source)?;
    Ok(table)
}

impl NumberTable {
    fn new(place: TextPlace, is_nested: bool) -> NumberTable {
        NumberTable { place, rows: GridRows::default(), places: WordPlaces::default(), is_nested }
    }

    /// Reads the numbers of a row up to its end.
    fn read_row<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        loop {
            match source.skip_blanks(WordEnd::Tag)? {
                Some(b',') => source.take(),
                Some(byte) if closes(byte) => {
                    source.take();
                    return self.end_row(source);
                }
                Some(byte) if opens(byte) || byte == b'<' => {
                    return Err(flaw(source.place(), None, "a number should be here"));
                }
                None => return Err(flaw(source.place(), None, "the array has no end")),
                _ => self.read_number(source)?,
            }
        }
    }

    /// Reads a number, which comes next.
    fn read_number<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let place = source.place();
        let is_apart = |byte: u8| byte == b',' || opens(byte) || closes(byte);
        let word = excerpt(source.word(is_apart, WordEnd::Tag)?.unwrap_or_default());
        self.places.push(place);
        self.rows.push_word(&word).map_err(|error| flaw(place, None, error.to_string()))
    }

    fn end_row<R: Read>(&mut self, source: &TextSource<R>) -> Result<(), ReadStop> {
        self.rows.end_row().map_err(|error| flaw(source.place(), None, error.to_string()))
    }

    /// The tour that the numbers are, on `board` if it is known, which leaves out `holes` if it is no grid.
    pub fn finish(self, board: Option<Board>, holes: &Holes) -> Result<FoundTour, ReadStop> {
        let NumberTable { place, rows, places, is_nested } = self;
        let numbers = rows.numbers();
        if is_nested && rows.cols() == 2 {
            return by_pairs(place, numbers, board, holes, places.of_pairs());
        }
        match board {
            Some(board) if !is_nested && rows.rows() == 1 && board.rows() > 1 => {
                let first = u32::from(!rows.is_from_0());
                let square = |(index, &number): (usize, &u32)| {
                    let square = number.checked_sub(first).and_then(|index| board.at(index));
                    let last = board.squares() - 1 + first;
                    square.ok_or_else(|| {
                        let (place, move_number) = (places.at(index).unwrap_or(place), index + 1);
                        let reason = format!(
                            "move {move_number}: the squares of {board} are numbered {first} to {last}, not {number}"
                        );
                        flaw(place, Some(move_number), reason)
                    })
                };
                // One square too many shows that a square is visited twice.
                let most = board.squares() as usize + 1;
                let squares = numbers.iter().take(most).enumerate().map(square).collect::<Result<_, _>>()?;
                let (holes, form) = (holes.clone(), "numbers of squares");
                Ok(FoundTour { place, board, ending: None, holes, squares, places, form })
            }
            None if !is_nested && rows.rows() == 1 => {
                let reason = "an array of numbers needs a board: name it by --board, or write a row of a grid a line";
                Err(flaw(place, None, reason))
            }
            _ => by_grid(place, &rows, places),
        }
    }
}

/// The tour whose move numbers the rows are. Numbers of the rows at the edge are no move numbers: they are left out if the grid is
/// none with them.
pub fn by_grid(place: TextPlace, rows: &GridRows, places: WordPlaces) -> Result<FoundTour, ReadStop> {
    let inner = || rows.without_row_numbers()?.finish().ok();
    let (found, places, form) = match (rows.finish(), rows.is_from_0()) {
        (Ok(found), false) => (found, places.by_square(), "grid"),
        (Ok(found), true) => (found, places.by_square(), "grid from 0"),
        (Err(error), _) => match inner() {
            Some(found) => (found, WordPlaces::default(), "grid with row numbers"),
            None => return Err(grid_flaw(place, rows, &places, &error)),
        },
    };
    let (board, holes, squares) = found;
    Ok(FoundTour { place, board, ending: None, holes, squares, places, form })
}

fn grid_flaw(place: TextPlace, rows: &GridRows, places: &WordPlaces, error: &GridError) -> ReadStop {
    let (place, number) = match *error {
        GridError::PastEnd { row, col, number, .. } | GridError::Repeated { row, col, number, .. } => {
            (places.at((row - 1) * rows.cols() + col - 1).unwrap_or(place), Some(number as usize))
        }
        _ => (place, None),
    };
    let hint =
        if rows.cols() == 2 && rows.rows() > 2 { "; rows of two are pairs if --board names the board" } else { "" };
    flaw(place, number, format!("{error}{hint}"))
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
pub fn by_pairs(
    place: TextPlace,
    numbers: &[u32],
    board: Option<Board>,
    holes: &Holes,
    places: WordPlaces,
) -> Result<FoundTour, ReadStop> {
    let is_path = |board: Board, squares: &[Square]| {
        let has_repeated = squares.iter().collect::<HashSet<_>>().len() < squares.len();
        let is_full = squares.len() + holes.len() == board.squares() as usize;
        !has_repeated && is_full && first_wrong_move(board, holes, squares).is_none()
    };
    let read = |way: &PairWay| Some((way.squares(numbers, board)?, way.form));
    let found = WAYS.iter().filter_map(read).find(|((board, squares), _)| is_path(*board, squares));
    if let Some(((board, squares), form)) = found.or_else(|| read(&WAYS[0])) {
        return Ok(FoundTour { place, board, ending: None, holes: holes.clone(), squares, places, form });
    }
    let is_off = |pair: &[u32]| board.is_none_or(|board| board.square(pair[0], pair[1]).is_none());
    let index = numbers.chunks_exact(2).position(is_off).unwrap_or(0);
    let of = board.map_or_else(|| "a board".to_owned(), |board| format!("the board {board}"));
    let (row, col) = (numbers[2 * index], numbers[2 * index + 1]);
    let number = index + 1;
    let reason = format!("move {number}: '{row},{col}' is not on {of}: rows and columns count from 0");
    Err(flaw(places.at(index).unwrap_or(place), Some(number), reason))
}
