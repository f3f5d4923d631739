//! Many attempts at a tour side by side. The answer does not depend on which worker finds a tour first.
//!
//! Workers take attempts in the order of their numbers. A judge accepts tours in that order too. It accepts the tours of
//! attempt k only when all attempts before k are over, each in the order in which the attempt found them, and none twice.
//! An attempt is determined by its number. So the accepted tours do not depend on the number of workers; the tours of a
//! faster worker merely wait for longer.
//!
//! The race ends when enough tours are accepted, when an attempt has searched everything in vain, or when no attempts are
//! left. On boards of many thousand squares the attempts of hundreds of workers would hold most of the memory. There fewer
//! workers race, and the others stay idle.

use super::judge::{AttemptJudge, AttemptVerdict, RaceEnd};
use crate::board::{Ending, PackedTour, Shape, Square, Tour};
use crate::find::{Attempt, AttemptProgress};
use crate::schedule::crew::control::Permit;
use crate::schedule::crew::lifecycle::Crew;
use crate::schedule::crew::worker::{CrewWorker, WorkerPosition};
use crate::schedule::figures::cells::WorkerState;
use crate::schedule::figures::outcome::{RunError, RunOutcome};
use crate::stop::StopReason;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Nodes in one burst, which takes some ten to a hundred microseconds.
const BURST_NODES: u64 = 4096;
/// Memory that the attempts of one moment may hold together, in bytes.
const ATTEMPTS_BYTES: usize = 9 << 20;
/// Attempts that may always run at the same time, however much memory they hold.
const RACERS_MIN: usize = 4;

/// Makes the attempt of a number, from 0; `None` when there are no more attempts.
pub type Attempts<'a> = dyn Fn(u64) -> Option<Box<dyn Attempt + 'a>> + Sync + 'a;

/// A race: the tours that are wanted, and the attempts.
pub struct Race<'a, 'b> {
    pub shape: Shape,
    /// Open or closed tours.
    pub ending: Ending,
    /// Number of different tours wanted, at least 1.
    pub tours: u64,
    /// Whether closed tours with another first square or direction are different, as grids with given numbers are.
    pub are_grids: bool,
    pub attempts: &'a Attempts<'b>,
}

#[derive(Debug)]
pub struct RaceResult {
    /// The tours accepted, in order.
    pub tours: Vec<PackedTour>,
    /// Why the race ended.
    pub end: RaceEnd,
    /// Attempts begun.
    pub attempts: u64,
    /// What the workers did. The outcome counts as stopped only if the race was stopped.
    pub outcome: RunOutcome,
}

impl Crew {
    /// Races attempts until enough tours are accepted.
    ///
    /// # Errors
    /// [`RunError`] when a worker panicked or could not be started. A worker panics when an attempt claims a tour that is none.
    pub fn race(&self, race: &Race<'_, '_>) -> Result<RaceResult, RunError> {
        assert!(self.is_fresh(), "only the search of a tree can be resumed with parts of a tree");
        let context = &self.context;
        let running =
            RunningRace { race, judge: AttemptJudge::new(race.tours, race.are_grids), next: AtomicU64::new(0) };
        let racers = racers(context.size(), race);
        let workers = context.start(&|id, gate| {
            let mut worker = CrewWorker::new(id, context);
            if gate.all_started() && id < racers && context.guard(id, || running.run_attempts(&mut worker)) {
                worker.meter.publish_cpu();
            }
            worker.finish()
        });
        let elapsed = context.meters().since(Instant::now());
        let mut outcome = self.conclude(workers, elapsed)?;
        let state = running.judge.into_state();
        let end = state.end.unwrap_or(if outcome.stopped.is_some() { RaceEnd::Stopped } else { RaceEnd::GivenUp });
        if end != RaceEnd::Stopped {
            outcome.stopped = None;
        }
        outcome.has_all = end == RaceEnd::Exhausted;
        Ok(RaceResult { tours: state.accepted, end, attempts: state.attempts, outcome })
    }
}

/// Number of workers that may have an attempt at the same time. The first attempt says how much memory each of them holds.
fn racers(workers: usize, race: &Race<'_, '_>) -> usize {
    if workers <= RACERS_MIN {
        return workers;
    }
    let bytes = (race.attempts)(0).map_or(0, |attempt| attempt.bytes());
    ATTEMPTS_BYTES.checked_div(bytes).map_or(workers, |racers| racers.max(RACERS_MIN))
}

/// A race while the workers run its attempts.
struct RunningRace<'r, 'a, 'b> {
    race: &'r Race<'a, 'b>,
    judge: AttemptJudge,
    /// Number of the attempt that is begun next.
    next: AtomicU64,
}

