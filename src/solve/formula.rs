//! `tiles` and `quadrants`: constructions whose tours are formulae. Different seeds give different tours. The workers
//! check a tour before it is an answer: a small one whole, a large one in random stretches.

use super::card::{Refusal, refuse};
use super::finder::{FindAnswer, FindResult, Finder, FinderCard, GenerationListener, Request};
use crate::board::{Board, Ending, Route, Square};
use crate::find::Attempt;
use crate::find::comb::{Bands, Comb, CombError, Quadrants, Quarters, Tiled, TiledLayout};
use crate::schedule::{Crew, Race, RaceEnd, RunError};
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

/// Number of squares of a stretch, which one worker checks at a time.
const STRETCH: u32 = 1 << 14;
/// Number of stretches of the largest tours that are checked whole, up to 362x362.
const WHOLE_MAX: u64 = 8;
/// Number of random stretches that are checked of a larger tour. The check finds a wrong formula before any output. The writer
/// of a tour checks every square once more, and so does the view of a tour of up to 2048x2048.
const STRETCHES: u64 = 2;
/// Most seeds in succession that may give a tour found before.
const REPEATS_MAX: u32 = 32;

/// Makes the tour of a seed, with the given ends.
type LayTour<L> = fn(Board, Ending, [Option<Square>; 2], u64) -> Result<Tiled<L>, CombError>;

/// A method whose tours are formulae.
pub struct FormulaFinder<L> {
    /// The card of the method.
    pub card: &'static FinderCard,
    /// The construction.
    pub lay: LayTour<L>,
    /// Whether it has tours of a board, where no ends are given.
    pub fits: fn(Board) -> Result<(), CombError>,
}

/// The finder `tiles`: a comb of tiles, on boards of any size at once.
pub const TILES: FormulaFinder<Bands> = FormulaFinder {
    card: &FinderCard {
        attempts: false,
        ..FinderCard::new(
            "tiles",
            "a comb of 6x6 tiles, or blocks on boards 3 and 4 wide: at once, on any board that has a tour",
        )
    },
    lay: Comb::new,
    fits: |_| Ok(()),
};

/// The finder `quadrants`: Parberry's divide and conquer.
pub const QUADRANTS: FormulaFinder<Quarters> = FormulaFinder {
    card: &FinderCard {
        attempts: false,
        ..FinderCard::new(
            "quadrants",
            "four boards joined where they meet, divided again (Parberry 1997): n x n and n x (n + 2), n even",
        )
    },
    lay: Quadrants::new,
    fits: Quadrants::fits,
};

impl<L: TiledLayout + Clone + Eq + Hash + 'static> Finder for FormulaFinder<L> {
    fn card(&self) -> &'static FinderCard {
        self.card
    }

    /// Takes a request that prescribes nothing but ends, if the tour of the first seed can have these ends.
    fn admits(&self, request: &Request) -> Result<(), Refusal> {
        let restricts_more = !request.restricts_ends_only();
        let why = || format!("{} takes no holes or prescribed moves; use edges, which does", self.name());
        refuse(restricts_more.then(why))?;
        let has_ends = request.start.or(request.end).is_some();
        match if has_ends { self.lay_tour(request, 0).map(drop) } else { (self.fits)(request.board()) } {
            // The proof that there is no such tour is an answer, not a refusal.
            Ok(()) | Err(CombError::NoTour { .. }) => Ok(()),
            Err(error) => Err(Refusal(error.to_string())),
        }
    }

    /// Makes the requested number of different tours, and lets the crew check them.
    fn find(&self, request: &Request, crew: Crew, _: &GenerationListener<'_>) -> Result<FindResult, RunError> {
        let watch = crew.watch();
        let tours = match self.lay_different_tours(request, || watch.halted()) {
            Ok(tours) => tours,
            Err(reason) => return FindResult::impossible(&crew, reason),
        };
        let squares = request.board().squares();
        let (whole, last) = (u64::from(squares.div_ceil(STRETCH)), squares.saturating_sub(STRETCH));
        let stretches = if whole > WHOLE_MAX { STRETCHES } else { whole };
        let check = |number: u64| {
            let tour = tours.get((number / stretches) as usize)?;
            let from = match number % stretches {
                stretch if whole == stretches => stretch as u32 * STRETCH,
                _ => fastrand::Rng::with_seed(request.seed_of(number)).u32(0..=last),
            };
            Some(Box::new(tour.checked_stretch(from, STRETCH)) as Box<dyn Attempt + '_>)
        };
        let (shape, ending) = (request.shape.clone(), request.ending);
        let finish = crew.race(&Race { shape, ending, tours: 1, are_grids: false, attempts: &check })?;
        let answer = match finish.end {
            RaceEnd::Stopped => FindAnswer::NotFound("the run was stopped before the tour was checked".to_owned()),
            _ => FindAnswer::Tours(tours.iter().map(|tour| Arc::clone(tour) as Arc<dyn Route>).collect()),
        };
        Ok(FindResult { answer, attempts: 0, device: None, outcome: finish.outcome })
    }
}

