//! Runs of other processes: begun by `--detach`, listed by `destrier runs`, seen by `destrier attach`.

mod begin;
mod folder;
mod status;

pub use begin::{DetachSlot, Detaching, HostedRun, begin_typed};
pub use folder::{RunEntry, RunsFolder, now_s};
pub use status::{RunStatus, known_run};
