//! What rows ask about and what they ask with: the boards of tables, and what this machine gives to a run.

use crate::board::{Board, Square};
use crate::job::limits::available;

pub use crate::cli::args::cores;

/// Bytes that a count may take where the system does not say what is available.
const MEMORY: u64 = 4 << 30;

/// The board of a table.
///
/// # Panics
/// When the text is no board: it stands in the code.
pub fn board(text: &str) -> Board {
    text.parse().unwrap_or_else(|error| unreachable!("{text} stands in a table of this program: {error}"))
}

/// The top left corner, where Radley and the trees of one start begin.
pub fn corner(board: Board) -> Square {
    board.at(0).unwrap_or_else(|| unreachable!("every board has a square 0"))
}

/// Bytes that a count by so many threads may take.
pub fn memory(threads: usize) -> u64 {
    available(threads).unwrap_or(MEMORY)
}
