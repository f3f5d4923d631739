//! An enumeration, dispatch by dispatch: the queue, splitting, and how long a dispatch is.

use super::engine::{BASE, DEPTH, DispatchOrders, DispatchOutcome, EngineSize, LAST, LaneEngine, LaneMemory};
use super::lane::LaneTwin;
use super::prefix::{self, Prefix, whole};
use super::recovery::{SavedLanes, UnreadResults};
use super::rules::{SQUARES_MAX, SubtreeRules};
#[cfg(feature = "gpu")]
use super::shader::SubtreeShader;
use crate::board::SquareMask;
use crate::gpu::cost::DispatchPace;
use crate::gpu::label::{DeviceKind, DeviceLabel, GpuError};
use crate::gpu::place::DevicePlace;
use std::time::Duration;

/// Prefixes made for each lane.
const PREFIXES_PER_LANE: u32 = 4;
/// What a dispatch is to take: a third of the longest that is allowed, because the next may be slower.
const PACE: DispatchPace =
    DispatchPace { wanted: Duration::from_millis(15), most: BUDGET_MAX, growth: 2, shrinkage: 4 };
/// Steps of a lane in the first dispatch.
const BUDGET_FIRST: u32 = 64;
/// Steps of a lane in a dispatch.
const BUDGET_MAX: u32 = 2048;
/// Iterations that the software driver allows; it drops the others without a word. All lanes that it runs side by side
/// count theirs together, and an iteration counts once for all that are in it.
const ITERATIONS_MAX: u32 = 65_535;
/// Lanes that the software driver runs side by side, at most: 512 bits of 32 each.
const GROUP: u32 = 16;
// A group is in the outer loop for as many steps as one lane has, each with up to eight neighbours. Squares of prefixes
// and tours are paid for as steps, but each lane may copy its own while the others wait, and one more on credit. With 8
// lanes and 2048 steps that makes 34,816 and the credit, with 16 lanes 51,200.
const _: () = assert!(BUDGET_MAX * (1 + 8) + GROUP * (BUDGET_MAX + 2 * SQUARES_MAX) <= ITERATIONS_MAX);
/// Tours that are kept in a dispatch.
const KEPT: u32 = 4096;
/// Free squares of the smallest subtree that is worth giving away.
const GIVEN_MIN: u32 = 8;

/// Lanes on this kind of device, at most.
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
    /// Lanes.
    pub lanes: u32,
    /// Prefixes made on the CPU for each of them.
    pub prefixes_per_lane: u32,
    /// Whether long lanes are split when others have nothing to do.
    pub split: bool,
    /// Tours that are kept in a dispatch, if any are.
    pub kept: u32,
}

/// All subtrees of a question, and the lanes that search them.
pub struct Enumeration {
    engine: Box<dyn LaneEngine>,
    rules: SubtreeRules,
    plan: SubtreePlan,
    keep: bool,
    prefixes: Vec<Prefix>,
    next: u32,
    live: u32,
    budget: u32,
    made: u64,
    split: u64,
    begun: DispatchOutcome,
    /// Nothing on the twin, which is not lost.
    saved: Option<SavedLanes>,
    /// Why the twin carries on, and what it does once more.
    lost: Option<(GpuError, UnreadResults)>,
}

