//! The workers of a run: what they share, and what each of them has besides its work.
//!
//! ```text
//! lifecycle (Crew) ── sets up ──> CrewContext <── takes ── worker (CrewWorker) <── schedulers, race
//!                                 plan, control, meters, events, delivery
//! ```

pub mod control;
pub mod delivery;
mod forecast;
pub mod lifecycle;
pub mod meter;
pub mod plan;
pub mod thread;
pub mod worker;
