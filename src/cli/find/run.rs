//! What `destrier find` does: find tours of a board, of a range of boards, or of a board that it asks for.

use super::args::FindArgs;
use super::race::RaceJob;
use super::{ask, sweep, uniform};
use crate::board::Board;
use crate::cli::boards::Boards;
use crate::cli::terminal::on_screens;
use crate::job::{self, Failure, RunOptions, usage};
use std::io::{self, IsTerminal};

/// Finds what was asked for and shows it. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when a method or its output failed.
pub fn run(args: &FindArgs) -> Result<u8, Failure> {
    match args.boards {
        Some(Boards::One(board)) if args.shown.watch => on_screens!(board => super::watch::run(args, board)),
        Some(Boards::One(board)) if args.is_uniform() => uniform::run(args, board),
        Some(Boards::One(board)) => find_one(args, board),
        Some(boards) if args.is_uniform() => Err(usage(format!("--uniform draws tours of one board, not of {boards}"))),
        Some(boards) if args.shown.watch => Err(usage(format!("--watch shows the race on one board, not on {boards}"))),
        Some(boards) if args.shown.record.is_some() => {
            Err(usage(format!("--record takes the run on one board, not on {boards}")))
        }
        Some(boards) => sweep::run(args, boards),
        None if !args.is_empty() => Err(usage("these options need a board, such as 8x8")),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => ask::run(),
        None => Err(usage("find needs a board, such as 8x8; on a terminal it asks for one")),
    }
}

fn find_one(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let question = args.question(board)?;
    let options = RunOptions { observe: args.observe(&question)?, json: args.shown.json, ..RunOptions::default() };
    let seed_is_said = args.by.seed_was_drawn() && !args.shown.json;
    let race = RaceJob::new(question, args.shown.clone(), args.wanted.wants_many(), seed_is_said);
    job::run(race, &options)
}
