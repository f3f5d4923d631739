//! Sets of squares of boards that fit in no machine word.
//!
//! A score reads one square after another, which takes two words of 64 bits fewer instructions than one of 128.

use crate::board::SquareMask;
use std::array;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

/// A set of up to `64 * WORDS` squares, the lowest squares first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WideMask<const WORDS: usize>([u64; WORDS]);

macro_rules! bitwise {
    ($($operation:ident $function:ident, $assign:ident $in_place:ident;)*) => {$(
        impl<const WORDS: usize> $operation for WideMask<WORDS> {
            type Output = Self;
            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                WideMask(array::from_fn(|word| self.0[word].$function(other.0[word])))
            }
        }
        impl<const WORDS: usize> $assign for WideMask<WORDS> {
            #[inline(always)]
            fn $in_place(&mut self, other: Self) {
                *self = self.$function(other);
            }
        }
    )*};
}
bitwise! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl<const WORDS: usize> Not for WideMask<WORDS> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        WideMask(self.0.map(|word| !word))
    }
}

impl<const WORDS: usize> Shl<u32> for WideMask<WORDS> {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        let (words, by) = (by as usize / 64, by % 64);
        let word = |at: usize| self.0.get(at.wrapping_sub(words)).map_or(0, |&word| word);
        WideMask(array::from_fn(|at| word(at) << by | word(at.wrapping_sub(1)) >> 1 >> (63 - by)))
    }
}

impl<const WORDS: usize> Shr<u32> for WideMask<WORDS> {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        let (words, by) = (by as usize / 64, by % 64);
        let word = |at: usize| self.0.get(at + words).map_or(0, |&word| word);
        WideMask(array::from_fn(|at| word(at) >> by | word(at + 1) << 1 << (63 - by)))
    }
}

impl<const WORDS: usize> SquareMask for WideMask<WORDS> {
    const EMPTY: Self = WideMask([0; WORDS]);
    const SQUARES_MAX: usize = 64 * WORDS;

    #[inline(always)]
    fn bit(index: usize) -> Self {
        WideMask(array::from_fn(|word| u64::from(index / 64 == word) << (index % 64)))
    }
    #[inline(always)]
    fn len(self) -> u32 {
        self.0.into_iter().map(u64::len).sum()
    }
    #[inline(always)]
    fn first(self) -> usize {
        self.iter().next().unwrap_or(Self::SQUARES_MAX)
    }
    #[inline(always)]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word = word.without_first();
        }
        self
    }
    #[inline(always)]
    fn has(self, index: usize) -> bool {
        self.0[index / 64].has(index % 64)
    }
    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = usize> {
        (0..).zip(self.0).flat_map(|(at, word)| word.iter().map(move |square| 64 * at + square))
    }
}

impl<const WORDS: usize> Default for WideMask<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a set of two words with one of 128 bits.
    #[test]
    fn two_words_are_one() {
        let wide = |set: u128| WideMask([set as u64, (set >> 64) as u64]);
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..100 {
            let [one, two] = [random.u128(..), random.u128(..) & random.u128(..) & random.u128(..)];
            let [a, b] = [one, two].map(wide);
            assert_eq!((a & b, a | b, a ^ b, !a), (wide(one & two), wide(one | two), wide(one ^ two), wide(!one)));
            for by in 0..128 {
                assert_eq!((a << by, a >> by), (wide(one << by), wide(one >> by)), "{by}");
                assert_eq!((a.has(by as usize), WideMask::bit(by as usize)), (one.has(by as usize), wide(1 << by)));
            }
            let high = two & !u128::from(u64::MAX);
            for (set, mask) in [(two, b), (high, wide(high)), (0, wide(0))] {
                assert!(mask.iter().eq(set.iter()) && mask.first() == set.first());
                assert_eq!((mask.len(), mask.without_first()), (set.len(), wide(set.without_first())));
            }
        }
    }
}
