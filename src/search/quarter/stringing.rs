//! The orders in which the four rotated copies of a path, and the centre, can be strung to a tour.
//!
//! Strand k is the path s..e turned by k quarter turns. A [`Stringing`] gives the order of the strands, which of them
//! run backwards, and the place of the centre. Which pieces can follow each other depends only on the two ends of the
//! path, so on the few bits of [`PathEnds`]. All stringings are computed once for each value of these bits and stored
//! in a [`Catalogue`].
//!
//! The possible joins (`c` the centre, R a quarter turn, ~ a knight's move away):
//! - e ~ R^k s: k = 1, 2, 3 on odd boards, 1, 3 when the side is 2 mod 4, 2 when it is 0 mod 4 (by the colours);
//! - e ~ c or s ~ c on odd boards, never both beside e ~ R^k s, for all neighbours of c have one colour;
//! - e ~ Re or s ~ Rs on even boards, if that end lies in a loop of the quotient; both never beside e ~ R^k s.
//!
//! So these are all stringings, up to reversal and turns, and with k and 3k exchanged:
//!
//! | side | joins | stringings |
//! | --- | --- | --- |
//! | odd | e ~ Rs, e ~ c | `+0 +1 +2 +3 c`, `+0 +1 +2 c -3`, `+0 +1 c -3 -2` |
//! | odd | e ~ R²s, e ~ c | `+0 +2 c -1 -3`, `+0 +2 c -3 -1` |
//! | odd | e ~ Rs, e ~ R²s, e ~ c | moreover mixed ones, such as `+0 +2 +3 +1 c` |
//! | 2 mod 4 | e ~ Rs | `+0 +1 +2 +3`, which closes |
//! | 2 mod 4 | e ~ Rs, e ~ Re | moreover `+0 +1 +2 -3` |
//! | 0 mod 4 | e ~ R²s, e ~ Re | `+0 +2 -1 -3`, `+0 +2 -3 -1` |
//! | even | s ~ Rs, e ~ Re | `+0 -1 +2 -3`, which closes |
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.2, describes the two for odd boards that it uses: `+0 +1 +2 +3
//! c`, and the centre between two pairs.

use super::quotient::Quotient;
use crate::board::{Ending, SquareMask};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StringPiece {
    /// The centre of an odd board.
    Centre,
    /// The path, turned by `turn` quarter turns, 0..4; `backwards`, it runs from its end to its start.
    Strand { turn: u8, backwards: bool },
}

/// The pieces of a tour in their order; the first strand is that of turn 0, running forwards.
///
/// ```text
/// +0 +2 c -3 -1    strand 0, strand 2, the centre, strand 3 backwards, strand 1 backwards
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stringing(pub(super) Vec<StringPiece>);

impl Stringing {
    /// Calls `each` with the squares of the string. Path square i is `(orbits[i], turns[i])`, and the whole string is
    /// turned by `turn`.
    pub fn squares(&self, quotient: &Quotient, path: &[(u8, u8)], turn: u8, mut each: impl FnMut(u8)) {
        for &piece in &self.0 {
            match piece {
                StringPiece::Centre => quotient.centre().into_iter().for_each(&mut each),
                StringPiece::Strand { turn: own, backwards } => {
                    let square = |&(orbit, t): &(u8, u8)| quotient.square(orbit, t + own + turn);
                    if backwards {
                        path.iter().rev().map(square).for_each(&mut each)
                    } else {
                        path.iter().map(square).for_each(&mut each)
                    }
                }
            }
        }
    }
}

impl fmt::Display for Stringing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, piece) in self.0.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            match piece {
                StringPiece::Centre => write!(f, "{space}c")?,
                StringPiece::Strand { turn, backwards } => {
                    write!(f, "{space}{}{turn}", if *backwards { '-' } else { '+' })?
                }
            }
        }
        Ok(())
    }
}

/// The joins that the two ends of a path allow, in 7 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PathEnds(u8);

impl PathEnds {
    const JOINS: u8 = 0b111;
    const START_LOOPS: u8 = 1 << 3;
    const END_LOOPS: u8 = 1 << 4;
    const START_AT_CENTRE: u8 = 1 << 5;
    const END_AT_CENTRE: u8 = 1 << 6;
    const KINDS: u8 = 1 << 7;

