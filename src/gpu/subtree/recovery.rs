//! What a run needs to carry on after its device was lost: the lanes as they were last read back, and what came since.

use super::engine::{DispatchOutcome, LaneMemory};
use std::collections::HashSet;
use std::time::Duration;

/// The lanes are read back after dispatches that took this long: so much has to be done again, at most.
const EVERY: Duration = Duration::from_secs(60);
/// They are read back after so many tours, too: so many have to be remembered.
const TOURS_MAX: usize = 1 << 18;

/// Lanes between two dispatches, and the beginning of the queue that goes with them.
pub struct SavedLanes {
    /// What the lanes knew.
    pub memory: LaneMemory,
    /// The first prefix of the queue that was not taken.
    pub next: u32,
    /// What came of the dispatches since.
    pub since: UnreadResults,
}

impl SavedLanes {
    /// Lanes as they are now.
    pub fn new(memory: LaneMemory, next: u32) -> SavedLanes {
        SavedLanes { memory, next, since: UnreadResults::default() }
    }

    /// Whether it is time to read them back.
    pub fn is_old(&self) -> bool {
        self.since.took >= EVERY || self.since.kept.len() >= TOURS_MAX
    }
}

/// What was counted and handed out, and will come once more.
///
/// The lanes hold a certain rest of the tree. Of that so much was done before the device was lost; the twin does all of
/// it, in another order. What is counted once more than before is what is new.
#[derive(Default)]
pub struct UnreadResults {
    nodes: u64,
    tours: u64,
    kept: HashSet<Box<[u8]>>,
    took: Duration,
}

impl UnreadResults {
    /// Adds a dispatch, whose tours have so many squares.
    pub fn add(&mut self, burst: &DispatchOutcome, squares: usize) {
        self.nodes += burst.nodes;
        self.tours += burst.tours;
        self.took += burst.took;
        self.kept.extend(burst.kept.chunks(squares).map(Box::from));
    }

    /// Takes out of a dispatch of the twin what has been counted and handed out before.
    pub fn take_out(&mut self, burst: &mut DispatchOutcome, squares: usize) {
        let nodes = self.nodes.min(burst.nodes);
        let tours = if burst.kept.is_empty() {
            self.tours.min(burst.tours)
        } else {
            let fresh = |tour: &&[u8]| !self.kept.remove(*tour);
            let kept: Vec<u8> = burst.kept.chunks(squares).filter(fresh).flatten().copied().collect();
            let known = (burst.kept.len() - kept.len()) / squares;
            burst.kept = kept;
            known as u64
        };
        (self.nodes, self.tours) = (self.nodes - nodes, self.tours - tours);
        (burst.nodes, burst.tours) = (burst.nodes - nodes, burst.tours - tours);
    }
}
