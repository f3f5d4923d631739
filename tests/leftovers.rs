//! What a run leaves when it stops, another one takes up: at any moment, from any scheduler to any other, by any number
//! of workers, nothing is lost and nothing done twice.

use destrier::board::Ending;
use destrier::event::EventSender;
use destrier::schedule::{Crew, CrewPlan, Outcome, Scheduler, Shard};
use destrier::search::{HandOver, Task};
use destrier::solve::{Problem, Solver, by_name};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Solver, board, ending and tours, on trees of some ten milliseconds.
const TREES: [(&str, &str, Ending, u64); 5] = [
    ("radley", "5x6", Ending::Closed, 8),
    ("brute", "5x5", Ending::Open, 1728),
    ("path", "6x7", Ending::Closed, 1_067_638),
    ("edges", "5x10", Ending::Closed, 13_311_268),
    ("path", "6x6", Ending::Open, 6_637_920),
];

fn crew(scheduler: Scheduler, threads: usize, hand_over: HandOver, deadline: Option<Instant>) -> Crew {
    Crew::new(CrewPlan { hand_over, deadline, ..CrewPlan::of(threads, scheduler) }, EventSender::nowhere())
}

fn figures(outcome: &Outcome) -> (u64, u64, u64) {
    let total = outcome.total();
    (total.tours, total.nodes, total.pruned)
}

/// The figures of a run that is neither stopped nor shared.
fn whole(solver: &dyn Solver, problem: &Problem) -> (u64, u64, u64) {
    figures(&solver.solve(problem, crew(Scheduler::Serial, 1, HandOver::Shallowest, None), None).unwrap())
}

#[test]
fn what_one_run_leaves_the_next_one_takes_up() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut stops = 0;
    for (solver, board, ending, tours) in TREES {
        let (solver, problem) = (by_name(solver).unwrap(), Problem::new(board.parse().unwrap(), ending));
        let whole = whole(solver, &problem);
        assert_eq!(whole.0, tours);
        for _ in 0..3 {
            let mut so_far = Outcome { rest: vec![Task::root()], ..Outcome::default() };
            while !so_far.rest.is_empty() {
                let scheduler = Scheduler::ALL[random.usize(..Scheduler::ALL.len())];
                let rule = HandOver::ALL[random.usize(..2)];
                let deadline = Instant::now() + Duration::from_micros(random.u64(50..40_000));
                let mut crew = crew(scheduler, random.usize(1..9), rule, Some(deadline));
                let before = so_far.elapsed;
                crew.take_up(so_far);
                so_far = solver.solve(&problem, crew, None).unwrap();
                assert!(so_far.elapsed > before);
                assert!(so_far.complete() || so_far.stopped.is_some());
                stops += u32::from(!so_far.rest.is_empty());
                assert!(!so_far.complete() || so_far.rest.is_empty());
            }
            assert_eq!(figures(&so_far), whole, "{board}");
        }
    }
    assert!(stops > 20, "{stops} stops");
}

/// A run that takes a break every millisecond comes to the same, and so does whoever takes up what it had in one.
#[test]
fn what_is_kept_in_a_break_comes_to_the_same() {
    let mut random = fastrand::Rng::with_seed(15);
    let mut breaks = 0;
    for (solver, board, ending, _) in TREES {
        let (solver, problem) = (by_name(solver).unwrap(), Problem::new(board.parse().unwrap(), ending));
        let whole = whole(solver, &problem);
        for (scheduler, threads) in [
            (Scheduler::Serial, 1),
            (Scheduler::Hire, 3),
            (Scheduler::Static, 2),
            (Scheduler::Blocks, 3),
            (Scheduler::Rayon, 4),
        ] {
            let kept: Arc<Mutex<Vec<Outcome>>> = Arc::default();
            let plan = CrewPlan { breaks: Some(Duration::from_millis(1)), ..CrewPlan::of(threads, scheduler) };
            let mut crew = Crew::new(plan, EventSender::nowhere());
            let watch = crew.watch();
            let keep = kept.clone();
            let cpu = Mutex::new(Duration::ZERO);
            crew.keep(Box::new(move |so_far| {
                let seen = watch.snapshot();
                assert_eq!(seen.nodes(), so_far.total().nodes);
                let (now, mut before) = (seen.workers.iter().map(|worker| worker.cpu).sum(), cpu.lock().unwrap());
                assert!(now >= *before, "it goes on over the break");
                *before = now;
                keep.lock().unwrap().push(so_far.clone());
            }));
            assert_eq!(figures(&solver.solve(&problem, crew, None).unwrap()), whole, "{board} {scheduler:?}");
            let kept = std::mem::take(&mut *kept.lock().unwrap());
            breaks += kept.len();
            assert!(kept.windows(2).all(|two| two[0].total().nodes <= two[1].total().nodes));
            if let Some(so_far) = random.choice(kept) {
                let mut crew = self::crew(Scheduler::Hire, random.usize(1..5), HandOver::Shallowest, None);
                crew.take_up(so_far);
                assert_eq!(figures(&solver.solve(&problem, crew, None).unwrap()), whole, "{board} {scheduler:?}");
            }
        }
    }
    assert!(breaks > 20, "{breaks} breaks");
}

/// What is left stays as small as it is at first, however many breaks there are.
#[test]
fn what_is_left_does_not_grow_from_break_to_break() {
    let problem = Problem::new("6x8".parse().unwrap(), Ending::Closed);
    for (scheduler, threads) in [(Scheduler::Serial, 1), (Scheduler::Hire, 2), (Scheduler::Static, 2)] {
        let left: Arc<Mutex<Vec<usize>>> = Arc::default();
        let deadline = Some(Instant::now() + Duration::from_millis(500));
        let plan = CrewPlan { breaks: Some(Duration::from_millis(1)), deadline, ..CrewPlan::of(threads, scheduler) };
        let mut crew = Crew::new(plan, EventSender::nowhere());
        let keep = left.clone();
        crew.keep(Box::new(move |so_far| keep.lock().unwrap().push(so_far.rest.len())));
        by_name("path").unwrap().solve(&problem, crew, None).unwrap();
        let left = std::mem::take(&mut *left.lock().unwrap());
        // In each of 48 squares some moves that wait, and what was dealt out.
        let dealt = if scheduler == Scheduler::Static { 1 << 13 } else { 0 };
        let most = left.iter().max().copied();
        assert!(
            left.len() > 50 && most < Some(200 * threads + dealt),
            "{most:?} after {} breaks, {scheduler:?}",
            left.len()
        );
    }
}

/// The parts of a tree that machines work out for themselves are disjoint and together the whole.
#[test]
fn shards_add_up() {
    for (solver, board, ending, _) in
        TREES.into_iter().chain([("edges", "3x4", Ending::Closed, 0), ("path", "3x4", Ending::Open, 16)])
    {
        let (solver, problem) = (by_name(solver).unwrap(), Problem::new(board.parse().unwrap(), ending));
        let whole = whole(solver, &problem);
        for of in [1, 2, 7, 40] {
            let mut sum = (0, 0, 0);
            for index in 1..=of {
                let plan = CrewPlan { shard: Shard::new(index, of), ..CrewPlan::of(2, Scheduler::Hire) };
                let crew = Crew::new(plan, EventSender::nowhere());
                let part = figures(&solver.solve(&problem, crew, None).unwrap());
                sum = (sum.0 + part.0, sum.1 + part.1, sum.2 + part.2);
            }
            assert_eq!(sum, whole, "{board} in {of} parts");
        }
    }
}
