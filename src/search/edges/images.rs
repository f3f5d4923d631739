//! Tours that are images of each other under the board's symmetries: the search walks one of them and counts all.
//!
//! The forced moves at the root are symmetric. There the search picks an orbit of ends of fragments with one end for
//! each symmetry g: g maps the first end to it. In a tour every end of the orbit gets one more move. Its *label* is the
//! square that this move leads to, mapped back to the first end by the inverse of g. A symmetry h permutes the labels
//! of a tour as it permutes the orbit. So tours whose labels come first among their images can stand for all images. If
//! s symmetries leave the labels unchanged, such a tour stands for |G| / s.
//!
//! Labels are fixed first, in the order of the orbit, and compared as far as they are known. Most branches are cut, or
//! known to come first, after a few labels.
//!
//! Where classes are counted, a tour whose labels no symmetry leaves unchanged counts one without being looked at,
//! because its images have other labels. The other tours are compared with their images that have equal labels. They
//! are few where there is a second orbit of ends, because then the labels of both orbits together are the labels of a
//! tour. That is so on boards that are neither square nor five wide; on square boards one orbit already gives eight
//! labels.

use crate::board::{Shape, SquareMask, Symmetry};
use std::cmp::Ordering;

/// Maximum number of symmetries of a board.
pub(super) const ORDER_MAX: usize = Symmetry::ALL.len();
/// A closed tour as a sequence of squares.
#[derive(Clone, Debug)]
pub(super) struct OrderedTour<const N: usize> {
    /// The squares in the order of the visits; entries behind the last one have no meaning.
    pub(super) squares: [u8; N],
    /// By square, its index in that order.
    pub(super) at: [u8; N],
}

/// A label not known yet; in [`SymmetryImages::place`], a square in no orbit.
const UNKNOWN: u8 = u8::MAX;

/// The labels of a position, orbit by orbit in the order of the symmetries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels([u8; ORDER_MAX]);

/// The symmetries that leave the labels of a tour unchanged: one bit each, the identity first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stabiliser(u8);

/// The comparison of labels with those of their images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LabelVerdict {
    /// Too few labels are known.
    Unknown,
    /// The image by this symmetry comes first: its branch finds the tours.
    Image(Symmetry),
    /// The labels come first.
    First(Stabiliser),
}

/// An image as a sum, modulo 256: `squares` times the square, plus `rows` times its row, plus the image of square 0.
#[derive(Clone, Copy, Debug)]
struct ImageSum {
    squares: u16,
    rows: u16,
    first: u16,
}

impl ImageSum {
    /// The sum for a symmetry with these `images`, on a board with `cols` columns.
    fn new(cols: usize, images: &[u8]) -> ImageSum {
        let first = u16::from(images[0]);
        let next = |square: usize| images.get(square).map_or(0, |&image| u16::from(image).wrapping_sub(first));
        let squares = next(1);
        ImageSum { squares, rows: next(cols).wrapping_sub(squares.wrapping_mul(cols as u16)), first }
    }

    #[inline(always)]
    fn image(self, square: u16, row: u16) -> u8 {
        let squares = self.squares.wrapping_mul(square);
        squares.wrapping_add(self.rows.wrapping_mul(row)).wrapping_add(self.first) as u8
    }
}

/// The symmetries in use, and their effect on squares, on labels and on each other.
#[derive(Clone, Debug)]
pub(crate) struct SymmetryImages {
    symmetries: Vec<Symmetry>,
    /// Number of squares of a tour.
    pub(super) squares: usize,
    /// The least of them, from which tours are handed out.
    pub(super) least: u8,
    /// The labelled ends, orbit by orbit, with one end for each symmetry; empty if the identity is the only symmetry.
    orbits: Vec<u8>,
    /// By square, its index in the orbits.
    place: Vec<u8>,
    /// By symmetry, the image of every square (`forth`) and the square of every image (`back`).
    forth: Vec<Vec<u8>>,
    back: Vec<Vec<u8>>,
    /// By symmetry, the images as a sum, which computes many squares at once.
    sums: Vec<ImageSum>,
    /// The row of square s is s times this by 2^16, rounded down.
    rows: u16,
    /// By h and by the index of the end that g labels: the index of the end that "g, then the inverse of h" labels.
    quotient: Vec<Vec<u8>>,
    /// Whether classes of tours are counted.
    classes: bool,
}

