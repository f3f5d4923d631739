//! From numbers to tours and back: every tour of small boards, in memory and in files.

use super::folder::LayerFolder;
use super::kept::KeptLayers;
use super::*;
use crate::board::{Board, Ending, Tour};
use crate::count::ask::question::CountQuestion;
use crate::count::ask::settings::Settings;
use crate::count::error::CountError;
use crate::count::plan::count_plan::CountPlan;
use crate::count::tests::{question, settings};
use crate::count::watch::CountWatch;
use std::collections::HashSet;
use std::path::Path;

fn planned<'w>(question: &CountQuestion, watch: &'w CountWatch) -> NumberingPlan<'w> {
    NumberingPlan::new(question, &settings(2), None, watch).unwrap()
}

fn tours(of: &NumberingPlan<'_>, numbers: &[u128]) -> Vec<Tour> {
    of.numbers(None).unwrap().tours(numbers, &|| true).unwrap()
}

fn all_tours(of: &NumberingPlan<'_>) -> Vec<Tour> {
    let numbers = of.numbers(None).unwrap();
    let all: Vec<u128> = (0..numbers.count()).collect();
    let tours = numbers.tours(&all, &|| true).unwrap();
    assert_eq!(of.ranks(&tours, &|| true).unwrap(), (all.len() as u128, all));
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
        let watch = CountWatch::new(2);
        let tours = all_tours(&planned(&question(board, ending), &watch));
        assert_eq!(tours.len() as u128, count, "{board}");
        let different: HashSet<Box<[_]>> = tours.iter().map(Tour::reading).collect();
        assert_eq!(different.len() as u128, count, "{board}");
    }
}

/// What `work` does with the tours of a board by number, whose layers are in a folder.
fn in_folder<T>(
    board: &str,
    ending: Ending,
    folder: &Path,
    threads: usize,
    work: impl FnOnce(&NumberingPlan<'_>) -> Result<T, CountError>,
) -> Result<T, CountError> {
    let watch = CountWatch::new(threads);
    work(&NumberingPlan::new(&question(board, ending), &settings(threads), Some(folder), &watch)?)
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
        let watch = CountWatch::new(2);
        let of = planned(&question(board, ending), &watch);
        let numbers = of.numbers(None).unwrap();
        let drawn = draw(numbers.count(), 300, 1);
        let tours = numbers.tours(&drawn, &|| true).unwrap();
        for threads in 1..=3 {
            let made = |board| {
                in_folder(board, ending, folder.path(), threads, |of| of.numbers(None)?.tours(&drawn, &|| true))
            };
            assert_eq!(made(board).unwrap(), tours, "{board} {threads}");
            let ranks = in_folder(board, ending, folder.path(), threads, |of| of.ranks(&tours, &|| true));
            assert_eq!(ranks.unwrap().1, drawn);
            let made_at = std::fs::metadata(folder.path().join("layers")).unwrap().modified().unwrap();
            made(exchanged).unwrap();
            let now = std::fs::metadata(folder.path().join("layers")).unwrap().modified().unwrap();
            assert_eq!(made_at, now, "{exchanged} has the layers of {board}");
        }
    }
}

