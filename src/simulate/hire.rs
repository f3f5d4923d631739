//! The hire protocol on the virtual clock.
//!
//! The mailboxes and tokens are those of crews with threads ([`crate::schedule::protocol`]). A worker
//! without work shuts its mailbox at once; its nomination then takes the time of looking at that many mailboxes. Other
//! workers run on meanwhile, and the nomination follows the levels published by then. The hiring worker pays for the
//! hand-over, and the hired worker begins after its wake-up time.

use super::plan::{SimulationFigures, Ticks, ticks};
use super::workers::VirtualWorkers;
use crate::schedule::protocol::{Busy, HireProtocol, Idle, Seeker, WaitOutcome};
use crate::schedule::rule::NominationRule;
use crate::search::Task;
use std::sync::atomic::Ordering;

/// The protocol token of a worker; its type says what the worker does.
enum Token<'o> {
    /// The worker waits to be hired.
    Idle(Idle<'o, Task>),
    /// The worker has a task.
    Busy(Busy<'o, Task>),
    /// The worker is looking for a worker to wait at.
    Seeking(Seeker<'o, Task>),
}

/// The token of every worker; `None` during its turn.
struct Tokens<'o>(Vec<Option<Token<'o>>>);

impl Drop for Tokens<'_> {
    /// Drops the tokens of waiting workers last, and only once they have their answer. Dropping a token that still waits
    /// would block the only thread.
    fn drop(&mut self) {
        let mut waiting = Vec::new();
        for token in self.0.drain(..).flatten() {
            match token {
                Token::Idle(idle) => waiting.push(idle),
                Token::Busy(busy) => drop(busy),
                Token::Seeking(seeker) => drop(seeker),
            }
        }
        while !waiting.is_empty() {
            waiting = waiting.into_iter().filter_map(|idle| idle.answer().err()).collect();
        }
    }
}

/// Simulates workers that hire by `rule`; returns `None` when the simulation is stopped.
pub fn run(sim: VirtualWorkers<'_>, rule: NominationRule) -> Option<SimulationFigures> {
    let workers = sim.plan.workers;
    let protocol = HireProtocol::new(workers, 0, rule.choice, [Task::root()]).seeded(sim.plan.seed);
    let tokens = Tokens((0..workers).map(|me| Some(Token::Idle(protocol.enter(me)))).collect());
    let mut crew = VirtualCrew { protocol: &protocol, rule, sim, tokens };
    (1..workers).for_each(|me| crew.sim.wait(me, 0));
    crew.sim.schedule(0, 0);
    crew.play().map(|end| crew.sim.end(end))
}

struct VirtualCrew<'o, 'a> {
    protocol: &'o HireProtocol<Task>,
    rule: NominationRule,
    sim: VirtualWorkers<'a>,
    tokens: Tokens<'o>,
}

impl<'o> VirtualCrew<'o, '_> {
    /// Takes turns until no worker has work; returns the time of that turn.
    fn play(&mut self) -> Option<Ticks> {
        while let Some((at, me)) = self.sim.next_turn(|worker| self.protocol.waits_at(worker))? {
            if let Some(hand_over) = self.sim.rule.take() {
                self.rule = NominationRule::of(self.tokens.0.len(), hand_over);
            }
            let token = match self.tokens.0[me].take()? {
                Token::Idle(idle) => self.begin(idle, me, at),
                Token::Seeking(seeker) => self.join(seeker, me, at),
                Token::Busy(busy) if self.sim.exhausted(me) => self.retire(busy, me, at),
                Token::Busy(busy) => self.work(busy, me, at),
            };
            self.tokens.0[me] = Some(token);
            if self.protocol.idle() == self.tokens.0.len() {
                return Some(at);
            }
        }
        None
    }

    /// The turn of a waiting worker that has its answer.
    fn begin(&mut self, idle: Idle<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        match idle.answer() {
            Ok(WaitOutcome::Hired { busy, task, .. }) => {
                self.sim.begin(me, &task, at);
                self.work(busy, me, at)
            }
            Ok(WaitOutcome::Finished) => unreachable!("the simulation ends with the last worker that falls idle"),
            Err(idle) => Token::Idle(idle),
        }
    }

    /// The turn of a worker with a task: publishes its level, hires a waiting worker, and enters the nodes of one burst.
    fn work(&mut self, mut busy: Busy<'o, Task>, me: usize, mut at: Ticks) -> Token<'o> {
        let costs = self.sim.costs();
        let kernel = self.sim.kernel(me);
        busy.set_level(self.rule.key.of(
            || kernel.branches().remaining(),
            || kernel.branches().open_level(),
            || kernel.depth(),
        ));
        if busy.waiting() > 0 || busy.mail().load(Ordering::Relaxed) != 0 {
            let mut depth = 0;
            let served = busy.serve(self.rule.company, |_, _| {
                let task = kernel.split(self.rule.hand_over)?;
                depth = task.choices.len();
                Some(task)
            });
            if let Some(hired) = served.hired {
                self.sim.hire(me, hired, depth, &served.handed, at);
                at += ticks(costs.hand_over);
                self.sim.schedule(at + ticks(costs.wake), hired);
            }
        }
        // While workers wait, the mailbox is looked at again at the next node, as a thread does.
        let nodes = if busy.waiting() > 0 { 1 } else { costs.burst };
        let took = self.sim.enter(me, nodes, at);
        self.sim.schedule(at + took, me);
        Token::Busy(busy)
    }

    fn retire(&mut self, busy: Busy<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let seeker = busy.retire();
        self.sim.retire(me, at);
        self.seek(seeker, me, at)
    }

    /// Starts a nomination, which takes time for every mailbox that it looks at.
    fn seek(&mut self, seeker: Seeker<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let costs = self.sim.costs();
        let looked = seeker.look().looked as f64;
        self.sim.schedule(at + ticks(costs.nominate + costs.look * looked), me);
        Token::Seeking(seeker)
    }

    /// The turn at which a nomination is complete: the worker joins its nominee, or nominates again.
    fn join(&mut self, seeker: Seeker<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let nominee = seeker.look().whom;
        match seeker.join(nominee) {
            Ok(idle) => {
                self.sim.nominate(me, idle.nomination().whom, idle.donated(), at);
                Token::Idle(idle)
            }
            Err(seeker) => self.seek(seeker, me, at),
        }
    }
}
