//! Tours out of text: lists, grids, JSON and SVG, many at once and mixed.
//!
//! [`Tours`] reads one tour after the other and keeps none, nor any text. What a tour looks like is seen from its first
//! word. A tour that cannot be read is an item too, and reading goes on with the next: after the line of a list, after
//! the empty line below a grid, after the array in JSON, after the picture in SVG.

mod grid;
mod json;
mod list;
mod source;
mod squares;
mod svg;

pub use source::Broken;

use crate::board::{Board, Ending, Holes, Square};
use json::Json;
use source::{Source, Until, shown};
use std::io::Read;

/// What a text says is a tour; [`check`](super::check::check) says whether it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadTour {
    /// Its number among the tours of the text, from 1.
    pub index: u64,
    /// The line that it begins in, from 1.
    pub line: u64,
    /// The board: named, given, or the smallest that holds the squares.
    pub board: Board,
    /// The ending that the text names.
    pub ending: Option<Ending>,
    /// The squares that the text leaves out.
    pub holes: Holes,
    /// The squares in their order. A list longer than its board is cut off behind the first square too many.
    pub squares: Vec<Square>,
}

/// Why a tour, or a text, could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A tour that is not what it looked like. The next item is the next tour.
    #[error("tour {index}, line {line}: {reason}")]
    Tour {
        /// Its number among the tours of the text, from 1.
        index: u64,
        /// The line of what is wrong, from 1.
        line: u64,
        /// The number of the move that is wrong, from 1, where the text lists moves.
        number: Option<usize>,
        /// What is wrong.
        reason: String,
    },
    /// The text begins with something else than a tour. Nothing follows.
    #[error(
        "line {line}: no tour begins with '{text}'; a tour is a list such as 3x4 a3 c2 a1 b3 .., a grid of move numbers, \
         JSON or SVG"
    )]
    NoTours {
        /// The line.
        line: u64,
        /// How it begins.
        text: String,
    },
    /// The text cannot be read any further. Nothing follows.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// The tours of a text, one after the other.
///
/// ```
/// # use destrier::store::Tours;
/// let text = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n\
///             1 4 7 10\n12 9 2 5\n3 6 11 8\n\n\
///             [\"a3\", \"c2\", \"a1\"]\n\
///             3x4 a3 c2 e1\n";
/// let tours: Vec<_> = Tours::new(text.as_bytes(), None).collect();
/// let [Ok(list), Ok(grid), Ok(array), Err(bad)] = &tours[..] else { panic!("{tours:?}") };
/// assert_eq!(list.squares, grid.squares);
/// assert_eq!((array.line, array.squares.len()), (6, 3));
/// assert_eq!(
///     bad.to_string(),
///     "tour 4, line 7: move 3: 'e1' is not on the board 3x4: its squares are a1 to d3"
/// );
/// ```
pub struct Tours<R> {
    source: Source<R>,
    board: Option<Board>,
    index: u64,
    json: Option<Json>,
    skip: Skip,
}

/// What is to be skipped before the next tour. It is done when that is asked for: what is wrong is said at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Skip {
    /// Nothing.
    Nothing,
    /// A mark of the byte order, at the beginning.
    Mark,
    /// The rest of the line.
    Line,
    /// The line and all others in which no tour begins.
    Noise,
    /// The line and what follows up to an empty one, or to one that begins no grid.
    Grid,
    /// Up to the end of the picture.
    Picture,
    /// Everything.
    All,
}

/// A tour without its number.
struct Found {
    line: u64,
    board: Board,
    ending: Option<Ending>,
    holes: Holes,
    squares: Vec<Square>,
}

/// The ending of that name.
fn ending_named(name: &[u8]) -> Option<Ending> {
    [Ending::Open, Ending::Closed].into_iter().find(|ending| ending.name().as_bytes() == name)
}

/// Why a tour could not be read.
struct Flaw {
    line: u64,
    number: Option<usize>,
    reason: String,
}

/// Why reading stops.
enum Stop {
    /// At this tour.
    Flaw(Flaw),
    /// At this tour, and none can be found behind it.
    Last(Flaw),
    /// For good.
    End(ReadError),
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Stop {
        Stop::End(ReadError::Broken(broken))
    }
}

/// What a line begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Begin {
    /// A board or a square: a list.
    List,
    /// A number, then a square: a list on a board named by its side, unless it is a wrong row of a grid.
    Side,
    /// A row of a grid.
    Grid,
    /// JSON.
    Json,
    /// SVG.
    Svg,
    /// None of these.
    Noise,
}

/// Bytes that tell what a line begins with.
const AHEAD: usize = 256;

