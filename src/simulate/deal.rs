//! Prefixes dealt out once, on the virtual clock: worker 0 opens the tree as the static schedulers do, node by node,
//! while the others wait; then everybody has prefixes of its own and finishes them alone.

use super::figures::SimulationFigures;
use super::stage::VirtualWorkers;
use crate::schedule::TreeCut;
use crate::search::{HandOver, Task};

/// Simulates a crew that is dealt its work.
pub fn run(mut stage: VirtualWorkers<'_>, cut: TreeCut) -> Option<SimulationFigures> {
    let workers = stage.plan.workers;
    let mut dealt_at = 0;
    let mut open = |task: Task, nodes: u64| {
        stage.begin(0, &task, dealt_at);
        dealt_at += stage.enter(0, nodes, dealt_at);
        // Who stops it meanwhile is heeded by the first turn.
        stage.arrive(dealt_at, &|_| None);
        std::iter::from_fn(|| stage.kernel(0).split(HandOver::Next)).collect::<Vec<_>>()
    };
    let roots = open(Task::root(), 0);
    let tasks = cut.open(workers, roots, |task| open(task, 1));
    stage.retire(0, dealt_at);
    let mut left: Vec<Vec<&Task>> =
        (0..workers).map(|worker| cut.tasks_of(&tasks, workers, worker).collect()).collect();
    // The last one is taken first.
    left.iter_mut().for_each(|own| own.reverse());
    (0..workers).for_each(|worker| stage.expect(dealt_at, worker));
    let mut end = dealt_at;
    while let Some((at, me)) = stage.next(|_| None)? {
        end = at;
        if stage.exhausted(me) {
            stage.retire(me, at);
            let Some(task) = left[me].pop() else {
                stage.run_dry(me, None, at);
                continue;
            };
            stage.begin(me, task, at);
        }
        let took = stage.enter(me, stage.costs().burst, at);
        stage.expect(at + took, me);
    }
    Some(stage.end(end))
}
