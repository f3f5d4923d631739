//! The progress of a run, and the checkpoint file that holds it.

use super::answer::board_numbers;
use super::saved_count::{CountEnd, CountOptions, CountStage, PassPosition, SavedCount, SavedPass};
use super::saved_question::SavedQuestion;
use crate::count::ask::progress::CountProgress;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::{MODULI_MAX, Modulus, Residues};
use crate::count::ask::settings::{BoardNumber, CountPosition, Settings};
use crate::count::error::CountError;
use crate::count::pass::counts::StoreFindings;
use crate::count::pass::steps::{Pass, PassHalt, PassState};
use crate::count::pass::store::Store;
use crate::count::pass::stored_layer::{check_findings, read_counts};
use crate::count::plan::count_plan::CountPlan;
use crate::count::states::layers::Layer;
use crate::count::states::sweep::PlannedSweep;
use crate::count::watch::CountWatch;
use crate::save_request;
use crate::saved::{ChecksumStream, RecordFault, SaveError, SavedFile, SavedRun};
use num_bigint::BigUint;
use std::fs::File;
use std::io::{self, BufWriter};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Largest checkpoint, in bytes, that a stopped run writes at once: a disk takes it in a moment.
const QUICK_SAVE_BYTES: u64 = 1 << 28;

/// The file of a count that runs, and what the run begins from.
pub struct CountFile {
    file: SavedFile,
    /// What the file held when it was claimed.
    pub found: Option<SavedCount>,
    question: SavedQuestion,
    options: CountOptions,
}

impl CountFile {
    /// The file of a question, and what it holds of that.
    pub fn new(file: SavedFile, found: Option<SavedCount>, question: &CountQuestion, settings: &Settings) -> CountFile {
        let question = SavedQuestion::new(question, settings.modulus);
        CountFile { file, found, question, options: CountOptions::from_settings(settings) }
    }

    /// Begins the file, with no square done, unless it exists.
    ///
    /// # Errors
    /// [`SaveError`] when it cannot be written.
    pub fn begin(&self) -> Result<(), SaveError> {
        if self.file.is_free() { self.save_between_passes(&CountProgress::default(), Duration::ZERO) } else { Ok(()) }
    }

    /// Writes that no square of the current pass is done.
    ///
    /// # Errors
    /// [`SaveError`] when the file cannot be written; the earlier content stays.
    pub fn save_between_passes(&self, progress: &CountProgress, elapsed: Duration) -> Result<(), SaveError> {
        self.write(progress, elapsed, CountStage::Begun, |_| Ok(()))
    }

    fn write(
        &self,
        progress: &CountProgress,
        elapsed: Duration,
        stage: CountStage,
        counts: impl FnOnce(&mut ChecksumStream<BufWriter<&File>>) -> io::Result<()>,
    ) -> Result<(), SaveError> {
        let (question, options, progress) = (self.question.clone(), self.options.clone(), progress.clone());
        let count = SavedCount { question, options, elapsed, progress, stage, body: None };
        self.file.note(self.file.save_record(&SavedCount::KIND, &count, counts))
    }

    /// Writes the current pass in place of the file's earlier content.
    ///
    /// # Errors
    /// As [`CountFile::save_between_passes`].
    pub fn save(&self, progress: &CountProgress, watch: &CountWatch, pass: &Pass<'_>) -> Result<(), SaveError> {
        let state = &pass.state;
        let PassState { modulus, at, widest, .. } = *state;
        let StoreFindings { largest, nonzero } = state.findings;
        let closed_tours = state.closed_tours.iter().map(|(&length, &sum)| (length, sum)).collect();
        let bytes = state.counts.bytes();
        let by_row = watch.rows_done();
        let position = PassPosition { modulus, at, largest, nonzero, widest, bytes, closed_tours, by_row };
        let stage = CountStage::Pass(position);
        self.write(progress, watch.total_elapsed(), stage, |output| pass.layer().write(bytes, output))
    }

    /// Loads the state of a saved pass over a sweep with these layers. Its counts are read into `store`, where they may
    /// take `limit` bytes; nothing if they take more.
    ///
    /// # Errors
    /// [`CountError::Saved`] when the file is damaged.
    pub fn load(
        &self,
        saved: SavedPass,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<Option<PassState>, CountError> {
        let SavedPass { position, mut body } = saved;
        let PassPosition { modulus, at, largest, nonzero, widest, bytes, closed_tours, .. } = position;
        let layer = layers.get(at).ok_or_else(|| self.inconsistent("its position is beyond the end of the count"))?;
        if !store.fits(0, bytes * layer.states() as usize, limit) {
            return Ok(None);
        }
        let (counts, found) = read_counts(&mut body, bytes, layer, store).map_err(|error| self.fault(error))?;
        body.finish().map_err(|fault| self.fault(fault))?;
        let findings = StoreFindings { largest, nonzero };
        let is_range = self.question.question.range.is_some();
        check_findings(found, findings, is_range, modulus, bytes, layer).map_err(|error| self.fault(error))?;
        Ok(Some(PassState { modulus, at, counts, findings, widest, closed_tours: closed_tours.into_iter().collect() }))
    }

    /// The error for a file whose content contradicts itself.
    fn inconsistent(&self, what: &str) -> CountError {
        self.fault(RecordFault::damaged(what))
    }

    fn fault(&self, fault: impl Into<RecordFault>) -> CountError {
        SaveError::of_fault::<SavedCount>(self.file.path(), fault.into(), Some(&self.question)).into()
    }
}

/// The progress of a run, which it saves between rows if it has a checkpoint file.
pub struct Checkpointer<'a> {
    plan: &'a CountPlan,
    watch: &'a CountWatch,
    /// What is known besides the current pass.
    pub progress: CountProgress,
    /// A full disk does not harm the count: it continues, and the last checkpoint stays as it is.
    file: Option<CountFile>,
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
}

