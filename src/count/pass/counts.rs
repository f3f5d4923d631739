//! Counts as they are stored: their widths, and what is found of them on the way.

use crate::count::states::matching::Change;
use crate::count::states::table::RankTable;

/// A width of sums. Sums never overflow, except modulo 2^64, where they wrap. Sparse counts are terms of every width.
pub trait SumWidth: bytemuck::Zeroable + Copy + Default + Ord + From<u32> + Into<u128> + Send {
    /// The sum with a further term.
    fn plus(self, term: Self) -> Self;
}

/// A width of stored counts, which are terms of sums of width `A`, and to which these are cut.
pub trait CountWidth<A>: bytemuck::Pod + Send + Sync {
    /// The low bits of a sum.
    fn cut(sum: A) -> Self;
    /// The count as a sum; modulo 2^64 the low bits of a wider count.
    fn widened(self) -> A;
}

macro_rules! widths {
    ($($sum:ty => $($stored:ty)*;)*) => {$(
        impl SumWidth for $sum {
            fn plus(self, term: $sum) -> $sum {
                self.wrapping_add(term)
            }
        }
        $(impl CountWidth<$sum> for $stored {
            fn cut(sum: $sum) -> $stored {
                sum as $stored
            }
            fn widened(self) -> $sum {
                self as $sum
            }
        })*
    )*};
}
widths! {
    u32 => u16 u32;
    u64 => u16 u32 u64 u128;
    u128 => u64 u128;
}

/// How many terms the sums of a block may have, where they are remainders: these are reduced again before they could outgrow 64
/// bits.
pub struct SumTerms {
    terms: u64,
    most: u64,
}

impl SumTerms {
    /// No sums yet, which may have up to `most` terms, two and those of a change at least. A block that is added to its image is one
    /// term there.
    pub fn new(most: u64) -> SumTerms {
        SumTerms { terms: 1, most }
    }

    /// Adds the terms that a change gives a state with so many ends. Returns whether the sums must be reduced before.
    ///
    /// A state has one term, but where two paths were joined: each of its pairs may have been two pairs, either way round.
    pub fn add(&mut self, change: Change, ends: u32) -> bool {
        let more = if matches!(change, Change::Join(..)) { ends.max(1) } else { 1 };
        let reduces = self.terms + u64::from(more) > self.most;
        // A reduced sum is one term, and so is the block of the image.
        self.terms = u64::from(more) + if reduces { 2 } else { self.terms };
        reduces
    }
}

/// What is learned about counts while they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreFindings {
    /// The largest count, before it was cut to the width in which it is stored.
    pub largest: u128,
    pub nonzero: u64,
}

impl StoreFindings {
    /// The findings of two parts together.
    pub fn and(self, other: StoreFindings) -> StoreFindings {
        StoreFindings { largest: self.largest.max(other.largest), nonzero: self.nonzero + other.nonzero }
    }

    /// Whether a count outgrew a width of so many bytes. None outgrows 128 bits: those hold every sum that is made in them.
    pub fn outgrow(self, bytes: usize) -> bool {
        self.largest.checked_shr(8 * bytes as u32).is_some_and(|rest| rest != 0)
    }
}

/// Stores the sums of a block, and sets them to zero.
pub fn store<A: SumWidth, D: CountWidth<A>>(block: &mut [D], sums: &mut [A], finish: impl Fn(A) -> A) -> StoreFindings {
    let (mut largest, mut nonzero) = (A::default(), 0u32);
    for (stored, sum) in block.iter_mut().zip(sums) {
        let count = finish(std::mem::take(sum));
        largest = largest.max(count);
        nonzero += u32::from(count != A::default());
        *stored = D::cut(count);
    }
    StoreFindings { largest: largest.into(), nonzero: nonzero.into() }
}

/// Adds the sums of a block to the block of its image, which has counts if it is marked, and sets them to zero. A stored count is one
/// more term of its sum, for which [`SumTerms`] has room.
pub fn store_images<A: SumWidth, D: CountWidth<A>>(
    block: &mut [D],
    is_marked: bool,
    sums: &mut [A],
    images: &RankTable,
    finish: impl Fn(A) -> A,
) -> StoreFindings {
    let (mut largest, mut nonzero) = (A::default(), 0u32);
    for (rank, stored) in block.iter_mut().enumerate() {
        // An image of an image is the thing itself.
        let sum = sums[images.rank(rank)];
        let count = finish(if is_marked { sum.plus(stored.widened()) } else { sum });
        largest = largest.max(count);
        nonzero += u32::from(count != A::default());
        *stored = D::cut(count);
    }
    sums.fill(A::default());
    StoreFindings { largest: largest.into(), nonzero: nonzero.into() }
}

/// The findings of a block that stays as it is.
pub fn findings<A: SumWidth, D: CountWidth<A>>(block: &[D]) -> StoreFindings {
    let counts = || block.iter().map(|&count| count.widened());
    let nonzero = counts().filter(|&count| count != A::default()).count() as u64;
    StoreFindings { largest: counts().max().unwrap_or_default().into(), nonzero }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::ask::primes::{WIDE, WIDE_TERMS};

    /// The largest remainders are added up, reduced where it is said, and added to a block.
    #[test]
    fn no_sum_of_remainders_outgrows_64_bits() {
        let most = u128::from(WIDE - 1);
        for joins in [[0, 0], [2, 10], [12, 12], [14, 2]] {
            let (mut terms, mut sum, mut reduced) = (SumTerms::new(WIDE_TERMS), 0, 0);
            for at in 0..1000usize {
                let ends = joins[at % 2];
                let change = if ends == 0 { Change::Same } else { Change::Join(0, 1) };
                if terms.add(change, ends) {
                    (sum, reduced) = (most, reduced + 1);
                }
                sum += u128::from(ends.max(1)) * most;
                assert!(sum + most <= u64::MAX.into(), "{joins:?} {at}");
            }
            assert!(reduced > 2, "{joins:?}");
        }
    }
}
