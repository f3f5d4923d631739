//! Meters: the figures that each worker publishes between bursts, and how a viewer takes a [`Snapshot`] of all of them.
//!
//! Every worker has one cache-padded [`Meter`] with the cells of its figures (`figures/workers.rs`), which it writes with relaxed
//! stores of absolute figures. So a reader sees each figure whole, and no figure is lost. Other threads write some of
//! them: a steal is counted by the thief, the worker that takes over a helper writes where the helper waits, and a hirer when and at
//! which depth it gave a branch. Before a worker has a thread, and when all have ended, the thread of the run writes its times and
//! state. A lock guards costly details (the drawing, the figures by depth); a worker takes it up to two hundred times a second.

use super::control::{Control, CountingRound, Pauses};
use crate::event::micros::whole_micros;
use crate::lock::LockAlways as _;
use crate::schedule::figures::cells::{FigureCell as _, WorkerState};
use crate::schedule::figures::outcome::{RunOutcome, Totals};
use crate::schedule::figures::progress::Forecast;
use crate::schedule::figures::snapshot::{EarlierRun, Levels, QuotaUse, Snapshot};
use crate::schedule::figures::waits::WaitCells;
use crate::schedule::figures::workers::{WorkerCells, WorkerSnapshot};
use crate::search::{DEPTHS, Drawing, Tally};
use crate::system::{self, CpuLevel, Quota, Root, Topology};
use crossbeam_utils::CachePadded;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A busy worker that has published nothing for this long is not running: a burst takes well under a millisecond.
const STALE: Duration = Duration::from_millis(20);

/// Figures of one worker, as it publishes them.
#[derive(Debug, Default)]
pub struct Meter {
    /// What a snapshot has.
    pub(in crate::schedule) figures: WorkerCells,
    /// How long the worker waited to be hired.
    pub(in crate::schedule) waits: WaitCells,
    /// When the present state began, in ns since the run began.
    since_ns: AtomicU64,
    /// When a figure was last published, in ns since the run began.
    published_ns: AtomicU64,
    /// When it was last given a branch, which it may not know yet, and the depth of that.
    given_ns: AtomicU64,
    given_depth: AtomicU32,
    /// How long the run had stood in pauses when the worker was last paused.
    stood_ns: AtomicU64,
    /// Single steps that the worker had made or skipped before a break.
    pub(super) steps_taken: AtomicU64,
    detail: Mutex<Detail>,
}

/// The part of a meter that is copied under a lock.
#[derive(Clone, Debug)]
struct Detail {
    drawing: Drawing,
    nodes_by_depth: [u64; DEPTHS],
    pruned_by_depth: [u64; DEPTHS],
    /// The round to which the figures by depth belong.
    round: CountingRound,
}

impl Default for Detail {
    fn default() -> Detail {
        Detail {
            drawing: Drawing::default(),
            nodes_by_depth: [0; DEPTHS],
            pruned_by_depth: [0; DEPTHS],
            round: CountingRound::default(),
        }
    }
}

/// How a run is held when its workers are looked at.
#[derive(Clone, Copy, Default, Debug)]
struct Held {
    is_slow: bool,
    is_paused: bool,
    /// When a pause last began or ended, and how long all pauses have taken.
    turned: Duration,
    stood: Duration,
}

impl Meter {
    /// Publishes the counters and the position in the tree; `level` is the lowest open level.
    #[inline]
    pub fn publish(&self, at: Duration, tally: &Tally, depth: usize, level: Option<usize>) {
        self.figures.nodes.set(tally.nodes);
        self.figures.tours.set(tally.tours);
        self.figures.depth.set(depth);
        self.figures.level.set(level);
        self.published_ns.store(at.as_nanos() as u64, Relaxed);
    }

    /// Publishes the drawing of the position, and the figures by depth with the round in which they were counted.
    pub(in crate::schedule) fn publish_position(
        &self,
        tally: &Tally,
        round: CountingRound,
        draw: impl FnOnce(&mut Drawing),
    ) {
        let mut detail = self.detail.locked();
        detail.round = round;
        detail.nodes_by_depth = tally.nodes_by_depth;
        detail.pruned_by_depth = tally.pruned_by_depth;
        draw(&mut detail.drawing);
    }

