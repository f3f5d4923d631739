//! From a plan to a number: passes over each sweep, until its number is known.

use super::answer::symmetric_tours;
use super::checkpoint::{CountCheckpoint, concluded};
use super::error::CountError;
use super::header::{CountEnd, SavedPass};
use super::pass::{GROWTH, Pass, PassHalt, PassResources, ROOM, SPARSE_COUNTS};
use super::plan::CountPlan;
use super::primes::NARROW;
use super::progress::CountProgress;
use super::residues::{Evidence, Modulus};
use super::settings::{CountAnswer, CountPosition, Settings};
use super::spill::Spill;
use super::sweep::PlannedSweep;
use super::table::Tables;
use super::threads::CountThreads;
use super::watch::{CountPhase, CountWatch};
use crate::test_halt::{self, HaltPoint};
use std::time::{Duration, Instant};

/// Bytes of counts that a disk takes in a moment.
const LITTLE: u64 = 1 << 28;

impl CountPlan {
    /// Counts.
    ///
    /// # Errors
    /// [`CountPlan::check`]'s refusal before anything is begun; files that cannot be read or written.
    pub fn run(&self, settings: &Settings, watch: &CountWatch) -> Result<CountAnswer, CountError> {
        self.may_run(settings, watch)?;
        run(self, settings, watch)
    }

    /// Whether it may be counted with these settings, watched so.
    pub(super) fn may_run(&self, settings: &Settings, watch: &CountWatch) -> Result<(), CountError> {
        self.check(settings, watch)?;
        if watch.threads() < self.pool.current_num_threads() {
            return Err(CountError::Threads("the watch has fewer meters than the plan has threads".to_owned()));
        }
        Ok(())
    }
}

/// Counts.
fn run(plan: &CountPlan, settings: &Settings, watch: &CountWatch) -> Result<CountAnswer, CountError> {
    watch.show(|now| now.memory_limit = settings.memory);
    // Whatever they may not be able to do is said before hours are spent.
    let symmetric = symmetric_tours(plan, settings, watch)?;
    watch.show(|now| now.phase = CountPhase::Counting);
    let limit = match &settings.spill {
        Some(folder) => Spill::free(folder).map_err(|source| CountError::file(folder, source))?,
        None => settings.memory.saturating_sub(plan.besides()),
    };
    let crew = CountThreads { pool: &plan.pool, watch };
    let spill = settings.spill.as_deref();
    let (tables, sparse_counts, growth, room) = (Tables::new(), SPARSE_COUNTS, GROWTH, ROOM);
    let means = PassResources { crew, tables, limit, spill, sparse_counts, growth, room };
    let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
    let question = plan.question();
    let checkpoint = settings
        .checkpoint
        .as_deref()
        .map(|path| CountCheckpoint::new(path, question, settings)?.claim())
        .transpose()?;
    let opened = checkpoint.as_ref().map(CountCheckpoint::open).transpose()?.flatten();
    // From here on it is there.
    let unsaved = match checkpoint.as_ref().and_then(|checkpoint| checkpoint.begin().err()) {
        Some(taken) if taken.is_usage() => return Err(taken),
        unsaved => unsaved,
    };
    let (mut progress, mut saved) = (CountProgress::default(), None);
    if let (Some(checkpoint), Some(opened)) = (&checkpoint, opened) {
        watch.went_on_after(opened.elapsed);
        progress = opened.progress.clone();
        saved = checkpoint.pass(opened)?;
    }
    let at = saved.as_ref().map_or(0, SavedPass::at);
    let resumed = (at > 0 || progress.has_begun()).then(|| plan.reached(&progress, at));
    let mut run =
        CountRun { plan, means, settings, modulus, checkpoint, since: Instant::now(), last_saved: resumed, unsaved };
    let passes = plan.passes_expected(settings, watch);
    watch.expects((passes as u64 - 1) * plan.states(), passes);
    run.count_as_done(&progress);
    let mut complete = symmetric.is_some();
    test_halt::reached(HaltPoint::Start);
    while complete && progress.sweep() < plan.sweeps.len() {
        complete = run.pass(&mut progress, saved.take())?;
    }
    let (mut count, mut how) = (None, progress.how());
    // Whoever asks the file is told the same.
    let elapsed = watch.total();
    if let Some(symmetric) = symmetric.filter(|_| complete) {
        let (states, threads) = (watch.snapshot().states, settings.threads);
        let done = CountEnd { symmetric, states, peak_states: plan.peak_states(), threads };
        let (number, by) =
            concluded(question, &progress, &done, run.checkpoint.as_ref().filter(|_| resumed.is_some()))?;
        (count, how) = (Some(number), by);
        watch.is_done();
        run.finish((&progress, elapsed), done);
    }
    let (saved, unsaved) = (run.last_saved, run.unsaved.map(|error| error.to_string()));
    Ok(CountAnswer { count, how, peak_states: plan.peak_states(), elapsed, resumed, saved, unsaved })
}

