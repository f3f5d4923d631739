//! Unfolds a path through the orbits to the tours that it stands for.
//!
//! *Lifts*: where two moves join two orbits (near the centre) they differ by a turn. So one path through the
//! orbits stands for several on the board. *Cuts*: if its last orbit is a neighbour of its first, the path is a cycle
//! and may be cut open anywhere else. *Strings*: the [`Catalogue`] strings each of these paths, in either direction, to
//! tours.
//!
//! Each tour comes out once. An open tour, read from its start, begins with one strand (or with the centre and one
//! strand). So the tour determines that path, its direction and turn, and the stringing. A path on the board is a lift
//! of one path through the orbits, and that is a cut of one cycle. Where two moves join the orbits at the cut, lifts of
//! the cycle that differ only in these moves would give one path, so only the lift with the lowest turn is cut there.
//!
//! A closed tour is strung only from the path as it was found, forwards. `+0 +1 +2 +3`, read from corner 0 towards the
//! neighbour entered first, begins with that path. In `+0 -1 +2 -3` the strands are joined by the only moves inside an
//! orbit, so the tour shows where it was strung; strand 0 is the one through the root's square at turn 0.

use super::quotient::{ORBITS_MAX, Quotient};
use super::stringing::{Catalogue, PathEnds};
use crate::board::{Board, Ending, SquareMask};
use crate::search::kernel::TourSink;

/// The tables that unfold paths through the orbits of one board.
#[derive(Clone, Debug)]
pub struct Unfolding {
    pub quotient: Quotient,
    catalogue: Catalogue,
    ending: Ending,
}

/// A path on the board: the lift `turns` of `orbits`, begun at index `at`; the part before `at` follows, turned by
/// `around`.
struct PathCut<'a> {
    orbits: &'a [u8],
    turns: &'a [u8],
    at: usize,
    around: u8,
}

impl PathCut<'_> {
    fn squares(&self) -> impl DoubleEndedIterator<Item = (u8, u8)> {
        let place = |around: u8| move |i: usize| (self.orbits[i], self.turns[i] + around);
        (self.at..self.orbits.len()).map(place(0)).chain((0..self.at).map(place(self.around)))
    }

    fn ends(&self, quotient: &Quotient) -> PathEnds {
        let (last, around) = if self.at == 0 { (self.orbits.len() - 1, 0) } else { (self.at - 1, self.around) };
        let turn = self.turns[last] + around + 4 - self.turns[self.at];
        PathEnds::new(quotient, self.orbits[self.at], self.orbits[last], turn)
    }
}

impl Unfolding {
    /// The tables for `board`, a square board of at most 16x16.
    pub fn new(board: Board, ending: Ending) -> Unfolding {
        let quotient = Quotient::new(board);
        let catalogue = Catalogue::new(quotient.centre().is_some(), ending);
        Unfolding { quotient, catalogue, ending }
    }

    /// Number of tours that a path through every orbit stands for.
    pub fn count(&self, orbits: &[u8]) -> u64 {
        let mut tours = 0;
        self.cuts(orbits, |cut| {
            let ends = cut.ends(&self.quotient);
            tours += self.catalogue.of(ends).len();
            if self.ending == Ending::Open {
                tours += self.catalogue.of(ends.reversed()).len();
            }
        });
        let turns = if self.ending == Ending::Open { 4 } else { 1 };
        tours as u64 * turns
    }

    /// Hands `sink` the tours that a path through every orbit stands for; returns how many it accepted.
    pub fn emit(&self, orbits: &[u8], sink: &mut dyn TourSink) -> u64 {
        let (mut accepted, mut path, mut tour) = (0, Vec::new(), Vec::new());
        let mut string = |path: &[(u8, u8)], ends, turns| {
            for stringing in self.catalogue.of(ends) {
                for turn in 0..turns {
                    tour.clear();
                    stringing.squares(&self.quotient, path, turn, |square| tour.push(square));
                    accepted += sink.tour(&tour);
                }
            }
        };
        self.cuts(orbits, |cut| {
            let ends = cut.ends(&self.quotient);
            path.clear();
            path.extend(cut.squares());
            match self.ending {
                Ending::Closed => string(&path, ends, 1),
                Ending::Open => {
                    string(&path, ends, 4);
                    path.reverse();
                    string(&path, ends.reversed(), 4);
                }
            }
        });
        accepted
    }

    /// The squares of the first lift of a path through some orbits, turned by `turn`.
    pub fn first_lift(&self, orbits: &[u8], turn: u8) -> Vec<u8> {
        let mut turns = turn;
        let mut before = None;
        let square = |&orbit| {
            if let Some(before) = before.replace(orbit) {
                turns += self.quotient.links(before, orbit).trailing_zeros() as u8;
            }
            self.quotient.square(orbit, turns)
        };
        orbits.iter().map(square).collect()
    }

    /// Calls `each` with every path on the board that may be strung.
    fn cuts(&self, orbits: &[u8], mut each: impl FnMut(&PathCut)) {
        let last = orbits.len() - 1;
        // If it is not empty, this is a link to the corner, to which only one move leads.
        let closing = self.quotient.links(orbits[last], orbits[0]);
        let cut_indices = if self.ending == Ending::Open && closing != 0 { self.cut_indices(orbits) } else { 0 };
        self.lifts(orbits, 1, &mut [0; ORBITS_MAX], &mut |turns| {
            each(&PathCut { orbits, turns, at: 0, around: 0 });
            let around = turns[last] + closing.trailing_zeros() as u8;
            for at in cut_indices.iter() {
                let lowest = self.quotient.links(orbits[at - 1], orbits[at]).trailing_zeros() as u8;
                if turns[at] == (turns[at - 1] + lowest) & 3 {
                    each(&PathCut { orbits, turns, at, around });
                }
            }
        });
    }

    /// The indices, except 0, at which a cycle may be cut for open tours. These are the indices beside the centre or a
    /// loop, or all indices if the strands can follow one another without either.
    fn cut_indices(&self, orbits: &[u8]) -> u64 {
        let anywhere = self.quotient.board.rows() % 4 == 2;
        let special = self.quotient.around_centre | self.quotient.loops;
        let beside = |at: usize| special.has(orbits[at].into()) || special.has(orbits[at - 1].into());
        (1..orbits.len()).filter(|&at| anywhere || beside(at)).fold(0, |set, at| set | u64::bit(at))
    }

    /// Calls `each` with the turns of every lift of `orbits` that begins with `turns[..from]`.
    fn lifts(&self, orbits: &[u8], from: usize, turns: &mut [u8; ORBITS_MAX], each: &mut impl FnMut(&[u8])) {
        for at in from..orbits.len() {
            let mut links = self.quotient.links(orbits[at - 1], orbits[at]);
            while !links.is_power_of_two() {
                turns[at] = (turns[at - 1] + links.trailing_zeros() as u8) & 3;
                self.lifts(orbits, at + 1, turns, each);
                links &= links - 1;
            }
            turns[at] = (turns[at - 1] + links.trailing_zeros() as u8) & 3;
        }
        each(&turns[..orbits.len()]);
    }
}
