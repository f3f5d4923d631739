//! How tours are written: what stands before, between and behind their squares. Tours that are written as the last one are read without
//! the rules of all forms, and by several threads.
//!
//! The rules read a tour of a text, and its [`TourShape`] is taken: its board, the kind of its squares, and all bytes that are none of
//! them. A text of this shape with another one behind it differs from the first in its squares alone, and the rules look at no square
//! before they have read all of a board. So they would read it as they have read the first. A shape is taken only where that is true:
//!
//! - The tour has a square for each of its board, with three rows and columns at least, and leaves none out.
//! - It does not name its first square again: that name would be a part of the shape.
//! - Where squares stand on several lines, another line stands between two tours, and no empty line within one.
//!
//! What is no tour is one wrong tour for certain, if all of its squares are on the board and its move numbers are all different.
//! Anything else ends the run of tours, and the rules read it from its beginning.

use self::SquareKind::{Moves, Names, Pairs};
use super::list;
use super::outcome::ReadTour;
use super::plain::{PlainLines, PlainTours, SQUARES_MAX, TourWords, grid, line_bytes, whole_lines};
use crate::board::{Board, Ending, Square};
use crate::bounded::{board_length, count};
use crate::system::at_best_level;

/// Most bytes of a tour with what stands before it.
pub const SHAPE_MAX: usize = 1 << 13;
/// Most blanks before a move number in its column.
const PADDING_MAX: usize = 3;
/// Most digits of a number that counts tours.
const COUNT_MAX: usize = 8;

/// What the squares of a tour are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SquareKind {
    /// Names; so the first column is called.
    Names(u8),
    /// Rows and columns from this number on; columns and rows if the second is true.
    Pairs(usize, bool),
    /// Move numbers from this one on, row by row.
    Moves(usize),
}

/// Bytes that all tours have at one place.
struct Between {
    bytes: Vec<u8>,
    /// The first of them, and the bits of those that there are.
    begin: u64,
    mask: u64,
}

/// Most bytes that are compared at once: as many as stand behind a letter and three digits in eight bytes.
const AT_ONCE: usize = 4;

impl Between {
    fn new(bytes: &[u8]) -> Between {
        let (begin, mask) = (chunk(bytes, 0), u64::MAX.checked_shr(64 - 8 * bytes.len().min(8) as u32).unwrap_or(0));
        Between { bytes: bytes.to_vec(), begin, mask }
    }

    /// The end of these bytes if they stand at this place, where these are the next bytes.
    #[inline(always)]
    fn end(&self, text: &[u8], at: usize, ahead: u64) -> Option<usize> {
        let is_here = match self.bytes.len() {
            ..=AT_ONCE => (ahead ^ self.begin) & self.mask == 0,
            _ => text.get(at..)?.starts_with(&self.bytes),
        };
        is_here.then_some(at + self.bytes.len())
    }
}

/// Eight bytes from this place on; 0 behind the end.
#[inline(always)]
fn chunk(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => rest.iter().rev().fold(0, |chunk, &byte| chunk << 8 | u64::from(byte)),
    }
}

/// The number with which these bytes begin, of up to three digits, and their count.
#[inline(always)]
fn number(bytes: u64) -> Option<(usize, usize)> {
    let [one, two, three, ..] = (bytes ^ ZEROS).to_le_bytes().map(usize::from);
    match () {
        () if one > 9 => None,
        () if two > 9 => Some((one, 1)),
        () if one == 0 => None,
        () if three > 9 => Some((10 * one + two, 2)),
        () => Some((100 * one + 10 * two + three, 3)),
    }
}

/// The digit 0, eight times.
const ZEROS: u64 = u64::from_le_bytes([b'0'; 8]);

/// The bytes of a tour of a shape in a text, and whether it closes; `None` if it is no tour.
type ShapedTour = (usize, Option<bool>);

/// A place between two tours.
#[derive(Default)]
pub struct ReadMark {
    /// Number of bytes, of tours and of lines passed over before it, and how deep in JSON it is.
    pub passed: u64,
    pub index: u64,
    pub passed_over: u64,
    pub depth: Option<usize>,
    /// The bytes behind it.
    pub text: Vec<u8>,
}

