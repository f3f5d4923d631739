//! Runs a plan: passes over each sweep until the numbers of all its boards are known.
//!
//! A single board is a range of one length. A pass over a sweep counts for every length whose number is not known; it runs to
//! the longest of them. The first pass is exact, unless counts outgrow 64 bits, or 128 where counts of so many are expected to hold
//! the number: then it is modulo 2^64 from there on. Further passes are modulo primes. After each row of the board the pass tells the
//! number of the board that ends there, and the checkpoint may be saved.

use super::answer::symmetric_tours;
use super::checkpointer::{Checkpointer, CountFile};
use super::saved_count::{CountEnd, SavedPass};
use crate::count::ask::progress::PassCount;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::{CountAnswer, Settings};
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassHalt, PassResources, RESERVED_WIDTH, WIDEST_BITS};
use crate::count::pass::store::Spill;
use crate::count::pass::threads::CountThreads;
use crate::count::plan::count_plan::CountPlan;
use crate::count::snapshot::CountPhase;
use crate::count::watch::CountWatch;
use crate::test_halt::{self, HaltPoint};
use num_bigint::BigUint;

impl CountPlan {
    /// Counts the tours of the plan's question, until all numbers are known or `watch` is stopped. The count is saved in
    /// `file`.
    ///
    /// # Errors
    /// The refusal of [`CountPlan::check`] before the count starts; a [`CountError`] when a file cannot be read or
    /// written.
    pub fn run(
        &self,
        settings: &Settings,
        watch: &CountWatch,
        file: Option<CountFile>,
    ) -> Result<CountAnswer, CountError> {
        // A thread of the pool leads: one that waits outside would be woken after every step, which takes as long as a step
        // of a small board.
        self.pool.install(|| {
            self.check(settings, watch)?;
            if watch.threads() < self.pool.current_num_threads() {
                return Err(CountError::Threads("the watch has fewer meters than the plan has threads".to_owned()));
            }
            watch.update(|now| now.memory_limit = settings.memory);
            // Symmetric tours first: if they cannot be counted, the run fails before it spends hours.
            let symmetric = symmetric_tours(self, settings, watch)?;
            watch.update(|now| now.phase = CountPhase::Counting);
            let run = CountRun::new(self, settings, watch)?;
            let (mut checkpointer, mut saved) = Checkpointer::new(self, settings, watch, file);
            let passes = self.expected_passes(settings, watch);
            watch.expect_passes((passes as u64 - 1) * self.states(), passes);
            checkpointer.show_earlier_passes();
            test_halt::reached(HaltPoint::Start);
            let mut is_running = symmetric.is_some();
            let next = |checkpointer: &Checkpointer<'_>| checkpointer.progress.current_sweep(self.lengths());
            while let Some(sweep) = next(&checkpointer).filter(|_| is_running) {
                is_running = run.pass(&mut checkpointer, sweep, saved.take())?;
            }
            self.end(checkpointer, symmetric, settings, watch)
        })
    }

    /// Ends a run: finishes the checkpoint if all numbers are known, and answers.
    fn end(
        &self,
        mut checkpointer: Checkpointer<'_>,
        symmetric: Option<BigUint>,
        settings: &Settings,
        watch: &CountWatch,
    ) -> Result<CountAnswer, CountError> {
        let elapsed = watch.stop_clock();
        let boards = symmetric.as_ref().map_or(Ok(Vec::new()), |symmetric| checkpointer.numbers(symmetric))?;
        let is_counted = checkpointer.progress.current_sweep(self.lengths()).is_none();
        let (peak_states, mut complete) = (self.peak_states(), false);
        if let Some(symmetric) = symmetric.filter(|_| is_counted) {
            let (states, threads) = (watch.snapshot().states, settings.threads);
            complete = true;
            watch.finish();
            checkpointer.finish(elapsed, CountEnd { symmetric, states, peak_states, threads });
        }
        let Checkpointer { resumed_from, last_saved: saved_position, .. } = checkpointer;
        Ok(CountAnswer { boards, complete, peak_states, elapsed, resumed_from, saved_position })
    }
}

/// A running count.
struct CountRun<'a> {
    plan: &'a CountPlan,
    resources: PassResources<'a>,
    settings: &'a Settings,
    /// The only modulus, if the question asks for a remainder.
    modulus: Option<Modulus>,
}

