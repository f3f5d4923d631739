//! A worker: one kernel, its counters, and the loop that drives it in bursts.
//!
//! The loop is the same under every scheduler. A burst ends when its polls are used up or when the mailbox the
//! scheduler watches is not empty; then the worker publishes its meter, asks the control for a permit when the control
//! wants attention, and lets the scheduler answer its mail.

use crate::event::EventKind;
use crate::schedule::crew::context::CrewContext;
use crate::schedule::crew::control::Permit;
use crate::schedule::crew::delivery::Courier;
use crate::schedule::crew::hand::{Hand, WorkerPosition};
use crate::schedule::crew::meter::Meter;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::figures::snapshot::Levels;
use crate::schedule::figures::workers::WorkerState;
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Task};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Polls in one burst of the sparse gear: each covers a subtree of some hundred to some thousand nodes.
const SPARSE_POLLS: u64 = 16;
/// Polls in one burst when every node is polled: about twenty microseconds.
const NODE_POLLS: u64 = 4096;
/// While the figures by depth are sampled, one burst of this many keeps them, and the first one that enters a node.
const SAMPLED_BURSTS: u32 = 64;

/// The mailbox of a worker that no helper writes to.
pub static NO_MAIL: AtomicU32 = AtomicU32::new(0);

/// Depth of the first of these tasks, as events tell it.
pub fn depth_of(tasks: &[Task]) -> usize {
    tasks.first().map_or(0, |task| task.choices.len())
}

/// One worker of a crew, with a kernel of its own.
pub struct KernelWorker<'a> {
    hand: Hand<'a>,
    kernel: Box<dyn Kernel>,
    courier: Option<Courier<'a>>,
    bursts: u32,
    /// Tasks that wait for the one in hand to be done, the smallest last.
    queue: Vec<Task>,
    /// What was left when the run stopped.
    rest: Vec<Task>,
}

impl<'a> KernelWorker<'a> {
    /// Worker `id` of a crew, on the thread that will be its own.
    pub fn new(id: usize, context: &'a CrewContext, kernel: &dyn Kernel) -> KernelWorker<'a> {
        KernelWorker {
            hand: Hand::new(id, context),
            kernel: kernel.another(),
            courier: context.courier(),
            bursts: 0,
            queue: Vec::new(),
            rest: Vec::new(),
        }
    }

    /// Number of this worker in its crew.
    pub fn id(&self) -> usize {
        self.hand.id()
    }

    /// What all workers of the run share.
    pub fn context(&self) -> &'a CrewContext {
        self.hand.context()
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
        self.queue.pop().map(|task| self.kernel.begin(&task)).is_some()
    }

    /// Works on the tasks until they are done or the run stops. After every burst `between` may answer mail; while it
    /// returns `true` the next burst ends at the first poll, because helpers wait for something to be given.
    pub fn work(&mut self, mail: &AtomicU32, mut between: impl FnMut(&mut Self) -> bool) {
        let mut pressed = false;
        self.set_state(WorkerState::Busy);
        loop {
            let permit = self.permit();
            let context = self.context();
            let next_rule = context.control().hand_over() == HandOver::Next && context.hires();
            let status = match permit {
                Permit::Stop => {
                    return self.leave();
                }
                Permit::Nodes(n) => self.burst(Burst::nodes(n.min(NODE_POLLS))),
                Permit::Run if next_rule => {
                    self.burst(Burst::nodes(if pressed { 1 } else { NODE_POLLS }).until_mail(mail))
                }
                Permit::Run => self.burst(Burst::sparse(if pressed { 1 } else { SPARSE_POLLS }).until_mail(mail)),
            };
            self.publish();
            if status == BurstEnd::Exhausted && !self.next() {
                return;
            }
            pressed = between(self);
        }
    }

    /// Keeps a task that it has not begun, of a run that stops.
    pub fn put_down(&mut self, task: &Task) {
        self.kernel.begin(task);
        self.leave();
    }

    /// Keeps all that is left, of a run that stops.
    fn leave(&mut self) {
        self.rest.extend(self.kernel.branches_mut().rest());
        self.rest.append(&mut self.queue);
    }

    /// Enters one node of the task in hand, without mail, when the control permits; what a stopped run has left is kept.
    pub fn enter_one(&mut self) -> BurstEnd {
        if self.permit() == Permit::Stop {
            self.leave();
            return BurstEnd::Exhausted;
        }
        let status = self.burst(Burst::nodes(1));
        self.publish();
        status
    }

    /// Takes a part out of the work: every other of the tasks that wait, or a part of the one in hand.
    pub fn split(&mut self, rule: HandOver) -> Option<Vec<Task>> {
        if self.queue.is_empty() {
            return self.kernel.split(rule).map(|task| vec![task]);
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
        self.kernel.branches().remaining() + self.queue.iter().map(|task| task.share).sum::<f64>()
    }

    /// The lowest open level.
    pub fn open_level(&self) -> Option<usize> {
        let waiting = self.queue.first().map(|task| task.choices.len().saturating_sub(1));
        waiting.into_iter().chain(self.kernel.branches().open_level()).min()
    }

    /// Depth of the current node.
    pub fn depth(&self) -> usize {
        self.kernel.depth()
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
            let is_drawn = self.kernel.depth() > 0;
            self.hand.publish_position(|drawing| {
                if is_drawn {
                    self.kernel.draw(drawing)
                }
            });
        }
        Totals { rest: self.rest, ..self.hand.finish() }
    }

    fn permit(&mut self) -> Permit {
        self.hand.permit(|drawing| self.kernel.draw(drawing))
    }

    fn burst(&mut self, burst: Burst<'_>) -> BurstEnd {
        self.bursts = self.bursts.wrapping_add(1);
        let context = self.context();
        let levels = match context.meters().levels() {
            Levels::Off => false,
            Levels::Sampled => self.bursts.is_multiple_of(SAMPLED_BURSTS) || self.hand.tally.nodes == 0,
            Levels::Exact => true,
        };
        let tally = &mut self.hand.tally;
        let before = tally.tours;
        let sink = self.courier.as_mut().and_then(Courier::sink);
        let mut out = BurstOutput { tally, levels, sink };
        let status = self.kernel.advance(burst, &mut out);
        if let Some(courier) = &self.courier {
            let tally = &mut self.hand.tally;
            tally.tours = before + courier.count(tally.tours - before);
        }
        if before == 0 && self.hand.tally.tours > 0 && context.is_first_tour() {
            self.report(EventKind::FirstTour);
        }
        status
    }

    fn publish(&mut self) {
        let place = WorkerPosition { depth: self.kernel.depth(), open_level: self.open_level() };
        let detailed = self.hand.publish(&place, |drawing| self.kernel.draw(drawing));
        if let (true, Some(courier)) = (detailed, &mut self.courier) {
            courier.flush();
        }
    }
}

/// Starts one thread for each worker, runs `body` on it with a kernel of its own, and collects the totals. A panic in `body`
/// stops the run.
pub fn run_workers<'a>(
    context: &'a CrewContext,
    kernel: &dyn Kernel,
    body: impl Fn(&mut KernelWorker<'a>) + Sync,
) -> Vec<Totals> {
    context.start(&|id, gate| {
        let mut worker = KernelWorker::new(id, context, kernel);
        let intact = !gate.all_started() || context.guard(id, || body(&mut worker));
        worker.publish_cpu();
        worker.finish(intact)
    })
}