/// How tours of one board are written.
pub struct TourShape {
    pub board: Board,
    /// The form in a word or some.
    pub form: &'static str,
    /// How deep in JSON each begins.
    pub depth: Option<usize>,
    /// The ending that each tour names.
    ending: Option<Ending>,
    /// Lines of each tour, and how many of them are passed over.
    pub lines: u64,
    pub passed_over: u64,
    /// Bytes of the tour that was read by the rules.
    pub bytes: usize,
    kind: SquareKind,
    /// What stands before the first square. Between two of these stands a number that counts tours.
    head: (Between, Vec<Between>),
    /// What stands between a row and a column.
    within: Between,
    /// What stands behind each square.
    gaps: Vec<Between>,
    /// The fastest ways, for names and for move numbers with blanks between them.
    list: Option<PlainLines>,
    is_plain_grid: bool,
    /// Whether the line of a list begins with its board.
    has_board: bool,
}

/// What stands before the squares: bytes that all tours have, and between them numbers that count the tours. Such a number stands alone
/// in a heading or comment, or before the sign that divides it from the squares of its line.
fn counted(head: &[u8], has_counts: bool) -> (Between, Vec<Between>) {
    let (mut gaps, mut begin, mut at) = (Vec::new(), 0, 0);
    while at < head.len() {
        let (before, digits) = (&head[..at], count(&head[at..], u8::is_ascii_digit));
        let begins_aside = |first: &u8| first.is_ascii_alphabetic() || b"#%/".contains(first);
        let begin_of_line = || head[whole_lines(before)..].trim_ascii_start().first();
        let is_aside = || head[at..].contains(&b'\n') && begin_of_line().is_some_and(begins_aside);
        let is_count = match head[at + digits..] {
            _ if digits == 0 || digits > COUNT_MAX => false,
            [b' ' | b':' | b',' | b')' | b'\r' | b'\n', ..] if is_aside() => before.ends_with(b" "),
            [b':' | b'.' | b')', b' ', ..] => {
                !is_aside() && has_counts && before.last().is_none_or(|byte| b" \n".contains(byte))
            }
            _ => false,
        };
        if is_count {
            gaps.push(Between::new(&head[begin..at]));
            begin = at + digits;
        }
        at += digits.max(1);
    }
    gaps.push(Between::new(&head[begin..]));
    (gaps.remove(0), gaps)
}

impl SquareKind {
    /// Where the word of a square begins: its place in the text may be that of a quote before it, or of the N for the knight.
    fn begin(self, text: &[u8], place: usize) -> usize {
        let before = count(text.get(place..).unwrap_or_default(), |byte| !byte.is_ascii_digit());
        place + if matches!(self, Names(_)) { before.saturating_sub(1) } else { before }
    }

    /// What stands before a move number and the blanks that fill its column. One of them stays, unless a sign divides it from the number
    /// before it.
    fn unpadded(self, gap: &[u8]) -> &[u8] {
        if !matches!(self, Moves(_)) {
            return gap;
        }
        let words = count_back(gap);
        let is_sign = |&byte: &u8| b",;|[{(\n\t".contains(&byte) || (0x80..=0x95).contains(&byte);
        let divides = gap[..words].last().is_some_and(is_sign);
        &gap[..gap.len().min(words + usize::from(!divides))]
    }
}

/// Number of bytes before the blanks at the end.
fn count_back(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| byte != b' ').map_or(0, |at| at + 1)
}

