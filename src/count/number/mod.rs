//! Every tour has a number: the tour with a number, the number of a tour, and so tours drawn uniformly.
//!
//! # Numbering 1
//!
//! A count (see [`count`](super)) leaves, for every state after every square, the number of sets of moves that lead to it.
//! Let all of them be kept. The sets of moves that lead to a state `s` after square `t` are numbered from 0 so: put the
//! states before square `t` that lead to `s` in order; those sets of moves that come by the first of them have the first
//! numbers, in the order that they have among those that lead to *it*, then come those by the second, and so on. Before
//! the first square there is one state, and one set of moves, with none in it: number 0.
//!
//! The order of the states before `s` is:
//!
//! 1. by what square `t` chooses. Its neighbours that are still to be processed are given places 0, 1, ..: in the order of
//!    [`MOVES`](crate::board::MOVES) on the board with its short side across, and of an open tour the apex after them. A
//!    choice is the sum of `2^place` over the neighbours that it has a move to; the smaller sum comes first.
//! 2. by the rank of the matching before: the smaller first. The ends are taken in the order of their slots, the first one's
//!    mate has a position among the others, and that is the leading digit (`matching`). Which square has which slot is told
//!    by `order`, as is the order in which squares are processed ([`processing_order`](super::processing_order)).
//!
//! After the last square one state is left, and what leads to it are the tours of a sweep, `0 .. total - 1`. Then:
//!
//! * closed tours: there is one sweep, and its number is the tour's. Tours are undirected.
//! * open tours: the sweeps come one after the other, first those whose first end is white (see `sweep`). Where a sweep
//!   counts twice, once for its tours and once for these turned by a half turn, the number is `2 * sweep's + turned`. Then
//!   comes the direction: `number = 2 * that + direction`, where direction 0 begins at the end that comes first row by row
//!   from the top left of the board as it was asked for, and 1 at the other.
//! * open tours from a given square: one sweep, whose number is the tour's; the square gives the direction.
//! * 1x1 has one open tour, number 0.
//!
//! # Why that is a numbering
//!
//! *Every number below the total is some tour's, and every tour has one.* By induction over the squares: the sets that lead
//! to `s` are the disjoint union, over the pairs of a choice and a state before, of those that lead to that state, because
//! a set of moves has one choice at every square, and so one state after every square. Their counts add up to the count
//! of `s`. So a number below that count lies in exactly one of the stretches that the states before have, and what it is
//! above the beginning of the stretch is a number below that state's count. Walking back, from the last square to the
//! first, a number becomes a set of moves ([`TourNumbers::tours`]); walking on, the state after every square is known, and the
//! beginnings of its stretches add up to the number ([`TourNumbers::numbers`]). Neither walk looks at a count that is wrong, as
//! none overflows: beyond 64 bits there is no numbering.
//!
//! *So a uniform number is a uniform tour*, and a uniform number below the total is had from random bits by drawing as many
//! as the total has, again where they come to the total or more ([`draw()`]).
//!
//! The numbers do not depend on how layers are kept, on which states are stored that lead to no tour, or on threads: what
//! leads to no tour is never walked through. A state that is not stored has count 0, and so no stretch.
//!
//! # How
//!
//! All tours go from layer to layer together, so that each layer is read once (`walk`). Layers are kept packed (`packed`),
//! in memory or in a folder (`home`, `folder`), and made by a count (`make`). `share` takes a number apart, `moves` makes
//! tours of choices. `evenness` and `required` are what draws are held against.

mod choices;
mod digits;
mod draw;
mod error;
mod evenness;
mod folder;
mod location;
mod make;
mod numbering;
mod packed_layer;
#[cfg(test)]
mod tests;
mod walk;
mod with_move;

pub use draw::draw;
pub use error::NumberError;
pub use evenness::Evenness;
pub use location::NUMBERING;
pub use numbering::TourNumbers;
pub use with_move::closed_with_move;
