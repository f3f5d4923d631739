//! The log of the moves fixed, and the expansion of every tour found to all tours that it stands for.
//!
//! The cost here is latency. Every step along a tour waits for the one before, so two tours are walked at once, each
//! from both ends. And reading what several stores have just written is slow. So all images of a tour are written
//! before the first is handed out to a sink, which reads it square by square. Variants, in processor time for all tours
//! of 6x7, as multiples of this: one tour at a time 1.1; the moves common to all tours of a subtree added up again for
//! each tour, and images handed out one after the other, 1.26.

use super::fragments::Record;
use super::images::{ORDER_MAX, OrderedTour, Stabiliser, SymmetryImages};
use crate::search::kernel::TourSink;
use crate::system::at_best_level;
use std::array;

/// Hands out tours that have one stabiliser and some moves in common.
pub(super) struct TourExpander<'a, 'b, const N: usize> {
    images: &'a SymmetryImages,
    stabiliser: Stabiliser,
    sink: Option<&'a mut (dyn TourSink + 'b)>,
    /// The symmetries that give different tours, one bit each.
    different: u8,
    /// The moves common to all tours, the first ones in the log.
    common: MoveSums<N>,
    /// A tour that waits for a second one, and its second square.
    waiting: Option<(MoveSums<N>, u8)>,
    /// By symmetry an image, twice in a row, so that it can be read from its least square on.
    twice: [[[u8; N]; 2]; ORDER_MAX],
    /// Tours that the sink accepted, or classes counted.
    taken: u64,
}

impl<'a, 'b, const N: usize> TourExpander<'a, 'b, N> {
    /// An expander of tours that all have the first `fixed` moves in `log`.
    pub(super) fn new(
        images: &'a SymmetryImages,
        stabiliser: Stabiliser,
        sink: Option<&'a mut (dyn TourSink + 'b)>,
        log: &MoveLog<N>,
        fixed: usize,
    ) -> Self {
        let mut common = MoveSums::NONE;
        log.add_moves(&mut common, fixed);
        let different = images.different(stabiliser);
        let twice = [[[0; N]; 2]; ORDER_MAX];
        TourExpander { images, stabiliser, sink, different, common, waiting: None, twice, taken: 0 }
    }

    /// Hands out all tours that the tour in `log` stands for, now or at a later call. Without a sink, counts the tour if it
    /// represents its class.
    pub(super) fn expand(&mut self, log: &MoveLog<N>) {
        let squares = self.images.squares;
        if self.sink.is_none() {
            self.taken += u64::from(self.images.is_least(self.stabiliser, &log.links(squares)));
            return;
        }
        let mut sums = self.common.clone();
        log.add_moves(&mut sums, squares);
        let first = self.images.least;
        let second = log.neighbour_of(first, squares);
        match self.waiting.take() {
            None => self.waiting = Some((sums, second)),
            Some((before, its)) => {
                for tour in order_tours([&before, &sums], first, [its, second]) {
                    self.hand_out(&tour);
                }
            }
        }
    }

    /// Hands out a waiting tour; returns the number of tours that the sink accepted, or of classes counted.
    pub(super) fn finish(mut self) -> u64 {
        if let Some((sums, second)) = self.waiting.take() {
            let [tour] = order_tours([&sums], self.images.least, [second]);
            self.hand_out(&tour);
        }
        self.taken
    }

    at_best_level! {
        fn hand_out, hand_out_by_v3, hand_out_by_any of Self (self: &mut Self, tour: &OrderedTour<N>) -> () {
            let Some(sink) = &mut self.sink else { return };
            self.images.write(tour, &mut self.twice);
            for ((h, first), twice) in self.images.firsts(tour).enumerate().zip(&self.twice) {
                if self.different & 1 << h != 0 {
                    self.taken += sink.tour(&twice.as_flattened()[first..first + self.images.squares]);
                }
            }
        }
    }
}

/// No square.
const NONE: u8 = u8::MAX;

/// A set of moves, stored as one number by square.
///
/// A step along a tour comes from one neighbour of a square, and their sum gives the other; so no step branches.
#[derive(Clone, Debug)]
pub(super) struct MoveSums<const N: usize> {
    /// By square, the exclusive or of the squares that it is joined to.
    neighbours: [u8; N],
    moves: usize,
}

impl<const N: usize> MoveSums<N> {
    pub(super) const NONE: MoveSums<N> = MoveSums { neighbours: [0; N], moves: 0 };
}

/// The squares in order of the tours that `sums` make, each from square `first` on and then to its square of `seconds`. A
/// tour must have an even number of squares.
///
/// Every step of a walk waits for the one before; so several tours are walked at once, and each from both ends until
/// they meet.
#[inline(always)]
pub(super) fn order_tours<const N: usize, const K: usize>(
    sums: [&MoveSums<N>; K],
    first: u8,
    seconds: [u8; K],
) -> [OrderedTour<N>; K] {
    let mut tours: [OrderedTour<N>; K] = array::from_fn(|_| OrderedTour { squares: [first; N], at: [0; N] });
    let squares = sums[0].moves;
    let mut walks: [_; K] = array::from_fn(|k| {
        [[first, seconds[k]], [first, sums[k].neighbours[usize::from(first) & (N - 1)] ^ seconds[k]]]
    });
    for at in 1..=squares / 2 {
        for k in 0..K {
            for (walk, at) in walks[k].iter_mut().zip([at, squares - at]) {
                let [before, square] = *walk;
                tours[k].squares[at & (N - 1)] = square;
                tours[k].at[usize::from(square) & (N - 1)] = at as u8;
                *walk = [square, sums[k].neighbours[usize::from(square) & (N - 1)] ^ before];
            }
        }
    }
    tours
}

