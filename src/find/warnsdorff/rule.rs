//! The knight that follows the rule, one move or several at a time, and a board on which many knights follow it in turn.

use super::field::{Field, MoveCourse, Ranks};
use super::ties::{self, Tie, TieBreak};
use crate::board::{Board, Ending, Shape, Square, Symmetry};
use crate::find::attempt::{Attempt, AttemptProgress};
use crate::search::Drawing;
use std::cmp::Ordering;

/// The options of the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleManner {
    /// The tie-break between squares of equal rank.
    pub tie: Tie,
    /// The symmetry that maps the tie-break's order of moves.
    pub mirror: Symmetry,
    /// Number of moves decided at once, 1..=[`HOPS_MAX`].
    pub hops: u32,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl RuleManner {
    /// The plain rule with this tie-break.
    pub fn new(tie: Tie) -> RuleManner {
        RuleManner { tie, mirror: Symmetry::Identity, hops: 1, seed: 0 }
    }
}

/// A knight that follows the rule from one start. The rule does not aim at a closed tour: it closes one by luck.
///
/// ```
/// # use destrier::board::{Board, Ending, Holes};
/// # use destrier::find::{RuleManner, Tie, Warnsdorff, run};
/// let board: Board = "8x8".parse().unwrap();
/// let complete = |name| {
///     let start = board.parse_square(name).unwrap();
///     let knight = Warnsdorff::new(board, Ending::Open, start, RuleManner::new(Tie::Kurapati));
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
    /// Later orders of moves, the next one last, each with the cell of the switch square that starts it.
    later_orders: Vec<(usize, MoveCourse)>,
    ties: TieBreak,
    hops: u32,
    /// The moves decided and not yet made, the next one last.
    next_moves: Vec<u8>,
    state: KnightState,
}

/// The state of a knight that follows a rule and takes no move back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum KnightState {
    /// Before its start.
    Fresh,
    /// On its way, with the ranks of the squares around it.
    Going(Ranks),
    /// At the end of its path.
    Over,
}

impl Warnsdorff {
    /// A knight before its first square.
    ///
    /// # Panics
    /// When `start` is a hole, or `hops` is 0 or above [`HOPS_MAX`].
    pub fn new(shape: impl Into<Shape>, ending: Ending, start: Square, manner: RuleManner) -> Warnsdorff {
        let shape = shape.into();
        assert!(shape.has(start), "a knight cannot start in a hole");
        assert!((1..=HOPS_MAX).contains(&manner.hops), "1 to {HOPS_MAX} hops, not {}", manner.hops);
        let field = Field::new(shape, start);
        let course = field.course(ties::order(manner.tie, manner.mirror));
        let ties = TieBreak::new(manner.tie, manner.seed);
        let (hops, state) = (manner.hops, KnightState::Fresh);
        let (later_orders, next_moves) = (Vec::new(), Vec::new());
        Warnsdorff { field, ending, start, course, later_orders, ties, hops, next_moves, state }
    }

    /// A knight before its first square, which takes the first of equal squares in an order of moves that changes on the way: each
    /// order but the first starts on its switch square, or never where it has none.
    pub(in crate::find) fn by_orders(board: Board, start: Square, orders: &[(Option<Square>, [u8; 8])]) -> Warnsdorff {
        let mut knight = Warnsdorff::new(board, Ending::Open, start, RuleManner::new(Tie::Fixed));
        let field = &knight.field;
        let order = |&(switch, codes): &(Option<Square>, [u8; 8])| {
            (switch.map_or(usize::MAX, |switch| field.cell(switch)), field.course(codes))
        };
        knight.later_orders = orders.iter().rev().map(order).collect();
        if let Some((_, first)) = knight.later_orders.pop() {
            knight.course = first;
        }
        knight
    }

    /// Moves for at most `nodes` squares from a square with `ranks` around it; returns the number of squares, and the ranks
    /// around the last one.
    fn follow_rule(&mut self, ranks: Ranks, nodes: u64) -> (u64, Ranks) {
        let Warnsdorff { field, course, ties, hops, .. } = self;
        match *hops {
            _ if !self.later_orders.is_empty() => self.follow_orders(ranks, nodes),
            1 if ties.takes_the_first() => field.follow(course, ranks, nodes, |_, _, ranks| ranks.first(), |_| false),
            1 => {
                let pick = |field: &Field, here, ranks: Ranks| ties.pick(field, here, course, ranks.lowest());
                field.follow(course, ranks, nodes, pick, |_| false)
            }
            _ => self.follow_hops(ranks, nodes),
        }
    }

    /// Does what [`Warnsdorff::follow_rule`] does, while later orders are left: the next one becomes current on its switch square.
    fn follow_orders(&mut self, mut ranks: Ranks, nodes: u64) -> (u64, Ranks) {
        let mut moves = 0;
        while moves < nodes && !ranks.is_empty() {
            let switch = self.later_orders.last().map_or(usize::MAX, |&(cell, _)| cell);
            let (first, stop) = (|_: &Field, _, ranks: Ranks| ranks.first(), |here| here == switch);
            let (more, left) = self.field.follow(&self.course, ranks, nodes - moves, first, stop);
            (moves, ranks) = (moves + more, left);
            if self.field.here == switch
                && let Some((_, next)) = self.later_orders.pop()
            {
                ranks = ranks.reordered(&self.course, &next);
                self.course = next;
            }
        }
        (moves, ranks)
    }

