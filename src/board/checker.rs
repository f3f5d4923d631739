//! Fast verification of many tours of one small board, one after the other, without storing any of them.
//!
//! A [`Checker`] is as strict as [`Tour::verify`], but reads the squares as bytes from the caller's buffer and allocates
//! nothing. The visited squares are one machine word. The neighbours of a square are a word too, in a table with an entry
//! for every byte, so no byte needs a range check. A tour that passes becomes a [`TourRef`], which borrows the buffer. For
//! squares that do not pass, [`Tour::verify`] says what is wrong.

use super::rectangle::{Board, Square};
use super::shape::Shape;
use super::small_board::{SmallBoard, SquareMask};
use super::tour::{Ending, Tour, TourFault};
use std::array;

/// Verifies tours of one shape, whose board has at most [`SMALL_SQUARES_MAX`](super::SMALL_SQUARES_MAX) squares.
#[derive(Clone, Debug)]
pub struct Checker {
    shape: Shape,
    /// Number of squares of a tour.
    squares: usize,
    ending: Ending,
    graph: NeighbourMasks,
}

/// All squares and the neighbours of each, in the narrowest word that holds them.
#[derive(Clone, Debug)]
enum NeighbourMasks {
    Narrow(u64, Neighbours<u64>),
    Wide(u128, Neighbours<u128>),
}

/// The neighbours of a square, by the number of the square. A byte that is no square of the shape has no neighbours.
type Neighbours<M> = Box<[M; 256]>;

fn neighbours<M: SquareMask>(shape: &Shape) -> Option<(M, Neighbours<M>)> {
    let graph = SmallBoard::new(shape)?;
    Some((graph.all(), Box::new(array::from_fn(|byte| graph.neighbours(byte)))))
}

/// A verified tour in a buffer of the caller, its squares as bytes. Only a [`Checker`] makes one, so it is a tour.
#[derive(Clone, Copy, Debug)]
pub struct TourRef<'a> {
    shape: &'a Shape,
    closes: bool,
    squares: &'a [u8],
}

impl<'a> TourRef<'a> {
    pub fn shape(self) -> &'a Shape {
        self.shape
    }

    pub fn board(self) -> Board {
        self.shape.board()
    }

    /// Whether a knight's move leads from the last square to the first. True for every tour checked as closed.
    pub fn closes(self) -> bool {
        self.closes
    }

    /// The numbers of the squares in the order of the visits.
    pub fn indices(self) -> &'a [u8] {
        self.squares
    }

    /// The squares in the order of the visits.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        self.squares.iter().map(|&square| Square::from_index(u32::from(square)))
    }
}

impl Checker {
    /// A checker for tours of this shape and ending. `None` when the board is too large.
    pub fn new(shape: impl Into<Shape>, ending: Ending) -> Option<Checker> {
        let shape = shape.into();
        let narrow = neighbours(&shape).map(|(all, near)| NeighbourMasks::Narrow(all, near));
        let graph = narrow.or_else(|| neighbours(&shape).map(|(all, near)| NeighbourMasks::Wide(all, near)))?;
        Some(Checker { squares: shape.squares() as usize, shape, ending, graph })
    }

    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The tour of these squares, or `None` if they are no tour. [`Checker::check`] gives the reason.
    #[inline(always)]
    pub fn pass<'a>(&'a self, squares: &'a [u8]) -> Option<TourRef<'a>> {
        if squares.len() != self.squares {
            return None;
        }
        let closes = match &self.graph {
            NeighbourMasks::Narrow(all, graph) => tour_closes(*all, graph, squares)?,
            NeighbourMasks::Wide(all, graph) => tour_closes(*all, graph, squares)?,
        };
        (closes || self.ending == Ending::Open).then_some(TourRef { shape: &self.shape, closes, squares })
    }

    /// The tour of these squares.
    ///
    /// # Errors
    /// The [`TourFault`] that [`Tour::verify`] finds.
    #[inline(always)]
    pub fn check<'a>(&'a self, squares: &'a [u8]) -> Result<TourRef<'a>, TourFault> {
        self.pass(squares).ok_or_else(|| self.fault(squares))
    }

    /// What is wrong with squares that are no tour.
    #[cold]
    fn fault(&self, squares: &[u8]) -> TourFault {
        let squares: Box<[Square]> = squares.iter().map(|&square| Square::from_index(u32::from(square))).collect();
        match Tour::verify(&self.shape, self.ending, squares) {
            Err(fault) => fault,
            Ok(tour) => unreachable!("two checks of one tour agree: {}", tour.move_list()),
        }
    }
}

