//! Counts of boards with holes: with the mirror and without it, turned, and kept in files. That they are the numbers of tours that a search
//! lists, `tests/count_twin.rs` shows.

use super::pass::steps::{Pass, PassResources};
use super::pass::threads::CountThreads;
use super::states::mirror::Stored;
use super::states::order::Images;
use super::states::sweep::sweeps_of;
use super::tests::{answer, question, settings};
use super::*;
use crate::board::{Board, Ending, Holes, Shape, Symmetry};
use crate::saved::SavedRun as _;

/// The numbers of the sweeps of a question, counted with one of two images or both, in layers that are sparse or dense.
fn numbers(query: &CountQuestion, images: Images, sparse_counts: u64) -> Vec<u128> {
    let watch = CountWatch::new(2);
    let plan = CountPlan::of_sweeps(query, sweeps_of(query), images, (1 << 34).into(), &watch).unwrap();
    let threads = CountThreads { pool: &plan.pool, watch: &watch };
    let resources = PassResources { sparse_counts, growth: 0, ..PassResources::new(threads, 1 << 33) };
    let number = |sweep| Pass::new(sweep, Modulus::None, &resources).unwrap().run(|_| ()).unwrap();
    plan.sweeps.iter().map(number).collect()
}

/// Shapes that are their own image when left and right are exchanged, or top and bottom on a square board.
#[test]
fn one_of_two_images_counts_the_same_as_both_around_holes() {
    let mut tours = 0;
    for text in [
        "3x3-b2",
        "6x6-a1,f1",
        "6x6-a1,a6",
        "6x6-c3,d3,c4,d4",
        "5x5-c3",
        "6x5-c2,a6,e6",
        "7x5-c4",
        "7x6-c1,d1,c7,d7",
        "7x5-c3,b5,d5",
        "6x5-a3,b3,c3,d3,e3",
        "6x4-a6,d6,b1,c1",
        "4x4-a4,d4",
        "7x3-b1,b3",
    ] {
        for ending in [Ending::Closed, Ending::Open] {
            let query = CountQuestion { strict: ending == Ending::Open, ..question(text, ending) };
            let both = numbers(&query, Images::Both, 10_000);
            for sparse_counts in [0, u64::MAX] {
                assert_eq!(numbers(&query, Images::OneOfTwo, sparse_counts), both, "{text} {ending:?}");
            }
            tours += both.iter().sum::<u128>();
            let plan = CountPlan::new(&query, 1 << 33, &CountWatch::new(1)).unwrap();
            let is_halved = |stored: Stored| stored.halving().is_some();
            assert!(plan.sweeps.iter().all(|sweep| is_halved(sweep.order.stored(0))), "{text} {ending:?}");
        }
    }
    assert!(tours > 100_000, "{tours}");
}

/// Wherever the holes stand after a turn, and whichever side is across.
#[test]
fn a_turned_shape_has_as_many_tours() {
    for text in ["4x6-a4,f4,a1,f1", "5x6-a5,b5", "5x5-a1", "5x5-b1,b2,d4,e1", "4x7-c1,c4,e2", "6x5-a1,b1,c1,d1,e1,c3"] {
        let shape: Shape = text.parse().unwrap();
        let number = |shape: Shape, (ending, unique)| {
            let query = CountQuestion { unique, ..CountQuestion::new(shape, ending) };
            answer(&query, &settings(1)).boards[0].count.clone()
        };
        for asked in [Ending::Closed, Ending::Open].into_iter().flat_map(|ending| [(ending, false), (ending, true)]) {
            let own = number(shape.clone(), asked);
            for symmetry in Symmetry::ALL {
                let board = shape.board();
                let to = if symmetry.exchanges_sides() { board.transposed() } else { board };
                let holes = shape.holes().squares().iter().map(|&hole| symmetry.apply(board, hole));
                let image = Shape::new(to, Holes::new(holes));
                assert_eq!(number(image.clone(), asked), own, "{text} and {image}, {asked:?}");
            }
        }
    }
}

#[test]
fn rows_and_columns_of_holes_at_the_edges_do_not_matter() {
    for (text, board) in [
        ("7x6-a1,b1,c1,d1,e1,f1", "6x6"),
        ("6x8-a1,a2,a3,a4,a5,a6,h1,h2,h3,h4,h5,h6", "6x6"),
        ("6x6-a6,b6,c6,d6,e6,f6,a5,a4,a3,a2,a1", "5x5"),
    ] {
        for ending in [Ending::Closed, Ending::Open] {
            let [cut, whole] = [text, board].map(|name| answer(&question(name, ending), &settings(2)));
            let found = |answer: &CountAnswer| (answer.boards[0].count.clone(), answer.peak_states);
            assert_eq!(found(&cut), found(&whole), "{text} {ending:?}");
        }
    }
}

/// Far from the holes the layers of a long shape are those of rows before.
#[test]
fn the_rows_of_a_long_shape_are_planned_once() {
    let bytes = |text: &str| {
        CountPlan::new(&question(text, Ending::Closed), 1 << 30, &CountWatch::new(1)).unwrap().pattern_bytes()
    };
    for (board, holes) in [("60x6", "a1,b1"), ("60x5", "a1,d1")] {
        let (whole, around) = (bytes(board), bytes(&format!("{board}-{holes}")));
        assert!(around > 0 && around < 5 * whole, "{board}-{holes}: {around}, whole {whole}");
    }
}

/// A shape of which no hole is named is the board: the same question, plan and file.
#[test]
fn a_shape_without_holes_is_the_board() {
    let board: Board = "6x7".parse().unwrap();
    let bare = CountQuestion::new(Shape::new(board, Holes::new([])), Ending::Open);
    assert_eq!(bare, CountQuestion::new(board, Ending::Open));
    let saved = serde_json::to_string(&SavedQuestion::new(&bare, None)).unwrap();
    assert_eq!(saved, r#"{"board":"6x7","ending":"open","start":null,"unique":false,"strict":false,"modulus":null}"#);
}

#[test]
fn a_file_of_a_shape_is_read_again_and_refused_for_another_shape() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shape");
    let with = Settings { checkpoint: Some(path.clone()), ..settings(1) };
    let query = question("5x6-a5,b5", Ending::Closed);
    let first = answer(&query, &with);
    assert_eq!(first.count().unwrap().to_string(), "302");
    assert_eq!(SavedCount::read(&path).unwrap().question.question, query);
    assert_eq!(answer(&query, &with).boards, first.boards);
    for other in ["5x6", "5x6-a5,c5"] {
        let other = question(other, Ending::Closed);
        let watch = CountWatch::new(1);
        let plan = CountPlan::new(&other, 1 << 30, &watch).unwrap();
        let why = super::tests::run(&plan, &with, &watch).unwrap_err().to_string();
        assert!(why.contains("of the closed tours of 5x6-a5,b5, not of the closed tours of 5x6"), "{why}");
    }
}
