//! The three-cycle board on a device: two boards take turns, as `cycle.wgsl` reads one and writes the other.

use super::state::{Cell, CycleState};
use crate::gpu::cost::DeviceCost;
use crate::gpu::device::{Device, Dispatch};
use crate::gpu::label::GpuError;

/// Squares of a workgroup, as in the shader.
const GROUP: u32 = 64;
/// Workgroups in the first dimension of a dispatch; few, so that the boards of tests need several rows of workgroups.
const GROUPS_ROW: u32 = 1024;

/// A device with a board on it.
pub(super) struct CycleShader {
    // Declared before the device, so that it is dropped first.
    boards: BoardPair,
    kernel: wgpu::ComputePipeline,
    pub(super) device: Device,
}

/// Two boards on a device; `now` is the index of the present one.
struct BoardPair {
    cells: [wgpu::Buffer; 2],
    /// Bindings that read the first board and write the second, and the reverse.
    bound: [wgpu::BindGroup; 2],
    now: usize,
    squares: u32,
}

impl CycleShader {
    /// Loads a board into a device.
    pub(super) fn new(device: Device, state: &CycleState) -> Result<CycleShader, GpuError> {
        let kernel = device.compile("cycle", include_str!("cycle.wgsl"))?;
        let boards = BoardPair::new(&device, &kernel, state)?;
        Ok(CycleShader { boards, kernel, device })
    }

    /// Replaces the board.
    pub(super) fn load(&mut self, state: &CycleState) -> Result<(), GpuError> {
        self.boards = BoardPair::new(&self.device, &self.kernel, state)?;
        Ok(())
    }

    /// Runs cycles in one submit, and reads the board back.
    pub(super) fn run(&mut self, cycles: u32) -> Result<(Vec<Cell>, DeviceCost), GpuError> {
        let BoardPair { cells, bound, now, squares } = &mut self.boards;
        let groups = groups(*squares);
        let work =
            (0..cycles as usize).map(|k| Dispatch { kernel: &self.kernel, bound: &bound[(*now + k) % 2], groups });
        let then = (*now + cycles as usize) % 2;
        let bytes = u64::from(*squares) * size_of::<Cell>() as u64;
        let (read, spent) = self.device.run(work, &[(&cells[then], bytes)])?;
        *now = then;
        Ok((read.iter().flat_map(|board| bytemuck::pod_collect_to_vec(board)).collect(), spent))
    }
}

impl BoardPair {
    fn new(device: &Device, kernel: &wgpu::ComputePipeline, state: &CycleState) -> Result<BoardPair, GpuError> {
        let board = state.board();
        let params = device.buffer_with("params", &[board.cols(), board.rows(), state.compass().packed()])?;
        let first = device.buffer_with("cells", state.cells())?;
        let second = device.buffer("cells", first.size())?;
        let bound =
            [device.bind(kernel, &[&first, &second, &params])?, device.bind(kernel, &[&second, &first, &params])?];
        Ok(BoardPair { cells: [first, second], bound, now: 0, squares: board.squares() })
    }
}

/// Workgroups for a board, in two dimensions of three.
fn groups(squares: u32) -> [u32; 3] {
    let groups = squares.div_ceil(GROUP);
    [groups.min(GROUPS_ROW), groups.div_ceil(GROUPS_ROW), 1]
}
