//! A count in a file: question, options and position, and the counts of the current pass after some square.
//!
//! The file is a [record](crate::saved). Its header is the [`SavedCount`], which is checked when it is read. The body has the counts
//! after the squares that are done (see `stored_layer`), if a pass is in work. The file of a finished count has its numbers and
//! no counts. It stays, and a later run of the question answers from it at once.

use super::answer::board_numbers;
use super::saved_question::SavedQuestion;
use crate::bounded::FileKind;
use crate::count::ask::progress::{CountProgress, PassRules};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::residues::Modulus;
use crate::count::ask::settings::{BoardNumber, CountAnswer, Settings};
use crate::count::pass::steps::WIDEST;
use crate::count::plan::count_plan::CountPlan;
use crate::count::snapshot::RowMeter;
use crate::count::states::sweep::sweeps_of;
use crate::saved::{RecordBody, RecordFault, RecordKind, SavedRun, seconds};
use crate::words::grouped;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Largest plan that a finished count is held against, in bytes: of boards up to seven squares wide. Where planning would take longer
/// than a moment, the file is believed.
pub const CHECKED_PLAN_BYTES: u64 = 64 << 20;
/// No count has more threads.
const THREADS_MAX: usize = 4096;
/// No sum of counts of a range has more bits.
const SUM_BITS: u32 = 80;

/// A count in a file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedCount {
    pub question: SavedQuestion,
    /// The options that a resumed run takes over.
    pub options: CountOptions,
    /// Time spent on the count so far.
    #[serde(rename = "elapsed_s", with = "seconds")]
    pub elapsed: Duration,
    /// What is known besides the current pass.
    pub(in crate::count) progress: CountProgress,
    /// How far the count is.
    pub(in crate::count) stage: CountStage,
    /// The counts of the current pass, if the count is read from a file.
    #[serde(skip)]
    pub(in crate::count) body: Option<RecordBody>,
}

/// How far a count is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CountStage {
    /// No square of the current pass is done.
    Begun,
    /// Some squares of the current pass are done; their counts follow the header.
    Pass(PassPosition),
    /// The count is finished.
    Done(CountEnd),
}

/// The position of a pass; its counts follow the header.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// What is shown of the rows; empty in older files.
    #[serde(default)]
    pub by_row: Vec<RowMeter>,
}

/// What a finished count needs besides the numbers of its sweeps, for its answer and its report.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
    /// Shortest time between two checkpoints.
    #[serde(rename = "every_s", with = "seconds")]
    pub save_interval: Duration,
    /// Memory limit in bytes, if the user gave one.
    pub memory: Option<u64>,
    /// Folder for counts in files, as an absolute path.
    pub spill: Option<PathBuf>,
}

