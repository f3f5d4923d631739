//! Carter's rotational search: how fast it is, that it can be shared, and why his own attempt to share it failed.
//!
//! He made tasks of single statements: the rotated coordinates of one square. The exhibit does the same to a plain walk
//! through the orbits: at every node the three turned squares are found either in line or as tasks of rayon.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, sections 2.2 and 2.3.

use super::clock::turns;
use super::race::{TimedJob, race};
use super::row::BenchRow;
use super::{Bench, board};
use crate::board::{Board, Ending, Square};
use crate::job::{Failure, running};
use crate::schedule::Scheduler;
use crate::search::HandOver;
use crate::solve::Problem;

/// A board, its open directed tours of this kind, and what is to be said.
///
/// 7x7 was recomputed by plain search; the larger ones are this program's own.
const BOARDS: [(&str, u64, &str); 3] = [
    ("7x7", 15_296, "71 nodes and the tables: nothing to share; the source prints 8.6e-6 s on 4, 8 and 16 cores"),
    ("9x9", 3_615_248, "the source prints 0.39 s on 4, 8 and 16 cores"),
    ("10x10", 201_972_992, "a tree large enough to be shared"),
];

/// The board of the exhibit: its nodes, and its paths through all orbits from every one of them.
const EXHIBIT: (&str, u64, u64) = ("7x7", 112_366, 10_304);

/// Finds the three squares that quarter turns take a square to.
type Turned = fn(Board, Square) -> [Square; 3];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for (name, tours, source) in BOARDS {
        let board = board(name);
        let serial = TimedJob::solve("quarter-turn", Problem::new(board, Ending::Open));
        let runs = [1, 2].map(|threads| serial.under(Scheduler::Hire, threads, HandOver::Shallowest));
        let timed = race(&runs, bench.pick(1, 5))?;
        for (threads, run) in [1, 2].iter().zip(&timed) {
            let row = run
                .row(format!("{board} open, hire x{threads}"), tours, Some(timed[0].total.nodes))
                .figure("speed_up", timed[0].time.wall_s / run.time.wall_s)
                .figure("cores_had", run.time.cpu_s / run.time.wall_s);
            bench.add(row.remark(source))?;
        }
    }
    exhibit(bench)
}

/// The source's tasks against the same in line.
fn exhibit(bench: &mut Bench) -> Result<(), Failure> {
    let (name, nodes, paths) = EXHIBIT;
    let board = board(name);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
    let pool = pool.map_err(running)?;
    let walk = |turned: Turned| pool.install(|| Walk::all(board, turned));
    let (mut in_line, mut as_tasks) = (|| walk(turned_in_line), || walk(turned_as_tasks));
    let walks = turns(bench.pick(3, 9), [&mut in_line, &mut as_tasks]);
    let first = walks[0].0;
    let said = ["", "as the source found: tasks so small only make it slower"];
    for ((name, said), (time, walk)) in ["in line", "as tasks of rayon x2"].iter().zip(said).zip(walks) {
        let row = BenchRow::new(format!("{board}, squares turned {name}"))
            .took(time)
            .count("nodes", walk.nodes, nodes)
            .count("paths", walk.paths, paths)
            .figure("ns_per_node_wall", 1e9 * time.wall_s / nodes as f64)
            .figure("times_as_long", time.wall_s / first.wall_s);
        bench.add(row.remark(said))?;
    }
    Ok(())
}

/// The square that a quarter turn takes this one to.
fn turn(board: Board, square: Square) -> Square {
    let (row, col) = board.row_col(square);
    let turned = board.square(col, board.rows() - 1 - row);
    turned.unwrap_or_else(|| unreachable!("a quarter turn keeps a square board in place"))
}

fn turned_in_line(board: Board, square: Square) -> [Square; 3] {
    let once = turn(board, square);
    let twice = turn(board, once);
    [once, twice, turn(board, twice)]
}

fn turned_as_tasks(board: Board, square: Square) -> [Square; 3] {
    let twice = || turn(board, turn(board, square));
    let thrice = || turn(board, turn(board, turn(board, square)));
    let (once, (twice, thrice)) = rayon::join(|| turn(board, square), || rayon::join(twice, thrice));
    [once, twice, thrice]
}

/// A plain walk through the orbits of a board by quarter turns.
struct Walk {
    board: Board,
    turned: Turned,
    nodes: u64,
    paths: u64,
}

impl Walk {
    /// Enters every path from one square of each orbit but the centre.
    fn all(board: Board, turned: Turned) -> Walk {
        let mut walk = Walk { board, turned, nodes: 0, paths: 0 };
        let orbits = board.all().map(|square| walk.orbit(square)).filter(|orbit| orbit.count_ones() == 4);
        let vacant = orbits.fold(0, |set, orbit| set | orbit);
        for start in board.all() {
            let orbit = walk.orbit(start);
            if orbit & vacant != 0 && orbit.trailing_zeros() == start.index() {
                walk.enter(start, vacant);
            }
        }
        walk
    }

    fn orbit(&self, square: Square) -> u64 {
        (self.turned)(self.board, square).iter().fold(1 << square.index(), |set, turned| set | 1 << turned.index())
    }

    fn enter(&mut self, square: Square, vacant: u64) {
        let rest = vacant & !self.orbit(square);
        self.nodes += 1;
        self.paths += u64::from(rest == 0);
        for next in self.board.neighbours(square).filter(|next| rest >> next.index() & 1 == 1) {
            self.enter(next, rest);
        }
    }
}
