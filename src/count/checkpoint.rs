//! A count in a file: what is known of its answer, and the finished squares of the pass in work; and the way back.
//!
//! ```text
//! destrier count 2                     what this is
//! {"question":..,"stage":..}           how far the count is, as one line of JSON
//! counts                               of the squares that are done (see `counts`), if a pass is in work
//! 4 bytes                              the CRC-32 of all that
//! ```
//!
//! A file of a count that is done has its numbers and no counts. It stays, and whoever asks again is told at once.

use super::answer::answer;
use super::asked::SavedQuestion;
use super::census;
use super::counts::{read_counts, write_counts};
use super::dense::Store;
use super::error::CountError;
use super::gather::StoreFindings;
use super::layers::Layer;
use super::opened::{
    CheckpointFault, CountEnd, CountHeader, CountOptions, CountStage, MAGIC, OpenedCount, PassPosition, SavedPass,
    open, refused,
};
use super::pass::PassState;
use super::progress::CountProgress;
use super::question::{Count, CountQuestion};
use super::residues::Evidence;
use super::settings::Settings;
use crate::saved::{self, ChecksumStream};
use crate::words;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Where a count is kept.
pub(super) struct CountCheckpoint {
    place: saved::ReplacedFile,
    asked: SavedQuestion,
    wishes: CountOptions,
}

impl CountCheckpoint {
    /// A checkpoint in a file, which need not be there, of a question; its folder must take files.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it does not.
    pub(super) fn new(
        path: &Path,
        question: &CountQuestion,
        settings: &Settings,
    ) -> Result<CountCheckpoint, CountError> {
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let place = settings.claimed.clone().map_or_else(|| saved::ReplacedFile::new(path), Ok).map_err(named)?;
        let asked = SavedQuestion::new(question, settings.modulus);
        Ok(CountCheckpoint { place, asked, wishes: CountOptions::of(settings) })
    }

    /// Keeps other runs from replacing the file, from now on.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when another one does that.
    pub(super) fn claim(self) -> Result<CountCheckpoint, CountError> {
        self.place.claim().map_err(|why| self.refused(why))?;
        Ok(self)
    }

    /// What is said of a file that is there and cannot be used, in words that follow its name.
    fn refused(&self, why: impl ToString) -> CountError {
        CountError::Checkpoint { path: self.place.path().display().to_string(), problem: why.to_string() }
    }

    /// What is said of a file that says what cannot be.
    pub(super) fn wrong(&self, what: &str) -> CountError {
        self.damaged(io::Error::other(what.to_owned()))
    }

    /// What is said of a file that cannot be read, unless it was memory that was refused.
    fn damaged(&self, error: io::Error) -> CountError {
        refused(self.place.path(), CheckpointFault::Damaged(error), Some(&self.asked))
    }

    /// What the file has, if it is there: a checkpoint of this question.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is none, is damaged, or belongs to another question.
    pub(super) fn open(&self) -> Result<Option<OpenedCount>, CountError> {
        let of_this =
            |opened: OpenedCount| opened.is_of(&self.asked).map(|()| opened).map_err(CheckpointFault::Foreign);
        match open(self.place.path()).and_then(of_this) {
            Ok(opened) => self.place.check_claim().map(|()| Some(opened)).map_err(|why| self.refused(why)),
            Err(CheckpointFault::Missing) => Ok(None),
            Err(bad) => Err(refused(self.place.path(), bad, Some(&self.asked))),
        }
    }

    /// What an opened file has of the pass in work, if one is.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when there is none, and the file is damaged; one with counts is read by [`Self::load`].
    pub(super) fn pass(&self, opened: OpenedCount) -> Result<Option<SavedPass>, CountError> {
        opened.pass().map_err(|error| self.damaged(error))
    }

    /// The state of a saved pass, whose layers are these; its counts go into the store, where they may take `limit`
    /// bytes.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is damaged, or has wider counts than there is room for.
    pub(super) fn load(
        &self,
        saved: SavedPass,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<PassState, CountError> {
        let SavedPass { at: PassPosition { modulus, at, largest, nonzero, widest, bytes }, mut input } = saved;
        let layer = layers.get(at).ok_or_else(|| self.wrong("it is further than a count can be"))?;
        if !store.fits(0, bytes * layer.states() as usize, limit) {
            let wanted = words::bytes(bytes as u64 * layer.states());
            let problem = format!("has {wanted} of counts, which is more than may be used: raise --memory");
            return Err(CountError::Checkpoint { path: self.place.path().display().to_string(), problem });
        }
        let (counts, found) = read_counts(&mut input, bytes, layer, store).map_err(|error| self.damaged(error))?;
        input.check().map_err(|error| self.damaged(error))?;
        let said = StoreFindings { largest, nonzero };
        census::agree(found, said, modulus, bytes, layer).map_err(|error| self.damaged(error))?;
        Ok(PassState { modulus, at, counts, found: said, widest, closed: BTreeMap::new() })
    }

    /// Notes a count of which no square is done, if the file is not there.
    ///
    /// # Errors
    /// [`CountError::Row`] when the disk does not take it; [`CountError::Checkpoint`] when another run has just made it.
    pub(super) fn begin(&self) -> Result<(), CountError> {
        if !self.place.is_free() {
            return Ok(());
        }
        self.write(&CountProgress::default(), Duration::ZERO, CountStage::Begun, |_| Ok(()))
    }

    /// Notes a pass in work, in place of what the file has.
    ///
    /// # Errors
    /// [`CountError::Row`] when the disk does not take it; what the file had is still there.
    pub(super) fn save(
        &self,
        (progress, elapsed): (&CountProgress, Duration),
        state: &PassState,
        layer: &Layer,
        store: &Store,
    ) -> Result<(), CountError> {
        let PassState { modulus, at, widest, .. } = *state;
        let StoreFindings { largest, nonzero } = state.found;
        let at = PassPosition { modulus, at, largest, nonzero, widest, bytes: state.counts.bytes() };
        self.write(progress, elapsed, CountStage::Pass(at), |output| write_counts(output, &state.counts, layer, store))
    }

    /// Notes that all is done.
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
            question: self.asked.clone(),
            wishes: self.wishes.clone(),
            elapsed_s: elapsed.as_secs_f64(),
            progress: progress.clone(),
            stage,
        };
        let saved = self.place.save(MAGIC, |output| {
            serde_json::to_writer(&mut *output, &header)?;
            output.write_all(b"\n")?;
            counts(output)
        });
        saved.map_err(|source| match saved::is_taken(&source) {
            true => self.refused(source),
            false => CountError::Row { path: self.place.path().display().to_string(), source },
        })
    }
}

/// The number that a finished count has come to.
///
/// # Errors
/// When the number contradicts itself or a known number: [`CountError::Checkpoint`] if this run is resumed from
/// `checkpoint`, else [`CountError::Contradiction`].
pub(super) fn concluded(
    question: &CountQuestion,
    progress: &CountProgress,
    done: &CountEnd,
    checkpoint: Option<&CountCheckpoint>,
) -> Result<(Count, Evidence), CountError> {
    match (answer(question, &progress.numbers, &done.symmetric), checkpoint) {
        (Ok(count), _) => Ok((count, progress.how())),
        (Err(why), Some(checkpoint)) => Err(checkpoint.wrong(&why)),
        (Err(why), None) => Err(CountError::Contradiction(why)),
    }
}
