//! Many attempts side by side: who finds tours first does not decide which tours are the answer.
//!
//! Workers take attempts in the order of their numbers. A judge accepts tours in that order too: those of attempt k
//! only when all attempts before it are over, each in the order in which it found them, none twice. An attempt is
//! determined by its number, so the accepted tours are the same however many workers there are; a worker that was
//! faster merely has its tours lie ready. The race ends when enough are accepted, when an attempt has searched
//! everything in vain, or when there are no attempts left. Where the attempts of hundreds of workers would be all the
//! memory that is held, as on boards of many thousand squares, fewer workers race and the others rest.

use super::control::Permit;
use super::crew::Crew;
use super::hand::{Hand, WorkerPosition};
use super::judge::{AttemptJudge, AttemptVerdict, RaceEnd};
use super::outcome::{RunError, RunOutcome, Totals};
use super::raced::{RaceKeeper, RaceProgress, RaceSaver};
use super::workers::WorkerState;
use crate::board::{Board, Ending, Holes, PackedTour, Square, Tour};
use crate::event::EventKind;
use crate::find::{Attempt, AttemptProgress};
use crate::search::Tally;
use crate::stop::StopReason;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Nodes in one burst: some ten to a hundred microseconds.
const BURST_NODES: u64 = 4096;
/// Bytes that all attempts at a time may hold.
const ABREAST_BYTES: usize = 9 << 20;
/// Attempts at a time, whatever they hold.
const ABREAST_MIN: usize = 4;

/// Makes the attempt of a number, from 0; nothing when there are no more.
pub type Attempts<'a> = dyn Fn(u64) -> Option<Box<dyn Attempt + 'a>> + Sync + 'a;

/// What is raced for.
pub struct Race<'a, 'b> {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// Squares that the tours leave out.
    pub holes: Holes,
    /// How many different tours are wanted, at least 1.
    pub tours: u64,
    /// The attempts.
    pub attempts: &'a Attempts<'b>,
}

/// The result of a race.
#[derive(Debug)]
pub struct RaceResult {
    /// The tours accepted, in order.
    pub tours: Vec<PackedTour>,
    /// Why it ended.
    pub end: RaceEnd,
    /// Attempts begun.
    pub attempts: u64,
    /// What the workers did. It was not stopped, unless the race was.
    pub outcome: RunOutcome,
}

impl Crew {
    /// Lets a race go on where another one of the same attempts was.
    pub fn take_up_race(&mut self, raced: RaceProgress) {
        let tally = Tally { nodes: raced.nodes, tours: raced.tours.len() as u64, ..Tally::default() };
        let workers = vec![Totals { tally, ..Totals::default() }];
        self.after(RunOutcome { workers, elapsed: raced.elapsed, ..RunOutcome::default() });
        self.raced = raced;
    }

    /// Tells `keeper` what a race came to so far, as often, whenever there is something new, and at its end.
    pub fn keep_race(&mut self, every: Duration, keeper: RaceKeeper) {
        self.keeping = RaceSaver { keeper: Some((every, keeper)), told: Mutex::new(Some(Instant::now())) };
    }

    /// Tells who keeps the race, if he is to be told; at its end he is.
    pub(super) fn tell_race(&self, judge: &AttemptJudge, at_the_end: bool) {
        let RaceSaver { keeper: Some((every, keeper)), told } = &self.keeping else { return };
        let now = Instant::now();
        // A thread that comes while the keeper is being told has nothing else to tell.
        let told = if at_the_end { told.lock().ok() } else { told.try_lock().ok() };
        let Some(mut told) = told else { return };
        if !at_the_end && told.is_some_and(|told| now < told + *every) {
            return;
        }
        let (tours, next, attempts) = judge.so_far();
        let nodes = self.raced.nodes + self.meters().nodes();
        keeper(&RaceProgress { tours, next, attempts, nodes, elapsed: self.meters().since(now) });
        *told = Some(Instant::now());
    }
}

impl Crew {
    /// Races attempts until enough tours are accepted.
    ///
    /// # Errors
    /// [`RunError`] when a worker panicked, an attempt's claim to a tour was false among them, or could not be started.
    pub fn race(&self, race: &Race<'_, '_>) -> Result<RaceResult, RunError> {
        assert!(self.is_fresh(), "only the search of a tree takes parts of one up");
        let RaceProgress { tours, next, attempts, elapsed, .. } = &self.raced;
        let judge = AttemptJudge::new(race.tours, tours.clone(), *next, *attempts);
        let next = AtomicU64::new(*next);
        if judge.is_over() {
            let (outcome, tours) = (self.conclude(Vec::new(), *elapsed)?, judge.into_state().accepted);
            return Ok(RaceResult { tours, end: RaceEnd::Enough, attempts: *attempts, outcome });
        }
        let abreast = self.abreast(race, next.load(Ordering::Relaxed));
        let workers = self.start(&|id, gate| {
            let mut hand = Hand::new(id, self);
            let run = || run_attempts(&mut hand, race, &judge, &next);
            if gate.all_here() && id < abreast && self.guard(id, run) {
                hand.publish_cpu();
            }
            hand.finish()
        });
        let elapsed = self.meters().since(Instant::now());
        let mut outcome = self.conclude(workers, elapsed)?;
        self.tell_race(&judge, true);
        let state = judge.into_state();
        let end = state.end.unwrap_or(if outcome.stopped.is_some() { RaceEnd::Stopped } else { RaceEnd::GivenUp });
        if end != RaceEnd::Stopped {
            outcome.stopped = None;
        }
        Ok(RaceResult { tours: state.accepted, end, attempts: state.begun, outcome })
    }