/// A count on its way.
struct CountRun<'a> {
    plan: &'a CountPlan,
    means: PassResources<'a>,
    settings: &'a Settings,
    /// The only modulus, if that is all that is wanted.
    modulus: Option<Modulus>,
    checkpoint: Option<CountCheckpoint>,
    /// When something was noted last.
    since: Instant,
    /// What was noted last.
    last_saved: Option<CountPosition>,
    /// Why the last one was not, if it was not.
    unsaved: Option<CountError>,
}

impl CountRun<'_> {
    /// Shows what an earlier run has done: whole sweeps, each with one pass, and passes over the one in work.
    fn count_as_done(&self, progress: &CountProgress) {
        let states = |sweep: usize| self.plan.sweeps.get(sweep).map_or(0, PlannedSweep::states);
        let passes = progress.pass as u64;
        let finished = (0..progress.sweep()).map(states).sum::<u64>() + passes * states(progress.sweep());
        self.means.crew.watch.done_before(finished, passes.saturating_sub(1) * states(progress.sweep()));
    }

    /// Notes that the count is done.
    fn finish(&mut self, (progress, elapsed): (&CountProgress, Duration), done: CountEnd) {
        let Some(checkpoint) = &self.checkpoint else { return };
        match checkpoint.finish(progress, elapsed, done) {
            Ok(()) => (self.last_saved, self.unsaved) = (Some(self.plan.reached(progress, 0)), None),
            Err(error) => self.unsaved = Some(error),
        }
    }

    /// One pass over the sweep in work, from where it was `saved` if it was; whether it was not stopped.
    fn pass(&mut self, progress: &mut CountProgress, saved: Option<SavedPass>) -> Result<bool, CountError> {
        let sweep = &self.plan.sweeps[progress.sweep()];
        let modulus = match self.modulus {
            Some(modulus) => modulus,
            None => match self.settings.primes_below {
                None if progress.pass == 0 => Modulus::None,
                below => progress.residues.next_prime(below.unwrap_or(NARROW)),
            },
        };
        let watch = self.means.crew.watch;
        watch.pass_begins(sweep.states(), |now| {
            (now.pass, now.sweep, now.modulus) = (progress.pass, progress.sweep(), modulus);
            now.by_row = self.plan.meters(progress.sweep());
        });
        let mut kept = RowCheckpointer {
            run: self,
            progress,
            since: self.since,
            row: 0,
            noted: None,
            place: self.last_saved,
            failed: None,
        };
        let ended = Pass::new(sweep, modulus, &self.means).and_then(|pass| kept.go(pass, saved));
        let RowCheckpointer { since, place, failed, .. } = kept;
        (self.since, self.last_saved) = (since, place);
        self.unsaved = failed.or(self.unsaved.take());
        progress.pass += 1;
        match ended {
            Ok((value, Modulus::None, bits)) => progress.done(value.into(), Evidence::Counters { bits }),
            Ok((value, Modulus::Prime(_), _)) if let Some(prime) = self.settings.modulus => {
                progress.done(value.into(), Evidence::Remainder { prime });
            }
            Ok((value, Modulus::TwoTo64, _)) => progress.residues.add_two_to_64(value),
            Ok((value, Modulus::Prime(prime), _)) => progress.residues.add_prime(prime, value),
            // A pass that counted exactly leaves it to the primes. Those fit whatever was allowed to begin.
            Err(PassHalt::TooLarge) if modulus == Modulus::None => watch.pass_is_given_up(),
            Err(PassHalt::TooLarge) => return Err(self.plan.refusal(self.settings, 32, watch)),
            Err(PassHalt::Stopped) => return Ok(false),
            Err(PassHalt::Failed(error)) => return Err(error),
        }
        if let Some(number) = progress.residues.number() {
            let how = Evidence::Residues { moduli: progress.residues.moduli().to_vec() };
            progress.done(number.clone(), how);
        }
        Ok(true)
    }
}

/// A pass whose rows are kept.
struct RowCheckpointer<'a> {
    run: &'a CountRun<'a>,
    /// What is known besides the pass.
    progress: &'a CountProgress,
    /// When something was noted last.
    since: Instant,
    /// Squares until the end of the last finished row.
    row: usize,
    /// Squares until what the file has of this pass.
    noted: Option<usize>,
    /// What was noted last.
    place: Option<CountPosition>,
    /// Why what came after it was not.
    failed: Option<CountError>,
}

