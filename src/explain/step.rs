//! The step of an explained search, as data and as a sentence, and the trait of such a search.

use super::reason::Reason;
use crate::board::{Board, Square};
use crate::search::Drawing;

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEvent {
    /// The search entered a square: a node.
    Entered {
        /// The square entered.
        square: Square,
        /// The move that led there, 0..8, an index into [`MOVES`](crate::board::MOVES); `None` for a start.
        by: Option<u8>,
        /// Number of its vacant neighbours.
        rank: u8,
    },
    /// A move must be made before all others.
    Forced {
        /// The square it leads to.
        square: Square,
        /// Why it is forced.
        reason: Reason,
    },
    /// A test or a rule cut a move.
    Cut {
        /// The square it would lead to.
        square: Square,
        /// The move, 0..8.
        by: u8,
        /// Why it is cut.
        reason: Reason,
    },
    /// The square just entered has no move to try.
    DeadEnd {
        /// The square.
        square: Square,
        /// Why it is a dead end.
        reason: Reason,
    },
    /// The path is a tour.
    Tour {
        /// Tours counted, with this tour and its images.
        number: u64,
        /// Number of tours that it stands for, itself included.
        images: u64,
    },
    /// The search went back: everything beyond the square left is exhausted.
    Back {
        /// The square left.
        from: Square,
        /// The square on which the knight stands again; `None` when the next start follows.
        to: Option<Square>,
    },
    /// The search is complete.
    Finished,
}

impl StepEvent {
    /// The event as a sentence, with the square names of `board`.
    pub fn sentence(&self, board: Board) -> String {
        let name = |square: Square| board.name(square);
        match *self {
            StepEvent::Entered { square, by: None, .. } => format!("start on {}", name(square)),
            StepEvent::Entered { square, by: Some(by), rank } => format!("move {by} to {}, rank {rank}", name(square)),
            StepEvent::Forced { square, reason } => format!("{} forced: {}", name(square), reason.sentence(board)),
            StepEvent::Cut { square, by, reason } => {
                format!("move {by} to {} cut: {}", name(square), reason.sentence(board))
            }
            StepEvent::DeadEnd { square, reason } => {
                format!("dead end on {}: {}", name(square), reason.sentence(board))
            }
            StepEvent::Tour { number, images: 1 } => format!("tour {number}"),
            StepEvent::Tour { number, images } => {
                format!("tour {} to {number}: this one and its images", number + 1 - images)
            }
            StepEvent::Back { from, to: Some(to) } => format!("back to {}: {} is exhausted", name(to), name(from)),
            StepEvent::Back { from, to: None } => format!("back: every way from {} is exhausted", name(from)),
            StepEvent::Finished => "finished: everything has been searched".to_owned(),
        }
    }
}

/// The counts of an explained search, in the conventions of its kernel.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ExplainedCounts {
    /// Squares entered.
    pub nodes: u64,
    /// Branches cut, or nodes without a move, whichever the kernel counts.
    pub pruned: u64,
    /// Nodes from which no move was made, without tours.
    pub dead_ends: u64,
    /// Tours, images included.
    pub tours: u64,
    /// Squares left again.
    pub backtracks: u64,
}

/// The state of a move from the knight's square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveStanding {
    /// The search will make the move next.
    Next,
    /// The search will make the move later.
    Untried,
    /// The search made the move, and everything beyond is exhausted.
    Tried,
    /// A test or a rule cut the move.
    Cut(Reason),
    /// The move is no choice here, whatever the tests say.
    Barred(Reason),
    /// The square of the move is already visited, with this number on the path.
    Visited(u16),
}

/// A move from the knight's square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move, 0..8, an index into [`MOVES`](crate::board::MOVES).
    pub number: u8,
    /// The square it leads to.
    pub square: Square,
    /// Number of vacant neighbours of that square, Warnsdorff's rank.
    pub rank: u8,
    /// The state of the move.
    pub standing: MoveStanding,
}

/// A search that is taken step by step.
pub trait Explained: Send {
    /// Takes the next step. After [`StepEvent::Finished`] the search no longer changes.
    fn step(&mut self) -> StepEvent;

    /// The counts so far.
    fn counts(&self) -> ExplainedCounts;

    /// Number of squares on the path.
    fn depth(&self) -> usize;

    /// The moves from the knight's square: first those to try, in their order, then those to visited squares. Empty before
    /// the start.
    fn choices(&self) -> Vec<ExplainedMove>;

    /// Draws the position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// A copy that is stepped independently.
    fn fork(&self) -> Box<dyn Explained>;

    /// Approximate size of a copy in bytes.
    fn bytes(&self) -> usize;
}
