//! What the workers spent their time on between two looks at a run: running, held up by the operating system, without
//! work, and so on.

use crate::schedule::{Overhead, Snapshot, WorkerSnapshot};
use serde::Serialize;
use std::time::Duration;

/// The summed times of all workers at one look.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    /// Time since the run began.
    pub at: Duration,
    workers: usize,
    busy: Duration,
    cpu: Duration,
    /// CPU time of searching.
    search: Duration,
    overhead: Overhead,
    held: bool,
    /// How long the control group was held back.
    held_back: Duration,
}

impl Times {
    pub fn of(snapshot: &Snapshot) -> Times {
        Times::of_workers(snapshot, &snapshot.workers)
    }

    pub fn of_workers(snapshot: &Snapshot, workers: &[WorkerSnapshot]) -> Times {
        // Times that were read may be any numbers.
        let sum = |time: fn(&WorkerSnapshot) -> Duration| {
            workers.iter().map(time).fold(Duration::ZERO, Duration::saturating_add)
        };
        let cpu = sum(|worker| worker.cpu);
        let overhead: Overhead = workers.iter().map(|worker| worker.overhead).sum();
        // The processor time of a virtual worker is that of its nodes alone.
        let is_search = snapshot.simulated.is_some();
        let beside = if is_search { Duration::ZERO } else { overhead.hand_over.saturating_add(overhead.write_cpu) };
        Times {
            at: snapshot.elapsed,
            workers: workers.len(),
            busy: sum(|worker| worker.busy),
            cpu,
            search: cpu.saturating_sub(beside),
            overhead,
            held: snapshot.is_held(),
            held_back: snapshot.quota.map_or(Duration::ZERO, |quota| quota.held_back),
        }
    }

    /// The times before any worker has worked, at this time of the run.
    pub fn before(at: Duration) -> Times {
        Times { at, ..Times::default() }
    }

    /// These times, read no later than the end of the run, if it has ended.
    pub fn until(self, ended: Option<Duration>) -> Times {
        Times { at: ended.map_or(self.at, |ended| ended.min(self.at)), ..self }
    }

    /// Whether the run was paused or slowed.
    pub fn is_held(&self) -> bool {
        self.held
    }
}

/// How all workers spent their time, as shares 0..=1 of the number of workers times the elapsed time. Times when the run was
/// paused or slowed are left out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TimeShares {
    /// On a processor: CPU time. This is the parallel efficiency, if a node costs equally much on every worker.
    pub running: f64,
    /// With work, but the operating system ran something else.
    pub descheduled: f64,
    /// Without work.
    pub idle: f64,
}

/// Where the time of all workers went, as shares 0..=1 that add up to 1.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct TimeUse {
    /// Searching, on a processor.
    pub work: f64,
    /// Handing branches over, on a processor.
    pub hand_over: f64,
    /// Without a branch.
    pub wait: f64,
    /// With a branch, but the operating system ran something else.
    pub no_cpu: f64,
    /// The run was paused or slowed.
    pub paused: f64,
    /// All workers had stopped while the run was saved.
    pub save: f64,
    /// Writing tours, or waiting until they are written.
    pub write: f64,
}

impl TimeUse {
    /// The shares of the time in which the run was neither paused nor slowed.
    pub fn without_paused(&self) -> TimeUse {
        let free = 1.0 - self.paused;
        let of_free = |share: f64| if free > 0.0 { share / free } else { 0.0 };
        let &TimeUse { work, hand_over, wait, no_cpu, paused: _, save, write } = self;
        let [work, hand_over, wait, no_cpu, save, write] = [work, hand_over, wait, no_cpu, save, write].map(of_free);
        TimeUse { work, hand_over, wait, no_cpu, paused: 0.0, save, write }
    }
}

/// The time of all workers, by use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Elapsed time, without the times when the run was paused or slowed.
    pub wall: Duration,
    /// Seconds of all workers: their number times the elapsed time.
    pub all: f64,
    cpu: f64,
    busy: f64,
    hand_over: f64,
    write: f64,
    save: f64,
    /// CPU seconds of searching.
    search: f64,
    /// Seconds of all workers in which the run was paused or slowed; they are in no other figure.
    held: f64,
    /// Seconds of all workers for which the control group was held back.
    held_back: f64,
}

impl Spent {
    /// Adds the time between two looks. If the run was paused or slowed at one of them, all of that time counts as paused.
    pub fn add(&mut self, from: &Times, to: &Times) {
        let wall = to.at.saturating_sub(from.at);
        if from.held || to.held {
            self.held += wall.as_secs_f64() * to.workers as f64;
            return;
        }
        self.wall += wall;
        self.all += wall.as_secs_f64() * to.workers as f64;
        self.cpu += to.cpu.saturating_sub(from.cpu).as_secs_f64();
        self.busy += to.busy.saturating_sub(from.busy).as_secs_f64();
        let between = |of: fn(&Overhead) -> Duration| of(&to.overhead).saturating_sub(of(&from.overhead)).as_secs_f64();
        self.hand_over += between(|overhead| overhead.hand_over);
        self.write += between(|overhead| overhead.write);
        self.save += between(|overhead| overhead.save);
        self.held_back += to.held_back.saturating_sub(from.held_back).as_secs_f64();
        self.search += to.search.saturating_sub(from.search).as_secs_f64();
    }

