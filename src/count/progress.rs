//! How far a run has come, apart from its counts.

use super::residues::{self, How, Modulus, Residues};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

/// What is known already: all that a checkpoint must have besides the counts.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The numbers of the sweeps that are done, and how they were made sure of.
    pub numbers: Vec<(BigUint, How)>,
    /// What is known of the number of the sweep in work.
    pub residues: Residues,
    /// Passes over it that are done, or were given up.
    pub pass: usize,
}

impl Progress {
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
        let of_a_count = |(number, how): &(BigUint, How)| match (how, modulus) {
            (How::Counters { bits }, None) => [16, 32, 64].contains(bits) && number.bits() <= u64::from(*bits),
            (How::Remainder { prime }, Some(Modulus::Prime(only))) => {
                u64::from(*prime) == only && *number < only.into()
            }
            (How::Residues { moduli }, None) => residues::settle(moduli, number),
            _ => false,
        };
        let only_pass = modulus.is_none() || (self.pass == 0 && self.residues == Residues::default());
        only_pass && self.numbers.iter().all(of_a_count) && self.residues.are_sound(self.pass)
    }

    /// How the numbers were made sure of: of them all, the way that took the most.
    pub fn how(&self) -> How {
        self.numbers.iter().map(|(_, how)| how.clone()).fold(How::Plain, larger)
    }

    /// The sweep in work has its number.
    pub fn done(&mut self, number: BigUint, how: How) {
        self.numbers.push((number, how));
        (self.residues, self.pass) = (Residues::default(), 0);
    }
}

/// Of two ways, the one that took more.
pub(super) fn larger(one: How, other: How) -> How {
    let rank = |how: &How| match how {
        How::Plain => 0,
        How::Counters { bits } => *bits as usize,
        How::Remainder { .. } => 64,
        How::Residues { moduli } => 64 + moduli.len(),
    };
    if rank(&other) > rank(&one) { other } else { one }
}
