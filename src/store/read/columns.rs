//! Reads four paths side by side, as `find --format paths` prints them: `65:71:17:11`, on each line one square of each
//! path, numbered from 1. The text does not say how the paths are joined: the first order and directions that make a tour
//! are used, a closed tour if there is one.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.2, prints four columns under the words "Sym tour". On odd boards
//! the paths are joined with the centre among them.

use super::outcome::{FoundTour, ReadStop, TourFlaw};
use super::source::{TextSource, WordEnd, excerpt};
use crate::board::{Board, Holes, Square};
use crate::bounded::{HEADING, LOOK_AHEAD_BYTES, LineBegin};
use std::collections::HashMap;
use std::io::{self, Read};

/// Side of the largest board that is read in columns.
const SIDE_MAX: usize = 64;
const PATHS: usize = 4;

/// A line of the columns: its number in the text, and its square numbers.
type ColumnRow = (u64, [u32; PATHS]);

/// Columns that have been read, not yet joined to a tour.
pub struct ReadColumns {
    line: u64,
    rows: Vec<ColumnRow>,
}

/// Reads columns up to an empty line or another tour. The numbers are not verified yet.
pub fn read_rows<R: Read>(source: &mut TextSource<R>) -> Result<ReadColumns, ReadStop> {
    let line = source.line();
    if source.look_ahead(HEADING.len())? == HEADING {
        source.skip_line()?;
    }
    let mut rows: Vec<ColumnRow> = Vec::new();
    while continues(source)? {
        rows.push(read_row(source)?);
        if PATHS * rows.len() > SIDE_MAX * SIDE_MAX {
            let reason = format!("four paths side by side are read for boards up to {SIDE_MAX}x{SIDE_MAX}");
            return Err(flaw(source.line(), reason));
        }
        source.skip_line()?;
    }
    Ok(ReadColumns { line, rows })
}

impl ReadColumns {
    /// Verifies the paths and joins them to a tour.
    pub fn finish(self) -> Result<FoundTour, ReadStop> {
        let ReadColumns { line, rows } = self;
        let board = board(rows.len()).map_err(|reason| flaw(line, reason))?;
        let paths = paths(board, &rows)?;
        let squares = join_paths(board, &paths).map_err(|reason| flaw(line, reason))?;
        Ok(FoundTour { line, board, ending: None, holes: Holes::none(), squares })
    }
}

/// Whether the columns continue on this line: it is not empty, and nothing else begins on it.
pub fn continues<R: Read>(source: &mut TextSource<R>) -> io::Result<bool> {
    if matches!(source.skip_blanks(WordEnd::Line)?, None | Some(b'\n')) {
        return Ok(false);
    }
    let ahead = source.look_ahead(LOOK_AHEAD_BYTES)?;
    Ok(!ahead.starts_with(HEADING) && matches!(LineBegin::of(ahead), LineBegin::Columns | LineBegin::Noise))
}

fn flaw(line: u64, reason: String) -> ReadStop {
    ReadStop::Flaw(TourFlaw { line, number: None, reason })
}

/// Reads the numbers of a line.
fn read_row<R: Read>(source: &mut TextSource<R>) -> Result<ColumnRow, ReadStop> {
    let line = source.line();
    let mut numbers = Vec::new();
    while let Some(word) = source.word(|byte| byte == b':', WordEnd::Line)? {
        let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        numbers.push(number.ok_or_else(|| flaw(line, format!("'{}' is not the number of a square", excerpt(word))))?);
        if numbers.len() > PATHS {
            break;
        }
    }
    let four = <[u32; PATHS]>::try_from(numbers);
    let row = four.map_err(|numbers| {
        let many = if numbers.len() > PATHS { "more than four".to_owned() } else { numbers.len().to_string() };
        flaw(line, format!("four paths side by side have four squares a line, not {many}"))
    });
    Ok((line, row?))
}

/// The square board that four paths of `lines` squares each fill, with its centre left over on an odd board.
fn board(lines: usize) -> Result<Board, String> {
    let sides = 2..=SIDE_MAX;
    let side = sides.into_iter().find(|side| side * side / PATHS == lines);
    let board = side.and_then(|side| Board::new(side as u64, side as u64).ok());
    board.ok_or_else(|| format!("four paths of {lines} squares fill no square board"))
}

