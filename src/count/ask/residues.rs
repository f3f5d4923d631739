//! Numbers that no counter holds: residues, and the Chinese remainder theorem.
//!
//! A pass modulo `m` gives the answer modulo `m`. Passes modulo `m1, m2, ..`, relatively prime, give it modulo their
//! product. Once the product is larger than the answer, that is the answer itself. The size of the answer is unknown
//! beforehand: moduli are added until one more changes nothing. If the answer were larger than the product, a further
//! modulus of 31 bits would change nothing only if the true number agreed with the least one modulo that prime too. By
//! chance that happens once in two thousand million times.
//!
//! The numbers of a range of boards are settled earlier, where that saves a pass over all of them: when the least
//! number with the known residues leaves at least 20 bits of the product unused. The residues of a larger number are as
//! good as random where the last modulus is a prime: the digit that it adds (of mixed radix, the prime) would be below
//! a 2^20th of the prime once in a million times. A range of a hundred boards makes some three hundred such tests, one
//! for each pass that leaves a board open. So at most one of three thousand such runs is expected to give a wrong
//! number. For more certainty, count again modulo other primes (`--primes-below`): two runs without a common prime
//! would have to fail on the same board, with the same wrong number.
//!
//! # Source
//! The one published error in counts of this kind is a carry lost in such a combination: of 8x11 closed two values are
//! in circulation that differ by exactly 2 * 2^64.

use super::primes::{NARROW, WIDE, WIDE_TERMS, inverse_modulo, is_prime, multiply_modulo, primes_below};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a pass counts modulo.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub enum Modulus {
    /// No modulus: every count is whole.
    #[default]
    None,
    /// 2^64: counts have outgrown 64 bits and wrap.
    TwoTo64,
    /// A prime below 2^56.
    Prime(u64),
}

impl Modulus {
    /// `number` as a modulus, if it is a prime below 2^31.
    pub fn prime(number: u32) -> Option<Modulus> {
        let number = number.into();
        (number < NARROW && is_prime(number)).then_some(Modulus::Prime(number))
    }

    /// Whether a pass can count so: a modulus that is no prime would be of no use, and most are no primes.
    pub(in crate::count) fn is_of_pass(self) -> bool {
        match self {
            Modulus::Prime(prime) => prime < WIDE && is_prime(prime),
            Modulus::None | Modulus::TwoTo64 => true,
        }
    }

    /// Bytes of a remainder: two for a prime below 2^16, four below 2^31, else eight; nothing if counts are no
    /// remainders of a prime.
    pub(in crate::count) fn bytes(self) -> Option<usize> {
        match self {
            Modulus::Prime(prime) if prime >> 16 == 0 => Some(2),
            Modulus::Prime(prime) => Some(if prime < NARROW { 4 } else { 8 }),
            _ => None,
        }
    }

    /// How many terms a sum of counts may have before it is reduced. Other sums are made in a width that holds more terms than any sum
    /// has.
    pub(in crate::count) fn most_terms(self) -> u64 {
        if self.bytes() == Some(8) { WIDE_TERMS } else { u64::MAX }
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

/// Why a number is right.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Evidence {
    /// The number needs no count.
    Plain,
    /// No count overflowed its width, at most so many bits: one pass is exact by itself.
    Counters { bits: u32 },
    /// The question asked for the remainder by one prime.
    Remainder { prime: u32 },
    /// The number is put together from residues, in the order of their moduli; the last modulus changed nothing.
    Residues { moduli: Vec<Modulus> },
}

impl Evidence {
    /// The moduli of the passes, in order; none where no count overflowed.
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

/// Bits of the product that the number of a board of a range leaves unused when it is settled.
pub const ROOM_BITS: u32 = 20;

/// Limit on the number of moduli; no answer needs as many.
pub const MODULI_MAX: usize = 1 << 12;

/// The known residues of a number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Residues {
    /// The least number with the residues.
    value: BigUint,
    /// The product of the moduli.
    product: BigUint,
    /// Whether the last modulus changed nothing.
    settled: bool,
    moduli: Vec<Modulus>,
}

impl Default for Residues {
    fn default() -> Residues {
        Residues { value: BigUint::ZERO, product: BigUint::from(1u32), settled: false, moduli: Vec::new() }
    }
}

impl Residues {
    /// Adds the first residue, modulo 2^64.
    pub fn add_two_to_64(&mut self, residue: u64) {
        debug_assert!(self.moduli.is_empty());
        self.value = residue.into();
        self.product = BigUint::from(1u32) << 64;
        self.moduli.push(Modulus::TwoTo64);
    }

    /// Adds the residue modulo a prime that is not among the moduli.
    pub fn add_prime(&mut self, prime: u64, residue: u64) {
        let of = |number: &BigUint| (number % prime).iter_u64_digits().next().unwrap_or(0);
        // value + product * k has the old residues for every k, and the new one for this k.
        let wanted = (prime + residue - of(&self.value)) % prime;
        let k = multiply_modulo(wanted, inverse_modulo(of(&self.product), prime), prime);
        self.settled = k == 0 && !self.moduli.is_empty();
        self.value += &self.product * k;
        self.product *= prime;
        self.moduli.push(Modulus::Prime(prime));
    }

