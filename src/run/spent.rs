//! Where the time of workers went, in the words and with the sum that every screen, report and file has.
//!
//! The time of a crew is its workers times the time of the run. A pause is no time of the run. What is watched in slow motion
//! is divided by how many times slower than the run it is; a worker that slow motion holds back counts as searching, because
//! at full speed it would. The parts add up to all of the time.

use super::sampler::{EVENT_STEP, round_look};
use super::tempo::slower_by;
use crate::schedule::{Overhead, Snapshot, WorkerSnapshot};
use crate::table::table;
use crate::words::percent_tenths;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::ops::Index;
use std::time::Duration;

table! {
    /// A part of the time of a worker, in the order of a bar.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum TimePart(
        name: &'static str,
        /// The key in JSON.
        key: &'static str,
        /// The sign in a bar, by which it is read without colours.
        sign: char,
        /// A sentence without its full stop.
        meaning: &'static str
    ) {
        Searching: "searching", "work", '#', "on a processor";
        HandingOver: "handing over", "hand_over", '+', "giving a branch to another worker";
        Waiting: "waiting", "wait", '.', "without a branch: until hired, or at the end";
        NoProcessor: "no processor", "no_cpu", '-', "with a branch; the system ran something else";
        Saving: "saving", "save", 's', "put a branch down for a save";
        Writing: "writing", "write", 'o', "writing tours, or waiting for the output";
    }
}

/// The parts of a time, as shares 0..=1 that add up to 1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TimeUse([f64; 6]);

impl Index<TimePart> for TimeUse {
    type Output = f64;

    fn index(&self, part: TimePart) -> &f64 {
        &self.0[part as usize]
    }
}

impl TimeUse {
    /// The mean of several; `None` without one.
    pub fn mean(all: impl ExactSizeIterator<Item = TimeUse>) -> Option<TimeUse> {
        let number = all.len() as f64;
        let sum = all.reduce(|sum, one| TimeUse(std::array::from_fn(|part| sum.0[part] + one.0[part])))?;
        Some(TimeUse(sum.0.map(|share| share / number)))
    }

    /// The shares in the order of [`TimePart::ALL`].
    pub fn shares(&self) -> [f64; 6] {
        self.0
    }

    /// These shares, in the order of [`TimePart::ALL`].
    pub fn of(shares: [f64; 6]) -> TimeUse {
        TimeUse(shares)
    }

    /// A part in tenths of a per cent, to the nearest.
    pub fn tenths(&self, part: TimePart) -> usize {
        (1000.0 * self[part]).round() as usize
    }

    /// A part in tenths of a per cent, such as `63.4%`. A part of less is `<0.1%`, and
    /// only all of the time is `100%`.
    pub fn percent(&self, part: TimePart) -> String {
        let is_all = self.shares().iter().filter(|share| **share > 0.0).count() == 1;
        percent_tenths(if is_all && self[part] > 0.999 { 1.0 } else { self[part] })
    }

    /// How many cells of a bar each part gets, in the order of [`TimePart::ALL`]: as many as there are in all, by largest
    /// remainder. A part of less than half a cell has none.
    pub fn bar(&self, cells: usize) -> [usize; 6] {
        let wanted = self.shares().map(|share| share * cells as f64);
        let mut given = wanted.map(|wanted| wanted as usize);
        let mut parts: Vec<usize> = (0..given.len()).filter(|&part| wanted[part] >= 0.5).collect();
        parts.sort_by(|&a, &b| wanted[b].fract().total_cmp(&wanted[a].fract()));
        let sum: f64 = wanted.iter().sum();
        let free = (sum.round() as usize).saturating_sub(given.iter().sum());
        // Without a part of half a cell the largest one has them all.
        let largest = (0..given.len()).max_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
        let rest = parts.into_iter().chain(largest.into_iter().cycle());
        rest.take(free).for_each(|part| given[part] += 1);
        given
    }
}

/// An object with a key for each part. `paused` is no part of the time, and 0: the key is older than that.
impl Serialize for TimeUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(TimePart::ALL.len() + 1))?;
        for part in TimePart::ALL {
            if part == TimePart::Saving {
                map.serialize_entry("paused", &0.0)?;
            }
            map.serialize_entry(part.key(), &self[part])?;
        }
        map.end()
    }
}

/// Whether a pause is watched. A virtual clock stands by itself then.
pub fn stands(seen: &Snapshot) -> bool {
    seen.paused && seen.simulated.is_none()
}

