//! An enumeration, dispatch by dispatch: the queue, the splits, the size of a dispatch, and how the twin replaces a lost
//! device.

use super::lane::{BASE, DEPTH, DispatchOrders, DispatchReport, LAST, LaneEngine, LaneMemory, LaneTwin};
use super::rules::{self, Prefix, SQUARES_MAX, SubtreeRules, from_halves};
#[cfg(feature = "gpu")]
use super::shader::SubtreeShader;
use crate::board::SquareMask;
use crate::gpu::cost::DispatchPace;
use crate::gpu::label::{DeviceKind, DoneBy, GpuError};
use crate::gpu::place::DevicePlace;
use std::collections::HashSet;
use std::time::Duration;

const PREFIXES_PER_LANE: u32 = 4;
/// Target time of a dispatch: a third of the longest time allowed, because the next dispatch may be slower.
const PACE: DispatchPace =
    DispatchPace { target: Duration::from_millis(15), size_max: BUDGET_MAX, growth: 2, shrinkage: 4 };
/// Steps of a lane in the first dispatch.
const BUDGET_FIRST: u32 = 64;
/// Steps of a lane in a dispatch, at most.
const BUDGET_MAX: u32 = 2048;
/// Iterations that the software driver allows; it drops the rest silently. It counts the iterations of all lanes in a
/// group together; an iteration counts once for all lanes that are in it.
const ITERATIONS_MAX: u32 = 65_535;
/// Lanes in a group of the software driver, which run side by side, at most: 512 bits of 32 each.
const GROUP: u32 = 16;
// A group runs the outer loop for as many steps as one lane has, each step with up to eight neighbours. A lane also
// copies the squares of prefixes and tours while the others wait. Each copied square costs the lane a step, but its last
// copies may exceed the budget. With 8 lanes and 2048 steps that makes 34,816 iterations without that excess, with 16
// lanes 51,200.
const _: () = assert!(BUDGET_MAX * (1 + 8) + GROUP * (BUDGET_MAX + 2 * SQUARES_MAX) <= ITERATIONS_MAX);
/// Tours that a dispatch can store.
const TOURS_PER_DISPATCH: u32 = 4096;
/// Free squares of the smallest subtree that is split off.
const SPLIT_FREE_MIN: u32 = 8;

/// Lanes on a device of this kind, at most.
fn lanes_max(kind: DeviceKind) -> u32 {
    match kind {
        DeviceKind::Cpu => 512,
        DeviceKind::Software => 4096,
        _ => 65_536,
    }
}

/// How an enumeration shares its work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SubtreePlan {
    pub lanes: u32,
    /// Prefixes made on the CPU for each lane.
    pub prefixes_per_lane: u32,
    /// Whether long lanes are split when others have no work.
    pub splits: bool,
    /// Tours that a dispatch can store; 0 if tours are only counted. A lane that finds one when no room is left waits with it.
    pub tours_max: u32,
}

/// A search of all tours of a question, by lanes.
pub struct Enumeration {
    engine: Box<dyn LaneEngine>,
    done_by: DoneBy,
    rules: SubtreeRules,
    plan: SubtreePlan,
    prefixes: Vec<Prefix>,
    next: u32,
    live: u32,
    budget: u32,
    prefixes_made: u64,
    prefixes_split: u64,
    initial: DispatchReport,
    /// The lanes as last read back; `None` on the twin, which cannot be lost.
    snapshot: Option<LaneSnapshot>,
    /// The results of a lost device that the twin will find again.
    lost: Option<LaneSnapshot>,
}

