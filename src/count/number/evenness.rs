//! A test whether tours were drawn uniformly: Pearson's chi-square, and the likelihood of a value as large by chance.

/// The result of Pearson's chi-square test for uniform draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evenness {
    /// The sum of the squared deviations from the mean, each divided by the mean.
    pub chi_square: f64,
    /// Degrees of freedom: one less than the number of things.
    pub degrees: f64,
    /// The likelihood of this chi-square or a larger one in uniform draws, 0..=1. Below 0.01 the draws are hardly uniform.
    pub p: f64,
}

impl Evenness {
    /// Tests the draws: `drawn` says for each thing how often it was drawn.
    ///
    /// # Panics
    /// When there are fewer than two things, or no draws.
    pub fn of(drawn: &[u64]) -> Evenness {
        let all: u64 = drawn.iter().sum();
        assert!(drawn.len() > 1 && all > 0, "a test of uniform draws needs two things and one draw");
        let mean = all as f64 / drawn.len() as f64;
        let chi_square = drawn.iter().map(|&n| (n as f64 - mean).powi(2) / mean).sum();
        let degrees = drawn.len() as f64 - 1.0;
        Evenness { chi_square, degrees, p: upper_tail(chi_square, degrees) }
    }
}

/// The likelihood that chi-square is this large or larger. The cube root of chi-square, scaled, is nearly normal.
///
/// # Source
/// E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", PNAS 17, 1931; good to some thousandths here.
fn upper_tail(chi_square: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    let normal = ((chi_square / degrees).cbrt() - (1.0 - spread)) / spread.sqrt();
    // Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * normal.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let tail = sum * (-normal * normal / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if normal < 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of printed tables of the chi-square distribution.
    #[test]
    fn tails_agree_with_printed_tables() {
        for (degrees, chi_square, p) in
            [(7.0, 18.475, 0.01), (7.0, 6.346, 0.5), (15.0, 24.996, 0.05), (15.0, 7.261, 0.95), (100.0, 135.807, 0.01)]
        {
            assert!((upper_tail(chi_square, degrees) - p).abs() < 0.003, "{degrees} {chi_square}");
        }
    }

    #[test]
    fn even_draws_are_likely_and_uneven_draws_are_not() {
        assert!(Evenness::of(&[10, 10, 10, 10]).p > 0.999);
        assert_eq!(Evenness::of(&[0, 20, 0, 20]).chi_square, 40.0);
        assert!(Evenness::of(&[0, 20, 0, 20]).p < 1e-6);
    }
}