impl RowCheckpointer<'_> {
    /// Goes on from where the pass was `saved`, or begins it. What came of it, modulo what, and its widest counts in
    /// bits.
    fn go(&mut self, mut pass: Pass<'_>, saved: Option<SavedPass>) -> Result<(u64, Modulus, u32), PassHalt> {
        let CountRun { means, checkpoint, .. } = self.run;
        let sweep = pass.sweep;
        if let (Some(checkpoint), Some(saved)) = (checkpoint, saved) {
            let layers = &sweep.layers.layers;
            let state = checkpoint.load(saved, layers, &mut pass.store, means.limit).map_err(PassHalt::Failed)?;
            let outgrown = (pass.state.modulus, state.modulus) == (Modulus::None, Modulus::TwoTo64);
            if state.modulus != pass.state.modulus && !outgrown {
                return Err(PassHalt::Failed(
                    checkpoint.wrong("it counts modulo something else than such a pass does"),
                ));
            }
            pass.state = state;
            (self.row, self.noted) = (pass.state.at, Some(pass.state.at));
            let steps = sweep.order.steps[..pass.state.at].iter().zip(&layers[1..]);
            means.crew.watch.resume(steps.map(|(step, layer)| (step.row, layer.states())));
        }
        let ended = pass.run(|pass| {
            self.row = pass.state.at;
            if self.since.elapsed() >= self.run.settings.every {
                self.note(pass);
            }
        });
        if matches!(ended, Err(PassHalt::Stopped)) && self.is_worth_noting(&pass) {
            self.note(&pass);
        }
        Ok((ended?, pass.state.modulus, 8 * pass.state.widest as u32))
    }

    /// Whether a pass that is stopped is to be noted where it is. Without that more than a row would be lost; or less,
    /// and it is little to write: who stops a count does not want to wait for a disk.
    fn is_worth_noting(&self, pass: &Pass<'_>) -> bool {
        let layer = &pass.sweep.layers.layers[pass.state.at];
        let bytes = layer.states() * pass.state.counts.bytes() as u64;
        self.noted != Some(self.row) || (self.noted != Some(pass.state.at) && bytes <= LITTLE)
    }

    fn note(&mut self, pass: &Pass<'_>) {
        let CountRun { plan, means, checkpoint: Some(checkpoint), .. } = self.run else { return };
        let (at, layer) = (pass.state.at, &pass.sweep.layers.layers[pass.state.at]);
        let reached = (self.progress, means.crew.watch.total());
        // A full disk does not harm the count: it goes on, and what is kept stays as it was.
        match checkpoint.save(reached, &pass.state, layer, &pass.store) {
            Ok(()) => {
                (self.place, self.failed, self.noted) = (Some(plan.reached(self.progress, at)), None, Some(at));
            }
            Err(error) => self.failed = Some(error),
        }
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::count::CountQuestion;

    /// The folder is gone before the first row is done: the count is not.
    #[test]
    fn a_row_that_cannot_be_kept_does_not_stop_the_count() {
        let folder = tempfile::tempdir().unwrap();
        let question = CountQuestion {
            board: "6x6".parse().unwrap(),
            ending: Ending::Closed,
            start: None,
            unique: false,
            strict: false,
        };
        let watch = CountWatch::new(1);
        let plan = CountPlan::new(&question, 1 << 30, &watch).unwrap();
        let crew = CountThreads { pool: &plan.pool, watch: &watch };
        let (tables, sparse_counts, growth, room) = (Tables::new(), SPARSE_COUNTS, GROWTH, ROOM);
        let means = PassResources { crew, tables, limit: 1 << 30, spill: None, sparse_counts, growth, room };
        let settings = Settings { memory: 1 << 30, ..Settings::default() };
        let checkpoint = Some(CountCheckpoint::new(&folder.path().join("rows"), &question, &settings).unwrap());
        let since = Instant::now();
        let mut run = CountRun {
            plan: &plan,
            means,
            settings: &settings,
            modulus: None,
            checkpoint,
            since,
            last_saved: None,
            unsaved: None,
        };
        drop(folder);
        let mut progress = CountProgress::default();
        assert!(run.pass(&mut progress, None).unwrap());
        assert_eq!(progress.numbers[0].0, 9862u32.into());
        assert!(run.unsaved.is_some() && run.last_saved.is_none());
    }
}
