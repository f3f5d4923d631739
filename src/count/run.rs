//! Runs a plan: passes over each sweep until the number of the sweep is known, with a checkpoint between rows.

use super::answer::symmetric_tours;
use super::checkpoint::{CountCheckpoint, conclude};
use super::error::CountError;
use super::header::{CountEnd, SavedPass};
use super::pass::{GROWTH, Pass, PassHalt, PassResources, RESERVED_WIDTH, SPARSE_COUNTS};
use super::plan::CountPlan;
use super::primes::NARROW;
use super::progress::CountProgress;
use super::residues::{Evidence, Modulus};
use super::settings::{CountAnswer, CountPosition, Settings};
use super::snapshot::CountPhase;
use super::spill::Spill;
use super::sweep::PlannedSweep;
use super::table::Tables;
use super::threads::CountThreads;
use super::watch::CountWatch;
use crate::test_halt::{self, HaltPoint};
use std::time::{Duration, Instant};

/// Largest checkpoint, in bytes, that a stopped run writes at once: a disk takes it in a moment.
const QUICK_SAVE_BYTES: u64 = 1 << 28;

impl CountPlan {
    /// Counts the tours of the plan's question.
    ///
    /// # Errors
    /// The refusal of [`CountPlan::check`] before the count starts; a [`CountError`] when a file cannot be read or
    /// written.
    pub fn run(&self, settings: &Settings, watch: &CountWatch) -> Result<CountAnswer, CountError> {
        self.check_run(settings, watch)?;
        run(self, settings, watch)
    }

    /// Checks that the plan can run with these settings, and that `watch` has a meter for each thread.
    pub(super) fn check_run(&self, settings: &Settings, watch: &CountWatch) -> Result<(), CountError> {
        self.check(settings, watch)?;
        if watch.threads() < self.pool.current_num_threads() {
            return Err(CountError::Threads("the watch has fewer meters than the plan has threads".to_owned()));
        }
        Ok(())
    }
}

fn run(plan: &CountPlan, settings: &Settings, watch: &CountWatch) -> Result<CountAnswer, CountError> {
    watch.update(|now| now.memory_limit = settings.memory);
    // Symmetric tours first: if they cannot be counted, the run fails before it spends hours.
    let symmetric = symmetric_tours(plan, settings, watch)?;
    watch.update(|now| now.phase = CountPhase::Counting);
    let limit = match &settings.spill {
        Some(folder) => Spill::free_bytes(folder).map_err(|source| CountError::file(folder, source))?,
        None => settings.memory.saturating_sub(plan.fixed_memory()),
    };
    let threads = CountThreads { pool: &plan.pool, watch };
    let spill = settings.spill.as_deref();
    let (tables, sparse_counts, growth, reserved_width) = (Tables::new(), SPARSE_COUNTS, GROWTH, RESERVED_WIDTH);
    let resources = PassResources { threads, tables, limit, spill, sparse_counts, growth, reserved_width };
    let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
    let question = plan.question();
    let checkpoint = settings
        .checkpoint
        .as_deref()
        .map(|path| CountCheckpoint::new(path, question, settings)?.claim())
        .transpose()?;
    let (mut progress, mut saved, save_error) =
        checkpoint.as_ref().map(|checkpoint| resume(checkpoint, watch)).transpose()?.unwrap_or_default();
    let at = saved.as_ref().map_or(0, SavedPass::squares_done);
    let resumed_from = (at > 0 || progress.has_started()).then(|| plan.position(&progress, at));
    // A pass may have been saved before its first square.
    let is_from_file = saved.is_some() || progress.has_started();
    let mut run = CountRun {
        plan,
        resources,
        settings,
        modulus,
        checkpoint,
        last_save_time: Instant::now(),
        last_saved: resumed_from,
        save_error,
    };
    let passes = plan.expected_passes(settings, watch);
    watch.expect_passes((passes as u64 - 1) * plan.states(), passes);
    run.show_earlier_progress(&progress);
    let mut complete = symmetric.is_some();
    test_halt::reached(HaltPoint::Start);
    while complete && progress.sweep() < plan.sweeps.len() {
        complete = run.pass(&mut progress, saved.take())?;
    }
    let (mut count, mut evidence) = (None, progress.evidence());
    // The answer and the checkpoint file get one elapsed time.
    let elapsed = watch.total_elapsed();
    if let Some(symmetric) = symmetric.filter(|_| complete) {
        let (states, threads) = (watch.snapshot().states, settings.threads);
        let done = CountEnd { symmetric, states, peak_states: plan.peak_states(), threads };
        let (number, proof) = conclude(question, &progress, &done, run.checkpoint.as_ref().filter(|_| is_from_file))?;
        (count, evidence) = (Some(number), proof);
        watch.finish();
        run.finish((&progress, elapsed), done);
    }
    let (saved_position, save_error) = (run.last_saved, run.save_error.map(|error| error.to_string()));
    Ok(CountAnswer {
        count,
        evidence,
        peak_states: plan.peak_states(),
        elapsed,
        resumed_from,
        saved_position,
        save_error,
    })
}