    /// The joins of a path from `(start, 0)` to `(end, turn)`.
    #[inline]
    pub fn new(quotient: &Quotient, start: u8, end: u8, turn: u8) -> PathEnds {
        // Bit t of the links from the end stands for the start turned by turn + t. Bit k of `joins` must stand for the
        // start turned by k.
        let links = quotient.links(end, start);
        let joins = ((links | links << 4) >> (4 - (turn & 3))) & 0b1111;
        let has = |set: u64, orbit: u8, bit: u8| if set.has(orbit.into()) { bit } else { 0 };
        let loops = has(quotient.loops, start, Self::START_LOOPS) | has(quotient.loops, end, Self::END_LOOPS);
        let around = quotient.around_centre;
        let centre = has(around, start, Self::START_AT_CENTRE) | has(around, end, Self::END_AT_CENTRE);
        PathEnds(joins >> 1 | loops | centre)
    }

    /// The joins of the reversed path, from its end to its start.
    #[inline]
    pub fn reversed(self) -> PathEnds {
        let PathEnds(bits) = self;
        let joins = (bits & 0b001) << 2 | bits & 0b010 | (bits & 0b100) >> 2;
        let starts = bits & (Self::START_LOOPS | Self::START_AT_CENTRE);
        let ends = bits & (Self::END_LOOPS | Self::END_AT_CENTRE);
        PathEnds(joins | starts << 1 | ends >> 1)
    }

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Whether a knight's move leads from the last square of `a` to the first of `b`.
    fn joins(self, a: StringPiece, b: StringPiece) -> bool {
        use StringPiece::{Centre, Strand};
        let end_meets_start = |e: u8, s: u8| (self.0 & Self::JOINS) << 1 >> ((s + 4 - e) & 3) & 1 == 1;
        match (a, b) {
            (Strand { turn: a, backwards: false }, Strand { turn: b, backwards: false }) => end_meets_start(a, b),
            (Strand { turn: a, backwards: true }, Strand { turn: b, backwards: true }) => end_meets_start(b, a),
            (Strand { turn: a, backwards: false }, Strand { turn: b, .. }) => {
                self.has(Self::END_LOOPS) && (a ^ b) & 1 == 1
            }
            (Strand { turn: a, .. }, Strand { turn: b, .. }) => self.has(Self::START_LOOPS) && (a ^ b) & 1 == 1,
            (Strand { backwards, .. }, Centre) => {
                self.has(if backwards { Self::START_AT_CENTRE } else { Self::END_AT_CENTRE })
            }
            (Centre, Strand { backwards, .. }) => {
                self.has(if backwards { Self::END_AT_CENTRE } else { Self::START_AT_CENTRE })
            }
            (Centre, Centre) => false,
        }
    }
}

/// Every stringing, by the joins of the path's ends.
#[derive(Clone, Debug)]
pub struct Catalogue(Vec<Vec<Stringing>>);

impl Catalogue {
    /// The stringings to tours of this ending, on boards with or without a centre.
    pub fn new(centre: bool, ending: Ending) -> Catalogue {
        Catalogue((0..PathEnds::KINDS).map(|bits| PieceFinder::find(PathEnds(bits), centre, ending)).collect())
    }

    #[inline]
    pub fn of(&self, ends: PathEnds) -> &[Stringing] {
        &self.0[usize::from(ends.0)]
    }
}

/// Finds all stringings by trying pieces one after another.
struct PieceFinder {
    ends: PathEnds,
    ending: Ending,
    pieces: Vec<StringPiece>,
    rest: Vec<StringPiece>,
    found: Vec<Stringing>,
}

impl PieceFinder {
    fn find(ends: PathEnds, centre: bool, ending: Ending) -> Vec<Stringing> {
        let first = StringPiece::Strand { turn: 0, backwards: false };
        let strands = |turn| [false, true].map(|backwards| StringPiece::Strand { turn, backwards });
        let mut rest: Vec<StringPiece> = (1..4).flat_map(strands).collect();
        if centre {
            rest.push(StringPiece::Centre);
        }
        let mut finder = PieceFinder { ends, ending, pieces: vec![first], rest, found: Vec::new() };
        finder.extend();
        if centre && ends.joins(StringPiece::Centre, first) {
            finder.pieces = vec![StringPiece::Centre, first];
            finder.rest.pop();
            finder.extend();
        }
        finder.found
    }

    fn extend(&mut self) {
        let last = self.pieces[self.pieces.len() - 1];
        if self.rest.is_empty() {
            if self.ending == Ending::Open || self.ends.joins(last, self.pieces[0]) {
                self.found.push(Stringing(self.pieces.clone()));
            }
            return;
        }
        for piece in self.rest.clone() {
            if self.ends.joins(last, piece) {
                let before = self.rest.clone();
                self.rest.retain(|&other| turn(other) != turn(piece));
                self.pieces.push(piece);
                self.extend();
                self.pieces.pop();
                self.rest = before;
            }
        }
    }
}

