//! The progress of a run, and the checkpoint file that holds it.

use super::answer::board_numbers;
use super::checkpoint::CountCheckpoint;
use super::header::{CountEnd, SavedPass};
use crate::count::ask::progress::CountProgress;
use crate::count::ask::residues::{MODULI_MAX, Modulus, Residues};
use crate::count::ask::settings::{BoardNumber, CountPosition, Settings};
use crate::count::error::CountError;
use crate::count::pass::steps::{Pass, PassHalt};
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;
use crate::save_request;
use num_bigint::BigUint;
use std::time::{Duration, Instant};

/// Largest checkpoint, in bytes, that a stopped run writes at once: a disk takes it in a moment.
const QUICK_SAVE_BYTES: u64 = 1 << 28;

/// The progress of a run, which it saves between rows if it has a checkpoint file.
pub struct Checkpointer<'a> {
    plan: &'a CountPlan,
    watch: &'a CountWatch,
    /// What is known besides the current pass.
    pub progress: CountProgress,
    checkpoint: Option<CountCheckpoint>,
    /// Whether the progress, or a pass, comes from the file.
    is_from_file: bool,
    /// Shortest time between two saves.
    interval: Duration,
    /// When the file was last written, or the run began.
    last_save_time: Instant,
    /// Squares of the current pass up to the end of the last finished row.
    row_end: usize,
    /// Squares of the current pass that the file holds.
    saved_at: Option<usize>,
    /// The position from which the run was resumed.
    pub resumed_from: Option<CountPosition>,
    /// The position that the file holds.
    pub last_saved: Option<CountPosition>,
    /// Why the last checkpoint could not be written. A full disk does not harm the count: it continues, and the last
    /// checkpoint stays as it is.
    pub save_error: Option<CountError>,
}

impl<'a> Checkpointer<'a> {
    /// The progress that the file of the settings holds, and the pass in it. Creates the file if it does not exist. If it cannot
    /// be written, the count starts without a file and reports the error in its answer.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when the file cannot be used.
    pub fn open(
        plan: &'a CountPlan,
        settings: &Settings,
        watch: &'a CountWatch,
    ) -> Result<(Checkpointer<'a>, Option<SavedPass>), CountError> {
        let path = settings.checkpoint.as_deref();
        let checkpoint = path.map(|path| CountCheckpoint::new(path, plan.question(), settings)?.claim()).transpose()?;
        let mut checkpointer = Checkpointer {
            plan,
            watch,
            progress: CountProgress::default(),
            checkpoint,
            is_from_file: false,
            interval: settings.save_interval,
            last_save_time: Instant::now(),
            row_end: 0,
            saved_at: None,
            resumed_from: None,
            last_saved: None,
            save_error: None,
        };
        let saved = checkpointer.resume()?;
        Ok((checkpointer, saved))
    }

