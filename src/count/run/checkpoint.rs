//! The checkpoint file of a count: a [record](crate::saved) with what is known of its answer, and the counts of the current pass
//! after some square.
//!
//! The header is a [`CountHeader`]. The body has the counts after the squares that are done (see `stored_layer`), if a pass is in
//! work. The file of a finished count has its numbers and no counts. It stays, and a later run of the question answers from
//! it at once.

use super::header::{
    CountEnd, CountHeader, CountOptions, CountStage, KIND, OpenedCount, PassPosition, SavedPass, checkpoint_error,
};
use super::saved_question::SavedQuestion;
use crate::count::ask::progress::CountProgress;
use crate::count::ask::question::CountQuestion;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::pass::counts::StoreFindings;
use crate::count::pass::steps::PassState;
use crate::count::pass::store::Store;
use crate::count::pass::stored_layer::{PassLayer, check_findings, read_counts};
use crate::count::states::layers::Layer;
use crate::saved::{self, ChecksumStream, RecordFault};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The checkpoint of a count, for writing and for resuming.
pub struct CountCheckpoint {
    file: saved::ReplacedFile,
    question: SavedQuestion,
    options: CountOptions,
}

impl CountCheckpoint {
    /// The checkpoint of a question in the file `path`, which need not exist; its folder must take files.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when the folder takes no file.
    pub fn new(path: &Path, question: &CountQuestion, settings: &Settings) -> Result<CountCheckpoint, CountError> {
        let named = |problem: String| CountError::unusable(path, problem);
        let file = settings.claimed_file.clone().map_or_else(|| saved::ReplacedFile::new(path), Ok).map_err(named)?;
        let saved_question = SavedQuestion::new(question, settings.modulus);
        Ok(CountCheckpoint { file, question: saved_question, options: CountOptions::from_settings(settings) })
    }

    /// Claims the file: from now on no other run may replace it.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when another run has claimed it.
    pub fn claim(self) -> Result<CountCheckpoint, CountError> {
        self.file.claim().map_err(|why| self.error(why))?;
        Ok(self)
    }

    /// The error for an existing file that cannot be used; `why` follows the name of the file.
    fn error(&self, why: impl ToString) -> CountError {
        CountError::unusable(self.file.path(), why)
    }

    /// The error for a file whose content contradicts itself.
    pub fn inconsistent(&self, what: &str) -> CountError {
        self.fault(RecordFault::damaged(what))
    }

    /// The error for a file that cannot be used, or for memory that was refused.
    fn fault(&self, fault: impl Into<RecordFault>) -> CountError {
        checkpoint_error(self.file.path(), fault.into(), Some(&self.question))
    }

    /// Opens the file, if it exists: a checkpoint of this question.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when it is no checkpoint, is damaged, or belongs to another question.
    pub fn open(&self) -> Result<Option<OpenedCount>, CountError> {
        let of_this = |opened: OpenedCount| opened.check_question(&self.question).map(|()| opened);
        match OpenedCount::open(self.file.path()).and_then(of_this) {
            Ok(opened) => self.file.check_claim().map(|()| Some(opened)).map_err(|why| self.error(why)),
            Err(RecordFault::Missing) => Ok(None),
            Err(fault) => Err(self.fault(fault)),
        }
    }

    /// The current pass of an opened file, if there is one. A file without a pass is read to its end.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when a file without a pass is damaged; a file with one is checked by [`Self::load`].
    pub fn pass(&self, opened: OpenedCount) -> Result<Option<SavedPass>, CountError> {
        opened.pass().map_err(|fault| self.fault(fault))
    }