impl Enumeration {
    /// An enumeration at this place; `keep` says that tours are to be handed out, not only counted.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    pub fn new(place: DevicePlace, rules: SubtreeRules, keep: bool) -> Result<Enumeration, GpuError> {
        let kind = match &place {
            DevicePlace::Cpu(_) => DeviceKind::Cpu,
            #[cfg(feature = "gpu")]
            DevicePlace::Device(device) => device.label().kind,
        };
        let plan =
            SubtreePlan { lanes: lanes_max(kind), prefixes_per_lane: PREFIXES_PER_LANE, split: true, kept: KEPT };
        Enumeration::planned(place, rules, keep, plan)
    }

    /// The same by another plan; where there are few prefixes there are fewer lanes.
    ///
    /// # Errors
    /// As [`Enumeration::new`].
    pub(super) fn planned(
        place: DevicePlace,
        rules: SubtreeRules,
        keep: bool,
        plan: SubtreePlan,
    ) -> Result<Enumeration, GpuError> {
        let deal = prefix::deal(&rules, (plan.lanes * plan.prefixes_per_lane) as usize);
        let prefixes = deal.prefixes.len() as u32;
        let lanes = prefixes.div_ceil(plan.prefixes_per_lane).next_multiple_of(64).clamp(1, plan.lanes);
        let size = EngineSize { lanes, queue: prefixes.max(lanes), kept: if keep { plan.kept } else { 0 } };
        let is_twin = matches!(place, DevicePlace::Cpu(_));
        let mut engine = engine(place, &rules, size)?;
        engine.feed(&deal.prefixes)?;
        let saved = (!is_twin).then(|| SavedLanes::new(LaneMemory::new(lanes, rules.squares()), 0));
        Ok(Enumeration {
            engine,
            rules,
            plan: SubtreePlan { lanes, ..plan },
            keep,
            next: 0,
            live: 0,
            budget: BUDGET_FIRST,
            made: u64::from(prefixes),
            prefixes: deal.prefixes,
            split: 0,
            begun: DispatchOutcome {
                nodes: deal.nodes,
                tours: deal.tours,
                kept: vec![0; deal.tours as usize],
                ..DispatchOutcome::default()
            },
            saved,
            lost: None,
        })
    }

    /// What does the work.
    pub fn label(&self) -> DeviceLabel {
        self.engine.label()
    }

    /// Number of lanes.
    pub fn lanes(&self) -> u32 {
        self.plan.lanes
    }

    /// Prefixes made so far, and how many of them by splitting lanes.
    pub fn prefixes(&self) -> [u64; 2] {
        [self.made, self.split]
    }

    /// What came of making the first prefixes: nodes, and the tour of a board of one square.
    pub fn begun(&self) -> DispatchOutcome {
        self.begun.clone()
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.live == 0 && self.next == self.prefixes.len() as u32
    }

    /// Why the twin carries on, if the device was lost.
    pub fn lost(&self) -> Option<&GpuError> {
        self.lost.as_ref().map(|(why, _)| why)
    }

    /// Does a dispatch, of at most so many steps of each lane if a number is given. When the device is lost the twin
    /// carries on from where the lanes were last read back; nothing is counted or handed out twice.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed in another way.
    pub fn burst(&mut self, steps: Option<u32>) -> Result<DispatchOutcome, GpuError> {
        let mut burst = match (self.dispatch(steps), self.saved.take()) {
            (Err(why @ GpuError::Lost(_)), Some(saved)) => {
                self.carry_on(saved, why)?;
                self.dispatch(steps)?
            }
            (done, saved) => {
                self.saved = saved;
                done?
            }
        };
        let squares = self.rules.squares() as usize;
        if let Some(saved) = &mut self.saved {
            saved.since.add(&burst, squares);
        }
        if let Some((_, since)) = &mut self.lost {
            since.take_out(&mut burst, squares);
        }
        Ok(burst)
    }

    /// Goes on with the twin.
    fn carry_on(&mut self, saved: SavedLanes, why: GpuError) -> Result<(), GpuError> {
        let SavedLanes { memory, next, since } = saved;
        self.next = next;
        self.live = memory.heads.iter().filter(|head| head[DEPTH] > 0).count() as u32;
        let kept = if self.keep { self.plan.kept } else { 0 };
        let size = EngineSize { lanes: self.plan.lanes, queue: self.prefixes.len() as u32, kept };
        self.engine = Box::new(LaneTwin::of(&self.rules, size, memory));
        self.budget = 1;
        self.lost = Some((why, since));
        self.engine.feed(&self.prefixes)
    }

    fn dispatch(&mut self, steps: Option<u32>) -> Result<DispatchOutcome, GpuError> {
        let dry = self.next == self.prefixes.len() as u32;
        if self.plan.split && dry && self.live < self.plan.lanes / 2 {
            self.share()?;
        }
        if self.saved.as_ref().is_some_and(SavedLanes::is_old) {
            self.saved = Some(SavedLanes::new(self.engine.memory()?, self.next));
        }
        let budget = steps.unwrap_or(self.budget).clamp(1, self.budget);
        let end = self.prefixes.len() as u32;
        let report = self.engine.advance(DispatchOrders { budget, next: self.next, end, keep: self.keep })?;
        (self.next, self.live) = (report.next, report.live);
        let [taken, most] = report.steps;
        if most >= self.budget {
            self.budget = PACE.next(self.budget, self.budget, report.took);
        }
        Ok(DispatchOutcome {
            nodes: report.nodes.into(),
            tours: report.tours.into(),
            kept: report.kept,
            shown: report.shown,
            live: f64::from(taken) / f64::from(most.max(1)),
            took: report.took,
        })
    }

    /// Splits the longest lanes, so that those without work have some: the queue holds what was split off. That there is
    /// nothing to split is rare: once a run or never on 6x6 and 6x7, by 512 to 65,536 lanes.
    fn share(&mut self) -> Result<(), GpuError> {
        let mut memory = self.engine.memory()?;
        let idle = (self.plan.lanes - self.live) as usize;
        let parts = split(&mut memory, &self.rules, idle);
        if parts.is_empty() {
            return Ok(());
        }
        self.next = 0;
        self.made += parts.len() as u64;
        self.split += parts.len() as u64;
        self.prefixes = parts;
        let untried = memory.untried.clone();
        self.saved = self.saved.take().map(|_| SavedLanes::new(memory, 0));
        self.engine.set_untried(&untried)?;
        self.engine.feed(&self.prefixes)
    }
}