/// The four paths. Verifies that each moves as a knight and that no square is on two of them or twice on one.
fn paths(board: Board, rows: &[ColumnRow]) -> Result<[Vec<Square>; PATHS], ReadStop> {
    let mut paths: [Vec<Square>; PATHS] = Default::default();
    let mut lines: HashMap<u32, u64> = HashMap::new();
    for &(line, numbers) in rows {
        for (path, number) in paths.iter_mut().zip(numbers) {
            let square = number.checked_sub(1).and_then(|index| board.at(index));
            let square = square.ok_or_else(|| {
                flaw(line, format!("{number} is no square of {board}, whose squares are 1 to {}", board.squares()))
            })?;
            if let Some(earlier) = lines.insert(number, line) {
                return Err(flaw(line, format!("square {number} was visited before, in line {earlier}")));
            }
            if let Some(&before) = path.last().filter(|&&before| !board.adjacent(before, square)) {
                let before = before.index() + 1;
                return Err(flaw(line, format!("no knight's move leads from {before} to {number} below it")));
            }
            path.push(square);
        }
    }
    Ok(paths)
}

/// Joins the paths, whole and each in either direction, and a square that is on none of them, to a tour.
fn join_paths(board: Board, paths: &[Vec<Square>; PATHS]) -> Result<Vec<Square>, String> {
    let left = board.all().find(|square| !paths.iter().flatten().any(|other| other == square));
    let backwards = paths.each_ref().map(|path| path.iter().rev().copied().collect::<Vec<_>>());
    let single = left.map(|square| vec![square]);
    // Forwards in this order, then backwards in the opposite order, as the source joins its sample.
    let forwards = paths.iter().enumerate().map(|(path, squares)| (path, squares.as_slice()));
    let backwards = backwards.iter().enumerate().rev().map(|(path, squares)| (path, squares.as_slice()));
    let single = single.iter().map(|squares| (PATHS, squares.as_slice()));
    let pieces: Vec<ColumnPiece<'_>> = forwards.chain(backwards).chain(single).collect();
    let count = PATHS + usize::from(left.is_some());
    let chain = [true, false].into_iter().find_map(|closed| {
        let mut chain = Vec::new();
        extend(board, &pieces, (count, closed), &mut chain).then_some(chain)
    });
    let chain = chain.ok_or_else(|| {
        let ends = |end: fn(&Vec<Square>) -> Option<&Square>| {
            let numbers = paths.iter().filter_map(end).map(|square| (square.index() + 1).to_string());
            numbers.collect::<Vec<_>>().join(", ")
        };
        let (first, last) = (ends(|path| path.first()), ends(|path| path.last()));
        format!("the four paths, from {first} to {last}, cannot be joined to a tour: their ends do not meet")
    })?;
    Ok(chain.iter().flat_map(|(_, squares)| squares.iter().copied()).collect())
}

/// A path in one direction, or the square that is on none, with its index.
type ColumnPiece<'a> = (usize, &'a [Square]);

/// Extends a chain of pieces to `whole.0` pieces, closed if `whole.1`. Returns whether that is possible.
fn extend<'a>(
    board: Board,
    pieces: &[ColumnPiece<'a>],
    whole: (usize, bool),
    chain: &mut Vec<ColumnPiece<'a>>,
) -> bool {
    let meets = |before: &ColumnPiece<'_>, next: &ColumnPiece<'_>| match (before.1, next.1) {
        ([.., last], [first, ..]) => board.adjacent(*last, *first),
        _ => false,
    };
    let (count, closed) = whole;
    if chain.len() == count {
        return !closed || meets(&chain[count - 1], &chain[0]);
    }
    for next in pieces {
        let is_free = chain.iter().all(|(path, _)| *path != next.0);
        if is_free && chain.last().is_none_or(|last| meets(last, next)) {
            chain.push(*next);
            if extend(board, pieces, whole, chain) {
                return true;
            }
            chain.pop();
        }
    }
    false
}
