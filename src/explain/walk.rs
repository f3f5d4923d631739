//! The walk through the tree: depth first, one step at a time.
//!
//! The walk stores only the path and, for each of its squares, the index of its move among the moves of its parent.
//! When the walk returns to a square, the rules judge its moves again. So a copy is small and determines all further
//! steps. The plainest rules, those of the search that tries every move, stand at the end.

use super::step::{Explained, ExplainedCounts, ExplainedMove, MoveStatus, Reason, StepEvent, TreeLevel};
use super::trail::Trail;
use crate::board::{Ending, Shape, Square};
use crate::search::Drawing;
use std::sync::Arc;

/// The verdict of the rules on a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveFate {
    /// The search makes the move.
    Made,
    /// The search makes the move, and few or no other moves are possible.
    Forced(Reason),
    /// A test or a rule cuts the move.
    Cut(Reason),
    /// The move was no choice from the beginning.
    Barred(Reason),
}

/// A vacant square to which the knight could go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CandidateSquare {
    /// The move, 0..8.
    pub number: u8,
    /// The square it leads to.
    pub square: Square,
    /// The verdict on this move.
    pub(super) fate: MoveFate,
}

/// The verdict of the rules on the square just entered.
#[derive(Clone, Debug, Default)]
pub struct RuleVerdict {
    /// The moves in the order in which the search tries them.
    pub candidates: Vec<CandidateSquare>,
    /// Number of tours that the path stands for, when it is a tour.
    pub tours: Option<u64>,
    /// Why the square is a dead end, when the cause is neither a lack of vacant neighbours nor that all moves are cut.
    pub dead: Option<Reason>,
}

impl RuleVerdict {
    /// Allows all moves from the head of the trail, in the order of [`MOVES`](crate::board::MOVES).
    pub fn all(trail: &Trail) -> RuleVerdict {
        let exits = trail.head().into_iter().flat_map(|head| trail.exits(head));
        let candidates =
            exits.map(|(number, square)| CandidateSquare { number, square, fate: MoveFate::Made }).collect();
        RuleVerdict { candidates, ..RuleVerdict::default() }
    }
}

/// Sorts moves by their squares on the board.
pub(super) fn by_square(moves: &mut [CandidateSquare]) {
    moves.sort_by_key(|candidate| candidate.square);
}

/// The plain rules of a search. The rules are pure: a trail and a memo determine the verdict.
pub trait ExplainedRules: Clone + Send + Sync + 'static {
    /// What the rules remember of a path besides its squares.
    type Memo: Copy + Send + 'static;

    /// Whether the kernel counts an event as pruned.
    const PRUNED: fn(&StepEvent) -> bool;

    /// The starts in their order.
    fn starts(&self) -> Vec<(Square, Self::Memo)>;

    /// The memo of `trail`, whose last square was just entered, from the memo `before` that square.
    fn arrive(&self, _trail: &Trail, before: Self::Memo) -> Self::Memo {
        before
    }

    /// Judges the moves from the last square of `trail`.
    fn judge(&self, trail: &Trail, memo: Self::Memo) -> RuleVerdict;

    /// The square reserved for the last move.
    fn reserved(&self, _memo: Self::Memo) -> Option<Square> {
        None
    }

    /// Why no move is ever cut, as a phrase; `None` if one may be cut.
    fn cuts_nothing(&self) -> Option<&'static str> {
        None
    }

    /// Number of moves onward from `square`, as the search counts them.
    fn rank(&self, trail: &Trail, square: Square) -> u8 {
        trail.rank(square)
    }

    /// Draws the path.
    fn draw(&self, trail: &Trail, reserved: Option<Square>, drawing: &mut Drawing) {
        drawing.path(trail.way().iter().map(|square| square.index()), reserved.map(Square::index));
    }
}

/// A square of the path.
#[derive(Clone, Copy, Debug)]
struct PathLevel<M> {
    /// Index among the moves of its parent, or among the starts.
    ordinal: usize,
    memo: M,
}

