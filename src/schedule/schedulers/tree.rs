//! The search of a tree by a crew under one of the schedulers, and the sampling that estimates the size of the tree.

use super::ROWS;
use super::shard_prefixes::open_shard;
use crate::schedule::crew::lifecycle::{Crew, CrewContext};
use crate::schedule::crew::thread::cpu_time;
use crate::schedule::figures::outcome::{RunError, RunOutcome, Totals};
use crate::search::{Burst, BurstOutput, Kernel, Prober, Tally, Task};
use crate::stop::StopReason;
use crate::system;
use crossbeam_channel::{Receiver, TryRecvError};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// CPU time in which sampling makes a useful estimate of the tree, for a run that a viewer watches.
pub const HEAD_START: Duration = Duration::from_millis(200);
/// Share of the workers' CPU time that sampling may take once that is more than its head start.
const PROBE_SHARE: f64 = 0.005;
/// Sleep of the sampling thread when it has used its share.
const PROBE_PAUSE: Duration = Duration::from_millis(50);
/// Seed of the samples. It is fixed, so that figures on the screen are repeatable.
const PROBE_SEED: u64 = 1975;
/// Largest relative error of a share that was written as a number and read again.
const SHARE_ERROR: f64 = 1e-9;
/// Priority of the sampling thread.
const PROBE_NICE: i32 = 10;

impl Crew {
    /// Runs the search to its end, or until it is told to stop.
    ///
    /// # Errors
    /// [`RunError`] when a worker panicked or could not be started, or the tours could not be written; the other workers
    /// have stopped by then. Also when the parts with which the run is to be resumed are not of this search; then nothing
    /// was begun.
    pub fn run(&self, kernel: &dyn Kernel) -> Result<RunOutcome, RunError> {
        if !self.is_fresh() {
            fault_of(&mut *kernel.another(), &self.tasks).map_or(Ok(()), |fault| Err(RunError::Parts(fault)))?;
        }
        let context = &self.context;
        let (going, ended) = crossbeam_channel::bounded::<()>(0);
        let ended = &ended;
        let search_all = || {
            std::thread::scope(|scope| {
                // When it is dropped, the sampling thread ends, also when the run panics.
                let _going = going;
                // The progress is that of the whole tree, so a shard is not estimated.
                if let Some(head_start) = context.plan.estimate.filter(|_| context.plan.shard.is_none()) {
                    let probe = move || context.guard(0, || sample_tree(context, kernel, head_start, ended));
                    // If the thread cannot be started, the tree is not estimated and the run continues.
                    let _ = system::start_within(scope, "estimate", probe);
                }
                let mut task_lists = match context.plan.shard.filter(|_| self.is_fresh()) {
                    Some(shard) => vec![open_shard(context, kernel, shard)],
                    None => vec![self.tasks.clone()],
                };
                let workers = loop {
                    let mut workers = search(context, kernel, task_lists);
                    match self.finish_break(&mut workers) {
                        Some(rests) => task_lists = rests,
                        None => break workers,
                    }
                };
                (workers, context.meters().since(Instant::now()))
            })
        };
        let (workers, elapsed) = self.with_forecast(search_all);
        let mut outcome = self.conclude(workers, elapsed)?;
        let is_wish = |reason| matches!(reason, StopReason::Asked | StopReason::Signal | StopReason::Deadline);
        if outcome.rest.is_empty() && outcome.stopped.is_some_and(is_wish) {
            // The stop came when the last branch was done: nothing is left to be resumed.
            outcome.stopped = None;
        }
        Ok(outcome)
    }
}

/// Searches the tree until no work is left or the workers are to stop, and answers their totals. `task_lists` are the tasks
/// of each worker, or one list for the worker that begins.
fn search(context: &CrewContext, kernel: &dyn Kernel, task_lists: Vec<Vec<Task>>) -> Vec<Totals> {
    let row = ROWS.iter().find(|(scheduler, _)| *scheduler == context.plan.scheduler);
    let (_, search) = row.unwrap_or_else(|| unreachable!("every scheduler has a row"));
    search(context, kernel, task_lists)
}

