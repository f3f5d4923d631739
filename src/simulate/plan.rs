//! The plan of a simulation with its costs on the virtual clock, and its figures.

use crate::schedule::Sharing;
use serde::Serialize;
use std::time::Duration;

/// The input of a simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulationPlan {
    /// Number of workers, at least 1.
    pub workers: usize,
    /// The way in which they share the tree.
    pub sharing: Sharing,
    /// The costs on the virtual clock.
    pub costs: Costs,
    /// The seed of the random numbers.
    pub seed: u32,
}

/// A time on the virtual clock, in thousandths of the time of entering a node. Whole numbers, so that sums are equal on
/// every machine.
pub type Ticks = u64;

/// Ticks of entering a node.
pub const NODE: Ticks = 1000;

/// The prices of actions, in nodes, and the time of a node.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Costs {
    /// Handing over a branch; the hiring worker, or the thief, pays.
    pub hand_over: f64,
    /// From the hand-over until the hired worker begins.
    pub wake: f64,
    /// Becoming idle and nominating a worker, or beginning a round of attempts to steal.
    pub nominate: f64,
    /// Looking at one mailbox, or at one other worker.
    pub look: f64,
    /// Nodes between two looks at the mailbox.
    pub burst: u64,
    /// Nanoseconds of entering a node.
    pub node_ns: f64,
}

impl Costs {
    /// Fixed costs, for figures that are equal on every machine: those of the prototype by which the protocol was chosen,
    /// on a processor of its day whose idle workers spin.
    pub fn fixed() -> Costs {
        Costs { hand_over: 30.0, wake: 30.0, nominate: 15.0, look: 0.5, burst: 16, node_ns: 6.2 }
    }

    /// Converts a time on the virtual clock to seconds.
    pub fn seconds(&self, ticks: Ticks) -> f64 {
        ticks as f64 / NODE as f64 * self.node_ns * 1e-9
    }
}

/// Converts a time on the virtual clock for display: a node takes a millisecond, whatever it takes on a machine. So a
/// viewer can follow what happens within a few nodes, and the conversion to microseconds is exact.
pub fn display_time(at: Ticks) -> Duration {
    Duration::from_micros(at)
}

/// Converts a number of nodes to ticks.
pub fn ticks(nodes: f64) -> Ticks {
    (nodes * NODE as f64).round() as Ticks
}

/// The result of a simulation.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct SimulationFigures {
    pub workers: usize,
    /// Nodes entered by all workers.
    pub nodes: u64,
    pub tours: u64,
    /// Time from the first node to the end, in nodes.
    pub makespan: f64,
    /// Branches handed over.
    pub hires: u64,
    /// The longest continuous time of a worker without work, in nodes.
    pub idle_longest: f64,
    /// [`SimulationFigures::idle_longest`] in seconds.
    pub idle_longest_s: f64,
}

impl SimulationFigures {
    /// Speedup over one worker that searches the whole tree.
    pub fn speedup(&self) -> f64 {
        // With no nodes there is nothing to speed up.
        if self.makespan > 0.0 { self.nodes as f64 / self.makespan } else { 1.0 }
    }

    /// Share of the workers' time spent on nodes, 0..=1.
    pub fn efficiency(&self) -> f64 {
        self.speedup() / self.workers as f64
    }
}