/// A search by the rules `R`, taken step by step.
#[derive(Clone, Debug)]
pub struct ExplainedWalk<R: ExplainedRules> {
    rules: Arc<R>,
    trail: Trail,
    levels: Vec<PathLevel<R::Memo>>,
    /// The verdict on the head.
    verdict: RuleVerdict,
    /// Index of the next move, or start, to try.
    next: usize,
    /// Number of events given since the head was entered.
    announced: usize,
    /// The path to which the search is led; empty if it is led nowhere.
    lead: Arc<[Square]>,
    counts: ExplainedCounts,
}

impl<R: ExplainedRules> ExplainedWalk<R> {
    /// A search by `rules` before its first step.
    pub fn new(trail: Trail, rules: R) -> ExplainedWalk<R> {
        let (rules, lead) = (Arc::new(rules), Arc::default());
        let (verdict, counts) = (RuleVerdict::default(), ExplainedCounts::default());
        let mut walk = ExplainedWalk { rules, trail, levels: Vec::new(), verdict, next: 0, announced: 0, lead, counts };
        walk.judge();
        walk
    }

    fn judge(&mut self) {
        self.verdict = self.verdict_on(&self.trail, self.levels.last());
    }

    /// The verdict on the moves from the end of a path with this last level; on the starts, from the empty path.
    fn verdict_on(&self, trail: &Trail, last: Option<&PathLevel<R::Memo>>) -> RuleVerdict {
        if let Some(last) = last {
            return self.rules.judge(trail, last.memo);
        }
        let start = |(square, _)| CandidateSquare { number: 0, square, fate: MoveFate::Made };
        RuleVerdict { candidates: self.rules.starts().into_iter().map(start).collect(), ..RuleVerdict::default() }
    }

    /// The next event about the square just entered, if there is one.
    fn announce(&mut self) -> Option<StepEvent> {
        let RuleVerdict { candidates, tours, dead } = &self.verdict;
        let square = self.trail.head()?;
        let cuts = candidates.iter().filter_map(|&CandidateSquare { number: by, square, fate }| match fate {
            MoveFate::Forced(reason) => Some(StepEvent::Forced { square, reason }),
            MoveFate::Cut(reason) => Some(StepEvent::Cut { square, by, reason }),
            MoveFate::Made | MoveFate::Barred(_) => None,
        });
        let tour = tours.map(|images| StepEvent::Tour { number: self.counts.tours + images, images });
        let stays = !candidates.iter().any(|candidate| candidate.fate.is_made());
        let reason = dead.unwrap_or(if candidates.is_empty() { Reason::Stuck } else { Reason::AllCut });
        let end = (stays && tours.is_none()).then_some(StepEvent::DeadEnd { square, reason });
        let event = cuts.chain(tour).chain(end).nth(self.announced)?;
        self.announced += 1;
        Some(event)
    }

    /// Enters the next square, if there is one.
    fn enter(&mut self) -> Option<StepEvent> {
        let candidates = &self.verdict.candidates;
        let from = self.next.max(self.passed(self.trail.depth(), candidates));
        let ordinal = (from..candidates.len()).find(|&ordinal| candidates[ordinal].fate.is_made())?;
        let CandidateSquare { number, square, .. } = candidates[ordinal];
        self.trail.enter(square);
        let before = self.levels.last().map(|level| level.memo);
        let start = || self.rules.starts()[ordinal].1;
        let memo = before.map_or_else(start, |before| self.rules.arrive(&self.trail, before));
        let by = before.map(|_| number);
        self.levels.push(PathLevel { ordinal, memo });
        (self.next, self.announced) = (0, 0);
        self.judge();
        Some(StepEvent::Entered { square, by, rank: self.rules.rank(&self.trail, square) })
    }

