//! The number of tours that a search will find: from the tables, by a theorem, by a count that takes less than a second, or
//! an estimate from random walks.
//!
//! Only the number for exactly this question is of use: the number of all tours says nothing about open tours from a start,
//! about classes, or about tours of one symmetry. Prune tests, schedulers and the start of a search of closed tours change
//! no number of tours.

use super::card::{SearchedTours, SolverCard};
use super::problem::Problem;
use crate::board::{CountKind, Ending};
use crate::count::estimate::{Estimator, WalkLimit, Walks};
use crate::count::{CountPlan, CountQuestion, CountWatch, Settings};
use crate::ranged::Ranged;
use crate::schedule::{Crew, TourForecast};
use crate::stop::Stop;

/// Memory limit for the plan of a count, in bytes. It bounds the time for the plan: the plans of 6x8 open and of 6x21 closed
/// take a tenth of a second.
const PLAN_BYTES: u64 = 20 << 20;
/// Memory limit for the whole count, in bytes.
const COUNT_BYTES: u64 = 64 << 20;
/// Most states of one pass of the count. A thread stores about two hundred million states in a second, and the number of a
/// board of up to 128 squares takes at most four passes.
const STATES: u64 = 45_000_000;
/// Number of squares of the largest board whose classes are counted. On longer boards the count of the symmetric tours takes
/// longer than the count of all tours.
const CLASSES_MAX: u32 = 64;
/// Number of walks of an estimate, which take about half a second.
const WALKS: u64 = 2000;
const WALKS_SEED: u64 = 1975;
/// The exponent that widens the range of an estimate: its factor is `high / mean` raised to this power, where `high` is the
/// upper end of the 95 % interval of the walks. Of 960 ranges from 2,000 walks on eight boards from 6x8 to 12x12, 954 held
/// the number.
const WIDER: f64 = 1.3;

/// Gives the crew the number of tours that the search of a problem will find, or a function that computes it.
pub fn forecast_tours(crew: &mut Crew, problem: &Problem, card: &SolverCard) {
    let known = known_tours(problem, card.tours);
    // A number computed during the run is shown as the number of tours, and not used for the progress of the run.
    let tells_progress = card.evenly && known.is_some();
    crew.set_tour_count(known.filter(|&tours| tours <= u64::MAX.into()).map(|tours| tours as u64), tells_progress);
    if let Some(find) = tour_forecast(problem, card.tours, known) {
        crew.set_tour_forecast(find);
    }
}

/// The number of tours from a table or a theorem.
fn known_tours(problem: &Problem, of: SearchedTours) -> Option<u128> {
    if problem.why_impossible().is_some() {
        return Some(0);
    }
    match (of, problem.ending, problem.unique) {
        (SearchedTours::All, ..) => problem.tabulated_tours(),
        (SearchedTours::QuarterTurn, Ending::Closed, unique) => {
            let kind = if unique { CountKind::ClosedClassesQuarterTurn } else { CountKind::ClosedQuarterTurn };
            Some(problem.whole_board()?.known_count(kind)?.count)
        }
        (SearchedTours::QuarterTurn, Ending::Open, _) => None,
    }
}

/// A function that computes the number of tours, or a range of it, within about a second.
fn tour_forecast(problem: &Problem, of: SearchedTours, known: Option<u128>) -> Option<TourForecast> {
    match known {
        Some(tours) if tours > u64::MAX.into() => {
            return Some(Box::new(move |_| Some(Ranged::exact(tours as f64))));
        }
        Some(_) => return None,
        None if of == SearchedTours::QuarterTurn => return None,
        None => {}
    }
    let start = problem.start.filter(|_| problem.ending == Ending::Open);
    let any = CountQuestion::new(problem.whole_board()?, problem.ending);
    let question = CountQuestion { start, unique: problem.unique, ..any };
    Some(Box::new(move |stop| count_quickly(&question, stop).or_else(|| estimate_by_walks(&question, stop))))
}

/// The exact number, if its count takes less than a second. The plan of the count decides that, not a clock, so the answer
/// does not depend on the machine.
fn count_quickly(question: &CountQuestion, stop: &Stop) -> Option<Ranged> {
    if question.unique && question.board().squares() > CLASSES_MAX {
        return None;
    }
    let watch = CountWatch::with_stop(stop.clone(), 1);
    let plan = CountPlan::new(question, PLAN_BYTES, &watch).ok()?;
    let settings = Settings { threads: 1, memory: COUNT_BYTES, ..Settings::default() };
    let answer = if plan.states() <= STATES { plan.run(&settings, &watch, None).ok() } else { None };
    Some(Ranged::exact(answer?.count()?.to_string().parse().ok()?))
}

