//! Whether tours are drawn uniformly, and whether numbers and tours are each other's, and how fast.
//!
//! Three things are looked at: on boards whose tours are few, how often each was drawn (chi-square); on larger ones how
//! often each *move* was, against the number of tours that have it, counted; and that the number of a drawn tour is the
//! number drawn. Seeds are fixed, so that the same figures come out everywhere.

use crate::measure::memory;
use destrier::board::{Board, Ending, Square, Tour};
use destrier::cli::bench::{Bench, BenchRow, Clock, board, cores};
use destrier::count::number::{Evenness, NumberError, TourNumbers, closed_with_move, draw};
use destrier::count::{CountQuestion, CountWatch, Settings};
use destrier::job::{Failure, running};
use destrier::words::grouped;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Boards of which every tour is drawn several times.
const FEW: [(&str, Ending); 4] =
    [("6x6", Ending::Closed), ("3x10", Ending::Closed), ("5x6", Ending::Closed), ("5x5", Ending::Open)];
/// Boards whose classes of moves are known: their moves and their classes.
const CLASSES: [(&str, u64, u64); 2] = [("6x8", 116, 29), ("8x8", 168, 21)];
/// The seed of all draws.
const SEED: u64 = 0;
/// Draws of a board whose layers are in files.
const MANY: usize = 100_000;
/// So many standard deviations no share of a move may be off: of 168 moves one is by chance in some 10,000 runs.
const DEVIATIONS: f64 = 5.0;
/// A number of tours that is said in rows is less than this: 8x8 closed has 13 million million.
const SHOWN: u128 = 1 << 64;

/// Prints the rows; of 8x8 too, if there is a folder for its layers.
///
/// # Errors
/// [`Failure`] when tours cannot be numbered.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    every_move_has_a_class(bench)?;
    for (name, ending) in FEW {
        even(bench, name, ending)?;
    }
    let (draws, large) = bench.pick((5_000, "6x8"), (MANY, "7x8"));
    drawn(bench, "6x8", draws.max(20_000), None)?;
    if large != "6x8" {
        drawn(bench, large, draws, None)?;
    }
    if bench.is_quick() {
        return Ok(());
    }
    match bench.folder().map(Path::to_path_buf) {
        Some(folder) => drawn(bench, "8x8", MANY, Some(&folder)),
        None => {
            bench.add(BenchRow::new("8x8 closed").remark("skipped: its layers take 12 GB of disk: add --layers DIR"))
        }
    }
}

/// What the shares of moves rest on: every move of a board is in one class, and in no other.
fn every_move_has_a_class(bench: &mut Bench) -> Result<(), Failure> {
    for (name, moves_in_all, classes) in CLASSES {
        let found = moves(board(name));
        let all: BTreeSet<[Square; 2]> = found.iter().flat_map(|(_, class)| class.iter().copied()).collect();
        let row = BenchRow::new(format!("{name}, classes of moves"))
            .count("moves", all.len() as u64, moves_in_all)
            .count("moves_of_classes", found.iter().map(|(_, class)| class.len() as u64).sum(), moves_in_all)
            .count("classes", found.len() as u64, classes);
        bench.add(row)?;
    }
    Ok(())
}

/// The tours of a board by number.
fn numbers(board: Board, ending: Ending, folder: Option<&Path>) -> Result<TourNumbers, Failure> {
    let threads = cores();
    let settings = Settings { threads, memory: memory(threads), ..Settings::default() };
    TourNumbers::new(&CountQuestion::new(board, ending), &settings, folder, None, &CountWatch::new(threads))
        .map_err(running)
}

/// Goes there, or back.
fn walked<T>(walk: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> Result<T, NumberError>) -> Result<T, Failure> {
    walk(&|| true).map_err(running)
}

/// Every tour by its number and back, and draws of them all.
fn even(bench: &mut Bench, name: &str, ending: Ending) -> Result<(), Failure> {
    let board = board(name);
    let (clock, numbers) = (Clock::start(), numbers(board, ending, None)?);
    let all: Vec<u128> = (0..numbers.count()).collect();
    let tours = walked(|go_on| numbers.tours(&all, go_on))?;
    let back = walked(|go_on| numbers.numbers(&tours, go_on))?;
    let place: HashMap<&[Square], usize> = (0..).zip(&tours).map(|(at, tour)| (tour.squares(), at)).collect();
    let draws = all.len() * bench.pick(10, 100);
    let drawn = walked(|go_on| numbers.tours(&draw(numbers.count(), draws, SEED), go_on))?;
    let mut times = vec![0; tours.len()];
    for tour in &drawn {
        let at = place.get(tour.squares()).ok_or_else(|| running("a tour was drawn that has no number"))?;
        times[*at] += 1;
    }
    let Evenness { chi_square, degrees, p } = Evenness::of(&times);
    let row = BenchRow::new(format!("{board} {}, every tour", ending.name()))
        .took(clock.time())
        .count("tours", place.len() as u64, all.len() as u64)
        .must("there_and_back", back == all)
        .figure("draws", draws as u64)
        .figure("chi_square", chi_square)
        .figure("degrees", degrees)
        .figure("p", p)
        .must("even", p >= 0.01);
    bench.add(row)
}

