//! Bits of a word gathered where a mask has ones, and spread there again.

/// The bits of `value` at the places where `mask` has ones, moved together.
pub fn extract(value: u32, mask: u32) -> u32 {
    let (mut result, mut mask, mut bit) = (0, mask, 0);
    while mask != 0 {
        result |= (value >> mask.trailing_zeros() & 1) << bit;
        mask &= mask - 1;
        bit += 1;
    }
    result
}

/// The low bits of `value`, moved to the places where `mask` has ones.
pub fn deposit(value: u32, mask: u32) -> u32 {
    let (mut result, mut mask, mut value) = (0, mask, value);
    while mask != 0 && value != 0 {
        result |= (value & 1) << mask.trailing_zeros();
        mask &= mask - 1;
        value >>= 1;
    }
    result
}
