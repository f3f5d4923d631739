//! The search by workers that there are not: how schedulers share a tree among more of them than any machine has.
//!
//! The tree is the real one. Every virtual worker runs the [kernel](crate::search::Kernel) of its own in short bursts,
//! and one thread takes their turns in the order of a virtual clock, whose unit is the time in which a node is entered.
//! What workers do for each other has its price on that clock ([`Costs`]). Two simulations of one plan come to the same
//! figures, on every machine.
//!
//! * [`Sharing::Hire`] is the hire protocol that ships, `schedule/protocol.rs` itself: what is simulated is that time
//!   passes, and nobody waits but by having no turn
//! * [`Sharing::Steal`] is random stealing of the oldest branch, as rayon and Cilk do it: the thief pays
//! * [`Sharing::Deal`] deals prefixes out once, as the static schedulers do
//!
//! ```text
//!   queue of turns ── the earliest ──> worker: serve, burst, retire, look, join ──> its next turn, at what it cost
//!         ^                                                                            │
//!         └──────────────────────────── and that of whom it hired ─────────────────────┘
//! ```
//!
//! Whoever wants to look on while it goes on is an [`SimulationObserver`]: told what is rare, shown all workers whenever the clock has come
//! as far as it asked, and waited for as long as it likes, for nothing on the virtual clock depends on any other clock.
//!
//! What is not simulated: that cores share caches and memory, that threads lose their cores, and the sparse gear of the
//! kernels, in which nodes cost a third; here every node is one that can be handed over.

mod costs;
mod deal;
mod figures;
mod hand;
mod hire;
mod measure;
mod onlooker;
mod plan;
mod simulation;
mod stage;
mod steal;

pub use costs::{Costs, NODE, Ticks, shown};
pub use figures::SimulationFigures;
pub use measure::measure;
pub use onlooker::{OnlookerRequest, SimulationObserver, VirtualSnapshot};
pub use plan::{Sharing, SimulationPlan};

#[cfg(test)]
mod tests;
