//! The lanes on a device.

use super::lane::{DispatchOrders, DispatchReport, HEAD_WORDS, LaneEngine, LaneMemory};
use super::rules::{PREFIX_WORDS, Prefix, SubtreeRules};
use super::run::SubtreePlan;
use crate::gpu::device::{Device, Dispatch};
use crate::gpu::label::GpuError;
use bytemuck::pod_collect_to_vec;

/// Lanes in a workgroup, as in the shader.
const GROUP: u32 = 64;
/// Words of the shader's `Control`.
const CONTROL_WORDS: usize = 13 + 64;

/// The lanes on a device, and their buffers.
pub struct SubtreeShader {
    device: Device,
    kernel: wgpu::ComputePipeline,
    bound: wgpu::BindGroup,
    control: wgpu::Buffer,
    queue: wgpu::Buffer,
    heads: wgpu::Buffer,
    untried: wgpu::Buffer,
    path: wgpu::Buffer,
    tours: wgpu::Buffer,
    plan: SubtreePlan,
    squares: u32,
}

impl SubtreeShader {
    /// Lanes without a prefix, and room for `queue` prefixes.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed or cannot hold the lanes.
    pub fn new(device: Device, rules: &SubtreeRules, plan: SubtreePlan, queue: u32) -> Result<SubtreeShader, GpuError> {
        let kernel = device.compile("lanes", include_str!("lanes.wgsl"))?;
        let squares = rules.squares();
        let cells = u64::from(plan.lanes) * u64::from(squares + 1);
        let control = device.buffer("control", 4 * CONTROL_WORDS as u64)?;
        let near = device.buffer_with("the knight graph", &rules.near)?;
        let queue = device.buffer("the queue", 4 * PREFIX_WORDS as u64 * u64::from(queue))?;
        let heads = device.buffer("heads", 4 * HEAD_WORDS as u64 * u64::from(plan.lanes))?;
        let untried = device.buffer("untried steps", 8 * cells)?;
        let path = device.buffer("paths", 4 * cells)?;
        let tours = device.buffer("tours", 4 * u64::from(plan.tours_max) * u64::from(squares))?;
        let bound = device.bind(&kernel, &[&control, &near, &queue, &heads, &untried, &path, &tours])?;
        let mut shader =
            SubtreeShader { device, kernel, bound, control, queue, heads, untried, path, tours, plan, squares };
        // The first dispatch of a shader may compile it; this one is not measured.
        shader.advance(DispatchOrders { budget: 0, next: 0, end: 0 })?;
        Ok(shader)
    }
}

impl LaneEngine for SubtreeShader {
    fn load_queue(&mut self, queue: &[Prefix]) -> Result<(), GpuError> {
        let words: Vec<u32> = queue.iter().flat_map(Prefix::packed).collect();
        self.device.write(&self.queue, &words)
    }

    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError> {
        let DispatchOrders { budget, next, end } = orders;
        let SubtreePlan { lanes, tours_max, .. } = self.plan;
        let head = [budget, lanes, self.squares, tours_max, end, next, 0, 0, 0, 0, 0, 0];
        self.device.write(&self.control, &head)?;
        let groups = [lanes.div_ceil(GROUP), 1, 1];
        let dispatch = Dispatch { kernel: &self.kernel, bound: &self.bound, groups };
        let (read, spent) = self.device.run([dispatch], &[(&self.control, 4 * CONTROL_WORDS as u64)])?;
        let words: Vec<u32> = pod_collect_to_vec(&read[0]);
        let [next, live, nodes, tours, steps, most, found, depth] = std::array::from_fn(|k| words[5 + k]);
        let lane0_path = words[CONTROL_WORDS - 64..].iter().take(depth as usize).map(|&square| square as u8).collect();
        let tour_squares = self.read_tours(found.min(tours_max))?;
        let took = spent.device.unwrap_or(spent.wall);
        let (next, nodes, tours) = (next.min(end), nodes.into(), tours.into());
        Ok(DispatchReport { next, live, nodes, tours, steps: [steps, most], lane0_path, tour_squares, took })
    }

    fn memory(&mut self) -> Result<LaneMemory, GpuError> {
        let reads = [&self.heads, &self.untried, &self.path].map(|buffer| (buffer, buffer.size()));
        let (read, _) = self.device.run([], &reads)?;
        Ok(LaneMemory {
            heads: pod_collect_to_vec(&read[0]),
            untried: pod_collect_to_vec(&read[1]),
            path: pod_collect_to_vec(&read[2]),
        })
    }

    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError> {
        self.device.write(&self.untried, untried)
    }
}

impl SubtreeShader {
    /// Reads the first `tours` stored tours, one after the other.
    fn read_tours(&mut self, tours: u32) -> Result<Vec<u8>, GpuError> {
        if tours == 0 {
            return Ok(Vec::new());
        }
        let bytes = 4 * u64::from(tours) * u64::from(self.squares);
        let (read, _) = self.device.run([], &[(&self.tours, bytes)])?;
        Ok(pod_collect_to_vec::<u8, u32>(&read[0]).into_iter().map(|square| square as u8).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::gpu::DeviceChoice;

    #[test]
    fn lanes_of_a_lost_device_return_an_error() {
        let device = match Device::open(&DeviceChoice::Any) {
            Ok(device) => device,
            Err(why) => return crate::gpu::trial::skip(why),
        };
        let rules = SubtreeRules::new("5x6".parse().unwrap(), Ending::Closed, None).unwrap();
        let plan = SubtreePlan { lanes: 64, prefixes_per_lane: 1, splits: false, tours_max: 0 };
        let mut lanes = SubtreeShader::new(device, &rules, plan, 64).unwrap();
        let orders = DispatchOrders { budget: 10, next: 0, end: 1 };
        lanes.load_queue(&rules.roots()).unwrap();
        let first = lanes.advance(orders);
        assert_eq!(first.map(|report| report.live), Ok(1), "a corner has one pair of neighbours");
        lanes.device.lose();
        assert!(matches!(lanes.advance(orders), Err(GpuError::Lost(_))));
        assert!(matches!(lanes.memory(), Err(GpuError::Lost(_))));
    }
}
