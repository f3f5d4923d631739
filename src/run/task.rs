//! The work of a run as stretches of time: a worker has a task from when it gets a branch until it runs dry, and has none
//! in between. A fold of events, so that whoever draws the stretches and whoever adds them up agree.
//!
//! What ends and begins a task is told by every scheduler in its own way:
//!
//! * hire: a task is what a worker got when it was hired, with all that it did not give away again
//! * rayon: a task is what a thread does from one theft to the next, its own pieces included
//! * static: a task is what was dealt to a worker; that of worker 0 before it is opening the tree for all
//! * serial, and a device: one task. Whatever breaks for a checkpoint begins again with what it had left

use crate::event::{Event, EventKind};
use std::time::Duration;

/// A worker had a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Task {
    /// Whose it was.
    pub worker: usize,
    /// Who gave it, if it was handed over.
    pub by: Option<usize>,
    /// Depth of the branch; not known where the event that said so was lost.
    pub depth: Option<usize>,
    /// When it began.
    pub from: Duration,
    /// When the worker ran dry.
    pub to: Duration,
    /// Nodes entered; not known where the event that said so was lost, or has not come.
    pub nodes: Option<u64>,
}

/// A worker had none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Which one.
    pub worker: usize,
    /// Since when.
    pub from: Duration,
    /// Until it got something to do, or all ended.
    pub to: Duration,
    /// Whom it had nominated.
    pub nominee: Option<usize>,
}

/// A stretch of time of one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stretch {
    /// With a task.
    Task(Task),
    /// Without.
    Gap(Gap),
}

/// What a worker does now.
#[derive(Clone, Copy, Debug)]
enum Now {
    Works { since: Duration, by: Option<usize>, depth: usize },
    Waits { since: Duration, nominee: Option<usize> },
}

/// What every worker does now, as far as events have told.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    now: Vec<Now>,
}

impl Tasks {
    /// Of workers that have nothing to do yet, at this time of the run.
    pub fn new(workers: usize, at: Duration) -> Tasks {
        Tasks { now: vec![Now::Waits { since: at, nominee: None }; workers] }
    }

    /// Takes in the next event of a worker; answers the stretch that it ends, if it does. One of a worker that there is
    /// not says nothing.
    pub fn take(&mut self, event: &Event) -> Option<Stretch> {
        let &Event { at, worker, ref kind } = event;
        let now = self.now.get_mut(worker)?;
        let (next, nodes) = match *kind {
            EventKind::Began { depth } => (Now::Works { since: at, by: None, depth }, None),
            EventKind::Hired { by, depth, .. } => (Now::Works { since: at, by: Some(by), depth }, None),
            EventKind::Idle { nominee, nodes, .. } => (Now::Waits { since: at, nominee }, Some(nodes)),
            _ => return None,
        };
        let ended = now.stretch(worker, at, nodes);
        match (*now, nodes) {
            // It still has nothing to do.
            (Now::Waits { since, .. }, Some(0)) => {
                *now = Now::Waits { since, nominee: next.nominee() };
                return None;
            }
            // It had a task of which nobody knows when it got it.
            (Now::Waits { .. }, Some(_)) => {
                *now = next;
                return Some(Stretch::Task(Task { worker, by: None, depth: None, from: at, to: at, nodes }));
            }
            _ => *now = next,
        }
        Some(ended)
    }

    /// The run has ended at this time, or nobody knows how it went on: what every worker was doing.
    pub fn end(&mut self, at: Duration) -> Vec<Stretch> {
        let now = std::mem::take(&mut self.now);
        now.into_iter().enumerate().map(|(worker, now)| now.stretch(worker, at, None)).collect()
    }
}

impl Now {
    fn nominee(self) -> Option<usize> {
        match self {
            Now::Waits { nominee, .. } => nominee,
            Now::Works { .. } => None,
        }
    }

    /// The stretch that this has become.
    fn stretch(self, worker: usize, at: Duration, nodes: Option<u64>) -> Stretch {
        match self {
            Now::Works { since, by, depth } => {
                Stretch::Task(Task { worker, by, depth: Some(depth), from: since, to: at.max(since), nodes })
            }
            Now::Waits { since, nominee } => Stretch::Gap(Gap { worker, from: since, to: at.max(since), nominee }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn take(tasks: &mut Tasks, at: u64, worker: usize, kind: EventKind) -> Option<Stretch> {
        tasks.take(&Event { at: ms(at), worker, kind })
    }

    fn hired(by: usize) -> EventKind {
        EventKind::Hired { by, depth: 3, left: None, company: Vec::new() }
    }

    fn idle(nodes: u64) -> EventKind {
        EventKind::Idle { nominee: Some(0), level: None, nodes }
    }

    #[test]
    fn tasks_and_gaps_follow_one_another_to_the_end() {
        let mut tasks = Tasks::new(2, ms(0));
        let task = |worker, by, depth, [from, to]: [u64; 2], nodes| {
            Some(Stretch::Task(Task { worker, by, depth, from: ms(from), to: ms(to), nodes }))
        };
        let gap =
            |worker, [from, to]: [u64; 2], nominee| Stretch::Gap(Gap { worker, from: ms(from), to: ms(to), nominee });
        assert_eq!(take(&mut tasks, 0, 0, EventKind::Began { depth: 0 }), Some(gap(0, [0, 0], None)));
        assert_eq!(take(&mut tasks, 1, 1, idle(0)), None);
        assert_eq!(take(&mut tasks, 4, 1, hired(0)), Some(gap(1, [0, 4], Some(0))));
        assert_eq!(take(&mut tasks, 9, 1, idle(70)), task(1, Some(0), Some(3), [4, 9], Some(70)));
        assert_eq!(take(&mut tasks, 9, 5, idle(70)), None, "there is no such worker");
        assert_eq!(take(&mut tasks, 9, 0, EventKind::FirstTour), None);
        assert_eq!(
            tasks.end(ms(12)),
            [task(0, None, Some(0), [0, 12], None), Some(gap(1, [9, 12], Some(0)))].map(|end| end.unwrap())
        );
    }

    #[test]
    fn what_was_lost_is_not_made_up() {
        let mut tasks = Tasks::new(1, ms(0));
        // That it was hired was lost, and then that it ran dry.
        let told = |stretch| match stretch {
            Some(Stretch::Task(task)) => (task.depth, task.from, task.to, task.nodes),
            other => panic!("{other:?}"),
        };
        assert_eq!(told(take(&mut tasks, 5, 0, idle(7))), (None, ms(5), ms(5), Some(7)));
        take(&mut tasks, 6, 0, hired(1));
        assert_eq!(told(take(&mut tasks, 9, 0, hired(1))), (Some(3), ms(6), ms(9), None));
    }
}
