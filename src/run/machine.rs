//! The device that goes through the cycles of the three-cycle board: what is known of it, as plain data, and what it is
//! to do next. A [`Pilot`] takes in what it reports and gives it [`DeviceOrder`]s; who carries them out is not said here.

use crate::board::{Board, Square};
use crate::gpu::cycle::{CYCLES_PER_MOVE, CycleReport, CycleState, Film, first_burst};
use crate::gpu::{DeviceCost, DeviceKind, DeviceLabel, DispatchPace, GpuError};
use crate::solve::DoneBy;
use crate::words::grouped;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Squares of the largest board that is compared after every batch; that takes less than a thousandth of a second.
const COMPARED_MAX: usize = 1 << 14;
/// What batches take until a larger board is compared again.
const COMPARE_EVERY: Duration = Duration::from_secs(1);
/// How long a batch is to take at most: less than a frame.
const PACE: DispatchPace =
    DispatchPace { target: Duration::from_millis(40), size_max: 1 << 14, growth: 4, shrinkage: u32::MAX };
/// Cycles of the first batch at most.
const BATCH_FIRST: u32 = 4 * CYCLES_PER_MOVE;

/// Whether the device is there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stand {
    /// It is being opened.
    Opening,
    /// It is there.
    Ready,
    /// It does an order.
    Busy,
    /// It cannot be had, or failed.
    Failed(GpuError),
}

/// How the board that was last compared is beside the film: the one that was last read back, or, where it is large, one
/// that was read back within the last second of batches; the last of the run in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilmVerdict {
    /// Nothing has been read back yet.
    Unknown,
    /// It is the same in every square.
    Equal {
        /// The cycle.
        cycle: u32,
    },
    /// It is not, which must not be.
    Differs {
        /// The cycle.
        cycle: u32,
        /// How many squares differ.
        squares: usize,
        /// The number of the first of them.
        first: u32,
    },
}

/// The device, as far as it is known.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// Whether it is there.
    pub stand: Stand,
    /// What does the work.
    pub label: Option<DeviceLabel>,
    /// Why it is the twin, if a device was wanted.
    pub instead: Option<GpuError>,
    /// The cycle that its board is at.
    pub at: u32,
    /// The cycle from which it is to go on, because the user has gone back.
    pub reload: Option<u32>,
    /// The last batch: cycles, and what they took.
    pub batch: Option<(u32, DeviceCost)>,
    /// What all batches took.
    pub total: DeviceCost,
    /// How its board compares with the film.
    pub verdict: FilmVerdict,
    /// Cycles that it does between two frames.
    pub pace: u32,
}

impl Machine {
    /// A device that is being opened, for a run on this board.
    pub fn opening(board: Board) -> Machine {
        Machine {
            stand: Stand::Opening,
            label: None,
            instead: None,
            at: 0,
            reload: None,
            batch: None,
            total: DeviceCost::default(),
            verdict: FilmVerdict::Unknown,
            pace: first_burst(board).min(BATCH_FIRST),
        }
    }

    /// Whether it has something to say sooner or later.
    pub fn is_awaited(&self) -> bool {
        matches!(self.stand, Stand::Opening | Stand::Busy)
    }

    /// Whether it has failed.
    pub fn is_gone(&self) -> bool {
        matches!(self.stand, Stand::Failed(_))
    }

    /// Who did the run that the film shows to its end: the device, if it has got there too; or else the film, which is
    /// worked out by the CPU, and why.
    ///
    /// # Errors
    /// A sentence when the board of the device is not that of the film.
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
        let instead = match (&self.stand, &self.label) {
            (_, Some(label)) if arrived || label.kind == DeviceKind::Cpu => {
                return Ok(DoneBy { label: label.clone(), instead: self.instead.clone() });
            }
            (Stand::Failed(why), _) => why.clone(),
            (_, None) => GpuError::Refused("the device was still being opened when the view was left".to_owned()),
            (_, Some(_)) => {
                let (at, end) = (grouped(self.at), grouped(film.last_known()));
                GpuError::Refused(format!("{name} had got to cycle {at} of {end} when the view was left"))
            }
        };
        Ok(DoneBy { label: DeviceLabel::cpu(), instead: Some(instead) })
    }
}

/// Something for the device to do.
#[derive(Clone, PartialEq, Debug)]
pub enum DeviceOrder {
    /// Go on from this board.
    Load(CycleState),
    /// Do so many cycles.
    Run(u32),
}

/// Leads a device through the cycles that are wished for, in batches, and compares what it reads back with the film.
pub struct Pilot {
    film: Film,
    machine: Machine,
    /// The cycle that the device is to get to.
    goal: u32,
    /// What the batches took since its board was compared; nothing before the first.
    since: Option<Duration>,
}

impl Pilot {
    /// Of a device that is being opened, with this board before its first cycle.
    pub fn new(first: CycleState) -> Pilot {
        let machine = Machine::opening(first.board());
        Pilot { film: Film::of(first), machine, goal: 0, since: None }
    }

    /// What is known of the device.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// From now on the device is to get to cycle `to`, after it has gone back to cycle `from`, if to any.
    pub fn reach(&mut self, from: Option<u32>, to: u32) {
        self.goal = to;
        if from.is_some() {
            self.machine.reload = from;
        }
    }

    /// What it is to do; nothing while it is not ready, or has got there, or beyond.
    pub fn order(&mut self) -> Option<DeviceOrder> {
        let machine = &mut self.machine;
        if machine.stand != Stand::Ready {
            return None;
        }
        let order = match machine.reload.take() {
            Some(cycle) => {
                while !self.film.look_ahead(cycle) {}
                machine.at = cycle;
                DeviceOrder::Load(self.film.state(cycle))
            }
            None => DeviceOrder::Run(self.goal.checked_sub(machine.at).filter(|&cycles| cycles > 0)?.min(machine.pace)),
        };
        machine.stand = Stand::Busy;
        Some(order)
    }

    /// Takes in what it has to say.
    pub fn take(&mut self, report: CycleReport) {
        let machine = &mut self.machine;
        match report {
            CycleReport::Opened { label, fallback_reason: instead } => {
                machine.label = Some(label);
                machine.instead = instead;
                machine.stand = Stand::Ready;
            }
            CycleReport::Loaded => machine.stand = Stand::Ready,
            CycleReport::Ran { state, spent } => {
                let cycles = state.cycles().saturating_sub(machine.at);
                machine.stand = Stand::Ready;
                machine.at = state.cycles();
                machine.batch = Some((cycles, spent));
                machine.total.add(&spent);
                machine.pace = PACE.next(machine.pace, cycles, spent.wall);
                self.compare(&state, spent.wall);
            }
            CycleReport::Fallback { label, why } => {
                machine.label = Some(label);
                machine.instead = Some(why);
            }
            CycleReport::Failed(why) => machine.stand = Stand::Failed(why),
        }
    }

    /// Compares the board with the film, if it is time to.
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
