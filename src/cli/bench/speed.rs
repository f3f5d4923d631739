//! How fast the solvers list tours, beside the best public programs for the same work.

use super::race::{Run, race};
use super::row::{Row, Time};
use super::{Bench, board};
use crate::board::{Board, Ending};
use crate::cli::failure::Failure;
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;

const GROUP: &str = "speed";

/// A question with its answer, on one worker.
struct Question {
    solver: &'static str,
    board: &'static str,
    ending: Ending,
    /// Tours, in the convention of `search` (OEIS A175881, A165134; 6x8: A175881).
    tours: u64,
    /// Nodes, where the tree is as published, or was recomputed by another program.
    nodes: Option<u64>,
    /// Whether it is part of the quick bench.
    quick: bool,
    /// What to hold the time against. Programs: Knuth's SSHAM; P. Luschny 2025 (two threads); jmoy/knights_tours; a
    /// Java program that does what Radley 2002 describes; Carter 2016, section 2.1.
    beside: &'static str,
}

const QUESTIONS: &[Question] = &[
    Question {
        solver: "edges",
        board: "6x6",
        ending: Ending::Closed,
        tours: 9862,
        nodes: None,
        quick: true,
        beside: "target 0.0008 s; SSHAM 0.004, Luschny x2 0.028, jmoy 176",
    },
    Question {
        solver: "edges",
        board: "6x7",
        ending: Ending::Closed,
        tours: 1_067_638,
        nodes: None,
        quick: true,
        beside: "target 0.06 s; SSHAM 0.318",
    },
    Question {
        solver: "edges",
        board: "6x8",
        ending: Ending::Closed,
        tours: 55_488_142,
        nodes: None,
        quick: false,
        beside: "target 3.4 s; SSHAM 17.3",
    },
    Question {
        solver: "path",
        board: "6x6",
        ending: Ending::Open,
        tours: 6_637_920,
        nodes: None,
        quick: true,
        beside: "target 0.2 s; Luschny x2 1.04",
    },
    Question {
        solver: "radley",
        board: "5x6",
        ending: Ending::Closed,
        tours: 8,
        nodes: Some(7_745_182),
        quick: true,
        beside: "no pruning",
    },
    Question {
        solver: "radley",
        board: "6x6",
        ending: Ending::Closed,
        tours: 9862,
        nodes: Some(1_769_811_723),
        quick: false,
        beside: "no pruning; target 6 s; Java 24.6",
    },
    Question {
        solver: "brute",
        board: "5x5",
        ending: Ending::Open,
        tours: 1728,
        nodes: Some(38_010_697),
        quick: true,
        beside: "Carter prints 0.083",
    },
];

/// Squares of the boards whose open tours are counted, and their tours together, directed: for the quick and the full
/// bench. Up to 40 squares they are the boards of Luschny's challenge.
pub const EVERY: [(u32, u64); 2] = [(30, 61_832), (40, 47_071_212)];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.quick;
    for question in QUESTIONS.iter().filter(|question| question.quick || !quick) {
        bench.add(answer(question, bench.pick(3, 5))?)?;
    }
    let (squares_max, tours) = bench.pick(EVERY[0], EVERY[1]);
    bench.add(every_open_count(squares_max, tours)?)
}

fn answer(question: &Question, rounds: usize) -> Result<Row, Failure> {
    let &Question { solver, ending, tours, nodes, beside, .. } = question;
    let board = board(question.board);
    // The long ones need no median, and bear none.
    let rounds = if question.quick { rounds } else { 1 };
    let timed = race(&[Run::solve(solver, Problem::new(board, ending))], rounds)?.remove(0);
    let word = ending.name();
    let row = Row::new(GROUP, format!("{board} {word} by {solver}, 1 thread"))
        .took(timed.time)
        .count("tours", timed.total.tours, tours)
        .must("steady", timed.steady);
    let row = match nodes {
        Some(nodes) => row.count("nodes", timed.total.nodes, nodes),
        None => row.figure("nodes", timed.total.nodes),
    };
    Ok(row.figure("ns_per_node", timed.ns_per_node()).remark(beside))
}

/// All open tours of every board of 3 to 12 rows and columns up to a size, transposed boards once.
fn every_open_count(squares_max: u32, tours: u64) -> Result<Row, Failure> {
    let boards = boards_up_to(squares_max);
    let cores = super::cores();
    let runs: Vec<Run> = boards
        .iter()
        .map(|&board| Run::solve("path", Problem::new(board, Ending::Open)))
        .map(|run| run.under(Scheduler::Hire, cores, HandOver::Shallowest))
        .collect();
    let timed = race(&runs, 1)?;
    let time = timed.iter().fold(Time::default(), |sum, timed| Time {
        cpu_s: sum.cpu_s + timed.time.cpu_s,
        wall_s: sum.wall_s + timed.time.wall_s,
    });
    let mut row = Row::new(GROUP, format!("open counts, 3x3..12x12, up to {squares_max} squares")).took(time);
    let mut known = 0;
    for (&board, timed) in boards.iter().zip(&timed) {
        if let Some(expected) = board.known_open_directed() {
            known += 1;
            if u128::from(timed.total.tours) != expected.count {
                row = row.count("tours_of_a_board", timed.total.tours, expected.count as u64).remark(board.to_string());
            }
        }
    }
    Ok(row
        .count("tours", timed.iter().map(|timed| timed.total.tours).sum(), tours)
        .figure("boards", boards.len() as u64)
        .figure("equal_to_known", known)
        .remark(format!("path, hire x{cores}"))
        .remark("up to 40 squares: target 10 s; Luschny x2 35"))
}

/// Every board of 3 to 12 rows and columns up to a size, transposed boards once.
pub fn boards_up_to(squares_max: u32) -> Vec<Board> {
    let sides = (3..=12).flat_map(|rows| (rows..=12).map(move |cols| (rows, cols)));
    let boards = sides.filter_map(|(rows, cols)| Board::new(rows, cols).ok());
    boards.filter(|board| board.squares() <= squares_max).collect()
}
