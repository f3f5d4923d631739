//! Times in files and meters: whole microseconds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// Writes a time as microseconds.
pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    (time.as_micros() as u64).serialize(serializer)
}

/// Reads a time in microseconds.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_micros)
}

/// The time without fractions of a microsecond.
pub fn whole_micros(time: Duration) -> Duration {
    Duration::from_micros(time.as_micros() as u64)
}

/// Steps that written times are whole numbers of: times in steps are shorter numbers than times in microseconds.
pub mod step {
    use std::time::Duration;

    /// Step of these times, in microseconds: `long` if every time is a whole number of it, else 1.
    pub fn of(mut times: impl Iterator<Item = Duration>, long: u64) -> u64 {
        if times.all(|time| (time.as_micros() as u64).is_multiple_of(long)) { long } else { 1 }
    }

    /// Step of a file that names none: one microsecond.
    pub fn one() -> u64 {
        1
    }

    /// Whether a step is one microsecond, which a file leaves out.
    pub fn is_one(step: &u64) -> bool {
        *step == 1
    }
}
