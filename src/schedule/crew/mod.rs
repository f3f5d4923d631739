//! The workers of a run: what they share, and what each of them has besides its work.
//!
//! ```text
//! lifecycle (Crew) ── sets up ──> context <── takes ── hand (one worker) <── schedulers, race, solo
//!                                 plan, control, meters, events, delivery
//! ```
//!
//! | file | holds |
//! | --- | --- |
//! | `plan.rs` | [`CrewPlan`](plan::CrewPlan): how many workers, which scheduler; the schedulers by name |
//! | `shard.rs` | the number of one part of a tree |
//! | `lifecycle.rs` | [`Crew`](lifecycle::Crew): setup, breaks and outcome of a run; the view of it from outside |
//! | `context.rs` | what all workers of a run share; their threads |
//! | `hand.rs` | one worker without its work: counters, permits, meter |
//! | `control.rs` | pause, step, slow motion, stop, breaks |
//! | `meter.rs` | the figures that each worker publishes |
//! | `delivery.rs` | tours on their way out |
//! | `forecast.rs` | the number of all tours, computed beside the workers |
//! | `solo.rs` | work that one worker does alone |
//! | `overhead.rs`, `switches.rs` | what a worker measures of its own time, and how often it lost its core |
//! | `cores.rs` | which cores are near to each other; pinning |

pub mod context;
pub mod control;
pub mod cores;
pub mod delivery;
mod forecast;
pub mod hand;
pub mod lifecycle;
pub mod meter;
pub mod overhead;
pub mod plan;
pub mod shard;
pub mod solo;
mod switches;
