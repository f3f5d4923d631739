//! What walks tell: the mean of their weights, and how sure that is.

use std::ops::AddAssign;

/// How many of 100 intervals hold the number, as a share.
pub const CONFIDENCE: f64 = 0.95;

/// The weights of some walks, summed up. Adding up is not associative: whoever wants the same digits again adds in the
/// same order.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Tally {
    samples: u64,
    sum: f64,
    squares: f64,
}

impl Tally {
    /// One walk more.
    pub(super) fn take(&mut self, weight: f64) {
        self.samples += 1;
        self.sum += weight;
        self.squares += weight * weight;
    }

    /// Number of walks.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// The estimate: the mean weight, 0 without a walk.
    pub fn estimate(&self) -> f64 {
        if self.samples == 0 { 0.0 } else { self.sum / self.samples as f64 }
    }

    /// How many walks of equal weights would tell as much: the square of the sum by the sum of squares. 0 when no walk
    /// has met a tour.
    pub fn effective(&self) -> f64 {
        if self.squares > 0.0 { self.sum * self.sum / self.squares } else { 0.0 }
    }

    /// Standard error of the estimate, as a share of it; nothing while fewer than two effective walks tell it.
    pub fn error(&self) -> Option<f64> {
        let (samples, effective) = (self.samples as f64, self.effective());
        // Of two and more: fewer cannot tell how far apart weights are.
        (effective >= 2.0).then(|| ((samples / effective - 1.0).max(0.0) / (samples - 1.0)).sqrt())
    }

    /// The number lies between in [`CONFIDENCE`] of all cases; nothing while nobody can tell.
    ///
    /// Weights are of one sign and spread over orders of magnitude, their mean is rather too small than too large: so the
    /// interval is as wide upwards as downwards in factors, not in differences. Its freedom is that of the effective
    /// walks, so that it is wider where few of them carry the weight.
    pub fn interval(&self) -> Option<[f64; 2]> {
        let reach = student((self.effective() - 1.0) as u32) * self.error()?;
        Some([self.estimate() * (-reach).exp(), self.estimate() * reach.exp()])
    }

    /// Whether a number lies in the interval, but for rounding; nothing while nobody can tell.
    pub fn holds(&self, tours: f64) -> Option<bool> {
        let [low, high] = self.interval()?;
        let rounding = 1e-9 * tours;
        Some((low - rounding..=high + rounding).contains(&tours))
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.samples += other.samples;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// The 0.975 quantile of Student's distribution, by its degrees of freedom, at least 1.
///
/// # Source
/// Milton Abramowitz, Irene Stegun, "Handbook of Mathematical Functions", 1964, 26.7.5.
pub fn student(freedom: u32) -> f64 {
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

    fn tally(weights: &[f64]) -> Tally {
        let mut tally = Tally::default();
        weights.iter().for_each(|&weight| tally.take(weight));
        tally
    }

    #[test]
    fn a_single_weight_tells_nothing_of_the_error_and_equal_ones_leave_none() {
        assert_eq!((tally(&[]).estimate(), tally(&[]).effective(), tally(&[]).interval()), (0.0, 0.0, None));
        assert_eq!((tally(&[0.0; 9]).estimate(), tally(&[0.0; 9]).interval()), (0.0, None));
        assert_eq!((tally(&[0.0, 8.0]).estimate(), tally(&[0.0, 8.0]).interval()), (4.0, None));
        assert_eq!(tally(&[8.0; 9]).interval(), Some([8.0, 8.0]));
        assert_eq!((tally(&[8.0; 9]).holds(8.0 + 1e-12), tally(&[8.0; 9]).holds(8.1)), (Some(true), Some(false)));
    }

    /// 1 to 9: mean 5, standard deviation the square root of 7.5, effective 2025 / 285.
    #[test]
    fn the_error_is_that_of_a_mean() {
        let tally = tally(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        let error = tally.error().unwrap();
        assert!((error - (7.5f64 / 9.0).sqrt() / 5.0).abs() < 1e-12, "{error}");
        let [low, high] = tally.interval().unwrap();
        assert!((low * high - 25.0).abs() < 1e-9, "as far in factors: {low} {high}");
        assert!((high / 5.0 - (student(6) * error).exp()).abs() < 1e-12, "{high}");
    }
}