impl TourShape {
    /// The shape of a tour that the rules read from this mark up to so many bytes, before which so many lines were passed over.
    pub fn of(mark: &ReadMark, end: u64, found: &ReadTour, passed_over: u64) -> Option<TourShape> {
        let ReadTour { shape, squares, places, form, .. } = found;
        let (board, text) = (shape.board(), mark.text.get(..(end - mark.passed) as usize)?);
        let is_whole = squares.len() == board.squares() as usize && !shape.has_holes();
        if !is_whole || !PlainLines::has_room(board) || text.contains(&0) {
            return None;
        }
        let spot = |index| usize::try_from(places.at(index)?.before.checked_sub(mark.passed)?).ok();
        let spots = (0..squares.len()).map(spot).collect::<Option<Vec<_>>>()?;
        let kinds: &[SquareKind] = match text.get(Names(0).begin(text, *spots.first()?))? {
            _ if places.is_by_square && form.starts_with("grid") => &[Moves(0), Moves(1)],
            _ if places.is_by_square => &[],
            b'a'..=b'z' => &[Names(b'a')],
            b'A'..=b'Z' => &[Names(b'A')],
            _ => &[Pairs(0, false), Pairs(1, false), Pairs(0, true), Pairs(1, true)],
        };
        kinds.iter().find_map(|&kind| {
            let mut shape = TourShape::of_kind(text, &spots, kind, board)?;
            (shape.form, shape.ending, shape.depth) = (form, found.ending, mark.depth);
            shape.passed_over = passed_over - mark.passed_over;
            let mut words = TourWords::NONE;
            shape.is_plain_grid = grid(board, text, &mut words).is_some_and(|(bytes, _)| bytes == text.len());
            let is_whole = shape.tour(text, &mut words)?.0 == text.len();
            let spot = |square: &Square| board.row_col(*square);
            (is_whole && squares.iter().map(spot).eq(words.spots())).then_some(shape)
        })
    }

    /// The shape of a text whose squares are of this kind and begin at these places.
    fn of_kind(text: &[u8], spots: &[usize], kind: SquareKind, board: Board) -> Option<TourShape> {
        let (mut within, mut parts, mut at) = (&text[..0], Vec::new(), 0);
        for &spot in spots {
            let begin = kind.begin(text, spot);
            parts.push(text.get(at..begin)?);
            at = begin + usize::from(matches!(kind, Names(_)));
            at += number(chunk(text, at))?.1;
            if let Pairs(..) = kind {
                let rest = &text[at..];
                within = &rest[..count(rest, |byte| !byte.is_ascii_digit())];
                at += within.len();
                at += number(chunk(text, at))?.1;
            }
        }
        parts.push(&text[at..]);
        TourShape::new(board, kind, within, &parts)
    }

    /// The shape of the line of a list that names its board, with which a text begins.
    pub fn of_list(line: &[u8], board: Option<Board>) -> Option<TourShape> {
        let head = line.get(..board_length(line) + 1).filter(|head| head.ends_with(b" "))?;
        let named: Board = str::from_utf8(head.trim_ascii_end()).ok()?.parse().ok()?;
        if !PlainLines::has_room(named) || board.is_some_and(|board| board != named) {
            return None;
        }
        let first = if line.get(head.len())?.is_ascii_uppercase() { b'A' } else { b'a' };
        let end: &[u8] = if line.ends_with(b"\r") { b"\r\n" } else { b"\n" };
        let blanks = (1..named.squares()).map(|_| b" ".as_slice());
        let parts: Vec<&[u8]> = [head].into_iter().chain(blanks).chain([end]).collect();
        TourShape::new(named, Names(first), b"", &parts)
    }

    /// The shape of tours with these bytes before, between and behind their squares.
    fn new(board: Board, kind: SquareKind, within: &[u8], parts: &[&[u8]]) -> Option<TourShape> {
        let (head, gaps) = parts.split_first()?;
        let (end, inner) = gaps.split_last()?;
        let is_grid = matches!(kind, Moves(_));
        let has_line = |gap: &&[u8]| gap.contains(&b'\n');
        let lines = |part: &[u8]| part.iter().filter(|&&byte| byte == b'\n').count();
        let has_empty_line = |gap: &&[u8]| {
            let between = gap.split(|&byte| byte == b'\n').take(lines(gap)).skip(1);
            between.map(<[u8]>::trim_ascii).any(<[u8]>::is_empty)
        };
        let is_apart = is_grid || !inner.iter().any(has_line) || has_line(head);
        let all_lines = parts.iter().map(|part| lines(part)).sum::<usize>();
        if all_lines == 0 || has_line(&within) || inner.iter().any(has_empty_line) || !is_apart {
            return None;
        }
        let list = match kind {
            Names(first) if inner.iter().all(|gap| *gap == b" ") => PlainLines::new(board, first, end),
            _ => None,
        };
        let has_counts = end.ends_with(b"\n") && !gaps.iter().any(|gap| gap.iter().any(u8::is_ascii_digit));
        Some(TourShape {
            board,
            form: "list",
            depth: None,
            ending: None,
            lines: all_lines as u64,
            passed_over: 0,
            bytes: parts.iter().map(|part| part.len()).sum::<usize>() + 4 * inner.len(),
            kind,
            head: counted(&head[..if is_grid { count_back(head) } else { head.len() }], has_counts),
            within: Between::new(within),
            gaps: gaps.iter().map(|gap| Between::new(kind.unpadded(gap))).collect(),
            list,
            is_plain_grid: false,
            has_board: board_length(&head[whole_lines(head)..]) > 0,
        })
    }

