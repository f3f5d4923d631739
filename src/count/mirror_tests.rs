//! Counts that store one of two mirror images, compared with counts that store both.

use super::pass::steps::{Pass, PassResources};
use super::pass::threads::CountThreads;
use super::states::order::Images;
use super::tests::question;
use super::*;
use crate::board::{Board, Ending};

/// Where one of two mirror images is stored, all ways to count find what they find where both are.
#[test]
fn one_of_two_images_counts_the_same_as_both() {
    let boards = (1..=9u64).flat_map(|cols| (cols..=40 / cols + 4).map(move |rows| (rows, cols)));
    let folder = tempfile::tempdir().unwrap();
    let mut tours = 0;
    for (rows, cols) in boards.filter(|(rows, cols)| rows * cols % 2 == 0 && rows * cols <= 56) {
        let board = Board::new(rows, cols).unwrap();
        let query = CountQuestion { board, ..question("1x1", Ending::Closed) };
        let of = |images, modulus, sparse_counts, spill| {
            let watch = CountWatch::new(2);
            let plan = CountPlan::storing(&query, images, 1 << 33, &watch).unwrap();
            let threads = CountThreads { pool: &plan.pool, watch: &watch };
            let resources = PassResources { spill, sparse_counts, growth: 0, ..PassResources::new(threads, 1 << 33) };
            Pass::new(&plan.sweeps[0], modulus, &resources).unwrap().run(|_| ()).unwrap()
        };
        let both = of(Images::Both, Modulus::None, 10_000, None);
        tours += both;
        for (prime, sparse_counts, spill) in [
            (None, 0, None),
            (None, u64::MAX, None),
            (None, 0, Some(folder.path())),
            (Some(251), 0, None),
            (Some(251), u64::MAX, None),
        ] {
            let modulus = prime.map_or(Modulus::None, Modulus::Prime);
            let expected = prime.map_or(both, |prime| both % prime);
            assert_eq!(
                of(Images::OneOfTwo, modulus, sparse_counts, spill),
                expected,
                "{board} {prime:?} {sparse_counts}"
            );
        }
    }
    assert!(tours > 1_000_000_000, "{tours}");
}

/// A sweep that stores one of two images has little more than half the states.
#[test]
fn one_of_two_images_is_half_of_the_states() {
    for (board, percent) in [("6x8", 62), ("8x8", 54), ("9x8", 54), ("7x8", 62)] {
        let states = |images| {
            let plan =
                CountPlan::storing(&question(board, Ending::Closed), images, 1 << 34, &CountWatch::new(2)).unwrap();
            plan.states()
        };
        let (one, both) = (states(Images::OneOfTwo), states(Images::Both));
        assert!(100 * one < percent * both, "{board}: {one} of {both}");
    }
}
