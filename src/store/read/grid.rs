//! Grids of move numbers, as far as the next empty line.

use super::detect::{AHEAD, LineBegin};
use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{ReadFailure, TextSource, WordEnd, shown};
use crate::board::{GridError, GridRows};
use std::io::Read;

/// A grid whose rows have been read.
pub struct ReadRows {
    line: u64,
    rows: GridRows,
}

/// Reads the rows of a grid, which need not fit together yet.
pub fn rows<R: Read>(source: &mut TextSource<R>) -> Result<ReadRows, ReadStop> {
    let (line, mut rows) = (source.line(), GridRows::default());
    loop {
        let line_now = source.line();
        let flaw =
            |error: GridError| ReadStop::Flaw(TourFlaw { line: line_now, number: None, reason: error.to_string() });
        while let Some(word) = source.word(|byte| byte == b',', WordEnd::Line)? {
            match std::str::from_utf8(word) {
                Ok(text) if text.len() < 24 => rows.word(text).map_err(flaw)?,
                _ => rows.word(&shown(word)).map_err(flaw)?,
            }
        }
        rows.end_row().map_err(flaw)?;
        source.skip_line()?;
        if !goes_on(source)? {
            return Ok(ReadRows { line, rows });
        }
    }
}

/// Whether a grid goes on in this line: it is not empty, and nothing else begins in it.
pub fn goes_on<R: Read>(source: &mut TextSource<R>) -> Result<bool, ReadFailure> {
    if matches!(source.skip_blanks(WordEnd::Line)?, None | Some(b'\n')) {
        return Ok(false);
    }
    Ok(matches!(LineBegin::of(source.ahead(AHEAD)?), LineBegin::Grid | LineBegin::Side | LineBegin::Noise))
}

impl ReadRows {
    /// The tour in the order of the numbers.
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
