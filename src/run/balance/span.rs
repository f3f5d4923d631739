//! The work and the span of a run: how many workers it could have kept busy.
//!
//! The *work* is all nodes. The *span* is the nodes on the longest chain of hand-overs and of what lay between: along a task
//! up to where it gave a branch, along the task of that branch, and so on. With these hand-overs, no run takes less time than
//! that. Work by span is the *parallelism*: as many workers these hand-overs can keep at work. The *burdened* span adds the
//! cost of every hand-over on its chain. A break for a checkpoint joins all chains, because all workers wait for it.
//!
//! # Source
//! Yuxiong He, Charles Leiserson, William Leiserson, "The Cilkview scalability analyzer", SPAA 2010.

use crate::run::task::{Chain, WorkerTask};

/// Costs of a hand-over for which the longest chain is kept: 0, 1, 2, 4, .. nodes.
const COSTS: usize = 32;

/// Collects the longest chains, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    /// The longest chain by each of these costs.
    longest: [Chain; COSTS],
    /// Whether a chain is not known in full.
    has_gaps: bool,
    /// Whether events were lost.
    lost: bool,
}

impl Spans {
    /// Events were lost. From now on a chain may be that of another task, so only single tasks count.
    pub fn lose(&mut self) {
        self.lost = true;
    }

    /// Adds a task that has ended.
    pub fn take(&mut self, task: &WorkerTask) {
        let chain = if self.lost { Chain::default() } else { task.chain };
        let end = chain.after(task.nodes);
        self.has_gaps |= end.has_gaps;
        for (place, longest) in self.longest.iter_mut().enumerate() {
            let cost = if place == 0 { 0 } else { 1u64 << (place - 1) };
            if burdened(&end, cost as f64) > burdened(longest, cost as f64) {
                *longest = end;
            }
        }
    }

    /// Nodes of the longest chain.
    pub fn span(&self) -> u64 {
        self.longest[0].nodes
    }

    /// Nodes of the longest chain if each hand-over costs so many nodes. Exact for powers of two; other costs lie between two
    /// of them, and so does the figure.
    pub fn burdened(&self, cost: f64) -> u64 {
        self.longest.iter().map(|chain| burdened(chain, cost)).fold(0.0, f64::max) as u64
    }

    /// Whether every chain is known.
    pub fn is_exact(&self) -> bool {
        !self.has_gaps && !self.lost
    }
}

