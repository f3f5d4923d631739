//! The work of a run as tasks and gaps: a worker has a task from when it gets a branch until it runs out of work, and a
//! gap until the next one. Both are computed from events here alone, so that drawings and sums agree.
//!
//! Each scheduler reports tasks in its own way:
//!
//! * hire: a task is what a worker got when it was hired, less what it gave away again
//! * rayon: a task is what a thread does from one theft to the next, its own pieces included
//! * static: a task is what was dealt to a worker; an earlier task of worker 0 opens the tree for all
//! * serial, and a device: one task
//!
//! What is put down for a save ends here, and its rest is a new task: those who count tasks put both together

use crate::event::{Event, EventKind};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkerTask {
    pub worker: usize,
    /// The worker that gave it, if it was handed over.
    pub by: Option<usize>,
    /// Depth of the branch; `None` if the event with the depth was lost.
    pub depth: Option<usize>,
    /// When the task began.
    pub from: Duration,
    /// When the worker ran out of work.
    pub to: Duration,
    /// Nodes entered; `None` if the event with the number was lost or has not come.
    pub nodes: Option<u64>,
    /// What led to it.
    pub chain: Chain,
}

/// The way from the beginning of a run to a moment of a task: along each task on the way up to where it gave the next one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Chain {
    /// Nodes on the way.
    pub nodes: u64,
    /// Hires on the way.
    pub hires: u64,
    /// Whether something on the way is not known, so that there are more nodes.
    pub has_gaps: bool,
}

impl Chain {
    /// The chain after that many more nodes, if their number is known.
    pub fn after(self, nodes: Option<u64>) -> Chain {
        let more = nodes.unwrap_or(0);
        Chain { nodes: self.nodes.saturating_add(more), has_gaps: self.has_gaps || nodes.is_none(), ..self }
    }

    /// The chain of the worker that is hired here.
    fn hired(self) -> Chain {
        Chain { hires: self.hires + 1, ..self }
    }
}

/// A time of a worker without a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gap {
    pub worker: usize,
    /// When the gap began.
    pub from: Duration,
    /// When the worker got work, or the run ended.
    pub to: Duration,
    /// The worker that it had nominated.
    pub nominee: Option<usize>,
}

/// A task or a gap of one worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stretch {
    Task(WorkerTask),
    Gap(Gap),
}

/// What a worker does now.
#[derive(Clone, Copy, Debug)]
enum Now {
    /// It works on a task that has not ended. The end of the task before may not be reported yet.
    Works {
        task: WorkerTask,
        before: Option<WorkerTask>,
    },
    Waits {
        since: Duration,
        nominee: Option<usize>,
    },
}

/// What every worker does now, from the events so far.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    now: Vec<Now>,
    /// By worker: the chain up to where it last gave a branch, or got its own.
    gave: Vec<Chain>,
    joins: TaskJoins,
}

/// The chain of a task that begins without a giver. At a *join* all workers have stopped, and what begins after it continues
/// the longest chain: the parts that are dealt out when worker 0 has opened the tree, and all tasks after a break.
#[derive(Clone, Debug, Default)]
struct TaskJoins {
    /// The longest chain up to the end of a task.
    longest: Chain,
    /// The longest chain at the last join.
    joined: Chain,
    is_first: bool,
    /// Which workers have had a task since the last join.
    had_task: Vec<bool>,
    /// Tasks that have ended since then.
    ended: u64,
}

impl TaskJoins {
    fn new(workers: usize) -> TaskJoins {
        TaskJoins { is_first: true, had_task: vec![false; workers], ..TaskJoins::default() }
    }

    /// A worker begins without a giver; `none_works` says that no worker has a task. A worker does that once between two
    /// joins. Before the first join, a single task may have opened the tree.
    fn begin(&mut self, worker: usize, none_works: bool) -> Chain {
        let again = self.had_task[worker];
        if none_works && (again || (self.is_first && self.ended == 1)) {
            self.joined = self.longest;
            (self.is_first, self.ended) = (false, 0);
            self.had_task.fill(false);
        }
        // Where no worker has a task, this may have been a join all the same.
        let is_unclear = (none_works && self.ended > 0) || self.had_task[worker];
        self.had_task[worker] = true;
        if is_unclear { self.joined.after(None) } else { self.joined }
    }

    fn end(&mut self, stretch: &Stretch) {
        let Stretch::Task(task) = stretch else { return };
        self.ended += 1;
        let end = task.chain.after(task.nodes);
        if end.nodes >= self.longest.nodes {
            self.longest = end;
        }
    }
}

