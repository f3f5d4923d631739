//! What moves lanes, its orders and reports, and the memory of the lanes between two dispatches; and the plain twin of the
//! shader, what `lanes.wgsl` does on a device, function by function, one lane after the other.

use super::rules::{PREFIX_WORDS, Prefix, SubtreeRules, from_halves};
use super::run::SubtreePlan;
use crate::board::SquareMask;
use crate::gpu::label::GpuError;
use std::time::{Duration, Instant};

/// Words of a lane's head.
pub const HEAD_WORDS: usize = 8;
/// The word of the head that holds the depth, the number of squares on the path; 0 for a lane without a prefix.
pub const DEPTH: usize = 0;
/// The word of the head that holds the depth of the lane's prefix.
pub const BASE: usize = 1;
/// The two words of the head that hold the squares not on the path.
pub const VACANT: usize = 2;
/// The two words of the head that hold the squares on which a tour may end.
pub const LAST: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct DispatchOrders {
    /// Steps that each lane may take.
    pub budget: u32,
    /// Index of the first prefix in the queue that no lane has taken.
    pub next: u32,
    /// The number of prefixes in the queue.
    pub end: u32,
}

/// What a dispatch did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchReport {
    /// Index of the first prefix in the queue that no lane has taken.
    pub next: u32,
    /// Lanes that have not finished their prefix.
    pub live: u32,
    /// Nodes entered.
    pub nodes: u64,
    pub tours: u64,
    /// Steps of all lanes together, and the most of one lane.
    pub steps: [u32; 2],
    /// The path of lane 0.
    pub lane0_path: Vec<u8>,
    /// The squares of the stored tours, one tour after the other.
    pub tour_squares: Vec<u8>,
    /// Time that the dispatch took.
    pub took: Duration,
}

impl DispatchReport {
    /// Mean number of lanes at work, until the last one stopped.
    pub fn mean_live(&self) -> f64 {
        f64::from(self.steps[0]) / f64::from(self.steps[1].max(1))
    }
}

/// The memory of the lanes between two dispatches, laid out as on a device.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaneMemory {
    /// [`HEAD_WORDS`] words for each lane.
    pub heads: Vec<[u32; HEAD_WORDS]>,
    /// Untried steps, at `[level * lanes + lane]`; level 0 stands for a lane without a prefix.
    pub untried: Vec<u64>,
    /// The square of each level of the path, at `[level * lanes + lane]`.
    pub path: Vec<u32>,
}

impl LaneMemory {
    /// The memory of `lanes` lanes without a prefix, on a board of `squares` squares.
    pub fn new(lanes: u32, squares: u32) -> LaneMemory {
        let (lanes, levels) = (lanes as usize, squares as usize + 1);
        LaneMemory {
            heads: vec![[0; HEAD_WORDS]; lanes],
            untried: vec![0; levels * lanes],
            path: vec![0; levels * lanes],
        }
    }

    /// The index of a level of a lane in [`LaneMemory::untried`] and [`LaneMemory::path`].
    pub fn index(&self, lane: usize, level: u32) -> usize {
        level as usize * self.heads.len() + lane
    }

    /// The path of a lane up to a level.
    pub fn path_to(&self, lane: usize, level: u32) -> Vec<u8> {
        (1..=level).map(|level| self.path[self.index(lane, level)] as u8).collect()
    }
}

/// Moves the lanes, in memory of this program or of a device.
pub trait LaneEngine {
    /// Replaces the queue, whose prefixes have all been taken.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn load_queue(&mut self, queue: &[Prefix]) -> Result<(), GpuError>;

    /// Runs a dispatch: every lane takes some steps.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError>;

    /// Reads the memory of the lanes.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn memory(&mut self) -> Result<LaneMemory, GpuError>;

    /// Replaces the untried steps of all lanes.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError>;
}

/// The lanes, in memory of this program.
pub struct LaneTwin {
    rules: SubtreeRules,
    plan: SubtreePlan,
    memory: LaneMemory,
    queue: Vec<[u32; PREFIX_WORDS]>,
}

/// A lane at work, as in the registers of a device.
#[derive(Default)]
struct WorkingLane {
    depth: u32,
    base: u32,
    vacant: u64,
    last: u64,
    /// Untried steps from the square that the lane stands on.
    open: u64,
    at: usize,
}

impl LaneTwin {
    /// Lanes without a prefix.
    pub fn new(rules: &SubtreeRules, plan: SubtreePlan) -> LaneTwin {
        LaneTwin::of(rules, plan, LaneMemory::new(plan.lanes, rules.squares()))
    }

    /// Lanes with this memory.
    pub fn of(rules: &SubtreeRules, plan: SubtreePlan, memory: LaneMemory) -> LaneTwin {
        LaneTwin { rules: rules.clone(), plan, memory, queue: Vec::new() }
    }

