//! The counts of a search, and the receiver of the tours that it finds.

use crate::board::SMALL_SQUARES_MAX;

/// Number of depths that a search can have, 0 included: depth = squares on the path, start = 1.
pub const DEPTHS: usize = SMALL_SQUARES_MAX + 1;

/// The counts of a search. A scheduler reads them between bursts and may clear them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Nodes entered.
    pub nodes: u64,
    /// Tours found, in the convention of the search, orbit images included.
    pub tours: u64,
    /// Branches cut by a prune test, or dead ends, whichever the kernel counts; 0 in a kernel that counts neither.
    pub pruned: u64,
    /// Nodes entered by depth, while [`BurstOutput::levels`] is on.
    pub nodes_by_depth: [u64; DEPTHS],
    /// Branches cut by depth (the depth the branch would have had), while [`BurstOutput::levels`] is on.
    pub pruned_by_depth: [u64; DEPTHS],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { nodes: 0, tours: 0, pruned: 0, nodes_by_depth: [0; DEPTHS], pruned_by_depth: [0; DEPTHS] }
    }
}

impl Tally {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: &Tally) {
        self.nodes += other.nodes;
        self.tours += other.tours;
        self.pruned += other.pruned;
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
        add(&mut self.nodes_by_depth, &other.nodes_by_depth);
        add(&mut self.pruned_by_depth, &other.pruned_by_depth);
    }
}

/// Receives tours as a search finds them.
pub trait TourSink {
    /// Receives one tour, its squares in order, and returns how many tours it accepted (images included, duplicates and
    /// tours past a limit excluded). The search adds that number to [`Tally::tours`].
    fn tour(&mut self, squares: &[u8]) -> u64;
}

/// The destination of everything that a burst finds.
pub struct BurstOutput<'a> {
    /// The counters.
    pub tally: &'a mut Tally,
    /// Whether to count by depth.
    pub levels: bool,
    /// The receiver of the tours; with `None` they are only counted.
    pub sink: Option<&'a mut dyn TourSink>,
}

impl<'a> BurstOutput<'a> {
    /// Counts nodes and tours, without depths and without a sink.
    pub fn counting(tally: &'a mut Tally) -> BurstOutput<'a> {
        BurstOutput { tally, levels: false, sink: None }
    }
}
