//! `genetic`: islands of walks that are bred until one is a tour, one island per attempt.

use super::admit::{admit_small_board, allowed_starts};
use super::attempts::{AttemptFinder, AttemptSeries};
use super::finder::FinderCard;
use crate::find::genetic::{Island, IslandOptions};
use crate::words::grouped;
use fastrand::Rng;

/// Number of squares of the largest board. On 10x10 one island in twenty finds a tour, on 12x12 hardly any does.
const SQUARES_MAX: u32 = 144;

/// Number of islands after which the search gives up.
const ISLANDS: u64 = 1000;

/// The finder `genetic`.
pub const GENETIC: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        generations: true,
        ..FinderCard::new(
            "genetic",
            "an exhibit: coded walks bred with repair (Gordon and Slocum 2004), one island per attempt; small boards",
        )
    },
    admits: |request, name| admit_small_board(request, name, SQUARES_MAX),
    attempts: |request, listener| {
        let ending = request.ending;
        let starts = allowed_starts(request)?;
        let island = move |number| {
            let mut rng = Rng::with_seed(request.seed_of(number));
            let start = starts[rng.usize(..starts.len())];
            (number < ISLANDS).then(|| {
                let island = Island::new(&request.shape, ending, start, IslandOptions::usual(), rng.u64(..));
                island.reporting(move |generation| listener(number, generation))
            })
        };
        Ok(AttemptSeries::new(island, |_| {
            let generations = IslandOptions::usual().generations;
            format!("none of {} islands found a tour in {generations} generations", grouped(ISLANDS))
        }))
    },
    step_view: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending, Holes, Shape};
    use crate::find::genetic::Generation;
    use crate::solve::testing::{crew, tours};
    use crate::solve::{FindAnswer, Finder as _, Request};
    use std::sync::Mutex;

    fn request(board: &str, ending: Ending) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), ending)
    }

    #[test]
    fn the_answer_depends_on_the_seed_alone() {
        for ending in [Ending::Open, Ending::Closed] {
            let asked = |seed, threads| {
                let request = Request { seed, tours: 3, ..request("6x6", ending) };
                tours(&GENETIC.find(&request, crew(threads), &|_, _| {}).unwrap())
            };
            assert_eq!(asked(1, 1).len(), 3);
            assert_eq!(asked(1, 1), asked(1, 3));
            assert_ne!(asked(1, 1), asked(2, 1));
        }
    }

    #[test]
    fn generations_arrive_in_their_order() {
        let arrived = Mutex::new(Vec::new());
        let listener = |island: u64, generation: &Generation| arrived.lock().unwrap().push((island, generation.number));
        GENETIC.find(&request("8x8", Ending::Closed), crew(1), &listener).unwrap();
        let arrived = arrived.into_inner().unwrap();
        assert!(!arrived.is_empty() && arrived.is_sorted(), "{arrived:?}");
        assert_eq!(arrived[0], (0, 1));
    }

    /// Of the first generation there are 50 strings, and a tour comes before their end.
    #[test]
    fn the_generation_of_a_tour_is_told() {
        let arrived = Mutex::new(Vec::new());
        let listener = |_: u64, generation: &Generation| arrived.lock().unwrap().push(*generation);
        GENETIC.find(&request("5x5", Ending::Open), crew(1), &listener).unwrap();
        let last = *arrived.into_inner().unwrap().last().expect("one is told");
        assert_eq!((last.tours, last.distinct, last.best), (1, 1, 25), "{last:?}");
    }

    #[test]
    fn a_request_that_the_colours_forbid_is_impossible_without_a_search() {
        let board: Board = "5x5".parse().unwrap();
        let light = Request { start: board.at(1), ..Request::new(board, Ending::Open) };
        let minority =
            "b5 is light, and with one dark square more than light ones a tour begins and ends on dark squares";
        let odd = "a knight changes colour at every move, and 12 light and 13 dark squares do not make a closed tour";
        for (request, reason) in [(light, minority), (Request::new(board, Ending::Closed), odd)] {
            assert!(GENETIC.admits(&request).is_ok());
            match GENETIC.find(&request, crew(2), &|_, _| {}).unwrap().answer {
                FindAnswer::Impossible(said) => assert_eq!(said, reason),
                answer => panic!("{answer:?}"),
            }
        }
    }

    #[test]
    fn holes_change_the_colour_on_which_a_tour_starts() {
        // Without two corners 5x5 has 11 squares of their colour and 12 of the other.
        let board: Board = "5x5".parse().unwrap();
        let corners = Holes::new([0, 4].map(|k| board.at(k).unwrap()));
        let found = GENETIC.find(&Request::new(Shape::new(board, corners), Ending::Open), crew(1), &|_, _| {}).unwrap();
        assert_eq!(tours(&found)[0][0].index() % 2, 1);
    }
}
