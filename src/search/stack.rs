//! The explicit stack that all searches share: for every level the choice that led there and the choices untried.
//!
//! ```text
//! level   chosen   untried       shares: 1 at the base, divided at every level by the number of children
//! 0       -        {}            the root has no choice; its children are the starts
//! 1       a1       {}            base of a task: levels below it belong to another worker
//! 2       b3       {c2}          lowest open level
//! 3       d4       {c6, e6, f5}  current level
//! ```

use super::kernel::{Branches, DEPTHS, HandOver, Task};
use crate::board::SquareMask;

/// Choices made and choices untried, level by level.
#[derive(Clone, Debug)]
pub struct Stack<M> {
    base: usize,
    base_share: f64,
    /// The lowest level from which the next move may be given away. A task must be entered before it is given away;
    /// otherwise two workers could hand it to each other forever. The root has nothing to enter.
    next_from: usize,
    depth: usize,
    chosen: [u8; DEPTHS],
    untried: [M; DEPTHS],
    width: [u8; DEPTHS],
}

impl<M: SquareMask> Stack<M> {
    /// A stack without work.
    pub fn new() -> Stack<M> {
        Stack {
            base: 0,
            base_share: 0.0,
            next_from: 0,
            depth: 0,
            chosen: [0; DEPTHS],
            untried: [M::EMPTY; DEPTHS],
            width: [0; DEPTHS],
        }
    }

    /// Stands before the subtree of `task`, with its last choice untried; `roots` are the choices at level 0.
    pub fn begin(&mut self, task: &Task, roots: M) {
        self.base_share = task.share;
        match task.choices.split_last() {
            None => {
                self.base = 0;
                self.next_from = 0;
                self.depth = 0;
                self.open(roots);
            }
            Some((&last, before)) => {
                self.base = before.len();
                self.depth = before.len();
                self.next_from = before.len() + 1;
                self.chosen[1..=before.len()].copy_from_slice(before);
                self.open(M::bit(last as usize));
            }
        }
    }

    /// Sets the untried choices of the current level, which has just been entered.
    #[inline(always)]
    pub fn open(&mut self, children: M) {
        self.untried[self.depth] = children;
        self.width[self.depth] = children.len() as u8;
    }

    /// Removes `choice` from the untried ones of the current level and enters the next level by it.
    #[inline(always)]
    pub fn enter(&mut self, choice: usize) {
        self.untried[self.depth] ^= M::bit(choice);
        self.depth += 1;
        self.chosen[self.depth] = choice as u8;
    }

    /// Removes `choice` from the untried ones of the current level, for a bare kernel to exhaust it.
    #[inline(always)]
    pub fn take(&mut self, choice: usize) {
        self.untried[self.depth] ^= M::bit(choice);
    }

    /// Removes all untried choices of the current level, for a bare kernel to exhaust them.
    #[inline(always)]
    pub(super) fn take_all(&mut self) {
        self.untried[self.depth] = M::EMPTY;
    }

    /// Goes back one level and returns the choice that led to the level left; `None` at the base.
    #[inline(always)]
    pub fn leave(&mut self) -> Option<usize> {
        if self.depth == self.base {
            return None;
        }
        self.depth -= 1;
        Some(self.chosen[self.depth + 1] as usize)
    }

    /// Untried choices of the current level.
    #[inline(always)]
    pub fn untried(&self) -> M {
        self.untried[self.depth]
    }

    /// The current level: number of choices on the path to it.
    #[inline(always)]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The choices on the path to the current level.
    #[inline(always)]
    pub fn chosen(&self) -> &[u8] {
        &self.chosen[1..=self.depth]
    }

    /// Takes out a part by `rule`; `first` picks the choice to give from a level's path and its untried choices.
    pub fn split(&mut self, rule: HandOver, first: impl FnOnce(&[u8], M) -> usize) -> Option<Task> {
        let level = match rule {
            HandOver::Next => (self.depth >= self.next_from).then_some(self.depth)?,
            HandOver::Shallowest => {
                let level = self.open_level()?;
                let untried: u32 = self.untried[level..=self.depth].iter().map(|set| set.len()).sum();
                (untried >= 2).then_some(level)?
            }
        };
        if self.untried[level].is_empty() {
            return None;
        }
        let share = self.shares().nth(level - self.base)?;
        let way = &self.chosen[1..=level];
        let choice = first(way, self.untried[level]);
        let choices = way.iter().copied().chain([choice as u8]).collect();
        self.untried[level] ^= M::bit(choice);
        Some(Task { choices, share })
    }

    /// The share of one child, for every level from the base to the current one.
    fn shares(&self) -> impl Iterator<Item = f64> {
        let widths = self.width[self.base..=self.depth].iter();
        widths.scan(self.base_share, |share, &width| {
            *share /= f64::from(width.max(1));
            Some(*share)
        })
    }
}

impl<M: SquareMask> Default for Stack<M> {
    fn default() -> Stack<M> {
        Stack::new()
    }
}

impl<M: SquareMask> Branches for Stack<M> {
    fn split_lowest(&mut self, rule: HandOver) -> Option<Task> {
        self.split(rule, |_, untried| untried.first())
    }

    fn rest(&mut self) -> Vec<Task> {
        let mut rest = Vec::new();
        for (level, share) in (self.base..=self.depth).zip(self.shares()) {
            let way = &self.chosen[1..=level];
            let task = |choice: usize| Task { choices: way.iter().copied().chain([choice as u8]).collect(), share };
            rest.extend(self.untried[level].iter().map(task));
        }
        self.untried[self.base..=self.depth].fill(M::EMPTY);
        rest
    }

    fn width(&self) -> usize {
        self.untried().len() as usize
    }

    fn keep_only(&mut self, k: usize) {
        self.untried[self.depth] = self.untried().iter().nth(k).map_or(M::EMPTY, M::bit);
    }

    fn child_share(&self) -> f64 {
        self.shares().last().unwrap_or(0.0)
    }

    fn remaining(&self) -> f64 {
        let untried = self.untried[self.base..=self.depth].iter();
        self.shares().zip(untried).map(|(share, set)| share * f64::from(set.len())).sum()
    }

    fn depth(&self) -> usize {
        self.depth
    }

    fn open_level(&self) -> Option<usize> {
        (self.base..=self.depth).find(|&level| !self.untried[level].is_empty())
    }
}
