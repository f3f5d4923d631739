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
pub struct WorkerTask {
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
    Task(WorkerTask),
    /// Without.
    Gap(Gap),
}

/// What a worker does now.
#[derive(Clone, Copy, Debug)]
enum Now {
    /// It works on a task, whose end is still open; of the one before, that it ended may still be to be told.
    Works {
        task: WorkerTask,
        before: Option<WorkerTask>,
    },
    Waits {
        since: Duration,
        nominee: Option<usize>,
    },
}

/// What every worker does now, as far as events have told.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    now: Vec<Now>,
}

/// The stretches that an event ends, in their order: two at most.
pub type EndedStretches = [Option<Stretch>; 2];

impl Tasks {
    /// Of workers that have nothing to do yet, at this time of the run.
    pub fn new(workers: usize, at: Duration) -> Tasks {
        Tasks { now: vec![Now::Waits { since: at, nominee: None }; workers] }
    }

    /// Takes in the next event of a worker; answers what it ends. One of a worker that there is not says nothing.
    pub fn take(&mut self, event: &Event) -> EndedStretches {
        let &Event { at, worker, ref kind } = event;
        let Some(now) = self.now.get_mut(worker) else { return [None; 2] };
        match *kind {
            EventKind::Began { depth } => now.begin(worker, at, None, depth),
            EventKind::Hired { by, depth, .. } => now.begin(worker, at, Some(by), depth),
            EventKind::Idle { nominee, nodes, .. } => now.run_dry(worker, at, nominee, nodes),
            _ => [None; 2],
        }
    }

    /// Since when a worker has nothing to do, unless it works.
    pub fn dry(&self, worker: usize) -> Option<Duration> {
        match self.now.get(worker)? {
            &Now::Waits { since, .. } => Some(since),
            Now::Works { .. } => None,
        }
    }

    /// The run has ended at this time, or nobody knows how it went on: what every worker was doing.
    pub fn end(&mut self, at: Duration) -> Vec<Stretch> {
        let now = std::mem::take(&mut self.now);
        now.into_iter().enumerate().flat_map(|(worker, now)| now.end(worker, at)).flatten().collect()
    }
}

impl Now {
    /// It has got something to do.
    fn begin(&mut self, worker: usize, at: Duration, by: Option<usize>, depth: usize) -> EndedStretches {
        let task = WorkerTask { worker, by, depth: Some(depth), from: at, to: at, nodes: None };
        // A worker is hired as soon as it has said that it waits, and that it ran dry may be told after that.
        let (before, ended) = match *self {
            Now::Works { task, before } => {
                (Some(WorkerTask { to: at.max(task.from), ..task }), [before.map(Stretch::Task), None])
            }
            Now::Waits { .. } => (None, self.end(worker, at)),
        };
        *self = Now::Works { task, before };
        ended
    }

    /// It has, or had then, nothing to do any more.
    fn run_dry(&mut self, worker: usize, at: Duration, nominee: Option<usize>, entered: u64) -> EndedStretches {
        let nodes = Some(entered);
        match *self {
            Now::Works { task, before: Some(before) } if at <= task.from => {
                let to = at.max(before.from);
                *self = Now::Works { task, before: None };
                let gap = Gap { worker, from: to, to: task.from.max(to), nominee };
                return [Some(Stretch::Task(WorkerTask { to, nodes, ..before })), Some(Stretch::Gap(gap))];
            }
            // It still has nothing to do.
            Now::Waits { since, .. } if entered == 0 => {
                *self = Now::Waits { since, nominee };
                return [None; 2];
            }
            _ => {}
        }
        let ended = match *self {
            Now::Works { task, before } => {
                let task = WorkerTask { to: at.max(task.from), nodes, ..task };
                [before.map(Stretch::Task), Some(Stretch::Task(task))]
            }
            // It had a task of which nobody knows when it got it.
            Now::Waits { since, .. } => {
                let from = at.max(since);
                [Some(Stretch::Task(WorkerTask { worker, by: None, depth: None, from, to: from, nodes })), None]
            }
        };
        *self = Now::Waits { since: at, nominee };
        ended
    }

