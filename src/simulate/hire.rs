//! The hire protocol on the virtual clock.
//!
//! The office, its mailboxes and its tokens are those of the crews that have threads. A worker that falls idle shuts its
//! mailbox at once, and its nominating takes time: for as long as looking at that many mailboxes takes, others go on, and
//! it then goes to whom it nominates by what they have published by then. The worker that hires pays for the hand-over, and the
//! hired one begins when it has woken up.

use super::costs::{Ticks, ticks};
use super::figures::SimulationFigures;
use super::stage::VirtualWorkers;
use crate::schedule::protocol::{Busy, Idle, Office, Seeker, WaitOutcome};
use crate::schedule::rule::NominationRule;
use crate::search::Task;
use std::sync::atomic::Ordering;

/// The token that a worker holds.
enum Token<'o> {
    /// It waits for an answer.
    Idle(Idle<'o, Task>),
    /// It has a task.
    Busy(Busy<'o, Task>),
    /// It looks for somebody to wait at.
    Seeking(Seeker<'o, Task>),
}

/// The tokens of a crew by worker; nothing while a worker has its turn.
struct Tokens<'o>(Vec<Option<Token<'o>>>);

impl Drop for Tokens<'_> {
    /// Sends everybody home in an order in which nobody waits for one who stays: a dropped token that waits would block
    /// the only thread there is.
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

/// Simulates a crew that hires by `rule`.
pub fn run(stage: VirtualWorkers<'_>, rule: NominationRule) -> Option<SimulationFigures> {
    let workers = stage.plan.workers;
    let office = Office::new(workers, 0, rule.choice, [Task::root()]).seeded(stage.plan.seed);
    let tokens = Tokens((0..workers).map(|me| Some(Token::Idle(office.enter(me)))).collect());
    let mut crew = VirtualCrew { office: &office, rule, stage, tokens };
    (1..workers).for_each(|me| crew.stage.wait(me, 0));
    crew.stage.expect(0, 0);
    crew.play().map(|end| crew.stage.end(end))
}

struct VirtualCrew<'o, 'a> {
    office: &'o Office<Task>,
    rule: NominationRule,
    stage: VirtualWorkers<'a>,
    tokens: Tokens<'o>,
}

impl<'o> VirtualCrew<'o, '_> {
    /// Takes turn after turn; answers when the last worker has fallen idle.
    fn play(&mut self) -> Option<Ticks> {
        while let Some((at, me)) = self.stage.next(|worker| self.office.waits_at(worker))? {
            if let Some(hand_over) = self.stage.asked_rule() {
                self.rule = NominationRule::of(self.tokens.0.len(), hand_over);
            }
            let token = match self.tokens.0[me].take()? {
                Token::Idle(idle) => self.begin(idle, me, at),
                Token::Seeking(seeker) => self.join(seeker, me, at),
                Token::Busy(busy) if self.stage.exhausted(me) => self.retire(busy, me, at),
                Token::Busy(busy) => self.work(busy, me, at),
            };
            self.tokens.0[me] = Some(token);
            if self.office.idle() == self.tokens.0.len() {
                return Some(at);
            }
        }
        None
    }

    /// An answer has come.
    fn begin(&mut self, idle: Idle<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        match idle.answer() {
            Ok(WaitOutcome::Hired { busy, task, .. }) => {
                self.stage.begin(me, &task, at);
                self.work(busy, me, at)
            }
            Ok(WaitOutcome::Finished) => unreachable!("the simulation ends with the last worker that falls idle"),
            Err(idle) => Token::Idle(idle),
        }
    }

    /// Publishes, hires if somebody waits, and goes on for a burst.
    fn work(&mut self, mut busy: Busy<'o, Task>, me: usize, mut at: Ticks) -> Token<'o> {
        let costs = self.stage.costs();
        let kernel = self.stage.kernel(me);
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
                self.stage.hire(me, hired, depth, &served.handed, at);
                at += ticks(costs.hand_over);
                self.stage.expect(at + ticks(costs.wake), hired);
            }
        }
        // While helpers wait the next look is at the next node, as with threads.
        let nodes = if busy.waiting() > 0 { 1 } else { costs.burst };
        let took = self.stage.enter(me, nodes, at);
        self.stage.expect(at + took, me);
        Token::Busy(busy)
    }

    fn retire(&mut self, busy: Busy<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let seeker = busy.retire();
        self.stage.retire(me, at);
        self.seek(seeker, me, at)
    }

    /// Looks for somebody to wait at: it takes as long as it takes to look at as many mailboxes as this nomination does.
    fn seek(&mut self, seeker: Seeker<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let costs = self.stage.costs();
        let looked = seeker.look().looked as f64;
        self.stage.expect(at + ticks(costs.nominate + costs.look * looked), me);
        Token::Seeking(seeker)
    }

    /// Has looked around.
    fn join(&mut self, seeker: Seeker<'o, Task>, me: usize, at: Ticks) -> Token<'o> {
        let nominee = seeker.look().whom;
        match seeker.join(nominee) {
            Ok(idle) => {
                self.stage.nominate(me, idle.nomination(), at);
                Token::Idle(idle)
            }
            Err(seeker) => self.seek(seeker, me, at),
        }
    }
}
