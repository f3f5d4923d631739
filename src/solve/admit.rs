//! What several methods refuse alike, and the words in which they say so.

use super::card::Refusal;
use super::finder::Request;
use super::problem::{Problem, SQUARES_MAX};
use crate::board::{Ending, Square};
use crate::words::grouped;

pub(super) fn admit_size(problem: &Problem) -> Result<(), Refusal> {
    let Problem { board, .. } = problem;
    if board.squares() <= SQUARES_MAX {
        return Ok(());
    }
    let squares = board.squares();
    Err(Refusal(format!("{board} has {squares} squares; a search takes boards of up to {SQUARES_MAX}")))
}

/// Squares of the largest board of which a whole path is kept, at some twenty bytes a square while it is verified.
const STORED_MAX: u32 = 1 << 28;

/// Takes a start and holes, but no end and no moves, on a board of which a path can be kept.
pub(super) fn admit_start_and_holes(request: &Request, name: &str) -> Result<(), Refusal> {
    let squares = request.board.squares();
    if squares > STORED_MAX {
        let [squares, most] = [squares, STORED_MAX].map(|n| grouped(u64::from(n)));
        return Err(Refusal(format!(
            "{name} keeps its path, of up to {most} squares, not {squares}; tiles keeps none"
        )));
    }
    if request.end.is_some() {
        return Err(Refusal(format!("{name} cannot be told where to end; edges can")));
    }
    if !request.must.is_empty() || !request.must_not.is_empty() {
        return Err(Refusal(format!("{name} cannot be told which moves to use; edges can")));
    }
    Ok(())
}

pub(super) fn admit_ending(problem: &Problem, name: &str, ending: Ending) -> Result<(), Refusal> {
    if problem.ending == ending {
        return Ok(());
    }
    let (only, instead) = match ending {
        Ending::Open => ("open", "path or edges for closed ones"),
        Ending::Closed => ("closed", "path or brute for open ones"),
    };
    Err(Refusal(format!("{name} searches {only} tours only; use {instead}")))
}

/// Takes boards of up to so many squares, with nothing prescribed but start and holes.
///
/// # Errors
/// A [`Refusal`] that says what is not taken.
pub(super) fn admit_small_board(request: &Request, name: &str, squares_max: u32) -> Result<(), Refusal> {
    admit_start_and_holes(request, name)?;
    let (board, squares) = (request.board, request.board.squares());
    if squares > squares_max {
        let reason = format!("{board} has {squares} squares; {name} takes boards of up to {squares_max}, tiles any");
        return Err(Refusal(reason));
    }
    Ok(())
}

/// The squares on which a tour may start: the one asked for, or all whose colour allows it; one at least.
///
/// # Errors
/// Why there is none.
pub(super) fn allowed_starts(request: &Request) -> Result<Vec<Square>, String> {
    let Request { board, ending, start, ref holes, .. } = *request;
    let allowed = |square: &Square| {
        !holes.contains(*square) && board.colours_forbid(holes, ending, Some(*square), None).is_none()
    };
    if let Some(reason) = board.colours_forbid(holes, ending, start, None) {
        return Err(reason);
    }
    let starts: Vec<_> =
        board.all().filter(|square| start.is_none_or(|start| start == *square)).filter(allowed).collect();
    if starts.is_empty() { Err("a tour cannot start in a hole".to_owned()) } else { Ok(starts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exhibits_take_small_boards_and_a_start() {
        let request = Request::new("6x6".parse().unwrap(), Ending::Open);
        let refusal = |request: &Request| admit_small_board(request, "neural", 100).unwrap_err().to_string();
        assert_eq!(admit_small_board(&request, "neural", 36), Ok(()));
        assert_eq!(
            admit_small_board(&request, "neural", 35).unwrap_err().to_string(),
            "6x6 has 36 squares; neural takes boards of up to 35, tiles any"
        );
        let end = request.board.at(5);
        let ended = Request { end, ..request.clone() };
        assert_eq!(refusal(&ended), "neural cannot be told where to end; edges can");
        let bound = Request { must_not: vec![[request.board.at(0).unwrap(), request.board.at(8).unwrap()]], ..request };
        assert_eq!(refusal(&bound), "neural cannot be told which moves to use; edges can");
    }
}
