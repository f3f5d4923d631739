//! Classes of tours that symmetries take to each other, and the canonical tour of each class.
//!
//! A closed tour counts as an undirected cycle, an open tour as directed, as in the searches. Two tours are of one class
//! when a symmetry of the board that keeps its holes, reversal, or both take one to the other. The canonical tour of a class is the tour whose
//! sequence of square numbers is least. [`Symmetries`] recognises it without storing any tour.

use super::shape::Shape;
use super::symmetry::Symmetry;
use super::tour::Ending;
use std::cmp::Ordering;

/// The symmetries of a shape as tables. They compare a tour with its images without allocating.
///
/// Squares are given by number, as `u8` or [`Square`](super::Square). The squares must be a tour of the board; otherwise
/// the result means nothing, or the call panics.
///
/// # Cost
/// Four bytes per square and symmetry. A comparison stops at the first difference, so [`Symmetries::is_canonical`]
/// mostly reads a few squares per symmetry. For a closed tour it first looks for the images of its least square.
#[derive(Clone, Debug)]
pub struct Symmetries {
    squares: usize,
    /// Number of squares at the beginning that all readings of a closed tour have in common: the least square, and the lesser
    /// neighbour of a least square that has two.
    same: usize,
    /// The identity comes first. Symmetries that take one square to the least square follow each other.
    images: Vec<SymmetryTable>,
}

#[derive(Clone, Debug)]
struct SymmetryTable {
    /// Image of every square.
    of: Box<[u32]>,
    /// The square whose image is the least square of the shape.
    to_least: u32,
}

/// One reading of a tour: through a symmetry, from position `at` on, forwards or backwards, wrapping round at the end.
#[derive(Clone, Copy)]
struct TourReading<'a, S> {
    squares: &'a [S],
    image: &'a [u32],
    at: usize,
    backwards: bool,
    /// Number of squares at the beginning that all readings of the tour have in common.
    same: usize,
}

impl<S: Copy + Into<u32>> TourReading<'_, S> {
    /// Square `i` of the reading, `i` from 0 to the number of squares less one.
    #[inline(always)]
    fn square(self, i: usize) -> u32 {
        let len = self.squares.len();
        let at = if self.backwards { self.at + len - i } else { self.at + i };
        let at = if at < len { at } else { at - len };
        self.image[self.squares[at].into() as usize]
    }

    /// Compares the square numbers of two readings of one tour.
    #[inline(always)]
    fn compare(self, other: Self) -> Ordering {
        let squares = (self.same..self.squares.len()).map(|i| self.square(i).cmp(&other.square(i)));
        squares.into_iter().find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
    }
}

impl Symmetries {
    /// Builds the tables of `shape`.
    pub fn new(shape: &Shape) -> Symmetries {
        let (board, least) = (shape.board(), shape.all().next().map_or(0, |least| least.index()));
        let table = |symmetry: &Symmetry| {
            let of: Box<[u32]> = board.all().map(|square| symmetry.apply(board, square).index()).collect();
            let to_least = of.iter().position(|&image| image == least).unwrap_or(0) as u32;
            SymmetryTable { of, to_least }
        };
        let mut images: Vec<_> = shape.symmetries().iter().map(table).collect();
        // The sort is stable. The identity stays first, because it takes the least square to itself.
        images.sort_by_key(|images| images.to_least);
        let exits = board.at(least).map_or(0, |least| shape.neighbours(least).count());
        Symmetries { squares: shape.squares() as usize, same: if exits == 2 { 2 } else { 1 }, images }
    }

    /// Whether a tour is the canonical tour of its class.
    ///
    /// When every tour of a class is given once, the result is true for exactly one of them:
    /// - closed: every undirected cycle is given once, from any of its squares and in either direction;
    /// - open: every directed tour is given once, or only the tours that start on the least square of an orbit
    ///   ([`Orbit::representative`](super::Orbit::representative)), which include the canonical tour. An open tour and its
    ///   reversal are of one class, but only one of them is canonical, so both must be given.
    ///
    /// # Panics
    /// When there are not as many squares as the shape has. It may panic when the squares are no tour of the board.
    #[inline]
    pub fn is_canonical<S: Copy + Into<u32>>(&self, ending: Ending, squares: &[S]) -> bool {
        let mut readings = self.readings(ending, squares);
        let own = readings.get(0);
        (1..readings.count()).all(|k| own.compare(readings.get(k)).is_le())
    }