    /// Runs one lane until its budget is spent or it has no work.
    fn main(&mut self, id: usize, orders: DispatchOrders, report: &mut DispatchReport) {
        let head = self.memory.heads[id];
        let here = self.memory.index(id, head[DEPTH]);
        let mut lane = WorkingLane {
            depth: head[DEPTH],
            base: head[BASE],
            vacant: from_halves([head[VACANT], head[VACANT + 1]]),
            last: from_halves([head[LAST], head[LAST + 1]]),
            open: self.memory.untried[here],
            at: self.memory.path[here] as usize,
        };
        let mut spent = 0;
        while spent < orders.budget {
            if lane.depth == lane.base && lane.open == 0 {
                let slot = report.next;
                report.next += 1;
                if slot >= orders.end {
                    lane = WorkingLane::default();
                    break;
                }
                self.take(&mut lane, id, slot);
                spent += lane.depth;
                continue;
            }
            if lane.open == 0 {
                lane.vacant |= u64::bit(lane.at);
                lane.depth -= 1;
                let here = self.memory.index(id, lane.depth);
                lane.open = self.memory.untried[here];
                lane.at = self.memory.path[here] as usize;
            } else {
                let next = lane.open.first();
                let rest = lane.vacant ^ u64::bit(next);
                if rest == 0 && self.plan.tours_max > 0 {
                    if !self.keep(&lane, id, next, report) {
                        break;
                    }
                    spent += lane.depth;
                }
                self.enter(&mut lane, id, next, rest);
                report.nodes += 1;
                report.tours += u64::from(rest == 0);
            }
            spent += 1;
        }
        let here = self.memory.index(id, lane.depth);
        self.memory.untried[here] = lane.open;
        self.memory.heads[id] = head_of(&lane);
        report.live += u32::from(lane.depth > 0);
        report.steps[0] += spent;
        report.steps[1] = report.steps[1].max(spent);
    }

    /// Takes a prefix from the queue.
    fn take(&mut self, lane: &mut WorkingLane, id: usize, slot: u32) {
        let words = self.queue[slot as usize];
        *lane = WorkingLane {
            depth: words[0],
            base: words[0],
            vacant: from_halves([words[2], words[3]]),
            last: from_halves([words[4], words[5]]),
            open: from_halves([words[6], words[7]]),
            at: 0,
        };
        for level in 0..lane.depth {
            lane.at = (words[8 + level as usize / 4] >> (8 * (level % 4)) & 0xff) as usize;
            let here = self.memory.index(id, level + 1);
            self.memory.path[here] = lane.at as u32;
            self.memory.untried[here] = 0;
        }
    }

    /// Stores the tour that ends on `next`; returns whether there was room.
    fn keep(&self, lane: &WorkingLane, id: usize, next: usize, report: &mut DispatchReport) -> bool {
        if report.tour_squares.len() >= (self.plan.tours_max * self.rules.squares()) as usize {
            return false;
        }
        report.tour_squares.extend(self.memory.path_to(id, lane.depth));
        report.tour_squares.push(next as u8);
        true
    }

    fn enter(&mut self, lane: &mut WorkingLane, id: usize, next: usize, rest: u64) {
        let here = self.memory.index(id, lane.depth);
        self.memory.untried[here] = lane.open ^ u64::bit(next);
        lane.open = self.rules.next_steps(lane.at, next, rest, lane.last);
        lane.depth += 1;
        lane.vacant = rest;
        lane.at = next;
        let here = self.memory.index(id, lane.depth);
        self.memory.path[here] = next as u32;
    }
}

fn head_of(lane: &WorkingLane) -> [u32; HEAD_WORDS] {
    let ([a, b], [c, d]) = (super::rules::halves(lane.vacant), super::rules::halves(lane.last));
    [lane.depth, lane.base, a, b, c, d, 0, 0]
}

impl LaneEngine for LaneTwin {
    fn load_queue(&mut self, queue: &[Prefix]) -> Result<(), GpuError> {
        self.queue = queue.iter().map(Prefix::packed).collect();
        Ok(())
    }

    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError> {
        let began = Instant::now();
        let mut report = DispatchReport { next: orders.next, ..DispatchReport::default() };
        for id in 0..self.memory.heads.len() {
            self.main(id, orders, &mut report);
        }
        report.next = report.next.min(orders.end);
        report.lane0_path = self.memory.path_to(0, self.memory.heads[0][DEPTH]);
        report.took = began.elapsed();
        Ok(report)
    }

    fn memory(&mut self) -> Result<LaneMemory, GpuError> {
        Ok(self.memory.clone())
    }

    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError> {
        self.memory.untried.copy_from_slice(untried);
        Ok(())
    }
}
