//! From numbers to tours and back: every tour of small boards, in memory and in files.

use super::folder::LayerFolder;
use super::*;
use crate::board::{Board, Ending, Tour};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::settings::Settings;
use crate::count::plan::count_plan::CountPlan;
use crate::count::tests::{question, settings};
use crate::count::watch::CountWatch;
use std::collections::HashSet;
use std::path::Path;

fn numbers(board: &str, ending: Ending) -> TourNumbers {
    TourNumbers::new(&question(board, ending), &settings(2), None, None, &CountWatch::new(2)).unwrap()
}

fn all_tours(of: &TourNumbers) -> Vec<Tour> {
    let all: Vec<u128> = (0..of.count()).collect();
    let tours = of.tours(&all, &|| true).unwrap();
    assert_eq!(of.numbers(&tours, &|| true).unwrap(), all);
    tours
}

/// The numbers below the total give as many different tours as there are, and each tour gives its number back.
#[test]
fn every_tour_has_a_number_and_every_number_a_tour() {
    for (board, ending, count) in [
        ("6x6", Ending::Closed, 9862),
        ("3x10", Ending::Closed, 16),
        ("5x6", Ending::Closed, 8),
        ("6x5", Ending::Closed, 8),
        ("5x5", Ending::Open, 1728),
        ("3x4", Ending::Open, 16),
        ("4x3", Ending::Open, 16),
        ("4x5", Ending::Open, 164),
        ("4x6", Ending::Open, 1488),
        ("1x1", Ending::Open, 1),
        ("4x4", Ending::Open, 0),
        ("3x3", Ending::Closed, 0),
        ("5x6-a5,b5", Ending::Closed, 302),
        ("6x5-a6,b6,c6,d6,e6,e5,d5", Ending::Closed, 0),
        ("3x3-b2", Ending::Open, 16),
        ("2x3-b1,b2,c1,a2", Ending::Open, 2),
        ("2x2-a1,b1,b2", Ending::Open, 1),
    ] {
        let of = numbers(board, ending);
        assert_eq!(of.count(), count, "{board}");
        let tours = all_tours(&of);
        let different: HashSet<Box<[_]>> = tours.iter().map(Tour::reading).collect();
        assert_eq!(different.len() as u128, count, "{board}");
    }
}

fn numbers_in_folder(board: &str, ending: Ending, folder: &Path, threads: usize) -> Result<TourNumbers, NumberError> {
    TourNumbers::new(&question(board, ending), &settings(threads), Some(folder), None, &CountWatch::new(threads))
}

/// Layers in files give the tours that layers in memory give, on any number of threads, and are not made a second time.
#[test]
fn layers_in_files_and_in_memory_give_equal_tours_on_any_number_of_threads() {
    for (board, exchanged, ending) in [
        ("5x6", "6x5", Ending::Open),
        ("6x7", "7x6", Ending::Closed),
        ("5x6-a5,b5", "6x5-a5,a6", Ending::Closed),
        ("5x6-a5,b5", "7x5-a1,b1,c1,d1,e1,a7,a6", Ending::Open),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let of = numbers(board, ending);
        let drawn = draw(of.count(), 300, 1);
        let tours = of.tours(&drawn, &|| true).unwrap();
        for threads in 1..=3 {
            let of = numbers_in_folder(board, ending, folder.path(), threads).unwrap();
            assert_eq!(of.tours(&drawn, &|| true).unwrap(), tours, "{board} {threads}");
            assert_eq!(of.numbers(&tours, &|| true).unwrap(), drawn);
            let made = std::fs::metadata(folder.path().join("layers")).unwrap().modified().unwrap();
            numbers_in_folder(exchanged, ending, folder.path(), threads).unwrap();
            let now = std::fs::metadata(folder.path().join("layers")).unwrap().modified().unwrap();
            assert_eq!(made, now, "{exchanged} has the layers of {board}");
        }
    }
}

