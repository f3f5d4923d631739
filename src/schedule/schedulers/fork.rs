//! Sharing by rayon: every part of the tree above a size becomes a task on rayon's work-stealing deques.
//!
//! A task enters one node. If its share of the tree is still large, each child becomes a task of its own; otherwise the
//! worker finishes it in bursts like any other worker. Idle threads steal the oldest task, which is the largest. A task
//! that runs on another worker than the one that made it counts as a hire by the worker that made it, so that schedulers
//! can be compared. A task that starts while the run stops is kept as a part of the rest, whichever thread made it, and is
//! no hire.
//!
//! Rayon does not say when a thread finds no more work. So the event that a worker is idle is sent late: when the worker
//! has stolen a task, or when it ends. The event has the time at which the previous task of the worker ended.

use super::worker::{KernelWorker, NO_MAIL, WaitBegin};
use crate::event::EventKind;
use crate::lock::LockAlways as _;
use crate::schedule::crew::lifecycle::CrewContext;
use crate::schedule::figures::cells::WorkerState;
use crate::schedule::figures::outcome::{RunError, Totals};
use crate::schedule::scheduler::{Scheduler, SchedulerCard, Sharing};
use crate::search::{BurstEnd, HandOver, Kernel, Task};
use crate::system;
use rayon::Scope;
use std::sync::Mutex;
use std::time::Duration;

/// Number of parts per worker that sets the size of the smallest parts: a task with at most this share of the tree is not
/// cut into further tasks.
const PARTS_PER_WORKER: f64 = 256.0;

impl Scheduler {
    /// Parts above a size become tasks on rayon's deques; idle threads steal the oldest task.
    pub const RAYON: Scheduler = Scheduler::of(&SchedulerCard {
        tells_hires: true,
        times_hand_overs: false,
        simulated: |_| Sharing::Steal,
        ..SchedulerCard::new("rayon", "large parts become tasks on rayon's deques, to be stolen")
    });
}

/// Runs these parts of the tree as tasks of a rayon pool of its own.
pub fn run(context: &CrewContext, kernel: &dyn Kernel, task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    let worker = |id| {
        let mut worker = KernelWorker::new(id, context, kernel);
        // Any thread goes on with what one has put down for a save.
        worker.set_state(WorkerState::Idle);
        let since = context.meters().of(id).since();
        Mutex::new(Thread { dry: worker.begin_wait(since), worker, ended: None })
    };
    let workers: Vec<Mutex<Thread<'_>>> = (0..context.size()).map(worker).collect();
    let share_min = 1.0 / (PARTS_PER_WORKER * context.size() as f64);
    let work = |id: usize, task: &Task, by: Option<usize>| {
        // Each thread locks only its own worker, and never while it runs another task.
        let mut thread = workers[id].locked();
        if context.control().is_stopping() {
            thread.worker.keep_task(task);
            return Vec::new();
        }
        thread.report_task(task, by);
        let worker = &mut thread.worker;
        worker.set_state(WorkerState::Busy);
        worker.begin(vec![task.clone()]);
        let mut children = Vec::new();
        if task.share > share_min {
            let alive = task.choices.is_empty() || worker.enter_one() == BurstEnd::Yielded;
            children.extend(std::iter::from_fn(|| alive.then(|| worker.split(HandOver::Next))?).flatten());
        } else {
            worker.work(&NO_MAIL, |_| false);
        }
        // The state is still busy: on a busy machine a system call is the point at which the thread may lose its core.
        worker.publish_cpu();
        let at = worker.now();
        worker.rest_since(at);
        (thread.ended, thread.dry) = (Some(at), thread.worker.begin_wait(at));
        children
    };
    Fork { context, work: &work }.run(&task_lists.concat());
    let finish = |thread: Mutex<Thread<'_>>| {
        let intact = !thread.is_poisoned();
        let mut thread = thread.into_content();
        thread.report_idle();
        thread.worker.finish(intact)
    };
    workers.into_iter().map(finish).collect()
}

/// A rayon thread: its worker, and when its last task ended, if it has had one. What is seen of a wait is the time from then until
/// a stolen task begins.
struct Thread<'a> {
    worker: KernelWorker<'a>,
    ended: Option<Duration>,
    dry: WaitBegin,
}

impl Thread<'_> {
    /// Reports that a task begins: as a hire by worker `by`, which made the task, or as the first work of this worker.
    fn report_task(&mut self, task: &Task, by: Option<usize>) {
        if let Some(by) = by {
            self.report_idle();
            self.worker.skip_steps();
            self.worker.count_wait(self.dry, self.worker.now());
            self.worker.context().meters().of(by).figures.sharing.hires.add(1);
            let kind =
                EventKind::Hired { by, depth: task.choices.len(), left: None, company: Vec::new(), entered: None };
            self.worker.report(kind);
        } else if self.ended.is_none() {
            self.worker.report_begin(std::slice::from_ref(task));
        }
    }

    /// Reports that the worker has been idle since its last task ended.
    fn report_idle(&mut self) {
        if let Some(at) = self.ended.take() {
            self.worker.report_idle(at, None, None);
        }
    }
}

/// Works on a task on the thread of a worker, and answers the tasks into which it is cut. The last argument is the worker
/// that made the task, if another worker did.
type ForkWork<'f> = dyn Fn(usize, &Task, Option<usize>) -> Vec<Task> + Sync + 'f;

/// The tasks of one run, as rayon runs them.
struct Fork<'f> {
    context: &'f CrewContext,
    work: &'f ForkWork<'f>,
}

impl Fork<'_> {
    fn run(&self, tasks: &[Task]) {
        let mut started = 0;
        std::thread::scope(|threads| {
            let start = |thread: rayon::ThreadBuilder| {
                let id = thread.index();
                let run = move || {
                    self.context.set_thread(id);
                    thread.run();
                };
                system::start_within(threads, &format!("worker-{id}"), run).map_err(|refused| refused.error)?;
                started += 1;
                Ok(())
            };
            match rayon::ThreadPoolBuilder::new().num_threads(self.context.size()).spawn_handler(start).build() {
                Ok(pool) => pool.scope(|scope| self.spawn(scope, tasks, None)),
                Err(error) => {
                    let (worker, error) = (started, std::io::Error::other(error));
                    self.context.fail(RunError::Spawn { worker, error });
                }
            }
        });
    }

    /// Works on one task on the current rayon thread; `by` made the task.
    fn task<'s>(&'s self, scope: &Scope<'s>, task: &Task, by: Option<usize>) {
        let id = rayon::current_thread_index().unwrap_or(0);
        let mut children = Vec::new();
        self.context.guard(id, || {
            children = (self.work)(id, task, by.filter(|&by| by != id));
        });
        self.spawn(scope, &children, Some(id));
    }

    /// Lets rayon run these tasks, also in a run that was stopped: then the worker keeps what is left of them.
    fn spawn<'s>(&'s self, scope: &Scope<'s>, tasks: &[Task], by: Option<usize>) {
        // Rayon runs the task first that was spawned last.
        for task in tasks.iter().rev() {
            let task = task.clone();
            scope.spawn(move |scope| self.task(scope, &task, by));
        }
    }
}
