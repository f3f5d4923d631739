//! What is typed, and what it means: the options of commands, and the groups of options that several commands share.
//!
//! Here words become plans, and are refused where they contradict each other. Commands get values with types.

mod question;
mod resume;
mod screens;
mod search;
mod step;
mod values;

pub use question::{ProblemArgs, QuestionArgs, ThreadsArgs};
pub use resume::ResumeArgs;
pub use screens::ScreensArgs;
pub use search::{SearchArgs, WatchArgs};
pub use step::{ShowArgs, StepArgs};
#[cfg(feature = "tui")]
pub use values::square_board;
pub use values::{
    InputTours, Seed, THREADS_MAX, UsualThreads, cores, names, open_input, parse_seed, parse_size, parse_span,
    refused_holes, square, threads, with_holes,
};
