//! The types that are shipped, and threads for the model.

#[path = "../../src/schedule/sync.rs"]
mod shipped;

pub use shipped::*;
pub use std::{sync::Arc, thread::spawn};
