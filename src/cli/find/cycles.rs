//! `find --watch` of the three-cycle board: its cycles on the screen, and their result when the view is left.

use super::report::print_answer;
use super::shown::TourDisplay;
use crate::cli::adapter;
use crate::cli::screen::signal_of;
use crate::job::{ActiveRuns, Failure, RaceVerdict, by_signal, race_request, running, usage};
use crate::run::{Plan, RunDone};
use crate::solve;
use crate::ui::cycles;

/// Shows the one run of the three-cycle board, and prints its result if the run was seen to its end. Returns the exit code.
///
/// # Errors
/// [`Failure`] on bad input, or when the view or the run failed.
pub fn run(plan: Plan) -> Result<u8, Failure> {
    let request = race_request(&plan).1;
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
    let verdict = RaceVerdict { plan, done, generations: None };
    let is_found = !verdict.done.tours().is_empty();
    if is_found {
        TourDisplay::default().target(&verdict.plan)?.show(&verdict, &ActiveRuns::default())?;
    }
    print_answer(&verdict, true)?;
    Ok(u8::from(!is_found))
}
