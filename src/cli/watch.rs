//! `destrier watch`: the live view of a search; the summary is printed when it is left.

use super::args::{WatchArgs, threads};
use super::search::run::SearchJob;
use crate::job::detached::Detaching;
use crate::job::saving::SearchOutput;
use crate::job::say::say;
use crate::job::{self, Failure, RunOptions};
use crate::run::{Beginning, demonstration};
use crate::ui::settings;

/// Shows the search and prints its summary afterwards. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn run(args: &WatchArgs) -> Result<u8, Failure> {
    let plan = args.plan()?;
    let WatchArgs { options, fps, paused, slow, .. } = args;
    let beginning = Beginning { paused: *paused, pace: *slow, tempo: args.tempo(&plan) };
    let job = SearchJob::new(plan, options.output.clone());
    job::run(job.viewed(*fps, beginning), &options.output.run_options(Detaching::default())?)
}

/// Shows the demonstration with this many workers, or a number that suits the machine, and prints its summary afterwards. Returns the exit code.
///
/// # Errors
/// [`Failure`] when the search failed.
pub fn demonstrate(workers: Option<u32>) -> Result<u8, Failure> {
    let (plan, tempo) = demonstration(threads(None)?, workers.map(|workers| workers as usize));
    let job = SearchJob::new(plan, SearchOutput::default());
    let beginning = Beginning { tempo, ..Beginning::default() };
    if settings::current().is_first {
        // It stands above the summary when the screen is left, which then remembers that it was shown.
        say("new here? `destrier tutorial` shows in ten lessons what there is to see (this is said once)")?;
        settings::note(|_| ());
    }
    job::run(job.viewed(None, beginning), &RunOptions::default())
}
