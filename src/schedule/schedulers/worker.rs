//! A worker with a kernel, and the loop that drives the kernel in bursts.
//!
//! The loop does not depend on the scheduler. A burst ends when its polls are used up or when the mailbox that the
//! scheduler watches is not empty. Then the worker publishes its meter, asks the control for a permit if the control wants
//! attention, and lets the scheduler answer the mail.

use crate::event::EventKind;
use crate::event::micros::whole_micros;
use crate::schedule::crew::control::Permit;
use crate::schedule::crew::delivery::TourWriter;
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::crew::worker::{CrewWorker, WorkerMeter, WorkerPosition};
use crate::schedule::figures::cells::WorkerState;
use crate::schedule::figures::outcome::Totals;
use crate::schedule::figures::snapshot::Levels;
use crate::schedule::figures::waits::WaitCells;
use crate::schedule::figures::workers::WorkerCells;
use crate::search::{Burst, BurstEnd, BurstOutput, HandOver, Kernel, Task};
use std::sync::atomic::AtomicU32;
use std::time::Duration;

/// Polls in one sparse burst: each poll covers a subtree of some hundred to some thousand nodes.
const SPARSE_POLLS: u64 = 16;
/// Polls in one burst that polls at every node: about twenty microseconds.
const NODE_POLLS: u64 = 4096;
/// While figures by depth are sampled, one burst in this many counts them, and the first burst that enters a node.
const SAMPLED_BURSTS: u32 = 64;

/// The mailbox of a worker that no helper writes to.
pub static NO_MAIL: AtomicU32 = AtomicU32::new(0);

/// Depth of the first of these tasks, as events report it.
pub fn depth_of(tasks: &[Task]) -> usize {
    tasks.first().map_or(0, |task| task.choices.len())
}

/// When a worker ran dry, and which requests there had been; `None` where the run did not go on at full speed.
#[derive(Clone, Copy)]
pub struct WaitBegin {
    pub at: Duration,
    requests: Option<u64>,
}

/// One worker of a crew, with a kernel of its own.
pub struct KernelWorker<'a> {
    worker: CrewWorker<'a>,
    kernel: Box<dyn Kernel>,
    bursts: u32,
    /// Tasks that wait until the current task is done, the smallest last.
    queue: Vec<Task>,
    /// Parts of the tree that were left when the run stopped.
    rest: Vec<Task>,
}

impl<'a> KernelWorker<'a> {
    /// Worker `id` of a crew, on the thread of that worker.
    pub fn new(id: usize, context: &'a CrewContext, kernel: &dyn Kernel) -> KernelWorker<'a> {
        let (worker, kernel) = (CrewWorker::new(id, context), kernel.another());
        KernelWorker { worker, kernel, bursts: 0, queue: Vec::new(), rest: Vec::new() }
    }

    /// Number of this worker in its crew.
    pub fn id(&self) -> usize {
        self.worker.id()
    }

    /// What all workers of the run share.
    pub fn context(&self) -> &'a CrewContext {
        self.worker.context()
    }

    /// The worker has just got its work, and enters no node of the single steps before.
    pub fn skip_steps(&mut self) {
        self.worker.skip_steps();
    }

    /// Takes tasks and begins the smallest; no node is entered yet. So a worker that begins again after a break continues
    /// at the depth at which it was, and leaves no more tasks at the next break.
    pub fn begin(&mut self, mut tasks: Vec<Task>) {
        // The sort keeps the order of equal shares, and the last task is taken first.
        tasks.reverse();
        tasks.sort_by(|a, b| b.share.total_cmp(&a.share));
        self.queue = tasks;
        self.next();
    }

    /// Begins the next task; answers whether there is one.
    fn next(&mut self) -> bool {
        self.queue.pop().map(|task| self.kernel.begin(&task)).is_some()
    }

