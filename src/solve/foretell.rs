//! How many tours a search finds in the end: from the tables, by a theorem, by a count that takes less than a second, or
//! about, from random walks.
//!
//! Only a number of the very question that is asked will do: of open tours from a start, of classes, or of tours of one
//! symmetry the number of all tours says nothing. Prune tests, schedulers and where a search of closed tours begins change
//! no number of tours.

use super::problem::Problem;

use super::card::{SearchedTours, SolverCard};
use crate::board::{CountKind, Ending};
use crate::count::estimate::{Estimator, WalkLimit, Walks};
use crate::count::{CountPlan, CountQuestion, CountWatch, Settings};
use crate::ranged::Ranged;
use crate::schedule::{Crew, TourForecast};
use crate::stop::Stop;

/// Bytes that the plan of a count takes at most. It bounds the time for the plan: that of 6x8 open and of 6x21 closed
/// takes a tenth of a second.
const PLAN_BYTES: u64 = 20 << 20;
/// Bytes that the whole count takes at most.
const COUNT_BYTES: u64 = 64 << 20;
/// States of one pass of the count. A thread stores some two hundred million in a second, and a number of up to 128
/// squares takes four passes at most.
const STATES: u64 = 45_000_000;
/// Squares of the largest board whose classes are counted: of longer boards the tours that a symmetry keeps take longer
/// than all tours.
const CLASSES_MAX: u32 = 64;
/// Walks of an estimate, which take some half a second.
const WALKS: u64 = 2000;
const WALKS_SEED: u64 = 1975;
/// By how much the range is wider, in factors, than the 95 % interval of the walks reaches upwards. Of 960 such ranges from
/// 2,000 walks on eight boards from 6x8 to 12x12, 954 held the number.
const WIDER: f64 = 1.3;

/// Says to the crew how many tours the search of a problem finds in the end, or how that number is found out.
pub fn foretell(crew: &mut Crew, problem: &Problem, card: &SolverCard) {
    let known = known(problem, card.tours);
    // A number that is found out later tells how many tours there are, and not how far the run is.
    let tells_progress = card.evenly && known.is_some();
    crew.set_tour_count(known.filter(|&tours| tours <= u64::MAX.into()).map(|tours| tours as u64), tells_progress);
    if let Some(find) = find(problem, card.tours, known) {
        crew.set_tour_forecast(find);
    }
}

/// The number that a table or a theorem gives.
fn known(problem: &Problem, of: SearchedTours) -> Option<u128> {
    if problem.impossible().is_some() {
        return Some(0);
    }
    match (of, problem.ending, problem.unique) {
        (SearchedTours::All, ..) => problem.listed(),
        (SearchedTours::QuarterTurn, Ending::Closed, false) => {
            Some(problem.board.known_count(CountKind::ClosedQuarterTurn)?.count)
        }
        (SearchedTours::QuarterTurn, Ending::Closed, true) => {
            Some(problem.board.known_count(CountKind::ClosedClassesQuarterTurn)?.count)
        }
        (SearchedTours::QuarterTurn, Ending::Open, _) => None,
    }
}

/// What finds out about the number what can be found out in a second or so.
fn find(problem: &Problem, of: SearchedTours, known: Option<u128>) -> Option<TourForecast> {
    match known {
        Some(tours) if tours > u64::MAX.into() => {
            return Some(Box::new(move |_| Some(Ranged::exact(tours as f64))));
        }
        Some(_) => return None,
        None if of == SearchedTours::QuarterTurn => return None,
        None => {}
    }
    let open = problem.ending == Ending::Open;
    let question = CountQuestion {
        start: problem.start.filter(|_| open),
        unique: problem.unique,
        ..CountQuestion::new(problem.board, problem.ending)
    };
    Some(Box::new(move |stop| counted(&question, stop).or_else(|| walked(&question, stop))))
}

/// The exact number, where a count of it takes less than a second. That is told by its plan, and by no clock: the answer
/// is the same on every machine.
fn counted(question: &CountQuestion, stop: &Stop) -> Option<Ranged> {
    if question.unique && question.board.squares() > CLASSES_MAX {
        return None;
    }
    let watch = CountWatch::heeding(stop.clone(), 1);
    let plan = CountPlan::new(question, PLAN_BYTES, &watch).ok()?;
    let settings = Settings { threads: 1, memory: COUNT_BYTES, ..Settings::default() };
    let answer = if plan.states() <= STATES { plan.run(&settings, &watch).ok() } else { None };
    Some(Ranged::exact(answer?.count?.to_string().parse().ok()?))
}

