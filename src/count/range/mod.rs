//! The count of every board of a range: passes over each sweep, one for each modulus, until all numbers are known.
//!
//! The first pass counts in plain integers, 16 bits wide, then 32, then 64. It gives exact numbers of the boards that end
//! before a count outgrows 64 bits. From there it counts modulo 2^64. Further passes count modulo primes, and end at the
//! longest board whose number is not settled. If counts of 64 bits fit in memory, the primes are the largest below 2^56;
//! otherwise they are the largest below 2^31. The larger primes give nearly twice the bits of a prime of 31 bits in one
//! pass over as many states.
//!
//! A pass that is stopped keeps the numbers of the boards that it has settled. A checkpoint file (`file`) can keep the numbers
//! and residues of all passes, and a later run (`run`) resumes from it.

mod file;
mod run;
#[cfg(test)]
mod tests;

pub use file::SavedRange;
pub use run::{BoardNumber, RangeAnswer, RangePlan};
