//! The state that a simulation shares with its viewer.

use crate::board::Board;
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::search::{HandOver, Kernel};
use crate::simulate::SimulationPlan;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What is simulated.
pub struct SimulatedScene {
    /// The sharing, the number of workers, and the costs.
    pub plan: SimulationPlan,
    /// The search.
    pub kernel: Box<dyn Kernel>,
    /// Its board.
    pub board: Board,
    /// The first rule for handing over branches.
    pub hand_over: HandOver,
}

/// The shared state and its signal.
#[derive(Default)]
pub(super) struct SimulationDesk {
    pub(super) papers: Mutex<SimulationPapers>,
    pub(super) bell: Condvar,
}

#[derive(Default)]
pub(super) struct SimulationPapers {
    /// The frame that no look has taken.
    pub(super) frame: Option<Frame>,
    /// The time of the last frame.
    pub(super) last: Duration,
    pub(super) selected: usize,
    pub(super) paused: bool,
    pub(super) pace: Option<u32>,
    /// Steps requested and not made.
    pub(super) steps: u32,
    pub(super) hand_over: Option<HandOver>,
    /// Whether a wish is to be shown at once.
    pub(super) asked: bool,
}

impl SimulationDesk {
    pub(super) fn papers(&self) -> MutexGuard<'_, SimulationPapers> {
        self.papers.locked()
    }
}
