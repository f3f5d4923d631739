//! Tests of the whole search; the rules and the origins are tested in their files.

use super::*;
use crate::board::{Board, Ending, Symmetries};
use crate::search::{Brute, Tally, laws};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn open(text: &str, start: Option<u32>) -> Path<u64> {
    let board = board(text);
    Path::open(board, start.map(|start| board.at(start).unwrap())).unwrap()
}

fn closed(text: &str, start: Option<u32>) -> Path<u64> {
    let board = board(text);
    Path::closed(board, start.map(|start| board.at(start).unwrap())).unwrap()
}

/// Sources: OEIS A165134, A083386, A079137, A169696 and A306281, twice their undirected figures; 1x1 by convention.
#[test]
fn open_tours_are_as_many_as_published() {
    for (board, tours) in [
        ("1x1", 1),
        ("1x4", 0),
        ("2x5", 0),
        ("3x3", 0),
        ("3x4", 16),
        ("4x4", 0),
        ("3x7", 104),
        ("4x5", 164),
        ("5x5", 1728),
        ("4x6", 1488),
        ("3x11", 21344),
        ("5x6", 37568),
        ("6x5", 37568),
        ("4x8", 62176),
    ] {
        assert_eq!(laws::count(&open(board, None), true, false).tours, tours, "{board}");
    }
}

/// Sources: OEIS A070030, A175855 and A175881.
#[test]
fn closed_tours_are_as_many_as_published() {
    for (board, tours) in [
        ("1x1", 0),
        ("2x6", 0),
        ("3x4", 0),
        ("4x6", 0),
        ("5x5", 0),
        ("3x10", 16),
        ("10x3", 16),
        ("3x14", 1536),
        ("5x6", 8),
        ("6x6", 9862),
        ("5x8", 44202),
    ] {
        assert_eq!(laws::count(&closed(board, None), true, false).tours, tours, "{board}");
    }
}

/// The measured size of this search's tree: it changes when a rule does.
#[test]
fn the_tree_keeps_its_measured_size() {
    for (search, nodes, pruned) in [
        (closed("6x6", None), 329_680, 25_251),
        (closed("5x8", None), 1_134_893, 65_123),
        (open("5x6", None), 137_479, 14_511),
    ] {
        let tally = laws::count(&search, true, false);
        assert_eq!((tally.nodes, tally.pruned), (nodes, pruned));
    }
}

#[test]
fn the_start_of_closed_tours_does_not_matter() {
    for start in 0..30 {
        assert_eq!(laws::count(&closed("5x6", Some(start)), true, false).tours, 8, "{start}");
    }
    assert_eq!(laws::count(&closed("6x6", Some(14)), true, false).tours, 9862);
}

#[test]
fn from_every_start_the_tours_are_as_many_as_by_plain_search() {
    let sides = (1..=20).flat_map(|rows| (1..=20 / rows).map(move |cols| (rows, cols)));
    for (rows, cols) in sides {
        let board = Board::new(rows, cols).unwrap();
        for start in board.all() {
            let plain = Brute::<u64>::new(board, Some(start)).unwrap();
            let path = Path::<u64>::open(board, Some(start)).unwrap();
            let expected = laws::count(&plain, true, false).tours;
            assert_eq!(laws::count(&path, true, false).tours, expected, "{board} {start:?}");
        }
    }
}

#[test]
fn the_tours_handed_out_expand_to_every_tour_once() {
    for (text, start) in [("1x1", None), ("3x4", None), ("4x5", None), ("5x5", Some(0)), ("5x5", Some(12))] {
        let tours = expanded(text, start);
        let plain = Brute::<u64>::new(board(text), start.and_then(|start| board(text).at(start))).unwrap();
        let expected = laws::tours(&plain, board(text), Ending::Open, &|tour, each| each(tour));
        assert!(tours == expected, "{text} {start:?}");
    }
    let tours: BTreeSet<_> = expanded("5x5", None).into_iter().collect();
    assert_eq!(tours.len(), 1728);
}

fn expanded(text: &str, start: Option<u32>) -> Vec<Vec<u8>> {
    let path = open(text, start);
    let images = path.images();
    laws::tours(&path, board(text), Ending::Open, &|tour, each| images.expand(tour, each))
}

#[test]
fn closed_tours_are_handed_out_once_in_one_direction() {
    for (text, start, count) in [("5x6", None, 8), ("3x10", Some(13), 16), ("6x6", None, 9862), ("6x6", Some(7), 9862)]
    {
        let path = closed(text, start);
        let tours = laws::tours(&path, board(text), Ending::Closed, &|tour, each| path.images().expand(tour, each));
        let undirected: BTreeSet<_> = tours.iter().map(|tour| tour.clone().min(reversed(tour))).collect();
        assert_eq!((tours.len(), undirected.len()), (count, count), "{text} {start:?}");
    }
}

