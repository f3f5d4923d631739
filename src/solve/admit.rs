//! The refusals that several methods share, and the starts that the colours allow.

use super::card::{Refusal, refuse};
use super::finder::Request;
use super::problem::{Problem, SQUARES_MAX};
use crate::board::{Ending, Square};
use crate::words::grouped;

/// Admits boards of up to [`SQUARES_MAX`] squares and starts that are no holes.
pub(super) fn admit_size(problem: &Problem) -> Result<(), Refusal> {
    let (board, squares) = (problem.board(), problem.board().squares());
    refuse((problem.shape.squares() == 0).then(|| format!("every square of {board} is a hole")))?;
    let with = if problem.shape.has_holes() { ", holes included" } else { "" };
    let why = || format!("{board} has {squares} squares{with}; a search takes boards of up to {SQUARES_MAX}{with}");
    refuse((squares > SQUARES_MAX).then(why))?;
    let hole = problem.start.filter(|&start| !problem.shape.has(start));
    refuse(hole.map(|hole| format!("a tour cannot start on {}, which is a hole", board.name(hole))))
}

/// Refuses holes.
pub(super) fn admit_whole_board(problem: &Problem, name: &str) -> Result<(), Refusal> {
    refuse(problem.shape.has_holes().then(|| format!("{name} takes no holes; use edges or path, which do")))
}

/// Number of squares of the largest board whose whole path fits in memory, at about twenty bytes a square during
/// verification.
const STORED_MAX: u32 = 1 << 28;

/// Admits a start and holes, but no end and no prescribed moves, on a board of up to [`STORED_MAX`] squares.
pub(super) fn admit_start_and_holes(request: &Request, name: &str) -> Result<(), Refusal> {
    let squares = request.board().squares();
    refuse((squares > STORED_MAX).then(|| {
        let [squares, most] = [squares, STORED_MAX].map(grouped);
        format!(
            "the board has {squares} squares, and {name} keeps its path in memory, up to {most} squares; use tiles, which keeps none"
        )
    }))?;
    refuse(request.end.map(|_| format!("{name} takes no end; use edges, which does")))?;
    refuse(request.prescribes_moves().then(|| format!("{name} takes no prescribed moves; use edges, which does")))
}

pub(super) fn admit_ending(problem: &Problem, name: &str, ending: Ending) -> Result<(), Refusal> {
    let (only, instead) = match ending {
        Ending::Open => ("open", "path or edges for closed ones"),
        Ending::Closed => ("closed", "path or brute for open ones"),
    };
    refuse((problem.ending != ending).then(|| format!("{name} searches {only} tours only; use {instead}")))
}

/// Admits a start and holes, but no end and no prescribed moves, on a board of up to `squares_max` squares.
pub(super) fn admit_small_board(request: &Request, name: &str, squares_max: u32) -> Result<(), Refusal> {
    admit_start_and_holes(request, name)?;
    let (board, squares) = (request.board(), request.board().squares());
    refuse((squares > squares_max).then(|| {
        format!(
            "{board} has {squares} squares, and {name} takes boards of up to {squares_max}; use tiles, which takes any"
        )
    }))
}

/// The squares on which a tour may start: the requested start, or all squares whose colour allows a tour. There is at least
/// one square; the error says why there is none.
pub(super) fn allowed_starts(request: &Request) -> Result<Vec<Square>, String> {
    let Request { ref shape, ending, start, .. } = *request;
    let allowed = |square: &Square| shape.colours_forbid(ending, Some(*square), None).is_none();
    shape.colours_forbid(ending, start, None).map_or(Ok(()), Err)?;
    let starts: Vec<_> =
        shape.all().filter(|square| start.is_none_or(|start| start == *square)).filter(allowed).collect();
    if starts.is_empty() { Err("a tour cannot start in a hole".to_owned()) } else { Ok(starts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    #[test]
    fn small_boards_and_a_start_are_admitted() {
        let request = Request::new("6x6".parse::<Shape>().unwrap(), Ending::Open);
        let refusal = |request: &Request| admit_small_board(request, "genetic", 100).unwrap_err().to_string();
        assert_eq!(admit_small_board(&request, "genetic", 36), Ok(()));
        assert_eq!(
            admit_small_board(&request, "genetic", 35).unwrap_err().to_string(),
            "6x6 has 36 squares, and genetic takes boards of up to 35; use tiles, which takes any"
        );
        let end = request.board().at(5);
        let ended = Request { end, ..request.clone() };
        assert_eq!(refusal(&ended), "genetic takes no end; use edges, which does");
        let bound =
            Request { must_not: [[request.board().at(0).unwrap(), request.board().at(8).unwrap()]].into(), ..request };
        assert_eq!(refusal(&bound), "genetic takes no prescribed moves; use edges, which does");
    }
}
