//! A run in figures: plain data that can be kept, compared and written to a file.
//!
//! | file | holds |
//! | --- | --- |
//! | `snapshot.rs` | [`Snapshot`](snapshot::Snapshot): a run at one moment |
//! | `workers.rs` | the workers in a snapshot, and how they are written as columns |
//! | `lanes.rs` | the lanes of a device that works for a worker |
//! | `progress.rs` | the forecast of a run, and how far the run is |
//! | `outcome.rs` | [`RunOutcome`](outcome::RunOutcome): what a run did, and why it stopped or failed |
//! | `sharing.rs` | what a worker has given to others |
//! | `overhead.rs`, `switches.rs` | what a worker lost its time to, and how often it lost its core |

pub mod lanes;
pub mod outcome;
pub mod overhead;
pub mod progress;
pub mod sharing;
pub mod snapshot;
pub mod switches;
pub mod workers;
