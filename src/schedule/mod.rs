//! Who does it: one search, many workers.
//!
//! A [`Crew`] runs a [`Search`] under one of four schedulers and adds up what its workers
//! counted. The totals of a complete run are the same under every scheduler. Outside, a [`Watch`] sees the meters and
//! holds the control; nothing it does can make a worker wait for it.

mod alone;
mod control;
mod deliver;
mod fixed;
mod fork;
mod hand;
mod hire;
mod judge;
mod lanes;
mod meter;
mod plan;
mod progress;
pub mod protocol;
mod race;
mod scheduler;
mod serial;
mod sync;
pub mod words;
mod worker;
mod written;

pub use crate::stop::StopReason;
pub use alone::Alone;
pub use control::{Control, Permit};
pub use deliver::{Delivery, Format, Images, Outlet};
pub use hand::Totals;
pub use judge::RaceEnd;
pub use lanes::Lanes;
pub use meter::{Levels, Meters, Snapshot, WorkerSnapshot, WorkerState};
pub use plan::CrewPlan;
pub use progress::{Outlook, Progress, Rate};
pub use race::{Attempts, Finish, Race};
pub use scheduler::Scheduler;
pub use written::whole_micros;

use crate::event::{Event, EventKind, EventSender};
use crate::memory::Refused;
use crate::search::{HandOver, Prober, Search, Tally, Task};
use crossbeam_channel::{Receiver, TryRecvError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};
use worker::Worker;

/// CPU time for sampling the tree in which a good estimate is made, for a run that somebody looks at.
pub const HEAD_START: Duration = Duration::from_secs(1);
/// CPU time that sampling the tree takes for its estimate, as a share of that of the workers, beyond its head start.
const PROBE_SHARE: f64 = 0.01;
/// How long the sampling thread sleeps when it has had its share.
const PROBE_PAUSE: Duration = Duration::from_millis(50);
/// The same samples in every run of a question: figures on the screen are to be repeatable.
const PROBE_SEED: u64 = 1975;
/// Priority of the sampling thread.
const PROBE_NICE: i32 = 10;

/// Workers of the largest crew.
pub const THREADS_MAX: usize = 4096;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A worker panicked.
    #[error("worker {worker} panicked: {message}")]
    Panicked {
        /// The worker.
        worker: usize,
        /// What it said.
        message: String,
    },
    /// A worker got no memory for a large piece.
    #[error("{0}")]
    Memory(Refused),
    /// Tours could not be written.
    #[error("the tours could not be written: {0}")]
    Write(#[from] std::io::Error),
    /// The device that did the work failed.
    #[error("{0}")]
    Device(String),
    /// A thread could not be started.
    #[error("worker {worker} could not be started: {error}")]
    Spawn {
        /// The worker.
        worker: usize,
        /// What the operating system said.
        error: std::io::Error,
    },
}

/// What a run counted.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    /// What each worker did.
    pub workers: Vec<Totals>,
    /// Why it stopped before the tree was exhausted, if so.
    pub stopped: Option<StopReason>,
    /// How long it took.
    pub elapsed: Duration,
    /// Events that did not fit in the channel.
    pub events_lost: u64,
    /// What was known of how it would go on.
    pub outlook: Outlook,
    /// The parts of the tree that nobody had entered when it stopped: another crew can [take them up](Crew::take_up).
    /// None when it is complete, and where no [`Crew::run`] did the work. Of a run that a limit stopped they are not all
    /// that is left: what was found beyond the limit is in no part.
    pub rest: Vec<Task>,
    /// The device that did the work, if one did.
    pub lanes: Option<Box<Lanes>>,
}

impl Outcome {
    /// The counters of all workers together.
    pub fn total(&self) -> Tally {
        let mut total = Tally::default();
        for Totals { tally, .. } in &self.workers {
            total.nodes += tally.nodes;
            total.tours += tally.tours;
            total.pruned += tally.pruned;
            let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
            add(&mut total.nodes_by_depth, &tally.nodes_by_depth);
            add(&mut total.pruned_by_depth, &tally.pruned_by_depth);
        }
        total
    }

    /// How far it was when it stopped, if that is known.
    pub fn progress(&self) -> Option<Progress> {
        let sum = |of: fn(&Tally) -> u64| self.workers.iter().map(|worker| of(&worker.tally)).sum();
        Progress::new(&self.outlook, sum(|tally| tally.nodes), sum(|tally| tally.tours))
    }

