//! The state and the control of the device that computes the cycles of the three-cycle board. A [`Pilot`] takes the
//! reports of the device and gives it [`CycleCommand`]s; its caller passes both on.

use crate::board::{Board, Square};
use crate::gpu::cycle::{CYCLES_PER_MOVE, CycleCommand, CycleReport, CycleState, Film, first_burst};
use crate::gpu::{DeviceCost, DeviceKind, DeviceLabel, DispatchPace, DoneBy, GpuError};
use crate::words::grouped;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Squares of the largest board that is compared after every batch; a comparison takes less than a thousandth of a
/// second.
const COMPARED_MAX: usize = 1 << 14;
/// Batch time between two comparisons of a larger board.
const COMPARE_EVERY: Duration = Duration::from_secs(1);
/// Longest time for a batch: less than a frame.
const PACE: DispatchPace =
    DispatchPace { target: Duration::from_millis(40), size_max: 1 << 14, growth: 4, shrinkage: u32::MAX };
/// Most cycles in the first batch.
const BATCH_FIRST: u32 = 4 * CYCLES_PER_MOVE;

/// The state of the device.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceState {
    /// The device is being opened.
    #[default]
    Opening,
    /// The device waits for an order.
    Ready,
    /// The device carries out an order.
    Busy,
    /// The device is not available, or has failed.
    Failed(GpuError),
}

/// The result of the last comparison of the device's board with the film. A small board is compared each time it is
/// read back, a large one once per second of batch time and at the end of the run.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilmVerdict {
    /// Nothing has been read back yet.
    #[default]
    Unknown,
    /// Every square is equal.
    Equal { cycle: u32 },
    /// Some squares differ, which is a fault.
    Differs {
        cycle: u32,
        /// How many squares differ.
        squares: usize,
        first: u32,
    },
}

/// What is known of the device.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// State of the device.
    #[serde(rename = "stand")]
    pub state: DeviceState,
    /// The device that does the work.
    pub label: Option<DeviceLabel>,
    /// Why the CPU twin does the work, if a device was requested.
    pub instead: Option<GpuError>,
    /// The cycle of the device's board.
    pub at: u32,
    /// The cycle to restart from, if the user has gone back.
    pub reload: Option<u32>,
    /// The last batch: its cycles and its cost.
    pub batch: Option<(u32, DeviceCost)>,
    /// Cost of all batches.
    pub total: DeviceCost,
    /// The comparison of its board with the film.
    pub verdict: FilmVerdict,
    /// Cycles per batch.
    pub pace: u32,
}

impl Machine {
    /// A device that is being opened, for a run on this board.
    pub fn opening(board: Board) -> Machine {
        Machine { pace: first_burst(board).min(BATCH_FIRST), ..Machine::default() }
    }

    /// Whether a report of the device is expected.
    pub fn is_awaited(&self) -> bool {
        matches!(self.state, DeviceState::Opening | DeviceState::Busy)
    }

    /// Whether the device has failed.
    pub fn is_gone(&self) -> bool {
        matches!(self.state, DeviceState::Failed(_))
    }

    /// The device that computed the run shown by the film, if it has reached the end; otherwise the CPU, which computes
    /// the film, and why.
    ///
    /// # Errors
    /// A sentence, when the board of the device differs from the film.
    pub fn done_by(&self, film: &Film) -> Result<DoneBy, String> {
        let board = film.first().board();
        let name = self.label.as_ref().map_or_else(|| "the device".to_owned(), DeviceLabel::to_string);
        if let FilmVerdict::Differs { cycle, squares, first } = self.verdict {
            let (cycle, squares) = (grouped(cycle), grouped(squares as u64));
            let first = board.at(first).map_or_else(String::new, |square| board.name(square));
            return Err(format!(
                "the board of {name} is not the one that is computed move by move, in cycle {cycle}; squares that \
                 differ: {squares}, the first {first}"
            ));
        }
        let arrived =
            matches!(self.verdict, FilmVerdict::Equal { cycle } if film.end().is_some_and(|end| cycle >= end));
        let instead = match (&self.state, &self.label) {
            (_, Some(label)) if arrived || label.kind == DeviceKind::Cpu => {
                return Ok(DoneBy { label: label.clone(), instead: self.instead.clone() });
            }
            (DeviceState::Failed(why), _) => why.clone(),
            (_, None) => GpuError::Refused("the device was still being opened when the view was left".to_owned()),
            (_, Some(_)) => {
                let (at, end) = (grouped(self.at), grouped(film.last_known()));
                GpuError::Refused(format!("{name} had got to cycle {at} of {end} when the view was left"))
            }
        };
        Ok(DoneBy { label: DeviceLabel::cpu(), instead: Some(instead) })
    }
}

