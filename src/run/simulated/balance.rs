//! The balance of a simulation that runs at full speed, without a viewer.

use crate::event::Event;
use crate::run::balance::{Balance, BalanceFigures};
use crate::schedule::{Scheduler, Simulated, Snapshot, WorkerSnapshot};
use crate::search::HandOver;
use crate::simulate::{
    Costs, ObserverRequest, Sharing, SimulationObserver, SimulationPlan, Ticks, VirtualSnapshot, display_time,
};

/// Collects the balance of a simulation.
pub struct SimulatedBalance {
    balance: Balance,
    costs: Costs,
    hand_over: HandOver,
}

impl SimulatedBalance {
    /// The balance of a simulation of this plan, which stands for this scheduler.
    pub fn new(plan: &SimulationPlan, scheduler: Scheduler) -> SimulatedBalance {
        let mut balance = Balance::of(scheduler);
        balance.meet(&Snapshot { workers: vec![WorkerSnapshot::default(); plan.workers], ..Snapshot::default() });
        let hand_over = match plan.sharing {
            Sharing::Hire(rule) => rule.hand_over,
            Sharing::Steal | Sharing::Deal(_) => HandOver::Shallowest,
        };
        SimulatedBalance { balance, costs: plan.costs, hand_over }
    }

    /// The figures, which are complete when the simulation has ended.
    pub fn figures(&self) -> BalanceFigures {
        self.balance.figures()
    }
}

impl SimulationObserver for SimulatedBalance {
    fn event(&mut self, event: Event) {
        self.balance.happened(&event);
    }

    fn turns_taken(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
        if seen.is_over() {
            self.balance.sampled(&Snapshot {
                elapsed: display_time(at),
                hand_over: self.hand_over,
                workers: seen.workers(at),
                simulated: Some(Simulated { node_ns: self.costs.node_ns, nodes_per_s: 0.0 }),
                ..Snapshot::default()
            });
        }
        ObserverRequest { until: Ticks::MAX, hand_over: None }
    }
}
