//! Tours of four rotated copies of one path: random openings for the search of all of them.
//!
//! The enumerating search ([`QuarterTurn`]) finds its first tour soon, and then many similar ones. An attempt chooses its
//! first branches at random, continues as that search does, and returns its first tour in a random mirror image. As in
//! [`strands`](super::strands), attempts come in rounds with a growing limit of nodes, and the last attempt of each round
//! is thorough: it makes no random choice and returns tour after tour.

use super::attempt::{Attempt, AttemptProgress, ROUND, seed_of};
use crate::board::{Board, Ending, Square, Symmetry};
use crate::search::quarter::{QuarterTurn, QuarterTurnError};
use crate::search::{Burst, BurstEnd, BurstOutput, Drawing, Kernel, Tally, Task, TourSink};
use fastrand::Rng;

/// Most nodes of an attempt in the first round; the search from the start finds a tour within 250.
const NODES: u64 = 1000;

/// One attempt at a tour of four rotated copies of one path.
pub struct QuarterTurns {
    board: Board,
    ending: Ending,
    search: QuarterTurn,
    rng: Rng,
    /// Number of random choices left.
    choices: u32,
    /// Nodes left until the attempt gives up.
    left: u64,
    thorough: bool,
    /// Tours of the last node that are not returned yet.
    ready: Vec<Vec<u8>>,
    over: bool,
    tally: Box<Tally>,
}

impl QuarterTurns {
    /// Attempt number `attempt` at a tour of `board`.
    ///
    /// # Errors
    /// [`QuarterTurnError`] when the board is not square or its side not in
    /// [`SIDES`](crate::search::quarter::SIDES).
    pub fn new(board: Board, ending: Ending, seed: u64, attempt: u64) -> Result<QuarterTurns, QuarterTurnError> {
        let mut search = QuarterTurn::new(board, ending)?;
        search.begin(&Task::root());
        let thorough = attempt % ROUND == ROUND - 1;
        let mut rng = Rng::with_seed(seed_of(seed, attempt));
        let choices = if thorough { 0 } else { rng.u32(1..=board.squares() / 16) };
        let left = NODES << (attempt / ROUND).min(40);
        let (ready, tally) = (Vec::new(), Box::default());
        Ok(QuarterTurns { board, ending, search, rng, choices, left, thorough, ready, over: false, tally })
    }

    /// The squares of a tour. A closed tour starts at square 0 of the board, and its second square is less than its last.
    fn tour(&mut self, squares: &[u8]) -> Box<[Square]> {
        let mirror = if self.thorough {
            Symmetry::Identity
        } else {
            *self.rng.choice(&Symmetry::ALL).unwrap_or(&Symmetry::Identity)
        };
        let at = |&square: &u8| Some(mirror.apply(self.board, self.board.at(square.into())?));
        let mut squares: Vec<Square> = squares.iter().filter_map(at).collect();
        if self.ending == Ending::Closed {
            let first = squares.iter().position(|square| square.index() == 0);
            squares.rotate_left(first.unwrap_or(0));
            if squares.get(1) > squares.last() {
                squares[1..].reverse();
            }
        }
        squares.into()
    }
}

/// Takes the tours of one node.
impl TourSink for Vec<Vec<u8>> {
    fn tour(&mut self, squares: &[u8]) -> u64 {
        self.push(squares.to_vec());
        1
    }
}

impl Attempt for QuarterTurns {
    fn advance(&mut self, nodes: u64, entered: &mut u64) -> AttemptProgress {
        let mut burst = nodes;
        loop {
            if let Some(squares) = self.ready.pop() {
                // The other tours of this node are similar.
                self.over = !self.thorough;
                return AttemptProgress::Found(self.tour(&squares));
            }
            if self.over || self.left == 0 {
                return AttemptProgress::GivenUp;
            }
            if burst == 0 {
                return AttemptProgress::Going;
            }
            let branches = self.search.branches_mut();
            if self.choices > 0 && branches.width() > 0 {
                self.choices -= 1;
                branches.keep_only(self.rng.usize(..branches.width()));
            }
            let before = self.tally.nodes;
            let mut out = BurstOutput { tally: &mut self.tally, levels: false, sink: Some(&mut self.ready) };
            let status = self.search.advance(Burst::nodes(1), &mut out);
            let node = self.tally.nodes - before;
            burst -= node;
            self.left -= node;
            *entered += node;
            if status == BurstEnd::Exhausted && self.ready.is_empty() {
                return if self.thorough { AttemptProgress::Exhausted } else { AttemptProgress::GivenUp };
            }
        }
    }

    fn depth(&self) -> usize {
        4 * self.search.depth()
    }

    fn draw(&self, drawing: &mut Drawing) {
        self.search.draw(drawing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Tour;
    use crate::search::quarter::four_paths;
    use std::collections::HashSet;

    fn attempt(side: u64, ending: Ending, seed: u64, attempt: u64) -> QuarterTurns {
        QuarterTurns::new(Board::new(side, side).unwrap(), ending, seed, attempt).unwrap()
    }

    #[test]
    fn every_board_has_a_tour_of_four_paths_within_40_attempts() {
        for (side, ending) in (6..=16).flat_map(|side| [(side, Ending::Open), (side, Ending::Closed)]) {
            if ending == Ending::Closed && side % 2 == 1 {
                continue;
            }
            for seed in 0..3 {
                let found = (0..40).find_map(|k| crate::find::run(&mut attempt(side, ending, seed, k)).0);
                let board = Board::new(side, side).unwrap();
                let tour = Tour::verify(board, ending, found.unwrap_or_else(|| panic!("{board}"))).unwrap();
                assert!(four_paths(&tour).is_some(), "{board}");
            }
        }
    }

    /// 6x6 has 10 closed tours that a quarter turn leaves as they are; 5x5 has no tour of four paths, open or closed.
    #[test]
    fn a_thorough_attempt_finds_all_tours() {
        let mut all = attempt(6, Ending::Closed, 1, ROUND * 8 - 1);
        let mut found = HashSet::new();
        while let AttemptProgress::Found(squares) = all.advance(u64::MAX, &mut 0) {
            assert!(found.insert(squares));
        }
        assert_eq!(found.len(), 10);
        assert_eq!(all.advance(1, &mut 0), AttemptProgress::Exhausted);
    }

    #[test]
    fn bursts_change_nothing_and_seeds_do() {
        let run = |seed, burst| {
            let (mut attempt, mut entered) = (attempt(8, Ending::Open, seed, 1), 0);
            loop {
                match attempt.advance(burst, &mut entered) {
                    AttemptProgress::Going => {}
                    progress => return (progress, entered),
                }
            }
        };
        assert_eq!(run(1, 1), run(1, u64::MAX));
        assert_eq!(run(1, 7), run(1, u64::MAX));
        let different: HashSet<_> = (0..20).map(|seed| format!("{:?}", run(seed, 100))).collect();
        assert!(different.len() >= 15, "{}", different.len());
    }
}
