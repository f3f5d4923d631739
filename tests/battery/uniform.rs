//! Whether tours are drawn uniformly, and whether numbers and tours are each other's, and how fast.
//!
//! Three things are looked at: on boards whose tours are few, how often each was drawn (chi-square); on larger ones how
//! often each *move* was, against its images under the symmetries of the board, which as many tours have; and that the number
//! of a drawn tour is the number drawn. Seeds are fixed, so that the same figures come out everywhere.

use crate::measure::memory;
use destrier::board::{Board, Ending, Shape, Square, Tour};
use destrier::cli::bench::{Bench, BenchRow, LapClock, board, cores};
use destrier::count::number::{NumberingPlan, draw};
use destrier::count::{CountError, CountQuestion, CountWatch, Settings};
use destrier::job::{Failure, running};
use destrier::words::grouped;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// Boards, some with holes, of which every tour is drawn several times.
const FEW: [(&str, Ending); 6] = [
    ("6x6", Ending::Closed),
    ("3x10", Ending::Closed),
    ("5x6", Ending::Closed),
    ("5x5", Ending::Open),
    ("6x6-a1,f1", Ending::Closed),
    ("5x5-a5,e5", Ending::Open),
];
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
    tails_agree_with_printed_tables(bench)?;
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
        let all: BTreeSet<[Square; 2]> = found.iter().flatten().copied().collect();
        let row = BenchRow::new(format!("{name}, classes of moves"))
            .count("moves", all.len() as u64, moves_in_all)
            .count("moves_of_classes", found.iter().map(|class| class.len() as u64).sum(), moves_in_all)
            .count("classes", found.len() as u64, classes);
        bench.add(row)?;
    }
    Ok(())
}

/// What the verdict of a chi-square rests on: values of printed tables.
fn tails_agree_with_printed_tables(bench: &mut Bench) -> Result<(), Failure> {
    let table: [(f64, f64, f64); 5] =
        [(7.0, 18.475, 0.01), (7.0, 6.346, 0.5), (15.0, 24.996, 0.05), (15.0, 7.261, 0.95), (100.0, 135.807, 0.01)];
    let agree = table.iter().all(|&(degrees, chi_square, p)| (upper_tail(chi_square, degrees) - p).abs() < 0.003);
    bench.add(BenchRow::new("chi-square, against printed tables").must("agree", agree))
}

/// The likelihood that chi-square is this large or larger by chance. The cube root of chi-square, scaled, is nearly normal.
///
/// # Source
/// E. B. Wilson, M. M. Hilferty, "The distribution of chi-square", PNAS 17, 1931; good to some thousandths here.
fn upper_tail(chi_square: f64, degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    let normal = ((chi_square / degrees).cbrt() - (1.0 - spread)) / spread.sqrt();
    // Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.2.17.
    let t = 1.0 / (1.0 + 0.231_641_9 * normal.abs());
    let series = [0.319_381_530, -0.356_563_782, 1.781_477_937, -1.821_255_978, 1.330_274_429];
    let sum = series.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let tail = sum * (-normal * normal / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if normal < 0.0 { 1.0 - tail } else { tail }
}

/// The numbering of the tours of a board.
fn planned<'w>(
    shape: impl Into<Shape>,
    ending: Ending,
    folder: Option<&Path>,
    watch: &'w CountWatch,
) -> Result<NumberingPlan<'w>, Failure> {
    let threads = cores();
    let settings = Settings { threads, memory: memory(threads), ..Settings::default() };
    NumberingPlan::new(&CountQuestion::new(shape, ending), &settings, folder, watch).map_err(running)
}

/// Goes there, or back.
fn walked<T>(walk: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> Result<T, CountError>) -> Result<T, Failure> {
    walk(&|| true).map_err(running)
}

