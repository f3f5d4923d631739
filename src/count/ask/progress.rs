//! What a run knows of its answers, without the counts of the current pass.

use super::residues::{Evidence, MODULI_MAX, Modulus, Residues, can_settle};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// No run stores more states: some thousand years of a hundred cores.
const STATES_MAX: u64 = 1 << 60;

/// The known part of the answers: all that a checkpoint holds besides counts.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountProgress {
    /// What is known from each sweep. Sweeps without a pass may be missing at the end.
    sweeps: Vec<SweepProgress>,
    /// States stored by the passes that are over.
    pub states: u64,
}

/// What is known from one sweep, by the length of the board.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepProgress {
    /// Passes that are over: finished or abandoned.
    pub passes: usize,
    /// The numbers that are known, and why each is right.
    numbers: BTreeMap<u32, (BigUint, Evidence)>,
    /// Residues of the numbers that are not known.
    residues: BTreeMap<u32, Residues>,
}

/// What a pass has counted for one board.
#[derive(Clone, Copy)]
pub struct PassCount {
    /// The number of the sweep, modulo `modulus`.
    pub number: u128,
    pub modulus: Modulus,
    /// The widest counts of the pass so far, in bits.
    pub bits: u32,
}

impl SweepProgress {
    /// The lengths whose numbers are not known, of the lengths of the sweep.
    pub fn unsettled(&self, lengths: &[u32]) -> impl DoubleEndedIterator<Item = u32> {
        lengths.iter().copied().filter(|length| !self.numbers.contains_key(length))
    }

    /// Whether this is a length of the sweep whose number is not known.
    pub fn is_unsettled(&self, length: u32, lengths: &[u32]) -> bool {
        lengths.binary_search(&length).is_ok() && !self.numbers.contains_key(&length)
    }

    /// The residues of a length whose number is not known.
    pub fn residues(&self, length: u32) -> Option<&Residues> {
        self.residues.get(&length)
    }

    /// Adds what a pass has counted for a length whose number is not known. `only` is the modulus of the question, if it asks for
    /// a remainder; `by_room` says whether room settles a number (see [`Residues::settled`]).
    pub fn add(&mut self, length: u32, found: PassCount, only: Option<u32>, by_room: bool) {
        let PassCount { number, modulus, bits } = found;
        let residues = self.residues.entry(length).or_default();
        // An abandoned pass may have added the residue before.
        match modulus {
            _ if residues.moduli().contains(&modulus) => {}
            Modulus::TwoTo64 if residues.moduli().is_empty() => residues.add_two_to_64(number as u64),
            Modulus::Prime(prime) => residues.add_prime(prime, (number % u128::from(prime)) as u64),
            Modulus::TwoTo64 | Modulus::None => {}
        }
        let settled = match (modulus, only) {
            (Modulus::None, _) => Some((number.into(), Evidence::Counters { bits })),
            (Modulus::Prime(of), Some(prime)) => {
                Some(((number % u128::from(of)).into(), Evidence::Remainder { prime }))
            }
            _ => residues.settled(by_room),
        };
        if let Some(settled) = settled {
            self.residues.remove(&length);
            self.numbers.insert(length, settled);
        }
    }

    /// Whether passes over a sweep for these lengths can have found this.
    fn is_sound(&self, lengths: &[u32], passes: PassRules) -> bool {
        let PassRules { modulus, is_in_pass, .. } = passes;
        let is_planned = |length: &u32| lengths.binary_search(length).is_ok();
        let moduli = self.passes.saturating_add(usize::from(is_in_pass));
        let are_sound = |residues: &Residues| residues.are_sound() && residues.moduli().len() <= moduli;
        self.passes < MODULI_MAX
            && self.numbers.keys().all(is_planned)
            && (moduli > 0 || self.numbers.is_empty())
            && self.numbers.values().all(|number| is_number(number, moduli, passes))
            && (self.residues.is_empty() || modulus.is_none())
            && self.residues.keys().all(|length| is_planned(length) && !self.numbers.contains_key(length))
            && self.residues.values().all(are_sound)
    }
}