/// Whether the tour of these squares, as many as there are in `every`, is closed by a knight's move. `None` when the squares are
/// no tour. The loop has no branch for a fault, because nearly all lists are tours.
///
/// A byte too large for the word is treated as the square of its low bits; its high bits are tested once at the end. A table
/// that holds the bit of every byte beside its neighbours would need no such test. But compilers turn that table into
/// gather instructions, which are slower than shifts: 36 ns instead of 27 for a tour of 6x8. Vectors of sixteen squares
/// take two thirds of the time on squares written long before. Here the squares have just been written by several narrow
/// stores, and a wide load waits until these stores are through.
#[inline(always)]
fn tour_closes<M: SquareMask>(every: M, neighbours: &[M; 256], squares: &[u8]) -> Option<bool> {
    let within = (8 * size_of::<M>() - 1) as u8;
    let (mut seen, mut not_neighbours, mut all) = (M::EMPTY, M::EMPTY, 0);
    // The first square may be any of them.
    let mut near = every;
    for &square in squares {
        let own = M::bit(usize::from(square & within));
        all |= square;
        not_neighbours |= own & !near;
        seen |= own;
        near = neighbours[usize::from(square)];
    }
    // As many squares as the shape has, all different and none left out, are all its squares.
    let is_tour = all <= within && not_neighbours.is_empty() && seen.len() as usize == squares.len();
    is_tour.then(|| near.has(usize::from(squares[0])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::exhaustive::tours_5x6;
    use crate::board::parse_move_list;
    use proptest::prelude::*;

    /// Asserts that both checks agree, and returns their result.
    fn agreed(board: Board, ending: Ending, squares: &[u8]) -> Result<bool, TourFault> {
        let checked = Checker::new(board, ending).unwrap().check(squares).map(TourRef::closes);
        let whole: Vec<Square> = squares.iter().map(|&square| Square::from_index(u32::from(square))).collect();
        let closes = |tour: Tour| board.adjacent(*tour.squares().last().unwrap(), tour.squares()[0]);
        assert_eq!(checked, Tour::verify(board, ending, whole).map(closes), "{board} {squares:?}");
        checked
    }

    /// Every fault that one change can make in a tour, and lists of other lengths.
    fn mutants(squares: &[u8], most: u8) -> Vec<Vec<u8>> {
        let mut mutants = vec![squares[1..].to_vec(), squares[..squares.len() - 1].to_vec(), vec![]];
        for at in 0..squares.len() {
            let mut change = |change: &dyn Fn(&mut Vec<u8>)| {
                let mut mutant = squares.to_vec();
                change(&mut mutant);
                mutants.push(mutant);
            };
            (0..=most).chain([u8::MAX]).for_each(|other| change(&|mutant| mutant[at] = other));
            (0..at).for_each(|other| change(&|mutant| mutant.swap(at, other)));
            change(&|mutant| mutant.insert(at, squares[at]));
            change(&|mutant| mutant[at..].reverse());
            change(&|mutant| mutant.rotate_left(at));
            change(&|mutant| mutant.retain(|&square| square != squares[at]));
        }
        mutants
    }

    fn agree_on_mutants(board: Board, squares: &[u8]) {
        let mut passed = 0;
        for ending in [Ending::Open, Ending::Closed] {
            let all = mutants(squares, board.squares() as u8 + 2);
            passed += all.iter().filter(|mutant| agreed(board, ending, mutant).is_ok()).count();
            assert!(all.len() > 1000 && passed < all.len() / 4, "{passed} of {} are tours", all.len());
        }
        // Some changes of a tour make another tour: a closed tour may begin on any square.
        assert!(passed > 0);
    }

    #[test]
    fn both_checks_find_the_same_fault_in_every_mutant() {
        let tours = tours_5x6();
        for tour in [tours.first(), tours.last()].into_iter().flatten() {
            let squares: Vec<u8> = tour.squares().iter().map(|square| square.index() as u8).collect();
            assert!(agreed(tour.board(), tour.ending(), &squares).is_ok());
            agree_on_mutants(tour.board(), &squares);
        }
    }

    /// A closed tour of a board whose squares do not fit in 64 bits.
    const WIDE: &str = "8x9 a8 c7 a6 b8 d7 f8 g6 h8 f7 d8 b7 c5 e6 d4 f3 e1 d3 e5 c6 a7 b5 c3 a4 b2 d1 e3 f5 h6 i8 g7 \
                        i6 h4 g2 i1 h3 g1 i2 g3 e4 f2 h1 i3 g4 i5 h7 g5 i4 h2 f1 d2 b1 a3 c2 a1 b3 a5 c4 d6 e8 f6 d5 \
                        b4 a2 c1 e2 f4 h5 i7 g8 e7 c8 b6";

    #[test]
    fn boards_wider_than_a_word_are_checked_alike() {
        let (board, squares) = parse_move_list(WIDE).unwrap();
        let squares: Vec<u8> = squares.into_iter().map(|square| square.index() as u8).collect();
        let tour = Checker::new(board, Ending::Closed).unwrap().check(&squares).map(|tour| tour.indices().to_vec());
        assert_eq!(tour, Ok(squares.clone()));
        agree_on_mutants(board, &squares);
        assert!(Checker::new("3x43".parse::<Shape>().unwrap(), Ending::Open).is_none());
    }

    #[test]
    fn the_smallest_boards_are_checked_alike() {
        for text in ["1x1", "1x2", "2x3"] {
            let board: Board = text.parse().unwrap();
            for ending in [Ending::Open, Ending::Closed] {
                for squares in [&[][..], &[0], &[1], &[0, 0], &[0, 1], &[255]] {
                    let is_tour = agreed(board, ending, squares).is_ok();
                    assert_eq!(is_tour, text == "1x1" && ending == Ending::Open && squares == [0]);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn both_checks_agree_on_any_bytes(squares in prop::collection::vec(0u8..14, 10..14), closed in any::<bool>()) {
            let ending = if closed { Ending::Closed } else { Ending::Open };
            let _ = agreed("3x4".parse().unwrap(), ending, &squares);
        }
    }
}
