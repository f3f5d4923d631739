//! The checkpoint file of a count: what is known of its answer, and the counts of the current pass after some square.
//!
//! ```text
//! destrier count 2                     magic: program, kind and version
//! {"question":..,"stage":..}           the header: how far the count is, as one line of JSON (see `header`)
//! counts                               counts after the squares that are done (see `layer_io`), if a pass is in work
//! 4 bytes                              CRC-32 of all the bytes before
//! ```
//!
//! The file of a finished count has its numbers and no counts. It stays, and a later run of the question answers from
//! it at once.

use super::answer::answer;
use super::dense::Store;
use super::error::CountError;
use super::gather::StoreFindings;
use super::header::{
    CheckpointFault, CountEnd, CountHeader, CountOptions, CountStage, MAGIC, OpenedCount, PassPosition, SavedPass,
    checkpoint_error, open,
};
use super::layer_check;
use super::layer_io::{read_counts, write_counts};
use super::layers::Layer;
use super::pass::PassState;
use super::progress::CountProgress;
use super::question::{Count, CountQuestion};
use super::residues::Evidence;
use super::saved_question::SavedQuestion;
use super::settings::Settings;
use crate::saved::{self, ChecksumStream};
use crate::words;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The checkpoint of a count, for writing and for resuming.
pub(super) struct CountCheckpoint {
    file: saved::ReplacedFile,
    question: SavedQuestion,
    options: CountOptions,
}

impl CountCheckpoint {
    /// The checkpoint of a question in the file `path`, which need not exist; its folder must take files.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the folder takes no file.
    pub(super) fn new(
        path: &Path,
        question: &CountQuestion,
        settings: &Settings,
    ) -> Result<CountCheckpoint, CountError> {
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let file = settings.claimed_file.clone().map_or_else(|| saved::ReplacedFile::new(path), Ok).map_err(named)?;
        let saved_question = SavedQuestion::new(question, settings.modulus);
        Ok(CountCheckpoint { file, question: saved_question, options: CountOptions::from_settings(settings) })
    }

    /// Claims the file: from now on no other run may replace it.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when another run has claimed it.
    pub(super) fn claim(self) -> Result<CountCheckpoint, CountError> {
        self.file.claim().map_err(|why| self.error(why))?;
        Ok(self)
    }

    /// The error for an existing file that cannot be used; `why` follows the name of the file.
    fn error(&self, why: impl ToString) -> CountError {
        CountError::Checkpoint { path: self.file.path().display().to_string(), problem: why.to_string() }
    }

    /// The error for a file whose content contradicts itself.
    pub(super) fn inconsistent(&self, what: &str) -> CountError {
        self.damage_error(io::Error::other(what.to_owned()))
    }

    /// The error for a file that cannot be read, or for memory that was refused.
    fn damage_error(&self, error: io::Error) -> CountError {
        checkpoint_error(self.file.path(), CheckpointFault::Damaged(error), Some(&self.question))
    }

    /// Opens the file, if it exists: a checkpoint of this question.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is no checkpoint, is damaged, or belongs to another question.
    pub(super) fn open(&self) -> Result<Option<OpenedCount>, CountError> {
        let of_this = |opened: OpenedCount| {
            opened.check_question(&self.question).map(|()| opened).map_err(CheckpointFault::Foreign)
        };
        match open(self.file.path()).and_then(of_this) {
            Ok(opened) => self.file.check_claim().map(|()| Some(opened)).map_err(|why| self.error(why)),
            Err(CheckpointFault::Missing) => Ok(None),
            Err(bad) => Err(checkpoint_error(self.file.path(), bad, Some(&self.question))),
        }
    }

    /// The current pass of an opened file, if there is one. A file without a pass is read to its end.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when a file without a pass is damaged; a file with one is checked by [`Self::load`].
    pub(super) fn pass(&self, opened: OpenedCount) -> Result<Option<SavedPass>, CountError> {
        opened.pass().map_err(|error| self.damage_error(error))
    }

