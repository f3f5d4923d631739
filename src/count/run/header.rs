//! The header of a checkpoint file: question, options and position of a count. Reads a file up to its counts, and checks
//! that the header is possible.

use super::answer::board_numbers;
use super::saved_question::SavedQuestion;
use crate::bounded::FileKind;
use crate::count::ask::progress::{CountProgress, PassRules};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::{BoardNumber, CountAnswer, Settings};
use crate::count::error::CountError;
use crate::count::states::sweep::sweeps_of;
use crate::saved::{self, RecordBody, RecordFault, RecordKind};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The checkpoint of a count. A thousand boards take half a megabyte of the header, and twenty thousand boards four hundred times
/// that.
pub const KIND: RecordKind = RecordKind { kind: FileKind::Count, header_max: 1 << 30 };
/// No sum of counts of a range has more bits.
const SUM_BITS: u32 = 80;

/// The header: the second line of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountHeader {
    pub question: SavedQuestion,
    /// The options that a resumed run takes over.
    pub options: CountOptions,
    /// Seconds spent on the count so far.
    pub elapsed_s: f64,
    /// What is known besides the current pass.
    pub progress: CountProgress,
    /// How far the count is.
    pub stage: CountStage,
}

/// How far a count is.
#[derive(Clone, Serialize, Deserialize)]
pub enum CountStage {
    /// No square of the current pass is done.
    Begun,
    /// Some squares of the current pass are done; their counts follow the header.
    Pass(PassPosition),
    /// The count is finished.
    Done(CountEnd),
}

/// The position of a pass; its counts follow the header.
#[derive(Clone, Serialize, Deserialize)]
pub struct PassPosition {
    pub modulus: Modulus,
    /// Squares done.
    pub at: usize,
    pub largest: u128,
    pub nonzero: u64,
    pub widest: usize,
    /// Bytes of a count; 0 if the layer is sparse.
    pub bytes: usize,
    /// For a range, the sums of the boards that end in one of the next rows, by their length.
    pub closed_tours: Vec<(u32, u128)>,
}

/// What a finished count needs besides the numbers of its sweeps, for its answer and its report.
#[derive(Clone, Serialize, Deserialize)]
pub struct CountEnd {
    /// Tours that the symmetries keep, summed, if the question asks for classes.
    pub symmetric: BigUint,
    pub states: u64,
    pub peak_states: u64,
    pub threads: usize,
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
    pub(in crate::count) fn from_settings(settings: &Settings) -> CountOptions {
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
    /// The numbers of the boards, or their remainders, the shortest first.
    pub boards: Vec<BoardNumber>,
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
        let FinishedCount { boards, peak_states, elapsed, .. } = self.clone();
        CountAnswer { boards, complete: true, peak_states, elapsed, ..CountAnswer::default() }
    }
}

/// An opened checkpoint file with a sound header; its counts are not read yet.
pub struct OpenedCount {
    pub question: CountQuestion,
    pub header: CountHeader,
    /// Time spent on the count so far.
    pub elapsed: Duration,
    body: RecordBody,
}

/// The current pass in a file, whose counts are not read yet.
pub struct SavedPass {
    pub position: PassPosition,
    pub body: RecordBody,
}

impl OpenedCount {
    /// Opens a file and reads its first two lines.
    pub fn open(path: &Path) -> Result<OpenedCount, RecordFault> {
        let (header, body) = saved::open_record::<CountHeader>(path, &KIND)?;
        // Only a pass has counts after the header.
        if !matches!(header.stage, CountStage::Pass(_)) && !body.is_empty() {
            return Err(RecordFault::damaged("it is longer than its header says"));
        }
        validate(header, body).map_err(RecordFault::Damaged)
    }

    /// The answer, if the count is finished.
    pub fn finished(&self) -> Option<FinishedCount> {
        let CountStage::Done(done) = &self.header.stage else { return None };
        let boards = board_numbers(&self.question, &self.header.progress, &done.symmetric).ok()?;
        let &CountEnd { states, peak_states, threads, .. } = done;
        Some(FinishedCount { boards, states, peak_states, threads, elapsed: self.elapsed })
    }

