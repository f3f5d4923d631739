//! `find --uniform`: tours drawn at random, every tour of the board equally likely.
//!
//! Numbers are drawn below the number of tours, independently, and the tours with these numbers are made (see
//! [`count::number`](crate::count::number)): so one may come twice, and none is favoured.

use super::args::FindArgs;
use crate::board::{Shape, Tour};
use crate::cli::found::{FormatOptions, Target, find_report, print_answer, tell_tours};
use crate::count::CountQuestion;
use crate::count::number::{NUMBERING, draw};
use crate::job::{
    ActiveRuns, Answer, Failure, NoReason, RaceVerdict, Report, keys, note, print_object, progress, put, race_request,
};
use crate::run::Plan;
use crate::solve::{self, FindAnswer, Problem};
use crate::words::{grouped, number_of, short};
use std::time::Instant;

/// What was drawn, of so many.
struct Drawn {
    count: u128,
    numbers: Vec<u128>,
    tours: Vec<Tour>,
}

/// Draws tours and shows them.
///
/// # Errors
/// [`Failure`] on bad input, when the tours cannot be numbered, or when they cannot be written.
pub fn run(args: &FindArgs, shape: &Shape) -> Result<Answer, Failure> {
    let (began, question) = (Instant::now(), args.question(shape)?);
    let target = match args.shown.target(&question.plan)? {
        // Boards whose tours have numbers are small: a terminal too narrow for one gets it all the same.
        Target::Summary => Target::Stdout(FormatOptions::GRID),
        target => target,
    };
    let request = race_request(&question.plan).1;
    if args.by.seed_was_drawn() && !args.shown.json {
        note(format_args!("seed {}\n", request.seed))?;
    }
    let mut none = None;
    for plan in question.plans() {
        let ending = race_request(&plan).1.ending;
        let reason = match plan.question.impossible() {
            Some(reason) => reason,
            None => {
                let question = CountQuestion { start: request.start, ..CountQuestion::new(&request.shape, ending) };
                let drawn = args.layers().numbered(&question, args.shown.json, |numbering, step_done| {
                    let numbers = numbering.numbers(None)?;
                    let count = numbers.count();
                    let drawn = if count == 0 { Vec::new() } else { draw(count, request.tours as usize, request.seed) };
                    Ok(Drawn { count, tours: numbers.tours(&drawn, step_done)?, numbers: drawn })
                })?;
                match drawn {
                    Err(answer) => return Ok(answer),
                    Ok(drawn) if drawn.count > 0 => return show(args, plan, target, &drawn, began),
                    Ok(_) => {
                        let problem = Problem { start: request.start, ..Problem::new(&request.shape, ending) };
                        problem.why_impossible().unwrap_or("counted: there is none".to_owned())
                    }
                }
            }
        };
        none = Some(RaceVerdict::idle(plan, FindAnswer::Impossible(reason)));
    }
    let none = none.unwrap_or_else(|| unreachable!("at least one ending is tried"));
    if args.shown.json {
        print_object(&find_report(&none, args.wanted.tours.is_some()))
    } else {
        print_answer(&none, true, false)
    }?;
    Ok(Answer::No(NoReason::NoTour))
}

/// Shows what was drawn, and says what it is.
fn show(args: &FindArgs, plan: Plan, target: Target, drawn: &Drawn, began: Instant) -> Result<Answer, Failure> {
    let is_file = matches!(target, Target::Named(..));
    let routes = drawn.tours.iter().map(solve::packed_route).collect();
    let verdict = RaceVerdict::idle(plan, FindAnswer::Tours(routes));
    let runs = ActiveRuns::default();
    let body = || target.show(&verdict, &runs);
    let (shown, signal) = runs.attend(|| runs.progress(progress::race), body)?;
    if let (Err(_), Some(signal)) = (&shown, signal) {
        return Ok(Answer::Signal(signal));
    }
    shown?;
    let (request, elapsed_s) = (verdict.request(), began.elapsed().as_secs_f64());
    if args.shown.json {
        let mut report = Report::default();
        let (ending, method) = (request.ending.name(), "uniform");
        keys!(report, request.board(), "holes"? => request.shape.has_holes().then(|| request.shape.hole_names()), ending, method);
        tell_tours(&mut report, &verdict, args.wanted.tours.is_some());
        keys!(report, "numbering" => NUMBERING, "count" => drawn.count.to_string());
        keys!(report, "numbers" => drawn.numbers.iter().map(u128::to_string).collect::<Vec<_>>(), request.seed);
        keys!(report, verdict.plan.threads, elapsed_s, "complete" => true);
        print_object(&report)?;
    } else if is_file {
        let (board, ending) = (request.shape.short(), request.ending.name());
        let (tours, count) = (grouped(drawn.tours.len()), number_of(drawn.count, &format!("{ending} tour")));
        let (seed, time) = (request.seed, short(elapsed_s));
        put(format_args!("{board}: {tours} drawn of {count}, seed {seed}, in {time}\n"))?;
    }
    Ok(Answer::Yes.or_signal(signal))
}
