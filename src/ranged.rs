//! A number that is known exactly, or within a range.

use serde::{Deserialize, Serialize};

/// A number with its range.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ranged {
    /// The number that is most likely.
    pub mean: f64,
    /// The number is hardly less.
    pub low: f64,
    /// The number is hardly more.
    pub high: f64,
}

impl Ranged {
    /// A number that is known.
    pub fn exact(value: f64) -> Ranged {
        Ranged { mean: value, low: value, high: value }
    }

    /// A number that may be more or less by this ratio, 1 or larger.
    pub fn about(mean: f64, ratio: f64) -> Ranged {
        Ranged { mean, low: mean / ratio, high: mean * ratio }
    }

    /// The number when it is known to be at least `least`. If its range lay below that, it now reaches to `beyond` times
    /// `least`.
    pub fn at_least(self, least: f64, beyond: f64) -> Ranged {
        let Ranged { mean, low, high } = self;
        Ranged { mean: mean.max(least), low: low.max(least), high: if high < least { least * beyond } else { high } }
    }
}
