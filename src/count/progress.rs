//! How far a run has come, apart from its counts.

use super::residues::Residues;
use super::settings::How;
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

    /// Whether it can have been written by a run.
    pub fn is_sound(&self) -> bool {
        self.residues.are_sound(self.pass)
    }

    /// The sweep in work has its number.
    pub fn done(&mut self, number: BigUint, how: How) {
        self.numbers.push((number, how));
        (self.residues, self.pass) = (Residues::default(), 0);
    }
}
