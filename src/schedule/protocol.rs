//! The hire protocol: how idle workers wait at busy workers, are hired, and learn together that the work is done.
//!
//! README.md beside this file states the protocol in prose, with its invariants I1 to I4 and its proof; the comments here
//! refer to them. The protocol knows no search, meter or event. A worker holds one token at a time, and each call turns the
//! token into the next. So only a busy worker can serve or report, and only an idle worker can wait:
//!
//! ```text
//! HireProtocol::enter -> Idle -- wait --> Busy -- report --> Idle -- wait --> .. --> WaitOutcome::Finished
//!                                    |  ^
//!                                    +--+ serve
//! ```
//!
//! What is in the slot of each worker, and in which words the calls answer, is in `slot.rs`; here is what is done with it.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Multi-Threading (to nominate, to hire,
//! to donate). What a hired worker takes along, and the count that the giver lowers, are not in the source.

use super::slot::{
    CLOSED, Company, NONE, NOTHING_TO_GIVE, Nomination, NominationScope, Nominee, Served, SleepState, WaitAnswer,
    WorkerSlot,
};
use super::sync::{AtomicU32, CachePadded, MutexGuard, Ordering::*, spin_loop, yield_now};
use std::{mem, sync::PoisonError};

/// The mailbox is closed, or no worker was nominated.
struct MailboxClosed;

/// How a wait ended.
pub enum WaitOutcome<'a, T> {
    /// The worker was hired.
    Hired {
        /// The worker's token from now on.
        busy: Busy<'a, T>,
        /// The task of the worker.
        task: T,
        /// The worker that hired; `None` for the first tasks.
        by: Option<usize>,
        /// Number of helpers that the hirer sent along; they already wait in the mailbox.
        helpers: usize,
    },
    /// All workers are idle: no work is left.
    Finished,
}

/// How a crew of workers shares tasks of type `T` in one run: a slot for each worker, and how many are idle.
pub struct HireProtocol<T> {
    slots: Box<[WorkerSlot<T>]>,
    idle: CachePadded<AtomicU32>,
    choice: NominationScope,
    spin: u32,
}

impl<T> HireProtocol<T> {
    /// Opens a slot for each of `workers`, with the `tasks` of the first of them. All workers without a task begin as helpers
    /// that wait at the others, dealt round. Without any task every worker learns at once that the work is finished.
    ///
    /// Nominations follow `choice`. `spin` is how often an idle worker looks for an answer before it sleeps, at 10 to 45 ns
    /// a look: about 200 if every worker has a core of its own, 0 if not.
    ///
    /// # Panics
    /// With no worker, or with more tasks than workers.
    pub fn new(
        workers: usize,
        spin: u32,
        choice: NominationScope,
        tasks: impl IntoIterator<Item = impl Into<Option<T>>>,
    ) -> HireProtocol<T> {
        let mut tasks: Vec<Option<T>> = tasks.into_iter().map(Into::into).collect();
        assert!((1..CLOSED as usize).contains(&workers), "a crew needs a worker");
        assert!(tasks.len() <= workers, "{} first tasks for {workers} workers", tasks.len());
        tasks.resize_with(workers, || None);
        let (busy, helpers): (Vec<usize>, Vec<usize>) = (0..workers).partition(|&worker| tasks[worker].is_some());
        let slot = |task| match task {
            Some(task) => WorkerSlot::new(NONE, Some(WaitAnswer::Hired { task, by: None, helpers: 0 })),
            None => WorkerSlot::new(CLOSED, busy.is_empty().then_some(WaitAnswer::Finished)),
        };
        let protocol = HireProtocol {
            slots: tasks.into_iter().map(slot).collect(),
            idle: CachePadded::new(AtomicU32::new(helpers.len() as u32)),
            choice,
            spin,
        };
        for (helper, &at) in helpers.into_iter().zip(busy.iter().cycle()) {
            assert!(protocol.attach(&[helper as u32], at));
        }
        protocol
    }

    /// Sets the seed of the random draws; equal seeds give equal draws.
    pub fn seeded(self, seed: u32) -> HireProtocol<T> {
        self.slots.iter().for_each(|slot| slot.draws.store(seed, Relaxed));
        self
    }

