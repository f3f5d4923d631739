//! One battery over the lists: every enumerator under every scheduler, with every rule and many numbers of threads,
//! counts the same tours and enters the same nodes as one worker does; and what it hands out are tours.

use crate::common::{text, tours::Blocks, wait_until};
use destrier::board::{Board, Ending, Shape};
use destrier::event::EventSender;
use destrier::schedule::{BlockOutput, Crew, CrewPlan, Format, Levels, RunOutcome, Scheduler, StopReason, WorkerState};
use destrier::search::{HandOver, Prune, Task};
use destrier::solve::{Problem, Solver, TourOutput, enumerators};

use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

/// Boards that one worker searches in some 20 ms at most, by solver: (solver, board, ending, tours). A new solver needs a row.
///
/// Tours by `board::known_counts`' sources: OEIS A165134 and A083386 (open, directed), A175881 and A175855 (closed).
const BOARDS: &[(&str, &str, Ending, u64)] = &[
    ("brute", "1x1", Ending::Open, 1),
    ("brute", "3x4", Ending::Open, 16),
    ("brute", "4x5", Ending::Open, 164),
    ("radley", "4x5", Ending::Closed, 0),
    ("radley", "5x6", Ending::Closed, 8),
    ("path", "1x1", Ending::Open, 1),
    ("path", "2x5", Ending::Open, 0),
    ("path", "4x5", Ending::Open, 164),
    ("path", "5x5", Ending::Open, 1728),
    ("path", "5x6", Ending::Open, 37568),
    ("path", "3x10", Ending::Closed, 16),
    ("path", "6x6", Ending::Closed, 9862),
    ("edges", "3x10", Ending::Closed, 16),
    ("edges", "6x6", Ending::Closed, 9862),
    ("edges", "5x8", Ending::Closed, 44202),
    ("quarter-turn", "6x6", Ending::Closed, 10),
];

fn solver(name: &str) -> &'static dyn Solver {
    destrier::solve::solver_by_name(name).unwrap_or_else(|| panic!("{name} is in the table but not in SOLVERS"))
}

fn solve(solver: &dyn Solver, problem: &Problem, plan: CrewPlan, output: TourOutput) -> RunOutcome {
    solver.admits(problem).expect("the table asks each solver only what it takes");
    solver.solve(problem, Crew::new(plan, EventSender::nowhere()), output).expect("no worker fails")
}

fn plan(scheduler: Scheduler, threads: usize, hand_over: HandOver) -> CrewPlan {
    CrewPlan { hand_over, levels: Levels::Exact, ..CrewPlan::of(threads, scheduler) }
}

#[test]
fn every_solver_is_in_the_battery() {
    for solver in enumerators() {
        assert!(BOARDS.iter().any(|&(name, ..)| name == solver.name()), "{} has no row in BOARDS", solver.name());
    }
}

#[test]
fn totals_are_the_same_under_every_scheduler_rule_and_number_of_threads() {
    for &(name, board, ending, tours) in BOARDS {
        let (solver, board) = (solver(name), board.parse::<Board>().unwrap());
        let prunes = if name == "radley" { &Prune::ALL[1..] } else { &[Prune::None] };
        for &prune in prunes {
            let problem = Problem { prune, ..Problem::new(board, ending) };
            let serial = solve(solver, &problem, plan(Scheduler::SERIAL, 1, HandOver::Shallowest), None).total();
            assert_eq!(serial.tours, tours, "{name} {board} {ending:?}");
            for scheduler in Scheduler::ALL {
                for threads in [2, 3, 64] {
                    for hand_over in HandOver::ALL {
                        let outcome = solve(solver, &problem, plan(scheduler, threads, hand_over), None);
                        let total = outcome.total();
                        let run = format!("{name} {board} {prune:?} {scheduler:?} {threads} {hand_over:?}");
                        assert!(outcome.complete(), "{run}");
                        assert_eq!(
                            (total.tours, total.nodes, total.pruned),
                            (serial.tours, serial.nodes, serial.pruned),
                            "{run}"
                        );
                        assert!(total == serial, "{run}: figures by depth differ");
                    }
                }
            }
        }
    }
}

