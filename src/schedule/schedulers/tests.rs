//! A stop or a break changes no figure: from the moment at which it is asked for, no hire and no donation is counted, and
//! meters, events and outcome agree on what was counted before.

use crate::event::{self, Event, EventKind};
use crate::schedule::{Crew, CrewPlan, CrewWatch, RunOutcome, Scheduler, Snapshot, StopReason, Totals};
use crate::search::{Branches, Burst, BurstEnd, BurstOutput, Drawing, HandOver, Kernel, Stack, Task};
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Duration;

/// Room for every event of a run.
const EVENTS: usize = 1 << 16;

/// Workers of the crew.
const WORKERS: usize = 8;

/// A tree with eight choices at every node of its 100 levels: no worker ever runs out of work.
#[derive(Clone)]
struct Endless {
    stack: Stack<u64>,
    gate: Arc<Gate>,
}

/// Holds workers inside their searches until `workers` of them are held, and lets the last one ask for the end. Then no
/// worker is between its look at the control and a hire.
struct Gate {
    watch: OnceLock<CrewWatch>,
    /// Whether the gate asks for a break; otherwise it asks for a stop.
    breaks: bool,
    /// Branches that are given away before that; `None`: any number, and the first burst is held.
    hires: Option<usize>,
    /// Number of workers that are held.
    workers: usize,
    state: Mutex<GateState>,
    opened: Condvar,
}

#[derive(Default)]
struct GateState {
    given: usize,
    held: usize,
    /// The meters when the end was asked for.
    seen: Option<Snapshot>,
}

impl Gate {
    fn new(breaks: bool, hires: Option<usize>, workers: usize) -> Arc<Gate> {
        let (watch, state, opened) = (OnceLock::new(), Mutex::default(), Condvar::new());
        Arc::new(Gate { watch, breaks, hires, workers, state, opened })
    }

    /// Passes the gate, from inside a burst.
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        if self.hires.is_some_and(|hires| state.given < hires) || state.seen.is_some() {
            return;
        }
        state.held += 1;
        if state.held == self.workers {
            let watch = self.watch.get().unwrap();
            state.seen = Some(watch.snapshot());
            if self.breaks {
                watch.control().request_break()
            } else {
                watch.control().stop(StopReason::Asked)
            }
            self.opened.notify_all();
        }
        drop(self.opened.wait_while(state, |state| state.seen.is_none()).unwrap());
    }

    /// Lets a branch be given away: `hires` branches before the end is asked for, and any number after it.
    fn give(&self, split: impl FnOnce() -> Option<Task>) -> Option<Task> {
        let mut state = self.state.lock().unwrap();
        let gives = self.hires.is_none_or(|hires| state.given < hires) || state.seen.is_some();
        let given = gives.then(split)?;
        state.given += usize::from(given.is_some());
        given
    }
}

impl Kernel for Endless {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, 0xff);
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        self.gate.pass();
        loop {
            match self.stack.untried() {
                0 if self.stack.leave().is_none() => return BurstEnd::Exhausted,
                0 => {}
                _ if burst.is_due() => return BurstEnd::Yielded,
                untried => {
                    self.stack.enter(untried.trailing_zeros() as usize);
                    self.stack.open(if self.stack.depth() < 100 { 0xff } else { 0 });
                    out.tally.nodes += 1;
                }
            }
        }
    }

    fn split(&mut self, rule: HandOver) -> Option<Task> {
        let gate = Arc::clone(&self.gate);
        gate.give(|| self.stack.split(rule, |_, untried| untried.trailing_zeros() as usize))
    }

    fn draw(&self, drawing: &mut Drawing) {
        drawing.path(std::iter::empty(), None);
    }
}

/// What happened in a run.
struct Ran {
    what: String,
    gate: Arc<Gate>,
    outcome: RunOutcome,
    /// Hires and donations when the end was asked for, and at the last look.
    seen: [[u64; 2]; 2],
    events: Vec<Event>,
}

/// Runs a crew to its gate. In a break the saver stops the run. Under `hire` three of eight workers are hired and four
/// wait; rayon gives every thread a task.
fn runs(breaks: bool) -> Vec<Ran> {
    let hire = HandOver::ALL.map(|rule| (Scheduler::HIRE, rule, Gate::new(breaks, Some(3), 4)));
    let rayon = (Scheduler::RAYON, HandOver::Shallowest, Gate::new(breaks, None, WORKERS));
    hire.into_iter().chain([rayon]).map(|(scheduler, hand_over, gate)| run(scheduler, hand_over, gate)).collect()
}

