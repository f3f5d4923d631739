//! The time without a task, by when it was: before the first task of a worker, between two tasks, or after the last one.

use super::held::HeldTimes;
use crate::run::task::{Gap, Stretch, Tasks};
use std::time::Duration;

/// Adds up the gaps of all workers.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    had_task: Vec<bool>,
    // Whole numbers: events of one time may come in any order, and the sum is the same.
    first: Duration,
    between: Duration,
    /// Number of gaps between two tasks.
    number: u64,
}

/// Seconds of all workers without a task.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct WaitTimes {
    /// Before the first task of a worker.
    pub first: f64,
    /// Between two tasks of a worker.
    pub between: f64,
    /// After the last task of a worker.
    pub last: f64,
    /// Of workers that never had a task.
    pub never: f64,
    /// Number of workers that never had a task.
    pub never_number: usize,
    /// Number of gaps between two tasks.
    pub gaps: u64,
}

impl Waits {
    /// Workers that have had no task.
    pub fn new(workers: usize) -> Waits {
        Waits { had_task: vec![false; workers], ..Waits::default() }
    }

    /// Adds a task or a gap that has ended.
    pub fn take(&mut self, stretch: &Stretch, held: &HeldTimes) {
        match *stretch {
            Stretch::Task(task) => self.began(task.worker),
            Stretch::Gap(Gap { worker, from, to, .. }) => {
                let time = held.free(from, to);
                if self.had_task.get(worker).is_some_and(|&had| had) {
                    self.between = self.between.saturating_add(time);
                    self.number += 1;
                } else {
                    self.first = self.first.saturating_add(time);
                }
            }
        }
    }

    /// A worker has begun a task, which ended the gap before.
    pub fn began(&mut self, worker: usize) {
        if let Some(had) = self.had_task.get_mut(worker) {
            *had = true;
        }
    }

    /// All times until now. Workers without a task now are taken to have had their last one.
    pub fn times(&self, tasks: &Tasks, until: Duration, held: &HeldTimes) -> WaitTimes {
        let [first, between] = [self.first, self.between].map(|time| time.as_secs_f64());
        let mut times = WaitTimes { first, between, gaps: self.number, ..WaitTimes::default() };
        for (worker, &had) in self.had_task.iter().enumerate() {
            let time = tasks.idle_since(worker).map_or(0.0, |since| held.free(since, until).as_secs_f64());
            *if had { &mut times.last } else { &mut times.never } += time;
            times.never_number += usize::from(!had);
        }
        times
    }
}
