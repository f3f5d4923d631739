//! How many tours a run finds in the end: what is known of that beforehand, and what is found out beside the workers.
//!
//! A table gives the number at once ([`Crew::expect`]). Where a computation gives it ([`Crew::foretell`]), it runs on a thread
//! of its own at a low priority, for a run that is estimated at all, and begins late enough to disturb no short one. When the
//! run ends the computation is told to stop.

use super::crew::Crew;
use super::progress::TourForecast;
use crate::lock::LockAlways as _;
use crate::stop::{Stop, StopReason};
use crossbeam_channel::{RecvTimeoutError, Sender};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// How long a run has taken when the computation begins: of one whose progress is looked at, and of another.
const PATIENCE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// Priority of the thread that computes.
const NICE: i32 = 10;

/// The largest number up to which every whole one is a number of 64 bits with a point.
const WHOLE_MAX: f64 = 9_007_199_254_740_992.0;

/// The end of the work beside which a computation runs, however the work ends.
struct WorkEnd<'a> {
    stop: &'a Stop,
    /// Its end wakes the computation.
    _going: Sender<()>,
}

impl Drop for WorkEnd<'_> {
    fn drop(&mut self) {
        self.stop.ask(StopReason::Asked);
    }
}

impl Crew {
    /// Says how many tours there are, where that is known, and whether their share tells how far the run is.
    pub fn expect(&self, tours: Option<u64>, evenly: bool) {
        let tours = tours.filter(|_| self.is_whole());
        self.meters().foresee(|outlook| (outlook.tours, outlook.evenly) = (tours, evenly));
    }

    /// Lets `find` compute beside the workers how many tours there are.
    pub fn foretell(&mut self, find: TourForecast) {
        *self.foretelling.unlocked() = Some(find);
    }

    /// Whether what it searches is the whole tree, of which numbers of tours are known.
    fn is_whole(&self) -> bool {
        self.plan.shard.is_none()
    }

    /// Does `work`, and beside it computes how many tours there are, if that was asked for and the plan
    /// estimates the run.
    pub(super) fn foretold<T>(&self, work: impl FnOnce() -> T) -> T {
        let head_start = self.plan.estimate.filter(|_| self.is_whole());
        let find = self.foretelling.locked().take().zip(head_start);
        let Some((find, head_start)) = find else { return work() };
        let patience = if head_start.is_zero() { PATIENCE.1 } else { PATIENCE.0 };
        let stop = Stop::default();
        let (going, ended) = crossbeam_channel::bounded::<()>(0);
        std::thread::scope(|scope| {
            let _end = WorkEnd { stop: &stop, _going: going };
            let compute = || {
                let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE);
                // The other end says nothing, it goes away.
                if ended.recv_timeout(patience) != Err(RecvTimeoutError::Timeout) {
                    return;
                }
                // Where there is no memory for it the number stays unknown, and that is all.
                if let Ok(Some(tours)) = catch_unwind(AssertUnwindSafe(|| find(&stop))) {
                    self.meters().foresee(|outlook| match tours.low == tours.high && tours.mean <= WHOLE_MAX {
                        true => outlook.tours = Some(tours.mean as u64),
                        false => outlook.about = Some(tours),
                    });
                }
            };
            // Where there is no thread for it the number stays unknown, and that is all.
            let _ = std::thread::Builder::new().spawn_scoped(scope, compute);
            work()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CrewPlan, Forecast, Scheduler, Shard};
    use super::*;
    use crate::event::EventSender;
    use crate::ranged::Ranged;
    use crate::search::Path;

    fn crew(estimate: Option<Duration>, shard: Option<Shard>) -> Crew {
        Crew::new(CrewPlan { estimate, shard, ..CrewPlan::of(2, Scheduler::Hire) }, EventSender::nowhere())
    }

    /// What a run that is held until it is known, or cannot be any more, says of its tours in the end.
    fn outlook(crew: &mut Crew, find: TourForecast) -> Forecast {
        let (send, told) = crossbeam_channel::bounded(1);
        let watch = crew.watch();
        watch.set_paused(true);
        crew.foretell(Box::new(move |stop| {
            let found = find(stop);
            let _ = send.send(());
            found
        }));
        let search = Path::<u64>::closed("5x6".parse().unwrap(), None).unwrap();
        std::thread::scope(|scope| {
            let run = scope.spawn(|| crew.run(&search).unwrap());
            // The crew drops it without a word where it asks for no number.
            let _ = told.recv();
            watch.set_paused(false);
            run.join().unwrap().outlook
        })
    }

    #[test]
    fn a_number_that_is_computed_beside_the_workers_is_told() {
        let mut crew = crew(Some(Duration::from_secs(1)), None);
        crew.expect(None, true);
        let told = outlook(&mut crew, Box::new(|_| Some(Ranged::exact(8.0))));
        assert_eq!((told.tours, told.about), (Some(8), None));
    }

    #[test]
    fn a_range_is_told_as_one_and_so_is_a_number_that_no_search_can_count() {
        for tours in [Ranged::about(1e30, 1.5), Ranged::exact(1e30)] {
            let told = outlook(&mut crew(Some(Duration::from_secs(1)), None), Box::new(move |_| Some(tours)));
            assert_eq!((told.tours, told.about), (None, Some(tours)));
        }
    }

    #[test]
    fn of_a_part_and_of_a_run_without_an_estimate_nothing_is_computed() {
        for (estimate, shard) in [(None, None), (Some(Duration::from_secs(1)), Shard::new(1, 2))] {
            let mut crew = crew(estimate, shard);
            crew.expect(Some(8), true);
            let told = outlook(&mut crew, Box::new(|_| unreachable!("the crew asks for no number")));
            assert_eq!((told.tours, told.about), (shard.is_none().then_some(8), None));
        }
    }

    #[test]
    fn the_end_of_a_run_ends_the_computation() {
        let mut crew = crew(Some(Duration::from_secs(1)), None);
        let (send, begun) = crossbeam_channel::bounded(1);
        crew.foretell(Box::new(move |stop| {
            let _ = send.send(());
            while !stop.is_asked() {
                std::thread::yield_now();
            }
            None
        }));
        let watch = crew.watch();
        watch.set_paused(true);
        let search = Path::<u64>::closed("5x6".parse().unwrap(), None).unwrap();
        std::thread::scope(|scope| {
            let run = scope.spawn(|| crew.run(&search).unwrap());
            begun.recv().unwrap();
            watch.set_paused(false);
            assert_eq!(run.join().unwrap().total().tours, 8);
        });
    }
}
