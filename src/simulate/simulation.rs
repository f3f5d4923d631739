//! A simulation, from its first turn to its figures.

use super::figures::SimulationFigures;
use super::onlooker::SimulationObserver;
use super::plan::{Sharing, SimulationPlan};
use super::stage::VirtualWorkers;
use super::{deal, hire, steal};
use crate::search::Kernel;
use crate::stop::Stop;

impl SimulationPlan {
    /// Simulates the search of the tree of `kernel` to its end; nothing when it is stopped before.
    ///
    /// # Panics
    /// Without a worker.
    pub fn run(&self, kernel: &dyn Kernel, stop: &Stop) -> Option<SimulationFigures> {
        self.play(VirtualWorkers::new(kernel, self, stop))
    }

    /// Runs the simulation before an onlooker, which may ask for another rule meanwhile.
    ///
    /// # Panics
    /// Without a worker.
    pub fn run_before(
        &self,
        onlooker: &mut dyn SimulationObserver,
        kernel: &dyn Kernel,
        stop: &Stop,
    ) -> Option<SimulationFigures> {
        self.play(VirtualWorkers::new(kernel, self, stop).before(onlooker))
    }

    fn play(&self, stage: VirtualWorkers<'_>) -> Option<SimulationFigures> {
        match self.sharing {
            Sharing::Hire(rule) => hire::run(stage, rule),
            Sharing::Steal => steal::run(stage),
            Sharing::Deal(cut) => deal::run(stage, cut),
        }
    }
}
