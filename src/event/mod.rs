//! Events: rare facts on their way from the workers to the viewer.
//!
//! Counters are sampled from meters. Only a rare fact is an [`Event`]: a hire, a donation, a worker without work, the first
//! tour, a change of rule. Events travel on one bounded channel. A worker never waits for the viewer: an event that does
//! not fit is dropped, counted by [`EventSender::lost`], and the count is displayed.
//!
//! ```text
//!  worker 3 ── Hired { by: 0, depth: 9 } ──┐
//!  worker 0 ── Donated { to: 3, .. } ──────┴──> one bounded channel ──> Frame::events ──> screen, journal, balance, trace
//!                                   full: lost += 1
//! ```
//!
//! The room is this file: an event and its channel are one thought; [`micros`] is how times are written, here and in snapshots.
//!
//! **Invariant**: no worker waits here, and no event is lost uncounted. **Where to begin**: [`EventKind`] lists them all.

use crate::search::HandOver;
use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Number of events that the channel holds: about a second of the busiest run seen, one frame of the worst.
pub const CAPACITY: usize = 1 << 14;

/// An event of a worker.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Time since the run began.
    #[serde(with = "micros")]
    pub at: Duration,
    /// The worker of the event, from 0.
    pub worker: usize,
    /// What happened.
    pub kind: EventKind,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum EventKind {
    /// The worker begins with parts of the tree that no other worker gave it: the whole tree, the parts dealt to it, or the
    /// parts that it had left before a break.
    Began {
        /// Depth of the first part.
        depth: usize,
    },
    /// The worker was hired by another worker and got a branch at this depth.
    Hired {
        /// The worker that gave the branch.
        by: usize,
        /// Depth of the branch.
        depth: usize,
        /// The lowest level at which the giver still has a branch, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<usize>,
        /// Helpers that had waited at the giver and now wait at the hired worker.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        company: Vec<usize>,
        /// Nodes that the giver has entered since it last gave a branch, or since it got its own; `None` if that is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        entered: Option<u64>,
    },
    /// The worker ran out of work and gave its waiting helpers to another worker.
    Donated {
        /// The worker that received them.
        to: usize,
        helpers: usize,
    },
    /// The worker has no work, at the beginning or because it ran out of work.
    Idle {
        /// The worker that it nominated and at which it waits. `None` where the scheduler does not hire, all workers are
        /// idle, or the run stops.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nominee: Option<usize>,
        /// The lowest level at which the nominated worker has a branch to give.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        level: Option<usize>,
        /// Nodes that the worker entered since it last was without work.
        nodes: u64,
        /// Whether it did not run out of work, but put its work down, because the run is saved or stops.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        put_down: bool,
    },
    /// The first tour of the run was found.
    FirstTour,
    /// The hand-over rule was changed during the run.
    RuleChanged {
        /// The new rule.
        rule: HandOver,
    },
    /// The run was paused.
    Paused,
    /// The run was resumed after a pause.
    Resumed,
    /// The run has ended.
    Finished,
}

impl Event {
    /// The event as a sentence without its full stop, for someone who has not read about the protocol.
    pub fn sentence(&self) -> String {
        let worker = self.worker;
        match &self.kind {
            EventKind::Began { depth } => format!("worker {worker} began at depth {depth}"),
            EventKind::Hired { by, depth, company, .. } => {
                let more = match company.len() {
                    0 => String::new(),
                    1 => format!("; worker {} went along", company[0]),
                    some => format!("; {some} workers went along"),
                };
                format!("worker {by} gave worker {worker} a branch at depth {depth}{more}")
            }
            EventKind::Donated { to, helpers: 1 } => {
                format!("the worker that waited at worker {worker} went to wait at worker {to}")
            }
            EventKind::Donated { to, helpers } => {
                format!("{helpers} workers that waited at worker {worker} went to wait at worker {to}")
            }
            EventKind::Idle { nominee: Some(nominee), .. } => {
                format!("{}, and waited at worker {nominee}", self.ran_dry())
            }
            EventKind::Idle { nominee: None, .. } => self.ran_dry(),
            EventKind::FirstTour => format!("worker {worker} found the first tour"),
            EventKind::RuleChanged { rule } => format!("the rule for handing over became {}", rule.name()),
            EventKind::Paused => "the run was paused".to_owned(),
            EventKind::Resumed => "the run went on".to_owned(),
            EventKind::Finished => "the run ended".to_owned(),
        }
    }

