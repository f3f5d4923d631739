//! The kinds of figures: how a meter stores each kind, and what a snapshot and a file have of it.
//!
//! A worker publishes each figure by one relaxed store, so a reader sees all of it or nothing.

use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Marks a [`RunningTime`] while it runs.
const RUNNING: u64 = 1 << 63;

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum WorkerState {
    /// Searches, also while slow motion holds it back until its next node is due.
    #[default]
    Busy,
    /// Has no work and is attached to no other worker yet.
    Idle,
    /// Is attached to the helper list of a busy worker.
    Waiting,
    /// Is held by a pause.
    Paused,
    /// Has work, but the operating system has not let the thread run for a while.
    Descheduled,
    /// Has ended: the run is over for this worker.
    Done,
    /// Gives a branch away, or takes one over. That of a thread is over in microseconds, and is counted, not seen.
    HandingOver,
    /// Has put its branch down while the run is saved, after which it goes on with it.
    Saving,
}

impl WorkerState {
    /// Every state, in the order of the numbers of the states.
    pub(in crate::schedule) const ALL: [WorkerState; 8] = [
        WorkerState::Busy,
        WorkerState::Idle,
        WorkerState::Waiting,
        WorkerState::Paused,
        WorkerState::Descheduled,
        WorkerState::Done,
        WorkerState::HandingOver,
        WorkerState::Saving,
    ];

    /// Whether the worker has work of its own, at hand or put down.
    pub fn has_work(self) -> bool {
        !matches!(self, WorkerState::Idle | WorkerState::Waiting | WorkerState::Done)
    }
}

/// A figure, or a group of figures, where the worker publishes it.
pub trait FigureCell: Default {
    /// What a snapshot has of it.
    type Value: Figure;

    /// The value as it was last published; a time that runs is that of the moment `at`, as time since the run began.
    fn read(&self, at: Duration) -> Self::Value;
}

/// What the numbers of a column mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The number of a [`WorkerState`].
    State,
    /// A count that only grows. Those of all workers are added up.
    Count,
    /// Any other whole number.
    Number,
    /// Microseconds.
    Time,
}

