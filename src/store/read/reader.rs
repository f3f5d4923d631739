//! The reader of all formats: it sees what a tour looks like from its first word, and skips what is none.

use super::detect::{AHEAD, LineBegin};
use super::json::Json;
use super::outcome::{FoundTour, ReadStop, TourFlaw, TourReadError};
use super::packed::PackedReader;
use super::plain::{PlainLines, PlainTours};
use super::source::{ReadFailure, TextSource, WordEnd, shown, whole_lines};
use super::{columns, grid, list, svg};
use crate::board::{Board, Ending, Holes, Square};
use std::io::{Read, Seek};

/// What a text says is a tour; [`check`](crate::store::check()) says whether it is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadTour {
    /// Its number among the tours of the text, from 1.
    pub index: u64,
    /// The line that it begins in, from 1; 0 in a packed file, which has none.
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
pub struct TourReader<R: Read> {
    source: TextSource<R>,
    board: Option<Board>,
    index: u64,
    json: Option<Json>,
    packed: Option<PackedReader>,
    skip: Skip,
    plain: Plain,
}

/// What is known of the plain lines of a text.
struct Plain {
    /// The board of the tour before.
    board: Option<Board>,
    /// Whether the one before that was of the same board.
    again: bool,
    /// The lines of that board, once they were asked for, and of which ending.
    lines: Option<(Ending, PlainLines)>,
    /// Whether all that was looked at last was plain, so that a stretch is worth it.
    is_long: bool,
}

/// Bytes of text that are looked at together in a stretch: they fit a core's cache beside what they are checked with.
const PIECE: usize = 1 << 17;

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
    /// The line and what follows of four paths side by side.
    Columns,
    /// Up to the end of the picture.
    Picture,
    /// Everything.
    All,
}

impl<R: Read> TourReader<R> {
    /// The tours of `input`, which is read in large blocks. With `board`, lists that name no board are on that one, and
    /// tours of others are errors.
    pub fn new(input: R, board: Option<Board>) -> TourReader<R> {
        let (source, plain) = (TextSource::new(input), Plain::NONE);
        TourReader { source, board, index: 0, json: None, packed: None, skip: Skip::Mark, plain }
    }