/// How many times longer it takes by slow motion, which does not disturb a virtual clock.
pub fn slow_motion(seen: &Snapshot) -> f64 {
    seen.pace.filter(|_| seen.simulated.is_none()).map_or(1.0, |pace| slower_by(pace, seen))
}

/// The times of a worker at one look.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    /// Time since the run began, as it was watched, without pauses.
    at: Duration,
    is_paused: bool,
    busy: Duration,
    /// CPU time of searching.
    pub(super) search: Duration,
    pub(super) overhead: Overhead,
    /// How many times slower than the run it goes from here on.
    slower: f64,
}

impl Times {
    /// Those of a worker in the snapshot; the run had ended at `ended`, if it has.
    pub fn of(snapshot: &Snapshot, worker: &WorkerSnapshot, ended: Option<Duration>) -> Times {
        let overhead = worker.overhead;
        // The last look may come after the end, and the time of the event of the end is rounded.
        let is_after = |ended: &Duration| snapshot.elapsed.saturating_sub(*ended) >= EVENT_STEP;
        let until = ended.filter(is_after).unwrap_or(snapshot.elapsed);
        // The processor time of a virtual worker is that of its nodes alone.
        let is_search = snapshot.simulated.is_some();
        let beside = if is_search { Duration::ZERO } else { overhead.hand_over.saturating_add(overhead.write_cpu) };
        Times {
            at: round_look(snapshot, until.saturating_sub(snapshot.stood)),
            is_paused: stands(snapshot),
            busy: worker.busy,
            search: worker.cpu.saturating_sub(beside),
            overhead,
            // Older recordings do not say how long a pause took.
            slower: if stands(snapshot) && snapshot.stood.is_zero() { f64::INFINITY } else { slow_motion(snapshot) },
        }
    }

    /// The times before a worker has worked, at this time of the run.
    pub fn before(at: Duration) -> Times {
        Times { at, slower: 1.0, ..Times::default() }
    }

    /// How many times longer than the run itself the time took until a later look, if the run went slower at one of them all
    /// the time; infinitely if it stood.
    pub fn slowness(&self, later: &Times) -> f64 {
        // A worker may tell in a pause what it did before, and single steps are made there.
        let is_paused = self.is_paused && later.is_paused && self.at == later.at;
        if is_paused { f64::INFINITY } else { self.slower.max(later.slower) }
    }
}

/// The time of a worker, by use, in seconds of the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// All of it.
    pub all: f64,
    busy: f64,
    hand_over: f64,
    write: f64,
    /// While it had put its branch down for a checkpoint.
    pub save: f64,
    pub search: f64,
    /// What counts as searching in slow motion, and the CPU time that it took, which is none of the run.
    pub slow: f64,
    pub slow_cpu: f64,
}

impl Spent {
    /// Adds the time between two looks.
    pub fn add(&mut self, from: &Times, to: &Times) {
        let slower = from.slowness(to);
        if slower.is_infinite() {
            return;
        }
        // A time that is read as a little less than before is no less in the end: the sum of all looks is that of the last.
        let time = |of: fn(&Times) -> Duration| (of(to).as_secs_f64() - of(from).as_secs_f64()) / slower;
        let busy = time(|times| times.busy);
        self.all += time(|times| times.at);
        self.busy += busy;
        self.hand_over += time(|times| times.overhead.hand_over);
        self.write += time(|times| times.overhead.write);
        self.save += time(|times| times.overhead.save);
        let search = time(|times| times.search);
        let (slow, slow_cpu) = if slower > 1.0 { (busy, search * slower) } else { (0.0, 0.0) };
        self.search += if slower > 1.0 { busy } else { search };
        (self.slow, self.slow_cpu) = (self.slow + slow, self.slow_cpu + slow_cpu);
    }

    /// How the time since an earlier look was spent.
    pub fn since(&self, earlier: &Spent) -> Spent {
        Spent {
            all: self.all - earlier.all,
            busy: self.busy - earlier.busy,
            hand_over: self.hand_over - earlier.hand_over,
            write: self.write - earlier.write,
            save: self.save - earlier.save,
            search: self.search - earlier.search,
            slow: self.slow - earlier.slow,
            slow_cpu: self.slow_cpu - earlier.slow_cpu,
        }
    }

    /// Seconds in each part, in the order of [`TimePart::ALL`].
    pub fn seconds(&self) -> [f64; 6] {
        self.time().unwrap_or_default().shares().map(|share| share * self.all)
    }

