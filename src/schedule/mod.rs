//! One search, many workers.
//!
//! A [`Crew`] runs a [`Kernel`](crate::search::Kernel) under one of the schedulers and adds up what its workers count. The
//! totals of a complete run do not depend on the scheduler. A [`CrewWatch`] is the view from outside: it reads the meters and
//! holds the control, and it never makes a worker wait.
//!
//! ```text
//!    schedulers              race                   how workers share a tree; many attempts at one tour
//!     │      │                │
//!     │      └───────┬────────┘
//!     v              v
//!  protocol, rule   crew                            the hire protocol; threads, control, meters, delivery
//!     │              │
//!     v              v
//!  slot, sync      figures, scheduler               what the protocol writes on; plain data: snapshot, outcome, cards
//! ```
//!
//! **Invariant**: a run always ends, and its totals are those of one worker; nothing that looks on makes a worker wait.
//! **Where to begin**: `README.md`, then [`protocol`], then `schedulers/hire.rs`, which drives it.
//!
//! A file names only files of its own folder and of the folders below it in this picture.
//!
//! | file or folder | holds |
//! | --- | --- |
//! | `README.md` | the hire protocol in prose, with its proof and its figures |
//! | [`protocol`] | the hire protocol; it knows no search, meter or event |
//! | [`slot`] | what it keeps for each worker, and the words in which it answers |
//! | [`rule`] | the rules of nomination and hand-over |
//! | `sync` | the primitives of the protocol; a model checker replaces this file |
//! | `crew` | the workers of a run: threads, what they share, control, meters, delivery |
//! | `scheduler` | a scheduler, and what it tells of itself on its card |
//! | `schedulers` | a file for each, and the row of all; `schedulers/README.md`: how to add one |
//! | `race` | attempts at a tour side by side |
//! | `figures` | a run in figures: the table of a worker's figures, snapshot, progress, outcome |

mod crew;
mod figures;
pub mod protocol;
mod race;
pub mod rule;
mod scheduler;
mod schedulers;
pub mod slot;
mod sync;

pub use crate::stop::StopReason;
pub use crew::control::{Control, Permit};
pub use crew::delivery::{BlockOutput, Delivery, Format, TourFilter};
pub use crew::lifecycle::{Crew, CrewWatch, ProgressSaver};
pub use crew::meter::Meters;
pub use crew::plan::{CrewPlan, Shard, THREADS_MAX, read_threads};
pub use crew::worker::CrewWorker;
pub use figures::cells::WorkerState;
pub use figures::outcome::{RunError, RunOutcome, Totals};
pub use figures::progress::{Forecast, Rate, RunProgress, TourForecast};
pub use figures::snapshot::{EarlierRun, Levels, QuotaUse, Simulated, Snapshot};
pub use figures::waits::{WAIT_CLASSES, WaitCounts};
pub use figures::workers::{ContextSwitches, Overhead, SharingCounts, WorkerSnapshot};
pub use race::attempts::{Attempts, Race, RaceResult};
pub use race::judge::RaceEnd;
pub use rule::TreeCut;
pub use scheduler::{Scheduler, SchedulerCard, Sharing};
pub use schedulers::tree::HEAD_START;