/// Every tour by its number and back, and draws of them all.
fn even(bench: &mut Bench, name: &str, ending: Ending) -> Result<(), Failure> {
    let shape: Shape = name.parse().map_err(running)?;
    let (clock, watch) = (LapClock::start(), CountWatch::new(cores()));
    let planned = planned(&shape, ending, None, &watch)?;
    let numbers = planned.numbers(None).map_err(running)?;
    let all: Vec<u128> = (0..numbers.count()).collect();
    let tours = walked(|go_on| numbers.tours(&all, go_on))?;
    let (_, back) = walked(|go_on| planned.ranks(&tours, go_on))?;
    let place: HashMap<&[Square], usize> = (0..).zip(&tours).map(|(at, tour)| (tour.squares(), at)).collect();
    let draws = all.len() * bench.pick(10, 100);
    let numbers = planned.numbers(None).map_err(running)?;
    let asked = draw(numbers.count(), draws, SEED);
    let drawn = walked(|go_on| numbers.tours(&asked, go_on))?;
    let mut times = vec![0; tours.len()];
    for tour in &drawn {
        let at = place.get(tour.squares()).ok_or_else(|| running("a tour was drawn that has no number"))?;
        times[*at] += 1;
    }
    let mean = draws as f64 / times.len() as f64;
    let chi_square: f64 = times.iter().map(|&n: &u64| (n as f64 - mean).powi(2) / mean).sum();
    let degrees = times.len() as f64 - 1.0;
    let p = upper_tail(chi_square, degrees);
    let row = BenchRow::new(format!("{shape} {}, every tour", ending.name()))
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
    let (clock, watch) = (LapClock::start(), CountWatch::new(cores()));
    let planned = planned(board, Ending::Closed, folder, &watch)?;
    let numbers = planned.numbers(None).map_err(running)?;
    let (making, count) = (clock.time(), numbers.count());
    let asked = draw(count, draws, SEED);
    let clock = LapClock::start();
    let tours = walked(|go_on| numbers.tours(&asked, go_on))?;
    let there = clock.time();
    let clock = LapClock::start();
    let (_, back) = walked(|go_on| planned.ranks(&tours, go_on))?;
    let back_time = clock.time();
    let (all, rate) = (count.min(SHOWN) as u64, |wall_s: f64| draws as f64 / wall_s);
    let row = BenchRow::new(format!("{board} closed, {} drawn and back", grouped(draws)))
        .took(there)
        .figure("tours", all)
        .figure("layers_s", making.wall_s)
        .figure("tours_per_s", rate(there.wall_s))
        .figure("numbers_per_s", rate(back_time.wall_s))
        .must("there_and_back", back == asked);
    bench.add(if folder.is_some() { row.remark("target 5,000 tours a second") } else { row })?;
    shares(bench, board, &tours)
}

/// How often tours have each move, against the mean of its images: as many tours have one image as another. The order of the
/// numbers knows no symmetry, so draws that favour some numbers favour some images.
fn shares(bench: &mut Bench, board: Board, tours: &[Tour]) -> Result<(), Failure> {
    let clock = LapClock::start();
    let mut seen: HashMap<[Square; 2], u64> = HashMap::new();
    for tour in tours {
        let squares = tour.squares();
        for (at, &from) in squares.iter().enumerate() {
            *seen.entry(ordered([from, squares[(at + 1) % squares.len()]])).or_default() += 1;
        }
    }
    let (mut moves_in_all, mut worst) = (0, 0f64);
    for class in moves(board) {
        moves_in_all += class.len() as u64;
        let drawn = |a_move| seen.get(a_move).copied().unwrap_or(0) as f64;
        let mean = class.iter().map(drawn).sum::<f64>() / class.len() as f64;
        let deviation = (mean * (1.0 - mean / tours.len() as f64)).sqrt();
        // A move that all tours have, or none, has no deviation, and neither have its images.
        let furthest = class.iter().map(|a_move| (drawn(a_move) - mean).abs()).fold(0.0, f64::max);
        worst = worst.max(if furthest > 0.0 { furthest / deviation } else { 0.0 });
    }
    let row = BenchRow::new(format!("{board} closed, share of every move"))
        .took(clock.time())
        .figure("moves", moves_in_all)
        .figure("furthest_off_in_deviations", worst)
        .must("as_its_images", worst < DEVIATIONS);
    bench.add(row)
}

/// The moves of a board, those together that a symmetry takes to one another.
fn moves(board: Board) -> Vec<BTreeSet<[Square; 2]>> {
    let mut known = BTreeSet::new();
    let mut classes = Vec::new();
    for a_move in board.all().flat_map(|from| board.neighbours(from).map(move |to| ordered([from, to]))) {
        if !known.contains(&a_move) {
            let images =
                board.symmetries().iter().map(|symmetry| ordered(a_move.map(|end| symmetry.apply(board, end))));
            let class: BTreeSet<[Square; 2]> = images.collect();
            known.extend(class.iter().copied());
            classes.push(class);
        }
    }
    classes
}

fn ordered(mut ends: [Square; 2]) -> [Square; 2] {
    ends.sort();
    ends
}