impl Begin {
    /// What a text begins with that begins with no blank.
    fn of(text: &[u8]) -> Begin {
        let first = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',').next().unwrap_or_default();
        let letters = first.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = |word: &[u8]| word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        match first {
            [b'[' | b'{', ..] => Begin::Json,
            [b'<', ..] if [b"<svg", b"<?xml".as_slice()].iter().any(|tag| first.starts_with(tag)) => Begin::Svg,
            b"." => Begin::Grid,
            [b'#', number @ ..] if !number.is_empty() && digits(number) == number.len() => Begin::List,
            [b'0'..=b'9', ..] => match (&first[digits(first)..], text[first.len()..].trim_ascii_start()) {
                ([b'x' | b'X', ..], _) => Begin::List,
                ([], [b'a'..=b'z' | b'A'..=b'Z' | b'#', ..]) => Begin::Side,
                ([], _) => Begin::Grid,
                _ => Begin::Noise,
            },
            _ if letters > 0 && letters < first.len() && letters + digits(&first[letters..]) == first.len() => {
                Begin::List
            }
            _ => Begin::Noise,
        }
    }
}

impl<R: Read> Tours<R> {
    /// The tours of `input`, which is read in large blocks. With `board`, lists that name no board are on that one, and
    /// tours of others are errors.
    pub fn new(input: R, board: Option<Board>) -> Tours<R> {
        Tours { source: Source::new(input), board, index: 0, json: None, skip: Skip::Mark }
    }

    fn skip(&mut self) -> Result<(), Broken> {
        let source = &mut self.source;
        match std::mem::replace(&mut self.skip, Skip::Nothing) {
            Skip::Nothing => Ok(()),
            Skip::Mark => {
                if source.ahead(3)? == b"\xef\xbb\xbf" {
                    (0..3).for_each(|_| source.take());
                }
                Ok(())
            }
            Skip::Line => source.skip_line(),
            Skip::Noise => loop {
                source.skip_line()?;
                let end = source.skip_blanks(Until::Tag)?.is_none();
                if end || Begin::of(source.ahead(AHEAD)?) != Begin::Noise {
                    return Ok(());
                }
            },
            Skip::Grid => loop {
                source.skip_line()?;
                if !grid::goes_on(source)? {
                    return Ok(());
                }
            },
            Skip::Picture => svg::skip(source),
            Skip::All => {
                self.skip = Skip::All;
                Ok(())
            }
        }
    }

    fn find(&mut self) -> Result<Option<Found>, Stop> {
        loop {
            self.skip()?;
            if self.skip == Skip::All {
                return Ok(None);
            }
            if let Some(json) = &mut self.json {
                match json.find(&mut self.source)? {
                    Some(found) => return Ok(Some(found)),
                    None => self.json = None,
                }
            }
            if self.source.skip_blanks(Until::Tag)?.is_none() {
                return Ok(None);
            }
            let found = match Begin::of(self.source.ahead(AHEAD)?) {
                Begin::List | Begin::Side => {
                    self.skip = Skip::Line;
                    list::read(&mut self.source, self.board, Until::Line)?
                }
                Begin::Grid => {
                    self.skip = Skip::Grid;
                    let rows = grid::rows(&mut self.source)?;
                    self.skip = Skip::Nothing;
                    rows.finish()?
                }
                Begin::Svg => {
                    self.skip = Skip::Picture;
                    svg::read(&mut self.source, self.board)?
                }
                Begin::Json => {
                    self.json = Some(Json::new(self.board));
                    continue;
                }
                Begin::Noise => return Err(self.noise()?),
            };
            return Ok(Some(found));
        }
    }

    /// What is said of a line in which no tour begins: at the beginning of a text that it is none of tours, later that
    /// it is a tour gone wrong.
    fn noise(&mut self) -> Result<Stop, Broken> {
        let line = self.source.line();
        let ahead = self.source.ahead(AHEAD)?;
        let text = shown(ahead.split(|&byte| byte == b'\n').next().unwrap_or_default());
        if self.index == 0 {
            return Ok(Stop::End(ReadError::NoTours { line, text }));
        }
        self.skip = Skip::Noise;
        Ok(Stop::Flaw(Flaw { line, number: None, reason: format!("no tour begins with '{text}'") }))
    }

    /// A tour of another board than the one asked for is an error.
    fn on_board(&self, found: Found) -> Result<Found, Stop> {
        match self.board {
            Some(board) if board != found.board => {
                let reason = format!("a tour of {}, where tours of {board} were asked for", found.board);
                Err(Stop::Flaw(Flaw { line: found.line, number: None, reason }))
            }
            _ => Ok(found),
        }
    }
}

impl<R: Read> Iterator for Tours<R> {
    type Item = Result<ReadTour, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().and_then(|found| found.map(|found| self.on_board(found)).transpose());
        let flaw = match found {
            Ok(None) => return None,
            Ok(Some(Found { line, board, ending, holes, squares })) => {
                self.index += 1;
                return Some(Ok(ReadTour { index: self.index, line, board, ending, holes, squares }));
            }
            Err(Stop::End(error)) => {
                self.skip = Skip::All;
                return Some(Err(error));
            }
            Err(Stop::Last(flaw)) => {
                self.skip = Skip::All;
                flaw
            }
            Err(Stop::Flaw(flaw)) => flaw,
        };
        self.index += 1;
        let Flaw { line, number, reason } = flaw;
        Some(Err(ReadError::Tour { index: self.index, line, number, reason }))
    }
}

#[cfg(test)]
mod tests;
