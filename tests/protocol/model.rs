//! A crew whose search is a number: a task of `n` units can be split at any time, and each unit is done once.
//!
//! Every call of the protocol is noted in a [`Ledger`] that keeps its own account of which worker waits on which list. Whenever
//! no other worker is in the middle of a call, the account must balance (invariant I2); at the end every mailbox
//! must be empty, every unit done or dropped by a worker, and every worker informed that the work is finished.

use super::{
    protocol::{Busy, HireProtocol, Idle, WaitOutcome},
    slot::{Company, NOTHING_TO_GIVE, Nomination, NominationScope, Served},
    sync::{Arc, AtomicU32, Ordering::Relaxed, spawn, yield_now},
};
// Bookkeeping is no part of what is modelled, and holds its lock across no modelled operation.
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    pub workers: usize,
    pub spin: u32,
    pub company: Company,
    pub choice: NominationScope,
    /// Whether reports are made step by step, as a simulator makes them.
    pub stepwise: bool,
    /// Units of the first tasks, one for each of the first workers.
    pub first: Vec<u32>,
    /// Units after which every worker drops what is left.
    pub stop_after: u32,
    /// A worker that leaves for good when it has done a unit, and whether it says so or just drops its token.
    pub leaver: Option<(usize, Leaving)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaving {
    Aloud,
    Silently,
}

impl Plan {
    pub fn new(workers: usize, company: Company, first: &[u32]) -> Plan {
        let choice = NominationScope::All;
        let (stepwise, stop_after, leaver) = (false, u32::MAX, None);
        Plan { workers, spin: 0, company, choice, stepwise, first: first.to_vec(), stop_after, leaver }
    }
}

/// Runs a plan on threads of its own and asserts every law; answers how often workers were hired.
pub fn run(plan: &Plan) -> u32 {
    let plan = Arc::new(plan.clone());
    let protocol =
        Arc::new(HireProtocol::new(plan.workers, plan.spin, plan.choice, plan.first.iter().copied()).seeded(3));
    let ledger = Arc::new(Ledger::new(&plan, &protocol));
    let crew: Vec<_> = (0..plan.workers)
        .map(|me| {
            let (plan, protocol, ledger) = (plan.clone(), protocol.clone(), ledger.clone());
            spawn(move || work(protocol.enter(me), me, &plan, &ledger))
        })
        .collect();
    for worker in crew {
        worker.join().expect("a worker of the model does not panic");
    }
    assert_eq!(protocol.idle(), plan.workers, "all are idle at the end");
    ledger.audit(&plan)
}

fn work(mut idle: Idle<'_, u32>, me: usize, plan: &Plan, ledger: &Ledger) {
    loop {
        let outcome = match plan.stepwise {
            true => idle.answer().unwrap_or_else(Idle::wait),
            false => idle.wait(),
        };
        match outcome {
            WaitOutcome::Finished => return ledger.told(me),
            WaitOutcome::Hired { mut busy, task, by, helpers } => {
                ledger.hired(me, by, helpers);
                match search(&mut busy, task, me, plan, ledger) {
                    None => idle = ledger.call(me, || report(busy, plan), |book, idle| book.reported(me, idle)),
                    Some(Leaving::Aloud) => {
                        ledger.call(me, || busy.leave(), |book, nomination| book.left(me, *nomination));
                        return;
                    }
                    Some(Leaving::Silently) => {
                        ledger.book().unobserved = true;
                        drop(busy);
                        return ledger.book().finished[me] = true;
                    }
                }
            }
        }
    }
}

/// Falls idle, in one step or in several.
fn report<'a>(busy: Busy<'a, u32>, plan: &Plan) -> Idle<'a, u32> {
    if !plan.stepwise {
        return busy.report();
    }
    let mut seeker = busy.retire();
    loop {
        let nominee = seeker.look().whom;
        match seeker.join(nominee) {
            Ok(idle) => return idle,
            Err(again) => seeker = again,
        }
        yield_now();
    }
}

/// Does the units of one task, and answers whether the worker has had enough.
fn search(busy: &mut Busy<'_, u32>, task: u32, me: usize, plan: &Plan, ledger: &Ledger) -> Option<Leaving> {
    let mut left = task;
    while left > 0 {
        busy.set_level(if left < 2 { NOTHING_TO_GIVE } else { u32::MAX - left });
        if busy.mail().load(Relaxed) != 0 || busy.waiting() > 0 {
            let split = |_, _: &[u32]| (left >= 2).then_some(left / 2).inspect(|given| left -= given);
            ledger.call(me, || busy.serve(plan.company, split), |book, served| book.served(me, served));
        }
        left -= 1;
        if ledger.unit(me) >= plan.stop_after {
            ledger.book().dropped += left;
            return None;
        }
        if let Some((_, how)) = plan.leaver.filter(|&(leaver, _)| leaver == me) {
            ledger.book().dropped += left;
            return Some(how);
        }
    }
    None
}

/// The account of one run.
struct Ledger {
    book: Mutex<Book>,
    /// Units done by each worker, written as a meter is: by its owner, relaxed.
    meters: Vec<AtomicU32>,
}

#[derive(Default)]
struct Book {
    /// Workers in the middle of a call.
    calling: usize,
    /// By worker: how many wait in its mailbox, and how many it holds taken out of it. A helper may be counted out
    /// before it is counted in, when the call that brought it returns late.
    mail: Vec<i64>,
    held: Vec<i64>,
    waiting: i64,
    /// By worker: how often it closed its mailbox less how often a worker opened it, 0 or 1.
    closed: Vec<i64>,
    /// A worker went without a word, and what it took along is not known.
    unobserved: bool,
    hires: Vec<u32>,
    done: u32,
    dropped: u32,
    finished: Vec<bool>,
    faults: Vec<String>,
}

