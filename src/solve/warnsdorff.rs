//! `warnsdorff`: many knights that follow Warnsdorff's rule, in a race over starts and ties.

use super::admit::admit_start_and_holes;
use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::refuse;
use super::finder::{FinderCard, Request, RequestOption};
use crate::board::{Ending, Square, Symmetry};
use crate::find::{self, Attempt as _, HOPS_MAX, RuleManner, Tie};
use crate::schedule::RaceResult;
use crate::words::grouped;
use fastrand::Rng;

/// Number of squares of the largest board on which the finder looks for a closed tour by luck. There one open tour in some
/// hundreds is closed.
const CLOSED_MAX: u32 = 10_000;
/// Number of squares that all attempts may visit together, in a few seconds. The number of attempts also has a lower and an
/// upper limit.
const SQUARES_BUDGET: u64 = 400_000_000;

/// The finder `warnsdorff`.
///
/// Attempt 0 follows the request literally, from the top left corner if the request has no start. Without a tie-break in
/// the request, attempt 0 uses `roth` and later attempts use `roth-random`. With a tie-break, every attempt uses it. If the
/// request has no start, attempts differ in the start and in the symmetry of the order of moves. If it has a start and a
/// random tie-break, attempts differ in the random numbers. Otherwise only the other seven symmetries are left to try.
pub const WARNSDORFF: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        options: &[RequestOption::TIE, RequestOption::HOPS],
        closes_by_luck: true,
        ..FinderCard::new(
            "warnsdorff",
            "always to a square of lowest rank, ties by --tie, several moves at once by --hops; raced over starts and ties",
        )
    },
    admits: |request, name| {
        admit_start_and_holes(request, name)?;
        let (board, Request { ending, hops, .. }) = (request.board(), request);
        let why = || format!("warnsdorff decides up to {HOPS_MAX} hops at once, not {hops}; use a smaller number");
        refuse((*hops > HOPS_MAX).then(why))?;
        refuse((*ending == Ending::Closed && board.squares() > CLOSED_MAX).then(|| {
            format!(
                "warnsdorff closes a tour only by luck, so it takes up to {} squares for closed tours, not {board}; use tiles",
                grouped(CLOSED_MAX)
            )
        }))
    },
    attempts: |request, _| Ok(AttemptSeries::new(|number| knight(request, number), |finish| why_none(request, finish))),
    step_view: None,
};

fn why_none(request: &Request, finish: &RaceResult) -> String {
    let Some(mut first) = knight(request, 0) else { return "every square is a hole".to_owned() };
    find::run(&mut first);
    let (attempts, reached) = (grouped(finish.attempts), first.depth() as u64);
    let squares = u64::from(request.shape.squares());
    let tour = if request.ending == Ending::Open { "an open tour" } else { "a closed tour" };
    let far = match squares - reached {
        0 => format!("all {} squares, but its path did not close", grouped(squares)),
        _ => format!("{} of {} squares", grouped(reached), grouped(squares)),
    };
    format!("none of {attempts} attempts made {tour}; the first one visited {far}")
}

/// The knight of attempt number `number`; `None` after the last attempt.
fn knight(request: &Request, number: u64) -> Option<find::Warnsdorff> {
    let Request { ref shape, ending, hops, .. } = *request;
    let most = (SQUARES_BUDGET / u64::from(shape.board().squares())).clamp(16, 100_000);
    let tie = request.tie.unwrap_or(if number == 0 { Tie::Roth } else { Tie::RothRandom });
    let only_symmetries = request.start.is_some() && !tie.is_random();
    if number >= if only_symmetries { Symmetry::ALL.len() as u64 } else { most } {
        return None;
    }
    let mut rng = Rng::with_seed(request.seed_of(number));
    let start = match request.start {
        Some(start) => start,
        None => match shape.all().next()? {
            first if number == 0 => first,
            _ => random_start(request, &mut rng),
        },
    };
    let mirror = Symmetry::ALL[(number % 8) as usize];
    Some(find::Warnsdorff::new(shape, ending, start, RuleManner { tie, mirror, hops, seed: rng.u64(..) }))
}

