//! The estimator: the public entry to the random walks of one board.

use super::tally::WeightTally;
use super::walker::{RandomWalk, RandomWalker};
use super::walks::{WalkLimit, Walks};
use super::wide_mask::WideMask;
use crate::board::{Board, Ending, Shape, SquareMask};
use std::sync::Arc;

/// The most squares of a board.
const SQUARES_MAX: usize = WideMask::<4>::SQUARES_MAX;

/// Estimates the number of tours of one shape by random walks.
#[derive(Clone, Debug)]
pub struct Estimator {
    walk: Arc<dyn RandomWalk>,
}

/// The board has more squares than an estimate supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{board} has {} squares: an estimate takes up to {}, such as 16x16", board.squares(), SQUARES_MAX)]
pub struct TooManySquares {
    board: Board,
}

impl Estimator {
    /// An estimator of the number of tours of a shape: undirected closed tours or directed open tours. For open tours this
    /// function tries every pair of ends, which takes some tenths of a second on 10x10.
    ///
    /// # Errors
    /// [`TooManySquares`] for a board of more than 256 squares.
    pub fn new(shape: impl Into<Shape>, ending: Ending) -> Result<Estimator, TooManySquares> {
        fn walker<M: SquareMask, const N: usize>(shape: &Shape, ending: Ending) -> Option<Arc<dyn RandomWalk>> {
            Some(Arc::new(RandomWalker::<M, N>::new(shape, ending)?))
        }
        let shape = &shape.into();
        let walk = walker::<u64, 64>(shape, ending)
            .or_else(|| walker::<WideMask<2>, 128>(shape, ending))
            .or_else(|| walker::<WideMask<4>, 256>(shape, ending))
            .ok_or(TooManySquares { board: shape.board() })?;
        Ok(Estimator { walk })
    }

    /// Whether a board has few enough squares for an estimate.
    pub fn accepts(board: Board) -> bool {
        u64::from(board.squares()) <= SQUARES_MAX as u64
    }

    /// Makes `walks` on `threads` threads, with random numbers from `seed`, until `until`. Returns the weights of the walks,
    /// and whether they reached `until` without a stop. A given number of walks from one seed gives equal digits on any
    /// number of threads.
    pub fn run(&self, walks: &Walks, seed: u64, until: WalkLimit, threads: usize) -> (WeightTally, bool) {
        walks.run(&*self.walk, seed, until, threads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn estimate(board: &str, ending: Ending, samples: u64, threads: usize) -> WeightTally {
        let estimator = Estimator::new(board.parse::<Shape>().unwrap(), ending).unwrap();
        let (tally, complete) = estimator.run(&Walks::default(), 7, WalkLimit::Samples(samples), threads);
        assert!(complete && tally.samples() == samples, "{board}: {tally:?}");
        tally
    }

    #[test]
    fn intervals_hold_the_numbers_of_known_boards() {
        for (board, ending, tours) in [
            ("6x6", Ending::Closed, 9862.0),
            ("5x8", Ending::Closed, 44_202.0),
            ("3x14", Ending::Closed, 1536.0),
            ("5x5", Ending::Open, 1728.0),
            ("3x9", Ending::Open, 1120.0),
            ("8x8", Ending::Closed, 13_267_364_410_532.0),
            ("6x6-a1,f1", Ending::Closed, 51_504.0),
            ("7x7-d4", Ending::Closed, 93_075_384.0),
            // No move is forced.
            ("8x8-a1,h1,a8,h8", Ending::Closed, 849_554_024_857_540.0),
            ("8x8-a8,b8,g8,h8,a7,b7,g7,h7,a2,b2,g2,h2,a1,b1,g1,h1", Ending::Closed, 6_207_174_208.0),
            ("6x6-a1,f1", Ending::Open, 23_823_272.0),
            ("6x6-a1,f1,a6,f6", Ending::Open, 117_513_808.0),
        ] {
            let tally = estimate(board, ending, 1000, 2);
            let [low, high] = tally.interval().unwrap();
            assert!((low..=high).contains(&tours), "{board}: {low} to {high}");
            assert!(high / low < 1.5, "{board}: {low} to {high}");
        }
    }

    #[test]
    fn the_estimate_of_one_tour_or_of_none_is_exact() {
        assert_eq!(estimate("1x1", Ending::Open, 5, 1).interval(), Some([1.0, 1.0]));
        assert_eq!(estimate("1x1", Ending::Closed, 5, 1).estimate(), 0.0);
        for (shape, closed, open) in [
            ("3x3-b2", 1.0, 16.0),
            ("2x3-b1,b2,c1,a2", 0.0, 2.0),
            ("2x2-a1,b1,b2", 0.0, 1.0),
            ("4x4-b4,c4,d4,a3,b3,d3,a2,c2,d2,a1,b1,c1", 1.0, 8.0),
            ("6x6-a1,f6", 0.0, 0.0),
        ] {
            let both = [Ending::Closed, Ending::Open].map(|ending| estimate(shape, ending, 20, 1).estimate());
            assert_eq!(both, [closed, open], "{shape}");
        }
        for ending in [Ending::Closed, Ending::Open] {
            for board in ["1x2", "2x5", "3x3", "4x4"] {
                assert_eq!(estimate(board, ending, 20, 1).estimate(), 0.0, "{board}");
            }
        }
    }

    /// Group `estimates` of `tests/battery` is the full trial.
    #[test]
    fn intervals_hold_the_number_about_as_often_as_their_confidence_says() {
        let estimator = Estimator::new("6x8".parse::<Shape>().unwrap(), Ending::Closed).unwrap();
        let holds = |&seed: &u64| {
            let (tally, _) = estimator.run(&Walks::default(), seed, WalkLimit::Samples(100), 1);
            tally.holds(55_488_142.0) == Some(true)
        };
        let held = (0..40).filter(holds).count();
        assert!(held >= 35, "{held} of 40");
    }

    #[test]
    fn a_number_of_walks_gives_equal_digits_on_any_number_of_threads() {
        let one = estimate("6x8", Ending::Closed, 1001, 1);
        for threads in [2, 3, 7] {
            assert_eq!(estimate("6x8", Ending::Closed, 1001, threads), one, "{threads}");
        }
    }

    #[test]
    fn walks_that_run_out_of_time_or_are_stopped_keep_their_weights() {
        let estimator = Estimator::new("6x6".parse::<Shape>().unwrap(), Ending::Closed).unwrap();
        let (tally, complete) = estimator.run(&Walks::default(), 0, WalkLimit::Time(Instant::now()), 2);
        assert!(complete && tally.samples() == 2, "{tally:?}");
        let walks = Walks::default();
        walks.stop();
        let (tally, complete) = estimator.run(&walks, 0, WalkLimit::Samples(1_000_000), 1);
        assert!(!complete && tally.samples() == 1, "{tally:?}");
    }

    #[test]
    fn the_error_of_a_board_too_large_names_the_limit() {
        let refused =
            Estimator::new("17x17".parse::<Shape>().unwrap(), Ending::Closed).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("17x17 has 289 squares: an estimate takes up to 256, such as 16x16"));
    }
}
