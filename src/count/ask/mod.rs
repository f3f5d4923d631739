//! What is asked of a count, how it is to run, and what is known of the answer.
//!
//! | file | holds |
//! | --- | --- |
//! | `question.rs` | the question: board or range of boards, ending, start, classes; numbers with their convention |
//! | `range.rs` | the boards of a range |
//! | `primes.rs`, `residues.rs` | primes, and division by them; moduli, residues, the evidence for a number |
//! | `settings.rs` | the settings of a run, and its answer |
//! | `progress.rs` | the numbers and residues that are known |

pub mod board_range;
pub mod primes;
pub mod progress;
pub mod question;
pub mod residues;
pub mod settings;
