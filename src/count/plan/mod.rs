//! What a count takes, before anything is counted.
//!
//! | file | holds |
//! | --- | --- |
//! | `count_plan.rs` | the plan: states, work and memory, and whether it fits |
//! | `forecast.rs` | the number of passes, and their moduli |
//! | `pace.rs` | how long a pass takes on this machine |
//! | `disk.rs` | disk space for counts in files and for checkpoints |

pub mod count_plan;
pub mod disk;
pub mod forecast;
pub mod pace;
