//! Work that one worker does alone, such as driving a device. The other workers of the crew stay idle.

use super::control::Permit;
use super::delivery::Courier;
use super::hand::{Hand, WorkerPosition};
use super::lifecycle::Crew;
use crate::event::EventKind;
use crate::lock::LockAlways as _;
use crate::schedule::figures::lanes::DeviceLanes;
use crate::schedule::figures::outcome::{RunError, RunOutcome};
use crate::schedule::figures::workers::WorkerState;
use crate::search::{Drawing, TourSink};
use std::sync::Mutex;
use std::time::Instant;

/// The worker that does the work.
pub struct SoloWorker<'a> {
    hand: Hand<'a>,
    courier: Option<Courier<'a>>,
}

impl SoloWorker<'_> {
    /// What the worker may do next; waits while it may do nothing.
    pub fn permit(&mut self, draw: impl FnOnce(&mut Drawing)) -> Permit {
        self.hand.permit(draw)
    }

    /// Whether the tours are delivered.
    pub fn delivers(&self) -> bool {
        self.courier.is_some()
    }

    /// Delivers a tour; answers how many tours were accepted. The caller counts them with [`SoloWorker::count`].
    pub fn deliver_tour(&mut self, squares: &[u8]) -> u64 {
        self.courier.as_mut().map_or(0, |courier| courier.tour(squares))
    }

    /// Counts nodes entered and tours found.
    pub fn count(&mut self, nodes: u64, tours: u64) {
        self.hand.tally.nodes += nodes;
        self.hand.tally.tours += tours;
        if tours > 0 && self.hand.context().is_first_tour() {
            self.hand.report(EventKind::FirstTour);
        }
    }

    /// Publishes the counters and the device.
    pub fn publish(&mut self, lanes: &DeviceLanes, depth: usize, draw: impl FnOnce(&mut Drawing)) {
        self.hand.context().meters().set_lanes(lanes);
        let place = WorkerPosition { depth, open_level: None };
        if let (true, Some(courier)) = (self.hand.publish(&place, draw), &mut self.courier) {
            courier.flush();
        }
    }
}

impl Crew {
    /// Runs `work` on one worker.
    ///
    /// # Errors
    /// The error of `work`; or [`RunError`] when `work` panicked, a thread could not be started, or the tours could not be
    /// written.
    pub fn run_solo(
        &self,
        work: impl FnOnce(&mut SoloWorker<'_>) -> Result<(), RunError> + Send,
    ) -> Result<RunOutcome, RunError> {
        assert!(self.is_fresh(), "only the search of a tree can be resumed with parts of a tree");
        let context = &self.context;
        let work = Mutex::new(Some(work));
        let work_alone = || {
            let workers = context.start(&|id, gate| {
                let courier = context.courier(id);
                let mut alone = SoloWorker { hand: Hand::new(id, context), courier };
                let mine = if gate.all_started() && id == 0 { work.locked().take() } else { None };
                if let Some(work) = mine {
                    alone.hand.set_state(WorkerState::Busy);
                    alone.hand.report(EventKind::Began { depth: 0 });
                    context.guard(id, || {
                        if let Err(error) = work(&mut alone) {
                            context.fail(error);
                        }
                    });
                    alone.hand.publish_cpu();
                    let nodes = alone.hand.nodes_since();
                    alone.hand.report(EventKind::Idle { nominee: None, level: None, nodes });
                    if let Some(courier) = &mut alone.courier {
                        courier.flush();
                    }
                }
                alone.hand.finish()
            });
            // The forecast may end later than the work.
            (workers, context.meters().since(Instant::now()))
        };
        let (workers, elapsed) = self.with_forecast(work_alone);
        self.conclude(workers, elapsed)
    }

    /// Runs a construction: work that one worker finishes at once, or nearly so.
    ///
    /// # Errors
    /// [`RunError`] when the construction panicked or its thread could not be started.
    pub fn construct<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<(T, RunOutcome), RunError> {
        let mut result = None;
        let outcome = self.run_solo(|_| {
            result = Some(work());
            Ok(())
        })?;
        match result {
            Some(result) => Ok((result, outcome)),
            None => unreachable!("a worker that did not finish its work has failed, and that is an error"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventSender;
    use crate::schedule::{CrewPlan, Scheduler};
    use std::time::Duration;

    fn crew(threads: usize) -> Crew {
        Crew::new(CrewPlan::of(threads, Scheduler::Hire), EventSender::nowhere())
    }

    #[test]
    fn one_works_and_the_others_are_idle() {
        let crew = crew(3);
        let watch = crew.watch();
        let outcome = crew.run_solo(|alone| {
            assert_eq!(alone.permit(|_| ()), Permit::Run);
            alone.count(7, 2);
            let mut lanes = DeviceLanes::new("some", None, 4);
            lanes.note(3.0, Duration::from_millis(1));
            alone.publish(&lanes, 5, |_| ());
            Ok(())
        });
        let outcome = outcome.unwrap();
        assert_eq!((outcome.workers.len(), outcome.total().nodes, outcome.total().tours), (3, 7, 2));
        assert_eq!(outcome.lanes.as_ref().map(|lanes| lanes.dispatches), Some(1));
        assert_eq!(watch.snapshot().lanes.as_ref(), outcome.lanes.as_deref());
    }

    #[test]
    fn an_error_of_the_work_is_the_error_of_the_run() {
        let outcome = crew(2).run_solo(|_| Err(RunError::Device("it is gone".to_owned())));
        assert!(matches!(outcome, Err(RunError::Device(text)) if text == "it is gone"));
        let outcome = crew(2).run_solo(|_| panic!("a fault"));
        assert!(matches!(outcome, Err(RunError::Panicked { worker: 0, .. })));
    }
}