#[test]
fn every_tour_from_a_square_is_drawn_from_there() {
    let all = numbers("5x5", Ending::Open);
    let board = all.question().board();
    let start = board.parse_square("c3").ok();
    let from_start = CountQuestion { start, ..question("5x5", Ending::Open) };
    let of = TourNumbers::new(&from_start, &settings(1), None, None, &CountWatch::new(1)).unwrap();
    assert_eq!(of.count(), 64);
    let tours = all_tours(&of);
    assert!(tours.iter().all(|tour| Some(tour.squares()[0]) == start));
    let elsewhere = all.tours(&[0], &|| true).unwrap();
    assert!(matches!(of.numbers(&elsewhere, &|| true), Err(NumberError::Foreign { index: 1, .. })));
    // A closed tour passes every square: the start sets only where the tour begins.
    let from_start = CountQuestion { start: board_square("6x6", "d4"), ..question("6x6", Ending::Closed) };
    let of = TourNumbers::new(&from_start, &settings(1), None, None, &CountWatch::new(1)).unwrap();
    assert_eq!(of.count(), 9862);
    let tour = &of.tours(&[17], &|| true).unwrap()[0];
    assert_eq!(Some(tour.squares()[0]), from_start.start);
    assert_eq!(of.numbers(std::slice::from_ref(tour), &|| true).unwrap(), [17]);
}

fn board_square(board: &str, square: &str) -> Option<crate::board::Square> {
    board.parse::<Board>().unwrap().parse_square(square).ok()
}

/// The draws of a fixed seed are as even as random ones, on boards of which every tour is drawn some times.
#[test]
fn every_tour_is_drawn_as_often_as_any_other() {
    for (board, ending) in [
        ("6x6", Ending::Closed),
        ("3x10", Ending::Closed),
        ("5x6", Ending::Closed),
        ("5x5", Ending::Open),
        ("5x6-a5,b5", Ending::Closed),
        ("5x5-a1,e1", Ending::Open),
    ] {
        let of = numbers(board, ending);
        let mut times = std::collections::HashMap::new();
        let draws = 5 * of.count().max(100) as usize;
        for tour in of.tours(&draw(of.count(), draws, 0), &|| true).unwrap() {
            *times.entry(tour.squares().to_vec()).or_insert(0u32) += 1;
        }
        let (tours, mean) = (of.count() as f64, draws as f64 / of.count() as f64);
        let drawn: f64 = times.values().map(|&times| (f64::from(times) - mean).powi(2) / mean).sum();
        let chi_square = drawn + (tours - times.len() as f64) * mean;
        // Of even draws one in a hundred is further from the degrees of freedom than so many of its standard deviations.
        let deviations = (chi_square - (tours - 1.0)) / (2.0 * (tours - 1.0)).sqrt();
        assert!(deviations < 2.5, "{board}: {chi_square}");
    }
}

#[test]
fn counts_beyond_64_bits_are_refused() {
    // `TourNumbers::new` refuses by the published number; `make_layers` does not use it and finds out by counting.
    let too_large = question("5x20", Ending::Closed);
    let new = || TourNumbers::new(&too_large, &settings(2), None, None, &CountWatch::new(2));
    assert!(matches!(new(), Err(NumberError::Outgrown { .. })));
    let watch = CountWatch::new(2);
    let plan = CountPlan::new(&too_large, 1 << 33, &watch).unwrap();
    let made = make::make_layers(&plan, &settings(2), None, None, &watch);
    assert!(matches!(made, Err(NumberError::Outgrown { .. })));
}

#[test]
fn layers_that_do_not_fit_in_memory_are_refused_with_the_bytes_needed() {
    let folder = tempfile::tempdir().unwrap();
    let (of_7x8, watch) = (question("7x8", Ending::Closed), CountWatch::new(2));
    let plan = CountPlan::new(&of_7x8, 1 << 33, &watch).unwrap();
    let refused = |memory, folder: Option<&LayerFolder>| {
        let settings = Settings { memory, ..settings(2) };
        make::make_layers(&plan, &settings, folder, None, &watch).map(|_| ()).unwrap_err()
    };
    let own = LayerFolder::new(folder.path(), &of_7x8).unwrap();
    let says = |refused: NumberError, says: &str| assert!(refused.to_string().contains(says), "{refused}");
    says(refused(plan.memory(32), None), "numbering the closed tours of 7x8 (");
    says(refused(plan.memory(32) - 1, Some(&own)), "making the layers of the closed tours of 7x8 takes");
    assert!(refused(1, None).is_usage() && refused(1, Some(&own)).is_usage());
}

