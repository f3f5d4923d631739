//! A search behind a pointer: for whoever asks it for a few nodes at a time, and does not know which one it is.

use super::{Drawing, HandOver, Nodes, Out, Poll, Search, Status, Tally, Task};

/// A poll of the sparse gear that may be asked so many times.
struct Polls(u64);

impl Poll for Polls {
    const EVERY_NODE: bool = false;

    #[inline(always)]
    fn due(&mut self) -> bool {
        let due = self.0 == 0;
        self.0 = self.0.saturating_sub(1);
        due
    }
}

/// What is asked of a search by somebody who takes any: every [`Search`] that can be cloned is one.
pub trait Kernel: Send + Sync {
    /// Another worker's search of the same tree.
    fn another(&self) -> Box<dyn Kernel>;

    /// As [`Search::begin`].
    fn begin(&mut self, task: &Task);

    /// Enters up to so many nodes, as long as there are any, and counts them, by depth too if `levels` says so.
    fn enter(&mut self, nodes: u64, tally: &mut Tally, levels: bool) -> Status;

    /// Goes on in the sparse gear, as threads do, until it has been asked so many times whether to.
    fn sweep(&mut self, polls: u64, tally: &mut Tally) -> Status;

    /// As [`Search::split`].
    fn split(&mut self, rule: HandOver) -> Option<Task>;

    /// As [`Search::open_level`].
    fn open_level(&self) -> Option<usize>;

    /// As [`Search::depth`].
    fn depth(&self) -> usize;

    /// As [`Search::remaining`].
    fn remaining(&self) -> f64;

    /// As [`Search::draw`].
    fn draw(&self, drawing: &mut Drawing);
}

impl<S: Search + Clone + Sync + 'static> Kernel for S {
    fn another(&self) -> Box<dyn Kernel> {
        Box::new(self.clone())
    }

    fn begin(&mut self, task: &Task) {
        Search::begin(self, task);
    }

    fn enter(&mut self, nodes: u64, tally: &mut Tally, levels: bool) -> Status {
        self.advance(&mut Nodes(nodes), &mut Out { tally, levels, sink: None })
    }

    fn sweep(&mut self, polls: u64, tally: &mut Tally) -> Status {
        self.advance(&mut Polls(polls), &mut Out { tally, levels: false, sink: None })
    }

    fn split(&mut self, rule: HandOver) -> Option<Task> {
        Search::split(self, rule)
    }

    fn open_level(&self) -> Option<usize> {
        Search::open_level(self)
    }

    fn depth(&self) -> usize {
        Search::depth(self)
    }

    fn remaining(&self) -> f64 {
        Search::remaining(self)
    }

    fn draw(&self, drawing: &mut Drawing) {
        Search::draw(self, drawing);
    }
}
