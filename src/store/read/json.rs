//! Reads JSON, one tour at a time: an array of names or of [numbers](super::table), an array of such arrays, or objects with
//! `tour` or `tours`. Numbers are also read where only the brackets are JSON.
//!
//! An object may have `board`, `ending` and `holes`, which hold for all of its tours: up to [`WHOLE_MAX`] bytes it is read whole before
//! its tours are judged. In a larger one members are taken in their order, and one that comes too late is a fault. `board` may also be the
//! grid itself, and squares may be objects with `row` and `col`, or `x` and `y`. Other members are skipped.

use super::list::Squares;
use super::outcome::{ReadStop, ReadTour, Skip, TourReadError, broken, ending_named, flaw};
use super::source::{LINE, TAG, TextSource};
use super::table::{closes, is_row, opens, read_array, skip_to_word};
use crate::board::{Board, BoardError, Ending, Holes, Shape};
use crate::bounded::{WORD_MAX, excerpt};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::io::Read;

/// Deepest nesting of arrays and objects around a tour. It bounds the memory that a text can take.
const DEPTH_MAX: usize = 16;

/// Most bytes of an object that is read whole.
const WHOLE_MAX: usize = 64 << 20;

/// Bytes of text that are parsed again whenever more has arrived. Longer ones are parsed when they have doubled.
const PARSED_AGAIN: usize = 1 << 20;

/// Bytes in which an array of arrays shows that it holds numbers.
const AHEAD: usize = 64;

/// The position of the reader in a JSON text.
pub struct Json {
    /// The open arrays and objects, outermost first.
    open: Vec<OpenBracket>,
    /// What is known of tours outside of any object.
    about: JsonContext,
    has_begun: bool,
}

struct OpenBracket {
    is_object: bool,
    line: u64,
    is_first: bool,
    /// Whether it is an array, or has a member for tours.
    has_tours: bool,
    /// What an object has named so far, unless its members are known already.
    named: Option<Vec<String>>,
    about: JsonContext,
}

/// The members of an object that hold for all of its tours.
#[derive(Deserialize)]
struct ObjectMembers<T> {
    board: Option<T>,
    ending: Option<T>,
    holes: Option<T>,
}

/// A square.
#[derive(Deserialize)]
struct SpotMembers {
    #[serde(alias = "y")]
    row: u32,
    #[serde(alias = "x")]
    col: u32,
}

/// What is known of the tours in an array or object.
#[derive(Clone, Default)]
struct JsonContext {
    shape: Option<Shape>,
    ending: Option<Ending>,
}

impl JsonContext {
    /// Notes what the members of an object say, in the place of what is said outside; or the reason why they say nothing.
    fn note(&mut self, members: serde_json::Result<ObjectMembers<&RawValue>>) -> Result<(), String> {
        let members = members.map_err(|error| error.to_string())?;
        let said = |value: &RawValue| {
            let text = serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned());
            excerpt(text.as_bytes())
        };
        if let Some(board) = members.board.filter(|board| !board.get().starts_with('[')) {
            let board: Board = said(board).parse().map_err(|error: BoardError| error.to_string())?;
            // Holes are those of a board: another one within has none of them.
            let known = self.shape.take().filter(|shape| shape.board() == board);
            self.shape = known.or_else(|| Some(board.into()));
        }
        if let Some(ending) = members.ending.map(said) {
            let unknown = || format!("the ending is open or closed, not '{ending}'");
            self.ending = Some(ending_named(ending.as_bytes()).ok_or_else(unknown)?);
        }
        let Some(holes) = members.holes else { return Ok(()) };
        let names: Vec<String> = serde_json::from_str(holes.get())
            .map_err(|_| format!("the holes are an array of names, not {}", excerpt(holes.get().as_bytes())))?;
        let board = self.shape.as_ref().ok_or("holes need a board: name it in the object")?.board();
        let squares = names.iter().map(|name| board.parse_square(name)).collect::<Result<Vec<_>, _>>();
        self.shape = Some(Shape::new(board, Holes::new(squares.map_err(|error| error.to_string())?)));
        Ok(())
    }

    /// The tour, of which this is known.
    fn of(&self, found: ReadTour) -> ReadTour {
        let is_same = |known: &&Shape| !found.shape.has_holes() && known.board() == found.shape.board();
        let shape = self.shape.as_ref().filter(is_same).unwrap_or(&found.shape).clone();
        ReadTour { shape, ending: self.ending, ..found }
    }
}

impl Json {
    /// A reader for a text that begins here. Tours without a board of their own are on `board`.
    pub fn new(board: Option<Board>) -> Json {
        let about = JsonContext { shape: board.map(Shape::from), ending: None };
        Json { open: Vec::new(), about, has_begun: false }
    }

