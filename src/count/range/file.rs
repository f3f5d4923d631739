//! The checkpoint file of a count of a range: the numbers and residues of its passes. A pass that is stopped begins again when
//! the count is resumed, but the boards that it has settled are in the file.
//!
//! ```text
//! destrier range 1                     the kind and version of the file
//! {"strip":..,"numbers":..}            the whole of it, as one line of JSON
//! 4 bytes                              the CRC-32 of the two lines
//! ```

use crate::board::Ending;
use crate::count::error::CountError;
use crate::count::question::CountQuestion;
use crate::count::residues::{Evidence, Residues, product};
use crate::count::settings::Settings;
use crate::count::strip::Strip;
use crate::saved;
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The first line of the file.
const MAGIC: &str = "destrier range 1\n";
/// The most bytes of a file. A thousand boards take half a megabyte, and twenty thousand boards four hundred times that.
const FILE_MAX: u64 = 1 << 30;

/// The index of a sweep, and the length of a board that it counts.
pub(super) type StripSweep = (usize, u32);

/// The results of all passes so far.
#[derive(Clone, Default)]
pub(super) struct RangeNumbers {
    /// The settled numbers, with their evidence.
    pub(super) numbers: BTreeMap<StripSweep, (BigUint, Evidence)>,
    /// The residues of numbers that are not settled.
    pub(super) residues: BTreeMap<StripSweep, Residues>,
    /// By sweep: the number of passes that are done or given up.
    pub(super) passes: Vec<usize>,
    /// Number of states stored by all passes.
    pub(super) states: u64,
}

impl RangeNumbers {
    /// Whether a count of these sweeps, each given by its lengths, can have these results.
    fn is_sound(&self, sweeps: &[Vec<u32>], modulus: Option<u32>) -> bool {
        let is_part = |&(sweep, length): &StripSweep| {
            sweeps.get(sweep).is_some_and(|lengths| lengths.binary_search(&length).is_ok())
        };
        let passed = |&(sweep, _): &StripSweep| self.passes.get(sweep).is_some_and(|&passes| passes > 0);
        self.numbers.keys().all(is_part)
            && self.numbers.values().all(|(number, how)| is_number(number, how, modulus))
            && self.residues.keys().all(|part| is_part(part) && passed(part) && !self.numbers.contains_key(part))
            && self.residues.values().all(Residues::are_sound_in_range)
            && self.passes.len() <= sweeps.len()
            && self.passes.iter().all(|&passes| passes < 1 << 12)
    }
}

/// Whether a number can have this evidence.
fn is_number(number: &BigUint, evidence: &Evidence, modulus: Option<u32>) -> bool {
    match (evidence, modulus) {
        // The number is a sum of some counts, so it may be a few bits longer than a count.
        (Evidence::Counters { bits }, None) => [16, 32, 64].contains(bits) && number.bits() <= u64::from(*bits) + 8,
        (Evidence::Remainder { prime }, Some(only)) => *prime == only && *number < only.into(),
        (Evidence::Residues { moduli }, None) => *number < product(moduli),
        _ => false,
    }
}

/// The contents of a checkpoint file.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedRange {
    strip: Strip,
    ending: String,
    strict: bool,
    /// The modulus of `--modulus`, if the question asks for remainders.
    pub modulus: Option<u32>,
    /// The bytes of `--memory`, if it was given.
    pub memory: Option<u64>,
    elapsed_s: f64,
    states: u64,
    passes: Vec<usize>,
    numbers: Vec<(StripSweep, (BigUint, Evidence))>,
    residues: Vec<(StripSweep, Residues)>,
}

impl SavedRange {
    /// The contents for a question of which nothing is counted yet.
    pub(super) fn new(strip: Strip, question: &CountQuestion, settings: &Settings) -> SavedRange {
        SavedRange {
            strip,
            ending: question.ending.name().to_owned(),
            strict: question.strict,
            modulus: settings.modulus,
            memory: settings.memory_option,
            elapsed_s: 0.0,
            states: 0,
            passes: Vec::new(),
            numbers: Vec::new(),
            residues: Vec::new(),
        }
    }

