//! The header of a checkpoint file: question, options and position of a count. Reads a file up to its counts, checks
//! that the header is possible, and explains why a file cannot be used.

use super::answer::answer;
use super::error::CountError;
use super::progress::CountProgress;
use super::question::{Count, CountQuestion};
use super::residues::{Evidence, Modulus};
use super::saved_question::SavedQuestion;
use super::settings::{CountAnswer, Settings};
use super::sweep::sweeps_for;
use crate::memory::MemoryRefused;
use crate::saved::{self, ChecksumStream};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The magic line, with which a file begins.
pub(super) const MAGIC: &str = "destrier count 2\n";
/// The start of the magic line, in every version of the format.
const MAGIC_PREFIX: &[u8] = b"destrier count ";

/// Longest header, in bytes. The header of a board of a hundred thousand squares has some ten thousand.
const HEADER_MAX: u64 = 1 << 20;
/// Bytes of the checksum at the end.
const CHECKSUM_BYTES: u64 = 4;

/// The header: the second line of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct CountHeader {
    /// The question.
    pub(super) question: SavedQuestion,
    /// The options that a resumed run takes over.
    pub(super) wishes: CountOptions,
    /// Seconds spent on the count so far.
    pub(super) elapsed_s: f64,
    /// The numbers and residues that are known besides the current pass.
    pub(super) progress: CountProgress,
    /// How far the count is.
    pub(super) stage: CountStage,
}

/// How far a count is.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum CountStage {
    /// No square of the current pass is done.
    Begun,
    /// Some squares of the current pass are done; their counts follow the header.
    Pass(PassPosition),
    /// The count is finished.
    Done(CountEnd),
}

/// The position of a pass; its counts follow the header.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct PassPosition {
    pub(super) modulus: Modulus,
    /// Squares done.
    pub(super) at: usize,
    pub(super) largest: u128,
    pub(super) nonzero: u64,
    pub(super) widest: usize,
    /// Bytes of a count; 0 if the layer is sparse.
    pub(super) bytes: usize,
}

/// What a finished count needs besides the numbers of its sweeps, for its answer and its report.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CountEnd {
    /// Tours that the symmetries keep, summed, if the question asks for classes.
    pub(super) symmetric: num_bigint::BigUint,
    pub(super) states: u64,
    pub(super) peak_states: u64,
    pub(super) threads: usize,
}

/// The options of a count that a resumed run takes over.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CountOptions {
    /// Shortest time between two checkpoints, in seconds.
    every_s: f64,
    /// Memory limit in bytes, if the user gave one.
    pub memory: Option<u64>,
    /// Folder for counts in files, as an absolute path.
    pub spill: Option<PathBuf>,
}

impl CountOptions {
    pub(super) fn from_settings(settings: &Settings) -> CountOptions {
        let whole = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        // A folder name that is not UTF-8 cannot be stored: the user types it again.
        let spill = settings.spill.as_ref().map(whole).filter(|folder| folder.to_str().is_some());
        CountOptions { every_s: settings.save_interval.as_secs_f64(), memory: settings.memory_option, spill }
    }

    /// Shortest time between two checkpoints; nothing if the file has a negative or too large one.
    pub fn save_interval(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.every_s).ok()
    }
}

/// The answer of a finished count, read from its file.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedCount {
    /// The number, or its remainder.
    pub count: Count,
    /// Why the number is right.
    pub evidence: Evidence,
    /// States stored, in all runs.
    pub states: u64,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// Threads of the last run.
    pub threads: usize,
    /// Time spent on the count, in all runs.
    pub elapsed: Duration,
}

impl FinishedCount {
    /// The answer that the finished run gave.
    pub fn answer(&self) -> CountAnswer {
        let FinishedCount { count, evidence, peak_states, elapsed, .. } = self.clone();
        CountAnswer {
            count: Some(count),
            evidence,
            peak_states,
            elapsed,
            resumed_from: None,
            saved_position: None,
            save_error: None,
        }
    }
}

