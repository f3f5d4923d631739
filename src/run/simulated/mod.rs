//! A search by virtual workers as a source of frames: the simulation goes on, on a thread of its own, as far as a clock
//! says that goes slowly enough to be followed, and is held wherever it is to be looked at.
//!
//! ```text
//!   whoever looks ── wishes ──> Desk <── frames ── Clerk, who is asked before every turn later than the clock ── simulation
//! ```
//!
//! Frames tell virtual times, and nothing of the time in which they were looked at: two simulations of one plan and seed tell
//! the same events. None of them is lost, for the virtual clock waits until they are taken.

mod clerk;
mod desk;
mod source;
mod tempo;
#[cfg(test)]
mod tests;

pub use desk::SimulatedScene;
pub use source::{Simulation, SimulationOutcome};
