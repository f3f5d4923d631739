//! What several methods refuse alike, and the words in which they say so.

use super::card::Refusal;
use super::finder::Request;
use super::problem::{Problem, SQUARES_MAX};
use crate::board::Ending;
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