impl Labels {
    /// No label is known.
    pub(crate) const UNKNOWN: Labels = Labels([UNKNOWN; ORDER_MAX]);
}

impl SymmetryImages {
    /// All symmetries of the shape. If no orbit of `ends` has one square for each symmetry, there are no labels: all
    /// symmetries leave them unchanged, and every tour is searched.
    pub(crate) fn new<M: SquareMask>(shape: &Shape, ends: M) -> SymmetryImages {
        SymmetryImages::labelled(shape, ends, 1)
    }

    /// All symmetries of the shape, to count classes of tours.
    pub(super) fn classes<M: SquareMask>(shape: &Shape, ends: M) -> SymmetryImages {
        let orbits = ORDER_MAX / shape.symmetries().len();
        SymmetryImages { classes: true, ..SymmetryImages::labelled(shape, ends, orbits) }
    }

    /// Labels the ends of the first `orbits` suitable orbits, or of fewer if there are fewer.
    fn labelled<M: SquareMask>(shape: &Shape, ends: M, orbits: usize) -> SymmetryImages {
        let symmetries = shape.symmetries();
        let firsts = shape.orbits().into_iter().filter(|orbit| orbit.members.len() == symmetries.len());
        let firsts = firsts.map(|orbit| orbit.representative()).filter(|first| ends.has(first.index() as usize));
        let image = |first| symmetries.iter().map(move |symmetry| symmetry.apply(shape.board(), first).index() as u8);
        let orbits = firsts.take(orbits).flat_map(image).collect();
        SymmetryImages::of(shape, symmetries, orbits)
    }

    pub(super) fn of(shape: &Shape, symmetries: Vec<Symmetry>, orbits: Vec<u8>) -> SymmetryImages {
        let board = shape.board();
        let table = |symmetry: &Symmetry| board.all().map(|s| symmetry.apply(board, s).index() as u8).collect();
        let forth: Vec<Vec<u8>> = symmetries.iter().map(table).collect();
        let inverse = |images: &Vec<u8>| {
            let mut squares = vec![0; images.len()];
            images.iter().zip(0..).for_each(|(&image, square)| squares[usize::from(image)] = square);
            squares
        };
        let back: Vec<Vec<u8>> = forth.iter().map(inverse).collect();
        let mut place = vec![UNKNOWN; board.squares() as usize];
        orbits.iter().zip(0..).for_each(|(&square, k)| place[usize::from(square)] = k);
        let quotient = |back: &Vec<u8>| orbits.iter().map(|&end| place[usize::from(back[usize::from(end)])]).collect();
        let quotient = back.iter().map(quotient).collect();
        let cols = board.cols();
        let sums = forth.iter().map(|images| ImageSum::new(cols as usize, images)).collect();
        let rows = ((1 << 16) / cols + 1) as u16;
        let (squares, least) = (shape.squares() as usize, shape.all().next().map_or(0, |least| least.index() as u8));
        SymmetryImages { symmetries, squares, least, orbits, place, forth, back, sums, rows, quotient, classes: false }
    }

    /// The first end of the orbits that has no label yet.
    pub(crate) fn unlabelled(&self, labels: &Labels) -> Option<usize> {
        let known = labels.0.iter().zip(&self.orbits);
        known.filter(|&(&label, _)| label == UNKNOWN).map(|(_, &end)| usize::from(end)).next()
    }

    /// Reads the labels that these moves give.
    pub(crate) fn label(&self, labels: &mut Labels, moves: &[[u8; 2]]) {
        for &[a, b] in moves {
            for (end, to) in [(a, b), (b, a)] {
                let place = usize::from(self.place[usize::from(end)]);
                if let Some(label) = labels.0.get_mut(place) {
                    *label = self.back[place % self.back.len()][usize::from(to)];
                }
            }
        }
    }

    /// Compares the labels with those of all images.
    pub(crate) fn verdict(&self, labels: &Labels) -> LabelVerdict {
        let mut stabiliser = 0;
        let mut unknown = false;
        for (symmetry, quotient) in self.quotient.iter().enumerate() {
            let image = quotient.iter().map(|&k| labels.0[usize::from(k)]);
            let mut pairs = labels.0.into_iter().zip(image);
            match pairs.find(|&(own, image)| own != image || own == UNKNOWN) {
                // Labels are their own image under the identity, known or not.
                _ if symmetry == 0 => stabiliser |= 1,
                None => stabiliser |= 1 << symmetry,
                Some((own, image)) if own == UNKNOWN || image == UNKNOWN => unknown = true,
                Some((own, image)) if image < own => return LabelVerdict::Image(self.symmetries[symmetry]),
                Some(_) => {}
            }
        }
        if unknown { LabelVerdict::Unknown } else { LabelVerdict::First(Stabiliser(stabiliser)) }
    }

