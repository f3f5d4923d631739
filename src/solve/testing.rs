//! What the tests of the finders share: a crew without observers, and the tours of an answer.

use super::finder::{FindAnswer, FindResult, Finder, Request};
use crate::board::Square;
use crate::event::EventSender;
use crate::schedule::{Crew, CrewPlan, Scheduler};

/// A crew without observers.
pub fn crew(threads: usize) -> Crew {
    Crew::new(CrewPlan::of(threads, Scheduler::HIRE), EventSender::nowhere())
}

/// The answer of a finder with `threads` threads: tours, or the reason why there is none.
pub fn ask(finder: &dyn Finder, request: &Request, threads: usize) -> Result<Vec<Vec<Square>>, String> {
    finder.admits(request).map_err(|refusal| format!("refused: {refusal}"))?;
    match finder.find(request, crew(threads), &|_, _| {}).unwrap().answer {
        FindAnswer::Tours(routes) => Ok(routes.iter().map(|route| route.walk().collect()).collect()),
        FindAnswer::Impossible(reason) => Err(format!("impossible: {reason}")),
        FindAnswer::NotFound(reason) | FindAnswer::Refused(reason) => Err(reason),
    }
}

/// The tours of an answer.
pub fn tours(found: &FindResult) -> Vec<Vec<Square>> {
    match &found.answer {
        FindAnswer::Tours(routes) => routes.iter().map(|route| route.walk().collect()).collect(),
        answer => panic!("{answer:?}"),
    }
}
