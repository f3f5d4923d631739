//! The reader of all formats, and how a file is opened for it. It detects the format of every tour from its first words, and
//! skips text that is no tour.

use super::json::Json;
use super::outcome::{FoundTour, ReadStop, TourFlaw, TourReadError};
use super::packed::{PACKED, PackedReader};
use super::plain::{PlainLines, PlainTours};
use super::source::{TextSource, WordEnd, excerpt, whole_lines};
use super::{grid, list, numbers, svg};
use crate::board::{Board, Ending, Holes, Square};
use crate::bounded::{
    FileFormat, FileKind, LOOK_AHEAD_BYTES, LineBegin, first_line, is_comment, is_heading, is_rule, refusal,
};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::Path;

/// A tour as the text gives it. [`check`](crate::store::check()) verifies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadTour {
    /// Number of the tour in the text, from 1.
    pub index: u64,
    /// The line on which the tour begins, from 1; 0 in a packed file, which has no lines.
    pub line: u64,
    /// The board: named by the text, given to the reader, or the smallest that holds the squares.
    pub board: Board,
    /// The ending, if the text names it.
    pub ending: Option<Ending>,
    /// The squares that the tour leaves out.
    pub holes: Holes,
    /// The squares in their order. A list longer than its board ends with the first square too many.
    pub squares: Vec<Square>,
}

/// Reads the tours of a text, one after the other.
///
/// ```
/// # use destrier::store::TourReader;
/// let text = "3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2\n\
///             1 4 7 10\n12 9 2 5\n3 6 11 8\n\n\
///             [\"a3\", \"c2\", \"a1\"]\n\
///             3x4 a3 c2 e1\n";
/// let tours: Vec<_> = TourReader::new(text.as_bytes(), None).collect();
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
    plain: PlainState,
    forms: BTreeSet<&'static str>,
    passed_over: u64,
}

/// What is known of the plain lines of a text.
struct PlainState {
    /// The board of the last tour.
    board: Option<Board>,
    /// Whether the tour before the last one was of that board too.
    is_repeated: bool,
    /// The verifier of plain lines of that board, once it was used, with its ending.
    lines: Option<(Ending, PlainLines)>,
    /// Whether all lines verified last were plain, so that a stretch is worth its threads.
    is_long: bool,
}

/// Bytes of a piece of text in a stretch. A piece fits in a core's cache together with the tables of the verifier.
const PIECE: usize = 1 << 17;

/// What has to be skipped before the next tour. It is skipped when the next tour is asked for, so that an error is
/// reported without waiting for more input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Skip {
    Nothing,
    /// A byte order mark at the beginning.
    Mark,
    /// The rest of the line.
    Line,
    /// The line, and all further lines on which no format begins.
    Noise,
    /// The line, and the rest of the grid.
    Grid,
    /// The rest of the picture.
    Picture,
    /// The rest of a broken text, up to a line whose beginning is that of a tour.
    Broken,
    /// Everything: nothing more can be read.
    All,
}

impl<R: Read> TourReader<R> {
    /// Reads the tours of `input`, in large blocks. With `board`, lists that name no board are on `board`, and tours of other
    /// boards are errors.
    pub fn new(input: R, board: Option<Board>) -> TourReader<R> {
        let (source, plain) = (TextSource::new(input), PlainState::NONE);
        let (forms, passed_over) = (BTreeSet::new(), 0);
        TourReader { source, board, index: 0, json: None, packed: None, skip: Skip::Mark, plain, forms, passed_over }
    }