/// Moves by number; a search that goes back overwrites the moves it takes back.
#[derive(Clone, Debug)]
pub(crate) struct MoveLog<const N: usize>([[u8; 2]; N]);

impl<const N: usize> Record for MoveLog<N> {
    #[inline(always)]
    fn fix(&mut self, fixed: usize, a: usize, b: usize) {
        self.0[fixed & (N - 1)] = [a as u8, b as u8];
    }
}

impl<const N: usize> MoveLog<N> {
    pub(crate) fn new() -> MoveLog<N> {
        MoveLog([[0; 2]; N])
    }

    /// The moves number `from` to `to`, `to` excluded.
    pub(crate) fn moves(&self, from: usize, to: usize) -> &[[u8; 2]] {
        &self.0[from..to]
    }

    /// The fragments that the first `fixed` moves make, each from its lower end, or the tour from its least square on; no other
    /// fragment may be closed.
    pub(crate) fn chains(&self, fixed: usize) -> Vec<Vec<u8>> {
        let links = self.links(fixed);
        let ends = (0..N as u8).filter(|&square| matches!(links[usize::from(square)], [first, NONE] if first != NONE));
        let mut chains: Vec<Vec<u8>> = Vec::new();
        for end in ends {
            if !chains.iter().any(|chain| chain.last() == Some(&end)) {
                chains.push(follow(&links, end));
            }
        }
        let least = links.iter().position(|link| link[0] != NONE).filter(|_| chains.is_empty());
        chains.extend(least.map(|least| follow(&links, least as u8)));
        chains
    }

    /// Adds the moves of the log up to number `moves` to `sums`, which holds the first ones already.
    #[inline(always)]
    pub(super) fn add_moves(&self, sums: &mut MoveSums<N>, moves: usize) {
        for &[a, b] in self.moves(sums.moves, moves) {
            sums.neighbours[usize::from(a) & (N - 1)] ^= b;
            sums.neighbours[usize::from(b) & (N - 1)] ^= a;
        }
        sums.moves = moves;
    }

    /// A square to which one of the first `moves` moves joins this square.
    pub(super) fn neighbour_of(&self, square: u8, moves: usize) -> u8 {
        self.moves(0, moves).iter().find(|step| step.contains(&square)).map_or(square, |&[a, b]| a ^ b ^ square)
    }

    /// By square, the squares to which the first `fixed` moves join it.
    pub(super) fn links(&self, fixed: usize) -> [[u8; 2]; N] {
        let mut links = [[NONE; 2]; N];
        for &[a, b] in self.moves(0, fixed) {
            for (from, to) in [(a, b), (b, a)] {
                let link = &mut links[usize::from(from)];
                link[usize::from(link[0] != NONE)] = to;
            }
        }
        links
    }
}

/// The squares from `start`, which has a link, until there is no further link or the next square is the start.
fn follow(links: &[[u8; 2]], start: u8) -> Vec<u8> {
    let mut chain = Vec::with_capacity(links.len());
    chain.push(start);
    let (mut before, mut square) = (start, links[usize::from(start)][0]);
    while square != start && square != NONE {
        chain.push(square);
        let [first, second] = links[usize::from(square)];
        (before, square) = (square, if first == before { second } else { first });
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_become_chains_and_a_tour() {
        let mut log = MoveLog::<8>::new();
        for (fixed, [a, b]) in [[3, 1], [5, 0], [1, 4], [2, 0], [4, 5], [2, 3]].into_iter().enumerate() {
            log.fix(fixed, a, b);
        }
        assert!(log.chains(0).is_empty());
        assert_eq!(log.chains(1), [[1, 3]]);
        assert_eq!(log.chains(4), [[2, 0, 5], [3, 1, 4]]);
        assert_eq!(log.chains(5), [[2, 0, 5, 4, 1, 3]]);
        let mut sums = MoveSums::NONE;
        log.add_moves(&mut sums, 4);
        let mut other = sums.clone();
        log.add_moves(&mut sums, 6);
        log.fix(4, 5, 3);
        log.fix(5, 4, 2);
        log.add_moves(&mut other, 6);
        // Two tours are walked at once, and in both directions.
        let [tour, another] = order_tours([&sums, &other], 0, [log.neighbour_of(0, 6), 2]);
        assert_eq!((&tour.squares[..6], &tour.at[..6]), (&[0, 5, 4, 1, 3, 2][..], &[0, 3, 5, 4, 2, 1][..]));
        assert_eq!((&another.squares[..6], &another.at[..6]), (&[0, 2, 4, 1, 3, 5][..], &[0, 3, 1, 4, 2, 5][..]));
    }
}
