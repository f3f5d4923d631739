//! A question about single tours to one method: the endings tried in turn, and the answer.

use super::active::ActiveRuns;
use crate::board::{Ending, Route, Square, Tour};
use crate::find::genetic::Generation;
use crate::lock::LockAlways as _;
use crate::run::{Continuation, End, Plan, Question, RunDone, SearchEnd};
use crate::schedule::{Levels, RunError};
use crate::solve::{self, FindAnswer, Finder, Request};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What is looked for, by which method, and how hard.
#[derive(Clone)]
pub struct RaceQuestion {
    /// The question and how the work is shared; the ending is set to each of those tried.
    pub plan: Plan,
    /// The endings that will do, the preferred one first.
    pub endings: &'static [Ending],
    /// Why there is no tour, if that is known from the question.
    pub impossible: Option<String>,
    /// The second square, where the direction of a closed tour is prescribed.
    pub direction: Option<Square>,
    /// Whether every generation is kept, of a method that breeds.
    pub generations: bool,
}

/// The answer to a question.
pub struct RaceVerdict {
    /// The question: its ending is that of the tours, or the last one that was tried.
    pub plan: Plan,
    /// The answer, and what it cost.
    pub done: RunDone,
    /// The generations of each attempt, by its number and then by theirs, where they were asked for.
    pub generations: Option<Vec<(u64, Generation)>>,
}

/// The method that looks for the tours of a plan, and its request.
pub fn race_request(plan: &Plan) -> (&'static dyn Finder, &Request) {
    match &plan.question {
        Question::Find(finder, request) => (*finder, request),
        Question::Search(..) => unreachable!("this command asks for single tours"),
    }
}

/// The same plan, which asks something else of the same method.
pub fn with_request(plan: &Plan, request: Request) -> Plan {
    Plan { question: Question::Find(race_request(plan).0, request), ..plan.clone() }
}

impl RaceVerdict {
    /// An answer without any work.
    pub fn idle(plan: Plan, answer: FindAnswer) -> RaceVerdict {
        RaceVerdict { plan, done: RunDone { answer: Some(answer), ..RunDone::default() }, generations: None }
    }

    /// How the race ended, for its journal.
    pub fn end(&self) -> End {
        let mut ended = SearchEnd::of(&self.done, self.request().board());
        ended.stopped = ended.stopped.map(|reason| reason.with_signal(true));
        End::Run(ended)
    }

    /// What was asked.
    pub fn request(&self) -> &Request {
        race_request(&self.plan).1
    }

    /// The method that answered: the one asked, or the one it leaves the question to.
    pub fn by(&self) -> &'static str {
        let (finder, request) = race_request(&self.plan);
        finder.delegate(request).unwrap_or(finder).name()
    }
}

impl RaceQuestion {
    /// What is asked for each of the endings.
    pub fn plans(&self) -> impl Iterator<Item = Plan> + '_ {
        let request = race_request(&self.plan).1;
        self.endings.iter().map(|&ending| with_request(&self.plan, Request { ending, ..request.clone() }))
    }

    /// What is asked for the first of the endings that the method takes and that may have tours.
    ///
    /// # Errors
    /// Why there is none.
    pub fn first(&self) -> Result<Plan, String> {
        let mut why = None;
        for plan in self.plans() {
            match plan.question.impossible().or_else(|| plan.question.refusal()) {
                None => return Ok(plan),
                against => why = against,
            }
        }
        Err(why.unwrap_or_default())
    }

    /// Asks for each ending in turn until there are tours, or until nothing more can be said.
    ///
    /// Where there is no closed tour, an open one is looked for. What was not found may still exist, so nothing else is
    /// tried then.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(&self, runs: &ActiveRuns, slot: usize) -> Result<RaceVerdict, RunError> {
        let began = Instant::now();
        let mut before: Option<RaceVerdict> = None;
        for plan in self.plans() {
            let deadline = plan.deadline.map(|time| time.saturating_sub(began.elapsed()));
            let verdict = self.put(Plan { deadline, ..plan }, runs, slot)?;
            let mut verdict = if let Some(before) = before.take() { after(before, verdict) } else { verdict };
            let RunDone { answer, outcome, .. } = &mut verdict.done;
            outcome.elapsed = began.elapsed().saturating_sub(outcome.paused);
            if outcome.stopped.is_some() || matches!(answer, Some(FindAnswer::Tours(_) | FindAnswer::NotFound(_))) {
                return Ok(verdict);
            }
            before = Some(verdict);
        }
        before.map_or_else(|| unreachable!("at least one ending is tried"), Ok)
    }

    fn put(&self, plan: Plan, runs: &ActiveRuns, slot: usize) -> Result<RaceVerdict, RunError> {
        let impossible = self.impossible.clone().or_else(|| plan.question.impossible()).map(FindAnswer::Impossible);
        if let Some(answer) = impossible.or_else(|| plan.question.refusal().map(FindAnswer::Refused)) {
            return Ok(RaceVerdict { generations: self.generations.then(Vec::new), ..RaceVerdict::idle(plan, answer) });
        }
        let told = Mutex::new(Vec::new());
        let tell = |attempt: u64, generation: &Generation| {
            if self.generations {
                told.locked().push((attempt, *generation));
            }
        };
        let mut done = runs.answer(slot, &plan, plan.crew(Levels::Off), Continuation::default(), None, &tell)?;
        if let Some(FindAnswer::Tours(tours)) = &mut done.answer {
            tours.iter_mut().for_each(|tour| self.direct(tour));
        }
        let mut generations = told.into_content();
        // One in which a tour was found was told then, and may have been told again, whole.
        generations.reverse();
        generations.sort_by_key(|&(attempt, generation)| (attempt, generation.number));
        generations.dedup_by_key(|(attempt, generation)| (*attempt, generation.number));
        Ok(RaceVerdict { plan, done, generations: self.generations.then_some(generations) })
    }

    /// Turns a tour round if it goes the other way about than it is to.
    fn direct(&self, tour: &mut Arc<dyn Route>) {
        let second = tour.square_at(1);
        if tour.ending() == Ending::Open || self.direction.is_none() || self.direction == second {
            return;
        }
        let mut squares: Vec<Square> = tour.walk().collect();
        squares[1..].reverse();
        let turned = Tour::verify(tour.shape(), tour.ending(), squares);
        *tour =
            solve::packed_route(&turned.unwrap_or_else(|_| unreachable!("a closed tour is one in both directions")));
    }
}

