//! Which tours are wanted of an enumeration.

use super::finder::{Request, impossible};
use crate::board::{Board, CountedTours, Ending, Square};
use crate::gpu::DeviceChoice;
use crate::schedule::{Format, Outlet};
use crate::search::Prune;
use std::ops::RangeInclusive;

/// Which tours are wanted.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// Open: only tours directed from this square. Closed: where the search starts.
    pub start: Option<Square>,
    /// One tour for each class under symmetry and reversal.
    pub unique: bool,
    /// Stop after this many tours.
    pub limit: Option<u64>,
    /// The prune test; only `radley` has one.
    pub prune: Prune,
    /// Depths at which it may cut.
    pub window: RangeInclusive<usize>,
    /// Which device does the work; only `gpu` uses one.
    pub adapter: DeviceChoice,
}

impl Problem {
    /// All tours of a board with this ending, from anywhere.
    pub fn new(board: Board, ending: Ending) -> Problem {
        let window = 0..=usize::MAX;
        let (prune, adapter) = (Prune::None, DeviceChoice::Any);
        Problem { board, ending, start: None, unique: false, limit: None, prune, window, adapter }
    }

    /// The number of tours that a search of all of it counts, where a table has it.
    pub fn known(&self) -> Option<u64> {
        self.listed().and_then(|count| u64::try_from(count).ok()).filter(|&count| count > 0)
    }

    /// The number of tours that a table has, however large, and 0 where there is no tour.
    pub(super) fn listed(&self) -> Option<u128> {
        self.board.known_number(self.counted_tours())
    }

    /// Which tours a search of all of it counts.
    pub fn counted_tours(&self) -> CountedTours {
        let from_one_square = self.start.is_some() && self.ending == Ending::Open;
        CountedTours { ending: self.ending, unique: self.unique, strict: false, from_one_square }
    }

    /// Why there is no such tour, as far as a theorem or the colours tell.
    pub fn impossible(&self) -> Option<String> {
        impossible(&Request {
            start: self.start.filter(|_| self.ending == Ending::Open),
            ..Request::new(self.board, self.ending)
        })
    }

    /// How the tours are counted, one of the words of the command line's contract.
    pub fn convention(&self) -> &'static str {
        match (self.unique, self.ending) {
            (true, _) => "classes",
            (false, Ending::Closed) => "undirected",
            (false, Ending::Open) => "directed",
        }
    }
}

/// Who takes the tours, and in what form.
pub type TourOutput = Option<(Box<dyn Outlet>, Format)>;

/// Squares of the largest board that the tree searches take.
pub const SQUARES_MAX: u32 = crate::board::SMALL_SQUARES_MAX as u32;
