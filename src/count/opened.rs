//! A file of a count, read as far as its counts: what it asks, how far it is, and whether that can be; and what is said of
//! one that is not to be had.

use super::answer::answer;
use super::asked::SavedQuestion;
use super::error::CountError;
use super::progress::CountProgress;
use super::question::{Count, CountQuestion};
use super::residues::{Evidence, Modulus};
use super::settings::{CountAnswer, Settings};
use super::sweep::sweeps_for;
use crate::memory::MemoryRefused;
use crate::saved::{self, ChecksumStream};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first line.
pub(super) const MAGIC: &str = "destrier count 2\n";
/// What all first lines of files of counts begin with, whatever their version.
const FAMILY: &[u8] = b"destrier count ";

/// Bytes of the longest second line: that of a board of a hundred thousand squares has some ten thousand.
const HEADER_MAX: u64 = 1 << 20;
/// Bytes of the checksum at the end.
const SEAL_BYTES: u64 = 4;

/// The second line.
#[derive(Serialize, Deserialize)]
pub(super) struct CountHeader {
    /// What is asked.
    pub(super) question: SavedQuestion,
    /// What was wished besides.
    pub(super) wishes: CountOptions,
    /// Seconds that it took until then.
    pub(super) elapsed_s: f64,
    /// What is known besides the pass in work.
    pub(super) progress: CountProgress,
    /// How far it is.
    pub(super) stage: CountStage,
}

/// How far a count is.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum CountStage {
    /// No square of the pass in work is done.
    Begun,
    /// Some are.
    Pass(PassPosition),
    /// Nothing is left to do.
    Done(CountEnd),
}

/// A pass in work; its counts follow.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct PassPosition {
    pub(super) modulus: Modulus,
    /// Squares done.
    pub(super) at: usize,
    pub(super) largest: u128,
    pub(super) nonzero: u64,
    pub(super) widest: usize,
    /// Bytes of a count; 0 if only those that are not zero are here.
    pub(super) bytes: usize,
}

/// What makes an answer of the numbers of the sweeps, and a report of that.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CountEnd {
    /// Tours that symmetries leave alone, if classes are asked for.
    pub(super) symmetric: num_bigint::BigUint,
    pub(super) states: u64,
    pub(super) peak_states: u64,
    pub(super) threads: usize,
}

/// How a count was to be run, besides what every go says anew.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CountOptions {
    /// Rows are kept at most every so many seconds.
    every_s: f64,
    /// Bytes that it may take, if that was said.
    pub memory: Option<u64>,
    /// Where counts may live in files: a whole path.
    pub spill: Option<PathBuf>,
}

impl CountOptions {
    pub(super) fn of(settings: &Settings) -> CountOptions {
        let whole = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        // A file name that is not UTF-8 cannot be written down: the user types it again.
        let spill = settings.spill.as_ref().map(whole).filter(|folder| folder.to_str().is_some());
        CountOptions { every_s: settings.every.as_secs_f64(), memory: settings.wanted, spill }
    }

    /// How often rows are kept, at most; nothing if that is no time.
    pub fn every(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.every_s).ok()
    }
}

/// A count that is done, in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedCount {
    /// The number, or its remainder.
    pub count: Count,
    /// How it was made sure of.
    pub how: Evidence,
    /// States stored, in all goes.
    pub states: u64,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// Threads of the last go.
    pub threads: usize,
    /// Of all goes.
    pub elapsed: Duration,
}

impl FinishedCount {
    /// The answer that was given then.
    pub fn answer(&self) -> CountAnswer {
        let FinishedCount { count, how, peak_states, elapsed, .. } = self.clone();
        CountAnswer { count: Some(count), how, peak_states, elapsed, resumed: None, saved: None, unsaved: None }
    }
}

/// A file that is sound as far as its second line.
pub(super) struct OpenedCount {
    /// What is asked.
    pub(super) question: CountQuestion,
    asked: SavedQuestion,
    /// What was wished besides.
    pub(super) wishes: CountOptions,
    /// How long it took until then.
    pub(super) elapsed: Duration,
    /// What is known besides the pass in work.
    pub(super) progress: CountProgress,
    stage: CountStage,
    input: ChecksumStream<BufReader<File>>,
    /// Bytes that are still to come, with the sum.
    left: u64,
}

impl OpenedCount {
    /// The only modulus.
    pub(super) fn modulus(&self) -> Option<u32> {
        self.asked.modulus()
    }

    /// Its answer, if it is done.
    pub(super) fn finished(&self) -> Option<FinishedCount> {
        let CountStage::Done(done) = &self.stage else { return None };
        let count = answer(&self.question, &self.progress.numbers, &done.symmetric).ok()?;
        let how = self.progress.how();
        let &CountEnd { states, peak_states, threads, .. } = done;
        Some(FinishedCount { count, how, states, peak_states, threads, elapsed: self.elapsed })
    }