/// The progress and the current pass that the checkpoint file holds. Creates the file if it does not exist. If it
/// cannot be written, the count starts without a file and reports the error in its answer.
fn resume(
    checkpoint: &CountCheckpoint,
    watch: &CountWatch,
) -> Result<(CountProgress, Option<SavedPass>, Option<CountError>), CountError> {
    let opened = checkpoint.open()?;
    let save_error = match checkpoint.create() {
        Err(taken) if taken.is_usage() => return Err(taken),
        created => created.err(),
    };
    let Some(opened) = opened else { return Ok((CountProgress::default(), None, save_error)) };
    watch.set_earlier_time(opened.elapsed);
    let progress = opened.progress.clone();
    Ok((progress, checkpoint.pass(opened)?, save_error))
}

/// A running count.
struct CountRun<'a> {
    plan: &'a CountPlan,
    resources: PassResources<'a>,
    settings: &'a Settings,
    /// The only modulus, if the question asks for a remainder.
    modulus: Option<Modulus>,
    checkpoint: Option<CountCheckpoint>,
    /// When the checkpoint was last written, or the run began.
    last_save_time: Instant,
    /// The position of the last checkpoint.
    last_saved: Option<CountPosition>,
    /// Why the last checkpoint could not be written.
    save_error: Option<CountError>,
}

impl CountRun<'_> {
    /// Shows the progress of an earlier run: finished sweeps as one pass each, and the passes over the current sweep.
    fn show_earlier_progress(&self, progress: &CountProgress) {
        let states = |sweep: usize| self.plan.sweeps.get(sweep).map_or(0, PlannedSweep::states);
        let passes = progress.pass as u64;
        let finished = (0..progress.sweep()).map(states).sum::<u64>() + passes * states(progress.sweep());
        self.resources.threads.watch.add_earlier_states(finished, passes.saturating_sub(1) * states(progress.sweep()));
    }

    /// Writes the finished count to the checkpoint.
    fn finish(&mut self, (progress, elapsed): (&CountProgress, Duration), done: CountEnd) {
        let Some(checkpoint) = &self.checkpoint else { return };
        match checkpoint.finish(progress, elapsed, done) {
            Ok(()) => (self.last_saved, self.save_error) = (Some(self.plan.position(progress, 0)), None),
            Err(error) => self.save_error = Some(error),
        }
    }

    /// Makes one pass over the current sweep, from the position in `saved` if there is one. Returns false if stopped.
    fn pass(&mut self, progress: &mut CountProgress, saved: Option<SavedPass>) -> Result<bool, CountError> {
        let sweep = &self.plan.sweeps[progress.sweep()];
        let modulus = match self.modulus {
            Some(modulus) => modulus,
            None => match self.settings.primes_below {
                None if progress.pass == 0 => Modulus::None,
                below => progress.residues.next_prime(below.unwrap_or(NARROW)),
            },
        };
        let watch = self.resources.threads.watch;
        watch.begin_pass(sweep.states(), |now| {
            (now.pass, now.sweep, now.modulus) = (progress.pass, progress.sweep(), modulus);
            now.by_row = self.plan.empty_meters(progress.sweep());
        });
        let mut rows = RowCheckpointer {
            run: self,
            progress,
            last_save_time: self.last_save_time,
            row_end: 0,
            saved_at: None,
            last_saved: self.last_saved,
            save_error: None,
        };
        let outcome = Pass::new(sweep, modulus, &self.resources).and_then(|pass| rows.run_pass(pass, saved));
        let RowCheckpointer { last_save_time, last_saved, save_error, .. } = rows;
        (self.last_save_time, self.last_saved) = (last_save_time, last_saved);
        self.save_error = save_error.or(self.save_error.take());
        progress.pass += 1;
        match outcome {
            Ok((value, Modulus::None, bits)) => progress.add_number(value.into(), Evidence::Counters { bits }),
            Ok((value, Modulus::Prime(_), _)) if let Some(prime) = self.settings.modulus => {
                progress.add_number(value.into(), Evidence::Remainder { prime });
            }
            Ok((value, Modulus::TwoTo64, _)) => progress.residues.add_two_to_64(value),
            Ok((value, Modulus::Prime(prime), _)) => progress.residues.add_prime(prime, value),
            // Counts too wide for memory: the exact pass gives way to passes modulo primes. Their counts fit whatever
            // the plan's check allowed.
            Err(PassHalt::TooLarge) if modulus == Modulus::None => watch.abandon_pass(),
            Err(PassHalt::TooLarge) => return Err(self.plan.refusal(self.settings, 32, watch)),
            Err(PassHalt::Stopped) => return Ok(false),
            Err(PassHalt::Failed(error)) => return Err(error),
        }
        if let Some(number) = progress.residues.number() {
            let evidence = Evidence::Residues { moduli: progress.residues.moduli().to_vec() };
            progress.add_number(number.clone(), evidence);
        }
        Ok(true)
    }
}

