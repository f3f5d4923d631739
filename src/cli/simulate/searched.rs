//! The search that is simulated, and its plan for so many workers.

use crate::schedule::rule::{EarlierRule, NominationRule};
use crate::schedule::{Scheduler, TreeCut};
use crate::search::HandOver;
use crate::simulate::{Costs, Sharing, SimulationPlan};
use crate::solve::{Problem, Solver};

/// What is simulated, but for the workers that share it.
pub struct SimulatedSearch {
    /// How it is searched.
    pub solver: &'static dyn Solver,
    /// What is searched.
    pub problem: Problem,
    /// The rule that was used before, if one is to be used.
    pub earlier: Option<EarlierRule>,
    /// What takes how long.
    pub costs: Costs,
    /// Where random numbers begin.
    pub seed: u32,
}

impl SimulatedSearch {
    /// The rule that was used before, if these branches are handed over by it.
    pub fn earlier(&self, hand_over: HandOver) -> Option<EarlierRule> {
        self.earlier.filter(|earlier| earlier.rule.hand_over == hand_over)
    }

    /// What so many workers do under a scheduler.
    pub fn plan(&self, workers: usize, scheduler: Scheduler, hand_over: HandOver) -> SimulationPlan {
        let rule =
            || self.earlier(hand_over).map_or_else(|| NominationRule::of(workers, hand_over), |earlier| earlier.rule);
        let sharing = match scheduler {
            Scheduler::Hire | Scheduler::Serial => Sharing::Hire(rule()),
            Scheduler::Rayon => Sharing::Steal,
            Scheduler::Static => Sharing::Deal(TreeCut::Even),
            Scheduler::Blocks => Sharing::Deal(TreeCut::Blocks),
        };
        SimulationPlan { workers, sharing, costs: self.costs, seed: self.seed }
    }
}
