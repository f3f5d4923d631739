//! The time of a worker that went into something else than the search and waiting for work.

use std::iter::Sum;
use std::ops::Add;
use std::time::Duration;

/// Times of one worker, or of several together, that are parts of its busy, idle and CPU time.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Overhead {
    /// CPU time of handing branches over; a part of the busy time. Measured of one hand-over in sixteen.
    pub hand_over: Duration,
    /// Time of writing tours; a part of the busy time.
    pub write: Duration,
    /// CPU time of writing tours; a part of the CPU time.
    pub write_cpu: Duration,
    /// Time of breaks in which the run was saved; a part of the idle time.
    pub save: Duration,
}

impl Overhead {
    /// Every time changed by `change`.
    pub fn map(self, change: impl Fn(Duration) -> Duration) -> Overhead {
        let Overhead { hand_over, write, write_cpu, save } = self;
        let [hand_over, write, write_cpu, save] = [hand_over, write, write_cpu, save].map(change);
        Overhead { hand_over, write, write_cpu, save }
    }
}

impl Add for Overhead {
    type Output = Overhead;

    fn add(self, other: Overhead) -> Overhead {
        Overhead {
            // Times that were read may be any numbers.
            hand_over: self.hand_over.saturating_add(other.hand_over),
            write: self.write.saturating_add(other.write),
            write_cpu: self.write_cpu.saturating_add(other.write_cpu),
            save: self.save.saturating_add(other.save),
        }
    }
}

impl Sum for Overhead {
    fn sum<I: Iterator<Item = Overhead>>(all: I) -> Overhead {
        all.fold(Overhead::default(), Overhead::add)
    }
}
