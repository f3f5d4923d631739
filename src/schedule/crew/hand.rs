//! One worker without its work: a number, counters, a meter on which it publishes them, and the permits of the control.

use super::context::CrewContext;
use super::control::{CountingRound, Permit, PermitState};
use super::meter::Meter;
use super::overhead::cpu_time;
use super::switches;
use crate::event::{Event, EventKind};
use crate::schedule::figures::outcome::Totals;
use crate::schedule::figures::switches::ContextSwitches;
use crate::schedule::figures::workers::WorkerState;
use crate::search::{Drawing, Tally};
use crate::test_halt;
use std::time::{Duration, Instant};

/// Interval at which drawings and figures by depth are published, and tours in a buffer are written.
const DETAIL_EVERY: Duration = Duration::from_millis(50);
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

/// One worker of a crew, without its work.
pub struct Hand<'a> {
    id: usize,
    context: &'a CrewContext,
    /// Counters of the worker.
    pub tally: Tally,
    /// The round in which its figures by depth were counted.
    round: CountingRound,
    pace: PermitState,
    /// The number of nodes up to which the last permit allows to go.
    allowed: u64,
    /// CPU time that this worker used before a break, on another thread.
    cpu_before: Duration,
    /// The same of its switches off its core.
    switches_before: Option<ContextSwitches>,
    /// When it last read them.
    switches_at: Instant,
    /// When details were last published. `None` before the first burst, so that the view soon has a position.
    details_at: Option<Instant>,
    /// Nodes at the last call of [`Hand::nodes_since`].
    reported: u64,
    /// Nodes when the worker last gave a branch, or got its own.
    gave_at: u64,
    /// Nodes when the meter was last published.
    published: u64,
    state: WorkerState,
}

impl<'a> Hand<'a> {
    /// Worker `id` of a crew, on the thread of that worker.
    pub fn new(id: usize, context: &'a CrewContext) -> Hand<'a> {
        let (tally, pace, state) = (context.take_carried(id), PermitState::default(), WorkerState::Idle);
        let meter = context.meters().of(id);
        let (cpu_before, round, nodes) = (meter.cpu(), meter.counting_round(), tally.nodes);
        Hand {
            id,
            context,
            tally,
            round,
            pace,
            allowed: 0,
            cpu_before,
            switches_before: meter.switches.read(),
            switches_at: Instant::now(),
            details_at: None,
            reported: nodes,
            gave_at: nodes,
            published: nodes,
            state,
        }
    }

    /// Number of this worker in its crew.
    pub fn id(&self) -> usize {
        self.id
    }

    /// What all workers of the run share.
    pub fn context(&self) -> &'a CrewContext {
        self.context
    }

