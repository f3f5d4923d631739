//! Figures of a board after a cycle, the source's model of their cost among them.

use super::state::{CyclePhase, KnightChoice, KnightStatus};
use crate::board::Square;

/// CPU cycles of a move in the source's model: for each of 8 moves, 8 neighbours are counted and one rank is
/// compared.
pub const MODEL_CPU: u64 = 72;
/// GPU cycles of a move in the source's model: 8 ranks, already computed, are compared in each of three cycles.
pub const MODEL_GPU: u64 = 24;
/// How many times as fast a GPU is in the source's model. The model leaves out the cost of starting a cycle, and has
/// never been measured.
pub const MODEL_SPEED_UP: u64 = MODEL_CPU / MODEL_GPU;

/// The figures of a board after a cycle.
///
/// # Source
/// The model: Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Speedup".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleFacts {
    /// Cycles that have run, c.
    pub cycle: u32,
    /// Cycles that the source runs: 3N.
    pub cycles_max: u32,
    /// The phase of the last cycle.
    pub phase: CyclePhase,
    pub knight: Square,
    /// Squares visited, k.
    pub visit: u32,
    /// Squares of the board, N.
    pub squares: u32,
    /// The state of the knight's tour.
    pub status: KnightStatus,
    /// The cycle that ended the tour: 3N - 2 if it is complete, 3k if the knight is stuck.
    pub end: Option<u32>,
    /// The last decision, made in cycle 3 * [`decisions`](CycleFacts::decisions); it stays after the knight has left.
    /// `None` before the first decision, and when the last decision was for no move.
    pub choice: Option<KnightChoice>,
    /// Decisions so far; the one for no move counts.
    pub decisions: u32,
    /// Ranks computed in this cycle: all N, or 0 before the first cycle.
    pub ranks: u32,
    /// Ranks used in this cycle: those of the knight's free neighbours if it decided in this cycle, else 0.
    pub ranks_used: u32,
    /// Ranks computed so far.
    pub ranks_total: u64,
    /// Ranks used so far.
    pub ranks_used_total: u64,
    /// Decisions so far with several squares of lowest rank.
    pub ties: u32,
    /// What a CPU does for the decisions so far, in the units of the model, counted: it looks at every neighbour of every
    /// free square that the knight could enter, and compares the rank of each of these squares. A GPU needs the
    /// comparisons alone: [`ranks_used_total`](CycleFacts::ranks_used_total).
    pub steps_cpu: u64,
    /// CPU cycles for the squares visited, in the source's model: 72k.
    pub model_cpu: u64,
    /// GPU cycles for the squares visited, in the source's model: 24k.
    pub model_gpu: u64,
    /// The cycle in which the knight arrived on its square: 3k - 2.
    pub arrival: u32,
}