    /// The end of what stands before the first square.
    #[inline(always)]
    fn head_end(&self, text: &[u8]) -> Option<usize> {
        let mut at = self.head.0.end(text, 0, chunk(text, 0))?;
        for gap in &self.head.1 {
            let digits = count(&text[at..], u8::is_ascii_digit);
            let end = gap.end(text, at + digits, chunk(text, at + digits));
            at = end.filter(|_| (1..=COUNT_MAX).contains(&digits))?;
        }
        Some(at)
    }

    /// The bytes of the tour with which a text begins, and whether it closes, if it is right and plain.
    #[inline(always)]
    fn plain(&self, text: &[u8], is_piece: bool, words: &mut TourWords) -> Option<(usize, bool)> {
        match &self.list {
            Some(list) => {
                let at = self.head_end(text)?;
                let (bytes, closes) = list.line(&text[at..], words)?;
                Some((at + bytes, closes))
            }
            // A grid has an empty line behind it, too.
            None if self.is_plain_grid => grid(self.board, text, words)
                .filter(|&(bytes, _)| text.get(bytes).map_or(is_piece, |&next| next == b'\n')),
            None => None,
        }
    }

    /// The tour of this shape with which a text begins.
    #[inline(never)]
    fn tour(&self, text: &[u8], words: &mut TourWords) -> Option<ShapedTour> {
        let bytes = self.read(text, self.head_end(text)?, words)?;
        words.count = self.gaps.len();
        let is_whole = words.visits_all();
        if !is_whole && matches!(self.kind, Moves(_)) {
            return None;
        }
        Some((bytes, (is_whole && words.wrong_moves() == 0).then(|| words.closes())))
    }

    /// Reads the squares, which stand here, with what stands behind each. Returns the end.
    #[inline(never)]
    fn read(&self, text: &[u8], begin: usize, words: &mut TourWords) -> Option<usize> {
        let (rows, cols) = (self.board.rows() as usize, self.board.cols() as usize);
        let all = self.gaps.len().min(SQUARES_MAX);
        match self.kind {
            Names(first) => self.each(text, begin, |index, at| {
                let bytes = chunk(text, at);
                let (number, digits) = number(bytes >> 8)?;
                let col = usize::from((bytes as u8).wrapping_sub(first));
                words.put_square(index, rows.wrapping_sub(number), col, (rows, cols))?;
                Some((at + 1 + digits, bytes >> (8 + 8 * digits)))
            }),
            Pairs(first, is_turned) => self.each(text, begin, |index, at| {
                let bytes = chunk(text, at);
                let (one, digits) = number(bytes)?;
                let at = self.within.end(text, at + digits, bytes >> (8 * digits))?;
                let bytes = chunk(text, at);
                let (other, digits) = number(bytes)?;
                let (row, col) = if is_turned { (other, one) } else { (one, other) };
                words.put_square(index, row.wrapping_sub(first), col.wrapping_sub(first), (rows, cols))?;
                Some((at + digits, bytes >> (8 * digits)))
            }),
            Moves(first) => {
                let (mut row, mut col) = (0, 0);
                self.each(text, begin, |index, mut at| {
                    let mut bytes = chunk(text, at);
                    let end = at + PADDING_MAX;
                    while bytes as u8 == b' ' && at < end {
                        at += 1;
                        bytes = chunk(text, at);
                    }
                    let (number, digits) = number(bytes)?;
                    let slot = Some(number.wrapping_sub(first)).filter(|&slot| slot < all)?;
                    words.put(slot as u8, row, col);
                    words.squares[index % SQUARES_MAX] = slot as u8;
                    col += 1;
                    if col == cols {
                        (row, col) = (row + 1, 0);
                    }
                    Some((at + digits, bytes >> (8 * digits)))
                })
            }
        }
    }

