//! A run as data: the question, the frames that show it, the wishes sent to it, and how it ended.
//!
//! ```text
//!  Plan ──> Source ── Frame ──> viewer: a screen, a line on stderr, a test
//!             ^  └─── End
//!             └────── Wish ──── viewer: pause, step, stop ..
//! ```
//!
//! * [`Question`] and [`Plan`]: the question, and how the work is shared
//! * [`Frame`]: one look at a run: plain data that can be written and read again
//! * [`Wish`]: a request to a run that has not ended
//! * [`Source`]: gives frames, takes wishes, and ends in an [`End`]. [`Live`] shows a crew of this process,
//!   [`CountSource`] a count, [`CycleSource`] the three-cycle board,
//!   [`Recorded`] a journal, [`Simulation`] virtual workers,
//!   [`Attached`](remote::Attached) a run of another process. A viewer cannot tell the sources apart.
//! * [`RunObservers`]: receive the frames of a run, with a screen or without one; [`remote`]: shows a run to another
//!   process
//! * [`Checkpoint`]: a search in a file, from which it is resumed; [`part`]: the file names of the parts of a search;
//!   [`WholeEstimate`]: estimates the whole search from some of its parts
//! * [`Rival`]: the figures of one of several runs that are compared; [`conclusion()`]: which is faster, and why
//! * [`Balance`](balance::Balance): how well the work is shared, and why not better; [`SimulatedBalance`]: that of a
//!   simulation without a viewer; [`Trace`]: the tasks of each worker over time, for a
//!   trace viewer
//! * [`RunHistory`]: the frames and events of a run in memory, to show any moment again; [`journal`]: the frames and
//!   events in a file
//! * [`Tempo`]: how fast a run is shown by itself; [`demonstration()`]: the run that shows what sharing is
//!
//! **Invariant**: a viewer changes nothing in a run but what it wishes, and cannot tell one source from another; every frame
//! that is lost is counted. **Where to begin**: `README.md`, then `frame.rs` and `source.rs`.

pub mod balance;
pub mod checkpoint;
mod clock;
mod conclusion;
mod cycle_source;
mod demonstration;
mod frame;
mod history;
pub mod journal;
mod live;
mod machine;
mod observers;
pub mod part;
mod question;
mod recorded;
pub mod remote;
mod rival;
mod sampler;
mod simulated;
mod source;
mod spent;
mod task;
mod tempo;
mod trace;

pub use checkpoint::{Checkpoint, Continuation, Unfinished};
pub use clock::RunClock;
pub use conclusion::{compared_verdicts, conclusion};
pub use cycle_source::CycleSource;
pub use demonstration::{after_demonstration, demonstration, watched_board};
pub use frame::{Body, FORMAT, Filled, Frame, TreeFrame};
pub use history::branch::{BranchPart, HandedBranch};
pub use history::{Moment, RunHistory};
pub use live::{Beginning, Live, Outbox, PreparedRun};
pub use machine::{DeviceState, FilmVerdict, Machine, Pilot};
pub use observers::{RunObserver, RunObservers};
pub use part::{Sample, WholeEstimate};
pub use question::{Plan, Question, RunDone};
pub use recorded::{JournalSummary, Recorded};
pub use rival::{Rival, RivalDepths, RivalState, Series};
pub use sampler::{EVENT_STEP, Sampler};
pub use simulated::{SimulatedBalance, SimulatedScene, Simulation, SimulationOutcome};
pub use source::{CountResult, CountSource, End, SearchEnd, Source, Wish, Wished, count_frame};
pub use spent::{Spent, TimePart, TimeUse, Times};
pub use tempo::{Tempo, slower_by_about};
pub use trace::{Trace, Traced};
