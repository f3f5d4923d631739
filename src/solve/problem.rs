//! The problem of an enumeration: which tours a solver searches for.

use super::finder::{Request, why_impossible};
use crate::board::{Board, CountedTours, Ending, Shape, Square};
use crate::count::Convention;
use crate::find::strands::{StrandRoot, TourEnds};
use crate::schedule::{BlockOutput, Format};
use crate::search::Prune;
use crate::words::number_of;
use std::ops::RangeInclusive;

/// Which tours a solver searches for, and how.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The board, and the squares that the tours leave out.
    pub shape: Shape,
    /// Open or closed tours.
    pub ending: Ending,
    /// Open tours: only tours that start at this square. Closed tours: the square at which the search starts.
    pub start: Option<Square>,
    /// Whether to find one tour for each class under symmetry and reversal.
    pub unique: bool,
    /// Stop after this many tours.
    pub limit: Option<u64>,
    /// The prune test; only `radley` has one.
    pub prune: Prune,
    /// Depths at which the prune test may cut.
    pub window: RangeInclusive<usize>,
}

impl Problem {
    /// All tours of a shape with this ending, from any start.
    pub fn new(shape: impl Into<Shape>, ending: Ending) -> Problem {
        let (shape, window) = (shape.into(), 0..=usize::MAX);
        Problem { shape, ending, start: None, unique: false, limit: None, prune: Prune::None, window }
    }

    pub fn board(&self) -> Board {
        self.shape.board()
    }

    /// The number of tours that a complete search counts, if a table has it and it is neither 0 nor above 64 bits.
    pub fn known_tours(&self) -> Option<u64> {
        self.tabulated_tours().and_then(|count| u64::try_from(count).ok()).filter(|&count| count > 0)
    }

    /// The number of tours in the tables, of any size; 0 where there is no tour. No table has boards with holes.
    pub(super) fn tabulated_tours(&self) -> Option<u128> {
        self.whole_board()?.known_number(self.counted_tours())
    }

    /// The board, if it has no holes: what tables and theorems speak of.
    pub fn whole_board(&self) -> Option<Board> {
        Some(self.board()).filter(|_| !self.shape.has_holes())
    }

    /// Which tours a complete search counts.
    pub fn counted_tours(&self) -> CountedTours {
        let from_one_square = self.start.is_some() && self.ending == Ending::Open;
        CountedTours { ending: self.ending, unique: self.unique, strict: false, from_one_square }
    }

    /// Why there is no such tour, as far as a theorem, the colours, or the moves of squares that have few of them prove it.
    pub fn why_impossible(&self) -> Option<String> {
        let start = self.start.filter(|_| self.ending == Ending::Open);
        let request = Request { start, ..Request::new(&self.shape, self.ending) };
        let colours = || self.shape.colours_forbid(self.ending, start, None);
        let ends = match self.ending {
            Ending::Closed => TourEnds::Closed,
            Ending::Open => TourEnds::Open { start, end: None },
        };
        let moves = || StrandRoot::new(&self.shape, ends, &[], &[]).err().map(|why| why.to_string());
        why_impossible(&request).or_else(colours).or_else(|| if self.shape.has_holes() { moves() } else { None })
    }

    /// How the tours are counted, as a word of the command line's contract.
    pub fn convention(&self) -> &'static str {
        Convention::of(self.ending, self.unique).name()
    }

    /// The settings beside board and ending, in few words; those that are not the usual ones. A text with the name of the shape
    /// has its holes already.
    pub fn detail(&self, names_holes: bool) -> Vec<String> {
        let words = [
            (self.prune != Prune::None).then(|| format!("prune {}", self.prune.name())),
            self.start.map(|start| format!("from {}", self.board().name(start))),
            (names_holes && self.shape.has_holes()).then(|| without(&self.shape)),
            self.unique.then(|| "unique".to_owned()),
            self.limit.map(|tours| format!("limit {tours}")),
        ];
        words.into_iter().flatten().collect()
    }

    /// The options by which the settings beside ending and limit are typed, without their dashes, each with its value if it has one;
    /// those that are not the usual ones.
    pub fn options(&self) -> Vec<(&'static str, Option<String>)> {
        let prunes = self.prune != Prune::None;
        let (from, to) = (*self.window.start(), *self.window.end());
        let depth = |depth: usize| Some(depth.to_string());
        let options = [
            self.start.map(|start| ("start", Some(self.board().name(start)))),
            self.unique.then_some(("unique", None)),
            prunes.then(|| ("prune", Some(self.prune.name().to_owned()))),
            (prunes && from > 0).then(|| ("prune-from", depth(from))),
            (prunes && to < usize::MAX).then(|| ("prune-to", depth(to))),
        ];
        options.into_iter().flatten().collect()
    }
}

/// The holes by their names; of many their number.
fn without(shape: &Shape) -> String {
    match shape.holes().len() {
        0..=HOLES_NAMED => format!("without {}", shape.hole_names().join(" ")),
        holes => format!("without {}", number_of(holes, "square")),
    }
}

/// Most holes that a short text names.
const HOLES_NAMED: usize = 8;

/// The output that receives the tours, and their format; `None` when tours are only counted.
pub type TourOutput = Option<(Box<dyn BlockOutput>, Format)>;

/// Number of squares of the largest board that the tree searches take.
pub const SQUARES_MAX: u32 = crate::board::SMALL_SQUARES_MAX as u32;
