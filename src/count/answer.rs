//! The arithmetic of an answer: from the numbers of the sweeps to tours by their convention, and to classes.

use super::error::CountError;
use super::plan::Plan;
use super::question::Count;
use super::settings::{How, Settings};
use super::symmetric::{self, Bounds, SymmetricError};
use super::watch::{Phase, Watch};
use crate::board::{Ending, Symmetry};
use num_bigint::BigUint;

/// The answer from the numbers of the sweeps; `symmetric` is what [`symmetric_tours`] found.
pub(super) fn answer(plan: &Plan, numbers: &[(BigUint, How)], symmetric: BigUint) -> Count {
    let question = plan.question();
    let count = |value| Count::new(value, question.convention());
    if question.board.squares() == 1 {
        // The tour that makes no move has no direction, and is open only.
        return count(u32::from(question.ending == Ending::Open).into());
    }
    let value = tours(plan, numbers);
    if let Some((_, How::Remainder { prime })) = numbers.first() {
        return count(value % *prime);
    }
    if !question.unique {
        return count(value);
    }
    // A tour is the same in both directions here, and `tours` has the open ones directed.
    let undirected = if question.ending == Ending::Open { value / 2u32 } else { value };
    count(classes(undirected + symmetric, question.board.symmetries().len()))
}

/// Closed tours undirected, open ones directed.
fn tours(plan: &Plan, numbers: &[(BigUint, How)]) -> BigUint {
    let question = plan.question();
    let (mut closed, mut open) = (BigUint::ZERO, BigUint::ZERO);
    for (at, ((_, times), (number, _))) in plan.sweeps.iter().zip(numbers).enumerate() {
        *if plan.is_closed(at) { &mut closed } else { &mut open } += number * *times;
    }
    match (question.ending, question.start) {
        (Ending::Closed, _) => return closed,
        // Every closed tour passes the start, and leaves it in two directions.
        (Ending::Open, Some(_)) if question.strict => open -= closed * 2u32,
        (Ending::Open, Some(_)) => {}
        (Ending::Open, None) => {
            // A closed tour loses any one of its moves and is an open one that can be closed.
            open -= if question.strict { closed * question.board.squares() } else { BigUint::ZERO };
            open *= 2u32;
        }
    }
    open
}

/// How many classes there are, if the symmetries of the board, so many with the identity, leave so many tours alone in
/// all: by Burnside's lemma as many as a symmetry leaves alone on average.
///
/// # Panics
/// If that is no whole number: then some count is wrong, and none may be told.
///
/// # Source
/// W. Burnside, "Theory of Groups of Finite Order", 1897, sections 118-119; he gives it to Frobenius, 1887.
fn classes(left_alone: BigUint, symmetries: usize) -> BigUint {
    assert_eq!(&left_alone % symmetries, BigUint::ZERO, "{left_alone} tours left alone by {symmetries} symmetries");
    left_alone / symmetries
}

/// How many tours, undirected, the symmetries of the board other than the identity leave alone in all; 0 if no classes
/// are asked for. Nothing if stopped.
///
/// # Errors
/// [`CountError::Symmetric`] when they cannot be counted in the memory that may be taken.
pub(super) fn symmetric_tours(plan: &Plan, settings: &Settings, watch: &Watch) -> Result<Option<BigUint>, CountError> {
    let question = plan.question();
    let mut sum = BigUint::ZERO;
    if !question.unique || !question.board.existence(question.ending).exists {
        return Ok(Some(sum));
    }
    watch.show(|now| now.phase = Phase::Symmetry);
    let fixed = match (question.ending, question.strict) {
        (Ending::Closed, _) => symmetric::fixed_closed,
        (Ending::Open, false) => symmetric::fixed_open,
        (Ending::Open, true) => symmetric::fixed_open_strict,
    };
    let memory = settings.memory.saturating_sub(plan.patterns());
    for &symmetry in question.board.symmetries().iter().filter(|&&symmetry| symmetry != Symmetry::Identity) {
        match fixed(question.board, symmetry, Bounds { memory, stop: &|| watch.is_stopped() }) {
            Ok(number) => sum += number,
            Err(SymmetricError::Stopped) => return Ok(None),
            Err(error) => return Err(CountError::Symmetric(error)),
        }
    }
    Ok(Some(sum))
}
