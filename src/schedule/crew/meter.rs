//! Meters: the figures that each worker publishes between bursts, and how a viewer takes a [`Snapshot`] of all of them.
//!
//! Every worker has one cache-padded [`Meter`] that it writes with relaxed stores of absolute figures. So a reader sees
//! each figure whole, and no figure is lost. Two figures have another writer: a steal is counted by the thief, and the
//! worker that takes over a helper writes where the helper waits. Costly details (the drawing, the figures by depth) stand
//! behind a lock that is taken some twenty times per second.

use super::control::{Control, CountingRound};
use super::cores::Places;
use super::overhead::{OverheadMeter, RunningTime};
use super::switches::SwitchMeter;
use crate::event::micros::whole_micros;
use crate::lock::LockAlways as _;
use crate::schedule::figures::lanes::DeviceLanes;
use crate::schedule::figures::outcome::{RunOutcome, Totals};
use crate::schedule::figures::progress::Forecast;
use crate::schedule::figures::sharing::SharingCounts;
use crate::schedule::figures::snapshot::{EarlierRun, Levels, QuotaUse, Snapshot};
use crate::schedule::figures::workers::{WorkerSnapshot, WorkerState};
use crate::search::{DEPTHS, Drawing, Tally};
use crate::system::{self, Quota, Root};
use crossbeam_utils::CachePadded;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A busy worker that has published nothing for this long is not running: a burst takes well under a millisecond.
const STALE: Duration = Duration::from_millis(20);

/// Figures of one worker. Only that worker writes them, but for the two figures that the module names; before it begins and in a
/// break, when it has no thread, the thread of the run does.
#[derive(Debug, Default)]
pub struct Meter {
    state: AtomicU8,
    nodes: AtomicU64,
    tours: AtomicU64,
    depth: AtomicU32,
    level: AtomicU32,
    hires: AtomicU64,
    donations: AtomicU64,
    attempts: AtomicU64,
    busy: RunningTime,
    idle: RunningTime,
    cpu_ns: AtomicU64,
    /// Times of hand-overs, writing and breaks.
    pub(in crate::schedule) overhead: OverheadMeter,
    /// How often the worker lost its core.
    pub(in crate::schedule) switches: SwitchMeter,
    core: AtomicU32,
    /// When the present state began, in ns since the run began.
    since_ns: AtomicU64,
    /// When a figure was last published, in ns since the run began.
    published_ns: AtomicU64,
    /// The worker at which this one waits.
    boss: AtomicU32,
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

impl Meter {
    /// Publishes the counters and the position in the tree; `level` is the lowest open level.
    #[inline]
    pub fn publish(&self, at: Duration, tally: &Tally, depth: usize, level: Option<usize>) {
        self.nodes.store(tally.nodes, Relaxed);
        self.tours.store(tally.tours, Relaxed);
        self.depth.store(depth as u32, Relaxed);
        self.level.store(level.map_or(u32::MAX, |level| level as u32), Relaxed);
        self.published_ns.store(at.as_nanos() as u64, Relaxed);
    }

    /// Publishes the CPU time used so far, and the core on which the worker runs, if it is known.
    pub(in crate::schedule) fn publish_cpu(&self, cpu: Duration, core: Option<usize>) {
        self.cpu_ns.store(cpu.as_nanos() as u64, Relaxed);
        self.core.store(core.map_or(0, |core| core as u32 + 1), Relaxed);
    }

    /// CPU time as the worker last published it.
    pub(in crate::schedule) fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_ns.load(Relaxed))
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

    /// The worker is idle from this moment on, the first one of its crew.
    fn begin(&self, at: Duration) {
        self.idle.stop(Duration::ZERO);
        self.idle.start(at);
        self.enter_state(WorkerState::Idle, at);
    }

    /// Changes the state: from now on busy or idle time runs, or none for a worker that has ended.
    pub(in crate::schedule) fn enter_state(&self, state: WorkerState, at: Duration) {
        match state {
            WorkerState::Done => {
                self.busy.stop(at);
                self.idle.stop(at);
            }
            state if state.has_work() => {
                self.idle.stop(at);
                self.busy.start(at);
            }
            _ => {
                self.busy.stop(at);
                self.idle.start(at);
            }
        }
        let at = at.as_nanos() as u64;
        self.since_ns.store(at, Relaxed);
        self.published_ns.store(at, Relaxed);
        self.state.store(state as u8, Relaxed);
    }

    /// The file of the run is saved, for which this worker had stopped: the time since then was that of the break.
    pub(in crate::schedule) fn end_break(&self, at: Duration) {
        let since = Duration::from_nanos(self.since_ns.load(Relaxed));
        self.overhead.add_save(at.saturating_sub(since));
        self.idle.start(since);
        self.enter_state(WorkerState::Idle, at);
    }