    fn back(&mut self) -> Option<StepEvent> {
        let level = self.levels.pop()?;
        let from = self.trail.leave()?;
        // All events about this square were given when it was entered.
        (self.next, self.announced) = (level.ordinal + 1, usize::MAX);
        self.judge();
        Some(StepEvent::Back { from, to: self.trail.head() })
    }

    /// Number of squares, of those to which the search can go at this depth, that it passes over to be led.
    fn passed(&self, depth: usize, candidates: &[CandidateSquare]) -> usize {
        let way = &self.trail.way()[..depth];
        let wanted = self.lead.get(depth).filter(|_| self.lead.starts_with(way));
        let is = |&wanted: &Square| candidates.iter().position(|candidate| candidate.square == wanted);
        wanted.and_then(is).unwrap_or(0)
    }

    /// The state of each of the squares to which the search can go at this depth. `next` is the first one not tried, and
    /// `taken` says that the position shown lies beyond the one before it.
    fn statuses(
        &self,
        depth: usize,
        candidates: &[CandidateSquare],
        next: usize,
        taken: bool,
    ) -> Vec<(Square, MoveStatus)> {
        let passed = self.passed(depth, candidates);
        let mut is_next = !taken;
        let status = |(ordinal, &CandidateSquare { square, fate, .. }): (usize, &CandidateSquare)| {
            let status = match fate {
                MoveFate::Cut(reason) => MoveStatus::Cut(reason),
                MoveFate::Barred(reason) => MoveStatus::Barred(reason),
                _ if ordinal < passed => MoveStatus::Passed,
                _ if taken && ordinal + 1 == next => MoveStatus::Taken,
                _ if ordinal < next => MoveStatus::Tried,
                _ if std::mem::take(&mut is_next) => MoveStatus::Next,
                _ => MoveStatus::Untried,
            };
            (square, status)
        };
        candidates.iter().enumerate().map(status).collect()
    }
}

impl MoveFate {
    /// Whether the search makes the move.
    fn is_made(self) -> bool {
        matches!(self, MoveFate::Made | MoveFate::Forced(_))
    }
}

impl<R: ExplainedRules> Explained for ExplainedWalk<R> {
    fn step(&mut self) -> StepEvent {
        let event = self.announce().or_else(|| self.enter()).or_else(|| self.back()).unwrap_or(StepEvent::Finished);
        self.counts.add(&event);
        self.counts.pruned += u64::from((R::PRUNED)(&event));
        event
    }

    fn counts(&self) -> ExplainedCounts {
        self.counts
    }

    fn depth(&self) -> usize {
        self.trail.depth()
    }

    fn depth_of_tour(&self) -> usize {
        self.trail.depth_of_whole()
    }

    fn focus(&self) -> Option<Square> {
        self.trail.head()
    }

    fn choices(&self) -> Vec<ExplainedMove> {
        let Some(head) = self.trail.head() else { return Vec::new() };
        let shown = |number, square, status| {
            let rank = self.rules.rank(&self.trail, square);
            ExplainedMove { number, square, rank, status }
        };
        let candidates = &self.verdict.candidates;
        let statuses = self.statuses(self.trail.depth(), candidates, self.next, false);
        let choices = candidates.iter().zip(statuses);
        let choices = choices.map(|(candidate, (_, status))| shown(candidate.number, candidate.square, status));
        let mut choices: Vec<ExplainedMove> = choices.collect();
        choices.extend((0..8).filter_map(|number| {
            let square = self.trail.board().step(head, usize::from(number))?;
            let status = MoveStatus::Visited(self.trail.number(square)?);
            Some(shown(number, square, status))
        }));
        choices
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        self.rules.cuts_nothing()
    }

    fn levels(&self) -> usize {
        self.trail.depth() + 1
    }

