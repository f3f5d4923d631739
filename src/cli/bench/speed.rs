//! How fast the solvers list tours, beside the best public programs for the same work.

use super::race::{Timed, TimedJob, race};
use super::row::{BenchRow, LapTime};
use super::{Bench, board, cores};
use crate::board::{Board, Ending};
use crate::job::Failure;
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;

/// A question with its answer, on one worker.
struct SpeedCase {
    solver: &'static str,
    board: &'static str,
    ending: Ending,
    /// In the convention of `search` (OEIS A175881, A165134; 6x8: A175881).
    tours: u64,
    /// Where the tree is as published, or was recomputed by another program.
    nodes: Option<u64>,
    /// Whether it is part of the quick bench. The long ones need no median, and bear none.
    quick: bool,
    /// What to hold the time against. Programs: Knuth's SSHAM; P. Luschny 2025 (two threads); jmoy/knights_tours; a Java
    /// program that does what Radley 2002 describes; Carter 2016, section 2.1.
    beside: &'static str,
}

const fn closed(solver: &'static str, board: &'static str, tours: u64, beside: &'static str) -> SpeedCase {
    SpeedCase { solver, board, ending: Ending::Closed, tours, nodes: None, quick: true, beside }
}

const CASES: [SpeedCase; 7] = [
    closed("edges", "6x6", 9862, "target 0.0008 s; SSHAM 0.004, Luschny x2 0.028, jmoy 176"),
    closed("edges", "6x7", 1_067_638, "target 0.06 s; SSHAM 0.318"),
    SpeedCase { quick: false, ..closed("edges", "6x8", 55_488_142, "target 3.4 s; SSHAM 17.3") },
    SpeedCase { ending: Ending::Open, ..closed("path", "6x6", 6_637_920, "target 0.2 s; Luschny x2 1.04") },
    SpeedCase { nodes: Some(7_745_182), ..closed("radley", "5x6", 8, "no pruning") },
    SpeedCase {
        nodes: Some(1_769_811_723),
        quick: false,
        ..closed("radley", "6x6", 9862, "no pruning; target 6 s; Java 24.6")
    },
    SpeedCase { ending: Ending::Open, nodes: Some(38_010_697), ..closed("brute", "5x5", 1728, "Carter prints 0.083") },
];

/// Squares of the boards whose open tours are counted, and their tours together, directed: for the quick and the full
/// bench. Up to 40 squares they are the boards of Luschny's challenge.
const EVERY: [(u32, u64); 2] = [(30, 61_832), (40, 47_071_212)];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for case in CASES.iter().filter(|case| case.quick || !quick) {
        let SpeedCase { solver, ending, tours, nodes, beside, .. } = *case;
        let board = board(case.board);
        let rounds = if case.quick { bench.pick(3, 5) } else { 1 };
        let timed = race(&[TimedJob::solve(solver, Problem::new(board, ending))], rounds)?.remove(0);
        let row = timed.row(format!("{board} {} by {solver}, 1 thread", ending.name()), tours, nodes);
        bench.add(row.figure("ns_per_node", timed.ns_per_node()).remark(beside))?;
    }
    every_open_tour(bench)
}

/// All open tours of every small board, on every core; each known number must come out.
fn every_open_tour(bench: &mut Bench) -> Result<(), Failure> {
    let (squares_max, tours) = bench.pick(EVERY[0], EVERY[1]);
    let boards = boards_up_to(squares_max);
    let job = |&board: &Board| {
        TimedJob::solve("path", Problem::new(board, Ending::Open)).under(Scheduler::HIRE, cores(), HandOver::Shallowest)
    };
    let timed = race(&boards.iter().map(job).collect::<Vec<_>>(), 1)?;
    let sum = |of: fn(&LapTime) -> f64| timed.iter().map(|timed| of(&timed.time)).sum();
    let time = LapTime { cpu_s: sum(|time| time.cpu_s), wall_s: sum(|time| time.wall_s) };
    let mut row = BenchRow::new(format!("open counts, 3x3..12x12, up to {squares_max} squares")).took(time);
    let mut equal = 0u64;
    for (board, Timed { total, .. }) in boards.iter().zip(&timed) {
        let Some(known) = board.known_open_directed() else { continue };
        if u128::from(total.tours) == known.count {
            equal += 1;
        } else {
            row = row.count("tours_of_a_board", total.tours, known.count as u64).remark(board.to_string());
        }
    }
    let row = row
        .count("tours", timed.iter().map(|timed| timed.total.tours).sum(), tours)
        .figure("boards", boards.len() as u64)
        .figure("equal_to_known", equal)
        .remark(format!("path, hire x{}", cores()));
    bench.add(row.remark("up to 40 squares: target 10 s; Luschny x2 35"))
}

/// Every board of 3 to 12 rows and columns up to a size, transposed boards once.
fn boards_up_to(squares_max: u32) -> Vec<Board> {
    let sides = (3..=12).flat_map(|rows| (rows..=12).map(move |cols| (rows, cols)));
    let boards = sides.filter_map(|(rows, cols)| Board::new(rows, cols).ok());
    boards.filter(|board| board.squares() <= squares_max).collect()
}