    fn resume(&mut self) -> Result<Option<SavedPass>, CountError> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(None) };
        let opened = checkpoint.open()?;
        self.save_error = match checkpoint.create() {
            Err(taken) if taken.is_usage() => return Err(taken),
            created => created.err(),
        };
        let Some(opened) = opened else { return Ok(None) };
        self.watch.set_earlier_time(opened.elapsed);
        self.progress = opened.header.progress.clone();
        let saved = checkpoint.pass(opened)?;
        let at = saved.as_ref().map_or(0, |saved| saved.position.at);
        // A pass may have been saved before its first square.
        self.is_from_file = saved.is_some() || self.progress.has_started();
        self.resumed_from = (at > 0 || self.progress.has_started()).then(|| self.plan.position(&self.progress, at));
        self.last_saved = self.resumed_from;
        Ok(saved)
    }

    /// Shows the passes of earlier runs: the first pass over each sweep is planned.
    pub fn show_earlier_passes(&self) {
        let first = self.plan.sweeps.iter().enumerate().filter(|&(at, _)| self.progress.passes(at) > 0);
        let planned = first.map(|(_, sweep)| sweep.states()).sum();
        let states = self.progress.states;
        self.watch.add_earlier_states(states, states.saturating_sub(planned));
    }

    /// Begins a pass: none of its squares is done.
    pub fn begin_pass(&mut self) {
        (self.row_end, self.saved_at) = (0, None);
    }

    /// Puts a pass of the file in place of a new one, which may have counts of `limit` bytes. `only` is the modulus of the
    /// question, if it asks for a remainder.
    ///
    /// Fails with [`PassHalt::TooLarge`] when the run before had more memory, and its counts take more than `limit`.
    pub fn resume_pass(
        &mut self,
        pass: &mut Pass<'_>,
        saved: SavedPass,
        only: Option<Modulus>,
        limit: u64,
    ) -> Result<(), PassHalt> {
        let Some(checkpoint) = &self.checkpoint else { return Ok(()) };
        let PlannedSweep { layers, lengths, order, .. } = pass.sweep;
        let current = self.progress.current_sweep(self.plan.lengths()).unwrap_or(0);
        let row = order.steps.get(saved.position.at).map_or(0, |step| step.row);
        let known = self.progress.sweep_mut(current);
        let ahead = known.unsettled(lengths).filter(|&length| length > row);
        let residues: Vec<&Residues> = ahead.filter_map(|length| known.residues(length)).collect();
        let is_possible = match (pass.state.modulus, saved.position.modulus) {
            // The counts of the pass may have outgrown 64 bits.
            (Modulus::None, Modulus::None | Modulus::TwoTo64) => residues.is_empty(),
            // A run with another amount of memory takes other primes.
            (Modulus::Prime(new), modulus @ Modulus::Prime(saved)) => {
                (new == saved || only.is_none()) && residues.iter().all(|residues| residues.allow(modulus))
            }
            _ => false,
        };
        if !is_possible {
            return Err(PassHalt::Failed(checkpoint.inconsistent("its pass has another modulus than the run")));
        }
        let loaded = checkpoint.load(saved, &layers.layers, &mut pass.store, limit).map_err(PassHalt::Failed)?;
        let Some(state) = loaded else {
            // What earlier passes have found stays.
            let has_started = self.progress.has_started();
            self.resumed_from = has_started.then(|| self.plan.position(&self.progress, 0));
            return Err(PassHalt::TooLarge);
        };
        pass.state = state;
        (self.row_end, self.saved_at) = (pass.state.at, Some(pass.state.at));
        let steps = order.steps[..pass.state.at].iter().zip(&layers.layers[1..]);
        self.watch.add_resumed_squares(steps.map(|(step, layer)| (step.row, layer.states())));
        Ok(())
    }

    /// Notes the end of a row, and saves the pass if the last save is long enough ago or a save was requested.
    pub fn end_row(&mut self, pass: &Pass<'_>) {
        self.row_end = pass.state.at;
        if self.last_save_time.elapsed() >= self.interval || save_request::take() {
            self.save_pass(pass);
        }
    }

    /// Saves a stopped pass where it stands: if more than a row would be lost otherwise, or if the counts are quick to write. A
    /// user who stops a count does not want to wait for a disk.
    pub fn stop_pass(&mut self, pass: &Pass<'_>) {
        let layer = &pass.sweep.layers.layers[pass.state.at];
        let bytes = layer.states() * pass.state.counts.bytes() as u64;
        let is_quick = self.saved_at != Some(pass.state.at) && bytes <= QUICK_SAVE_BYTES;
        if self.saved_at != Some(self.row_end) || is_quick {
            self.save_pass(pass);
        }
    }

    fn save_pass(&mut self, pass: &Pass<'_>) {
        let Some(checkpoint) = &self.checkpoint else { return };
        let (at, layer) = (pass.state.at, &pass.sweep.layers.layers[pass.state.at]);
        let elapsed = self.watch.total_elapsed();
        let saved = checkpoint.save(&self.progress, elapsed, &pass.state, layer, &pass.store);
        if self.set_saved(saved, at) {
            self.saved_at = Some(at);
        }
        self.last_save_time = Instant::now();
    }

    /// Ends a pass over a sweep, finished or abandoned. The last one is saved by [`Checkpointer::finish`].
    pub fn end_pass(&mut self, sweep: usize) {
        self.progress.sweep_mut(sweep).passes += 1;
        self.progress.states = self.watch.snapshot().states;
        let Some(checkpoint) = &self.checkpoint else { return };
        if self.progress.current_sweep(self.plan.lengths()).is_some() {
            let saved = checkpoint.save_between_passes(&self.progress, self.watch.total_elapsed());
            self.set_saved(saved, 0);
            self.last_save_time = Instant::now();
        }
    }

    /// The numbers that are known so far.
    ///
    /// Fails when a number contradicts others or what is known: [`CountError::Unusable`] if the progress comes from the file,
    /// else [`CountError::Contradiction`].
    pub fn numbers(&self, symmetric: &BigUint) -> Result<Vec<BoardNumber>, CountError> {
        let numbers = board_numbers(self.plan.question(), &self.progress, symmetric);
        numbers.map_err(|why| self.contradiction(why))
    }

    /// Checks that a further pass over a sweep can settle its numbers.
    ///
    /// Fails as [`Checkpointer::numbers`] when there were as many as no number needs.
    pub fn check_passes(&self, sweep: usize) -> Result<(), CountError> {
        let passes = self.progress.passes(sweep);
        match passes + 1 < MODULI_MAX {
            true => Ok(()),
            false => Err(self.contradiction(format!("{passes} passes have not settled its number"))),
        }
    }

    /// The error for numbers that cannot be right.
    fn contradiction(&self, why: String) -> CountError {
        match self.checkpoint.as_ref().filter(|_| self.is_from_file) {
            Some(checkpoint) => checkpoint.inconsistent(&why),
            None => CountError::Contradiction(why),
        }
    }

    /// Writes the finished count to the file.
    pub fn finish(&mut self, elapsed: Duration, done: CountEnd) {
        let Some(checkpoint) = &self.checkpoint else { return };
        let saved = checkpoint.finish(&self.progress, elapsed, done);
        self.set_saved(saved, 0);
    }

    /// Notes how a save ended that held `at` squares of the current pass. Returns whether the file was written.
    fn set_saved(&mut self, saved: Result<(), CountError>, at: usize) -> bool {
        self.save_error = saved.err();
        if self.save_error.is_none() {
            self.last_saved = Some(self.plan.position(&self.progress, at));
        }
        self.save_error.is_none()
    }
}