    /// Seconds of all workers in which they had stopped while the run was saved.
    pub fn saving(&self) -> f64 {
        self.save
    }

    /// Share of the time of all workers, without paused and slowed times, for which the control group was held back. It may
    /// exceed the time without a processor: the group may have other processes.
    pub fn held_back(&self) -> f64 {
        if self.all > 0.0 { self.held_back / self.all } else { 0.0 }
    }

    /// Where all time went; `None` if no time has passed. Each part is kept within the whole, because the meters are not
    /// read at one instant.
    pub fn time(&self) -> Option<TimeUse> {
        let total = self.all + self.held;
        if total <= 0.0 {
            return None;
        }
        let busy = self.busy.min(self.all);
        let write = self.write.min(busy);
        let hand_over = self.hand_over.min(busy - write);
        let search = busy - write - hand_over;
        let work = self.search.min(search);
        let save = self.save.min(self.all - busy);
        Some(TimeUse {
            work: work / total,
            hand_over: hand_over / total,
            wait: (self.all - busy - save) / total,
            no_cpu: (search - work) / total,
            paused: self.held / total,
            save: save / total,
            write: write / total,
        })
    }

    /// The shares; `None` if no time has passed.
    pub fn shares(&self) -> Option<TimeShares> {
        if self.all <= 0.0 {
            return None;
        }
        // The meters are not read at one instant: keep the shares in bounds.
        let busy = (self.busy / self.all).min(1.0);
        let running = (self.cpu / self.all).min(busy);
        Some(TimeShares { running, descheduled: busy - running, idle: 1.0 - busy })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::WorkerSnapshot;
    use proptest::prelude::*;

    fn seen(at: u64, paused: bool, workers: Vec<WorkerSnapshot>) -> Times {
        Times::of(&Snapshot { elapsed: Duration::from_millis(at), paused, workers, ..Snapshot::default() })
    }

    fn worker([busy, cpu, hand_over, write, write_cpu, save]: [u64; 6]) -> WorkerSnapshot {
        let [busy, cpu, hand_over, write, write_cpu, save] =
            [busy, cpu, hand_over, write, write_cpu, save].map(Duration::from_millis);
        let overhead = Overhead { hand_over, write, write_cpu, save };
        WorkerSnapshot { busy, cpu, overhead, ..WorkerSnapshot::default() }
    }

    fn sum(time: &TimeUse) -> f64 {
        let &TimeUse { work, hand_over, wait, no_cpu, paused, save, write } = time;
        work + hand_over + wait + no_cpu + paused + save + write
    }

    /// Two workers over 100 ms, 50 of which the run is paused.
    #[test]
    fn every_part_is_that_worked_out_by_hand() {
        let mut spent = Spent::default();
        let looks = [
            seen(0, false, vec![worker([0; 6]); 2]),
            seen(50, false, vec![worker([40, 30, 4, 6, 2, 5]), worker([20, 20, 0, 0, 0, 5])]),
            seen(100, true, vec![worker([90, 30, 4, 6, 2, 5]), worker([20, 20, 0, 0, 0, 5])]),
        ];
        looks.windows(2).for_each(|pair| spent.add(&pair[0], &pair[1]));
        let time = spent.time().unwrap();
        let by_hand = TimeUse {
            work: (24.0 + 20.0) / 200.0,
            hand_over: 4.0 / 200.0,
            wait: (100.0 - 60.0 - 10.0) / 200.0,
            no_cpu: (40.0 - 4.0 - 6.0 - 24.0) / 200.0,
            paused: 0.5,
            save: 10.0 / 200.0,
            write: 6.0 / 200.0,
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{time:?} {by_hand:?}");
        near(time.work, by_hand.work);
        near(time.hand_over, by_hand.hand_over);
        near(time.wait, by_hand.wait);
        near(time.no_cpu, by_hand.no_cpu);
        near(time.paused, by_hand.paused);
        near(time.save, by_hand.save);
        near(time.write, by_hand.write);
        near(sum(&time), 1.0);
        near(time.without_paused().write, 6.0 / 100.0);
        near(sum(&time.without_paused()), 1.0);
    }

    proptest! {
        /// Meters are not read at one instant, and times of a journal may be any: the shares add up to 1 all the same.
        #[test]
        fn shares_add_up_to_one(
            looks in prop::collection::vec((0u64..1000, any::<bool>(), prop::array::uniform2(prop::array::uniform6(0u64..2000))), 1..9)
        ) {
            let (mut spent, mut last, mut at) = (Spent::default(), Times::default(), 0);
            for (later, paused, workers) in looks {
                at += later;
                let times = seen(at, paused, workers.map(worker).to_vec());
                spent.add(&last, &times);
                last = times;
            }
            let Some(time) = spent.time() else { return Ok(()) };
            prop_assert!((sum(&time) - 1.0).abs() < 1e-9, "{:?}", time);
            let TimeUse { work, hand_over, wait, no_cpu, paused, save, write } = time;
            let parts = [work, hand_over, wait, no_cpu, paused, save, write];
            prop_assert!(parts.into_iter().all(|part| (-1e-12..=1.0 + 1e-12).contains(&part)), "{:?}", time);
        }
    }
}
