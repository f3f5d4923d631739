//! Number types for the ways to a state: 64 bits, 128 bits, and any length. The sweep repeats with the next type on overflow.

use num_bigint::BigUint;

/// A number of ways to a state.
pub(super) trait WayCount: Clone + Default + Send {
    /// Bytes that one number allocates outside of itself, rounded up.
    const HEAP: u64;

    fn one() -> Self;

    /// Adds another number; `None` if the sum does not fit.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// Ways with an even sum of voltages, and ways with an odd sum.
impl<T: WayCount> WayCount for [T; 2] {
    const HEAP: u64 = 2 * T::HEAP;

    fn one() -> [T; 2] {
        [T::one(), T::default()]
    }

    fn add(&mut self, other: &[T; 2]) -> Option<()> {
        self.iter_mut().zip(other).try_for_each(|(ways, other)| ways.add(other))
    }
}

macro_rules! fixed_width {
    ($($number:ty)*) => {$(
        impl WayCount for $number {
            const HEAP: u64 = 0;

            fn one() -> $number {
                1
            }

            fn add(&mut self, other: &$number) -> Option<()> {
                *self = self.checked_add(*other)?;
                Some(())
            }
        }
    )*};
}
fixed_width! { u64 u128 }

impl WayCount for BigUint {
    /// 512 bits and the overhead of the allocator. A board whose numbers are longer is so long that it has few states.
    const HEAP: u64 = 80;

    fn one() -> BigUint {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &BigUint) -> Option<()> {
        *self += other;
        Some(())
    }
}