/// Controls a device: orders batches up to the requested cycle, and compares the board that it reads back with the
/// film.
pub struct Pilot {
    film: Film,
    machine: Machine,
    /// The cycle to reach.
    goal: u32,
    /// Batch time since the last comparison; `None` before the first.
    since: Option<Duration>,
}

impl Pilot {
    /// Controls a device that is being opened, with this board before its first cycle.
    pub fn new(first: CycleState) -> Pilot {
        let machine = Machine::opening(first.board());
        Pilot { film: Film::of(first), machine, goal: 0, since: None }
    }

    /// The state of the device.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Sets the cycle to reach, and the cycle to go back to first, if any.
    pub fn reach(&mut self, from: Option<u32>, to: u32) {
        self.goal = to;
        if from.is_some() {
            self.machine.reload = from;
        }
    }

    /// The next order; `None` while the device is not ready, or has reached the cycle.
    pub fn order(&mut self) -> Option<CycleCommand> {
        let machine = &mut self.machine;
        if machine.state != DeviceState::Ready {
            return None;
        }
        let order = match machine.reload.take() {
            Some(cycle) => {
                while !self.film.look_ahead(cycle) {}
                machine.at = cycle;
                CycleCommand::Load(self.film.state(cycle))
            }
            None => {
                CycleCommand::Run(self.goal.checked_sub(machine.at).filter(|&cycles| cycles > 0)?.min(machine.pace))
            }
        };
        machine.state = DeviceState::Busy;
        Some(order)
    }

    /// Takes a report of the device.
    pub fn take(&mut self, report: CycleReport) {
        let machine = &mut self.machine;
        match report {
            CycleReport::DoneBy(DoneBy { label, instead }) => {
                (machine.label, machine.instead) = (Some(label), instead);
                if machine.state == DeviceState::Opening {
                    machine.state = DeviceState::Ready;
                }
            }
            CycleReport::Loaded => machine.state = DeviceState::Ready,
            CycleReport::Ran { state, spent } => {
                let cycles = state.cycles().saturating_sub(machine.at);
                machine.state = DeviceState::Ready;
                machine.at = state.cycles();
                machine.batch = Some((cycles, spent));
                machine.total.add(&spent);
                machine.pace = PACE.next(machine.pace, cycles, spent.wall);
                self.compare(&state, spent.wall);
            }
            CycleReport::Failed(why) => machine.state = DeviceState::Failed(why),
        }
    }

    /// Compares the board with the film, if a comparison is due.
    fn compare(&mut self, state: &CycleState, wall: Duration) {
        let cycle = state.cycles();
        while !self.film.look_ahead(cycle) {}
        let film = &self.film;
        let since = self.since.map_or(COMPARE_EVERY, |since| since + wall);
        let last = film.end().is_some_and(|end| cycle >= end);
        self.since = Some(since);
        if state.cells().len() > COMPARED_MAX && since < COMPARE_EVERY && !last {
            return;
        }
        self.since = Some(Duration::ZERO);
        let differs = |&square: &Square| film.cell(cycle, square) != state.cells()[square.index() as usize];
        let mut different = state.board().all().filter(differs);
        self.machine.verdict = match different.next() {
            None => FilmVerdict::Equal { cycle },
            Some(first) => FilmVerdict::Differs { cycle, squares: 1 + different.count(), first: first.index() },
        };
    }
}
