//! What became of a branch that was handed over, as the events, meters and positions of a run tell it.

use super::{Moment, RunHistory};
use crate::event::{Event, EventKind};
use crate::run::task::{Stretch, Tasks};
use crate::schedule::Snapshot;
use crate::search::Drawing;
use std::collections::HashMap;
use std::time::Duration;

/// A branch that one worker gave another one, and all branches that were given out of it.
#[derive(Clone, PartialEq, Debug)]
pub struct HandedBranch {
    /// The branch itself first. Behind each one stand those that its worker gave out of it, each followed by its own.
    pub parts: Vec<BranchPart>,
    /// When the run was saved: nobody knows which worker goes on with what was left of these branches.
    pub saved_at: Option<Duration>,
    /// The squares from the root to the branch, if a position of its worker was seen that shows them.
    pub path: Option<Vec<u32>>,
}

/// One of these branches.
#[derive(Clone, PartialEq, Debug)]
pub struct BranchPart {
    pub at: Duration,
    pub by: usize,
    pub worker: usize,
    pub depth: usize,
    /// Hires between the first branch and this one.
    pub below: usize,
    /// When its worker ran dry.
    pub ended: Option<Duration>,
    /// Nodes that its worker entered in it, without those that it gave away; `None` if they are not known.
    pub own: Option<u64>,
    /// Its own nodes and those of all branches that were given out of it, as far as they are known.
    pub nodes: u64,
    /// Whether they have all ended, and their nodes are known.
    pub is_whole: bool,
}

/// The branches in the order of their hires.
#[derive(Default)]
struct Family {
    parts: Vec<BranchPart>,
    /// Of each branch: that of its giver.
    parents: Vec<Option<usize>>,
    /// By worker and begin.
    begun: HashMap<(usize, Duration), usize>,
    /// The branch that a worker has now.
    now: HashMap<usize, usize>,
    saved_at: Option<Duration>,
}

impl Family {
    /// Adds an event, if it is of the hire or of a branch of its family.
    fn take(&mut self, event: &Event, hire: &Event) {
        let &Event { at, worker, ref kind } = event;
        match *kind {
            EventKind::Hired { by, depth, .. } => {
                let parent = self.now.get(&by).copied();
                self.now.remove(&worker);
                if parent.is_some() || (self.parts.is_empty() && event == hire) {
                    let place = self.parts.len();
                    let below = parent.map_or(0, |parent| self.parts[parent].below + 1);
                    let part =
                        BranchPart { at, by, worker, depth, below, ended: None, own: None, nodes: 0, is_whole: true };
                    self.parts.push(part);
                    self.parents.push(parent);
                    self.begun.insert((worker, at), place);
                    self.now.insert(worker, place);
                }
            }
            EventKind::Began { .. } if !self.parts.is_empty() => self.saved_at = self.saved_at.or(Some(at)),
            _ => {}
        }
    }

    /// A task has ended.
    fn end(&mut self, stretch: &Stretch) {
        let Stretch::Task(task) = stretch else { return };
        let Some(&place) = self.begun.get(&(task.worker, task.from)) else { return };
        (self.parts[place].ended, self.parts[place].own) = (Some(task.to), task.nodes);
        if self.now.get(&task.worker) == Some(&place) {
            self.now.remove(&task.worker);
        }
    }

    /// Adds up the nodes, and puts each branch behind that of its giver.
    fn in_order(mut self) -> Vec<BranchPart> {
        let mut children = vec![Vec::new(); self.parts.len()];
        for place in (0..self.parts.len()).rev() {
            let part = &mut self.parts[place];
            part.nodes += part.own.unwrap_or(0);
            part.is_whole &= part.own.is_some() && part.ended.is_some();
            let (nodes, is_whole) = (part.nodes, part.is_whole);
            if let Some(parent) = self.parents[place] {
                self.parts[parent].nodes += nodes;
                self.parts[parent].is_whole &= is_whole;
                // The last one is the first of them.
                children[parent].push(place);
            }
        }
        let (mut order, mut next) = (Vec::new(), vec![0]);
        while let Some(place) = next.pop() {
            order.push(self.parts[place].clone());
            next.append(&mut children[place]);
        }
        order
    }
}

impl RunHistory {
    /// What became of the branch of this hire until a moment; `None` if the hire is not kept, or is still to come then.
    pub fn branch(&self, hire: &Event, moment: Moment) -> Option<HandedBranch> {
        let seen = self.frame(moment)?.snapshot()?;
        let (mut tasks, mut family) = (Tasks::new(seen.workers.len(), Duration::ZERO), Family::default());
        let mut done = vec![0; seen.workers.len()];
        for event in self.events.range(..self.happened(moment)) {
            for stretch in tasks.take(event).into_iter().flatten() {
                if let Stretch::Task(task) = stretch {
                    done[task.worker] += task.nodes.unwrap_or(0);
                }
                family.end(&stretch);
            }
            family.take(event, hire);
        }
        let first = family.parts.first()?;
        let path = self.path_to(first, first.ended.unwrap_or(moment.at));
        if self.knows_all_tasks(seen) {
            for (&worker, &place) in &family.now {
                family.parts[place].own = Some(seen.workers.get(worker)?.nodes.saturating_sub(done[worker]));
            }
        }
        Some(HandedBranch { saved_at: family.saved_at, path, parts: family.in_order() })
    }

    /// Whether the nodes of a worker less those of its tasks that have ended are those of its present task: no event is missing.
    fn knows_all_tasks(&self, seen: &Snapshot) -> bool {
        let Some(first) = self.frames.front().and_then(|first| first.snapshot()) else { return false };
        // Those that the first look has counted stand before the second one.
        let until = self.frames.get(1).map_or(first.elapsed, |second| second.at());
        let early = self.events.iter().take_while(|event| event.at <= until);
        let hires = early.filter(|event| matches!(event.kind, EventKind::Hired { .. })).count() as u64;
        let earlier = first.earlier.map_or(0, |earlier| earlier.sharing.hires);
        self.forgotten == 0
            && seen.events_lost == 0
            && first.hires() <= hires + earlier
            && first.earlier == seen.earlier
    }

    /// The squares to a branch, from a position of its worker in it. A worker tells its position some twenty times a second: only
    /// one that differs from that of its wait, or from the first one since, is surely of this branch.
    fn path_to(&self, branch: &BranchPart, until: Duration) -> Option<Vec<u32>> {
        let own =
            self.events.iter().take_while(|event| event.at <= branch.at).filter(|event| event.worker == branch.worker);
        let mut dry = None;
        let mut has_worked = self.events.front().is_none_or(|event| !matches!(event.kind, EventKind::Began { .. }));
        for event in own {
            match event.kind {
                EventKind::Idle { nodes, .. } => (dry, has_worked) = (Some(event.at), has_worked || nodes > 0),
                EventKind::Began { .. } => has_worked = true,
                EventKind::Hired { .. } if event.at < branch.at => has_worked = true,
                _ => {}
            }
        }
        let empty = Drawing::default();
        let mut before = Some(&empty).filter(|_| !has_worked);
        let frames = self.frames.range(self.frames.partition_point(|frame| frame.at() < dry.unwrap_or(branch.at))..);
        for frame in frames.take_while(|frame| frame.at() <= until) {
            let Some(drawing) = frame.position(branch.worker) else { continue };
            let is_of_branch = *before.get_or_insert(drawing) != drawing && frame.at() > branch.at;
            if let ([path], 0, true) = (&drawing.chains[..], drawing.skipped, is_of_branch)
                && let Some(path) = path.get(..branch.depth)
            {
                return Some(path.to_vec());
            }
        }
        None
    }
}