    /// The round of counting by depth in which the worker last published figures.
    pub(in crate::schedule) fn counting_round(&self) -> CountingRound {
        self.detail.locked().round
    }

    /// When its present state began, as time since the run began.
    pub(in crate::schedule) fn since(&self) -> Duration {
        Duration::from_nanos(self.since_ns.load(Relaxed))
    }

    /// The worker is idle from this moment on, the first one of its crew.
    fn begin(&self, at: Duration) {
        self.figures.idle.stop(Duration::ZERO);
        self.figures.idle.start(at);
        self.enter_state(WorkerState::Idle, at);
    }

    /// Changes the state: from now on busy or idle time runs, or none for a worker that is paused or has ended.
    pub(in crate::schedule) fn enter_state(&self, state: WorkerState, at: Duration) {
        let WorkerCells { busy, idle, overhead, .. } = &self.figures;
        if state == WorkerState::Saving {
            overhead.save.start(at);
        } else {
            overhead.save.stop(at);
        }
        match state {
            WorkerState::Paused | WorkerState::Done => {
                busy.stop(at);
                idle.stop(at);
            }
            WorkerState::Idle | WorkerState::Waiting | WorkerState::Saving => {
                busy.stop(at);
                idle.start(at);
            }
            _ => {
                idle.stop(at);
                busy.start(at);
            }
        }
        let at = at.as_nanos() as u64;
        self.since_ns.store(at, Relaxed);
        self.published_ns.store(at, Relaxed);
        self.figures.state.set(state);
    }

    /// The worker is paused since then; the run had stood for so long.
    pub(in crate::schedule) fn stand(&self, at: Duration, stood: Duration) {
        self.stood_ns.store(stood.as_nanos() as u64, Relaxed);
        self.enter_state(WorkerState::Paused, at);
    }

    /// How long the run has gone on since this worker was paused, if it has stood for so long.
    pub(in crate::schedule) fn ran(&self, at: Duration, stood: Duration) -> Duration {
        let before = Duration::from_nanos(self.stood_ns.load(Relaxed));
        at.saturating_sub(self.since()).saturating_sub(stood.saturating_sub(before))
    }

    /// The worker is given a branch at this depth. It finds out when it has a core.
    pub(in crate::schedule) fn give(&self, at: Duration, depth: usize) {
        self.given_depth.store(depth as u32, Relaxed);
        self.given_ns.store(at.as_nanos() as u64, Relaxed);
    }

    /// The worker at a moment. One that slow motion holds back publishes seldom, and has its core all the same. Of one without
    /// a core neither a branch that it was given nor a pause that began or ended meanwhile is in its figures: both are added here, as
    /// the worker will publish them when it has one.
    fn sample(&self, at: Duration, held: Held) -> WorkerSnapshot {
        let (mut seen, mut since) = (self.figures.read(at), self.since());
        let ran = if held.is_slow { WorkerState::Busy } else { WorkerState::Descheduled };
        let given = Duration::from_nanos(self.given_ns.load(Relaxed));
        let is_saving = seen.state == WorkerState::Saving;
        let has_none = is_saving || !seen.state.has_work() && seen.state != WorkerState::Done;
        if has_none && given > since && given <= at {
            let passed = whole_micros(at - given);
            seen.overhead.save = seen.overhead.save.saturating_sub(if is_saving { passed } else { Duration::ZERO });
            (seen.state, seen.depth, seen.level) = (ran, self.given_depth.load(Relaxed) as usize, None);
            (seen.idle, seen.busy, since) = (seen.idle.saturating_sub(passed), seen.busy + passed, given);
        }
        if seen.state == WorkerState::Paused {
            seen.busy += whole_micros(self.ran(at, held.stood));
            seen.state = if held.is_paused { WorkerState::Paused } else { ran };
        } else if seen.state.has_work() && seen.state != WorkerState::Saving && held.is_paused {
            // It goes on until it finds out, in less than a burst if it has a core.
            let passed = whole_micros(at.saturating_sub(held.turned.max(since)));
            (seen.busy, seen.state) = (seen.busy.saturating_sub(passed), WorkerState::Paused);
        }
        let silent = (at.as_nanos() as u64).saturating_sub(self.published_ns.load(Relaxed));
        let is_stale = !held.is_slow && seen.state == WorkerState::Busy && silent > STALE.as_nanos() as u64;
        WorkerSnapshot {
            state: if is_stale { WorkerState::Descheduled } else { seen.state },
            // A worker that is hired does not publish that it waits no more.
            waits_at: seen.waits_at.filter(|_| seen.state == WorkerState::Waiting),
            ..seen
        }
    }
}

