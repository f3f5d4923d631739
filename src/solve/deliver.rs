//! From what a search hands out to the tours a problem wants: images of representatives, one tour of each class.

use super::problem::{Problem, TourOutput};
use crate::board::{Ending, Symmetries};
use crate::schedule::{Delivery, TourFilter};
use crate::search::OrbitImages;

/// The delivery for a search whose tours nobody sees, because it counts what the problem asks for; nothing without a
/// limit.
pub fn counts(problem: &Problem) -> Option<Delivery> {
    problem.limit.map(|limit| Delivery::new(problem.board, problem.ending).count_only().limit(limit))
}

/// The delivery that the problem needs; nothing when tours need only be counted. A search that hands out
/// representatives says by `images` what they stand for.
pub fn tours(problem: &Problem, output: TourOutput, images: Option<OrbitImages>) -> Option<Delivery> {
    if !problem.unique && output.is_none() {
        return counts(problem);
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
        Some((outlet, format)) => delivery.outlet(outlet, format),
        None => delivery,
    })
}

impl TourFilter for OrbitImages {
    fn expand(&self, squares: &[u8], each: &mut dyn FnMut(&[u8])) {
        OrbitImages::expand(self, squares, each);
    }
}

/// Keeps the canonical tour of each class.
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
