//! The workers of a snapshot in a file: as columns, one list for each figure.
//!
//! A column of similar numbers is short, and it differs little from one snapshot to the next.

use super::cells::{Figure, Unit, WorkerState};
use super::workers::WorkerSnapshot;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserializer, Serializer};
use std::fmt;

/// A letter for each state, in the order of the states.
const LETTERS: &[u8; WorkerState::ALL.len()] = b"BIWPDXHV";
/// The letter of a worker that slow motion held back, in older files: it searched.
const SLOWED: u8 = b'S';

/// A column of older files. It follows from the CPU of the worker.
const GROUP: &str = "group";

/// The longest step that times are written in, in microseconds.
const STEP: u64 = 1000;

/// Most that a figure of all workers together may be where it is read: no run comes to it, and a few of them can be added.
const SUM_MAX: u64 = u64::MAX >> 3;

/// One figure of every worker; a file leaves it out where all are 0.
struct Column {
    name: &'static str,
    unit: Unit,
    numbers: Vec<u64>,
}

/// The columns of these workers, in the order of the table.
fn columns(workers: &[WorkerSnapshot]) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    WorkerSnapshot::default().columns("", &mut |name, unit, _| {
        columns.push(Column { name, unit, numbers: Vec::with_capacity(workers.len()) });
        Ok(())
    })?;
    for worker in workers {
        let mut aged = WorkerSnapshot { idle: worker.busy + worker.idle, ..worker.clone() };
        let mut places = columns.iter_mut();
        let put = |column: &mut Column, number| column.numbers.push(number);
        aged.columns("", &mut |_, _, number| {
            if let Some(column) = places.next() {
                put(column, *number);
            }
            Ok(())
        })?;
    }
    Ok(columns)
}

/// Writes the workers as columns.
pub fn serialize<S: Serializer>(workers: &[WorkerSnapshot], serializer: S) -> Result<S::Ok, S::Error> {
    let columns = columns(workers).map_err(serde::ser::Error::custom)?;
    // Times in steps are shorter numbers than times in microseconds.
    let mut times = columns.iter().filter(|column| column.unit == Unit::Time).flat_map(|column| &column.numbers);
    let step = if times.all(|time| time.is_multiple_of(STEP)) { STEP } else { 1 };
    let mut step_is_due = step > 1;
    let mut map = serializer.serialize_map(None)?;
    for Column { name, unit, mut numbers } in columns {
        if unit == Unit::Time {
            if std::mem::take(&mut step_is_due) {
                map.serialize_entry("step", &step)?;
            }
            numbers.iter_mut().for_each(|number| *number /= step);
        }
        if unit == Unit::State {
            let letters = numbers.iter().map(|&state| char::from(LETTERS[state as usize]));
            map.serialize_entry(name, &letters.collect::<String>())?;
        } else if numbers.iter().any(|&number| number > 0) {
            map.serialize_entry(name, &numbers)?;
        }
    }
    map.end()
}

/// Reads the workers from columns.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<WorkerSnapshot>, D::Error> {
    deserializer.deserialize_map(ColumnsVisitor)
}

struct ColumnsVisitor;

impl<'de> Visitor<'de> for ColumnsVisitor {
    type Value = Vec<WorkerSnapshot>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the figures of workers in columns")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<WorkerSnapshot>, A::Error> {
        let (mut columns, mut step) = (columns(&[]).map_err(A::Error::custom)?, 1);
        let mut read: Vec<String> = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if read.contains(&name) {
                return Err(A::Error::custom(format!("there are two columns {name}")));
            }
            match columns.iter_mut().find(|column| column.name == name) {
                Some(column) if column.unit == Unit::State => {
                    column.numbers = states(&map.next_value::<String>()?).map_err(A::Error::custom)?;
                }
                Some(column) => column.numbers = map.next_value()?,
                None if name == "step" => step = map.next_value()?,
                None if name == GROUP => _ = map.next_value::<IgnoredAny>()?,
                None => return Err(A::Error::custom(format!("there is no column {name}"))),
            }
            read.push(name);
        }
        if !read.iter().any(|name| name == "state") {
            return Err(A::Error::missing_field("state"));
        }
        workers(&mut columns, step).map_err(A::Error::custom)
    }
}

/// The numbers of the states with these letters.
fn states(letters: &str) -> Result<Vec<u64>, String> {
    let of = |letter| if letter == SLOWED { LETTERS[0] } else { letter };
    let number = |letter: u8| LETTERS.iter().position(|&known| known == of(letter)).map(|state| state as u64);
    let number = |letter| number(letter).ok_or_else(|| format!("there is no worker state {}", char::from(letter)));
    letters.bytes().map(number).collect()
}

