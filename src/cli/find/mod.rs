//! `destrier find`: one tour or a few, by any method; a tour of every board in a range; a start asked for at a terminal.

mod answer;
mod args;
mod ask;
mod boards;
mod halt;
#[cfg(feature = "tui")]
pub mod live;
mod moves;
mod report;
mod shown;
mod sweep;

use crate::cli::failure::{Failure, by_signal, running, usage};
pub use args::FindArgs;
use args::Wanted;

use super::say::{print_object, safe, say};
use super::success::{self, Starts};
use super::{adapter, headless};
use crate::board::Board;
use crate::schedule::words::{clock, count, rate};
use crate::schedule::{Snapshot, StopReason};
use answer::{Kind, Seek, Verdict};
use boards::Boards;
use halt::Halt;
use report::{Generations, Line, Report};
use shown::Target;
use std::io::{self, IsTerminal, Write};

/// Finds what was asked for and shows it; answers the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when a method or its output failed.
pub fn run(args: &FindArgs) -> Result<u8, Failure> {
    match args.boards {
        Some(boards) if args.shown.success => tabulate(args, boards),
        Some(Boards::One(board)) if args.shown.watch => watch(args, board),
        Some(Boards::One(board)) => find_one(args, board),
        Some(boards) if args.shown.watch => Err(usage(format!("--watch shows the race on one board, not on {boards}"))),
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
    if args.wanted != Wanted::default() {
        return Err(usage("--success counts open tours from every start: it takes no squares, moves or holes"));
    }
    let form = if args.shown.json { success::Form::Json } else { success::Form::Text };
    let starts = Starts { seed: args.by.seed(), ..Starts::default() };
    success::run(widths, &args.by.ties()?, starts, args.by.threads(), form)
}

fn find_one(args: &FindArgs, board: Board) -> Result<u8, Failure> {
    let seek = args.seek(board)?;
    let target = args.shown.target(board, seek.request.tours, seek.finder)?;
    let (to_stdout, json) = (!matches!(target, Target::File(..)), args.shown.json);
    if args.by.seed_was_drawn() && !json {
        writeln!(io::stderr(), "seed {}", seek.request.seed)?;
    }
    let halt = Halt::default();
    let body = || -> Result<(Verdict, Option<i32>), Failure> {
        let mut verdict = seek.answer(&halt, 0).map_err(running)?;
        if let Kind::Tours(_) = verdict.kind {
            // What a run that was stopped had found is shown all the same; another signal ends the program.
            let anew = Halt::default();
            match target.show(&seek, &verdict, if verdict.stopped.is_some() { &anew } else { &halt }) {
                // A file of which a part is written is not worth keeping, and the one thing to say is why.
                Err(_) if halt.asked() => {
                    verdict.stopped = Some(StopReason::Asked);
                    verdict.kind = Kind::NotFound(CUT_SHORT.to_owned());
                }
                shown => return shown.map(|left| (verdict, left)),
            }
        }
        Ok((verdict, None))
    };
    let (verdict, signal) = headless::heeding(|| halt.ask(), || progress(&halt), body)?;
    let (verdict, left) = verdict.inspect_err(|failure| print_failure(board, failure, json))?;
    if let Kind::Refused(refusal) = verdict.kind {
        return Err(usage(refusal));
    }
    let instead = verdict.device.as_ref().and_then(|device| device.instead.as_ref());
    adapter::tell(instead.map(|why| why.to_string()).as_deref())?;
    if json {
        print_object(&Report::new(&seek, &verdict, args.wanted.wants_many()))?;
    } else {
        print_text(&seek, &verdict, to_stdout)?;
    }
    Ok(match (&verdict.kind, signal.or(left)) {
        (_, Some(signal)) => by_signal(signal),
        (Kind::Tours(_), None) => 0,
        (_, None) => 1,
    })
}

/// What is said of a tour that was found, and not written to its end.
const CUT_SHORT: &str = "the run was stopped before the tour was shown";

/// Says what came of it in a line, which goes where it is in nobody's way.
fn print_text(seek: &Seek, verdict: &Verdict, to_stdout: bool) -> io::Result<()> {
    if seek.generations {
        write!(io::stderr(), "{}", Generations(&verdict.generations))?;
    }
    let line = Line(seek, verdict);
    match &verdict.kind {
        Kind::Tours(tours) => {
            if !to_stdout {
                writeln!(io::stdout(), "{}", safe(&line.to_string()))?;
            } else if io::stderr().is_terminal() && !io::stdout().is_terminal() {
                writeln!(io::stderr(), "{}", safe(&line.to_string()))?;
            }
            let (found, wanted) = (tours.len() as u64, seek.request.tours);
            if found < wanted {
                let why = if verdict.stopped.is_some() { "the run was stopped" } else { "no more were found" };
                say(format_args!("{found} of {wanted} tours: {why}"))?;
            }
            Ok(())
        }
        Kind::NotFound(reason) if reason == CUT_SHORT => say(reason),
        _ => say(line),
    }
}

/// The object of a run that failed; whoever reads it is told the rest by stderr and the exit code.
fn print_failure(board: Board, failure: &Failure, json: bool) {
    if json && let Failure::Running(error) = failure {
        let failed = serde_json::json!({ "board": board.to_string(), "error": error, "complete": false });
        let _ = writeln!(io::stdout(), "{failed}");
    }
}

/// How far one question is, in one line.
fn progress(halt: &Halt) -> String {
    match (halt.run(0), halt.work()) {
        (Some(watch), _) => progress_of(&watch.snapshot()),
        (None, Some((n, work))) => format!("{} {work}", count(n)),
        (None, None) => String::new(),
    }
}

fn progress_of(now: &Snapshot) -> String {
    let busy = now.workers.iter().filter(|worker| worker.state.has_work()).count();
    let per_s = now.nodes() as f64 / now.elapsed.as_secs_f64().max(1e-3);
    let (clock, nodes, per_s) = (clock(now.elapsed), count(now.nodes()), rate(per_s));
    let [attempts, tours] = [now.attempts(), now.tours()].map(count);
    format!("{clock}  {attempts} attempts, {nodes} nodes, {per_s}/s, {tours} tours, {busy} busy")
}