    /// The token with which worker `me`, `0..workers`, begins: by waiting.
    ///
    /// Every worker must enter, for a task may be on its way to it.
    ///
    /// # Panics
    /// When the worker has entered before.
    pub fn enter(&self, me: usize) -> Idle<'_, T> {
        assert!(!mem::replace(&mut self.sleep_state(me).entered, true), "worker {me} has entered before");
        Idle { protocol: self, me, nomination: Nomination { whom: self.waits_at(me), donated: 0 }, brought: Vec::new() }
    }

    /// Number of workers that are idle at this moment, with those that left. The number orders nothing: a worker learns the
    /// end, and sees what the others did, by its answer.
    pub fn idle(&self) -> usize {
        self.idle.load(Relaxed) as usize
    }

    /// The worker at which `worker` waits, for a view: it may be out of date when it is read.
    pub fn waits_at(&self, worker: usize) -> Option<usize> {
        (self.slots[worker].whom.load(Relaxed) as usize).checked_sub(1)
    }

    fn sleep_state(&self, id: usize) -> MutexGuard<'_, SleepState<T>> {
        // No worker panics while it holds the lock; and a worker that leaves by a panic must still get through.
        self.slots[id].sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Links `helpers` as a list in front of `rest`, waiting at `whom`, and answers its head.
    fn link(&self, helpers: &[u32], rest: u32, whom: usize) -> u32 {
        helpers.iter().rev().fold(rest, |next, &helper| {
            let slot = &self.slots[helper as usize];
            slot.next.store(next, Relaxed);
            slot.whom.store(whom as u32 + 1, Relaxed);
            helper + 1
        })
    }

    /// Puts `helpers` on the list of `whom`; `false` if the mailbox of `whom` is closed.
    fn attach(&self, helpers: &[u32], whom: usize) -> bool {
        let mail = &self.slots[whom].front.mail;
        let mut rest = mail.load(Relaxed);
        while rest != CLOSED {
            match mail.compare_exchange(rest, self.link(helpers, rest, whom), Release, Relaxed) {
                Ok(_) => return true,
                Err(now) => rest = now,
            }
        }
        false
    }

    /// Nominates a busy worker on behalf of `from` and puts `helpers` on its list; `None` when all are idle.
    fn donate(&self, helpers: &[u32], from: usize) -> Option<usize> {
        loop {
            if let Ok(whom) = self.join(helpers, self.nominate(from).whom) {
                return whom;
            }
            // A worker is between closing its mailbox and counting itself idle: a few instructions.
            yield_now();
        }
    }

    /// Puts `helpers` on the list of `whom`, or on no list when all are idle. Answers the worker at which they wait, if
    /// there is one.
    fn join(&self, helpers: &[u32], whom: Option<usize>) -> Result<Option<usize>, MailboxClosed> {
        if self.idle() == self.slots.len() {
            return Ok(None);
        }
        whom.filter(|&whom| self.attach(helpers, whom)).map(Some).ok_or(MailboxClosed)
    }

    /// The open mailbox with the lowest level, among the workers of this choice.
    fn nominate(&self, from: usize) -> Nominee {
        let workers = self.slots.len();
        let mut looked = 0;
        let mut open = |worker: &usize| {
            looked += 1;
            self.slots[*worker].front.mail.load(Relaxed) != CLOSED
        };
        let level = |worker: &usize| self.slots[*worker].front.level.load(Relaxed);
        let ring = |start| (start..workers).chain(0..start);
        let mut drawn = None;
        if let NominationScope::Drawn(draws) = self.choice {
            let mut draw = || ring(self.draw(from)).find(|worker| open(worker) && level(worker) != NOTHING_TO_GIVE);
            drawn = (0..draws).filter_map(|_| draw()).min_by_key(level);
        }
        let whom = drawn.or_else(|| ring(from).filter(|worker| open(worker)).min_by_key(level));
        Nominee { whom, looked }
    }

    /// A pseudo-random worker: the number of this draw, mixed.
    fn draw(&self, from: usize) -> usize {
        let draw = (from as u64) << 32 | u64::from(self.slots[from].draws.fetch_add(1, Relaxed));
        let mixed = draw.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32;
        ((mixed * self.slots.len() as u64) >> 32) as usize
    }

    /// Makes `helper`, which is on no list any more, a busy worker with `company` in its mailbox.
    fn hire(&self, helper: usize, task: T, by: usize, company: &[u32]) {
        // I3: lowered before the task can be seen, or else the helper could end it, count itself and announce the end. The
        // slot's lock puts the helper's own count behind this one, and a change of a value breaks no chain of releases.
        self.idle.fetch_sub(1, Relaxed);
        // I1: opened before the task can be seen, or else the helper could have closed it again by then. Only the helper
        // follows this list, and what it links came to the helper by the slot's lock.
        self.slots[helper].front.mail.store(self.link(company, NONE, helper), Relaxed);
        self.answer(helper, WaitAnswer::Hired { task, by: Some(by), helpers: company.len() });
    }

    fn answer(&self, worker: usize, answer: WaitAnswer<T>) {
        let slot = &self.slots[worker];
        slot.whom.store(NONE, Relaxed);
        let mut sleep = self.sleep_state(worker);
        sleep.answer = Some(answer);
        slot.answered.store(true, Relaxed);
        let asleep = sleep.asleep;
        drop(sleep);
        if asleep {
            slot.wake.notify_one();
        }
    }

    /// Waits until worker `me` is answered. I4: it leaves a slot without an answer behind, ready for the next wait.
    fn wait(&self, me: usize) -> WaitOutcome<'_, T> {
        let slot = &self.slots[me];
        for _ in 0..self.spin {
            if slot.answered.load(Relaxed) {
                break;
            }
            spin_loop();
        }
        let mut sleep = self.sleep_state(me);
        let answer = loop {
            match sleep.answer.take() {
                Some(answer) => break answer,
                None => sleep.asleep = true,
            }
            sleep = slot.wake.wait(sleep).unwrap_or_else(PoisonError::into_inner);
        };
        sleep.asleep = false;
        slot.answered.store(false, Relaxed);
        match answer {
            WaitAnswer::Hired { task, by, helpers } => {
                WaitOutcome::Hired { busy: Busy { protocol: self, me, helpers: Vec::new() }, task, by, helpers }
            }
            WaitAnswer::Finished => WaitOutcome::Finished,
        }
    }
}