    /// What this has become by then.
    fn end(self, worker: usize, at: Duration) -> EndedStretches {
        match self {
            Now::Works { task, before } => {
                let task = WorkerTask { to: at.max(task.from), ..task };
                [before.map(Stretch::Task), Some(Stretch::Task(task))]
            }
            Now::Waits { since, nominee } => {
                [Some(Stretch::Gap(Gap { worker, from: since, to: at.max(since), nominee })), None]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn take(tasks: &mut Tasks, at: u64, worker: usize, kind: EventKind) -> Vec<Stretch> {
        tasks.take(&Event { at: ms(at), worker, kind }).into_iter().flatten().collect()
    }

    fn hired(by: usize) -> EventKind {
        EventKind::Hired { by, depth: 3, left: None, company: Vec::new() }
    }

    fn idle(nodes: u64) -> EventKind {
        EventKind::Idle { nominee: Some(0), level: None, nodes }
    }

    fn task(
        worker: usize,
        by: Option<usize>,
        depth: Option<usize>,
        [from, to]: [u64; 2],
        nodes: Option<u64>,
    ) -> Stretch {
        Stretch::Task(WorkerTask { worker, by, depth, from: ms(from), to: ms(to), nodes })
    }

    fn gap(worker: usize, [from, to]: [u64; 2], nominee: Option<usize>) -> Stretch {
        Stretch::Gap(Gap { worker, from: ms(from), to: ms(to), nominee })
    }

    #[test]
    fn tasks_and_gaps_follow_one_another_to_the_end() {
        let mut tasks = Tasks::new(2, ms(0));
        assert_eq!(take(&mut tasks, 0, 0, EventKind::Began { depth: 0 }), [gap(0, [0, 0], None)]);
        assert_eq!(take(&mut tasks, 1, 1, idle(0)), []);
        assert_eq!((tasks.dry(0), tasks.dry(1), tasks.dry(2)), (None, Some(ms(0)), None));
        assert_eq!(take(&mut tasks, 4, 1, hired(0)), [gap(1, [0, 4], Some(0))]);
        assert_eq!(take(&mut tasks, 9, 1, idle(70)), [task(1, Some(0), Some(3), [4, 9], Some(70))]);
        assert_eq!(take(&mut tasks, 9, 5, idle(70)), [], "there is no such worker");
        assert_eq!(take(&mut tasks, 9, 0, EventKind::FirstTour), []);
        assert_eq!(tasks.end(ms(12)), [task(0, None, Some(0), [0, 12], None), gap(1, [9, 12], Some(0))]);
    }

    #[test]
    fn that_a_worker_ran_dry_may_be_told_after_it_was_hired_again() {
        let mut tasks = Tasks::new(2, ms(0));
        take(&mut tasks, 1, 1, hired(0));
        assert_eq!(take(&mut tasks, 6, 1, hired(0)), []);
        let late = take(&mut tasks, 5, 1, idle(7));
        assert_eq!(late, [task(1, Some(0), Some(3), [1, 5], Some(7)), gap(1, [5, 6], Some(0))]);
        assert_eq!(tasks.dry(1), None);
        assert_eq!(take(&mut tasks, 9, 1, idle(8)), [task(1, Some(0), Some(3), [6, 9], Some(8))]);
    }

    #[test]
    fn what_was_lost_is_not_made_up() {
        let mut tasks = Tasks::new(1, ms(0));
        // That it was hired was lost, and then that it ran dry.
        assert_eq!(take(&mut tasks, 5, 0, idle(7)), [task(0, None, None, [5, 5], Some(7))]);
        take(&mut tasks, 6, 0, hired(1));
        assert_eq!(take(&mut tasks, 9, 0, hired(1)), []);
        let ended = take(&mut tasks, 11, 0, idle(3));
        assert_eq!(ended, [task(0, Some(1), Some(3), [6, 9], None), task(0, Some(1), Some(3), [9, 11], Some(3))]);
        take(&mut tasks, 12, 0, hired(1));
        take(&mut tasks, 13, 0, hired(1));
        let last = [[12, 13], [13, 15]].map(|span| task(0, Some(1), Some(3), span, None));
        assert_eq!(tasks.end(ms(15)), last);
    }
}
