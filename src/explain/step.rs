//! The step of an explained search and its reason, as data and as a sentence, and the trait of such a search.

use crate::board::{Board, MOVE_NAMES, Square, SquareMask, Symmetry};
use crate::search::Drawing;
use crate::words::number_of;

/// What a step did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepEvent {
    /// The search entered a square, a node, by the move `by`, 0..8, an index into [`MOVES`](crate::board::MOVES); `None` for a
    /// start. `rank` is the number of its vacant neighbours.
    Entered { square: Square, by: Option<u8>, rank: u8 },
    /// The search joined two pieces by a move that it chose, a node: at the end `from` of a piece, for this reason, the move
    /// `by`, 0..8, to the square `to`.
    Joined { from: Square, to: Square, by: u8, reason: Reason },
    /// The search fixed the move to `to`, because for this reason nothing else was left for the square `from`.
    Fixed { from: Square, to: Square, reason: Reason },
    /// So few pieces are left that every way to string them to a tour is tried at once.
    Few { pieces: u8 },
    /// The move to the square must be made before all others.
    Forced { square: Square, reason: Reason },
    /// A test or a rule cut the move `by`, 0..8, which would lead to the square.
    Cut { square: Square, by: u8, reason: Reason },
    /// The square just entered has no move to try.
    DeadEnd { square: Square, reason: Reason },
    /// The moves lead to no tour but images, by this symmetry, of tours that another branch finds.
    Image { square: Square, symmetry: Symmetry },
    /// The path is a tour, and stands for `images` tours, itself included. With them `number` tours are counted.
    Tour { number: u64, images: u64 },
    /// The search went back: everything beyond the square `from` is exhausted. The knight stands again on `to`; with `None`
    /// the next start follows.
    Back { from: Square, to: Option<Square> },
    /// The search took back the move that it chose at the end `from`, which led to `to`, and all moves that it forced.
    Undone { from: Square, to: Square },
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
        let (name, why) = (|square: Square| board.name(square), |reason: Reason| reason.sentence(board));
        match *self {
            StepEvent::Entered { square, by: None, .. } => format!("start on {}", name(square)),
            StepEvent::Entered { square, by: Some(by), rank } => {
                format!("{} to {}, rank {rank}", compass(by), name(square))
            }
            StepEvent::Joined { from, to, by, reason } => {
                format!("join {} to {} ({}): {}", name(from), name(to), compass(by), why(reason))
            }
            StepEvent::Fixed { from, to, reason } => format!("{} to {} forced: {}", name(from), name(to), why(reason)),
            StepEvent::Few { pieces: 1 } => "1 piece left: a tour, if a move joins its ends".to_owned(),
            StepEvent::Few { pieces } => {
                format!("{} left: every way to string them together is tried", number_of(pieces, "piece"))
            }
            StepEvent::Forced { square, reason } => format!("{} forced: {}", name(square), why(reason)),
            StepEvent::Cut { square, by, reason } => {
                format!("{} to {} cut: {}", compass(by), name(square), why(reason))
            }
            StepEvent::DeadEnd { square, reason } => format!("dead end on {}: {}", name(square), why(reason)),
            StepEvent::Image { square, symmetry } => {
                format!("end by symmetry on {}: {}", name(square), image(symmetry))
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

/// Why a branch ends by symmetry.
fn image(symmetry: Symmetry) -> String {
    format!("another branch has its tours by {symmetry}")
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
pub enum MoveStatus {
    /// The search will make the move next.
    Next,
    /// The search will make the move later.
    Untried,
    /// The search made the move, and everything beyond is exhausted.
    Tried,
    /// The search made the move, and its branch ended at once.
    Ended(BranchEnd),
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

/// How a branch ended that leads to no tour, or to none that is counted there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchEnd {
    Dead(Reason),
    /// Another branch has its tours, as images by this symmetry.
    Image(Symmetry),
}

impl BranchEnd {
    /// The end as a phrase, with the square names of `board`.
    pub fn sentence(self, board: Board) -> String {
        match self {
            BranchEnd::Dead(reason) => format!("dead end: {}", reason.sentence(board)),
            BranchEnd::Image(symmetry) => format!("end by symmetry: {}", image(symmetry)),
        }
    }
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
    pub status: MoveStatus,
}

/// A level of the search tree: a place at which the search chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreeLevel {
    /// Squares on the path, or moves fixed, before the choice.
    pub depth: usize,
    /// The square at which the search chose; `None` where it chose a start.
    pub at: Option<Square>,
    /// The squares to choose from, in the order in which they are tried.
    pub branches: Vec<(Square, MoveStatus)>,
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

/// A set of squares of a board with at most 128.
pub type SquareSet = u128;

/// Why a step happened, with the squares that matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The square has no vacant neighbour.
    Stuck,
    /// There are vacant neighbours, but all moves to them are cut.
    AllCut,
    /// All squares are visited, but the start (given) is not a knight's move away.
    NotClosed(Square),
    /// The move leaves squares behind, and some of them (given) then have no vacant neighbour.
    Isolated(SquareSet),
    /// The move leaves squares behind (given), and every one of them then has no vacant neighbour.
    AllIsolated(SquareSet),
    /// Vacant squares (given) cannot be reached over vacant squares.
    OutOfReach(SquareSet),
    /// The square is reserved for the last move.
    Reserved,
    /// The only move leads to the square reserved for the last move.
    OnlyReserved,
    /// Another first move is tried; the tours of this one are their images.
    Image,
    /// The tours that begin with this move are found in the other direction.
    OtherWayRound,
    /// The board has no tour from here: some square has too few moves, or the start has the wrong colour.
    NoTour,
    /// The forced square has one exit (given) besides the knight's square.
    OneExit(Square),
    /// Another square (given) must be next.
    Elsewhere(Square),
    /// Several squares (given) have one exit left each. One of them must be next, and the tour can end on at most one
    /// other.
    Stranded(SquareSet),
    /// The square reserved for the last move (given) has no vacant neighbour from which to enter it.
    LastCutOff(Square),
    /// Only the square reserved for the last move (given) is vacant, and it is not a knight's move away.
    LastTooFar(Square),
    /// Several squares (given) have two exits each, and the square that the move leads to is an exit of all of them.
    Claimed(SquareSet),
    /// A square (first) is an exit of several squares (second) with two exits each.
    Crowded(Square, SquareSet),
    /// The end of a piece has this many moves open, and no end has fewer.
    Fewest(u8),
    /// Turned and mirrored images of a tour differ at this end: a choice here leaves one of them to search.
    TellsImages,
    /// The square needs two moves, and only two are left.
    TwoLeft,
    /// The end of a piece needs a move, and only one is left.
    OneLeft,
    /// A square (first) needs this many moves (second), and has only so many (third).
    TooFew(Square, u8, u8),
    /// The last moves of a square (given) would close a ring that is no tour.
    Ring(Square),
    /// No way strings so many pieces to a tour.
    NotStrung(u8),
    /// The four turned copies of the path cannot be strung to a tour.
    FourNotStrung,
    /// The square has both its moves.
    Inside,
    /// The square at which the search looks has both its moves.
    Enough,
    /// The square is the other end of the same piece: the move would close it.
    OwnPiece,
    /// The square is open, but the search does not choose here.
    NoChoice,
    /// The required last square (first) is an exit of several squares (second) with two exits each: each of them would have
    /// to come just before it.
    BeforeLast(Square, SquareSet),
}

impl Reason {
    /// The reason as a phrase without its subject, with the square names of `board`.
    pub fn sentence(self, board: Board) -> String {
        let name = |square: Square| board.name(square);
        match self {
            Reason::Stuck => "no vacant neighbour".to_owned(),
            Reason::AllCut => "every move from it is cut".to_owned(),
            Reason::NotClosed(start) => format!("all squares visited, but {} is no move away", name(start)),
            Reason::Isolated(squares) => format!("{} isolated, no vacant neighbour", names(board, squares)),
            Reason::AllIsolated(squares) => format!("{}, all it leaves behind, isolated", names(board, squares)),
            Reason::OutOfReach(squares) => format!("{} out of reach", names(board, squares)),
            Reason::Reserved => "kept for the last move".to_owned(),
            Reason::OnlyReserved => "no move but to the square kept for the last one".to_owned(),
            Reason::Image => "an image of another first move".to_owned(),
            Reason::OtherWayRound => "found the other way round".to_owned(),
            Reason::NoTour => "no tour from here: colours or corners forbid it".to_owned(),
            Reason::OneExit(exit) => format!("{} is its only other exit", name(exit)),
            Reason::Elsewhere(next) => format!("{} must be next", name(next)),
            Reason::Stranded(squares) => format!("one exit left for each of {}", names(board, squares)),
            Reason::LastCutOff(last) => format!("{}, kept for the last move, is cut off", name(last)),
            Reason::LastTooFar(last) => format!("{}, kept for the last move, is no move away", name(last)),
            Reason::Claimed(squares) => format!("needed by {}, two exits each", names(board, squares)),
            Reason::Fewest(open) => format!("{} open to this end, the fewest of all", number_of(open, "move")),
            Reason::TellsImages => "turned and mirrored tours differ at this end".to_owned(),
            Reason::TwoLeft => "it needs two moves, and has no others".to_owned(),
            Reason::OneLeft => "this end needs a move, and has no other".to_owned(),
            Reason::TooFew(square, needs, has) => {
                format!("{} needs {}, and has {}", name(square), moves(needs), moves(has))
            }
            Reason::Ring(square) => format!("the last moves of {} would close a ring that is no tour", name(square)),
            Reason::NotStrung(1) => "no move joins the ends of the last piece".to_owned(),
            Reason::NotStrung(pieces) => format!("no way strings the {pieces} pieces to a tour"),
            Reason::FourNotStrung => "no way strings the four copies of the path to a tour".to_owned(),
            Reason::Inside => "has both its moves".to_owned(),
            Reason::Enough => "not needed: the square has both its moves".to_owned(),
            Reason::OwnPiece => "would close its piece to a ring".to_owned(),
            Reason::NoChoice => "the search does not choose here".to_owned(),
            Reason::Crowded(square, squares) => {
                format!("{} is needed by {}, two exits each", name(square), names(board, squares))
            }
            Reason::BeforeLast(last, squares) => {
                format!("{} would all have to be just before {}", names(board, squares), name(last))
            }
        }
    }

    /// The moves left to each of the squares that cause the trouble, if the reason is their number.
    pub fn moves_left(self) -> Option<u8> {
        match self {
            Reason::Isolated(_) | Reason::AllIsolated(_) | Reason::LastCutOff(_) => Some(0),
            Reason::Stranded(_) => Some(1),
            Reason::Claimed(_) | Reason::Crowded(..) | Reason::BeforeLast(..) => Some(2),
            Reason::TooFew(_, _, has) => Some(has),
            _ => None,
        }
    }

    /// The squares that cause the trouble.
    pub fn squares(self, board: Board) -> Vec<Square> {
        let set = match self {
            Reason::Isolated(set) | Reason::AllIsolated(set) | Reason::OutOfReach(set) | Reason::Stranded(set) => set,
            Reason::Claimed(set) | Reason::Crowded(_, set) | Reason::BeforeLast(_, set) => set,
            Reason::LastCutOff(square)
            | Reason::LastTooFar(square)
            | Reason::TooFew(square, ..)
            | Reason::Ring(square) => SquareSet::bit(square.index() as usize),
            _ => SquareSet::EMPTY,
        };
        set.iter().filter_map(|square| board.at(square as u32)).collect()
    }
}

/// A number of moves in words.
fn moves(number: u8) -> &'static str {
    match number {
        0 => "none",
        1 => "one move",
        _ => "two moves",
    }
}

/// Names of squares: "c4", "c4 and e5", "c4, e5 and g6"; of many, three and the number of the others.
fn names(board: Board, squares: SquareSet) -> String {
    const NAMES_MAX: usize = 4;
    let all: Vec<String> = squares.iter().filter_map(|square| Some(board.name(board.at(square as u32)?))).collect();
    match all.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [before @ .., last] if all.len() <= NAMES_MAX => format!("{} and {last}", before.join(", ")),
        _ => format!("{} and {} more", all[..NAMES_MAX - 1].join(", "), all.len() + 1 - NAMES_MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_and_many_are_counted() {
        let board: Board = "3x4".parse().unwrap();
        let said = |squares: SquareSet| names(board, squares);
        assert_eq!(said(0b1), "a3");
        assert_eq!(said(0b11), "a3 and b3");
        assert_eq!(said(0b1111), "a3, b3, c3 and d3");
        assert_eq!(said(0b111111), "a3, b3, c3 and 3 more");
        assert_eq!(Reason::Isolated(0b10).sentence(board), "b3 isolated, no vacant neighbour");
    }
}
