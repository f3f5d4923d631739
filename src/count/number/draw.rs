//! Numbers drawn uniformly: if the random bits are uniform, every number below a bound is exactly as likely as any other.

use fastrand::Rng;

/// Draws `draws` numbers below `count`, independently, so that a number may be drawn repeatedly. Equal seeds draw equal
/// numbers.
///
/// # Panics
/// When `count` is 0.
pub fn draw(count: u128, draws: usize, seed: u64) -> Vec<u128> {
    assert!(count > 0, "no number is below 0");
    let mut rng = Rng::with_seed(seed);
    (0..draws).map(|_| random_below(count, || rng.u64(..))).collect()
}

/// A uniform number below `count`. It draws as many random bits as the largest number has, and draws again if they make no
/// number below `count`. No number is favoured, because exactly one way to set the bits makes it.
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
    fn numbers_are_below_the_bound_and_the_seed_decides_them() {
        for count in [1, 2, 3, 9862, 1 << 64, (1 << 64) + 1, u128::MAX] {
            let drawn = draw(count, 100, 7);
            assert!(drawn.iter().all(|&number| number < count));
            assert_eq!(drawn, draw(count, 100, 7));
            assert!(count < 3 || drawn != draw(count, 100, 8));
        }
    }

    /// Of all ways to set three bits those below five are numbers, and the others lead to another draw.
    #[test]
    fn one_way_to_set_the_bits_makes_each_number() {
        let met: Vec<u128> = (0..8u64)
            .map(|bits| {
                let mut words = [bits << 61, 0].into_iter();
                random_below(5, || words.next().unwrap())
            })
            .collect();
        assert_eq!(met, [0, 1, 2, 3, 4, 0, 0, 0]);
    }
}
