//! Reads numbers in rows: a row a line up to an empty line or the first row of another grid, or rows in brackets.
//!
//! ```text
//! [[0, 3, 6, 9], [11, 8, 1, 4], [2, 5, 10, 7]]     a grid; rows may be divided by a blank or a line, too
//! [[0, 0], [1, 2], [2, 0], ..]                     row and column of each square: no board of two columns has a tour
//! [1, 7, 9, 2, ..]                                 numbers of squares from the top left, where the board is known
//! [1, 4, 7, 10]                                    else each array is a row of a grid, a line each
//! [12, 9, 2, 5]
//! ```

use super::judge::{by_grid, by_numbers, by_pairs, is_tour};
use super::outcome::{ReadStop, ReadTour, TextPlace, WordPlaces, broken, flaw};
use super::source::{LINE, TAG, TextSource, is_blank};
use crate::board::{Board, GridError, GridRows, Shape};
use crate::bounded::{
    LOOK_AHEAD_BYTES, LineBegin, WORD_MAX, Word, count, first_line, is_between, is_count, is_heading, words,
};
use std::io::{self, Read};

/// Bytes in which rows with empty lines between them are looked for.
const JOINED_MAX: usize = 1024;

/// Numbers in rows that were read.
#[derive(Default)]
pub struct Table {
    /// The board, where it is known.
    shape: Option<Shape>,
    rows: GridRows,
    places: WordPlaces,
    /// The first flaw of the rows. They are read to their end all the same.
    flaw: Option<ReadStop>,
    /// How deep arrays hold the numbers: 0 where rows are lines.
    depth: usize,
    /// Whether the last row ends with a bar.
    has_bars: bool,
    /// Whether the rows are three numbers each, of which the first counts them.
    is_counted: bool,
}

/// Reads a grid, or other numbers, a row a line. With `board`, rows of two numbers are rows and columns of squares unless the board has two
/// columns: no board of two has a tour of more than one square. Lines between rows that are none are passed over.
pub fn read_lines<R: Read>(source: &mut TextSource<R>, board: Option<Board>) -> Result<ReadTour, ReadStop> {
    let mut table = Table::new(source.place(), board.map(Shape::from));
    table.read_row(source)?;
    while !table.is_whole() && table.continues(source)? {
        table.read_row(source)?;
    }
    if !table.is_whole() {
        for _ in 0..table.joined_lines(source.look_ahead(JOINED_MAX)?) {
            match source.skip_blanks(LINE)? {
                Some(b'\n') => source.take(),
                _ => table.read_row(source)?,
            }
        }
    } else if table.has_bars {
        // The numbers of the columns may stand below a frame.
        table.continues(source)?;
    }
    table.finish()
}

/// Reads an array whose bracket has been consumed, and those that follow if it `goes_on` and does not fill the board.
pub fn read_array<R: Read>(source: &mut TextSource<R>, shape: Option<Shape>, goes_on: bool) -> Result<Table, ReadStop> {
    let mut table = Table::new(source.place(), shape);
    table.read_brackets(source)?;
    while goes_on && table.depth == 1 && !table.is_whole() && follows(source)? {
        source.take();
        table.read_brackets(source)?;
    }
    Ok(table)
}

/// Reads the numbers of a `TOUR_SECTION` of TSPLIB, which ends with -1: the squares in their order, from 1.
///
/// # Source
/// Gerhard Reinelt, "TSPLIB 95", 1995, section 1.2.
pub fn read_section<R: Read>(source: &mut TextSource<R>, board: Option<Board>) -> Result<ReadTour, ReadStop> {
    let mut table = Table::new(source.place(), board.map(Shape::from));
    source.skip_line()?;
    while source.skip_blanks(TAG)?.is_some_and(|byte| byte.is_ascii_digit()) {
        table.read_word(source)?;
    }
    table.depth = 1;
    table.end_row(source.place());
    if source.look_ahead(2)? == b"-1" {
        source.skip_line()?;
    }
    table.finish()
}

/// Whether a further array of numbers follows on this line or the next one; its bracket is not consumed then.
fn follows<R: Read>(source: &mut TextSource<R>) -> io::Result<bool> {
    let is_between = |byte: u8| byte == b',' || (byte != b'\n' && byte.is_ascii_whitespace());
    if source.skip_until(|byte| !is_between(byte))? == Some(b'\n') {
        source.take();
    }
    let ahead = source.look_ahead(64)?;
    let blanks = count(ahead, |&byte| is_blank(byte));
    let follows = is_row(&ahead[blanks..]);
    source.take_bytes(if follows { blanks } else { 0 });
    Ok(follows)
}

