//! Reads a grid of move numbers, up to the next empty line.

use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WordEnd, excerpt};
use crate::board::{GridError, GridRows};
use crate::bounded::{LOOK_AHEAD_BYTES, LineBegin};
use std::io::{self, Read};

/// The rows of a grid that have been read; the numbers are not verified yet.
pub struct ReadRows {
    line: u64,
    rows: GridRows,
}

/// Reads the rows of a grid. Only their width is verified.
pub fn read_rows<R: Read>(source: &mut TextSource<R>) -> Result<ReadRows, ReadStop> {
    let (line, mut rows) = (source.line(), GridRows::default());
    loop {
        let line_now = source.line();
        let flaw =
            |error: GridError| ReadStop::Flaw(TourFlaw { line: line_now, number: None, reason: error.to_string() });
        while let Some(word) = source.word(|byte| byte == b',', WordEnd::Line)? {
            match std::str::from_utf8(word) {
                Ok(text) if text.len() < 24 => rows.push_word(text).map_err(flaw)?,
                _ => rows.push_word(&excerpt(word)).map_err(flaw)?,
            }
        }
        rows.end_row().map_err(flaw)?;
        source.skip_line()?;
        if !continues(source)? {
            return Ok(ReadRows { line, rows });
        }
    }
}

/// Whether the grid continues on this line: it is not empty, and nothing else begins on it.
pub fn continues<R: Read>(source: &mut TextSource<R>) -> io::Result<bool> {
    if matches!(source.skip_blanks(WordEnd::Line)?, None | Some(b'\n')) {
        return Ok(false);
    }
    Ok(matches!(
        LineBegin::of(source.look_ahead(LOOK_AHEAD_BYTES)?),
        LineBegin::Grid | LineBegin::Side | LineBegin::Noise
    ))
}

impl ReadRows {
    /// Verifies the numbers, and gives the squares in their order.
    pub fn finish(self) -> Result<FoundTour, ReadStop> {
        let ReadRows { line, rows } = self;
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
        Ok(FoundTour { line, board, ending: None, holes, squares })
    }
}