/// The tours of a run as lines of square numbers; each block must end with a whole line.
fn lines(solver: &dyn Solver, problem: &Problem, plan: CrewPlan) -> Vec<String> {
    let blocks = Blocks::default();
    let format: Format = Box::new(|tour, block| {
        let numbers: Vec<String> = tour.indices().iter().map(u8::to_string).collect();
        block.extend_from_slice(format!("{}\n", numbers.join(" ")).as_bytes());
    });
    solve(solver, problem, plan, Some((Box::new(blocks.clone()), format)));
    let blocks = blocks.take();
    assert!(blocks.iter().all(|block| block.ends_with(b"\n")), "a block ends within a line");
    text(&blocks.concat()).lines().map(String::from).collect()
}

#[test]
fn sixty_four_threads_hand_out_every_tour_once_and_whole() {
    for &(name, board, ending, tours) in BOARDS.iter().filter(|&&(.., tours)| tours < 10_000) {
        let problem = Problem { prune: prune_for(name), ..Problem::new(board.parse::<Shape>().unwrap(), ending) };
        for scheduler in [Scheduler::HIRE, Scheduler::RAYON, Scheduler::STATIC] {
            let found = lines(solver(name), &problem, plan(scheduler, 64, HandOver::Shallowest));
            let squares = problem.board().squares() as usize;
            assert!(found.iter().all(|line| line.split(' ').count() == squares), "{name} {board}: a torn line");
            let distinct: HashSet<&String> = found.iter().collect();
            assert_eq!((found.len() as u64, distinct.len() as u64), (tours, tours), "{name} {board} {scheduler:?}");
        }
    }
}

#[test]
fn a_limit_is_met_exactly_by_many_threads() {
    for limit in [1, 7, 100] {
        for (name, board, ending) in [("path", "5x6", Ending::Open), ("edges", "6x6", Ending::Closed)] {
            let problem = Problem { limit: Some(limit), ..Problem::new(board.parse::<Shape>().unwrap(), ending) };
            for scheduler in Scheduler::ALL {
                let plan = plan(scheduler, 8, HandOver::Shallowest);
                let found = lines(solver(name), &problem, plan);
                assert_eq!(found.len() as u64, limit, "{name} {scheduler:?}");
                // No sink takes them: then they are counted, many at a time.
                let counted = solve(solver(name), &problem, plan, None).total().tours;
                assert_eq!(counted, limit, "{name} {scheduler:?}, not written");
            }
        }
    }
}

/// A run may be over before its last worker has begun.
#[test]
fn a_limit_met_at_once_ends_a_crew_that_is_still_gathering() {
    let problem = Problem { limit: Some(1), ..Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed) };
    for _ in 0..50 {
        for scheduler in Scheduler::ALL {
            let outcome = solve(solver("quarter-turn"), &problem, plan(scheduler, 16, HandOver::Shallowest), None);
            assert_eq!(outcome.total().tours, 1, "{scheduler:?}");
        }
    }
}

/// Time that a [`SlowOutput`] takes.
const SLOW: Duration = Duration::from_millis(100);

/// An output that is slow.
struct SlowOutput;

impl BlockOutput for SlowOutput {
    fn write(&self, _: &[u8]) -> io::Result<()> {
        std::thread::sleep(SLOW);
        Ok(())
    }
}

#[test]
fn a_worker_is_busy_or_idle_all_the_time() {
    let problem = Problem::new("5x6".parse::<Shape>().unwrap(), Ending::Open);
    for scheduler in Scheduler::ALL {
        let outcome = solve(solver("path"), &problem, plan(scheduler, 5, HandOver::Shallowest), None);
        for worker in &outcome.workers {
            assert_eq!(worker.busy + worker.idle, outcome.elapsed, "{scheduler:?}");
        }
        // A worker that writes is busy: here it writes at least for this time.
        let format: Format = Box::new(|_, block| block.push(b'\n'));
        let alone = plan(scheduler, 1, HandOver::Shallowest);
        let outcome = solve(solver("path"), &problem, alone, Some((Box::new(SlowOutput), format)));
        assert!(outcome.workers[0].busy >= SLOW, "{scheduler:?}: {:?}", outcome.workers[0].busy);
    }
}