    /// Works on the tasks until they are done or the run stops. After every burst `between` may answer mail. While it
    /// returns `true`, the next burst ends at the first poll, because helpers wait for a part.
    pub fn work(&mut self, mail: &AtomicU32, mut between: impl FnMut(&mut Self) -> bool) {
        let mut helpers_wait = false;
        self.set_state(WorkerState::Busy);
        if self.context().control().attention() {
            // It may be held here.
            self.publish();
        }
        loop {
            let permit = self.permit();
            let context = self.context();
            let next_rule = context.control().hand_over() == HandOver::Next && context.hires();
            let status = match permit {
                Permit::Stop => {
                    return self.keep_rest();
                }
                Permit::Nodes(n) => self.burst(Burst::nodes(n.min(NODE_POLLS))),
                Permit::Run if next_rule => {
                    self.burst(Burst::nodes(if helpers_wait { 1 } else { NODE_POLLS }).until_mail(mail))
                }
                Permit::Run => self.burst(Burst::sparse(if helpers_wait { 1 } else { SPARSE_POLLS }).until_mail(mail)),
            };
            self.publish();
            if status == BurstEnd::Exhausted && !self.next() {
                return;
            }
            helpers_wait = between(self);
        }
    }

    /// Adds a task that was not begun to the rest of a run that stops.
    pub fn keep_task(&mut self, task: &Task) {
        self.kernel.begin(task);
        self.keep_rest();
    }

    /// Adds all work that is left to the rest of a run that stops.
    fn keep_rest(&mut self) {
        self.rest.extend(self.kernel.branches_mut().rest());
        self.rest.append(&mut self.queue);
    }

    /// Enters one node of the current task, without mail, when the control permits it. If the run stops, the work that is
    /// left is kept.
    pub fn enter_one(&mut self) -> BurstEnd {
        // It has begun another task since it published where it is, and may be held here.
        self.publish();
        if self.permit() == Permit::Stop {
            self.keep_rest();
            return BurstEnd::Exhausted;
        }
        let status = self.burst(Burst::nodes(1));
        self.publish();
        status
    }

    /// Takes a part out of the work: every second waiting task, or a part of the current task.
    pub fn split(&mut self, rule: HandOver) -> Option<Vec<Task>> {
        if self.queue.is_empty() {
            return self.kernel.split(rule).map(|task| vec![task]);
        }
        // Beginning with the largest task, so at least one is given.
        let (mut kept, mut given) = (Vec::new(), Vec::new());
        for (place, task) in std::mem::take(&mut self.queue).into_iter().enumerate() {
            if place % 2 == 0 { &mut given } else { &mut kept }.push(task);
        }
        self.queue = kept;
        Some(given)
    }

    /// Share of the whole tree that this worker has left; helpers choose a worker by it.
    pub fn share_left(&self) -> f64 {
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
        self.worker.meter.set_state(state);
    }

    /// Changes the published state as of a moment that may be past.
    pub fn set_state_since(&mut self, state: WorkerState, at: Duration) {
        self.worker.meter.set_state_since(state, at);
    }

    /// It has had no work since then; or has put it down, to go on with it after a break.
    pub fn rest_since(&mut self, at: Duration) {
        let is_saving = !self.rest.is_empty() && self.context().control().is_in_break();
        self.set_state_since(if is_saving { WorkerState::Saving } else { WorkerState::Idle }, at);
    }

    /// It waits at another worker since then, unless it has put its work down or was given it after a break.
    pub fn wait_since(&mut self, at: Duration) {
        if self.worker.meter.state() != WorkerState::Saving {
            self.set_state_since(WorkerState::Waiting, at);
        }
    }

