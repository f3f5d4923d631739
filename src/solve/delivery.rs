//! From the tours of a search to the tours of a problem: the images of representatives, and one tour of each class.

use super::problem::{Problem, TourOutput};
use crate::board::{Ending, Symmetries};
use crate::schedule::{Delivery, TourFilter};
use crate::search::OrbitImages;

/// The delivery for a search that counts the tours of the problem and hands none out; `None` without a limit.
pub fn count_delivery(problem: &Problem) -> Option<Delivery> {
    problem.limit.map(|limit| Delivery::new(problem.board, problem.ending).count_only().limit(limit))
}

/// The delivery for the tours of the problem; `None` when the tours need only be counted. For a search that hands out
/// representatives, `images` gives the tours that each one represents.
pub fn tour_delivery(problem: &Problem, output: TourOutput, images: Option<OrbitImages>) -> Option<Delivery> {
    if !problem.unique && output.is_none() {
        return count_delivery(problem);
    }
    let mut delivery = Delivery::new(problem.board, problem.ending);
    if problem.unique {
        let symmetries = Symmetries::new(problem.board);
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
