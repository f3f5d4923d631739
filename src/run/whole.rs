//! What some parts of a search tell of all of them: the sum of a figure, how sure that is, and how alike parts are.
//!
//! Parts are drawn ([`Shard`](crate::schedule::Shard)): those that are done are a sample of all, without replacement, and
//! of all of them nothing is left to chance.

use crate::count::estimate::student_quantile;
use serde::{Deserialize, Serialize};

/// A figure of some parts, taken one by one.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sample {
    parts: u32,
    sum: f64,
    mean: f64,
    /// The sum of the squares of the distances from the mean.
    squares: f64,
}

impl Sample {
    /// The figure of one part more.
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

    /// Of how many parts figures were taken.
    pub fn parts(&self) -> u32 {
        self.parts
    }

    /// What it tells of so many parts; of two or more.
    pub fn whole(&self, all: u32) -> WholeEstimate {
        let (n, all) = (f64::from(self.parts), f64::from(all));
        let variance = self.squares / (n - 1.0);
        // Of all parts nothing is left to chance.
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

/// The sum of a figure over all parts, from some of them that were drawn.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct WholeEstimate {
    /// The likely sum.
    pub sum: f64,
    /// Its standard error.
    pub error: f64,
    /// Standard deviation between parts, as a share of the mean.
    pub spread: f64,
    /// How many parts tell it.
    parts: u32,
    /// The sum over the parts that were looked at: the sum over all parts is no less. 0 in older recordings.
    #[serde(default)]
    found: f64,
}

impl WholeEstimate {
    /// The 95 % confidence interval of the sum. It begins no lower than what the parts have found already.
    pub fn interval(&self) -> [f64; 2] {
        let reach = student_quantile(self.parts.saturating_sub(1)) * self.error;
        [(self.sum - reach).max(self.found), self.sum + reach]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a hundred parts of 0 to 99 all tell the sum, and ten of them nearly.
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

    /// Two of three parts that differ much have an interval that would begin below zero.
    #[test]
    fn an_interval_begins_no_lower_than_what_was_found() {
        let two: Sample = [10.0, 90.0].into_iter().collect();
        assert_eq!(two.whole(3).interval()[0], 100.0);
    }
}