    #[inline(always)]
    fn readings<'a, S: Copy + Into<u32>>(&'a self, ending: Ending, squares: &'a [S]) -> Readings<'a, S> {
        assert_eq!(squares.len(), self.squares, "a tour has as many squares as its shape");
        let Symmetries { ref images, same, .. } = *self;
        Readings { images, squares, ending, same, last_visit: (u32::MAX, 0) }
    }
}

/// All readings of a tour that could be the least; the tour itself comes first. An open tour is read through every symmetry
/// forwards and backwards. A closed tour is read through every symmetry from the square whose image is least, in the direction
/// in which the next image is the lesser one.
struct Readings<'a, S> {
    images: &'a [SymmetryTable],
    squares: &'a [S],
    ending: Ending,
    /// Of a closed tour, as [`Symmetries::same`].
    same: usize,
    /// The square that was looked for last, and the position at which the tour visits it.
    last_visit: (u32, usize),
}

impl<'a, S: Copy + Into<u32>> Readings<'a, S> {
    fn count(&self) -> usize {
        match self.ending {
            Ending::Open => 2 * self.images.len(),
            Ending::Closed => self.images.len(),
        }
    }

    #[inline(always)]
    fn get(&mut self, k: usize) -> TourReading<'a, S> {
        let squares = self.squares;
        match self.ending {
            Ending::Open => {
                let backwards = k % 2 == 1;
                let at = if backwards { squares.len() - 1 } else { 0 };
                TourReading { squares, image: &self.images[k / 2].of, at, backwards, same: 0 }
            }
            Ending::Closed => {
                let SymmetryTable { of: image, to_least } = &self.images[k];
                if self.last_visit.0 != *to_least {
                    // A branch on the square itself is unpredictable. Without a branch the compiler compares many at once.
                    let at = (0u32..).zip(squares).fold(0, |at, (i, &square)| {
                        let here = square.into() == *to_least;
                        at | if here { i } else { 0 }
                    });
                    self.last_visit = (*to_least, at as usize);
                }
                let forwards = TourReading { squares, image, at: self.last_visit.1, backwards: false, same: self.same };
                let backwards = TourReading { backwards: true, ..forwards };
                TourReading { backwards: backwards.square(1) < forwards.square(1), ..forwards }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::{self, tours};
    use crate::board::{Board, Square, Tour};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    impl Symmetries {
        /// The canonical sequence of the class of a tour.
        fn canonical<S: Copy + Into<u32>>(&self, ending: Ending, squares: &[S]) -> Vec<Square> {
            let mut readings = self.readings(ending, squares);
            let mut least = readings.get(0);
            for k in 1..readings.count() {
                let reading = readings.get(k);
                if reading.compare(least).is_lt() {
                    least = reading;
                }
            }
            (0..squares.len()).map(|i| Square::from_index(least.square(i))).collect()
        }

        /// Number of tours in the class of a tour: undirected cycles if closed, directed tours if open.
        fn class_size<S: Copy + Into<u32>>(&self, ending: Ending, squares: &[S]) -> usize {
            let mut readings = self.readings(ending, squares);
            let own = readings.get(0);
            let count = readings.count();
            // Every tour of the class is read as often as the tour itself is.
            count / (0..count).filter(|&k| own.compare(readings.get(k)).is_eq()).count()
        }
    }

    impl Tour {
        /// The canonical tour of the class of this one.
        fn canonical(&self) -> Tour {
            let squares = Symmetries::new(self.shape()).canonical(self.ending(), self.squares());
            Tour::verify(self.board(), self.ending(), squares).unwrap()
        }
    }

    /// The least image, found by trying every symmetry, both directions, and for closed tours every rotation.
    fn least_image(board: Board, ending: Ending, squares: &[u8]) -> Vec<Square> {
        let rotations = if ending == Ending::Closed { squares.len() } else { 1 };
        let mut images = Vec::new();
        for symmetry in board.symmetries() {
            let mut image: Vec<_> =
                squares.iter().map(|&s| symmetry.apply(board, board.at(s.into()).unwrap())).collect();
            for _ in 0..rotations {
                image.rotate_left(1 % rotations);
                images.push(image.clone());
                images.push(image.iter().rev().copied().collect());
            }
        }
        images.into_iter().min().unwrap()
    }

    /// Asserts the contract of `is_canonical` on every tour of a board. Returns the number of classes and the sum of their
    /// sizes. Compares every `stride`-th tour with all its images.
    fn check_classes(board: &str, ending: Ending, stride: usize) -> (usize, usize) {
        let board: Board = board.parse().unwrap();
        let symmetries = Symmetries::new(&board.into());
        let (mut classes, mut canonical, mut sum) = (BTreeSet::new(), BTreeSet::new(), 0);
        for (i, mut tour) in tours(board, ending).into_iter().enumerate() {
            if ending == Ending::Closed {
                // As a search may find the cycle: from any square, in either direction.
                let len = tour.len();
                tour.rotate_left(i % len);
                if i % 3 == 0 {
                    tour.reverse();
                }
            }
            let least = symmetries.canonical(ending, &tour);
            if i % stride == 0 {
                assert_eq!(least, least_image(board, ending, &tour));
            }
            if symmetries.is_canonical(ending, &tour) {
                assert!(canonical.insert(least.clone()), "{board}: two canonical tours of one class");
                sum += symmetries.class_size(ending, &tour);
            }
            classes.insert(least);
        }
        assert_eq!(canonical, classes, "{board}: a class without its canonical tour");
        (classes.len(), sum)
    }

    #[test]
    fn one_tour_of_every_class_is_canonical() {
        use Ending::{Closed, Open};
        // Sums: OEIS A070030, A175855, A165134, A169696, A079137, A083386. Open tours are directed.
        assert_eq!(check_classes("5x6", Closed, 1), (3, 8));
        assert_eq!(check_classes("6x5", Closed, 1), (3, 8));
        assert_eq!(check_classes("3x10", Closed, 1), (6, 16));
        assert_eq!(check_classes("1x1", Open, 1), (1, 1));
        assert_eq!(check_classes("3x4", Open, 1), (3, 16));
        assert_eq!(check_classes("3x7", Open, 1), (14, 104));
        assert_eq!(check_classes("5x5", Open, 1), (112, 1728));
        assert_eq!(check_classes("5x6", Open, 7), (4696, 37_568));
    }

    #[test]
    fn classes_of_6x6_closed_tours() {
        // G. Jelliss, "Knight's Tour Notes", 6a: 1245 classes, 5 of them with quarter-turn symmetry (2 tours each),
        // 17 more with half-turn symmetry (4 each), 1223 without (8 each).
        assert_eq!(check_classes("6x6", Ending::Closed, 97), (1245, 9862));
        let board: Board = "6x6".parse().unwrap();
        let symmetries = Symmetries::new(&board.into());
        let mut by_size = [0; 9];
        for tour in tours(board, Ending::Closed) {
            if symmetries.is_canonical(Ending::Closed, &tour) {
                by_size[symmetries.class_size(Ending::Closed, &tour)] += 1;
            }
        }
        assert_eq!(by_size, [0, 0, 5, 0, 17, 0, 0, 0, 1223]);
    }

    #[test]
    fn squares_and_numbers_are_compared_alike() {
        let symmetries = Symmetries::new(&"5x6".parse().unwrap());
        for tour in exhaustive::tours_5x6() {
            let numbers: Vec<u8> = tour.squares().iter().map(|s| s.index() as u8).collect();
            let is_canonical = symmetries.is_canonical(tour.ending(), tour.squares());
            assert_eq!(is_canonical, symmetries.is_canonical(tour.ending(), &numbers));
            assert!(symmetries.is_canonical(tour.ending(), tour.canonical().squares()));
            if tour.ending() == Ending::Open {
                assert_eq!(is_canonical, tour.canonical() == *tour);
            }
        }
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_equal_for_the_whole_class(
            at in any::<prop::sample::Index>(), k in 0usize..4, rotation in 0usize..30, reverse: bool,
        ) {
            let tour = at.get(exhaustive::tours_5x6());
            let mut squares = tour.image(Symmetry::ALL[k]).squares().to_vec();
            if tour.ending() == Ending::Closed {
                squares.rotate_left(rotation);
            }
            if reverse {
                squares.reverse();
            }
            let image = Tour::verify(tour.board(), tour.ending(), squares).unwrap();
            prop_assert_eq!(image.canonical(), tour.canonical());
            prop_assert_eq!(image.canonical().canonical(), tour.canonical());
        }
    }
}