fn run(scheduler: Scheduler, hand_over: HandOver, gate: Arc<Gate>) -> Ran {
    let (sender, events) = event::channel(EVENTS);
    // No break is due before it is asked for.
    let breaks = gate.breaks.then_some(Duration::from_secs(1 << 20));
    let mut crew = Crew::new(CrewPlan { hand_over, breaks, ..CrewPlan::of(WORKERS, scheduler) }, sender);
    let watch = crew.watch();
    let saver = watch.clone();
    crew.set_saver(Box::new(move |_| saver.control().stop(StopReason::Asked)));
    let _ = gate.watch.set(watch.clone());
    let outcome = crew.run(&Endless { stack: Stack::new(), gate: Arc::clone(&gate) }).unwrap();
    let last = watch.snapshot();
    let before = gate.state.lock().unwrap().seen.clone().unwrap();
    let what = format!("{scheduler:?} {hand_over:?}");
    assert_eq!((outcome.stopped, last.events_lost), (Some(StopReason::Asked), 0), "{what}");
    let seen = [&before, &last].map(|seen| [seen.hires(), seen.donations()]);
    Ran { what, gate, outcome, seen, events: events.try_iter().collect() }
}

/// Nothing was counted after the end was asked for, and all agree on what was counted before.
fn assert_unchanged(ran: &Ran) {
    let Ran { what, gate, outcome, seen: [before, after], events } = ran;
    assert_eq!(before, after, "{what}: hires and donations, before and after");
    assert!(before[0] >= 3 && gate.hires.is_none_or(|hires| hires as u64 == before[0]), "{what}: {before:?}");
    let hires = events.iter().filter(|event| matches!(event.kind, EventKind::Hired { .. })).count() as u64;
    let helpers = |event: &Event| if let EventKind::Donated { helpers, .. } = event.kind { helpers as u64 } else { 0 };
    assert_eq!([hires, events.iter().map(helpers).sum()], *after, "{what}: events");
    let sum = |of: fn(&Totals) -> u64| outcome.workers.iter().map(of).sum::<u64>();
    assert_eq!([sum(|worker| worker.sharing.hires), sum(|worker| worker.sharing.donations)], *after, "{what}: outcome");
}

fn count(ran: &Ran, is_it: impl Fn(&EventKind) -> bool) -> usize {
    ran.events.iter().filter(|event| is_it(&event.kind)).count()
}

/// A worker is busy from its hire on, however late its thread wakes up, until it reports that it has no work.
#[test]
fn events_and_meters_agree_on_how_long_a_worker_was_busy() {
    for ran in runs(false).iter().filter(|ran| ran.gate.hires.is_some()) {
        let (mut since, mut busy) = ([None; WORKERS], [Duration::ZERO; WORKERS]);
        for event in &ran.events {
            match event.kind {
                EventKind::Began { .. } | EventKind::Hired { .. } => since[event.worker] = Some(event.at),
                EventKind::Idle { .. } => {
                    busy[event.worker] += since[event.worker].take().map_or(Duration::ZERO, |since| event.at - since);
                }
                _ => {}
            }
        }
        assert_eq!((since, ran.outcome.workers.len()), ([None; WORKERS], WORKERS), "{}", ran.what);
        // Meters have microseconds.
        for (worker, busy) in ran.outcome.workers.iter().zip(busy) {
            assert!(worker.busy.abs_diff(busy) < Duration::from_micros(2), "{}: {:?} {busy:?}", ran.what, worker.busy);
        }
    }
}

#[test]
fn a_stop_adds_no_hire_and_no_donation() {
    for ran in runs(false) {
        assert_unchanged(&ran);
        assert!(!ran.outcome.rest.is_empty(), "{}", ran.what);
        // Seven wait at the start. A worker that puts its work down for the stop waits at none.
        let waits = count(&ran, |kind| matches!(kind, EventKind::Idle { nominee: Some(_), .. }));
        assert_eq!(waits, if ran.gate.hires.is_some() { 7 } else { 0 }, "{}", ran.what);
    }
}

#[test]
fn a_break_adds_no_hire_and_no_donation_and_those_with_work_begin_again() {
    for ran in runs(true) {
        assert_unchanged(&ran);
        let began = count(&ran, |kind| matches!(kind, EventKind::Began { .. }));
        if ran.gate.hires.is_some() {
            assert_eq!(began, 1 + 4, "{}: the first worker, and four after the break", ran.what);
            // Each with its own rest.
            let of = |is: fn(&EventKind) -> bool| -> BTreeSet<usize> {
                ran.events.iter().skip(1).filter(|event| is(&event.kind)).map(|event| event.worker).collect()
            };
            let put_down = of(|kind| matches!(kind, EventKind::Idle { put_down: true, .. }));
            assert_eq!(put_down, of(|kind| matches!(kind, EventKind::Began { .. })), "{}", ran.what);
        }
    }
}
