//! The forecast of the number of all tours, computed beside the workers of a run.
//!
//! A table may give the number at once: [`Crew::set_tour_count`](super::lifecycle::Crew::set_tour_count). A computation
//! ([`Crew::set_tour_forecast`](super::lifecycle::Crew::set_tour_forecast)) runs on a thread of its own at a low priority, and
//! only for a run that is estimated. It begins late enough to disturb no short run. When the run ends, the computation is told
//! to stop.

use super::meter::Meters;
use crate::schedule::figures::progress::TourForecast;
use crate::stop::{Stop, StopReason};
use crate::system;
use crossbeam_channel::{RecvTimeoutError, Sender};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Time from the start of a run to the start of the computation: for a run whose progress is displayed, and for another run.
const PATIENCE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// Priority of the thread that computes.
const NICE: i32 = 10;
/// The largest number up to which an `f64` holds every whole number.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// Ends the computation when it is dropped, however the work ends.
struct WorkEnd<'a> {
    stop: &'a Stop,
    /// Wakes the computation when it is dropped.
    _running: Sender<()>,
}

impl Drop for WorkEnd<'_> {
    fn drop(&mut self) {
        self.stop.ask(StopReason::Asked);
    }
}

/// Does `work`, and beside it computes `forecast`, if there is one and the plan estimates the run, with this head start.
pub fn compute_beside<T>(
    meters: &Meters,
    head_start: Option<Duration>,
    forecast: Option<TourForecast>,
    work: impl FnOnce() -> T,
) -> T {
    let Some((forecast, head_start)) = forecast.zip(head_start) else { return work() };
    let patience = if head_start.is_zero() { PATIENCE.1 } else { PATIENCE.0 };
    let stop = Stop::default();
    let (running, ended) = crossbeam_channel::bounded::<()>(0);
    std::thread::scope(|scope| {
        let _end = WorkEnd { stop: &stop, _running: running };
        let compute = || {
            let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
            // The sender sends nothing: it is dropped when the work ends.
            if ended.recv_timeout(patience) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            // If memory is refused, the number stays unknown and the run continues.
            if let Ok(Some(tours)) = catch_unwind(AssertUnwindSafe(|| forecast(&stop))) {
                meters.update_outlook(|outlook| {
                    if tours.low == tours.high && tours.mean <= WHOLE_MAX {
                        outlook.tours = Some(tours.mean as u64)
                    } else {
                        outlook.about = Some(tours)
                    }
                });
            }
        };
        // If the thread cannot be started, the number stays unknown and the run continues.
        let _ = system::start_within(scope, "forecast", compute);
        work()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::event::EventSender;
    use crate::ranged::Ranged;
    use crate::schedule::{Crew, CrewPlan, Forecast, RunOutcome, Scheduler, Shard};
    use crate::search::Path;

    fn crew(estimate: Option<Duration>, shard: Option<Shard>) -> Crew {
        Crew::new(CrewPlan { estimate, shard, ..CrewPlan::of(2, Scheduler::HIRE) }, EventSender::nowhere())
    }

    /// What a run that is held until it is known, or cannot be any more, says of its tours in the end.
    fn outlook(crew: &mut Crew, find: TourForecast) -> Forecast {
        let (send, told) = crossbeam_channel::bounded(1);
        let watch = crew.watch();
        watch.set_paused(true);
        crew.set_tour_forecast(Box::new(move |stop| {
            let found = find(stop);
            let _ = send.send(());
            found
        }));
        let search = Path::<u64>::closed("5x6".parse::<Shape>().unwrap(), None).unwrap();
        std::thread::scope(|scope| {
            let run = scope.spawn(|| crew.run(&search).unwrap());
            // If the crew asks for no number, it drops the sender and nothing is received.
            let _ = told.recv();
            watch.set_paused(false);
            run.join().unwrap().outlook
        })
    }

    #[test]
    fn a_number_that_is_computed_beside_the_workers_is_in_the_forecast() {
        let mut crew = crew(Some(Duration::from_secs(1)), None);
        crew.set_tour_count(None, true);
        let told = outlook(&mut crew, Box::new(|_| Some(Ranged::exact(8.0))));
        assert_eq!((told.tours, told.about), (Some(8), None));
    }

    #[test]
    fn a_range_and_a_number_that_no_search_can_count_are_ranges_in_the_forecast() {
        for tours in [Ranged::about(1e30, 1.5), Ranged::exact(1e30)] {
            let told = outlook(&mut crew(Some(Duration::from_secs(1)), None), Box::new(move |_| Some(tours)));
            assert_eq!((told.tours, told.about), (None, Some(tours)));
        }
    }

    #[test]
    fn nothing_is_computed_for_a_shard_or_a_run_without_an_estimate() {
        for (estimate, shard) in [(None, None), (Some(Duration::from_secs(1)), Shard::new(1, 2))] {
            let mut crew = crew(estimate, shard);
            crew.set_tour_count(Some(8), true);
            let told = outlook(&mut crew, Box::new(|_| unreachable!("the crew asks for no number")));
            assert_eq!((told.tours, told.about), (shard.is_none().then_some(8), None));
        }
    }

    #[test]
    fn a_run_that_is_resumed_knows_what_was_forecast_before() {
        let mut crew = crew(None, None);
        let outlook = Forecast { tours: Some(8), ..Forecast::default() };
        crew.resume(RunOutcome { outlook, elapsed: Duration::from_secs(1), ..RunOutcome::default() });
        crew.set_tour_count(None, true);
        assert_eq!(crew.watch().snapshot().outlook.tours, Some(8));
    }

    #[test]
    fn the_end_of_a_run_ends_the_computation() {
        let mut crew = crew(Some(Duration::from_secs(1)), None);
        let (send, begun) = crossbeam_channel::bounded(1);
        crew.set_tour_forecast(Box::new(move |stop| {
            let _ = send.send(());
            while !stop.is_asked() {
                std::thread::yield_now();
            }
            None
        }));
        let watch = crew.watch();
        watch.set_paused(true);
        let search = Path::<u64>::closed("5x6".parse::<Shape>().unwrap(), None).unwrap();
        std::thread::scope(|scope| {
            let run = scope.spawn(|| crew.run(&search).unwrap());
            begun.recv().unwrap();
            watch.set_paused(false);
            assert_eq!(run.join().unwrap().total().tours, 8);
        });
    }
}
