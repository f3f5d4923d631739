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
