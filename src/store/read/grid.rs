//! Reads a grid of move numbers, up to the next empty line.

use super::numbers::by_pairs;
use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WordEnd, excerpt};
use crate::board::{Board, GridError, GridRows, Holes};
use crate::bounded::{LOOK_AHEAD_BYTES, LineBegin, is_rule};
use std::io::{self, Read};

/// The rows of a grid that have been read; the numbers are not verified yet.
pub struct ReadRows {
    line: u64,
    rows: GridRows,
    /// Lines above the grid, of a number or two, that are a size or the number of tours.
    pub sizes: u64,
}

/// Reads the rows of a grid. Only their width is verified.
pub fn read_rows<R: Read>(source: &mut TextSource<R>) -> Result<ReadRows, ReadStop> {
    let mut read = ReadRows { line: source.line(), rows: GridRows::default(), sizes: 0 };
    loop {
        let rows = &mut read.rows;
        let line_now = source.line();
        let flaw =
            |error: GridError| ReadStop::Flaw(TourFlaw { line: line_now, number: None, reason: error.to_string() });
        while let Some(word) = source.word(is_between, WordEnd::Line)? {
            match std::str::from_utf8(word) {
                Ok(text) if text.len() < 24 => rows.push_word(text).map_err(flaw)?,
                _ => rows.push_word(&excerpt(word)).map_err(flaw)?,
            }
        }
        match rows.end_row() {
            Err(GridError::Width { row: 2, found, expected }) if expected <= SIZE_MAX && expected < found => {
                rows.leave_out_first_row();
                (read.line, read.sizes) = (line_now, read.sizes + 1);
            }
            ended => ended.map_err(flaw)?,
        }
        source.skip_line()?;
        if !continues(source)? {
            return Ok(read);
        }
    }
}

/// Most numbers of a line with a size.
const SIZE_MAX: usize = 2;

/// Whether the byte stands between numbers: a comma, a bar, or part of the character that draws one.
fn is_between(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | 0x80..=0x95 | 0xe2)
}

/// Whether the grid continues on this line: it is not empty, and nothing else begins on it. Lines of a box around the numbers
/// are consumed.
pub fn continues<R: Read>(source: &mut TextSource<R>) -> io::Result<bool> {
    loop {
        if matches!(source.skip_blanks(WordEnd::Line)?, None | Some(b'\n')) {
            return Ok(false);
        }
        if !is_rule(source.look_ahead(LOOK_AHEAD_BYTES)?) {
            break;
        }
        source.skip_line()?;
    }
    Ok(matches!(
        LineBegin::of(source.look_ahead(LOOK_AHEAD_BYTES)?),
        LineBegin::Grid | LineBegin::Side | LineBegin::Noise
    ))
}

impl ReadRows {
    /// Verifies the numbers, and gives the squares in their order. Rows of two numbers are rows and columns of squares where the
    /// board is known and has not two columns: no board of two has a tour of more than one square.
    pub fn finish(self, board: Option<Board>) -> Result<FoundTour, ReadStop> {
        let ReadRows { line, rows, .. } = self;
        if rows.cols() == 2 && board.is_some_and(|board| board.cols() != 2) {
            return by_pairs(line, rows.numbers(), board, &Holes::none());
        }
        let flaw = |error: GridError| {
            let (row, number) = match error {
                GridError::PastEnd { row, number, .. } | GridError::Repeated { row, number, .. } => {
                    (row as u64, Some(number as usize))
                }
                _ => (1, None),
            };
            ReadStop::Flaw(TourFlaw { line: line + row - 1, number, reason: error.to_string() })
        };
        let (board, holes, squares) = rows.finish().map_err(flaw)?;
        Ok(FoundTour { line, board, ending: None, holes, squares, form: "grid" })
    }
}