/// What is kept of a run is its own time: a pause of the run before is not in the clock of the one that resumes it.
#[test]
fn a_pause_is_no_time_of_a_run_and_of_the_next() {
    let problem = Problem::new("8x8".parse::<Shape>().unwrap(), Ending::Closed);
    let begun = Instant::now();
    let mut so_far = RunOutcome { rest: vec![Task::root()], ..RunOutcome::default() };
    for paused in [true, false] {
        let mut crew = Crew::new(plan(Scheduler::HIRE, 3, HandOver::Shallowest), EventSender::nowhere());
        crew.resume(so_far);
        let watch = crew.watch();
        watch.set_paused(paused);
        so_far = std::thread::scope(|scope| {
            let run = scope.spawn(|| solver("path").solve(&problem, crew, None).unwrap());
            let state = || watch.snapshot().workers[0].state;
            wait_until("it stands", || !paused || state() == WorkerState::Paused);
            if paused {
                std::thread::sleep(SLOW);
                watch.set_paused(false);
            }
            let before = watch.snapshot().nodes();
            wait_until("it searches", || watch.snapshot().nodes() > before);
            watch.control().stop(StopReason::Asked);
            run.join().unwrap()
        });
        assert!(so_far.elapsed + SLOW <= begun.elapsed(), "{:?}", so_far.elapsed);
        for worker in &so_far.workers {
            assert_eq!(worker.busy + worker.idle, so_far.elapsed);
        }
    }
}

/// 5x6 has 9 orbits of starts for 8 workers, 6x6 closed one start for all.
#[test]
fn static_sharing_leaves_nobody_without_work() {
    for (name, board, ending) in [("path", "5x6", Ending::Open), ("radley", "6x6", Ending::Closed)] {
        let problem = Problem { prune: prune_for(name), ..Problem::new(board.parse::<Shape>().unwrap(), ending) };
        let outcome = solve(solver(name), &problem, plan(Scheduler::STATIC, 8, HandOver::Shallowest), None);
        assert!(outcome.workers.iter().all(|worker| worker.tally.nodes > 0), "{name} {board}");
    }
}

/// By how much the busiest worker's share of the nodes exceeds its part.
fn unevenness(problem: &Problem, name: &str, scheduler: Scheduler, threads: usize) -> f64 {
    let outcome = solve(solver(name), problem, CrewPlan::of(threads, scheduler), None);
    let busiest = outcome.workers.iter().map(|worker| worker.tally.nodes).max().unwrap();
    busiest as f64 / outcome.total().nodes as f64 - 1.0 / threads as f64
}

/// What is dealt to whom depends on no clock: these are the same figures at every time.
#[test]
fn a_static_division_is_even_and_the_source_s_is_not() {
    for (name, board, ending) in [
        ("radley", "5x6", Ending::Closed),
        ("path", "6x6", Ending::Open),
        ("edges", "6x7", Ending::Closed),
        ("path", "6x7", Ending::Closed),
    ] {
        let problem = Problem::new(board.parse::<Shape>().unwrap(), ending);
        let of = |scheduler, threads| unevenness(&problem, name, scheduler, threads);
        for threads in 2..=8 {
            let even = of(Scheduler::STATIC, threads);
            assert!(even <= 0.03, "{name} {board} x{threads}: {even:.4} above its part");
        }
        assert!(of(Scheduler::BLOCKS, 2) > 0.03, "{name} {board}");
    }
}

/// 6x6 closed has 1245 classes (Jelliss, Knight's Tour Notes 6a: 5 + 17 + 1223).
#[test]
fn unique_gives_one_tour_of_each_class_by_every_solver() {
    for (name, board, ending, classes) in [
        ("edges", "6x6", Ending::Closed, 1245),
        ("path", "6x6", Ending::Closed, 1245),
        ("path", "5x5", Ending::Open, 112),
        // 82 undirected tours: 19 classes of 4 and 3 of 2, those that a half turn reverses.
        ("brute", "4x5", Ending::Open, 22),
        ("path", "4x5", Ending::Open, 22),
    ] {
        let problem = Problem { unique: true, ..Problem::new(board.parse::<Shape>().unwrap(), ending) };
        let outcome = solve(solver(name), &problem, plan(Scheduler::HIRE, 3, HandOver::Shallowest), None);
        assert_eq!(outcome.total().tours, classes, "{name} {board}");
        let limited = Problem { limit: Some(classes - 1), ..problem };
        let outcome = solve(solver(name), &limited, plan(Scheduler::HIRE, 3, HandOver::Shallowest), None);
        assert_eq!((outcome.total().tours, outcome.complete()), (classes - 1, false), "{name} {board}");
    }
}

fn prune_for(name: &str) -> Prune {
    if name == "radley" { Prune::AnyIsolated } else { Prune::None }
}
