//! A number taken apart: which sweep, which of its sets of moves, turned or not, in which direction; and put together.

use crate::board::Ending;
use crate::count::question::CountQuestion;
use crate::count::sweep::{SweepKind, sweeps_for};

/// What each sweep has a share of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SweepShares {
    /// The sweeps' totals, and by how much each counts: once, or twice for the half turn.
    sweeps: Vec<(u64, u32)>,
    /// 2 where tours are told apart by their direction.
    directions: u32,
}

/// Which tour of which sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Digits {
    /// The sweep.
    pub(super) sweep: usize,
    /// Which of its sets of moves.
    pub(super) left: u64,
    /// Whether it is turned by a half turn.
    pub(super) turned: bool,
    /// Whether it begins at the greater of its ends.
    pub(super) backwards: bool,
}

impl SweepShares {
    /// The shares of a question whose sweeps came to these totals.
    pub(super) fn new(question: &CountQuestion, totals: impl Iterator<Item = u64>) -> SweepShares {
        let times = sweeps_for(question).into_iter().map(|(_, _, times)| times);
        let directions = if question.ending == Ending::Open && question.start.is_none() { 2 } else { 1 };
        SweepShares { sweeps: totals.zip(times).collect(), directions }
    }

    /// How many tours there are.
    pub(super) fn count(&self) -> u128 {
        let undirected: u128 = self.sweeps.iter().map(|&(total, times)| u128::from(total) * u128::from(times)).sum();
        undirected * u128::from(self.directions)
    }

    /// The digits of a number; none past the end.
    pub(super) fn split(&self, number: u128) -> Option<Digits> {
        let (mut left, direction) = (number / u128::from(self.directions), number % u128::from(self.directions));
        for (sweep, &(total, times)) in self.sweeps.iter().enumerate() {
            let share = u128::from(total) * u128::from(times);
            if left < share {
                let (set, turn) = (left / u128::from(times), left % u128::from(times));
                return Some(Digits { sweep, left: set as u64, turned: turn == 1, backwards: direction == 1 });
            }
            left -= share;
        }
        None
    }

    /// Whether these are the digits of a number.
    pub(super) fn has(&self, digits: &Digits) -> bool {
        self.sweeps.get(digits.sweep).is_some_and(|&(total, _)| digits.left < total)
    }

    /// The number with these digits.
    pub(super) fn join(&self, digits: Digits) -> u128 {
        let share = |&(total, times): &(u64, u32)| u128::from(total) * u128::from(times);
        let before: u128 = self.sweeps[..digits.sweep].iter().map(share).sum();
        let set = u128::from(digits.left) * u128::from(self.sweeps[digits.sweep].1) + u128::from(digits.turned);
        (before + set) * u128::from(self.directions) + u128::from(digits.backwards)
    }
}

/// The sweep that has the tours whose ends have these colours, (row + column) mod 2, in the order of processing; and
/// whether it has them turned.
pub(super) fn sweep_of(question: &CountQuestion, ends: [usize; 2]) -> Option<(usize, bool)> {
    let sweeps = sweeps_for(question);
    let has = |kind: SweepKind, ends: [usize; 2]| match kind {
        SweepKind::Closed => false,
        SweepKind::Open(apex) => apex.must.is_some() || apex.first[ends[0]] && apex.second[ends[1]],
    };
    let plain = sweeps.iter().position(|&(_, kind, _)| has(kind, ends)).map(|sweep| (sweep, false));
    // A half turn keeps the colours, and exchanges which of the ends comes first.
    let turned = || sweeps.iter().position(|&(_, kind, times)| times == 2 && has(kind, [ends[1], ends[0]]));
    plain.or_else(|| turned().map(|sweep| (sweep, true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_their_number() {
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
        assert_eq!(last, Digits { sweep: 0, left: u64::MAX - 1, turned: true, backwards: true });
        let even = SweepShares { sweeps: vec![(10, 2)], directions: 2 };
        // 4 * 6 + 2 * turned + backwards.
        assert_eq!(even.split(27), Some(Digits { sweep: 0, left: 6, turned: true, backwards: true }));
    }
}
