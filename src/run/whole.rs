//! What some parts of a search tell of all of them: the sum of a figure, how sure that is, and how alike parts are.
//!
//! Parts are drawn ([`Shard`](crate::schedule::Shard)): those that are done are a sample of all, without replacement, and
//! of all of them nothing is left to chance.

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
    pub fn whole(&self, all: u32) -> Whole {
        let (n, all) = (f64::from(self.parts), f64::from(all));
        let variance = self.squares / (n - 1.0);
        // Of all parts nothing is left to chance.
        let error = all * (variance / n * (1.0 - n / all).max(0.0)).sqrt();
        let spread = variance.sqrt() / self.mean.max(f64::MIN_POSITIVE);
        Whole { sum: all / n * self.sum, error, spread, parts: self.parts }
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
pub struct Whole {
    /// The likely sum.
    pub sum: f64,
    /// Its standard error.
    pub error: f64,
    /// Standard deviation between parts, as a share of the mean.
    pub spread: f64,
    /// How many parts tell it.
    parts: u32,
}

impl Whole {
    /// In 95 of 100 cases the sum lies between.
    pub fn interval(&self) -> [f64; 2] {
        let reach = student(self.parts.saturating_sub(1)) * self.error;
        [(self.sum - reach).max(0.0), self.sum + reach]
    }
}

/// The 0.975 quantile of Student's distribution.
///
/// # Source
/// Milton Abramowitz, Irene Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5.
fn student(freedom: u32) -> f64 {
    const FEW: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
    if let Some(value) = freedom.checked_sub(1).and_then(|place| FEW.get(place as usize)) {
        return *value;
    }
    let (z, n) = (1.959_964_f64, f64::from(freedom));
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * n)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * n.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against tables of the distribution.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, value) in
            [(1, 12.706), (4, 2.776), (5, 2.571), (9, 2.262), (10, 2.228), (39, 2.023), (1000, 1.962)]
        {
            assert!((student(freedom) - value).abs() < 2e-3, "{freedom}: {}", student(freedom));
        }
    }

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
}