/// The workers with these figures, whose times are in steps of this many microseconds.
fn workers(columns: &mut [Column], step: u64) -> Result<Vec<WorkerSnapshot>, String> {
    let workers = columns.iter().find(|column| column.unit == Unit::State).map_or(0, |column| column.numbers.len());
    for Column { unit, numbers, .. } in &mut *columns {
        let sum = numbers.iter().try_fold(0u64, |sum, &number| sum.checked_add(number));
        if *unit == Unit::Count && sum.is_none_or(|sum| sum > SUM_MAX) {
            return Err("a figure of all workers together is more than a run can come to".to_owned());
        }
        match numbers.len() {
            0 => numbers.resize(workers, 0),
            length if length == workers => {}
            length => return Err(format!("a column of {length} figures for {workers} workers")),
        }
        if *unit == Unit::Time {
            let micros = numbers.iter().map(|time| time.checked_mul(step)).collect();
            *numbers = Option::ok_or_else(micros, || "a time is too large".to_owned())?;
        }
    }
    let read = |worker: usize| {
        let mut numbers = columns.iter().map(|column| column.numbers[worker]);
        let mut seen = WorkerSnapshot::default();
        seen.columns("", &mut |_, _, number| {
            *number = numbers.next().unwrap_or_default();
            Ok(())
        })?;
        let idle = seen.idle.checked_sub(seen.busy);
        seen.idle = idle.ok_or_else(|| format!("worker {worker} has a busy time that is longer than its age"))?;
        Ok(seen)
    };
    (0..workers).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::figures::workers::{ContextSwitches, Overhead, SharingCounts};
    use std::time::Duration;

    fn written(workers: &[WorkerSnapshot]) -> String {
        let mut text = Vec::new();
        serialize(workers, &mut serde_json::Serializer::new(&mut text)).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn read(text: &str) -> Result<Vec<WorkerSnapshot>, String> {
        deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| error.to_string())
    }

    fn workers(micros: u64) -> Vec<WorkerSnapshot> {
        let time = |ms: u64| Duration::from_micros(1000 * ms + micros);
        let all = WorkerSnapshot {
            state: WorkerState::Waiting,
            nodes: 1,
            tours: 2,
            depth: 3,
            level: Some(4),
            sharing: SharingCounts { hires: 5, donations: 6 },
            attempts: 7,
            busy: time(8),
            idle: time(9),
            cpu: time(10),
            overhead: Overhead { hand_over: time(11), write: time(12), write_cpu: time(13), save: time(14) },
            switches: Some(ContextSwitches { voluntary: 15, forced: 16, migrations: Some(17) }),
            waits_at: Some(0),
            on: Some(9),
        };
        let switches = Some(ContextSwitches { voluntary: 0, forced: 0, migrations: None });
        vec![
            WorkerSnapshot::default(),
            all,
            WorkerSnapshot { state: WorkerState::Done, switches, ..Default::default() },
        ]
    }

    #[test]
    fn every_figure_has_its_column_and_is_read_as_it_was_written() {
        let text = r#"{"state":"BWX","nodes":[0,1,0],"tours":[0,2,0],"depth":[0,3,0],"level":[0,5,0],"hires":[0,5,0],\
            "donations":[0,6,0],"attempts":[0,7,0],"step":1000,"busy":[0,8,0],"age":[0,17,0],"cpu":[0,10,0],\
            "hand_over":[0,11,0],"write":[0,12,0],"write_cpu":[0,13,0],"save":[0,14,0],"voluntary":[0,16,1],\
            "forced":[0,16,0],"migrations":[0,18,0],"boss":[0,1,0],"on":[0,10,0]}"#;
        let text: String = text.replace('\\', "").split_whitespace().collect();
        assert_eq!(written(&workers(0)), text);
        assert_eq!(read(&text.replace("\"on\"", "\"group\":[0,2,0],\"on\"")).unwrap(), workers(0), "an older file");
        for micros in [0, 1] {
            assert_eq!(read(&written(&workers(micros))).unwrap(), workers(micros));
        }
        assert!(!written(&workers(1)).contains("step"));
        let states = WorkerState::ALL.map(|state| WorkerSnapshot { state, ..Default::default() });
        assert_eq!(read(&written(&states)).unwrap(), states);
        assert_eq!(read(r#"{"state":""}"#).unwrap(), []);
    }

    #[test]
    fn what_cannot_be_the_figures_of_workers_is_refused() {
        for (text, why) in [
            (r#"{"nodes":[1]}"#, "missing field `state`"),
            (r#"{"state":"B","state":"B"}"#, "there are two columns state"),
            (r#"{"state":"B","bosses":[1]}"#, "there is no column bosses"),
            (r#"{"state":"?"}"#, "there is no worker state ?"),
            (r#"{"state":"BB","nodes":[1]}"#, "a column of 1 figures for 2 workers"),
            (r#"{"state":"B","nodes":[2305843009213693952]}"#, "more than a run can come to"),
            (r#"{"state":"B","busy":[2],"age":[1]}"#, "a busy time that is longer than its age"),
            (r#"{"state":"B","step":1000,"cpu":[18446744073709551615]}"#, "a time is too large"),
            (r#"{"state":"B","forced":[4294967296]}"#, "out of range"),
        ] {
            let refused = read(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
