//! Numbers of ways: 64 bits while they do, then 128, and as many as it takes from then on.

use num_bigint::BigUint;

/// A number of ways to a state.
pub(super) trait WayCount: Clone + Default + Send {
    /// Bytes that one takes beside itself, generously.
    const HEAP: u64;

    fn one() -> Self;

    /// Adds another one, or answers nothing if the sum does not fit.
    fn add(&mut self, other: &Self) -> Option<()>;
}

/// Ways by the parity of something.
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
    /// 512 bits and what the allocator adds. Boards so long that this is too little have few states.
    const HEAP: u64 = 80;

    fn one() -> BigUint {
        BigUint::from(1u32)
    }

    fn add(&mut self, other: &BigUint) -> Option<()> {
        *self += other;
        Some(())
    }
}
