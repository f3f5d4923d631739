//! Steps that written times are whole numbers of: shorter numbers than microseconds where they are as exact.

use std::time::Duration;

/// Microseconds of the step that times are written in: this long one where all of them are whole numbers of it, or one.
pub fn of(mut times: impl Iterator<Item = Duration>, long: u64) -> u64 {
    if times.all(|time| (time.as_micros() as u64).is_multiple_of(long)) { long } else { 1 }
}

/// The step of times that name none.
pub fn one() -> u64 {
    1
}

/// Whether it need not be named.
pub fn is_one(step: &u64) -> bool {
    *step == 1
}
