//! Random stealing on the virtual clock: a worker without work draws one of the others and takes its oldest branch, and
//! draws again when it has none to give.
//!
//! That is what rayon's threads do with the tasks on their deques, and Cilk's with the frames on their stacks, but for
//! what a task costs before anybody steals it: here a branch becomes one when it is stolen. The thief pays for all of it,
//! so there is no queue at anybody and nobody is waited for.

use super::costs::{Ticks, ticks};
use super::figures::SimulationFigures;
use super::stage::VirtualWorkers;
use crate::search::{HandOver, Task};
use fastrand::Rng;

/// Simulates thieves.
pub fn run(stage: VirtualWorkers<'_>) -> Option<SimulationFigures> {
    let workers = stage.plan.workers;
    let mut loot = vec![None; workers];
    loot[0] = Some(Task::root());
    let mut thieves = Thieves { rng: Rng::with_seed(stage.plan.seed.into()), loot, idle: workers - 1, stage };
    (0..workers).for_each(|worker| thieves.stage.expect(0, worker));
    let end = thieves.play()?;
    Some(thieves.stage.end(end))
}

struct Thieves<'a> {
    stage: VirtualWorkers<'a>,
    rng: Rng,
    /// By worker: what it takes home.
    loot: Vec<Option<Task>>,
    /// Workers that have no task, and take none home.
    idle: usize,
}

impl Thieves<'_> {
    /// Takes turn after turn; answers when the last worker has fallen idle.
    fn play(&mut self) -> Option<Ticks> {
        loop {
            let (at, me) = self.stage.next(|_| None)??;
            let was_busy = !self.stage.is_idle(me);
            if let Some(task) = self.loot[me].take() {
                self.stage.begin(me, &task, at);
            } else if self.stage.exhausted(me) {
                if was_busy {
                    self.stage.retire(me, at);
                    self.stage.run_dry(me, None, at);
                    self.idle += 1;
                }
                if self.idle == self.loot.len() {
                    return Some(at);
                }
                self.attempt(me, at);
                continue;
            }
            let took = self.stage.enter(me, self.stage.costs().burst, at);
            self.stage.expect(at + took, me);
        }
    }

    /// Draws one of the others and takes its oldest branch, if it has one to give.
    fn attempt(&mut self, me: usize, at: Ticks) {
        let costs = self.stage.costs();
        let drawn = self.rng.usize(0..self.loot.len().max(2) - 1);
        let victim = drawn + usize::from(drawn >= me);
        let stolen = match self.stage.is_idle(victim) {
            true => None,
            false => self.stage.kernel(victim).split(HandOver::Shallowest),
        };
        let mut took = costs.nominate + costs.look;
        if let Some(task) = &stolen {
            self.stage.hire(victim, me, task.choices.len(), &[], at);
            self.idle -= 1;
            took += costs.hand_over;
        }
        self.loot[me] = stolen;
        self.stage.expect(at + ticks(took), me);
    }
}