    /// Checks that the file belongs to `question`; the error names the question that it belongs to.
    pub fn check_question(&self, question: &SavedQuestion) -> Result<(), RecordFault> {
        if self.header.question == *question {
            return Ok(());
        }
        let (has, expected) = (self.header.question.words(), question.words());
        Err(RecordFault::Foreign(format!("is a checkpoint of the {has}, not of the {expected}")))
    }

    /// Reads the rest of the file and checks its checksum.
    pub fn check(self) -> Result<(), RecordFault> {
        self.body.skip()
    }

    /// The current pass, if there is one. A file without a pass is read to its end and checked.
    pub fn pass(self) -> Result<Option<SavedPass>, RecordFault> {
        match self.header.stage {
            CountStage::Pass(position) => Ok(Some(SavedPass { position, body: self.body })),
            _ => self.check().map(|()| None),
        }
    }
}

/// Checks that a header is possible. The checksum finds accidental damage; this finds a forged header with a valid
/// checksum.
fn validate(header: CountHeader, body: RecordBody) -> Result<OpenedCount, String> {
    let CountHeader { question, options, elapsed_s, progress, stage } = &header;
    let (question, modulus) = question.question().ok_or("its question is not valid")?;
    let elapsed = Duration::try_from_secs_f64(*elapsed_s).map_err(|_| "its elapsed time is negative or too large")?;
    options.save_interval().ok_or("its save interval is negative or too large")?;
    let sweeps = sweeps_of(&question);
    let lengths = || sweeps.iter().map(|(.., lengths)| &lengths[..]);
    let is_in_pass = matches!(stage, CountStage::Pass(_));
    if !progress.is_sound(lengths(), PassRules { modulus, by_room: question.range.is_some(), is_in_pass }) {
        return Err("its numbers cannot be the result of a count".to_owned());
    }
    let current = progress.current_sweep(lengths());
    match stage {
        CountStage::Pass(position) => {
            let lengths = &sweeps[current.ok_or("its position is beyond the end of the count")?].2;
            check_position(position, lengths, question.swept_board().cols())?;
        }
        CountStage::Begun => {}
        CountStage::Done(_) if current.is_some() => {
            return Err("it is finished, but its numbers do not match its sweeps".to_owned());
        }
        CountStage::Done(CountEnd { symmetric, .. }) => {
            board_numbers(&question, progress, symmetric)?;
        }
    }
    Ok(OpenedCount { question, header, elapsed, body })
}

/// Checks the position of a pass over a sweep for `lengths` of boards `cols` squares wide.
fn check_position(position: &PassPosition, lengths: &[u32], cols: u32) -> Result<(), String> {
    let PassPosition { modulus, at, widest, bytes, closed_tours, .. } = position;
    if !modulus.is_of_pass() {
        return Err("its pass is modulo a number that is no prime, or too large".to_owned());
    }
    let squares = u64::from(cols) * u64::from(lengths.last().copied().unwrap_or(0));
    if *at as u64 >= squares {
        return Err("its position is beyond the end of the count".to_owned());
    }
    if ![2, 4, 8].contains(widest) || ![0, 2, 4, 8].contains(bytes) {
        return Err("its counts are not 16, 32 or 64 bits wide".to_owned());
    }
    let is_ahead = |length: &u32| u64::from(*length) * u64::from(cols) > *at as u64;
    let is_sound = |(length, sum): &(u32, u128)| is_ahead(length) && lengths.contains(length) && sum >> SUM_BITS == 0;
    if !closed_tours.iter().all(is_sound) {
        return Err("its sums belong to no board that it has left".to_owned());
    }
    Ok(())
}

/// The error for a file that cannot be used. Offers the previous checkpoint if that file is whole and belongs to
/// `question`, if one is given.
pub fn checkpoint_error(path: &Path, fault: RecordFault, question: Option<&SavedQuestion>) -> CountError {
    if let RecordFault::Memory(refused) = fault {
        return refused.into();
    }
    let is_whole = |older: &Path| {
        let of_question = |opened: &OpenedCount| question.is_none_or(|asked| opened.check_question(asked).is_ok());
        OpenedCount::open(older).ok().filter(of_question).is_some_and(|older| older.check().is_ok())
    };
    let problem = saved::refusal(path, &saved::cause(path, fault), is_whole);
    CountError::unusable(path, problem)
}
