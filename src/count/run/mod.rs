//! Runs of a plan: passes, checkpoints, and the answer.

pub mod answer;
pub mod checkpointer;
pub mod driver;
pub mod merge;
pub mod saved_count;
pub mod saved_question;
