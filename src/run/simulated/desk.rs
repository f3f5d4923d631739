//! What a simulation and those who look at it share: the scene, and the papers on their desk.

use crate::board::Board;
use crate::lock::LockAlways as _;
use crate::run::frame::Frame;
use crate::search::{HandOver, Kernel};
use crate::simulate::SimulationPlan;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// What is simulated, and of what.
pub struct SimulatedScene {
    /// How the work is shared, among how many, at what costs.
    pub plan: SimulationPlan,
    /// The search.
    pub kernel: Box<dyn Kernel>,
    /// Its board.
    pub board: Board,
    /// By which rule branches are handed over at first.
    pub hand_over: HandOver,
}

/// What passes between the simulation and whoever looks.
#[derive(Default)]
pub(super) struct SimulationDesk {
    pub(super) papers: Mutex<SimulationPapers>,
    pub(super) bell: Condvar,
}

#[derive(Default)]
pub(super) struct SimulationPapers {
    /// What has not been looked at.
    pub(super) frame: Option<Frame>,
    /// The moment of the last frame.
    pub(super) last: Duration,
    pub(super) selected: usize,
    pub(super) paused: bool,
    pub(super) pace: Option<u32>,
    /// Steps that were asked for and have not been made.
    pub(super) steps: u32,
    pub(super) hand_over: Option<HandOver>,
    /// Whether something was asked for that is to be seen at once.
    pub(super) asked: bool,
}

impl SimulationDesk {
    pub(super) fn papers(&self) -> MutexGuard<'_, SimulationPapers> {
        self.papers.locked()
    }
}