/// A range for the number of tours by random walks, which can estimate only the number of all tours of a board.
fn estimate_by_walks(question: &CountQuestion, stop: &Stop) -> Option<Ranged> {
    let &CountQuestion { ref shape, range: None, ending, start: None, unique: false, strict: false } = question else {
        return None;
    };
    let estimator = Estimator::new(shape, ending).ok()?;
    let (tally, complete) = estimator.run(&Walks::with_stop(stop.clone()), WALKS_SEED, WalkLimit::Samples(WALKS), 1);
    let [_, high] = tally.interval().filter(|_| complete)?;
    let mean = tally.estimate();
    Some(Ranged::about(mean, (high / mean).powf(WIDER)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::event::EventSender;
    use crate::schedule::{CrewPlan, Forecast, Scheduler};
    use crate::search::Prune;
    use crate::solve::enumerators;
    use std::time::Duration;

    fn problem(board: &str, ending: Ending) -> Problem {
        Problem::new(board.parse::<Shape>().unwrap(), ending)
    }

    /// The number from the tables, and the range that is computed.
    fn forecasts(problem: &Problem) -> (Option<u128>, Option<Ranged>) {
        let known = known_tours(problem, SearchedTours::All);
        (known, tour_forecast(problem, SearchedTours::All, known).and_then(|find| find(&Stop::default())))
    }

    /// The forecast at the end of a run with a limit of one tour, which makes the run short.
    fn outlook(solver: &str, problem: Problem) -> Forecast {
        let plan = CrewPlan { estimate: Some(Duration::ZERO), ..CrewPlan::of(1, Scheduler::SERIAL) };
        let crew = Crew::new(plan, EventSender::nowhere());
        let solver = enumerators().find(|each| each.name() == solver).unwrap();
        solver.solve(&Problem { limit: Some(1), ..problem }, crew, None).unwrap().outlook
    }

    #[test]
    fn every_solver_forecasts_the_number_of_the_tables_whatever_it_prunes() {
        let (closed, open) = (|board: &str| problem(board, Ending::Closed), |board: &str| problem(board, Ending::Open));
        let pruned = Problem { prune: Prune::AnyIsolated, ..closed("6x6") };
        let unique = Problem { unique: true, ..closed("6x6") };
        for (solver, problem, tours, evenly) in [
            ("radley", closed("6x6"), 9862, false),
            ("radley", pruned, 9862, false),
            ("radley", closed("6x7"), 1_067_638, false),
            ("edges", closed("6x6"), 9862, true),
            ("edges", unique, 1245, true),
            ("path", closed("6x7"), 1_067_638, true),
            ("brute", open("5x6"), 37_568, false),
            ("quarter-turn", closed("6x6"), 10, false),
        ] {
            let said = outlook(solver, problem);
            assert_eq!((said.tours, said.evenly), (Some(tours), evenly), "{solver}");
        }
        let classes = Problem { unique: true, ..closed("6x6") };
        assert_eq!(known_tours(&classes, SearchedTours::QuarterTurn), Some(5));
    }

    #[test]
    fn a_number_that_no_table_has_is_counted_if_that_is_quick() {
        let (closed, open) = (|board: &str| problem(board, Ending::Closed), |board: &str| problem(board, Ending::Open));
        let from = |board: &str, start: &str| {
            let problem = open(board);
            Problem { start: problem.board().parse_square(start).ok(), ..problem }
        };
        for (problem, tours) in [
            (from("5x5", "a1"), 304.0),
            (from("5x6", "a1"), 4542.0),
            (Problem { unique: true, ..open("5x5") }, 112.0),
            (Problem { unique: true, ..closed("5x8") }, 11_056.0),
            (open("3x13"), 257_728.0),
        ] {
            let (known, found) = forecasts(&problem);
            assert_eq!((known, found), (None, Some(Ranged::exact(tours))), "{problem:?}");
        }
    }

    /// `edges` finds tours evenly, so a number from the tables tells how far its search is.
    #[test]
    fn a_number_counted_during_the_run_gives_no_progress() {
        let all = problem("5x8", Ending::Closed);
        let classes = Problem { unique: true, ..all.clone() };
        assert_eq!(
            (forecasts(&all), forecasts(&classes)),
            ((Some(44_202), None), (None, Some(Ranged::exact(11_056.0))))
        );
        assert_eq!([all, classes].map(|problem| outlook("edges", problem).evenly), [true, false]);
    }

    #[test]
    fn the_number_of_other_tours_is_no_forecast() {
        let from = Problem { start: problem("6x6", Ending::Open).board().at(0), ..problem("6x6", Ending::Open) };
        assert_eq!(known_tours(&from, SearchedTours::All), None, "6,637,920 are those from all squares");
        assert_eq!(known_tours(&Problem { unique: true, ..problem("6x6", Ending::Open) }, SearchedTours::All), None);
        assert_eq!(known_tours(&problem("8x8", Ending::Open), SearchedTours::QuarterTurn), None);
    }

    #[test]
    fn a_theorem_forecasts_zero_tours() {
        assert_eq!(forecasts(&problem("4x4", Ending::Closed)), (Some(0), None));
        let from = problem("5x5", Ending::Open);
        assert_eq!(forecasts(&Problem { start: from.board().parse_square("a2").ok(), ..from }), (Some(0), None));
    }

    #[test]
    fn a_number_that_takes_longer_to_count_is_estimated() {
        let question = CountQuestion::new("10x10".parse::<Shape>().unwrap(), Ending::Closed);
        assert_eq!(count_quickly(&question, &Stop::default()), None);
        let (known, about) = forecasts(&problem("10x10", Ending::Closed));
        let Ranged { low, high, .. } = about.unwrap();
        assert!(known.is_none() && low < 1.0669e26 && 1.0669e26 < high && high / low < 2.0, "{low} {high}");
    }

    #[test]
    fn a_number_beyond_64_bits_is_forecast_as_exact() {
        let tours = 53_034_853_662_012_222_798;
        assert_eq!(forecasts(&problem("5x20", Ending::Closed)), (Some(tours), Some(Ranged::exact(tours as f64))));
    }

    #[test]
    fn a_stopped_forecast_has_no_number() {
        let stop = Stop::default();
        stop.ask(crate::stop::StopReason::Asked);
        let find = tour_forecast(&problem("10x10", Ending::Open), SearchedTours::All, None).unwrap();
        assert_eq!(find(&stop), None);
    }
}