    /// The forms in which tours were read so far, a word or some each.
    pub fn forms(&self) -> &BTreeSet<&'static str> {
        &self.forms
    }

    /// Lines before tours that were passed over so far: comments, headings, sizes and lines of boxes.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        let source = &mut self.source;
        match std::mem::replace(&mut self.skip, Skip::Nothing) {
            Skip::Nothing => Ok(()),
            Skip::Mark => {
                if source.look_ahead(3)? == b"\xef\xbb\xbf" {
                    (0..3).for_each(|_| source.take());
                }
                Ok(())
            }
            Skip::Line => source.skip_line(),
            Skip::Noise => loop {
                source.skip_line()?;
                let end = source.skip_blanks(WordEnd::Tag)?.is_none();
                if end || LineBegin::of(source.look_ahead(LOOK_AHEAD_BYTES)?) != LineBegin::Noise {
                    return Ok(());
                }
            },
            Skip::Grid => loop {
                source.skip_line()?;
                if !grid::continues(source)? {
                    return Ok(());
                }
            },
            Skip::Picture => svg::skip(source),
            Skip::Broken => loop {
                if source.is_at_line_begin() {
                    let is_blank = source.peek()?.is_none_or(|byte| byte.is_ascii_whitespace());
                    let begin = LineBegin::of(source.look_ahead(LOOK_AHEAD_BYTES)?);
                    if !is_blank && begin != LineBegin::Noise {
                        return Ok(());
                    }
                }
                source.skip_line()?;
                if source.peek()?.is_none() {
                    return Ok(());
                }
            },
            Skip::All => {
                self.skip = Skip::All;
                Ok(())
            }
        }
    }

    fn read_next(&mut self) -> Result<Option<FoundTour>, ReadStop> {
        if self.skip == Skip::Mark {
            self.packed = PackedReader::begin(&mut self.source)?;
        }
        if let Some(packed) = &mut self.packed {
            self.skip = Skip::Nothing;
            return packed.next_tour(&mut self.source);
        }
        loop {
            self.skip_rest()?;
            if self.skip == Skip::All {
                return Ok(None);
            }
            if let Some(json) = &mut self.json {
                match json.next_tour(&mut self.source)? {
                    Some(found) => return Ok(Some(found)),
                    None => self.json = None,
                }
            }
            if self.source.skip_blanks(WordEnd::Tag)?.is_none() {
                return Ok(None);
            }
            let found = match LineBegin::of(self.source.look_ahead(LOOK_AHEAD_BYTES)?) {
                LineBegin::List | LineBegin::Side => {
                    self.skip = Skip::Line;
                    list::read(&mut self.source, self.board, WordEnd::Line)?
                }
                LineBegin::Grid => {
                    self.skip = Skip::Grid;
                    let rows = grid::read_rows(&mut self.source)?;
                    self.skip = Skip::Nothing;
                    self.passed_over += rows.sizes;
                    rows.finish(self.board)?
                }
                LineBegin::Svg => {
                    self.skip = Skip::Picture;
                    svg::read(&mut self.source, self.board)?
                }
                LineBegin::Section => {
                    self.skip = Skip::Nothing;
                    let section = numbers::read_section(&mut self.source)?;
                    if self.source.look_ahead(2)? == b"-1" {
                        self.skip = Skip::Line;
                    }
                    section.finish(self.board, &Holes::none())?
                }
                LineBegin::Json => {
                    self.json = Some(Json::new(self.board));
                    continue;
                }
                LineBegin::Noise if self.is_passed_over()? => {
                    self.source.skip_line()?;
                    self.passed_over += 1;
                    continue;
                }
                LineBegin::Noise => return Err(self.noise_stop()?),
            };
            return Ok(Some(found));
        }
    }

    /// Whether a line on which no format begins is a comment, part of a box, or a heading directly before a tour.
    fn is_passed_over(&mut self) -> io::Result<bool> {
        let ahead = self.source.look_ahead(2 * LOOK_AHEAD_BYTES)?;
        let line = first_line(ahead);
        let next = ahead.get(line.len() + 1..).unwrap_or_default().trim_ascii_start();
        let is_before_tour = || !next.is_empty() && LineBegin::of(next) != LineBegin::Noise;
        Ok(is_comment(line) || is_rule(line) || (is_heading(line) && is_before_tour()))
    }

    /// The error for a line on which no format begins. On the first line the whole text is refused; later it is a wrong tour.
    fn noise_stop(&mut self) -> io::Result<ReadStop> {
        let line = self.source.line();
        let ahead = self.source.look_ahead(LOOK_AHEAD_BYTES)?;
        let text = excerpt(ahead.split(|&byte| byte == b'\n').next().unwrap_or_default());
        if self.index == 0 {
            return Ok(ReadStop::End(TourReadError::NoTours { line, text }));
        }
        self.skip = Skip::Noise;
        Ok(ReadStop::Flaw(TourFlaw { line, number: None, reason: format!("no tour begins with '{text}'") }))
    }

    /// Refuses a tour of another board than the one given to the reader.
    fn require_board(&self, found: FoundTour) -> Result<FoundTour, ReadStop> {
        match self.board {
            Some(board) if board != found.board => {
                let reason = format!("the tour is of {}, but tours of {board} were asked for", found.board);
                Err(ReadStop::Flaw(TourFlaw { line: found.line, number: None, reason }))
            }
            _ => Ok(found),
        }
    }
}

