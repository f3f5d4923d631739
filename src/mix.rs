//! The generator of random numbers that never change: the content of a shard and the draws of an estimate must not depend
//! on the version of a library.

/// Added to the state before each number.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The random number that belongs to `number`. Neighbouring numbers have results without a pattern, and no two numbers have
/// one result.
///
/// # Source
/// Guy L. Steele, Doug Lea, Christine H. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; Sebastiano
/// Vigna, `splitmix64.c`, 2015.
pub fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(STEP);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The next random number of a sequence; advances the state of the sequence.
pub fn next(state: &mut u64) -> u64 {
    let number = mixed(*state);
    *state = state.wrapping_add(STEP);
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the source's program from state 0.
    #[test]
    fn numbers_are_those_of_the_source() {
        let mut state = 0;
        let numbers = [0; 3].map(|_| next(&mut state));
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
        assert_eq!(mixed(0), numbers[0]);
    }
}
