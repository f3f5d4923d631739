//! The rule applied: a knight that follows it from its start.

use super::field::{Field, MoveCourse, Ranks};
use super::hops::{self, HOPS_MAX};
use super::ties::{self, TieBreak};
use crate::board::{Board, Ending, Holes, Square, Symmetry};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::find::tie::Tie;
use crate::search::Drawing;

/// How the rule is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleManner {
    /// What decides between squares of the same rank.
    pub tie: Tie,
    /// The tie-break's order of moves is seen in this mirror.
    pub mirror: Symmetry,
    /// Moves decided per look-ahead, 1..=[`HOPS_MAX`].
    pub hops: u32,
    /// Where random numbers begin.
    pub seed: u64,
}

impl RuleManner {
    /// The plain rule with this tie-break.
    pub fn new(tie: Tie) -> RuleManner {
        RuleManner { tie, mirror: Symmetry::Identity, hops: 1, seed: 0 }
    }
}

/// A knight that follows the rule from one start; a closed tour is one by luck.
///
/// ```
/// # use destrier::board::{Board, Ending, Holes};
/// # use destrier::find::{RuleManner, Tie, Warnsdorff, run};
/// let board: Board = "8x8".parse().unwrap();
/// let complete = |name| {
///     let start = board.parse_square(name).unwrap();
///     let knight = Warnsdorff::new(board, &Holes::none(), Ending::Open, start, RuleManner::new(Tie::Kurapati));
///     run(&mut { knight }).0.is_some()
/// };
/// assert!(complete("a8"));
/// assert!(!complete("c8"));
/// ```
pub struct Warnsdorff {
    pub(super) field: Field,
    ending: Ending,
    start: Square,
    course: MoveCourse,
    ties: TieBreak,
    hops: u32,
    /// Moves decided, the next one last.
    decided: Vec<u8>,
    state: KnightState,
}

/// Where a knight that follows a rule without taking anything back is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnightState {
    /// Not yet on its start.
    Fresh,
    /// On its way; these are the ranks around it.
    Going(Ranks),
    /// At its end.
    Over,
}

impl KnightState {
    /// Squares on the path.
    pub fn depth(self, field: &Field) -> usize {
        if self == KnightState::Fresh { 0 } else { field.visited() as usize }
    }
}

impl Warnsdorff {
    /// A knight before its first square.
    ///
    /// # Panics
    /// When `start` is a hole, or `hops` is 0 or above [`HOPS_MAX`].
    pub fn new(board: Board, holes: &Holes, ending: Ending, start: Square, manner: RuleManner) -> Warnsdorff {
        assert!(!holes.contains(start), "a knight cannot start in a hole");
        assert!((1..=HOPS_MAX).contains(&manner.hops), "1 to {HOPS_MAX} hops, not {}", manner.hops);
        let field = Field::new(board, holes, start);
        let course = field.course(ties::order(manner.tie, manner.mirror));
        let ties = TieBreak::new(manner.tie, manner.seed);
        let decided = Vec::new();
        let (hops, state) = (manner.hops, KnightState::Fresh);
        Warnsdorff { field, ending, start, course, ties, hops, decided, state }
    }

    /// Goes on from a square with these ranks around it for at most `nodes` squares; answers how many there were, and
    /// the ranks at the last one.
    fn go_on(&mut self, ranks: Ranks, nodes: u64) -> (u64, Ranks) {
        let Warnsdorff { field, course, ties, hops, .. } = self;
        match *hops {
            1 if ties.takes_the_first() => field.follow(course, ranks, nodes, |_, _, ranks| ranks.first(), |_| false),
            1 => {
                let pick = |field: &Field, here, ranks: Ranks| ties.pick(field, here, course, ranks.lowest());
                field.follow(course, ranks, nodes, pick, |_| false)
            }
            _ => self.hop_on(ranks, nodes),
        }
    }

    /// The same with several moves per look-ahead.
    fn hop_on(&mut self, mut ranks: Ranks, nodes: u64) -> (u64, Ranks) {
        let Warnsdorff { field, course, ties, hops, decided, .. } = self;
        let mut moves = 0;
        while moves < nodes && !ranks.is_empty() {
            if decided.is_empty() {
                hops::decide(field, course, ranks, *hops, ties, decided);
            }
            let Some(k) = decided.pop() else { unreachable!("there is a move, so one was decided") };
            field.go(course, k.into());
            ranks = field.look(course);
            moves += 1;
        }
        (moves, ranks)
    }
}

impl Attempt for Warnsdorff {
    fn advance(&mut self, mut nodes: u64, entered: &mut u64) -> AttemptProgress {
        let ranks = match self.state {
            KnightState::Over => return AttemptProgress::GivenUp,
            KnightState::Going(ranks) => ranks,
            KnightState::Fresh => {
                nodes -= 1;
                *entered += 1;
                self.field.look(&self.course)
            }
        };
        let (moves, ranks) = self.go_on(ranks, nodes);
        *entered += moves;
        if !ranks.is_empty() {
            self.state = KnightState::Going(ranks);
            return AttemptProgress::Going;
        }
        self.state = KnightState::Over;
        let closes = || self.field.board().adjacent(self.field.square(), self.start);
        if self.field.is_full() && (self.ending == Ending::Open || closes()) {
            return AttemptProgress::Found(self.field.path());
        }
        AttemptProgress::GivenUp
    }

    fn depth(&self) -> usize {
        self.state.depth(&self.field)
    }

    fn draw(&self, drawing: &mut Drawing) {
        self.field.draw(drawing);
    }
}

/// A board on which one knight after the other follows the plain rule; the first move of an order decides ties.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::find::RuleKnights;
/// let board: Board = "8x8".parse().unwrap();
/// let mut knights = RuleKnights::new(board, [5, 4, 2, 3, 7, 6, 0, 1]);
/// assert_eq!(board.all().filter(|&start| knights.visits(start) == 64).count(), 63);
/// ```
pub struct RuleKnights {
    blank: Field,
    field: Field,
    course: MoveCourse,
}

impl RuleKnights {
    /// A board for knights that compare the moves of these codes in this order.
    pub fn new(board: Board, codes: [u8; 8]) -> RuleKnights {
        let blank = Field::blank(board, &Holes::none());
        let course = blank.course(codes);
        RuleKnights { field: blank.clone(), blank, course }
    }

    /// From now on they compare the moves in this order.
    pub fn compare_in(&mut self, codes: [u8; 8]) {
        self.course = self.blank.course(codes);
    }

    /// How many squares the knight from here visits.
    pub fn visits(&mut self, start: Square) -> u32 {
        let RuleKnights { blank, field, course } = self;
        field.renew(blank, start);
        let ranks = field.look(course);
        field.follow(course, ranks, u64::MAX, |_, _, ranks| ranks.first(), |_| false);
        field.visited()
    }
}