    /// The lowest open level as the worker last published it.
    pub fn level(&self) -> Option<usize> {
        index(self.level.load(Relaxed))
    }

    /// Publishes at which worker this one waits. A worker that takes over its helpers writes this too.
    pub(in crate::schedule) fn set_boss(&self, boss: Option<usize>) {
        self.boss.store(boss.map_or(u32::MAX, |boss| boss as u32), Relaxed);
    }

    /// Counts a hire that this worker made. A thief calls this too.
    pub(in crate::schedule) fn count_hire(&self) {
        self.hires.fetch_add(1, Relaxed);
    }

    /// Number of hires that this worker made.
    pub(in crate::schedule) fn hires(&self) -> u64 {
        self.hires.load(Relaxed)
    }

    /// Counts helpers that this worker donated.
    pub(in crate::schedule) fn count_donations(&self, helpers: usize) {
        self.donations.store(self.donations.load(Relaxed) + helpers as u64, Relaxed);
    }

    /// Counts an attempt that this worker began.
    pub(in crate::schedule) fn count_attempt(&self) {
        self.attempts.store(self.attempts.load(Relaxed) + 1, Relaxed);
    }

    /// The state as the worker last published it.
    pub fn state(&self) -> WorkerState {
        WorkerState::ALL[self.state.load(Relaxed) as usize]
    }

    fn sample(&self, at: Duration) -> WorkerSnapshot {
        let at_ns = at.as_nanos() as u64;
        let mut state = self.state();
        let stale = at_ns.saturating_sub(self.published_ns.load(Relaxed)) > STALE.as_nanos() as u64;
        if state == WorkerState::Busy && stale {
            state = WorkerState::Descheduled;
        }
        WorkerSnapshot {
            state,
            nodes: self.nodes.load(Relaxed),
            tours: self.tours.load(Relaxed),
            depth: self.depth.load(Relaxed) as usize,
            level: self.level(),
            sharing: SharingCounts { hires: self.hires.load(Relaxed), donations: self.donations.load(Relaxed) },
            attempts: self.attempts.load(Relaxed),
            busy: self.busy.read(at),
            idle: self.idle.read(at),
            cpu: Duration::from_micros(self.cpu_ns.load(Relaxed) / 1000),
            overhead: self.overhead.read(at),
            switches: self.switches.read(),
            boss: if state == WorkerState::Waiting { index(self.boss.load(Relaxed)) } else { None },
            group: self.core.load(Relaxed).checked_sub(1).and_then(|core| Places::here().group(core as usize)),
        }
    }
}

/// A number as meters hold it; the largest value stands for `None`.
fn index(value: u32) -> Option<usize> {
    (value != u32::MAX).then_some(value as usize)
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
    began: Instant,
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
    lanes: Mutex<Option<DeviceLanes>>,
    workers: Box<[CachePadded<Meter>]>,
}

