//! The rivals of the hire protocol on the virtual clock: random stealing, and work dealt out once.
//!
//! *Stealing*: a worker without work draws another worker and takes its oldest branch. If that worker has no branch to give,
//! the thief draws again. The threads of rayon steal tasks from deques in this way, and those of Cilk steal stack frames. One
//! cost is missing here: in both, a branch becomes a task before it is stolen; here it becomes one by the theft. The thief pays
//! the whole cost, so there are no queues, and no worker waits for another.
//!
//! *Dealing*, as the static schedulers do: worker 0 opens the tree node by node while the other workers wait. Then every worker
//! has prefixes of its own, and finishes them without help.

use super::plan::{SimulationFigures, Ticks, ticks};
use super::workers::VirtualWorkers;
use crate::schedule::TreeCut;
use crate::search::{HandOver, Task};
use fastrand::Rng;

/// Simulates workers that steal; returns `None` when the simulation is stopped.
pub fn steal(sim: VirtualWorkers<'_>) -> Option<SimulationFigures> {
    let workers = sim.plan.workers;
    let mut tasks = vec![None; workers];
    tasks[0] = Some(Task::root());
    let mut thieves = Thieves { rng: Rng::with_seed(sim.plan.seed.into()), tasks, idle: workers - 1, sim };
    (0..workers).for_each(|worker| thieves.sim.schedule(0, worker));
    let end = thieves.play()?;
    Some(thieves.sim.end(end))
}

struct Thieves<'a> {
    sim: VirtualWorkers<'a>,
    rng: Rng,
    /// By worker: the stolen task that it will begin at its next turn.
    tasks: Vec<Option<Task>>,
    /// Number of workers with neither a task nor a stolen one.
    idle: usize,
}

impl Thieves<'_> {
    /// Takes turns until no worker has work; returns the time of that turn.
    fn play(&mut self) -> Option<Ticks> {
        loop {
            let (at, me) = self.sim.next_turn(|_| None)??;
            let was_busy = !self.sim.is_idle(me);
            if let Some(task) = self.tasks[me].take() {
                self.sim.begin(me, &task, at);
            } else if self.sim.exhausted(me) {
                if was_busy {
                    self.sim.retire(me, at);
                    self.sim.fall_idle(me, None, at);
                    self.idle += 1;
                }
                if self.idle == self.tasks.len() {
                    return Some(at);
                }
                self.attempt(me, at);
                continue;
            }
            let took = self.sim.enter(me, self.sim.costs().burst, at);
            self.sim.schedule(at + took, me);
        }
    }

    /// Draws another worker and takes its oldest branch, if it has one to give.
    fn attempt(&mut self, me: usize, at: Ticks) {
        let costs = self.sim.costs();
        let drawn = self.rng.usize(0..self.tasks.len().max(2) - 1);
        let victim = drawn + usize::from(drawn >= me);
        let stolen = if self.sim.is_idle(victim) { None } else { self.sim.kernel(victim).split(HandOver::Shallowest) };
        let mut took = costs.nominate + costs.look;
        if let Some(task) = &stolen {
            self.sim.hire(victim, me, task.choices.len(), &[], at);
            self.idle -= 1;
            took += costs.hand_over;
        } else {
            self.sim.asked_in_vain(&[me as u32]);
        }
        self.tasks[me] = stolen;
        self.sim.schedule(at + ticks(took), me);
    }
}

/// Simulates workers that share the tree by the static cut `cut`; returns `None` when the simulation is stopped.
pub fn deal(mut sim: VirtualWorkers<'_>, cut: TreeCut) -> Option<SimulationFigures> {
    let workers = sim.plan.workers;
    let (mut dealt_at, mut going) = (0, true);
    let mut open = |task: Task, nodes: u64| {
        // The moment of a stop is the last that is observed.
        if !going {
            return Vec::new();
        }
        sim.begin(0, &task, dealt_at);
        dealt_at += sim.enter(0, nodes, dealt_at);
        going = sim.advance_to(dealt_at, &|_| None);
        std::iter::from_fn(|| sim.kernel(0).split(HandOver::Next)).collect::<Vec<_>>()
    };
    let roots = open(Task::root(), 0);
    let tasks = cut.open(workers, roots, |task| open(task, 1));
    if !going {
        return None;
    }
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
