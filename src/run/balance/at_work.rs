//! How much of its time a run had 0, 1, 2 and more workers at work, that is with a task.

use super::held::HeldTimes;
use std::collections::BTreeMap;
use std::time::Duration;

/// Most changes that are kept in case an earlier one is still to come. Events come late by the time for which a thread loses
/// its core, and those of rayon until the worker has stolen again.
const CHANGES_MAX: usize = 1 << 14;

/// Adds up how long how many workers were at work. Its memory is bounded, whatever the length of the run.
#[derive(Clone, Debug, Default)]
pub struct AtWork {
    /// By number of workers: the time up to `settled`.
    times: Vec<Duration>,
    /// The time up to which all changes are added up.
    settled: Duration,
    /// Workers at work at that time.
    now: i64,
    /// Later changes of that number.
    changes: BTreeMap<Duration, i64>,
}

impl AtWork {
    /// No worker of so many is at work at this time.
    pub fn new(workers: usize, at: Duration) -> AtWork {
        AtWork { times: vec![Duration::ZERO; workers + 1], settled: at, ..AtWork::default() }
    }

    /// One more worker is at work since this time, or one less. A change that comes too late counts from the settled time.
    pub fn change(&mut self, at: Duration, is_begin: bool, held: &HeldTimes) {
        *self.changes.entry(at.max(self.settled)).or_default() += if is_begin { 1 } else { -1 };
        if self.changes.len() > CHANGES_MAX {
            let middle = self.changes.keys().nth(CHANGES_MAX / 2).copied();
            self.settle(middle.unwrap_or_default(), held);
        }
    }

    /// Adds up all changes before this time.
    fn settle(&mut self, until: Duration, held: &HeldTimes) {
        let later = self.changes.split_off(&until);
        for (at, by) in std::mem::replace(&mut self.changes, later) {
            self.pass(at, held);
            self.now += by;
        }
        self.pass(until, held);
    }

    fn pass(&mut self, until: Duration, held: &HeldTimes) {
        let workers = usize::try_from(self.now).unwrap_or(0).min(self.times.len().saturating_sub(1));
        if let Some(time) = self.times.get_mut(workers) {
            *time = time.saturating_add(held.free(self.settled, until));
        }
        self.settled = self.settled.max(until);
    }

    /// By number of workers at work: the share of the time until now, without held times; empty if no time has passed.
    pub fn shares(&self, until: Duration, held: &HeldTimes) -> Vec<f64> {
        let mut all = self.clone();
        all.settle(until, held);
        let sum: f64 = all.times.iter().map(Duration::as_secs_f64).sum();
        if sum > 0.0 { all.times.iter().map(|time| time.as_secs_f64() / sum).collect() } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    #[test]
    fn times_with_so_many_at_work_add_up_in_any_order_of_events() {
        let held = HeldTimes::default();
        let mut at_work = AtWork::new(2, ms(10));
        assert_eq!(at_work.shares(ms(10), &held), [0.0; 0]);
        for (at, is_begin) in [(20, true), (60, false), (30, true), (50, false)] {
            at_work.change(ms(at), is_begin, &held);
        }
        let near = |shares: Vec<f64>, by_hand: [f64; 3]| {
            assert!(shares.iter().zip(by_hand).all(|(share, by_hand)| (share - by_hand).abs() < 1e-9), "{shares:?}");
        };
        // 10..20 none, 20..30 one, 30..50 two, 50..60 one, 60..110 none.
        near(at_work.shares(ms(110), &held), [0.6, 0.2, 0.2]);
        let mut paused = HeldTimes::default();
        paused.add(ms(60), ms(100));
        near(at_work.shares(ms(110), &paused), [1.0 / 3.0; 3]);
    }

    proptest! {
        /// However many changes are settled on the way, the sum is that over all tasks, one by one.
        #[test]
        fn the_shares_are_those_of_all_tasks(
            tasks in prop::collection::vec((0u64..1000, 1u64..200), 0..40), often in any::<bool>()
        ) {
            let (held, mut at_work) = (HeldTimes::default(), AtWork::new(40, ms(0)));
            let mut changes: Vec<(u64, bool)> =
                tasks.iter().flat_map(|&(from, length)| [(from, true), (from + length, false)]).collect();
            changes.sort_unstable();
            for &(at, is_begin) in &changes {
                at_work.change(ms(at), is_begin, &held);
                if often {
                    at_work.settle(ms(at), &held);
                }
            }
            let at = |now: u64| tasks.iter().filter(|&&(from, length)| (from..from + length).contains(&now)).count();
            let mut expected = vec![0.0; 41];
            (0..1200).for_each(|now| expected[at(now)] += 1.0 / 1200.0);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
            prop_assert!(at_work.shares(ms(1200), &held).iter().zip(&expected).all(near));
        }
    }

    #[test]
    fn its_memory_is_bounded() {
        let (held, mut at_work) = (HeldTimes::default(), AtWork::new(1, ms(0)));
        (0..4 * CHANGES_MAX as u64).for_each(|k| at_work.change(ms(k), k % 2 == 0, &held));
        assert!(at_work.changes.len() <= CHANGES_MAX);
        assert_eq!(at_work.shares(ms(4 * CHANGES_MAX as u64), &held), [0.5, 0.5]);
    }
}
