//! Tours that are images of each other under the board's symmetries: one of them is searched, the others are counted.
//!
//! What is forced at the root is symmetric. There the search picks an orbit of as many ends of fragments as there are
//! symmetries, one end for each symmetry g: g takes the first end to it. In a tour every end of the orbit gets one more
//! move; its *label* is where that move leads, taken back to the first end by the inverse of g. A symmetry h permutes
//! the labels of a tour as it permutes the orbit, so tours with labels that come first among their images can stand for
//! all; if s symmetries leave the labels as they are, such a tour stands for |G| / s.
//!
//! Labels are fixed first, in the order of the orbit, and compared as far as they are known: most branches are cut, or
//! known to come first, after a few labels.
//!
//! Where classes are counted, tours whose labels no symmetry leaves as they are count one each, unseen: their images have
//! other labels. The others are looked at, each beside its images that have the same labels.

use super::log::Log;
use crate::board::{Board, Mask, SMALL_SQUARES_MAX, Symmetry};
use crate::search::TourSink;
use std::array;
use std::cmp::Ordering;

/// Symmetries of a board at most.
const ORDER_MAX: usize = Symmetry::ALL.len();
/// A label not known yet; a square in no orbit.
const UNKNOWN: u8 = u8::MAX;

/// Images of squares, and of bytes that are none: whoever looks one up needs not check it.
type ByByte = Box<[u8; 256]>;

/// The labels of a position, in the order of the symmetries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels([u8; ORDER_MAX]);

/// The symmetries that leave the labels of a tour as they are: one bit each, the identity first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stabiliser(u8);

/// What labels say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Too few are known.
    Unknown,
    /// An image comes first: the tours are found elsewhere.
    Image,
    /// They come first.
    First(Stabiliser),
}

/// The symmetries in use and what they do to squares, to labels and to each other.
#[derive(Clone, Debug)]
pub(super) struct Images {
    /// The ends that are labelled, one for each symmetry; none if there is no symmetry but the identity.
    orbit: Vec<u8>,
    /// By square its place in the orbit.
    place: Vec<u8>,
    /// By symmetry the image of every square, and the square of every image.
    forth: Vec<ByByte>,
    back: Vec<Vec<u8>>,
    /// Place of the symmetry "g, then the inverse of h", by h and g.
    quotient: Vec<Vec<u8>>,
    /// Whether classes of tours are counted.
    classes: bool,
}

impl Labels {
    /// Nothing known.
    pub(super) const UNKNOWN: Labels = Labels([UNKNOWN; ORDER_MAX]);
}

impl Images {
    /// Only the identity: every tour is searched.
    #[cfg(test)]
    pub(super) fn none(board: Board) -> Images {
        Images::of(board, &Symmetry::ALL[..1], Vec::new())
    }

    /// All symmetries of the board. If none of `ends` has an orbit of as many squares, there are no labels, all leave them
    /// as they are, and every tour is searched.
    pub(super) fn new<M: Mask>(board: Board, ends: M) -> Images {
        let symmetries = board.symmetries();
        let orbit = board.orbits().find(|orbit| {
            let representative = orbit.representative().index() as usize;
            orbit.members.len() == symmetries.len() && ends.has(representative)
        });
        let Some(orbit) = orbit else { return Images::of(board, symmetries, Vec::new()) };
        let first = orbit.representative();
        let image = |symmetry: &Symmetry| symmetry.apply(board, first).index() as u8;
        Images::of(board, symmetries, symmetries.iter().map(image).collect())
    }

    fn of(board: Board, symmetries: &[Symmetry], orbit: Vec<u8>) -> Images {
        let table = |symmetry: &Symmetry| board.all().map(|s| symmetry.apply(board, s).index() as u8).collect();
        let forth: Vec<Vec<u8>> = symmetries.iter().map(table).collect();
        let squares = board.squares() as usize;
        let inverse = |images: &Vec<u8>| {
            let mut squares = vec![0; images.len()];
            images.iter().zip(0..).for_each(|(&image, square)| squares[usize::from(image)] = square);
            squares
        };
        let back: Vec<Vec<u8>> = forth.iter().map(inverse).collect();
        let mut place = vec![UNKNOWN; squares];
        orbit.iter().zip(0..).for_each(|(&square, k)| place[usize::from(square)] = k);
        let quotient = |back: &Vec<u8>| orbit.iter().map(|&end| place[usize::from(back[usize::from(end)])]).collect();
        let quotient = back.iter().map(quotient).collect();
        let by_byte = |table: &Vec<u8>| ByByte::new(array::from_fn(|byte| table.get(byte).copied().unwrap_or(UNKNOWN)));
        let forth = forth.iter().map(by_byte).collect();
        Images { orbit, place, forth, back, quotient, classes: false }
    }

    /// The same, to count classes of tours.
    pub(super) fn classes(self) -> Images {
        Images { classes: true, ..self }
    }

    /// The first end of the orbit that has no label yet.
    pub(super) fn unlabelled(&self, labels: &Labels) -> Option<usize> {
        let known = labels.0.iter().zip(&self.orbit);
        known.filter(|&(&label, _)| label == UNKNOWN).map(|(_, &end)| usize::from(end)).next()
    }

    /// Reads the labels that these moves give.
    pub(super) fn label(&self, labels: &mut Labels, moves: &[[u8; 2]]) {
        for &[a, b] in moves {
            for (end, to) in [(a, b), (b, a)] {
                let place = usize::from(self.place[usize::from(end)]);
                if let Some(back) = self.back.get(place) {
                    labels.0[place] = back[usize::from(to)];
                }
            }
        }
    }