/// Samples the tree beside the workers, until more samples tell no more or the run ends.
fn sample_tree(context: &CrewContext, kernel: &dyn Kernel, head_start: Duration, ended: &Receiver<()>) {
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), PROBE_NICE);
    let meters = context.meters();
    let over = || ended.try_recv() == Err(TryRecvError::Disconnected) || context.control().stop_reason().is_some();
    let mut prober = Prober::new(kernel, PROBE_SEED);
    // That of the run before, where this one resumes it: the first samples know less.
    let mut carried = meters.outlook().estimate;
    while !over() && !meters.tours_tell_progress() {
        if cpu_time() > head_start.max(meters.cpu().mul_f64(PROBE_SHARE)) {
            // The sender sends nothing: it is dropped when the search ends.
            let _ = ended.recv_timeout(PROBE_PAUSE);
        } else if let Some(estimate) = prober.sample(over) {
            if carried.is_none_or(|carried| estimate.is_as_narrow_as(carried)) {
                carried = None;
                meters.update_outlook(|outlook| outlook.estimate = Some(estimate));
            }
            if estimate.is_exact() {
                return;
            }
        }
    }
}

/// Why these tasks cannot be the parts that a run of this search left; `None` if they can. Each part is reached from the
/// root by choices of this search, none lies in another one, and each has its share of the tree. The shares tell of other holes:
/// around these the same choices have other siblings.
fn fault_of(kernel: &mut dyn Kernel, tasks: &[Task]) -> Option<String> {
    let mut ways: Vec<&[u8]> = tasks.iter().map(|task| &*task.choices).collect();
    ways.sort_unstable();
    if ways.windows(2).any(|two| two[1].starts_with(two[0])) {
        return Some("one of its parts lies inside another of its parts".to_owned());
    }
    // Each way is checked from the root on, so the nodes above a choice have been checked before.
    let mut open: HashMap<&[u8], Vec<u8>> = HashMap::new();
    for Task { choices, share } in tasks {
        let mut share_here = 1.0;
        for (level, choice) in choices.iter().enumerate() {
            let way = &choices[..level];
            let siblings = open.entry(way).or_insert_with(|| children(kernel, way));
            if !siblings.contains(choice) {
                return Some("one of its parts is not a part of this search".to_owned());
            }
            share_here /= siblings.len() as f64;
        }
        if (share_here / share - 1.0).abs() > SHARE_ERROR {
            let why = "the board, its holes or another setting was changed";
            return Some(format!("one of its parts is another share of this search than it was: {why}"));
        }
    }
    None
}

/// The choices at the node that this way leads to.
fn children(kernel: &mut dyn Kernel, way: &[u8]) -> Vec<u8> {
    kernel.begin(&Task { choices: way.into(), share: 1.0 });
    // At the root there is no node to enter.
    if !way.is_empty() {
        kernel.advance(Burst::nodes(1), &mut BurstOutput::counting(&mut Tally::default()));
    }
    kernel.branches_mut().rest().iter().filter_map(|task| task.choices.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::search::{Brute, Edges, Path};

    fn kernels(shape: &str) -> [Box<dyn Kernel>; 3] {
        let shape: Shape = shape.parse().unwrap();
        [
            Box::new(Brute::<u64>::new(&shape, None).unwrap()),
            Box::new(Path::<u64>::open(&shape, None).unwrap()),
            Box::new(Edges::<u64, 64>::new(&shape).unwrap()),
        ]
    }

    /// Also where a hole was taken away: then all choices are still there, but so are others.
    #[test]
    fn the_parts_of_a_search_are_refused_around_other_holes() {
        for (nth, mut kernel) in kernels("8x8-d4,e4").into_iter().enumerate() {
            kernel.begin(&Task::root());
            kernel.advance(Burst::nodes(300), &mut BurstOutput::counting(&mut Tally::default()));
            let rest = kernel.branches_mut().rest();
            assert!(rest.len() > 10, "{nth}");
            assert_eq!(fault_of(&mut *kernels("8x8-e4,d4")[nth], &rest), None, "{nth}");
            for other in ["8x8", "8x8-d4", "8x8-e4", "8x8-d5,e5", "8x8-a1,b1", "8x8-d4,g4"] {
                assert!(fault_of(&mut *kernels(other)[nth], &rest).is_some(), "{nth} {other}");
            }
        }
    }
}
