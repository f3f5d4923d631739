//! The knights of a batch on a device, one for each invocation of `map.wgsl`.
//!
//! Two things are adapted to what is measured: the steps of a dispatch, by [`PACE`]; and the number of knights at a time,
//! which is doubled for as long as that makes them faster. Results are read once for all knights of a time.

use super::batch::{Batch, MapEngine};
use crate::gpu::compass::Compass;
use crate::gpu::cost::{DeviceCost, DispatchPace};
use crate::gpu::device::{ComputeKernel, Device, Dispatch, GROUPS_MAX};
use crate::gpu::label::{DeviceLabel, GpuError};
use crate::stop::Stop;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Invocations of a workgroup, as in the shader.
const GROUP: u32 = 64;
/// How long a dispatch is to take; twice that would still do. As to its steps: the software driver ends an invocation,
/// silently, after 65,535 iterations.
const PACE: DispatchPace = DispatchPace { wanted: Duration::from_millis(25), most: 60_000, growth: 2, shrinkage: 4 };
/// Steps of the first dispatch whose time is taken.
const STEPS_FIRST: u32 = 16;
/// Columns beside the board, as in the shader, on both sides together.
const MARGINS: u32 = 8;
/// Bytes that the boards of all knights take at most.
const MEMORY_MAX: u64 = 1 << 29;
/// Knights at a time on any device.
const LANES_MAX: u32 = 1 << 20;
/// Knights at a time to begin with, on a GPU and elsewhere.
const LANES_FIRST: [u32; 2] = [1 << 16, 1 << 10];
/// Twice as many knights must be so much faster to be tried.
const WORTH: f64 = 1.15;
/// Knights that take longer are enough at a time.
const LONG: Duration = Duration::from_secs(1);
/// What the shader adds to the visits of a knight that has come to its end.
const OVER: u32 = 1 << 31;

/// What the shader is asked, field by field.
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

/// A device that moves knights.
pub struct MapDevice {
    batch: Batch,
    device: Device,
    kernel: ComputeKernel,
    asked: wgpu::Buffer,
    orders: wgpu::Buffer,
    lanes: KnightBuffers,
    /// Knights that there may be room for.
    lanes_max: u32,
    /// Steps of the next dispatch; 0 before the first, which compiles the shader.
    budget: u32,
    /// Steps of any dispatch.
    budget_max: u32,
    /// Knights times squares a second, with the most of them at a time.
    best: f64,
}

/// Room for so many knights.
struct KnightBuffers {
    count: u32,
    visited: wgpu::Buffer,
    bound: wgpu::BindGroup,
}

