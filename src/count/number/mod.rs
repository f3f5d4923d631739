//! Tours by number: the tour that has a number, the number of a tour, and thereby tours drawn uniformly.
//!
//! # Numbering 1
//!
//! A count (see [`count`](super)) finds, for every state after every square, the number of sets of moves that lead to it.
//! Let all these counts be kept. The sets of moves that lead to a state `s` after square `t` are numbered from 0 as follows.
//! Put the states before square `t` that lead to `s` in order. The sets of moves that lead to `s` by the first of these
//! states have the first numbers, in the order of their numbers at *that* state; then come the sets of moves by the second
//! state, and so on. Before the first square there is one state, and one set of moves, the empty one: number 0.
//!
//! The order of the states before `s` is:
//!
//! 1. by the choice of square `t`: its neighbours that are not processed yet have the places 0, 1, .., in the order of
//!    [`MOVES`](crate::board::MOVES) on the board with its short side across; for an open tour the apex has the place after
//!    them. A choice is the sum of `2^place` over the neighbours to which the square has a move. The smaller sum comes first.
//! 2. by the rank of the matching before: the smaller rank comes first. Take the ends in the order of their slots: the
//!    position of the first end's mate among the other ends is the leading digit of the rank (`matching`). The modules `order`
//!    and `slots` say which square has which slot, and in which order squares are processed: there and back, also where a
//!    count takes a square and its mirror image one after the other (see `mirror`). All states are stored here.
//!
//! After the last square one state is left. The sets of moves that lead to it are the tours of a sweep, `0 .. total - 1`:
//!
//! * closed tours: there is one sweep, and its number is the number of the tour. Tours are undirected.
//! * open tours: the sweeps come one after the other, first the sweep of the tours whose first end is white (see `digits`).
//!   Where a sweep counts twice, once for its tours and once for its tours turned by a half turn, the undirected number is
//!   `2 * (number in the sweep) + turned`. The number of the tour is `2 * (undirected number) + direction`. Direction 0 begins
//!   at the end that comes first row by row from the top left of the board as it was typed, direction 1 at the other end.
//! * open tours from a given square: there is one sweep, and its number is the number of the tour; the square gives the
//!   direction.
//! * A single square has one open tour, number 0.
//!
//! # Why that is a numbering
//!
//! *Every number below the total is the number of exactly one tour, and every tour has a number.* By induction over the
//! squares: a set of moves has one choice at every square, and so one state after every square. So the sets of moves that
//! lead to `s` are the disjoint union, over the pairs of a choice and a state before, of the sets that lead to that state
//! before. Their counts add up to the count of `s`. So a number below that count lies in exactly one of the stretches that
//! belong to the states before, and its distance from the beginning of the stretch is a number below the count of that
//! state. A walk back, from the last square to the first, turns a number into a set of moves ([`TourNumbers::tours`]). A walk
//! forward knows the state after every square, and the beginnings of its stretches add up to the number
//! ([`NumberingPlan::ranks`]). Neither walk reads a wrong count, because no count overflows: beyond 64 bits there is no
//! numbering.
//!
//! *So a uniform number gives a uniform tour.* A uniform number below the total comes from random bits: draw as many bits as
//! the largest number has, and draw again while they give the total or more ([`draw()`]).
//!
//! The numbers do not depend on the storage of the layers, on threads, or on which of the states that lead to no tour are
//! stored: no walk passes such a state. A state that is not stored has count 0, and so no stretch.
//!
//! # How
//!
//! All tours go from layer to layer together, so that each layer is read once (`walk`). A count makes the layers (`make`).
//! They are read packed (`packed_layer`): from memory, where some are kept and the others made again (`kept`); from a folder
//! (`folder`); or, on the way forward, while the count stands there. `digits` splits a number into
//! sweep, number in the sweep, turn and direction; `choices` turns choices into tours and back; `numbering` puts all this
//! together.

mod choices;
mod digits;
mod folder;
mod kept;
mod make;
mod numbering;
mod packed_layer;
#[cfg(test)]
mod tests;
mod walk;

#[cfg(test)]
pub(super) use digits::numbered_sweeps;
pub use folder::NUMBERING;
pub use numbering::{NumberingPlan, StepDone, TourNumbers, draw};
