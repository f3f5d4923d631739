//! Every board of a range from one sweep a modulus: passes over each sweep, until the numbers of all its boards are known.
//!
//! The first pass counts in plain integers, 16 bits wide, then 32, then 64: the boards that end before a count outgrows 64
//! bits have exact numbers from it. From there on it goes on modulo 2^64. Further passes are modulo primes, and go only as
//! far as the longest board whose number is not settled. Where there is room for counts of 64 bits the primes are the
//! largest below 2^56, so that a pass brings nearly twice the bits of one modulo a prime of 31, for as many states; else
//! they are the largest below 2^31.
//!
//! Whatever a pass has come to, what it said of the boards behind it is kept: a run that is stopped knows those that were
//! settled until then. What passes have found can be kept in a file (`file`), and a run goes on from there.

mod file;
mod run;
#[cfg(test)]
mod tests;

pub use file::SavedRange;
pub use run::{BoardNumber, RangeAnswer, RangePlan};
