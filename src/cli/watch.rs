//! `destrier watch`: the live view of a search; the summary is printed when it is left.

use super::args::WatchArgs;
use super::search::job::SearchJob;
use super::viewed::ViewedJob;
use crate::job::{self, Failure, RunOptions};
use crate::run::Beginning;

/// Shows the search and prints its summary afterwards. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the search failed.
pub fn run(args: &WatchArgs) -> Result<u8, Failure> {
    let plan = args.plan()?;
    let WatchArgs { options, fps, paused, slow, .. } = args;
    let beginning = Beginning { paused: *paused, pace: *slow };
    let job = SearchJob::new(plan, options.output(), options.save(), options.json);
    job::run(
        ViewedJob::new(job, *fps, beginning),
        &RunOptions { observe: options.observe()?, json: options.json, ..RunOptions::default() },
    )
}
