//! Moves the knights of a batch on a device: one invocation of `map.wgsl` moves one knight.
//!
//! Two sizes adapt to measured times. [`PACE`] sets the steps of a dispatch. The number of lanes, which is the number
//! of knights in one run, doubles for as long as that makes the knights faster. Results are read back once per run.

use super::batch::{Batch, MapEngine};
use crate::gpu::compass::Compass;
use crate::gpu::cost::{DeviceCost, DispatchPace};
use crate::gpu::device::{Device, Dispatch, GROUPS_MAX};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::stop::Stop;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Invocations of a workgroup, as in the shader.
const GROUP: u32 = 64;
/// Target time of a dispatch; twice that time is acceptable. The limit on steps: the software driver ends an
/// invocation, silently, after 65,535 iterations.
const PACE: DispatchPace =
    DispatchPace { target: Duration::from_millis(25), size_max: 60_000, growth: 2, shrinkage: 4 };
/// Steps of the first dispatch whose time is measured.
const STEPS_FIRST: u32 = 16;
/// Columns beside the board, left and right together, as in the shader.
const MARGINS: u32 = 8;
/// Bytes of the boards of all lanes, at most.
const MEMORY_MAX: u64 = 1 << 29;
/// Lanes on any device, at most.
const LANES_MAX: u32 = 1 << 20;
/// Lanes at first, on a GPU and on other devices.
const LANES_FIRST: [u32; 2] = [1 << 16, 1 << 10];
/// The lanes double again if the last doubling made the knights at least this many times as fast.
const SPEED_UP_MIN: f64 = 1.15;
/// A run that takes longer has enough lanes.
const RUN_TIME_MAX: Duration = Duration::from_secs(1);
/// The shader adds this to the visits of a knight that cannot move any more.
const ENDED: u32 = 1 << 31;

/// The shader's `Input`, field by field.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct ShaderInput {
    rows: u32,
    cols: u32,
    stride: u32,
    lanes: u32,
    knights: u32,
    order: u32,
    start: u32,
    budget: u32,
    fresh: u32,
}

/// A device that moves the knights of a batch.
pub struct MapDevice {
    batch: Batch,
    pub(super) device: Device,
    kernel: wgpu::ComputePipeline,
    input: wgpu::Buffer,
    orders: wgpu::Buffer,
    lanes: KnightBuffers,
    /// The largest number of lanes that the device may hold.
    lanes_max: u32,
    /// Steps of the next dispatch; 0 before the first dispatch, which compiles the shader.
    pub(super) budget: u32,
    /// Steps of any dispatch, at most.
    pub(super) budget_max: u32,
    /// Knights a second of the run before the last doubling of the lanes.
    best_rate: f64,
}

/// The buffers of `count` lanes.
struct KnightBuffers {
    count: u32,
    visits: wgpu::Buffer,
    bound: wgpu::BindGroup,
}

