//! A worker: one search, its counters, and the loop that drives it in bursts.
//!
//! The loop is the same under every scheduler. A burst ends when its polls are used up or when the mailbox the
//! scheduler watches is not empty; then the worker publishes its meter, asks the control for a permit when the control
//! wants attention, and lets the scheduler answer its mail.

use super::Crew;
use super::control::Permit;
use super::deliver::Courier;
use super::hand::{Hand, Place};
use super::meter::Meter;
use super::outcome::Totals;
use super::snapshot::{Levels, WorkerState};
use crate::event::EventKind;
use crate::search::{HandOver, Out, Poll, Search, Status, Task};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Polls in one burst of the sparse gear: each covers a subtree of some hundred to some thousand nodes.
const SPARSE_POLLS: u32 = 16;
/// Polls in one burst when every node is polled: about twenty microseconds.
const NODE_POLLS: u32 = 4096;
/// While the figures by depth are sampled, one burst of this many keeps them, and the first one that enters a node.
const SAMPLED_BURSTS: u32 = 64;

/// A mailbox for workers that nobody writes to.
pub static NO_MAIL: AtomicU32 = AtomicU32::new(0);

/// Yields when the burst is over or somebody has written: two instructions and a predictable branch.
struct Burst<'a, const EVERY_NODE: bool> {
    left: u32,
    mail: &'a AtomicU32,
}

impl<const EVERY_NODE: bool> Poll for Burst<'_, EVERY_NODE> {
    const EVERY_NODE: bool = EVERY_NODE;

    #[inline(always)]
    fn due(&mut self) -> bool {
        let due = self.left == 0 || self.mail.load(Ordering::Relaxed) != 0;
        self.left = self.left.wrapping_sub(1);
        due
    }
}

/// Depth of the first of these tasks, as events tell it.
pub fn depth_of(tasks: &[Task]) -> usize {
    tasks.first().map_or(0, |task| task.choices.len())
}

/// One worker of a crew, with a search of its own.
pub struct Worker<'a, S> {
    hand: Hand<'a>,
    search: S,
    courier: Option<Courier<'a>>,
    bursts: u32,
    /// Tasks that wait for the one in hand to be done, the smallest last.
    queue: Vec<Task>,
    /// What was left when the run stopped.
    rest: Vec<Task>,
}

