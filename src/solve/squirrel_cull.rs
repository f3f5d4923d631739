//! `squirrel-cull`: Warnsdorff's rule with orders of moves that change during the tour, on square boards from a corner.

use super::admit::admit_start_and_holes;
use super::attempts::{AttemptFinder, AttemptSeries};
use super::card::refuse;
use super::finder::{FinderCard, Request};
use crate::board::Ending;
use crate::find::{self, Attempt as _};

/// The finder `squirrel-cull`.
pub const SQUIRREL_CULL: AttemptFinder = AttemptFinder {
    card: &FinderCard::new(
        "squirrel-cull",
        "Warnsdorff by Squirrel and Cull's orders of moves: square boards from a corner, sides from 5, but not 74",
    ),
    admits: |request, name| {
        admit_start_and_holes(request, name)?;
        let (board, Request { shape, ending, start, .. }) = (request.board(), request);
        let (corners, side_min) = (board.corners(), find::SQUIRREL_CULL_SIDE_MIN);
        let why = "squirrel-cull finds open tours only; use tiles for closed ones";
        refuse((*ending == Ending::Closed).then_some(why))?;
        refuse(shape.has_holes().then_some("squirrel-cull takes no holes; use edges, which does"))?;
        refuse((board.rows() != board.cols() || board.rows() < side_min).then(|| {
            format!(
                "squirrel-cull takes square boards from {side_min}x{side_min} on, not {board}; use warnsdorff, which takes any"
            )
        }))?;
        refuse(start.filter(|start| !corners.contains(start)).map(|start| {
            let (names, start) = (corners.map(|corner| board.name(corner)).join(", "), board.name(start));
            format!("squirrel-cull starts in a corner ({names}), not in {start}; use warnsdorff, which starts anywhere")
        }))
    },
    attempts: |request, _| Ok(attempts(request)),
    step_view: None,
};

/// Two tours from each corner, beginning with the top left corner. All are mirror images of one tour.
fn attempts(request: &Request) -> AttemptSeries<'_> {
    let board = request.board();
    let starts = request.start.map_or_else(|| board.corners().to_vec(), |start| vec![start]);
    let first = starts[0];
    let knight = move |number: u64| {
        let start = starts.get(usize::try_from(number / 2).ok()?)?;
        find::squirrel_cull(board, *start, number % 2 == 1)
    };
    AttemptSeries::new(knight, move |_| {
        let mut knight = find::squirrel_cull(board, first, false);
        let reached = knight.as_mut().map_or(0, |knight| {
            find::run(knight);
            knight.depth()
        });
        format!("on {board} the orders of moves end after {reached} of {} squares; use warnsdorff", board.squares())
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{crew, tours};
    use super::*;
    use crate::board::{Holes, Shape};
    use crate::solve::{FindAnswer, Finder as _};

    fn request(board: &str) -> Request {
        Request::new(board.parse::<Shape>().unwrap(), Ending::Open)
    }

    #[test]
    fn there_are_eight_tours_two_from_each_corner() {
        let found = SQUIRREL_CULL.find(&Request { tours: 9, ..request("12x12") }, crew(2), &|_, _| {}).unwrap();
        assert_eq!((tours(&found).len(), found.attempts), (8, 8));
        let start = request("12x12").board().at(143);
        let found = SQUIRREL_CULL.find(&Request { tours: 9, start, ..request("12x12") }, crew(2), &|_, _| {}).unwrap();
        assert!(tours(&found).iter().all(|tour| Some(tour[0]) == start));
        assert_eq!(found.attempts, 2);
    }

    #[test]
    fn side_74_fails_after_5432_squares() {
        let answer = SQUIRREL_CULL.find(&request("74x74"), crew(1), &|_, _| {}).unwrap().answer;
        let FindAnswer::NotFound(why) = answer else { panic!("{answer:?}") };
        assert_eq!(why, "on 74x74 the orders of moves end after 5432 of 5476 squares; use warnsdorff");
    }

    #[test]
    fn a_refusal_says_what_is_not_taken() {
        let refusal = |request: &Request| SQUIRREL_CULL.admits(request).unwrap_err().to_string();
        assert_eq!(SQUIRREL_CULL.admits(&request("5x5")), Ok(()));
        for board in ["4x4", "5x6"] {
            let reason =
                format!("squirrel-cull takes square boards from 5x5 on, not {board}; use warnsdorff, which takes any");
            assert_eq!(refusal(&request(board)), reason);
        }
        let start = request("6x6").board().at(1);
        assert_eq!(
            refusal(&Request { start, ..request("6x6") }),
            "squirrel-cull starts in a corner (a6, f6, a1, f1), not in b6; use warnsdorff, which starts anywhere"
        );
        let closed = Request { ending: Ending::Closed, ..request("6x6") };
        assert_eq!(refusal(&closed), "squirrel-cull finds open tours only; use tiles for closed ones");
        let holes = Holes::new(request("6x6").board().at(8));
        let reason = "squirrel-cull takes no holes; use edges, which does";
        assert_eq!(refusal(&Request::new(Shape::new(request("6x6").board(), holes), Ending::Open)), reason);
    }
}