/// Both kernels and gears, alone and shared, against the canonical tours among all tours.
#[test]
fn classes_are_as_many_as_canonical_tours() {
    let check = |text: &str, ending: Ending, plain: &Path<u64>, all: &[Vec<u8>]| {
        let symmetries = Symmetries::new(&board(text).into());
        let classes = all.iter().filter(|tour| symmetries.is_canonical(ending, tour)).count() as u64;
        let counts = Tally { tours: classes, ..laws::count(plain, true, true) };
        let search = plain.clone().classes(&board(text).into());
        for sparse in [true, false] {
            assert_eq!(laws::count(&search, sparse, true), counts, "{text} {ending:?} {sparse}");
        }
        assert_eq!(laws::count(&search, true, false).tours, classes, "{text} {ending:?}");
        assert_eq!(laws::count_shared(&search, 8), counts, "{text} {ending:?}");
        classes
    };
    for (rows, cols) in (1..=20).flat_map(|rows| (1..=20 / rows).map(move |cols| (rows, cols))) {
        let text = format!("{rows}x{cols}");
        check(&text, Ending::Open, &open(&text, None), &expanded(&text, None));
    }
    let classes = [("3x7", 14), ("5x5", 112), ("5x6", 4696), ("6x5", 4696)]
        .map(|(text, classes)| (check(text, Ending::Open, &open(text, None), &expanded(text, None)), classes));
    assert!(classes.iter().all(|&(found, known)| found == known), "{classes:?}");
    for (text, known) in [("1x1", 0), ("5x6", 3), ("3x10", 6), ("6x6", 1245)] {
        let all = laws::tours(&closed(text, None), board(text), Ending::Closed, &|tour, each| each(tour));
        assert_eq!(check(text, Ending::Closed, &closed(text, None), &all), known, "{text}");
    }
}

/// The closed tour in the other direction from its start.
fn reversed(tour: &[u8]) -> Vec<u8> {
    tour[..1].iter().chain(tour[1..].iter().rev()).copied().collect()
}

#[test]
fn both_gears_both_masks_and_both_kernels_give_equal_counts() {
    let check = |explicit: Tally, narrow: &dyn Fn(bool) -> Tally, wide: &dyn Fn(bool) -> Tally| {
        for sparse in [narrow(true), wide(true)] {
            assert!(sparse == explicit);
        }
        for bare in [narrow(false), wide(false)] {
            let counts = |tally: &Tally| (tally.nodes, tally.tours, tally.pruned);
            assert_eq!(counts(&bare), counts(&explicit));
        }
        assert_eq!(explicit.nodes, explicit.nodes_by_depth.iter().sum::<u64>());
        assert_eq!(explicit.pruned, explicit.pruned_by_depth.iter().sum::<u64>());
    };
    for text in ["1x1", "1x5", "3x3", "3x4", "4x5", "5x5", "3x9", "4x7", "5x6", "6x6"] {
        let board = board(text);
        for start in [None, Some(0), board.squares().checked_sub(board.cols() + 2)] {
            let start = start.and_then(|start| board.at(start));
            let (narrow, wide) =
                (Path::<u64>::closed(board, start).unwrap(), Path::<u128>::closed(board, start).unwrap());
            let count = |levels| laws::count(&narrow, true, levels);
            check(laws::count(&narrow, false, true), &count, &|levels| laws::count(&wide, true, levels));
            if board.squares() > 30 {
                continue;
            }
            let (narrow, wide) = (Path::<u64>::open(board, start).unwrap(), Path::<u128>::open(board, start).unwrap());
            let count = |levels| laws::count(&narrow, true, levels);
            check(laws::count(&narrow, false, true), &count, &|levels| laws::count(&wide, true, levels));
        }
    }
}

/// A tour of 8x9 has 72 squares: the first ones are found by either gear, and are tours.
#[test]
fn boards_of_more_than_64_squares_are_searched() {
    struct First(Board, u64);
    impl crate::search::TourSink for First {
        fn tour(&mut self, squares: &[u8]) -> u64 {
            let squares: Vec<Square> = squares.iter().map(|&s| self.0.at(u32::from(s)).unwrap()).collect();
            crate::board::Tour::verify(self.0, Ending::Closed, squares).unwrap();
            self.1 += 1;
            1
        }
    }
    let board = board("8x9");
    assert!(Path::<u64>::closed(board, None).is_none());
    let mut path = Path::<u128>::closed(board, None).unwrap();
    path.begin(&Task::root());
    let (mut sink, mut tally) = (First(board, 0), Tally::default());
    let status = path
        .advance(Burst::nodes(2_000_000), &mut BurstOutput { tally: &mut tally, levels: true, sink: Some(&mut sink) });
    assert_eq!((status, tally.nodes, tally.tours), (BurstEnd::Yielded, 2_000_000, sink.1));
    assert!(sink.1 > 0);
}

#[test]
fn the_drawing_shows_the_path_and_the_required_last_square() {
    let mut path = closed("6x6", None);
    let mut drawing = Drawing::default();
    path.begin(&Task::root());
    path.draw(&mut drawing);
    assert_eq!(drawing, Drawing { chains: vec![vec![]], reserved: None, skipped: 0 });
    let mut tally = Tally::default();
    path.advance(Burst::nodes(2), &mut BurstOutput::counting(&mut tally));
    path.draw(&mut drawing);
    assert_eq!(drawing, Drawing { chains: vec![vec![0, 13]], reserved: Some(8), skipped: 0 });
    assert_eq!(path.depth(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn totals_do_not_depend_on_bursts_gears_and_parts(seed: u64) {
        for search in [open("5x6", None), open("4x6", Some(1)), closed("6x6", None), closed("5x6", Some(14))] {
            let expected = laws::count(&search, false, true);
            prop_assert!(laws::count_shared(&search, seed) == expected);
        }
    }
}