impl<'a> Checkpointer<'a> {
    /// The progress that the file holds, if there is one, and the pass in it.
    pub fn new(
        plan: &'a CountPlan,
        settings: &Settings,
        watch: &'a CountWatch,
        mut file: Option<CountFile>,
    ) -> (Checkpointer<'a>, Option<SavedPass>) {
        let found = file.as_mut().and_then(|file| file.found.take());
        let mut checkpointer = Checkpointer {
            plan,
            watch,
            progress: CountProgress::default(),
            file,
            is_from_file: false,
            interval: settings.save_interval,
            last_save_time: Instant::now(),
            row_end: 0,
            saved_at: None,
            resumed_from: None,
            last_saved: None,
        };
        let saved = found.and_then(|found| checkpointer.resume(found));
        (checkpointer, saved)
    }

    fn resume(&mut self, found: SavedCount) -> Option<SavedPass> {
        self.watch.set_earlier_time(found.elapsed);
        self.progress = found.progress.clone();
        let saved = found.pass();
        let at = saved.as_ref().map_or(0, |saved| saved.position.at);
        // A pass may have been saved before its first square.
        self.is_from_file = saved.is_some() || self.progress.has_started();
        self.resumed_from = (at > 0 || self.progress.has_started()).then(|| self.plan.position(&self.progress, at));
        self.last_saved = self.resumed_from;
        saved
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
        let Some(file) = &self.file else { return Ok(()) };
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
            return Err(PassHalt::Failed(file.inconsistent("its pass has another modulus than the run")));
        }
        // To read its counts takes some time.
        let PassPosition { at, largest, ref by_row, .. } = saved.position;
        let steps = order.steps[..at].iter().zip(&layers.layers[1..]);
        self.watch.add_resumed_squares(largest, by_row, steps.map(|(step, layer)| (step.row, layer.states())));
        let loaded = file.load(saved, &layers.layers, &mut pass.store, limit).map_err(PassHalt::Failed)?;
        let Some(state) = loaded else {
            // What earlier passes have found stays.
            let has_started = self.progress.has_started();
            self.resumed_from = has_started.then(|| self.plan.position(&self.progress, 0));
            return Err(PassHalt::TooLarge);
        };
        pass.state = state;
        (self.row_end, self.saved_at) = (pass.state.at, Some(pass.state.at));
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
        let Some(file) = &self.file else { return };
        if file.save(&self.progress, self.watch, pass).is_ok() {
            self.saved_at = Some(pass.state.at);
            self.last_saved = Some(self.plan.position(&self.progress, pass.state.at));
        }
        self.last_save_time = Instant::now();
    }

    /// Ends a pass over a sweep, finished or abandoned. The last one is saved by [`Checkpointer::finish`].
    pub fn end_pass(&mut self, sweep: usize) {
        self.progress.sweep_mut(sweep).passes += 1;
        self.progress.states = self.watch.snapshot().states;
        let Some(file) = &self.file else { return };
        if self.progress.current_sweep(self.plan.lengths()).is_some() {
            if file.save_between_passes(&self.progress, self.watch.total_elapsed()).is_ok() {
                self.last_saved = Some(self.plan.position(&self.progress, 0));
            }
            self.last_save_time = Instant::now();
        }
    }

    /// The numbers that are known so far.
    ///
    /// Fails when a number contradicts others or what is known: [`CountError::Saved`] if the progress comes from the file,
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
        if passes + 1 < MODULI_MAX {
            Ok(())
        } else {
            Err(self.contradiction(format!("{passes} passes have not settled its number")))
        }
    }

    /// The error for numbers that cannot be right.
    fn contradiction(&self, why: String) -> CountError {
        match self.file.as_ref().filter(|_| self.is_from_file) {
            Some(file) => file.inconsistent(&why),
            None => CountError::Contradiction(why),
        }
    }

    /// Writes the finished count to the file, and removes the file before it, which may have all counts of a pass.
    pub fn finish(&mut self, elapsed: Duration, done: CountEnd) {
        let Some(file) = &self.file else { return };
        if file.write(&self.progress, elapsed, CountStage::Done(done), |_| Ok(())).is_ok() {
            file.file.remove_older();
            self.last_saved = Some(self.plan.position(&self.progress, 0));
        }
    }
}
