//! Times as they are written down, and as fine as meters publish them: whole microseconds.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// Writes a time.
pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    (time.as_micros() as u64).serialize(serializer)
}

/// Reads a time.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_micros)
}

/// The time without what is less than a microsecond.
pub fn whole_micros(time: Duration) -> Duration {
    Duration::from_micros(time.as_micros() as u64)
}
