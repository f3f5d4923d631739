//! The reader of all formats, and how a file is opened for it. It detects the format of every tour from its first words, and
//! skips text that is no tour.

use super::json::Json;
use super::outcome::{ReadStop, ReadTour, Skip, TourReadError, flaw};
use super::packed::{PACKED, PackedReader};
use super::plain::PlainTours;
use super::shape::{ReadMark, SHAPE_MAX, TourShape};
use super::source::{LINE, TAG, TextSource};
use super::{list, svg, table};
use crate::board::{Board, Ending, Shape};
use crate::bounded::{
    self, FileFormat, FileKind, LOOK_AHEAD_BYTES, LineBegin, board_length, ends_with_sign, excerpt, first_line,
    is_text, is_whole_line, label_length, refusal,
};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

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
/// assert_eq!((array.line(), array.squares.len()), (6, 3));
/// assert_eq!(
///     bad.to_string(),
///     "tour 4, line 7: move 3: 'e1' is not on the board 3x4: its squares are a1 to d3"
/// );
/// ```
pub struct TourReader<R: Read> {
    source: TextSource<R>,
    board: Option<Board>,
    /// The shape of the tours, if it has holes.
    shape: Option<Shape>,
    index: u64,
    json: Option<Json>,
    packed: Option<PackedReader>,
    skip: Skip,
    /// The board that the line above the next tour names.
    size: Option<Board>,
    shapes: ShapeState,
    /// The board of the last tour.
    board_before: Option<Board>,
    /// Whether no reasons are wanted for tours that are wrong.
    counts_wrong: bool,
    forms: BTreeSet<&'static str>,
}

/// What is known of how the tours of a text are written.
#[derive(Default)]
struct ShapeState {
    shape: Option<Box<TourShape>>,
    /// The last place between two tours, and the tour that the rules read behind it.
    mark: ReadMark,
    last: Option<ReadTour>,
    /// Whether all tours verified last were of this shape, so that a stretch is worth its threads.
    is_long: bool,
}

/// Most bytes before the first tour of a text.
const NOISE_MAX: usize = 1 << 20;

/// What is said of a text without a tour, and of texts in other formats.
const TOUR: &str = "a tour is a list such as 3x4 a3 c2 a1 b3 .., a grid of move numbers, JSON or SVG";
const HTML: &str = "this is HTML or XML: copy the tour out of it as plain text";
const UTF_16: &str = "this is UTF-16: write the text as UTF-8, in PowerShell by Out-File -Encoding utf8";

/// Bytes of a piece of text in a stretch. A piece fits in a core's cache together with the tables of the verifier.
const PIECE: usize = 1 << 17;

impl<R: Read> TourReader<R> {
    /// Reads the tours of `input`, in large blocks. With `board`, lists that name no board are on `board`, and tours of other
    /// boards are errors.
    pub fn new(input: R, board: Option<Board>) -> TourReader<R> {
        let (source, shapes, forms) = (TextSource::new(input), ShapeState::default(), BTreeSet::new());
        let (shape, json, packed, size, board_before) = (None, None, None, None, None);
        let (index, skip, counts_wrong) = (0, Skip::Mark, false);
        TourReader { source, board, shape, index, json, packed, skip, size, shapes, board_before, counts_wrong, forms }
    }

    /// Reads tours of `shape`, if it is given: they leave out its holes, also where they do not say so.
    pub fn of_shape(input: R, shape: Option<&Shape>) -> TourReader<R> {
        let holed = shape.filter(|shape| shape.has_holes()).cloned();
        TourReader { shape: holed, ..TourReader::new(input, shape.map(Shape::board)) }
    }

