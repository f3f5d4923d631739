//! The three-cycle board: Warnsdorff's rule with one processor per square.
//!
//! A processor can write its own square and read all others as they were before the cycle; so a knight cannot be put
//! somewhere, it can only say where it will go, and the square there pulls it onto itself. A square is four floats:
//!
//! | channel | meaning | at first |
//! | --- | --- | --- |
//! | [`VISIT`] (red) | visit number 1..=N; 0 = not visited | 1 on the start |
//! | [`COUNT`] (green) | cycles that the knight has stood here; 3 is the one in which it decides | 0 |
//! | [`RANK`] (blue) | squares a knight's move away that are not visited, on the board before the cycle | 0 |
//! | [`NEXT`] (alpha) | the move by which the knight leaves, a number of the [`Compass`], or 8 | 8 |
//!
//! A move takes three cycles. Cycle 0 is the board before the first:
//!
//! | phase | cycle of the k-th square | on the knight's square | around it |
//! | --- | --- | --- | --- |
//! | arrive | 3k - 2 | visit = k, count = 1 | the square still counts as free: ranks are too high by 1 |
//! | ranks | 3k - 1 | count = 2 | ranks are right |
//! | decide | 3k | count = 3, next = the move to the lowest rank | nothing |
//!
//! The first move in the order of a [`Compass`] to a square of lowest rank is taken. A knight without a free square
//! decides for 8, no move; nobody pulls it, and the board stands still but for its counter: it is *stuck*. The source
//! notices neither that nor success and runs 3N cycles; [`CycleState::status`] knows.
//!
//! [`CycleState::cycle`] is the plain twin of the shader `cycle.wgsl`, function by function. An [`CycleEngine`] does the cycles on
//! a device, or else by the twin; a [`RemoteCycles`] is one on a thread of its own, for a screen. [`CycleFacts`] are the figures to
//! show.
//!
//! # Source
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, "Moving the knight" to "Data structure"; what the slides leave open
//! is as in the program which belongs to them.
//!
//! [`Compass`]: super::Compass

mod engine;
mod facts;
mod film;
mod remote;
#[cfg(feature = "gpu")]
mod shader;
mod state;

pub use engine::{CycleEngine, burst_first};
pub use facts::{CycleFacts, MODEL_CPU, MODEL_GPU, MODEL_SPEED_UP};
pub use film::Film;
pub use remote::{CycleReport, RemoteCycles};
pub use state::{
    COUNT, CYCLES_PER_MOVE, Cell, CyclePhase, CycleState, KnightChoice, KnightStatus, NEXT, RANK, SQUARES_MAX, VISIT,
    admit,
};

#[cfg(test)]
mod tests;