    /// Loads the state of a saved pass over a sweep with these layers. Its counts are read into `store`, where they may
    /// take `limit` bytes.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is damaged, or its counts need more memory than `limit`.
    pub(super) fn load(
        &self,
        saved: SavedPass,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<PassState, CountError> {
        let SavedPass { position: PassPosition { modulus, at, largest, nonzero, widest, bytes }, mut input } = saved;
        let layer = layers.get(at).ok_or_else(|| self.inconsistent("its position is beyond the end of the count"))?;
        if !store.fits(0, bytes * layer.states() as usize, limit) {
            let needed = words::bytes(bytes as u64 * layer.states());
            let problem = format!("has {needed} of counts, which is more than may be used: raise --memory");
            return Err(CountError::Checkpoint { path: self.file.path().display().to_string(), problem });
        }
        let (counts, found) = read_counts(&mut input, bytes, layer, store).map_err(|error| self.damage_error(error))?;
        input.check().map_err(|error| self.damage_error(error))?;
        let said = StoreFindings { largest, nonzero };
        layer_check::check_findings(found, said, modulus, bytes, layer).map_err(|error| self.damage_error(error))?;
        Ok(PassState { modulus, at, counts, findings: said, widest, closed_tours: BTreeMap::new() })
    }

    /// Creates the file, with no square done, unless it exists.
    ///
    /// # Errors
    /// [`CountError::Row`] when the file cannot be written; [`CountError::Checkpoint`] when another run has just created
    /// it.
    pub(super) fn create(&self) -> Result<(), CountError> {
        if !self.file.is_free() {
            return Ok(());
        }
        self.write(&CountProgress::default(), Duration::ZERO, CountStage::Begun, |_| Ok(()))
    }

    /// Writes the current pass in place of the file's earlier content.
    ///
    /// # Errors
    /// [`CountError::Row`] when the file cannot be written; the earlier content stays.
    pub(super) fn save(
        &self,
        (progress, elapsed): (&CountProgress, Duration),
        state: &PassState,
        layer: &Layer,
        store: &Store,
    ) -> Result<(), CountError> {
        let PassState { modulus, at, widest, .. } = *state;
        let StoreFindings { largest, nonzero } = state.findings;
        let at = PassPosition { modulus, at, largest, nonzero, widest, bytes: state.counts.bytes() };
        self.write(progress, elapsed, CountStage::Pass(at), |output| write_counts(output, &state.counts, layer, store))
    }

    /// Writes that the count is finished.
    ///
    /// # Errors
    /// As [`CountCheckpoint::save`].
    pub(super) fn finish(&self, progress: &CountProgress, elapsed: Duration, done: CountEnd) -> Result<(), CountError> {
        self.write(progress, elapsed, CountStage::Done(done), |_| Ok(()))
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
            wishes: self.options.clone(),
            elapsed_s: elapsed.as_secs_f64(),
            progress: progress.clone(),
            stage,
        };
        let saved = self.file.save(MAGIC, |output| {
            serde_json::to_writer(&mut *output, &header)?;
            output.write_all(b"\n")?;
            counts(output)
        });
        saved.map_err(|source| match saved::is_taken(&source) {
            true => self.error(source),
            false => CountError::Row { path: self.file.path().display().to_string(), source },
        })
    }
}

/// The number of a finished count, and its evidence.
///
/// Fails when the number contradicts itself or a known number: [`CountError::Checkpoint`] if this run is resumed from
/// `checkpoint`, else [`CountError::Contradiction`].
pub(super) fn conclude(
    question: &CountQuestion,
    progress: &CountProgress,
    done: &CountEnd,
    checkpoint: Option<&CountCheckpoint>,
) -> Result<(Count, Evidence), CountError> {
    match (answer(question, &progress.numbers, &done.symmetric), checkpoint) {
        (Ok(count), _) => Ok((count, progress.evidence())),
        (Err(why), Some(checkpoint)) => Err(checkpoint.inconsistent(&why)),
        (Err(why), None) => Err(CountError::Contradiction(why)),
    }
}
