//! One worker of a crew, without its work: the meter on which it publishes its figures, its permits, and its tours.
//!
//! The search of a tree adds a kernel (`schedulers/worker.rs`), and a race its attempts. [`Crew::construct`] lets one worker
//! do work of any other kind, while the others stay idle.

use super::control::{Control, CountingRound, Pauses, Permit, PermitState};
use super::delivery::TourWriter;
use super::lifecycle::{Crew, CrewContext};
use super::meter::{Meter, Meters};
use super::thread::{self, cpu_time};
use crate::event::{Event, EventKind};
use crate::lock::LockAlways as _;
use crate::schedule::figures::cells::{Figure as _, FigureCell as _, WorkerState};
use crate::schedule::figures::outcome::{RunError, RunOutcome, Totals};
use crate::schedule::figures::workers::{ContextSwitches, Overhead, WorkerSnapshot};
use crate::search::{Drawing, Tally};
use crate::test_halt;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

/// Interval at which drawings and figures by depth are published: no longer than a worker keeps a core that many share.
const DETAIL_EVERY: Duration = Duration::from_millis(5);
/// Interval at which tours in a buffer are written.
const WRITE_EVERY: Duration = Duration::from_millis(50);
/// How often CPU time is published: where many threads share a core, one may have it for a few milliseconds a second, and
/// what it did last would seem to be done without a processor until it has it again.
const CPU_EVERY: Duration = Duration::from_millis(1);
/// Interval at which a worker reads how often it lost its core, which takes some 30 microseconds; and the time after which it
/// does so at its end. A shorter run would be slower by it, and is too short for a verdict on sharing.
const SWITCHES_EVERY: Duration = Duration::from_secs(1);
const SWITCHES_AT_END: Duration = Duration::from_millis(100);

/// Position of a worker in its work, as its meter publishes it.
pub struct WorkerPosition {
    /// Depth of the current node.
    pub depth: usize,
    /// The lowest level with an untried branch, if the work has levels.
    pub open_level: Option<usize>,
}

/// The figures of a worker, on the thread of that worker, and when it publishes which of them.
pub struct WorkerMeter<'a> {
    id: usize,
    meters: &'a Meters,
    /// Counters of the worker.
    pub tally: Tally,
    state: WorkerState,
    /// The round in which its figures by depth were counted.
    round: CountingRound,
    /// CPU time that this worker used before a break, on another thread.
    cpu_before: Duration,
    /// How often it had lost its core before a break.
    switches_before: Option<ContextSwitches>,
    /// When it last read how often it lost its core.
    switches_at: Instant,
    /// When details were last published. `None` before the first burst, so that the view soon has a position.
    details_at: Option<Instant>,
    /// When its CPU time was last published.
    cpu_at: Instant,
    /// Nodes when the meter was last published.
    published: u64,
}

impl<'a> WorkerMeter<'a> {
    fn new(id: usize, meters: &'a Meters, tally: Tally) -> WorkerMeter<'a> {
        let meter = meters.of(id);
        WorkerMeter {
            id,
            meters,
            published: tally.nodes,
            tally,
            state: meter.figures.state.get(),
            round: meter.counting_round(),
            cpu_before: meter.figures.cpu.get(),
            switches_before: meter.figures.switches.read(Duration::ZERO),
            switches_at: Instant::now(),
            details_at: None,
            cpu_at: Instant::now(),
        }
    }

    /// What a reader sees of the worker.
    pub fn published(&self) -> &'a Meter {
        self.meters.of(self.id)
    }

    /// Time since the run began.
    pub fn now(&self) -> Duration {
        self.meters.since(Instant::now())
    }

    /// The state that it published.
    pub fn state(&self) -> WorkerState {
        self.state
    }

    /// Changes the published state.
    pub fn set_state(&mut self, state: WorkerState) {
        if self.state != state {
            self.set_state_since(state, self.now());
        }
    }

    /// Changes the published state as of a moment that may be past.
    pub fn set_state_since(&mut self, state: WorkerState, at: Duration) {
        self.state = state;
        self.published().enter_state(state, at);
    }

    /// Publishes a state that the worker has by its permit. Without a core it finds a pause late: that began for it when it
    /// was asked for, and what the run has not stood since then counts as work.
    fn turn(&self, state: WorkerState, pauses: Pauses) {
        let (published, now) = (self.published(), self.meters.since(pauses.at));
        let [was, is] = [published.figures.state.get(), state].map(|state| state == WorkerState::Paused);
        match (was, is) {
            (true, true) => {}
            (true, false) => published.enter_state(state, now.saturating_sub(published.ran(now, pauses.stood))),
            (false, false) => published.enter_state(state, self.now()),
            (false, true) => {
                let turned = pauses.turned.map_or(now, |at| self.meters.since(at)).max(published.since()).min(now);
                published.stand(turned, pauses.stood.saturating_sub(now - turned));
            }
        }
    }

