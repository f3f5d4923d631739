//! What one step of an explained search did, in words, and the trait of such a search.

use super::reason::Reason;
use crate::board::{Board, Square};
use crate::search::Drawing;

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEvent {
    /// A square was entered: a node.
    Entered {
        /// The square.
        square: Square,
        /// The move that led there, 0..8, an index into [`MOVES`](crate::board::MOVES); none for a start.
        by: Option<u8>,
        /// Its vacant neighbours.
        rank: u8,
    },
    /// A move must be made before all others.
    Forced {
        /// Where it leads.
        square: Square,
        /// Why.
        reason: Reason,
    },
    /// A move is not worth making.
    Cut {
        /// Where it would lead.
        square: Square,
        /// The move, 0..8.
        by: u8,
        /// Why.
        reason: Reason,
    },
    /// No move is left to try on the square just entered.
    DeadEnd {
        /// The square.
        square: Square,
        /// Why.
        reason: Reason,
    },
    /// The path is a tour.
    Tour {
        /// Tours counted so far, this one and its images among them.
        number: u64,
        /// How many tours it stands for, itself among them.
        images: u64,
    },
    /// The search went back: everything beyond the square left behind is exhausted.
    Back {
        /// The square left.
        from: Square,
        /// The square that the knight stands on again; none when another start comes next.
        to: Option<Square>,
    },
    /// Nothing is left.
    Finished,
}

impl StepEvent {
    /// The event as a sentence, squares by their names on `board`.
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

/// What has been counted, in the conventions of the kernel.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ExplainedCounts {
    /// Squares entered.
    pub nodes: u64,
    /// Branches cut, or nodes without a move, whichever the kernel counts.
    pub pruned: u64,
    /// Nodes from which no move was made, tours not among them.
    pub dead_ends: u64,
    /// Tours, images among them.
    pub tours: u64,
    /// Squares left again.
    pub backtracks: u64,
}

/// How it stands with a move from the square the knight stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveStanding {
    /// It will be made next.
    Next,
    /// It will be made later.
    Untried,
    /// It was made, and everything beyond is exhausted.
    Tried,
    /// It is cut by a test or a rule.
    Cut(Reason),
    /// It is no choice here, whatever the tests say.
    Barred(Reason),
    /// The square was visited, as this number of the path.
    Visited(u16),
}

/// A move from the square the knight stands on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move, 0..8, an index into [`MOVES`](crate::board::MOVES).
    pub number: u8,
    /// Where it leads.
    pub square: Square,
    /// Vacant neighbours of that square, Warnsdorff's rank.
    pub rank: u8,
    /// How it stands with it.
    pub standing: MoveStanding,
}

/// A search that is taken step by step.
pub trait Explained: Send {
    /// Takes the next step; after [`StepEvent::Finished`] nothing changes any more.
    fn step(&mut self) -> StepEvent;

    /// What has been counted.
    fn counts(&self) -> ExplainedCounts;

    /// Squares on the path.
    fn depth(&self) -> usize;

    /// The moves from the present square, those to be tried in their order, visited squares last; none before the start.
    fn choices(&self) -> Vec<ExplainedMove>;

    /// Draws the position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// A copy that goes its own way.
    fn fork(&self) -> Box<dyn Explained>;

    /// About how many bytes a copy takes.
    fn bytes(&self) -> usize;
}