/// An opened checkpoint file with a sound header; its counts are not read yet.
pub(super) struct OpenedCount {
    /// The question.
    pub(super) question: CountQuestion,
    saved_question: SavedQuestion,
    /// The options that a resumed run takes over.
    pub(super) options: CountOptions,
    /// Time spent on the count so far.
    pub(super) elapsed: Duration,
    /// The numbers and residues that are known besides the current pass.
    pub(super) progress: CountProgress,
    stage: CountStage,
    input: ChecksumStream<BufReader<File>>,
    /// Bytes after the header, with the checksum.
    bytes_left: u64,
}

impl OpenedCount {
    /// The only modulus, if the question asks for a remainder.
    pub(super) fn modulus(&self) -> Option<u32> {
        self.saved_question.modulus()
    }

    /// The answer, if the count is finished.
    pub(super) fn finished(&self) -> Option<FinishedCount> {
        let CountStage::Done(done) = &self.stage else { return None };
        let count = answer(&self.question, &self.progress.numbers, &done.symmetric).ok()?;
        let evidence = self.progress.evidence();
        let &CountEnd { states, peak_states, threads, .. } = done;
        Some(FinishedCount { count, evidence, states, peak_states, threads, elapsed: self.elapsed })
    }

    /// Checks that the file belongs to `question`; the error names the question that it belongs to.
    pub(super) fn check_question(&self, question: &SavedQuestion) -> Result<(), String> {
        if self.saved_question == *question {
            return Ok(());
        }
        let (has, expected) = (self.saved_question.words(), question.words());
        Err(format!("is a checkpoint of the {has}, not of the {expected}: name another file"))
    }