    /// Publishes the counters and the position; `now` is the present moment. At intervals, and the first time at once, also
    /// publishes the costly details.
    pub fn publish(&mut self, now: Instant, place: &WorkerPosition, draw: impl FnOnce(&mut Drawing)) {
        self.published().publish(self.meters.since(now), &self.tally, place.depth, place.open_level);
        test_halt::entered(|| self.tally.nodes - std::mem::replace(&mut self.published, self.tally.nodes));
        let due = self.details_at.is_none_or(|at| now.duration_since(at) >= DETAIL_EVERY);
        if due || now.duration_since(self.cpu_at) >= CPU_EVERY {
            self.cpu_at = now;
            self.publish_cpu();
        }
        if due {
            self.details_at = Some(now);
            self.publish_position(draw);
            if now.duration_since(self.switches_at) >= SWITCHES_EVERY {
                self.switches_at = now;
                self.publish_switches();
            }
        }
    }

    /// Publishes the CPU time of the calling thread, which must be the thread of this worker, and its core.
    pub fn publish_cpu(&self) {
        let figures = &self.published().figures;
        figures.cpu.set(self.cpu_before + cpu_time());
        figures.on.set(thread::core());
    }

    /// Publishes how often the calling thread, which must be that of this worker, lost its core.
    fn publish_switches(&self) {
        if let Some(own) = thread::switches() {
            let all = self.switches_before.map_or(own, |before| before.plus(own));
            self.published().figures.switches.set(|cells| cells.set(all));
        }
    }

    /// Publishes the position and the figures by depth.
    pub fn publish_position(&self, draw: impl FnOnce(&mut Drawing)) {
        self.published().publish_position(&self.tally, self.round, draw);
    }

    /// Counts by depth in this round from now on. What was counted in another one is dropped.
    fn enter_round(&mut self, round: CountingRound) {
        if round != self.round {
            self.round = round;
            self.tally.nodes_by_depth.fill(0);
            self.tally.pruned_by_depth.fill(0);
        }
    }

    /// Publishes the last figures; answers the totals. One that goes on after a break stays as it is.
    fn finish(mut self, goes_on: bool) -> Totals {
        if self.switches_at.elapsed() >= SWITCHES_AT_END {
            self.publish_switches();
        }
        if !goes_on {
            self.set_state(WorkerState::Done);
        }
        let last = self.meters.worker(self.id, self.now());
        let WorkerSnapshot { sharing, busy, switches, overhead: Overhead { save, .. }, .. } = last;
        Totals { tally: self.tally, sharing, busy, save, switches, ..Totals::default() }
    }
}

/// The permits of a worker: how many nodes it may enter before it asks again.
#[derive(Default)]
struct WorkerPermit {
    pace: PermitState,
    /// The number of nodes up to which the last permit allows to go.
    allowed: u64,
}

impl WorkerPermit {
    /// Asks the control for a permit. Publishes the position and waits while the worker may do nothing.
    fn ask(&mut self, control: &Control, meter: &mut WorkerMeter<'_>, draw: impl FnOnce(&mut Drawing)) -> Permit {
        // A task may be over, or a burst, before a permit is spent: the rest is for the next one.
        if meter.tally.nodes < self.allowed && control.holds(&self.pace) {
            return Permit::Nodes(self.allowed - meter.tally.nodes);
        }
        meter.publish_cpu();
        meter.publish_position(draw);
        let before = meter.state;
        let permit = control.permit(&mut self.pace, |pauses| {
            meter.turn(if pauses.is_paused { WorkerState::Paused } else { WorkerState::Busy }, pauses);
        });
        // A held worker stays held in the view until it runs freely again. Otherwise its letter would flicker at every
        // node.
        let after = match permit {
            Permit::Run => WorkerState::Busy,
            Permit::Nodes(_) => meter.published().figures.state.get(),
            Permit::Stop => before,
        };
        if let Permit::Nodes(nodes) = permit {
            self.allowed = meter.tally.nodes + nodes;
        }
        meter.state = after;
        meter.turn(after, control.pauses());
        permit
    }
}

/// One worker of a crew, without its work.
pub struct CrewWorker<'a> {
    context: &'a CrewContext,
    pub(in crate::schedule) meter: WorkerMeter<'a>,
    permit: WorkerPermit,
    /// What writes its tours, if the tours are delivered.
    pub(in crate::schedule) tours: Option<TourWriter<'a>>,
    written_at: Instant,
    /// Nodes at the last call of [`CrewWorker::nodes_since`].
    reported: u64,
    /// Nodes when the worker last gave a branch, or got its own.
    gave_at: u64,
}

impl<'a> CrewWorker<'a> {
    /// Worker `id` of a crew, on the thread of that worker.
    pub(in crate::schedule) fn new(id: usize, context: &'a CrewContext) -> CrewWorker<'a> {
        let tally = context.take_carried(id);
        let (reported, gave_at) = (tally.nodes, tally.nodes);
        let meter = WorkerMeter::new(id, context.meters(), tally);
        let mut permit = WorkerPermit::default();
        permit.pace.steps_taken = meter.published().steps_taken.load(Relaxed);
        CrewWorker {
            context,
            meter,
            permit,
            tours: context.tour_writer(id),
            written_at: Instant::now(),
            reported,
            gave_at,
        }
    }

    /// Number of this worker in its crew.
    pub(in crate::schedule) fn id(&self) -> usize {
        self.meter.id
    }

    /// What all workers of the run share.
    pub(in crate::schedule) fn context(&self) -> &'a CrewContext {
        self.context
    }