    /// The figures that the worker publishes.
    pub fn figures(&self) -> &'a WorkerCells {
        &self.worker.meter.published().figures
    }

    /// The waits that the worker publishes.
    pub fn waits(&self) -> &'a WaitCells {
        &self.worker.meter.published().waits
    }

    /// The worker has waited since this time.
    pub fn begin_wait(&self, at: Duration) -> WaitBegin {
        WaitBegin { at, requests: self.context().control().undisturbed() }
    }

    /// Counts a wait that ended with a hire at this time, in microseconds as those of its events. A wait with a pause or slow
    /// motion in it says nothing of hires.
    pub fn count_wait(&self, begin: WaitBegin, to: Duration) {
        if begin.requests.is_some() && begin.requests == self.context().control().undisturbed() {
            self.waits().add(whole_micros(to).saturating_sub(whole_micros(begin.at)));
        }
    }

    /// Sends an event of this moment.
    pub fn report(&self, kind: EventKind) {
        self.worker.report(self.now(), kind);
    }

    /// Reports that the worker begins with tasks that no other worker gave it. Its meter has the time of the
    /// event: between two looks at the clock the system may take its core.
    pub fn report_begin(&mut self, tasks: &[Task]) {
        let at = self.now();
        self.set_state_since(WorkerState::Busy, at);
        self.worker.report(at, EventKind::Began { depth: depth_of(tasks) });
    }

    /// Reports that these tasks are done, at the time of its meter.
    pub fn report_end(&mut self) {
        let at = self.now();
        self.rest_since(at);
        self.report_idle(at, None, None);
    }

    /// Reports that the worker has been idle since `at`, which worker it nominates, and the level at which that worker has
    /// a branch to give. One that keeps a rest has put it down.
    pub fn report_idle(&mut self, at: Duration, nominee: Option<usize>, level: Option<usize>) {
        let nodes = self.worker.nodes_since();
        if self.context().control().counting_round().is_slow() {
            // In slow motion the figures by depth are exact at every moment, also of a worker that publishes none for a while.
            self.publish_position();
        }
        self.worker.report(at, EventKind::Idle { nominee, level, nodes, put_down: !self.rest.is_empty() });
    }

    /// Nodes entered since this worker last gave a branch, or got its own.
    pub fn nodes_since_gift(&mut self) -> u64 {
        self.worker.nodes_since_gift()
    }

    /// Time since the run began.
    pub fn now(&self) -> Duration {
        self.worker.meter.now()
    }

    /// Publishes the CPU time of the calling thread, which must be the thread of this worker.
    pub fn publish_cpu(&self) {
        self.worker.meter.publish_cpu();
    }

    /// Delivers the last tours, publishes the last figures and ends the worker. After a panic the kernel is not `intact`,
    /// and is not drawn.
    pub fn finish(mut self, intact: bool) -> Totals {
        let state = self.worker.meter.state();
        if self.worker.tours.as_ref().is_some_and(TourWriter::has_tours) {
            self.set_state(WorkerState::Busy);
        }
        self.worker.write_tours();
        self.set_state(state);
        if intact {
            self.publish_position();
        }
        Totals { rest: self.rest, ..self.worker.finish() }
    }

    fn permit(&mut self) -> Permit {
        self.worker.permit(|drawing| self.kernel.draw(drawing))
    }

    fn burst(&mut self, burst: Burst<'_>) -> BurstEnd {
        self.bursts = self.bursts.wrapping_add(1);
        let levels = match self.context().meters().levels() {
            Levels::Off => false,
            Levels::Sampled => {
                let is_slow = self.worker.is_in_slow_round();
                is_slow || self.bursts.is_multiple_of(SAMPLED_BURSTS) || self.worker.meter.tally.nodes == 0
            }
            Levels::Exact => true,
        };
        let CrewWorker { meter: WorkerMeter { tally, .. }, tours, .. } = &mut self.worker;
        let before = tally.tours;
        let sink = tours.as_mut().and_then(TourWriter::sink);
        let status = self.kernel.advance(burst, &mut BurstOutput { tally, levels, sink });
        if let Some(tours) = tours {
            tally.tours = before + tours.count(tally.tours - before);
        }
        if before == 0 && tally.tours > 0 {
            self.worker.report_first_tour();
        }
        status
    }

    fn publish(&mut self) {
        let place = WorkerPosition { depth: self.kernel.depth(), open_level: self.open_level() };
        self.worker.publish_at(&place, |drawing| self.kernel.draw(drawing));
    }

    /// Publishes the position and the figures by depth. A search that is back at its root has an empty board: then the last
    /// position stays.
    fn publish_position(&self) {
        let is_drawn = self.kernel.depth() > 0;
        self.worker.meter.publish_position(|drawing| {
            if is_drawn {
                self.kernel.draw(drawing)
            }
        });
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
