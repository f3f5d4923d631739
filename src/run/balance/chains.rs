//! The chains of hires of a run: how long the longest is, what speed-up that allows, and which one decided the end.
//!
//! # Work and span
//! How many workers the run could have kept busy. The *work* is all nodes. The *span* is the nodes on the longest chain of
//! hand-overs and of what lay between: along a task up to where it gave a branch, along the task of that branch, and so on.
//! With these hand-overs, no run takes less time than that. Work by span is the *parallelism*: as many workers these hand-overs can keep at work. The *burdened* span adds the
//! cost of every hand-over on its chain. A break for a checkpoint joins all chains, because all workers wait for it.
//!
//! # The speed-up that they allow
//! With P workers no run of these hand-overs takes less time than the work by P, nor less than the span: the speed-up is at
//! most P, and at most work / span. A scheduler that leaves no worker idle while there is a branch to take needs no more
//! than work / P + (1 - 1 / P) span: its speed-up is at least that. With the cost of the hand-overs in the span, it is about the
//! least speed-up with a core for each worker: hiring may leave a worker idle for a while, and a machine may have fewer cores.
//!
//! # The chain that decided the end
//! Who gave the last task to end its branch, who gave that worker its own one, and so on, back to a task without a giver.
//!
//! ```text
//! 0  ######+##########                  0 gave depth 3 to 2,
//! 2        ##########+#####             2 gave depth 7 to 1,
//! 1                   ###########|      and 1 ended last.
//! ```
//!
//! Each branch of the chain lies in the one before, so a chain has no more hires than the tree has levels.
//!
//! # Source
//! R. L. Graham, "Bounds for certain multiprocessing anomalies", 1966, and Yuxiong He, Charles Leiserson, William Leiserson,
//! "The Cilkview scalability analyzer", SPAA 2010, section 3.

use crate::event::{Event, EventKind};
use crate::run::task::{Chain, WorkerTask};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// Costs of a hand-over for which the longest chain is kept: 0, 1, 2, 4, .. nodes.
const COSTS: usize = 32;

/// Collects the longest chains, in bounded memory.
#[derive(Clone, Debug, Default)]
pub struct Spans {
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
        self.longest.iter().map(|chain| burdened(chain, cost)).fold(0.0, f64::max).round() as u64
    }

    /// Whether every chain is known.
    pub fn is_exact(&self) -> bool {
        !self.has_gaps && !self.lost
    }
}

fn burdened(chain: &Chain, cost: f64) -> f64 {
    chain.nodes as f64 + chain.hires as f64 * cost
}

/// The speed-up that is allowed with a number of workers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AllowedSpeedup {
    pub workers: usize,
    /// About the least: work / (work / P + (1 - 1 / P) burdened span).
    pub least: f64,
    /// The bound: the smaller of P and work / span.
    pub most: f64,
}

/// The speed-up that this work and these spans, in nodes, allow with so many workers; `None` without a span.
pub fn allowed(work: u64, [span, burdened]: [u64; 2], workers: usize) -> Option<AllowedSpeedup> {
    if span == 0 || workers == 0 {
        return None;
    }
    let (work, at_most) = (work as f64, workers as f64);
    let most = at_most.min(work / span as f64);
    let waiting = (1.0 - 1.0 / at_most) * burdened as f64;
    Some(AllowedSpeedup { workers, least: work / (work / at_most + waiting), most })
}

/// 1, 2, 4, .. and the number of workers itself.
pub fn crews_up_to(workers: usize) -> Vec<usize> {
    let mut crews: Vec<usize> =
        std::iter::successors(Some(1), |crew| Some(crew * 2)).take_while(|&n| n < workers).collect();
    crews.push(workers);
    crews
}

/// Most hires of a chain; a search has fewer, because its boards have fewer squares. A longer one begins anew.
const HIRES_MAX: usize = 1 << 8;

/// A hire of the chain. `T` is a time: in the chain as it was watched, in figures seconds of the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DecidingHire<T = Duration> {
    /// When it was.
    #[serde(rename = "at_s")]
    pub at: T,
    /// The worker that gave the branch.
    pub by: usize,
    /// The worker that got it.
    pub worker: usize,
    /// Depth of the branch.
    pub depth: usize,
}

/// The last hire of a chain, and those before it, which many chains share.
#[derive(Debug)]
struct ChainLink {
    hire: DecidingHire,
    before: Option<Arc<ChainLink>>,
    hires: usize,
    /// When the first task of the chain began.
    began: Duration,
}

/// A task in progress: when it began, before any save too, and the hires that led to it.
type TaskChain = (Duration, Duration, Option<Arc<ChainLink>>);

