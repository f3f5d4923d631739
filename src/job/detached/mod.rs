//! Runs of other processes: begun by `--detach`, listed by `destrier runs`, seen by `destrier attach`.

mod begin;
mod entry;
mod folder;
mod standing;

pub use begin::{DetachSlot, Detaching, HostedRun, begin_typed};
pub use entry::{RunEntry, now_s};
pub use folder::RunsFolder;
pub use standing::{Standing, known_run};