    /// Whether the whole tree was searched.
    pub fn complete(&self) -> bool {
        self.stopped.is_none()
    }
}

/// The outside of a run: samples its meters, holds its control. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Watch {
    control: Arc<Control>,
    meters: Arc<Meters>,
    events: EventSender,
}

impl Watch {
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

/// Whether everybody is here; locked until that is known.
struct Gate(RwLock<bool>);

impl Gate {
    /// Waits until everybody is here; `false` when somebody could not come.
    fn all_here(&self) -> bool {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The workers of one run.
pub struct Crew {
    plan: CrewPlan,
    control: Arc<Control>,
    meters: Arc<Meters>,
    events: EventSender,
    delivery: Option<Delivery>,
    /// The parts of the tree that are to be done.
    tasks: Vec<Task>,
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
            control: Arc::new(Control::new(plan.hand_over, plan.deadline)),
            meters: Arc::new(meters),
            events,
            delivery: None,
            tasks: vec![Task::root()],
            found: AtomicBool::new(false),
            failed: Mutex::new(None),
        }
    }

    /// Hands the tours of the run to `delivery`; without one they are only counted.
    pub fn deliver(&mut self, delivery: Option<Delivery>) {
        self.meters.foresee(|outlook| outlook.limit = delivery.as_ref().and_then(Delivery::most));
        self.delivery = delivery;
    }

    /// Lets the search of a tree do these parts of it instead of all: such as a run of the same search, by whatever
    /// crew, has [left](Outcome::rest). How far it is is not known then, for that is said of the whole tree.
    pub fn take_up(&mut self, tasks: Vec<Task>) {
        self.tasks = tasks;
    }

    /// Says how many tours there are, to a run whose tours tell how far it is.
    pub fn expect(&self, tours: Option<u64>) {
        self.meters.foresee(|outlook| outlook.tours = tours.filter(|_| self.is_whole()));
    }

    /// Whether all of a tree is to be done.
    fn is_whole(&self) -> bool {
        matches!(&self.tasks[..], [task] if task.choices.is_empty())
    }

    /// A view of the run from outside.
    pub fn watch(&self) -> Watch {
        Watch { control: self.control.clone(), meters: self.meters.clone(), events: self.events.clone() }
    }

    /// Runs the search to its end, or until it is told to stop.
    ///
    /// # Errors
    /// [`RunError`] when a worker panicked, could not be started, or could not write its tours; the others have
    /// stopped by then.
    pub fn run<S: Search + Clone + Sync>(&self, search: &S) -> Result<Outcome, RunError> {
        let whole = self.is_whole();
        let (going, ended) = crossbeam_channel::bounded::<()>(0);
        let ended = &ended;
        let (workers, elapsed) = std::thread::scope(|scope| {
            // Its end lets go of the sampling thread, also when that of the run is a panic.
            let _going = going;
            if let Some(head_start) = self.plan.estimate.filter(|_| whole) {
                let probe = move || self.guard(0, || self.probe(search.clone(), head_start, ended));
                // Where there is no thread for it the tree is not estimated, and that is all.
                let _ = std::thread::Builder::new().spawn_scoped(scope, probe);
            }
            let tasks = self.tasks.clone();
            let workers = match self.plan.scheduler {
                Scheduler::Serial => serial::run(self, search, &tasks),
                Scheduler::Static => fixed::run(self, search, &tasks),
                Scheduler::Rayon => fork::run(self, search, &tasks),
                Scheduler::Hire => hire::run(self, search, tasks),
            };
            (workers, self.meters.since(Instant::now()))
        });
        self.conclude(workers, elapsed)
    }

