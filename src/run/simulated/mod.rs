//! A search by virtual workers as a source of frames. The simulation runs on a thread of its own, up to the time of a
//! virtual clock that is slow enough to follow, and stops where a view is to be drawn.
//!
//! ```text
//!   viewer ── wishes ──> SharedSimulation <── frames ── PacedObserver ── called before every turn ── simulation
//!                                                                        that is later than the clock
//! ```
//!
//! Frames have virtual times only: two simulations of one plan and seed give equal events, however they are viewed. No
//! event is lost, because the virtual clock waits until events are taken.

mod observers;
mod source;
#[cfg(test)]
mod test_tree;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod verdict_tests;

pub use observers::SimulatedBalance;
pub use source::{SimulatedScene, Simulation, SimulationOutcome};
