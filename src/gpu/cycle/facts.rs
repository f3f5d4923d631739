//! What is to be said of a board after a cycle: plain figures, the source's model of what they cost among them.

use super::state::{CyclePhase, KnightChoice, KnightStatus};
use crate::board::Square;

/// Cycles that a CPU takes for a move, by the source's model: for each of 8 moves 8 neighbours are counted and one rank
/// is compared.
pub const MODEL_CPU: u64 = 72;
/// Cycles that a GPU takes for a move, by the source's model: 8 ranks are compared, which are there already, in each of
/// three cycles.
pub const MODEL_GPU: u64 = 24;
/// How many times as fast that makes a GPU, by the source's model, which leaves out what it takes to start a cycle; it
/// has never been measured.
pub const MODEL_SPEED_UP: u64 = MODEL_CPU / MODEL_GPU;

/// The figures of a board after a cycle.
///
/// # Source
/// The model: Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Speedup".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleFacts {
    /// Cycles done, c.
    pub cycle: u32,
    /// Cycles that the source runs: 3N.
    pub cycles_max: u32,
    /// What was done in the last one.
    pub phase: CyclePhase,
    /// Where the knight stands.
    pub knight: Square,
    /// Squares visited, k.
    pub visit: u32,
    /// Squares of the board, N.
    pub squares: u32,
    /// How the knight fares.
    pub status: KnightStatus,
    /// The cycle in which it became clear that it tours no more: 3N - 2 when it is done, 3k when it is stuck.
    pub ended: Option<u32>,
    /// The last decision, of cycle 3 * [`decisions`](CycleFacts::decisions), also after the knight has left: in the phase
    /// that decides it is that of this cycle. Nothing before the first one, and nothing when it was for no move, at the
    /// end.
    pub choice: Option<KnightChoice>,
    /// Decisions so far; that it is stuck is one.
    pub decisions: u32,
    /// Ranks computed in this cycle: all N, or 0 before the first.
    pub ranks: u32,
    /// Ranks used in this cycle: those of the knight's free neighbours if it has decided, else 0.
    pub ranks_used: u32,
    /// Ranks computed so far.
    pub ranks_total: u64,
    /// Ranks used so far.
    pub ranks_used_total: u64,
    /// Decisions so far in which several squares had the lowest rank.
    pub ties: u32,
    /// Cycles of a CPU for as many squares, by the source's model: 72k.
    pub model_cpu: u64,
    /// Cycles of a GPU for as many squares, by the source's model: 24k.
    pub model_gpu: u64,
    /// The cycle in which this square was reached: 3k - 2.
    pub reached: u32,
}