impl Enumeration {
    /// An enumeration at this place. With `keep`, tours are returned; otherwise they are only counted.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    pub fn new(place: DevicePlace, rules: SubtreeRules, keep: bool) -> Result<Enumeration, GpuError> {
        let plan = SubtreePlan {
            lanes: lanes_max(place.done_by().label.kind),
            prefixes_per_lane: PREFIXES_PER_LANE,
            splits: true,
            tours_max: if keep { TOURS_PER_DISPATCH } else { 0 },
        };
        Enumeration::with_plan(place, rules, plan)
    }

    /// An enumeration with another plan. Where there are few prefixes, there are fewer lanes.
    pub(super) fn with_plan(
        place: DevicePlace,
        rules: SubtreeRules,
        plan: SubtreePlan,
    ) -> Result<Enumeration, GpuError> {
        let (queue, initial) = rules::make_prefixes(&rules, (plan.lanes * plan.prefixes_per_lane) as usize);
        let prefixes = queue.len() as u32;
        let lanes = prefixes.div_ceil(plan.prefixes_per_lane).next_multiple_of(64).clamp(1, plan.lanes);
        let plan = SubtreePlan { lanes, ..plan };
        let done_by = place.done_by();
        let (mut engine, snapshot): (Box<dyn LaneEngine>, _) = match place {
            DevicePlace::Cpu(_) => (Box::new(LaneTwin::new(&rules, plan)), None),
            #[cfg(feature = "gpu")]
            DevicePlace::Device(device) => {
                let snapshot = LaneSnapshot::new(LaneMemory::new(lanes, rules.squares()), 0);
                (Box::new(SubtreeShader::new(device, &rules, plan, prefixes.max(lanes))?), Some(snapshot))
            }
        };
        engine.load_queue(&queue)?;
        Ok(Enumeration {
            engine,
            done_by,
            rules,
            plan,
            next: 0,
            live: 0,
            budget: BUDGET_FIRST,
            prefixes_made: u64::from(prefixes),
            prefixes: queue,
            prefixes_split: 0,
            initial,
            snapshot,
            lost: None,
        })
    }

    /// What moves the lanes now.
    pub fn done_by(&self) -> &DoneBy {
        &self.done_by
    }

    pub fn lanes(&self) -> u32 {
        self.plan.lanes
    }

    /// Prefixes made so far, and how many of them by splitting lanes.
    pub fn prefixes(&self) -> [u64; 2] {
        [self.prefixes_made, self.prefixes_split]
    }

    /// The results of making the first prefixes: their nodes, and the tour of a board of one square.
    pub fn initial_report(&self) -> DispatchReport {
        self.initial.clone()
    }

    /// Whether the search is finished.
    pub fn is_over(&self) -> bool {
        self.live == 0 && self.next == self.prefixes.len() as u32
    }

    /// Runs a dispatch, in which each lane takes at most `steps` steps if a number is given. If the device is lost,
    /// the twin continues from where the lanes were last read back. Nothing is counted or returned twice.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed in another way.
    pub fn burst(&mut self, steps: Option<u32>) -> Result<DispatchReport, GpuError> {
        let mut burst = match (self.dispatch(steps), self.snapshot.take()) {
            (Err(why @ GpuError::Lost(_)), Some(saved)) => {
                self.resume_on_twin(saved, why)?;
                self.dispatch(steps)?
            }
            (done, saved) => {
                self.snapshot = saved;
                done?
            }
        };
        let squares = self.rules.squares() as usize;
        if let Some(saved) = &mut self.snapshot {
            saved.add(&burst, squares);
        }
        if let Some(lost) = &mut self.lost {
            lost.remove_repeats(&mut burst, squares);
        }
        Ok(burst)
    }

    /// Replaces the device by the twin, with the lanes as last read back.
    fn resume_on_twin(&mut self, mut saved: LaneSnapshot, why: GpuError) -> Result<(), GpuError> {
        let memory = std::mem::take(&mut saved.memory);
        self.live = memory.heads.iter().filter(|head| head[DEPTH] > 0).count() as u32;
        self.engine = Box::new(LaneTwin::of(&self.rules, self.plan, memory));
        (self.next, self.budget) = (saved.next, 1);
        (self.done_by, self.lost) = (DoneBy::twin(why), Some(saved));
        self.engine.load_queue(&self.prefixes)
    }

    fn dispatch(&mut self, steps: Option<u32>) -> Result<DispatchReport, GpuError> {
        let queue_is_empty = self.next == self.prefixes.len() as u32;
        if self.plan.splits && queue_is_empty && self.live < self.plan.lanes / 2 {
            self.split_lanes()?;
        }
        if self.snapshot.as_ref().is_some_and(LaneSnapshot::is_due) {
            self.snapshot = Some(LaneSnapshot::new(self.engine.memory()?, self.next));
        }
        let budget = steps.unwrap_or(self.budget).clamp(1, self.budget);
        let end = self.prefixes.len() as u32;
        let report = self.engine.advance(DispatchOrders { budget, next: self.next, end })?;
        (self.next, self.live) = (report.next, report.live);
        if report.steps[1] >= self.budget {
            self.budget = PACE.next(self.budget, self.budget, report.took);
        }
        Ok(report)
    }

    /// Splits the longest lanes, so that the queue has prefixes for the lanes without work. That no lane can be split
    /// is rare: once a run or never on 6x6 and 6x7, with 512 to 65,536 lanes.
    fn split_lanes(&mut self) -> Result<(), GpuError> {
        let mut memory = self.engine.memory()?;
        let idle = (self.plan.lanes - self.live) as usize;
        let parts = split(&mut memory, &self.rules, idle);
        if parts.is_empty() {
            return Ok(());
        }
        self.next = 0;
        self.prefixes_made += parts.len() as u64;
        self.prefixes_split += parts.len() as u64;
        self.prefixes = parts;
        let untried = memory.untried.clone();
        self.snapshot = self.snapshot.take().map(|_| LaneSnapshot::new(memory, 0));
        self.engine.set_untried(&untried)?;
        self.engine.load_queue(&self.prefixes)
    }
}

