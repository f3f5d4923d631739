//! The runs in progress without a screen: a signal stops them, those that would follow, and what is written afterwards; and
//! the progress line of all that.

use super::attend::{clear_progress, with_signals};
use super::say::say;
use super::still_crew::StillCrew;
use crate::lock::LockAlways as _;
use crate::run::{Continuation, Plan, PreparedRun, RunDone, RunObservers};
use crate::save_request;
use crate::schedule::{CrewPlan, CrewWatch, RunError, Snapshot, StopReason};
use crate::solve::{GenerationListener, TourOutput};
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
    before: Mutex<Duration>,
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
    pub fn attend<T>(
        &self,
        progress: impl Fn() -> String + Sync,
        body: impl FnOnce() -> T,
    ) -> io::Result<(T, Option<i32>)> {
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
        let done = match self.observers.are_some() {
            false => work(),
            true => {
                let mut before = self.before.locked();
                let done = self.observers.beside(sampler.after(*before), work);
                // The last frame of this run was taken after its end, and no frame of the next run may be earlier.
                *before += watch.snapshot().elapsed;
                done
            }
        };
        self.leave(slot);
        done
    }

    /// The next run has nothing to do with those before: its observers see it from time 0.
    pub fn begin_anew(&self) {
        *self.before.locked() = Duration::ZERO;
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
fn process_cpu_time() -> Duration {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::run::Question;
    use crate::solve::{self, Problem};

    fn watch() -> CrewWatch {
        let problem = Problem::new("6x6".parse().unwrap(), Ending::Closed);
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
}