/// Takes up to `wanted` prefixes out of the lanes: half of the steps at the lowest open level of each, from the lane
/// whose level is the lowest on, and round again.
fn split(memory: &mut LaneMemory, rules: &SubtreeRules, wanted: usize) -> Vec<Prefix> {
    let mut parts = Vec::new();
    let live = (0..memory.heads.len()).filter(|&lane| memory.heads[lane][DEPTH] > 0);
    let mut open: Vec<(u32, usize)> = live.filter_map(|lane| Some((open_level(memory, rules, lane)?, lane))).collect();
    while parts.len() < wanted && !open.is_empty() {
        open.sort_unstable();
        open.truncate(wanted - parts.len());
        parts.extend(open.iter().map(|&(level, lane)| part(memory, rules, lane, level)));
        let again = open.iter().filter_map(|&(_, lane)| Some((open_level(memory, rules, lane)?, lane)));
        open = again.collect();
    }
    parts
}

/// The lowest level of a lane with an untried step, if that is worth giving away and leaves something.
fn open_level(memory: &LaneMemory, rules: &SubtreeRules, lane: usize) -> Option<u32> {
    let head = memory.heads[lane];
    let untried = |level: &u32| memory.untried[memory.at(lane, *level)];
    let mut open = (head[BASE]..=head[DEPTH]).filter(|level| untried(level) != 0);
    let level = open.next()?;
    let spare = untried(&level).len() > 1 || open.next().is_some();
    (spare && rules.squares() - level >= GIVEN_MIN).then_some(level)
}

/// The upper half of the steps at a level, one at least.
fn part(memory: &mut LaneMemory, rules: &SubtreeRules, lane: usize, level: u32) -> Prefix {
    let at = memory.at(lane, level);
    let untried = memory.untried[at];
    let kept = untried.iter().take(untried.len() as usize / 2).fold(0, |kept, square| kept | u64::bit(square));
    memory.untried[at] = kept;
    let head = memory.heads[lane];
    let last = whole([head[LAST], head[LAST + 1]]);
    Prefix::part(memory.path_to(lane, level), rules.all(), last, untried ^ kept)
}

#[cfg(test)]
impl Enumeration {
    /// The lanes.
    pub fn engine(&mut self) -> &mut dyn LaneEngine {
        &mut *self.engine
    }

    /// Takes this engine instead, which may be lost.
    pub(super) fn replace_engine(&mut self, wrap: impl FnOnce(Box<dyn LaneEngine>) -> Box<dyn LaneEngine>) {
        let gone = Box::new(LaneTwin::new(&self.rules, EngineSize { lanes: 0, queue: 0, kept: 0 }));
        let engine = std::mem::replace(&mut self.engine, gone);
        self.engine = wrap(engine);
        self.saved = Some(SavedLanes::new(LaneMemory::new(self.plan.lanes, self.rules.squares()), 0));
    }
}

/// Lanes at this place.
///
/// # Errors
/// [`GpuError`] when the device failed or cannot hold them.
fn engine(place: DevicePlace, rules: &SubtreeRules, size: EngineSize) -> Result<Box<dyn LaneEngine>, GpuError> {
    Ok(match place {
        DevicePlace::Cpu(_) => Box::new(LaneTwin::new(rules, size)),
        #[cfg(feature = "gpu")]
        DevicePlace::Device(device) => Box::new(SubtreeShader::new(device, rules, size)?),
    })
}
