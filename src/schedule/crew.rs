//! The workers of one run, whatever they do: their threads, meters and control, and the outside that watches them.

use super::control::Control;
use super::deliver::{Courier, Delivery};
use super::meter::Meters;
use super::outcome::{RunError, RunOutcome, Totals};
use super::places;
use super::plan::CrewPlan;
use super::progress::TourForecast;
use super::raced::{RaceProgress, RaceSaver};
use super::scheduler::Scheduler;
use super::snapshot::Snapshot;
use crate::event::{Event, EventKind, EventSender};
use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use crate::search::{HandOver, Tally, Task};
use crate::stop::StopReason;
use crate::test_halt::{self, HaltPoint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// The outside of a run: samples its meters, holds its control. Cheap to clone.
#[derive(Clone, Debug)]
pub struct CrewWatch {
    control: Arc<Control>,
    meters: Arc<Meters>,
    events: EventSender,
}

impl CrewWatch {
    /// The run at this moment.
    pub fn snapshot(&self) -> Snapshot {
        self.meters.snapshot(&self.control, self.events.lost())
    }

    /// The position of a worker as it last published it.
    ///
    /// # Panics
    /// When there is no such worker.
    pub fn drawing(&self, worker: usize) -> crate::search::Drawing {
        self.meters.drawing(worker)
    }

    /// The control of the run.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Whether the run was told to stop, or its deadline has passed, for work that asks no permits.
    pub fn halted(&self) -> bool {
        self.control.check_deadline(Instant::now());
        self.control.stopped().is_some()
    }

    /// Changes the hand-over rule and says so.
    pub fn set_hand_over(&self, rule: HandOver) {
        self.control.set_hand_over(rule);
        self.send(EventKind::RuleChanged { rule });
    }

    /// Pauses the run, or lets it go on, and says so.
    pub fn set_paused(&self, paused: bool) {
        if paused {
            self.control.pause();
            self.send(EventKind::Paused);
        } else {
            self.control.resume();
            self.send(EventKind::Resumed);
        }
    }

    /// Pauses, lets every busy worker enter one node, and says so if the run was not paused before.
    pub fn step(&self) {
        if !self.control.paused() {
            self.send(EventKind::Paused);
        }
        self.control.step();
    }

    fn send(&self, kind: EventKind) {
        self.events.send(Event { at: self.meters.since(Instant::now()), worker: 0, kind });
    }
}

/// Is told what a search came to so far.
pub type Keeper = Box<dyn Fn(&RunOutcome) + Send + Sync>;

/// Whether everybody is here; locked until that is known.
pub(super) struct Gate(RwLock<bool>);

impl Gate {
    /// Waits until everybody is here; `false` when somebody could not come.
    pub(super) fn all_here(&self) -> bool {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The workers of one run.
pub struct Crew {
    pub(super) plan: CrewPlan,
    control: Arc<Control>,
    meters: Arc<Meters>,
    events: EventSender,
    delivery: Option<Delivery>,
    /// The parts of the tree that are to be done.
    pub(super) tasks: Vec<Task>,
    /// What was done before, by crews that went home.
    earlier: RunOutcome,
    /// What workers of this crew have counted before the last break, to be counted on.
    carried: Mutex<Vec<Tally>>,
    keeper: Option<Keeper>,
    /// What a race came to that is gone on with.
    pub(super) raced: RaceProgress,
    pub(super) keeping: RaceSaver,
    /// What finds out how many tours there are.
    pub(super) foretelling: Mutex<Option<TourForecast>>,
    found: AtomicBool,
    failed: Mutex<Option<RunError>>,
}

impl Crew {
    /// A crew by this plan that sends its events to `events`.
    pub fn new(plan: CrewPlan, events: EventSender) -> Crew {
        let workers = if plan.scheduler == Scheduler::Serial { 1 } else { plan.threads };
        let meters = Meters::new(workers, plan.levels);
        meters.foresee(|outlook| outlook.deadline = plan.deadline.map(|at| meters.since(at)));
        Crew {
            plan,
            control: Arc::new(Control::new(plan.hand_over, plan.deadline, plan.breaks)),
            meters: Arc::new(meters),
            events,
            delivery: None,
            tasks: vec![Task::root()],
            earlier: RunOutcome::default(),
            carried: Mutex::default(),
            keeper: None,
            raced: RaceProgress::default(),
            keeping: RaceSaver::default(),
            foretelling: Mutex::default(),
            found: AtomicBool::new(false),
            failed: Mutex::new(None),
        }
    }

    /// Hands the tours of the run to `delivery`; without one they are only counted.
    pub fn deliver(&mut self, delivery: Option<Delivery>) {
        self.meters.foresee(|outlook| outlook.limit = delivery.as_ref().and_then(Delivery::most));
        let tours = self.earlier.workers.iter().map(|worker| worker.tally.tours).sum();
        self.delivery = delivery.map(|delivery| delivery.after(tours));
    }

    /// Lets the search of a tree go on where a run of the same search, by whatever crew, [was](RunOutcome::rest) when it
    /// stopped. What the two come to, in figures, tours and time, is said of both together.
    pub fn take_up(&mut self, mut earlier: RunOutcome) {
        self.tasks = std::mem::take(&mut earlier.rest);
        self.after(earlier);
    }

    /// Goes on after a run that came to this.
    pub(super) fn after(&mut self, earlier: RunOutcome) {
        self.found = AtomicBool::new(earlier.workers.iter().any(|worker| worker.tally.tours > 0));
        self.meters.go_on_from(&earlier);
        let (deadline, estimate) = (self.plan.deadline.map(|at| self.meters.since(at)), earlier.outlook.estimate);
        self.meters.foresee(|outlook| (outlook.deadline, outlook.estimate) = (deadline, estimate));
        self.earlier = earlier;
    }

    /// Tells `keeper` in every [break](CrewPlan::breaks) what the search of a tree came to so far.
    pub fn keep(&mut self, keeper: Keeper) {
        self.keeper = Some(keeper);
    }

    /// Whether all of a tree is to be done, and nothing has been yet.
    pub(super) fn is_fresh(&self) -> bool {
        matches!(&self.tasks[..], [task] if task.choices.is_empty())
    }

    /// Worker 0 has counted this before it begins.
    pub(super) fn carry(&self, tally: Tally) {
        *self.carried.locked() = vec![tally];
    }

    /// What a worker has counted before a break; it is counted on.
    pub(super) fn carried(&self, worker: usize) -> Tally {
        let mut carried = self.carried.locked();
        carried.get_mut(worker).map(std::mem::take).unwrap_or_default()
    }

    /// Whether everybody went home for a break, to begin again with what they had left; it is that of each worker then.
    /// Who keeps the run has been told.
    pub(super) fn take_break(&self, workers: &mut Vec<Totals>) -> Option<Vec<Vec<Task>>> {
        if !self.control.end_break() || self.control.stopped().is_some() {
            return None;
        }
        let rests: Vec<Vec<Task>> = workers.iter().map(|worker| worker.rest.clone()).collect();
        if rests.iter().all(Vec::is_empty) {
            return None;
        }
        *self.carried.locked() = workers.iter().map(|worker| worker.tally.clone()).collect();
        let so_far = self.so_far(std::mem::take(workers), self.meters.since(Instant::now()));
        if let Some(keeper) = &self.keeper {
            keeper(&so_far);
        }
        Some(rests)
    }

    /// A view of the run from outside.
    pub fn watch(&self) -> CrewWatch {
        CrewWatch { control: self.control.clone(), meters: self.meters.clone(), events: self.events.clone() }
    }

    /// What a run that has ended comes to.
    pub(super) fn conclude(&self, workers: Vec<Totals>, elapsed: Duration) -> Result<RunOutcome, RunError> {
        self.send(Event { at: elapsed, worker: 0, kind: EventKind::Finished });
        if let Some(error) = self.failed.locked().take() {
            return Err(error);
        }
        if let Some(error) = self.delivery.as_ref().and_then(Delivery::take_failure) {
            return Err(error.into());
        }
        Ok(self.so_far(workers, elapsed))
    }

    /// What a run comes to whose workers have gone home, together with what was done before it.
    fn so_far(&self, mut workers: Vec<Totals>, elapsed: Duration) -> RunOutcome {
        let own = elapsed.saturating_sub(self.earlier.elapsed);
        // A worker that has gone home, or never came, is idle too.
        workers.iter_mut().for_each(|worker| worker.idle = own.saturating_sub(worker.busy));
        let rest = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.rest)).collect();
        let most = workers.len().max(self.earlier.workers.len());
        workers.resize_with(most, Totals::default);
        workers.iter_mut().zip(&self.earlier.workers).for_each(|(worker, earlier)| worker.add(earlier));
        let (stopped, lanes) = (self.control.stopped(), self.meters.lanes().map(Box::new));
        let events_lost = self.events.lost() + self.earlier.events_lost;
        RunOutcome { workers, stopped, elapsed, events_lost, outlook: self.meters.outlook(), rest, lanes }
    }

    pub(super) fn size(&self) -> usize {
        self.meters.len()
    }

    pub(super) fn control(&self) -> &Control {
        &self.control
    }

    pub(super) fn meters(&self) -> &Meters {
        &self.meters
    }

    /// A worker's hand on the delivery, if tours are delivered.
    pub(super) fn courier(&self) -> Option<Courier<'_>> {
        self.delivery.as_ref().map(|delivery| Courier::new(delivery, &self.control, self.size()))
    }

    pub(super) fn hires(&self) -> bool {
        self.plan.scheduler == Scheduler::Hire
    }

    pub(super) fn send(&self, event: Event) {
        self.events.send(event);
    }

    /// Whether no tour had been found before; true once.
    pub(super) fn is_first_tour(&self) -> bool {
        !self.found.swap(true, Ordering::Relaxed)
    }

    /// Starts one thread per worker, runs `body` on each and collects their totals.
    ///
    /// Nobody passes the gate before all have been started: a crew in which somebody is missing could wait for him for
    /// ever.
    /// The body is called by reference: this is built once, not again for every kind of search.
    pub(super) fn start(&self, body: &(dyn Fn(usize, &Gate) -> Totals + Sync)) -> Vec<Totals> {
        let totals: Mutex<Vec<(usize, Totals)>> = Mutex::new(Vec::new());
        let gate = Gate(RwLock::new(true));
        test_halt::reached(HaltPoint::Start);
        std::thread::scope(|scope| {
            let mut closed = gate.0.write().unwrap_or_else(PoisonError::into_inner);
            for id in 0..self.size() {
                let (totals, gate) = (&totals, &gate);
                let run = move || {
                    self.settle(id);
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
        let mut totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
        totals.sort_by_key(|&(id, _)| id);
        totals.into_iter().map(|(_, totals)| totals).collect()
    }

    /// Runs `body`; a panic in it is kept as the run's error and stops the run. Answers whether it went well.
    pub(super) fn guard(&self, worker: usize, body: impl FnOnce()) -> bool {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        if let Err(payload) = &caught {
            self.panicked(worker, &**payload);
        }
        caught.is_ok()
    }

    /// Keeps what a worker said when it panicked.
    fn panicked(&self, worker: usize, payload: &(dyn std::any::Any + Send)) {
        if let Some(&refused) = payload.downcast_ref::<MemoryRefused>() {
            return self.fail(RunError::Memory(refused));
        }
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let message = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned();
        self.fail(RunError::Panicked { worker, message });
    }

    pub(super) fn fail(&self, error: RunError) {
        self.failed.locked().get_or_insert(error);
        self.control.stop(StopReason::Failed);
    }

    /// Lowers the priority of the calling thread alone, which is that of a worker, and keeps it on a core, as is planned. That
    /// it may be refused changes only how quick a view is, and how quick the worker.
    pub(super) fn settle(&self, worker: usize) {
        if self.plan.pin {
            places::pin(worker);
        }
        if self.plan.nice > 0 {
            let thread = rustix::thread::gettid();
            let _ = rustix::process::setpriority_process(Some(thread), self.plan.nice);
        }
    }
}
