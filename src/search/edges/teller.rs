//! Tours on their way out: each that is found, and all that it stands for.
//!
//! What this costs is waiting. Every step along a tour waits for the one before, so two tours are walked at once, each from
//! both ends. And what several stores have just written is no quick read: all images of a tour are written before the first
//! is handed out, to somebody who reads it square by square. In processor time for all tours of 6x7, as multiples of
//! this: one tour at a time 1.1; the moves that all tours of a subtree have summed up for each tour, and images handed out
//! one after the other, 1.26.

use super::images::{ORDER_MAX, Stabiliser, SymmetryImages};
use super::log::{Knot, MoveLog, Round, rounds};
use crate::search::tally::TourSink;

/// Hands out tours of one stabiliser, all of which have some moves.
pub(super) struct Teller<'a, 'b, const N: usize> {
    images: &'a SymmetryImages,
    stabiliser: Stabiliser,
    sink: Option<&'a mut (dyn TourSink + 'b)>,
    /// The symmetries that give different tours, one bit each.
    different: u8,
    /// The moves that all tours have, the first ones in the log.
    common: Knot<N>,
    /// A tour that waits for another one, and its second square.
    waiting: Option<(Knot<N>, u8)>,
    /// By symmetry an image, twice in a row, so that it can be read from where it passes square 0.
    twice: [[[u8; N]; 2]; ORDER_MAX],
    /// Tours that were taken.
    taken: u64,
}

impl<'a, 'b, const N: usize> Teller<'a, 'b, N> {
    /// For tours that begin with the first moves in `log`, so many.
    pub(super) fn new(
        images: &'a SymmetryImages,
        stabiliser: Stabiliser,
        sink: Option<&'a mut (dyn TourSink + 'b)>,
        log: &MoveLog<N>,
        fixed: usize,
    ) -> Self {
        let mut common = Knot::NONE;
        log.tie(&mut common, fixed);
        let different = images.different(stabiliser);
        let twice = [[[0; N]; 2]; ORDER_MAX];
        Teller { images, stabiliser, sink, different, common, waiting: None, twice, taken: 0 }
    }

    /// Hands out all tours that the tour in `log` stands for, now or later; if nobody takes them, it counts if it is to be
    /// counted for its class.
    pub(super) fn tell(&mut self, log: &MoveLog<N>) {
        let squares = self.images.squares();
        if self.sink.is_none() {
            self.taken += u64::from(self.images.is_least(self.stabiliser, &log.links(squares)));
            return;
        }
        let mut knot = self.common.clone();
        log.tie(&mut knot, squares);
        let second = log.second(squares);
        match self.waiting.take() {
            None => self.waiting = Some((knot, second)),
            Some((before, its)) => {
                for tour in rounds([&before, &knot], [its, second]) {
                    self.hand_out(&tour);
                }
            }
        }
    }

    /// Hands out what waits; answers how many tours were taken, or count for their classes.
    pub(super) fn done(mut self) -> u64 {
        if let Some((knot, second)) = self.waiting.take() {
            let [tour] = rounds([&knot], [second]);
            self.hand_out(&tour);
        }
        self.taken
    }

    fn hand_out(&mut self, tour: &Round<N>) {
        let Some(sink) = &mut self.sink else { return };
        self.images.write(tour, &mut self.twice);
        for ((h, first), twice) in self.images.firsts(tour).enumerate().zip(&self.twice) {
            if self.different & 1 << h != 0 {
                self.taken += sink.tour(&twice.as_flattened()[first..first + self.images.squares()]);
            }
        }
    }
}
