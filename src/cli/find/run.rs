//! What `destrier find` does: find tours of a board, of a range of boards, or of a board that it asks for.

use super::args::{FindArgs, RequestedTour};
use super::race::RaceJob;
use super::shown::TourDisplay;
use super::{ask, sweep, uniform};
use crate::board::Board;
use crate::cli::args::ResumeArgs;
use crate::cli::boards::Boards;
use crate::cli::success::{self, Starts};
use crate::cli::terminal::on_screens;
use crate::job::saving::RaceCheckpoint;
use crate::job::{self, Failure, RunOptions, usage};
use std::io::{self, IsTerminal};

/// Finds what was asked for and shows it. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when a method or its output failed.
pub fn run(args: &FindArgs) -> Result<u8, Failure> {
    match args.boards {
        Some(boards) if args.shown.success => tabulate(args, boards),
        Some(Boards::One(_)) if args.shown.watch && args.save.checkpoint.is_some() => {
            Err(usage("--checkpoint keeps a race without a screen: leave out --watch"))
        }
        Some(Boards::One(board)) if args.shown.watch => on_screens!(board => super::watch::run(args, board)),
        Some(Boards::One(board)) if args.is_uniform() => uniform::run(args, board),
        Some(Boards::One(board)) => find_one(args, board),
        Some(boards) if args.is_uniform() => Err(usage(format!("--uniform draws tours of one board, not of {boards}"))),
        Some(boards) if args.shown.watch => Err(usage(format!("--watch shows the race on one board, not on {boards}"))),
        Some(boards) if args.shown.record.is_some() => {
            Err(usage(format!("--record takes the run on one board, not on {boards}")))
        }
        Some(boards) if args.save.checkpoint.is_some() => {
            Err(usage(format!("--checkpoint keeps the run on one board, not on {boards}")))
        }
        Some(boards) => sweep::run(args, boards),
        None if !args.is_empty() => Err(usage("these options need a board, such as 8x8")),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => ask::run(),
        None => Err(usage("find needs a board, such as 8x8; on a terminal it asks for one")),
    }
}

/// Prints how often Warnsdorff's rule succeeds.
fn tabulate(args: &FindArgs, boards: Boards) -> Result<u8, Failure> {
    let Some(widths) = boards.widths() else {
        return Err(usage(format!("--success is a table of square boards: write 5..64 instead of {boards}")));
    };
    if args.wanted != RequestedTour::default() {
        return Err(usage("--success counts open tours from every start: it takes no squares, moves or holes"));
    }
    let starts = Starts { seed: args.by.seed(), ..Starts::default() };
    success::run(widths, &args.by.ties()?, starts, args.by.threads()?, args.shown.json)
}

fn find_one(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let question = args.question(board)?;
    let save = args.save.options();
    let is_saved = save.file()?.is_some();
    if is_saved && (args.shown.show || question.generations) {
        let instead = "leave out --watch, --show and --generations";
        return Err(usage(format!(
            "--checkpoint: a race is kept without a screen and without its generations: {instead}"
        )));
    }
    let options = RunOptions { observe: args.observe(&question)?, json: args.shown.json, ..RunOptions::default() };
    let seed_is_said = args.by.seed_was_drawn() && !args.shown.json;
    let race = RaceJob::new(question, args.shown.clone(), args.wanted.wants_many(), seed_is_said).saved(save);
    job::run(race, &options)
}

/// Resumes the race in a file. Returns the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be resumed, or when the method or its output failed.
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    let (checkpoint, question, output) = RaceCheckpoint::resume(&args.file, &args.of_race()?)?;
    // Tours that stand in their file are not written again.
    let display = match checkpoint.is_written() {
        true => TourDisplay { json: true, ..TourDisplay::default() },
        false => TourDisplay::of_saved(output, args.json),
    };
    let race = RaceJob::new(question, display, checkpoint.wants_many(), false).resumed(checkpoint, args.json);
    job::run(race, &RunOptions { json: args.json, ..RunOptions::default() })
}