    /// Compares the labels with those of all images.
    pub(super) fn verdict(&self, labels: &Labels) -> Verdict {
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
                Some((own, image)) if image < own => return Verdict::Image,
                Some(_) => {}
            }
        }
        if unknown { Verdict::Unknown } else { Verdict::First(Stabiliser(stabiliser)) }
    }

    /// Number of tours that one with this stabiliser stands for, itself included.
    fn count(&self, stabiliser: Stabiliser) -> u64 {
        self.forth.len() as u64 / u64::from(stabiliser.0.count_ones())
    }

    /// What every tour with this stabiliser counts; nothing if [`Images::tell`] must look at each.
    pub(super) fn worth(&self, stabiliser: Stabiliser) -> Option<u64> {
        match (self.classes, self.count(stabiliser)) {
            (false, count) => Some(count),
            (true, count) => (count == self.forth.len() as u64).then_some(1),
        }
    }

    /// Hands out all tours that the tour in `log` stands for, which has this stabiliser, and answers how many were taken;
    /// if nobody takes them, whether it counts for its class.
    pub(super) fn tell<const N: usize>(
        &self,
        of: Stabiliser,
        log: &Log<N>,
        sink: &mut Option<&mut dyn TourSink>,
    ) -> u64 {
        let squares = self.place.len();
        let Some(sink) = sink else { return u64::from(self.is_least(of, &log.links(squares))) };
        let mut tours = 0;
        self.expand(of, &log.tour(squares)[..squares], &mut |tour| tours += sink.tour(tour));
        tours
    }

    /// Whether a tour, by square those that it is joined to, is the least of its images with the same labels.
    fn is_least(&self, of: Stabiliser, links: &[[u8; 2]]) -> bool {
        let sorted = |[a, b]: [u8; 2]| [a.min(b), a.max(b)];
        let others = self.forth.iter().zip(&self.back).enumerate().skip(1);
        others.filter(|&(h, _)| of.0 & 1 << h != 0).all(|(_, (forth, back))| {
            let image = |from: &u8| sorted(links[usize::from(*from)].map(|to| forth[usize::from(to)]));
            let orders = links.iter().zip(back).map(|(&own, from)| sorted(own).cmp(&image(from)));
            orders.into_iter().find(|order| order.is_ne()).is_none_or(Ordering::is_lt)
        })
    }

    /// Calls `each` with every tour that `squares`, which start at square 0, stand for; all start there.
    fn expand(&self, stabiliser: Stabiliser, squares: &[u8], each: &mut dyn FnMut(&[u8])) {
        let mut image = [0; SMALL_SQUARES_MAX];
        let image = &mut image[..squares.len()];
        for (h, (forth, back)) in self.forth.iter().zip(&self.back).enumerate() {
            // h gives the same tours as an earlier one if the two differ by a symmetry of the labels.
            let is_alone = stabiliser.0.is_power_of_two();
            let is_new = is_alone
                || (0..h).all(|earlier| {
                    let quotient = self.quotient[earlier].get(h);
                    quotient.is_some_and(|&k| stabiliser.0 & (1 << k) == 0)
                });
            if !is_new {
                continue;
            }
            let first = squares.iter().position(|&square| square == back[0]).unwrap_or(0);
            let (end, begin) = squares.split_at(first);
            let (to_begin, to_end) = image.split_at_mut(begin.len());
            for (to, from) in [(to_begin, begin), (to_end, end)] {
                to.iter_mut().zip(from).for_each(|(to, &from)| *to = forth[usize::from(from)]);
            }
            each(image);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_squares(board: Board) -> u64 {
        (0..board.squares() as usize).fold(0, |set, square| set | u64::bit(square))
    }

    fn images(text: &str) -> Images {
        let board: Board = text.parse().unwrap();
        Images::new(board, all_squares(board))
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
    fn without_an_orbit_every_tour_comes_first() {
        let board: Board = "6x6".parse().unwrap();
        for images in [Images::new(board, u64::EMPTY), Images::new(board, u64::bit(0))] {
            let Verdict::First(stabiliser) = images.verdict(&Labels::UNKNOWN) else { panic!("nothing to compare") };
            assert_eq!((images.count(stabiliser), images.unlabelled(&Labels::UNKNOWN)), (1, None));
            assert_eq!(images.worth(stabiliser), Some(1));
            assert_eq!(images.classes().worth(stabiliser), None, "any two tours may be of one class");
        }
    }

    /// Labels of 5x6 and what they are worth: its four symmetries permute them like two independent exchanges.
    #[test]
    fn the_first_of_all_images_stands_for_them() {
        let images = images("5x6");
        let verdict = |labels: [u8; 4]| {
            let mut all = Labels::UNKNOWN;
            all.0[..4].copy_from_slice(&labels);
            match images.verdict(&all) {
                Verdict::First(stabiliser) => Some(Some(images.count(stabiliser))),
                Verdict::Image => Some(None),
                Verdict::Unknown => None,
            }
        };
        assert_eq!(verdict([1, 2, 3, 4]), Some(Some(4)));
        assert_eq!(verdict([2, 1, 3, 4]), Some(None));
        assert_eq!(verdict([1, 1, 2, 2]), Some(Some(2)));
        assert_eq!(verdict([1, 1, 1, 1]), Some(Some(1)));
        assert_eq!(verdict([1, 2, UNKNOWN, 4]), None);
        assert_eq!(verdict([3, 2, UNKNOWN, UNKNOWN]), Some(None), "enough is known");
        // Every sequence of labels has one image that comes first, and the images are as many as it stands for.
        let sequences = (0..81).map(|n| [n % 3, n / 3 % 3, n / 9 % 3, n / 27]);
        assert_eq!(sequences.filter_map(|labels| verdict(labels).unwrap()).sum::<u64>(), 81);
    }
}