/// A random square that is no hole, of which there must be one; on a board with an odd number of squares and no holes, of the colour on which tours
/// start.
fn random_start(request: &Request, rng: &mut Rng) -> Square {
    let (board, shape) = (request.board(), &request.shape);
    let odd = !shape.has_holes() && board.squares() % 2 == 1;
    loop {
        let square = board.at(rng.u32(..board.squares()));
        let suits = |square: &Square| {
            let (row, col) = board.row_col(*square);
            shape.has(*square) && (!odd || (row + col) % 2 == 0)
        };
        if let Some(square) = square.filter(suits) {
            return square;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Holes, Shape};
    use crate::solve::testing::{ask, crew, tours};
    use crate::solve::{FindAnswer, Finder as _};

    fn request(board: &str) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), Ending::Open)
    }

    #[test]
    fn a_fixed_rule_is_tried_in_all_eight_symmetries_of_a_given_start() {
        let board = request("8x8").board();
        let ask = |start, tie| {
            let request = Request { start: board.parse_square(start).ok(), tie: Some(tie), ..request("8x8") };
            WARNSDORFF.find(&request, crew(1), &|_, _| {}).unwrap()
        };
        // From c8, the one start of 8x8 from which Kurapati's order fails, some mirror image of it completes.
        let found = ask("c8", Tie::Kurapati);
        assert!((2..=8).contains(&found.attempts));
        assert_eq!(tours(&found)[0][0], board.parse_square("c8").unwrap());
        let found = WARNSDORFF
            .find(&Request { start: board.at(1), tie: Some(Tie::Fixed), ..request("4x4") }, crew(2), &|_, _| {})
            .unwrap();
        let FindAnswer::NotFound(why) = found.answer else { panic!("{:?}", found.answer) };
        assert_eq!(why, "none of 8 attempts made an open tour; the first one visited 8 of 16 squares");
    }

    /// No start can be drawn there, by any finder.
    #[test]
    fn where_every_square_is_a_hole_no_tour_is_found() {
        let request = request("5x5");
        let request = Request { shape: Shape::new(request.board(), Holes::new(request.board().all())), ..request };
        let end = |finder| ask(finder, &request, 2).unwrap_err();
        assert_eq!(end(&WARNSDORFF), "every square is a hole");
        crate::solve::method::finders().for_each(|finder| drop(end(finder)));
    }

    /// From a corner, by rules without luck, none of eight attempts on 10x10 closes.
    #[test]
    fn an_attempt_that_visits_all_squares_and_does_not_close_is_not_told_as_a_tour() {
        let corner = request("10x10").board().at(0);
        let closed = Request { ending: Ending::Closed, start: corner, ..request("10x10") };
        let why = |tie| match WARNSDORFF
            .find(&Request { tie: Some(tie), ..closed.clone() }, crew(1), &|_, _| {})
            .unwrap()
            .answer
        {
            FindAnswer::NotFound(why) => why,
            found => panic!("{tie:?}: {found:?}"),
        };
        let all: Vec<String> = Tie::ALL.into_iter().filter(|tie| !tie.is_random()).map(why).collect();
        let open =
            "none of 8 attempts made a closed tour; the first one visited all 100 squares, but its path did not close";
        assert!(all.iter().any(|why| why == open), "{all:?}");
        assert!(all.iter().all(|why| !why.contains("100 of 100")), "{all:?}");
    }

    #[test]
    fn without_a_start_many_are_tried_and_the_number_of_workers_does_not_matter() {
        // 7x7 has many starts from which a rule fails, and half its squares are of the wrong colour.
        for tie in [None, Some(Tie::Kurapati), Some(Tie::Random), Some(Tie::Pohl(2))] {
            let request = Request { tie, tours: 20, seed: 9, ..request("7x7") };
            let [one, three] =
                [1, 3].map(|threads| tours(&WARNSDORFF.find(&request, crew(threads), &|_, _| {}).unwrap()));
            assert_eq!((one.len(), &one), (20, &three), "{tie:?}");
        }
    }

    #[test]
    fn closed_tours_are_found_by_luck_and_holes_are_avoided() {
        let closed = Request { ending: Ending::Closed, tours: 3, ..request("20x20") };
        assert_eq!(tours(&WARNSDORFF.find(&closed, crew(2), &|_, _| {}).unwrap()).len(), 3);
        let holes = Holes::new([21, 22, 77, 78].into_iter().filter_map(|at| closed.board().at(at)));
        let holed = Request { shape: Shape::new(closed.board(), holes), ..request("20x20") };
        assert_eq!(tours(&WARNSDORFF.find(&holed, crew(2), &|_, _| {}).unwrap())[0].len(), 396);
    }

    #[test]
    fn a_refusal_says_what_is_not_taken() {
        let refusal = |request: &Request| WARNSDORFF.admits(request).unwrap_err().to_string();
        assert_eq!(WARNSDORFF.admits(&request("200x200")), Ok(()));
        let closed = Request { ending: Ending::Closed, ..request("200x200") };
        assert_eq!(
            refusal(&closed),
            "warnsdorff closes a tour only by luck, so it takes up to 10,000 squares for closed tours, not 200x200; use tiles"
        );
        assert_eq!(
            refusal(&Request { hops: 7, ..request("8x8") }),
            "warnsdorff decides up to 6 hops at once, not 7; use a smaller number"
        );
        let end = request("8x8").board().at(5);
        assert_eq!(refusal(&Request { end, ..request("8x8") }), "warnsdorff takes no end; use edges, which does");
        let must = vec![[request("8x8").board().at(0).unwrap(), request("8x8").board().at(10).unwrap()]];
        assert_eq!(
            refusal(&Request { must, ..request("8x8") }),
            "warnsdorff takes no prescribed moves; use edges, which does"
        );
    }
}
