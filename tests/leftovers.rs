//! What a run leaves when it stops, another one takes up: at any moment, from any scheduler to any other, by any number
//! of workers, nothing is lost and nothing done twice.

use crate::common::random;
use destrier::board::{Ending, Shape};
use destrier::event::EventSender;
use destrier::schedule::{BlockOutput, Crew, CrewPlan, RunOutcome, Scheduler, Shard, StopReason};
use destrier::search::{HandOver, Task};
use destrier::solve::{Problem, Solver, TourOutput, solver_by_name};
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Solver, board, ending and tours, on trees of some ten milliseconds.
const TREES: [(&str, &str, Ending, u64); 5] = [
    ("radley", "5x6", Ending::Closed, 8),
    ("brute", "5x5", Ending::Open, 1728),
    ("path", "6x7", Ending::Closed, 1_067_638),
    ("edges", "6x7", Ending::Closed, 1_067_638),
    ("path", "5x6", Ending::Open, 37_568),
];
/// A break as often as a worker looks whether one is due: after each burst.
const EVERY_BURST: Option<Duration> = Some(Duration::ZERO);
/// How often a run is stopped before it is left in peace.
const STOPS: usize = 6;

/// An output that takes tours and keeps none.
struct Nowhere;

impl BlockOutput for Nowhere {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// An output that stops the run of this crew when so many tours have come to it.
fn stops_at(crew: &Crew, tours: u64) -> TourOutput {
    let (watch, come) = (crew.watch(), AtomicU64::new(0));
    let format = move |_: destrier::board::TourRef<'_>, _: &mut Vec<u8>| {
        if come.fetch_add(1, Ordering::Relaxed) + 1 == tours {
            watch.control().stop(StopReason::Asked);
        }
    };
    Some((Box::new(Nowhere), Box::new(format)))
}

/// Stops the run of this crew, which takes breaks, in the `n`-th of them.
fn stop_in_break(crew: &mut Crew, n: u64) {
    let (watch, breaks) = (crew.watch(), AtomicU64::new(0));
    crew.set_saver(Box::new(move |_| {
        if breaks.fetch_add(1, Ordering::Relaxed) + 1 == n {
            watch.control().stop(StopReason::Asked);
        }
    }));
}

fn figures(outcome: &RunOutcome) -> (u64, u64, u64) {
    let total = outcome.total();
    (total.tours, total.nodes, total.pruned)
}

/// The figures of a run that is neither stopped nor shared.
fn whole(solver: &dyn Solver, problem: &Problem) -> (u64, u64, u64) {
    let crew = Crew::new(CrewPlan::of(1, Scheduler::SERIAL), EventSender::nowhere());
    figures(&solver.solve(problem, crew, None).unwrap())
}

/// A run is stopped at a tour or in a break between two bursts, whichever comes first, and resumed by another crew.
#[test]
fn what_one_run_leaves_the_next_one_resumes() {
    let mut random = random();
    let mut stops = 0;
    for (solver, board, ending, tours) in TREES {
        let (solver, problem) =
            (solver_by_name(solver).unwrap(), Problem::new(board.parse::<Shape>().unwrap(), ending));
        let whole = whole(solver, &problem);
        assert_eq!(whole.0, tours);
        for _ in 0..3 {
            let mut so_far = RunOutcome { rest: vec![Task::root()], ..RunOutcome::default() };
            for go in 0.. {
                let scheduler = Scheduler::ALL[random.usize(..Scheduler::ALL.len())];
                let hand_over = HandOver::ALL[random.usize(..2)];
                let breaks = EVERY_BURST.filter(|_| go < STOPS && random.bool());
                let plan = CrewPlan { hand_over, breaks, ..CrewPlan::of(random.usize(1..9), scheduler) };
                let mut crew = Crew::new(plan, EventSender::nowhere());
                let before = so_far.elapsed;
                crew.resume(so_far);
                let output = match breaks {
                    Some(_) => {
                        stop_in_break(&mut crew, random.u64(1..8));
                        None
                    }
                    None if go < STOPS => stops_at(&crew, random.u64(1..tours / 2)),
                    None => None,
                };
                so_far = solver.solve(&problem, crew, output).unwrap();
                assert!(so_far.elapsed > before);
                assert_eq!(so_far.complete(), so_far.rest.is_empty(), "{:?}", so_far.stopped);
                if so_far.complete() {
                    break;
                }
                stops += 1;
            }
            assert_eq!(figures(&so_far), whole, "{board}");
        }
    }
    assert!(stops >= TREES.len() * 3, "{stops} stops");
}

/// A wish to stop that comes when the last branch is done leaves a complete run, and nothing to be resumed: its checkpoint
/// could not be read otherwise.
#[test]
fn a_run_that_is_stopped_when_nothing_is_left_is_complete() {
    let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
    for reason in [StopReason::Asked, StopReason::Signal, StopReason::Deadline] {
        for scheduler in Scheduler::ALL {
            let crew = Crew::new(CrewPlan::of(1, scheduler), EventSender::nowhere());
            let (watch, come) = (crew.watch(), AtomicU64::new(0));
            // The last tours of a worker are handed on when it has no more work.
            let format = move |_: destrier::board::TourRef<'_>, _: &mut Vec<u8>| {
                if come.fetch_add(1, Ordering::Relaxed) + 1 == 9862 {
                    watch.control().stop(reason);
                }
            };
            let output: TourOutput = Some((Box::new(Nowhere), Box::new(format)));
            let outcome = solver_by_name("edges").unwrap().solve(&problem, crew, output).unwrap();
            assert_eq!(outcome.complete(), outcome.rest.is_empty(), "{reason:?} under {scheduler:?}");
            assert_eq!(outcome.total().tours, 9862);
        }
    }
}

