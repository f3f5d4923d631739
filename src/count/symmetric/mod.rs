//! Exact numbers of the tours that a symmetry of the board takes to themselves.
//!
//! A tour is here a set of moves: it has no direction, and a closed tour has no start. The symmetries of the board divide
//! these tours into classes. By the lemma of Burnside the number of classes is the mean, over the symmetries g, of the
//! number of tours that g takes to themselves. For the identity that is the number of all tours; for every other g
//! [`fixed_tours()`] counts it. On 6x6, closed:
//!
//! ```text
//! (9862 identity + 78 half turn + 10 quarter turn + 10 three-quarter turn + 0 four mirrors) / 8 = 1245 classes
//! ```
//!
//! # The board, folded
//!
//! Let g be a symmetry and n its order: 4 for a quarter turn, else 2. The *orbit* of a square is that square with all
//! its images under g, g², ..; write \[a\] for the orbit of a. The *quotient* is a graph whose vertices are the orbits. If
//! a knight's move joins a and g^v b, then a knight's move joins g^i a and g^(i+v) b for every i. These n moves are one
//! edge of the quotient, from \[a\] to \[b\] with *voltage* v modulo n; seen from \[b\] its voltage is -v. Several edges
//! of different voltages may join two orbits. A tour that g takes to itself consists of whole edges, so it is a set of
//! edges of the quotient, which has only 1/n as many vertices as the board has squares. Which sets of edges are tours?
//! A board with holes is folded by the symmetries that take holes to holes; a hole is in no orbit.
//!
//! A half turn folds 4x4 to eight orbits. The letters name the squares; a' = g a is the image of a:
//!
//! ```text
//! a  b  c  d       a-g has voltage 0; a-g' is a second edge of the same two orbits, of voltage 1
//! e  f  g  h       e-f' has voltage 1: it is the same edge as e'-f
//! h' g' f' e'
//! d' c' b' a'
//! ```
//!
//! # Closed tours
//!
//! A closed tour is a cycle of N >= 3 squares. g moves some square, so it acts on the cycle as an automorphism that is
//! not the identity: as a rotation or as a reflection of the cycle.
//!
//! *Rotation, by s places.* Neither g nor any power of g but the identity leaves a square in place. So every orbit has n
//! squares, and \[x\] consists of x and every (N/n)-th square after it. Walk N/n places along the tour: the walk meets
//! every orbit once and ends in the orbit where it began. In the quotient the walk is a Hamiltonian cycle, and the sum of
//! its voltages is the v for which it ended at g^v of its start. The whole tour is n such walks, one after the other,
//! from x, g^v x, g^2v x, ... They meet all copies just if v generates the numbers modulo n; for n = 2 and n = 4 that
//! means that v is odd. Conversely, every Hamiltonian cycle with an odd sum of voltages unfolds in this way to one cycle
//! through all squares. So these tours are counted by the *Hamiltonian cycles of the quotient whose voltages sum to an
//! odd number*. Two edges between one pair of orbits are a cycle of two orbits: at most 4 squares if n = 2, and 8 if n = 4.
//! An edge from an orbit to itself is a cycle of one: 4 squares. Only boards with holes have such tours (`short_cycles`).
//!
//! *Reflection.* Here g g is the identity on the cycle, so n = 2. A reflection of a cycle keeps exactly two of its
//! elements in place: squares, or moves whose ends it exchanges. N is even, because moves alternate between the colours
//! of a chessboard. So the two elements lie opposite each other, and both are squares or both are moves. If they are
//! two moves a-g a and b-g b, the cycle falls without them into two arcs that g exchanges, so one arc holds one square
//! of every orbit. Call an orbit *special* if its squares are a knight's move apart: in the quotient the tour is a
//! *Hamiltonian path between two special orbits*. Conversely, such a path unfolds from its first orbit, edge after edge
//! and whatever the voltages, to one arc and its image, and the special moves join the two arcs at both ends. If they
//! are two squares, g leaves no other square in place. Without holes g is then the mirror of two rows (or columns) or
//! of a 2x2 board, where a corner has less than two moves. Around holes any mirror may be so; no image of a mirror is a
//! knight's move away, so call the two fixed squares special, and again the tour is such a path. Of three orbits or
//! more it unfolds to an arc between the two squares and its image.
//!
//! # Open tours
//!
//! A path of N >= 2 squares has one automorphism beside the identity: the reversal. So n = 2, and g keeps one element
//! of the tour in place: the middle square if N is odd, the middle move if N is even. In the first case g fixes that
//! square and no other; call its orbit special too. (Then no other orbit is special: a fixed square in the middle of a
//! board puts a and g a an even number of rows and of columns apart.) In both cases, by the argument for reflections,
//! such tours are counted by the *Hamiltonian paths of the quotient from a special orbit, the middle, to any other*. An
//! edge from a fixed square x to \[a\] unfolds to both x-a and x-g a; it is one edge. A path with special orbits at both
//! ends is counted once from each end: it unfolds to one closed tour, and leaving out either special move makes an open
//! tour of it.
//!
//! *Strict* open tours are those whose ends are not a knight's move apart. The ends are the two squares of the last
//! orbit, so the last orbit must not be special.
//!
//! # How they are counted
//!
//! The sweep processes the quotient orbit by orbit (`sweep`), in an order that keeps the border between done and open
//! orbits short (`order`). A state says for each orbit on the border how many edges it has, and which two orbits are the
//! ends of one chain (`states`). Voltages are in no state: the parity of their sum depends on the edges of the cycle alone,
//! not on the order in which they were chosen. So each state has two numbers of ways, with an even and with an odd sum so
//! far. If a state held the voltage of every chain, there would be up to 2^(number of chains) times as
//! many states. For paths the graph has two more vertices, which take one edge each: one is joined to every orbit where
//! the path may start, the other to every orbit where the path may finish (`quotient`).
//!
//! `fixed_tours` answers the questions of this room; `kinds` divides the tours by the symmetries that keep them, and says
//! why a symmetry keeps none.
//!
//! # Source
//! Frontier states: Donald E. Knuth, *The Art of Computer Programming*, volume 4A, section 7.1.4, answer 225 (SIMPATH).
//! Quotients with voltages: Jonathan L. Gross and Thomas W. Tucker, *Topological Graph Theory*, 1987, chapter 2.
//! The five kinds of symmetry of closed tours are those of George Jelliss, *Knight's Tour Notes*.

mod fixed_tours;
mod kinds;
mod order;
mod quotient;
mod states;
mod sweep;

pub use fixed_tours::{ORBITS_MAX, SymmetricError, fixed_tours};
pub use kinds::{ToursOfKind, may_share_tours, reason_for_none, tours_of_kind};
pub use sweep::{Bounds, SymmetricProgress};
