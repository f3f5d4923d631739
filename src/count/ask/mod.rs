//! What is asked of a count, how it is to run, and what is known of the answer.

pub mod board_range;
pub mod primes;
pub mod progress;
pub mod question;
pub mod residues;
pub mod settings;
pub mod upright_shape;
