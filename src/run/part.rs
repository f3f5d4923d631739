//! Which files are parts: their names, the question of most of them, and why a file is not one of the parts of a search;
//! and what some parts tell of the whole.
//!
//! A complete part of a search is `I-of-N.part`: a [`Checkpoint`](super::Checkpoint) with no work left. A running or stopped part
//! is `I-of-N.checkpoint`. A part of a count is its remainder by a prime, `modulo-P.part` and `modulo-P.checkpoint`.

use super::question::Plan;
use crate::count::estimate::student_quantile;
use crate::schedule::Shard;
use std::path::{Path, PathBuf};

/// The file name ending of a complete part.
pub const PART: &str = ".part";
/// The file name ending of an incomplete part.
pub const CHECKPOINT: &str = ".checkpoint";
/// How the name of a part of a count begins.
const MODULO: &str = "modulo-";

/// The path of a complete part in a folder.
pub fn path(folder: &Path, shard: Shard) -> PathBuf {
    folder.join(stem(shard) + PART)
}

/// The part that a file name stands for, complete or not.
pub fn named(name: &str) -> Option<Shard> {
    let stem = name.strip_suffix(PART).or_else(|| name.strip_suffix(CHECKPOINT))?;
    let shard: Shard = stem.replacen("-of-", "/", 1).parse().ok()?;
    (self::stem(shard) == stem).then_some(shard)
}

/// The name of the files of a part of a search, without an ending.
pub fn stem(shard: Shard) -> String {
    format!("{}-of-{}", shard.index(), shard.of())
}

/// The name of the files of a part of a count, without an ending: of its remainder by this prime.
pub fn modulo(prime: u32) -> String {
    format!("{MODULO}{prime}")
}

/// The prime of the part of a count that a file name stands for, complete or not.
pub fn modulus_of(name: &str) -> Option<u32> {
    let digits = name.strip_prefix(MODULO)?;
    digits.strip_suffix(PART).or_else(|| digits.strip_suffix(CHECKPOINT))?.parse().ok()
}

/// The question of a folder of parts: that of most files, and of two with as many the first.
pub fn of_most<Q: PartialEq>(questions: impl IntoIterator<Item = Q>) -> Option<Q> {
    let mut counted: Vec<(Q, usize)> = Vec::new();
    for question in questions {
        match counted.iter_mut().find(|(other, _)| *other == question) {
            Some((_, count)) => *count += 1,
            None => counted.push((question, 1)),
        }
    }
    // The last of the largest is taken.
    counted.into_iter().rev().max_by_key(|&(_, count)| count).map(|(question, _)| question)
}

/// Why a file is not one of the parts, in words that follow its name. `plan` is its plan, `end` whether its work is
/// complete, `mine` whether it has the same question and number of parts as the others.
pub fn fault(path: &Path, plan: &Plan, end: bool, mine: bool) -> Option<String> {
    let Some(shard) = plan.shard.filter(|_| mine) else {
        return Some(format!("is of {}, the others are not", plan.subject()));
    };
    if path.file_name().and_then(|name| named(name.to_str()?)) != Some(shard) {
        return Some(format!("is part {shard}, which another file is to be: its name is wrong"));
    }
    (!end).then(|| "is not done".to_owned())
}

// Estimates a figure of a whole search from some of its parts: the sum, its error, and how much the parts differ.
//
// Parts are dealt at random (`Shard`): the complete parts are a sample without replacement,
// and all parts together have no sampling error.

/// The mean and variance of a figure over some parts, computed one part at a time.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sample {
    parts: u32,
    sum: f64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Sample {
    /// Adds the figure of one more part.
    ///
    /// # Source
    /// B. P. Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4, 1962.
    pub fn take(&mut self, value: f64) {
        self.parts += 1;
        self.sum += value;
        let distance = value - self.mean;
        self.mean += distance / f64::from(self.parts);
        self.squares += distance * (value - self.mean);
    }

    /// Estimates the sum over `all` parts; needs two or more parts.
    pub fn whole(&self, all: u32) -> WholeEstimate {
        let (n, all) = (f64::from(self.parts), f64::from(all));
        let variance = self.squares / (n - 1.0);
        // With all parts there is no sampling error.
        let error = all * (variance / n * (1.0 - n / all).max(0.0)).sqrt();
        let spread = variance.sqrt() / self.mean.max(f64::MIN_POSITIVE);
        WholeEstimate { sum: all / n * self.sum, error, spread, parts: self.parts, found: self.sum }
    }
}

impl FromIterator<f64> for Sample {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.take(value));
        sample
    }
}

/// The estimated sum of a figure over all parts, from a random sample of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WholeEstimate {
    /// The estimated sum.
    pub sum: f64,
    /// Its standard error.
    pub error: f64,
    /// Standard deviation between parts, as a share of the mean.
    pub spread: f64,
    /// Parts in the sample.
    parts: u32,
    /// The sum over the parts in the sample, a lower bound of the whole.
    found: f64,
}

impl WholeEstimate {
    /// The 95 % confidence interval of the sum. It begins no lower than the sum already found.
    pub fn interval(&self) -> [f64; 2] {
        let reach = student_quantile(self.parts.saturating_sub(1)) * self.error;
        [(self.sum - reach).max(self.found), self.sum + reach]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_that_of_most_files_and_of_two_the_first() {
        assert_eq!(of_most(["b", "a", "a", "b", "c"]), Some("b"));
        assert_eq!(of_most(["b", "a", "a"]), Some("a"));
        assert_eq!(of_most(std::iter::empty::<u8>()), None);
    }

    #[test]
    fn a_name_stands_for_one_part_and_no_other_name_does() {
        let shard = Shard::new(3, 40);
        assert_eq!(["3-of-40.part", "3-of-40.checkpoint"].map(named), [shard; 2]);
        assert_eq!(path(Path::new("d"), shard.unwrap()), Path::new("d/3-of-40.part"));
        for name in ["3-of-40", "03-of-40.part", "3-of-2.part", "3/40.part", "3-of-40.part~", "modulo-3.part", ".part"]
        {
            assert_eq!(named(name), None, "{name}");
        }
        assert_eq!([PART, CHECKPOINT].map(|end| modulus_of(&(modulo(101) + end))), [Some(101); 2]);
        for name in ["modulo-101", "modulo-x.part", "101.part", "modulo-101.part~"] {
            assert_eq!(modulus_of(name), None);
        }
    }

    /// All of a hundred parts of 0 to 99 give the exact sum, and ten of them nearly.
    #[test]
    fn some_parts_tell_of_all() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let all = values.iter().copied().collect::<Sample>().whole(100);
        assert_eq!((all.sum, all.error), (4950.0, 0.0));
        assert!((all.spread - 29.011_49 / 49.5).abs() < 1e-6, "{}", all.spread);
        let mut random = fastrand::Rng::with_seed(17);
        let holds = |_: &usize| {
            let some: Sample = random.choose_multiple(values.iter().copied(), 10).into_iter().collect();
            let [low, high] = some.whole(100).interval();
            (low..=high).contains(&4950.0)
        };
        let held = (0..1000).filter(holds).count();
        assert!((920..=980).contains(&held), "{held} of 1000");
    }

    /// Two of three parts that differ much would have an interval that begins below zero.
    #[test]
    fn an_interval_begins_no_lower_than_what_was_found() {
        let two: Sample = [10.0, 90.0].into_iter().collect();
        assert_eq!(two.whole(3).interval()[0], 100.0);
    }
}
