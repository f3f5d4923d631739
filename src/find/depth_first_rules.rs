//! The rules of [`DepthFirst`](super::DepthFirst) for the step view: which move comes before which.

use super::depth_first::{MoveOrder, Preference};
use crate::board::{Board, Ending, Square};
use crate::explain::{ExplainedRules, Pruned, Reason, RuleVerdict, Trail};

/// The rules of [`DepthFirst`](super::DepthFirst) on a board without holes, with an order that is not random.
#[derive(Clone, Debug)]
pub struct DepthFirstRules {
    board: Board,
    ending: Ending,
    start: Option<Square>,
    preference: Preference,
}

impl DepthFirstRules {
    /// The rules of a search for tours of `board` from `start`; without a start, open tours from every square in turn and
    /// closed tours from the first square. `None` for a random order, which is not known before the search.
    pub fn new(board: Board, ending: Ending, start: Option<Square>, preference: Preference) -> Option<DepthFirstRules> {
        let known = preference != Preference::Order(MoveOrder::Random);
        known.then_some(DepthFirstRules { board, ending, start, preference })
    }
}

impl ExplainedRules for DepthFirstRules {
    type Memo = ();

    const PRUNED: Pruned = Pruned::Nothing;

    fn starts(&self) -> Vec<(Square, ())> {
        let all = self.board.all().take(if self.ending == Ending::Closed { 1 } else { usize::MAX });
        match self.start {
            Some(start) => vec![(start, ())],
            None => all.map(|square| (square, ())).collect(),
        }
    }

    fn judge(&self, trail: &Trail, _: ()) -> RuleVerdict {
        let mut verdict = RuleVerdict::all(trail);
        let moves = &mut verdict.candidates;
        match self.preference {
            Preference::Order(MoveOrder::List(order)) => {
                moves.sort_by_key(|candidate| order.iter().position(|&number| number == candidate.number));
            }
            Preference::Order(_) => {}
            Preference::FewestFirst | Preference::MostFirst => {
                moves.sort_by_key(|candidate| trail.rank(candidate.square));
            }
        }
        if self.preference == Preference::MostFirst {
            moves.reverse();
        }
        if let (true, Some(head), Some(&start)) = (trail.is_whole(), trail.head(), trail.way().first()) {
            let ends = self.ending == Ending::Open || self.board.adjacent(head, start);
            verdict.tours = ends.then_some(1);
            verdict.dead = (!ends).then_some(Reason::NotClosed(start));
        }
        verdict
    }

    fn cuts_nothing(&self) -> Option<&'static str> {
        Some("it tries every move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Explained, ExplainedWalk, StepEvent};
    use crate::find::{Attempt, AttemptProgress, DepthFirst};
    use crate::search::Drawing;

    /// Enters up to `limit` nodes with the walk and with the kernel, and compares the path after each node. Returns the
    /// number of tours.
    fn agree(board: &str, ending: Ending, start: Option<u32>, preference: Preference, limit: u64) -> u64 {
        let board: Board = board.parse().unwrap();
        let start = start.map(|start| board.at(start).unwrap());
        let rules = DepthFirstRules::new(board, ending, start, preference).unwrap();
        let mut walk = ExplainedWalk::new(Trail::new(board), rules);
        let mut kernel = DepthFirst::new(board, ending, start, preference, 0).unwrap();
        let (mut ours, mut theirs) = (Drawing::default(), Drawing::default());
        let (mut nodes, mut tours) = (0, 0);
        while nodes < limit {
            let enters = loop {
                match walk.step() {
                    StepEvent::Entered { .. } => break true,
                    StepEvent::Finished => break false,
                    _ => {}
                }
            };
            assert_eq!(walk.counts().tours, tours, "tours before node {nodes} of {board} {preference:?}");
            match kernel.advance(1, &mut nodes) {
                AttemptProgress::Exhausted => {
                    assert!(!enters);
                    break;
                }
                progress => tours += u64::from(matches!(progress, AttemptProgress::Found(_))),
            }
            assert_eq!(walk.counts().nodes, nodes);
            walk.draw(&mut ours);
            kernel.draw(&mut theirs);
            assert_eq!(ours.chains, theirs.chains, "node {nodes} of {board} {preference:?}");
        }
        tours
    }

    #[test]
    fn squares_are_entered_in_the_order_of_the_kernel() {
        let list = MoveOrder::List([3, 1, 4, 0, 5, 2, 7, 6]);
        for preference in [
            Preference::Order(MoveOrder::Natural),
            Preference::Order(list),
            Preference::FewestFirst,
            Preference::MostFirst,
        ] {
            assert_eq!(agree("3x4", Ending::Open, None, preference, u64::MAX), 16);
            agree("1x1", Ending::Open, None, preference, u64::MAX);
            agree("4x4", Ending::Open, Some(5), preference, u64::MAX);
            agree("5x6", Ending::Closed, None, preference, 20_000);
            agree("8x8", Ending::Open, Some(20), preference, 5_000);
            agree("20x30", Ending::Open, Some(0), preference, 2_000);
        }
    }

    #[test]
    fn a_random_order_is_refused() {
        let preference = Preference::Order(MoveOrder::Random);
        assert!(DepthFirstRules::new("5x5".parse().unwrap(), Ending::Open, None, preference).is_none());
    }
}
