//! `numbers`: tours in which given moves lead to given squares.

use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::Refusal;
use super::finder::{FinderCard, Request, RequestOption, why_impossible};
use super::problem::SQUARES_MAX;
use crate::board::{Ending, SmallBoard};
use crate::find::NumbersRoot;
use crate::words::grouped;

/// Most nodes of one attempt. All attempts up to this limit take about a minute of one thread.
const NODES_MAX: u64 = 1 << 19;

/// The finder `numbers`.
pub const NUMBERS: AttemptFinder = AttemptFinder {
    card: &FinderCard {
        options: &[RequestOption::GIVEN],
        ..FinderCard::new(
            "numbers",
            "keeps the numbers that each square may have; completes a grid with gaps (--partial FILE), and takes holes",
        )
    },
    admits: |request, _| {
        let (board, shape) = (request.board(), &request.shape);
        match SmallBoard::<u128>::new(shape) {
            Some(_) if shape.squares() == 0 => Err(Refusal("every square is a hole".to_owned())),
            Some(_) if !request.prescribes_moves() => Ok(()),
            Some(_) => Err(Refusal("numbers takes no prescribed moves; leave out --must and --must-not".to_owned())),
            None => Err(Refusal(format!(
                "{board} has {} squares, and numbers takes boards of up to {SQUARES_MAX} squares",
                grouped(board.squares())
            ))),
        }
    },
    attempts: |request, _| {
        let root = numbers_root(request)?;
        let attempt = move |number| (root.node_limit(number) <= NODES_MAX).then(|| root.attempt(request.seed, number));
        Ok(AttemptSeries::up_to(NODES_MAX, attempt))
    },
    step_view: None,
};

/// The root of every attempt, or why there is no tour. The ends of the tour are moves with a number, too.
fn numbers_root(request: &Request) -> Result<NumbersRoot, String> {
    let Request { ref shape, ending, start, end, ref given, .. } = *request;
    let last = shape.squares();
    let end = end.filter(|_| ending == Ending::Open).map(|end| (last, end));
    let mut given: Vec<_> = given.iter().copied().chain(start.map(|start| (1, start))).chain(end).collect();
    if given.is_empty() && ending == Ending::Closed {
        // A closed tour may begin anywhere.
        given.extend(shape.all().next().map(|first| (1, first)));
    }
    let at = |number: u32| given.iter().find(|given| given.0 == number).map(|given| given.1);
    let ends = Request { start: at(1), end: at(last), ..request.clone() };
    let colours = || shape.colours_forbid(ending, at(1), at(last).filter(|_| ending == Ending::Open));
    why_impossible(&ends).or_else(colours).map_or(Ok(()), Err)?;
    let graph = SmallBoard::new(shape);
    let graph = graph.unwrap_or_else(|| unreachable!("the request was admitted, so the wide mask holds the board"));
    NumbersRoot::new(graph, ending, &given, u32::from(!request.counts_from_0))
}
