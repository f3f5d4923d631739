//! The three-cycle board: Warnsdorff's rule with one processor per square.
//!
//! A processor writes its own square, and reads all others as they were before the cycle. So no square can put the
//! knight onto another one. The knight's square states where the knight goes, and the target square pulls the knight
//! onto itself. A square is four floats:
//!
//! | channel | meaning | at first |
//! | --- | --- | --- |
//! | [`VISIT`] (red) | visit number 1..=N; 0 = not visited | 1 on the start |
//! | [`COUNT`] (green) | cycles that the knight has stood here; it decides in the third | 0 |
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
//! Of the moves to a square of lowest rank, the knight takes the first in the order of a [`Compass`]. A knight
//! without a free square to go to decides for 8, no move. Then no square pulls it, and nothing on the board changes
//! but its counter: the knight is *stuck*. The source detects neither that nor success, and runs 3N cycles;
//! [`CycleState::status`] reports both.
//!
//! [`CycleState::cycle`] is the plain twin of the shader `cycle.wgsl`, function by function. A [`CycleEngine`] runs
//! the cycles on a device, or else by the twin. [`RemoteCycles`] is an engine on a thread of its own, for a screen. A
//! [`Film`] computes any cycle directly. [`CycleFacts`] are the figures that a screen shows.
//!
//! # Source
//! Suraj N. Kurapati, "Knight's Tour in Cg", 2007, "Moving the knight" to "Data structure". What the slides leave
//! open follows the program that belongs to them.
//!
//! [`Compass`]: super::Compass

mod engine;
mod film;
mod remote;
#[cfg(feature = "gpu")]
mod shader;
mod state;

pub use engine::{CycleEngine, first_burst};
pub use film::{CycleFacts, Film, MODEL_CPU, MODEL_GPU, MODEL_SPEED_UP};
pub use remote::{CycleCommand, CycleReport, RemoteCycles};
pub use state::{
    COUNT, CYCLES_PER_MOVE, Cell, CyclePhase, CycleState, KnightChoice, KnightStatus, NEXT, RANK, SQUARES_MAX, VISIT,
    check_size,
};

#[cfg(test)]
mod tests;
