//! A crew from its setup to its outcome, and the view of it from outside.

use super::context::CrewContext;
use super::control::Control;
use super::delivery::Delivery;
use super::forecast;
use super::meter::Meters;
use super::plan::CrewPlan;
use crate::event::{Event, EventKind, EventSender};
use crate::lock::LockAlways as _;
use crate::schedule::figures::outcome::{RunError, RunOutcome, Totals};
use crate::schedule::figures::progress::TourForecast;
use crate::schedule::figures::snapshot::Snapshot;
use crate::search::{HandOver, Task};
use std::sync::{Arc, Mutex};
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
            self.send(EventKind::Paused);
        } else {
            self.control.resume();
            self.send(EventKind::Resumed);
        }
    }

    /// Pauses the run and lets every busy worker enter one node. Sends the event of the pause if the run was not paused.
    pub fn step(&self) {
        if !self.control.is_paused() {
            self.send(EventKind::Paused);
        }
        self.control.step();
    }

    fn send(&self, kind: EventKind) {
        self.events.send(Event { at: self.meters.since(Instant::now()), worker: 0, kind });
    }
}

/// Saves the progress of a search, in its breaks.
pub type Keeper = Box<dyn Fn(&RunOutcome) + Send + Sync>;

/// The workers of one run, and what the run starts from.
pub struct Crew {
    pub(in crate::schedule) context: CrewContext,
    /// The parts of the tree that are to be searched.
    pub(in crate::schedule) tasks: Vec<Task>,
    /// What earlier crews have done of the run.
    earlier: RunOutcome,
    keeper: Option<Keeper>,
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
            keeper: None,
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
        let estimate = earlier.outlook.estimate;
        meters.update_outlook(|outlook| (outlook.deadline, outlook.estimate) = (deadline, estimate));
        self.earlier = earlier;
    }

    /// Calls `keeper` in every [break](CrewPlan::breaks) with the progress of the search.
    pub fn set_keeper(&mut self, keeper: Keeper) {
        self.keeper = Some(keeper);
    }

    /// Sets the number of all tours, if it is known, and whether the share of the tours found tells how far the run is.
    pub fn set_tour_count(&self, tours: Option<u64>, evenly: bool) {
        let tours = tours.filter(|_| self.context.is_whole_tree());
        self.context.meters.update_outlook(|outlook| (outlook.tours, outlook.evenly) = (tours, evenly));
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
        forecast::compute_beside(&self.context, forecast, work)
    }

    /// Ends a break for which the workers have stopped: calls the keeper and answers the rest of each worker, with which the
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
        if let Some(keeper) = &self.keeper {
            keeper(&so_far);
        }
        context.meters.end_break();
        Some(rests)
    }

    /// Sends the last event and answers the outcome of the run, or its error.
    pub(in crate::schedule) fn conclude(
        &self,
        workers: Vec<Totals>,
        elapsed: Duration,
    ) -> Result<RunOutcome, RunError> {
        self.context.send(Event { at: elapsed, worker: 0, kind: EventKind::Finished });
        match self.context.take_error() {
            Some(error) => Err(error),
            None => Ok(self.outcome(workers, elapsed)),
        }
    }

    /// The outcome of workers that have stopped, together with the earlier run.
    fn outcome(&self, mut workers: Vec<Totals>, elapsed: Duration) -> RunOutcome {
        let own = elapsed.saturating_sub(self.earlier.elapsed);
        // A worker that has stopped, or was never started, is idle too.
        workers.iter_mut().for_each(|worker| worker.idle = own.saturating_sub(worker.busy));
        let rest = workers.iter_mut().flat_map(|worker| std::mem::take(&mut worker.rest)).collect();
        let most = workers.len().max(self.earlier.workers.len());
        workers.resize_with(most, Totals::default);
        workers.iter_mut().zip(&self.earlier.workers).for_each(|(worker, earlier)| worker.add(earlier));
        let CrewContext { control, meters, events, .. } = &self.context;
        let (stopped, lanes) = (control.stop_reason(), meters.lanes().map(Box::new));
        let events_lost = events.lost() + self.earlier.events_lost;
        RunOutcome { workers, stopped, elapsed, events_lost, outlook: meters.outlook(), rest, lanes }
    }
}
