//! `neural`: networks that settle into cycles, one network per attempt, until one settles into a single cycle.

use super::admit::{admit_small_board, allowed_starts};
use super::card::{FinderCard, Refusal};
use super::finder::{FindResult, Finder, Request};
use crate::board::Ending;
use crate::find::{Attempt, Network};
use crate::schedule::{Crew, RunError};
use crate::words::grouped;

/// Number of squares of the largest board. On 20x20 one network of 280 settles into one cycle.
const SQUARES_MAX: u32 = 400;

/// Number of networks after which the search gives up.
const NETWORKS: u64 = 20_000;

/// The finder `neural`.
pub struct NeuralFinder;

impl Finder for NeuralFinder {
    fn card(&self) -> &'static FinderCard {
        const CARD: FinderCard = FinderCard::new(
            "neural",
            "an exhibit: closed tours by a neural network (Takefuji and Lee 1992), restarted until its cycles are one",
        );
        &CARD
    }

    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        if request.ending == Ending::Open {
            return Err(Refusal(
                "neural settles into cycles, so it finds closed tours only; use genetic for open ones".to_owned(),
            ));
        }
        admit_small_board(request, self.name(), SQUARES_MAX)
    }

    fn find(&self, request: &Request, crew: Crew) -> Result<FindResult, RunError> {
        let start = match allowed_starts(request) {
            Ok(starts) => starts[0],
            Err(reason) => return FindResult::impossible(&crew, reason),
        };
        let networks = |number| {
            let network = || Network::new(request.board, start, &request.holes, request.seed_of(number));
            (number < NETWORKS).then(|| Box::new(network()) as Box<dyn Attempt>)
        };
        request.race(&crew, &networks, |_| format!("none of {} networks settled into one cycle", grouped(NETWORKS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::FindAnswer;
    use crate::solve::testing::{crew, tours};

    #[test]
    fn the_answer_depends_on_the_seed_alone() {
        let asked = |seed, threads| {
            let board: crate::board::Board = "8x8".parse().unwrap();
            let request = Request { seed, tours: 3, start: board.at(9), ..Request::new(board, Ending::Closed) };
            tours(&NeuralFinder.find(&request, crew(threads)).unwrap())
        };
        assert_eq!(asked(1, 1).len(), 3);
        assert!(asked(1, 1).iter().all(|tour| tour[0].index() == 9));
        assert_eq!(asked(1, 1), asked(1, 3));
        assert_ne!(asked(1, 1), asked(2, 1));
    }

    #[test]
    fn a_board_without_a_single_cycle_gives_no_tour() {
        // 4x4 has cycles that visit every square, but no closed tour (Schwenk 1991).
        let request = Request::new("4x4".parse().unwrap(), Ending::Closed);
        match NeuralFinder.find(&request, crew(2)).unwrap().answer {
            FindAnswer::NotFound(reason) => assert_eq!(reason, "none of 20,000 networks settled into one cycle"),
            answer => panic!("{answer:?}"),
        }
    }

    #[test]
    fn open_tours_are_refused() {
        let refusal = NeuralFinder.admits(&Request::new("8x8".parse().unwrap(), Ending::Open)).unwrap_err();
        let words = "neural settles into cycles, so it finds closed tours only; use genetic for open ones";
        assert_eq!(refusal.to_string(), words);
    }
}
