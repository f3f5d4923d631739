//! How the twin replaces a lost device: the lanes as last read back, and the results reported since then.

use super::engine::{DispatchOutcome, LaneMemory};
use std::collections::HashSet;
use std::time::Duration;

/// Dispatch time after which the lanes are read back: about this much work is repeated after a loss, at most.
const READ_INTERVAL: Duration = Duration::from_secs(60);
/// Stored tours after which the lanes are read back: at most about this many are remembered.
const TOURS_MAX: usize = 1 << 18;

/// The lanes between two dispatches, and the position in the queue that belongs to them.
pub struct SavedLanes {
    pub memory: LaneMemory,
    /// Index of the first prefix in the queue that no lane had taken.
    pub next: u32,
    /// The results reported since then.
    pub reported: ReportedResults,
}

impl SavedLanes {
    /// The lanes as they are now.
    pub fn new(memory: LaneMemory, next: u32) -> SavedLanes {
        SavedLanes { memory, next, reported: ReportedResults::default() }
    }

    /// Whether the lanes are to be read back.
    pub fn is_due(&self) -> bool {
        self.reported.took >= READ_INTERVAL || self.reported.stored_tours.len() >= TOURS_MAX
    }
}

/// Results that were reported after the lanes were last read back.
///
/// The saved lanes hold a certain rest of the tree. The device had searched part of that rest when it was lost. The
/// twin searches all of it, in another order. Only what the twin counts beyond these results is new.
#[derive(Default)]
pub struct ReportedResults {
    nodes: u64,
    tours: u64,
    stored_tours: HashSet<Box<[u8]>>,
    took: Duration,
}

impl ReportedResults {
    /// Adds the results of a dispatch; a tour has `squares` squares.
    pub fn add(&mut self, burst: &DispatchOutcome, squares: usize) {
        self.nodes += burst.nodes;
        self.tours += burst.tours;
        self.took += burst.took;
        self.stored_tours.extend(burst.tour_squares.chunks(squares).map(Box::from));
    }

    /// Removes from a dispatch of the twin what has been reported before.
    pub fn remove_repeats(&mut self, burst: &mut DispatchOutcome, squares: usize) {
        let nodes = self.nodes.min(burst.nodes);
        let tours = if burst.tour_squares.is_empty() {
            self.tours.min(burst.tours)
        } else {
            let is_new = |tour: &&[u8]| !self.stored_tours.remove(*tour);
            let new_squares: Vec<u8> = burst.tour_squares.chunks(squares).filter(is_new).flatten().copied().collect();
            let repeated = (burst.tour_squares.len() - new_squares.len()) / squares;
            burst.tour_squares = new_squares;
            repeated as u64
        };
        (self.nodes, self.tours) = (self.nodes - nodes, self.tours - tours);
        (burst.nodes, burst.tours) = (burst.nodes - nodes, burst.tours - tours);
    }
}
