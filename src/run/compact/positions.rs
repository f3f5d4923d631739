//! Writes positions in compact form. Moves join the squares of a path, and there are only eight moves: a chain is its
//! first square and a letter for each move. Positions with a common beginning have a common text so far.
//!
//! ```text
//! {"moves":[-17,10,17],"worker":[0,3],"chains":[[[0,"1202"]],[[0,"120"]]]}
//!      workers 0 and 3: both from square 0 by 10 to 10, by 17 to 27 ..
//! ```

use crate::search::Drawing;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;

/// Letters for moves; a drawing with more kinds of moves is written square by square.
const LETTERS: &[u8; 16] = b"0123456789abcdef";

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionColumns {
    /// What each move adds to the number of a square, by its letter.
    moves: Vec<i64>,
    /// The difference of each worker number from the one before.
    worker: Vec<i64>,
    chains: Vec<Vec<Chain>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reserved: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    skipped: Vec<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Chain {
    /// The first square, and the moves after it.
    Moves(u32, String),
    /// All squares.
    Squares(Vec<u32>),
}

impl Chain {
    fn new(squares: &[u32], moves: &[i64]) -> Chain {
        let letter = |by: i64| Some(char::from(*LETTERS.get(moves.binary_search(&by).ok()?)?));
        match (squares, steps(squares).map(letter).collect()) {
            ([first, _, ..], Some(letters)) => Chain::Moves(*first, letters),
            _ => Chain::Squares(squares.to_vec()),
        }
    }

    fn squares(self, moves: &[i64]) -> Option<Vec<u32>> {
        let (first, letters) = match self {
            Chain::Squares(squares) => return Some(squares),
            Chain::Moves(first, letters) => (first, letters),
        };
        let next = |square: &mut u32, letter: u8| {
            let by = *moves.get(LETTERS.iter().position(|&known| known == letter)?)?;
            *square = i64::from(*square).checked_add(by)?.try_into().ok()?;
            Some(*square)
        };
        let mut square = first;
        std::iter::once(Some(first)).chain(letters.bytes().map(|letter| next(&mut square, letter))).collect()
    }
}

/// The differences between the numbers of neighbouring squares.
fn steps(squares: &[u32]) -> impl Iterator<Item = i64> {
    squares.windows(2).map(|pair| i64::from(pair[1]) - i64::from(pair[0]))
}

/// Writes positions.
pub fn serialize<S: Serializer>(positions: &[(usize, Drawing)], serializer: S) -> Result<S::Ok, S::Error> {
    let drawings = || positions.iter().map(|(_, drawing)| drawing);
    let moves: BTreeSet<i64> = drawings().flat_map(|drawing| &drawing.chains).flat_map(|chain| steps(chain)).collect();
    let moves: Vec<i64> = moves.into_iter().collect();
    let chains = |drawing: &Drawing| drawing.chains.iter().map(|chain| Chain::new(chain, &moves)).collect();
    let mut columns = PositionColumns { chains: drawings().map(chains).collect(), ..PositionColumns::default() };
    let mut before = 0;
    for (worker, _) in positions {
        columns.worker.push(*worker as i64 - before);
        before = *worker as i64;
    }
    if drawings().any(|drawing| drawing.reserved.is_some()) {
        columns.reserved = drawings().map(|drawing| drawing.reserved).collect();
    }
    if drawings().any(|drawing| drawing.skipped > 0) {
        columns.skipped = drawings().map(|drawing| drawing.skipped).collect();
    }
    PositionColumns { moves, ..columns }.serialize(serializer)
}

/// Reads positions.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(usize, Drawing)>, D::Error> {
    let PositionColumns { moves, worker, chains, reserved, skipped } = PositionColumns::deserialize(deserializer)?;
    let fits = |length: usize, may_be_empty: bool| length == worker.len() || (may_be_empty && length == 0);
    if !(fits(chains.len(), false) && fits(reserved.len(), true) && fits(skipped.len(), true)) {
        return Err(D::Error::custom("the columns of positions have different lengths"));
    }
    let mut before = 0_i64;
    let mut position = |(place, (by, chains)): (usize, (&i64, Vec<Chain>))| {
        before = before.checked_add(*by)?;
        let chains = chains.into_iter().map(|chain| chain.squares(&moves)).collect::<Option<_>>()?;
        let reserved = reserved.get(place).copied().flatten();
        let skipped = skipped.get(place).copied().unwrap_or(0);
        Some((before.try_into().ok()?, Drawing { chains, reserved, skipped }))
    };
    let positions = worker.iter().zip(chains).enumerate();
    positions.map(|each| position(each).ok_or_else(|| D::Error::custom("a position of a frame is not valid"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{from_value, json, to_value};

    #[derive(Serialize, Deserialize, Debug)]
    struct Written(#[serde(with = "super")] Vec<(usize, Drawing)>);

    proptest! {
        /// Chains may have few kinds of moves, many, or no squares.
        #[test]
        fn positions_are_read_as_they_were(
            drawings in prop::collection::vec(
                (
                    0usize..99,
                    prop::collection::vec(prop::collection::vec(prop_oneof![0u32..4, any::<u32>()], 0..9), 0..4),
                    prop::option::of(any::<u32>()),
                    prop_oneof![Just(0), any::<u32>()],
                ),
                0..6,
            )
        ) {
            let drawing = |(worker, chains, reserved, skipped)| (worker, Drawing { chains, reserved, skipped });
            let positions: Vec<_> = drawings.into_iter().map(drawing).collect();
            let value = to_value(Written(positions.clone())).unwrap();
            prop_assert_eq!(from_value::<Written>(value).unwrap().0, positions);
        }
    }

    #[test]
    fn a_path_is_a_letter_for_each_move() {
        let path = |chain: &[u32]| Drawing { chains: vec![chain.to_vec()], ..Drawing::default() };
        let positions = vec![(0, path(&[0, 10, 27, 10, 27])), (3, path(&[0, 10, 27, 10]))];
        let written = json!({ "moves": [-17, 10, 17], "worker": [0, 3], "chains": [[[0, "1202"]], [[0, "120"]]] });
        assert_eq!(to_value(Written(positions)).unwrap(), written);
        let refused = |pointer: &str, with: serde_json::Value| {
            let mut bad = written.clone();
            *bad.pointer_mut(pointer).unwrap() = with;
            from_value::<Written>(bad).unwrap_err().to_string()
        };
        assert!(refused("/worker", json!([0])).contains("different lengths"));
        for (pointer, with) in [("/chains/0/0/1", json!("3")), ("/chains/0/0/1", json!("0")), ("/worker/0", json!(-1))]
        {
            assert!(refused(pointer, with).contains("is not valid"), "{pointer}");
        }
    }
}
