//! `find --watch`: the race for a tour in the live view, and what it came to, printed when the view is left.

use super::answer::{Kind, Seek, Verdict};
use super::args::{FindArgs, Shown};
use super::halt::Halt;
use super::print_text;
use crate::board::Board;
use crate::cli::Failure;
use crate::cli::args::usage;
use crate::cli::output::Destination;
use crate::cli::watch::{self, Settings};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::{self, Finder, Request};
use crate::ui::{Choice, Done, FPS_DEFAULT, Question};
use std::io::{self, Write};

/// Shows the race; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or a run failed.
pub fn run(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let seek = args.seek(board)?;
    let request = seek.watched()?;
    if !watch::on_terminal() {
        let instead = format!("`destrier find {board}` does the same work without one");
        return Err(usage(format!("--watch needs a terminal for its keys and its screen; {instead}")));
    }
    if args.by.seed_was_drawn() {
        writeln!(io::stderr(), "seed {}", request.seed)?;
    }
    let choice =
        Choice { question: Question::Find(seek.finder, request), threads: seek.threads, scheduler: Scheduler::Hire };
    let settings = Settings { hand_over: HandOver::Shallowest, fps: FPS_DEFAULT, deadline: args.by.time() };
    watch::live(choice, settings, Destination::Nowhere, false)
}

impl Seek {
    /// The request with the first ending that the method takes and that may have tours.
    fn watched(&self) -> Result<Request, Failure> {
        let mut why = String::new();
        for &ending in self.endings {
            let request = Request { ending, ..self.request.clone() };
            let against = solve::impossible(&request)
                .or_else(|| self.finder.admits(&request).err().map(|refusal| refusal.to_string()));
            match against {
                None => return Ok(request),
                Some(reason) => why = reason,
            }
        }
        Err(usage(why))
    }
}

/// Prints what a watched race came to, as if it had not been watched.
///
/// # Errors
/// [`Failure`] when it cannot be written.
pub fn print(finder: &'static dyn Finder, request: Request, threads: usize, done: Done) -> Result<(), Failure> {
    let (board, tours, ending) = (request.board, request.tours, request.ending);
    let seek = Seek { request, endings: &[], direction: None, finder, threads, deadline: None, generations: false };
    let nodes = done.outcome.total().nodes;
    let (elapsed, stopped) = (done.outcome.elapsed, done.outcome.stopped);
    let kind = done.answer.map_or_else(|| Kind::NotFound("the run was stopped".to_owned()), Kind::from);
    let verdict = Verdict { ending, kind, attempts: done.attempts, nodes, elapsed, stopped, generations: Vec::new() };
    if let Kind::Tours(_) = verdict.kind {
        Shown::default().target(board, tours, finder)?.show(&seek, &verdict, &Halt::default())?;
    }
    Ok(print_text(&seek, &verdict, true)?)
}
