//! `destrier find`: one tour or a few, by any method; a tour of every board in a range; a start asked for at a terminal.

mod answer;
mod args;
mod ask;
mod kept;
#[cfg(feature = "tui")]
mod live;
mod moves;
mod report;
pub mod shown;
mod sweep;
mod uniform;

use args::RequestedTour;
pub use args::{FindArgs, TOURS_SQUARES_MAX};
pub use report::Names;

use super::boards::Boards;
use super::failure::{Failure, by_signal, running, usage};
use super::halt::Halt;
use super::record::Recording;
use super::resume::ResumeArgs;
use super::say::{print_failed, print_object};
use super::success::{self, Starts};
use super::{adapter, headless, progress};
use crate::board::Board;
use crate::schedule::StopReason;
use crate::solve::FindAnswer;
use answer::{FindVerdict, Seek, asked};
use kept::Keep;
use report::{CUT_SHORT, FindReport};
use shown::Target;
use std::fs::File;
use std::io::{self, IsTerminal, Write};

/// Finds what was asked for and shows it; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when a method or its output failed.
pub fn run(args: &FindArgs) -> Result<u8, Failure> {
    match args.boards {
        Some(boards) if args.shown.success => tabulate(args, boards),
        Some(Boards::One(_)) if args.shown.watch && args.keep.checkpoint.is_some() => {
            Err(usage("--checkpoint keeps a race without a screen: leave out --watch"))
        }
        Some(Boards::One(board)) if args.shown.watch => watch(args, board),
        Some(Boards::One(board)) if args.is_uniform() => uniform::run(args, board),
        Some(Boards::One(board)) => find_one(args, board),
        Some(boards) if args.is_uniform() => Err(usage(format!("--uniform draws tours of one board, not of {boards}"))),
        Some(boards) if args.shown.watch => Err(usage(format!("--watch shows the race on one board, not on {boards}"))),
        Some(boards) if args.shown.record.is_some() => {
            Err(usage(format!("--record takes the run on one board, not on {boards}")))
        }
        Some(boards) if args.keep.checkpoint.is_some() => {
            Err(usage(format!("--checkpoint keeps the run on one board, not on {boards}")))
        }
        Some(boards) => sweep::run(args, boards),
        None if !args.is_empty() => Err(usage("these options need a board, such as 8x8")),
        None if io::stdin().is_terminal() && io::stdout().is_terminal() => ask::run(),
        None => Err(usage("find needs a board, such as 8x8; on a terminal it asks for one")),
    }
}

#[cfg(feature = "tui")]
fn watch(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    live::run(args, board)
}

#[cfg(not(feature = "tui"))]
fn watch(_: &FindArgs, _: Board) -> Result<u8, Failure> {
    Err(usage("this destrier was built without its screens (feature tui): leave out --watch"))
}

/// Prints how often Warnsdorff's rule succeeds.
fn tabulate(args: &FindArgs, boards: Boards) -> Result<u8, Failure> {
    let Some(widths) = boards.widths() else {
        return Err(usage(format!("--success is a table of square boards: write 5..64 instead of {boards}")));
    };
    if args.wanted != RequestedTour::default() {
        return Err(usage("--success counts open tours from every start: it takes no squares, moves or holes"));
    }
    let form = if args.shown.json { success::SuccessForm::Json } else { success::SuccessForm::Text };
    let starts = Starts { seed: args.by.seed(), ..Starts::default() };
    success::run(widths, &args.by.ties()?, starts, args.by.threads(), form)
}

fn find_one(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let mut seek = args.seek(board)?;
    args.check_files()?;
    let keep = Keep::begin(args, &mut seek)?;
    let target = args.shown.target(&seek.plan)?;
    if args.by.seed_was_drawn() && !args.shown.json {
        writeln!(io::stderr(), "seed {}", asked(&seek.plan).1.seed)?;
    }
    let recording = args.recording(&seek)?;
    go(&seek, target, (keep, recording), args.wanted.wants_many(), args.shown.json)
}

/// Goes on with a race that was kept; answers the exit code.
///
/// # Errors
/// [`Failure`] when it cannot be taken up, or when the method or its output failed.
pub fn resume(args: &ResumeArgs) -> Result<u8, Failure> {
    let (keep, seek, shown) = Keep::resume(args)?;
    let (many, target) = (keep.wants_many(), shown.target(&seek.plan)?);
    go(&seek, target, (Some(keep), Recording::default()), many, args.json)
}

/// Looks for what is sought, shows it and says what came of it; answers the exit code.
fn go(
    seek: &Seek,
    target: Target,
    (keep, recording): (Option<Keep>, Recording),
    many: bool,
    json: bool,
) -> Result<u8, Failure> {
    let is_written = keep.as_ref().is_some_and(Keep::is_written);
    let (to_stdout, board) = (!is_written && !matches!(target, Target::File(..)), seek.plan.question.board());
    if let Some(keep) = &keep {
        keep.write_first(seek)?;
    }
    let halt = Halt::seen_by(recording.witnesses());
    let body = || find_and_show(seek, target, keep.as_ref(), &halt);
    let (verdict, signal) = headless::attended(&halt, || halt.progress(progress::race), body)?;
    let (verdict, left) = verdict.inspect_err(|failure| {
        if let Some(keep) = &keep {
            // What failed is said all the same.
            let _ = keep.say_at_the_end(true);
        }
        if json && let Failure::Running(error) = failure {
            // Whoever reads it is told the rest by stderr and the exit code.
            let _ = print_failed(board, error);
        }
    })?;
    if let Some(FindAnswer::Refused(refusal)) = &verdict.done.answer {
        return Err(usage(refusal));
    }
    let recorded = report::record(&verdict, recording, many);
    adapter::tell_of(verdict.done.device.as_ref())?;
    if json {
        print_object(&FindReport::new(&verdict, many))?;
    } else {
        report::print(&verdict, to_stdout)?;
    }
    let stopped = !verdict.done.outcome.complete();
    if let Some(keep) = keep {
        keep.say_at_the_end(stopped)?;
        if !stopped {
            keep.note_shown()?;
        }
    }
    recorded?;
    Ok(signal.or(left).map_or(u8::from(verdict.done.tours().is_empty()), by_signal))
}

/// Finds tours and shows them; answers too the signal that ended the view, if one did.
fn find_and_show(
    seek: &Seek,
    target: Target,
    keep: Option<&Keep>,
    halt: &Halt,
) -> Result<(FindVerdict, Option<i32>), Failure> {
    let mut verdict = seek.answer_kept(halt, 0, keep).map_err(running)?;
    // A race that goes on later shows its tours then.
    if verdict.done.tours().is_empty() || (keep.is_some() && !verdict.done.outcome.complete()) {
        return Ok((verdict, None));
    }
    // What a run that was stopped had found is shown all the same; another signal ends the program.
    let anew = Halt::default();
    let heeded = if verdict.done.outcome.complete() { halt } else { &anew };
    let whole = |file: &File| keep.into_iter().for_each(|keep| keep.note_whole(file));
    match target.show_and_tell(&verdict, heeded, whole) {
        // A file of which a part is written is not worth keeping, and the one thing to say is why.
        Err(_) if halt.asked() => {
            verdict.done.outcome.stopped = Some(StopReason::Asked);
            verdict.done.answer = Some(FindAnswer::NotFound(CUT_SHORT.to_owned()));
            Ok((verdict, None))
        }
        shown => Ok((verdict, shown?)),
    }
}