fn burdened(chain: &Chain, cost: f64) -> f64 {
    chain.nodes as f64 + chain.hires as f64 * cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, EventKind};
    use crate::run::task::{Stretch, Tasks};
    use proptest::prelude::*;
    use std::time::Duration;

    /// A task of a random run: its nodes, and after how many of them it gave which other task.
    #[derive(Default)]
    struct MadeTask {
        nodes: u64,
        gave: Vec<(u64, usize)>,
    }

    /// A run made of random numbers: every worker that works enters nodes, gives a branch, or runs out of work.
    struct MadeRun {
        tasks: Vec<MadeTask>,
        events: Vec<Event>,
    }

    /// A worker of such a run.
    #[derive(Clone, Default)]
    struct MadeWorker {
        task: Option<usize>,
        gave_at: u64,
        /// The event that it ran out of work, which is sent late.
        late: Option<Event>,
    }

    impl MadeRun {
        fn new(workers: usize, steps: &[(usize, u8, u64)]) -> MadeRun {
            let mut run = MadeRun { tasks: vec![MadeTask::default()], events: Vec::new() };
            let mut crew = vec![MadeWorker::default(); workers];
            crew[0].task = Some(0);
            run.send(0, 0, EventKind::Began { depth: 0 });
            for (place, &(worker, what, number)) in steps.iter().enumerate() {
                let (at, worker) = (place as u64 + 1, worker % workers);
                let Some(task) = crew[worker].task else {
                    run.events.extend(crew[worker].late.take());
                    continue;
                };
                run.tasks[task].nodes += number % 100;
                let idle = (0..workers).find(|&other| crew[other].task.is_none());
                match (what % 4, idle) {
                    (0 | 1, Some(helper)) => run.hire(at, worker, helper, &mut crew),
                    (2, _) => run.run_out(at, worker, &mut crew, number % 2 == 0),
                    _ => {}
                }
            }
            for worker in 0..workers {
                run.run_out(steps.len() as u64 + 1, worker, &mut crew, false);
            }
            run
        }

        fn send(&mut self, at: u64, worker: usize, kind: EventKind) {
            self.events.push(Event { at: Duration::from_micros(at), worker, kind });
        }

        fn hire(&mut self, at: u64, by: usize, helper: usize, crew: &mut [MadeWorker]) {
            let (giver, task) = (crew[by].task.unwrap(), self.tasks.len());
            let nodes = self.tasks[giver].nodes;
            self.tasks[giver].gave.push((nodes, task));
            self.tasks.push(MadeTask::default());
            let entered = Some(nodes - std::mem::replace(&mut crew[by].gave_at, nodes));
            self.send(at, helper, EventKind::Hired { by, depth: 1, left: None, company: Vec::new(), entered });
            // The event that it ran out of work before comes only now.
            self.events.extend(crew[helper].late.take());
            crew[helper] = MadeWorker { task: Some(task), ..MadeWorker::default() };
        }

        fn run_out(&mut self, at: u64, worker: usize, crew: &mut [MadeWorker], is_late: bool) {
            let Some(task) = crew[worker].task.take() else {
                self.events.extend(crew[worker].late.take());
                return;
            };
            let kind = EventKind::Idle { nominee: None, level: None, nodes: self.tasks[task].nodes };
            let event = Event { at: Duration::from_micros(at), worker, kind };
            match is_late {
                true => crew[worker].late = Some(event),
                false => self.events.push(event),
            }
        }

        /// The longest chain from the beginning of a task, by trying all.
        fn longest(&self, task: usize, cost: u64) -> u64 {
            let MadeTask { nodes, gave } = &self.tasks[task];
            let given = gave.iter().map(|&(at, other)| at + cost + self.longest(other, cost));
            given.fold(*nodes, u64::max)
        }

        fn spans(&self, workers: usize, lost: impl Fn(usize) -> bool) -> Spans {
            let (mut tasks, mut spans) = (Tasks::new(workers, Duration::ZERO), Spans::default());
            for (place, event) in self.events.iter().enumerate() {
                if lost(place) {
                    spans.lose();
                    continue;
                }
                for stretch in tasks.take(event).into_iter().flatten() {
                    if let Stretch::Task(task) = stretch {
                        spans.take(&task);
                    }
                }
            }
            spans
        }
    }

    proptest! {
        #[test]
        fn spans_are_those_of_all_chains_of_random_runs(
            workers in 1usize..7, steps in prop::collection::vec((0usize..7, any::<u8>(), any::<u64>()), 0..120)
        ) {
            let run = MadeRun::new(workers, &steps);
            let spans = run.spans(workers, |_| false);
            prop_assert!(spans.is_exact());
            prop_assert_eq!(spans.span(), run.longest(0, 0));
            for cost in [0, 1, 8, 64, 1024] {
                prop_assert_eq!(spans.burdened(cost as f64), run.longest(0, cost), "cost {}", cost);
            }
            let between = spans.burdened(37.0);
            prop_assert!(between <= run.longest(0, 37) && between >= run.longest(0, 32), "{}", between);
        }

        #[test]
        fn with_lost_events_the_span_is_a_lower_bound(
            workers in 2usize..7,
            steps in prop::collection::vec((0usize..7, any::<u8>(), any::<u64>()), 0..120),
            lost in prop::collection::vec(prop::bool::weighted(0.1), 400)
        ) {
            let run = MadeRun::new(workers, &steps);
            let is_lost = |place: usize| lost[place % lost.len()];
            let spans = run.spans(workers, is_lost);
            prop_assert!(spans.span() <= run.longest(0, 0));
            prop_assert!(spans.is_exact() != (0..run.events.len()).any(is_lost));
        }
    }

    #[test]
    fn work_that_was_opened_and_dealt_out_continues_the_opening() {
        let mut tasks = Tasks::new(3, Duration::ZERO);
        let mut spans = Spans::default();
        let mut take = |worker, kind| {
            let event = Event { at: Duration::ZERO, worker, kind };
            let ended = tasks.take(&event).into_iter().flatten();
            ended.for_each(|stretch| {
                if let Stretch::Task(task) = stretch {
                    spans.take(&task)
                }
            });
        };
        let idle = |nodes| EventKind::Idle { nominee: None, level: None, nodes };
        take(0, EventKind::Began { depth: 0 });
        take(0, idle(10));
        [0, 1, 2].into_iter().for_each(|worker| take(worker, EventKind::Began { depth: 4 }));
        [(0, 50), (1, 70), (2, 60)].into_iter().for_each(|(worker, nodes)| take(worker, idle(nodes)));
        // A break waits for all.
        take(2, EventKind::Began { depth: 4 });
        take(2, idle(5));
        assert_eq!((spans.span(), spans.is_exact()), (85, true));
    }
}
