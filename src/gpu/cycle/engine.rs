//! The three-cycle board on a device, or on its twin on the CPU: one engine, which says what it is.

#[cfg(feature = "gpu")]
use super::shader::CycleShader;
use super::state::{CYCLES_PER_MOVE, CycleState};
use crate::board::Board;
use crate::gpu::cost::{DeviceCost, DispatchPace};
use crate::gpu::label::{DeviceChoice, DeviceLabel, GpuError};
use crate::gpu::place::DevicePlace;
use std::time::{Duration, Instant};

/// How long a burst is to take; a dispatch of the longest takes about a kilobyte until it is done.
const PACE: DispatchPace =
    DispatchPace { wanted: Duration::from_millis(50), most: 1000 * CYCLES_PER_MOVE, growth: 4, shrinkage: u32::MAX };
/// Cycles of the first burst at most: that takes longest, for a driver compiles what it is to run.
const BURST_FIRST: u32 = 16 * CYCLES_PER_MOVE;
/// Times that a square is worked out in the first burst: what the slowest device does well within a second.
const WORK_FIRST: u32 = 1 << 20;

/// Cycles of a first burst, while nothing is known of how long one takes: the fewer, the larger the board.
pub fn burst_first(board: Board) -> u32 {
    (WORK_FIRST / board.squares()).clamp(1, BURST_FIRST)
}

/// Does the cycles of one board after the other.
///
/// It keeps the board as it was last read back. When the device goes away it carries on from there with the twin, and
/// its label says so from then on. It belongs to the thread that opened it.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::{Compass, Wanted};
/// # use destrier::gpu::cycle::{Engine, State, Status};
/// let board: Board = "8x8".parse().unwrap();
/// let state = State::new(board, board.parse_square("e6").unwrap(), Compass::SOURCE).unwrap();
/// let mut engine = Engine::open(&Wanted::Cpu, state).unwrap();
/// while engine.state().cycles() < engine.state().cycles_max() {
///     let left = engine.state().cycles_max() - engine.state().cycles();
///     engine.run(left).unwrap();
/// }
/// assert_eq!((engine.state().cycles(), engine.state().status()), (192, Status::Complete));
/// ```
pub struct CycleEngine {
    worker: CycleWorker,
    label: DeviceLabel,
    instead: Option<GpuError>,
    state: CycleState,
    /// Cycles that take about as long as a burst is to.
    pace: u32,
}

enum CycleWorker {
    Twin,
    /// A device; and whether the twin will do where it does not take a board.
    #[cfg(feature = "gpu")]
    Shader(Box<CycleShader>, bool),
}

impl CycleEngine {
    /// Opens what is wanted, and loads the board. This takes up to seconds.
    ///
    /// # Errors
    /// [`GpuError`] when a device was named, or software asked for, and it is not there or does not take the board.
    pub fn open(wanted: &DeviceChoice, state: CycleState) -> Result<CycleEngine, GpuError> {
        let (worker, instead) = DevicePlace::open(wanted)?.prepare(wanted, |place| match place {
            DevicePlace::Cpu(_) => Ok(CycleWorker::Twin),
            #[cfg(feature = "gpu")]
            DevicePlace::Device(device) => {
                Ok(CycleWorker::Shader(Box::new(CycleShader::new(device, &state)?), wanted.is_a_hope()))
            }
        })?;
        let label = match &worker {
            CycleWorker::Twin => DeviceLabel::cpu(),
            #[cfg(feature = "gpu")]
            CycleWorker::Shader(shader, _) => shader.label().clone(),
        };
        Ok(CycleEngine { worker, label, instead, pace: burst_first(state.board()), state })
    }

    /// What does the work now.
    pub fn label(&self) -> &DeviceLabel {
        &self.label
    }

    /// Why the twin does the work, if a device was wanted.
    pub fn instead(&self) -> Option<&GpuError> {
        self.instead.as_ref()
    }

    /// The board as it was last read back.
    pub fn state(&self) -> &CycleState {
        &self.state
    }

    /// Goes on from this board, of whatever size.
    ///
    /// # Errors
    /// [`GpuError`] when a device was named, or software asked for, and it does not take the board.
    pub fn load(&mut self, state: CycleState) -> Result<(), GpuError> {
        if state.board() != self.state.board() {
            self.pace = burst_first(state.board());
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

    /// Does the next cycles, at least one and at most so many, in a burst of about 50 ms: one submit and one readback
    /// on a device. How many it did is seen in the [`state`](CycleEngine::state).
    ///
    /// Cycles after the end of a tour, or of a knight that is stuck, change nothing but the knight's counter.
    ///
    /// # Errors
    /// [`GpuError`] when the device fails in a way other than to go away.
    ///
    /// # Panics
    /// When `cycles` is 0.
    pub fn run(&mut self, cycles: u32) -> Result<DeviceCost, GpuError> {
        assert!(cycles > 0, "a burst has at least one cycle");
        let cycles = cycles.min(self.pace);
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
        // The twin may have done fewer than it was to.
        self.adapt(self.state.cycles() - before, spent.wall);
        Ok(spent)
    }

    fn run_twin(&mut self, cycles: u32) -> DeviceCost {
        let began = Instant::now();
        for _ in 0..cycles {
            self.state.cycle();
            if began.elapsed() >= PACE.wanted {
                break;
            }
        }
        DeviceCost { wall: began.elapsed(), ..DeviceCost::default() }
    }

    /// Makes the next burst longer or shorter, as so many cycles took so long.
    fn adapt(&mut self, cycles: u32, wall: Duration) {
        self.pace = PACE.next(self.pace, cycles, wall);
    }

    /// Carries on with the twin, if it will do, from the board as it was last read back.
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
        (self.worker, self.label, self.instead) = (CycleWorker::Twin, DeviceLabel::cpu(), Some(why));
        Ok(())
    }

    /// Loses the device on purpose.
    #[cfg(all(test, feature = "gpu"))]
    pub(super) fn lose(&self) {
        if let CycleWorker::Shader(shader, _) = &self.worker {
            shader.lose();
        }
    }
}

#[cfg(test)]
mod tests;
