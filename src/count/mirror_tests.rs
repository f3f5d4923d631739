//! Counts that store one of two mirror images, compared with counts that store both.

use super::number::numbered_sweeps;
use super::pass::steps::{Pass, PassResources};
use super::pass::threads::CountThreads;
use super::states::order::Images;
use super::states::sweep::{UnplannedSweep, sweeps_of};
use super::tests::question;
use super::*;
use crate::board::{Board, Ending};
use std::path::Path;

/// The sweeps of a question, and how often each counts. With both images its open tours are counted by the sweeps by which they are
/// numbered.
fn sweeps(query: &CountQuestion, images: Images) -> (Vec<UnplannedSweep>, Vec<u32>) {
    let sweeps = match images {
        Images::OneOfTwo => sweeps_of(query).into_iter().map(|sweep| (sweep, 1)).collect(),
        Images::Both => numbered_sweeps(query),
    };
    sweeps.into_iter().unzip()
}

fn plan(query: &CountQuestion, images: Images, watch: &CountWatch) -> (CountPlan, Vec<u32>) {
    let (sweeps, times) = sweeps(query, images);
    (CountPlan::of_sweeps(query, sweeps, images, (1 << 34).into(), watch).unwrap(), times)
}

/// The sum of the numbers of the sweeps, counted in one way.
fn count(query: &CountQuestion, images: Images, prime: Option<u64>, sparse_counts: u64, spill: Option<&Path>) -> u128 {
    let watch = CountWatch::new(2);
    let (plan, times) = plan(query, images, &watch);
    let threads = CountThreads { pool: &plan.pool, watch: &watch };
    let resources = PassResources { spill, sparse_counts, growth: 0, ..PassResources::new(threads, 1 << 33) };
    let modulus = prime.map_or(Modulus::None, Modulus::Prime);
    let numbers =
        plan.sweeps.iter().zip(times).map(|(sweep, times)| {
            u128::from(times) * Pass::new(sweep, modulus, &resources).unwrap().run(|_| ()).unwrap()
        });
    let sum = numbers.sum();
    prime.map_or(sum, |prime| sum % u128::from(prime))
}

/// Where one of two mirror images is stored, all ways to count find what they find where both are.
#[test]
fn one_of_two_images_counts_the_same_as_both() {
    let boards = |squares| {
        let all = (1..=9u64).flat_map(move |cols| (cols..=40 / cols + 4).map(move |rows| (rows, cols)));
        all.filter(move |(rows, cols)| rows * cols <= squares).map(|(rows, cols)| Board::new(rows, cols).unwrap())
    };
    let closed = boards(56).filter(|board| board.squares() % 2 == 0).map(|board| (board, Ending::Closed));
    let open = boards(36).filter(|board| board.squares() > 1).map(|board| (board, Ending::Open));
    let folder = tempfile::tempdir().unwrap();
    let mut tours = [0, 0];
    for (board, ending) in closed.chain(open) {
        let query = CountQuestion::new(board, ending);
        let both = count(&query, Images::Both, None, 10_000, None);
        tours[usize::from(ending == Ending::Open)] += both;
        let ways = [
            (None, 0, None),
            (Some(251), u64::MAX, None),
            (None, u64::MAX, None),
            (None, 0, Some(folder.path())),
            (Some(251), 0, None),
        ];
        // The largest boards take most of the time.
        let ways = if board.squares() > 48 { &ways[..2] } else { &ways };
        for &(prime, sparse_counts, spill) in ways {
            let expected = prime.map_or(both, |prime| both % u128::from(prime));
            let found = count(&query, Images::OneOfTwo, prime, sparse_counts, spill);
            assert_eq!(found, expected, "{board} {ending:?} {prime:?} {sparse_counts} {spill:?}");
        }
    }
    assert!(tours[0] > 1_000_000_000 && tours[1] > 1_000_000, "{tours:?}");
}

#[test]
fn a_plan_takes_no_more_than_was_estimated() {
    let boards = [("5x6", Ending::Open), ("6x7", Ending::Open), ("7x7", Ending::Open), ("7x9", Ending::Open)];
    let boards = boards.into_iter().chain([
        ("7x8", Ending::Closed),
        ("8x30", Ending::Closed),
        ("7x8-d4,d5", Ending::Open),
        ("7x8-a1,b1", Ending::Closed),
        ("60x6-a1,b1", Ending::Closed),
        ("60x6-a30,b30", Ending::Closed),
        ("60x5-a60,d60", Ending::Closed),
    ]);
    for (board, ending) in boards {
        let query = CountQuestion { strict: ending == Ending::Open, ..question(board, ending) };
        for images in [Images::OneOfTwo, Images::Both] {
            let taken = plan(&query, images, &CountWatch::new(2)).0.pattern_bytes();
            let (sweeps, _) = sweeps(&query, images);
            let fits = |memory: u64| CountPlan::check_sweeps(&query, &sweeps, images, memory.into()).is_ok();
            assert!(!fits(taken) && fits(8 * taken), "{board} {ending:?} {images:?}: {taken}");
        }
    }
}

/// A sweep that stores one of two images has little more than half the states. Open tours of an even width have as many states with
/// one end as before: the white ends are the images of the black ones, which had a sweep of their own or were not counted.
#[test]
fn one_of_two_images_is_half_of_the_states() {
    let closed = [("6x8", 62), ("8x8", 54), ("7x8", 62)].map(|(board, percent)| (board, Ending::Closed, percent));
    let open = [("5x5", 68), ("7x7", 54), ("5x6", 56), ("6x7", 48), ("6x6", 94)]
        .map(|(board, percent)| (board, Ending::Open, percent));
    for (board, ending, percent) in closed.into_iter().chain(open) {
        let states = |images| plan(&question(board, ending), images, &CountWatch::new(2)).0.states();
        let (one, both) = (states(Images::OneOfTwo), states(Images::Both));
        assert!(100 * one < percent * both, "{board} {ending:?}: {one} of {both}");
    }
}
