//! Runs of a plan: passes, checkpoints, and the answer.
//!
//! | file | holds |
//! | --- | --- |
//! | `driver.rs` | the passes over each sweep, until the numbers of all boards are known; remainders where 64 bits are too few |
//! | `keeper.rs` | the progress of a run, saved between rows |
//! | `checkpoint.rs` | the file: written, and its counts read back |
//! | `header.rs` | its header, read and checked: a damaged or impossible one is refused here, its counts in `pass/layer_check.rs` |
//! | `saved_question.rs`, `saved_count.rs` | its question; its summary |
//! | `answer.rs` | the arithmetic from the numbers of the sweeps to the answer |
//! | `merge.rs` | a number from remainders that separate runs have counted |

pub mod answer;
pub mod checkpoint;
pub mod driver;
pub mod header;
pub mod keeper;
pub mod merge;
pub mod saved_count;
pub mod saved_question;
