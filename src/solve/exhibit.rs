//! What the exhibits share: what they take, and where a tour may start by its colours.

use super::admit::admit_start_and_holes;
use super::card::Refusal;

use super::finder::Request;
use crate::board::Square;

/// Takes boards of up to so many squares, with nothing prescribed but start and holes.
///
/// # Errors
/// A [`Refusal`] that says what is not taken.
pub(super) fn admit(request: &Request, name: &str, squares_max: u32) -> Result<(), Refusal> {
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
pub(super) fn starts(request: &Request) -> Result<Vec<Square>, String> {
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
    use crate::board::Ending;

    #[test]
    fn exhibits_take_small_boards_and_a_start() {
        let request = Request::new("6x6".parse().unwrap(), Ending::Open);
        let refusal = |request: &Request| admit(request, "neural", 100).unwrap_err().to_string();
        assert_eq!(admit(&request, "neural", 36), Ok(()));
        assert_eq!(
            admit(&request, "neural", 35).unwrap_err().to_string(),
            "6x6 has 36 squares; neural takes boards of up to 35, tiles any"
        );
        let end = request.board.at(5);
        let ended = Request { end, ..request.clone() };
        assert_eq!(refusal(&ended), "neural cannot be told where to end; edges can");
        let bound = Request { must_not: vec![[request.board.at(0).unwrap(), request.board.at(8).unwrap()]], ..request };
        assert_eq!(refusal(&bound), "neural cannot be told which moves to use; edges can");
    }
}
