//! A crew from its setup to its outcome, what its workers share, and the view of it from outside.

use super::control::{Control, HeldTime};
use super::delivery::{Delivery, TourWriter};
use super::meter::Meters;
use super::plan::CrewPlan;
use super::{forecast, thread};
use crate::event::{Event, EventKind, EventSender};
use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use crate::schedule::figures::outcome::{RunError, RunOutcome, Totals};
use crate::schedule::figures::progress::{Forecast, TourForecast};
use crate::schedule::figures::snapshot::Snapshot;
use crate::search::{HandOver, Tally, Task};
use crate::stop::StopReason;
use crate::system::{self, ThreadRefused};
use crate::test_halt::{self, HaltPoint};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// The view of a run from outside: samples its meters and holds its control. Cheap to clone.
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

    /// The position of a worker as the worker last published it.
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

    /// Whether every worker that has work has learned of the pause.
    #[cfg(test)]
    pub fn stands(&self) -> bool {
        self.meters.stand()
    }

    /// Whether the run was told to stop or its deadline has passed. For work that asks for no permits.
    pub fn halted(&self) -> bool {
        self.control.check_deadline(Instant::now());
        self.control.stop_reason().is_some()
    }

    /// Changes the hand-over rule and sends the event of it.
    pub fn set_hand_over(&self, rule: HandOver) {
        self.control.set_hand_over(rule);
        self.send(EventKind::RuleChanged { rule });
    }

    /// Pauses or resumes the run and sends the event of it.
    pub fn set_paused(&self, paused: bool) {
        if paused {
            self.control.pause();
            self.send_turn(EventKind::Paused);
        } else {
            self.control.resume();
            self.send_turn(EventKind::Resumed);
        }
    }

    /// Pauses the run before its first node: it has not gone on for any time then.
    pub fn begin_paused(&self) {
        self.control.pause_since(self.meters.began);
    }

    /// Pauses the run and lets every busy worker enter one node. Sends the event of the pause if the run was not paused.
    pub fn step(&self) {
        let was_paused = self.control.is_paused();
        self.control.step();
        if !was_paused {
            self.send_turn(EventKind::Paused);
        }
    }

    /// Sends the event of a pause that began or ended, at the time from which on the meters count it.
    fn send_turn(&self, kind: EventKind) {
        let at = self.control.pauses().turned.unwrap_or_else(Instant::now);
        self.events.send(Event { at: self.meters.since(at), worker: 0, kind });
    }

    fn send(&self, kind: EventKind) {
        self.events.send(Event { at: self.meters.since(Instant::now()), worker: 0, kind });
    }
}

/// Saves the progress of a search, in its breaks.
pub type ProgressSaver = Box<dyn Fn(&RunOutcome) + Send + Sync>;

/// The workers of one run, and what the run starts from.
pub struct Crew {
    pub(in crate::schedule) context: CrewContext,
    /// The parts of the tree that are to be searched.
    pub(in crate::schedule) tasks: Vec<Task>,
    /// What earlier crews have done of the run.
    earlier: RunOutcome,
    saver: Option<ProgressSaver>,
    forecast: Mutex<Option<TourForecast>>,
}

/// The setup of a crew.
impl Crew {
    /// A crew by this plan that sends its events to `events`.
    pub fn new(plan: CrewPlan, events: EventSender) -> Crew {
        let context = CrewContext::new(plan, events);
        let meters = &context.meters;
        meters.update_outlook(|outlook| outlook.deadline = plan.deadline.map(|at| meters.since(at)));
        Crew {
            context,
            tasks: vec![Task::root()],
            earlier: RunOutcome::default(),
            saver: None,
            forecast: Mutex::default(),
        }
    }

    /// Hands the tours of the run to `delivery`. Without a delivery the tours are only counted.
    pub fn deliver(&mut self, delivery: Option<Delivery>) {
        self.context.meters.update_outlook(|outlook| outlook.limit = delivery.as_ref().and_then(Delivery::tour_limit));
        let tours = self.earlier.workers.iter().map(|worker| worker.tally.tours).sum();
        self.context.delivery = delivery.map(|delivery| delivery.resumed_after(tours));
    }