#[test]
fn every_tour_from_a_square_is_drawn_from_there() {
    let (all, watch) = (question("5x5", Ending::Open), CountWatch::new(2));
    let start = board_square("5x5", "c3");
    let from_start = CountQuestion { start, ..all.clone() };
    let of = planned(&from_start, &watch);
    let from_there = all_tours(&of);
    assert_eq!(from_there.len(), 64);
    assert!(from_there.iter().all(|tour| Some(tour.squares()[0]) == start));
    let elsewhere = tours(&planned(&all, &watch), &[0]);
    assert!(matches!(of.ranks(&elsewhere, &|| true), Err(CountError::Foreign { index: 1, .. })));
    // A closed tour passes every square: the start sets only where the tour begins.
    let from_start = CountQuestion { start: board_square("6x6", "d4"), ..question("6x6", Ending::Closed) };
    let of = planned(&from_start, &watch);
    let tour = tours(&of, &[17]);
    assert_eq!(Some(tour[0].squares()[0]), from_start.start);
    assert_eq!(of.ranks(&tour, &|| true).unwrap(), (9862, vec![17]));
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
        let watch = CountWatch::new(2);
        let of = planned(&question(board, ending), &watch);
        let numbers = of.numbers(None).unwrap();
        let count = numbers.count();
        let mut times = std::collections::HashMap::new();
        let draws = 5 * count.max(100) as usize;
        for tour in numbers.tours(&draw(count, draws, 0), &|| true).unwrap() {
            *times.entry(tour.squares().to_vec()).or_insert(0u32) += 1;
        }
        let (tours, mean) = (count as f64, draws as f64 / count as f64);
        let drawn: f64 = times.values().map(|&times| (f64::from(times) - mean).powi(2) / mean).sum();
        let chi_square = drawn + (tours - times.len() as f64) * mean;
        // Of even draws one in a hundred is further from the degrees of freedom than so many of its standard deviations.
        let deviations = (chi_square - (tours - 1.0)) / (2.0 * (tours - 1.0)).sqrt();
        assert!(deviations < 2.5, "{board}: {chi_square}");
    }
}

#[test]
fn counts_beyond_64_bits_are_refused() {
    // A plan is refused by the published number; what makes layers does not use it and finds out by counting.
    let (too_large, watch) = (question("5x20", Ending::Closed), CountWatch::new(2));
    let planned = NumberingPlan::new(&too_large, &settings(2), None, &watch).map(|_| ());
    assert!(matches!(planned, Err(CountError::Outgrown { .. })));
    let plan = CountPlan::new(&too_large, 1 << 33, &watch).unwrap();
    let made = KeptLayers::make(&plan, &settings(2), &watch).map(|_| ());
    assert!(matches!(made, Err(CountError::Outgrown { .. })));
}

#[test]
fn layers_that_do_not_fit_in_memory_are_refused_with_the_bytes_needed() {
    let folder = tempfile::tempdir().unwrap();
    let (of_7x8, watch) = (question("7x8", Ending::Closed), CountWatch::new(2));
    let plan = CountPlan::new(&of_7x8, 1 << 33, &watch).unwrap();
    let refused = |memory, folder: Option<&LayerFolder>| {
        let settings = Settings { memory, ..settings(2) };
        match folder {
            Some(folder) => make::make_layers(&plan, &settings, folder, None, &watch).map(|_| ()),
            None => KeptLayers::make(&plan, &settings, &watch).map(|_| ()),
        }
        .unwrap_err()
    };
    let own = LayerFolder::new(folder.path(), &of_7x8).unwrap();
    let says = |refused: CountError, says: &str| assert!(refused.to_string().contains(says), "{refused}");
    says(refused(plan.memory(32), None), "numbering the closed tours of 7x8 (");
    says(refused(plan.memory(32) - 1, Some(&own)), "making the layers of the closed tours of 7x8 takes");
    assert!(refused(1, None).is_usage() && refused(1, Some(&own)).is_usage());
}

