//! Algorithms by name.
//!
//! A [`Solver`] enumerates the tours of a [`Problem`] with a crew, a [`Finder`] answers a [`Request`] for one or a few.
//! [`SOLVERS`] is the one list of both: the command line takes its names and help from it, the picker of the live view
//! its choices, the conformance tests and the bench run over it. A method is added as one file here and one line there.

mod auto;
mod brute;
mod card;
mod deliver;
mod dfs;
mod edges;
mod exhibit;
mod finder;
mod foretell;
mod formula;
mod genetic;
mod gpu;
mod gpu_cycles;
mod lookup;
mod neural;
mod order_by_avail;
mod path;
mod quadrants;
mod quarter;
mod quarter_find;
mod radley;
mod squirrel_cull;
mod strands;
mod tiles;
#[cfg(test)]
mod trial;
mod warnsdorff;

pub use auto::impossible;
pub use card::{FinderCard, Knob, SearchedTours, SolverCard};
pub use finder::{Answer, DoneBy, Finder, Found, Request, Told, route};
pub use gpu_cycles::{GpuCycles, answer, compass};
pub use warnsdorff::Warnsdorff;

use crate::board::{Board, CountedTours, Ending, Square};
use crate::gpu::Wanted;
use crate::schedule::{Crew, Format, Outcome, Outlet, RunError};
use crate::search::explain::Explained;
use crate::search::{Kernel, OrbitImages, Prune};
use deliver::{counts, tours};
use foretell::foretell;
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
    /// Which device does the work; only `gpu` uses one.
    pub adapter: Wanted,
}

impl Problem {
    /// All tours of a board with this ending, from anywhere.
    pub fn new(board: Board, ending: Ending) -> Problem {
        let window = 0..=usize::MAX;
        let (prune, adapter) = (Prune::None, Wanted::Any);
        Problem { board, ending, start: None, unique: false, limit: None, prune, window, adapter }
    }

    /// The number of tours that a search of all of it counts, where a table has it.
    pub fn known(&self) -> Option<u64> {
        self.listed().and_then(|count| u64::try_from(count).ok()).filter(|&count| count > 0)
    }

    /// The same, however large, and where there are none.
    fn listed(&self) -> Option<u128> {
        self.board.known_number(self.counted_tours())
    }

    /// Which tours a search of all of it counts.
    pub fn counted_tours(&self) -> CountedTours {
        let from_one_square = self.start.is_some() && self.ending == Ending::Open;
        CountedTours { ending: self.ending, unique: self.unique, strict: false, from_one_square }
    }

