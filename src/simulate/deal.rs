//! Work dealt out once, on the virtual clock, as the static schedulers do.
//!
//! Worker 0 opens the tree node by node while the other workers wait. Then every worker has prefixes of its own, and
//! finishes them without help.

use super::plan::SimulationFigures;
use super::workers::VirtualWorkers;
use crate::schedule::TreeCut;
use crate::search::{HandOver, Task};

/// Simulates workers that share the tree by the static cut `cut`; returns `None` when the simulation is stopped.
pub fn run(mut sim: VirtualWorkers<'_>, cut: TreeCut) -> Option<SimulationFigures> {
    let workers = sim.plan.workers;
    let mut dealt_at = 0;
    let mut open = |task: Task, nodes: u64| {
        sim.begin(0, &task, dealt_at);
        dealt_at += sim.enter(0, nodes, dealt_at);
        // A stop that is requested here takes effect at the first turn.
        sim.advance_to(dealt_at, &|_| None);
        std::iter::from_fn(|| sim.kernel(0).split(HandOver::Next)).collect::<Vec<_>>()
    };
    let roots = open(Task::root(), 0);
    let tasks = cut.open(workers, roots, |task| open(task, 1));
    sim.retire(0, dealt_at);
    sim.fall_idle(0, None, dealt_at);
    let mut left: Vec<Vec<&Task>> =
        (0..workers).map(|worker| cut.tasks_of(&tasks, workers, worker).collect()).collect();
    // `pop` takes the last task, so the order is reversed.
    left.iter_mut().for_each(|own| own.reverse());
    (0..workers).for_each(|worker| sim.schedule(dealt_at, worker));
    let mut end = dealt_at;
    while let Some((at, me)) = sim.next_turn(|_| None)? {
        end = at;
        if sim.exhausted(me) {
            sim.retire(me, at);
            let Some(task) = left[me].pop() else {
                sim.fall_idle(me, None, at);
                continue;
            };
            sim.begin(me, task, at);
        }
        let took = sim.enter(me, sim.costs().burst, at);
        sim.schedule(at + took, me);
    }
    Some(sim.end(end))
}