    /// These contents with other results, after the time `elapsed`.
    pub(super) fn with_numbers(&self, found: &RangeNumbers, elapsed: Duration) -> SavedRange {
        SavedRange {
            elapsed_s: elapsed.as_secs_f64(),
            states: found.states,
            passes: found.passes.clone(),
            numbers: found.numbers.clone().into_iter().collect(),
            residues: found.residues.clone().into_iter().collect(),
            ..self.clone()
        }
    }

    /// The results of the passes.
    pub(super) fn to_numbers(&self) -> RangeNumbers {
        RangeNumbers {
            numbers: self.numbers.iter().cloned().collect(),
            residues: self.residues.iter().cloned().collect(),
            passes: self.passes.clone(),
            states: self.states,
        }
    }

    /// Whether both files are of one question.
    pub(super) fn has_same_question(&self, other: &SavedRange) -> bool {
        let question = |saved: &SavedRange| (saved.strip, saved.ending.clone(), saved.strict, saved.modulus);
        question(self) == question(other)
    }

    /// The boards, and the question of the largest board, which is asked of every board.
    ///
    /// # Errors
    /// A text, when the file does not hold a valid question.
    pub fn question(&self) -> Result<(Strip, CountQuestion), String> {
        let strip = self.strip.check().map_err(|error| error.to_string())?;
        let ending = [Ending::Closed, Ending::Open].into_iter().find(|ending| ending.name() == self.ending);
        let ending = ending.ok_or("its ending is neither closed nor open")?;
        let question =
            CountQuestion { strict: self.strict, ..CountQuestion::new(strip.board(strip.max_length()), ending) };
        question.check().map_err(|error| error.to_string())?;
        Ok((strip, question))
    }

    /// The question, in words.
    pub fn words(&self) -> String {
        let strict = if self.strict { " that cannot be closed" } else { "" };
        let modulo = self.modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{} tours of {}{strict}{modulo}", self.ending, self.strip)
    }

    /// The time that the count has taken, over all runs.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.elapsed_s).unwrap_or_default()
    }

    /// Reads a checkpoint file; `None` if it does not exist.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file cannot be read, is of another kind, or is damaged.
    pub fn read(path: &Path) -> Result<Option<SavedRange>, CountError> {
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let before = saved::older(path);
        let older =
            if before.is_file() { format!("; the one before it is {}", before.display()) } else { String::new() };
        let damaged = |why: String| named(format!("is damaged: {why}{older}"));
        let mut input = match saved::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(named(error.to_string())),
            Ok(input) => input,
        };
        if !input.begins_with(MAGIC).map_err(|error| damaged(error.to_string()))? {
            return Err(named("is no checkpoint of a range of boards: name another file".to_owned()));
        }
        if fs::metadata(path).is_ok_and(|found| found.len() > FILE_MAX) {
            return Err(damaged(format!("it has more than {} GiB", FILE_MAX >> 30)));
        }
        // Read as a stream: a long line without data takes no memory.
        let saved = SavedRange::deserialize(&mut serde_json::Deserializer::from_reader(&mut input));
        let saved = saved.map_err(|error| damaged(error.to_string()))?;
        input.line(1).and_then(|_| input.check()).map_err(|error| damaged(error.to_string()))?;
        let (strip, question) = saved.question().map_err(&damaged)?;
        let sweeps: Vec<Vec<u32>> = strip.sweeps(&question).into_iter().map(|(.., lengths)| lengths).collect();
        let is_time = Duration::try_from_secs_f64(saved.elapsed_s).is_ok();
        let modulus = saved.modulus.map(|prime| question.modulo(prime)).transpose();
        if !is_time || modulus.is_err() || !saved.to_numbers().is_sound(&sweeps, saved.modulus) {
            return Err(damaged("its contents are no result of a count".to_owned()));
        }
        Ok(Some(saved))
    }

    /// Replaces the contents of the file. If writing fails, the file keeps its old contents.
    pub(super) fn write(&self, file: &saved::ReplacedFile) -> io::Result<()> {
        file.save(MAGIC, |output| {
            serde_json::to_writer(&mut *output, self)?;
            output.write_all(b"\n")
        })
    }
}
