//! What a worker has given to others: counts that only grow.

use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The counts of one worker, or of several together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct SharingCounts {
    pub hires: u64,
    /// Helpers donated.
    pub donations: u64,
}

impl SharingCounts {
    /// All counts, in the order of the fields.
    pub fn all(&self) -> [u64; 2] {
        let &SharingCounts { hires, donations } = self;
        [hires, donations]
    }
}

impl AddAssign for SharingCounts {
    fn add_assign(&mut self, other: SharingCounts) {
        let SharingCounts { hires, donations } = other;
        self.hires += hires;
        self.donations += donations;
    }
}