/// The hires that led to a task which ended when no other one did so later.
#[derive(Clone, Debug, Default)]
pub struct DecidingChain {
    /// By worker: its task, and the one before, whose end may be reported late.
    now: Vec<[TaskChain; 2]>,
    /// By worker: whether it has put its task down for a save, after which it begins with the rest.
    put_down: Vec<bool>,
    last: Option<(Duration, usize, TaskChain)>,
}

/// The task that ended last.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastTask<T = Duration> {
    /// The hires that led to it, in order.
    pub hires: Vec<DecidingHire<T>>,
    pub worker: usize,
    /// When it ended.
    #[serde(rename = "ended_s")]
    pub to: T,
    /// When the first task of the chain began, which had no giver.
    #[serde(skip)]
    pub began: T,
}

impl DecidingChain {
    /// No worker of so many has had a task.
    pub fn new(workers: usize) -> DecidingChain {
        DecidingChain { now: vec![Default::default(); workers], put_down: vec![false; workers], last: None }
    }

    /// Adds an event that begins a task. What began without a giver begins a chain, but for the rest of a task that was put down,
    /// where each worker `keeps` its own.
    pub fn take(&mut self, event: &Event, keeps: bool) {
        let own = event.worker;
        let chain = match event.kind {
            EventKind::Idle { put_down, .. } => {
                self.put_down.get_mut(own).into_iter().for_each(|was| *was = put_down && keeps);
                return;
            }
            EventKind::Began { .. } if self.put_down.get(own) == Some(&true) => {
                let (_, first, chain) = self.now[own][0].clone();
                (event.at, first, chain)
            }
            EventKind::Began { .. } => (event.at, event.at, None),
            EventKind::Hired { by, depth, .. } => {
                let giver = self.now.get(by).map(|[now, _]| now.clone()).unwrap_or_default();
                let before = giver.2.filter(|link| link.hires < HIRES_MAX);
                let hires = before.as_ref().map_or(1, |link| link.hires + 1);
                let began = before.as_ref().map_or(giver.1, |link| link.began);
                let hire = DecidingHire { at: event.at, by, worker: own, depth };
                (event.at, event.at, Some(Arc::new(ChainLink { hire, before, hires, began })))
            }
            _ => return,
        };
        if let Some([now, before]) = self.now.get_mut(own) {
            *before = std::mem::replace(now, chain);
        }
    }

    /// Adds a task that has ended.
    pub fn end(&mut self, task: &WorkerTask) {
        let &WorkerTask { worker, from, to, .. } = task;
        let is_last = self.last.as_ref().is_none_or(|(last, ..)| to >= *last);
        let Some(tasks) = self.now.get(worker).filter(|_| is_last) else { return };
        if let Some(task) = tasks.iter().find(|(began, ..)| *began == from) {
            self.last = Some((to, worker, task.clone()));
        }
    }