    /// How many workers may have an attempt at a time, all attempts being like this one.
    fn abreast(&self, race: &Race<'_, '_>, like: u64) -> usize {
        if self.size() <= ABREAST_MIN {
            return self.size();
        }
        let bytes = (race.attempts)(like).map_or(0, |attempt| attempt.bytes());
        ABREAST_BYTES.checked_div(bytes).map_or(self.size(), |abreast| abreast.max(ABREAST_MIN))
    }
}

/// Takes attempts until the race or the run ends.
fn run_attempts(hand: &mut Hand<'_>, race: &Race<'_, '_>, judge: &AttemptJudge, next: &AtomicU64) {
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if hand.crew().control().stopped().is_some() {
            return;
        }
        let Some(mut attempt) = (race.attempts)(number) else { return };
        if !judge.begin(number) {
            return;
        }
        hand.meter().count_attempt();
        hand.set_state(WorkerState::Busy);
        if run_attempt(hand, race, judge, number, &mut *attempt) == AttemptVerdict::Over {
            hand.crew().control().stop(StopReason::Limit);
            return;
        }
    }
}

/// Runs one attempt to its end, or to that of the race.
fn run_attempt(
    hand: &mut Hand<'_>,
    race: &Race<'_, '_>,
    judge: &AttemptJudge,
    number: u64,
    attempt: &mut dyn Attempt,
) -> AttemptVerdict {
    loop {
        let nodes = match hand.permit(|drawing| attempt.draw(drawing)) {
            Permit::Run => BURST_NODES,
            Permit::Nodes(nodes) => nodes,
            Permit::Stop => return AttemptVerdict::Next,
        };
        let mut entered = 0;
        let progress = attempt.advance(nodes, &mut entered);
        let is_news = !matches!(progress, AttemptProgress::Going);
        hand.tally.nodes += entered;
        let verdict = match progress {
            AttemptProgress::Going => AttemptVerdict::On,
            AttemptProgress::Found(squares) => {
                let tour = verified(race, squares);
                hand.tally.tours += 1;
                if hand.crew().is_first_tour() {
                    hand.report(EventKind::FirstTour);
                }
                judge.found(number, &tour)
            }
            AttemptProgress::GivenUp => judge.over(number, false),
            AttemptProgress::Exhausted => judge.over(number, true),
        };
        let place = WorkerPosition { depth: attempt.depth(), open_level: None };
        hand.publish(&place, |drawing| attempt.draw(drawing));
        if is_news {
            hand.crew().tell_race(judge, false);
        }
        if verdict != AttemptVerdict::On {
            if verdict == AttemptVerdict::Over {
                hand.publish_position(|drawing| attempt.draw(drawing));
            }
            return verdict;
        }
    }
}

