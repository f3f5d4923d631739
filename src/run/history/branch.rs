//! What became of a branch that was handed over, as the events, meters and positions of a run tell it.

use super::{Moment, RunHistory};
use crate::event::{Event, EventKind};
use crate::run::task::{Stretch, Tasks};
use crate::schedule::Snapshot;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// A branch that one worker gave another one, and all branches that were given out of it.
#[derive(Clone, PartialEq, Debug)]
pub struct HandedBranch {
    /// The branch itself first. Behind each one stand those that its worker gave out of it, each followed by its own.
    pub parts: Vec<BranchPart>,
    /// When the run was saved, in a recording of before workers told that they put their branches down: no event tells there
    /// which worker resumes the rest of a branch.
    pub saved_at: Option<Duration>,
    /// The squares from the root to the branch, if a position of its worker was seen that shows them.
    pub path: Option<Vec<u32>>,
}

/// One of these branches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BranchPart {
    pub by: usize,
    pub worker: usize,
    pub depth: usize,
    /// Number of hires from the first branch to this one.
    pub below: usize,
    /// When its worker ran dry.
    pub ended: Option<Duration>,
    /// Nodes that its worker entered in it, without those that it gave away; `None` if they are not known.
    pub own: Option<u64>,
    /// Its own nodes and those of all branches that were given out of it, as far as they are known.
    pub nodes: u64,
    /// Whether all of these branches and their nodes are known, and whether all have ended.
    pub is_known: bool,
    pub is_over: bool,
    /// The branch that it came out of, among these in the order of their hires.
    parent: Option<usize>,
}

impl RunHistory {
    /// What became of the branch of this hire until a moment; `None` if the hire is not kept, or is still to come then. Each worker
    /// `keeps` its branch over a save, or any may go on with it.
    pub fn branch(&self, hire: &Event, moment: Moment, keeps: bool) -> Option<HandedBranch> {
        let seen = self.frame(moment)?.snapshot()?;
        let (mut tasks, mut done) = (Tasks::new(seen.workers.len(), Duration::ZERO), vec![0; seen.workers.len()]);
        let (mut parts, mut saved_at) = (Vec::<BranchPart>::new(), None);
        // The branch of a task, by its worker and begin, and that of the present task of a worker.
        let (mut begun, mut now) = (HashMap::<(usize, Duration), usize>::new(), HashMap::<usize, usize>::new());
        let mut put_down = HashSet::new();
        for event in self.events.range(..self.happened(moment)) {
            for stretch in tasks.take(event).into_iter().flatten() {
                let Stretch::Task(task) = stretch else { continue };
                done[task.worker] += task.nodes.unwrap_or(0);
                if let Some(&place) = begun.get(&(task.worker, task.from)) {
                    let before = parts[place].own.unwrap_or(0);
                    (parts[place].ended, parts[place].own) =
                        (Some(task.to), task.nodes.map(|nodes| before.saturating_add(nodes)));
                }
            }
            let worker = event.worker;
            match event.kind {
                EventKind::Hired { by, depth, .. } => {
                    let parent = now.get(&by).copied().filter(|&parent| parts[parent].ended.is_none());
                    now.remove(&worker);
                    if parent.is_some() || parts.is_empty() && event == hire {
                        begun.insert((worker, event.at), parts.len());
                        now.insert(worker, parts.len());
                        let below = parent.map_or(0, |parent| parts[parent].below + 1);
                        let (ended, own, nodes, is_known, is_over) = (None, None, 0, seen.events_lost == 0, true);
                        parts.push(BranchPart {
                            by,
                            worker,
                            depth,
                            below,
                            ended,
                            own,
                            nodes,
                            is_known,
                            is_over,
                            parent,
                        });
                    }
                }
                EventKind::Idle { put_down: true, .. } if keeps => {
                    put_down.insert(worker);
                }
                // The rest of its branch.
                EventKind::Began { .. } if put_down.remove(&worker) => {
                    if let Some(&place) = now.get(&worker) {
                        parts[place].ended = None;
                        begun.insert((worker, event.at), place);
                    }
                }
                EventKind::Began { .. } if !parts.is_empty() => saved_at = saved_at.or(Some(event.at)),
                _ => {}
            }
        }
        let path = self.path_to(parts.first()?, hire.at, parts[0].ended.unwrap_or(moment.at));
        // The nodes of a worker less those of its tasks that have ended are those of its present one.
        let seen_whole = Some(seen).filter(|seen| self.knows_all_tasks(seen));
        for (worker, place) in now {
            let present = seen_whole.and_then(|seen| seen.workers.get(worker)).filter(|_| parts[place].ended.is_none());
            let present = present.map(|present| present.nodes.saturating_sub(done[worker]));
            if parts[place].ended.is_none() {
                let before = parts[place].own.unwrap_or(0);
                parts[place].own = present.map(|nodes| before.saturating_add(nodes));
            }
        }
        Some(HandedBranch { saved_at, path, parts: in_order(parts) })
    }

    /// Whether no event is missing: those of all hires that the first look has counted stand before the second one.
    fn knows_all_tasks(&self, seen: &Snapshot) -> bool {
        let Some(first) = self.frames.front().and_then(|first| first.snapshot()) else { return false };
        let until = self.frames.get(1).map_or(first.elapsed, |second| second.at());
        let early = self.events.iter().take_while(|event| event.at <= until);
        let hires = early.filter(|event| matches!(event.kind, EventKind::Hired { .. })).count() as u64;
        let earlier = first.earlier.map_or(0, |earlier| earlier.sharing.hires);
        let is_whole = self.forgotten == 0 && seen.events_lost == 0;
        is_whole && first.hires() <= hires + earlier && first.earlier == seen.earlier
    }

    /// The squares to a branch, from a position of its worker while it had it. The first one that is seen then may be older than
    /// the hire, as a worker tells its position at intervals. No path leads to a branch where pieces are joined.
    fn path_to(&self, branch: &BranchPart, from: Duration, until: Duration) -> Option<Vec<u32>> {
        let frames = self.frames.range(self.frames_by(from)..).take_while(|frame| frame.at() <= until);
        let positions: Vec<_> = frames.filter_map(|frame| frame.position(branch.worker)).collect();
        let is_path = positions.iter().all(|drawing| drawing.chains.len() == 1 && drawing.skipped == 0);
        let mut sure = positions.iter().filter(|drawing| is_path && **drawing != positions[0]);
        sure.find_map(|drawing| Some(drawing.chains[0].get(..branch.depth)?.to_vec()))
    }
}

/// Adds up the nodes, and puts each branch behind the one that it came out of.
fn in_order(mut parts: Vec<BranchPart>) -> Vec<BranchPart> {
    let mut children = vec![Vec::new(); parts.len()];
    for place in (0..parts.len()).rev() {
        let part = &mut parts[place];
        part.nodes += part.own.unwrap_or(0);
        part.is_known &= part.own.is_some();
        part.is_over &= part.ended.is_some();
        let part = *part;
        if let Some(parent) = part.parent {
            parts[parent].nodes += part.nodes;
            parts[parent].is_known &= part.is_known;
            parts[parent].is_over &= part.is_over;
            children[parent].push(place);
        }
    }
    let (mut order, mut next) = (Vec::new(), vec![0]);
    while let Some(place) = next.pop() {
        order.push(parts[place]);
        // The first one was put there last.
        next.append(&mut children[place]);
    }
    order
}