impl<'a> CountRun<'a> {
    fn new(plan: &'a CountPlan, settings: &'a Settings, watch: &'a CountWatch) -> Result<CountRun<'a>, CountError> {
        let spill = plan.spill_folder(settings, plan.count_bits(settings)?);
        let limit = match spill {
            Some(folder) => Spill::free_bytes(folder).map_err(|source| CountError::file(folder, source))?,
            None => settings.memory.saturating_sub(plan.fixed_memory()),
        };
        let resources = PassResources {
            spill,
            reserved_width: if plan.has_room_for_wide_counts(settings) { 8 } else { RESERVED_WIDTH },
            // Some boards of a range outgrow any width, and counts in files stay narrow.
            widest_bits: if plan.question().range.is_none() && spill.is_none() { WIDEST_BITS } else { 0 },
            ..PassResources::new(CountThreads { pool: &plan.pool, watch }, limit)
        };
        let modulus = settings.modulus.map(|prime| plan.question().modulo(prime)).transpose()?;
        Ok(CountRun { plan, resources, settings, modulus })
    }

    /// The modulus of the next pass over a sweep, up to a length.
    fn next_modulus(&self, checkpointer: &mut Checkpointer<'_>, sweep: usize, length: u32) -> Modulus {
        let known = checkpointer.progress.sweep_mut(sweep);
        match (self.modulus, known.residues(length)) {
            (Some(modulus), _) => modulus,
            (None, _) if known.passes == 0 && self.settings.primes_below.is_none() => Modulus::None,
            (None, residues) => residues.cloned().unwrap_or_default().next_prime(self.plan.primes_below(self.settings)),
        }
    }

    /// Makes one pass over a sweep, from the position in `saved` if there is one. Returns false if stopped.
    fn pass(
        &self,
        checkpointer: &mut Checkpointer<'_>,
        sweep: usize,
        saved: Option<SavedPass>,
    ) -> Result<bool, CountError> {
        let (planned, watch) = (&self.plan.sweeps[sweep], self.resources.threads.watch);
        checkpointer.check_passes(sweep)?;
        let known = checkpointer.progress.sweep_mut(sweep);
        let Some(longest) = known.unsettled(&planned.lengths).next_back() else { return Ok(true) };
        let squares = planned.order.steps_of_rows(longest);
        let modulus = self.next_modulus(checkpointer, sweep, longest);
        watch.begin_pass(planned.states_until(squares), |now| {
            (now.pass, now.sweep, now.modulus) = (checkpointer.progress.passes(sweep), sweep, modulus);
            now.by_row = self.plan.empty_meters(sweep);
        });
        checkpointer.begin_pass();
        let mut counted = modulus;
        let outcome = Pass::new(planned, modulus, &self.resources).and_then(|mut pass| {
            if let Some(saved) = saved {
                counted = saved.position.modulus;
                checkpointer.resume_pass(&mut pass, saved, self.modulus, self.resources.limit)?;
            }
            self.run_pass(checkpointer, sweep, pass, squares)
        });
        match outcome {
            Ok(()) => {}
            // Counts too wide for memory: the exact pass gives way to passes modulo primes, and a pass of a run that had more
            // memory to one modulo a smaller prime. Their counts fit whatever the plan's check allowed.
            Err(PassHalt::TooLarge) if modulus == Modulus::None || counted.bytes() > modulus.bytes() => {
                watch.abandon_pass();
            }
            Err(PassHalt::TooLarge) => {
                let bits = 8 * modulus.bytes().unwrap_or(RESERVED_WIDTH) as u32;
                return Err(self.plan.refusal(self.settings, bits, watch));
            }
            Err(PassHalt::Stopped) => return Ok(false),
            Err(PassHalt::Failed(error)) => return Err(error),
        }
        checkpointer.end_pass(sweep);
        Ok(true)
    }

    /// Runs a pass to its last square. Adds the number of each board to the progress after its last row.
    fn run_pass(
        &self,
        checkpointer: &mut Checkpointer<'_>,
        sweep: usize,
        mut pass: Pass<'_>,
        squares: usize,
    ) -> Result<(), PassHalt> {
        let (lengths, by_room) = (&pass.sweep.lengths, self.plan.question().range.is_some());
        let outcome = pass.run_to(squares, |pass| {
            let length = pass.sweep.order.steps[pass.state.at - 1].row + 1;
            let number = pass.state.closed_tours.remove(&length).unwrap_or(0);
            let known = checkpointer.progress.sweep_mut(sweep);
            if known.is_unsettled(length, lengths) {
                let (modulus, bits) = (pass.state.modulus, 8 * pass.state.widest as u32);
                known.add(length, PassCount { number, modulus, bits }, self.settings.modulus, by_room);
            }
            if pass.state.at < squares {
                checkpointer.end_row(pass);
            }
        });
        if matches!(outcome, Err(PassHalt::Stopped)) {
            checkpointer.stop_pass(&pass);
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape};
    use crate::count::tests::{count_file, run};
    use crate::count::{BoardRange, CountQuestion, SavedCount};
    use crate::saved::{SavedFile, SavedRun as _};
    use std::fs;

    /// The folder is removed before the first row is done; the count still ends with its number.
    #[test]
    fn a_failed_save_does_not_stop_the_count() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("place");
        fs::create_dir(&place).unwrap();
        let question = CountQuestion::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let watch = CountWatch::new(1);
        let plan = CountPlan::new(&question, 1 << 30, &watch).unwrap();
        let settings = Settings { memory: 1 << 30, ..Settings::default() };
        let claimed = SavedFile::new(&place.join("rows")).unwrap();
        claimed.claim().unwrap();
        let file = CountFile::new(claimed.clone(), None, &question, &settings);
        let run = CountRun::new(&plan, &settings, &watch).unwrap();
        let (mut checkpointer, _) = Checkpointer::new(&plan, &settings, &watch, Some(file));
        assert_eq!(claimed.problem(), None);
        fs::remove_dir_all(&place).unwrap();
        assert!(run.pass(&mut checkpointer, 0, None).unwrap());
        assert!(claimed.problem().is_some());
        let answer = plan.end(checkpointer, Some(BigUint::ZERO), &settings, &watch).unwrap();
        assert_eq!(answer.count().unwrap().to_string(), "9862");
        let problem = claimed.problem().expect("the last save failed too");
        assert!(problem.contains("rows was not written, and is not there: "), "{problem}");
    }

    /// The last row was saved when it ended, and the squares after it are saved all the same: they are few bytes.
    #[test]
    fn a_count_that_stops_within_a_row_is_saved_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows");
        let question = CountQuestion::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let watch = CountWatch::new(1);
        let plan = CountPlan::new(&question, 1 << 30, &watch).unwrap();
        let settings = Settings { memory: 1 << 30, ..Settings::default() };
        let run = CountRun::new(&plan, &settings, &watch).unwrap();
        let own = count_file(&file, &question, &settings).unwrap();
        let (mut checkpointer, _) = Checkpointer::new(&plan, &settings, &watch, Some(own));
        let mut pass = Pass::new(&plan.sweeps[0], Modulus::None, &run.resources).map_err(|_| ()).unwrap();
        checkpointer.begin_pass();
        let saved = || SavedCount::read(&file).unwrap().pass().unwrap().position.at;
        for (squares, in_file) in [(12, 12), (15, 15), (16, 16), (20, 20)] {
            assert!(pass.run_to(squares, |pass| checkpointer.end_row(pass)).is_ok());
            checkpointer.stop_pass(&pass);
            assert_eq!(saved(), in_file);
        }
        assert_eq!(checkpointer.last_saved, Some(plan.position(&checkpointer.progress, 20)));
    }