/// Proof that a worker has a task, and that its mailbox is open.
///
/// Dropping it, in a panic for instance, is to [leave](Busy::leave).
#[must_use = "a worker without work reports"]
pub struct Busy<'a, T> {
    protocol: &'a HireProtocol<T>,
    me: usize,
    /// Helpers taken out of the mailbox and not hired yet, the latest first.
    helpers: Vec<u32>,
}

impl<'a, T> Busy<'a, T> {
    /// The word to poll, with a relaxed load, at every node or once for a small subtree. When it is not 0, a helper waits
    /// to be served.
    #[inline]
    pub fn mail(&self) -> &'a AtomicU32 {
        &self.protocol.slots[self.me].front.mail
    }

    /// Publishes the key of nomination: the worker with the lowest key is nominated, a worker with [`NOTHING_TO_GIVE`]
    /// last.
    #[inline]
    pub fn set_level(&self, level: u32) {
        self.protocol.slots[self.me].front.level.store(level, Relaxed);
    }

    /// Number of helpers that have been taken out of the mailbox and still wait, to be served when there is something to
    /// give.
    pub fn waiting(&self) -> usize {
        self.helpers.len()
    }

    /// Empties the mailbox, and hires the helper that has waited longest if `give` has a task for it. `give` is called only
    /// when a helper waits. It gets the helper that is to be hired and the helpers that go along, before any of them can
    /// know of it. Never blocks.
    pub fn serve(&mut self, company: Company, give: impl FnOnce(usize, &[u32]) -> Option<T>) -> Served {
        let head = self.mail().swap(NONE, Acquire);
        self.collect(head);
        let mut served = Served::default();
        if let Some((&helper, others)) = self.helpers.split_last() {
            let kept = match company {
                Company::Half => others.len().div_ceil(2),
                Company::None => others.len(),
            };
            if let Some(task) = give(helper as usize, &others[kept..]) {
                self.helpers.pop();
                let handed = self.helpers.split_off(kept);
                self.protocol.hire(helper as usize, task, self.me, &handed);
                served = Served { hired: Some(helper as usize), handed, waiting: 0 };
            }
        }
        Served { waiting: self.helpers.len(), ..served }
    }

    /// Falls idle: nominates a busy worker, donates its own helpers to it and waits there too. The last worker that falls
    /// idle announces the end instead.
    pub fn report(self) -> Idle<'a, T> {
        let seeker = self.retire();
        let whom = seeker.protocol.donate(&seeker.helpers, seeker.me);
        seeker.settle(whom)
    }

    /// The first step of [`Busy::report`], for a caller that takes the steps one by one: closes the mailbox and counts the
    /// worker idle.
    pub fn retire(mut self) -> Seeker<'a, T> {
        let (protocol, me) = (self.protocol, self.me);
        let mut helpers = self.close();
        mem::forget(self);
        helpers.insert(0, me as u32);
        Seeker { protocol, me, helpers }
    }

    /// Leaves for ever: like [`Busy::report`], but the worker always counts as idle from now on and is not hired again.
    pub fn leave(mut self) -> Nomination {
        let nomination = self.quit();
        mem::forget(self);
        nomination
    }

    fn quit(&mut self) -> Nomination {
        let helpers = self.close();
        let whom = if helpers.is_empty() { None } else { self.protocol.donate(&helpers, self.me) };
        Nomination { whom, donated: helpers.len() }
    }

    /// Closes the mailbox, counts the worker idle and answers the helpers that waited at it. The last worker answers
    /// all.
    fn close(&mut self) -> Vec<u32> {
        self.set_level(NOTHING_TO_GIVE);
        // I1: one step, or else a helper could attach in between and be forgotten.
        let head = self.mail().swap(CLOSED, Acquire);
        self.collect(head);
        let workers = self.protocol.slots.len();
        if self.protocol.idle.fetch_add(1, AcqRel) as usize + 1 == workers {
            (0..workers).for_each(|worker| self.protocol.answer(worker, WaitAnswer::Finished));
        }
        mem::take(&mut self.helpers)
    }

    /// Puts a list that was taken out of the mailbox in front of the private list. The helper that has waited longest is
    /// last, and is hired first, so that no helper is passed over for ever.
    fn collect(&mut self, mut head: u32) {
        let earlier = mem::take(&mut self.helpers);
        while head != NONE {
            self.helpers.push(head - 1);
            head = self.protocol.slots[head as usize - 1].next.load(Relaxed);
        }
        self.helpers.extend(earlier);
    }
}

