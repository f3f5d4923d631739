//! The runs in progress without a screen: a signal stops them, those that would follow, and what is written afterwards; and
//! the progress line of all that. And searches that nothing observes, for measurements.

use super::attend::{WithSignal, clear_progress, with_signals};
use super::fault::{Failure, running};
use super::say::say;
use crate::event::EventSender;
use crate::lock::LockAlways as _;
use crate::run::{Continuation, Plan, PreparedRun, Question, RunDone, RunObservers};
use crate::save_request;
use crate::schedule::{Crew, CrewPlan, CrewWatch, RunError, RunOutcome, Snapshot, StopReason};
use crate::search::Kernel;
use crate::solve::{self, GenerationListener, Problem, TourOutput};
use crate::words::count;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The runs in progress, all of which a signal stops.
#[derive(Default)]
pub struct ActiveRuns {
    asked: AtomicBool,
    /// By slot: one for each run that may be in progress at the same time.
    runs: Mutex<Vec<Option<CrewWatch>>>,
    work: Mutex<Option<&'static str>>,
    done: AtomicU64,
    observers: RunObservers,
    /// Run time that the journal has already: the endings of a question are tried in turn.
    before: Mutex<[Duration; 2]>,
    /// What the progress line sees of the run in the first slot.
    still: Mutex<StillCrew>,
}

/// What is said of a crew that stands still.
const STANDS_STILL: &str = "no worker has entered a node for a minute, although workers search. That is a fault of this program: \
    please report it with the command. The run continues, and is saved now if it has a checkpoint";

impl ActiveRuns {
    pub fn observed(observers: RunObservers) -> ActiveRuns {
        ActiveRuns { observers, ..ActiveRuns::default() }
    }

    /// Runs `body`, in which runs are answered; signals stop them all. See [`with_signals`].
    ///
    /// # Errors
    /// As [`with_signals`].
    pub fn attend<T>(&self, progress: impl Fn() -> String + Sync, body: impl FnOnce() -> T) -> WithSignal<T> {
        with_signals(|| self.stop(), progress, body)
    }

    /// Stops all runs, now and later.
    pub fn stop(&self) {
        self.asked.store(true, Ordering::SeqCst);
        for run in self.runs().iter().flatten() {
            run.control().stop(StopReason::Asked);
        }
    }

    /// Whether the runs were stopped.
    pub fn is_stopped(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Answers the question of a plan in a slot, with a crew that resumes and is saved by `continuation`. Returns when
    /// that is done or stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(
        &self,
        slot: usize,
        plan: &Plan,
        crew: CrewPlan,
        continuation: Continuation,
        tours: TourOutput,
        generations: &GenerationListener<'_>,
    ) -> Result<RunDone, RunError> {
        let (run, sampler) = PreparedRun::new(&plan.question, crew, continuation, self.observers.are_some());
        let watch = sampler.watch().clone();
        self.enter(slot, watch.clone());
        let work = || run.answer(tours, generations);
        let done = if self.observers.are_some() {
            // No lock is held while the run is observed: runs of other slots are not to wait for it.
            let before = *self.before.locked();
            let done = self.observers.beside(sampler.after(before), work).unwrap_or_else(|refused| Err(refused.into()));
            // The last frame of this run was taken after its end, and no frame of the next run may be earlier.
            let (seen, mut before) = (watch.snapshot(), self.before.locked());
            *before = [before[0] + seen.elapsed, before[1] + seen.stood];
            done
        } else {
            work()
        };
        self.leave(slot);
        done
    }

    /// The next run has nothing to do with those before: its observers see it from time 0.
    pub fn begin_anew(&self) {
        *self.before.locked() = [Duration::ZERO; 2];
    }

    /// Notes the run in progress in a slot.
    fn enter(&self, slot: usize, watch: CrewWatch) {
        let mut runs = self.runs();
        if runs.len() <= slot {
            runs.resize(slot + 1, None);
        }
        // `stop` sets the flag before it looks for runs: one of the two sees the other.
        if self.is_stopped() {
            watch.control().stop(StopReason::Asked);
        }
        runs[slot] = Some(watch);
    }

