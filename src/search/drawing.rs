//! The position of a search, in the form that a view draws.

use serde::{Deserialize, Serialize};

/// The position of a search, in the form that a view draws.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Drawing {
    /// Chains of squares (numbers of the board) joined by moves: one for a path, several for fragments. The squares of a
    /// path are in its order.
    pub chains: Vec<Vec<u32>>,
    /// The square reserved for the last move.
    pub reserved: Option<u32>,
    /// Squares of the path that are not drawn: of a very long path only the end is drawn.
    pub skipped: u32,
}

impl Drawing {
    /// Squares of the longest path that is drawn from its start.
    pub const SQUARES_MAX: usize = 1 << 14;

    /// Whether no square is drawn.
    pub fn is_empty(&self) -> bool {
        self.chains.iter().all(Vec::is_empty)
    }

    /// Draws a path; of a path longer than [`Drawing::SQUARES_MAX`] the end.
    pub fn path(&mut self, squares: impl ExactSizeIterator<Item = u32>, reserved: Option<u32>) {
        let skipped = squares.len().saturating_sub(Self::SQUARES_MAX);
        self.chains.truncate(1);
        self.chains.resize_with(1, Vec::new);
        self.chains[0].clear();
        self.chains[0].extend(squares.skip(skipped));
        self.reserved = reserved;
        self.skipped = skipped as u32;
    }

    /// Draws several chains of a small board.
    pub fn fragments(&mut self, chains: impl IntoIterator<Item = Vec<u8>>) {
        self.chains.clear();
        self.chains.extend(chains.into_iter().map(|chain| chain.into_iter().map(u32::from).collect()));
        self.reserved = None;
        self.skipped = 0;
    }
}
