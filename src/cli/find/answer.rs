//! One question put to one method: the endings tried in turn, and what came of it.

use super::halt::Halt;
use crate::board::{Ending, Route, Square, Tour};
use crate::event::EventSender;
use crate::find::genetic::Generation;
use crate::schedule::{Crew, CrewPlan, Outcome, RunError, Scheduler, StopReason};
use crate::solve::{self, Answer, DoneBy, Finder, Refusal, Request};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is looked for, by whom, and how hard.
#[derive(Clone)]
pub struct Seek {
    /// The question; its ending is set to each of those tried.
    pub request: Request,
    /// The endings that will do, the preferred one first.
    pub endings: &'static [Ending],
    /// The second square, where the direction of a closed tour is prescribed.
    pub direction: Option<Square>,
    /// Who is asked.
    pub finder: &'static dyn Finder,
    /// Number of workers.
    pub threads: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Whether every generation is kept, of a method that breeds.
    pub generations: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Verdict {
    /// The ending of the tours, or the one that was tried.
    pub ending: Ending,
    /// The answer.
    pub kind: Kind,
    /// Attempts begun.
    pub attempts: u64,
    /// Nodes entered.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Why it was stopped, if it was.
    pub stopped: Option<StopReason>,
    /// What did the work, of a method that leaves it to a device.
    pub device: Option<DoneBy>,
    /// The generations of each attempt, by its number and then by theirs, where they were asked for.
    pub generations: Vec<(u64, Generation)>,
}

impl Verdict {
    /// What came of it without any work.
    pub fn of(ending: Ending, kind: Kind) -> Verdict {
        Verdict {
            ending,
            kind,
            attempts: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            stopped: None,
            device: None,
            generations: Vec::new(),
        }
    }
}

/// An answer, or why the method was not asked.
#[derive(Debug)]
pub enum Kind {
    /// Tours, one at least.
    Tours(Vec<Arc<dyn Route>>),
    /// There is none: the reason.
    Impossible(String),
    /// None was found: why.
    NotFound(String),
    /// The method does not take the question.
    Refused(Refusal),
}

impl From<Answer> for Kind {
    fn from(answer: Answer) -> Kind {
        match answer {
            Answer::Tours(tours) => Kind::Tours(tours),
            Answer::Impossible(reason) => Kind::Impossible(reason),
            Answer::NotFound(reason) => Kind::NotFound(reason),
            Answer::Unreadable(reason) => Kind::Refused(Refusal(reason)),
        }
    }
}

impl Seek {
    /// Asks for each ending in turn until there are tours, or until nothing more can be said.
    ///
    /// Where there is no closed tour, an open one is looked for. What was not found may still exist, so nothing else is
    /// tried then.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    pub fn answer(&self, halt: &Halt, slot: usize) -> Result<Verdict, RunError> {
        let began = Instant::now();
        let mut before: Option<Verdict> = None;
        for &ending in self.endings {
            let mut verdict = self.answer_ending(ending, halt, slot)?;
            if let Some(before) = before.take() {
                verdict = after(before, verdict);
            }
            verdict.elapsed = began.elapsed();
            if verdict.stopped.is_some() || matches!(verdict.kind, Kind::Tours(_) | Kind::NotFound(_)) {
                return Ok(verdict);
            }
            before = Some(verdict);
        }
        before.map_or_else(|| unreachable!("at least one ending is tried"), Ok)
    }

    fn answer_ending(&self, ending: Ending, halt: &Halt, slot: usize) -> Result<Verdict, RunError> {
        let request = Request { ending, ..self.request.clone() };
        let idle = |kind| Verdict::of(ending, kind);
        if let Some(reason) = solve::impossible(&request) {
            return Ok(idle(Kind::Impossible(reason)));
        }
        if let Err(refusal) = self.finder.admits(&request) {
            return Ok(idle(Kind::Refused(refusal)));
        }
        let crew = Crew::new(self.crew(), EventSender::nowhere());
        halt.enter(slot, crew.watch());
        let told = Mutex::new(Vec::new());
        let tell = |attempt: u64, generation: &Generation| {
            told.lock().unwrap_or_else(PoisonError::into_inner).push((attempt, *generation));
        };
        let found = match self.generations {
            true => self.finder.find_telling(&request, crew, &tell),
            false => self.finder.find(&request, crew),
        };
        halt.leave(slot);
        let found = found?;
        let Outcome { stopped, .. } = found.outcome;
        let kind = match Kind::from(found.answer) {
            Kind::Tours(tours) => Kind::Tours(tours.into_iter().map(|tour| self.directed(tour)).collect()),
            kind => kind,
        };
        let nodes = found.outcome.total().nodes;
        let mut generations = told.into_inner().unwrap_or_else(PoisonError::into_inner);
        generations.sort_by_key(|&(attempt, generation)| (attempt, generation.number));
        let (attempts, device) = (found.attempts, found.device);
        Ok(Verdict { attempts, nodes, stopped, device, generations, ..idle(kind) })
    }