impl RunningRace<'_, '_, '_> {
    /// Runs attempts on one worker until the race or the run ends.
    fn run_attempts(&self, worker: &mut CrewWorker<'_>) {
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if worker.context().control().stop_reason().is_some() {
                return;
            }
            let Some(mut attempt) = (self.race.attempts)(number) else { return };
            if !self.judge.begin(number) {
                return;
            }
            worker.meter.published().figures.attempts.add(1);
            worker.meter.set_state(WorkerState::Busy);
            if self.run_attempt(worker, number, &mut *attempt) == AttemptVerdict::Over {
                worker.context().control().stop(StopReason::Limit);
                return;
            }
        }
    }

    /// Runs one attempt until the attempt or the race ends.
    fn run_attempt(&self, worker: &mut CrewWorker<'_>, number: u64, attempt: &mut dyn Attempt) -> AttemptVerdict {
        loop {
            let nodes = match worker.permit(|drawing| attempt.draw(drawing)) {
                Permit::Run => BURST_NODES,
                Permit::Nodes(nodes) => nodes,
                Permit::Stop => return AttemptVerdict::Next,
            };
            let mut entered = 0;
            let progress = attempt.advance(nodes, &mut entered);
            worker.count(entered, 0);
            let verdict = match progress {
                AttemptProgress::Going => AttemptVerdict::Continue,
                AttemptProgress::Found(squares) => {
                    let tour = verified(self.race, squares);
                    worker.count(0, 1);
                    self.judge.add_tour(number, &tour)
                }
                AttemptProgress::GivenUp => self.judge.finish(number, false),
                AttemptProgress::Exhausted => self.judge.finish(number, true),
            };
            let place = WorkerPosition { depth: attempt.depth(), open_level: None };
            worker.publish_at(&place, |drawing| attempt.draw(drawing));
            if verdict != AttemptVerdict::Continue {
                if verdict == AttemptVerdict::Over {
                    worker.meter.publish_position(|drawing| attempt.draw(drawing));
                }
                return verdict;
            }
        }
    }
}

fn verified(race: &Race<'_, '_>, squares: Box<[Square]>) -> Tour {
    match Tour::verify(&race.shape, race.ending, squares) {
        Ok(tour) => tour,
        Err(fault) => panic!("an attempt claimed something that is not a tour of {}: {fault}", race.shape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_move_list;
    use crate::event::EventSender;
    use crate::schedule::{CrewPlan, CrewWatch, Scheduler};
    use crate::search::Drawing;

    /// Two tours of 3x4.
    const TOURS: [&str; 2] = ["3x4 a3 c2 a1 b3 d2 b1 c3 d1 b2 d3 c1 a2", "3x4 a1 c2 a3 b1 d2 b3 c1 d3 b2 d1 c3 a2"];

    fn squares(text: &str) -> Box<[Square]> {
        parse_move_list(text).unwrap().1.into()
    }

    struct ScriptedAttempt {
        /// Nodes that each answer takes.
        effort: u64,
        left: u64,
        answers: Vec<AttemptProgress>,
    }

    impl Attempt for ScriptedAttempt {
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
        Box::new(ScriptedAttempt { effort, left: effort, answers: answers.to_vec() })
    }

    /// Finds a tour, and stops the run when it is advanced once more.
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
        Crew::new(CrewPlan::of(threads, Scheduler::HIRE), EventSender::nowhere())
    }

    fn race(threads: usize, tours: u64, attempts: &Attempts<'_>) -> RaceResult {
        let shape: Shape = "3x4".parse().unwrap();
        let race = Race { shape, ending: Ending::Open, tours, are_grids: false, attempts };
        crew(threads).race(&race).unwrap()
    }

    #[test]
    fn the_attempts_with_the_lowest_numbers_win_for_any_number_of_workers() {
        let found = |i: usize| AttemptProgress::Found(squares(TOURS[i]));
        // The higher its number, the sooner an attempt is over.
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
    fn attempts_that_give_up_give_no_answer_and_an_exhausted_attempt_does() {
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
        let shape: Shape = "3x4".parse().unwrap();
        let race = Race { shape, ending: Ending::Open, tours: 2, are_grids: false, attempts: &attempts };
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
        let shape: Shape = "3x4".parse().unwrap();
        let race = Race { shape, ending: Ending::Open, tours: 1, are_grids: false, attempts: &attempts };
        let error = crew(2).race(&race).unwrap_err();
        assert!(error.to_string().contains("11 squares, but a tour of 3x4 has 12"), "{error}");
    }
}
