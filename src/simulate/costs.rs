//! What takes how long on the virtual clock.

use serde::Serialize;
use std::time::Duration;

/// A time on the virtual clock: thousandths of the time in which a node is entered. Whole numbers, so that sums are the
/// same on every machine.
pub type Ticks = u64;

/// Ticks in which a node is entered.
pub const NODE: Ticks = 1000;

/// What takes how long, in nodes; and how long a node is.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Costs {
    /// A branch handed over: of the worker that hires, or of the thief.
    pub hand_over: f64,
    /// From the hand-over until the hired worker begins.
    pub wake: f64,
    /// To fall idle and nominate somebody, or to begin a round of attempts at stealing.
    pub nominate: f64,
    /// Every mailbox, or every other worker, that is looked at for it.
    pub look: f64,
    /// Nodes between two looks at the mailbox.
    pub burst: u64,
    /// Nanoseconds in which a node is entered.
    pub node_ns: f64,
}

impl Costs {
    /// The same on every machine: those of the prototype that the protocol was chosen by, on a processor of its day
    /// whose idle workers spin.
    pub fn fixed() -> Costs {
        Costs { hand_over: 30.0, wake: 30.0, nominate: 15.0, look: 0.5, burst: 16, node_ns: 6.2 }
    }

    /// Seconds of a time on the clock.
    pub fn seconds(&self, ticks: Ticks) -> f64 {
        ticks as f64 / NODE as f64 * self.node_ns * 1e-9
    }
}

/// A time on the clock as it is shown: a node takes a millisecond there, whatever it takes on a machine, so that what
/// happens within some nodes can be followed, and is told to the microsecond exactly.
pub fn shown(at: Ticks) -> Duration {
    Duration::from_micros(at)
}

/// So many nodes on the clock.
pub fn ticks(nodes: f64) -> Ticks {
    (nodes * NODE as f64).round() as Ticks
}
