//! Runs the three-cycle board on a device, or by its twin on the CPU.

#[cfg(feature = "gpu")]
use super::shader::CycleShader;
use super::state::{CYCLES_PER_MOVE, CycleState};
use crate::board::Board;
use crate::gpu::cost::{DeviceCost, DispatchPace};
use crate::gpu::label::{DeviceChoice, DoneBy, GpuError};
use crate::gpu::place::DevicePlace;
use std::time::{Duration, Instant};

/// Target time of a burst. A burst has at most 3000 cycles: each dispatch takes about a kilobyte until the burst is
/// done.
const PACE: DispatchPace = DispatchPace {
    target: Duration::from_millis(50),
    size_max: 1000 * CYCLES_PER_MOVE,
    growth: 4,
    shrinkage: u32::MAX,
};
/// Cycles of the first burst, at most: it takes longest, because the driver compiles the shader.
const FIRST_BURST_MAX: u32 = 16 * CYCLES_PER_MOVE;
/// Squares computed in the first burst, at most: the slowest device does that well within a second.
const FIRST_BURST_SQUARES: u32 = 1 << 20;

/// Cycles of the first burst, when no time is known yet: the larger the board, the fewer.
pub fn first_burst(board: Board) -> u32 {
    (FIRST_BURST_SQUARES / board.squares()).clamp(1, FIRST_BURST_MAX)
}

/// Runs the cycles of one board after the other.
///
/// The engine keeps the board as last read back. If the device is lost, the twin continues from that board, and the
/// label names the twin from then on. An engine belongs to the thread that opened it.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::{Compass, DeviceChoice};
/// # use destrier::gpu::cycle::{CycleEngine, CycleState, KnightStatus};
/// let board: Board = "8x8".parse().unwrap();
/// let state = CycleState::new(board, board.parse_square("e6").unwrap(), Compass::SOURCE).unwrap();
/// let mut engine = CycleEngine::open(&DeviceChoice::Cpu, state).unwrap();
/// while engine.state().cycles() < engine.state().cycles_max() {
///     let left = engine.state().cycles_max() - engine.state().cycles();
///     engine.run(left).unwrap();
/// }
/// assert_eq!((engine.state().cycles(), engine.state().status()), (192, KnightStatus::Complete));
/// ```
pub struct CycleEngine {
    worker: CycleWorker,
    done_by: DoneBy,
    state: CycleState,
    /// Cycles of a burst that takes about the target time.
    burst: u32,
}

enum CycleWorker {
    Twin,
    /// A device; and whether the twin may replace it if it refuses a board.
    #[cfg(feature = "gpu")]
    Shader(Box<CycleShader>, bool),
}

impl CycleEngine {
    /// Opens the chosen device and loads the board. This may take seconds.
    ///
    /// # Errors
    /// [`GpuError`] when the choice names a device or software, and that is missing or refuses the board.
    pub fn open(choice: &DeviceChoice, state: CycleState) -> Result<CycleEngine, GpuError> {
        let (worker, done_by) = DevicePlace::open(choice)?.prepare(choice, |place| {
            let done_by = place.done_by();
            let worker = match place {
                DevicePlace::Cpu(_) => CycleWorker::Twin,
                #[cfg(feature = "gpu")]
                DevicePlace::Device(device) => {
                    CycleWorker::Shader(Box::new(CycleShader::new(device, &state)?), choice.allows_cpu())
                }
            };
            Ok((worker, done_by))
        })?;
        Ok(CycleEngine { worker, done_by, burst: first_burst(state.board()), state })
    }

    /// What runs the cycles now.
    pub fn done_by(&self) -> &DoneBy {
        &self.done_by
    }

    /// The board as last read back.
    pub fn state(&self) -> &CycleState {
        &self.state
    }

    /// Replaces the board, by one of any size.
    ///
    /// # Errors
    /// [`GpuError`] when the choice names a device or software, and that refuses the board.
    pub fn load(&mut self, state: CycleState) -> Result<(), GpuError> {
        if state.board() != self.state.board() {
            self.burst = first_burst(state.board());
        }
        self.state = state;
        #[cfg(feature = "gpu")]
        if let CycleWorker::Shader(shader, _) = &mut self.worker
            && let Err(why) = shader.load(&self.state)
        {
            return self.fall_back(why);
        }
        Ok(())
    }

    /// Runs the next cycles in a burst of about 50 ms: at least one cycle, at most `cycles`. On a device a burst is
    /// one submit and one readback. The [`state`](CycleEngine::state) says how many cycles ran.
    ///
    /// A cycle after the end of a tour, or after the knight is stuck, changes nothing but the knight's counter.
    ///
    /// # Errors
    /// [`GpuError`] when the device fails and the twin may not replace it.
    ///
    /// # Panics
    /// When `cycles` is 0.
    pub fn run(&mut self, cycles: u32) -> Result<DeviceCost, GpuError> {
        assert!(cycles > 0, "a burst has at least one cycle");
        let cycles = cycles.min(self.burst);
        let before = self.state.cycles();
        let spent = match &mut self.worker {
            CycleWorker::Twin => self.run_twin(cycles),
            #[cfg(feature = "gpu")]
            CycleWorker::Shader(shader, _) => match shader.run(cycles) {
                Ok((cells, spent)) => {
                    self.state = self.state.after(before + cycles, cells);
                    spent
                }
                Err(why) => {
                    self.fall_back(why)?;
                    self.run_twin(cycles)
                }
            },
        };
        // The twin may have run fewer cycles.
        self.adapt(self.state.cycles() - before, spent.wall);
        Ok(spent)
    }

    /// Loads a board and runs all its cycles. Returns what they cost.
    ///
    /// # Errors
    /// As [`CycleEngine::load`] and [`CycleEngine::run`].
    pub fn run_whole(&mut self, state: CycleState) -> Result<DeviceCost, GpuError> {
        self.load(state)?;
        let mut spent = DeviceCost::default();
        while self.state.cycles() < self.state.cycles_max() {
            spent.add(&self.run(self.state.cycles_max() - self.state.cycles())?);
        }
        Ok(spent)
    }

    fn run_twin(&mut self, cycles: u32) -> DeviceCost {
        let began = Instant::now();
        for _ in 0..cycles {
            self.state.cycle();
            if began.elapsed() >= PACE.target {
                break;
            }
        }
        DeviceCost { wall: began.elapsed(), ..DeviceCost::default() }
    }

    /// Adapts the size of the next burst to the time that the last one took.
    fn adapt(&mut self, cycles: u32, wall: Duration) {
        self.burst = PACE.next(self.burst, cycles, wall);
    }

    /// Replaces the device by the twin if `why` allows that. The twin continues from the board as last read back.
    #[cfg(feature = "gpu")]
    fn fall_back(&mut self, why: GpuError) -> Result<(), GpuError> {
        let may = match why {
            GpuError::Lost(_) => true,
            GpuError::Refused(_) => matches!(self.worker, CycleWorker::Shader(_, true)),
            _ => false,
        };
        if !may {
            return Err(why);
        }
        (self.worker, self.done_by) = (CycleWorker::Twin, DoneBy::twin(why));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
