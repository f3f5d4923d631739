//! The digits of a tour's number: the sweep, the number in the sweep, the half turn and the direction.
//!
//! # The sweeps
//!
//! The ends of an open tour on a board with an even number of squares have different colours. The one that is processed first is
//! white in some tours and black in the others; each of the two has a sweep of its own, with half the states of one for both,
//! though with as large a plan.
//!
//! If both sides are even and there are no holes, one of the two sweeps is enough. A half turn keeps the colours and reverses the order of any
//! two squares of different colours. So it takes the tours whose first end is white to those whose first end is black.
//! For squares of different rows that is plain. Two squares of one row with different colours stand in an even and in
//! an odd column. The even column is processed first, and the half turn takes even columns to odd ones.

use crate::board::Ending;
use crate::count::ask::question::CountQuestion;
use crate::count::states::apex::Apex;
use crate::count::states::sweep::{BLACK, SweepKind, UnplannedSweep, WHITE, sweeps_of};

/// The sweeps by which the tours of a question are numbered, each with how often it counts: once, or twice for the half turn.
pub(in crate::count) fn numbered_sweeps(question: &CountQuestion) -> Vec<(UnplannedSweep, u32)> {
    let mut numbered = Vec::new();
    for (name, kind, lengths) in sweeps_of(question) {
        if !matches!(kind, SweepKind::Open(Apex { unlike: true, .. })) {
            numbered.push(((name, kind, lengths), 1));
            continue;
        }
        let open = |first, second| SweepKind::Open(Apex { first, second, unlike: false, required: None });
        let (board, has_holes) = (question.board(), question.shape.has_holes());
        let is_half_enough = board.rows().is_multiple_of(2) && board.cols().is_multiple_of(2) && !has_holes;
        let white = ("open tours whose first end is white", open(WHITE, BLACK), lengths.clone());
        numbered.push((white, if is_half_enough { 2 } else { 1 }));
        if !is_half_enough {
            numbered.push((("open tours whose first end is black", open(BLACK, WHITE), lengths), 1));
        }
    }
    numbered
}

/// The shares of the sweeps in the numbers of tours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SweepShares {
    /// By sweep: its total, and how often it counts: once, or twice for the half turn.
    sweeps: Vec<(u64, u32)>,
    /// 2 if a tour and its reverse have two numbers, otherwise 1.
    directions: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Digits {
    pub(super) sweep: usize,
    /// The number of the set of moves in the sweep.
    pub(super) in_sweep: u64,
    /// Whether the tour is the set of moves turned by a half turn.
    pub(super) turned: bool,
    /// Whether the tour begins at the greater of its ends.
    pub(super) backwards: bool,
}

impl SweepShares {
    /// The shares for a question whose sweeps have these totals.
    pub(super) fn new(question: &CountQuestion, totals: impl Iterator<Item = u64>) -> SweepShares {
        let times = numbered_sweeps(question).into_iter().map(|(_, times)| times);
        let directions = if question.ending == Ending::Open && question.start.is_none() { 2 } else { 1 };
        SweepShares { sweeps: totals.zip(times).collect(), directions }
    }

    /// Number of tours.
    pub(super) fn count(&self) -> u128 {
        let undirected: u128 = self.sweeps.iter().map(|&(total, times)| u128::from(total) * u128::from(times)).sum();
        undirected * u128::from(self.directions)
    }

    /// The digits of a number; `None` if it is past the end.
    pub(super) fn split(&self, number: u128) -> Option<Digits> {
        let (mut left, direction) = (number / u128::from(self.directions), number % u128::from(self.directions));
        for (sweep, &(total, times)) in self.sweeps.iter().enumerate() {
            let share = u128::from(total) * u128::from(times);
            if left < share {
                let (set, turn) = (left / u128::from(times), left % u128::from(times));
                return Some(Digits { sweep, in_sweep: set as u64, turned: turn == 1, backwards: direction == 1 });
            }
            left -= share;
        }
        None
    }

    /// Whether some number has these digits.
    pub(super) fn has(&self, digits: &Digits) -> bool {
        self.sweeps.get(digits.sweep).is_some_and(|&(total, _)| digits.in_sweep < total)
    }

    pub(super) fn join(&self, digits: Digits) -> u128 {
        let share = |&(total, times): &(u64, u32)| u128::from(total) * u128::from(times);
        let before: u128 = self.sweeps[..digits.sweep].iter().map(share).sum();
        let set = u128::from(digits.in_sweep) * u128::from(self.sweeps[digits.sweep].1) + u128::from(digits.turned);
        (before + set) * u128::from(self.directions) + u128::from(digits.backwards)
    }
}

/// The sweep that counts the tours whose ends have the colours `ends`, (row + column) mod 2, in the order of processing; and
/// whether the sweep counts them turned by a half turn.
pub(super) fn sweep_of(question: &CountQuestion, ends: [usize; 2]) -> Option<(usize, bool)> {
    let sweeps = numbered_sweeps(question);
    let has = |kind: SweepKind, ends: [usize; 2]| match kind {
        SweepKind::Closed => false,
        SweepKind::Open(apex) => apex.required.is_some() || apex.first[ends[0]] && apex.second[ends[1]],
    };
    let plain = sweeps.iter().position(|((_, kind, _), _)| has(*kind, ends)).map(|sweep| (sweep, false));
    // A half turn keeps the colours, and exchanges the order in which the two ends are processed.
    let turned = || sweeps.iter().position(|((_, kind, _), times)| *times == 2 && has(*kind, [ends[1], ends[0]]));
    plain.or_else(|| turned().map(|sweep| (sweep, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_a_number_join_to_the_number() {
        for shares in [
            SweepShares { sweeps: vec![(7, 1)], directions: 1 },
            SweepShares { sweeps: vec![(3, 2)], directions: 2 },
            SweepShares { sweeps: vec![(2, 1), (5, 1)], directions: 2 },
        ] {
            for number in 0..shares.count() {
                assert_eq!(shares.split(number).map(|digits| shares.join(digits)), Some(number));
            }
            assert_eq!(shares.split(shares.count()), None);
        }
        let most = SweepShares { sweeps: vec![(u64::MAX, 2)], directions: 2 };
        let last = most.split(most.count() - 1).unwrap();
        assert_eq!(last, Digits { sweep: 0, in_sweep: u64::MAX - 1, turned: true, backwards: true });
        let even = SweepShares { sweeps: vec![(10, 2)], directions: 2 };
        // 4 * 6 + 2 * turned + backwards.
        assert_eq!(even.split(27), Some(Digits { sweep: 0, in_sweep: 6, turned: true, backwards: true }));
    }
}
