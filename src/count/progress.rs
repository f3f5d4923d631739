//! What a run knows of its answer, without the counts of the current pass.

use super::residues::{self, Evidence, Modulus, Residues};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// The known part of the answer: all that a checkpoint holds besides counts.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct CountProgress {
    /// The numbers of the finished sweeps, and why each is right.
    pub numbers: Vec<(BigUint, Evidence)>,
    /// Residues of the number of the current sweep.
    pub residues: Residues,
    /// Passes over the current sweep that are finished or were abandoned.
    pub pass: usize,
}

impl CountProgress {
    /// The current sweep, from 0.
    pub fn sweep(&self) -> usize {
        self.numbers.len()
    }

    /// Whether a pass has ended.
    pub fn has_started(&self) -> bool {
        self.sweep() > 0 || self.pass > 0
    }

    /// Whether a run can have written this progress, with `modulus` as its only modulus if it has one.
    pub fn is_sound(&self, modulus: Option<Modulus>) -> bool {
        let of_a_count = |(number, evidence): &(BigUint, Evidence)| match (evidence, modulus) {
            (Evidence::Counters { bits }, None) => [16, 32, 64].contains(bits) && number.bits() <= u64::from(*bits),
            (Evidence::Remainder { prime }, Some(Modulus::Prime(only))) => {
                u64::from(*prime) == only && *number < only.into()
            }
            (Evidence::Residues { moduli }, None) => residues::can_settle(moduli, number),
            _ => false,
        };
        let only_pass = modulus.is_none() || (self.pass == 0 && self.residues == Residues::default());
        only_pass && self.numbers.iter().all(of_a_count) && self.residues.are_sound(self.pass)
    }

    /// The evidence for the answer: of all sweeps, the evidence that took the most work.
    pub fn evidence(&self) -> Evidence {
        self.numbers.iter().map(|(_, evidence)| evidence.clone()).fold(Evidence::Plain, costlier)
    }

    /// Adds the number of the current sweep, and starts the next sweep.
    pub fn add_number(&mut self, number: BigUint, evidence: Evidence) {
        self.numbers.push((number, evidence));
        (self.residues, self.pass) = (Residues::default(), 0);
    }
}

/// The evidence that took more work.
pub(super) fn costlier(one: Evidence, other: Evidence) -> Evidence {
    let rank = |evidence: &Evidence| match evidence {
        Evidence::Plain => 0,
        Evidence::Counters { bits } => *bits as usize,
        Evidence::Remainder { .. } => 64,
        Evidence::Residues { moduli } => 64 + moduli.len(),
    };
    if rank(&other) > rank(&one) { other } else { one }
}