    /// What a run that has ended comes to.
    fn conclude(&self, mut workers: Vec<Totals>, elapsed: Duration) -> Result<Outcome, RunError> {
        // A worker that has gone home, or never came, is idle too.
        workers.iter_mut().for_each(|worker| worker.idle = elapsed.saturating_sub(worker.busy));
        self.send(Event { at: elapsed, worker: 0, kind: EventKind::Finished });
        if let Some(error) = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(error);
        }
        if let Some(error) = self.delivery.as_ref().and_then(Delivery::take_failure) {
            return Err(error.into());
        }
        let (stopped, events_lost, lanes) =
            (self.control.stopped(), self.events.lost(), self.meters.lanes().map(Box::new));
        let rest = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.rest)).collect();
        Ok(Outcome { workers, stopped, elapsed, events_lost, outlook: self.meters.outlook(), rest, lanes })
    }

    /// Samples the tree beside the workers, until there is no more to learn.
    fn probe<S: Search>(&self, search: S, head_start: Duration, ended: &Receiver<()>) {
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), PROBE_NICE);
        let over = || ended.try_recv() == Err(TryRecvError::Disconnected) || self.control.stopped().is_some();
        let mut prober = Prober::new(search, PROBE_SEED);
        while !over() && !self.meters.is_told() {
            if hand::cpu_time() > head_start + self.meters.cpu().mul_f64(PROBE_SHARE) {
                // The other end says nothing, it goes away.
                let _ = ended.recv_timeout(PROBE_PAUSE);
            } else if let Some(estimate) = prober.sample(over) {
                self.meters.foresee(|outlook| outlook.estimate = Some(estimate));
                if estimate.is_exact() {
                    return;
                }
            }
        }
    }

    fn size(&self) -> usize {
        self.meters.len()
    }

    fn control(&self) -> &Control {
        &self.control
    }

    fn meters(&self) -> &Meters {
        &self.meters
    }

    fn delivery(&self) -> Option<&Delivery> {
        self.delivery.as_ref()
    }

    fn hires(&self) -> bool {
        self.plan.scheduler == Scheduler::Hire
    }

    fn send(&self, event: Event) {
        self.events.send(event);
    }

    /// Whether no tour had been found before; true once.
    fn is_first_tour(&self) -> bool {
        !self.found.swap(true, Ordering::Relaxed)
    }

    /// Starts one thread per worker, runs `body` on each with a clone of the search, and collects their totals. A panic
    /// in `body` stops the run.
    fn run_threads<'a, S, F>(&'a self, search: &S, body: F) -> Vec<Totals>
    where
        S: Search + Clone + Sync,
        F: Fn(&mut Worker<'a, S>) + Sync,
    {
        self.start(&|id, gate| {
            let mut worker = Worker::new(id, self, search);
            let intact = !gate.all_here() || self.guard(id, || body(&mut worker));
            worker.publish_cpu();
            worker.finish(intact)
        })
    }

    /// Starts one thread per worker, runs `body` on each and collects their totals.
    ///
    /// Nobody passes the gate before all have been started: a crew in which somebody is missing could wait for him for
    /// ever.
    /// The body is called by reference: this is built once, not again for every kind of search.
    fn start(&self, body: &(dyn Fn(usize, &Gate) -> Totals + Sync)) -> Vec<Totals> {
        let totals: Mutex<Vec<(usize, Totals)>> = Mutex::new(Vec::new());
        let gate = Gate(RwLock::new(true));
        std::thread::scope(|scope| {
            let mut closed = gate.0.write().unwrap_or_else(PoisonError::into_inner);
            for id in 0..self.size() {
                let (totals, gate) = (&totals, &gate);
                let run = move || {
                    self.lower_priority();
                    let mine = body(id, gate);
                    totals.lock().unwrap_or_else(PoisonError::into_inner).push((id, mine));
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
    fn guard(&self, worker: usize, body: impl FnOnce()) -> bool {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        if let Err(payload) = &caught {
            self.panicked(worker, &**payload);
        }
        caught.is_ok()
    }

    /// Keeps what a worker said when it panicked.
    fn panicked(&self, worker: usize, payload: &(dyn std::any::Any + Send)) {
        if let Some(&refused) = payload.downcast_ref::<Refused>() {
            return self.fail(RunError::Memory(refused));
        }
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let message = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned();
        self.fail(RunError::Panicked { worker, message });
    }

    fn fail(&self, error: RunError) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.control.stop(StopReason::Failed);
    }

    /// Lowers the priority of the calling thread alone. That it may be refused changes only how quick a view is.
    fn lower_priority(&self) {
        if self.plan.nice > 0 {
            let thread = rustix::thread::gettid();
            let _ = rustix::process::setpriority_process(Some(thread), self.plan.nice);
        }
    }
}
