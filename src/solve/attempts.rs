//! Finders that race numbered attempts. All are values of one type, [`AttemptFinder`]: a card, what the finder takes, and its
//! attempts at a request.

use super::card::Refusal;
use super::finder::{FindAnswer, FindResult, Finder, FinderCard, GenerationListener, Request, no_step_view};
use crate::explain::Explained;
use crate::find::Attempt;
use crate::schedule::{Attempts, Crew, RaceEnd, RaceResult, RunError};
use crate::words::grouped;

/// A finder that races numbered attempts.
pub struct AttemptFinder {
    pub card: &'static FinderCard,
    /// Checks whether the finder, whose name is given, takes the request.
    pub admits: fn(&Request, &str) -> Result<(), Refusal>,
    /// The attempts at an admitted request, or why there is no such tour. The listener gets the generations, if the method
    /// has generations.
    pub attempts: for<'a> fn(&'a Request, &'a GenerationListener<'a>) -> Result<AttemptSeries<'a>, String>,
    /// The step view, where the finder has one.
    pub step_view: Option<StepView>,
}

/// Makes the step view of a request.
type StepView = fn(&Request) -> Result<Box<dyn Explained>, Refusal>;

/// Numbered attempts, and what is said where all end without a tour.
pub struct AttemptSeries<'a> {
    pub attempts: Box<Attempts<'a>>,
    pub why_none: Box<dyn Fn(&RaceResult) -> String + 'a>,
    /// Whether there is no tour, or no other one, where an attempt has tried everything.
    pub is_proof: bool,
}

impl<'a> AttemptSeries<'a> {
    /// The attempts by number, up to the first number that has none.
    pub fn new<A: Attempt + 'a>(
        attempt: impl Fn(u64) -> Option<A> + Sync + 'a,
        why_none: impl Fn(&RaceResult) -> String + 'a,
    ) -> AttemptSeries<'a> {
        let attempts = Box::new(move |number| Some(Box::new(attempt(number)?) as Box<dyn Attempt + 'a>));
        AttemptSeries { attempts, why_none: Box::new(why_none), is_proof: true }
    }

    /// Attempts of up to `nodes_max` nodes each. One that reaches its end has tried everything.
    pub fn up_to<A: Attempt + 'a>(nodes_max: u64, attempt: impl Fn(u64) -> Option<A> + Sync + 'a) -> AttemptSeries<'a> {
        AttemptSeries::new(attempt, move |finish| match finish.end {
            RaceEnd::Exhausted => "an exhaustive search found none".to_owned(),
            _ => format!(
                "not found within the limit of {} attempts of up to {} nodes, which proves nothing",
                grouped(finish.attempts),
                grouped(nodes_max)
            ),
        })
    }
}

impl Finder for AttemptFinder {
    fn card(&self) -> &'static FinderCard {
        self.card
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        (self.admits)(request, self.name())
    }

    fn find(&self, request: &Request, crew: Crew, listener: &GenerationListener<'_>) -> Result<FindResult, RunError> {
        let AttemptSeries { attempts, why_none, is_proof } = match (self.attempts)(request, listener) {
            Ok(series) => series,
            Err(reason) => return FindResult::impossible(&crew, reason),
        };
        let mut found = request.race(&crew, &*attempts, why_none)?;
        found.outcome.has_all &= is_proof;
        Ok(match found.answer {
            FindAnswer::Impossible(reason) if !is_proof => FindResult { answer: FindAnswer::NotFound(reason), ..found },
            _ => found,
        })
    }

    fn step_view(&self, request: &Request) -> Result<Box<dyn Explained>, Refusal> {
        self.step_view.map_or_else(|| no_step_view(self.name()), |view| view(request))
    }
}