fn verified(race: &Race<'_, '_>, squares: Box<[Square]>) -> Tour {
    match Tour::verify_around(race.board, race.holes.clone(), race.ending, squares) {
        Ok(tour) => tour,
        Err(fault) => panic!("an attempt claimed something that is not a tour of {}: {fault}", race.board),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_move_list;
    use crate::event::EventSender;
    use crate::schedule::{CrewPlan, CrewWatch, Scheduler};
    use crate::search::Drawing;

    /// Two tours of 3x4, and what attempts make of them: attempt k needs `effort(k)` nodes for each of its tours.
    const TOURS: [&str; 2] = ["3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2", "3x4 a1 c2 a3 b1 d2 b3 c1 d3 b2 d1 c3 a2"];

    fn squares(text: &str) -> Box<[Square]> {
        parse_move_list(text).unwrap().1.into()
    }

    struct Scripted {
        /// Nodes until each answer.
        effort: u64,
        left: u64,
        answers: Vec<AttemptProgress>,
    }

    impl Attempt for Scripted {
        fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
            let steps = nodes.min(self.left);
            *entered += steps;
            self.left -= steps;
            if self.left > 0 {
                return AttemptProgress::Going;
            }
            self.left = self.effort;
            if self.answers.is_empty() { AttemptProgress::GivenUp } else { self.answers.remove(0) }
        }
        fn depth(&self) -> usize {
            1
        }
        fn draw(&self, drawing: &mut Drawing) {
            drawing.path([self.left as u32 % 12].into_iter(), None);
        }
    }

    fn scripted(effort: u64, answers: &[AttemptProgress]) -> Box<dyn Attempt> {
        Box::new(Scripted { effort, left: effort, answers: answers.to_vec() })
    }

    /// Finds a tour, and stops the run when it is asked for more.
    struct StopsAfterItsTour {
        tour: Option<Box<[Square]>>,
        watch: CrewWatch,
    }

    impl Attempt for StopsAfterItsTour {
        fn advance(&mut self, _: u64, entered: &mut u64) -> AttemptProgress {
            *entered += 1;
            self.tour.take().map_or_else(
                || {
                    self.watch.control().stop(StopReason::Asked);
                    AttemptProgress::Going
                },
                AttemptProgress::Found,
            )
        }
        fn depth(&self) -> usize {
            1
        }
        fn draw(&self, _: &mut Drawing) {}
    }

    fn crew(threads: usize) -> Crew {
        Crew::new(CrewPlan::of(threads, Scheduler::Hire), EventSender::nowhere())
    }

    fn race(threads: usize, tours: u64, attempts: &Attempts<'_>) -> RaceResult {
        let board = "3x4".parse().unwrap();
        let race = Race { board, ending: Ending::Open, holes: Holes::none(), tours, attempts };
        crew(threads).race(&race).unwrap()
    }

    #[test]
    fn the_answer_is_that_of_the_lowest_numbers_however_many_race() {
        let found = |i: usize| AttemptProgress::Found(squares(TOURS[i]));
        // The later an attempt, the sooner it is done.
        let attempts = |k: u64| {
            (k < 40).then(|| match k {
                0..5 => scripted(40_000 - k, &[]),
                5 => scripted(20_000, &[found(1), found(1)]),
                _ => scripted(10, &[found(0), found(1)]),
            })
        };
        for threads in [1, 2, 3, 8] {
            let finish = race(threads, 2, &attempts);
            let lists: Vec<String> = finish.tours.iter().map(|tour| tour.tour().move_list().to_string()).collect();
            assert_eq!((lists, finish.end), (vec![TOURS[1].to_owned(), TOURS[0].to_owned()], RaceEnd::Enough));
            assert!(finish.outcome.complete() && finish.attempts >= 7);
        }
    }

    #[test]
    fn attempts_that_all_give_up_are_no_answer_and_one_that_searched_everything_is() {
        let finish = race(3, 1, &|k| (k < 10).then(|| scripted(100, &[])));
        assert_eq!((finish.tours.len(), finish.end, finish.attempts), (0, RaceEnd::GivenUp, 10));
        let nodes: u64 = finish.outcome.workers.iter().map(|worker| worker.tally.nodes).sum();
        assert_eq!(nodes, 1000);
        for at in [0, 3] {
            let finish =
                race(3, 1, &|k| Some(scripted(100, if k == at { &[AttemptProgress::Exhausted] } else { &[] })));
            assert_eq!((finish.tours.len(), finish.end), (0, RaceEnd::Exhausted));
        }
    }

    #[test]
    fn a_stopped_race_keeps_what_was_accepted() {
        let crew = crew(2);
        let watch = crew.watch();
        let attempts = |k: u64| -> Option<Box<dyn Attempt>> {
            let (tour, watch) = (Some(squares(TOURS[0])), watch.clone());
            Some(if k == 0 { Box::new(StopsAfterItsTour { tour, watch }) } else { scripted(u64::MAX, &[]) })
        };
        let board = "3x4".parse().unwrap();
        let race = Race { board, ending: Ending::Open, holes: Holes::none(), tours: 2, attempts: &attempts };
        let finish = crew.race(&race).unwrap();
        assert_eq!((finish.tours.len(), finish.end), (1, RaceEnd::Stopped));
        assert_eq!(finish.outcome.stopped, Some(StopReason::Asked));
    }

    #[test]
    fn a_construction_is_done_by_one_worker_and_its_panic_is_an_error() {
        let (answer, outcome) = crew(3).construct(|| 42).unwrap();
        assert_eq!((answer, outcome.workers.len(), outcome.complete()), (42, 3, true));
        let error = crew(3).construct(|| -> u32 { panic!("no such board") }).unwrap_err();
        assert_eq!(error.to_string(), "worker 0 panicked: no such board");
    }

    #[test]
    fn a_false_claim_ends_the_run_with_an_error() {
        let lie: Box<[Square]> = squares(TOURS[0])[1..].into();
        let attempts = |_| Some(scripted(5, &[AttemptProgress::Found(lie.clone())]));
        let board = "3x4".parse().unwrap();
        let race = Race { board, ending: Ending::Open, holes: Holes::none(), tours: 1, attempts: &attempts };
        let error = crew(2).race(&race).unwrap_err();
        assert!(error.to_string().contains("11 squares, but a tour of 3x4 has 12"), "{error}");
    }
}
