//! JSON: an array of names, an array of such arrays, or objects with `tour` or `tours`, one tour at a time.
//!
//! An object may say `board`, `ending` and `holes` of its tours, before it comes to them; what else it says is skipped.

use super::list::no_square;
use super::outcome::{FoundTour, ReadStop, TourFlaw, ending_named};
use super::source::{TextSource, WORD_MAX, WordEnd, shown};
use super::squares::Squares;
use crate::board::{Board, BoardError, Ending, Holes};
use std::io::Read;

/// Arrays and objects around a tour; nobody needs more.
const DEPTH_MAX: usize = 16;

/// Where reading stands in a JSON text.
pub struct Json {
    /// The arrays and objects that are open, outermost first.
    open: Vec<OpenBracket>,
    /// What is said of tours outside of any object.
    about: JsonContext,
    begun: bool,
    /// A tour has gone wrong: the rest of its array is to be skipped.
    in_bad_tour: bool,
}

struct OpenBracket {
    is_object: bool,
    first: bool,
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
    /// A text that begins here; tours that name no board are on `board`.
    pub fn new(board: Option<Board>) -> Json {
        let about = JsonContext { board, ..JsonContext::default() };
        Json { open: Vec::new(), about, begun: false, in_bad_tour: false }
    }

    /// The next tour; nothing at the end of the text.
    pub fn find<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        if std::mem::take(&mut self.in_bad_tour) {
            skip(source, 1)?;
        }
        loop {
            let found = match self.open.last_mut() {
                None if std::mem::replace(&mut self.begun, true) => return Ok(None),
                None => self.value(source)?,
                Some(open) => {
                    let token = token(source)?;
                    if token == if open.is_object { b'}' } else { b']' } {
                        source.take();
                        self.open.pop();
                        None
                    } else {
                        if !std::mem::replace(&mut open.first, false) {
                            expect(source, b',')?;
                        }
                        if open.is_object { self.member(source)? } else { self.value(source)? }
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

    /// A member of an object: something about its tours, or a tour.
    fn member<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        let mut text = Vec::new();
        string(source, &mut text)?;
        expect(source, b':')?;
        match &text[..] {
            b"tour" | b"tours" if matches!(token(source)?, b'[' | b'{') => return self.value(source),
            b"board" => {
                string(source, &mut text)?;
                let board = shown(&text).parse().map_err(|error: BoardError| last(source, error.to_string()))?;
                self.about().board = Some(board);
            }
            b"ending" => {
                string(source, &mut text)?;
                let ending = ending_named(&text);
                let unknown = || last(source, format!("the ending is open or closed, not '{}'", shown(&text)));
                self.about().ending = Some(ending.ok_or_else(unknown)?);
            }
            b"holes" => {
                let mut holes = Squares::new(Some(
                    self.about()
                        .board
                        .ok_or_else(|| last(source, "holes need a board: name it before them".to_owned()))?,
                ));
                expect(source, b'[')?;
                match token(source)? {
                    b']' => source.take(),
                    _ => names(source, &mut holes)?,
                }
                let (_, holes) = holes.finish().map_err(|reason| last(source, reason))?;
                self.about().holes = Holes::new(holes);
            }
            _ => skip(source, 0)?,
        }
        Ok(None)
    }

    /// A tour, or the beginning of an array or object of more.
    fn value<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<FoundTour>, ReadStop> {
        let line = source.line();
        let is_object = match token(source)? {
            b'{' => true,
            b'[' => false,
            _ => return Err(last(source, "a tour is an array of names, such as [\"a1\", \"b3\"]".to_owned())),
        };
        source.take();
        match token(source)? {
            b'"' if !is_object => self.tour(source).map(Some),
            b']' if self.open.last().is_some_and(|open| !open.is_object) => {
                source.take();
                Err(ReadStop::Flaw(TourFlaw { line, number: None, reason: "a tour without squares".to_owned() }))
            }
            _ if self.open.len() == DEPTH_MAX => Err(last(source, "too many brackets around a tour".to_owned())),
            _ => {
                let about = self.about().clone();
                self.open.push(OpenBracket { is_object, first: true, about });
                Ok(None)
            }
        }
    }

    /// The tour whose first name comes next.
    fn tour<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<FoundTour, ReadStop> {
        let (line, JsonContext { board, ending, holes }) = (source.line(), self.about().clone());
        let mut squares = Squares::new(board);
        self.in_bad_tour = true;
        names(source, &mut squares)?;
        self.in_bad_tour = false;
        let (board, squares) = squares.finish().map_err(|reason| last(source, reason))?;
        Ok(FoundTour { line, board, ending, holes, squares })
    }
}

/// Takes names and the end of their array.
fn names<R: Read>(source: &mut TextSource<R>, squares: &mut Squares) -> Result<(), ReadStop> {
    let mut name = Vec::new();
    loop {
        if token(source)? != b'"' {
            return Err(no_square(source.line(), squares, "a square is a name in quotes, such as \"e6\""));
        }
        string(source, &mut name)?;
        let more = squares.push(&name).map_err(|reason| no_square(source.line(), squares, &reason))?;
        if !more {
            return skip(source, 1);
        }
        if token(source)? == b']' {
            source.take();
            return Ok(());
        }
        expect(source, b',')?;
    }
}

/// Why nothing more of this text can be read.
fn last<R: Read>(source: &TextSource<R>, reason: String) -> ReadStop {
    ReadStop::Last(TourFlaw { line: source.line(), number: None, reason })
}

/// The first byte of the next token, which stays.
fn token<R: Read>(source: &mut TextSource<R>) -> Result<u8, ReadStop> {
    let byte = source.skip_blanks(WordEnd::Tag)?;
    byte.ok_or_else(|| last(source, "the JSON text ends too early".to_owned()))
}

/// Takes a byte that must come next.
fn expect<R: Read>(source: &mut TextSource<R>, wanted: u8) -> Result<(), ReadStop> {
    let found = token(source)?;
    if found != wanted {
        let (wanted, found) = (char::from(wanted), shown(source.ahead(1)?));
        return Err(last(source, format!("this is not JSON: '{found}' where '{wanted}' should be")));
    }
    source.take();
    Ok(())
}

/// Takes a string, and keeps as much of it as any name has.
fn string<R: Read>(source: &mut TextSource<R>, text: &mut Vec<u8>) -> Result<(), ReadStop> {
    expect(source, b'"')?;
    text.clear();
    loop {
        let byte = next(source)?;
        match byte {
            b'"' => return Ok(()),
            b'\\' => {
                let written = escaped(source)?;
                if text.len() <= WORD_MAX {
                    text.extend_from_slice(written.encode_utf8(&mut [0; 4]).as_bytes());
                }
            }
            _ if text.len() <= WORD_MAX => text.push(byte),
            _ => {}
        }
    }
}

/// Takes what stands behind a backslash: the character that it means.
fn escaped<R: Read>(source: &mut TextSource<R>) -> Result<char, ReadStop> {
    let byte = next(source)?;
    Ok(match byte {
        b'"' | b'\\' | b'/' => char::from(byte),
        b'b' => '\x08',
        b'f' => '\x0c',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let mut unit = hex(source)?;
            // Half of a pair: of such a character there is no more to know than that no name has it.
            if (0xd800..0xdc00).contains(&unit) && source.ahead(2)? == b"\\u" {
                (0..2).for_each(|_| source.take());
                unit = ((unit - 0xd800) << 10) + (hex(source)? & 0x3ff) + 0x1_0000;
            }
            char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        _ => return Err(last(source, format!("this is not JSON: no character is written '\\{}'", shown(&[byte])))),
    })
}

/// Takes four hexadecimal digits.
fn hex<R: Read>(source: &mut TextSource<R>) -> Result<u32, ReadStop> {
    let mut number = 0;
    for _ in 0..4 {
        let digit = char::from(next(source)?).to_digit(16);
        number = number << 4
            | digit.ok_or_else(|| last(source, "this is not JSON: four digits are wanted behind '\\u'".to_owned()))?;
    }
    Ok(number)
}

/// Takes the next byte of a string.
fn next<R: Read>(source: &mut TextSource<R>) -> Result<u8, ReadStop> {
    let byte = source.peek()?.ok_or_else(|| last(source, "the JSON text ends too early".to_owned()))?;
    source.take();
    Ok(byte)
}

/// Takes a value, or what is left of `depth` arrays or objects.
fn skip<R: Read>(source: &mut TextSource<R>, mut depth: usize) -> Result<(), ReadStop> {
    loop {
        match token(source)? {
            b'"' => string(source, &mut Vec::new())?,
            b',' | b':' => {
                source.take();
                continue;
            }
            b'[' | b'{' => {
                source.take();
                depth += 1;
            }
            b']' | b'}' if depth > 0 => {
                source.take();
                depth -= 1;
            }
            b']' | b'}' => return Err(last(source, "this is not JSON: a value is missing".to_owned())),
            _ => {
                source.skip_until(|byte| matches!(byte, b',' | b':' | b']' | b'}') || byte.is_ascii_whitespace())?;
            }
        }
        if depth == 0 {
            return Ok(());
        }
    }
}
