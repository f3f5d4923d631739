//! Tours that a symmetry of the board takes to themselves, counted exactly.
//!
//! Tours are taken here as sets of moves: without direction, and a closed one without a start. The symmetries of the
//! board make such tours equal in classes, and by the lemma of Burnside the number of classes is the mean, over the
//! symmetries g, of the number of tours that g takes to themselves. For the identity that is the number of all tours;
//! for every other g it is what [`fixed_closed`] and [`fixed_open`] answer. On 6x6, closed:
//!
//! ```text
//! (9862 identity + 78 half turn + 10 quarter turn + 10 three-quarter turn + 0 four mirrors) / 8 = 1245 classes
//! ```
//!
//! # The board, folded
//!
//! Let g be a symmetry and n its order: 4 for a quarter turn, else 2. The *orbit* of a square is that square with all
//! its images under g, g², ..; write \[a\] for the orbit of a. The *quotient* has the orbits as its vertices. If a
//! knight's move joins a and g^v b, so it does g^i a and g^(i+v) b for every i: these n moves are one edge of the
//! quotient, from \[a\] to \[b\] with *voltage* v modulo n; seen from \[b\] it has voltage -v. Two orbits may be joined
//! by several edges of different voltages. A tour that g takes to itself consists of whole edges, so it is a set of
//! edges of the quotient, which has only 1/n of the squares. Which sets of edges are tours?
//!
//! A half turn folds 4x4 to eight orbits; the letters say which square is which copy, a' = g a:
//!
//! ```text
//! a  b  c  d       a-g has voltage 0; a-g' is a second edge of the same orbits, of voltage 1
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
//! *Rotation, by s places.* No square stays, under g or any power of g that is not the identity, so every orbit has n
//! squares, and \[x\] consists of x and every (N/n)-th square after it. Walk N/n places along the tour: every orbit is
//! met once, and the walk ends in the orbit where it began. In the quotient it is a Hamiltonian cycle, and the sum of
//! its voltages is the v for which it ended at g^v of its start. The whole tour is n such walks, one after the other,
//! starting at x, g^v x, g^2v x, ..: they meet all copies just if v generates the numbers modulo n, which for n = 2 and
//! n = 4 says that v is odd. The other way round, every Hamiltonian cycle with an odd sum of voltages unfolds in this
//! way to one cycle through all squares. So these tours are counted by the *Hamiltonian cycles of the quotient whose
//! voltages sum to an odd number*. Two edges of the same two orbits would be a cycle of two orbits: at most 4 squares
//! if n = 2, and 8 on a square board if n = 4; no such board has a closed tour.
//!
//! *Reflection.* Then g g does nothing on the cycle, so n = 2. A reflection of a cycle keeps exactly two of its
//! elements in place: squares, or moves whose ends it exchanges. N is even, as moves alternate between the colours of
//! a chessboard, so the two lie opposite each other and are of the same sort. They are no squares: a symmetry with
//! exactly two fixed squares is the mirror of two rows (or columns) or of a 2x2 board, and there a corner has less than
//! two moves. So they are two moves a-g a and b-g b. Without them the cycle falls into two arcs that g exchanges, so
//! one arc holds one square of every orbit. Call an orbit *special* if its squares are a knight's move apart: in the
//! quotient the tour is a *Hamiltonian path between two special orbits*. The other way round, such a path unfolds from
//! its first orbit, edge after edge and whatever the voltages, to one arc and its image, and the special moves join
//! them at both ends.
//!
//! # Open tours
//!
//! A path of N >= 2 squares has one automorphism beside the identity: the reversal. So n = 2, and g keeps one element
//! of the tour in place: the middle square if N is odd, the middle move if N is even. In the first case g fixes that
//! square and no other; call its orbit special too. (Then no other orbit is special: a fixed square in the middle of a
//! board puts a and g a an even number of rows and of columns apart.) In both cases such tours are counted as above by
//! the *Hamiltonian paths of the quotient from a special orbit, the middle, to any other*. An edge from a fixed square
//! x to \[a\] unfolds to both x-a and x-g a; it is one edge. A path with special orbits at both ends is counted once
//! from each: it unfolds to one closed tour, from which either special move may be left out to leave an open one.
//!
//! *Strict* open tours are those whose ends are not a knight's move apart. The ends are the two squares of the last
//! orbit, so this asks only that the last orbit is not special.
//!
//! # How they are counted
//!
//! Orbit by orbit (`sweep`), in an order that keeps the border between done and open orbits short (`order`). A state
//! says for each orbit on the border how many edges it has, and which two of them are ends of one chain (`state`). Voltages
//! are in no state: whether those of a cycle sum to an odd number is seen from all of its edges together, however they came
//! to be chosen, so for each state two numbers of ways to it are kept, those with an even and those with an odd sum so far
//! (`table`, `tally`); with the voltage of every chain in the states there were up to two to the number of chains times as
//! many. Paths are made by two more vertices, one
//! joined to every orbit where the path may start and one where it may finish, with one edge each (`quotient`).
//!
//! # Source
//! Frontier states: Donald E. Knuth, *The Art of Computer Programming*, volume 4A, section 7.1.4, answer 225 (SIMPATH).
//! Quotients with voltages: Jonathan L. Gross and Thomas W. Tucker, *Topological Graph Theory*, 1987, chapter 2.
//! The five kinds of symmetry of closed tours are those of George Jelliss, *Knight's Tour Notes*.

mod fixed_tours;
mod kinds;
mod no_tour;
mod order;
mod quotient;
mod state;
mod sweep;
mod table;
mod ways;

pub use fixed_tours::{ORBITS_MAX, SymmetricError, fixed_closed, fixed_open, fixed_open_strict, fixed_tours};
pub use kinds::{ToursOfKind, tours_of_kind};
pub use no_tour::reason_for_none;
pub use sweep::{Bounds, SymmetricProgress};
