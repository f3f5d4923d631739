//! A request to stop: one small flag for any work, with the reason.
//!
//! The code that may stop a run and the code that works on it hold clones of one [`Stop`]. The worker reads its clone
//! between two pieces of work. A kernel knows no `Stop`: the worker that drives the kernel stops it.

use crate::table::table;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

table! {
    /// Why a run was told to stop before its work was done.
    /// `name`: name of the reason in reports and on screens.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    pub enum StopReason(name: &'static str) {
        /// The user asked.
        Asked: "request";
        /// A signal asked.
        Signal: "signal";
        /// The deadline passed.
        Deadline: "deadline";
        /// The number of tours asked for was reached.
        Limit: "limit";
        /// A worker panicked, or the tours could not be written.
        Failed: "failed";
    }
}

impl StopReason {
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