    /// Reads the next tour; `None` at the end of the text.
    pub fn next_tour<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<ReadTour>, ReadStop> {
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
                            return Err(TourReadError::Skipped { from, to: source.place().line, reason }.into());
                        }
                        None
                    } else {
                        if !std::mem::take(&mut open.is_first) {
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

    /// Number of the arrays and objects that are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    fn about(&mut self) -> &mut JsonContext {
        self.open.last_mut().map_or(&mut self.about, |open| &mut open.about)
    }

    /// Reads a member of an object: a property of its tours, or a tour.
    fn read_member<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<ReadTour>, ReadStop> {
        let name = read_string(source)?;
        expect(source, b':')?;
        let begin = peek_token(source)?;
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        if matches!(&name[..], "tour" | "tours") || (name == "board" && begin == b'[') {
            open.has_tours = true;
            if opens(begin) {
                open.named.iter_mut().for_each(|named| named.push("tour".to_owned()));
                return self.read_value(source, name != "tours");
            }
        }
        let place = source.place();
        let value = read_raw(source)?;
        let is_known = matches!(&name[..], "board" | "ending" | "holes");
        let Some(named) = open.named.as_mut().filter(|_| is_known) else { return Ok(None) };
        if named.iter().any(|named| *named == name || named == "tour") {
            return Err(broken(place, format!("'{name}' stands twice in an object, or behind its tours")));
        }
        let member = format!("{{\"{name}\":{}}}", String::from_utf8_lossy(&value).replace('\'', "\""));
        named.push(name);
        let noted = open.about.note(serde_json::from_str(&member));
        noted.map(|()| None).map_err(|reason| broken(place, reason))
    }

    /// What the members of the object that begins here say of all of its tours; `None` if it is too long, or broken.
    fn read_whole<R: Read>(&mut self, source: &mut TextSource<R>) -> Result<Option<JsonContext>, ReadStop> {
        let (mut about, place, mut parsed) = (self.about().clone(), source.place(), 0);
        loop {
            let text = source.unread();
            if text.len() < PARSED_AGAIN || text.len() >= 2 * parsed {
                parsed = text.len();
                let json = || serde_json::Deserializer::from_slice(text);
                match ObjectMembers::deserialize(&mut json()) {
                    Err(error) if error.is_eof() => {}
                    Err(error) if !error.is_data() => return Ok(None),
                    members => {
                        let Err(reason) = about.note(members) else { return Ok(Some(about)) };
                        let reason = reason.split(" at line").next().unwrap_or_default();
                        let length = <&RawValue>::deserialize(&mut json()).map_or(0, |value| value.get().len());
                        source.take_bytes(length);
                        return Err(if length > 0 { flaw(place, None, reason) } else { broken(place, reason) });
                    }
                }
            }
            if text.len() > WHOLE_MAX || !source.read_more()? {
                return Ok(None);
            }
        }
    }

    /// Reads a tour, or opens an array or object that contains tours. `is_tour`: an empty array is a tour without squares, not a
    /// list without tours.
    fn read_value<R: Read>(&mut self, source: &mut TextSource<R>, is_tour: bool) -> Result<Option<ReadTour>, ReadStop> {
        let bracket = peek_token(source)?;
        let (is_object, place) = (bracket == b'{', source.place());
        let no_tour = "a tour is an array of names or of numbers, such as [\"a1\", \"b3\"]";
        if !opens(bracket) {
            return Err(broken(place, no_tour));
        }
        let has_numbers = is_row(source.look_ahead(AHEAD)?);
        let whole = if is_object && !has_numbers { self.read_whole(source)? } else { None };
        source.take();
        let token = peek_token(source)?;
        let about = self.about().clone();
        let found = match token {
            _ if has_numbers || is_row(source.look_ahead(AHEAD)?) => {
                read_array(source, about.shape.clone(), self.open.is_empty())?.finish()?
            }
            _ if bracket == b'(' => return Err(broken(place, no_tour)),
            b'"' | b'\'' if !is_object => read_squares(source, about.shape.clone())?,
            b']' if is_tour && !is_object => {
                source.take();
                return Err(flaw(place, None, "the tour has no squares"));
            }
            _ if self.open.len() == DEPTH_MAX => return Err(broken(place, "too many brackets around a tour")),
            b'{' if !is_object && has_spots(source.look_ahead(AHEAD)?) => read_squares(source, about.shape.clone())?,
            _ => {
                let (line, is_first, has_tours) = (place.line, true, !is_object);
                let (named, about) = (whole.is_none().then(Vec::new), whole.unwrap_or(about));
                self.open.push(OpenBracket { is_object, line, is_first, has_tours, named, about });
                return Ok(None);
            }
        };
        Ok(Some(about.of(found)))
    }
}

