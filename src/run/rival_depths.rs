//! Nodes and pruned branches by depth of a run among others, in one unit, so that runs can stand one above the other.

use crate::schedule::{Levels, Snapshot};

/// Nodes that a sample must have to stand for all: with fewer of them, a few bursts make the chart.
const SAMPLE_MIN: u64 = 10_000;

/// Figures by depth at the last look at a run.
#[derive(Clone, Default, Debug)]
pub struct RivalDepths {
    nodes: Vec<u64>,
    pruned: Vec<u64>,
    levels: Levels,
}

impl RivalDepths {
    /// Adds a snapshot; what is known stays where it has none.
    pub fn take(&mut self, snapshot: &Snapshot) {
        if snapshot.levels != Levels::Off && snapshot.nodes_by_depth.iter().any(|&nodes| nodes > 0) {
            self.nodes.clone_from(&snapshot.nodes_by_depth);
            self.pruned.clone_from(&snapshot.pruned_by_depth);
            self.levels = snapshot.levels;
        }
    }

    /// Whether every node is counted, not a sample.
    pub fn are_exact(&self) -> bool {
        self.levels == Levels::Exact
    }

    /// Nodes by depth of a run that has entered `all` of them; estimated where a sample was counted. Empty where nothing is
    /// known, or too few nodes were counted.
    pub fn nodes(&self, all: u64) -> Vec<f64> {
        self.scaled(&self.nodes, all)
    }

    /// Pruned branches by depth, likewise.
    pub fn pruned(&self, all: u64) -> Vec<f64> {
        self.scaled(&self.pruned, all)
    }

    fn scaled(&self, counts: &[u64], all: u64) -> Vec<f64> {
        // Figures that were read may be any numbers.
        let counted = self.nodes.iter().fold(0u64, |sum, &nodes| sum.saturating_add(nodes));
        let each = if self.are_exact() { 1.0 } else { all as f64 / counted.max(1) as f64 };
        if !self.are_exact() && counted < SAMPLE_MIN {
            return Vec::new();
        }
        let deepest = counts.iter().rposition(|&count| count > 0).map_or(0, |depth| depth + 1);
        counts[..deepest].iter().map(|&count| count as f64 * each).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_stands_for_all() {
        let mut depths = RivalDepths::default();
        assert_eq!((depths.nodes(9), depths.are_exact()), (Vec::new(), false));
        let mut seen = Snapshot {
            levels: Levels::Sampled,
            nodes_by_depth: vec![10_000, 30_000, 40_000, 0],
            pruned_by_depth: vec![0, 10_000, 0, 0],
            ..Snapshot::default()
        };
        depths.take(&seen);
        assert_eq!((depths.nodes(800_000), depths.pruned(800_000)), (vec![1e5, 3e5, 4e5], vec![0.0, 1e5]));
        seen.levels = Levels::Exact;
        depths.take(&seen);
        assert_eq!(depths.nodes(800_000), [1e4, 3e4, 4e4]);
        seen.levels = Levels::Off;
        seen.nodes_by_depth.clear();
        depths.take(&seen);
        assert_eq!((depths.pruned(800_000), depths.are_exact()), (vec![0.0, 1e4], true));
        // A few nodes are no sample.
        seen = Snapshot { levels: Levels::Sampled, nodes_by_depth: vec![5000, 4999], ..Snapshot::default() };
        depths.take(&seen);
        assert_eq!(depths.nodes(800_000), Vec::<f64>::new());
    }
}
