//! How meters are written down: times as whole microseconds, and the workers of a crew as columns, one list for each
//! figure. Lists of like numbers are short, and differ little from one look to the next.

use super::meter::{WorkerSnapshot, WorkerState};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// Times as whole microseconds; what meters publish is no finer.
pub mod micros {
    use super::*;

    /// Writes a time.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        (time.as_micros() as u64).serialize(serializer)
    }

    /// Reads a time.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }
}

/// The time without what is less than a microsecond.
pub fn whole_micros(time: Duration) -> Duration {
    Duration::from_micros(time.as_micros() as u64)
}

/// A letter for each state, in the order of [`WorkerState::STORED`].
const LETTERS: &[u8; 7] = b"BIWPSDX";

/// A figure of every worker; none where all are 0.
type Column = Vec<u64>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Columns {
    state: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    nodes: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tours: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pruned: Column,
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
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    busy: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    idle: Column,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cpu: Column,
    /// One more than the number of the worker waited at; 0 for none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    boss: Column,
}

/// The workers of a crew as columns.
pub mod columns {
    use super::*;

    /// Writes the workers.
    pub fn serialize<S: Serializer>(workers: &[WorkerSnapshot], serializer: S) -> Result<S::Ok, S::Error> {
        let column = |figure: fn(&WorkerSnapshot) -> u64| {
            let column: Column = workers.iter().map(figure).collect();
            if column.iter().all(|&figure| figure == 0) { Column::new() } else { column }
        };
        let letter = |worker: &WorkerSnapshot| char::from(LETTERS[worker.state as usize]);
        Columns {
            state: workers.iter().map(letter).collect(),
            nodes: column(|worker| worker.nodes),
            tours: column(|worker| worker.tours),
            pruned: column(|worker| worker.pruned),
            depth: column(|worker| worker.depth as u64),
            level: column(|worker| worker.level.map_or(0, |level| level as u64 + 1)),
            hires: column(|worker| worker.hires),
            donations: column(|worker| worker.donations),
            attempts: column(|worker| worker.attempts),
            busy: column(|worker| worker.busy.as_micros() as u64),
            idle: column(|worker| worker.idle.as_micros() as u64),
            cpu: column(|worker| worker.cpu.as_micros() as u64),
            boss: column(|worker| worker.boss.map_or(0, |boss| boss as u64 + 1)),
        }
        .serialize(serializer)
    }

    /// Reads the workers.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<WorkerSnapshot>, D::Error> {
        let all = Columns::deserialize(deserializer)?;
        let workers = all.state.len();
        let figure = |column: &Column, worker: usize| match column.len() {
            0 => Ok(0),
            length if length == workers => Ok(column[worker]),
            length => Err(D::Error::custom(format!("a column of {length} figures for {workers} workers"))),
        };
        let place =
            |column: &Column, worker| figure(column, worker).map(|figure| figure.checked_sub(1).map(|n| n as usize));
        let time = |column: &Column, worker| figure(column, worker).map(Duration::from_micros);
        let read = |(worker, letter): (usize, u8)| {
            let state = LETTERS.iter().position(|&known| known == letter).map(|state| WorkerState::STORED[state]);
            Ok(WorkerSnapshot {
                state: state
                    .ok_or_else(|| D::Error::custom(format!("no worker is in state {}", char::from(letter))))?,
                nodes: figure(&all.nodes, worker)?,
                tours: figure(&all.tours, worker)?,
                pruned: figure(&all.pruned, worker)?,
                depth: figure(&all.depth, worker)? as usize,
                level: place(&all.level, worker)?,
                hires: figure(&all.hires, worker)?,
                donations: figure(&all.donations, worker)?,
                attempts: figure(&all.attempts, worker)?,
                busy: time(&all.busy, worker)?,
                idle: time(&all.idle, worker)?,
                cpu: time(&all.cpu, worker)?,
                boss: place(&all.boss, worker)?,
            })
        };
        all.state.bytes().enumerate().map(read).collect()
    }
}
