//! Runs of a plan: passes, checkpoints, and the answer.

pub mod answer;
pub mod checkpoint;
pub mod checkpointer;
pub mod driver;
pub mod header;
pub mod merge;
pub mod saved_question;
