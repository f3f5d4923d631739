//! `find --watch`: the race for a tour in the live view, and what it came to, printed when the view is left.

use super::answer::asked;
use super::args::FindArgs;
use super::shown::show_watched;
use crate::board::Board;
use crate::cli::failure::{Failure, by_signal, running, usage};
use crate::cli::keep::{Files, Keeping};
use crate::cli::output::{Destination, TourFormat};
use crate::cli::record::Recording;
use crate::cli::screen::{self, signal_of};
use crate::cli::{adapter, watch};
use crate::run::{Beginning, Plan, RunDone};
use crate::solve;
use crate::ui::{FPS_DEFAULT, cycles};
use std::io::{self, Write};

/// Shows the race, or the cycles of the three-cycle board; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or a run failed.
pub fn run(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let seek = args.seek(board)?;
    let plan = seek.first().map_err(usage)?;
    screen::needs_terminal()?;
    let (finder, request) = asked(&plan);
    if args.by.seed_was_drawn() {
        writeln!(io::stderr(), "seed {}", request.seed)?;
    }
    let recording = args.recording(&seek)?;
    if finder.card().cycles {
        return watch_cycles(plan);
    }
    let (output, keeping) = (Destination::Nowhere, Keeping::default());
    let files = (Files { output, recording, keeping }, TourFormat::default());
    watch::live(plan, (FPS_DEFAULT, Beginning::default()), files, false)
}

/// Shows the one run of the three-cycle board, and prints what it came to if that was seen.
fn watch_cycles(plan: Plan) -> Result<u8, Failure> {
    let request = asked(&plan).1;
    if plan.deadline.is_some() || request.tours > 1 {
        return Err(usage("--watch shows one run of gpu-cycles: leave out --deadline and --tours"));
    }
    let subject = cycles::CyclesSubject::of(request, true).map_err(usage)?;
    let (exit, last) = cycles::run(subject)?;
    if let Some(signal) = signal_of(exit) {
        return Ok(by_signal(signal));
    }
    let Some(last) = last else { return Ok(0) };
    let (last, by) = last.map_err(running)?;
    adapter::tell_of(Some(&by))?;
    let answer = Some(solve::answer_of_cycles(request, &last));
    let done = RunDone { answer, device: Some(by), ..RunDone::default() };
    let code = u8::from(done.tours().is_empty());
    show_watched(plan, done, Recording::default())?;
    Ok(code)
}
