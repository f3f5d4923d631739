//! The workers of a snapshot in a file: as columns, one list for each figure.
//!
//! A column of similar numbers is short, and it differs little from one snapshot to the next.

use super::cells::{Figure, Unit};
use super::workers::WorkerSnapshot;
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserializer, Serializer};
use std::fmt;

/// A letter for each state, in the order of [`WorkerState`](super::workers::WorkerState).
const LETTERS: &[u8; 7] = b"BIWPSDX";

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

/// The columns of no workers, in the order of the table.
fn columns() -> Vec<Column> {
    let mut columns = Vec::new();
    WorkerSnapshot::default().write("", &mut |name, unit, _| columns.push(Column { name, unit, numbers: Vec::new() }));
    columns
}

/// Writes the workers as columns.
pub fn serialize<S: Serializer>(workers: &[WorkerSnapshot], serializer: S) -> Result<S::Ok, S::Error> {
    let mut columns = columns();
    for worker in workers {
        let aged = WorkerSnapshot { idle: worker.busy + worker.idle, ..worker.clone() };
        let mut columns = columns.iter_mut();
        aged.write("", &mut |_, _, number| columns.next().into_iter().for_each(|column| column.numbers.push(number)));
    }
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
        let (mut columns, mut step) = (columns(), 1);
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
    let number = |letter: u8| LETTERS.iter().position(|&known| known == letter).map(|state| state as u64);
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
        let mut columns = columns.iter();
        let next = &mut || columns.next().map(|column| column.numbers[worker]).ok_or_else(String::new);
        let mut seen = WorkerSnapshot::read(next)?;
        let idle = seen.idle.checked_sub(seen.busy);
        seen.idle = idle.ok_or_else(|| format!("worker {worker} has a busy time that is longer than its age"))?;
        Ok(seen)
    };
    (0..workers).map(read).collect()
}
