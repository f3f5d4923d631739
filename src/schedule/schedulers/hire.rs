//! Sharing by hiring: an idle worker attaches to a busy worker, which gives it a branch at its next poll.
//!
//! The protocol is `protocol.rs`, proved in `README.md`; this file connects it to searches. By the rule *shallowest*, the
//! worker with the largest share of the tree left is nominated. It gives the first untried branch of its lowest open level,
//! and half of the helpers that still wait go along. By the source's rule *next*, the worker with the lowest current depth
//! is nominated, and it gives its next move, whatever that is worth.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Multi-Threading.

use super::worker::{KernelWorker, WaitBegin, depth_of, run_workers};
use crate::event::{Event, EventKind};
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::crew::thread::HandOverClock;
use crate::schedule::figures::cells::WorkerState;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::protocol::{Busy, HireProtocol, Idle, WaitOutcome};
use crate::schedule::rule::NominationRule;
use crate::schedule::scheduler::{Scheduler, SchedulerCard};
use crate::search::{Kernel, Task};
use crate::system;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

impl Scheduler {
    /// Idle workers attach to busy ones and are hired by them.
    pub const HIRE: Scheduler = Scheduler::of(&SchedulerCard {
        has_rules: true,
        tells_hires: true,
        ..SchedulerCard::new("hire", "workers without a branch wait at one that has some, which hires them (Radley)")
    });
}

/// The tasks that are handed over at once: one part of a tree, or several; and when.
struct HandedTasks {
    tasks: Vec<Task>,
    at: Duration,
}

/// How often an idle worker looks for an answer before it sleeps, if there is a core for every worker.
const SPIN: u32 = 200;

/// Searches these parts of the tree. Each worker begins with the one of the `task_lists` that has its number, and those whose
/// list is empty wait at the others. That counts as no hire, neither at the start nor after a break.
pub fn run(context: &CrewContext, kernel: &dyn Kernel, mut task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    let cores = system::cores().unwrap_or(1);
    task_lists.resize_with(context.size(), Vec::new);
    let depths: Vec<Option<usize>> =
        task_lists.iter().map(|tasks| (!tasks.is_empty()).then(|| depth_of(tasks))).collect();
    let has_work = depths.iter().any(Option::is_some);
    let choice = NominationRule::of(context.size(), context.control().hand_over()).choice;
    let at = context.meters().since(Instant::now());
    let handed = task_lists.into_iter().map(|tasks| (!tasks.is_empty()).then_some(HandedTasks { tasks, at }));
    let protocol = HireProtocol::new(context.size(), if context.size() <= cores { SPIN } else { 0 }, choice, handed);
    // These events are sent before a worker can be hired: some workers are hired before their thread runs.
    for (id, &depth) in depths.iter().enumerate() {
        let meter = context.meters().of(id);
        let kind = match (depth, protocol.waits_at(id)) {
            (Some(depth), _) => {
                meter.give(at, depth);
                EventKind::Began { depth }
            }
            (None, nominee) => {
                meter.figures.waits_at.set(nominee);
                // Since the crew began, or it ran dry before a break.
                meter.enter_state(WorkerState::Waiting, meter.since());
                EventKind::Idle { nominee, level: None, nodes: 0, put_down: false }
            }
        };
        context.send(Event { at, worker: id, kind });
    }
    run_workers(context, kernel, |worker| {
        let since = context.meters().of(worker.id()).since();
        let (mut idle, mut dry) = (protocol.enter(worker.id()), worker.begin_wait(since));
        // It was put there before its thread ran, and may find when it enters that all is over.
        let mut asks = has_work && depths[worker.id()].is_none();
        while let Some((busy, handed)) = wait(worker, idle, dry, asks) {
            // It does not wait any more since then, though it has only now woken up.
            worker.figures().depth.set(depth_of(&handed.tasks));
            worker.set_state_since(WorkerState::Busy, handed.at);
            (idle, dry) = work_and_hire(context, &protocol, worker, busy, handed.tasks);
            asks = idle.nomination().whom.is_some();
        }
    })
}