    /// Notes that a slot has no run in progress any more.
    fn leave(&self, slot: usize) {
        self.runs()[slot] = None;
    }

    /// The progress line: of the run in the first slot, by `line`, or without one of the other work. To be called regularly:
    /// a crew that stands still is told of, and is asked to save.
    pub fn progress(&self, line: fn(&Snapshot) -> String) -> String {
        match (self.run(0), self.work()) {
            (Some(watch), _) => {
                let seen = watch.snapshot();
                if self.still.locked().look(Instant::now(), process_cpu_time(), &seen) {
                    clear_progress();
                    // A line that is not read is no reason to stop.
                    let _ = say(STANDS_STILL);
                    save_request::flag().store(true, Ordering::Relaxed);
                }
                line(&seen)
            }
            (None, Some((n, work))) => format!("{} {work}", count(n)),
            (None, None) => String::new(),
        }
    }

    /// The run in progress in a slot.
    fn run(&self, slot: usize) -> Option<CrewWatch> {
        self.runs().get(slot).cloned().flatten()
    }

    /// Begins to count other work from 0: `bytes written`.
    pub fn begin_work(&self, work: &'static str) {
        self.done.store(0, Ordering::Relaxed);
        *self.work.locked() = Some(work);
    }

    pub fn count_work(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    /// The other work: how much is done, and of what.
    fn work(&self) -> Option<(u64, &'static str)> {
        let work = *self.work.locked();
        work.map(|work| (self.done.load(Ordering::Relaxed), work))
    }

    /// A writer that counts its bytes, and fails when the runs are stopped.
    pub fn writer<W: Write>(&self, inner: W) -> StoppableWriter<'_, W> {
        StoppableWriter { runs: self, inner }
    }

    /// A list of watches is whole at any moment, so poison means nothing here.
    fn runs(&self) -> MutexGuard<'_, Vec<Option<CrewWatch>>> {
        self.runs.locked()
    }
}

/// CPU time of all threads of this process.
pub fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// See [`ActiveRuns::writer`].
pub struct StoppableWriter<'a, W> {
    runs: &'a ActiveRuns,
    inner: W,
}

impl<W: Write> Write for StoppableWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.runs.is_stopped() {
            return Err(io::Error::other("stopped by a signal"));
        }
        let n = self.inner.write(bytes)?;
        self.runs.count_work(n as u64);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

// Notices a crew that stands still: its workers claim to search, and no worker enters a node.
//
// A burst takes well under a millisecond, so a crew that searches enters nodes at any moment. If it enters none for a minute, the
// program has a fault, such as workers that hand one branch round for ever. The run is not ended for that, since a viewer knows
// better; it is told once.

/// How long no node may be entered.
const STILL_FOR: Duration = Duration::from_secs(60);
/// Longest time between two looks. After a longer one the process itself may have been stopped.
const LOOKS_EVERY_MAX: Duration = Duration::from_secs(15);
/// Least share of the time in which the process had a core: a process without one enters no nodes either.
const CPU_SHARE_MIN: u32 = 10;

/// What was seen of a crew at regular looks.
#[derive(Default, PartialEq, Debug)]
pub struct StillCrew {
    since: Option<Stillness>,
    looked: Option<Instant>,
    is_told: bool,
}

/// A crew that has entered no node since a look.
#[derive(PartialEq, Debug)]
struct Stillness {
    at: Instant,
    /// CPU time of the process at that look.
    cpu: Duration,
    nodes: u64,
    /// Time of writing tours, of all workers.
    write: Duration,
}

impl StillCrew {
    /// Looks at the crew; `cpu` is the CPU time of the process. Answers `true` once when the crew has stood still for
    /// a minute.
    pub fn look(&mut self, now: Instant, cpu: Duration, seen: &Snapshot) -> bool {
        let is_regular = self.looked.replace(now).is_some_and(|looked| now.duration_since(looked) <= LOOKS_EVERY_MAX);
        let write = seen.workers.iter().map(|worker| worker.overhead.write).sum();
        let here = Stillness { at: now, cpu, nodes: seen.nodes(), write };
        // A construction enters no nodes.
        let searches = here.nodes > 0 && seen.workers.iter().any(|worker| worker.state.has_work());
        let is_free = searches && !seen.is_held() && seen.stop.is_none();
        let since = match self.since.take() {
            Some(since) if is_free && is_regular && (since.nodes, since.write) == (here.nodes, write) => since,
            _ => {
                self.is_told = false;
                self.since = is_free.then_some(here);
                return false;
            }
        };
        let (still, had_core) = (now.duration_since(since.at), cpu.saturating_sub(since.cpu) * CPU_SHARE_MIN);
        self.since = Some(since);
        let is_new = still >= STILL_FOR && had_core >= still && !self.is_told;
        self.is_told |= is_new;
        is_new
    }
}

