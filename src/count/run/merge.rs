//! Puts a number together from remainders that were counted in separate runs.
//!
//! Such runs may use small primes, and by chance a small prime leaves the least number as it is. So the test for a
//! number does not depend on the primes: all primes but the largest must give the number too, and the number must be
//! below the product of the primes by a factor of at least 2^30. A wrong number would pass once in 2^30 times at most.

use super::answer::answer;
use crate::count::ask::primes::{NARROW, primes_below};
use crate::count::ask::question::{Count, CountQuestion};
use crate::count::ask::residues::{Evidence, Modulus, Residues};
use crate::count::states::sweep::sweeps_for;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// The result of a merge.
#[derive(Clone, PartialEq, Debug)]
pub enum MergedCount {
    /// The number, and why it is right.
    Known(Count, Evidence),
    /// The remainders are of another question; says why.
    Wrong(String),
    /// Too few remainders: the number is the least one with them plus an unknown multiple of the product of the primes.
    Open { least: BigUint, product: BigUint },
}

impl MergedCount {
    /// Merges remainders of the answer to a question. The keys are primes below 2^31.
    pub fn new(question: &CountQuestion, remainders: &BTreeMap<u32, BigUint>) -> MergedCount {
        if sweeps_for(question).is_empty() {
            // The question needs no pass, with a modulus or without.
            if let Ok(count) = answer(question, &[], &BigUint::ZERO) {
                return MergedCount::Known(count, Evidence::Plain);
            }
        }
        let mut residues = Residues::default();
        for (&prime, remainder) in remainders {
            residues.add_prime(prime.into(), remainder.iter_u64_digits().next().unwrap_or(0));
        }
        let (least, product) = residues.into_least_and_product();
        let largest = remainders.keys().next_back().map_or(0, |&prime| prime);
        if remainders.len() > 1 && (&least + 1u32) * largest.max(1 << 30) <= product {
            let contradiction = || question.board().contradiction(question.counted_tours(), &least);
            if let Some(why) = (!question.shape.has_holes()).then(contradiction).flatten() {
                return MergedCount::Wrong(why);
            }
            let moduli = remainders.keys().map(|&prime| Modulus::Prime(prime.into())).collect();
            return MergedCount::Known(Count::new(least, question.convention()), Evidence::Residues { moduli });
        }
        MergedCount::Open { least, product }
    }
}

/// The largest prime below 2^31 for which `is_used` is false.
pub fn unused_prime(is_used: impl Fn(u32) -> bool) -> u32 {
    match primes_below(NARROW).map(|prime| prime as u32).find(|&prime| !is_used(prime)) {
        Some(prime) => prime,
        None => unreachable!("a hundred million primes are not used up"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape};
    use proptest::prelude::*;

    fn merged(number: &BigUint, primes: &[u32]) -> MergedCount {
        // A question whose number is unknown.
        let question = CountQuestion::new("10x10".parse::<Shape>().unwrap(), Ending::Closed);
        MergedCount::new(&question, &primes.iter().map(|&prime| (prime, number % prime)).collect())
    }

    fn number(merged: MergedCount) -> Option<String> {
        if let MergedCount::Known(count, _) = merged { Some(count.to_string()) } else { None }
    }

    #[test]
    fn a_number_is_settled_by_enough_primes() {
        let of = |value: u32, primes: &[u32]| number(merged(&value.into(), primes));
        for (value, primes, settles) in [
            (9862, &[2_147_483_647][..], false),
            (9862, &[2_147_483_629, 2_147_483_647], true),
            // The large prime changes nothing, and is large enough.
            (9862, &[10_007, 2_147_483_647], true),
            // The small prime alone gives another number.
            (9862, &[101, 2_147_483_647], false),
            // 12 and 0 leave 0 modulo both primes: a small prime that changes nothing says little.
            (12, &[2, 3], false),
            (0, &[2, 3, 5, 7], false),
            (0, &[2_147_483_647], false),
            (0, &[2, 2_147_483_647], true),
            (9862, &[65_519, 65_521], false),
            (9862, &[65_497, 65_519, 65_521], true),
            (9862, &[], false),
        ] {
            assert_eq!(of(value, primes), settles.then(|| value.to_string()), "{value} by {primes:?}");
        }
        assert_eq!(
            merged(&9862u32.into(), &[101]),
            MergedCount::Open { least: (9862u32 % 101).into(), product: 101u32.into() }
        );
    }

    #[test]
    fn remainders_of_a_wrong_number_are_reported() {
        let question = CountQuestion::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let of = |number: u32| {
            MergedCount::new(&question, &[2_147_483_629, 2_147_483_647].map(|p| (p, number.into())).into())
        };
        assert_eq!(number(of(9862)).as_deref(), Some("9862"));
        assert!(matches!(of(9863), MergedCount::Wrong(why) if why.ends_with("9862 tours are known, not 9863")));
    }

    #[test]
    fn a_question_without_sweeps_needs_one_modulus() {
        let of = |board: &str, ending| CountQuestion::new(board.parse::<Shape>().unwrap(), ending);
        for (question, count) in [(of("3x5", Ending::Closed), "0"), (of("1x1", Ending::Open), "1")] {
            let merged = MergedCount::new(&question, &BTreeMap::from([(101, 0u32.into())]));
            assert_eq!(number(merged).as_deref(), Some(count));
        }
    }

    #[test]
    fn an_unused_prime_is_the_largest_one() {
        assert_eq!(unused_prime(|_| false), 2_147_483_647);
        assert_eq!(unused_prime(|prime| prime == 2_147_483_647), 2_147_483_629);
    }

    proptest! {
        /// Every number that the merge settles is right.
        #[test]
        fn any_distinct_primes_give_the_number_or_none(
            digits in proptest::collection::vec(any::<u32>(), 0..4),
            places in proptest::collection::btree_set(0usize..400, 0..12),
        ) {
            let value = BigUint::new(digits);
            // Half of them small, half of them large.
            let small = (2..2_000).filter(|&n| Modulus::prime(n).is_some());
            let all: Vec<u32> = small.take(200).chain(primes_below(NARROW).map(|prime| prime as u32).take(200)).collect();
            let primes: Vec<u32> = places.into_iter().map(|place| all[place]).collect();
            if let Some(found) = number(merged(&value, &primes)) {
                prop_assert_eq!(found, value.to_string());
            } else {
                let product: BigUint = primes.iter().map(|&prime| BigUint::from(prime)).product();
                prop_assert!(primes.len() < 2 || product < (value + 1u32) << 31);
            }
        }
    }
}