/// The tasks and gaps that an event ends, in order: two at most.
pub type EndedStretches = [Option<Stretch>; 2];

impl Tasks {
    /// Workers without work at this time of the run.
    pub fn new(workers: usize, at: Duration) -> Tasks {
        let now = vec![Now::Waits { since: at, nominee: None }; workers];
        Tasks { now, gave: vec![Chain::default(); workers], joins: TaskJoins::new(workers) }
    }

    /// Adds an event; returns the tasks and gaps that it ends. An event of an unknown worker is ignored.
    pub fn take(&mut self, event: &Event) -> EndedStretches {
        let &Event { at, worker, ref kind } = event;
        if worker >= self.now.len() {
            return [None; 2];
        }
        match *kind {
            EventKind::Began { depth } => {
                let none_works = self.now.iter().all(|now| matches!(now, Now::Waits { .. }));
                self.gave[worker] = self.joins.begin(worker, none_works);
                self.now[worker].begin(worker, at, None, depth, self.gave[worker])
            }
            EventKind::Hired { by, depth, entered, .. } => {
                let chain = self.give(by, entered);
                self.joins.had_task[worker] = true;
                self.gave[worker] = chain;
                self.now[worker].begin(worker, at, Some(by), depth, chain)
            }
            EventKind::Idle { nominee, nodes, .. } => {
                let ended = self.now[worker].run_out(worker, at, nominee, nodes);
                ended.iter().flatten().for_each(|stretch| self.joins.end(stretch));
                ended
            }
            _ => [None; 2],
        }
    }

    /// Worker `by` gives a branch after `entered` more nodes: returns the chain that leads there.
    fn give(&mut self, by: usize, entered: Option<u64>) -> Chain {
        match self.now.get(by) {
            Some(Now::Works { .. }) => {
                self.gave[by] = self.gave[by].after(entered);
                self.gave[by].hired()
            }
            // The beginning of its task was lost.
            _ => Chain::default().after(None).hired(),
        }
    }

    /// Since when a worker has no work; `None` while it has some.
    pub fn idle_since(&self, worker: usize) -> Option<Duration> {
        match self.now.get(worker)? {
            &Now::Waits { since, .. } => Some(since),
            Now::Works { .. } => None,
        }
    }

    /// The run has ended at this time, or is unknown from then on: returns the open tasks and gaps.
    pub fn end(&mut self, at: Duration) -> Vec<Stretch> {
        let now = std::mem::take(&mut self.now);
        now.into_iter().enumerate().flat_map(|(worker, now)| now.end(worker, at)).flatten().collect()
    }
}

impl Now {
    /// The worker has got work.
    fn begin(&mut self, worker: usize, at: Duration, by: Option<usize>, depth: usize, chain: Chain) -> EndedStretches {
        let task = WorkerTask { worker, by, depth: Some(depth), from: at, to: at, nodes: None, chain };
        // A worker can be hired as soon as it waits, and the event that it ran out of work may come later.
        let (before, ended) = match *self {
            Now::Works { task, before } => {
                (Some(WorkerTask { to: at.max(task.from), ..task }), [before.map(Stretch::Task), None])
            }
            Now::Waits { .. } => (None, self.end(worker, at)),
        };
        *self = Now::Works { task, before };
        ended
    }

    /// The worker has, or had at that time, no more work.
    fn run_out(&mut self, worker: usize, at: Duration, nominee: Option<usize>, entered: u64) -> EndedStretches {
        let nodes = Some(entered);
        match *self {
            Now::Works { task, before: Some(before) } if at <= task.from => {
                let to = at.max(before.from);
                *self = Now::Works { task, before: None };
                let gap = Gap { worker, from: to, to: task.from.max(to), nominee };
                return [Some(Stretch::Task(WorkerTask { to, nodes, ..before })), Some(Stretch::Gap(gap))];
            }
            // It still has no work.
            Now::Waits { since, .. } if entered == 0 => {
                *self = Now::Waits { since, nominee };
                return [None; 2];
            }
            _ => {}
        }
        let ended = match *self {
            Now::Works { task, before } => Now::Works { task: WorkerTask { nodes, ..task }, before }.end(worker, at),
            // It had a task whose beginning was lost.
            Now::Waits { since, .. } => {
                let from = at.max(since);
                let chain = Chain::default().after(None);
                let task = WorkerTask { worker, by: None, depth: None, from, to: from, nodes, chain };
                [Some(Stretch::Task(task)), None]
            }
        };
        *self = Now::Waits { since: at, nominee };
        ended
    }