    /// Resumes the search of a tree where an earlier run of the same search stopped, with the [rest](RunOutcome::rest) of it.
    /// The earlier run may have had any crew. Figures, tours and time of the outcome are those of both runs together.
    pub fn resume(&mut self, mut earlier: RunOutcome) {
        self.tasks = std::mem::take(&mut earlier.rest);
        self.context.set_tour_found(earlier.workers.iter().any(|worker| worker.tally.tours > 0));
        let meters = &self.context.meters;
        meters.resume_from(&earlier);
        let deadline = self.context.plan.deadline.map(|at| meters.since(at));
        let Forecast { estimate, tours, about, .. } = earlier.outlook;
        meters.update_outlook(|outlook| *outlook = Forecast { deadline, estimate, tours, about, ..*outlook });
        self.earlier = earlier;
    }

    /// Calls `saver` in every [break](CrewPlan::breaks) with the progress of the search.
    pub fn set_saver(&mut self, saver: ProgressSaver) {
        self.saver = Some(saver);
    }

    /// Sets the number of all tours, if it is known, and whether the share of the tours found tells how far the run is.
    pub fn set_tour_count(&self, tours: Option<u64>, evenly: bool) {
        let tours = tours.filter(|_| self.context.is_whole_tree());
        self.context
            .meters
            .update_outlook(|outlook| (outlook.tours, outlook.evenly) = (tours.or(outlook.tours), evenly));
    }

    /// Lets `forecast` compute the number of all tours beside the workers.
    pub fn set_tour_forecast(&mut self, forecast: TourForecast) {
        *self.forecast.unlocked() = Some(forecast);
    }

    /// A view of the run from outside.
    pub fn watch(&self) -> CrewWatch {
        let CrewContext { control, meters, events, .. } = &self.context;
        CrewWatch { control: control.clone(), meters: meters.clone(), events: events.clone() }
    }
}

/// The course of a run.
impl Crew {
    /// Whether the whole tree is to be searched and nothing of it has been done.
    pub(in crate::schedule) fn is_fresh(&self) -> bool {
        matches!(&self.tasks[..], [task] if task.choices.is_empty())
    }

    /// Does `work`, and beside it computes the number of all tours if a forecast was set and the plan estimates the run.
    pub(in crate::schedule) fn with_forecast<T>(&self, work: impl FnOnce() -> T) -> T {
        let forecast = self.forecast.locked().take();
        let head_start = self.context.plan.estimate.filter(|_| self.context.is_whole_tree());
        forecast::compute_beside(&self.context.meters, head_start, forecast, work)
    }

    /// Ends a break for which the workers have stopped: calls the saver and answers the rest of each worker, with which the
    /// workers begin again. Answers `None` if there was no break, the run is told to stop, or no work is left.
    pub(in crate::schedule) fn finish_break(&self, workers: &mut Vec<Totals>) -> Option<Vec<Vec<Task>>> {
        let context = &self.context;
        if !context.control.end_break() || context.control.stop_reason().is_some() {
            return None;
        }
        let rests: Vec<Vec<Task>> = workers.iter().map(|worker| worker.rest.clone()).collect();
        if rests.iter().all(Vec::is_empty) {
            return None;
        }
        context.carry(workers.iter().map(|worker| worker.tally.clone()).collect());
        let so_far = self.outcome(std::mem::take(workers), context.meters.since(Instant::now()));
        if let Some(saver) = &self.saver {
            saver(&so_far);
        }
        Some(rests)
    }

    /// Sends the last event and answers the outcome of the run, or its error.
    pub(in crate::schedule) fn conclude(
        &self,
        workers: Vec<Totals>,
        elapsed: Duration,
    ) -> Result<RunOutcome, RunError> {
        self.context.meters.end(elapsed);
        self.context.send(Event { at: elapsed, worker: 0, kind: EventKind::Finished });
        match self.context.take_error() {
            Some(error) => Err(error),
            None => Ok(self.outcome(workers, elapsed)),
        }
    }

