//! The three-cycle board on a device: two boards that take turns, as `cycle.wgsl` reads one and writes the other.

use super::state::{Cell, CycleState};
use crate::gpu::cost::DeviceCost;
use crate::gpu::device::{ComputeKernel, Device, Dispatch};
use crate::gpu::label::{DeviceLabel, GpuError};

/// Squares of a workgroup, as the shader says.
const GROUP: u32 = 64;
/// Workgroups in the first dimension of a dispatch; few, so that boards of a test have more than one row of them.
const GROUPS_ROW: u32 = 1024;

/// A device with a board on it.
pub(super) struct CycleShader {
    // Before the device, so that it is dropped before.
    boards: BoardPair,
    kernel: ComputeKernel,
    device: Device,
}

/// Two boards on a device, of which one is the present one.
struct BoardPair {
    cells: [wgpu::Buffer; 2],
    /// From the first to the second, and back.
    bound: [wgpu::BindGroup; 2],
    now: usize,
    squares: u32,
}

impl CycleShader {
    /// Puts a board on a device.
    pub(super) fn new(device: Device, state: &CycleState) -> Result<CycleShader, GpuError> {
        let kernel = device.kernel("cycle", include_str!("cycle.wgsl"))?;
        let boards = BoardPair::new(&device, &kernel, state)?;
        Ok(CycleShader { boards, kernel, device })
    }

    pub(super) fn label(&self) -> &DeviceLabel {
        self.device.label()
    }

    /// Puts another board there.
    pub(super) fn load(&mut self, state: &CycleState) -> Result<(), GpuError> {
        self.boards = BoardPair::new(&self.device, &self.kernel, state)?;
        Ok(())
    }

    /// Does so many cycles in one submit, and reads the board back.
    pub(super) fn run(&mut self, cycles: u32) -> Result<(Vec<Cell>, DeviceCost), GpuError> {
        let BoardPair { cells, bound, now, squares } = &mut self.boards;
        let groups = groups(*squares);
        let work = (0..cycles as usize).map(|k| Dispatch {
            kernel: &self.kernel,
            bound: &bound[(*now + k) % 2],
            groups: [groups[0], groups[1], 1],
        });
        let then = (*now + cycles as usize) % 2;
        let bytes = u64::from(*squares) * size_of::<Cell>() as u64;
        let (read, spent) = self.device.run(work, &[(&cells[then], bytes)])?;
        *now = then;
        Ok((read.iter().flat_map(|board| bytemuck::pod_collect_to_vec(board)).collect(), spent))
    }

    #[cfg(test)]
    pub(super) fn lose(&self) {
        self.device.lose();
    }
}

impl BoardPair {
    fn new(device: &Device, kernel: &ComputeKernel, state: &CycleState) -> Result<BoardPair, GpuError> {
        let board = state.board();
        let params = device.memory_of("params", &[board.cols(), board.rows(), state.compass().packed()])?;
        let first = device.memory_of("cells", state.cells())?;
        let second = device.memory("cells", first.size())?;
        let bound =
            [device.bind(kernel, &[&first, &second, &params])?, device.bind(kernel, &[&second, &first, &params])?];
        Ok(BoardPair { cells: [first, second], bound, now: 0, squares: board.squares() })
    }
}

/// Workgroups for so many squares, in two dimensions.
fn groups(squares: u32) -> [u32; 2] {
    let groups = squares.div_ceil(GROUP);
    [groups.min(GROUPS_ROW), groups.div_ceil(GROUPS_ROW)]
}
