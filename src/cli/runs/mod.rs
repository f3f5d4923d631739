//! Runs without a screen: begun by `--detach`, listed by `destrier runs`, seen by `destrier attach`.

mod attach;
mod list;

pub use attach::{AttachArgs, run as attach};
pub use list::{RunsArgs, run};