/// Figures by depth, how they were counted, and since which time of the run.
struct DepthSums {
    nodes: Vec<u64>,
    pruned: Vec<u64>,
    levels: Levels,
    since: Duration,
}

/// The meters of all workers of a run.
#[derive(Debug)]
pub struct Meters {
    pub(super) began: Instant,
    /// Time that earlier crews took.
    before_ns: AtomicU64,
    /// Totals of earlier crews.
    before: Mutex<Totals>,
    levels: Levels,
    outlook: Mutex<Forecast>,
    /// Cores that the process may use, if the system tells.
    cores: Option<usize>,
    /// The quota of the process, and how long it had been held back when the run began.
    quota: Option<(&'static Quota, Duration)>,
    groups: Vec<(CpuLevel, Vec<String>)>,
    workers: Box<[CachePadded<Meter>]>,
}

impl Meters {
    /// Meters for this many workers of a run that begins now.
    pub fn new(workers: usize, levels: Levels) -> Meters {
        let meters: Box<[CachePadded<Meter>]> = (0..workers).map(|_| CachePadded::default()).collect();
        for meter in &meters {
            meter.begin(Duration::ZERO);
        }
        let outlook = Mutex::default();
        let (before_ns, before) = (AtomicU64::new(0), Mutex::default());
        let (cores, quota) = (system::allowed_cores(), Quota::here());
        let quota = quota.and_then(|quota| Some((quota, quota.held_back(&Root::here())?)));
        let groups = Topology::here().groups();
        Meters { began: Instant::now(), before_ns, before, levels, outlook, cores, quota, groups, workers: meters }
    }

    /// Time from the beginning of the run to `now`, with the time of earlier crews.
    #[inline]
    pub fn since(&self, now: Instant) -> Duration {
        Duration::from_nanos(self.before_ns.load(Relaxed)) + now.saturating_duration_since(self.began)
    }

    /// Counts on from an earlier run: time and counters include it. To be called before any worker begins.
    pub(in crate::schedule) fn resume_from(&self, earlier: &RunOutcome) {
        self.before_ns.store(earlier.elapsed.as_nanos() as u64, Relaxed);
        let mut before = self.before.locked();
        earlier.workers.iter().for_each(|worker| before.add(worker));
        let began = self.since(self.began);
        self.workers.iter().for_each(|meter| meter.begin(began));
    }

    /// All workers have ended, also those that would have gone on after a save.
    pub(in crate::schedule) fn end(&self, at: Duration) {
        let goes_on = |meter: &&CachePadded<Meter>| meter.figures.state.get() != WorkerState::Done;
        self.workers.iter().filter(goes_on).for_each(|meter| meter.enter_state(WorkerState::Done, at));
    }

    /// The meter of a worker.
    ///
    /// # Panics
    /// When there is no such worker.
    #[inline]
    pub fn of(&self, worker: usize) -> &Meter {
        &self.workers[worker]
    }

    /// Number of workers.
    pub(in crate::schedule) fn len(&self) -> usize {
        self.workers.len()
    }

    /// How the figures by depth are counted.
    pub fn levels(&self) -> Levels {
        self.levels
    }

    /// Changes the forecast of the run.
    pub fn update_outlook(&self, set: impl FnOnce(&mut Forecast)) {
        set(&mut self.outlook.locked());
    }

    /// CPU time of all workers, as they last published it.
    pub fn cpu(&self) -> Duration {
        self.workers.iter().map(|meter| meter.figures.cpu.get()).sum()
    }

