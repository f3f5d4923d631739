//! Numbers beyond 64 bits: residues, and the Chinese remainder theorem.
//!
//! A pass modulo `m` gives the answer modulo `m`. Passes modulo `m1, m2, ..`, relatively prime, give it modulo their
//! product, and once that is larger than the answer, the answer itself. How large the answer is nobody knows
//! beforehand: moduli are added until one more changes nothing. A number that was too small for the product would stay
//! the same under a further modulus of 31 bits only if the true number happened to agree with it modulo that prime
//! too: chance would have it once in two thousand million.
//!
//! The numbers of a range of boards are settled earlier, where that saves a pass over all of them: when the least number
//! with the known residues leaves at least 20 bits of the product unused. The residues of a larger number are as good as
//! drawn by lot where the last modulus is a prime: the digit that it adds (of mixed radix, the prime) would be below a
//! 2^20th of the prime once in a million times. A range of a hundred boards puts that to the lot some three hundred times,
//! once for each pass that leaves a board open; so a wrong number is expected in one of three thousand such runs at most.
//! Whoever wants more certainty counts again modulo other primes (`--primes-below`): two runs that share none would have
//! to go wrong on the same board, and by the same number.
//!
//! # Source
//! The one published error in counts of this kind is a carry lost in such a combination: of 8x11 closed two values are
//! in circulation that differ by exactly 2 * 2^64.

use super::primes::{NARROW, WIDE, inverse, is_prime, primes_below, times};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a pass counts modulo.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub enum Modulus {
    /// Nothing: every count is whole.
    #[default]
    None,
    /// 2^64: counts have outgrown 64 bits and wrap.
    TwoTo64,
    /// A prime below 2^56.
    Prime(u64),
}

impl Modulus {
    /// The modulus, if it is a prime below 2^31.
    pub fn prime(number: u32) -> Option<Modulus> {
        let number = number.into();
        (number < NARROW && is_prime(number)).then_some(Modulus::Prime(number))
    }

    /// Bytes that a remainder takes, if every count is one: two below 2^16, four below 2^31.
    pub(super) fn bytes(self) -> Option<usize> {
        match self {
            Modulus::Prime(prime) if prime >> 16 == 0 => Some(2),
            Modulus::Prime(prime) => Some(if prime < NARROW { 4 } else { 8 }),
            _ => None,
        }
    }
}

impl std::fmt::Display for Modulus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Modulus::None => f.pad("none"),
            Modulus::TwoTo64 => f.pad("2^64"),
            Modulus::Prime(prime) => f.pad(&prime.to_string()),
        }
    }
}

/// How a number was made sure of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// It needs no count.
    Plain,
    /// Every count fitted its width, of at most so many bits: one pass is exact by itself.
    Counters {
        /// The widest, in bits.
        bits: u32,
    },
    /// Modulo one prime, as was asked: what is known is a remainder.
    Remainder {
        /// The prime.
        prime: u32,
    },
    /// By residues; the last modulus changed nothing.
    Residues {
        /// What it was counted modulo, in order.
        moduli: Vec<Modulus>,
    },
}

impl Evidence {
    /// What it was counted modulo, in order; nothing where no count overflowed.
    pub fn moduli(&self) -> Vec<Modulus> {
        match self {
            Evidence::Plain | Evidence::Counters { .. } => Vec::new(),
            Evidence::Remainder { prime } => vec![Modulus::Prime((*prime).into())],
            Evidence::Residues { moduli } => moduli.clone(),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evidence::Plain => write!(f, "no count is needed: it follows from the board"),
            Evidence::Counters { bits } => write!(f, "no count overflowed {bits} bits: one pass is exact by itself"),
            Evidence::Remainder { prime } => write!(f, "one pass modulo {prime}: the remainder, not the number"),
            Evidence::Residues { moduli } => {
                let names: Vec<String> = moduli.iter().map(Modulus::to_string).collect();
                write!(f, "by residues modulo {}; the last changed nothing", names.join(", "))
            }
        }
    }
}

/// Bits of the product that a number leaves unused when no further modulus is wanted.
pub(super) const ROOM_BITS: u32 = 20;

/// More moduli than the residues of any answer need.
const MODULI_MAX: usize = 1 << 12;

/// A number of which residues are known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Residues {
    /// The least number with these residues.
    value: BigUint,
    /// The product of the moduli.
    product: BigUint,
    /// Whether the last modulus changed nothing.
    settled: bool,
    moduli: Vec<Modulus>,
}

impl Default for Residues {
    /// Nothing known yet.
    fn default() -> Residues {
        Residues { value: BigUint::ZERO, product: BigUint::from(1u32), settled: false, moduli: Vec::new() }
    }
}

impl Residues {
    /// Adds what the number is modulo 2^64; the first modulus.
    pub(super) fn add_two_to_64(&mut self, residue: u64) {
        debug_assert!(self.moduli.is_empty());
        self.value = residue.into();
        self.product = BigUint::from(1u32) << 64;
        self.moduli.push(Modulus::TwoTo64);
    }

    /// Adds what the number is modulo a prime that is new.
    pub(super) fn add_prime(&mut self, prime: u64, residue: u64) {
        let of = |number: &BigUint| (number % prime).iter_u64_digits().next().unwrap_or(0);
        // value + product * k has the old residues for every k, and the new one for this k.
        let wanted = (prime + residue - of(&self.value)) % prime;
        let k = times(wanted, inverse(of(&self.product), prime), prime);
        self.settled = k == 0 && !self.moduli.is_empty();
        self.value += &self.product * k;
        self.product *= prime;
        self.moduli.push(Modulus::Prime(prime));
    }

