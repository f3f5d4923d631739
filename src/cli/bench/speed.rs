//! How fast the solvers list tours, beside the best public programs for the same work.

use super::clock::Time;
use super::race::{TimedJob, race};
use super::row::BenchRow;
use super::{Bench, board, cores};
use crate::board::{Board, Ending};
use crate::job::Failure;
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;

/// A question with its answer, on one worker: solver, board, ending; the tours, in the convention of `search` (OEIS
/// A175881, A165134; 6x8: A175881); the nodes, where the tree is as published, or was recomputed by another program;
/// whether it is part of the quick bench; and what to hold the time against.
///
/// Programs: Knuth's SSHAM; P. Luschny 2025 (two threads); jmoy/knights_tours; a Java program that does what Radley 2002
/// describes; Carter 2016, section 2.1.
type SpeedCase = (&'static str, &'static str, Ending, u64, Option<u64>, bool, &'static str);

const QUESTIONS: &[SpeedCase] = &[
    ("edges", "6x6", Ending::Closed, 9862, None, true, "target 0.0008 s; SSHAM 0.004, Luschny x2 0.028, jmoy 176"),
    ("edges", "6x7", Ending::Closed, 1_067_638, None, true, "target 0.06 s; SSHAM 0.318"),
    ("edges", "6x8", Ending::Closed, 55_488_142, None, false, "target 3.4 s; SSHAM 17.3"),
    ("path", "6x6", Ending::Open, 6_637_920, None, true, "target 0.2 s; Luschny x2 1.04"),
    ("radley", "5x6", Ending::Closed, 8, Some(7_745_182), true, "no pruning"),
    ("radley", "6x6", Ending::Closed, 9862, Some(1_769_811_723), false, "no pruning; target 6 s; Java 24.6"),
    ("brute", "5x5", Ending::Open, 1728, Some(38_010_697), true, "Carter prints 0.083"),
];

/// Squares of the boards whose open tours are counted, and their tours together, directed: for the quick and the full
/// bench. Up to 40 squares they are the boards of Luschny's challenge.
pub const EVERY: [(u32, u64); 2] = [(30, 61_832), (40, 47_071_212)];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for question in QUESTIONS.iter().filter(|question| question.5 || !quick) {
        bench.add(answer(question, bench.pick(3, 5))?)?;
    }
    let (squares_max, tours) = bench.pick(EVERY[0], EVERY[1]);
    let boards = boards_up_to(squares_max);
    let run = |&board: &Board| {
        TimedJob::solve("path", Problem::new(board, Ending::Open)).under(Scheduler::Hire, cores(), HandOver::Shallowest)
    };
    let timed = race(&boards.iter().map(run).collect::<Vec<_>>(), 1)?;
    let counted: Vec<_> =
        boards.iter().zip(timed).map(|(&board, timed)| (board, timed.total.tours, timed.time)).collect();
    let row = every_open_count(squares_max, tours, &counted).remark(format!("path, hire x{}", cores()));
    bench.add(row.remark("up to 40 squares: target 10 s; Luschny x2 35"))
}

fn answer(
    &(solver, name, ending, tours, nodes, quick, beside): &SpeedCase,
    rounds: usize,
) -> Result<BenchRow, Failure> {
    // The long ones need no median, and bear none.
    let rounds = if quick { rounds } else { 1 };
    let timed = race(&[TimedJob::solve(solver, Problem::new(board(name), ending))], rounds)?.remove(0);
    let row = timed.row(format!("{name} {} by {solver}, 1 thread", ending.name()), tours, nodes);
    Ok(row.figure("ns_per_node", timed.ns_per_node()).remark(beside))
}

/// A row of all open tours of some boards, up to so many squares: how many each of them was counted to have, and how long
/// that took.
pub fn every_open_count(squares_max: u32, tours: u64, counted: &[(Board, u64, Time)]) -> BenchRow {
    let sum = |of: fn(&Time) -> f64| counted.iter().map(|(.., time)| of(time)).sum();
    let time = Time { cpu_s: sum(|time| time.cpu_s), wall_s: sum(|time| time.wall_s) };
    let mut row = BenchRow::new(format!("open counts, 3x3..12x12, up to {squares_max} squares")).took(time);
    let mut known = 0u64;
    for &(board, here, _) in counted {
        if let Some(expected) = board.known_open_directed() {
            known += 1;
            if u128::from(here) != expected.count {
                row = row.count("tours_of_a_board", here, expected.count as u64).remark(board.to_string());
            }
        }
    }
    row.count("tours", counted.iter().map(|&(_, here, _)| here).sum(), tours)
        .figure("boards", counted.len() as u64)
        .figure("equal_to_known", known)
}

/// Every board of 3 to 12 rows and columns up to a size, transposed boards once.
pub fn boards_up_to(squares_max: u32) -> Vec<Board> {
    let sides = (3..=12).flat_map(|rows| (rows..=12).map(move |cols| (rows, cols)));
    let boards = sides.filter_map(|(rows, cols)| Board::new(rows, cols).ok());
    boards.filter(|board| board.squares() <= squares_max).collect()
}