impl Meters {
    /// Meters for this many workers of a run that begins now.
    pub fn new(workers: usize, levels: Levels) -> Meters {
        let meters: Box<[CachePadded<Meter>]> = (0..workers).map(|_| CachePadded::default()).collect();
        for meter in &meters {
            meter.begin(Duration::ZERO);
            meter.level.store(u32::MAX, Relaxed);
            meter.set_boss(None);
        }
        let (outlook, lanes) = (Mutex::default(), Mutex::default());
        let (before_ns, before) = (AtomicU64::new(0), Mutex::default());
        let (cores, quota) = (system::allowed_cores(), Quota::here());
        let quota = quota.and_then(|quota| Some((quota, quota.held_back(&Root::here())?)));
        Meters { began: Instant::now(), before_ns, before, levels, outlook, cores, quota, lanes, workers: meters }
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

    /// A break has ended, for which all workers had stopped.
    pub(in crate::schedule) fn end_break(&self) {
        let at = self.since(Instant::now());
        self.workers.iter().for_each(|meter| meter.end_break(at));
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
        Duration::from_nanos(self.workers.iter().map(|meter| meter.cpu_ns.load(Relaxed)).sum())
    }

    /// Whether the number of tours found tells how far the run is.
    pub(in crate::schedule) fn tours_tell_progress(&self) -> bool {
        let before = self.before.locked().tally.tours;
        self.outlook()
            .tours_tell_progress(before + self.workers.iter().map(|meter| meter.tours.load(Relaxed)).sum::<u64>())
    }

    /// The forecast of the run.
    pub fn outlook(&self) -> Forecast {
        *self.outlook.locked()
    }

    /// Publishes the device.
    pub(in crate::schedule) fn set_lanes(&self, lanes: &DeviceLanes) {
        let mut published = self.lanes.locked();
        published.get_or_insert_default().clone_from(lanes);
    }

    /// The device that does the work, if a device does it.
    pub fn lanes(&self) -> Option<DeviceLanes> {
        self.lanes.locked().clone()
    }

    /// The run at this moment.
    pub fn snapshot(&self, control: &Control, events_lost: u64) -> Snapshot {
        let before_ns = whole_micros(Duration::from_nanos(self.before_ns.load(Relaxed)));
        let earlier = EarlierRun::of(&self.before.locked(), before_ns);
        let depths = self.by_depth(control);
        // Read last: the meters are those of a moment soon after it.
        let elapsed = whole_micros(self.since(Instant::now()));
        Snapshot {
            elapsed,
            stop: control.stop_reason(),
            paused: control.is_paused(),
            pace: control.pace(),
            hand_over: control.hand_over(),
            workers: self.workers.iter().map(|meter| meter.sample(elapsed)).collect(),
            earlier,
            nodes_by_depth: depths.nodes,
            pruned_by_depth: depths.pruned,
            levels: depths.levels,
            depths_since: depths.since,
            outlook: self.outlook(),
            events_lost,
            lanes: self.lanes(),
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
        let mut sums = match is_sampled {
            // What an earlier crew counted may be of another round.
            true => DepthSums {
                nodes: vec![0; DEPTHS],
                pruned: vec![0; DEPTHS],
                levels: if round.is_slow() { Levels::Exact } else { Levels::Sampled },
                since: since.map_or(Duration::from_nanos(self.before_ns.load(Relaxed)), |at| self.since(at)),
            },
            false => {
                let before = self.before.locked();
                let [nodes, pruned] = [before.tally.nodes_by_depth, before.tally.pruned_by_depth].map(Vec::from);
                DepthSums { nodes, pruned, levels: self.levels, since: Duration::ZERO }
            }
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
        self.workers[worker].sample(at)
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
    use crate::search::HandOver;

    #[test]
    fn a_worker_is_busy_while_it_has_work_and_idle_while_it_has_none() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        let meter = meters.of(0);
        let times = |at| {
            let WorkerSnapshot { busy, idle, .. } = meter.sample(ms(at));
            [busy, idle].map(|time| time.as_millis())
        };
        assert_eq!(times(10), [0, 10]);
        // The state that begins at a time, a later time, and busy and idle time by then.
        for (state, from, at, by_hand) in [
            (WorkerState::Busy, 10, 30, [20, 10]),
            (WorkerState::Paused, 30, 35, [25, 10]),
            (WorkerState::Slowed, 40, 50, [40, 10]),
            (WorkerState::Waiting, 50, 65, [40, 25]),
            (WorkerState::Idle, 70, 75, [40, 35]),
            (WorkerState::Busy, 80, 100, [60, 40]),
            (WorkerState::Done, 100, 200, [60, 40]),
        ] {
            meter.enter_state(state, ms(from));
            assert_eq!(times(at), by_hand, "{state:?}");
        }
        // The time of a break is idle time.
        meter.end_break(ms(300));
        assert_eq!((times(310), meter.sample(ms(310)).overhead.save), ([60, 250], ms(200)));
    }

    #[test]
    fn a_resumed_worker_counts_from_the_time_of_the_run_before() {
        let (meters, ms) = (Meters::new(1, Levels::Off), Duration::from_millis);
        meters.resume_from(&RunOutcome { elapsed: ms(1000), ..RunOutcome::default() });
        meters.of(0).enter_state(WorkerState::Busy, ms(1010));
        let WorkerSnapshot { busy, idle, .. } = meters.worker(0, ms(1040));
        assert_eq!((busy, idle), (ms(30), ms(10)));
    }

    #[test]
    fn hires_and_donations_add_up_with_those_of_the_run_before() {
        let meters = Meters::new(2, Levels::Off);
        let before = Totals { sharing: SharingCounts { hires: 100, donations: 1000 }, ..Totals::default() };
        let earlier = RunOutcome { elapsed: Duration::from_secs(1), workers: vec![before], ..RunOutcome::default() };
        meters.resume_from(&earlier);
        meters.of(0).count_hire();
        meters.of(1).count_hire();
        meters.of(1).count_donations(3);
        meters.of(1).count_donations(2);
        let seen = meters.snapshot(&Control::new(HandOver::Shallowest, None, None), 0);
        assert_eq!((seen.hires(), seen.donations()), (102, 1005));
        assert_eq!(seen.workers[1].sharing, SharingCounts { hires: 1, donations: 5 });
    }
}
