//! A simulation, from its first turn to its figures.

use super::figures::Figures;
use super::onlooker::Onlooker;
use super::plan::{Plan, Sharing};
use super::stage::Stage;
use super::{deal, hire, steal};
use crate::search::Kernel;
use crate::stop::Stop;

impl Plan {
    /// Simulates the search of the tree of `kernel` to its end; nothing when it is stopped before.
    ///
    /// # Panics
    /// Without a worker.
    pub fn run(&self, kernel: &dyn Kernel, stop: &Stop) -> Option<Figures> {
        self.play(Stage::new(kernel, self, stop))
    }

    /// Runs the simulation before an onlooker, which may ask for another rule meanwhile.
    ///
    /// # Panics
    /// Without a worker.
    pub fn run_before(&self, onlooker: &mut dyn Onlooker, kernel: &dyn Kernel, stop: &Stop) -> Option<Figures> {
        self.play(Stage::new(kernel, self, stop).before(onlooker))
    }

    fn play(&self, stage: Stage<'_>) -> Option<Figures> {
        match self.sharing {
            Sharing::Hire(rule) => hire::run(stage, rule),
            Sharing::Steal => steal::run(stage),
            Sharing::Deal(cut) => deal::run(stage, cut),
        }
    }
}
