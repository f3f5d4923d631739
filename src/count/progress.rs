//! How far a run has come, apart from its counts.

use super::residues::{self, Evidence, Modulus, Residues};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// What is known already: all that a checkpoint must have besides the counts.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct CountProgress {
    /// The numbers of the sweeps that are done, and how they were made sure of.
    pub numbers: Vec<(BigUint, Evidence)>,
    /// What is known of the number of the sweep in work.
    pub residues: Residues,
    /// Passes over it that are done, or were given up.
    pub pass: usize,
}

impl CountProgress {
    /// The sweep in work.
    pub fn sweep(&self) -> usize {
        self.numbers.len()
    }

    /// Whether anything is known.
    pub fn has_begun(&self) -> bool {
        self.sweep() > 0 || self.pass > 0
    }

    /// Whether it can have been written by a run, with this only modulus if it had one.
    pub fn is_sound(&self, modulus: Option<Modulus>) -> bool {
        let of_a_count = |(number, how): &(BigUint, Evidence)| match (how, modulus) {
            (Evidence::Counters { bits }, None) => [16, 32, 64].contains(bits) && number.bits() <= u64::from(*bits),
            (Evidence::Remainder { prime }, Some(Modulus::Prime(only))) => {
                u64::from(*prime) == only && *number < only.into()
            }
            (Evidence::Residues { moduli }, None) => residues::settle(moduli, number),
            _ => false,
        };
        let only_pass = modulus.is_none() || (self.pass == 0 && self.residues == Residues::default());
        only_pass && self.numbers.iter().all(of_a_count) && self.residues.are_sound(self.pass)
    }

    /// How the numbers were made sure of: of them all, the way that took the most.
    pub fn how(&self) -> Evidence {
        self.numbers.iter().map(|(_, how)| how.clone()).fold(Evidence::Plain, larger)
    }

    /// The sweep in work has its number.
    pub fn done(&mut self, number: BigUint, how: Evidence) {
        self.numbers.push((number, how));
        (self.residues, self.pass) = (Residues::default(), 0);
    }
}

/// Of two ways, the one that took more.
pub(super) fn larger(one: Evidence, other: Evidence) -> Evidence {
    let rank = |how: &Evidence| match how {
        Evidence::Plain => 0,
        Evidence::Counters { bits } => *bits as usize,
        Evidence::Remainder { .. } => 64,
        Evidence::Residues { moduli } => 64 + moduli.len(),
    };
    if rank(&other) > rank(&one) { other } else { one }
}
