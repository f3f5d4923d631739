//! The list of all methods, those of earlier versions among them, and the search for one by its name.

use super::card::{Refusal, SolverCard};
use super::finder::Finder;
use super::problem::Problem;
use super::solver::{SearchTree, Solver};
use super::{
    auto, brute, dfs, edges, formula, genetic, gpu_cycles, lookup, numbers, path, quarter_turn, radley, squirrel_cull,
    warnsdorff,
};
use crate::board::Ending;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A method: a solver or a finder.
#[derive(Clone, Copy)]
pub enum Method {
    /// A method that enumerates every tour.
    Enumerate(&'static dyn Solver),
    /// A method that finds one tour or a few.
    Find(&'static dyn Finder),
}

impl Method {
    /// The name on the command line; a solver and a finder may share one.
    pub fn name(self) -> &'static str {
        match self {
            Method::Enumerate(solver) => solver.name(),
            Method::Find(finder) => finder.name(),
        }
    }

    /// One line of description.
    pub fn summary(self) -> &'static str {
        match self {
            Method::Enumerate(solver) => solver.card().summary,
            Method::Find(finder) => finder.card().summary,
        }
    }
}

/// Every method, in the order of the help.
pub const SOLVERS: &[Method] = &[
    Method::Enumerate(&brute::BruteSolver),
    Method::Enumerate(&radley::RadleySolver),
    Method::Enumerate(&path::PathSolver),
    Method::Enumerate(&edges::EdgesSolver),
    Method::Enumerate(&quarter_turn::QuarterTurnSolver),
    Method::Find(&auto::AutoFinder),
    Method::Find(&formula::TILES),
    Method::Find(&formula::QUADRANTS),
    Method::Find(&edges::EDGES),
    Method::Find(&quarter_turn::QUARTER_TURN),
    Method::Find(&warnsdorff::WARNSDORFF),
    Method::Find(&squirrel_cull::SQUIRREL_CULL),
    Method::Find(&gpu_cycles::GpuCyclesFinder),
    Method::Find(&dfs::ORDER_BY_AVAIL),
    Method::Find(&dfs::ORDER_BY_AVAIL_REVERSED),
    Method::Find(&dfs::DFS),
    Method::Find(&lookup::LookupFinder),
    Method::Find(&numbers::NUMBERS),
    Method::Find(&genetic::GENETIC),
];

/// The methods that enumerate.
pub fn enumerators() -> impl Iterator<Item = &'static dyn Solver> {
    SOLVERS.iter().filter_map(|&method| if let Method::Enumerate(solver) = method { Some(solver) } else { None })
}

/// The solvers of earlier versions, which refuse every problem.
pub fn former_solvers() -> impl Iterator<Item = &'static dyn Solver> {
    FORMER_SOLVERS.iter().map(|solver| solver as &dyn Solver)
}

pub fn finders() -> impl Iterator<Item = &'static dyn Finder> {
    SOLVERS.iter().filter_map(|&method| if let Method::Find(finder) = method { Some(finder) } else { None })
}

/// The solver of a name, which may be one of an earlier version.
pub fn solver_by_name(name: &str) -> Option<&'static dyn Solver> {
    enumerators().chain(former_solvers()).find(|solver| solver.name() == name)
}

pub fn finder_by_name(name: &str) -> Option<&'static dyn Finder> {
    finders().find(|finder| finder.name() == name)
}

/// A solver is written by its name.
impl Serialize for dyn Solver {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A finder is written by its name.
impl Serialize for dyn Finder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for &'static dyn Solver {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<&'static dyn Solver, D::Error> {
        let name = String::deserialize(deserializer)?;
        solver_by_name(&name).ok_or_else(|| D::Error::custom(format!("no solver is called {name}")))
    }
}

impl<'de> Deserialize<'de> for &'static dyn Finder {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<&'static dyn Finder, D::Error> {
        let name = String::deserialize(deserializer)?;
        finder_by_name(&name).ok_or_else(|| D::Error::custom(format!("no method is called {name}")))
    }
}

/// The fastest solver that enumerates the tours of this ending.
pub fn default_solver(ending: Ending) -> &'static dyn Solver {
    match ending {
        Ending::Closed => &edges::EdgesSolver,
        Ending::Open => &path::PathSolver,
    }
}

/// A solver that earlier versions had.
pub struct FormerSolver {
    card: &'static SolverCard,
    /// Why it was removed, and what to use now.
    advice: &'static str,
}

/// Every solver that earlier versions had.
pub const FORMER_SOLVERS: &[FormerSolver] = &[FormerSolver {
    card: &SolverCard::new("gpu", "open or closed tours by path extension in thousands of lanes at once"),
    advice: "no GPU has ever been measured with it; use --solver edges for closed tours or path for open ones, on every core",
}];

impl FormerSolver {
    fn refusal(&self) -> Refusal {
        Refusal(format!("the solver {} was removed: {}", self.card.name, self.advice))
    }
}

impl Solver for FormerSolver {
    fn card(&self) -> &'static SolverCard {
        self.card
    }

    fn admits(&self, _: &Problem) -> Result<(), Refusal> {
        Err(self.refusal())
    }

    fn tree(&self, _: &Problem, _counted: bool) -> Result<SearchTree, Refusal> {
        Err(self.refusal())
    }
}
