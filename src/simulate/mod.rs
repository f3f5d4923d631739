//! Simulates how schedulers share a tree among more workers than this machine has.
//!
//! The tree is the real one. Every virtual worker runs its own [kernel](crate::search::Kernel) in short bursts. One
//! thread takes the turns of all workers in the order of a virtual clock, whose unit is the time of entering a node.
//! Actions between workers have prices on that clock ([`Costs`]). Two simulations of one plan give equal figures, on
//! every machine.
//!
//! * [`Sharing::Hire`] is the hire protocol of the program itself, `schedule/protocol.rs`. The simulation adds only the
//!   clock: a worker waits by having no turn.
//! * [`Sharing::Steal`] is random stealing of the oldest branch, as in rayon and Cilk: the thief pays.
//! * [`Sharing::Deal`] deals prefixes out once, as the static schedulers do.
//!
//! ```text
//!   queue of turns ── the earliest ──> worker: serve, burst, retire, look, join ──> its next turn, at what it cost
//!         ^                                                                            │
//!         └──────────────────────────── and the turn of the worker it hired ───────────┘
//! ```
//!
//! A [`SimulationObserver`] follows a simulation while it runs. It receives every rare event, and a snapshot of all
//! workers whenever the clock reaches the time that it requested. The simulation waits until the observer returns,
//! which changes no figure: the virtual clock depends on no other clock.
//!
//! **Invariant**: one plan gives the same figures on every machine, to the last digit. **Where to begin**: `hire.rs`, and [`SimulationPlan::run`].
//!
//! Not simulated: caches and memory shared by cores, threads that lose their core, and the sparse gear of the kernels,
//! in which a node costs a third. In a simulation every node can be handed over.

mod hire;
mod measure;
mod plan;
mod rivals;
mod workers;

pub use measure::measure;
pub use plan::{Costs, NODE, SimulationFigures, SimulationPlan, Ticks, display_time};
pub use workers::{ObserverRequest, SimulationObserver, VirtualSnapshot};

use crate::schedule::Sharing;
use crate::search::Kernel;
use crate::stop::Stop;
use workers::VirtualWorkers;

impl SimulationPlan {
    /// Simulates the search of the tree of `kernel` to its end; returns `None` when `stop` ends it earlier.
    ///
    /// # Panics
    /// When the plan has no worker.
    pub fn run(&self, kernel: &dyn Kernel, stop: &Stop) -> Option<SimulationFigures> {
        self.play(VirtualWorkers::new(kernel, self, stop, None))
    }

    /// Simulates the search and reports to `observer`, which may change the hire rule on the way.
    ///
    /// # Panics
    /// When the plan has no worker.
    pub fn run_observed(
        &self,
        observer: &mut dyn SimulationObserver,
        kernel: &dyn Kernel,
        stop: &Stop,
    ) -> Option<SimulationFigures> {
        self.play(VirtualWorkers::new(kernel, self, stop, Some(observer)))
    }

    fn play(&self, sim: VirtualWorkers<'_>) -> Option<SimulationFigures> {
        match self.sharing {
            Sharing::Hire(rule) => hire::run(sim, rule),
            Sharing::Steal => rivals::steal(sim),
            Sharing::Deal(cut) => rivals::deal(sim, cut),
        }
    }
}

#[cfg(test)]
mod tests;