impl Ledger {
    fn new(plan: &Plan, protocol: &HireProtocol<u32>) -> Ledger {
        let mut book = Book {
            mail: vec![0; plan.workers],
            held: vec![0; plan.workers],
            closed: (0..plan.workers).map(|worker| i64::from(worker >= plan.first.len())).collect(),
            hires: vec![0; plan.workers],
            finished: vec![false; plan.workers],
            ..Book::default()
        };
        for whom in (0..plan.workers).filter_map(|worker| protocol.waits_at(worker)) {
            book.mail[whom] += 1;
            book.waiting += 1;
        }
        Ledger { book: Mutex::new(book), meters: (0..plan.workers).map(|_| AtomicU32::new(0)).collect() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a call of the protocol, writes it down, and balances the account if no other worker is calling.
    fn call<R>(&self, me: usize, call: impl FnOnce() -> R, note: impl FnOnce(&mut Book, &R)) -> R {
        self.book().calling += 1;
        let result = call();
        let mut book = self.book();
        note(&mut book, &result);
        book.calling -= 1;
        if book.calling == 0 {
            book.balance(&format!("after a call of worker {me}"));
        }
        result
    }

    fn hired(&self, me: usize, by: Option<usize>, helpers: usize) {
        let mut book = self.book();
        book.hires[me] += 1;
        if by == Some(me) || (by.is_none() && helpers > 0) {
            book.faults.push(format!("worker {me} hired by {by:?} with {helpers} helpers"));
        }
    }

    fn unit(&self, me: usize) -> u32 {
        self.meters[me].store(self.meters[me].load(Relaxed) + 1, Relaxed);
        let mut book = self.book();
        book.done += 1;
        book.done
    }

    /// The end: a worker that learns of it sees what all others did.
    fn told(&self, me: usize) {
        let seen: u32 = self.meters.iter().map(|meter| meter.load(Relaxed)).sum();
        let mut book = self.book();
        book.finished[me] = true;
        if seen != book.done {
            let done = book.done;
            book.faults.push(format!("worker {me} sees {seen} of {done} units at the end"));
        }
    }

    /// The laws that hold at the end.
    fn audit(&self, plan: &Plan) -> u32 {
        let mut book = self.book();
        book.balance("at the end");
        let units: u32 = plan.first.iter().sum();
        assert_eq!(book.faults, [""; 0], "{plan:?}");
        assert_eq!(book.done + book.dropped, units, "units done and dropped, {plan:?}");
        assert!(book.finished.iter().all(|&finished| finished), "every worker ends, {plan:?}");
        if !book.unobserved {
            assert_eq!(book.mail, vec![0; plan.workers], "no mailbox keeps a helper, {plan:?}");
        }
        // A worker of the model gives away half, so that even the last one of a chain of hires gets some.
        let enough = units.checked_shr(plan.workers as u32).is_some_and(|left| left > 0)
            && plan.leaver.is_none()
            && plan.stop_after == u32::MAX;
        assert!(!enough || !book.hires.contains(&0), "every worker gets some, {plan:?}: {:?}", book.hires);
        book.hires.iter().sum()
    }
}

impl Book {
    /// I1 and I2: a worker that waits is on exactly one list, and no list is that of a closed mailbox.
    fn balance(&mut self, when: &str) {
        if self.unobserved {
            return;
        }
        let listed: i64 = self.mail.iter().chain(&self.held).sum();
        if listed != self.waiting {
            self.faults.push(format!("{} wait but {listed} are on lists, {when}", self.waiting));
        }
        let lost: i64 = self.mail.iter().zip(&self.closed).map(|(mail, closed)| mail * closed).sum();
        if lost != 0 {
            self.faults.push(format!("{lost} wait at closed mailboxes, {when}"));
        }
    }

    fn served(&mut self, me: usize, served: &Served) {
        let hired = usize::from(served.hired.is_some());
        self.takes(me, served.waiting + served.handed.len() + hired);
        self.held[me] = served.waiting as i64;
        self.waiting -= hired as i64;
        if let Some(helper) = served.hired {
            self.mail[helper] += served.handed.len() as i64;
            self.closed[helper] -= 1;
        }
    }

    fn reported(&mut self, me: usize, idle: &Idle<'_, u32>) {
        let nomination = idle.nomination();
        assert_eq!(idle.donated().len(), nomination.donated);
        self.closes(me, nomination);
        if let Some(whom) = nomination.whom {
            self.mail[whom] += 1;
            self.waiting += 1;
        }
    }

    fn left(&mut self, me: usize, nomination: Nomination) {
        self.closes(me, nomination);
        self.finished[me] = true;
    }

    fn closes(&mut self, me: usize, nomination: Nomination) {
        self.closed[me] += 1;
        self.takes(me, nomination.donated);
        match nomination.whom {
            Some(whom) => self.mail[whom] += nomination.donated as i64,
            // The end: the helpers are answered, and wait no more.
            None => self.waiting -= nomination.donated as i64,
        }
        self.held[me] = 0;
    }

    /// `now` helpers are in the hands of worker `me`: those it did not hold before came out of its mailbox.
    fn takes(&mut self, me: usize, now: usize) {
        self.mail[me] -= now as i64 - self.held[me];
    }
}