/// Saves the finished rows of a pass to the checkpoint.
struct RowCheckpointer<'a> {
    run: &'a CountRun<'a>,
    /// The numbers and residues that are known besides this pass.
    progress: &'a CountProgress,
    /// When the checkpoint was last written, or the run began.
    last_save_time: Instant,
    /// Squares up to the end of the last finished row.
    row_end: usize,
    /// Squares of this pass that the checkpoint holds.
    saved_at: Option<usize>,
    /// The position of the last checkpoint.
    last_saved: Option<CountPosition>,
    /// Why the last checkpoint could not be written.
    save_error: Option<CountError>,
}

impl RowCheckpointer<'_> {
    /// Runs the pass from the start, or from `saved`. Returns the result, its modulus, and the widest counts in bits.
    fn run_pass(&mut self, mut pass: Pass<'_>, saved: Option<SavedPass>) -> Result<(u64, Modulus, u32), PassHalt> {
        let CountRun { resources, checkpoint, .. } = self.run;
        let sweep = pass.sweep;
        if let (Some(checkpoint), Some(saved)) = (checkpoint, saved) {
            let layers = &sweep.layers.layers;
            let state = checkpoint.load(saved, layers, &mut pass.store, resources.limit).map_err(PassHalt::Failed)?;
            let outgrown = (pass.state.modulus, state.modulus) == (Modulus::None, Modulus::TwoTo64);
            if state.modulus != pass.state.modulus && !outgrown {
                return Err(PassHalt::Failed(checkpoint.inconsistent("its pass has another modulus than the run")));
            }
            pass.state = state;
            (self.row_end, self.saved_at) = (pass.state.at, Some(pass.state.at));
            let steps = sweep.order.steps[..pass.state.at].iter().zip(&layers[1..]);
            resources.threads.watch.add_resumed_squares(steps.map(|(step, layer)| (step.row, layer.states())));
        }
        let outcome = pass.run(|pass| {
            self.row_end = pass.state.at;
            if self.last_save_time.elapsed() >= self.run.settings.save_interval {
                self.save(pass);
            }
        });
        if matches!(outcome, Err(PassHalt::Stopped)) && self.is_worth_saving(&pass) {
            self.save(&pass);
        }
        Ok((outcome?, pass.state.modulus, 8 * pass.state.widest as u32))
    }

    /// Whether a stopped pass is saved where it stands: if more than a row would be lost otherwise, or if the counts
    /// are quick to write. A user who stops a count does not want to wait for a disk.
    fn is_worth_saving(&self, pass: &Pass<'_>) -> bool {
        let layer = &pass.sweep.layers.layers[pass.state.at];
        let bytes = layer.states() * pass.state.counts.bytes() as u64;
        self.saved_at != Some(self.row_end) || (self.saved_at != Some(pass.state.at) && bytes <= QUICK_SAVE_BYTES)
    }

    fn save(&mut self, pass: &Pass<'_>) {
        let CountRun { plan, resources, checkpoint: Some(checkpoint), .. } = self.run else { return };
        let (at, layer) = (pass.state.at, &pass.sweep.layers.layers[pass.state.at]);
        let progress = (self.progress, resources.threads.watch.total_elapsed());
        // A full disk does not harm the count: the count continues, and the last checkpoint stays as it is.
        match checkpoint.save(progress, &pass.state, layer, &pass.store) {
            Ok(()) => {
                (self.last_saved, self.save_error, self.saved_at) =
                    (Some(plan.position(self.progress, at)), None, Some(at));
            }
            Err(error) => self.save_error = Some(error),
        }
        self.last_save_time = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;
    use crate::count::CountQuestion;

    /// The folder is removed before the first row is done; the count still ends with its number.
    #[test]
    fn a_failed_save_does_not_stop_the_count() {
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
        let threads = CountThreads { pool: &plan.pool, watch: &watch };
        let (tables, sparse_counts, growth, reserved_width) = (Tables::new(), SPARSE_COUNTS, GROWTH, RESERVED_WIDTH);
        let resources =
            PassResources { threads, tables, limit: 1 << 30, spill: None, sparse_counts, growth, reserved_width };
        let settings = Settings { memory: 1 << 30, ..Settings::default() };
        let checkpoint = Some(CountCheckpoint::new(&folder.path().join("rows"), &question, &settings).unwrap());
        let since = Instant::now();
        let mut run = CountRun {
            plan: &plan,
            resources,
            settings: &settings,
            modulus: None,
            checkpoint,
            last_save_time: since,
            last_saved: None,
            save_error: None,
        };
        drop(folder);
        let mut progress = CountProgress::default();
        assert!(run.pass(&mut progress, None).unwrap());
        assert_eq!(progress.numbers[0].0, 9862u32.into());
        assert!(run.save_error.is_some() && run.last_saved.is_none());
    }
}