    /// Does what [`Warnsdorff::follow_rule`] does, with several moves decided at once.
    fn follow_hops(&mut self, mut ranks: Ranks, nodes: u64) -> (u64, Ranks) {
        let Warnsdorff { field, course, ties, hops, next_moves, .. } = self;
        let mut moves = 0;
        while moves < nodes && !ranks.is_empty() {
            if next_moves.is_empty() {
                decide(field, course, ranks, *hops, ties, next_moves);
            }
            let Some(k) = next_moves.pop() else { unreachable!("there is a move, so one was decided") };
            field.make_move(course, k.into());
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
        let (moves, ranks) = self.follow_rule(ranks, nodes);
        *entered += moves;
        if !ranks.is_empty() {
            self.state = KnightState::Going(ranks);
            return AttemptProgress::Going;
        }
        self.state = KnightState::Over;
        let closes = || self.field.board.adjacent(self.field.square(), self.start);
        if self.field.is_full() && (self.ending == Ending::Open || closes()) {
            return AttemptProgress::Found(self.field.path());
        }
        AttemptProgress::GivenUp
    }

    fn depth(&self) -> usize {
        if self.state == KnightState::Fresh { 0 } else { self.field.visited as usize }
    }

    fn draw(&self, drawing: &mut Drawing) {
        self.field.draw(drawing);
    }
}

/// A board on which one knight after another follows the plain rule; among equal squares the first move of an order wins.
/// It serves callers that need only the lengths of the paths. One copy resets the board between two knights.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::find::RuleKnights;
/// let board: Board = "8x8".parse().unwrap();
/// let mut knights = RuleKnights::new(board, [5, 4, 2, 3, 7, 6, 0, 1]);
/// assert_eq!(board.all().filter(|&start| knights.count_visits(start) == 64).count(), 63);
/// ```
pub struct RuleKnights {
    blank: Field,
    field: Field,
    course: MoveCourse,
}

impl RuleKnights {
    /// A board for knights that compare the moves in the order `codes`.
    pub fn new(board: Board, codes: [u8; 8]) -> RuleKnights {
        let blank = Field::blank(board);
        let course = blank.course(codes);
        RuleKnights { field: blank.clone(), blank, course }
    }

    /// Sets the order in which the next knights compare the moves.
    pub fn set_order(&mut self, codes: [u8; 8]) {
        self.course = self.blank.course(codes);
    }

    /// The number of squares that the knight from `start` visits.
    pub fn count_visits(&mut self, start: Square) -> u32 {
        let RuleKnights { blank, field, course } = self;
        field.reset(blank, start);
        let ranks = field.look(course);
        field.follow(course, ranks, u64::MAX, |_, _, ranks| ranks.first(), |_| false);
        field.visited
    }
}

/// Most moves decided at once; each further move makes the decision take about three times as long.
pub const HOPS_MAX: u32 = 6;

/// What compares two ways; the best grade is the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Grade {
    /// Whether the way ends before every square is visited and no move leads onward.
    dead_end: bool,
    /// Number of moves by which the way is too short.
    short_by: usize,
    /// The ranks met on the way, three bits each, the first one in the highest bits.
    ranks: u32,
}

/// Moves as positions in the course.
type CourseMoves = [u8; HOPS_MAX as usize];

/// Decides up to `hops` moves from a square with `ranks` around it, at least one of them open. Appends the moves to
/// `next_moves`, the first one last.
pub fn decide(
    field: &mut Field,
    course: &MoveCourse,
    ranks: Ranks,
    hops: u32,
    ties: &mut TieBreak,
    next_moves: &mut Vec<u8>,
) {
    let hops = hops as usize;
    let best = Grade { dead_end: true, short_by: usize::MAX, ranks: u32::MAX };
    let mut search = HopSearch { field, course, hops, way: CourseMoves::default(), best, ways: Vec::new() };
    search.extend(ranks, 0, 0);
    let HopSearch { field, best, mut ways, .. } = search;
    let length = hops - best.short_by;
    for i in 0..length {
        let left = ways.iter().fold(0, |moves, way| moves | 1 << way[i]);
        let k = ties.pick(field, field.here, course, left);
        ways.retain(|way| usize::from(way[i]) == k);
        next_moves.push(k as u8);
        field.make_move(course, k);
        field.look(course);
    }
    for _ in 0..length {
        field.undo_move(course);
    }
    next_moves.reverse();
}

/// Walks every way of up to `hops` moves.
struct HopSearch<'a> {
    field: &'a mut Field,
    course: &'a MoveCourse,
    hops: usize,
    way: CourseMoves,
    best: Grade,
    /// The ways found so far that have the best grade.
    ways: Vec<CourseMoves>,
}

impl HopSearch<'_> {
    /// Extends the way, whose first `length` moves are made and whose last square has the ranks `around`; `ranks` holds the
    /// ranks met so far.
    fn extend(&mut self, around: Ranks, length: usize, ranks: u32) {
        let over = around.is_empty();
        if over || length == self.hops {
            let dead_end = over && !self.field.is_full();
            // The ranks of a shorter way are compared only with those of a way of equal length.
            let grade = Grade { dead_end, short_by: self.hops - length, ranks };
            match grade.cmp(&self.best) {
                Ordering::Less => (self.best, self.ways) = (grade, vec![self.way]),
                Ordering::Equal => self.ways.push(self.way),
                Ordering::Greater => {}
            }
            return;
        }
        for (k, rank) in around.iter() {
            self.way[length] = k as u8;
            self.field.make_move(self.course, k);
            let around = self.field.look(self.course);
            self.extend(around, length + 1, ranks << 3 | rank);
            self.field.undo_move(self.course);
        }
    }
}