/// With the least memory that is enough, and with more until all layers have room, numbers have the same tours.
#[test]
fn layers_that_are_made_again_give_the_tours_of_those_that_are_kept() {
    for (board, ending) in [("6x7", Ending::Closed), ("5x6", Ending::Open), ("6x6-a1,f1", Ending::Open)] {
        let (question, watch) = (question(board, ending), CountWatch::new(2));
        let of = planned(&question, &watch);
        let numbers = of.numbers(None).unwrap();
        let drawn = draw(numbers.count(), 200, 3);
        let expected = numbers.tours(&drawn, &|| true).unwrap();
        let kept = |memory| {
            let settings = Settings { memory, ..settings(2) };
            NumberingPlan::new(&question, &settings, None, &watch)?;
            let (kept, _) = KeptLayers::make(&of.plan, &settings, &watch)?;
            Ok::<_, CountError>(kept.sweeps.iter().map(|layers| layers.len()).sum::<usize>())
        };
        assert_eq!(kept(1 << 33).unwrap(), of.steps(), "{board}: all of them");
        let (mut none, mut least) = (0, 1 << 33);
        while none + 4096 < least {
            let middle = (none + least) / 2;
            *if kept(middle).is_ok() { &mut least } else { &mut none } = middle;
        }
        assert!(kept(least).unwrap() < of.steps(), "{board}");
        for memory in [least, least + least / 50, least + least / 10] {
            let settings = Settings { memory, ..settings(2) };
            let numbers = NumberingPlan::new(&question, &settings, None, &watch).unwrap();
            let made = numbers.numbers(None).unwrap().tours(&drawn, &|| true).unwrap();
            assert_eq!(made, expected, "{board} {memory}");
        }
    }
}

/// A second process is refused while the first makes layers in a folder, and finds them when they are finished.
#[test]
fn only_one_process_makes_layers_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let other = LayerFolder::new(folder.path(), &question("5x6", Ending::Closed)).unwrap();
    let count = || in_folder("5x6", Ending::Closed, folder.path(), 1, |of| Ok(of.numbers(None)?.count()));
    let refused = count().unwrap_err();
    let says = "is being written by a run that is not over: wait for it, or name another folder";
    assert!(refused.is_usage() && refused.to_string().ends_with(says), "{refused}");
    drop(other);
    assert_eq!(count().unwrap(), 8);
    let mut other = LayerFolder::new(folder.path(), &question("5x6", Ending::Closed)).unwrap();
    other.claim().unwrap();
    assert_eq!(count().unwrap(), 8);
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
    let watch = CountWatch::new(2);
    let of = planned(&question("5x6", Ending::Closed), &watch);
    let back = of.numbers(None).unwrap().tours(&[0], &|| false).unwrap_err();
    let forward = of.ranks(&tours(&of, &[0]), &|| false).unwrap_err();
    assert!([back, forward].iter().all(|stopped| matches!(stopped, CountError::Stopped) && !stopped.is_usage()));
}

/// A changed byte in any file is refused, or has no effect; it never gives another tour.
#[test]
fn damaged_layers_are_refused_and_interrupted_ones_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<u128> = (0..16).collect();
    let made = || in_folder("3x10", Ending::Closed, folder.path(), 1, |of| of.numbers(None)?.tours(&all, &|| true));
    let tours = made().unwrap();
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 32, "the layers before and after each square, and the manifest");
    let (mut refused, mut harmless) = (0, 0);
    for file in &files {
        let good = std::fs::read(file).unwrap();
        for at in (0..good.len()).step_by(good.len().div_ceil(6)) {
            let mut bad = good.clone();
            bad[at] ^= 4;
            std::fs::write(file, &bad).unwrap();
            match made() {
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
        let cut = made().map(|_| ());
        // The walk begins at the state after the last square, so it does not read the count of that state.
        assert!(cut.is_err() || file.ends_with("sweep-0-layer-030"), "{}", file.display());
        std::fs::write(file, good).unwrap();
    }
    // Groups that no tour needs are not read.
    assert!(refused > 4 * harmless, "{refused} refused, {harmless} harmless");
    let foreign = in_folder("5x6", Ending::Closed, folder.path(), 1, |of| of.numbers(None).map(|_| ()));
    let foreign = foreign.unwrap_err().to_string();
    assert!(foreign.contains("closed tours of 10x3, not of the closed tours of 5x6"), "{foreign}");
    // Without the manifest the layers count as left by an interrupted process.
    std::fs::remove_file(folder.path().join("layers")).unwrap();
    std::fs::write(folder.path().join("sweep-0-layer-007"), "half").unwrap();
    assert_eq!(made().unwrap(), tours);
}