    fn skip(&mut self) -> Result<(), ReadFailure> {
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
                let end = source.skip_blanks(WordEnd::Tag)?.is_none();
                if end || LineBegin::of(source.ahead(AHEAD)?) != LineBegin::Noise {
                    return Ok(());
                }
            },
            Skip::Grid => loop {
                source.skip_line()?;
                if !grid::goes_on(source)? {
                    return Ok(());
                }
            },
            Skip::Columns => loop {
                source.skip_line()?;
                if !columns::goes_on(source)? {
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

    fn find(&mut self) -> Result<Option<FoundTour>, ReadStop> {
        if self.skip == Skip::Mark {
            self.packed = PackedReader::begin(&mut self.source)?;
        }
        if let Some(packed) = &mut self.packed {
            self.skip = Skip::Nothing;
            return packed.find(&mut self.source);
        }
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
            if self.source.skip_blanks(WordEnd::Tag)?.is_none() {
                return Ok(None);
            }
            let found = match LineBegin::of(self.source.ahead(AHEAD)?) {
                LineBegin::List | LineBegin::Side => {
                    self.skip = Skip::Line;
                    list::read(&mut self.source, self.board, WordEnd::Line)?
                }
                LineBegin::Grid => {
                    self.skip = Skip::Grid;
                    let rows = grid::rows(&mut self.source)?;
                    self.skip = Skip::Nothing;
                    rows.finish()?
                }
                LineBegin::Columns => {
                    self.skip = Skip::Columns;
                    let columns = columns::rows(&mut self.source)?;
                    self.skip = Skip::Nothing;
                    columns.finish()?
                }
                LineBegin::Svg => {
                    self.skip = Skip::Picture;
                    svg::read(&mut self.source, self.board)?
                }
                LineBegin::Json => {
                    self.json = Some(Json::new(self.board));
                    continue;
                }
                LineBegin::Noise => return Err(self.noise()?),
            };
            return Ok(Some(found));
        }
    }

    /// What is said of a line in which no tour begins: at the beginning of a text that it is none of tours, later that
    /// it is a tour gone wrong.
    fn noise(&mut self) -> Result<ReadStop, ReadFailure> {
        let line = self.source.line();
        let ahead = self.source.ahead(AHEAD)?;
        let text = shown(ahead.split(|&byte| byte == b'\n').next().unwrap_or_default());
        if self.index == 0 {
            return Ok(ReadStop::End(TourReadError::NoTours { line, text }));
        }
        self.skip = Skip::Noise;
        Ok(ReadStop::Flaw(TourFlaw { line, number: None, reason: format!("no tour begins with '{text}'") }))
    }

    /// A tour of another board than the one asked for is an error.
    fn on_board(&self, found: FoundTour) -> Result<FoundTour, ReadStop> {
        match self.board {
            Some(board) if board != found.board => {
                let reason = format!("a tour of {}, where tours of {board} were asked for", found.board);
                Err(ReadStop::Flaw(TourFlaw { line: found.line, number: None, reason }))
            }
            _ => Ok(found),
        }
    }
}

impl<R: Read + Send> TourReader<R> {
    /// Takes the next few tours that need no words, being plain lists of the board of the tours before or whole blocks
    /// of a packed file, each a right one of this ending. It takes none where it is not sure: then the next item is to
    /// be asked for.
    ///
    /// # Errors
    /// [`TourReadError::Broken`] when the text cannot be read.
    pub fn plain(&mut self, ending: Ending, threads: usize) -> Result<PlainTours, TourReadError> {
        if let Some(packed) =
            self.packed.as_mut().filter(|packed| self.board.is_none_or(|of| of == packed.layout().board()))
        {
            let taken = packed.plain(&mut self.source, ending, threads);
            self.index += taken.tours;
            return Ok(taken);
        }
        let is_between = matches!(self.skip, Skip::Nothing | Skip::Line) && self.json.is_none();
        if !is_between || !self.plain.is_at_hand(ending) {
            return Ok(PlainTours::default());
        }
        self.skip()?;
        let Plain { is_long, lines: Some((_, lines)), .. } = &mut self.plain else { return Ok(PlainTours::default()) };
        let taken;
        if *is_long {
            (taken, *is_long) = self.source.take_stretch(threads, PIECE, whole_lines, |_, text| lines.run(text));
            self.source.take_lines(taken.tours, 0);
            self.source.is_text();
        } else {
            let text = self.source.lines()?;
            taken = lines.run(text);
            *is_long = taken.bytes == text.len() && taken.tours > 0;
            self.source.take_lines(taken.tours, taken.bytes);
        }
        self.index += taken.tours;
        Ok(taken)
    }
}

impl<R: Read + Seek> TourReader<R> {
    /// Goes forward to a tour, by its number from 1, or to one not far before it, if nothing has been read yet and it is
    /// known where in the file that is; else the next tour stays the first one.
    ///
    /// # Errors
    /// [`TourReadError::Broken`] when the file cannot be read.
    pub fn seek(&mut self, index: u64) -> Result<(), TourReadError> {
        // What is wrong with the beginning is said by the first item.
        if self.skip == Skip::Mark
            && let Ok(Some(mut packed)) = PackedReader::begin(&mut self.source)
        {
            self.index = packed.seek(&mut self.source, index.saturating_sub(1))?;
            (self.packed, self.skip) = (Some(packed), Skip::Nothing);
        }
        Ok(())
    }
}

impl Plain {
    /// Nothing.
    const NONE: Plain = Plain { board: None, again: false, lines: None, is_long: false };

    /// Notes the board of a tour.
    fn met(&mut self, board: Board) {
        self.again = self.board == Some(board);
        if !self.again {
            *self = Plain { board: Some(board), ..Plain::NONE };
        }
    }

    /// Makes ready to look for tours of the board of the two tours before; answers whether there are such lines.
    fn is_at_hand(&mut self, ending: Ending) -> bool {
        if self.again && self.lines.as_ref().is_none_or(|(of, _)| *of != ending) {
            self.lines = self.board.and_then(|board| PlainLines::new(board, ending)).map(|lines| (ending, lines));
        }
        self.again && self.lines.is_some()
    }
}

impl<R: Read> Iterator for TourReader<R> {
    type Item = Result<ReadTour, TourReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.find().and_then(|found| found.map(|found| self.on_board(found)).transpose());
        let flaw = match found {
            Ok(None) => return None,
            Ok(Some(FoundTour { line, board, ending, holes, squares })) => {
                self.index += 1;
                self.plain.met(board);
                return Some(Ok(ReadTour { index: self.index, line, board, ending, holes, squares }));
            }
            Err(ReadStop::End(error)) => {
                self.skip = Skip::All;
                return Some(Err(error));
            }
            Err(ReadStop::Block { tours, reason }) => {
                let first = self.index + 1;
                self.index += tours;
                return Some(Err(TourReadError::Block { first, tours, reason }));
            }
            Err(ReadStop::Last(flaw)) => {
                self.skip = Skip::All;
                flaw
            }
            Err(ReadStop::Flaw(flaw)) => flaw,
        };
        self.index += 1;
        let TourFlaw { line, number, reason } = flaw;
        Some(Err(TourReadError::Tour { index: self.index, line, number, reason }))
    }
}