    /// Why there is no such tour, as far as a theorem or the colours tell.
    pub fn impossible(&self) -> Option<String> {
        impossible(&Request {
            start: self.start.filter(|_| self.ending == Ending::Open),
            ..Request::new(self.board, self.ending)
        })
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

/// The tree of a problem, and what its tours stand for.
pub struct Tree {
    /// The kernel that searches it.
    pub kernel: Box<dyn Kernel>,
    /// The tours that each tour handed out stands for; nothing where a tour stands for itself.
    pub images: Option<OrbitImages>,
    /// Whether the kernel counts classes of tours itself.
    pub counts_classes: bool,
}

impl Tree {
    /// The tree of the narrow kernel, or of the wide one where 64 squares do not hold the board. Each tour stands for itself.
    fn of(narrow: Option<impl Kernel + 'static>, wide: impl FnOnce() -> Option<Box<dyn Kernel>>) -> Tree {
        let narrow = narrow.map(|kernel| Box::new(kernel) as Box<dyn Kernel>);
        let kernel = narrow.or_else(wide);
        let kernel =
            kernel.unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board"));
        Tree { kernel, images: None, counts_classes: false }
    }
}

/// An algorithm by name.
pub trait Solver: Sync {
    /// What is to be known of it.
    fn card(&self) -> &'static SolverCard;

    /// Its name on the command line.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// Whether it takes the problem; cheap.
    ///
    /// # Errors
    /// A [`Refusal`] that says why not.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal>;

    /// The tree that it searches for a problem that it admits. With `counted` no tour is handed out.
    ///
    /// # Errors
    /// A [`Refusal`] that says why there is none.
    fn tree(&self, _: &Problem, _counted: bool) -> Result<Tree, Refusal> {
        Err(Refusal(format!("{} leaves its search to a device; the other solvers can be simulated", self.name())))
    }

    /// Searches the tree of the problem with the crew; blocks until the tree is done or the crew is stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    ///
    /// # Panics
    /// When the solver does not admit the problem.
    fn solve(&self, problem: &Problem, mut crew: Crew, output: Output) -> Result<Outcome, RunError> {
        let tree = self.tree(problem, output.is_none());
        let Tree { kernel, images, counts_classes } =
            tree.unwrap_or_else(|refusal| unreachable!("the problem was admitted: {refusal}"));
        crew.deliver(if counts_classes { counts(problem) } else { tours(problem, output, images) });
        foretell(&mut crew, problem, self.card());
        crew.run(&*kernel)
    }

    /// The same search as one that says what it does, step by step, for a problem that it admits.
    ///
    /// # Errors
    /// A [`Refusal`] that says why it cannot.
    fn explained(&self, _: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        let why = "it fixes moves all over the board";
        Err(Refusal(format!("{} has no step view; brute, radley and path have one: {why}", self.name())))
    }
}

/// A method, by what it is for.
#[derive(Clone, Copy)]
pub enum Method {
    /// Enumerates every tour.
    Enumerate(&'static dyn Solver),
    /// Finds one tour or a few.
    Find(&'static dyn Finder),
}

impl Method {
    /// Its name on the command line; an enumerator and a finder may share one.
    pub fn name(self) -> &'static str {
        match self {
            Method::Enumerate(solver) => solver.name(),
            Method::Find(finder) => finder.name(),
        }
    }

    /// One line about it.
    pub fn summary(self) -> &'static str {
        match self {
            Method::Enumerate(solver) => solver.card().summary,
            Method::Find(finder) => finder.card().summary,
        }
    }
}

/// Every method, in the order of the help.
pub const SOLVERS: &[Method] = &[
    Method::Enumerate(&brute::Brute),
    Method::Enumerate(&radley::Radley),
    Method::Enumerate(&path::Path),
    Method::Enumerate(&edges::Edges),
    Method::Enumerate(&quarter::QuarterTurn),
    Method::Enumerate(&gpu::Gpu),
    Method::Find(&auto::Auto),
    Method::Find(&tiles::TILES),
    Method::Find(&quadrants::QUADRANTS),
    Method::Find(&strands::Edges),
    Method::Find(&quarter_find::QuarterTurn),
    Method::Find(&Warnsdorff),
    Method::Find(&squirrel_cull::SquirrelCull),
    Method::Find(&gpu_cycles::GpuCycles),
    Method::Find(&order_by_avail::ORDER_BY_AVAIL),
    Method::Find(&order_by_avail::REVERSED),
    Method::Find(&dfs::DFS),
    Method::Find(&lookup::Lookup),
    Method::Find(&genetic::Genetic),
    Method::Find(&neural::Neural),
];

/// The methods that enumerate.
pub fn enumerators() -> impl Iterator<Item = &'static dyn Solver> {
    SOLVERS.iter().filter_map(|&method| if let Method::Enumerate(solver) = method { Some(solver) } else { None })
}

/// The methods that find.
pub fn finders() -> impl Iterator<Item = &'static dyn Finder> {
    SOLVERS.iter().filter_map(|&method| if let Method::Find(finder) = method { Some(finder) } else { None })
}

/// The enumerator of this name.
pub fn by_name(name: &str) -> Option<&'static dyn Solver> {
    enumerators().find(|solver| solver.name() == name)
}

/// The finder of this name.
pub fn finder_by_name(name: &str) -> Option<&'static dyn Finder> {
    finders().find(|finder| finder.name() == name)
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

/// Squares of the largest board of which a whole path is kept, at some twenty bytes a square while it is verified.
const STORED_MAX: u32 = 1 << 28;

/// Takes a start and holes, but no end and no moves, on a board of which a path can be kept.
fn admit_start_and_holes(request: &Request, name: &str) -> Result<(), Refusal> {
    let squares = request.board.squares();
    if squares > STORED_MAX {
        let [squares, most] = [squares, STORED_MAX].map(|n| crate::words::grouped(u64::from(n)));
        return Err(Refusal(format!(
            "{name} keeps its path, of up to {most} squares, not {squares}; tiles keeps none"
        )));
    }
    if request.end.is_some() {
        return Err(Refusal(format!("{name} cannot be told where to end; edges can")));
    }
    if !request.must.is_empty() || !request.must_not.is_empty() {
        return Err(Refusal(format!("{name} cannot be told which moves to use; edges can")));
    }
    Ok(())
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
