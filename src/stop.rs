//! The wish that something stop: one small flag for all that runs, with why it was raised.
//!
//! Whoever may stop a run holds a clone of its [`Stop`], whoever works on it looks at another one between two pieces of
//! work. The kernels know none: they are stopped by whoever drives them.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Why a run was told to stop before its work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StopReason {
    /// Somebody who uses the program asked.
    Asked,
    /// A signal asked.
    Signal,
    /// The deadline passed.
    Deadline,
    /// The number of tours asked for was reached.
    Limit,
    /// A worker panicked, or the tours could not be written.
    Failed,
}

impl StopReason {
    /// Each at the place of its number.
    const ALL: [StopReason; 5] =
        [StopReason::Asked, StopReason::Signal, StopReason::Deadline, StopReason::Limit, StopReason::Failed];

    /// What reports and screens call it.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Asked => "request",
            StopReason::Signal => "signal",
            StopReason::Deadline => "deadline",
            StopReason::Limit => "limit",
            StopReason::Failed => "failed",
        }
    }

    /// The same reason where it is known now that a signal came: whoever passes one on only asks.
    pub fn by(self, signal: bool) -> StopReason {
        if signal && matches!(self, StopReason::Asked | StopReason::Failed) { StopReason::Signal } else { self }
    }
}

/// Whether something is to stop, and why; clones are about the same thing.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// One more than the place of the reason; 0 for none.
    reason: Arc<AtomicU8>,
}

impl Stop {
    /// Asks it to stop; the first reason is kept.
    pub fn ask(&self, reason: StopReason) {
        // That there is a reason already is as good.
        let _ = self.reason.compare_exchange(0, reason as u8 + 1, Relaxed, Relaxed);
    }

    /// Why it was asked to stop, if it was.
    pub fn reason(&self) -> Option<StopReason> {
        let place = self.reason.load(Relaxed).checked_sub(1)?;
        StopReason::ALL.get(usize::from(place)).copied()
    }

    /// Whether it was asked to stop; cheap.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.reason.load(Relaxed) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_is_kept_and_every_clone_knows_it() {
        for reason in StopReason::ALL {
            let stop = Stop::default();
            let other = stop.clone();
            assert_eq!((other.is_asked(), other.reason()), (false, None));
            stop.ask(reason);
            other.ask(StopReason::Asked);
            assert_eq!((other.is_asked(), stop.reason()), (true, Some(reason)));
        }
    }
}