    fn tree(&self, most: usize) -> Vec<TreeLevel> {
        let (mut trail, mut verdict, mut next) = (self.trail.clone(), self.verdict.clone(), self.next);
        let mut levels = Vec::new();
        for taken in [false].into_iter().chain(std::iter::repeat(true)).take(most) {
            let depth = trail.depth();
            let branches = self.statuses(depth, &verdict.candidates, next, taken);
            levels.push(TreeLevel { depth, at: trail.head(), branches });
            if trail.leave().is_none() {
                break;
            }
            next = self.levels[depth - 1].ordinal + 1;
            verdict = self.verdict_on(&trail, depth.checked_sub(2).map(|above| &self.levels[above]));
        }
        levels.reverse();
        levels
    }

    fn draw(&self, drawing: &mut Drawing) {
        let reserved = self.levels.last().and_then(|level| self.rules.reserved(level.memo));
        let reserved = reserved.filter(|&square| self.trail.is_vacant(square));
        self.rules.draw(&self.trail, reserved, drawing);
    }

    fn lead(&mut self, to: &Drawing) {
        let path = to.chains.first().filter(|_| to.skipped == 0);
        let squares = path.into_iter().flatten().filter_map(|&square| self.trail.board().at(square));
        self.lead = squares.collect();
    }

    fn is_led(&self) -> bool {
        let (way, depth) = (self.trail.way(), self.trail.depth());
        let wanted = self.lead.get(depth).filter(|_| self.next == 0 && self.lead.starts_with(way));
        let made = || self.verdict.candidates.iter().filter(|candidate| candidate.fate.is_made());
        wanted.is_some_and(|&wanted| made().any(|candidate| candidate.square == wanted))
    }

    fn fork(&self) -> Box<dyn Explained> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        let level = size_of::<PathLevel<R::Memo>>() + size_of::<Square>();
        size_of::<Self>() + 2 * self.trail.board().squares() as usize + self.trail.depth() * level + 8 * 48
    }
}

/// The rules of a search that tries every move: they differ in the order of the moves, for which `S` sorts them.
#[derive(Clone)]
pub struct PlainRules<S> {
    shape: Shape,
    ending: Ending,
    start: Option<Square>,
    sort: S,
}

impl<S: Fn(&Trail, &mut [CandidateSquare])> PlainRules<S> {
    /// The rules of a search for tours of `shape` from `start`; without a start, open tours from every square in turn and
    /// closed tours from the first square.
    pub fn new(shape: impl Into<Shape>, ending: Ending, start: Option<Square>, sort: S) -> PlainRules<S> {
        PlainRules { shape: shape.into(), ending, start, sort }
    }
}

/// The rules of [`Brute`](crate::search::Brute).
///
/// # Source
/// Cameron Carter, "PCSE Final Project", 2016, section 2.1 Brute Force.
pub fn brute_rules(shape: impl Into<Shape>, start: Option<Square>) -> impl ExplainedRules {
    PlainRules::new(shape, Ending::Open, start, |_: &Trail, moves: &mut [CandidateSquare]| by_square(moves))
}

impl<S: Fn(&Trail, &mut [CandidateSquare]) + Clone + Send + Sync + 'static> ExplainedRules for PlainRules<S> {
    type Memo = ();

    const PRUNED: fn(&StepEvent) -> bool = |_| false;

    fn starts(&self) -> Vec<(Square, ())> {
        let all = self.shape.all().take(if self.ending == Ending::Closed { 1 } else { usize::MAX });
        self.start.map_or_else(|| all.map(|square| (square, ())).collect(), |start| vec![(start, ())])
    }

    fn judge(&self, trail: &Trail, _: ()) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail);
        (self.sort)(trail, &mut verdict.candidates);
        if let (true, Some(head), Some(&start)) = (trail.is_whole(), trail.head(), trail.way().first()) {
            let ends = self.ending == Ending::Open || self.shape.board().adjacent(head, start);
            verdict.tours = ends.then_some(1);
            verdict.dead = (!ends).then_some(Reason::NotClosed(start));
        }
        verdict
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        Some("it tries every move")
    }
}
