//! The steps of a search on a small board: its knight graph, and which steps are dead ends.

use crate::board::{Board, Ending, SmallBoard, Square, SquareMask};

/// Squares of the largest board: a set of squares is two words of 32 bits.
pub const SQUARES_MAX: u32 = 64;

/// The board, and the tours to search.
#[derive(Clone, Debug)]
pub struct SubtreeRules {
    pub(super) near: Vec<u64>,
    pub(super) all: u64,
    pub(super) ending: Ending,
    pub(super) starts: u64,
}

impl SubtreeRules {
    /// Rules for tours of this ending. Closed tours are counted once each, and searched from the start or from a
    /// corner. Open tours are directed, and searched from the start or from every square. `None` if the board has
    /// more than [`SQUARES_MAX`] squares.
    pub fn new(board: Board, ending: Ending, start: Option<Square>) -> Option<SubtreeRules> {
        let small = SmallBoard::<u64>::new(board)?;
        let all = small.all();
        let starts = match (start, ending) {
            (Some(start), _) => u64::bit(start.index() as usize),
            (None, Ending::Open) => all,
            (None, Ending::Closed) => u64::bit(0),
        };
        Some(SubtreeRules { near: small.neighbour_masks().to_vec(), all, ending, starts })
    }

    /// By square: the squares a knight's move away.
    pub fn neighbours(&self) -> &[u64] {
        &self.near
    }

    /// The number of squares of the board.
    pub fn squares(&self) -> u32 {
        self.all.len()
    }

    /// The set of all squares.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Nodes and tours of the prefixes whose path is the start alone.
    pub(super) fn root_counts(&self) -> (u64, u64) {
        let alone = self.ending == Ending::Open && self.squares() == 1;
        (u64::from(self.starts.len()), u64::from(alone))
    }

    /// The steps from `at`, which has just been entered from `left`; none in a dead end.
    ///
    /// ```text
    /// . x . x .     L left, A at: L cannot be entered any more, so every free square x beside it has lost a neighbour.
    /// x . . . x     It needs two that are free or A, or one if the tour may end on it.
    /// . . L . .
    /// x . . . A
    /// . x . x .
    /// ```
    ///
    /// If only one free square is left to end on, it is saved for the end. The shader has these lines, one by one.
    pub fn next_steps(&self, left: usize, at: usize, vacant: u64, last: u64) -> u64 {
        let ends = vacant & last;
        if ends == 0 {
            return 0;
        }
        let usable = vacant | u64::bit(at);
        let mut beside = self.near[left] & vacant;
        while beside != 0 {
            let square = beside.first();
            let needed = if last.has(square) { 1 } else { 2 };
            if (self.near[square] & usable).len() < needed {
                return 0;
            }
            beside = beside.without_first();
        }
        let steps = self.near[at] & vacant;
        if ends.len() == 1 && ends != vacant { steps & !ends } else { steps }
    }
}
