//! What a run leaves when it stops, another one takes up: at any moment, from any scheduler to any other, by any number
//! of workers, nothing is lost and nothing done twice.

use destrier::board::Ending;
use destrier::event::EventSender;
use destrier::schedule::{Crew, CrewPlan, Scheduler};
use destrier::search::{HandOver, Tally, Task};
use destrier::solve::{Problem, by_name};
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

#[test]
fn what_one_run_leaves_the_next_one_takes_up() {
    let mut random = fastrand::Rng::with_seed(14);
    let mut stops = 0;
    for (solver, board, ending, tours) in TREES {
        let (solver, problem) = (by_name(solver).unwrap(), Problem::new(board.parse().unwrap(), ending));
        let serial = crew(Scheduler::Serial, 1, HandOver::Shallowest, None);
        let whole = solver.solve(&problem, serial, None).unwrap().total();
        assert_eq!(whole.tours, tours);
        for _ in 0..3 {
            let mut sum = Tally::default();
            let mut left = vec![Task::root()];
            while !left.is_empty() {
                let scheduler = Scheduler::ALL[random.usize(..4)];
                let rule = HandOver::ALL[random.usize(..2)];
                let deadline = Instant::now() + Duration::from_micros(random.u64(50..8000));
                let mut crew = crew(scheduler, random.usize(1..9), rule, Some(deadline));
                crew.take_up(left);
                let outcome = solver.solve(&problem, crew, None).unwrap();
                let total = outcome.total();
                sum.nodes += total.nodes;
                sum.tours += total.tours;
                sum.pruned += total.pruned;
                assert!(outcome.complete() || outcome.stopped.is_some());
                stops += u32::from(!outcome.rest.is_empty());
                assert!(!outcome.complete() || outcome.rest.is_empty());
                left = outcome.rest;
            }
            assert_eq!((sum.tours, sum.nodes, sum.pruned), (whole.tours, whole.nodes, whole.pruned), "{board}");
        }
    }
    assert!(stops > 20, "{stops} stops");
}
