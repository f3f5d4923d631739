//! What the workers spent their time on between two looks at a run: running, held up by the operating system, or
//! without work. Times when the run was paused or slowed are left out.

use crate::schedule::Snapshot;
use serde::Serialize;
use std::time::Duration;

/// The summed times of all workers at one look.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Times {
    /// Time since the run began.
    pub at: Duration,
    workers: usize,
    busy: Duration,
    cpu: Duration,
    held: bool,
}

impl Times {
    /// The times of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Times {
        let workers = &snapshot.workers;
        Times {
            at: snapshot.elapsed,
            workers: workers.len(),
            busy: workers.iter().map(|worker| worker.busy).sum(),
            cpu: workers.iter().map(|worker| worker.cpu).sum(),
            held: snapshot.is_held(),
        }
    }

    /// The times before any worker has worked, at this time of the run.
    pub fn before(at: Duration) -> Times {
        Times { at, ..Times::default() }
    }

    /// Whether the run was paused or slowed.
    pub fn is_held(&self) -> bool {
        self.held
    }
}

/// How all workers spent their time, as shares 0..=1 of the number of workers times the elapsed time.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct TimeShares {
    /// On a processor: CPU time. This is the parallel efficiency, if a node costs equally much on every worker.
    pub running: f64,
    /// With work, but the operating system ran something else.
    pub descheduled: f64,
    /// Without work.
    pub idle: f64,
}

/// The time of all workers, by use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spent {
    /// Elapsed time, without the times when the run was paused or slowed.
    pub wall: Duration,
    /// Seconds of all workers: their number times the elapsed time.
    pub all: f64,
    cpu: f64,
    busy: f64,
}

impl Spent {
    /// Adds the time between two looks, unless the run was paused or slowed at one of them.
    pub fn add(&mut self, from: &Times, to: &Times) {
        if from.held || to.held {
            return;
        }
        let wall = to.at.saturating_sub(from.at);
        self.wall += wall;
        self.all += wall.as_secs_f64() * to.workers as f64;
        self.cpu += to.cpu.saturating_sub(from.cpu).as_secs_f64();
        self.busy += to.busy.saturating_sub(from.busy).as_secs_f64();
    }

    /// The shares; `None` if no time has passed.
    pub fn shares(&self) -> Option<TimeShares> {
        if self.all <= 0.0 {
            return None;
        }
        // The meters are not read at one instant: keep the shares in bounds.
        let busy = (self.busy / self.all).min(1.0);
        let running = (self.cpu / self.all).min(busy);
        Some(TimeShares { running, descheduled: busy - running, idle: 1.0 - busy })
    }
}