impl MapDevice {
    /// Prepares a device for a batch.
    ///
    /// # Errors
    /// [`GpuError`] when the shader or the memory is refused.
    pub fn new(batch: Batch, device: Device) -> Result<MapDevice, GpuError> {
        let limits = device.limits();
        let bytes = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size).min(MEMORY_MAX);
        let lanes_max = (bytes / (4 * u64::from(words(batch)))).clamp(1, LANES_MAX.into()) as u32;
        let first = LANES_FIRST[usize::from(!device.label().kind.is_hardware())].min(lanes_max);
        let kernel = device.kernel("map", include_str!("map.wgsl"))?;
        let asked = device.memory("question", size_of::<ShaderInput>() as u64)?;
        let places: Vec<u32> = (0..batch.orders()).map(|n| places(Compass::nth(n))).collect();
        let orders = device.memory_of("orders", &places)?;
        let lanes = KnightBuffers::new(&device, &kernel, batch, [&asked, &orders], first)?;
        Ok(MapDevice {
            batch,
            device,
            kernel,
            asked,
            orders,
            lanes,
            lanes_max,
            budget: 0,
            budget_max: PACE.most,
            best: 0.0,
        })
    }

    /// Starts the shader once; answers what was read of the visits.
    fn dispatch(&mut self, asked: ShaderInput, read: bool) -> Result<(Vec<u32>, DeviceCost), GpuError> {
        self.device.write(&self.asked, &[asked])?;
        let groups = asked.knights.div_ceil(GROUP);
        let work = Dispatch { kernel: &self.kernel, bound: &self.lanes.bound, groups: [groups, 1, 1] };
        let bytes = 4 * u64::from(asked.knights);
        let wanted = [(&self.lanes.visited, bytes)];
        let (read, spent) = self.device.run([work], &wanted[..usize::from(read)])?;
        Ok((read.first().map_or_else(Vec::new, |bytes| bytemuck::pod_collect_to_vec(bytes)), spent))
    }

    /// From now on a dispatch has no more steps than this.
    #[cfg(test)]
    pub fn hold(&mut self, steps: u32) {
        (self.budget, self.budget_max) = (steps, steps);
    }

    /// Loses the device on purpose.
    #[cfg(test)]
    pub fn lose(&self) {
        self.device.lose();
    }

    /// Adapts the steps of a dispatch to what these have taken.
    fn pace(&mut self, steps: u32, spent: &DeviceCost) {
        if self.budget == 0 {
            self.budget = STEPS_FIRST.min(self.budget_max);
            return;
        }
        let took = spent.device.unwrap_or(spent.wall);
        self.budget = PACE.next(self.budget, steps, took).min(self.budget_max);
    }

    /// Makes room for twice as many if these were so many that it seems worth it.
    fn grow(&mut self, knights: u32, took: Duration) {
        let rate = f64::from(knights) / took.as_secs_f64().max(1e-9);
        let twice = 2 * self.lanes.count;
        if knights < self.lanes.count || twice > self.lanes_max || took > LONG || rate < WORTH * self.best {
            return;
        }
        self.best = rate;
        self.make_room(twice);
    }

    /// Makes room for so many, or for no more from now on: a device that cannot hold them goes on with those it has,
    /// and one that is lost says so again when it is next to run.
    pub(super) fn make_room(&mut self, count: u32) {
        match KnightBuffers::new(&self.device, &self.kernel, self.batch, [&self.asked, &self.orders], count) {
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

    fn at_once(&self) -> u64 {
        self.lanes.count.into()
    }

    fn run(&mut self, knights: Range<u64>, stop: &Stop) -> Result<Option<Vec<u32>>, GpuError> {
        let began = Instant::now();
        let board = self.batch.board();
        let (order, start) = self.batch.knight(knights.start);
        let knights = (knights.end - knights.start) as u32;
        let (rows, cols, stride, lanes) = (board.rows(), board.cols(), stride(self.batch), self.lanes.count);
        // Every word is filled, every square entered; that there is nowhere to go takes the step of the start.
        let mut left = words(self.batch) + board.squares();
        let mut fresh = 1;
        loop {
            if stop.is_asked() {
                return Ok(None);
            }
            let budget = self.budget.max(1);
            let asked = ShaderInput { rows, cols, stride, lanes, knights, order, start, budget, fresh };
            let (mut visits, spent) = self.dispatch(asked, left <= budget)?;
            self.pace(budget.min(left), &spent);
            if left > budget {
                left -= budget;
                fresh = 0;
                continue;
            }
            if visits.iter().any(|&visits| visits < OVER) {
                return Err(GpuError::Invalid(format!("{} has ended knights on their way", self.label())));
            }
            visits.iter_mut().for_each(|visits| *visits -= OVER);
            self.grow(knights, began.elapsed());
            return Ok(Some(visits));
        }
    }
}

impl KnightBuffers {
    fn new(
        device: &Device,
        kernel: &ComputeKernel,
        batch: Batch,
        [asked, orders]: [&wgpu::Buffer; 2],
        count: u32,
    ) -> Result<KnightBuffers, GpuError> {
        let bytes = 4 * u64::from(count);
        let open = device.memory("boards", bytes * u64::from(words(batch)))?;
        let [visited, places] = [device.memory("visits", bytes)?, device.memory("squares", bytes)?];
        let bound = device.bind(kernel, &[asked, orders, &open, &visited, &places])?;
        Ok(KnightBuffers { count, visited, bound })
    }
}

const _: () = assert!(LANES_MAX / GROUP <= GROUPS_MAX, "the knights fit into one dimension of a dispatch");

/// Words of a row.
fn stride(batch: Batch) -> u32 {
    (batch.board().cols() + MARGINS).div_ceil(u32::BITS)
}

/// Words of a board.
fn words(batch: Batch) -> u32 {
    batch.board().rows() * stride(batch)
}

/// In four bits a move, its place in the order.
fn places(compass: Compass) -> u32 {
    (0..).zip(compass.moves()).fold(0, |places, (place, k)| places | place << (4 * k))
}