/// A run that takes a break after each burst, and is stopped in one of them, comes to the same when it is resumed; and so
/// does what was saved in any break before.
#[test]
fn what_is_kept_in_a_break_comes_to_the_same() {
    const BREAKS: usize = 30;
    let mut random = random();
    let mut breaks = 0;
    for (solver, board, ending, _) in TREES {
        let (solver, problem) =
            (solver_by_name(solver).unwrap(), Problem::new(board.parse::<Shape>().unwrap(), ending));
        let whole = whole(solver, &problem);
        for (scheduler, threads) in [
            (Scheduler::SERIAL, 1),
            (Scheduler::HIRE, 3),
            (Scheduler::STATIC, 2),
            (Scheduler::BLOCKS, 3),
            (Scheduler::RAYON, 4),
        ] {
            let kept: Arc<Mutex<Vec<RunOutcome>>> = Arc::default();
            let plan = CrewPlan { breaks: EVERY_BURST, ..CrewPlan::of(threads, scheduler) };
            let mut crew = Crew::new(plan, EventSender::nowhere());
            let (watch, keep, cpu) = (crew.watch(), kept.clone(), Mutex::new(Duration::ZERO));
            crew.set_saver(Box::new(move |so_far| {
                let mut kept = keep.lock().unwrap();
                // A look at the run sees that the next break is due, and the workers put down what they have not begun:
                // so only every other break is looked at.
                if kept.len() % 2 == 0 {
                    let seen = watch.snapshot();
                    assert_eq!(seen.nodes(), so_far.total().nodes);
                    let (now, mut before) = (seen.workers.iter().map(|worker| worker.cpu).sum(), cpu.lock().unwrap());
                    assert!(now >= *before, "it goes on over the break");
                    *before = now;
                }
                kept.push(so_far.clone());
                if kept.len() == BREAKS {
                    watch.control().stop(StopReason::Asked);
                }
            }));
            let ended = solver.solve(&problem, crew, None).unwrap();
            let kept = std::mem::take(&mut *kept.lock().unwrap());
            breaks += kept.len();
            assert!(kept.windows(2).all(|two| two[0].total().nodes <= two[1].total().nodes));
            for so_far in random.choice(kept).into_iter().chain([ended]) {
                let mut crew = Crew::new(CrewPlan::of(random.usize(1..5), Scheduler::HIRE), EventSender::nowhere());
                if so_far.rest.is_empty() {
                    assert_eq!(figures(&so_far), whole, "{board} {scheduler:?}");
                    continue;
                }
                crew.resume(so_far);
                assert_eq!(figures(&solver.solve(&problem, crew, None).unwrap()), whole, "{board} {scheduler:?}");
            }
        }
    }
    assert!(breaks > 4 * BREAKS, "{breaks} breaks");
}

/// What is left stays as small as it is at first, however many breaks there are.
#[test]
fn what_is_left_does_not_grow_from_break_to_break() {
    const BREAKS: u64 = 200;
    let problem = Problem::new("6x8".parse::<Shape>().unwrap(), Ending::Closed);
    for (scheduler, threads) in [(Scheduler::SERIAL, 1), (Scheduler::HIRE, 2), (Scheduler::STATIC, 2)] {
        let left: Arc<Mutex<Vec<usize>>> = Arc::default();
        let plan = CrewPlan { breaks: EVERY_BURST, ..CrewPlan::of(threads, scheduler) };
        let mut crew = Crew::new(plan, EventSender::nowhere());
        let (keep, watch) = (left.clone(), crew.watch());
        crew.set_saver(Box::new(move |so_far| {
            let mut left = keep.lock().unwrap();
            left.push(so_far.rest.len());
            if left.len() as u64 == BREAKS {
                watch.control().stop(StopReason::Asked);
            }
        }));
        solver_by_name("path").unwrap().solve(&problem, crew, None).unwrap();
        let left = std::mem::take(&mut *left.lock().unwrap());
        // In each of 48 squares some moves that wait, and what was dealt out.
        let dealt = if scheduler == Scheduler::STATIC { 1 << 13 } else { 0 };
        let most = left.iter().max().copied();
        assert_eq!(left.len() as u64, BREAKS);
        assert!(most < Some(200 * threads + dealt), "{most:?} under {scheduler:?}");
    }
}

/// The parts of a tree that machines work out for themselves are disjoint and together the whole.
#[test]
fn shards_add_up() {
    for (solver, board, ending, tours) in
        TREES.into_iter().chain([("edges", "3x4", Ending::Closed, 0), ("path", "3x4", Ending::Open, 16)])
    {
        let (solver, problem) =
            (solver_by_name(solver).unwrap(), Problem::new(board.parse::<Shape>().unwrap(), ending));
        let whole = whole(solver, &problem);
        // More parts than branches are tried on the smallest trees, and more than 128, which are dealt out among two groups, on
        // one tree.
        let parts: &[u32] = match tours {
            37_568 => &[7, 130],
            0 | 16 => &[1, 2, 7, 40],
            _ => &[2, 7],
        };
        for &of in parts {
            let mut sum = (0, 0, 0);
            for index in 1..=of {
                let plan = CrewPlan { shard: Shard::new(index, of), ..CrewPlan::of(2, Scheduler::HIRE) };
                let crew = Crew::new(plan, EventSender::nowhere());
                let part = figures(&solver.solve(&problem, crew, None).unwrap());
                sum = (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2);
            }
            assert_eq!(sum, whole, "{board} in {of} parts");
        }
    }
}
