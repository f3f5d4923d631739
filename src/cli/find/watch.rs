//! `find --watch`: a race in the live view, or the cycles of the three-cycle board on the screen, and the result when the
//! view is left.

use super::args::FindArgs;
use super::race::say_seed;
use crate::board::Shape;
use crate::cli::adapter;
use crate::cli::found::{TourDisplay, print_answer};
use crate::cli::screen::signal_of;
use crate::cli::search::run::SearchJob;
use crate::cli::terminal::watch_needs_terminal;
use crate::job::saving::SearchOutput;
use crate::job::{self, ActiveRuns, Answer, Failure, NoReason, RaceVerdict, race_request, refuse_if, running, usage};
use crate::run::{Beginning, Plan, RunDone};
use crate::solve;
use crate::ui::step::{self, CyclesSubject};

/// Shows the race, or the cycles of the three-cycle board.
///
/// # Errors
/// [`Failure`] on bad input, without a terminal, or when the view or the run failed.
pub fn run(args: &FindArgs, shape: &Shape) -> Result<Answer, Failure> {
    let question = args.question(shape)?;
    let plan = question.first().map_err(usage)?;
    watch_needs_terminal()?;
    let options = args.run_options(&question)?;
    if args.by.seed_was_drawn() {
        say_seed(&plan)?;
    }
    if race_request(&plan).0.card().cycles {
        cycles_of(plan)
    } else {
        job::run(SearchJob::new(plan, SearchOutput::default()).viewed(None, Beginning::default()), &options)
    }
}

/// Shows the one run of the three-cycle board, and prints its result if the run was seen to its end.
fn cycles_of(plan: Plan) -> Result<Answer, Failure> {
    let request = race_request(&plan).1;
    let is_one = plan.deadline.is_none() && request.tours <= 1;
    refuse_if(!is_one, "--watch shows one run of gpu-cycles: leave out --deadline and --tours")?;
    let subject = CyclesSubject::of(request, true).map_err(usage)?;
    let (exit, last) = step::run_cycles(subject)?;
    if let Some(signal) = signal_of(exit) {
        return Ok(Answer::Signal(signal));
    }
    let Some(last) = last else { return Ok(Answer::Yes) };
    let (last, by) = last.map_err(running)?;
    adapter::tell_of(Some(&by))?;
    let answer = Some(solve::answer_of_cycles(request, &last));
    let done = RunDone { answer, device: Some(by), ..RunDone::default() };
    let verdict = RaceVerdict { plan, done, generations: None };
    let is_found = !verdict.done.tours().is_empty();
    if is_found {
        TourDisplay::default().target(&verdict.plan)?.show(&verdict, &ActiveRuns::default())?;
    }
    print_answer(&verdict, true, false)?;
    Ok(Answer::no_if(!is_found, NoReason::NoTour))
}