    /// Where the time went; `None` if none has passed. Each part is kept within the whole, because the meters are not read
    /// at one instant.
    pub fn time(&self) -> Option<TimeUse> {
        let within = |part: f64, whole: f64| part.min(whole).max(0.0);
        let busy = within(self.busy, self.all);
        let write = within(self.write, busy);
        let hand_over = within(self.hand_over, busy - write);
        let work = within(self.search, busy - write - hand_over);
        let save = within(self.save, self.all - busy);
        let parts = [work, hand_over, self.all - busy - save, busy - write - hand_over - work, save, write];
        // What is left of sums of fractions is nothing.
        let share = |part: f64| if part < 1e-12 * self.all { 0.0 } else { part / self.all };
        (self.all > 0.0).then(|| TimeUse(parts.map(share)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, EventKind};
    use crate::run::clock::RunClock;
    use proptest::prelude::*;

    /// A worker at a look: times in ms, and how many times slower the run goes.
    fn seen(at: u64, slower: f64, [busy, cpu, hand_over, write, write_cpu, save]: [u64; 6]) -> Times {
        let [at, busy, cpu, hand_over, write, write_cpu, save] =
            [at, busy, cpu, hand_over, write, write_cpu, save].map(Duration::from_millis);
        let overhead = Overhead { hand_over, write, write_cpu, save };
        let worker = WorkerSnapshot { busy, cpu, overhead, ..WorkerSnapshot::default() };
        Times { slower, ..Times::of(&Snapshot { elapsed: at, ..Snapshot::default() }, &worker, None) }
    }

    fn spent(looks: &[Times]) -> Spent {
        let mut spent = Spent::default();
        looks.windows(2).for_each(|pair| spent.add(&pair[0], &pair[1]));
        spent
    }

    fn near(time: Option<TimeUse>, by_hand: [f64; 6]) {
        let shares = time.unwrap().shares();
        assert!(shares.iter().zip(by_hand).all(|(share, by_hand)| (share - by_hand).abs() < 1e-9), "{shares:?}");
    }

    /// 50 ms, a pause of 50 ms, and 100 ms in slow motion, which are 10 ms of the run.
    #[test]
    fn every_part_is_that_worked_out_by_hand() {
        let first = [seen(0, 1.0, [0; 6]), seen(50, 1.0, [40, 30, 4, 6, 2, 5])];
        near(spent(&first).time(), [24.0, 4.0, 5.0, 6.0, 5.0, 6.0].map(|part| part / 50.0));
        let held = seen(100, f64::INFINITY, [90, 30, 4, 6, 2, 5]);
        let (slow, last) = (seen(110, 10.0, [90, 30, 4, 6, 2, 5]), seen(210, 10.0, [170, 30, 4, 6, 2, 5]));
        let all = spent(&[first[0], first[1], held, slow, last]);
        assert!((all.all - 0.060).abs() < 1e-9, "{all:?}");
        // In slow motion a worker with a branch searches.
        near(all.time(), [32.0, 4.0, 7.0, 6.0, 5.0, 6.0].map(|part| part / 60.0));
    }

    /// A recording keeps fewer looks than a view has seen.
    #[test]
    fn the_time_between_two_looks_is_that_of_all_between_them() {
        let [first, dips, last] = [[10, 10, 0, 0, 0, 0], [9, 8, 1, 0, 0, 0], [27, 25, 3, 0, 0, 0]];
        let looks = [seen(0, 1.0, [0; 6]), seen(10, 1.0, first), seen(11, 1.0, dips), seen(30, 1.0, last)];
        near(spent(&looks).time(), spent(&[looks[0], looks[3]]).time().unwrap().shares());
    }

    #[test]
    fn the_time_of_a_crew_is_the_mean_of_its_workers() {
        let one = spent(&[seen(0, 1.0, [0; 6]), seen(100, 1.0, [100, 100, 0, 0, 0, 0])]).time();
        let other = spent(&[seen(0, 1.0, [0; 6]), seen(100, 1.0, [50, 40, 0, 0, 0, 0])]).time();
        near(
            TimeUse::mean([one, other].into_iter().flatten().collect::<Vec<_>>().into_iter()),
            [0.7, 0.0, 0.25, 0.05, 0.0, 0.0],
        );
        assert_eq!(TimeUse::mean(std::iter::empty()), None);
    }

    #[test]
    fn the_keys_of_the_parts_are_those_of_before() {
        let time = TimeUse::of([0.5, 0.0, 0.25, 0.25, 0.0, 0.0]);
        let keys = r#"{"work":0.5,"hand_over":0.0,"wait":0.25,"no_cpu":0.25,"paused":0.0,"save":0.0,"write":0.0}"#;
        assert_eq!(serde_json::to_string(&time).unwrap(), keys);
    }

    #[test]
    fn a_part_below_half_a_cell_stands_in_the_legend_alone() {
        let time = TimeUse::of([0.99999, 0.00001, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(time.bar(40), [40, 0, 0, 0, 0, 0]);
        let parts = [TimePart::Searching, TimePart::HandingOver, TimePart::Waiting];
        assert_eq!(parts.map(|part| time.percent(part)), ["99.9%", "<0.1%", "0%"]);
        let time = TimeUse::of([0.9986, 0.0006, 0.0004, 0.0004, 0.0, 0.0]);
        assert_eq!(parts.map(|part| time.percent(part)), ["99.9%", "0.1%", "<0.1%"]);
        assert_eq!(TimeUse::of([0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).percent(TimePart::Waiting), "100%");
        assert_eq!(TimeUse::of([0.3, 0.25, 0.45, 0.0, 0.0, 0.0]).bar(1), [0, 0, 1, 0, 0, 0]);
    }

    proptest! {
        /// Meters are not read at one instant, and times of a journal may be any: the shares add up to 1 all the same.
        #[test]
        fn shares_add_up_to_one(
            looks in prop::collection::vec((0u64..1000, 0usize..4, prop::array::uniform6(0u64..2000)), 1..9)
        ) {
            let mut at = 0;
            let looks: Vec<Times> = looks.into_iter().map(|(later, slower, times)| {
                at += later;
                seen(at, [1.0, 1.0, 7.0, f64::INFINITY][slower], times)
            }).collect();
            let Some(time) = spent(&looks).time() else { return Ok(()) };
            prop_assert!((time.shares().iter().sum::<f64>() - 1.0).abs() < 1e-9, "{:?}", time);
            prop_assert!(time.shares().iter().all(|part| (-1e-12..=1.0 + 1e-12).contains(part)), "{:?}", time);
        }

        /// Wherever pauses lie among the looks, in slow motion or not, workers have the time that the clock of the run has.
        #[test]
        fn the_time_of_a_worker_is_that_of_the_clock(
            changes in prop::collection::vec((1u64..25_000, 0usize..4, any::<bool>()), 1..40)
        ) {
            let (mut clock, mut spent, mut events) = (RunClock::default(), Spent::default(), Vec::new());
            let mut before = (Times::before(Duration::ZERO), None);
            let mut seen = Snapshot::default();
            for (later, pace, turns) in changes {
                let later = Duration::from_micros(later);
                seen.elapsed += later;
                seen.stood += if seen.paused { later } else { Duration::ZERO };
                if turns {
                    seen.paused = !seen.paused;
                    let kind = if seen.paused { EventKind::Paused } else { EventKind::Resumed };
                    events.push(Event { at: seen.elapsed, worker: 0, kind });
                    continue;
                }
                seen.pace = [None, None, Some(100), Some(1 << 20)][pace];
                clock.add_interval(before.1.as_ref(), &seen, &std::mem::take(&mut events));
                let times = Times::of(&seen, &WorkerSnapshot::default(), None);
                spent.add(&before.0, &times);
                before = (times, Some(seen.clone()));
            }
            let until = before.1.map_or(Duration::ZERO, |seen| seen.elapsed);
            let ran = clock.between(Duration::ZERO, until).as_secs_f64();
            prop_assert!((spent.all - ran).abs() < 2e-9, "{} {}", spent.all, ran);
        }

        #[test]
        fn the_cells_of_a_bar_fill_it(parts in prop::array::uniform6(0u32..1000), cells in 0usize..200) {
            let sum = parts.iter().sum::<u32>().max(1);
            let shares = parts.map(|part| f64::from(part) / f64::from(sum));
            let bar = TimeUse::of(shares).bar(cells);
            prop_assert_eq!(bar.iter().sum::<usize>(), if parts == [0; 6] { 0 } else { cells });
            for (share, given) in shares.iter().zip(bar) {
                let wanted = share * cells as f64;
                prop_assert!(cells < 12 || (wanted - given as f64).abs() < 3.0, "{} {}", share, given);
                prop_assert!(cells < 12 || wanted >= 0.5 - 1e-9 || given == 0, "{} {}", share, given);
            }
        }
    }
}