    /// Whatever row of either pass a count of a range is killed after, it has the same numbers in the end. Every other time it
    /// is resumed with less memory, which takes other primes.
    #[test]
    fn a_range_resumes_from_every_row() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("range");
        let range = BoardRange::new("5x1".parse().unwrap(), "5x22".parse().unwrap()).unwrap();
        let question = CountQuestion::of_range(range, Ending::Closed);
        let watch = || CountWatch::new(1);
        let plan = CountPlan::new(&question, 1 << 33, &watch()).unwrap();
        let numbers = |settings: &Settings| {
            let answer = run(&plan, settings, &watch()).map_err(|error| error.to_string());
            answer.map(|answer| answer.boards.into_iter().map(|board| board.count.to_string()).collect::<Vec<_>>())
        };
        let settings = |memory, checkpoint| Settings { memory, checkpoint, ..Settings::default() };
        let whole = numbers(&settings(1 << 33, None));
        for (passes, rows) in [0, 1].into_iter().flat_map(|passes| (1..22).map(move |rows| (passes, rows))) {
            let memory = if (passes + rows) % 2 == 0 { 1 << 33 } else { plan.memory(32) };
            let (watch, settings_before) = (watch(), settings(1 << 33, Some(file.clone())));
            let run = CountRun::new(&plan, &settings_before, &watch).unwrap();
            let own = count_file(&file, &question, &settings_before).unwrap();
            let (mut checkpointer, _) = Checkpointer::new(&plan, &settings_before, &watch, Some(own));
            for _ in 0..passes {
                assert!(run.pass(&mut checkpointer, 0, None).unwrap());
                let between = SavedCount::read(&file).unwrap().progress;
                assert_eq!((between.passes(0), between.number(0, 22)), (1, None));
                assert!(between.number(0, 16).is_some());
            }
            let modulus = run.next_modulus(&mut checkpointer, 0, 22);
            let pass = Pass::new(&plan.sweeps[0], modulus, &run.resources).map_err(|_| ()).unwrap();
            checkpointer.begin_pass();
            // The row after is counted, and not saved.
            assert!(run.run_pass(&mut checkpointer, 0, pass, 5 * (rows + 1)).is_ok());
            drop(checkpointer);
            let saved = SavedCount::read(&file).unwrap().pass().unwrap();
            assert_eq!(saved.position.at, 5 * rows);
            let again = settings(memory, Some(file.clone()));
            assert_eq!(numbers(&again), whole, "after {passes} passes and {rows} rows, in {memory} bytes");
            fs::remove_file(&file).unwrap();
        }
    }
}
