//! The walk through the tree: depth first, one step at a time.
//!
//! Nothing of the past is kept but the path and, for each of its squares, which of its parent's moves it was: the moves of
//! a square are judged again when the walk comes back to it. So a copy is small, and the future depends on nothing else.

use super::reason::Reason;
use super::step::{Choice, Counts, Event, Explained, Standing};
use super::trail::Trail;
use crate::board::Square;
use crate::search::drawing::Drawing;
use std::sync::Arc;

/// What the rules make of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It will be made.
    Made,
    /// It will be made, and nothing else, or little else, can be.
    Forced(Reason),
    /// A test or a rule cuts it.
    Cut(Reason),
    /// It is no choice from the beginning.
    Barred(Reason),
}

/// A vacant square that the knight could go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The move, 0..8.
    pub number: u8,
    /// Where it leads.
    pub square: Square,
    /// What becomes of it.
    pub(super) fate: Fate,
}

/// What the rules say of the square just entered.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The moves in the order in which they are tried.
    pub candidates: Vec<Candidate>,
    /// How many tours the path stands for, when it is one.
    pub tours: Option<u64>,
    /// Why no move is made, where it is not for want of vacant neighbours and not because all moves are cut.
    pub dead: Option<Reason>,
}

impl Verdict {
    /// All moves from the head of the trail made, in the order of [`MOVES`](crate::board::MOVES).
    pub fn all(trail: &Trail) -> Verdict {
        let exits = trail.head().into_iter().flat_map(|head| trail.exits(head));
        let candidates = exits.map(|(number, square)| Candidate { number, square, fate: Fate::Made }).collect();
        Verdict { candidates, ..Verdict::default() }
    }

    /// The same with the moves in the order of their squares on the board.
    pub(super) fn by_square(mut self) -> Verdict {
        self.candidates.sort_by_key(|candidate| candidate.square);
        self
    }
}

/// What a kernel counts as pruned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pruned {
    /// Moves that are cut.
    Moves,
    /// Squares entered from which no move is made.
    DeadEnds,
    /// Nothing.
    Nothing,
}

/// The rules of a search, stated plainly. Pure: the same trail and memo get the same verdict.
pub trait Rules: Clone + Send + Sync + 'static {
    /// What is remembered of a path besides its squares.
    type Memo: Copy + Send + 'static;

    /// What the kernel counts as pruned.
    const PRUNED: Pruned;

    /// The starts in their order.
    fn starts(&self) -> Vec<(Square, Self::Memo)>;

    /// What is remembered once the last square of `trail` has been entered, from what was remembered before.
    fn arrive(&self, trail: &Trail, before: Self::Memo) -> Self::Memo;

    /// Judges the moves from the last square of `trail`.
    fn judge(&self, trail: &Trail, memo: Self::Memo) -> Verdict;

    /// The square kept for the last move.
    fn kept(&self, memo: Self::Memo) -> Option<Square>;
}

/// A square of the path.
#[derive(Clone, Copy, Debug)]
struct Level<M> {
    /// Which of the moves, or of the starts, led here.
    ordinal: usize,
    memo: M,
}

/// A search by some rules, taken step by step.
#[derive(Clone, Debug)]
pub struct Walk<R: Rules> {
    rules: Arc<R>,
    trail: Trail,
    levels: Vec<Level<R::Memo>>,
    /// What the rules say of the head.
    verdict: Verdict,
    /// The first of the moves, or starts, not tried.
    next: usize,
    /// Announcements made since the head was entered.
    told: usize,
    counts: Counts,
}

impl<R: Rules> Walk<R> {
    /// The search by these rules, before its first step.
    pub fn new(trail: Trail, rules: R) -> Walk<R> {
        let rules = Arc::new(rules);
        let (verdict, counts) = (Verdict::default(), Counts::default());
        Walk { rules, trail, levels: Vec::new(), verdict, next: 0, told: 0, counts }
    }

    fn judge(&mut self) {
        self.verdict = match self.levels.last() {
            Some(level) => self.rules.judge(&self.trail, level.memo),
            None => Verdict::default(),
        };
    }

    /// The next thing to be said of the square just entered.
    fn announce(&mut self) -> Option<Event> {
        let Verdict { candidates, tours, dead } = &self.verdict;
        let square = self.trail.head()?;
        let cuts = candidates.iter().filter_map(|&Candidate { number: by, square, fate }| match fate {
            Fate::Forced(reason) => Some(Event::Forced { square, reason }),
            Fate::Cut(reason) => Some(Event::Cut { square, by, reason }),
            Fate::Made | Fate::Barred(_) => None,
        });
        let tour = tours.map(|images| Event::Tour { number: self.counts.tours + images, images });
        let stays = !candidates.iter().any(|candidate| matches!(candidate.fate, Fate::Made | Fate::Forced(_)));
        let reason = dead.unwrap_or(if candidates.is_empty() { Reason::Stuck } else { Reason::AllCut });
        let end = (stays && tours.is_none()).then_some(Event::DeadEnd { square, reason });
        let event = cuts.chain(tour).chain(end).nth(self.told)?;
        self.told += 1;
        Some(event)
    }

