//! A number that is known exactly, or within a range.

use serde::{Deserialize, Serialize};

/// A number with its range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ranged {
    /// The most likely value.
    pub mean: f64,
    /// A value below this is unlikely.
    pub low: f64,
    /// A value above this is unlikely.
    pub high: f64,
}

impl Ranged {
    /// A number that is known exactly.
    pub fn exact(value: f64) -> Ranged {
        Ranged { mean: value, low: value, high: value }
    }

    /// A number that may be larger or smaller by the factor `ratio`, which is at least 1.
    pub fn about(mean: f64, ratio: f64) -> Ranged {
        Ranged { mean, low: mean / ratio, high: mean * ratio }
    }

    /// The number when it is known to be at least `least`. If the whole range lay below `least`, it now reaches to `beyond`
    /// times `least`.
    pub fn at_least(self, least: f64, beyond: f64) -> Ranged {
        let Ranged { mean, low, high } = self;
        Ranged { mean: mean.max(least), low: low.max(least), high: if high < least { least * beyond } else { high } }
    }
}
