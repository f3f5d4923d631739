//! Counting without listing: exact numbers of tours, by frontier states.
//!
//! A search finds tours one by one, and 13 million million tours are too many for that. Here none is ever looked at.
//! The board is worked off square by square, and all that is remembered of the many ways to do the part that lies
//! behind is what matters for the part ahead, and how many ways look alike in that.
//!
//! # States
//!
//! A closed tour is a set of moves with two at every square, all on one cycle. Process the squares in some order; for
//! each, choose its moves to squares still ahead. What has been chosen so far is a set of paths, and of these paths
//! the rest of the work sees only the **frontier**: the squares still ahead that a processed one could move to. Each
//! of them has degree 0 (no processed square does), 1 (it is the end of a path) or 2 (both its moves are made). Ends
//! belong together in pairs, each the other's **mate**: to join two mates would close a cycle too early. So a
//! **state** is a degree for every frontier square and a matching of the ends. A board of four columns after two of
//! its rows:
//!
//! ```text
//! * * * *     processed
//! * * * *
//! a b . b     a a: ends of one path, b b: ends of another
//! 2 . a .     2: both moves made; .: none
//! ```
//!
//! The count of a state is the number of sets of moves that lead to it. Begin with one empty state; a state's count
//! flows to the at most eleven states that the next square's choices make of it; after the last square one state is
//! left, and its count is the answer. No tour is counted twice, because a set of moves is one choice at every square;
//! none is missed, because all choices are made. 8x8 has 13,267,364,410,532 closed tours, and at most 286,015,672
//! states are stored after any of its squares.
//!
//! # How they are stored
//!
//! A hash table of states would spend its time on keys. Here a state has no key. States with equal degrees everywhere
//! form a **degree pattern**; the ends of a pattern are given, and a state is one of the `(2k-1)!!` matchings of `k`
//! pairs. Matchings are numbered without a gap (`matching`), so that a pattern's counts are one **block** of
//! consecutive numbers. Which patterns there can be is found first, for every square, forwards and backwards
//! (`layers`): that costs a fraction of the count and gives the memory, the work, and the exact share done at any
//! time ([`CountPlan`]).
//!
//! A square's choice takes all states of a pattern to states of one other pattern, and changes the matching in one of
//! four ways: nothing, an end moves, a new pair, two paths are joined. Each is a table of ranks (`table`). So the
//! inner loop is `sum[table[r]] += block[r]` over whole blocks, in the first level cache, and no two threads ever
//! write to the same block (`gather`).
//!
//! Where to read on:
//!
//! | file | what it has |
//! | --- | --- |
//! | `order` | the order of the squares, and the slots that hold the frontier |
//! | `rule` | what a square does to patterns |
//! | `set`, `layers` | sets of patterns; the pattern passes |
//! | `matching`, `table` | numbers for matchings, and how they change |
//! | `gather` | the inner loop |
//! | `handout`, `dense`, `buffer`, `spill` | threads, widths of counts, memory, files |
//! | `sweep`, `pass`, `residues`, `merge` | colours and the apex of open tours; a pass; more than 64 bits; parts |
//! | `question`, `run`, `answer`, `error` | what is asked; passes; the arithmetic of the answer; what can be wrong |
//! | `plan`, `passes`, `pace`, `disk`, `watch` | what it will take, how far it is |
//! | `checkpoint`, `opened`, `asked`, `counts`, `census`, `kept` | how to go on, and from what not |
//! | `strip`, `range`, `primes` | every board of a range from one sweep; wide primes, and remainders by them |
//! | [`symmetric`] | tours that a symmetry keeps, for numbers of classes |
//! | [`number`] | the tour with a number, the number of a tour, tours drawn uniformly |
//! | [`estimate`] | about how many, from random walks, where there are too many states |
//!
//! # Exact, and provably
//!
//! A count is a whole number of partial tours. As long as none overflows, none is wrong: one pass in plain integers is
//! exact. Overflow cannot go unnoticed (`dense`): a pass starts with 16-bit counts and widens when they grow. On 8x8
//! closed 16 bits hold the first three rows, and 64 are wanted only where less than a tenth of the states is left.
//! Beyond 64 bits the answer is put together from residues (`residues`); it says which it was ([`Evidence`]).
//!
//! # History of a number
//!
//! How many closed tours 8x8 has was long asked. M. Loebbing and I. Wegener counted them in 1996 with binary decision
//! diagrams and published 33,439,123,484,294, which cannot be right: a closed tour of 8x8 has eight images under the
//! symmetries of the board, or four if a half turn keeps it, so that their number is a multiple of four. B. D. McKay
//! divided the board into halves in 1997 and found 13,267,364,410,532, undirected. It has been confirmed since, and
//! is confirmed by this program in seconds: `destrier count 8x8`. Of 8x11 two values are in circulation that differ by
//! exactly 2 * 2^64, a lost carry; `destrier count 8x11` decides for 2,122,880,233,853,945,590,892.
//!
//! Of 9x10 there is one published value, 19,381,952,998,732,022,416,892, by the same method and the same people as the
//! 8x11 that had lost its carries, and nobody had confirmed it. `destrier count 9x10 --modulus P --spill DIR`, with 31 GiB of
//! counts in files, counted it modulo five primes:
//!
//! | modulo | 65,449 | 65,479 | 65,497 | 65,519 | 65,521 |
//! | --- | --- | --- | --- | --- | --- |
//! | leaves | 1,697 | 40,985 | 49,591 | 53,511 | 54,512 |
//!
//! The least number with these remainders is the published one; the next is 63 times as large, and random walks
//! (`count 9x10 --estimate`) put the number within a tenth of 2e22. So it is right.
//!
//! # Source
//! The method is the frontier method, as in D. E. Knuth, "The Art of Computer Programming", pre-fascicle 8a,
//! "Hamiltonian Paths and Cycles", 2025, Algorithm E. Dense blocks by degree pattern and the gathering of whole
//! contexts are this project's. M. Loebbing, I. Wegener, "The number of knight's tours equals 33,439,123,484,294:
//! counting with binary decision diagrams", Electronic Journal of Combinatorics 3, 1996, R5, with the comment that
//! corrects it. B. D. McKay, "Knight's tours of an 8x8 chessboard", technical report TR-CS-97-03, Australian National
//! University, 1997.

mod answer;
mod buffer;
mod checkpoint;
mod dense;
mod disk;
mod error;
pub mod estimate;
mod forecast;
#[cfg(test)]
mod forgery_tests;
mod gather;
mod header;
mod layer_check;
mod layer_io;
mod layers;
mod matching;
mod merge;
pub mod number;
mod order;
mod pace;
mod pass;
mod plan;
mod primes;
mod progress;
mod question;
mod range;
mod residues;
mod rule;
mod run;
mod saved_count;
mod saved_question;
mod set;
mod settings;
mod spill;
mod strip;
mod sweep;
pub mod symmetric;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod watch;

pub use error::{CountError, MemoryCeiling};
pub use header::{CountOptions, FinishedCount};
pub use merge::{MergedCount, another_prime};
pub use order::processing_order;
pub use pace::MeasuredPace;
pub use plan::{CountPlan, RowPlan};
pub use question::{Convention, Count, CountQuestion};
pub use range::{BoardNumber, RangeAnswer, RangePlan, SavedRange};
pub use residues::{Evidence, Modulus};
pub use saved_count::SavedCount;
pub use settings::{CountAnswer, CountPosition, Settings};
pub use strip::Strip;
pub use watch::{CountPhase, CountSnapshot, CountWatch, RowMeter, ThreadMeter};