/// Whether a text begins with an array of numbers.
pub fn is_row(text: &[u8]) -> bool {
    text.first().is_some_and(|&byte| opens(byte))
        && text[1..].trim_ascii_start().first().is_some_and(u8::is_ascii_digit)
}

/// Whether a byte opens an array; other languages have other brackets.
pub fn opens(byte: u8) -> bool {
    matches!(byte, b'[' | b'{' | b'(')
}

/// Whether a byte closes an array.
pub fn closes(byte: u8) -> bool {
    matches!(byte, b']' | b'}' | b')')
}

/// Consumes blanks and line feeds before the next word of an array, which is not consumed. An array has no empty lines, and none that
/// `is_behind` it: it has no end then, and the tours there are read.
pub fn skip_to_word<R: Read>(source: &mut TextSource<R>, is_behind: fn(&[u8]) -> bool) -> Result<u8, ReadStop> {
    let place = source.place();
    let mut is_over = false;
    while source.skip_blanks(LINE)? == Some(b'\n') && !is_over {
        source.take();
        let line = first_line(source.look_ahead(LOOK_AHEAD_BYTES)?).trim_ascii();
        is_over = line.is_empty() || is_behind(line);
    }
    source.peek()?.filter(|_| !is_over).ok_or_else(|| broken(place, "the array has no end"))
}

/// Whether a line begins with the name of a board or of a square, as no line of an array of numbers does.
fn is_list(line: &[u8]) -> bool {
    words(line).next().is_some_and(|word| match Word::of(word) {
        Word::Name => true,
        _ => word.contains(&b'x') && std::str::from_utf8(word).is_ok_and(|word| word.parse::<Board>().is_ok()),
    })
}

impl Table {
    fn new(place: TextPlace, shape: Option<Shape>) -> Table {
        Table { shape, places: WordPlaces::new(place), is_counted: true, ..Table::default() }
    }

    fn board(&self) -> Option<Board> {
        self.shape.as_ref().map(Shape::board)
    }

    /// Adds a word to the current row. A wrong one has a place there all the same.
    fn push(&mut self, word: &[u8], place: TextPlace) -> Result<(), ReadStop> {
        let pushed = self.rows.push(word);
        self.places.push(place);
        if let Err(error) = pushed {
            if word.len() > WORD_MAX || matches!(error, GridError::TooLarge { .. }) {
                return Err(flaw(place, None, error.to_string()));
            }
            self.note(place, error.to_string());
        }
        Ok(())
    }

    fn note(&mut self, place: TextPlace, reason: impl Into<String>) {
        self.flaw.get_or_insert_with(|| flaw(place, None, reason));
    }

    fn end_row(&mut self, place: TextPlace) {
        if let Err(error) = self.rows.end_row() {
            self.note(place, error.to_string());
        }
        self.is_counted &= self.rows.cols() == 3 && self.rows.counts_last();
    }