impl CountOptions {
    pub fn from_settings(settings: &Settings) -> CountOptions {
        let whole = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        // A folder name that is not UTF-8 cannot be stored: the user types it again.
        let spill = settings.spill.as_ref().map(whole).filter(|folder| folder.to_str().is_some());
        CountOptions { save_interval: settings.save_interval, memory: settings.memory_option, spill }
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

/// The current pass in a file, whose counts are not read yet.
pub struct SavedPass {
    pub position: PassPosition,
    pub body: RecordBody,
}

impl SavedRun for SavedCount {
    type Question = SavedQuestion;

    /// A thousand boards take half a megabyte of the header, and twenty thousand boards four hundred times that.
    const KIND: RecordKind = RecordKind { kind: FileKind::Count, header_max: 1 << 30 };

    fn question(&self) -> &SavedQuestion {
        &self.question
    }

    fn words(question: &SavedQuestion) -> String {
        format!("the {}", question.words())
    }

    fn is_same(one: &SavedQuestion, other: &SavedQuestion) -> bool {
        one == other
    }

    fn has_ended(&self) -> bool {
        matches!(self.stage, CountStage::Done(_))
    }

    fn take_body(&mut self, mut body: RecordBody) -> Result<(), RecordFault> {
        self.check().map_err(RecordFault::Damaged)?;
        // Only a pass has counts after the header.
        if !matches!(self.stage, CountStage::Pass(_)) {
            return body.finish();
        }
        body.check()?;
        self.body = Some(body);
        Ok(())
    }
}

impl SavedCount {
    /// The answer, if the count is finished.
    pub fn finished(&self) -> Option<FinishedCount> {
        let CountStage::Done(done) = &self.stage else { return None };
        let boards = board_numbers(&self.question.question, &self.progress, &done.symmetric).ok()?;
        let &CountEnd { states, peak_states, threads, .. } = done;
        Some(FinishedCount { boards, states, peak_states, threads, elapsed: self.elapsed })
    }

    /// The current pass, if there is one.
    pub(in crate::count) fn pass(self) -> Option<SavedPass> {
        match (self.stage, self.body) {
            (CountStage::Pass(position), Some(body)) => Some(SavedPass { position, body }),
            _ => None,
        }
    }

    /// Checks that the header is possible. The checksum finds accidental damage; this finds a forged header with a valid
    /// checksum.
    fn check(&self) -> Result<(), String> {
        let SavedQuestion { question, modulus } = &self.question;
        let sweeps = sweeps_of(question);
        let lengths = || sweeps.iter().map(|(.., lengths)| &lengths[..]);
        let is_in_pass = matches!(self.stage, CountStage::Pass(_));
        let modulus = modulus.and_then(Modulus::prime);
        if !self.progress.is_sound(lengths(), PassRules { modulus, by_room: question.range.is_some(), is_in_pass }) {
            return Err("its numbers cannot be the result of a count".to_owned());
        }
        let current = self.progress.current_sweep(lengths());
        match &self.stage {
            CountStage::Pass(position) => {
                let lengths = &sweeps[current.ok_or("its position is beyond the end of the count")?].2;
                check_position(position, lengths, question)
            }
            CountStage::Begun => Ok(()),
            CountStage::Done(_) if current.is_some() => {
                Err("it is finished, but its numbers do not match its sweeps".to_owned())
            }
            CountStage::Done(CountEnd { states, threads, .. })
                if *states != self.progress.states || !(1..=THREADS_MAX).contains(threads) =>
            {
                Err("states, passes or threads cannot be right".to_owned())
            }
            CountStage::Done(CountEnd { symmetric, .. }) => {
                board_numbers(question, &self.progress, symmetric).map(drop)
            }
        }
    }

    /// Refuses numbers of states that no finished count with this plan has stored. Each pass that gave a number of a board was over all
    /// of it, and no pass stores more; of a range, later passes end at the longest board whose number is open.
    ///
    /// # Errors
    /// What is wrong, in words that follow the name of the file.
    pub fn check_states(&self, plan: &CountPlan) -> Result<(), String> {
        let CountStage::Done(CountEnd { states, peak_states, .. }) = self.stage else { return Ok(()) };
        let whole = if plan.question().range.is_some() { 1 } else { usize::MAX };
        let sweeps = || plan.sweeps.iter().enumerate();
        let least =
            sweeps().map(|(at, sweep)| self.progress.passes_needed(at).min(whole) as u64 * sweep.states()).sum();
        let most = sweeps().map(|(at, sweep)| self.progress.passes(at) as u64 * sweep.states()).sum();
        let peak = plan.peak_states();
        for (found, when, least, most) in [(peak_states, " at once", peak, peak), (states, "", least, most)] {
            if !(least..=most).contains(&found) {
                let mut right = vec![grouped(least), grouped(most)];
                right.dedup();
                let (found, name, right) = (grouped(found), plan.question().name(), right.join(" to "));
                return Err(format!("it stored {found} states{when}, and the count of {name} stores {right}"));
            }
        }
        Ok(())
    }
}

/// Checks the position of a pass over a sweep for `lengths` of the boards of a question.
fn check_position(position: &PassPosition, lengths: &[u32], question: &CountQuestion) -> Result<(), String> {
    let PassPosition { modulus, at, widest, bytes, closed_tours, .. } = position;
    let check = |is_right: bool, why: &str| if is_right { Ok(()) } else { Err(why.to_owned()) };
    check(modulus.is_of_pass(), "its pass is modulo a number that is no prime, or too large")?;
    let squares = |length: &u32| question.squares_of(*length);
    let is_within = lengths.last().is_some_and(|last| (*at as u64) < squares(last));
    check(is_within, "its position is beyond the end of the count")?;
    // Those of a range, and those modulo a number, have 64 bits at most.
    let most = if question.range.is_some() { 8 } else { WIDEST };
    let is_width = |bytes: usize, most| [2, 4, 8, WIDEST].contains(&bytes) && bytes <= most;
    let most_now = if *modulus == Modulus::None { most } else { 8 };
    let are_widths = is_width(*widest, most) && (*bytes == 0 || is_width(*bytes, most_now));
    check(are_widths, "its counts are not 16, 32, 64 or 128 bits wide")?;
    let is_ahead = |length: &u32| lengths.contains(length) && squares(length) > *at as u64;
    let is_sound = |(length, sum): &(u32, u128)| is_ahead(length) && sum >> SUM_BITS == 0;
    check(closed_tours.iter().all(is_sound), "its sums belong to no board that it has left")
}