impl<'a, S: Search + Clone> Worker<'a, S> {
    /// Worker `id` of a crew, on the thread that will be its own.
    pub fn new(id: usize, crew: &'a Crew, search: &S) -> Worker<'a, S> {
        Worker {
            hand: Hand::new(id, crew),
            search: search.clone(),
            courier: crew.courier(),
            bursts: 0,
            queue: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Number of this worker in its crew.
    pub fn id(&self) -> usize {
        self.hand.id()
    }

    /// Its crew.
    pub fn crew(&self) -> &'a Crew {
        self.hand.crew()
    }

    /// Takes in tasks, the smallest to be done first: whoever begins again after a break goes on in the depth where he
    /// was, and leaves no more in the next one. Nothing is entered yet.
    pub fn begin(&mut self, mut tasks: Vec<Task>) {
        // The sort keeps the order of equals, and the last one is taken first.
        tasks.reverse();
        tasks.sort_by(|a, b| b.share.total_cmp(&a.share));
        self.queue = tasks;
        self.next();
    }

    /// Begins the next task; answers whether there is one.
    fn next(&mut self) -> bool {
        self.queue.pop().map(|task| self.search.begin(&task)).is_some()
    }

    /// Works on the tasks until they are done or the run stops. After every burst `between` may answer mail; while it
    /// returns `true` the next burst ends at the first poll, because helpers wait for something to be given.
    pub fn work(&mut self, mail: &AtomicU32, mut between: impl FnMut(&mut Self) -> bool) {
        let mut pressed = false;
        self.set_state(WorkerState::Busy);
        loop {
            let permit = self.permit();
            let crew = self.hand.crew();
            let next_rule = crew.control().hand_over() == HandOver::Next && crew.hires();
            let status = match permit {
                Permit::Stop => {
                    return self.leave();
                }
                Permit::Nodes(n) => self.burst::<true>(u32::try_from(n).unwrap_or(NODE_POLLS), &NO_MAIL),
                Permit::Run if next_rule => self.burst::<true>(if pressed { 1 } else { NODE_POLLS }, mail),
                Permit::Run => self.burst::<false>(if pressed { 1 } else { SPARSE_POLLS }, mail),
            };
            self.publish();
            if status == Status::Exhausted && !self.next() {
                return;
            }
            pressed = between(self);
        }
    }

    /// Keeps a task that it has not begun, of a run that stops.
    pub fn put_down(&mut self, task: &Task) {
        self.search.begin(task);
        self.leave();
    }

    /// Keeps all that is left, of a run that stops.
    fn leave(&mut self) {
        self.rest.extend(self.search.rest());
        self.rest.append(&mut self.queue);
    }

    /// Enters one node of the task in hand, without mail, when the control permits; what a stopped run has left is kept.
    pub fn enter_one(&mut self) -> Status {
        if self.permit() == Permit::Stop {
            self.leave();
            return Status::Exhausted;
        }
        let status = self.burst::<true>(1, &NO_MAIL);
        self.publish();
        status
    }

    /// Takes a part out of the work: every other of the tasks that wait, or a part of the one in hand.
    pub fn split(&mut self, rule: HandOver) -> Option<Vec<Task>> {
        if self.queue.is_empty() {
            return self.search.split(rule).map(|task| vec![task]);
        }
        // From the largest on: one at least is given.
        let (mut kept, mut given) = (Vec::new(), Vec::new());
        for (place, task) in std::mem::take(&mut self.queue).into_iter().enumerate() {
            if place % 2 == 0 { &mut given } else { &mut kept }.push(task);
        }
        self.queue = kept;
        Some(given)
    }

    /// The share of the whole tree that is left in its hands, by which helpers choose whom to join.
    pub fn left(&self) -> f64 {
        self.search.remaining() + self.queue.iter().map(|task| task.share).sum::<f64>()
    }

    /// The lowest open level.
    pub fn open_level(&self) -> Option<usize> {
        let waiting = self.queue.first().map(|task| task.choices.len().saturating_sub(1));
        waiting.into_iter().chain(self.search.open_level()).min()
    }

    /// Depth of the current node.
    pub fn depth(&self) -> usize {
        self.search.depth()
    }

    /// Changes the published state.
    pub fn set_state(&mut self, state: WorkerState) {
        self.hand.set_state(state);
    }

    /// The worker's meter.
    pub fn meter(&self) -> &'a Meter {
        self.hand.meter()
    }

    /// Reports something rare.
    pub fn report(&self, kind: EventKind) {
        self.hand.report(kind);
    }

    /// Reports that it begins with tasks that nobody of the crew gave it.
    pub fn begins_with(&self, tasks: &[Task]) {
        self.report(EventKind::Began { depth: depth_of(tasks) });
    }

    /// Reports that it had run dry then, whom it nominates and at which level that one has something to give.
    pub fn ran_dry(&mut self, at: Duration, nominee: Option<usize>, level: Option<usize>) {
        let nodes = self.hand.nodes_since();
        self.hand.report_at(at, EventKind::Idle { nominee, level, nodes });
    }

    /// Time since the run began.
    pub fn now(&self) -> Duration {
        self.hand.now()
    }

    /// Publishes the CPU time of the calling thread, which is to be the worker's own.
    pub fn publish_cpu(&self) {
        self.hand.publish_cpu();
    }

    /// Hands on the last tours, publishes the last figures and goes home; after a panic the search is not `intact`,
    /// and is not asked for a drawing.
    pub fn finish(mut self, intact: bool) -> Totals {
        if let Some(courier) = &mut self.courier {
            courier.flush();
        }
        if intact {
            // A search that is back at its root has nothing on the board: the position before that stays.
            let is_drawn = self.search.depth() > 0;
            self.hand.publish_position(|drawing| {
                if is_drawn {
                    self.search.draw(drawing)
                }
            });
        }
        Totals { rest: self.rest, ..self.hand.finish() }
    }

    fn permit(&mut self) -> Permit {
        self.hand.permit(|drawing| self.search.draw(drawing))
    }

    fn burst<const EVERY_NODE: bool>(&mut self, polls: u32, mail: &AtomicU32) -> Status {
        self.bursts = self.bursts.wrapping_add(1);
        let crew = self.hand.crew();
        let levels = match crew.meters().levels() {
            Levels::Off => false,
            Levels::Sampled => self.bursts.is_multiple_of(SAMPLED_BURSTS) || self.hand.tally.nodes == 0,
            Levels::Exact => true,
        };
        let tally = &mut self.hand.tally;
        let before = tally.tours;
        let sink = self.courier.as_mut().and_then(Courier::sink);
        let mut out = Out { tally, levels, sink };
        let status = self.search.advance(&mut Burst::<EVERY_NODE> { left: polls, mail }, &mut out);
        if let Some(courier) = &self.courier {
            let tally = &mut self.hand.tally;
            tally.tours = before + courier.count(tally.tours - before);
        }
        if before == 0 && self.hand.tally.tours > 0 && crew.is_first_tour() {
            self.report(EventKind::FirstTour);
        }
        status
    }

    fn publish(&mut self) {
        let place = Place { depth: self.search.depth(), open_level: self.open_level() };
        let detailed = self.hand.publish(&place, |drawing| self.search.draw(drawing));
        if let (true, Some(courier)) = (detailed, &mut self.courier) {
            courier.flush();
        }
    }
}

impl Crew {
    /// Starts one thread per worker, runs `body` on each with a clone of the search, and collects their totals. A panic
    /// in `body` stops the run.
    pub(super) fn run_threads<'a, S, F>(&'a self, search: &S, body: F) -> Vec<Totals>
    where
        S: Search + Clone + Sync,
        F: Fn(&mut Worker<'a, S>) + Sync,
    {
        self.start(&|id, gate| {
            let mut worker = Worker::new(id, self, search);
            let intact = !gate.all_here() || self.guard(id, || body(&mut worker));
            worker.publish_cpu();
            worker.finish(intact)
        })
    }
}
