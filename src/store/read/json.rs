//! Reads JSON, one tour at a time: an array of names or of [numbers], an array of such arrays, or objects with
//! `tour` or `tours`. Numbers are also read where only the brackets are JSON.
//!
//! An object may have `board`, `ending` and `holes`, which apply to the tours that follow them. Other members are skipped.

use super::list::{Squares, no_square};
use super::numbers;
use super::outcome::{FoundTour, ReadStop, TourFlaw, ending_named, flaw};
use super::source::{TextSource, WORD_MAX, WordEnd, excerpt};
use crate::board::{Board, BoardError, Ending, Holes};
use std::io::Read;

/// Deepest nesting of arrays and objects around a tour. It bounds the memory that a text can take.
const DEPTH_MAX: usize = 16;

/// Bytes in which an array of arrays shows that it holds numbers.
const AHEAD: usize = 64;

/// The position of the reader in a JSON text.
pub struct Json {
    /// The open arrays and objects, outermost first.
    open: Vec<OpenBracket>,
    /// What is known of tours outside of any object.
    about: JsonContext,
    has_begun: bool,
    /// How many arrays of the last tour are open, because it was wrong: the rest of them has to be skipped.
    in_bad_tour: usize,
}

struct OpenBracket {
    is_object: bool,
    first: bool,
    line: u64,
    /// Whether it is an array, or has a member for tours.
    has_tours: bool,
    about: JsonContext,
}

/// What is known of the tours in an array or object.
#[derive(Clone, Default)]
struct JsonContext {
    board: Option<Board>,
    ending: Option<Ending>,
    holes: Holes,
}

impl Json {
    /// A reader for a text that begins here. Tours without a board of their own are on `board`.
    pub fn new(board: Option<Board>) -> Json {
        let about = JsonContext { board, ..JsonContext::default() };
        Json { open: Vec::new(), about, has_begun: false, in_bad_tour: 0 }
    }