/// What [`Figure::columns`] calls for each column, with its name, its unit and its number.
pub type SeeColumn<'a> = &'a mut dyn FnMut(&'static str, Unit, &mut u64) -> Result<(), String>;

/// A figure in a snapshot, or a group of figures; a file has each of them as whole numbers in columns.
pub trait Figure: Default {
    /// Gives `see` each column, and becomes what `see` makes of their numbers. `name` is the name of a figure by itself.
    ///
    /// # Errors
    /// That of `see`, or why a number cannot be one of this figure.
    fn columns(&mut self, name: &'static str, see: SeeColumn<'_>) -> Result<(), String>;

    /// The sum of both, which stops at its greatest value: figures that were read may be any numbers.
    fn plus(self, other: Self) -> Self;

    /// The sum of all.
    fn sum_of(all: impl Iterator<Item = Self>) -> Self {
        all.fold(Self::default(), Self::plus)
    }
}

/// Makes a kind of figure that is one atomic number, from which and to which these functions lead.
macro_rules! kind {
    ($(#[$doc:meta])* $name:ident($atomic:ident) of $value:ty: $number:expr, $value_of:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name($atomic);

        impl $name {
            #[inline]
            pub fn set(&self, value: $value) {
                self.0.store($number(value), Relaxed);
            }

            #[inline]
            pub fn get(&self) -> $value {
                $value_of(self.0.load(Relaxed))
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name($atomic::new($number(<$value>::default())))
            }
        }

        impl FigureCell for $name {
            type Value = $value;

            fn read(&self, _: Duration) -> $value {
                self.get()
            }
        }
    };
}

kind! {
    /// A count that only grows.
    Count(AtomicU64) of u64: |count| count, |count| count
}
kind! {
    /// A count that stops at its greatest value.
    SmallCount(AtomicU32) of u32: |count| count, |count| count
}
kind! {
    /// A depth in the tree.
    Depth(AtomicU32) of usize: |depth: usize| depth as u32, |depth| depth as usize
}
kind! {
    /// A level of the tree, a worker or a core; or none.
    Place(AtomicU32) of Option<usize>:
        |place: Option<usize>| place.map_or(u32::MAX, |place| place as u32),
        |place| (place != u32::MAX).then_some(place as usize)
}
kind! {
    /// What a worker is doing.
    State(AtomicU8) of WorkerState: |state: WorkerState| state as u8, |state: u8| WorkerState::ALL[usize::from(state)]
}

impl Count {
    /// Counts `more`, which any thread may do.
    pub fn add(&self, more: u64) {
        self.0.fetch_add(more, Relaxed);
    }
}

fn narrow(number: u64) -> Result<u32, String> {
    u32::try_from(number).map_err(|error| error.to_string())
}

/// Makes a value one column of this unit, whose number, value and sum these functions give.
macro_rules! one_column {
    ($value:ty: $unit:ident, $number:expr, $value_of:expr, $sum:expr) => {
        impl Figure for $value {
            fn columns(&mut self, name: &'static str, see: SeeColumn<'_>) -> Result<(), String> {
                let mut number = $number(*self);
                see(name, Unit::$unit, &mut number)?;
                *self = $value_of(number)?;
                Ok(())
            }

            fn plus(self, other: $value) -> $value {
                $sum(self, other)
            }
        }
    };
}

one_column! { u64: Count, |count| count, Ok::<u64, String>, u64::saturating_add }
one_column! { u32: Number, u64::from, narrow, u32::saturating_add }
one_column! { usize: Number, |number| number as u64, |number| Ok::<_, String>(number as usize), usize::saturating_add }
one_column! {
    Duration: Time, |time: Duration| time.as_micros() as u64, |n| Ok::<_, String>(Duration::from_micros(n)),
    Duration::saturating_add
}
one_column! {
    WorkerState: State,
    |state| state as u64,
    |number| WorkerState::ALL.get(number as usize).copied().ok_or_else(|| format!("there is no worker state {number}")),
    // Several workers are in no state together.
    |state, _| state
}

/// A figure that the system may not tell.
#[derive(Default, Debug)]
pub struct Known<C> {
    is_known: AtomicBool,
    cell: C,
}

impl<C> Known<C> {
    /// Publishes the figure by `set`, which gets its cell.
    pub fn set(&self, set: impl FnOnce(&C)) {
        set(&self.cell);
        self.is_known.store(true, Relaxed);
    }
}

impl<C: FigureCell> FigureCell for Known<C> {
    type Value = Option<C::Value>;

    fn read(&self, at: Duration) -> Option<C::Value> {
        self.is_known.load(Relaxed).then(|| self.cell.read(at))
    }
}

/// The first column has one more than the number, and 0 where there is none.
impl<F: Figure> Figure for Option<F> {
    fn columns(&mut self, name: &'static str, see: SeeColumn<'_>) -> Result<(), String> {
        let (mut is_first, mut is_known) = (true, self.is_some());
        let mut figure = self.take().unwrap_or_default();
        figure.columns(name, &mut |name, _, number| {
            let more = std::mem::take(&mut is_first);
            *number += u64::from(more && is_known);
            see(name, Unit::Number, number)?;
            is_known = if more { *number > 0 } else { is_known };
            *number -= u64::from(more && is_known);
            Ok(())
        })?;
        *self = is_known.then_some(figure);
        Ok(())
    }

    fn plus(self, other: Option<F>) -> Option<F> {
        self.zip(other).map(|(a, b)| a.plus(b))
    }
}

/// A time that is added up, in ns. One thread writes it.
#[derive(Default, Debug)]
pub struct Time(AtomicU64);

impl Time {
    pub fn set(&self, time: Duration) {
        self.0.store(time.as_nanos() as u64, Relaxed);
    }

    pub fn add(&self, time: Duration) {
        self.set(self.get() + time);
    }

    pub fn get(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }
}

/// A snapshot has whole microseconds.
impl FigureCell for Time {
    type Value = Duration;

    fn read(&self, _: Duration) -> Duration {
        Duration::from_micros(self.0.load(Relaxed) / 1000)
    }
}

/// A time that is measured in stretches: in ns; or, with [`RUNNING`], the time of the run at which the present stretch would
/// have begun if there had been no other. One number, so that a reader sees all of it or nothing. One thread writes it.
#[derive(Default, Debug)]
pub struct RunningTime(AtomicU64);

impl RunningTime {
    /// Begins a stretch, unless one has begun.
    pub fn start(&self, at: Duration) {
        self.0.store(RUNNING | (at.as_nanos() as u64).saturating_sub(self.ns(at)), Relaxed);
    }

    /// Ends the stretch, if one has begun.
    pub fn stop(&self, at: Duration) {
        self.0.store(self.ns(at), Relaxed);
    }

    fn ns(&self, at: Duration) -> u64 {
        match self.0.load(Relaxed) {
            began if began & RUNNING > 0 => (at.as_nanos() as u64).saturating_sub(began & !RUNNING),
            ns => ns,
        }
    }
}

/// A snapshot has whole microseconds.
impl FigureCell for RunningTime {
    type Value = Duration;

    fn read(&self, at: Duration) -> Duration {
        Duration::from_micros(self.ns(at) / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_while_it_runs() {
        let (time, ms) = (RunningTime::default(), Duration::from_millis);
        time.start(ms(10));
        assert_eq!(time.read(ms(25)), ms(15));
        time.stop(ms(30));
        assert_eq!([50, 99].map(|at| time.read(ms(at))), [ms(20); 2]);
        time.start(ms(100));
        assert_eq!(time.read(ms(101)), ms(21));
    }

    /// Stretches of 7 s, and 5 s between two of them: at any moment a reader sees only times that there can be.
    #[test]
    fn a_reader_beside_the_writer_sees_all_of_a_stretch_or_nothing() {
        let (time, is_over, late) = (RunningTime::default(), AtomicBool::new(false), 1_000_000_000);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let starts = (0..late / 2).step_by(12).take_while(|_| !is_over.load(Relaxed));
                starts.map(Duration::from_secs).for_each(|start| {
                    time.start(start);
                    time.stop(start + Duration::from_secs(7));
                });
            });
            let mut last = 0;
            let is_right = (0..300).all(|_| {
                std::thread::yield_now();
                // A time that runs has all of the time up to this late moment but what lies between the stretches.
                let stretches = match time.read(Duration::from_secs(late)).as_secs() {
                    running if running > late / 2 => (late - running).is_multiple_of(5).then(|| (late - running) / 5),
                    stopped => stopped.is_multiple_of(7).then_some(stopped / 7),
                };
                stretches.is_some_and(|stretches| std::mem::replace(&mut last, stretches) <= stretches)
            });
            is_over.store(true, Relaxed);
            assert!(is_right);
        });
    }
}