/// What passes can have found.
#[derive(Clone, Copy)]
pub struct PassRules {
    /// The only modulus, if the question asks for a remainder.
    pub modulus: Option<Modulus>,
    /// Whether room settles a number.
    pub by_room: bool,
    /// Whether a pass is in work, which has added residues.
    pub is_in_pass: bool,
}

/// Whether a number can have this evidence, of at most this many moduli.
fn is_number((number, evidence): &(BigUint, Evidence), most_moduli: usize, passes: PassRules) -> bool {
    match (evidence, passes.modulus) {
        // The number is a sum of some counts, so it may be a few bits longer than a count. Files of this version have been written
        // that say 16 bits for sparse counts, which have 32.
        (Evidence::Counters { bits }, None) => {
            [16, 32, 64, 128].contains(bits) && number.bits() <= u64::from(*bits.max(&32)) + 8
        }
        (Evidence::Remainder { prime }, Some(Modulus::Prime(only))) => {
            u64::from(*prime) == only && *number < only.into()
        }
        (Evidence::Residues { moduli }, None) => can_settle(moduli, most_moduli, number, passes.by_room),
        _ => false,
    }
}

impl CountProgress {
    /// The first of the sweeps, each given by its lengths, that has a number to find.
    pub fn current_sweep<'a>(&self, sweeps: impl Iterator<Item = &'a [u32]>) -> Option<usize> {
        let is_open = |(sweep, lengths): (usize, &'a [u32])| match self.sweeps.get(sweep) {
            Some(known) => known.unsettled(lengths).next().is_some(),
            None => !lengths.is_empty(),
        };
        sweeps.enumerate().position(is_open)
    }

    /// What is known from a sweep.
    pub fn sweep_mut(&mut self, sweep: usize) -> &mut SweepProgress {
        let known = self.sweeps.len().max(sweep + 1);
        self.sweeps.resize_with(known, SweepProgress::default);
        &mut self.sweeps[sweep]
    }

    /// Passes over a sweep that are over.
    pub fn passes(&self, sweep: usize) -> usize {
        self.sweeps.get(sweep).map_or(0, |known| known.passes)
    }

    /// The number that a sweep gives for the board of a length, and its evidence, if it is known.
    pub fn number(&self, sweep: usize, length: u32) -> Option<&(BigUint, Evidence)> {
        self.sweeps.get(sweep)?.numbers.get(&length)
    }

    /// Passes that gave the numbers of a sweep: at least as many as the number with the most moduli has.
    pub fn passes_needed(&self, sweep: usize) -> usize {
        let numbers = self.sweeps.get(sweep).into_iter().flat_map(|known| known.numbers.values());
        numbers.map(|(_, evidence)| evidence.moduli().len().max(1)).max().unwrap_or(0)
    }

    /// Whether a pass has ended or a number is known.
    pub fn has_started(&self) -> bool {
        self.sweeps.iter().any(|known| known.passes > 0 || !known.numbers.is_empty())
    }

    /// Whether passes over these sweeps, each given by its lengths, can have this progress.
    pub fn is_sound<'a>(&self, sweeps: impl ExactSizeIterator<Item = &'a [u32]>, passes: PassRules) -> bool {
        self.states < STATES_MAX
            && self.sweeps.len() <= sweeps.len()
            && self.sweeps.iter().zip(sweeps).all(|(known, lengths)| known.is_sound(lengths, passes))
    }
}

/// The evidence that took more work.
pub fn costlier(one: Evidence, other: Evidence) -> Evidence {
    let rank = |evidence: &Evidence| match evidence {
        Evidence::Plain => 0,
        Evidence::Counters { bits } => *bits as usize,
        Evidence::Remainder { .. } => 128,
        Evidence::Residues { moduli } => 128 + moduli.len(),
    };
    if rank(&other) > rank(&one) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_evidence_of_several_numbers_is_the_costliest() {
        let [narrow, wide] = [16, 128].map(|bits| Evidence::Counters { bits });
        let residues = Evidence::Residues { moduli: vec![Modulus::TwoTo64] };
        for [less, more] in [[Evidence::Plain, narrow.clone()], [narrow, wide.clone()], [wide, residues]] {
            assert_eq!(costlier(less.clone(), more.clone()), more);
            assert_eq!(costlier(more.clone(), less), more);
        }
    }
}
