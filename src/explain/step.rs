//! The step of an explained search, as data and as a sentence, and the trait of such a search.

use super::reason::Reason;
use crate::board::{Board, MOVE_NAMES, Square};
use crate::search::Drawing;
use crate::words::number_of;

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
    /// The search joined two pieces by a move that it chose: a node.
    Joined {
        /// The end of a piece from which the search chose.
        from: Square,
        /// The square that the move leads to.
        to: Square,
        /// The move, 0..8.
        by: u8,
        /// Why the search chose at this end.
        reason: Reason,
    },
    /// The search fixed a move, because nothing else was left for a square.
    Fixed {
        /// The square that needs the move.
        from: Square,
        /// The square that the move leads to.
        to: Square,
        /// Why there is no other move.
        reason: Reason,
    },
    /// So few pieces are left that every way to string them to a tour is tried at once.
    Few { pieces: u8 },
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
    /// The search took back a chosen move, and all moves that it forced.
    Undone {
        /// The end from which the move was chosen.
        from: Square,
        /// The square that it led to.
        to: Square,
    },
    /// The search is complete.
    Finished,
}

impl StepEvent {
    /// Whether the search entered a node.
    pub fn enters(&self) -> bool {
        matches!(self, StepEvent::Entered { .. } | StepEvent::Joined { .. })
    }

    /// The event as a sentence, with the square names of `board`.
    pub fn sentence(&self, board: Board) -> String {
        let name = |square: Square| board.name(square);
        match *self {
            StepEvent::Entered { square, by: None, .. } => format!("start on {}", name(square)),
            StepEvent::Entered { square, by: Some(by), rank } => {
                format!("{} to {}, rank {rank}", compass(by), name(square))
            }
            StepEvent::Joined { from, to, by, reason } => {
                format!("join {} to {} ({}): {}", name(from), name(to), compass(by), reason.sentence(board))
            }
            StepEvent::Fixed { from, to, reason } => {
                format!("{} to {} forced: {}", name(from), name(to), reason.sentence(board))
            }
            StepEvent::Few { pieces: 1 } => "1 piece left: a tour, if a move joins its ends".to_owned(),
            StepEvent::Few { pieces } => {
                format!("{} left: every way to string them together is tried", number_of(pieces, "piece"))
            }
            StepEvent::Forced { square, reason } => format!("{} forced: {}", name(square), reason.sentence(board)),
            StepEvent::Cut { square, by, reason } => {
                format!("{} to {} cut: {}", compass(by), name(square), reason.sentence(board))
            }
            StepEvent::DeadEnd { square, reason } => {
                format!("dead end on {}: {}", name(square), reason.sentence(board))
            }
            StepEvent::Tour { number, images: 1 } => format!("tour {number}"),
            StepEvent::Tour { number, images } => {
                format!("tours {} to {number}: this one, and those that follow from it", number + 1 - images)
            }
            StepEvent::Back { from, to: Some(to) } => format!("back to {}: {} is exhausted", name(to), name(from)),
            StepEvent::Back { from, to: None } => format!("back: every way from {} is exhausted", name(from)),
            StepEvent::Undone { from, to } => format!("back: {} to {} is exhausted", name(from), name(to)),
            StepEvent::Finished => "finished: everything has been searched".to_owned(),
        }
    }
}

/// The name of a move by the compass.
fn compass(by: u8) -> &'static str {
    MOVE_NAMES.get(usize::from(by)).copied().unwrap_or_default()
}

/// The counts of an explained search, in the conventions of its kernel.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ExplainedCounts {
    /// Nodes: squares entered, or moves chosen.
    pub nodes: u64,
    /// Branches cut, or nodes without a move, whichever the kernel counts.
    pub pruned: u64,
    /// Nodes from which no move was made, without tours.
    pub dead_ends: u64,
    /// Tours, images included.
    pub tours: u64,
    /// Nodes left again.
    pub backtracks: u64,
}

impl ExplainedCounts {
    /// Counts what an event says, but for the branches cut, which every kernel counts in its own way.
    pub(super) fn add(&mut self, event: &StepEvent) {
        match event {
            StepEvent::Entered { .. } | StepEvent::Joined { .. } => self.nodes += 1,
            StepEvent::DeadEnd { .. } => self.dead_ends += 1,
            StepEvent::Tour { images, .. } => self.tours += images,
            StepEvent::Back { .. } | StepEvent::Undone { .. } => self.backtracks += 1,
            _ => {}
        }
    }
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
    /// The search made the move, and it led to a dead end at once.
    DeadEnd(Reason),
    /// The search made the move, and the position shown lies beyond.
    Taken,
    /// The move comes before the way to the position at which the view began: it was searched before, or by another worker.
    Passed,
    /// A test or a rule cut the move.
    Cut(Reason),
    /// The move is no choice here, whatever the tests say.
    Barred(Reason),
    /// The square of the move is already visited, with this number on the path.
    Visited(u16),
    Fixed,
}

/// A move from the square at which the search chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move, 0..8, an index into [`MOVES`](crate::board::MOVES).
    pub number: u8,
    /// The square it leads to.
    pub square: Square,
    /// Number of vacant neighbours of that square, Warnsdorff's rank; for pieces, the moves open to the square.
    pub rank: u8,
    /// The state of the move.
    pub standing: MoveStanding,
}

/// A level of the search tree: a place at which the search chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeLevel {
    /// Squares on the path, or moves fixed, before the choice.
    pub depth: usize,
    /// The square at which the search chose; `None` where it chose a start.
    pub at: Option<Square>,
    /// The squares to choose from, in the order in which they are tried.
    pub branches: Vec<(Square, MoveStanding)>,
}

/// A search that is taken step by step.
pub trait Explained: Send {
    /// Takes the next step. After [`StepEvent::Finished`] the search no longer changes.
    fn step(&mut self) -> StepEvent;

    /// The counts so far.
    fn counts(&self) -> ExplainedCounts;

    /// Number of squares on the path, or of moves fixed.
    fn depth(&self) -> usize;

    fn depth_of_tour(&self) -> usize;

    /// The square whose moves [`choices`](Explained::choices) lists; `None` before the start.
    fn focus(&self) -> Option<Square>;

    /// The moves from the focus: first those to try, in their order, then those that are no choice. Empty before the start.
    fn choices(&self) -> Vec<ExplainedMove>;

    /// Why the search never cuts a move, as a phrase; `None` if it may cut one.
    fn cuts_nothing(&self) -> Option<&'static str>;

    /// Whether the search fixes moves anywhere on the board, which make pieces, and does not extend one path.
    fn has_pieces(&self) -> bool {
        false
    }

    /// Number of levels of the tree on the way to the position.
    fn levels(&self) -> usize;

    /// The levels of the tree on the way to the position, the deepest last, at most `most` of them.
    fn tree(&self, most: usize) -> Vec<TreeLevel>;

    /// Draws the position into `drawing`.
    fn draw(&self, drawing: &mut Drawing);

    /// Leads the search, which must not have taken a step yet, straight to the position `to`: of the branches on the way it
    /// enters no other.
    fn lead(&mut self, to: &Drawing);

    /// Whether the next step still leads to that position.
    fn is_led(&self) -> bool;

    /// A copy that is stepped independently.
    fn fork(&self) -> Box<dyn Explained>;

    /// Approximate size of a copy in bytes.
    fn bytes(&self) -> usize;
}