    /// Whether these residues can belong to a number that is not known: there is a residue, and the moduli are those of passes.
    pub fn are_sound(&self) -> bool {
        are_of_passes(&self.moduli)
            && !self.settled
            && self.product == product(&self.moduli)
            && self.value < self.product
    }

    /// The number and its evidence, once a further modulus has changed nothing. With `by_room`, as for the boards of a range,
    /// also once the last modulus is a prime and leaves [`ROOM_BITS`] bits unused.
    pub fn settled(&self, by_room: bool) -> Option<(BigUint, Evidence)> {
        let is_settled = self.settled || by_room && leaves_room(&self.moduli, &self.value, &self.product);
        is_settled.then(|| (self.value.clone(), Evidence::Residues { moduli: self.moduli.clone() }))
    }

    /// Whether this is a prime of passes that is not among the moduli.
    pub fn allow(&self, modulus: Modulus) -> bool {
        !self.moduli.contains(&modulus) && are_of_passes(&[modulus]) && modulus != Modulus::TwoTo64
    }

    /// The least number with the residues, and the product of the moduli.
    pub fn into_least_and_product(self) -> (BigUint, BigUint) {
        (self.value, self.product)
    }

    /// The largest prime below `below` that is not among the moduli.
    pub fn next_prime(&self, below: u64) -> Modulus {
        match primes_below(below).map(Modulus::Prime).find(|prime| !self.moduli.contains(prime)) {
            Some(prime) => prime,
            None => unreachable!("there are thousands of them"),
        }
    }

    pub fn moduli(&self) -> &[Modulus] {
        &self.moduli
    }
}

/// Whether the moduli are those of passes: 2^64 at most once and first, and then primes, each once. Which primes they are
/// depends on the memory of the runs.
fn are_of_passes(moduli: &[Modulus]) -> bool {
    let primes = moduli.strip_prefix(&[Modulus::TwoTo64]).unwrap_or(moduli);
    let is_new = |(at, modulus): (usize, &Modulus)| {
        matches!(modulus, Modulus::Prime(_)) && modulus.is_of_pass() && !primes[..at].contains(modulus)
    };
    (1..MODULI_MAX).contains(&moduli.len()) && primes.iter().enumerate().all(is_new)
}

pub fn product(moduli: &[Modulus]) -> BigUint {
    let factor = |modulus: &Modulus| match modulus {
        Modulus::Prime(prime) => BigUint::from(*prime),
        _ => BigUint::from(1u32) << 64,
    };
    moduli.iter().map(factor).product()
}

/// Whether this many passes, with these moduli, can have settled on `number`: the product of all but the last must exceed it, or
/// with `by_room`, the number leaves room below the product of all.
pub fn can_settle(moduli: &[Modulus], passes: usize, number: &BigUint, by_room: bool) -> bool {
    let Some((_, before)) = moduli.split_last() else { return false };
    // The boards of a range may have a million moduli together: those are not looked at one by one.
    moduli.len() <= passes
        && (by_room || are_of_passes(moduli))
        && (!before.is_empty() && *number < product(before) || by_room && leaves_room(moduli, number, &product(moduli)))
}

/// Whether `number` leaves [`ROOM_BITS`] bits below the product of the moduli, of which the last is a prime.
fn leaves_room(moduli: &[Modulus], number: &BigUint, product: &BigUint) -> bool {
    matches!(moduli.last(), Some(Modulus::Prime(_))) && (number + 1u32) << ROOM_BITS <= *product
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
        assert_eq!(residues.settled(false), None);
        residues.add_prime(2_147_483_647, 1_952_350_360);
        assert_eq!(residues.settled(false), None);
        residues.add_prime(2_147_483_629, 1_679_573_674);
        assert_eq!(residues.settled(false).unwrap().0.to_string(), "2122880233853945590892");
    }

    /// A run that is resumed with another `--memory` or limit takes primes of another size, and none twice.
    #[test]
    fn the_next_prime_is_a_new_one_whatever_the_limit_was_before() {
        let mut residues = Residues::default();
        for below in [1 << 16, 65_522, 65_520, 1 << 16, NARROW, 1 << 16] {
            let Modulus::Prime(prime) = residues.next_prime(below) else { panic!("no prime below {below}") };
            assert!(prime < below && residues.allow(Modulus::Prime(prime)), "{prime} of {:?}", residues.moduli());
            residues.add_prime(prime, 1);
        }
        assert_eq!(residues.moduli()[..2], [65_521, 65_519].map(Modulus::Prime));
    }

    /// A range needs a prime that leaves 20 bits unused, alone or after others; a power of two does not settle it.
    #[test]
    fn a_number_that_leaves_room_is_settled() {
        let prime = primes_below(WIDE).next().unwrap();
        let known = |residues: &Residues| residues.settled(true).map(|(number, _)| number);
        for (number, settles) in [((1u64 << 35) + 1, true), (1 << 37, false)] {
            let mut residues = Residues::default();
            residues.add_prime(prime, number);
            assert_eq!(known(&residues), settles.then(|| number.into()));
            assert_eq!(residues.settled(false), None);
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
                if let Some((found, _)) = residues.settled(false) {
                    prop_assert_eq!(&found, &number);
                    break;
                }
            }
            prop_assert!(residues.moduli().len() <= 9);
        }
    }
}
