//! What is typed, and what it means: the options of commands, and the groups of options that several commands share.
//!
//! Here words become plans, and are refused where they contradict each other. Commands get values with types.

mod groups;
mod merge;
mod question;
mod resume;
mod search;
mod show;
mod size;
mod step;
mod values;

pub use groups::{DetachArgs, SaveArgs, ThreadsArgs, TraceArgs};
pub use merge::MergeArgs;
pub use question::{ProblemArgs, QuestionArgs};
pub use resume::ResumeArgs;
pub use search::{SearchArgs, WatchArgs};
pub use show::ShowArgs;
pub use size::parse_size;
pub use step::StepArgs;
pub use values::{THREADS_MAX, cores, holes, names, parse_number, parse_time, square, threads};