    /// The task that ended last, with its times as `time` tells them.
    pub fn last<T>(&self, time: impl Fn(Duration) -> T) -> Option<LastTask<T>> {
        let (to, worker, (_, first, chain)) = self.last.as_ref()?;
        let began = chain.as_ref().map_or(*first, |link| link.began);
        let links = std::iter::successors(chain.as_deref(), |link| link.before.as_deref());
        let in_time = |&DecidingHire { at, by, worker, depth }: &_| DecidingHire { at: time(at), by, worker, depth };
        let mut hires: Vec<DecidingHire<T>> = links.map(|link| in_time(&link.hire)).collect();
        hires.reverse();
        Some(LastTask { hires, worker: *worker, to: time(*to), began: time(began) })
    }
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
            let kind = EventKind::Idle { nominee: None, level: None, nodes: self.tasks[task].nodes, put_down: false };
            let event = Event { at: Duration::from_micros(at), worker, kind };
            if is_late { crew[worker].late = Some(event) } else { self.events.push(event) }
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
        let idle = |nodes| EventKind::Idle { nominee: None, level: None, nodes, put_down: false };
        take(0, EventKind::Began { depth: 0 });
        take(0, idle(10));
        [0, 1, 2].into_iter().for_each(|worker| take(worker, EventKind::Began { depth: 4 }));
        [(0, 50), (1, 70), (2, 60)].into_iter().for_each(|(worker, nodes)| take(worker, idle(nodes)));
        // A break waits for all.
        take(2, EventKind::Began { depth: 4 });
        take(2, idle(5));
        assert_eq!((spans.span(), spans.is_exact()), (85, true));
    }

    #[test]
    fn a_speed_up_is_bounded_by_the_workers_and_by_the_parallelism() {
        let by = |workers| allowed(1000, [100, 125], workers).unwrap();
        assert_eq!(by(1), AllowedSpeedup { workers: 1, least: 1.0, most: 1.0 });
        assert_eq!(by(8), AllowedSpeedup { workers: 8, least: 1000.0 / (125.0 + 7.0 / 8.0 * 125.0), most: 8.0 });
        assert_eq!(by(1000), AllowedSpeedup { workers: 1000, least: 1000.0 / (1.0 + 0.999 * 125.0), most: 10.0 });
        assert_eq!(allowed(1000, [0, 0], 4), None);
    }

    #[test]
    fn crews_double_up_to_the_number_of_workers() {
        assert_eq!(crews_up_to(1), [1]);
        assert_eq!(crews_up_to(6), [1, 2, 4, 6]);
        assert_eq!(crews_up_to(8), [1, 2, 4, 8]);
    }

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn hired(by: usize, depth: usize) -> EventKind {
        EventKind::Hired { by, depth, left: None, company: Vec::new(), entered: None }
    }

    fn idle() -> EventKind {
        EventKind::Idle { nominee: None, level: None, nodes: 9, put_down: false }
    }

    fn same(at: Duration) -> Duration {
        at
    }

    fn chain_of(events: &[(u64, usize, EventKind)]) -> DecidingChain {
        let (mut tasks, mut deciding) = (Tasks::new(4, ms(0)), DecidingChain::new(4));
        for (at, worker, kind) in events {
            let event = Event { at: ms(*at), worker: *worker, kind: kind.clone() };
            for stretch in tasks.take(&event).into_iter().flatten() {
                if let Stretch::Task(task) = stretch {
                    deciding.end(&task);
                }
            }
            deciding.take(&event, true);
        }
        deciding
    }

    fn step(at: u64, by: usize, worker: usize, depth: usize) -> DecidingHire {
        DecidingHire { at: ms(at), by, worker, depth }
    }

    /// The picture of the module, and a worker that is hired before the end of its task is reported.
    #[test]
    fn the_chain_leads_from_the_beginning_to_the_last_task() {
        let mut events = vec![
            (0, 0, EventKind::Began { depth: 0 }),
            (10, 2, hired(0, 3)),
            (20, 3, hired(0, 4)),
            (25, 1, hired(2, 7)),
            (30, 0, idle()),
            (40, 2, idle()),
            (50, 1, idle()),
        ];
        let last = |worker, to, hires: &[DecidingHire]| {
            Some(LastTask { worker, to: ms(to), began: ms(0), hires: hires.to_vec() })
        };
        assert_eq!(chain_of(&events).last(same), last(1, 50, &[step(10, 0, 2, 3), step(25, 2, 1, 7)]));
        // Worker 3 ends at 60, and is hired again before that is known.
        events.extend([(62, 3, hired(0, 9)), (60, 3, idle())]);
        assert_eq!(chain_of(&events).last(same), last(3, 60, &[step(20, 0, 3, 4)]));
        events.push((63, 3, idle()));
        assert_eq!(chain_of(&events).last(same), last(3, 63, &[step(62, 0, 3, 9)]));
    }

    #[test]
    fn a_save_breaks_no_chain() {
        let put_down = EventKind::Idle { nominee: None, level: None, nodes: 9, put_down: true };
        for (rest, hires) in [(put_down, &[step(10, 0, 1, 3)][..]), (idle(), &[])] {
            let begin = |worker| (20, worker, EventKind::Began { depth: 4 });
            let mut events = vec![(0, 0, EventKind::Began { depth: 0 }), (10, 1, hired(0, 3))];
            events.extend([(15, 0, rest.clone()), (15, 1, rest), begin(0), begin(1), (40, 0, idle()), (50, 1, idle())]);
            let last = chain_of(&events).last(same).unwrap();
            assert_eq!((last.worker, last.to, &last.hires[..]), (1, ms(50), hires));
            assert_eq!(last.began, if hires.is_empty() { ms(20) } else { ms(0) });
        }
    }

    #[test]
    fn a_run_without_hires_has_an_empty_chain() {
        assert_eq!(chain_of(&[]).last(same), None);
        let events = [(0, 1, EventKind::Began { depth: 0 }), (5, 1, idle())];
        let last = LastTask { worker: 1, to: ms(5), began: ms(0), hires: Vec::new() };
        assert_eq!(chain_of(&events).last(same), Some(last));
    }
    /// A recording may hold anything.
    #[test]
    fn a_chain_of_any_length_takes_little_memory() {
        let mut deciding = DecidingChain::new(2);
        for at in 0..100_000 {
            deciding.take(&Event { at: ms(at), worker: 0, kind: hired(0, 1) }, true);
        }
        let task = |from, to| {
            let chain = crate::run::task::Chain::default();
            WorkerTask { worker: 0, by: Some(0), depth: Some(1), from: ms(from), to: ms(to), nodes: None, chain }
        };
        deciding.end(&task(99_999, 100_000));
        assert!(deciding.last(same).is_some_and(|last| (1..=HIRES_MAX).contains(&last.hires.len())));
    }
}
