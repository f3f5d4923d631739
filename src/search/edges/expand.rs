//! Expands every tour found to all tours that it stands for, and hands them out.
//!
//! The cost here is latency. Every step along a tour waits for the one before, so two tours are walked at once, each
//! from both ends. And reading what several stores have just written is slow. So all images of a tour are written
//! before the first is handed out to a sink, which reads it square by square. Variants, in processor time for all tours
//! of 6x7, as multiples of this: one tour at a time 1.1; the moves common to all tours of a subtree added up again for
//! each tour, and images handed out one after the other, 1.26.

use super::images::{ORDER_MAX, Stabiliser, SymmetryImages};
use super::log::{MoveLog, MoveSums, OrderedTour, order_tours};
use crate::search::kernel::TourSink;

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
    /// By symmetry an image, twice in a row, so that it can be read from its square 0 on.
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
        let squares = self.images.squares();
        if self.sink.is_none() {
            self.taken += u64::from(self.images.is_least(self.stabiliser, &log.links(squares)));
            return;
        }
        let mut sums = self.common.clone();
        log.add_moves(&mut sums, squares);
        let second = log.neighbour_of_zero(squares);
        match self.waiting.take() {
            None => self.waiting = Some((sums, second)),
            Some((before, its)) => {
                for tour in order_tours([&before, &sums], [its, second]) {
                    self.hand_out(&tour);
                }
            }
        }
    }

    /// Hands out a waiting tour; returns the number of tours that the sink accepted, or of classes counted.
    pub(super) fn finish(mut self) -> u64 {
        if let Some((sums, second)) = self.waiting.take() {
            let [tour] = order_tours([&sums], [second]);
            self.hand_out(&tour);
        }
        self.taken
    }

    fn hand_out(&mut self, tour: &OrderedTour<N>) {
        let Some(sink) = &mut self.sink else { return };
        self.images.write(tour, &mut self.twice);
        for ((h, first), twice) in self.images.firsts(tour).enumerate().zip(&self.twice) {
            if self.different & 1 << h != 0 {
                self.taken += sink.tour(&twice.as_flattened()[first..first + self.images.squares()]);
            }
        }
    }
}
