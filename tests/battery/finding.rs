//! How fast one tour is found: Warnsdorff's rule by the square, strands by the tour, the exhibits by the evaluation.
//!
//! Every tour is verified, outside the time that is printed.

use crate::measure::{corner, turns};
use destrier::board::{Board, Ending, Square, Tour};
use destrier::cli::bench::{Bench, BenchRow, LapTime, board};
use destrier::find::genetic::{Island, IslandOptions};
use destrier::find::strands::{StrandRoot, TourEnds};
use destrier::find::{Attempt, AttemptProgress, RuleManner, Tie, Warnsdorff, run as to_the_end, squirrel_cull};
use destrier::job::Failure;
use fastrand::Rng;

/// Times of how many rounds the median is taken of.
const ROUNDS: usize = 5;

/// Generations on one island of 8x8, and the different tours that they come to: for the quick and the full battery.
const GENERATIONS: [(u32, u64); 2] = [(400, 37), (5000, 442)];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when a row cannot be printed.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    for side in bench.pick(&[200][..], &[200, 1000, 5000]) {
        let board = board(&format!("{side}x{side}"));
        rule(bench, board, "squirrel-cull", || {
            squirrel_cull(board, corner(board), false).map(|knight| Box::new(knight) as Box<dyn Attempt>)
        })?;
        rule(bench, board, "warnsdorff, ties by roth", || {
            let manner = RuleManner::new(Tie::Roth);
            Some(Box::new(Warnsdorff::new(board, Ending::Open, corner(board), manner)))
        })?;
    }
    strands(bench)?;
    island(bench)
}

/// The median of some rounds, and what the last one came to.
fn timed<T>(work: impl FnMut() -> T) -> (LapTime, T) {
    let timed = turns(ROUNDS, &mut [work]).pop();
    timed.unwrap_or_else(|| unreachable!("one way has one time"))
}

fn is_tour(board: Board, ending: Ending, squares: Option<Box<[Square]>>) -> bool {
    squares.is_some_and(|squares| Tour::verify(board, ending, squares).is_ok())
}

/// A rule that takes nothing back, from the corner.
fn rule(
    bench: &mut Bench,
    board: Board,
    name: &str,
    knight: impl Fn() -> Option<Box<dyn Attempt>>,
) -> Result<(), Failure> {
    let (time, tour) = timed(|| knight().and_then(|mut knight| to_the_end(&mut *knight).0));
    let row = BenchRow::new(format!("{board} by {name}"))
        .took(time)
        .must("tour", is_tour(board, Ending::Open, tour))
        .figure("ns_per_square", 1e9 * time.cpu_s / f64::from(board.squares()));
    bench.add(row)
}

/// Open tours of 8x8 between two random squares of different colours, one after the other.
fn strands(bench: &mut Bench) -> Result<(), Failure> {
    let board = board("8x8");
    let wanted = bench.pick(200, 2000);
    let mut rng = Rng::with_seed(1);
    let mut square = || board.at(rng.u32(..64)).unwrap_or_else(|| unreachable!("8x8 has 64 squares"));
    let mut ends = Vec::new();
    while ends.len() < wanted {
        let (start, end) = (square(), square());
        if board.is_dark(start) != board.is_dark(end) {
            ends.push((start, end));
        }
    }
    let find = |&(start, end): &(Square, Square)| {
        let ends = TourEnds::Open { start: Some(start), end: Some(end) };
        (0..).find_map(|attempt| {
            let strands = StrandRoot::new(board, ends, &[], &[]).map(|root| root.attempt(1, attempt));
            // Between squares of different colours there always is a tour (Conrad and others 1994).
            to_the_end(&mut strands.ok()?).0
        })
    };
    let (time, tours) = timed(|| ends.iter().map(find).collect::<Vec<_>>());
    let right = |(tour, &(start, end)): (Option<Box<[Square]>>, &(Square, Square))| {
        let joins = tour.as_ref().is_some_and(|tour| tour.first() == Some(&start) && tour.last() == Some(&end));
        joins && is_tour(board, Ending::Open, tour)
    };
    let found = tours.into_iter().zip(&ends).filter(|(tour, ends)| right((tour.clone(), ends))).count();
    let row = BenchRow::new("8x8 by edges, random start and end")
        .took(time)
        .count("tours", found as u64, wanted as u64)
        .figure("tours_per_s", wanted as f64 / time.cpu_s);
    bench.add(row)
}

/// One island of coded walks.
fn island(bench: &mut Bench) -> Result<(), Failure> {
    let board = board("8x8");
    let (generations, distinct) = bench.pick(GENERATIONS[0], GENERATIONS[1]);
    let customs = IslandOptions { generations, ..IslandOptions::usual() };
    let (time, (evaluations, tours)) = timed(|| {
        let mut island = Island::new(&board.into(), Ending::Open, corner(board), customs, 1);
        let (mut evaluations, mut tours) = (0, Vec::new());
        loop {
            match island.advance(u64::MAX, &mut evaluations) {
                AttemptProgress::Found(tour) => tours.push(tour),
                AttemptProgress::Going => {}
                AttemptProgress::GivenUp | AttemptProgress::Exhausted => return (evaluations, tours),
            }
        }
    });
    let found = tours.into_iter().filter(|tour| is_tour(board, Ending::Open, Some(tour.clone()))).count();
    let row = BenchRow::new("8x8 by genetic, one island")
        .took(time)
        .count("distinct_tours", found as u64, distinct)
        .figure("evaluations", evaluations)
        .figure("evaluations_per_s", evaluations as f64 / time.cpu_s);
    bench.add(row)
}
