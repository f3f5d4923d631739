//! What the tests of the finders share: a crew that nobody watches, and what it comes to.

use super::finder::{Answer, Finder, Found, Request};
use crate::board::Square;
use crate::event::EventSender;
use crate::schedule::{Crew, CrewPlan, Scheduler};

/// A crew that nobody watches.
pub fn crew(threads: usize) -> Crew {
    Crew::new(CrewPlan::of(threads, Scheduler::Hire), EventSender::nowhere())
}

/// The answer of a finder with this many threads: tours, or the reason.
pub fn ask(finder: &dyn Finder, request: &Request, threads: usize) -> Result<Vec<Vec<Square>>, String> {
    finder.admits(request).map_err(|refusal| format!("refused: {refusal}"))?;
    match finder.find(request, crew(threads)).unwrap().answer {
        Answer::Tours(routes) => Ok(routes.iter().map(|route| route.walk().collect()).collect()),
        Answer::Impossible(reason) => Err(format!("impossible: {reason}")),
        Answer::NotFound(reason) | Answer::Refused(reason) => Err(reason),
    }
}

/// The tours of an answer.
pub fn tours(found: &Found) -> Vec<Vec<Square>> {
    match &found.answer {
        Answer::Tours(routes) => routes.iter().map(|route| route.walk().collect()).collect(),
        answer => panic!("{answer:?}"),
    }
}