/// The turn of a strand in any direction; `None` of the centre.
fn turn(piece: StringPiece) -> Option<u8> {
    match piece {
        StringPiece::Centre => None,
        StringPiece::Strand { turn, .. } => Some(turn),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn names(catalogue: &Catalogue, ends: u8) -> Vec<String> {
        catalogue.of(PathEnds(ends)).iter().map(Stringing::to_string).collect()
    }

    const R1: u8 = 0b001;
    const R2: u8 = 0b010;
    const R3: u8 = 0b100;

    #[test]
    fn the_catalogue_holds_the_strings_of_the_source() {
        let odd = Catalogue::new(true, Ending::Open);
        let cyclic = ["+0 +1 +2 +3 c", "+0 +1 +2 c -3", "+0 +1 c -3 -2", "+0 c -3 -2 -1"];
        assert_eq!(names(&odd, R1 | PathEnds::END_AT_CENTRE), cyclic);
        assert_eq!(names(&odd, R1 | PathEnds::START_AT_CENTRE), ["c +0 +1 +2 +3"]);
        assert_eq!(names(&odd, R2 | PathEnds::END_AT_CENTRE), ["+0 +2 c -1 -3", "+0 +2 c -3 -1"]);
        assert_eq!(names(&odd, R2 | PathEnds::START_AT_CENTRE), [""; 0]);
        assert_eq!(names(&odd, R3 | PathEnds::END_AT_CENTRE).len(), 4);
        let mixed = names(&odd, R1 | R2 | PathEnds::END_AT_CENTRE);
        assert!(mixed.contains(&"+0 +2 +3 +1 c".to_owned()), "{mixed:?}");
    }

    #[test]
    fn even_boards_close_on_a_cycle_or_with_a_loop_at_both_ends() {
        let (open, closed) = (Catalogue::new(false, Ending::Open), Catalogue::new(false, Ending::Closed));
        assert_eq!(names(&open, R1), ["+0 +1 +2 +3"]);
        assert_eq!(names(&closed, R1), ["+0 +1 +2 +3"]);
        assert_eq!(names(&open, R1 | PathEnds::END_LOOPS), ["+0 +1 +2 +3", "+0 +1 +2 -3", "+0 -3 -2 -1"]);
        assert_eq!(names(&open, R2 | PathEnds::END_LOOPS), ["+0 +2 -1 -3", "+0 +2 -3 -1"]);
        assert_eq!(names(&closed, R2 | PathEnds::END_LOOPS), [""; 0]);
        for catalogue in [open, closed] {
            let loops = PathEnds::START_LOOPS | PathEnds::END_LOOPS;
            assert_eq!(names(&catalogue, loops), ["+0 -1 +2 -3", "+0 -3 +2 -1"]);
        }
    }

    /// The table of the module, for every pair of ends that a path through the orbits can have from 5x5 to 16x16.
    #[test]
    fn the_joins_that_paths_have_are_those_of_the_table() {
        for side in 5..=16u32 {
            let board = Board::new(side.into(), side.into()).unwrap();
            let quotient = Quotient::new(board);
            let colour = |orbit, turn| {
                let (row, col) = board.row_col(board.at(quotient.square(orbit, turn).into()).unwrap());
                (row + col) % 2
            };
            let orbits = 0..quotient.orbits() as u8;
            let pairs = orbits.clone().flat_map(|s| orbits.clone().map(move |e| (s, e))).filter(|(s, e)| s != e);
            for (s, e, t) in pairs.flat_map(|(s, e)| (0..4).map(move |t| (s, e, t))) {
                let ends = PathEnds::new(&quotient, s, e, t);
                assert_eq!(ends.reversed(), PathEnds::new(&quotient, e, s, 4 - t), "{side}: {s} {e} {t}");
                if (colour(s, 0) + colour(e, t)) % 2 != (quotient.orbits() as u32 - 1) % 2 {
                    continue;
                }
                let joins = ends.0 & PathEnds::JOINS;
                let loops = [PathEnds::START_LOOPS, PathEnds::END_LOOPS].map(|bit| ends.has(bit));
                let centre = [PathEnds::START_AT_CENTRE, PathEnds::END_AT_CENTRE].map(|bit| ends.has(bit));
                let allowed = match side % 4 {
                    2 => R1 | R3,
                    0 => R2,
                    _ => R1 | R2 | R3,
                };
                assert_eq!(joins & !allowed, 0, "{side}: {ends:?}");
                assert!(joins == 0 || loops != [true; 2] && centre != [true; 2], "{side}: {ends:?}");
                assert!(if side % 2 == 0 { centre } else { loops } == [false; 2], "{side}: {ends:?}");
            }
        }
    }
}