    /// That its worker has no branch now, after one or from the beginning or a save on.
    pub fn ran_dry(&self) -> String {
        match self.kind {
            EventKind::Idle { put_down: true, .. } => format!("worker {} put its branch down", self.worker),
            EventKind::Idle { nodes: 0, .. } => format!("worker {} was without a branch", self.worker),
            _ => format!("worker {} ran dry", self.worker),
        }
    }
}

/// The sending end of the channel: never blocks, and counts the events that it lost.
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
    /// A sender for runs without a viewer: its events are dropped and do not count as lost.
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

/// Times in files and meters: whole microseconds.
pub mod micros {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    /// Writes a time as microseconds.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        (time.as_micros() as u64).serialize(serializer)
    }

    /// Reads a time in microseconds.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_micros)
    }

    /// The time without fractions of a microsecond.
    pub fn whole_micros(time: Duration) -> Duration {
        Duration::from_micros(time.as_micros() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(worker: usize) -> Event {
        Event {
            at: Duration::ZERO,
            worker,
            kind: EventKind::Idle { nominee: None, level: None, nodes: 0, put_down: false },
        }
    }

    #[test]
    fn a_full_channel_counts_what_it_loses_and_keeps_the_order() {
        let (sender, receiver) = channel(2);
        (0..5).for_each(|worker| sender.send(idle(worker)));
        assert_eq!(sender.lost(), 3);
        assert_eq!(receiver.try_iter().map(|event| event.worker).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn every_kind_is_read_as_it_was_written() {
        for (text, kind) in [
            (r#"{"began":{"depth":7}}"#, EventKind::Began { depth: 7 }),
            (
                r#"{"hired":{"by":1,"depth":3,"left":2,"company":[4],"entered":5}}"#,
                EventKind::Hired { by: 1, depth: 3, left: Some(2), company: vec![4], entered: Some(5) },
            ),
            (
                r#"{"hired":{"by":1,"depth":3}}"#,
                EventKind::Hired { by: 1, depth: 3, left: None, company: Vec::new(), entered: None },
            ),
            (r#"{"donated":{"to":1,"helpers":2}}"#, EventKind::Donated { to: 1, helpers: 2 }),
            (
                r#"{"idle":{"nominee":0,"level":3,"nodes":4}}"#,
                EventKind::Idle { nominee: Some(0), level: Some(3), nodes: 4, put_down: false },
            ),
            (r#"{"idle":{"nodes":4}}"#, EventKind::Idle { nominee: None, level: None, nodes: 4, put_down: false }),
            (r#""first_tour""#, EventKind::FirstTour),
            (r#"{"rule_changed":{"rule":"next"}}"#, EventKind::RuleChanged { rule: HandOver::Next }),
            (r#""paused""#, EventKind::Paused),
            (r#""resumed""#, EventKind::Resumed),
            (r#""finished""#, EventKind::Finished),
        ] {
            let text = format!(r#"{{"at":1300,"worker":6,"kind":{text}}}"#);
            let event = Event { at: Duration::from_micros(1300), worker: 6, kind };
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event, "{text}");
        }
        assert!(serde_json::from_str::<Event>(r#"{"at":-1,"worker":6,"kind":"paused"}"#).is_err());
    }

    #[test]
    fn a_run_without_a_viewer_loses_no_event() {
        let sender = EventSender::nowhere();
        sender.send(idle(0));
        assert_eq!(sender.lost(), 0);
    }
}