    /// The forms in which tours were read so far, a word or some each.
    pub fn forms(&self) -> &BTreeSet<&'static str> {
        &self.forms
    }

    /// Lines before tours that were passed over so far: comments, headings, sizes and lines of boxes.
    pub fn passed_over(&self) -> u64 {
        self.source.passed_over
    }

    fn skip_rest(&mut self) -> io::Result<()> {
        let source = &mut self.source;
        match std::mem::replace(&mut self.skip, Skip::Nothing) {
            Skip::Nothing | Skip::All => Ok(()),
            Skip::Mark => {
                match source.look_ahead(3)? {
                    b"\xef\xbb\xbf" => source.take_bytes(3),
                    [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => return Err(io::Error::other(UTF_16)),
                    _ => {}
                }
                Ok(())
            }
            Skip::Broken if source.place().column == 1 => Ok(()),
            Skip::Line | Skip::Broken => source.skip_line(),
            Skip::Picture => svg::skip(source),
        }
    }

    fn read_next(&mut self) -> Result<Option<ReadTour>, ReadStop> {
        match self.skip {
            Skip::All => return Ok(None),
            Skip::Mark => self.packed = PackedReader::begin(&mut self.source)?,
            _ => {}
        }
        if let Some(packed) = &mut self.packed {
            self.skip = Skip::Nothing;
            return packed.next_tour(&mut self.source);
        }
        self.source.blank_codes();
        loop {
            self.skip_rest()?;
            if let Some(json) = &mut self.json {
                if let Some(found) = json.next_tour(&mut self.source)? {
                    return Ok(Some(found));
                }
                self.json = None;
                // The end of a statement of another language.
                if matches!(self.source.peek()?, Some(b';' | b',')) {
                    self.source.take();
                }
            }
            if self.source.skip_blanks(TAG)?.is_none() {
                return Ok(None);
            }
            let ahead = self.source.look_ahead(2 * LOOK_AHEAD_BYTES)?;
            let begin = LineBegin::before(ahead);
            if begin == LineBegin::Aside {
                let line = first_line(ahead).trim_ascii_end();
                if board_length(line) > 0 {
                    self.size = str::from_utf8(line).ok().and_then(|line| line.parse().ok());
                }
                self.source.pass_over()?;
                continue;
            }
            let label = label_length(first_line(ahead));
            if label > 0 && ends_with_sign(&ahead[..label]) && is_whole_line(&ahead[label..]) {
                self.source.take_bytes(label);
                continue;
            }
            let size = self.size.take();
            let board = self.board.or(size);
            let found = match begin {
                LineBegin::List | LineBegin::Side => {
                    self.skip = Skip::Line;
                    list::read(&mut self.source, board, self.board_before, LINE)?
                }
                LineBegin::Grid => {
                    table::read_lines(&mut self.source, board).map_err(|stop| stop.skipping(Skip::Broken))?
                }
                LineBegin::Svg => {
                    self.skip = Skip::Picture;
                    svg::read(&mut self.source, board)?
                }
                LineBegin::Section => table::read_section(&mut self.source, board)?,
                LineBegin::Json => {
                    self.json = Some(Json::new(board));
                    continue;
                }
                LineBegin::Aside | LineBegin::Noise => {
                    self.skip_noise()?;
                    continue;
                }
            };
            return of_board(found, size, |size| format!("the line above it says {size}")).map(Some);
        }
    }

    /// Skips lines on which no form begins. What begins with bytes that are no text, or has no tour in its first MiB, is refused. Text behind
    /// the last tour is passed over.
    fn skip_noise(&mut self) -> Result<(), ReadStop> {
        let from = self.source.place().line;
        let text = excerpt(first_line(self.source.look_ahead(LOOK_AHEAD_BYTES)?));
        let mut left = match text.contains(char::REPLACEMENT_CHARACTER) {
            _ if self.index > 0 => usize::MAX,
            true => 1,
            false => NOISE_MAX,
        };
        let (mut to, mut is_all_text, mut is_end) = (from, true, false);
        while !is_end && LineBegin::before(self.source.look_ahead(2 * LOOK_AHEAD_BYTES)?) == LineBegin::Noise {
            to = self.source.place().line;
            is_all_text &= is_text(first_line(self.source.look_ahead(LOOK_AHEAD_BYTES)?));
            self.source.skip_until(|byte| {
                left = left.saturating_sub(1);
                byte == b'\n' || left == 0
            })?;
            is_end = self.source.skip_blanks(TAG)?.is_none() || left == 0;
        }
        let reason = format!("no tour begins with '{text}'");
        match self.index {
            0 if is_end && text.starts_with('<') => Err(io::Error::other(HTML).into()),
            0 if is_end => Err(io::Error::other(format!("line {from}: {reason}; {TOUR}")).into()),
            _ if is_end && is_all_text => {
                self.source.passed_over += to + 1 - from;
                Ok(())
            }
            _ => Err(TourReadError::Skipped { from, to, reason }.into()),
        }
    }
}

/// Refuses a tour of another board than this one, if there is one, for which it says why.
fn of_board(found: ReadTour, board: Option<Board>, says: impl Fn(Board) -> String) -> Result<ReadTour, ReadStop> {
    let Some(board) = board.filter(|&board| board != found.shape.board()) else { return Ok(found) };
    let reason = format!("the tour is of {}, but {}", found.shape.board(), says(board));
    Err(flaw(found.places.begin, None, reason))
}

impl<R: Read + Send> TourReader<R> {
    /// Verifies the next few tours at once, each a tour of this ending: plain lists or grids of the board of the last two tours, or
    /// whole blocks of a packed file. If it takes none, the caller has to read the next item.
    ///
    /// # Errors
    /// [`TourReadError::Broken`] when the text cannot be read.
    pub fn take_plain(&mut self, ending: Ending, threads: usize) -> Result<PlainTours, TourReadError> {
        if self.shape.is_some() || !matches!(self.skip, Skip::Nothing | Skip::Line) {
            return Ok(PlainTours::default());
        }
        let is_of_board = |packed: &&mut PackedReader| self.board.is_none_or(|of| of == packed.layout.board);
        if let Some(packed) = self.packed.as_mut().filter(is_of_board) {
            let taken = packed.take_plain(&mut self.source, ending, threads);
            self.note_plain(taken, PACKED);
            return Ok(taken);
        }
        self.skip_rest()?;
        let depth = self.json.as_ref().map(Json::depth);
        self.learn(depth);
        let taken = self.take_shaped(depth, ending, threads)?;
        if taken.bytes == 0 {
            let (index, source, unread) = (self.index, &self.source, self.source.unread());
            let text = unread[..unread.len().min(SHAPE_MAX)].to_vec();
            let (passed, passed_over) = (source.passed(), source.passed_over);
            self.shapes.mark = ReadMark { passed, index, passed_over, depth, text };
        }
        Ok(taken)
    }

