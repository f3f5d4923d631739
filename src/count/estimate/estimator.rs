//! The question of an estimate, and its walks.

use super::position;
use super::tally::WeightTally;
use super::walker::RandomWalker;
use super::walks::{WalkLimit, Walks};
use crate::board::{Board, Ending};

/// Estimates the number of tours of one board; see the module.
#[derive(Clone, Debug)]
pub struct Estimator {
    walker: RandomWalker,
}

/// The board has more squares than an estimate takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{board} has {} squares: an estimate takes up to {}, such as 16x16", board.squares(), position::SQUARES_MAX)]
pub struct TooManySquares {
    board: Board,
}

impl Estimator {
    /// An estimator of the tours of a board: closed ones undirected, open ones directed. For open ones it looks at every
    /// pair of ends, which takes some tenths of a second on 10x10.
    ///
    /// # Errors
    /// [`TooManySquares`] for a board of more than 256 squares.
    pub fn new(board: Board, ending: Ending) -> Result<Estimator, TooManySquares> {
        let walker = RandomWalker::new(board, ending).ok_or(TooManySquares { board })?;
        Ok(Estimator { walker })
    }

    /// Whether a board has few enough squares.
    pub fn accepts(board: Board) -> bool {
        u64::from(board.squares()) <= position::SQUARES_MAX as u64
    }

    /// Makes walks from a seed by so many threads; answers what they tell, and whether all were made that were wanted.
    /// As many from the same seed tell the same to the digit, by any number of threads.
    pub fn run(&self, walks: &Walks, seed: u64, until: WalkLimit, threads: usize) -> (WeightTally, bool) {
        walks.run(&self.walker, seed, until, threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn estimate(board: &str, ending: Ending, samples: u64, threads: usize) -> WeightTally {
        let estimator = Estimator::new(board.parse().unwrap(), ending).unwrap();
        let (tally, complete) = estimator.run(&Walks::default(), 7, WalkLimit::Samples(samples), threads);
        assert!(complete && tally.samples() == samples, "{board}: {tally:?}");
        tally
    }

    #[test]
    fn small_boards_are_met_within_their_intervals() {
        for (board, ending, tours) in [
            ("6x6", Ending::Closed, 9862.0),
            ("5x8", Ending::Closed, 44_202.0),
            ("3x14", Ending::Closed, 1536.0),
            ("5x5", Ending::Open, 1728.0),
            ("3x9", Ending::Open, 1120.0),
            ("8x8", Ending::Closed, 13_267_364_410_532.0),
        ] {
            let tally = estimate(board, ending, 1000, 2);
            let [low, high] = tally.interval().unwrap();
            assert!((low..=high).contains(&tours), "{board}: {low} to {high}");
            assert!(high / low < 1.5, "{board}: {low} to {high}");
        }
    }

    #[test]
    fn boards_of_few_tours_and_of_none() {
        assert_eq!(estimate("1x1", Ending::Open, 5, 1).interval(), Some([1.0, 1.0]));
        assert_eq!(estimate("1x1", Ending::Closed, 5, 1).estimate(), 0.0);
        for ending in [Ending::Closed, Ending::Open] {
            for board in ["1x2", "2x5", "3x3", "4x4"] {
                assert_eq!(estimate(board, ending, 20, 1).estimate(), 0.0, "{board}");
            }
        }
    }

    /// The full trial is `destrier bench estimates`.
    #[test]
    fn intervals_hold_what_they_promise() {
        let estimator = Estimator::new("6x8".parse().unwrap(), Ending::Closed).unwrap();
        let holds = |&seed: &u64| {
            let (tally, _) = estimator.run(&Walks::default(), seed, WalkLimit::Samples(100), 1);
            tally.holds(55_488_142.0) == Some(true)
        };
        let held = (0..40).filter(holds).count();
        assert!(held >= 35, "{held} of 40");
    }

    #[test]
    fn the_same_walks_give_the_same_digits_on_any_number_of_threads() {
        let one = estimate("6x8", Ending::Closed, 1001, 1);
        for threads in [2, 3, 7] {
            assert_eq!(estimate("6x8", Ending::Closed, 1001, threads), one, "{threads}");
        }
    }

    #[test]
    fn time_that_is_over_and_a_stop_leave_what_is_known() {
        let estimator = Estimator::new("6x6".parse().unwrap(), Ending::Closed).unwrap();
        let (tally, complete) = estimator.run(&Walks::default(), 0, WalkLimit::Time(Instant::now()), 2);
        assert!(complete && tally.samples() == 2, "{tally:?}");
        let walks = Walks::default();
        walks.stop();
        let (tally, complete) = estimator.run(&walks, 0, WalkLimit::Samples(1_000_000), 1);
        assert!(!complete && tally.samples() == 1, "{tally:?}");
    }

    #[test]
    fn a_board_too_large_says_what_is_taken() {
        let refused = Estimator::new("17x17".parse().unwrap(), Ending::Closed).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("17x17 has 289 squares: an estimate takes up to 256, such as 16x16"));
    }
}