    /// Number of tours that one with this stabiliser stands for, itself included.
    fn count(&self, stabiliser: Stabiliser) -> u64 {
        self.forth.len() as u64 / u64::from(stabiliser.0.count_ones())
    }

    /// The count of every tour with this stabiliser; `None` if a [`TourExpander`](super::expand::TourExpander) must look at
    /// each tour.
    pub(crate) fn tour_weight(&self, stabiliser: Stabiliser) -> Option<u64> {
        match (self.classes, self.count(stabiliser)) {
            (false, count) => Some(count),
            (true, count) => (count == self.forth.len() as u64).then_some(1),
        }
    }

    /// Whether a tour is the least of its images with equal labels; `links` holds by square the two squares that it is
    /// joined to.
    pub(super) fn is_least(&self, of: Stabiliser, links: &[[u8; 2]]) -> bool {
        let sorted = |[a, b]: [u8; 2]| [a.min(b), a.max(b)];
        let others = self.forth.iter().zip(&self.back).enumerate().skip(1);
        others.filter(|&(h, _)| of.0 & 1 << h != 0).all(|(_, (forth, back))| {
            let image = |from: &u8| sorted(links[usize::from(*from)].map(|to| forth[usize::from(to)]));
            // A hole has no moves.
            let squares = links.iter().zip(back).filter(|(own, _)| own[0] != UNKNOWN);
            let orders = squares.map(|(&own, from)| sorted(own).cmp(&image(from)));
            orders.into_iter().find(|order| order.is_ne()).is_none_or(Ordering::is_lt)
        })
    }

    /// The symmetries that give different images of a tour with this stabiliser: one bit each.
    pub(super) fn different(&self, stabiliser: Stabiliser) -> u8 {
        let order = self.forth.len();
        if stabiliser.0.is_power_of_two() {
            return u8::MAX >> (ORDER_MAX - order);
        }
        // h gives the tour of an earlier symmetry if the two differ by a symmetry of the labels.
        let is_new = |h: usize| {
            (0..h).all(|earlier| self.quotient[earlier].get(h).is_some_and(|&k| stabiliser.0 & (1 << k) == 0))
        };
        (0..order).filter(|&h| is_new(h)).fold(0, |all, h| all | 1 << h)
    }

    /// Writes the image of a tour under every symmetry, each twice in a row.
    #[inline(always)]
    pub(super) fn write<const N: usize>(&self, tour: &OrderedTour<N>, all: &mut [[[u8; N]; 2]; ORDER_MAX]) {
        let rows = tour.squares.map(|square| ((u32::from(square) * u32::from(self.rows)) >> 16) as u16);
        for (sum, twice) in self.sums.iter().zip(all) {
            let mut image = [0; N];
            let of = tour.squares.iter().zip(&rows);
            image.iter_mut().zip(of).for_each(|(to, (&square, &row))| *to = sum.image(square.into(), row));
            let twice = twice.as_flattened_mut();
            for from in [0, self.squares] {
                twice[from..from + N].copy_from_slice(&image);
            }
        }
    }