    /// Takes the shape of the tour that was read by the rules since the last call.
    fn learn(&mut self, depth: Option<usize>) {
        let (Some(last), mark) = (self.shapes.last.take(), &self.shapes.mark) else { return };
        if mark.index + 1 == self.index && mark.depth == depth {
            let shape = TourShape::of(mark, self.source.passed(), &last, self.source.passed_over);
            self.shapes.shape = shape.map(Box::new).or_else(|| self.shapes.shape.take());
        }
    }

    /// Verifies and consumes tours that are written as the last one.
    fn take_shaped(&mut self, depth: Option<usize>, ending: Ending, threads: usize) -> io::Result<PlainTours> {
        let (ShapeState { shape, is_long, .. }, before) = (&mut self.shapes, self.board_before);
        // No tour may have been right so far: then the board is the one that the next line names.
        if shape.is_none() && self.counts_wrong {
            *shape = TourShape::of_list(first_line(self.source.unread()), self.board).map(Box::new);
        }
        // What the board before was may decide where a list on several lines ends.
        let is_here = |shape: &&TourShape| shape.depth == depth && before.is_none_or(|board| board == shape.board);
        let Some(shape) = shape.as_deref().filter(is_here) else { return Ok(PlainTours::default()) };
        let counts_wrong = self.counts_wrong;
        if !self.source.unread().contains(&b'\n') {
            self.source.fill()?;
        }
        let unread = self.source.unread();
        let text = &unread[..unread.len().min(PIECE)];
        let taken;
        if *is_long {
            let check = |_, text: &[u8]| shape.prefix(text, ending, counts_wrong, true);
            (taken, *is_long) = self.source.take_stretch(threads, PIECE, |text| shape.whole(text), check);
            *is_long &= taken.bytes > 0;
        } else {
            taken = shape.prefix(text, ending, counts_wrong, false);
            *is_long = taken.bytes > 0 && text.len() - taken.bytes < 2 * shape.bytes;
            self.source.take_raw(taken.bytes);
        }
        let tours = taken.tours + taken.wrong;
        if tours > 0 {
            self.source.note_lines(tours * shape.lines, taken.column);
            self.source.passed_over += tours * shape.passed_over;
            self.board_before = Some(shape.board);
            let form = shape.form;
            self.note_plain(taken, form);
        }
        Ok(taken)
    }

    /// From now on, [`TourReader::take_plain`] takes lists that are wrong, too, and counts them. Reasons are not made.
    pub fn count_wrong(&mut self) {
        self.counts_wrong = true;
    }

    fn note_plain(&mut self, taken: PlainTours, form: &'static str) {
        self.index += taken.tours + taken.wrong;
        if taken.tours > 0 {
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

impl<R: Read> Iterator for TourReader<R> {
    type Item = Result<ReadTour, TourReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.read_next().transpose()?.and_then(|found| {
            let found = of_board(found, self.board, |board| format!("tours of {board} were asked for"))?;
            match &self.shape {
                Some(shape) => found.of_shape(shape).map_err(ReadStop::from),
                None => Ok(found),
            }
        });
        let mut stop = match found {
            Ok(mut found) => {
                let is_again = found.close();
                self.shapes.last = (!is_again && !self.shapes.mark.text.is_empty()).then(|| found.clone());
                self.forms.extend(is_again.then_some("closed tours that name their first square again"));
                self.index += 1;
                self.forms.insert(found.form);
                self.board_before = Some(found.shape.board());
                return Some(Ok(ReadTour { index: self.index, is_counted: self.counts_wrong, ..found }));
            }
            Err(stop) => stop,
        };
        if let Some(skip) = stop.skip {
            (self.skip, self.json) = (skip, None);
        }
        if let TourReadError::Tour { index, tours, .. } = &mut stop.error {
            (*index, self.index) = (self.index + 1, self.index + *tours);
        }
        Some(Err(stop.error))
    }
}

/// Opens a file of tours. A pipe is opened too, and only its reader finds out what it holds.
///
/// # Errors
/// When the file cannot be opened, or is another kind of file of destrier, or packed by another version: then the error says what
/// it is.
pub fn open_tours(path: &Path) -> io::Result<File> {
    let file = bounded::open_stream(path)?;
    let found = if file.metadata()?.is_file() { FileFormat::of_open(&file)? } else { None };
    let has_tours = |found: FileFormat| matches!(found.kind, FileKind::Tours | FileKind::Packed) && found.is_current();
    match found.is_none_or(has_tours) {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, refusal(found, FileKind::Tours.name()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
