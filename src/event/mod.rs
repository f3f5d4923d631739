//! What happened: rare facts on their way from the workers to whoever watches.
//!
//! Counters are sampled from meters; only what is rare is an [`Event`]: a hire, a donation, a worker that runs dry, the
//! first tour, a change of rule. They travel on one bounded channel. A worker never waits for the watcher: what does not fit is
//! dropped, counted by [`EventSender::lost`], and shown.

use crate::search::HandOver;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Number of events the channel holds: about a second of the busiest run seen, one frame of the worst.
pub const CAPACITY: usize = 1 << 14;

/// Something that happened to a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// Time since the run began.
    pub at: Duration,
    /// The worker it happened to, from 0.
    pub worker: usize,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The worker begins with parts of the tree that no other one gave it: all of it, what was dealt to it, or what it had
    /// left before a break.
    Began {
        /// Depth of the first of them.
        depth: usize,
    },
    /// The worker was hired by another and got a branch at this depth.
    Hired {
        /// The worker that gave the branch away.
        by: usize,
        /// Depth of the branch.
        depth: usize,
        /// The lowest level at which the giver still has a branch, if it has.
        left: Option<usize>,
        /// Helpers that had waited at the giver and from now on wait at the hired worker.
        company: Vec<usize>,
    },
    /// The worker ran dry and gave its waiting helpers to another.
    Donated {
        /// The worker that received them.
        to: usize,
        /// How many they were.
        helpers: usize,
    },
    /// The worker has no work, at the beginning or because it ran dry.
    Idle {
        /// The worker that it nominated, and now waits at; none where no worker hires, all are idle, or the run stops.
        nominee: Option<usize>,
        /// The lowest level at which that one has a branch to give, for which it was nominated.
        level: Option<usize>,
        /// Nodes that it entered since it last was without work.
        nodes: u64,
    },
    /// The first tour of the run was found.
    FirstTour,
    /// The hand-over rule was changed while running.
    RuleChanged {
        /// The new rule.
        rule: HandOver,
    },
    /// The run was paused.
    Paused,
    /// The run goes on after a pause.
    Resumed,
    /// The run has ended.
    Finished,
}

/// The sending end: never blocks, counts what it lost.
#[derive(Clone, Debug)]
pub struct EventSender {
    sender: Sender<Event>,
    lost: Arc<AtomicU64>,
}

/// A channel for `capacity` events at a time.
pub fn channel(capacity: usize) -> (EventSender, Receiver<Event>) {
    let (sender, receiver) = bounded(capacity);
    (EventSender { sender, lost: Arc::default() }, receiver)
}

impl EventSender {
    /// A sender for runs that nobody watches: its events go nowhere and are not counted as lost.
    pub fn nowhere() -> EventSender {
        channel(0).0
    }

    /// Sends an event, or counts it as lost when the channel is full.
    pub fn send(&self, event: Event) {
        if let Err(TrySendError::Full(_)) = self.sender.try_send(event) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Number of events lost so far because the channel was full.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(worker: usize) -> Event {
        Event { at: Duration::ZERO, worker, kind: EventKind::Idle { nominee: None, level: None, nodes: 0 } }
    }

    #[test]
    fn a_full_channel_counts_what_it_loses_and_keeps_the_order() {
        let (sender, receiver) = channel(2);
        (0..5).for_each(|worker| sender.send(idle(worker)));
        assert_eq!(sender.lost(), 3);
        assert_eq!(receiver.try_iter().map(|event| event.worker).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn a_run_nobody_watches_loses_nothing() {
        let sender = EventSender::nowhere();
        sender.send(idle(0));
        assert_eq!(sender.lost(), 0);
    }
}
