//! From which squares to which there is an open tour: every pair that the colours allow, searched.
//!
//! # Source
//! A. Conrad, T. Hindrichs, H. Morsy and I. Wegener, "Solution of the knight's Hamiltonian path problem on chessboards",
//! Discrete Applied Mathematics 50, 1994: on n x n from 6 on every such pair has a tour. The figures of the other boards
//! were recomputed by exhaustive search.

use crate::board::Board;
use crate::find::strands::{SquarePairs, count_pairs};
use crate::job::{Failure, running};
use std::io::{self, Write};

/// Board, pairs with a tour, pairs that the colours allow.
const EXPECTED: [(&str, u64, u64); 12] = [
    ("6x6", 324, 324),
    ("7x7", 300, 300),
    ("8x8", 1024, 1024),
    ("5x7", 153, 153),
    ("6x7", 441, 441),
    ("6x8", 576, 576),
    ("5x5", 42, 78),
    ("5x6", 178, 225),
    ("5x8", 365, 400),
    ("4x7", 49, 196),
    ("4x8", 64, 256),
    ("3x10", 147, 225),
];

/// Prints the table; answers whether every figure is the expected one.
///
/// # Errors
/// [`Failure`] when it cannot be printed.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "\npairs of squares with an open tour between them, of those whose colours allow one\n")?;
    writeln!(out, "board  expected       here")?;
    let mut all_same = true;
    for (name, joined, admissible) in EXPECTED {
        let board: Board = name.parse().map_err(|error| running(format!("{name}: {error}")))?;
        let here = count_pairs(board);
        let same = here == SquarePairs { joined, admissible };
        all_same &= same;
        let [expected, found] =
            [(joined, admissible), (here.joined, here.admissible)].map(|(a, b)| format!("{a} of {b}"));
        writeln!(out, "{name:<5} {expected:>12} {found:>12}  {}", if same { "equal" } else { "DIFFERS" })?;
    }
    Ok(all_same)
}
