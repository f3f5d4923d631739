//! Counts how many tours of many are different, and how many classes they are of.
//!
//! Closed tours count as undirected cycles, open ones as directed, as in searches; two tours are of one class when a symmetry of
//! the board, reversal, or both take one to the other. Each class is kept once, as its least reading, with a bit for each of its
//! readings that was seen. So nothing rests on a hash alone.

use crate::board::{Ending, Square, Tour};
use std::collections::HashMap;

/// Most bytes that the classes may take.
pub const BYTES_MAX: usize = 1 << 30;
/// Bytes of a class besides its reading.
const CLASS_BYTES: usize = 64;

/// The different tours so far.
#[derive(Default)]
pub struct DistinctTours {
    classes: HashMap<Box<[u8]>, u16>,
    bytes: usize,
    tours: u64,
    is_full: bool,
}

impl DistinctTours {
    /// Adds a tour.
    pub fn add(&mut self, tour: &Tour) {
        if self.is_full {
            return;
        }
        let (key, bit) = class(tour);
        let bytes = key.len() + CLASS_BYTES;
        let readings = self.classes.entry(key).or_insert_with(|| {
            self.bytes += bytes;
            0
        });
        self.tours += u64::from(*readings & bit == 0);
        *readings |= bit;
        self.is_full = self.bytes > BYTES_MAX;
    }

    /// The number of different tours, and of classes; `None` if they are too many to be kept.
    pub fn counts(&self) -> Option<[u64; 2]> {
        (!self.is_full).then_some([self.tours, self.classes.len() as u64])
    }
}

/// The least reading of a tour and its images, with its board and ending, and a bit for the first image that has this reading. The
/// tours of a class have different bits: what takes two of them to one reading cannot be the same.
fn class(tour: &Tour) -> (Box<[u8]>, u16) {
    let board = tour.board();
    let images = board.symmetries().iter().map(|symmetry| tour.reading_through(|square| symmetry.apply(board, square)));
    let readings = images.flat_map(|reading| {
        let reversed: Option<Box<[Square]>> =
            (tour.ending() == Ending::Open).then(|| reading.iter().rev().copied().collect());
        [Some(reading), reversed]
    });
    let least = readings.enumerate().filter_map(|(at, reading)| Some((reading?, at))).min();
    let (reading, at) = least.unwrap_or_else(|| unreachable!("every board has the identity"));
    let sides = [board.rows(), board.cols(), u32::from(tour.ending() == Ending::Closed)];
    let width = if board.squares() <= 1 << 8 { 1 } else { size_of::<u32>() };
    let head = sides.iter().flat_map(|side| side.to_le_bytes());
    let squares = reading.iter().flat_map(|square| square.index().to_le_bytes().into_iter().take(width));
    (head.chain(squares).collect(), 1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::{Holes, Shape, Symmetry};
    use std::collections::HashSet;

    /// The least reading of all images of a tour, each verified.
    fn plain_class(tour: &Tour) -> (Ending, Vec<Square>) {
        let images = tour.board().symmetries().iter().map(|&symmetry| tour.image(symmetry));
        let readings = images.flat_map(|image| {
            let reversed: Vec<Square> = image.squares().iter().rev().copied().collect();
            [image.reading(), Tour::verify(image.board(), tour.ending(), reversed).unwrap().reading()]
        });
        (tour.ending(), readings.min().unwrap().to_vec())
    }

    #[test]
    fn tours_and_their_images_are_counted_once_and_as_classes() {
        let tours: Vec<Tour> = tours_5x6().iter().step_by(7).cloned().collect();
        let images = tours.iter().flat_map(|tour| [Symmetry::Identity, Symmetry::LeftRight].map(|by| tour.image(by)));
        let images: Vec<Tour> = images.collect();
        let mut all = DistinctTours::default();
        images.iter().for_each(|tour| all.add(tour));
        let different: HashSet<_> = images.iter().map(|tour| (tour.ending(), tour.reading())).collect();
        let classes: HashSet<_> = images.iter().map(plain_class).collect();
        assert!(classes.len() < different.len() && different.len() < images.len());
        assert_eq!(all.counts(), Some([different.len() as u64, classes.len() as u64]));
    }

    #[test]
    fn a_cycle_is_one_tour_from_every_square_and_in_both_directions() {
        let text = "3x3 a3 c2 a1 b3 c1 a2 c3 b1";
        let (board, ring) = crate::board::parse_move_list(text).unwrap();
        let holes = Holes::new(board.parse_square("b2"));
        for (ending, tours) in [(Ending::Closed, 1), (Ending::Open, 16)] {
            let mut all = DistinctTours::default();
            for turn in 0..8 {
                let mut squares = ring.clone();
                squares.rotate_left(turn);
                for _ in 0..2 {
                    squares.reverse();
                    all.add(&Tour::verify(Shape::new(board, holes.clone()), ending, squares.clone()).unwrap());
                }
            }
            // The eight symmetries and reversal take every reading of the ring to every other.
            assert_eq!(all.counts(), Some([tours, 1]), "{ending:?}");
        }
    }
}
