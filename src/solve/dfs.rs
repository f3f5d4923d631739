//! `dfs`, `order-by-avail` and `order-by-avail-reversed`: depth-first search with backtracking, with three preferences among
//! the moves.

use super::admit::admit_start_and_holes;
use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::{Refusal, refuse};
use super::finder::{FinderCard, Request, RequestOption};
use crate::explain::{Explained, ExplainedWalk, Trail};
use crate::find::{DepthFirst, MoveOrder, Preference};

/// The finder `dfs`: moves in the order of the request.
pub const DFS: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        options: &[RequestOption::ORDER],
        closes_by_luck: true,
        ..FinderCard::new(
            "dfs",
            "depth-first search with backtracking, moves by --order: how hard it is without a heuristic",
        )
    },
    admits: admit_start_and_holes,
    attempts: |request, _| Ok(attempts(request, by_order(request))),
    step_view: Some(|request| step_view(request, by_order(request))),
};

/// The finder `order-by-avail`: squares with the fewest onward moves first.
pub const ORDER_BY_AVAIL: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        closes_by_luck: true,
        ..FinderCard::new(
            "order-by-avail",
            "Warnsdorff with backtracking (Miller and Ranum): squares with the fewest moves onward first",
        )
    },
    admits: admit_start_and_holes,
    attempts: |request, _| Ok(attempts(request, Preference::FewestFirst)),
    step_view: Some(|request| step_view(request, Preference::FewestFirst)),
};

/// The finder `order-by-avail-reversed`: squares with the most onward moves first.
pub const ORDER_BY_AVAIL_REVERSED: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        closes_by_luck: true,
        ..FinderCard::new(
            "order-by-avail-reversed",
            "depth-first search, squares with the most moves onward first: how the knight is stranded on one side",
        )
    },
    admits: admit_start_and_holes,
    attempts: |request, _| Ok(attempts(request, Preference::MostFirst)),
    step_view: Some(|request| step_view(request, Preference::MostFirst)),
};

fn by_order(request: &Request) -> Preference {
    Preference::Order(request.order.unwrap_or(MoveOrder::Natural))
}

/// The search for the step view. Refuses a random order, a board with holes, and a board of more than
/// [`Trail::SQUARES_MAX`] squares.
fn step_view(request: &Request, preference: Preference) -> Result<Box<dyn Explained>, Refusal> {
    let (board, &Request { ending, start, .. }) = (request.board(), request);
    let said = |why: &str| format!("the step view shows no search {why}");
    refuse(request.shape.has_holes().then(|| said("by this method around holes; edges and path have one")))?;
    let large = || said(&format!("of a board of more than {} squares", Trail::SQUARES_MAX));
    refuse((board.squares() > Trail::SQUARES_MAX).then(large))?;
    let random = "with a random order, in which no step follows from the step before; use natural or a list";
    let rules = preference.rules(board, ending, start).ok_or_else(|| Refusal(said(random)))?;
    Ok(Box::new(ExplainedWalk::new(Trail::new(board), rules)))
}

/// One depth-first search, to its end, as a single attempt. A second attempt would search this tree again, and the answer
/// would still wait for the first.
fn attempts(request: &Request, preference: Preference) -> AttemptSeries<'_> {
    let Request { ref shape, ending, start, seed, .. } = *request;
    let search = move |number| (number == 0).then(|| DepthFirst::new(shape, ending, start, preference, seed)).flatten();
    AttemptSeries::new(search, |finish| match finish.attempts {
        0 => "every square is a hole".to_owned(),
        _ => "every path was tried".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{crew, tours};
    use super::*;
    use crate::board::{Ending, Holes, Shape};
    use crate::solve::{FindAnswer, FindResult, finders};

    const NAMES: [&str; 3] = ["dfs", "order-by-avail", "order-by-avail-reversed"];

    fn find(name: &str, request: &Request) -> FindResult {
        let finder = finders().find(|finder| finder.name() == name).unwrap();
        finder.admits(request).unwrap();
        finder.find(request, crew(2), &|_, _| {}).unwrap()
    }

    #[test]
    fn an_exhausted_search_finds_all_tours_and_proves_that_there_are_no_more() {
        // OEIS A079137: 8 open tours of 3x4, 16 directed; none of 4x4.
        for name in NAMES {
            let request =
                |board: &str| Request { tours: 100, ..Request::new(board.parse::<Shape>().unwrap(), Ending::Open) };
            assert_eq!(tours(&find(name, &request("3x4"))).len(), 16, "{name}");
            let none = find(name, &request("4x4")).answer;
            assert!(matches!(&none, FindAnswer::Impossible(why) if why == "every path was tried"), "{name}: {none:?}");
            let board = "2x2".parse().unwrap();
            let filled = Request { shape: Shape::new(board, Holes::new(board.all())), ..request("2x2") };
            assert!(matches!(find(name, &filled).answer, FindAnswer::NotFound(_)), "{name}");
        }
    }

    #[test]
    fn the_order_decides_the_tour_and_the_seed_a_random_order() {
        let request = Request::new("5x5".parse::<Shape>().unwrap(), Ending::Open);
        let first = |order, seed| tours(&find("dfs", &Request { order, seed, ..request.clone() })).remove(0);
        assert_eq!(first(None, 0), first(Some(MoveOrder::Natural), 1));
        assert_ne!(first(None, 0), first("76543210".parse().ok(), 0));
        assert_eq!(first(Some(MoveOrder::Random), 5), first(Some(MoveOrder::Random), 5));
        assert_ne!(first(Some(MoveOrder::Random), 5), first(Some(MoveOrder::Random), 6));
    }
}