    /// The tasks and gaps that end at this time.
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
        tasks.take(&Event { at: ms(at), worker, kind }).into_iter().flatten().map(bare).collect()
    }

    /// Without the chain, which the tests of the span look at.
    fn bare(stretch: Stretch) -> Stretch {
        match stretch {
            Stretch::Task(task) => Stretch::Task(WorkerTask { chain: Chain::default(), ..task }),
            gap => gap,
        }
    }

    fn end(tasks: &mut Tasks, at: u64) -> Vec<Stretch> {
        tasks.end(ms(at)).into_iter().map(bare).collect()
    }

    fn hired(by: usize) -> EventKind {
        EventKind::Hired { by, depth: 3, left: None, company: Vec::new(), entered: None }
    }

    fn idle(nodes: u64) -> EventKind {
        EventKind::Idle { nominee: Some(0), level: None, nodes, put_down: false }
    }

    fn task(
        worker: usize,
        by: Option<usize>,
        depth: Option<usize>,
        [from, to]: [u64; 2],
        nodes: Option<u64>,
    ) -> Stretch {
        Stretch::Task(WorkerTask { worker, by, depth, from: ms(from), to: ms(to), nodes, chain: Chain::default() })
    }

    fn gap(worker: usize, [from, to]: [u64; 2], nominee: Option<usize>) -> Stretch {
        Stretch::Gap(Gap { worker, from: ms(from), to: ms(to), nominee })
    }

    #[test]
    fn tasks_and_gaps_follow_one_another_to_the_end() {
        let mut tasks = Tasks::new(2, ms(0));
        assert_eq!(take(&mut tasks, 0, 0, EventKind::Began { depth: 0 }), [gap(0, [0, 0], None)]);
        assert_eq!(take(&mut tasks, 1, 1, idle(0)), []);
        assert_eq!((tasks.idle_since(0), tasks.idle_since(1), tasks.idle_since(2)), (None, Some(ms(0)), None));
        assert_eq!(take(&mut tasks, 4, 1, hired(0)), [gap(1, [0, 4], Some(0))]);
        assert_eq!(take(&mut tasks, 9, 1, idle(70)), [task(1, Some(0), Some(3), [4, 9], Some(70))]);
        assert_eq!(take(&mut tasks, 9, 5, idle(70)), [], "there is no such worker");
        assert_eq!(take(&mut tasks, 9, 0, EventKind::FirstTour), []);
        assert_eq!(end(&mut tasks, 12), [task(0, None, Some(0), [0, 12], None), gap(1, [9, 12], Some(0))]);
    }

    #[test]
    fn the_end_of_a_task_may_be_reported_after_the_next_hire() {
        let mut tasks = Tasks::new(2, ms(0));
        take(&mut tasks, 1, 1, hired(0));
        assert_eq!(take(&mut tasks, 6, 1, hired(0)), []);
        let late = take(&mut tasks, 5, 1, idle(7));
        assert_eq!(late, [task(1, Some(0), Some(3), [1, 5], Some(7)), gap(1, [5, 6], Some(0))]);
        assert_eq!(tasks.idle_since(1), None);
        assert_eq!(take(&mut tasks, 9, 1, idle(8)), [task(1, Some(0), Some(3), [6, 9], Some(8))]);
    }

    #[test]
    fn lost_events_are_not_made_up() {
        let mut tasks = Tasks::new(1, ms(0));
        // The event of its hire was lost, and later the event that it ran out of work.
        assert_eq!(take(&mut tasks, 5, 0, idle(7)), [task(0, None, None, [5, 5], Some(7))]);
        take(&mut tasks, 6, 0, hired(1));
        assert_eq!(take(&mut tasks, 9, 0, hired(1)), []);
        let ended = take(&mut tasks, 11, 0, idle(3));
        assert_eq!(ended, [task(0, Some(1), Some(3), [6, 9], None), task(0, Some(1), Some(3), [9, 11], Some(3))]);
        take(&mut tasks, 12, 0, hired(1));
        take(&mut tasks, 13, 0, hired(1));
        let last = [[12, 13], [13, 15]].map(|span| task(0, Some(1), Some(3), span, None));
        assert_eq!(end(&mut tasks, 15), last);
    }
}