/// What two endings come to: what is said of the second, which is open, and of the first only what adds to it. Where
/// there is no open tour there is no closed one.
fn after(before: RaceVerdict, mut verdict: RaceVerdict) -> RaceVerdict {
    let [first, second] = [&before, &verdict].map(|verdict| verdict.request().ending.name());
    let refusal = match (&before.done.answer, &verdict.done.answer) {
        (Some(FindAnswer::Impossible(_)), Some(FindAnswer::Refused(refusal))) => {
            Some(format!("there is no {first} tour, and {refusal}"))
        }
        (Some(FindAnswer::Refused(one)), Some(FindAnswer::Refused(other))) if one != other => {
            Some(format!("{first}: {one}; {second}: {other}"))
        }
        _ => None,
    };
    if let Some(refusal) = refusal {
        verdict.done.answer = Some(FindAnswer::Refused(refusal));
    }
    verdict.done.attempts += before.done.attempts;
    verdict.done.outcome.workers.extend(before.done.outcome.workers);
    verdict.done.outcome.paused += before.done.outcome.paused;
    verdict.done.outcome.slowed += before.done.outcome.slowed;
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Holes, Shape, parse_move_list};
    use crate::schedule::{Crew, StopReason};
    use crate::solve::{FindResult, FinderCard, GenerationListener, Refusal};

    /// Says what it is told to say of closed and of open tours.
    struct ScriptedAnswers([fn() -> Result<FindAnswer, &'static str>; 2]);

    impl ScriptedAnswers {
        fn of(&self, request: &Request) -> Result<FindAnswer, Refusal> {
            self.0[usize::from(request.ending == Ending::Open)]().map_err(|why| Refusal(why.to_owned()))
        }
    }

    impl Finder for ScriptedAnswers {
        fn card(&self) -> &'static FinderCard {
            const CARD: FinderCard = FinderCard::new("scripted", "says what it is told to");
            &CARD
        }
        fn admits(&self, request: &Request) -> Result<(), Refusal> {
            self.of(request).map(|_| ())
        }
        fn find(&self, request: &Request, crew: Crew, _: &GenerationListener<'_>) -> Result<FindResult, RunError> {
            let answer = self.of(request).unwrap_or_else(|refusal| panic!("it does not admit that: {refusal}"));
            let (answer, outcome) = crew.construct(|| answer)?;
            Ok(FindResult { answer, attempts: 1, device: None, outcome })
        }
    }

    type Say = fn() -> Result<FindAnswer, &'static str>;
    const TOUR: Say = || Ok(FindAnswer::Tours(vec![solve::packed_route(&cycle())]));
    const NO: Say = || Ok(FindAnswer::Impossible("searched".to_owned()));
    const LOST: Say = || Ok(FindAnswer::NotFound("gave up".to_owned()));

    /// The eight squares round the middle of 3x3.
    fn cycle() -> Tour {
        let (_, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        Tour::verify(ring().shape, Ending::Closed, squares).unwrap()
    }

    fn ring() -> Request {
        let board: Board = "3x3".parse().unwrap();
        let holes = Holes::new([board.parse_square("b2").unwrap()]);
        Request::new(Shape::new(board, holes), Ending::Closed)
    }

    fn seek(request: Request, says: [Say; 2]) -> RaceQuestion {
        let finder = Box::leak(Box::new(ScriptedAnswers(says)));
        let endings = &[Ending::Closed, Ending::Open];
        RaceQuestion {
            plan: Plan::of(Question::Find(finder, request), 1),
            endings,
            impossible: None,
            direction: None,
            generations: false,
        }
    }

    fn said(seek: &RaceQuestion) -> String {
        let verdict = seek.answer(&ActiveRuns::default(), 0).unwrap_or_else(|error| panic!("{error}"));
        let ending = verdict.request().ending.name();
        match verdict.done.answer.unwrap() {
            FindAnswer::Tours(tours) => format!("{ending} tours: {}", tours.len()),
            FindAnswer::Impossible(reason) => format!("{ending} impossible: {reason}"),
            FindAnswer::NotFound(reason) => format!("{ending} not found: {reason}"),
            FindAnswer::Refused(refusal) => format!("{ending} refused: {refusal}"),
        }
    }

    #[test]
    fn an_open_tour_is_looked_for_where_there_is_no_closed_one() {
        const CLOSED_ONLY: Say = || Err("closed tours only");
        const OPEN_ONLY: Say = || Err("open tours only");
        for (says, comes_to) in [
            ([TOUR, LOST], "closed tours: 1"),
            ([NO, TOUR], "open tours: 1"),
            ([OPEN_ONLY, TOUR], "open tours: 1"),
            ([NO, NO], "open impossible: searched"),
            ([NO, CLOSED_ONLY], "open refused: there is no closed tour, and closed tours only"),
            ([OPEN_ONLY, NO], "open impossible: searched"),
            ([NO, LOST], "open not found: gave up"),
            ([LOST, TOUR], "closed not found: gave up"),
            ([CLOSED_ONLY, CLOSED_ONLY], "open refused: closed tours only"),
            ([OPEN_ONLY, CLOSED_ONLY], "open refused: closed: open tours only; open: closed tours only"),
        ] {
            assert_eq!(said(&seek(ring(), says)), comes_to);
        }
    }

    #[test]
    fn what_the_theorems_and_the_colours_forbid_is_not_looked_for() {
        for (board, start, end, comes_to) in [
            ("4x4", "", "", "open impossible: without its four middle squares"),
            ("5x5", "a1", "", "open tours: 1"),
            ("5x5", "a2", "", "open impossible: a2 is light, and with one dark square more"),
            ("5x5", "", "b1", "open impossible: b1 is light, and with one dark square more"),
            ("6x6", "a1", "c3", "open impossible: a1 and c3 are both dark"),
            ("6x6", "a1", "b3", "open not found: gave up"),
        ] {
            let board: Board = board.parse().unwrap();
            let square = |name| board.parse_square(name).ok();
            let request = Request { start: square(start), end: square(end), ..Request::new(board, Ending::Closed) };
            let says: [Say; 2] = [NO, if board.squares() == 25 { TOUR } else { LOST }];
            let said = said(&seek(request, says));
            assert!(said.starts_with(comes_to), "{board} {start} {end}: {said}");
        }
    }

    #[test]
    fn a_closed_tour_begins_as_it_is_to_begin() {
        let names = |direction: &str| {
            let request = ring();
            let direction = request.board().parse_square(direction).ok();
            let seek = RaceQuestion { direction, ..seek(request, [TOUR, LOST]) };
            let done = seek.answer(&ActiveRuns::default(), 0).unwrap_or_else(|error| panic!("{error}")).done;
            let tours = done.tours();
            tours[0].walk().map(|square| tours[0].board().name(square)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("c2"), "a3 c2 a1 b3 c1 a2 c3 b1");
        assert_eq!(names("b1"), "a3 b1 c3 a2 c1 b3 a1 c2");
        assert_eq!(names(""), names("c2"));
    }

    #[test]
    fn a_question_put_after_the_signal_is_stopped() {
        let runs = ActiveRuns::default();
        runs.stop();
        let verdict = seek(ring(), [LOST, LOST]).answer(&runs, 0).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(verdict.done.outcome.stopped, Some(StopReason::Asked));
    }
}
