//! The workers of a run at one moment, and how they are written to a file: as columns, one list for each figure.
//!
//! A column of similar numbers is short, and it differs little from one snapshot to the next.

use super::overhead::Overhead;
use super::sharing::SharingCounts;
use super::switches::ContextSwitches;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum WorkerState {
    /// Searches.
    #[default]
    Busy,
    /// Has no work and is attached to no other worker yet.
    Idle,
    /// Is attached to the helper list of a busy worker.
    Waiting,
    /// Is held by a pause.
    Paused,
    /// Is held by slow motion until its next node is due.
    Slowed,
    /// Has work, but the operating system has not let the thread run for a while.
    Descheduled,
    /// Has ended: the run is over for this worker.
    Done,
}

impl WorkerState {
    /// Every state, in the order of the numbers of the states.
    pub(in crate::schedule) const ALL: [WorkerState; 7] = [
        WorkerState::Busy,
        WorkerState::Idle,
        WorkerState::Waiting,
        WorkerState::Paused,
        WorkerState::Slowed,
        WorkerState::Descheduled,
        WorkerState::Done,
    ];

    /// Whether the worker has work of its own.
    pub fn has_work(self) -> bool {
        matches!(self, WorkerState::Busy | WorkerState::Paused | WorkerState::Slowed | WorkerState::Descheduled)
    }
}

/// One worker at one moment.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct WorkerSnapshot {
    pub state: WorkerState,
    /// Nodes entered.
    pub nodes: u64,
    pub tours: u64,
    /// Depth of the current node.
    pub depth: usize,
    /// Lowest level with an untried branch.
    pub level: Option<usize>,
    /// What the worker gave to others.
    pub sharing: SharingCounts,
    /// Attempts that the worker began; 0 in the search of a tree.
    pub attempts: u64,
    /// Time with work, descheduled time included.
    pub busy: Duration,
    /// Time without work.
    pub idle: Duration,
    /// CPU time used; published some twenty times a second.
    pub cpu: Duration,
    /// The parts of these times that went into something else than the search and waiting for work.
    pub overhead: Overhead,
    /// How often it lost its core, published once a second; `None` where the system does not tell.
    pub switches: Option<ContextSwitches>,
    /// The worker at which this one waits.
    pub boss: Option<usize>,
    /// Group of the core on which the worker was last seen. Cores of a group share a cache or a memory node. `None` on a
    /// machine with one group.
    pub group: Option<usize>,
}

/// A letter for each state, in the order of [`WorkerState::ALL`].
const LETTERS: &[u8; 7] = b"BIWPSDX";

/// The longest step that times are written in, in microseconds.
const STEP: u64 = 1000;

/// Most that a figure of all workers together may be where it is read: no run comes to it, and a few of them can be added.
const SUM_MAX: u64 = u64::MAX >> 3;

/// One figure of every worker; empty where all figures are 0.
type Column = Vec<u64>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkerColumns {
    state: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tours: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depth: Column,
    /// One more than the level; 0 for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    level: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hires: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    donations: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    attempts: Column,
    /// Unit of the times, in microseconds.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    step: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    busy: Column,
    /// Busy and idle time together: all workers have about this age, and it grows evenly.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    age: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cpu: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hand_over: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    write: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    write_cpu: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    save: Column,
    /// One more than the number of voluntary switches; 0 where no switches are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    voluntary: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    forced: Column,
    /// One more than the number of migrations; 0 where it is not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    migrations: Column,
    /// One more than the number of the worker waited at; 0 for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boss: Column,
    /// One more than the number of the group of cores; 0 for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    group: Column,
}

/// Step of these times, in microseconds: [`STEP`] if every time is a whole number of it, else 1. Times in steps are shorter
/// numbers than times in microseconds.
fn step_of(mut times: impl Iterator<Item = Duration>) -> u64 {
    if times.all(|time| (time.as_micros() as u64).is_multiple_of(STEP)) { STEP } else { 1 }
}

/// Step of a file that names none: one microsecond.
fn one() -> u64 {
    1
}

/// Whether a step is one microsecond, which a file leaves out.
fn is_one(step: &u64) -> bool {
    *step == 1
}