    /// Loads the state of a saved pass over a sweep with these layers. Its counts are read into `store`, where they may
    /// take `limit` bytes; nothing if they take more. Then too the file is read to its end, and what it says can be used.
    ///
    /// # Errors
    /// [`CountError::Unusable`] when the file is damaged.
    pub fn load(
        &self,
        saved: SavedPass,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<Option<PassState>, CountError> {
        let SavedPass { position, mut body } = saved;
        let PassPosition { modulus, at, largest, nonzero, widest, bytes, closed_tours } = position;
        let layer = layers.get(at).ok_or_else(|| self.inconsistent("its position is beyond the end of the count"))?;
        if !store.fits(0, bytes * layer.states() as usize, limit) {
            return body.skip().map(|()| None).map_err(|fault| self.fault(fault));
        }
        let (counts, found) = read_counts(&mut body, bytes, layer, store).map_err(|error| self.fault(error))?;
        body.finish().map_err(|fault| self.fault(fault))?;
        let findings = StoreFindings { largest, nonzero };
        let is_range = self.question.range.is_some();
        check_findings(found, findings, is_range, modulus, bytes, layer).map_err(|error| self.fault(error))?;
        Ok(Some(PassState { modulus, at, counts, findings, widest, closed_tours: closed_tours.into_iter().collect() }))
    }

    /// Creates the file, with no square done, unless it exists.
    ///
    /// # Errors
    /// [`CountError::File`] when the file cannot be written; [`CountError::Unusable`] when another run has just created
    /// it.
    pub fn create(&self) -> Result<(), CountError> {
        if !self.file.is_free() {
            return Ok(());
        }
        self.save_between_passes(&CountProgress::default(), Duration::ZERO)
    }

    /// Writes the current pass in place of the file's earlier content.
    ///
    /// # Errors
    /// [`CountError::File`] when the file cannot be written; the earlier content stays.
    pub fn save(
        &self,
        progress: &CountProgress,
        elapsed: Duration,
        state: &PassState,
        layer: &Layer,
        store: &Store,
    ) -> Result<(), CountError> {
        let PassState { modulus, at, widest, .. } = *state;
        let StoreFindings { largest, nonzero } = state.findings;
        let closed_tours = state.closed_tours.iter().map(|(&length, &sum)| (length, sum)).collect();
        let bytes = state.counts.bytes();
        let position = PassPosition { modulus, at, largest, nonzero, widest, bytes, closed_tours };
        let stage = CountStage::Pass(position);
        let layer = PassLayer { layer, counts: &state.counts, store };
        self.write(progress, elapsed, stage, |output| layer.write(bytes, output))
    }

    /// Writes that no square of the current pass is done.
    ///
    /// # Errors
    /// As [`CountCheckpoint::save`].
    pub fn save_between_passes(&self, progress: &CountProgress, elapsed: Duration) -> Result<(), CountError> {
        self.write(progress, elapsed, CountStage::Begun, |_| Ok(()))
    }

    /// Writes that the count is finished, and removes the file before it, which may have all counts of a pass.
    ///
    /// # Errors
    /// As [`CountCheckpoint::save`].
    pub fn finish(&self, progress: &CountProgress, elapsed: Duration, done: CountEnd) -> Result<(), CountError> {
        self.write(progress, elapsed, CountStage::Done(done), |_| Ok(()))?;
        self.file.remove_older();
        Ok(())
    }

    fn write(
        &self,
        progress: &CountProgress,
        elapsed: Duration,
        stage: CountStage,
        counts: impl FnOnce(&mut ChecksumStream<BufWriter<&File>>) -> io::Result<()>,
    ) -> Result<(), CountError> {
        let header = CountHeader {
            question: self.question.clone(),
            options: self.options.clone(),
            elapsed_s: elapsed.as_secs_f64(),
            progress: progress.clone(),
            stage,
        };
        let saved = self.file.save_record(&KIND, &header, counts);
        saved.map_err(|source| match saved::is_taken(&source) {
            true => self.error(source),
            false => CountError::File {
                path: self.file.path().display().to_string(),
                problem: format!("{source}; the previous checkpoint, if there is one, is unchanged"),
            },
        })
    }
}
