//! Counting without listing: exact numbers of tours, by frontier states.
//!
//! A search finds tours one by one, and 13 million million tours are too many for that. A count looks at no tour. It
//! processes the board square by square. Of the many ways to fill the part behind, it keeps only what matters for the
//! part ahead, and how many ways are alike in that.
//!
//! # States
//!
//! A closed tour is a set of moves with two at every square, all on one cycle. Process the squares in some order. For
//! each square, choose its moves to the squares still ahead. The moves chosen so far form a set of paths. The rest of
//! the work depends only on the **frontier**: the squares still ahead that are a move away from a processed square. A
//! frontier square has degree 0 (no processed square moves to it), 1 (it is the end of a path) or 2 (both its moves are
//! made). The two ends of a path are each other's **mate**; to join two mates would close a cycle too early. So a
//! **state** is a degree for every frontier square and a matching of the ends. A board of four columns after two of its
//! rows:
//!
//! ```text
//! * * * *     processed
//! * * * *
//! a b . b     a a: ends of one path, b b: ends of another
//! 2 . a .     2: both moves made; .: none
//! ```
//!
//! The count of a state is the number of sets of moves that lead to it. A count begins with one empty state. The
//! choices at the next square lead from a state to at most eleven states, and its count is added to each of them. After
//! the last square one state is left, and its count is the answer. No tour is counted twice, because a set of moves is
//! one choice at every square. No tour is missed, because all choices are made. 8x8 has 13,267,364,410,532 closed
//! tours, and at most 286,015,672 states are stored after any of its squares.
//!
//! # How states are stored
//!
//! A hash table of states would spend its time on keys; here a state has no key. States with equal degrees on every
//! frontier square form a **degree pattern**. A pattern fixes which squares are ends, so a state is one of the
//! `(2k-1)!!` matchings of `k` pairs. Matchings are numbered without a gap (`matching`), so the counts of a pattern are
//! one **block** of consecutive numbers. The possible patterns of every square are found first, by a pass forwards and
//! a pass backwards (`layers`). That costs a fraction of the count, and gives the memory, the work, and the exact share
//! done at any time ([`CountPlan`]).
//!
//! A choice at a square takes all states of a pattern to states of one other pattern. It changes the matching in one of
//! four ways: not at all, an end moves, a pair is inserted, two paths are joined. Each change is a table of ranks
//! (`table`). So the inner loop is `sum[table[r]] += block[r]` over whole blocks, in the first level cache. No two
//! threads write to the same block (`gather`).
//!
//! Where to read on:
//!
//! | file | content |
//! | --- | --- |
//! | `order` | the order of the squares, and the slots that hold the frontier |
//! | `rule` | what a square does to patterns; contexts and the numbers of their groups |
//! | `set`, `layers` | sets of patterns; the pattern passes |
//! | `matching`, `table` | numbers for matchings, and how they change |
//! | `gather` | the inner loop |
//! | `threads`, `dense`, `buffer`, `spill` | work for the threads, widths of counts, memory, files |
//! | `sweep`, `pass` | colours and the apex of open tours; one pass over a sweep |
//! | `residues`, `merge`, `primes` | numbers of more than 64 bits; remainders counted apart; primes and division by them |
//! | `question`, `run`, `answer`, `error` | the question; all passes; the arithmetic of the answer; errors |
//! | `settings`, `progress` | how to run a count; what is known of its answer |
//! | `plan`, `forecast`, `pace`, `disk` | memory, number of passes, time and disk space of a count |
//! | `watch`, `snapshot` | its progress: written by the threads; read at one moment |
//! | `checkpoint`, `header`, `saved_question`, `saved_count` | the checkpoint file: written, read, its question, its summary |
//! | `layer_io`, `layer_check` | the counts of a layer as bytes of a file, and their validation |
//! | `strip` | the boards of a range, for which one sweep answers |
//! | [`symmetric`] | tours that a symmetry keeps, for numbers of classes |
//! | [`number`] | the tour with a number, the number of a tour, tours drawn uniformly |
//! | [`estimate`] | estimates by random walks, where there are too many states |
//!
//! # Why a number is exact
//!
//! A count is a whole number of partial tours. As long as no count overflows, no count is wrong: one pass in plain
//! integers is exact. Every overflow is detected (`dense`): a pass starts with 16-bit counts and widens them when they
//! grow. For the closed tours of 8x8, 16 bits hold the first three rows, and 64 bits are needed only where less than a
//! tenth of the states is left. A number of more than 64 bits is put together from residues (`residues`). The answer
//! says which of the two it rests on ([`Evidence`]).
//!
//! # History of a number
//!
//! The number of closed tours of 8x8 was long unknown. M. Loebbing and I. Wegener counted them in 1996 with binary
//! decision diagrams and published 33,439,123,484,294. That cannot be right: a closed tour of 8x8 has eight images
//! under the symmetries of the board, or four if a half turn keeps it, so the number is a multiple of four. B. D. McKay
//! divided the board into halves in 1997 and found 13,267,364,410,532, undirected. That number has been confirmed
//! since, and `destrier count 8x8` confirms it in seconds. For 8x11 two values are in circulation that differ by
//! exactly 2 * 2^64, a lost carry; `destrier count 8x11` decides for 2,122,880,233,853,945,590,892.
//!
//! For 9x10 there is one published value, 19,381,952,998,732,022,416,892, by the method and the authors of the 8x11
//! value that had lost its carries. It was unconfirmed until `destrier count 9x10 --modulus P --spill DIR`, with 31 GiB
//! of counts in files, counted it modulo five primes:
//!
//! | modulus | 65,449 | 65,479 | 65,497 | 65,519 | 65,521 |
//! | --- | --- | --- | --- | --- | --- |
//! | remainder | 1,697 | 40,985 | 49,591 | 53,511 | 54,512 |
//!
//! The least number with the five remainders is the published one, and the next is 63 times as large. Random walks
//! (`count 9x10 --estimate`) put the number within a tenth of 2e22. So the published value is right.
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
mod keeper;
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
#[cfg(test)]
mod range_tests;
mod residues;
mod rule;
mod run;
mod saved_count;
mod saved_question;
mod set;
mod settings;
mod snapshot;
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
pub use merge::{MergedCount, unused_prime};
pub use order::processing_order;
pub use pace::MeasuredPace;
pub use plan::{CountPlan, RowPlan};
pub use question::{Convention, Count, CountQuestion};
pub use residues::{Evidence, Modulus};
pub use saved_count::SavedCount;
pub use settings::{BoardNumber, CountAnswer, CountPosition, Settings};
pub use snapshot::{CountPhase, CountSnapshot, RowMeter, ThreadMeter};
pub use strip::Strip;
pub use watch::CountWatch;
