//! Whoever looks on while a simulation goes on, and what there is to see: the workers at one moment of the virtual clock, as
//! a crew of threads would be seen. The simulation waits while it is looked at, and goes the same way whoever looks.

use super::costs::{NODE, Ticks, shown};
use super::hand::VirtualWorker;
use crate::event::Event;
use crate::schedule::{WorkerSnapshot, WorkerState};
use crate::search::{Drawing, HandOver, Tally};

/// Looks on.
pub trait SimulationObserver {
    /// Something rare has happened, at its time on the virtual clock as it is [shown].
    fn happened(&mut self, event: Event);

    /// Every turn before this time has been taken, and none later. It is called for every turn from the time on that it asked
    /// for, and now and then before; the simulation goes on when it answers.
    fn arrived(&mut self, at: Ticks, seen: &VirtualSnapshot<'_>) -> OnlookerRequest;
}

/// What an onlooker asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OnlookerRequest {
    /// Up to which time it need not be asked again soon.
    pub until: Ticks,
    /// By which rule is to be hired from now on, where anybody is; nothing: as before.
    pub hand_over: Option<HandOver>,
}

/// The workers of a simulation at one moment.
pub struct VirtualSnapshot<'s> {
    hands: &'s [VirtualWorker],
    tally: &'s Tally,
    bosses: &'s dyn Fn(usize) -> Option<usize>,
    /// Whether it has ended.
    over: bool,
}

impl<'s> VirtualSnapshot<'s> {
    /// Of these workers and what they have counted; `bosses` says at whom one waits.
    pub(super) fn new(
        hands: &'s [VirtualWorker],
        tally: &'s Tally,
        bosses: &'s dyn Fn(usize) -> Option<usize>,
        over: bool,
    ) -> VirtualSnapshot<'s> {
        VirtualSnapshot { hands, tally, bosses, over }
    }

    /// How many workers there are.
    pub fn size(&self) -> usize {
        self.hands.len()
    }

    /// Whether this is the end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Every worker at this time, not before that of its last turn. The time in which it enters nodes counts as that of a
    /// processor: what it has a task for besides goes into handing over.
    pub fn workers(&self, at: Ticks) -> Vec<WorkerSnapshot> {
        self.hands.iter().enumerate().map(|(worker, hand)| self.worker(worker, hand, at)).collect()
    }

    fn worker(&self, worker: usize, hand: &VirtualWorker, at: Ticks) -> WorkerSnapshot {
        let busy = hand.busy_by(at).min(at);
        let has_work = hand.has_task() && !self.over;
        let boss = if has_work || self.over { None } else { (self.bosses)(worker) };
        let state = match (self.over, has_work, boss) {
            (true, ..) => WorkerState::Done,
            (false, true, _) => WorkerState::Busy,
            (false, false, Some(_)) => WorkerState::Waiting,
            (false, false, None) => WorkerState::Idle,
        };
        WorkerSnapshot {
            state,
            nodes: hand.nodes,
            tours: hand.tours,
            depth: if has_work { hand.kernel().depth() } else { 0 },
            level: if has_work { hand.kernel().branches().open_level() } else { None },
            hires: hand.hires,
            donations: hand.donations,
            attempts: 0,
            busy: shown(busy),
            idle: shown(at - busy),
            // The nodes of a burst are counted when it begins.
            cpu: shown(busy.min(hand.nodes * NODE)),
            boss,
            group: None,
        }
    }

    /// What all of them have counted.
    pub fn tally(&self) -> &Tally {
        self.tally
    }

    /// The position of a worker.
    pub fn drawing(&self, worker: usize) -> Drawing {
        let mut drawing = Drawing::default();
        if let Some(hand) = self.hands.get(worker) {
            hand.kernel().draw(&mut drawing);
        }
        drawing
    }
}