    /// The worker's meter.
    pub fn meter(&self) -> &'a Meter {
        self.context.meters().of(self.id)
    }

    /// Changes the published state.
    pub fn set_state(&mut self, state: WorkerState) {
        if self.state != state {
            self.state = state;
            self.meter().enter_state(state, self.now());
        }
    }

    /// Sends an event of this moment.
    pub fn report(&self, kind: EventKind) {
        self.report_at(self.now(), kind);
    }

    /// Sends an event of the moment `at`.
    pub fn report_at(&self, at: Duration, kind: EventKind) {
        self.context.send(Event { at, worker: self.id, kind });
    }

    /// Nodes entered since the last call, or since the worker began.
    pub fn nodes_since(&mut self) -> u64 {
        self.gave_at = self.tally.nodes;
        self.tally.nodes - std::mem::replace(&mut self.reported, self.tally.nodes)
    }

    /// Nodes entered since this worker last gave a branch, or got its own.
    pub fn nodes_since_gift(&mut self) -> u64 {
        self.tally.nodes - std::mem::replace(&mut self.gave_at, self.tally.nodes)
    }

    /// The present round of counting by depth. What was counted in another one is dropped.
    pub fn counting_round(&mut self) -> CountingRound {
        let round = self.context.control().counting_round();
        if round != self.round {
            self.round = round;
            self.tally.nodes_by_depth.fill(0);
            self.tally.pruned_by_depth.fill(0);
        }
        round
    }

    /// Asks the control for a permit, if the control wants to be asked. Publishes the position and waits while the worker
    /// may do nothing.
    #[inline]
    pub fn permit(&mut self, draw: impl FnOnce(&mut Drawing)) -> Permit {
        match self.context.control().attention() {
            false => {
                // The last burst was a slow one.
                if let WorkerState::Slowed | WorkerState::Paused = self.state {
                    self.set_state(WorkerState::Busy);
                }
                Permit::Run
            }
            true => self.ask_permit(draw),
        }
    }

    fn ask_permit(&mut self, draw: impl FnOnce(&mut Drawing)) -> Permit {
        let (context, meter) = (self.context, self.meter());
        // A task may be over, or a burst, before a permit is spent: the rest is for the next one.
        if self.tally.nodes < self.allowed && context.control().holds(&self.pace) {
            return Permit::Nodes(self.allowed - self.tally.nodes);
        }
        self.publish_cpu();
        self.publish_position(draw);
        let before = self.state;
        let permit = context.control().permit(&mut self.pace, |paused| {
            let state = if paused { WorkerState::Paused } else { WorkerState::Slowed };
            meter.enter_state(state, context.meters().since(Instant::now()));
        });
        // A held worker stays held in the view until it runs freely again. Otherwise its letter would flicker at every
        // node.
        let after = match permit {
            Permit::Run => WorkerState::Busy,
            Permit::Nodes(_) => meter.state(),
            Permit::Stop => before,
        };
        if let Permit::Nodes(nodes) = permit {
            self.allowed = self.tally.nodes + nodes;
        }
        self.state = after;
        meter.enter_state(after, self.now());
        permit
    }

    /// Publishes the counters and the position. Some twenty times per second, and the first time at once, also publishes
    /// the costly details. Answers whether it published them.
    pub fn publish(&mut self, place: &WorkerPosition, draw: impl FnOnce(&mut Drawing)) -> bool {
        let now = Instant::now();
        self.context.control().check_deadline(now);
        let at = self.context.meters().since(now);
        self.meter().publish(at, &self.tally, place.depth, place.open_level);
        test_halt::entered(|| self.tally.nodes - std::mem::replace(&mut self.published, self.tally.nodes));
        let due = self.details_at.is_none_or(|at| now.duration_since(at) >= DETAIL_EVERY);
        if due {
            self.details_at = Some(now);
            self.publish_cpu();
            self.publish_position(draw);
            if now.duration_since(self.switches_at) >= SWITCHES_EVERY {
                self.switches_at = now;
                self.publish_switches();
            }
        }
        due
    }

    /// Publishes the CPU time of the calling thread, which must be the thread of this worker.
    pub fn publish_cpu(&self) {
        self.meter().publish_cpu(self.cpu_before + cpu_time(), core());
    }

    /// Publishes how often the calling thread, which must be that of this worker, lost its core.
    fn publish_switches(&self) {
        if let Some(own) = switches::of_this_thread() {
            self.meter().switches.publish(self.switches_before.map_or(own, |before| before + own));
        }
    }

    /// Publishes the position and the figures by depth.
    pub fn publish_position(&self, draw: impl FnOnce(&mut Drawing)) {
        self.meter().publish_position(&self.tally, self.round, draw);
    }

    /// Ends the worker; answers its totals.
    pub fn finish(mut self) -> Totals {
        if self.switches_at.elapsed() >= SWITCHES_AT_END {
            self.publish_switches();
        }
        self.set_state(WorkerState::Done);
        let last = self.context.meters().worker(self.id, self.now());
        Totals { tally: self.tally, sharing: last.sharing, busy: last.busy, idle: Duration::ZERO, rest: Vec::new() }
    }

    /// Time since the run began.
    pub fn now(&self) -> Duration {
        self.context.meters().since(Instant::now())
    }
}

/// Core on which the calling thread runs, if the system tells it.
fn core() -> Option<usize> {
    #[cfg(target_os = "linux")]
    return Some(rustix::thread::sched_getcpu());
    #[cfg(not(target_os = "linux"))]
    None
}