    /// The outcome of workers that have stopped, together with the earlier run.
    fn outcome(&self, mut workers: Vec<Totals>, elapsed: Duration) -> RunOutcome {
        // A pause is no time of the run.
        let HeldTime { paused, slowed } = self.context.control.held();
        let own = elapsed.saturating_sub(self.earlier.elapsed).saturating_sub(paused);
        let (elapsed, slowed) = (self.earlier.elapsed + own, self.earlier.slowed + slowed);
        for worker in &mut workers {
            // It goes on for up to a burst after a pause was asked for. One that has stopped, or was never started, is idle.
            worker.busy = worker.busy.min(own);
            worker.idle = own - worker.busy;
        }
        let rest = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.rest)).collect();
        workers.iter_mut().zip(&self.earlier.workers).for_each(|(worker, earlier)| worker.add(earlier));
        // The earlier crew may have been larger.
        workers.extend(self.earlier.workers.iter().skip(workers.len()).cloned());
        let (mut crews, own) = (self.earlier.crews.clone(), self.context.size());
        match crews.last().copied().unwrap_or(self.earlier.workers.len()) {
            0 => {}
            last if last == own => {}
            last if crews.is_empty() => crews = vec![last, own],
            _ => crews.push(own),
        }
        let CrewContext { control, meters, events, .. } = &self.context;
        let stopped = control.stop_reason();
        let events_lost = events.lost() + self.earlier.events_lost;
        let outlook = meters.outlook();
        RunOutcome { workers, crews, stopped, elapsed, paused, slowed, events_lost, outlook, rest, has_all: false }
    }
}

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
        let workers = plan.scheduler.workers(plan.threads);
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

    /// What writes the tours of one worker, if the tours are delivered.
    pub fn tour_writer(&self, worker: usize) -> Option<TourWriter<'_>> {
        self.delivery.as_ref().map(|delivery| TourWriter::new(delivery, &self.control, &self.meters, worker))
    }

    /// Whether the crew shares its work by the hire protocol.
    pub fn hires(&self) -> bool {
        self.plan.scheduler.has_rules
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
                let started = system::start_within(scope, &format!("worker-{id}"), run);
                if let Err(ThreadRefused { error, .. }) = started {
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
            thread::pin(worker);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event;
    use crate::schedule::Scheduler;

    /// The clock of a screen goes by events, and figures by the meters.
    #[test]
    fn a_pause_begins_and_ends_at_one_time_in_events_and_in_figures() {
        let (sender, events) = event::channel(8);
        let watch = Crew::new(CrewPlan::of(1, Scheduler::HIRE), sender).watch();
        let [pause, go_on]: [fn(&CrewWatch); 2] = [|watch| watch.set_paused(true), |watch| watch.set_paused(false)];
        for turn in [pause, go_on, CrewWatch::step, go_on] {
            turn(&watch);
            let turned = watch.control.pauses().turned.map(|at| watch.meters.since(at));
            assert_eq!(events.try_recv().ok().map(|event| event.at), turned);
        }
        watch.step();
        watch.step();
        assert_eq!(events.try_iter().count(), 1, "a step in a pause begins none");
    }

    #[test]
    fn every_crew_of_a_run_is_named_unless_all_had_one_size() {
        let board: crate::board::Board = "3x4".parse().unwrap();
        let kernel = crate::search::Brute::<u64>::new(board, board.at(0)).unwrap();
        let by_crews = |sizes: &[usize]| {
            sizes.iter().fold(RunOutcome::default(), |earlier, &size| {
                let mut crew = Crew::new(CrewPlan::of(size, Scheduler::HIRE), EventSender::nowhere());
                crew.resume(RunOutcome { rest: vec![Task::root()], ..earlier });
                crew.run(&kernel).unwrap()
            })
        };
        assert_eq!(by_crews(&[4, 8, 8, 2]).crews, [4, 8, 2]);
        assert_eq!((by_crews(&[2, 8]).crews, by_crews(&[2, 8]).workers.len()), (vec![2, 8], 8));
        assert_eq!(by_crews(&[3, 3]).crews, [0; 0]);
    }

    #[test]
    fn a_run_that_begins_in_a_pause_has_gone_on_for_no_time() {
        let watch = Crew::new(CrewPlan::of(1, Scheduler::HIRE), EventSender::nowhere()).watch();
        watch.begin_paused();
        assert!(watch.control.is_paused() && watch.snapshot().ran().is_zero());
        let elapsed = watch.meters.since(Instant::now());
        assert!(watch.control.held().paused >= elapsed, "{elapsed:?}");
    }
}
