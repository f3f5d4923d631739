//! What all workers of a run share, and how their threads start and end.

use super::control::Control;
use super::cores;
use super::delivery::{Courier, Delivery};
use super::meter::Meters;
use super::plan::{CrewPlan, Scheduler};
use crate::event::{Event, EventSender};
use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use crate::schedule::figures::outcome::{RunError, Totals};
use crate::search::Tally;
use crate::stop::StopReason;
use crate::test_halt::{self, HaltPoint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Says whether every worker of a crew has a thread; locked until that is known.
pub struct StartGate(RwLock<bool>);

impl StartGate {
    /// Waits until every thread has been started; `false` if one could not be started.
    pub fn all_started(&self) -> bool {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What all workers of a run share: the plan, the control, the meters, the events and the delivery.
pub struct CrewContext {
    pub plan: CrewPlan,
    pub(super) control: Arc<Control>,
    pub(super) meters: Arc<Meters>,
    pub(super) events: EventSender,
    pub(super) delivery: Option<Delivery>,
    /// Counters of each worker at the last break, from which it counts on.
    carried: Mutex<Vec<Tally>>,
    tour_found: AtomicBool,
    failed: Mutex<Option<RunError>>,
}

impl CrewContext {
    /// Context of a crew by this plan, without a delivery. Its events go to `events`.
    pub fn new(plan: CrewPlan, events: EventSender) -> CrewContext {
        let workers = if plan.scheduler == Scheduler::Serial { 1 } else { plan.threads };
        CrewContext {
            plan,
            control: Arc::new(Control::new(plan.hand_over, plan.deadline, plan.breaks)),
            meters: Arc::new(Meters::new(workers, plan.levels)),
            events,
            delivery: None,
            carried: Mutex::default(),
            tour_found: AtomicBool::new(false),
            failed: Mutex::new(None),
        }
    }

    /// Number of workers.
    pub fn size(&self) -> usize {
        self.meters.len()
    }

    /// The control of the run.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// The meters of the workers.
    pub fn meters(&self) -> &Meters {
        &self.meters
    }

    /// A courier for one worker, if the tours are delivered.
    pub fn courier(&self, worker: usize) -> Option<Courier<'_>> {
        self.delivery.as_ref().map(|delivery| Courier::new(delivery, &self.control, &self.meters, worker))
    }

    /// Whether the crew shares its work by the hire protocol.
    pub fn hires(&self) -> bool {
        self.plan.scheduler == Scheduler::Hire
    }

    /// Whether the crew searches a whole tree, not a shard of one.
    pub fn is_whole_tree(&self) -> bool {
        self.plan.shard.is_none()
    }

    /// Sends an event, or counts it as lost.
    pub fn send(&self, event: Event) {
        self.events.send(event);
    }

    /// Notes that a tour was found; `true` for the first one of the run.
    pub fn is_first_tour(&self) -> bool {
        !self.tour_found.swap(true, Ordering::Relaxed)
    }

    /// Sets whether a tour was found before this crew began.
    pub fn set_tour_found(&mut self, found: bool) {
        self.tour_found = AtomicBool::new(found);
    }

    /// Keeps the counters of the workers, in their order, for the workers that begin next.
    pub fn carry(&self, tallies: Vec<Tally>) {
        *self.carried.locked() = tallies;
    }

    /// Takes the counters that were kept for a worker.
    pub fn take_carried(&self, worker: usize) -> Tally {
        let mut carried = self.carried.locked();
        carried.get_mut(worker).map(std::mem::take).unwrap_or_default()
    }

    /// Starts one thread for each worker, runs `body` on it and collects the totals, in the order of the workers.
    ///
    /// `body` waits at the gate until every thread has been started. Otherwise a crew in which one thread is missing could
    /// wait for that worker for ever. `body` is a trait object, so this function is compiled once and not for every kind of
    /// search.
    pub fn start(&self, body: &(dyn Fn(usize, &StartGate) -> Totals + Sync)) -> Vec<Totals> {
        let totals: Mutex<Vec<(usize, Totals)>> = Mutex::new(Vec::new());
        let gate = StartGate(RwLock::new(true));
        test_halt::reached(HaltPoint::Start);
        std::thread::scope(|scope| {
            let mut closed = gate.0.write().unwrap_or_else(PoisonError::into_inner);
            for id in 0..self.size() {
                let (totals, gate) = (&totals, &gate);
                let run = move || {
                    self.set_thread(id);
                    let mine = body(id, gate);
                    totals.locked().push((id, mine));
                };
                let builder = std::thread::Builder::new().name(format!("worker-{id}"));
                if let Err(error) = builder.spawn_scoped(scope, run) {
                    self.fail(RunError::Spawn { worker: id, error });
                    *closed = false;
                    break;
                }
            }
            drop(closed);
        });
        let mut totals = totals.into_content();
        totals.sort_by_key(|&(id, _)| id);
        totals.into_iter().map(|(_, totals)| totals).collect()
    }

    /// Pins the calling thread, which is the thread of this worker, to a core and lowers its priority, as the plan says.
    ///
    /// The operating system may refuse both. Then only the speed of the worker and of the view differs.
    pub fn set_thread(&self, worker: usize) {
        if self.plan.pin {
            cores::pin(worker);
        }
        if self.plan.nice > 0 {
            let thread = rustix::thread::gettid();
            let _ = rustix::process::setpriority_process(Some(thread), self.plan.nice);
        }
    }

    /// Runs `body`. A panic in it becomes the error of the run and stops the run. Answers whether there was no panic.
    pub fn guard(&self, worker: usize, body: impl FnOnce()) -> bool {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        if let Err(payload) = &caught {
            self.fail(error_of_panic(worker, &**payload));
        }
        caught.is_ok()
    }

    /// Stops the run with an error; the first error is kept.
    pub fn fail(&self, error: RunError) {
        self.failed.locked().get_or_insert(error);
        self.control.stop(StopReason::Failed);
    }

    /// Takes the error of the run, if it failed.
    pub fn take_error(&self) -> Option<RunError> {
        let failed = self.failed.locked().take();
        failed.or_else(|| self.delivery.as_ref().and_then(Delivery::take_failure).map(RunError::from))
    }
}

fn error_of_panic(worker: usize, payload: &(dyn std::any::Any + Send)) -> RunError {
    if let Some(&refused) = payload.downcast_ref::<MemoryRefused>() {
        return RunError::Memory(refused);
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let message = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned();
    RunError::Panicked { worker, message }
}
