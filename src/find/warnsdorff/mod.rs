//! Warnsdorff's rule: move to an open square of lowest rank. This is a rule, not a search: no move is taken back.
//!
//! The *rank* of an open square next to the knight is the number of open squares next to that square. Where several
//! squares have the lowest rank, a [`Tie`] decides between them, and with that whether the tour succeeds: on
//! large boards a random choice hardly ever succeeds, and the square farthest from the centre nearly always does.
//!
//! The kernel keeps one byte per square and takes one pass over the eight neighbours per move.
//!
//! With *hops* the rule decides several moves at once. It looks at every way of that many moves over open squares and
//! compares the ranks met on the way, each taken when the knight stands before the square: the first rank that differs
//! decides. A way into a dead end is worse than any other way, whatever its ranks, and a shorter one is worse than a
//! longer one. All moves of the best way are made; where several ways are equal, the tie-break decides between them move
//! by move. (Comparing the sums of the ranks, or the rank at the end of the way, fails from most starts of 8x8.) One hop
//! is the plain rule.
//!
//! # Source
//! H. C. von Warnsdorff, "Des Rösselsprunges einfachste und allgemeinste Lösung", 1823; look-ahead to break ties: I.
//! Pohl, "A method for finding Hamilton paths and knight's tours", Communications of the ACM 10, 1967; farthest from
//! the centre: Arnd Roth, as cited by S. Ganzfried, "A simple algorithm for knight's tours", 2004; several moves per
//! look-ahead: Suraj N. Kurapati, "Knight's Tour in Cg", 2007, "Further optimizations".

mod field;
mod rule;
mod ties;

pub(super) use field::{Field, MoveCourse, NATURAL, Ranks};
pub use rule::HOPS_MAX;
pub use rule::{RuleKnights, RuleManner, Warnsdorff};
pub use ties::Tie;
pub(super) use ties::{CLOCKWISE, mirrored};

#[cfg(test)]
mod tests;
