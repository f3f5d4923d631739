//! Many knights, one after the other on one board: only how far each of them comes is wanted.

use super::field::{Field, MoveCourse};
use crate::board::{Board, Holes, Square};

/// A board on which one knight after the other follows the plain rule; the first move of an order decides ties.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::find::Knights;
/// let board: Board = "8x8".parse().unwrap();
/// let mut knights = Knights::new(board, [5, 4, 2, 3, 7, 6, 0, 1]);
/// assert_eq!(board.all().filter(|&start| knights.visits(start) == 64).count(), 63);
/// ```
pub struct RuleKnights {
    blank: Field,
    field: Field,
    course: MoveCourse,
}

impl RuleKnights {
    /// A board for knights that compare the moves of these codes in this order.
    pub fn new(board: Board, codes: [u8; 8]) -> RuleKnights {
        let blank = Field::blank(board, &Holes::none());
        let course = blank.course(codes);
        RuleKnights { field: blank.clone(), blank, course }
    }

    /// From now on they compare the moves in this order.
    pub fn compare_in(&mut self, codes: [u8; 8]) {
        self.course = self.blank.course(codes);
    }

    /// How many squares the knight from here visits.
    pub fn visits(&mut self, start: Square) -> u32 {
        let RuleKnights { blank, field, course } = self;
        field.renew(blank, start);
        let ranks = field.look(course);
        field.follow(course, ranks, u64::MAX, |_, _, ranks| ranks.first(), |_| false);
        field.visited()
    }
}