    /// Reads each of some squares by `word`, which gets its index and its place and returns its end and the bytes behind it.
    #[inline(always)]
    fn each(
        &self,
        text: &[u8],
        mut at: usize,
        mut word: impl FnMut(usize, usize) -> Option<(usize, u64)>,
    ) -> Option<usize> {
        for (index, gap) in self.gaps.iter().enumerate() {
            let (end, ahead) = word(index, at)?;
            at = gap.end(text, end, ahead)?;
        }
        Some(at)
    }

    /// A line of a list that is of no shape, and no tour for certain.
    fn wrong_list(&self, text: &[u8]) -> Option<ShapedTour> {
        let (list, begin) = (self.list.as_ref().filter(|_| self.has_board)?, self.head_end(text)?);
        let bytes = begin + line_bytes(&text[begin..])?;
        let names = text[begin..bytes].strip_suffix(&list.end[..])?;
        // The line behind it names its board, too, so that the list ends here.
        self.head_end(&text[bytes..])?;
        list::is_wrong(self.board, list.first, names).then_some((bytes, None))
    }

    at_best_level! {
        /// Verifies the tours at the beginning of a text. `counts_wrong`: tours that are wrong for certain are counted, too. `is_piece`: the
        /// text is what [`TourShape::whole`] found, and a tour of this shape follows it.
        pub fn prefix, prefix_by_v3, prefix_by_any of Self
            (self: &Self, text: &[u8], ending: Ending, counts_wrong: bool, is_piece: bool) -> PlainTours {
            let may_be_open = ending == Ending::Open && self.ending != Some(Ending::Closed);
            // A tour ends for certain where another one begins.
            let (mut run, mut certain, mut words) = (PlainTours::default(), PlainTours::default(), TourWords::NONE);
            loop {
                let before = run.bytes;
                while let Some((bytes, closes)) = self.plain(&text[run.bytes..], is_piece, &mut words)
                    && (closes || may_be_open)
                {
                    run.add(PlainTours { tours: 1, closed: closes.into(), bytes, ..PlainTours::default() });
                }
                if run.bytes > before {
                    certain = run;
                }
                let rest = &text[run.bytes..];
                let found = self.tour(rest, &mut words);
                let found = found.or_else(|| if counts_wrong { self.wrong_list(rest) } else { None });
                let Some((bytes, closes)) = found else { break };
                certain = run;
                let is_tour = closes.is_some_and(|closes| closes || may_be_open);
                if !is_tour && !counts_wrong {
                    break;
                }
                let closed = (is_tour && closes == Some(true)).into();
                run.add(PlainTours { tours: is_tour.into(), closed, wrong: (!is_tour).into(), bytes, column: 0 });
                // A list ends with its line, whatever follows.
                if self.list.is_some() {
                    certain = run;
                }
            }
            if is_piece && run.bytes == text.len() {
                certain = run;
            }
            PlainTours { column: certain.bytes - whole_lines(&text[..certain.bytes]), ..certain }
        }
    }

    /// Number of bytes of the whole tours in a text that ends anywhere. Behind them stands another one.
    pub fn whole(&self, text: &[u8]) -> usize {
        if self.list.is_some() && self.lines == 1 {
            return whole_lines(text);
        }
        let (last, mut words) = (self.gaps.last().and_then(|gap| gap.bytes.last()), TourWords::NONE);
        let mut is_between = |at: &usize| text.get(*at - 1) == last && self.tour(&text[*at..], &mut words).is_some();
        (1..text.len()).rev().take(2 * SHAPE_MAX).find(&mut is_between).unwrap_or(0)
    }
}
