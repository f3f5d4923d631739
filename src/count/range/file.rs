//! The file of a count of a range: what its passes have found, and the way back. A pass in work is not in it: one that is
//! stopped begins again, but for the boards that it had settled.
//!
//! ```text
//! destrier range 1                     what this is
//! {"strip":..,"numbers":..}            all of it, as one line of JSON
//! 4 bytes                              the CRC-32 of all that
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

/// The first line.
const MAGIC: &str = "destrier range 1\n";
/// Bytes of the longest file: a thousand boards take half a megabyte, and twenty times as many four hundred times that.
const FILE_MAX: u64 = 1 << 30;

/// A sweep, and the length of a board that it is for.
pub(super) type StripSweep = (usize, u32);

/// All that is known.
#[derive(Clone, Default)]
pub(super) struct RangeNumbers {
    /// The numbers that are settled, and how they were made sure of.
    pub(super) numbers: BTreeMap<StripSweep, (BigUint, Evidence)>,
    /// What is known of others.
    pub(super) residues: BTreeMap<StripSweep, Residues>,
    /// Passes that are done, or were given up, by sweep.
    pub(super) passes: Vec<usize>,
    /// States stored.
    pub(super) states: u64,
}

impl RangeNumbers {
    /// Whether a run can have found it, of these sweeps, each with its lengths.
    fn is_sound(&self, sweeps: &[Vec<u32>], modulus: Option<u32>) -> bool {
        let is_part = |&(sweep, length): &StripSweep| {
            sweeps.get(sweep).is_some_and(|lengths| lengths.binary_search(&length).is_ok())
        };
        let passed = |&(sweep, _): &StripSweep| self.passes.get(sweep).is_some_and(|&passes| passes > 0);
        self.numbers.keys().all(is_part)
            && self.numbers.values().all(|(number, how)| is_number(number, how, modulus))
            && self.residues.keys().all(|part| is_part(part) && passed(part) && !self.numbers.contains_key(part))
            && self.residues.values().all(Residues::are_some)
            && self.passes.len() <= sweeps.len()
            && self.passes.iter().all(|&passes| passes < 1 << 12)
    }
}

/// Whether a number can have been made sure of so.
fn is_number(number: &BigUint, how: &Evidence, modulus: Option<u32>) -> bool {
    match (how, modulus) {
        // It is the sum of some counts.
        (Evidence::Counters { bits }, None) => [16, 32, 64].contains(bits) && number.bits() <= u64::from(*bits) + 8,
        (Evidence::Remainder { prime }, Some(only)) => *prime == only && *number < only.into(),
        (Evidence::Residues { moduli }, None) => *number < product(moduli),
        _ => false,
    }
}

/// What a file of a range says.
#[derive(Clone, Serialize, Deserialize)]
pub struct SavedRange {
    strip: Strip,
    ending: String,
    strict: bool,
    /// The only modulus, if remainders are wanted.
    pub modulus: Option<u32>,
    /// Bytes that it may take, if that was said.
    pub memory: Option<u64>,
    elapsed_s: f64,
    states: u64,
    passes: Vec<usize>,
    numbers: Vec<(StripSweep, (BigUint, Evidence))>,
    residues: Vec<(StripSweep, Residues)>,
}

impl SavedRange {
    /// What is to be kept of a question of a range, of which nothing is counted yet.
    pub(super) fn new(strip: Strip, question: &CountQuestion, settings: &Settings) -> SavedRange {
        SavedRange {
            strip,
            ending: question.ending.name().to_owned(),
            strict: question.strict,
            modulus: settings.modulus,
            memory: settings.wanted,
            elapsed_s: 0.0,
            states: 0,
            passes: Vec::new(),
            numbers: Vec::new(),
            residues: Vec::new(),
        }
    }

    /// The same, with what was found in so much time.
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

    /// What was found.
    pub(super) fn found(&self) -> RangeNumbers {
        RangeNumbers {
            numbers: self.numbers.iter().cloned().collect(),
            residues: self.residues.iter().cloned().collect(),
            passes: self.passes.clone(),
            states: self.states,
        }
    }

    /// Whether both are of one question.
    pub(super) fn has_same_question(&self, other: &SavedRange) -> bool {
        let asked = |kept: &SavedRange| (kept.strip, kept.ending.clone(), kept.strict, kept.modulus);
        asked(self) == asked(other)
    }

    /// The boards, and the question that is asked of each: that of the largest.
    ///
    /// # Errors
    /// In words, when no such question can be asked.
    pub fn question(&self) -> Result<(Strip, CountQuestion), String> {
        let strip = self.strip.checked().map_err(|error| error.to_string())?;
        let ending = [Ending::Closed, Ending::Open].into_iter().find(|ending| ending.name() == self.ending);
        let ending = ending.ok_or("it asks for tours that there are not")?;
        let question =
            CountQuestion { strict: self.strict, ..CountQuestion::new(strip.board(strip.longest()), ending) };
        question.check().map_err(|error| error.to_string())?;
        Ok((strip, question))
    }

    /// What is asked, in words.
    pub fn words(&self) -> String {
        let strict = if self.strict { " that cannot be closed" } else { "" };
        let modulo = self.modulus.map(|prime| format!(" modulo {prime}")).unwrap_or_default();
        format!("{} tours of {}{strict}{modulo}", self.ending, self.strip)
    }

    /// How long it took until then.
    pub fn elapsed(&self) -> Duration {
        Duration::try_from_secs_f64(self.elapsed_s).unwrap_or_default()
    }

    /// Reads a file; nothing if there is none.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is something else, or damaged.
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
        // As it comes: a line that says nothing takes no memory, however long it is.
        let kept = SavedRange::deserialize(&mut serde_json::Deserializer::from_reader(&mut input));
        let kept = kept.map_err(|error| damaged(error.to_string()))?;
        input.line(1).and_then(|_| input.check()).map_err(|error| damaged(error.to_string()))?;
        let (strip, question) = kept.question().map_err(&damaged)?;
        let sweeps: Vec<Vec<u32>> = strip.sweeps(&question).into_iter().map(|(.., lengths)| lengths).collect();
        let is_time = Duration::try_from_secs_f64(kept.elapsed_s).is_ok();
        let modulus = kept.modulus.map(|prime| question.modulo(prime)).transpose();
        if !is_time || modulus.is_err() || !kept.found().is_sound(&sweeps, kept.modulus) {
            return Err(damaged("what it knows is no result of a count".to_owned()));
        }
        Ok(Some(kept))
    }

    /// Puts it in place of what the file has.
    ///
    /// # Errors
    /// When the disk does not take it; what the file had is still there.
    pub(super) fn write(&self, place: &saved::ReplacedFile) -> io::Result<()> {
        place.save(MAGIC, |output| {
            serde_json::to_writer(&mut *output, self)?;
            output.write_all(b"\n")
        })
    }
}
