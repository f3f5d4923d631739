//! What `destrier count` does: count a board or a range, plan it, estimate it, or resume a count.

use super::args::{CountArgs, of_saved};
use super::job::CountJob;
use super::{plan, starts, symmetry};
use crate::cli::args::ResumeArgs;
use crate::count::{CountQuestion, SavedCount, Settings};
use crate::job::saving::claimed_place;
use crate::job::{self, Failure, ObserveOptions, RunOptions, usage};

/// Counts, or plans, and prints the report. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, when the count does not fit, or when it or its files failed.
pub fn run(args: &CountArgs) -> Result<u8, Failure> {
    let strip = args.strip()?;
    if let Some(estimated) = args.estimated() {
        return estimated;
    }
    let (question, settings) = (CountQuestion { strip, ..args.question()? }, args.settings()?);
    if let Some(which) = args.symmetry {
        return symmetry::run(which, args.json, &question, &settings);
    }
    if args.per_start {
        return starts::run(args, &question, &settings);
    }
    if args.plan {
        return plan::run(&question, &settings, args.json);
    }
    args.detach.refuse_screen(args.watch)?;
    let part = args.part(&question);
    let job = CountJob::new(question, settings, part, args.watch, args.json);
    job::run(job, &RunOptions { observe: args.observe(), detaching: args.detach.options(), json: args.json })
}

/// Resumes the count in a file. Returns the exit code.
///
/// # Errors
/// As [`run()`].
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    args.refuse_for_count()?;
    // A detached process claims the file itself.
    let file = if args.detach.detach { None } else { Some(claimed_place("resume", &args.file)?) };
    let saved = SavedCount::read_header(&args.file).map_err(usage)?;
    if saved.question.strip.is_some() {
        let typed = [("--watch", args.watch), ("--detach", args.detach.detach)];
        if let Some((option, _)) = typed.into_iter().find(|(_, typed)| *typed) {
            let file = args.file.display();
            return Err(usage(format!(
                "{option}: {file} holds the count of a range of boards, which has none: leave it out"
            )));
        }
    }
    let settings = Settings { claimed_file: file, ..of_saved(args, &saved)? };
    let job = CountJob::new(saved.question, settings, None, args.watch, args.json);
    let (observe, detaching) = (ObserveOptions::default(), args.detach.options());
    job::run(job, &RunOptions { observe, detaching, json: args.json })
}