    /// Whether the number of tours found tells how far the run is.
    pub(in crate::schedule) fn tours_tell_progress(&self) -> bool {
        let before = self.before.locked().tally.tours;
        let own: u64 = self.workers.iter().map(|meter| meter.figures.tours.get()).sum();
        self.outlook().tours_tell_progress(before + own)
    }

    /// The forecast of the run.
    pub fn outlook(&self) -> Forecast {
        *self.outlook.locked()
    }

    /// The run at this moment.
    pub fn snapshot(&self, control: &Control, events_lost: u64) -> Snapshot {
        let before_ns = whole_micros(Duration::from_nanos(self.before_ns.load(Relaxed)));
        let earlier = EarlierRun::of(&self.before.locked(), before_ns);
        let depths = self.by_depth(control);
        let pace = control.pace();
        // Read last: the meters are those of a moment soon after it.
        let Pauses { at, is_paused, turned, stood } = control.pauses();
        let elapsed = whole_micros(self.since(at));
        let turned = turned.map_or(Duration::ZERO, |at| self.since(at));
        let held = Held { is_slow: pace.is_some(), is_paused, turned, stood };
        Snapshot {
            elapsed,
            // The time without pauses stays the same in a pause.
            stood: elapsed.saturating_sub(whole_micros(self.since(at).saturating_sub(stood))),
            stop: control.stop_reason(),
            paused: is_paused,
            pace,
            hand_over: control.hand_over(),
            workers: self.workers.iter().map(|meter| meter.sample(elapsed, held)).collect(),
            waits: self.workers.iter().map(|meter| meter.waits.read()).collect(),
            groups: self.groups.clone(),
            earlier,
            nodes_by_depth: depths.nodes,
            pruned_by_depth: depths.pruned,
            levels: depths.levels,
            depths_since: depths.since,
            outlook: self.outlook(),
            events_lost,
            cores: self.cores,
            quota: self.quota_use(),
            simulated: None,
        }
    }

    /// What the quota has taken since the run began.
    fn quota_use(&self) -> Option<QuotaUse> {
        let (quota, before) = self.quota?;
        let held_back = whole_micros(quota.held_back(&Root::here())?.saturating_sub(before));
        Some(QuotaUse { cores: quota.cores, held_back })
    }