    /// Reads the rest of the file and checks its checksum.
    pub(super) fn check(mut self) -> io::Result<()> {
        let counts = self.bytes_left.checked_sub(CHECKSUM_BYTES).ok_or(io::ErrorKind::UnexpectedEof)?;
        let read = io::copy(&mut (&mut self.input).take(counts), &mut io::sink())?;
        if read < counts {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.input.check()
    }

    /// The current pass, if there is one. A file without a pass is read to its end and checked.
    pub(super) fn pass(self) -> io::Result<Option<SavedPass>> {
        match self.stage {
            CountStage::Pass(at) => Ok(Some(SavedPass { position: at, input: self.input })),
            _ => self.check().map(|()| None),
        }
    }
}

/// Why a file is no usable checkpoint.
#[derive(Debug)]
pub(super) enum CheckpointFault {
    /// The file does not exist.
    Missing,
    /// The file is something else.
    Foreign(String),
    /// The file is damaged, or could not be read.
    Damaged(io::Error),
}

/// Opens a file and reads its first two lines.
pub(super) fn open(path: &Path) -> Result<OpenedCount, CheckpointFault> {
    let found = match fs::metadata(path) {
        Ok(found) if found.is_file() => found,
        Ok(found) if found.is_dir() => return Err(CheckpointFault::Foreign("is a folder: name a file".to_owned())),
        Ok(_) => return Err(CheckpointFault::Foreign("is no regular file: name another one".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(CheckpointFault::Missing),
        Err(error) => return Err(CheckpointFault::Foreign(error.to_string())),
    };
    let mut input = saved::open(path).map_err(|error| CheckpointFault::Foreign(error.to_string()))?;
    if !input.begins_with(MAGIC).map_err(CheckpointFault::Damaged)? {
        let mut first = [0; MAGIC_PREFIX.len()];
        let other = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        return Err(CheckpointFault::Foreign(match other {
            Ok(()) if first == *MAGIC_PREFIX => {
                "is a checkpoint of a count that another version of destrier wrote: name another file".to_owned()
            }
            _ => "is no checkpoint of a count: name another file".to_owned(),
        }));
    }
    let line = input.line(HEADER_MAX).map_err(CheckpointFault::Damaged)?;
    let header: CountHeader = serde_json::from_slice(&line).map_err(|error| CheckpointFault::Damaged(error.into()))?;
    let left = found.len().saturating_sub((MAGIC.len() + line.len()) as u64);
    // Only a pass has counts after the header.
    if !matches!(header.stage, CountStage::Pass(_)) && left > CHECKSUM_BYTES {
        return Err(CheckpointFault::Damaged(io::Error::other("it is longer than its header says")));
    }
    validate(header, input, left).map_err(|what| CheckpointFault::Damaged(io::Error::other(what)))
}

/// Checks that a header is possible. The checksum finds accidental damage; this finds a forged header with a valid
/// checksum.
fn validate(header: CountHeader, input: ChecksumStream<BufReader<File>>, left: u64) -> Result<OpenedCount, String> {
    let CountHeader { question: saved_question, wishes, elapsed_s, progress, stage } = header;
    let (question, modulus) = saved_question.question().ok_or("its question is not valid")?;
    let elapsed = Duration::try_from_secs_f64(elapsed_s).map_err(|_| "its elapsed time is negative or too large")?;
    wishes.save_interval().ok_or("its save interval is negative or too large")?;
    let (sweeps, done) = (sweeps_for(&question).len(), progress.sweep());
    if !progress.is_sound(modulus) {
        return Err("its numbers cannot be the result of a count".to_owned());
    }
    match &stage {
        CountStage::Pass(PassPosition { at, widest, bytes, .. }) => {
            if done >= sweeps || *at as u64 > question.board.squares() as u64 {
                return Err("its position is beyond the end of the count".to_owned());
            }
            if ![2, 4, 8].contains(widest) || ![0, 2, 4, 8].contains(bytes) {
                return Err("its counts are not 16, 32 or 64 bits wide".to_owned());
            }
        }
        CountStage::Begun if done > sweeps => return Err("its position is beyond the end of the count".to_owned()),
        CountStage::Begun => {}
        CountStage::Done(_) if done != sweeps => {
            return Err("it is finished, but its numbers do not match its sweeps".to_owned());
        }
        CountStage::Done(CountEnd { symmetric, .. }) => {
            answer(&question, &progress.numbers, symmetric)?;
        }
    }
    Ok(OpenedCount { question, saved_question, options: wishes, elapsed, progress, stage, input, bytes_left: left })
}

/// The error for a file that cannot be used. Offers the previous checkpoint if that file is whole and belongs to
/// `question`, if one is given.
pub(super) fn checkpoint_error(path: &Path, bad: CheckpointFault, question: Option<&SavedQuestion>) -> CountError {
    let (problem, otherwise) = match bad {
        CheckpointFault::Missing => ("is not there".to_owned(), ": name a file that --checkpoint has written"),
        CheckpointFault::Foreign(what) => (what, ""),
        CheckpointFault::Damaged(error) => match error.downcast::<MemoryRefused>() {
            Ok(refused) => return refused.into(),
            Err(error) => {
                let why = match error.kind() {
                    io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
                    _ => error.to_string(),
                };
                (format!("is damaged ({why})"), ": remove it to begin again, or name another file")
            }
        },
    };
    let older = saved::older(path);
    let before =
        open(&older).ok().filter(|before| question.is_none_or(|question| before.check_question(question).is_ok()));
    let offer = before.and_then(|before| before.check().ok()).map(|()| {
        let (older, path) = (older.display(), path.display());
        format!("; the previous checkpoint is whole: mv '{older}' '{path}' and run the same command again to resume it")
    });
    let otherwise = offer.unwrap_or_else(|| otherwise.to_owned());
    CountError::Checkpoint { path: path.display().to_string(), problem: format!("{problem}{otherwise}") }
}

/// The current pass in a file, whose counts are not read yet.
pub(super) struct SavedPass {
    /// The position of the pass.
    pub(super) position: PassPosition,
    /// The file, at its counts.
    pub(super) input: ChecksumStream<BufReader<File>>,
}

impl SavedPass {
    pub(super) fn squares_done(&self) -> usize {
        self.position.at
    }
}