    /// Whether these can be the residues of a number that is not known yet, after so many passes: the moduli are those
    /// that passes have, in their order.
    pub(super) fn are_sound(&self, passes: usize) -> bool {
        let count = self.moduli.len();
        // No answer has more: boards that can be planned have some hundred bits.
        if count > MODULI_MAX || !(count..=count + 1).contains(&passes) {
            return false;
        }
        are_of_passes(&self.moduli)
            && !self.settled
            && self.product == product(&self.moduli)
            && self.value < self.product
    }

    /// Whether these can be residues, one at least, of a number of a board of a range that is not known yet: those of
    /// any primes, because how wide they are depends on the memory that there was.
    pub(super) fn are_some(&self) -> bool {
        let primes = self.moduli.strip_prefix(&[Modulus::TwoTo64]).unwrap_or(&self.moduli);
        let is_new = |(at, modulus): (usize, &Modulus)| {
            matches!(modulus, Modulus::Prime(prime) if *prime < WIDE && is_prime(*prime))
                && !primes[..at].contains(modulus)
        };
        (1..MODULI_MAX).contains(&self.moduli.len())
            && primes.iter().enumerate().all(is_new)
            && self.product == product(&self.moduli)
            && self.value < self.product
    }

    /// The number, once a further modulus has changed nothing.
    pub(super) fn number(&self) -> Option<&BigUint> {
        self.settled.then_some(&self.value)
    }

    /// The number of a board of a range and how it is known, once a further modulus has changed nothing, or the last one, a
    /// prime, has left room.
    pub(super) fn known_by(&self) -> Option<(BigUint, Evidence)> {
        let is_small =
            matches!(self.moduli.last(), Some(Modulus::Prime(_))) && (&self.value + 1u32) << ROOM_BITS <= self.product;
        let how = || Evidence::Residues { moduli: self.moduli.clone() };
        (self.settled || is_small).then(|| (self.value.clone(), how()))
    }

    /// The least number with these residues, and the product of the moduli.
    pub(super) fn known(&self) -> (&BigUint, &BigUint) {
        (&self.value, &self.product)
    }

    /// The largest prime below a number that is new.
    pub(super) fn next_prime(&self, below: u64) -> Modulus {
        let used = self.moduli.iter().filter(|modulus| matches!(modulus, Modulus::Prime(_))).count();
        match primes_below(below).nth(used) {
            Some(prime) => Modulus::Prime(prime),
            None => unreachable!("there are thousands of them"),
        }
    }

    /// The moduli so far.
    pub(super) fn moduli(&self) -> &[Modulus] {
        &self.moduli
    }
}

/// Whether these are the moduli of passes, in their order.
fn are_of_passes(moduli: &[Modulus]) -> bool {
    let rest = moduli.strip_prefix(&[Modulus::TwoTo64]).unwrap_or(moduli);
    rest.len() <= MODULI_MAX && rest.iter().copied().eq(primes_below(NARROW).take(rest.len()).map(Modulus::Prime))
}

/// The product of the moduli of passes.
pub(super) fn product(moduli: &[Modulus]) -> BigUint {
    let factor = |modulus: &Modulus| match modulus {
        Modulus::Prime(prime) => BigUint::from(*prime),
        _ => BigUint::from(1u32) << 64,
    };
    moduli.iter().map(factor).product()
}

/// Whether passes modulo these can have settled for a number: all but the last had to have room for it.
pub(super) fn settle(moduli: &[Modulus], number: &BigUint) -> bool {
    moduli
        .split_last()
        .is_some_and(|(_, before)| !before.is_empty() && are_of_passes(moduli) && *number < product(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The residues of 8x11 closed: the two values in circulation agree modulo 2^64, and either prime decides.
    #[test]
    fn closed_8x11_from_its_residues() {
        let mut residues = Residues::default();
        residues.add_two_to_64(1_504_665_377_347_155_052);
        assert_eq!(residues.number(), None);
        residues.add_prime(2_147_483_647, 1_952_350_360);
        assert_eq!(residues.number(), None);
        residues.add_prime(2_147_483_629, 1_679_573_674);
        assert_eq!(residues.number().unwrap().to_string(), "2122880233853945590892");
    }

    /// Of a range, a prime that leaves 20 bits unused is enough, alone or after others; a power of two is not.
    #[test]
    fn a_number_that_leaves_room_is_settled() {
        let prime = primes_below(WIDE).next().unwrap();
        let known = |residues: &Residues| residues.known_by().map(|(number, _)| number);
        for (number, settles) in [((1u64 << 35) + 1, true), (1 << 37, false)] {
            let mut residues = Residues::default();
            residues.add_prime(prime, number);
            assert_eq!(known(&residues), settles.then(|| number.into()));
            assert_eq!(residues.number(), None);
        }
        for (number, settles) in [(1u128 << 99, true), (1 << 101, false)] {
            let mut residues = Residues::default();
            residues.add_two_to_64(number as u64);
            assert_eq!(known(&residues), None);
            residues.add_prime(prime, (number % u128::from(prime)) as u64);
            assert_eq!(known(&residues), settles.then(|| number.into()));
        }
    }

    proptest! {
        #[test]
        fn a_number_comes_back_from_its_residues(digits in proptest::collection::vec(any::<u32>(), 0..6), wraps: bool) {
            let number = BigUint::new(digits);
            let mut residues = Residues::default();
            if wraps {
                residues.add_two_to_64(number.iter_u64_digits().next().unwrap_or(0));
            }
            for prime in primes_below(NARROW) {
                residues.add_prime(prime, (&number % prime).iter_u64_digits().next().unwrap_or(0));
                if let Some(found) = residues.number() {
                    prop_assert_eq!(found, &number);
                    break;
                }
            }
            prop_assert!(residues.moduli().len() <= 9);
        }
    }
}