impl MapDevice {
    /// Prepares a device for a batch.
    ///
    /// # Errors
    /// [`GpuError`] when the device refuses the shader or the buffers.
    pub fn new(batch: Batch, device: Device) -> Result<MapDevice, GpuError> {
        let limits = device.limits();
        let bytes = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size).min(MEMORY_MAX);
        let lanes_max = (bytes / (4 * u64::from(board_words(batch)))).clamp(1, LANES_MAX.into()) as u32;
        let first = LANES_FIRST[usize::from(!device.label().kind.is_hardware())].min(lanes_max);
        let kernel = device.compile("map", include_str!("map.wgsl"))?;
        let input = device.buffer("question", size_of::<ShaderInput>() as u64)?;
        let places: Vec<u32> = (0..batch.orders()).map(|n| order_places(Compass::nth(n))).collect();
        let orders = device.buffer_with("orders", &places)?;
        let lanes = KnightBuffers::new(&device, &kernel, batch, [&input, &orders], first)?;
        let (budget, budget_max, best_rate) = (0, PACE.size_max, 0.0);
        Ok(MapDevice { batch, device, kernel, input, orders, lanes, lanes_max, budget, budget_max, best_rate })
    }

    /// Dispatches the shader once. Returns the visits of the knights if `read` is set, else nothing.
    fn dispatch(&mut self, input: ShaderInput, read: bool) -> Result<(Vec<u32>, DeviceCost), GpuError> {
        self.device.write(&self.input, &[input])?;
        let groups = input.knights.div_ceil(GROUP);
        let work = Dispatch { kernel: &self.kernel, bound: &self.lanes.bound, groups: [groups, 1, 1] };
        let bytes = 4 * u64::from(input.knights);
        let reads = [(&self.lanes.visits, bytes)];
        let (read, spent) = self.device.run([work], &reads[..usize::from(read)])?;
        Ok((read.first().map_or_else(Vec::new, |bytes| bytemuck::pod_collect_to_vec(bytes)), spent))
    }

    /// Adapts the number of steps to the time that the last dispatch took.
    fn adapt_steps(&mut self, steps: u32, spent: &DeviceCost) {
        if self.budget == 0 {
            self.budget = STEPS_FIRST.min(self.budget_max);
            return;
        }
        let took = spent.device.unwrap_or(spent.wall);
        self.budget = PACE.next(self.budget, steps, took).min(self.budget_max);
    }

    /// Doubles the lanes if the run used all of them, was short, and was clearly faster than before the last
    /// doubling.
    fn grow(&mut self, knights: u32, took: Duration) {
        let rate = f64::from(knights) / took.as_secs_f64().max(1e-9);
        let twice = 2 * self.lanes.count;
        if knights < self.lanes.count
            || twice > self.lanes_max
            || took > RUN_TIME_MAX
            || rate < SPEED_UP_MIN * self.best_rate
        {
            return;
        }
        self.best_rate = rate;
        self.resize(twice);
    }

    /// Allocates buffers for `count` lanes. If the device cannot hold them, the present lanes stay, and become the
    /// maximum. If the device is lost, its next run reports that.
    pub(super) fn resize(&mut self, count: u32) {
        match KnightBuffers::new(&self.device, &self.kernel, self.batch, [&self.input, &self.orders], count) {
            Ok(lanes) => {
                self.lanes = lanes;
                self.budget = (self.budget / 2).max(1);
            }
            Err(_) => self.lanes_max = self.lanes.count,
        }
    }
}

impl MapEngine for MapDevice {
    fn label(&self) -> &DeviceLabel {
        self.device.label()
    }

    fn knights_per_run(&self) -> u64 {
        self.lanes.count.into()
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        let began = Instant::now();
        let board = self.batch.board();
        let (order, start) = self.batch.knight(knights.start);
        let knights = (knights.end - knights.start) as u32;
        let (rows, cols, stride, lanes) = (board.rows(), board.cols(), row_words(self.batch), self.lanes.count);
        // The most steps of a knight: one for each word to fill, one for each square after the start, and one to find
        // no move.
        let mut steps = board_words(self.batch) + board.squares();
        let mut fresh = 1;
        loop {
            if stop.is_asked() {
                return Ok(None);
            }
            let budget = self.budget.max(1);
            let input = ShaderInput { rows, cols, stride, lanes, knights, order, start, budget, fresh };
            let (mut visits, spent) = self.dispatch(input, steps <= budget)?;
            self.adapt_steps(budget.min(steps), &spent);
            if steps > budget {
                steps -= budget;
                fresh = 0;
                continue;
            }
            if visits.iter().any(|&visits| visits < ENDED) {
                return Err(GpuError::Invalid(format!("{} has not finished every knight", self.label())));
            }
            visits.iter_mut().for_each(|visits| *visits -= ENDED);
            self.grow(knights, began.elapsed());
            return Ok(Some(visits));
        }
    }
}

impl KnightBuffers {
    fn new(
        device: &Device,
        kernel: &wgpu::ComputePipeline,
        batch: Batch,
        [input, orders]: [&wgpu::Buffer; 2],
        count: u32,
    ) -> Result<KnightBuffers, GpuError> {
        let bytes = 4 * u64::from(count);
        let open = device.buffer("boards", bytes * u64::from(board_words(batch)))?;
        let [visits, places] = [device.buffer("visits", bytes)?, device.buffer("squares", bytes)?];
        let bound = device.bind(kernel, &[input, orders, &open, &visits, &places])?;
        Ok(KnightBuffers { count, visits, bound })
    }
}

const _: () = assert!(LANES_MAX / GROUP <= GROUPS_MAX, "the knights fit into one dimension of a dispatch");

/// Words of a row of a board.
fn row_words(batch: Batch) -> u32 {
    (batch.board().cols() + MARGINS).div_ceil(u32::BITS)
}

fn board_words(batch: Batch) -> u32 {
    batch.board().rows() * row_words(batch)
}

/// An order for the shader: in the four bits of each move, its place in the order.
fn order_places(compass: Compass) -> u32 {
    (0..).zip(compass.moves()).fold(0, |places, (place, k)| places | place << (4 * k))
}
