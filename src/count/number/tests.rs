//! Numbers and tours, there and back: every tour of small boards, in memory and in files.

use super::super::tests::{question, settings};
use super::*;
use std::collections::HashSet;

fn numbers(board: &str, ending: Ending) -> Numbers {
    Numbers::new(&question(board, ending), &settings(2), None, &Watch::new(2)).unwrap()
}

fn all_tours(of: &Numbers) -> Vec<Tour> {
    let all: Vec<u128> = (0..of.count()).collect();
    let tours = of.tours(&all, &|| true).unwrap();
    assert_eq!(of.numbers(&tours, &|| true).unwrap(), all);
    tours
}

/// Each number is a tour's, and every tour has another one: as many different ones as there are tours, and back.
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
        ("1x1", Ending::Open, 1),
        ("4x4", Ending::Open, 0),
        ("3x3", Ending::Closed, 0),
    ] {
        let of = numbers(board, ending);
        assert_eq!(of.count(), count, "{board}");
        let tours = all_tours(&of);
        let different: HashSet<Box<[_]>> = tours.iter().map(Tour::reading).collect();
        assert_eq!(different.len() as u128, count, "{board}");
    }
}
