//! Whatever is started, observed, saved, finished and resumed: written once for every kind of run.
//!
//! ```text
//!  words typed ──> Job ── run ──> begin ── attend ──────────────> finish ──> report, exit code
//!   (cli)                          │        │                      │
//!                                  │        work ── Source         ├ its journal and trace end
//!             fresh, or from a ────┘                 │ frames      ├ its state is saved, its files get their names
//!             checkpoint                             v             ├ the report, and how to resume
//!                                             Observation          └ the viewers of a detached run learn the end
//!                                             (journal, trace, balance, viewers), a screen, the progress line
//! ```
//!
//! * [`Job`] is one run with its files; [`run()`] takes it from its first file to its exit code. A search, a race, a count of a
//!   board or a range, a part of a search and a map are jobs; a resumed run is the same job with other files.
//! * [`Observation`]: what sees the frames of a run without a screen. [`ActiveRuns`]: the runs in progress, which a signal
//!   stops. [`with_signals`]: signals and the progress line around any work.
//! * [`saving`]: how a search and a count are saved and resumed, and where the result of a part goes
//! * [`output`]: where tours go, and files that get their names at the end
//! * [`limits`]: the memory that this process may take, and how much it took
//! * [`parts`]: the parts in a folder: which are there, what is missing, and their sum
//! * [`detached`]: runs of other processes: started, listed, found
//! * [`RaceQuestion`]: one question to one method, with the endings tried in turn
//! * [`Report`]: the report of a command, as text and as a JSON object
//! * [`Failure`]: why a command failed; [`fault`]: a panic as a failure; `say.rs`: what is printed
//!
//! **Where to begin**: `run.rs` has the trait and the path; `cli/gpu/map.rs` is the plainest job.
//!
//! **Invariant**: no file of results is ever half written, and a run that stops says how to go on.
//!
//! No command names a crew, the checkpoint of a search, the writer of a journal or the socket server: `tests/layers.rs` checks
//! that.

mod active;
mod attend;
mod command_line;
pub mod detached;
pub mod fault;
mod files;
pub mod limits;
mod lines;
mod metrics;
mod observe;
pub mod output;
pub mod parts;
pub mod progress;
mod race_question;
pub(crate) mod report;
mod run;
pub mod saving;
mod say;

pub use active::{ActiveRuns, process_cpu_time, search_unobserved, solve_unobserved};
pub use attend::{clear_progress, dumb_terminal, with_signals};
pub use command_line::CommandLine;
pub use fault::{Answer, Failure, NoReason, io_failure, refuse_if, running, usage};
pub use files::WrittenFiles;
pub use lines::{LinesObserver, LinesOptions};
pub use metrics::MetricsOptions;
pub use observe::{Observation, ObserveOptions, TraceOptions, Tracing};
pub use race_question::{RaceQuestion, RaceVerdict, race_request, with_request};
pub use report::Report;
pub(crate) use report::{keys, object};
pub use run::{AttendedWork, FinishedWork, Job, Reported, RunOptions, SettledFiles, answered, is_unread, run};
pub use say::{
    STDERR, STDOUT, failed, note, print, print_failed, print_object, print_stopped, put, safe, say, say_leftovers,
    shell_word, write_json,
};
