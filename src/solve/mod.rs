//! Methods by name.
//!
//! A [`Solver`] enumerates the tours of a [`Problem`] with a crew; a [`Finder`] answers a [`Request`] for one tour or a few.
//! [`SOLVERS`] lists both. The command line takes names and help from it, and the conformance tests
//! and the battery run every method in it. `README.md` beside this file says how to add
//! a solver. A finder takes the same lines in this room. `tests/conform_find.rs` asks every finder; a slow one needs a row there.
//!
//! ```text
//!  name ──> SOLVERS ──┬─> Solver: admits(Problem) ─ tree ──> Kernel ──> Crew ──> all tours
//!                     └─> Finder: admits(Request) ─ answer ──> Attempt ──> Crew::race ──> one tour, or a few
//! ```
//!
//! **Invariant**: what a method does not take it refuses, before any work, with what does take it. **Where to begin**:
//! `brute.rs`, the shortest solver, and `squirrel_cull.rs`, the shortest finder; `card.rs` and `finder.rs` say what a method tells of itself.
//!
//! | file | contents |
//! | --- | --- |
//! | `README.md` | how to add a solver: the files to touch, a skeleton, the commands that prove it |
//! | `method.rs` | [`SOLVERS`], the list of all methods; solvers of earlier versions, whose journals are still shown |
//! | `card.rs` | what callers know of a solver; [`Refusal`] |
//! | `problem.rs` | [`Problem`]: which tours a solver searches for; its settings in words and as options |
//! | `solver.rs` | [`Solver`], and the way of its tours |
//! | `finder.rs` | [`Finder`], its card, [`Request`] and its options, and the answer |
//! | `attempts.rs` | the type of all finders that race numbered attempts |
//! | `json.rs` | problems and requests as JSON, with squares and rules by name |
//! | `admit.rs` | the refusals that several methods share |
//! | `forecast.rs` | the number of tours that a search will find |
//! | `brute.rs`, `radley.rs`, `path.rs` | solvers |
//! | `edges.rs`, `quarter_turn.rs` | a solver and a finder of one name each |
//! | `auto.rs`, `formula.rs`, `warnsdorff.rs`, `squirrel_cull.rs`, `dfs.rs`, `lookup.rs`, `numbers.rs`, `gpu_cycles.rs` | finders |
//! | `genetic.rs` | a finder that is an exhibit, for small boards |

mod admit;
mod attempts;
mod auto;
mod brute;
mod card;
mod dfs;
mod edges;
mod finder;
mod forecast;
mod formula;
mod genetic;
mod gpu_cycles;
mod json;
mod lookup;
mod method;
mod numbers;
mod path;
mod problem;
mod quarter_turn;
mod radley;
mod solver;
mod squirrel_cull;
#[cfg(test)]
mod testing;
mod warnsdorff;

pub use card::{Refusal, SearchedTours, SolverCard};
pub use finder::{
    FindAnswer, FindResult, Finder, FinderCard, GenerationListener, Request, RequestOption, packed_route,
    why_impossible,
};
pub use gpu_cycles::{GpuCyclesFinder, answer_of_cycles, compass};
pub use json::{ProblemJson, RequestJson};
pub use method::{
    Method, SOLVERS, default_solver, enumerators, finder_by_name, finders, former_solvers, solver_by_name,
};
pub use problem::{Problem, SQUARES_MAX, TourOutput};
pub use solver::{SearchTree, Solver};
pub use warnsdorff::WARNSDORFF;