impl<T> Drop for Busy<'_, T> {
    fn drop(&mut self) {
        self.quit();
    }
}

/// Proof that a worker is counted idle, and that it and its helpers are on no list.
///
/// Dropping it is to leave: the helpers are donated.
#[must_use = "its helpers wait"]
pub struct Seeker<'a, T> {
    protocol: &'a HireProtocol<T>,
    me: usize,
    /// The worker itself, and its helpers behind it; empty when it has settled.
    helpers: Vec<u32>,
}

impl<'a, T> Seeker<'a, T> {
    /// The worker that it nominates at this moment.
    pub fn look(&self) -> Nominee {
        self.protocol.nominate(self.me)
    }

    /// Waits at `whom`, if that worker is still busy or all are idle.
    ///
    /// # Errors
    /// The token, to look again.
    pub fn join(self, whom: Option<usize>) -> Result<Idle<'a, T>, Seeker<'a, T>> {
        match self.protocol.join(&self.helpers, whom) {
            Ok(whom) => Ok(self.settle(whom)),
            Err(MailboxClosed) => Err(self),
        }
    }

    fn settle(mut self, whom: Option<usize>) -> Idle<'a, T> {
        let brought = mem::take(&mut self.helpers);
        let nomination = Nomination { whom, donated: brought.len() - 1 };
        Idle { protocol: self.protocol, me: self.me, nomination, brought }
    }
}

impl<T> Drop for Seeker<'_, T> {
    fn drop(&mut self) {
        if let Some((_, others @ [_, ..])) = self.helpers.split_first() {
            self.protocol.donate(others, self.me);
        }
    }
}

/// Proof that a worker is counted idle, and that it waits on a list or the end was announced.
///
/// It cannot be taken off that list: dropping it waits for the answer, drops the task and leaves.
#[must_use = "a helper waits"]
pub struct Idle<'a, T> {
    protocol: &'a HireProtocol<T>,
    me: usize,
    nomination: Nomination,
    /// The worker itself and the helpers that it donated; empty if it did not fall idle.
    brought: Vec<u32>,
}

impl<'a, T> Idle<'a, T> {
    /// The worker at which this one waits, and the number of helpers that it donated there.
    pub fn nomination(&self) -> Nomination {
        self.nomination
    }

    /// The helpers that it donated.
    pub fn donated(&self) -> &[u32] {
        self.brought.get(1..).unwrap_or_default()
    }

    /// The result of [`Idle::wait`], if there is an answer already.
    ///
    /// # Errors
    /// The token, when there is no answer yet.
    pub fn answer(self) -> Result<WaitOutcome<'a, T>, Idle<'a, T>> {
        if self.protocol.slots[self.me].answered.load(Relaxed) { Ok(self.wait()) } else { Err(self) }
    }

    /// Blocks until the worker is hired or all are idle: spins as often as it was told, then sleeps.
    pub fn wait(mut self) -> WaitOutcome<'a, T> {
        let outcome = self.protocol.wait(self.me);
        drop(mem::take(&mut self.brought));
        mem::forget(self);
        outcome
    }
}

impl<T> Drop for Idle<'_, T> {
    fn drop(&mut self) {
        drop(self.protocol.wait(self.me));
    }
}