/// Draws of a board with many closed tours: the pace, the way back, and the share of every move.
fn drawn(bench: &mut Bench, name: &str, draws: usize, folder: Option<&Path>) -> Result<(), Failure> {
    let board = board(name);
    let (clock, numbers) = (Clock::start(), numbers(board, Ending::Closed, folder)?);
    let making = clock.time();
    let asked = draw(numbers.count(), draws, SEED);
    let clock = Clock::start();
    let tours = walked(|go_on| numbers.tours(&asked, go_on))?;
    let there = clock.time();
    let clock = Clock::start();
    let back = walked(|go_on| numbers.numbers(&tours, go_on))?;
    let back_time = clock.time();
    let (all, rate) = (numbers.count().min(SHOWN) as u64, |wall_s: f64| draws as f64 / wall_s);
    let row = BenchRow::new(format!("{board} closed, {} drawn and back", grouped(draws)))
        .took(there)
        .figure("tours", all)
        .figure("layers_s", making.wall_s)
        .figure("tours_per_s", rate(there.wall_s))
        .figure("numbers_per_s", rate(back_time.wall_s))
        .must("there_and_back", back == asked);
    bench.add(if folder.is_some() { row.remark("target 5,000 tours a second") } else { row })?;
    // What they took is free again before moves are counted.
    drop(numbers);
    shares(bench, board, &tours, all)
}

/// How often tours have each move, against how many of all tours do.
fn shares(bench: &mut Bench, board: Board, tours: &[Tour], all: u64) -> Result<(), Failure> {
    let clock = Clock::start();
    let mut seen: HashMap<[Square; 2], u64> = HashMap::new();
    for tour in tours {
        let squares = tour.squares();
        for (at, &from) in squares.iter().enumerate() {
            *seen.entry(ordered([from, squares[(at + 1) % squares.len()]])).or_default() += 1;
        }
    }
    let (threads, mut classes, mut worst, mut sum) = (cores(), 0, 0f64, 0u128);
    let moves = moves(board);
    for (a_move, class) in &moves {
        let with = closed_with_move(board, *a_move, memory(threads), &CountWatch::new(threads));
        let with = with.map_err(running)?;
        classes += 1;
        sum += u128::from(with) * class.len() as u128;
        let (share, draws) = (with as f64 / all as f64, tours.len() as f64);
        for a_move in class {
            let drawn = seen.get(a_move).copied().unwrap_or(0) as f64;
            let deviation = (draws * share * (1.0 - share)).sqrt();
            // A move that all have, or none, is no matter of chance.
            let off = (drawn - draws * share).abs();
            worst = worst.max(if deviation > 0.0 {
                off / deviation
            } else if off > 0.0 {
                f64::INFINITY
            } else {
                0.0
            });
        }
    }
    let row = BenchRow::new(format!("{board} closed, share of every move"))
        .took(clock.time())
        .figure("moves", moves.iter().map(|(_, class)| class.len() as u64).sum::<u64>())
        .figure("counted", classes)
        // Every tour has as many moves as squares.
        .must("moves_add_up", sum == u128::from(all) * u128::from(board.squares()))
        .figure("furthest_off_in_deviations", worst)
        .must("as_counted", worst < DEVIATIONS);
    bench.add(row)
}

/// The moves of a board, those together that a symmetry takes to one another, each class behind one of its moves.
fn moves(board: Board) -> Vec<([Square; 2], BTreeSet<[Square; 2]>)> {
    let mut known = BTreeSet::new();
    let mut classes = Vec::new();
    for a_move in board.all().flat_map(|from| board.neighbours(from).map(move |to| ordered([from, to]))) {
        if !known.contains(&a_move) {
            let images =
                board.symmetries().iter().map(|symmetry| ordered(a_move.map(|end| symmetry.apply(board, end))));
            let class: BTreeSet<[Square; 2]> = images.collect();
            known.extend(class.iter().copied());
            classes.push((a_move, class));
        }
    }
    classes
}

fn ordered(mut ends: [Square; 2]) -> [Square; 2] {
    ends.sort();
    ends
}