    /// The figures by depth of all workers, those of one round of counting.
    fn by_depth(&self, control: &Control) -> DepthSums {
        let ((round, since), is_sampled) = (control.counting(), self.levels == Levels::Sampled);
        let mut sums = if is_sampled {
            // What an earlier crew counted may be of another round.
            DepthSums {
                nodes: vec![0; DEPTHS],
                pruned: vec![0; DEPTHS],
                levels: if round.is_slow() { Levels::Exact } else { Levels::Sampled },
                since: since.map_or(Duration::from_nanos(self.before_ns.load(Relaxed)), |at| self.since(at)),
            }
        } else {
            let before = self.before.locked();
            let [nodes, pruned] = [before.tally.nodes_by_depth, before.tally.pruned_by_depth].map(Vec::from);
            DepthSums { nodes, pruned, levels: self.levels, since: Duration::ZERO }
        };
        sums.since = whole_micros(sums.since);
        for meter in &self.workers {
            let detail = meter.detail.locked();
            if is_sampled && detail.round != round {
                continue;
            }
            let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, n)| *sum += n);
            add(&mut sums.nodes, &detail.nodes_by_depth);
            add(&mut sums.pruned, &detail.pruned_by_depth);
        }
        sums
    }

    /// One worker at the moment `at`, as time since the run began.
    ///
    /// # Panics
    /// When there is no such worker.
    pub fn worker(&self, worker: usize, at: Duration) -> WorkerSnapshot {
        self.workers[worker].sample(at, Held::default())
    }

    /// The position of a worker as it last published it.
    ///
    /// # Panics
    /// When there is no such worker.
    pub fn drawing(&self, worker: usize) -> Drawing {
        self.workers[worker].detail.locked().drawing.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::figures::workers::SharingCounts;
    use crate::search::HandOver;

    impl Meter {
        /// Enters a state as a worker does that has waited at another one, for tests of what is made of meters.
        pub(crate) fn enter(&self, state: WorkerState, at: Duration, waited_at: Option<usize>) {
            self.figures.waits_at.set(waited_at);
            self.enter_state(state, at);
        }
    }

    impl Meters {
        /// Whether every worker that has work has learned of the pause.
        pub(in crate::schedule) fn stand(&self) -> bool {
            self.workers.iter().all(|meter| meter.figures.state.get() != WorkerState::Busy)
        }
    }

    #[test]
    fn a_worker_is_busy_while_it_has_work_and_idle_while_it_has_none_but_in_a_pause() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        let times = |at, is_paused| {
            let stood = if is_paused { ms(5) } else { ms(0) };
            let held = Held { is_paused, stood, ..Held::default() };
            let WorkerSnapshot { busy, idle, .. } = meter.sample(ms(at), held);
            [busy, idle].map(|time| time.as_millis())
        };
        assert_eq!(times(10, false), [0, 10]);
        // The state that begins at a time, a later time, and busy and idle time by then.
        for (state, from, at, by_hand) in [
            (WorkerState::Busy, 10, 30, [20, 10]),
            (WorkerState::Paused, 30, 35, [20, 10]),
            (WorkerState::Waiting, 50, 65, [20, 25]),
            (WorkerState::Idle, 70, 75, [20, 35]),
            (WorkerState::Busy, 80, 100, [40, 40]),
            (WorkerState::Done, 100, 200, [40, 40]),
        ] {
            meter.enter_state(state, ms(from));
            assert_eq!(times(at, state == WorkerState::Paused), by_hand, "{state:?}");
        }
    }

    /// From when it put its branch down until it goes on with it, whether it has a core by then or not.
    #[test]
    fn the_time_of_a_save_is_idle_time_of_a_worker_with_a_branch() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        let seen = |at| {
            let WorkerSnapshot { state, busy, idle, overhead, .. } = meter.sample(ms(at), Held::default());
            (state, [busy, idle, overhead.save].map(|time| time.as_millis()))
        };
        meter.enter_state(WorkerState::Busy, ms(0));
        meter.enter_state(WorkerState::Saving, ms(50));
        assert_eq!(seen(70), (WorkerState::Saving, [50, 20, 20]));
        meter.give(ms(80), 3);
        assert_eq!(seen(100), (WorkerState::Descheduled, [70, 30, 30]));
        meter.enter_state(WorkerState::Busy, ms(80));
        assert_eq!(seen(100), (WorkerState::Busy, [70, 30, 30]));
        meter.enter_state(WorkerState::Saving, ms(100));
        meters.end(ms(110));
        assert_eq!(seen(200), (WorkerState::Done, [70, 40, 40]));
    }

    /// Without a core a worker learns late of a pause and of its end: in the figures both begin when they were asked for, also
    /// where there was another pause meanwhile.
    #[test]
    fn a_pause_that_a_worker_finds_late_is_as_long_as_that_of_the_run() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        meter.enter_state(WorkerState::Busy, ms(10));
        let seen = |at, is_paused, turned, stood| {
            let held = Held { is_paused, turned: ms(turned), stood: ms(stood), ..Held::default() };
            let WorkerSnapshot { state, busy, idle, .. } = meter.sample(ms(at), held);
            (state, [busy, idle].map(|time| time.as_millis()))
        };
        assert_eq!(seen(80, true, 50, 30), (WorkerState::Paused, [40, 10]));
        meter.stand(ms(50), ms(0));
        assert_eq!(seen(90, true, 50, 40), (WorkerState::Paused, [40, 10]));
        assert_eq!(seen(150, false, 100, 50), (WorkerState::Descheduled, [90, 10]));
        assert_eq!(seen(170, true, 160, 60), (WorkerState::Paused, [100, 10]));
        assert_eq!(seen(190, false, 180, 70), (WorkerState::Descheduled, [110, 10]));
        let ran = meter.ran(ms(190), ms(70));
        meter.enter_state(WorkerState::Busy, ms(190) - ran);
        assert_eq!((ran, seen(200, false, 180, 70).1), (ms(70), [120, 10]));
    }

    #[test]
    fn a_worker_that_is_given_a_branch_has_it_before_it_has_a_core() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        meter.enter(WorkerState::Waiting, ms(10), Some(3));
        meter.give(ms(30), 7);
        let WorkerSnapshot { state, waits_at, depth, busy, idle, .. } = meter.sample(ms(45), Held::default());
        assert_eq!((state, waits_at, depth), (WorkerState::Descheduled, None, 7));
        assert_eq!([busy, idle], [15, 30].map(ms));
        // In a pause that began before a step, too.
        let held = Held { is_paused: true, turned: ms(20), stood: ms(25), ..Held::default() };
        assert_eq!(meter.sample(ms(45), held).busy, ms(0));
        // Dry again, it waits for the next one.
        meter.enter(WorkerState::Busy, ms(30), None);
        meter.enter(WorkerState::Waiting, ms(50), Some(3));
        assert_eq!(meter.sample(ms(60), Held::default()).state, WorkerState::Waiting);
    }

    #[test]
    fn a_worker_that_slow_motion_holds_back_has_its_core() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        meters.of(0).enter_state(WorkerState::Busy, ms(10));
        let state = |is_slow| meters.of(0).sample(ms(10) + 2 * STALE, Held { is_slow, ..Held::default() }).state;
        assert_eq!([false, true].map(state), [WorkerState::Descheduled, WorkerState::Busy]);
    }

    #[test]
    fn a_worker_has_lost_its_core_after_20_ms_of_silence() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        meters.of(0).enter_state(WorkerState::Busy, ms(100));
        let state = |silent: u64| meters.of(0).sample(ms(100 + silent), Held::default()).state;
        assert_eq!([15, 20, 25].map(state), [WorkerState::Busy, WorkerState::Busy, WorkerState::Descheduled]);
    }

    #[test]
    fn only_a_worker_that_waits_shows_where() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        meter.figures.waits_at.set(Some(3));
        let waits_at = |state| {
            meter.enter_state(state, ms(10));
            meter.sample(ms(11), Held::default()).waits_at
        };
        let states = [WorkerState::Waiting, WorkerState::Busy, WorkerState::Done];
        assert_eq!(states.map(waits_at), [Some(3), None, None]);
    }

    #[test]
    fn a_resumed_worker_counts_from_the_time_of_the_run_before() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        meters.resume_from(&RunOutcome { elapsed: ms(1000), ..RunOutcome::default() });
        meters.of(0).enter_state(WorkerState::Busy, ms(1010));
        let WorkerSnapshot { busy, idle, .. } = meters.worker(0, ms(1040));
        assert_eq!((busy, idle), (ms(30), ms(10)));
        // In slow motion it may have entered its nodes in less than a microsecond.
        let mut before = Totals::default();
        before.tally.nodes = 7;
        meters.resume_from(&RunOutcome { workers: vec![before], ..RunOutcome::default() });
        let seen = meters.snapshot(&Control::new(HandOver::Shallowest, None, None), 0);
        assert_eq!(seen.earlier.map(|earlier| (earlier.elapsed, earlier.nodes)), Some((ms(0), 7)));
    }

    #[test]
    fn hires_and_donations_add_up_with_those_of_the_run_before() {
        let meters = Meters::new(2, Levels::Off);
        let before = Totals { sharing: SharingCounts { hires: 100, donations: 1000 }, ..Totals::default() };
        let earlier = RunOutcome { elapsed: Duration::from_secs(1), workers: vec![before], ..RunOutcome::default() };
        meters.resume_from(&earlier);
        meters.of(0).figures.sharing.hires.add(1);
        meters.of(1).figures.sharing.hires.add(1);
        meters.of(1).figures.sharing.donations.add(3);
        meters.of(1).figures.sharing.donations.add(2);
        let seen = meters.snapshot(&Control::new(HandOver::Shallowest, None, None), 0);
        assert_eq!((seen.hires(), seen.donations()), (102, 1005));
        assert_eq!(seen.workers[1].sharing, SharingCounts { hires: 1, donations: 5 });
    }
}
