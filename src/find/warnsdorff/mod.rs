//! Warnsdorff's rule: go to an open square of lowest rank. A rule, not a search: nothing is taken back.
//!
//! The *rank* of an open square next to the knight is the number of open squares next to it. Where several have the
//! lowest rank a [`Tie`](super::Tie) decides, and decides whether the tour succeeds: on large boards hardly any random choice
//! does, and the farthest from the centre nearly always.
//!
//! The kernel keeps one byte per square and takes one pass over the eight neighbours per move.
//!
//! With *hops* it decides several moves at once. It looks at every way of so many moves over open squares and compares
//! the ranks met on it, each taken when the knight stands before the square: the first rank that differs decides. A way
//! into a dead end is worse than any other, whatever its ranks, and the shorter the worse. All moves of the best way
//! are made; where several are equal the tie-break decides between them move by move. (Sums of the ranks, or the rank
//! at the end of the way, were tried instead: from most starts of 8x8 they fail.) One hop is the plain rule.
//!
//! # Source
//! H. C. von Warnsdorff, "Des Rösselsprunges einfachste und allgemeinste Lösung", 1823; look-ahead to break ties: I.
//! Pohl, "A method for finding Hamilton paths and knight's tours", Communications of the ACM 10, 1967; farthest from
//! the centre: Arnd Roth, as cited by S. Ganzfried, "A simple algorithm for knight's tours", 2004; several moves per
//! look-ahead: Suraj N. Kurapati, "Knight's Tour in Cg", 2007, "Further optimizations".

mod field;
mod hops;
mod rule;
mod ties;

pub(super) use field::{Field, MoveCourse, NATURAL, Ranks};
pub use hops::HOPS_MAX;
pub(super) use rule::KnightState;
pub use rule::{RuleKnights, RuleManner, Warnsdorff};
pub(super) use ties::{CLOCKWISE, mirrored};

#[cfg(test)]
mod tests;