    /// Sends an event of the moment `at`.
    pub(in crate::schedule) fn report(&self, at: Duration, kind: EventKind) {
        self.context.send(Event { at, worker: self.meter.id, kind });
    }

    /// Nodes entered since the last call, or since the worker began.
    pub(in crate::schedule) fn nodes_since(&mut self) -> u64 {
        self.gave_at = self.meter.tally.nodes;
        self.meter.tally.nodes - std::mem::replace(&mut self.reported, self.meter.tally.nodes)
    }

    /// Nodes entered since this worker last gave a branch, or got its own.
    pub(in crate::schedule) fn nodes_since_gift(&mut self) -> u64 {
        self.meter.tally.nodes - std::mem::replace(&mut self.gave_at, self.meter.tally.nodes)
    }

    /// Whether every node is to be counted by its depth, because the run is in slow motion.
    pub(in crate::schedule) fn is_in_slow_round(&mut self) -> bool {
        let round = self.context.control().counting_round();
        self.meter.enter_round(round);
        round.is_slow()
    }

    /// The worker has just got its work, and enters no node of the single steps before.
    pub(in crate::schedule) fn skip_steps(&mut self) {
        self.context.control().skip_steps(&mut self.permit.pace);
    }

    /// What the worker may do next. Asks the control for a permit, if the control wants to be asked, and waits while the
    /// worker may do nothing.
    #[inline]
    pub fn permit(&mut self, draw: impl FnOnce(&mut Drawing)) -> Permit {
        if self.context.control().attention() {
            self.permit.ask(self.context.control(), &mut self.meter, draw)
        } else {
            // The last burst was a slow one.
            if self.meter.state == WorkerState::Paused {
                self.meter.state = WorkerState::Busy;
                self.meter.turn(WorkerState::Busy, self.context.control().pauses());
            }
            Permit::Run
        }
    }

    /// Publishes the counters and the position, stops the run if its deadline has passed, and writes the tours of the buffer
    /// if that is due.
    pub(in crate::schedule) fn publish_at(&mut self, place: &WorkerPosition, draw: impl FnOnce(&mut Drawing)) {
        let now = Instant::now();
        self.context.control().check_deadline(now);
        self.meter.publish(now, place, draw);
        if now.duration_since(self.written_at) >= WRITE_EVERY {
            self.written_at = now;
            self.write_tours();
        }
    }

    /// Writes the tours that are not written yet.
    pub(in crate::schedule) fn write_tours(&mut self) {
        if let Some(tours) = &mut self.tours {
            tours.flush();
        }
    }

    /// Reports the first tour of the run, if none was found before.
    pub(in crate::schedule) fn report_first_tour(&self) {
        if self.context.is_first_tour() {
            self.report(self.meter.now(), EventKind::FirstTour);
        }
    }

    /// Ends the worker; answers its totals.
    pub(in crate::schedule) fn finish(self) -> Totals {
        let goes_on = self.context.control().is_in_break();
        self.meter.published().steps_taken.store(self.permit.pace.steps_taken, Relaxed);
        self.meter.finish(goes_on)
    }

    /// Counts nodes entered and tours found.
    pub(in crate::schedule) fn count(&mut self, nodes: u64, tours: u64) {
        self.meter.tally.nodes += nodes;
        self.meter.tally.tours += tours;
        if tours > 0 {
            self.report_first_tour();
        }
    }
}

impl Crew {
    /// Runs a construction: work that one worker finishes at once, or nearly so.
    ///
    /// # Errors
    /// [`RunError`] when the construction panicked or its thread could not be started.
    pub fn construct<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<(T, RunOutcome), RunError> {
        assert!(self.is_fresh(), "only the search of a tree can be resumed with parts of a tree");
        let context = &self.context;
        let (work, result) = (Mutex::new(Some(work)), Mutex::new(None));
        let workers = context.start(&|id, gate| {
            let mut alone = CrewWorker::new(id, context);
            let mine = if gate.all_started() && id == 0 { work.locked().take() } else { None };
            if let Some(work) = mine {
                alone.meter.set_state(WorkerState::Busy);
                alone.report(alone.meter.now(), EventKind::Began { depth: 0 });
                context.guard(id, || *result.locked() = Some(work()));
                alone.meter.publish_cpu();
                alone.report(
                    alone.meter.now(),
                    EventKind::Idle { nominee: None, level: None, nodes: 0, put_down: false },
                );
            }
            alone.finish()
        });
        let outcome = self.conclude(workers, context.meters().since(Instant::now()))?;
        match result.into_content() {
            Some(result) => Ok((result, outcome)),
            None => unreachable!("a worker that did not finish its work has failed, and that is an error"),
        }
    }
}