    /// Who answers the question with this ending: the method, or the one that it leaves it to.
    pub fn by(&self, ending: Ending) -> &'static str {
        let request = Request { ending, ..self.request.clone() };
        self.finder.leaves_to(&request).unwrap_or(self.finder).name()
    }

    fn crew(&self) -> CrewPlan {
        CrewPlan { deadline: self.deadline, ..CrewPlan::of(self.threads, Scheduler::Hire) }
    }

    /// The tour, turned round if it goes the other way about than it is to.
    fn directed(&self, tour: Arc<dyn Route>) -> Arc<dyn Route> {
        let second = tour.square_at(1);
        if tour.ending() == Ending::Open || self.direction.is_none() || self.direction == second {
            return tour;
        }
        let mut squares: Vec<Square> = tour.walk().collect();
        squares[1..].reverse();
        let turned = Tour::verify_around(tour.board(), tour.holes().clone(), tour.ending(), squares);
        turned.map_or_else(|_| unreachable!("a closed tour is one in both directions"), |tour| solve::route(&tour))
    }
}

/// What two endings come to: what is said of the second, which is open, and of the first only what adds to it. Where
/// there is no open tour there is no closed one.
fn after(before: Verdict, verdict: Verdict) -> Verdict {
    let (attempts, nodes) = (before.attempts + verdict.attempts, before.nodes + verdict.nodes);
    let (ending, kind) = match (before.kind, verdict.kind) {
        (Kind::Impossible(_), Kind::Refused(refusal)) => {
            let refusal = format!("there is no {} tour, and {refusal}", before.ending.name());
            (verdict.ending, Kind::Refused(Refusal(refusal)))
        }
        (Kind::Refused(Refusal(first)), Kind::Refused(Refusal(second))) if first != second => {
            let both = format!("{}: {first}; {}: {second}", before.ending.name(), verdict.ending.name());
            (verdict.ending, Kind::Refused(Refusal(both)))
        }
        (_, kind) => (verdict.ending, kind),
    };
    Verdict { ending, kind, attempts, nodes, ..verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Holes, parse_move_list};
    use crate::schedule::Crew;
    use crate::solve::{FinderCard, Found};

    /// Says what it is told to say of closed and of open tours.
    struct Scripted([fn() -> Result<Answer, &'static str>; 2]);

    impl Scripted {
        fn of(&self, request: &Request) -> Result<Answer, Refusal> {
            self.0[usize::from(request.ending == Ending::Open)]().map_err(|why| Refusal(why.to_owned()))
        }
    }

    impl Finder for Scripted {
        fn card(&self) -> &'static FinderCard {
            const CARD: FinderCard = FinderCard::new("scripted", "says what it is told to");
            &CARD
        }
        fn admits(&self, request: &Request) -> Result<(), Refusal> {
            self.of(request).map(|_| ())
        }
        fn find(&self, request: &Request, crew: Crew) -> Result<Found, RunError> {
            let answer = self.of(request).unwrap_or_else(|refusal| panic!("it does not admit that: {refusal}"));
            let (answer, outcome) = crew.construct(|| answer)?;
            Ok(Found { answer, attempts: 1, device: None, outcome })
        }
    }

    type Say = fn() -> Result<Answer, &'static str>;
    const TOUR: Say = || Ok(Answer::Tours(vec![solve::route(&cycle())]));
    const NO: Say = || Ok(Answer::Impossible("searched".to_owned()));
    const LOST: Say = || Ok(Answer::NotFound("gave up".to_owned()));

    /// The eight squares round the middle of 3x3.
    fn cycle() -> Tour {
        let (board, squares) = parse_move_list("3x3 a3 c2 a1 b3 c1 a2 c3 b1").unwrap();
        Tour::verify_around(board, ring().holes, Ending::Closed, squares).unwrap()
    }

    fn ring() -> Request {
        let board: Board = "3x3".parse().unwrap();
        let holes = Holes::new([board.parse_square("b2").unwrap()]);
        Request { holes, ..Request::new(board, Ending::Closed) }
    }

    fn seek(request: Request, says: [Say; 2]) -> Seek {
        let finder = Box::leak(Box::new(Scripted(says)));
        let endings = &[Ending::Closed, Ending::Open];
        Seek { request, endings, direction: None, finder, threads: 1, deadline: None, generations: false }
    }

    fn said(seek: &Seek) -> String {
        let verdict = seek.answer(&Halt::default(), 0).unwrap();
        let ending = verdict.ending.name();
        match verdict.kind {
            Kind::Tours(tours) => format!("{ending} tours: {}", tours.len()),
            Kind::Impossible(reason) => format!("{ending} impossible: {reason}"),
            Kind::NotFound(reason) => format!("{ending} not found: {reason}"),
            Kind::Refused(refusal) => format!("{ending} refused: {refusal}"),
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
            let direction = request.board.parse_square(direction).ok();
            let seek = Seek { direction, ..seek(request, [TOUR, LOST]) };
            let Kind::Tours(tours) = seek.answer(&Halt::default(), 0).unwrap().kind else { panic!("there is one") };
            tours[0].walk().map(|square| tours[0].board().name(square)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("c2"), "a3 c2 a1 b3 c1 a2 c3 b1");
        assert_eq!(names("b1"), "a3 b1 c3 a2 c1 b3 a1 c2");
        assert_eq!(names(""), names("c2"));
    }

    #[test]
    fn a_question_put_after_the_signal_is_stopped() {
        let halt = Halt::default();
        halt.ask();
        let verdict = seek(ring(), [LOST, LOST]).answer(&halt, 0).unwrap();
        assert_eq!(verdict.stopped, Some(StopReason::Asked));
    }
}
