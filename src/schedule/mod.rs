//! Who does it: one search, many workers.
//!
//! A [`Crew`] runs a [`Kernel`](crate::search::Kernel) under one of five schedulers and adds up what its workers
//! counted. The totals of a complete run are the same under every scheduler. Outside, a [`CrewWatch`] sees the meters and
//! holds the control; nothing it does can make a worker wait for it.

mod alone;
mod control;
mod crew;
mod deliver;
mod fixed;
mod foretell;
mod fork;
mod hand;
mod hire;
mod judge;
mod lanes;
mod meter;
mod micros;
mod opening;
mod outcome;
mod places;
mod plan;
mod progress;
pub mod protocol;
mod race;
mod raced;
pub mod rule;
mod scheduler;
mod serial;
mod shard;
mod snapshot;
pub mod step;
mod sync;
#[cfg(test)]
mod tests;
mod tree;
mod worker;
mod workers;

pub use crate::stop::StopReason;
pub use alone::SoloWorker;
pub use control::{Control, Permit};
pub use crew::{Crew, CrewWatch, Keeper};
pub use deliver::{Delivery, Format, Outlet, TourFilter};
pub use fixed::TreeCut;
pub use judge::RaceEnd;
pub use lanes::DeviceLanes;
pub use meter::Meters;
pub use micros::whole_micros;
pub use outcome::{RunError, RunOutcome, Totals};
pub use plan::CrewPlan;
pub use progress::{Forecast, Rate, RunProgress, TourForecast};
pub use race::{Attempts, Race, RaceResult};
pub use raced::{RaceKeeper, RaceProgress};
pub use scheduler::Scheduler;
pub use shard::Shard;
pub use snapshot::{EarlierRun, Levels, Simulated, Snapshot};
pub use tree::HEAD_START;
pub use workers::{WorkerSnapshot, WorkerState};

/// Workers of the largest crew.
pub const THREADS_MAX: usize = 4096;
