//! The trait of every method that enumerates: its card, which problems it takes, the tree that it searches, and how the
//! tours of that tree become those of the problem.

use super::card::{Refusal, SolverCard};
use super::forecast::forecast_tours;
use super::problem::{Problem, TourOutput};
use crate::board::{Ending, Symmetries};
use crate::explain::Explained;
use crate::schedule::{Crew, Delivery, RunError, RunOutcome, TourFilter};
use crate::search::{Kernel, OrbitImages};

/// The tree of a problem, and the tours that each of its tours represents.
pub struct SearchTree {
    pub kernel: Box<dyn Kernel>,
    /// The tours that each tour handed out represents; `None` where a tour represents itself.
    pub images: Option<OrbitImages>,
    /// Whether the kernel counts classes of tours itself.
    pub counts_classes: bool,
}

impl SearchTree {
    /// The tree of a kernel each of whose tours represents itself.
    pub(super) fn of(kernel: impl Kernel + 'static) -> SearchTree {
        SearchTree { kernel: Box::new(kernel), images: None, counts_classes: false }
    }
}

/// The value of an expression with masks of 64 squares; where that is `None`, because they cannot hold the board, of the same
/// expression with masks of 128, which hold every board that `admit_size` admits.
macro_rules! by_width {
    ($mask:ident: $value:expr) => {{
        let narrow = || {
            type $mask = u64;
            $value
        };
        let wide = || {
            type $mask = u128;
            $value
        };
        let value = narrow().or_else(wide);
        value.unwrap_or_else(|| unreachable!("the problem was admitted, so the wide mask holds the board"))
    }};
}
pub(super) use by_width;

/// A method that enumerates tours.
pub trait Solver: Sync {
    fn card(&self) -> &'static SolverCard;

    /// The name on the command line.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// Checks whether the solver takes the problem. Cheap.
    ///
    /// # Errors
    /// A [`Refusal`] when the solver does not take the problem.
    fn admits(&self, problem: &Problem) -> Result<(), Refusal>;

    /// The tree of a problem that the solver admits. With `counted` the kernel hands out no tour.
    ///
    /// # Errors
    /// A [`Refusal`] when the solver has no tree to search.
    fn tree(&self, problem: &Problem, counted: bool) -> Result<SearchTree, Refusal>;

    /// Searches the tree of the problem with the crew. Blocks until the tree is exhausted or the crew is stopped.
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
        crew.deliver(if counts_classes { count_delivery(problem) } else { tour_delivery(problem, output, images) });
        forecast_tours(&mut crew, problem, self.card());
        crew.run(&*kernel)
    }

    /// The search of an admitted problem for the step view, which explains every step; it counts every tour, not classes of
    /// tours. The default refuses.
    ///
    /// # Errors
    /// A [`Refusal`] when the solver has no step view.
    fn step_view(&self, _: &Problem) -> Result<Box<dyn Explained>, Refusal> {
        Err(Refusal(format!("{} has no step view; use edges, path, radley or brute", self.name())))
    }
}

/// The delivery for a search that counts the tours of the problem and hands none out; `None` without a limit.
pub fn count_delivery(problem: &Problem) -> Option<Delivery> {
    problem.limit.map(|limit| Delivery::new(&problem.shape, problem.ending).count_only().limit(limit))
}

/// The delivery for the tours of the problem; `None` when the tours need only be counted. For a search that hands out
/// representatives, `images` gives the tours that each one represents.
pub fn tour_delivery(problem: &Problem, output: TourOutput, images: Option<OrbitImages>) -> Option<Delivery> {
    if !problem.unique && output.is_none() {
        return count_delivery(problem);
    }
    let mut delivery = Delivery::new(&problem.shape, problem.ending);
    if problem.unique {
        let symmetries = Symmetries::new(&problem.shape);
        delivery = delivery.images(Box::new(OneOfClass { ending: problem.ending, symmetries, images }));
    } else if let Some(images) = images {
        delivery = delivery.images(Box::new(images));
    }
    if let Some(limit) = problem.limit {
        delivery = delivery.limit(limit);
    }
    Some(match output {
        Some((output, format)) => delivery.output(output, format),
        None => delivery,
    })
}

impl TourFilter for OrbitImages {
    fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8])) {
        OrbitImages::expand(self, squares, each);
    }
}

/// Passes on the canonical tour of each class only.
struct OneOfClass {
    ending: Ending,
    symmetries: Symmetries,
    images: Option<OrbitImages>,
}

impl TourFilter for OneOfClass {
    fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8])) {
        let mut keep = |tour: &[u8]| {
            if self.symmetries.is_canonical(self.ending, tour) {
                each(tour);
            }
        };
        match &self.images {
            Some(images) => images.expand(squares, &mut keep),
            None => keep(squares),
        }
    }
}