impl<L: TiledLayout + Clone + Eq + Hash> FormulaFinder<L> {
    /// The tour of attempt number `number`.
    fn lay_tour(&self, request: &Request, number: u64) -> Result<Tiled<L>, CombError> {
        (self.lay)(request.board(), request.ending, [request.start, request.end], request.seed_of(number))
    }

    /// Different tours, up to the requested number or until `halted`; the error says why there is no tour.
    fn lay_different_tours(&self, request: &Request, halted: impl Fn() -> bool) -> Result<Vec<Arc<Tiled<L>>>, String> {
        let (mut tours, mut seen, mut repeats) = (Vec::new(), HashSet::new(), 0);
        for number in 0.. {
            if tours.len() as u64 >= request.tours || repeats == REPEATS_MAX || halted() {
                break;
            }
            repeats += 1;
            match self.lay_tour(request, number).map(Arc::new) {
                Ok(tour) if seen.insert(Arc::clone(&tour)) => {
                    tours.push(tour);
                    repeats = 0;
                }
                Err(CombError::NoTour { reason, .. }) => return Err(reason),
                // A tour found before, or a cycle on which the ends are no neighbours.
                Ok(_) | Err(_) => {}
            }
        }
        Ok(tours)
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Ending, Holes, Shape, verify_by_numbers};
    use crate::solve::testing::crew;
    use crate::solve::{FindAnswer, FindResult, Request, finder_by_name};

    fn find(name: &str, request: &Request) -> FindResult {
        let finder = finder_by_name(name).unwrap();
        finder.admits(request).unwrap();
        finder.find(request, crew(2), &|_, _| {}).unwrap()
    }

    fn request(board: &str) -> Request {
        let board: crate::board::Board = board.parse().unwrap();
        let closed = board.existence(Ending::Closed).exists;
        Request::new(board, if closed { Ending::Closed } else { Ending::Open })
    }

    #[test]
    fn a_tour_is_checked_whole_or_in_two_stretches_if_it_is_large() {
        for (name, board, checked) in [
            ("tiles", "5x5", 25),
            ("tiles", "3x30", 90),
            ("tiles", "301x401", 301 * 401),
            ("quadrants", "300x302", 300 * 302),
            ("tiles", "1000x1000", 2 << 14),
            ("tiles", "20000x30001", 2 << 14),
        ] {
            let found = find(name, &request(board));
            let nodes: u64 = found.outcome.workers.iter().map(|worker| worker.tally.nodes).sum();
            assert!(matches!(&found.answer, FindAnswer::Tours(tours) if tours.len() == 1), "{board}");
            assert_eq!((nodes, found.outcome.complete()), (checked, true), "{board}");
        }
    }

    #[test]
    fn several_tours_differ_and_may_be_fewer_than_requested() {
        for (name, board, tours) in [("tiles", "12x13", 50), ("quadrants", "14x14", 50), ("tiles", "3x4", 5)] {
            let found = find(name, &Request { tours, ..request(board) });
            let FindAnswer::Tours(routes) = found.answer else { panic!("{board}") };
            let walks: std::collections::HashSet<Vec<_>> = routes.iter().map(|route| route.walk().collect()).collect();
            assert_eq!(walks.len(), routes.len(), "{board}");
            assert!(routes.iter().all(|route| verify_by_numbers(&**route).all(|square| square.is_ok())));
            assert!(routes.len() as u64 == tours || board == "3x4" && !routes.is_empty(), "{board} {}", routes.len());
        }
    }

    #[test]
    fn an_impossible_tour_is_an_answer_and_an_unsupported_request_a_refusal() {
        let impossible = |request: &Request| match find("tiles", request).answer {
            FindAnswer::Impossible(reason) => reason,
            answer => panic!("{answer:?}"),
        };
        let closed = |board: &str| Request { ending: Ending::Closed, ..request(board) };
        assert!(impossible(&closed("5x5")).starts_with("both sides are odd"));
        let odd = request("7x9");
        let dark = Request { start: odd.board().square(0, 1), ..odd.clone() };
        assert!(impossible(&dark).contains("one dark square more"), "{}", impossible(&dark));
        let tiles = finder_by_name("tiles").unwrap();
        let far = Request { start: odd.board().square(6, 8), ..request("21x21") };
        let refusal = tiles.admits(&Request { start: far.board().square(20, 20), ..far }).unwrap_err().to_string();
        assert!(refusal.contains("rows 1 to 9 and columns 1 to 9"), "{refusal}");
        let holed = Request { shape: Shape::new(odd.board(), Holes::new(odd.start.or(odd.board().at(0)))), ..odd };
        let refusal = tiles.admits(&holed).unwrap_err().to_string();
        assert_eq!(refusal, "tiles takes no holes or prescribed moves; use edges, which does");
    }
}
