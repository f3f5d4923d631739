//! A tree searched by a crew under one of the five schedulers, and sampled beside that for an estimate of its size.

use super::crew::Crew;
use super::fixed::TreeCut;
use super::outcome::{RunError, RunOutcome, Totals};
use super::scheduler::Scheduler;
use super::{fixed, fork, hand, hire, serial};
use crate::search::{Burst, BurstOutput, Kernel, Prober, Tally, Task};
use crate::stop::StopReason;
use crossbeam_channel::{Receiver, TryRecvError};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// CPU time for sampling the tree in which a good estimate is made, for a run that somebody looks at.
pub const HEAD_START: Duration = Duration::from_secs(1);
/// CPU time that sampling the tree takes for its estimate, as a share of that of the workers, beyond its head start.
const PROBE_SHARE: f64 = 0.01;
/// How long the sampling thread sleeps when it has had its share.
const PROBE_PAUSE: Duration = Duration::from_millis(50);
/// The same samples in every run of a question: figures on the screen are to be repeatable.
const PROBE_SEED: u64 = 1975;
/// Priority of the sampling thread.
const PROBE_NICE: i32 = 10;

impl Crew {
    /// Runs the search to its end, or until it is told to stop.
    ///
    /// # Errors
    /// [`RunError`] when a worker panicked, could not be started, or could not write its tours; the others have
    /// stopped by then. And when the parts that it is to take up are none of this search, before anything is begun.
    pub fn run(&self, kernel: &dyn Kernel) -> Result<RunOutcome, RunError> {
        if !self.is_fresh() {
            fault_of(&mut *kernel.another(), &self.tasks).map_or(Ok(()), |fault| Err(RunError::Parts(fault)))?;
        }
        let (going, ended) = crossbeam_channel::bounded::<()>(0);
        let ended = &ended;
        let search_all = || {
            std::thread::scope(|scope| {
                // Its end lets go of the sampling thread, also when that of the run is a panic.
                let _going = going;
                // How far it is is said of the whole tree.
                if let Some(head_start) = self.plan.estimate.filter(|_| self.plan.shard.is_none()) {
                    let probe = move || self.guard(0, || self.probe(kernel, head_start, ended));
                    // Where there is no thread for it the tree is not estimated, and that is all.
                    let _ = std::thread::Builder::new().spawn_scoped(scope, probe);
                }
                let mut hands = match self.plan.shard.filter(|_| self.is_fresh()) {
                    Some(shard) => vec![self.open_shard(kernel, shard)],
                    None => vec![self.tasks.clone()],
                };
                let workers = loop {
                    let mut workers = self.go(kernel, hands);
                    match self.take_break(&mut workers) {
                        Some(rests) => hands = rests,
                        None => break workers,
                    }
                };
                (workers, self.meters().since(Instant::now()))
            })
        };
        let (workers, elapsed) = self.foretold(search_all);
        let mut outcome = self.conclude(workers, elapsed)?;
        let is_wish = |reason| matches!(reason, StopReason::Asked | StopReason::Signal | StopReason::Deadline);
        if outcome.rest.is_empty() && outcome.stopped.is_some_and(is_wish) {
            // The wish came when the last branch was done: nothing is left to be resumed.
            outcome.stopped = None;
        }
        Ok(outcome)
    }

    /// Works until nothing is left, or until everybody is to go home: with what each worker has in hand, or all with the
    /// worker that begins.
    fn go(&self, kernel: &dyn Kernel, hands: Vec<Vec<Task>>) -> Vec<Totals> {
        match self.plan.scheduler {
            Scheduler::Serial => serial::run(self, kernel, &hands.concat()),
            Scheduler::Static => fixed::run(self, kernel, &hands, TreeCut::Even),
            Scheduler::Blocks => fixed::run(self, kernel, &hands, TreeCut::Blocks),
            Scheduler::Rayon => fork::run(self, kernel, &hands.concat()),
            Scheduler::Hire => hire::run(self, kernel, hands),
        }
    }

    /// Samples the tree beside the workers, until there is no more to learn.
    fn probe(&self, kernel: &dyn Kernel, head_start: Duration, ended: &Receiver<()>) {
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), PROBE_NICE);
        let over = || ended.try_recv() == Err(TryRecvError::Disconnected) || self.control().stopped().is_some();
        let mut prober = Prober::new(kernel, PROBE_SEED);
        while !over() && !self.meters().is_told() {
            if hand::cpu_time() > head_start + self.meters().cpu().mul_f64(PROBE_SHARE) {
                // The other end says nothing, it goes away.
                let _ = ended.recv_timeout(PROBE_PAUSE);
            } else if let Some(estimate) = prober.sample(over) {
                self.meters().foresee(|outlook| outlook.estimate = Some(estimate));
                if estimate.is_exact() {
                    return;
                }
            }
        }
    }
}

/// Why these cannot be parts that a run of this search has left, if they cannot: each is reached from the root by choices
/// that there are, and none lies in another one.
fn fault_of(kernel: &mut dyn Kernel, tasks: &[Task]) -> Option<String> {
    let mut ways: Vec<&[u8]> = tasks.iter().map(|task| &*task.choices).collect();
    ways.sort_unstable();
    if ways.windows(2).any(|two| two[1].starts_with(two[0])) {
        return Some("one of its parts lies in another one".to_owned());
    }
    // From the root on: whoever stands before a node has come there by choices that there are.
    let mut open: HashMap<&[u8], Vec<u8>> = HashMap::new();
    for way in ways {
        for (level, choice) in way.iter().enumerate() {
            let way = &way[..level];
            if !open.entry(way).or_insert_with(|| children(kernel, way)).contains(choice) {
                return Some("one of its parts is none of this search".to_owned());
            }
        }
    }
    None
}

/// The choices at the end of this way.
fn children(kernel: &mut dyn Kernel, way: &[u8]) -> Vec<u8> {
    kernel.begin(&Task { choices: way.into(), share: 1.0 });
    // The root has nothing to enter.
    if !way.is_empty() {
        kernel.advance(Burst::nodes(1), &mut BurstOutput::counting(&mut Tally::default()));
    }
    kernel.branches_mut().rest().iter().filter_map(|task| task.choices.last().copied()).collect()
}