    /// Whether it is what was asked.
    ///
    /// # Errors
    /// What it is instead.
    pub(super) fn is_of(&self, asked: &SavedQuestion) -> Result<(), String> {
        if self.asked == *asked {
            return Ok(());
        }
        let (has, asked) = (self.asked.words(), asked.words());
        Err(format!("is a checkpoint of the {has}, not of the {asked}: name another file"))
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// When the sum does not agree, or it cannot be read.
    pub(super) fn check(mut self) -> io::Result<()> {
        let counts = self.left.checked_sub(SEAL_BYTES).ok_or(io::ErrorKind::UnexpectedEof)?;
        let read = io::copy(&mut (&mut self.input).take(counts), &mut io::sink())?;
        if read < counts {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.input.check()
    }

    /// What it has of the pass in work, if there is one.
    ///
    /// # Errors
    /// When there is none, and the sum does not agree.
    pub(super) fn pass(self) -> io::Result<Option<SavedPass>> {
        match self.stage {
            CountStage::Pass(at) => Ok(Some(SavedPass { at, input: self.input })),
            _ => self.check().map(|()| None),
        }
    }
}

/// A file that is no checkpoint, or not whole: why.
#[derive(Debug)]
pub(super) enum CheckpointFault {
    /// There is none.
    Missing,
    /// It is something else.
    Foreign(String),
    /// It was damaged, or could not be read.
    Damaged(io::Error),
}

/// Opens a file and reads its two lines.
///
/// # Errors
/// Why it is no checkpoint.
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
        let mut first = [0; FAMILY.len()];
        let other = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        return Err(CheckpointFault::Foreign(match other {
            Ok(()) if first == *FAMILY => {
                "is a checkpoint of a count that another version of destrier wrote: name another file".to_owned()
            }
            _ => "is no checkpoint of a count: name another file".to_owned(),
        }));
    }
    let line = input.line(HEADER_MAX).map_err(CheckpointFault::Damaged)?;
    let header: CountHeader = serde_json::from_slice(&line).map_err(|error| CheckpointFault::Damaged(error.into()))?;
    let left = found.len().saturating_sub((MAGIC.len() + line.len()) as u64);
    // Counts follow a pass in work alone.
    if !matches!(header.stage, CountStage::Pass(_)) && left > SEAL_BYTES {
        return Err(CheckpointFault::Damaged(io::Error::other("it has more than it says")));
    }
    sound(header, input, left).map_err(|what| CheckpointFault::Damaged(io::Error::other(what)))
}

/// A file whose second line says what can be. The checksum finds what was damaged by accident; this is for one that was
/// made up, its checksum and all.
fn sound(header: CountHeader, input: ChecksumStream<BufReader<File>>, left: u64) -> Result<OpenedCount, String> {
    let CountHeader { question: asked, wishes, elapsed_s, progress, stage } = header;
    let (question, modulus) = asked.question().ok_or("it asks for what cannot be asked")?;
    let elapsed = Duration::try_from_secs_f64(elapsed_s).map_err(|_| "it took a time that there is not")?;
    wishes.every().ok_or("it is kept at times that there are not")?;
    let (sweeps, done) = (sweeps_for(&question).len(), progress.sweep());
    if !progress.is_sound(modulus) {
        return Err("what it knows of the answer is no result of a count".to_owned());
    }
    match &stage {
        CountStage::Pass(PassPosition { at, widest, bytes, .. }) => {
            if done >= sweeps || *at as u64 > question.board.squares() as u64 {
                return Err("it is further than a count can be".to_owned());
            }
            if ![2, 4, 8].contains(widest) || ![0, 2, 4, 8].contains(bytes) {
                return Err("its counts have no width of counts".to_owned());
            }
        }
        CountStage::Begun if done > sweeps => return Err("it is further than a count can be".to_owned()),
        CountStage::Begun => {}
        CountStage::Done(_) if done != sweeps => {
            return Err("it is done, and knows too many numbers, or too few".to_owned());
        }
        CountStage::Done(CountEnd { symmetric, .. }) => {
            answer(&question, &progress.numbers, symmetric)?;
        }
    }
    Ok(OpenedCount { question, asked, wishes, elapsed, progress, stage, input, left })
}

/// What is said of a file that is not to be had; one before it is offered if that is whole, and of the question that is
/// `asked`, whichever it is.
pub(super) fn refused(path: &Path, bad: CheckpointFault, asked: Option<&SavedQuestion>) -> CountError {
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
    let before = open(&older).ok().filter(|before| asked.is_none_or(|asked| before.is_of(asked).is_ok()));
    let offer = before.and_then(|before| before.check().ok()).map(|()| {
        let (older, path) = (older.display(), path.display());
        format!("; the one before it is whole: mv '{older}' '{path}' and the same command goes on from there")
    });
    let otherwise = offer.unwrap_or_else(|| otherwise.to_owned());
    CountError::Checkpoint { path: path.display().to_string(), problem: format!("{problem}{otherwise}") }
}

/// A pass in a file: its counts are still to come.
pub(super) struct SavedPass {
    /// How far it is.
    pub(super) at: PassPosition,
    /// Where they come from.
    pub(super) input: ChecksumStream<BufReader<File>>,
}

impl SavedPass {
    /// Squares done.
    pub(super) fn at(&self) -> usize {
        self.at.at
    }
}