    /// By symmetry, the index at which the image of a tour passes the least square.
    pub(super) fn firsts<const N: usize>(&self, tour: &OrderedTour<N>) -> impl Iterator<Item = usize> {
        self.back.iter().map(|back| usize::from(tour.at[usize::from(back[usize::from(self.least)])]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn all_squares(board: Board) -> u64 {
        (0..board.squares() as usize).fold(0, |set, square| set | u64::bit(square))
    }

    fn images(text: &str) -> SymmetryImages {
        let board: Board = text.parse().unwrap();
        SymmetryImages::new(&board.into(), all_squares(board))
    }

    #[test]
    fn quotients_are_those_of_the_symmetries() {
        for (text, order) in [("6x6", 8), ("5x6", 4)] {
            let images = images(text);
            assert_eq!(images.forth.len(), order);
            for (h, quotients) in images.quotient.iter().enumerate() {
                for (g, &k) in quotients.iter().enumerate() {
                    let squares = images.place.len();
                    let by_two = images.forth[g][..squares].iter().map(|&square| images.back[h][usize::from(square)]);
                    assert!(by_two.eq(images.forth[usize::from(k)][..squares].iter().copied()), "{text} {h} {g}");
                }
            }
        }
    }

    #[test]
    fn images_equal_their_sums() {
        for text in ["6x6", "5x6", "3x42", "42x3", "8x16", "11x11"] {
            let images = SymmetryImages::new(&text.parse().unwrap(), u128::EMPTY);
            for (sum, forth) in images.sums.iter().zip(&images.forth) {
                let row = |square: u16| ((u32::from(square) * u32::from(images.rows)) >> 16) as u16;
                assert!((0..).zip(forth).all(|(square, &image)| sum.image(square, row(square)) == image), "{text}");
            }
        }
    }

    #[test]
    fn without_an_orbit_every_tour_comes_first() {
        let board: Board = "6x6".parse().unwrap();
        for images in [u64::EMPTY, u64::bit(0)].map(|ends| SymmetryImages::new(&board.into(), ends)) {
            let LabelVerdict::First(stabiliser) = images.verdict(&Labels::UNKNOWN) else {
                panic!("nothing to compare")
            };
            assert_eq!((images.count(stabiliser), images.unlabelled(&Labels::UNKNOWN)), (1, None));
            assert_eq!(images.tour_weight(stabiliser), Some(1));
            let images = SymmetryImages { classes: true, ..images };
            assert_eq!(images.tour_weight(stabiliser), None, "any two tours may be of one class");
        }
    }

    /// The symmetry of the verdict maps the moves to moves whose labels come first.
    #[test]
    fn the_image_that_comes_first_is_named() {
        for text in ["6x6", "5x6"] {
            let images = images(text);
            let (order, others) =
                (images.forth.len(), (0..images.squares as u8).filter(|&s| images.place[usize::from(s)] == UNKNOWN));
            let (others, mut named) = (others.collect::<Vec<_>>(), 0u8);
            for n in 0..2000 {
                let moves: Vec<[u8; 2]> = (0..order)
                    .map(|g| [images.orbits[g], others[(n * (2 * g + 1) + n / 7 * g * g) % others.len()]])
                    .collect();
                let labels = |moves: &[[u8; 2]]| {
                    let mut labels = Labels::UNKNOWN;
                    images.label(&mut labels, moves);
                    labels
                };
                let own = labels(&moves);
                let LabelVerdict::Image(symmetry) = images.verdict(&own) else { continue };
                let h = Symmetry::ALL.iter().position(|&other| other == symmetry).unwrap();
                let image = moves.iter().map(|ends| ends.map(|square| images.forth[h][usize::from(square)]));
                assert!(labels(&image.collect::<Vec<_>>()).0 < own.0, "{text} {symmetry}");
                named |= 1 << h;
            }
            assert_eq!(named, (u8::MAX >> (8 - order)) & !1, "{text}: every symmetry but the identity is met");
        }
    }

    /// Labels of 5x6 and the number of tours they stand for: its four symmetries permute them like two independent
    /// exchanges.
    #[test]
    fn the_first_of_all_images_stands_for_them() {
        let images = images("5x6");
        let verdict = |labels: [u8; 4]| {
            let mut all = Labels::UNKNOWN;
            all.0[..4].copy_from_slice(&labels);
            match images.verdict(&all) {
                LabelVerdict::First(stabiliser) => Some(Some(images.count(stabiliser))),
                LabelVerdict::Image(_) => Some(None),
                LabelVerdict::Unknown => None,
            }
        };
        assert_eq!(verdict([1, 2, 3, 4]), Some(Some(4)));
        assert_eq!(verdict([2, 1, 3, 4]), Some(None));
        assert_eq!(verdict([1, 1, 2, 2]), Some(Some(2)));
        assert_eq!(verdict([1, 1, 1, 1]), Some(Some(1)));
        assert_eq!(verdict([1, 2, UNKNOWN, 4]), None);
        assert_eq!(verdict([3, 2, UNKNOWN, UNKNOWN]), Some(None), "enough is known");
        // Every sequence of labels has one image that comes first and stands for all its images.
        let sequences = (0..81).map(|n| [n % 3, n / 3 % 3, n / 9 % 3, n / 27]);
        assert_eq!(sequences.filter_map(|labels| verdict(labels).unwrap()).sum::<u64>(), 81);
    }
}
