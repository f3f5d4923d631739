//! Runs a simulation from its first turn to its figures.

use super::observer::SimulationObserver;
use super::plan::{Sharing, SimulationFigures, SimulationPlan};
use super::workers::VirtualWorkers;
use super::{deal, hire, steal};
use crate::search::Kernel;
use crate::stop::Stop;

impl SimulationPlan {
    /// Simulates the search of the tree of `kernel` to its end; returns `None` when `stop` ends it earlier.
    ///
    /// # Panics
    /// When the plan has no worker.
    pub fn run(&self, kernel: &dyn Kernel, stop: &Stop) -> Option<SimulationFigures> {
        self.play(VirtualWorkers::new(kernel, self, stop))
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
        self.play(VirtualWorkers::new(kernel, self, stop).with_observer(observer))
    }

    fn play(&self, sim: VirtualWorkers<'_>) -> Option<SimulationFigures> {
        match self.sharing {
            Sharing::Hire(rule) => hire::run(sim, rule),
            Sharing::Steal => steal::run(sim),
            Sharing::Deal(cut) => deal::run(sim, cut),
        }
    }
}