impl<R: Read + Send> TourReader<R> {
    /// Verifies the next few tours at once, each a tour of this ending: plain lists of the board of the last two tours, or whole
    /// blocks of a packed file. If it takes none, the caller has to read the next item.
    ///
    /// # Errors
    /// [`TourReadError::Broken`] when the text cannot be read.
    pub fn take_plain(&mut self, ending: Ending, threads: usize) -> Result<PlainTours, TourReadError> {
        if let Some(packed) =
            self.packed.as_mut().filter(|packed| self.board.is_none_or(|of| of == packed.layout().board()))
        {
            let taken = packed.take_plain(&mut self.source, ending, threads);
            self.note_plain(taken.tours, PACKED);
            return Ok(taken);
        }
        let is_between = matches!(self.skip, Skip::Nothing | Skip::Line) && self.json.is_none();
        if !is_between || !self.plain.prepare_lines(ending) {
            return Ok(PlainTours::default());
        }
        self.skip_rest()?;
        let PlainState { is_long, lines: Some((_, lines)), .. } = &mut self.plain else {
            return Ok(PlainTours::default());
        };
        let taken;
        if *is_long {
            (taken, *is_long) =
                self.source.take_stretch(threads, PIECE, whole_lines, |_, text| lines.plain_prefix(text));
            self.source.take_lines(taken.tours, 0);
        } else {
            let text = self.source.unread_lines()?;
            taken = lines.plain_prefix(text);
            *is_long = taken.bytes == text.len() && taken.tours > 0;
            self.source.take_lines(taken.tours, taken.bytes);
        }
        self.note_plain(taken.tours, "list");
        Ok(taken)
    }

    fn note_plain(&mut self, tours: u64, form: &'static str) {
        self.index += tours;
        if tours > 0 {
            self.forms.insert(form);
        }
    }
}

impl<R: Read + Seek> TourReader<R> {
    /// Seeks to a tour, by its number from 1, or to a tour not far before it. This works only in packed files that can seek, and
    /// before the first item. Otherwise the next item is the first tour.
    ///
    /// # Errors
    /// [`TourReadError::Broken`] when the file cannot be read.
    pub fn seek(&mut self, index: u64) -> Result<(), TourReadError> {
        // An error in the beginning is reported with the first item.
        if self.skip == Skip::Mark
            && let Ok(Some(mut packed)) = PackedReader::begin(&mut self.source)
        {
            self.index = packed.seek(&mut self.source, index.saturating_sub(1))?;
            (self.packed, self.skip) = (Some(packed), Skip::Nothing);
        }
        Ok(())
    }
}

impl PlainState {
    /// The state before the first tour.
    const NONE: PlainState = PlainState { board: None, is_repeated: false, lines: None, is_long: false };

    /// Records the board of a tour.
    fn note_board(&mut self, board: Board) {
        self.is_repeated = self.board == Some(board);
        if !self.is_repeated {
            *self = PlainState { board: Some(board), ..PlainState::NONE };
        }
    }

    /// Prepares to verify plain lines of the board of the last two tours. Returns false if that is not possible.
    fn prepare_lines(&mut self, ending: Ending) -> bool {
        if self.is_repeated && self.lines.as_ref().is_none_or(|(of, _)| *of != ending) {
            self.lines = self.board.and_then(|board| PlainLines::new(board, ending)).map(|lines| (ending, lines));
        }
        self.is_repeated && self.lines.is_some()
    }
}

impl<R: Read> Iterator for TourReader<R> {
    type Item = Result<ReadTour, TourReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.read_next().and_then(|found| found.map(|found| self.require_board(found)).transpose());
        let flaw = match found {
            Ok(None) => return None,
            Ok(Some(FoundTour { line, board, ending, holes, squares, form })) => {
                self.index += 1;
                self.forms.insert(form);
                self.plain.note_board(board);
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
            Err(ReadStop::Broken(flaw)) => {
                (self.skip, self.json) = (Skip::Broken, None);
                flaw
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

/// Opens a file of tours. A pipe is opened too, and only its reader finds out what it holds.
///
/// # Errors
/// When the file cannot be opened, or is another kind of file of destrier, or packed by another version: then the error says what
/// it is.
pub fn open_tours(path: &Path) -> io::Result<File> {
    let found = if fs::metadata(path)?.is_file() { FileFormat::of_file(path)? } else { None };
    match found {
        Some(format) if matches!(format.kind, FileKind::Tours | FileKind::Packed) && format.is_current() => {
            File::open(path)
        }
        None => File::open(path),
        other => Err(io::Error::new(io::ErrorKind::InvalidData, refusal(other, FileKind::Tours.name()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_or_a_journal_is_no_file_of_tours() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let opened = |text: &str| {
            fs::write(&file, text).unwrap();
            open_tours(&file).map(drop).map_err(|error| error.to_string())
        };
        for tours in ["3x4 a3 c2\n", FileKind::Packed.first_line(), "notes\n", ""] {
            assert_eq!(opened(tours), Ok(()), "{tours}");
        }
        let says = "is a journal, not a file of tours: to read it, type destrier replay FILE";
        assert_eq!(opened(FileKind::Journal.first_line()), Err(says.to_owned()));
        assert!(opened(FileKind::Count.first_line()).unwrap_err().contains("destrier resume FILE"));
        let says =
            "is a file of packed tours of version 17, and this program reads version 1: use the destrier that wrote it";
        assert_eq!(opened("destrier packed 17\n"), Err(says.to_owned()));
    }
}