    /// Reads the word of an array that comes next.
    fn read_word<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let here = source.place();
        let is_apart = |byte: u8| matches!(byte, b',' | b';') || opens(byte) || closes(byte);
        let word = source.word(is_apart, TAG)?;
        let (word, place) = word.ok_or_else(|| broken(here, "a number should be here"))?;
        self.push(word, place)
    }

    /// Reads an array up to the bracket that closes it.
    fn read_brackets<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let mut open = 1;
        while open > 0 {
            self.depth = self.depth.max(open);
            let (byte, place) = (skip_to_word(source, is_list)?, source.place());
            let is_outside = open == 1 && self.depth > 1;
            match byte {
                _ if opens(byte) && open == 2 => return Err(broken(place, "a number should be here")),
                b',' | b';' => {}
                b'-' | b'>' if is_outside => {}
                _ if opens(byte) || closes(byte) => {}
                _ => {
                    if is_outside {
                        self.note(place, "an array of numbers, or its end, should be here");
                    }
                    self.read_word(source)?;
                    continue;
                }
            }
            source.take();
            open = open + usize::from(opens(byte)) - usize::from(closes(byte));
            // A semicolon is the end of a row in MATLAB.
            if closes(byte) || (byte == b';' && self.depth == 1) {
                self.end_row(place);
            }
        }
        Ok(())
    }

    /// Reads a row with the end of its line.
    fn read_row<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<(), ReadStop> {
        let begin = source.place();
        let line = first_line(source.look_ahead(LOOK_AHEAD_BYTES)?).trim_ascii_end();
        let brackets = |bracket: u8| line.iter().filter(|byte| **byte == bracket).count();
        // A longer line may close it further on.
        let is_open = brackets(b'[') != brackets(b']') && line.len() + 2 < LOOK_AHEAD_BYTES;
        self.has_bars = line.ends_with(b"|");
        let has_arrows = line.contains(&b'>') && line.windows(2).any(|pair| pair == b"->");
        // A point may belong to all numbers of the row.
        let mut may_count = !words(line).nth(1).is_some_and(|word| word.contains(&b'.') && word.len() > 1);
        if !self.read_glued(line, begin)? {
            let is_apart = |byte: u8| is_apart(byte) || (has_arrows && matches!(byte, b'-' | b'>'));
            while let Some((word, place)) = source.word(is_apart, LINE)? {
                if !(std::mem::take(&mut may_count) && is_row_number(word)) {
                    self.push(word, place)?;
                }
            }
        }
        if is_open {
            self.note(begin, "a bracket of the row is not closed");
        }
        self.end_row(begin);
        Ok(source.skip_line()?)
    }

    /// Reads a row in columns of two without a blank between some of them, where the board says how many there are.
    fn read_glued(&mut self, line: &[u8], begin: TextPlace) -> Result<bool, ReadStop> {
        let cols = self.board().map_or(0, |board| board.cols() as usize);
        let lead = begin.column as usize - 1;
        let width = lead + line.len();
        let is_glued = cols > 2
            && width.div_ceil(2) == cols
            && line.iter().all(|byte| byte.is_ascii_digit() || *byte == b' ')
            && line.windows(3).any(|three| three.iter().all(u8::is_ascii_digit))
            && words(line).count() < cols;
        for col in (0..cols).filter(|_| is_glued) {
            let end = (width - 2 * (cols - 1 - col)).max(lead) - lead;
            let word = line[end.saturating_sub(2)..end].trim_ascii();
            self.push(if word.is_empty() { b"_" } else { word }, begin.plus(end - word.len()))?;
        }
        Ok(is_glued)
    }

    /// Whether rows of two are pairs: no board of two columns has a tour, and a grid is of the board that is known.
    fn has_pairs(&self) -> bool {
        self.rows.cols() == 2 && self.board().map_or(self.depth > 1, |board| board.cols() != 2 || self.depth > 1)
    }

    /// Whether the rows are all that the board has room for.
    fn is_whole(&self) -> bool {
        let (rows, cols) = (self.rows.rows(), self.rows.cols());
        self.board().is_some_and(|of| {
            let squares = of.squares() as usize;
            let is_grid = rows == of.rows() as usize && cols == of.cols() as usize;
            let is_table = self.is_counted && of.cols() != 3;
            let is_sequence = cols != of.cols() as usize && cols != 2 && !is_table && rows * cols == squares;
            is_grid || is_sequence || ((is_table || self.has_pairs()) && rows == squares)
        })
    }

    /// The tour that the numbers are.
    pub fn finish(mut self) -> Result<ReadTour, ReadStop> {
        if let Some(flaw) = self.flaw.take().filter(|_| !self.rows.has_inner()) {
            return Err(flaw);
        }
        let Table { shape, rows, places, depth, is_counted, .. } = &self;
        let (shape, cols) = (shape.as_ref(), rows.cols());
        let is_line = *depth == 1 && rows.rows() == 1;
        let is_sequence = |board: Board| {
            let has_all = rows.numbers().len() == board.squares() as usize && rows.empty() == 0;
            (is_line && board.rows() > 1) || (*depth < 2 && cols != board.cols() as usize && has_all)
        };
        match shape {
            _ if self.has_pairs() => by_pairs(rows.numbers().as_chunks().0, shape, &places.only(|at| at % 2 == 0)),
            Some(shape) if is_sequence(shape.board()) => by_numbers(rows, shape, places.clone()),
            None if is_line => {
                let reason = "an array of numbers needs a board: name it by --board, or write a row of a grid a line";
                Err(flaw(places.begin, None, reason))
            }
            _ => by_grid(rows, places).or_else(|stop| match *is_counted && rows.rows() > 1 {
                true => by_pairs(rows.columns(1..3).numbers().as_chunks().0, shape, &places.only(|at| at % 3 == 1)),
                false => Err(stop),
            }),
        }
    }

    /// Whether the row that begins so belongs to another grid.
    fn is_ended_by(&mut self, row: &[u8]) -> bool {
        let Some(Word::Number(number)) = words(row).map(Word::of).next() else { return false };
        let is_number_a_line = self.rows.cols() == 1 && self.board().is_some_and(|board| board.cols() > 1);
        let goes_on = self.is_counted && self.rows.is_next(number);
        !self.has_pairs() && !is_number_a_line && !goes_on && self.rows.is_ended_by(number)
    }

    /// Number of the lines that follow an empty line and make one grid of these rows, with empty lines between: all rows together
    /// have every number once.
    fn joined_lines(&self, ahead: &[u8]) -> usize {
        let mut rows = self.rows.clone();
        let has_holes = rows.numbers().iter().any(|&number| number as usize >= JOINED_MAX);
        if self.flaw.is_some() || rows.rows() != 1 || rows.cols() < 3 || has_holes {
            return 0;
        }
        for (line, text) in ahead.split(|&byte| byte == b'\n').enumerate() {
            let mut is_pushed = |word| matches!(Word::of(word), Word::Number(_)) && rows.push(word).is_ok();
            if !words(text).all(&mut is_pushed) || rows.end_row().is_err() {
                return 0;
            }
            if rows.is_full() && rows.rows() > 1 {
                let is_one = rows.finish().is_ok_and(|(shape, squares)| is_tour(&shape, &squares));
                return if is_one { line + 1 } else { 0 };
            }
        }
        0
    }

    /// Whether the grid continues on this line: it is not empty, no heading, and nothing else begins on it. Lines of a box, comments and
    /// the letters or numbers of the columns are consumed and counted.
    fn continues<R: Read>(&mut self, source: &mut TextSource<R>) -> io::Result<bool> {
        let mut is_below_rule = false;
        loop {
            if matches!(source.skip_blanks(LINE)?, None | Some(b'\n')) {
                return Ok(false);
            }
            let ahead = source.look_ahead(LOOK_AHEAD_BYTES)?;
            let line = first_line(ahead).trim_ascii_end();
            let are_columns = is_count(line) && self.are_columns(line, is_below_rule);
            let is_number = |byte: &u8| byte.is_ascii_digit() || is_between(*byte);
            let are_numbers = || line.iter().all(is_number) && line.iter().any(u8::is_ascii_digit);
            // A row may have a wrong word.
            let known = || words(line).filter(|word| Word::of(word).is_cell()).count();
            let is_row = || words(line).count() == self.rows.cols() && 2 * known() > self.rows.cols();
            let begin = match () {
                () if are_columns => LineBegin::Aside,
                () if are_numbers() || is_row() => LineBegin::Grid,
                () => LineBegin::of(ahead),
            };
            match begin {
                LineBegin::Aside => {}
                LineBegin::Grid | LineBegin::Side => return Ok(!self.is_ended_by(line)),
                LineBegin::Noise => return Ok(!is_heading(line) && !self.is_ended_by(line)),
                _ => return Ok(false),
            }
            is_below_rule |= matches!(line, [b'-' | b'+', ..]);
            source.pass_over()?;
            if are_columns {
                return Ok(false);
            }
        }
    }

    /// Whether a line that counts is below the columns: the rows have numbers, too, or a frame of which this is the end.
    fn are_columns(&mut self, line: &[u8], is_below_rule: bool) -> bool {
        let (count, cols) = (words(line).count(), self.rows.cols());
        let has_frame = is_below_rule && self.has_bars && !line.contains(&b'|');
        (count + 1 == cols && self.rows.has_inner()) || (count == cols && has_frame && self.rows.is_ended_by(1))
    }
}

/// Whether the byte stands between numbers: a comma, a bar, a bracket, or part of the character that draws one.
#[inline]
fn is_apart(byte: u8) -> bool {
    matches!(byte, b',' | b';' | b'|' | b'[' | b']' | 0x80..=0x95 | 0xe2)
}

/// Whether the first word of a row is the number of the row, and says so by a sign.
fn is_row_number(word: &[u8]) -> bool {
    matches!(word, [digits @ .., b'-' | b':' | b'.' | b')'] if matches!(Word::of(digits), Word::Number(_)))
}
