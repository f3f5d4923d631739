//! What is shown step by step: a search, and the position at which the view begins.

use crate::board::{Board, Ending, Shape};
use crate::explain::{Explained, Tape};
use crate::run::Question;
use crate::search::Drawing;
use crate::ui::kit::keys::Action;
use std::cmp::Ordering;

/// A search for the step view.
pub struct StepSubject {
    pub shape: Shape,
    /// Open or closed tours.
    pub ending: Ending,
    pub method: String,
    /// Further conditions, in few words; may be empty.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
    /// The position at which the view begins; without it the beginning of the search.
    pub place: Option<WorkerPlace>,
    /// The search before its first step.
    pub search: Box<dyn Explained>,
}

/// The position of a worker.
#[derive(Clone, Debug)]
pub struct WorkerPlace {
    pub worker: usize,
    /// The position; it may be empty.
    pub position: Drawing,
    /// What the run does while it is not seen, as a sentence.
    pub meanwhile: &'static str,
}

impl WorkerPlace {
    /// What the view says when it opens, with the search led as far as it goes: to `reached`.
    fn notice(&self, reached: &Drawing) -> String {
        let WorkerPlace { worker, position, meanwhile } = self;
        let (back, first) = (Action::Back.key(), Action::First.key());
        if position.is_empty() {
            return format!("worker {worker} has no position at this moment: this is the beginning of the search");
        }
        if position.skipped > 0 {
            return format!(
                "the path of worker {worker} is too long to lead there: this is the beginning of the search"
            );
        }
        if !self.is_reached(reached) {
            return format!("the search could not be led to worker {worker}: this is as far as it came");
        }
        format!("a copy of worker {worker}'s search; {meanwhile}. {back} goes back on its way, {first} to the root")
    }

    /// Whether the search has been led to the position.
    fn is_reached(&self, reached: &Drawing) -> bool {
        !self.position.is_empty() && self.position.skipped == 0 && reached.chains == self.position.chains
    }
}

impl StepSubject {
    /// The search of a question.
    ///
    /// # Errors
    /// A sentence that says why the search cannot be shown step by step.
    pub fn of(question: &Question) -> Result<StepSubject, String> {
        // A search that counts classes may walk another tree, and the steps would show another number of tours.
        if matches!(question, Question::Search(_, problem) if problem.unique) {
            return Err("the step view counts every tour, not classes of tours: leave out --unique".to_owned());
        }
        let search = match question {
            Question::Search(solver, problem) => solver.step_view(problem),
            Question::Find(finder, request) => finder.step_view(request),
        };
        let (method, detail) = (question.method().to_owned(), question.detail(false));
        let search = search.map_err(|refusal| refusal.to_string())?;
        let (shape, ending) = (question.shape().clone(), question.ending());
        Ok(StepSubject { shape, ending, method, detail, note: None, place: None, search })
    }

    /// The question, the search at the position at which the view begins, and what the view says of it.
    pub(super) fn into_tape(self) -> (StepTitle, Tape, Option<String>) {
        let StepSubject { shape, ending, method, detail, note, place, mut search } = self;
        if let Some(place) = &place {
            search.lead(&place.position);
        }
        let mut tape = Tape::new(search);
        while tape.search().is_led() {
            tape.forward();
        }
        let mut reached = Drawing::default();
        tape.search().draw(&mut reached);
        let notice = place.as_ref().map(|place| place.notice(&reached));
        let place = place.filter(|place| place.is_reached(&reached));
        let place = place.map(|place| PlaceOnTape { worker: place.worker, step: tape.at() });
        (StepTitle { shape, ending, method, detail, note, place }, tape, notice)
    }
}

/// The place of a worker on a tape, to which the search was led.
#[derive(Clone, Copy, Debug)]
pub struct PlaceOnTape {
    worker: usize,
    step: u64,
}

impl PlaceOnTape {
    /// Where a step lies, seen from the place; on a narrow screen the worker alone.
    pub fn name(self, step: u64, narrow: bool) -> String {
        let PlaceOnTape { worker, step: place } = self;
        let side = match step.cmp(&place) {
            Ordering::Less => "before",
            Ordering::Equal => "at",
            Ordering::Greater => "after",
        };
        format!("{side} worker {worker}{}", if narrow { "" } else { "'s place" })
    }
}

/// The question of the search, for the header.
#[derive(Clone, Debug)]
pub struct StepTitle {
    pub shape: Shape,
    /// Open or closed tours.
    pub ending: Ending,
    pub method: String,
    /// Further conditions.
    pub detail: String,
    /// A remark for the log before the first step.
    pub note: Option<String>,
    /// The place of the worker at which the view began.
    pub place: Option<PlaceOnTape>,
}

impl StepTitle {
    /// The rectangle, holes included.
    pub fn board(&self) -> Board {
        self.shape.board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{Problem, solver_by_name};

    /// A search of 6x6 that counts tours, or classes of tours.
    fn question(method: &str, unique: bool) -> Question {
        let problem = Problem { unique, ..Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed) };
        Question::Search(solver_by_name(method).unwrap(), problem)
    }

    #[test]
    fn classes_of_tours_are_not_shown_as_tours() {
        for method in ["edges", "path", "radley"] {
            assert!(StepSubject::of(&question(method, false)).is_ok());
            let refused = StepSubject::of(&question(method, true)).err();
            assert!(refused.is_some_and(|why| why.ends_with("leave out --unique")), "{method}");
        }
    }

    #[test]
    fn a_position_that_the_search_does_not_reach_is_not_called_the_one_of_the_worker() {
        for method in ["edges", "path", "radley"] {
            // No move leads from one corner to the other.
            let position = Drawing { chains: vec![vec![0, 35]], ..Drawing::default() };
            let place = Some(WorkerPlace { worker: 3, position, meanwhile: "the run goes on" });
            let subject = StepSubject { place, ..StepSubject::of(&question(method, false)).unwrap() };
            let (title, _, said) = subject.into_tape();
            assert!(title.place.is_none(), "{method}");
            assert!(said.is_some_and(|said| said.starts_with("the search could not be led to worker 3")), "{method}");
        }
    }
}