/// Writes the workers as columns.
pub fn serialize<S: Serializer>(workers: &[WorkerSnapshot], serializer: S) -> Result<S::Ok, S::Error> {
    let column = |figure: fn(&WorkerSnapshot) -> u64| {
        let column: Column = workers.iter().map(figure).collect();
        if column.iter().all(|&figure| figure == 0) { Column::new() } else { column }
    };
    let times = workers.iter().flat_map(|worker| {
        let Overhead { hand_over, write, write_cpu, save } = worker.overhead;
        [worker.busy, worker.idle, worker.cpu, hand_over, write, write_cpu, save]
    });
    let step = step_of(times);
    let time = |figure: fn(&WorkerSnapshot) -> Duration| {
        let column: Column = workers.iter().map(|worker| figure(worker).as_micros() as u64 / step).collect();
        if column.iter().all(|&figure| figure == 0) { Column::new() } else { column }
    };
    let letter = |worker: &WorkerSnapshot| char::from(LETTERS[worker.state as usize]);
    WorkerColumns {
        state: workers.iter().map(letter).collect(),
        nodes: column(|worker| worker.nodes),
        tours: column(|worker| worker.tours),
        depth: column(|worker| worker.depth as u64),
        level: column(|worker| worker.level.map_or(0, |level| level as u64 + 1)),
        hires: column(|worker| worker.sharing.hires),
        donations: column(|worker| worker.sharing.donations),
        attempts: column(|worker| worker.attempts),
        step,
        busy: time(|worker| worker.busy),
        age: time(|worker| worker.busy + worker.idle),
        cpu: time(|worker| worker.cpu),
        hand_over: time(|worker| worker.overhead.hand_over),
        write: time(|worker| worker.overhead.write),
        write_cpu: time(|worker| worker.overhead.write_cpu),
        save: time(|worker| worker.overhead.save),
        voluntary: column(|worker| worker.switches.map_or(0, |of| u64::from(of.voluntary) + 1)),
        forced: column(|worker| worker.switches.map_or(0, |of| of.forced.into())),
        migrations: column(|worker| worker.switches.and_then(|of| of.migrations).map_or(0, |of| u64::from(of) + 1)),
        boss: column(|worker| worker.boss.map_or(0, |boss| boss as u64 + 1)),
        group: column(|worker| worker.group.map_or(0, |group| group as u64 + 1)),
    }
    .serialize(serializer)
}

/// Reads the workers from columns.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<WorkerSnapshot>, D::Error> {
    let all = WorkerColumns::deserialize(deserializer)?;
    let workers = all.state.len();
    for column in [&all.nodes, &all.tours, &all.hires, &all.donations, &all.attempts] {
        let sum = column.iter().try_fold(0u64, |sum, &figure| sum.checked_add(figure));
        if sum.is_none_or(|sum| sum > SUM_MAX) {
            return Err(D::Error::custom("a figure of all workers together is more than a run can come to"));
        }
    }
    let figure = |column: &Column, worker: usize| match column.len() {
        0 => Ok(0),
        length if length == workers => Ok(column[worker]),
        length => Err(D::Error::custom(format!("a column of {length} figures for {workers} workers"))),
    };
    let place =
        |column: &Column, worker| figure(column, worker).map(|figure| figure.checked_sub(1).map(|n| n as usize));
    let time = |column: &Column, worker| {
        let micros = figure(column, worker)?.checked_mul(all.step);
        micros.map(Duration::from_micros).ok_or_else(|| D::Error::custom("a time is too large"))
    };
    let idle = |worker| {
        let idle = time(&all.age, worker)?.checked_sub(time(&all.busy, worker)?);
        idle.ok_or_else(|| D::Error::custom(format!("worker {worker} has a busy time that is longer than its age")))
    };
    let switches = |worker| {
        let known = |column: &Column| {
            let known = figure(column, worker)?.checked_sub(1).map(u32::try_from);
            known.transpose().map_err(D::Error::custom)
        };
        let (voluntary, migrations) = (known(&all.voluntary)?, known(&all.migrations)?);
        let forced = u32::try_from(figure(&all.forced, worker)?).map_err(D::Error::custom)?;
        Ok(voluntary.map(|voluntary| ContextSwitches { voluntary, forced, migrations }))
    };
    let read = |(worker, letter): (usize, u8)| {
        let state = LETTERS.iter().position(|&known| known == letter).map(|state| WorkerState::ALL[state]);
        Ok(WorkerSnapshot {
            state: state.ok_or_else(|| D::Error::custom(format!("there is no worker state {}", char::from(letter))))?,
            nodes: figure(&all.nodes, worker)?,
            tours: figure(&all.tours, worker)?,
            depth: figure(&all.depth, worker)? as usize,
            level: place(&all.level, worker)?,
            sharing: SharingCounts { hires: figure(&all.hires, worker)?, donations: figure(&all.donations, worker)? },
            attempts: figure(&all.attempts, worker)?,
            busy: time(&all.busy, worker)?,
            idle: idle(worker)?,
            cpu: time(&all.cpu, worker)?,
            overhead: Overhead {
                hand_over: time(&all.hand_over, worker)?,
                write: time(&all.write, worker)?,
                write_cpu: time(&all.write_cpu, worker)?,
                save: time(&all.save, worker)?,
            },
            switches: switches(worker)?,
            boss: place(&all.boss, worker)?,
            group: place(&all.group, worker)?,
        })
    };
    all.state.bytes().enumerate().map(read).collect()
}