/// Searches by the solver of a name with this crew; `output` receives the tours.
///
/// # Errors
/// [`Failure`] when no solver has the name, when it does not take the problem, or when the run fails.
pub fn solve_unobserved(
    solver: &str,
    problem: &Problem,
    crew: CrewPlan,
    output: TourOutput,
) -> Result<RunOutcome, Failure> {
    let solver = solve::solver_by_name(solver).ok_or_else(|| running(format!("no solver is called {solver}")))?;
    solver.admits(problem).map_err(running)?;
    let question = Question::Search(solver, problem.clone());
    let (run, _) = PreparedRun::new(&question, crew, Continuation::default(), false);
    Ok(run.answer(output, &|_, _| {}).map_err(running)?.outcome)
}

/// Searches the tree of a kernel with this crew.
///
/// # Errors
/// When the run fails.
pub fn search_unobserved(kernel: &dyn Kernel, crew: CrewPlan) -> Result<RunOutcome, Failure> {
    Crew::new(crew, EventSender::nowhere()).run(kernel).map_err(running)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape, TourRef};
    use crate::run::{Frame, Question, RunObserver};
    use crate::schedule::{BlockOutput, WorkerSnapshot, WorkerState};
    use crate::solve::{self, Problem};
    use crossbeam_channel::{Receiver, Sender};
    use std::sync::Arc;

    fn watch() -> CrewWatch {
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let question = Question::Search(solve::default_solver(Ending::Closed), problem);
        PreparedRun::new(&question, CrewPlan::serial(), Continuation::default(), false).1.watch().clone()
    }

    #[test]
    fn runs_before_and_after_the_signal_are_stopped_but_not_those_that_have_left() {
        let runs = ActiveRuns::default();
        let [gone, here, late] = [watch(), watch(), watch()];
        runs.enter(0, gone.clone());
        runs.leave(0);
        runs.enter(2, here.clone());
        assert!(!runs.is_stopped() && runs.run(1).is_none() && runs.run(2).is_some());
        runs.stop();
        runs.enter(1, late.clone());
        let stopped = [gone, here, late].map(|watch| watch.control().stop_reason());
        assert_eq!(stopped, [None, Some(StopReason::Asked), Some(StopReason::Asked)]);
    }

    /// Both runs are in their first tour at the same time, or one of them waits in vain.
    #[test]
    fn runs_of_two_slots_are_observed_side_by_side() {
        struct Nowhere;
        impl BlockOutput for Nowhere {
            fn write(&self, _: &[u8]) -> io::Result<()> {
                Ok(())
            }
        }
        struct Blind;
        impl RunObserver for Blind {
            fn take(&self, _: &Frame) {}
        }
        let observers = RunObservers { others: vec![Arc::new(Blind)], ..RunObservers::default() };
        let runs = ActiveRuns::observed(observers);
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(solve::default_solver(Ending::Closed), problem), 1);
        let answer = |slot, own: Sender<()>, other: Receiver<()>| {
            let meet = move |_: TourRef<'_>, _: &mut Vec<u8>| {
                let _ = own.try_send(());
                other.recv_timeout(Duration::from_secs(120)).expect("the other run is at work");
                // Only the first tour waits.
                let _ = own.try_send(());
            };
            let tours: TourOutput = Some((Box::new(Nowhere), Box::new(meet)));
            runs.answer(slot, &plan, CrewPlan::serial(), Continuation::default(), tours, &|_, _| {}).unwrap()
        };
        let [first, second] = [0, 1].map(|_| crossbeam_channel::bounded(20_000));
        let [one, other] = std::thread::scope(|scope| {
            let one = scope.spawn(|| answer(0, first.0, second.1));
            let other = scope.spawn(|| answer(1, second.0, first.1));
            [one, other].map(|run| run.join().unwrap().outcome.total().tours)
        });
        assert_eq!((one, other), (9_862, 9_862));
    }

    #[test]
    fn the_progress_line_looks_whether_the_crew_stands_still() {
        let runs = ActiveRuns::default();
        runs.progress(|_| String::new());
        assert_eq!(*runs.still.locked(), StillCrew::default(), "there is no run");
        runs.enter(0, watch());
        runs.progress(|_| String::new());
        assert_ne!(*runs.still.locked(), StillCrew::default());
    }

    #[test]
    fn a_writer_counts_and_fails_once_it_is_asked_to_end() {
        let runs = ActiveRuns::default();
        let mut text = Vec::new();
        runs.begin_work("bytes written");
        let mut writer = runs.writer(&mut text);
        writer.write_all(b"a1 b3").unwrap();
        runs.stop();
        assert!(writer.write_all(b" c5").is_err());
        assert_eq!((runs.work(), text.as_slice()), (Some((5, "bytes written")), &b"a1 b3"[..]));
    }

    /// Looks every ten seconds, twenty times, at what `seen` makes of a crew that stands still; answers the looks that tell
    /// of it. The process has half a core.
    fn told(seen: impl Fn(u32, &mut Snapshot)) -> Vec<u32> {
        told_at(|k| Duration::from_secs(10 * u64::from(k)), |at| at / 2, seen)
    }

    fn told_at(
        at: impl Fn(u32) -> Duration,
        cpu: impl Fn(Duration) -> Duration,
        seen: impl Fn(u32, &mut Snapshot),
    ) -> Vec<u32> {
        let (mut crew, began) = (StillCrew::default(), Instant::now());
        let look = |&k: &u32| {
            let states = [WorkerState::Descheduled, WorkerState::Waiting];
            let worker = |state| WorkerSnapshot { state, nodes: 7, ..WorkerSnapshot::default() };
            let mut snapshot = Snapshot { workers: states.map(worker).to_vec(), ..Snapshot::default() };
            seen(k, &mut snapshot);
            crew.look(began + at(k), cpu(at(k)), &snapshot)
        };
        (0..20).filter(look).collect()
    }

    #[test]
    fn a_crew_that_enters_no_node_for_a_minute_is_told_once() {
        assert_eq!(told(|_, _| ()), [6]);
        // It moves at 80 s, and stands still again.
        assert_eq!(told(|k, seen| seen.workers[0].nodes += u64::from(k >= 8)), [6, 14]);
    }

    #[test]
    fn a_crew_that_has_a_reason_to_stand_still_is_not_told() {
        let nothing: [u32; 0] = [];
        assert_eq!(told(|k, seen| seen.workers[1].nodes += u64::from(k / 5)), nothing, "it enters nodes");
        assert_eq!(told(|_, seen| seen.paused = true), nothing, "it is paused");
        assert_eq!(told(|_, seen| seen.pace = Some(1)), nothing, "it is in slow motion");
        assert_eq!(told(|k, seen| seen.paused = k % 5 == 0), nothing, "it was paused meanwhile");
        assert_eq!(told(|_, seen| seen.workers[0].state = WorkerState::Idle), nothing, "it is in a break");
        assert_eq!(
            told(|_, seen| seen.workers.iter_mut().for_each(|worker| worker.nodes = 0)),
            nothing,
            "it constructs"
        );
        let waits_for_output =
            |k: u32, seen: &mut Snapshot| seen.workers[0].overhead.write = Duration::from_secs(k.into());
        assert_eq!(told(waits_for_output), nothing, "a worker waits for the output");
    }

    #[test]
    fn a_process_that_did_not_run_is_not_told() {
        let every = |seconds: u64| move |k: u32| Duration::from_secs(seconds * u64::from(k));
        assert_eq!(told_at(every(10), |_| Duration::ZERO, |_, _| ()), [0; 0], "it had no core");
        assert_eq!(told_at(every(20), |at| at, |_, _| ()), [0; 0], "it was stopped between two looks");
    }
}
