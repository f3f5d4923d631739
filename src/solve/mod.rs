//! Algorithms by name.
//!
//! A [`Solver`] enumerates the tours of a [`Problem`] with a crew, a [`Finder`] answers a [`Request`] for one or a few.
//! [`SOLVERS`] is the one list of both: the command line takes its names and help from it, the picker of the live view
//! its choices, the conformance tests and the bench run over it. A method is added as one file here and one line there.

mod admit;
mod auto;
mod brute;
mod card;
mod deliver;
mod dfs;
mod edges;
mod finder;
mod foretell;
mod formula;
mod genetic;
mod gpu;
mod gpu_cycles;
mod lookup;
mod method;
mod neural;
mod path;
mod problem;
mod quarter_turn;
mod radley;
mod solver;
mod squirrel_cull;
mod warnsdorff;

pub use card::{FinderCard, Refusal, RequestOption, SearchedTours, SolverCard};
pub use finder::{DoneBy, FindAnswer, FindResult, Finder, GenerationListener, Request, impossible, route};
pub use gpu_cycles::{GpuCyclesFinder, answer, compass};
pub use method::{Method, SOLVERS, by_name, default_for, enumerators, finder_by_name, finders};
pub use problem::{Problem, SQUARES_MAX, TourOutput};
pub use solver::{SearchTree, Solver};
pub use warnsdorff::WarnsdorffFinder;
