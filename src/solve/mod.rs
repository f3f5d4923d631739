//! Algorithms by name.
//!
//! A [`Solver`] answers a [`Problem`] with a crew. [`SOLVERS`] is the one list of them: the command line takes its
//! names and help from it, the conformance tests and the bench run over it. A solver is added as one file here and one line there.

mod brute;
mod deliver;
mod edges;
mod path;
mod quarter;
mod radley;

use crate::board::{Board, Ending, Square};
use crate::schedule::{Crew, Format, Outcome, Outlet, RunError};
use crate::search::Prune;
use std::ops::RangeInclusive;

/// Which tours are wanted.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The board.
    pub board: Board,
    /// Open or closed tours.
    pub ending: Ending,
    /// Open: only tours directed from this square. Closed: where the search starts.
    pub start: Option<Square>,
    /// One tour for each class under symmetry and reversal.
    pub unique: bool,
    /// Stop after this many tours.
    pub limit: Option<u64>,
    /// The prune test; only `radley` has one.
    pub prune: Prune,
    /// Depths at which it may cut.
    pub window: RangeInclusive<usize>,
}

impl Problem {
    /// All tours of a board with this ending, from anywhere.
    pub fn new(board: Board, ending: Ending) -> Problem {
        let window = 0..=usize::MAX;
        Problem { board, ending, start: None, unique: false, limit: None, prune: Prune::None, window }
    }

    /// How the tours are counted, one of the words of the command line's contract.
    pub fn convention(&self) -> &'static str {
        match (self.unique, self.ending) {
            (true, _) => "classes",
            (false, Ending::Closed) => "undirected",
            (false, Ending::Open) => "directed",
        }
    }
}

/// Who takes the tours, and in what form.
pub type Output = Option<(Box<dyn Outlet>, Format)>;

/// Why a solver does not take a problem: a sentence that says what it does take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

/// An algorithm by name.
pub trait Solver: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// One line about it.
    fn summary(&self) -> &'static str;

    /// Whether its figures by depth are counted at every node whenever they are asked for.
    fn exact_levels(&self) -> bool {
        false
    }

    /// Whether it counts only tours of some symmetry.
    fn restricted(&self) -> bool {
        false
    }

    /// Whether it takes the problem; cheap.
    ///
    /// # Errors
    /// A [`Refusal`] that says why not.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal>;

    /// Answers the problem with the crew; blocks until it is done or stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    ///
    /// # Panics
    /// When the solver does not admit the problem.
    fn solve(&self, problem: &Problem, crew: Crew, output: Output) -> Result<Outcome, RunError>;
}

/// Every solver, in the order of the help.
pub const SOLVERS: &[&dyn Solver] =
    &[&brute::Brute, &radley::Radley, &path::Path, &edges::Edges, &quarter::QuarterTurn];

/// The solver of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Solver> {
    SOLVERS.iter().copied().find(|solver| solver.name() == name)
}

/// The fastest solver that enumerates the tours of this ending.
pub fn default_for(ending: Ending) -> &'static dyn Solver {
    match ending {
        Ending::Closed => &edges::Edges,
        Ending::Open => &path::Path,
    }
}

/// Squares of the largest board that the tree searches take.
pub const SQUARES_MAX: u32 = crate::board::SMALL_SQUARES_MAX as u32;

fn admit_size(problem: &Problem) -> Result<(), Refusal> {
    let Problem { board, .. } = problem;
    if board.squares() <= SQUARES_MAX {
        return Ok(());
    }
    let squares = board.squares();
    Err(Refusal(format!("{board} has {squares} squares; a search takes boards of up to {SQUARES_MAX}")))
}

/// The search of a board that 64 squares do not hold, which has been admitted.
fn wide<S>(search: Option<S>) -> S {
    search.unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board"))
}

fn admit_ending(problem: &Problem, name: &str, ending: Ending) -> Result<(), Refusal> {
    if problem.ending == ending {
        return Ok(());
    }
    let (only, instead) = match ending {
        Ending::Open => ("open", "path or edges for closed ones"),
        Ending::Closed => ("closed", "path or brute for open ones"),
    };
    Err(Refusal(format!("{name} searches {only} tours only; use {instead}")))
}
