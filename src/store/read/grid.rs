//! Reads a grid of move numbers, up to the next empty line, or to the first row of another grid.

use super::numbers::{by_grid, by_pairs};
use super::outcome::{FoundTour, ReadStop, TextPlace, WordPlaces, flaw};
use super::source::{TextSource, WORD_MAX, WordEnd, excerpt};
use crate::board::{Board, GridError, GridRows, Holes};
use crate::bounded::{LOOK_AHEAD_BYTES, LineBegin, first_line, is_heading};
use std::io::{self, Read};

/// Reads a grid. With `board`, rows of two numbers are rows and columns of squares unless the board has two columns: no board of two
/// has a tour of more than one square. Counts the lines between rows that are none in `passed_over`.
pub fn read<R: Read>(
    source: &mut TextSource<R>,
    board: Option<Board>,
    passed_over: &mut u64,
) -> Result<FoundTour, ReadStop> {
    let mut grid =
        GridText { place: source.place(), rows: GridRows::default(), places: WordPlaces::default(), flaw: None };
    loop {
        grid.read_row(source)?;
        let is_whole = |of: Board| grid.rows.rows() == of.rows() as usize && grid.rows.cols() == of.cols() as usize;
        if board.is_some_and(is_whole) || !continues(source, passed_over)? {
            break;
        }
        if grid.is_ended_by(source.look_ahead(LOOK_AHEAD_BYTES)?) {
            break;
        }
    }
    let GridText { place, rows, places, flaw } = grid;
    match flaw {
        Some(flaw) => Err(flaw),
        None if rows.cols() == 2 && board.is_some_and(|board| board.cols() != 2) => {
            by_pairs(place, rows.numbers(), board, &Holes::none(), places.of_pairs())
        }
        None => by_grid(place, &rows, places),
    }
}

/// The rows of a grid that have been read.
struct GridText {
    place: TextPlace,
    rows: GridRows,
    places: WordPlaces,
    /// The first flaw of the rows. They are read to their end all the same.
    flaw: Option<ReadStop>,
}

impl GridText {
    /// Reads a row with the end of its line.
    fn read_row<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let begin = source.place();
        let mut is_first = true;
        while let Some(word) = source.word(is_between, WordEnd::Line)? {
            let is_row_number = std::mem::take(&mut is_first) && is_row_number(word);
            let is_endless = word.len() > WORD_MAX;
            let pushed = match number(word) {
                _ if is_row_number => continue,
                Some(number) => self.rows.push_number(number),
                None => self.rows.push_word(&excerpt(word)),
            };
            self.places.push(source.word_place());
            match pushed {
                Ok(()) => {}
                Err(error) if is_endless || matches!(error, GridError::TooLarge { .. }) => {
                    return Err(flaw(source.word_place(), None, error.to_string()));
                }
                Err(error) => self.note(source.word_place(), &error),
            }
        }
        if let Err(error) = self.rows.end_row() {
            self.note(begin, &error);
        }
        source.skip_line()?;
        Ok(())
    }

    fn note(&mut self, place: TextPlace, error: &GridError) {
        self.flaw.get_or_insert_with(|| flaw(place, None, error.to_string()));
    }

    /// Whether the row that begins so belongs to another grid.
    fn is_ended_by(&self, row: &[u8]) -> bool {
        let first = row.split(|&byte| byte.is_ascii_whitespace() || is_between(byte)).find(|word| !word.is_empty());
        first.and_then(number).is_some_and(|number| self.rows.is_ended_by(number))
    }
}

/// Whether the byte stands between numbers: a comma, a bar, or part of the character that draws one.
fn is_between(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | 0x80..=0x95 | 0xe2)
}

/// The value of up to nine digits.
#[inline]
fn number(word: &[u8]) -> Option<u32> {
    let value = |value: u32, &byte: &u8| byte.is_ascii_digit().then(|| 10 * value + u32::from(byte - b'0'));
    (1..10).contains(&word.len()).then(|| word.iter().try_fold(0, value)).flatten()
}

/// Whether the first word of a row is the number of the row, and says so by a sign.
fn is_row_number(word: &[u8]) -> bool {
    matches!(word, [digits @ .., b'-' | b':' | b'.' | b')'] if number(digits).is_some())
}

/// Whether the grid continues on this line: it is not empty, no heading, and nothing else begins on it. Lines of a box, comments and the
/// letters of the columns are consumed and counted.
fn continues<R: Read>(source: &mut TextSource<R>, passed_over: &mut u64) -> io::Result<bool> {
    loop {
        if matches!(source.skip_blanks(WordEnd::Line)?, None | Some(b'\n')) {
            return Ok(false);
        }
        let ahead = source.look_ahead(LOOK_AHEAD_BYTES)?;
        if is_plain_row(ahead) {
            return Ok(true);
        }
        match LineBegin::of(ahead) {
            LineBegin::Aside => {
                source.skip_line()?;
                *passed_over += 1;
            }
            LineBegin::Noise => return Ok(!is_heading(first_line(ahead))),
            begin => return Ok(matches!(begin, LineBegin::Grid | LineBegin::Side)),
        }
    }
}

/// Whether a line begins with two numbers and blanks or commas between, as no other form does.
fn is_plain_row(line: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let first = digits(line);
    let behind = &line[first..];
    let apart = behind.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b',' | b';')).count();
    let second = digits(&behind[apart..]);
    let end = behind.get(apart + second);
    first > 0 && apart > 0 && second > 0 && matches!(end, Some(b' ' | b'\t' | b',' | b';' | b'\n' | b'\r'))
}