/// Waits to be hired, and counts the wait since the worker ran dry; `None` when the work is finished. `asks` says whether the
/// worker waits at another worker: the last worker that falls idle waits at none.
fn wait<'o>(
    worker: &mut KernelWorker<'_>,
    idle: Idle<'o, HandedTasks>,
    dry: WaitBegin,
    asks: bool,
) -> Option<(Busy<'o, HandedTasks>, HandedTasks)> {
    worker.figures().waits_at.set(nominee(worker.context(), &idle));
    // Since it ran dry: it may have been hired meanwhile.
    worker.wait_since(dry.at);
    match idle.wait() {
        WaitOutcome::Finished => {
            let is_complete = !worker.context().control().is_stopping();
            worker.waits().in_vain.add(u64::from(is_complete && asks));
            None
        }
        WaitOutcome::Hired { busy, task, by, .. } => {
            if by.is_some() {
                worker.skip_steps();
                worker.count_wait(dry, task.at);
            }
            Some((busy, task))
        }
    }
}

/// These workers asked a worker that gave them no branch, and have been sent to another one.
fn asked_in_vain(context: &CrewContext, helpers: &[u32]) {
    helpers.iter().for_each(|&helper| context.meters().of(helper as usize).waits.in_vain.add(1));
}

/// Works on tasks and hires helpers until no work is left, which begins a wait.
fn work_and_hire<'o>(
    context: &CrewContext,
    protocol: &'o HireProtocol<HandedTasks>,
    worker: &mut KernelWorker<'_>,
    mut busy: Busy<'o, HandedTasks>,
    tasks: Vec<Task>,
) -> (Idle<'o, HandedTasks>, WaitBegin) {
    worker.begin(tasks);
    let mail = busy.mail();
    worker.work(mail, |worker| {
        let rule = NominationRule::of(context.size(), context.control().hand_over());
        busy.set_level(rule.key.of(|| worker.share_left(), || worker.open_level(), || worker.depth()));
        if busy.waiting() == 0 && mail.load(Ordering::Relaxed) == 0 {
            return false;
        }
        // The helper would only put the branch down.
        if context.control().is_stopping() {
            return false;
        }
        let mut clock = None;
        let served = busy.serve(rule.company, |hired, along| {
            let tasks = worker.split(rule.hand_over)?;
            clock = Some(HandOverClock::start(worker.figures().sharing.hires.get()));
            // The event is sent before the hired worker can begin. So every event of that worker is later, in time and in
            // the queue.
            let entered = Some(worker.nodes_since_gift());
            let company = along.iter().map(|&helper| helper as usize).collect();
            let depth = depth_of(&tasks);
            let kind = EventKind::Hired { by: worker.id(), depth, left: worker.open_level(), company, entered };
            let at = worker.now();
            context.meters().of(hired).give(at, depth);
            context.send(Event { at, worker: hired, kind });
            Some(HandedTasks { tasks, at })
        });
        if served.hired.is_some() {
            worker.figures().sharing.hires.add(1);
            asked_in_vain(context, &served.handed);
            show_waiting(context, protocol);
            if let Some(clock) = clock {
                clock.stop(&worker.figures().overhead.hand_over);
            }
        }
        served.waiting > 0
    });
    // From the next line on another worker may hire this one, and send the event of it at once.
    let at = worker.now();
    worker.rest_since(at);
    let dry = worker.begin_wait(at);
    let idle = busy.report();
    let nominee = nominee(context, &idle);
    let level = nominee.and_then(|nominee| context.meters().of(nominee).figures.level.get());
    worker.report_idle(at, nominee, level);
    if let (Some(to), donated @ 1..) = (nominee, idle.nomination().donated) {
        worker.figures().sharing.donations.add(donated as u64);
        asked_in_vain(context, idle.donated());
        show_waiting(context, protocol);
        worker.report(EventKind::Donated { to, helpers: donated });
    }
    (idle, dry)
}

/// The worker at which an idle worker waits. `None` while the run stops: the protocol still gathers the helpers, because
/// all must learn of the end, but they wait for no work.
fn nominee(context: &CrewContext, idle: &Idle<'_, HandedTasks>) -> Option<usize> {
    idle.nomination().whom.filter(|_| !context.control().is_stopping())
}

/// Publishes at which worker each worker waits, after helpers have moved: a worker that sleeps cannot publish it.
fn show_waiting(context: &CrewContext, protocol: &HireProtocol<HandedTasks>) {
    (0..context.size()).for_each(|id| context.meters().of(id).figures.waits_at.set(protocol.waits_at(id)));
}
