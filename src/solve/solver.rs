//! What every algorithm that enumerates is: a card, a test of what it takes, and the tree that it searches.

use super::card::Refusal;
use super::card::SolverCard;
use super::deliver::{counts, tours};
use super::foretell::foretell;
use super::problem::{Problem, TourOutput};
use crate::explain::Explained;
use crate::schedule::{Crew, RunError, RunOutcome};
use crate::search::{Kernel, OrbitImages};

/// The tree of a problem, and what its tours stand for.
pub struct SearchTree {
    /// The kernel that searches it.
    pub kernel: Box<dyn Kernel>,
    /// The tours that each tour handed out stands for; nothing where a tour stands for itself.
    pub images: Option<OrbitImages>,
    /// Whether the kernel counts classes of tours itself.
    pub counts_classes: bool,
}

impl SearchTree {
    /// The tree of the narrow kernel, or of the wide one where 64 squares do not hold the board. Each tour stands for itself.
    pub(super) fn of(
        narrow: Option<impl Kernel + 'static>,
        wide: impl FnOnce() -> Option<Box<dyn Kernel>>,
    ) -> SearchTree {
        let narrow = narrow.map(|kernel| Box::new(kernel) as Box<dyn Kernel>);
        let kernel = narrow.or_else(wide);
        let kernel =
            kernel.unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board"));
        SearchTree { kernel, images: None, counts_classes: false }
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
    fn tree(&self, _: &Problem, _counted: bool) -> Result<SearchTree, Refusal> {
        Err(Refusal(format!("{} leaves its search to a device; the other solvers can be simulated", self.name())))
    }

    /// Searches the tree of the problem with the crew; blocks until the tree is done or the crew is stopped.
    ///
    /// # Errors
    /// [`RunError`] when a worker failed.
    ///
    /// # Panics
    /// When the solver does not admit the problem.
    fn solve(&self, problem: &Problem, mut crew: Crew, output: TourOutput) -> Result<RunOutcome, RunError> {
        let tree = self.tree(problem, output.is_none());
        let SearchTree { kernel, images, counts_classes } =
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
