//! Runs without a screen, and what a signal stops: the runs under way, those that would follow, and what is written
//! afterwards; and how far all that is.

use crate::event::{self, EventSender};
use crate::lock::LockAlways as _;
use crate::run::{Goes, Plan, RunDone, RunObservers, Sampler};
use crate::schedule::{Crew, CrewPlan, CrewWatch, RunError, Snapshot, StopReason};
use crate::solve::{GenerationListener, TourOutput};
use crate::words::count;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Ends everything, once asked.
#[derive(Default)]
pub struct Halt {
    asked: AtomicBool,
    /// By slot: one for each run that may be under way at the same time.
    runs: Mutex<Vec<Option<CrewWatch>>>,
    work: Mutex<Option<&'static str>>,
    done: AtomicU64,
    /// Who sees the runs, if anybody does.
    witnesses: RunObservers,
    /// How long the runs have taken that are in the journal already: the endings of a question are tried in turn.
    before: Mutex<Duration>,
}

impl Halt {
    /// One whose runs are seen.
    pub fn seen_by(witnesses: RunObservers) -> Halt {
        Halt { witnesses, ..Halt::default() }
    }

    /// Asks everything to end.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::SeqCst);
        for run in self.runs().iter().flatten() {
            run.control().stop(StopReason::Asked);
        }
    }

    /// Whether it was asked.
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::SeqCst)
    }

    /// Answers the question of a plan in a slot, with a crew for it, kept or taken up by `goes`; blocks until that is done
    /// or stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(
        &self,
        slot: usize,
        plan: &Plan,
        (crew, goes): (CrewPlan, Goes),
        tours: TourOutput,
        told: &GenerationListener<'_>,
    ) -> Result<RunDone, RunError> {
        let seen = self.witnesses.are_some().then(|| event::channel(event::CAPACITY));
        let sender = seen.as_ref().map_or_else(EventSender::nowhere, |(sender, _)| sender.clone());
        let mut crew = Crew::new(CrewPlan { breaks: goes.breaks(), ..crew }, sender);
        goes.tell(&mut crew);
        let watch = crew.watch();
        self.enter(slot, watch.clone());
        let work = || plan.question.answer(crew, tours, told);
        let done = match seen {
            None => work(),
            Some((_, events)) => {
                let mut before = self.before.locked();
                let lens = Sampler::new(watch, events, plan.question.board()).after(*before);
                let done = self.witnesses.beside(lens, work);
                *before += done.as_ref().map_or(Duration::ZERO, |done| done.outcome.elapsed);
                done
            }
        };
        self.leave(slot);
        done
    }

    /// Notes the run that is under way in a slot.
    fn enter(&self, slot: usize, watch: CrewWatch) {
        let mut runs = self.runs();
        if runs.len() <= slot {
            runs.resize(slot + 1, None);
        }
        // Whoever asks does so before he looks for runs: one of the two sees the other.
        if self.asked() {
            watch.control().stop(StopReason::Asked);
        }
        runs[slot] = Some(watch);
    }

    /// Notes that no run is under way in a slot any more.
    fn leave(&self, slot: usize) {
        self.runs()[slot] = None;
    }

    /// How far it is, in one line: the run in the first slot, by `line`, or what is done when there is none.
    pub fn progress(&self, line: fn(&Snapshot) -> String) -> String {
        match (self.run(0), self.work()) {
            (Some(watch), _) => line(&watch.snapshot()),
            (None, Some((n, work))) => format!("{} {work}", count(n)),
            (None, None) => String::new(),
        }
    }

    /// The run under way in a slot.
    fn run(&self, slot: usize) -> Option<CrewWatch> {
        self.runs().get(slot).cloned().flatten()
    }

    /// Notes what is done now, beside the runs, and counted from 0: `bytes written`.
    pub fn begin(&self, work: &'static str) {
        self.done.store(0, Ordering::Relaxed);
        *self.work.locked() = Some(work);
    }

    /// Counts some of it.
    pub fn count(&self, n: u64) {
        self.done.fetch_add(n, Ordering::Relaxed);
    }

    /// What is done, and how much of it already.
    fn work(&self) -> Option<(u64, &'static str)> {
        let work = *self.work.locked();
        work.map(|work| (self.done.load(Ordering::Relaxed), work))
    }

    /// A writer that counts its bytes, and fails when it is asked to end.
    pub fn writer<W: Write>(&self, inner: W) -> Halting<'_, W> {
        Halting { halt: self, inner }
    }

    /// A list of watches is whole at any moment, so poison means nothing here.
    fn runs(&self) -> MutexGuard<'_, Vec<Option<CrewWatch>>> {
        self.runs.locked()
    }
}

/// See [`Halt::writer`].
pub struct Halting<'a, W> {
    halt: &'a Halt,
    inner: W,
}

impl<W: Write> Write for Halting<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.halt.asked() {
            return Err(io::Error::other("stopped by a signal"));
        }
        let n = self.inner.write(bytes)?;
        self.halt.count(n as u64);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch() -> CrewWatch {
        Crew::new(CrewPlan::serial(), EventSender::nowhere()).watch()
    }

    #[test]
    fn runs_before_and_after_the_signal_are_stopped_but_not_those_that_have_left() {
        let halt = Halt::default();
        let [gone, here, late] = [watch(), watch(), watch()];
        halt.enter(0, gone.clone());
        halt.leave(0);
        halt.enter(2, here.clone());
        assert!(!halt.asked() && halt.run(1).is_none() && halt.run(2).is_some());
        halt.ask();
        halt.enter(1, late.clone());
        let stopped = [gone, here, late].map(|watch| watch.control().stop_reason());
        assert_eq!(stopped, [None, Some(StopReason::Asked), Some(StopReason::Asked)]);
    }

    #[test]
    fn a_writer_counts_and_fails_once_it_is_asked_to_end() {
        let halt = Halt::default();
        let mut text = Vec::new();
        halt.begin("bytes written");
        let mut writer = halt.writer(&mut text);
        writer.write_all(b"a1 b3").unwrap();
        halt.ask();
        assert!(writer.write_all(b" c5").is_err());
        assert_eq!((halt.work(), text.as_slice()), (Some((5, "bytes written")), &b"a1 b3"[..]));
    }
}
