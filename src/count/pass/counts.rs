//! Counts as they are stored: their widths, and what is found of them on the way.

use crate::count::states::table::RankTable;

/// A width of sums. Sums never overflow, except modulo 2^64, where they wrap.
pub trait SumWidth: bytemuck::Zeroable + Copy + Default + Ord + Into<u128> + Send {
    /// The sum with a further term.
    fn plus(self, term: Self) -> Self;
}

/// A width of stored counts, to which sums of width `A` are cut.
pub trait CountWidth<A>: bytemuck::Pod + Send + Sync {
    /// The low bits of a sum.
    fn cut(sum: A) -> Self;
    /// The count as a sum.
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
                self.into()
            }
        })*
    )*};
}
widths! {
    u32 => u16 u32;
    u64 => u16 u32 u64;
    u128 => u64;
}

/// What is learned about counts while they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct StoreFindings {
    /// The largest count, before it was cut to the width in which it is stored.
    pub largest: u128,
    /// Number of nonzero counts.
    pub nonzero: u64,
}

impl StoreFindings {
    /// The findings of two parts together.
    pub fn and(self, other: StoreFindings) -> StoreFindings {
        StoreFindings { largest: self.largest.max(other.largest), nonzero: self.nonzero + other.nonzero }
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
/// more term of its sum; there is room for it, because only half of the terms of a step that clears marks come in this part.
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
