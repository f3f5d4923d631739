//! A run as data: what is asked, what is seen of it while it goes on, what is asked of it meanwhile, and how it ended.
//!
//! ```text
//!  Plan ──> Source ── Frame ──> whoever looks: a screen, a line on stderr, a test
//!             ^  └─── End
//!             └────── Wish ──── whoever may ask something of it
//! ```
//!
//! * [`Question`] and [`Plan`]: what is asked, and how the work is shared
//! * [`Frame`]: one look at a run, plain data that can be written down and read again
//! * [`Wish`]: what may be asked of a run while it goes on
//! * [`Source`]: gives frames, takes wishes, and ends in an [`End`]. [`Live`] is one over a crew of this process,
//!   [`CountSource`] over a count, [`MapSource`] over a batch of knights, [`CycleSource`] over the three-cycle board,
//!   [`Gathering`] over a folder in which the parts of a search gather, [`Recorded`] over a journal,
//!   [`Simulation`] over virtual workers,
//!   [`Attached`](remote::Attached) over a run of another process; [`ObservedSource`]
//!   gives what another one does, and lets somebody see it too. Who looks at a source cannot tell which it is.
//! * [`RunObservers`]: who sees a run without a screen; [`remote`]: how it is seen from another process
//! * [`Checkpoint`]: a search in a file, to be taken up again; [`part`]: the names of those that are parts of a search;
//!   [`WholeEstimate`]: what some parts tell of all
//! * [`Rival`]: what was seen of one of several runs that are compared
//! * [`Balance`](balance::Balance): how well the work is shared; [`Trace`]: who worked when, for a viewer of traces
//! * [`RunHistory`]: what was seen of a run, any moment of it; [`journal`]: the same in a file

pub mod balance;
mod campaign;
pub mod checkpoint;
mod compact;
mod count_source;
mod cycle_source;
pub mod finding;
mod frame;
mod grain;
mod history;
pub mod journal;
mod live;
mod machine;
mod map_source;
mod observed_source;
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
mod trace;
mod whole;
mod written;

pub use campaign::{Campaign, CampaignRates, Estimates, Gathering, PartFigures, PartState, Running, Trend, WrongFile};
pub use checkpoint::{Checkpoint, Goes, Unfinished};
pub use count_source::CountSource;
pub use cycle_source::CycleSource;
pub use frame::{Body, FORMAT, Filled, Frame, TreeFrame};
pub use history::{Moment, RunHistory};
pub use live::{Beginning, Live, Outbox};
pub use machine::{DeviceOrder, FilmVerdict, Machine, Pilot, Stand};
pub use map_source::MapSource;
pub use observed_source::ObservedSource;
pub use observers::{RunObserver, RunObservers};
pub use question::{Plan, Question, RunDone};
pub use recorded::{Account, Recorded};
pub use rival::{LastSeen, Rival, RivalState, Series};
pub use sampler::Sampler;
pub use simulated::{SimulatedScene, Simulation, SimulationOutcome};
pub use source::{Answered, End, SearchEnded, Source, Wish};
pub use spent::{Spent, TimeShares, Times};
pub use trace::{Trace, Traced};
pub use whole::{Sample, WholeEstimate};