    /// Reads the next tour; `None` at the end of the text.
    pub fn next_tour<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        let left = std::mem::take(&mut self.in_bad_tour);
        if left > 0 {
            skip(source, left)?;
        }
        loop {
            let found = match self.open.last_mut() {
                None if std::mem::replace(&mut self.has_begun, true) => return Ok(None),
                None => self.read_value(source, false)?,
                Some(open) => {
                    let token = peek_token(source)?;
                    if token == if open.is_object { b'}' } else { b']' } {
                        source.take();
                        let from = open.line;
                        if self.open.pop().is_some_and(|open| !open.has_tours) {
                            let reason = "an object without a member 'tour' or 'tours'".to_owned();
                            return Err(ReadStop::Skipped { from, to: source.line(), reason });
                        }
                        None
                    } else {
                        if !std::mem::replace(&mut open.first, false) {
                            expect(source, b',')?;
                        }
                        if open.is_object { self.read_member(source)? } else { self.read_value(source, true)? }
                    }
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
    }

    fn about(&mut self) -> &mut JsonContext {
        self.open.last_mut().map_or(&mut self.about, |open| &mut open.about)
    }

    /// Reads a member of an object: a property of its tours, or a tour.
    fn read_member<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        let mut text = Vec::new();
        read_string(source, &mut text)?;
        expect(source, b':')?;
        if matches!(&text[..], b"tour" | b"tours") {
            self.open.last_mut().into_iter().for_each(|open| open.has_tours = true);
            if matches!(peek_token(source)?, b'[' | b'{' | b'(') {
                return self.read_value(source, text == b"tour");
            }
        }
        match &text[..] {
            b"board" => {
                read_string(source, &mut text)?;
                let board =
                    excerpt(&text).parse().map_err(|error: BoardError| final_flaw(source, error.to_string()))?;
                self.about().board = Some(board);
            }
            b"ending" => {
                read_string(source, &mut text)?;
                let ending = ending_named(&text);
                let unknown = || final_flaw(source, format!("the ending is open or closed, not '{}'", excerpt(&text)));
                self.about().ending = Some(ending.ok_or_else(unknown)?);
            }
            b"holes" => {
                let mut holes = Squares::new(Some(
                    self.about()
                        .board
                        .ok_or_else(|| final_flaw(source, "holes need a board: name it before them".to_owned()))?,
                ));
                expect(source, b'[')?;
                match peek_token(source)? {
                    b']' => source.take(),
                    _ => read_names(source, &mut holes, &Holes::none())?,
                }
                let (_, holes) = holes.finish().map_err(|reason| final_flaw(source, reason))?;
                self.about().holes = Holes::new(holes);
            }
            _ => skip(source, 0)?,
        }
        Ok(None)
    }

    /// Reads a tour, or opens an array or object that contains tours. `is_tour`: an empty array is a tour without squares, not a
    /// list without tours.
    fn read_value<R: Read>(
        &mut self,
        source: &mut TextSource<R>,
        is_tour: bool,
    ) -> Result<Option<FoundTour>, ReadStop> {
        let bracket = peek_token(source)?;
        let (is_object, place) = (bracket == b'{', source.place());
        let no_tour = "a tour is an array of names or of numbers, such as [\"a1\", \"b3\"]";
        if !matches!(bracket, b'{' | b'[' | b'(') {
            return Err(final_flaw(source, no_tour.to_owned()));
        }
        source.take();
        let token = peek_token(source)?;
        let has_numbers = token.is_ascii_digit() || numbers::is_table(source.look_ahead(AHEAD)?);
        match token {
            _ if has_numbers => self.read_numbers(source, !token.is_ascii_digit()).map(Some),
            _ if bracket == b'(' => Err(final_flaw(source, no_tour.to_owned())),
            b'"' | b'\'' if !is_object => self.read_tour(source).map(Some),
            b']' if is_tour && !is_object => {
                source.take();
                Err(flaw(place, None, "the tour has no squares"))
            }
            _ if self.open.len() == DEPTH_MAX => Err(final_flaw(source, "too many brackets around a tour".to_owned())),
            _ => {
                let about = self.about().clone();
                self.open.push(OpenBracket { is_object, first: true, line: place.line, has_tours: !is_object, about });
                Ok(None)
            }
        }
    }

    /// Reads the tour whose first number, or row of numbers, comes next.
    fn read_numbers<R: Read>(&mut self, source: &mut TextSource<R>, is_table: bool) -> Result<FoundTour, ReadStop> {
        let JsonContext { board, ending, holes } = self.about().clone();
        let table = match is_table {
            true => numbers::read_table(source, &mut self.in_bad_tour)?,
            false => numbers::read_rows(source, board, self.open.is_empty(), &mut self.in_bad_tour)?,
        };
        Ok(FoundTour { ending, ..table.finish(board, &holes)? })
    }

    /// Reads the tour whose first name comes next.
    fn read_tour<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<FoundTour, ReadStop> {
        let (place, JsonContext { board, ending, holes }) = (source.place(), self.about().clone());
        let mut squares = Squares::new(board);
        self.in_bad_tour = 1;
        read_names(source, &mut squares, &holes)?;
        self.in_bad_tour = 0;
        let places = std::mem::take(&mut squares.places);
        let (board, squares) = squares.finish().map_err(|reason| final_flaw(source, reason))?;
        Ok(FoundTour { place, board, ending, holes, squares, places, form: "names in JSON" })
    }
}

/// Reads names and the end of their array.
fn read_names<R: Read>(source: &mut TextSource<R>, squares: &mut Squares, holes: &Holes) -> Result<(), ReadStop> {
    let mut name = Vec::new();
    loop {
        let is_name = matches!(peek_token(source)?, b'"' | b'\'');
        let place = source.place();
        if !is_name {
            return Err(no_square(place, squares, holes, "a square is a name in quotes, such as \"e6\""));
        }
        read_string(source, &mut name)?;
        let more = squares.push(&name).map_err(|reason| no_square(place, squares, holes, &reason))?;
        squares.places.push(place);
        if !more {
            return skip(source, 1);
        }
        if peek_token(source)? == b']' {
            source.take();
            return Ok(());
        }
        expect(source, b',')?;
    }
}

/// A flaw after which the JSON text cannot be read further.
fn final_flaw<R: Read>(source: &TextSource<R>, reason: String) -> ReadStop {
    ReadStop::Broken(TourFlaw { place: source.place(), number: None, reason })
}

/// The first byte of the next token, which is not consumed.
fn peek_token<R: Read>(source: &mut TextSource<R>) -> Result<u8, ReadStop> {
    let byte = source.skip_blanks(WordEnd::Tag)?;
    byte.ok_or_else(|| final_flaw(source, "the JSON text ends too early".to_owned()))
}

/// Consumes the byte, which must come next.
fn expect<R: Read>(source: &mut TextSource<R>, expected: u8) -> Result<(), ReadStop> {
    let found = peek_token(source)?;
    if found != expected {
        let (expected, found) = (char::from(expected), excerpt(source.look_ahead(1)?));
        return Err(final_flaw(source, format!("this is not JSON: '{found}' where '{expected}' should be")));
    }
    source.take();
    Ok(())
}

/// Consumes a string, and stores as much of it as a name can have. Python writes strings in apostrophes.
fn read_string<R: Read>(source: &mut TextSource<R>, text: &mut Vec<u8>) -> Result<(), ReadStop> {
    let quote = if peek_token(source)? == b'\'' { b'\'' } else { b'"' };
    expect(source, quote)?;
    text.clear();
    loop {
        let byte = next_byte(source)?;
        match byte {
            _ if byte == quote => return Ok(()),
            b'\\' => {
                let written = read_escape(source)?;
                if text.len() <= WORD_MAX {
                    text.extend_from_slice(written.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            _ if text.len() <= WORD_MAX => text.push(byte),
            _ => {}
        }
    }
}

/// Consumes what follows a backslash, and returns the character that it stands for.
fn read_escape<R: Read>(source: &mut TextSource<R>) -> Result<char, ReadStop> {
    let byte = next_byte(source)?;
    Ok(match byte {
        b'"' | b'\\' | b'/' => char::from(byte),
        b'b' => '\x08',
        b'f' => '\x0c',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let mut unit = read_hex(source)?;
            // Half of a surrogate pair. No name contains such a character, so an unpaired half needs no error of its own.
            if (0xd800..0xdc00).contains(&unit) && source.look_ahead(2)? == b"\\u" {
                (0..2).for_each(|_| source.take());
                unit = ((unit - 0xd800) << 10) + (read_hex(source)? & 0x3ff) + 0x1_0000;
            }
            char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => {
            return Err(final_flaw(
                source,
                format!("this is not JSON: no character is written '\\{}'", excerpt(&[byte])),
            ));
        }
    })
}

/// Consumes four hexadecimal digits.
fn read_hex<R: Read>(source: &mut TextSource<R>) -> Result<u32, ReadStop> {
    let mut number = 0;
    for _ in 0..4 {
        let digit = char::from(next_byte(source)?).to_digit(16);
        number = number << 4
            | digit.ok_or_else(|| {
                final_flaw(source, "this is not JSON: four hexadecimal digits must follow '\\u'".to_owned())
            })?;
    }
    Ok(number)
}

/// Consumes the next byte of a string.
fn next_byte<R: Read>(source: &mut TextSource<R>) -> Result<u8, ReadStop> {
    let byte = source.peek()?.ok_or_else(|| final_flaw(source, "the JSON text ends too early".to_owned()))?;
    source.take();
    Ok(byte)
}

/// Consumes a value, or with `depth` the rest of that many open arrays and objects.
fn skip<R: Read>(source: &mut TextSource<R>, mut depth: usize) -> Result<(), ReadStop> {
    loop {
        match peek_token(source)? {
            b'"' | b'\'' => read_string(source, &mut Vec::new())?,
            b',' | b':' if depth > 0 => {
                source.take();
                continue;
            }
            b'[' | b'{' | b'(' => {
                source.take();
                depth += 1;
            }
            b']' | b'}' | b')' if depth > 0 => {
                source.take();
                depth -= 1;
            }
            b']' | b'}' | b')' | b',' | b':' => {
                return Err(final_flaw(source, "this is not JSON: a value is missing".to_owned()));
            }
            _ => {
                source.skip_until(|byte| matches!(byte, b',' | b':' | b']' | b'}') || byte.is_ascii_whitespace())?;
            }
        }
        if depth == 0 {
            return Ok(());
        }
    }
}
