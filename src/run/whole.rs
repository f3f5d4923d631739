//! Estimates a figure of a whole search from some of its parts: the sum, its error, and how much the parts differ.
//!
//! Parts are dealt at random ([`Shard`](crate::schedule::Shard)): the complete parts are a sample without replacement,
//! and all parts together have no sampling error.

use crate::count::estimate::student_quantile;

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