/// Whether a text begins with an object that names a row, a column, or x or y first.
fn has_spots(ahead: &[u8]) -> bool {
    let key = ahead.get(1..).unwrap_or_default().trim_ascii_start();
    ["\"row\"", "\"col\"", "\"x\"", "\"y\""].iter().any(|name| key.starts_with(name.as_bytes()))
}

/// Reads squares, names or objects with `row` and `col`, or `y` and `x`, and the end of their array.
fn read_squares<R: Read>(source: &mut TextSource<R>, shape: Option<Shape>) -> Result<ReadTour, ReadStop> {
    let are_spots = peek_token(source)? == b'{';
    // Behind a fault, or more squares than the board has, the array is read to its end.
    let (mut list, mut may_go_on) = (Squares::new(shape, source.place()), Ok(true));
    loop {
        let (byte, place) = (skip_to_word(source, |_| false)?, source.place());
        match byte {
            b']' => break,
            b',' if are_spots => source.take(),
            _ if are_spots => {
                let SpotMembers { row, col } = serde_json::from_slice(&read_raw(source)?)
                    .map_err(|error| broken(place, format!("a square has row and col, or x and y: {error}")))?;
                list.push_word(format!("{row},{col}").as_bytes(), place)?;
            }
            b'"' | b'\'' => {
                let name = read_string(source)?;
                if let Ok(true) = may_go_on {
                    may_go_on = list.push_name(name.as_bytes(), place);
                }
                if peek_token(source)? != b']' {
                    expect(source, b',')?;
                }
            }
            _ => {
                let stop = list.no_square(place, "a square is a name in quotes, such as \"e6\"");
                return Err(stop.skipping(Skip::Broken));
            }
        }
    }
    source.take();
    may_go_on.and_then(|_| list.finish("names in JSON"))
}

/// The first byte of the next token, which is not consumed.
fn peek_token<R: Read>(source: &mut TextSource<R>) -> Result<u8, ReadStop> {
    let byte = source.skip_blanks(TAG)?;
    byte.ok_or_else(|| broken(source.place(), "the JSON text ends too early"))
}

/// Consumes the byte, which must come next.
fn expect<R: Read>(source: &mut TextSource<R>, expected: u8) -> Result<(), ReadStop> {
    let found = peek_token(source)?;
    if found != expected {
        let (expected, found) = (char::from(expected), excerpt(source.look_ahead(1)?));
        return Err(broken(source.place(), format!("this is not JSON: '{found}' where '{expected}' should be")));
    }
    source.take();
    Ok(())
}

/// Consumes a string, and returns as much of it as a name can have. Python writes strings in apostrophes.
fn read_string<R: Read>(source: &mut TextSource<R>) -> Result<String, ReadStop> {
    let quote = peek_token(source)?;
    if !matches!(quote, b'"' | b'\'') {
        expect(source, b'"')?;
    }
    source.take();
    let (place, mut text, mut is_escaped) = (source.place(), Vec::with_capacity(WORD_MAX), false);
    let end = source.skip_until(|byte| {
        let is_end = byte == b'\n' || (byte == quote && !is_escaped);
        is_escaped = byte == b'\\' && !is_escaped;
        text.extend((!is_end && text.len() <= 6 * WORD_MAX).then_some(byte));
        is_end
    })?;
    match end {
        None => return Err(broken(place, "the JSON text ends too early")),
        Some(b'\n') => return Err(broken(place, "this is not JSON: a text has no end on its line")),
        Some(_) => source.take(),
    }
    let text = String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    // A character that is written in no way of JSON stays as it is: no name has it.
    let plain = text.contains('\\').then(|| serde_json::from_str(&format!("\"{text}\"")).ok()).flatten();
    Ok(plain.unwrap_or(text))
}

/// Consumes a value, and returns as much of it as one that is read can have.
fn read_raw<R: Read>(source: &mut TextSource<R>) -> Result<Vec<u8>, ReadStop> {
    let (mut text, mut depth) = (Vec::new(), 0usize);
    loop {
        let byte = peek_token(source)?;
        match byte {
            b'"' | b'\'' => text.extend(serde_json::to_vec(&read_string(source)?).unwrap_or_default()),
            b',' | b':' | b']' | b'}' | b')' if depth == 0 => {
                return Err(broken(source.place(), "this is not JSON: a value is missing"));
            }
            _ if opens(byte) || closes(byte) || matches!(byte, b',' | b':') => {
                depth = depth + usize::from(opens(byte)) - usize::from(closes(byte));
                text.push(byte);
                source.take();
            }
            _ => {
                let is_apart = |byte: u8| matches!(byte, b',' | b':') || closes(byte);
                text.extend_from_slice(source.word(is_apart, LINE)?.map_or(&[], |(word, _)| word));
            }
        }
        text.truncate(WHOLE_MAX);
        if depth == 0 {
            return Ok(text);
        }
    }
}
