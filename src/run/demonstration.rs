//! The demonstration: a search that shows in some 40 s what sharing a tree is.
//!
//! All closed tours of 6x6 by Radley's search with the prune test of its source's prose: figures by depth, prunes with a
//! peak, a step view, and a tree that is searched in a second at full speed. Other trees were tried on the virtual clock
//! (`5x5` open by `brute`, `5x6` by `radley`, `6x6` by `path` and by other prune tests): whichever it is, four workers that
//! hand over the largest branch hire some 25 to 45 times, first in the beginning, then not before one of them has done its
//! quarter, a third to a half of the way on. So it is the [tempo](super::Tempo) that has to be quick in between.

use super::question::{Plan, Question};
use super::tempo::Tempo;
use crate::board::{Board, Ending};
use crate::search::Prune;
use crate::solve::{self, Problem};
use crate::system;

/// Nodes of its tree.
const NODES: u64 = 150_613_402;
/// Least and most workers.
const WORKERS: [usize; 2] = [4, 256];

/// What is watched next, at full speed: all closed tours of 8x8, by as many workers as the demonstration had, but no more
/// than there are cores.
///
/// # Panics
/// If the solver is no more.
pub fn after_demonstration(workers: usize) -> Plan {
    let board = Board::new(8, 8).unwrap_or_else(|_| unreachable!("64 squares are a board"));
    let solver = solve::solver_by_name("path").unwrap_or_else(|| unreachable!("it is in the list of methods"));
    let cores = system::cores().unwrap_or(1);
    Plan::of(Question::Search(solver, Problem::new(board, Ending::Closed)), workers.min(cores))
}

/// Boards whose open tours are watched, with the nodes of their trees by `path`: measured, and of the last three estimated.
const WATCHED: [([u64; 2], f64); 5] =
    [([6, 7], 2.2e9), ([5, 10], 5.4e10), ([7, 7], 3.1e11), ([5, 11], 1.1e12), ([6, 9], 1.2e13)];
/// Nodes of them that a core of a busy machine enters a second; one of a quiet machine enters up to twice as many.
const WATCHED_PER_S: f64 = 1e8;
/// Seconds that a busy machine is to search.
const WATCHED_S: f64 = 120.0;

/// The board whose open tours so many cores search for two minutes or longer, or for about one on a quiet machine: what is
/// watched if nothing is named. On a larger board the hires would lie further apart.
///
/// Many workers hire on it from beginning to end. Of simulated searches of 5x7, 5x8 and 6x7 by 64 workers each fiftieth has about
/// five hires, whatever the size, and no gap is longer than 3 % of the run; closed tours of 6x8 have three. On two cores 64
/// workers hired 42 times in 65 s of 5x10. 8x8 has 63 hires in its first second and then none for days, because a branch is as
/// large as that.
pub fn watched_board(cores: usize) -> Board {
    let lasts = |nodes: f64| nodes >= WATCHED_S * WATCHED_PER_S * cores as f64;
    let found = WATCHED.into_iter().find(|(_, nodes)| lasts(*nodes)).unwrap_or(WATCHED[WATCHED.len() - 1]);
    let [rows, cols] = found.0;
    Board::new(rows, cols).unwrap_or_else(|_| unreachable!("they are boards"))
}

/// What is searched, by as many `workers` as were asked for, or else as there are cores, but four at least; and how fast it
/// is shown.
///
/// # Panics
/// If the solver is no more.
pub fn demonstration(cores: usize, workers: Option<usize>) -> (Plan, Tempo) {
    let board = Board::new(6, 6).unwrap_or_else(|_| unreachable!("36 squares are a board"));
    let solver = solve::solver_by_name("radley").unwrap_or_else(|| unreachable!("it is in the list of methods"));
    let problem = Problem { prune: Prune::AnyIsolated, ..Problem::new(board, Ending::Closed) };
    let workers = workers.unwrap_or(cores.clamp(WORKERS[0], WORKERS[1]));
    let plan = Plan::of(Question::Search(solver, problem), workers);
    (plan, Tempo::WholeRun { nodes: NODES })
}
