//! `destrier search`, and `resume` of one.

use super::job::SearchJob;
use crate::cli::args::{ResumeArgs, SearchArgs};
use crate::cli::terminal::on_screens;
use crate::job::saving::{SearchPart, StoppedSearch};
use crate::job::{self, Failure, RunOptions};

/// Searches and prints the summary. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the search or its output failed.
pub fn run(args: &SearchArgs) -> Result<u8, Failure> {
    let plan = args.options.plan(args.board)?;
    let detaching = args.detach.options();
    let options = RunOptions { observe: args.options.observe()?, detaching, json: args.options.json };
    let (output, save) = (args.options.output(), args.options.save());
    let job = match args.part.part() {
        Some(part) => {
            SearchPart::check(&plan, &output)?;
            SearchJob::new(plan, output, save, options.json).of_part(part)
        }
        None => SearchJob::new(plan, output, save, options.json).hosted(&detaching)?,
    };
    job::run(job, &options)
}

/// Resumes the search in a file. Returns the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be resumed, or when the search or its output failed.
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    let options = RunOptions { detaching: args.detach.options(), json: args.json, ..RunOptions::default() };
    let stopped = StoppedSearch::read(&args.file, args.of_search()?)?;
    let is_viewed = args.watch && !stopped.has_ended();
    let job = SearchJob::resuming(stopped, args.json);
    match is_viewed {
        true => on_screens!(job => job::run(crate::cli::viewed::ViewedJob::of_search(job), &options)),
        false => job::run(job, &options),
    }
}
