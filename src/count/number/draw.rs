//! Numbers drawn uniformly: every number below a bound is as likely as any other, exactly, if every random bit is.

use fastrand::Rng;

/// Draws so many numbers below `count`, independent of each other, so that one may come again; the same seed draws the
/// same numbers.
///
/// # Panics
/// When `count` is 0: there is nothing to draw.
pub fn draw(count: u128, draws: usize, seed: u64) -> Vec<u128> {
    assert!(count > 0, "nothing can be drawn from nothing");
    let mut rng = Rng::with_seed(seed);
    (0..draws).map(|_| random_below(count, || rng.u64(..))).collect()
}

/// A number below `count` from words of random bits: as many bits as the last number has, and others where they come to
/// no number. No number is favoured, as each is met by exactly one way to set the bits.
fn random_below(count: u128, mut word: impl FnMut() -> u64) -> u128 {
    let bits = u128::BITS - (count - 1).leading_zeros();
    loop {
        let drawn = match bits {
            0 => 0,
            1..=64 => u128::from(word() >> (64 - bits)),
            _ => (u128::from(word()) << 64 | u128::from(word())) >> (128 - bits),
        };
        if drawn < count {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_drawn_is_below_and_the_seed_decides() {
        for count in [1, 2, 3, 9862, 1 << 64, (1 << 64) + 1, u128::MAX] {
            let drawn = draw(count, 100, 7);
            assert!(drawn.iter().all(|&number| number < count));
            assert_eq!(drawn, draw(count, 100, 7));
            assert!(count < 3 || drawn != draw(count, 100, 8));
        }
    }

    /// All ways to set three bits: those below five are taken as they are, the others are thrown away.
    #[test]
    fn every_number_is_met_by_one_way_to_set_the_bits() {
        let met: Vec<u128> = (0..8u64)
            .map(|bits| {
                let mut words = [bits << 61, 0].into_iter();
                random_below(5, || words.next().unwrap())
            })
            .collect();
        assert_eq!(met, [0, 1, 2, 3, 4, 0, 0, 0]);
    }
}