/// About how many tours there are, by random walks, which know all tours of a board only.
fn walked(question: &CountQuestion, stop: &Stop) -> Option<Ranged> {
    let CountQuestion { board, ending, start: None, unique: false, strict: false } = *question else { return None };
    let estimator = Estimator::new(board, ending).ok()?;
    let (tally, complete) = estimator.run(&Walks::heeding(stop.clone()), WALKS_SEED, WalkLimit::Samples(WALKS), 1);
    let [_, high] = tally.interval().filter(|_| complete)?;
    let mean = tally.estimate();
    Some(Ranged::about(mean, (high / mean).powf(WIDER)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::EventSender;
    use crate::schedule::{CrewPlan, Forecast, Scheduler};
    use crate::search::Prune;
    use crate::solve::enumerators;
    use std::time::Duration;

    fn problem(board: &str, ending: Ending) -> Problem {
        Problem::new(board.parse().unwrap(), ending)
    }

    /// What is told before anything is computed, and by that.
    fn told(problem: &Problem) -> (Option<u128>, Option<Ranged>) {
        let known = known(problem, SearchedTours::All);
        (known, find(problem, SearchedTours::All, known).and_then(|find| find(&Stop::default())))
    }

    /// What a run by this solver says when it has ended; with a limit of one tour, so that it ends at once.
    fn outlook(solver: &str, problem: Problem) -> Forecast {
        let plan = CrewPlan { estimate: Some(Duration::ZERO), ..CrewPlan::of(1, Scheduler::Serial) };
        let crew = Crew::new(plan, EventSender::nowhere());
        let solver = enumerators().find(|each| each.name() == solver).unwrap();
        solver.solve(&Problem { limit: Some(1), ..problem }, crew, None).unwrap().outlook
    }

    #[test]
    fn every_solver_says_a_number_that_the_tables_have_whatever_it_prunes() {
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
        assert_eq!(known(&classes, SearchedTours::QuarterTurn), Some(5));
    }

    #[test]
    fn what_no_table_has_is_counted_where_that_takes_a_moment() {
        let (closed, open) = (|board: &str| problem(board, Ending::Closed), |board: &str| problem(board, Ending::Open));
        let from = |board: &str, start: &str| {
            let problem = open(board);
            Problem { start: problem.board.parse_square(start).ok(), ..problem }
        };
        for (problem, tours) in [
            (from("5x5", "a1"), 304.0),
            (from("5x6", "a1"), 4542.0),
            (Problem { unique: true, ..open("5x5") }, 112.0),
            (Problem { unique: true, ..closed("5x8") }, 11_056.0),
            (open("3x13"), 257_728.0),
        ] {
            let (known, found) = told(&problem);
            assert_eq!((known, found), (None, Some(Ranged::exact(tours))), "{problem:?}");
        }
    }

    /// `edges` finds tours evenly, so a number from the tables tells how far its search is.
    #[test]
    fn a_number_that_is_counted_beside_the_workers_does_not_tell_how_far_they_are() {
        let all = problem("5x8", Ending::Closed);
        let classes = Problem { unique: true, ..all.clone() };
        assert_eq!((told(&all), told(&classes)), ((Some(44_202), None), (None, Some(Ranged::exact(11_056.0)))));
        assert_eq!([all, classes].map(|problem| outlook("edges", problem).evenly), [true, false]);
    }

    #[test]
    fn a_number_of_other_tours_is_not_said() {
        let from = Problem { start: problem("6x6", Ending::Open).board.at(0), ..problem("6x6", Ending::Open) };
        assert_eq!(known(&from, SearchedTours::All), None, "6,637,920 are those from all squares");
        assert_eq!(known(&Problem { unique: true, ..problem("6x6", Ending::Open) }, SearchedTours::All), None);
        assert_eq!(known(&problem("8x8", Ending::Open), SearchedTours::QuarterTurn), None);
    }

    #[test]
    fn there_are_none_where_a_theorem_says_so() {
        assert_eq!(told(&problem("4x4", Ending::Closed)), (Some(0), None));
        let from = problem("5x5", Ending::Open);
        assert_eq!(told(&Problem { start: from.board.parse_square("a2").ok(), ..from }), (Some(0), None));
    }

    #[test]
    fn what_takes_longer_to_count_is_told_about() {
        let question = CountQuestion::new("10x10".parse().unwrap(), Ending::Closed);
        assert_eq!(counted(&question, &Stop::default()), None);
        let (known, about) = told(&problem("10x10", Ending::Closed));
        let Ranged { low, high, .. } = about.unwrap();
        assert!(known.is_none() && low < 1.0669e26 && 1.0669e26 < high && high / low < 2.0, "{low} {high}");
    }

    #[test]
    fn a_number_beyond_64_bits_is_told_as_known() {
        let tours = 53_034_853_662_012_222_798;
        assert_eq!(told(&problem("5x20", Ending::Closed)), (Some(tours), Some(Ranged::exact(tours as f64))));
    }

    #[test]
    fn a_computation_that_is_told_to_stop_says_nothing() {
        let stop = Stop::default();
        stop.ask(crate::stop::StopReason::Asked);
        let find = find(&problem("10x10", Ending::Open), SearchedTours::All, None).unwrap();
        assert_eq!(find(&stop), None);
    }
}
