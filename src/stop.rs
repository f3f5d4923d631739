//! A request to stop: one small flag for any work, with the reason.
//!
//! The code that may stop a run and the code that works on it hold clones of one [`Stop`]. The worker reads its clone
//! between two pieces of work. A kernel knows no `Stop`: the worker that drives the kernel stops it.

use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Why a run was told to stop before its work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StopReason {
    /// The user asked.
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
    /// Every reason, in the order of the numbers of the reasons.
    const ALL: [StopReason; 5] =
        [StopReason::Asked, StopReason::Signal, StopReason::Deadline, StopReason::Limit, StopReason::Failed];

    /// Name of the reason in reports and on screens.
    pub fn name(self) -> &'static str {
        match self {
            StopReason::Asked => "request",
            StopReason::Signal => "signal",
            StopReason::Deadline => "deadline",
            StopReason::Limit => "limit",
            StopReason::Failed => "failed",
        }
    }

    /// This reason; but [`StopReason::Signal`] for a request or a failure if a signal was received, because the code that
    /// passes a signal on only asks for a stop.
    pub fn with_signal(self, signal: bool) -> StopReason {
        if signal && matches!(self, StopReason::Asked | StopReason::Failed) { StopReason::Signal } else { self }
    }
}

/// Whether work is to stop, and why; all clones share one state.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// One more than the number of the reason; 0 for none.
    reason: Arc<AtomicU8>,
}

impl Stop {
    /// Asks the work to stop; the first reason is kept.
    pub fn ask(&self, reason: StopReason) {
        // If there is a reason already, it stays.
        let _ = self.reason.compare_exchange(0, reason as u8 + 1, Relaxed, Relaxed);
    }

    /// Why the work was asked to stop, if it was.
    pub fn reason(&self) -> Option<StopReason> {
        let place = self.reason.load(Relaxed).checked_sub(1)?;
        StopReason::ALL.get(usize::from(place)).copied()
    }

    /// Whether the work was asked to stop; cheap.
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