/// Splits up to `wanted` prefixes off the lanes, lane by lane from the one with the lowest open level, in rounds:
/// each prefix is half of the steps at the lowest open level of a lane.
fn split(memory: &mut LaneMemory, rules: &SubtreeRules, wanted: usize) -> Vec<Prefix> {
    let mut parts = Vec::new();
    let live = (0..memory.heads.len()).filter(|&lane| memory.heads[lane][DEPTH] > 0);
    let mut open: Vec<(u32, usize)> = live.filter_map(|lane| Some((open_level(memory, rules, lane)?, lane))).collect();
    while parts.len() < wanted && !open.is_empty() {
        open.sort_unstable();
        open.truncate(wanted - parts.len());
        parts.extend(open.iter().map(|&(level, lane)| split_part(memory, rules, lane, level)));
        let again = open.iter().filter_map(|&(_, lane)| Some((open_level(memory, rules, lane)?, lane)));
        open = again.collect();
    }
    parts
}

/// The lowest level of a lane with an untried step, if splitting there is worth it and leaves the lane a step.
fn open_level(memory: &LaneMemory, rules: &SubtreeRules, lane: usize) -> Option<u32> {
    let head = memory.heads[lane];
    let untried = |level: &u32| memory.untried[memory.index(lane, *level)];
    let mut open = (head[BASE]..=head[DEPTH]).filter(|level| untried(level) != 0);
    let level = open.next()?;
    let spare = untried(&level).len() > 1 || open.next().is_some();
    (spare && rules.squares() - level >= SPLIT_FREE_MIN).then_some(level)
}

/// Splits the upper half of the steps at a level off a lane, at least one.
fn split_part(memory: &mut LaneMemory, rules: &SubtreeRules, lane: usize, level: u32) -> Prefix {
    let at = memory.index(lane, level);
    let untried = memory.untried[at];
    let remaining = untried.iter().take(untried.len() as usize / 2).fold(0, |set, square| set | u64::bit(square));
    memory.untried[at] = remaining;
    let head = memory.heads[lane];
    let last = from_halves([head[LAST], head[LAST + 1]]);
    Prefix::new(memory.path_to(lane, level), rules.all, last, untried ^ remaining)
}

#[cfg(test)]
impl Enumeration {
    /// The engine of the lanes.
    pub fn engine(&mut self) -> &mut dyn LaneEngine {
        &mut *self.engine
    }

    /// Wraps the engine in one that may be lost.
    pub(super) fn replace_engine(&mut self, wrap: impl FnOnce(Box<dyn LaneEngine>) -> Box<dyn LaneEngine>) {
        let placeholder = Box::new(LaneTwin::new(&self.rules, SubtreePlan { lanes: 0, ..self.plan }));
        let engine = std::mem::replace(&mut self.engine, placeholder);
        self.engine = wrap(engine);
        self.snapshot = Some(LaneSnapshot::new(LaneMemory::new(self.plan.lanes, self.rules.squares()), 0));
    }
}

/// Dispatch time after which the lanes are read back: about this much work is repeated after a loss, at most.
const READ_INTERVAL: Duration = Duration::from_secs(60);
/// Stored tours after which the lanes are read back: at most about this many are remembered.
const TOURS_MAX: usize = 1 << 18;

/// The lanes as they were between two dispatches, and the results that were reported since.
///
/// The lanes hold a certain rest of the tree. The device had searched part of that rest when it was lost. The twin searches
/// all of it, in another order. Only what the twin counts beyond the reported results is new.
#[derive(Default)]
struct LaneSnapshot {
    memory: LaneMemory,
    /// Index of the first prefix in the queue that no lane had taken.
    next: u32,
    nodes: u64,
    tours: u64,
    stored_tours: HashSet<Box<[u8]>>,
    took: Duration,
}

impl LaneSnapshot {
    /// The lanes as they are now.
    fn new(memory: LaneMemory, next: u32) -> LaneSnapshot {
        LaneSnapshot { memory, next, ..LaneSnapshot::default() }
    }

    /// Whether the lanes are to be read back.
    fn is_due(&self) -> bool {
        self.took >= READ_INTERVAL || self.stored_tours.len() >= TOURS_MAX
    }

    /// Adds the results of a dispatch; a tour has `squares` squares.
    fn add(&mut self, burst: &DispatchReport, squares: usize) {
        self.nodes += burst.nodes;
        self.tours += burst.tours;
        self.took += burst.took;
        self.stored_tours.extend(burst.tour_squares.chunks(squares).map(Box::from));
    }

    /// Removes from a dispatch of the twin what has been reported before.
    fn remove_repeats(&mut self, burst: &mut DispatchReport, squares: usize) {
        let nodes = self.nodes.min(burst.nodes);
        let tours = if burst.tour_squares.is_empty() {
            self.tours.min(burst.tours)
        } else {
            let is_new = |tour: &&[u8]| !self.stored_tours.remove(*tour);
            let new_squares: Vec<u8> = burst.tour_squares.chunks(squares).filter(is_new).flatten().copied().collect();
            let repeated = (burst.tour_squares.len() - new_squares.len()) / squares;
            burst.tour_squares = new_squares;
            repeated as u64
        };
        (self.nodes, self.tours) = (self.nodes - nodes, self.tours - tours);
        (burst.nodes, burst.tours) = (burst.nodes - nodes, burst.tours - tours);
    }
}