    /// Enters the next square, if there is one.
    fn enter(&mut self) -> Option<Event> {
        let (ordinal, square, memo) = match self.levels.last() {
            None => {
                let &(square, memo) = self.rules.starts().get(self.next)?;
                (self.next, square, Some(memo))
            }
            Some(_) => {
                let made =
                    |&ordinal: &usize| matches!(self.verdict.candidates[ordinal].fate, Fate::Made | Fate::Forced(_));
                let ordinal = (self.next..self.verdict.candidates.len()).find(made)?;
                (ordinal, self.verdict.candidates[ordinal].square, None)
            }
        };
        let by = self.levels.last().map(|_| self.verdict.candidates[ordinal].number);
        self.trail.enter(square);
        let before = self.levels.last().map(|level| level.memo);
        let memo = match (memo, before) {
            (None, Some(before)) => self.rules.arrive(&self.trail, before),
            (Some(memo), _) => memo,
            (None, None) => unreachable!("a start comes with its memo"),
        };
        self.levels.push(Level { ordinal, memo });
        (self.next, self.told) = (0, 0);
        self.judge();
        Some(Event::Entered { square, by, rank: self.trail.rank(square) })
    }

    fn back(&mut self) -> Option<Event> {
        let level = self.levels.pop()?;
        let from = self.trail.leave()?;
        // All has been said of the square before, when it was entered.
        (self.next, self.told) = (level.ordinal + 1, usize::MAX);
        self.judge();
        Some(Event::Back { from, to: self.trail.head() })
    }

    fn count(&mut self, event: &Event) {
        let counts = &mut self.counts;
        match event {
            Event::Entered { .. } => counts.nodes += 1,
            Event::Cut { .. } => counts.pruned += u64::from(R::PRUNED == Pruned::Moves),
            Event::DeadEnd { .. } => {
                counts.dead_ends += 1;
                counts.pruned += u64::from(R::PRUNED == Pruned::DeadEnds);
            }
            Event::Tour { images, .. } => counts.tours += images,
            Event::Back { .. } => counts.backtracks += 1,
            Event::Forced { .. } | Event::Finished => {}
        }
    }
}

impl<R: Rules> Explained for Walk<R> {
    fn step(&mut self) -> Event {
        let event = match self.announce() {
            Some(event) => event,
            None => self.enter().or_else(|| self.back()).unwrap_or(Event::Finished),
        };
        self.count(&event);
        event
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn depth(&self) -> usize {
        self.trail.depth()
    }

    fn choices(&self) -> Vec<Choice> {
        let Some(head) = self.trail.head() else { return Vec::new() };
        let mut next = true;
        let choice = |(ordinal, candidate): (usize, &Candidate)| {
            let standing = match candidate.fate {
                Fate::Cut(reason) => Standing::Cut(reason),
                Fate::Barred(reason) => Standing::Barred(reason),
                Fate::Made | Fate::Forced(_) if ordinal < self.next => Standing::Tried,
                Fate::Made | Fate::Forced(_) if std::mem::take(&mut next) => Standing::Next,
                Fate::Made | Fate::Forced(_) => Standing::Untried,
            };
            let Candidate { number, square, .. } = *candidate;
            Choice { number, square, rank: self.trail.rank(square), standing }
        };
        let mut choices: Vec<Choice> = self.verdict.candidates.iter().enumerate().map(choice).collect();
        choices.extend((0..8).filter_map(|number| {
            let square = self.trail.board().step(head, usize::from(number))?;
            let standing = Standing::Visited(self.trail.number(square)?);
            Some(Choice { number, square, rank: self.trail.rank(square), standing })
        }));
        choices
    }

    fn draw(&self, drawing: &mut Drawing) {
        let kept = self.levels.last().and_then(|level| self.rules.kept(level.memo));
        let kept = kept.filter(|&square| self.trail.is_vacant(square));
        drawing.path(self.trail.way().iter().map(|square| square.index()), kept.map(Square::index));
    }

    fn fork(&self) -> Box<dyn Explained> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> usize {
        let level = size_of::<Level<R::Memo>>() + size_of::<Square>();
        size_of::<Self>() + 2 * self.trail.board().squares() as usize + self.trail.depth() * level + 8 * 48
    }
}
