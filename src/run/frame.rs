//! One look at a run of any kind: owned data, with no thread, clock or device behind it.

use super::machine::Machine;
use crate::bounded::FileKind;
use crate::count;
use crate::event::{Event, EventKind};
use crate::gpu::DeviceLabel;
use crate::gpu::map::Map;
use crate::schedule::{Snapshot, THREADS_MAX};
use crate::search::Drawing;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use std::time::Duration;

/// The version of the frame format. A reader of frames from another process compares it first.
pub const FORMAT: u32 = FileKind::Journal.version();

/// Most events in a frame, so that a line of a journal holds them.
pub const EVENTS_MAX: usize = 1 << 15;

/// One look at a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Frame {
    /// The state of the run.
    pub body: Body,
    /// The events since the look before.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_events")]
    pub events: Vec<Event>,
}

impl Frame {
    /// Time since the run began.
    pub fn at(&self) -> Duration {
        match &self.body {
            Body::Tree(tree) => tree.snapshot.elapsed,
            Body::Count(seen) => Duration::try_from_secs_f64(seen.elapsed_s).unwrap_or_default(),
            Body::Map(filled) => filled.took,
            Body::Cycles(machine) => machine.total.wall,
        }
    }

    /// When a run ended, if an event of this look tells; a race may go on with another one.
    pub fn ended(&self) -> Option<Duration> {
        self.events.iter().rfind(|event| event.kind == EventKind::Finished).map(|event| event.at)
    }

    /// The look at a crew.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        if let Body::Tree(tree) = &self.body { Some(&tree.snapshot) } else { None }
    }

    pub fn position(&self, worker: usize) -> Option<&Drawing> {
        let Body::Tree(tree) = &self.body else { return None };
        tree.positions.iter().find(|(other, _)| *other == worker).map(|(_, drawing)| drawing)
    }
}

/// The newest frame that its reader has not taken yet, with the events and positions of the frames that it replaced.
#[derive(Default)]
pub struct NewestFrame {
    frame: Option<Frame>,
    /// Events dropped since the run began, because no frame holds more.
    events_lost: u64,
}

impl NewestFrame {
    /// Replaces the frame by a newer one.
    pub fn put(&mut self, mut frame: Frame) {
        if let Some(Frame { body, mut events }) = self.frame.take() {
            events.append(&mut frame.events);
            frame.events = events;
            if let (Body::Tree(old), Body::Tree(new)) = (body, &mut frame.body) {
                let mut positions = old.positions;
                positions.retain(|(worker, _)| new.positions.iter().all(|(other, _)| other != worker));
                new.positions.append(&mut positions);
                if new.snapshot.waits.is_empty() {
                    (new.snapshot.waits, new.snapshot.groups) = (old.snapshot.waits, old.snapshot.groups);
                }
                new.positions.sort_by_key(|(worker, _)| *worker);
            }
        }
        if frame.events.len() > EVENTS_MAX {
            // More than one frame needs, so that not every frame moves all events.
            let dropped = frame.events.len() - EVENTS_MAX / 4 * 3;
            frame.events.drain(..dropped);
            self.events_lost += dropped as u64;
        }
        if let Body::Tree(tree) = &mut frame.body {
            tree.snapshot.events_lost += self.events_lost;
        }
        self.frame = Some(frame);
    }

    /// Takes the frame out, if there is one.
    pub fn take(&mut self) -> Option<Frame> {
        self.frame.take()
    }

    pub fn is_some(&self) -> bool {
        self.frame.is_some()
    }
}

/// Reads events, each of workers that a crew can have.
fn read_events<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
    let events = Vec::<Event>::deserialize(deserializer)?;
    for event in &events {
        let (others, helpers): (&[usize], usize) = match &event.kind {
            EventKind::Hired { by, company, .. } if *by < THREADS_MAX => (company, company.len()),
            EventKind::Hired { by, .. } => (std::slice::from_ref(by), 0),
            EventKind::Donated { to, helpers } => (std::slice::from_ref(to), *helpers),
            EventKind::Idle { nominee, .. } => (nominee.as_slice(), 0),
            _ => (&[], 0),
        };
        if let Some(worker) = others.iter().chain([&event.worker]).find(|&&worker| worker >= THREADS_MAX) {
            return Err(D::Error::custom(format!("no crew has a worker {worker}")));
        }
        if helpers > THREADS_MAX {
            return Err(D::Error::custom(format!("no crew has {helpers} helpers")));
        }
    }
    Ok(events)
}

/// Reads positions, each of a worker that a crew can have.
fn read_positions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(usize, Drawing)>, D::Error> {
    let positions = Vec::<(usize, Drawing)>::deserialize(deserializer)?;
    match positions.iter().find(|(worker, _)| *worker >= THREADS_MAX) {
        Some((worker, _)) => Err(D::Error::custom(format!("no crew has a worker {worker}"))),
        None => Ok(positions),
    }
}

/// The state of a run, by its kind.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The search of a tree, or a race of attempts at a tour.
    Tree(Box<TreeFrame>),
    /// A count by frontier states.
    Count(Box<count::CountSnapshot>),
    /// A batch of knights.
    Map(Box<Filled>),
    /// The device that goes through the cycles of the three-cycle board.
    Cycles(Box<Machine>),
}

/// A search or a race at one moment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TreeFrame {
    /// The figures of the meters.
    pub snapshot: Snapshot,
    /// Positions of some workers, by worker number: of the [selected](super::Wish::Select) worker a few times a second,
    /// of all workers once a second, and of each worker hired since the look before. In a free run a faster display
    /// would only flicker.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "read_positions")]
    pub positions: Vec<(usize, Drawing)>,
}

/// The results of a batch of knights so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Filled {
    /// The device that moves the knights, and why no better device does, which may be empty; `None` while the device is
    /// being chosen.
    pub placed: Option<(DeviceLabel, String)>,
    /// The paths of the knights; `None` before the first result.
    pub map: Option<Map>,
    /// Time that the work took.
    pub took: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_replaced_frames_that_are_too_many_for_one_are_counted_as_lost() {
        let frame = |events: usize| {
            let event = |worker| Event { at: Duration::ZERO, worker, kind: EventKind::Paused };
            let body = TreeFrame { snapshot: Snapshot::default(), positions: vec![(events, Drawing::default())] };
            Frame { body: Body::Tree(Box::new(body)), events: (0..events).map(event).collect() }
        };
        let mut newest = NewestFrame::default();
        let (most, held_then) = (EVENTS_MAX, EVENTS_MAX / 4 * 3);
        for (events, lost, workers) in [(most, 0, vec![most]), (3, most + 3 - held_then, vec![3, most])] {
            newest.put(frame(events));
            let Some(Frame { body: Body::Tree(tree), events: held }) = &newest.frame else { panic!("a search") };
            assert_eq!((tree.snapshot.events_lost, held.len()), (lost as u64, events.max(held_then)));
            assert_eq!(held.last().map(|event| event.worker), Some(events - 1));
            assert_eq!(tree.positions.iter().map(|(worker, _)| *worker).collect::<Vec<_>>(), workers);
        }
        assert!(newest.take().is_some() && newest.take().is_none());
        newest.put(frame(2));
        let Some(Frame { body: Body::Tree(tree), events }) = newest.take() else { panic!("a search") };
        assert_eq!(
            (tree.snapshot.events_lost as usize, events.len(), tree.positions.len()),
            (most + 3 - held_then, 2, 1)
        );
    }
}