/// A second process is refused while the first makes layers in a folder, and finds them when they are finished.
#[test]
fn only_one_process_makes_layers_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let other = LayerFolder::new(folder.path(), &question("5x6", Ending::Closed)).unwrap();
    let refused = numbers_in_folder("5x6", Ending::Closed, folder.path(), 1).map(|_| ()).unwrap_err();
    let says = "is being written by a run that is not over: wait for it, or name another folder";
    assert!(refused.is_usage() && refused.to_string().ends_with(says), "{refused}");
    drop(other);
    let of = numbers_in_folder("5x6", Ending::Closed, folder.path(), 1).unwrap();
    let mut other = LayerFolder::new(folder.path(), of.question()).unwrap();
    other.claim().unwrap();
    assert_eq!(numbers_in_folder("5x6", Ending::Closed, folder.path(), 1).unwrap().count(), of.count());
}

/// Left files count as available bytes, and are removed.
#[test]
fn files_that_an_interrupted_process_has_left_count_as_free_space() {
    let folder = tempfile::tempdir().unwrap();
    let question = question("3x10", Ending::Closed);
    let plan = CountPlan::new(&question, 1 << 30, &CountWatch::new(1)).unwrap();
    let own = LayerFolder::new(folder.path(), &question).unwrap();
    let left = folder.path().join("sweep-0-layer-007");
    let free = own.available_bytes(&plan).unwrap();
    let file = std::fs::File::create(&left).unwrap();
    // A sparse file takes no space, and is far larger than what other processes write to this disk meanwhile.
    file.set_len(1 << 43).unwrap();
    assert!(own.available_bytes(&plan).unwrap() > free + (1 << 42));
    own.remove_layers(&plan);
    assert!(!left.exists() && own.available_bytes(&plan).unwrap() < free + (1 << 42));
}

#[test]
fn a_stopped_walk_is_no_error_of_usage() {
    let of = numbers("5x6", Ending::Closed);
    let stopped = of.tours(&[0], &|| false).unwrap_err();
    assert!(stopped.is_stopped() && !stopped.is_usage());
}

/// A changed byte in any file is refused, or has no effect; it never gives another tour.
#[test]
fn damaged_layers_are_refused_and_interrupted_ones_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let open = || numbers_in_folder("3x10", Ending::Closed, folder.path(), 1);
    let all: Vec<u128> = (0..16).collect();
    let tours = open().unwrap().tours(&all, &|| true).unwrap();
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 32, "the layers before and after each square, and the manifest");
    let (mut refused, mut harmless) = (0, 0);
    for file in &files {
        let good = std::fs::read(file).unwrap();
        for at in (0..good.len()).step_by(good.len().div_ceil(6)) {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(file, &bad).unwrap();
            match open().and_then(|of| of.tours(&all, &|| true)) {
                Ok(found) => {
                    assert_eq!(found, tours, "{} at {at}", file.display());
                    harmless += 1;
                }
                Err(error) => {
                    // A changed first line is that of another file, or of another version.
                    let told = ["damaged", "is no manifest of layers", "is a manifest of layers of version 5"];
                    assert!(error.is_usage() && told.iter().any(|why| error.to_string().contains(why)), "{error}");
                    refused += 1;
                }
            }
        }
        std::fs::write(file, &good[..good.len() - 1]).unwrap();
        let cut = open().and_then(|of| of.tours(&all, &|| true)).map(|_| ());
        // The walk begins at the state after the last square, so it does not read the count of that state.
        assert!(cut.is_err() || file.ends_with("sweep-0-layer-030"), "{}", file.display());
        std::fs::write(file, good).unwrap();
    }
    // Groups that no tour needs are not read.
    assert!(refused > 4 * harmless, "{refused} refused, {harmless} harmless");
    let foreign = numbers_in_folder("5x6", Ending::Closed, folder.path(), 1).map(|_| ()).unwrap_err().to_string();
    assert!(foreign.contains("closed tours of 10x3, not of the closed tours of 5x6"), "{foreign}");
    // Without the manifest the layers count as left by an interrupted process.
    std::fs::remove_file(folder.path().join("layers")).unwrap();
    std::fs::write(folder.path().join("sweep-0-layer-007"), "half").unwrap();
    assert_eq!(open().unwrap().tours(&all, &|| true).unwrap(), tours);
}
