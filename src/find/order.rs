//! The order in which a depth-first search tries the eight moves.

use std::fmt;
use std::str::FromStr;

/// An order of the moves; a number is an index into [`MOVES`](crate::board::MOVES).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveOrder {
    /// 0 to 7, the numbers of the moves.
    Natural,
    /// A new random order at every square.
    Random,
    /// One permutation of 0..8, used at every square.
    List([u8; 8]),
}

impl fmt::Display for MoveOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveOrder::Natural => f.pad("natural"),
            MoveOrder::Random => f.pad("random"),
            MoveOrder::List(moves) => f.pad(&moves.map(|k| char::from(b'0' + k)).iter().collect::<String>()),
        }
    }
}

/// The text, which is no order of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no order of moves: write natural, random, or the digits 0 to 7 in any order, such as 76543210")]
pub struct OrderError(pub String);

impl FromStr for MoveOrder {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<MoveOrder, OrderError> {
        match text {
            "natural" => return Ok(MoveOrder::Natural),
            "random" => return Ok(MoveOrder::Random),
            _ => {}
        }
        let error = || OrderError(text.to_owned());
        let moves: [u8; 8] = text.as_bytes().try_into().map_err(|_| error())?;
        let moves = moves.map(|digit| digit.wrapping_sub(b'0'));
        (0..8).all(|k| moves.contains(&k)).then_some(MoveOrder::List(moves)).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_parsed_from_its_own_text() {
        for order in [MoveOrder::Natural, MoveOrder::Random, MoveOrder::List([7, 6, 5, 4, 3, 2, 1, 0])] {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        for text in ["", "0123456", "01234566", "12345678", "natural "] {
            assert_eq!(text.parse::<MoveOrder>(), Err(OrderError(text.to_owned())), "{text}");
        }
    }
}
