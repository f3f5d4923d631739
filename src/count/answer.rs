//! The arithmetic of an answer: from the numbers of the sweeps to tours by their convention, and to classes.

use super::error::CountError;
use super::plan::CountPlan;
use super::question::{Count, CountQuestion};
use super::residues::Evidence;
use super::settings::Settings;
use super::sweep::{SweepKind, sweeps_for};
use super::symmetric::{self, Bounds, SymmetricError};
use super::watch::{CountPhase, CountWatch};
use crate::board::{Ending, Symmetry};
use num_bigint::BigUint;

/// The answer from the numbers of the sweeps; `symmetric` is what [`symmetric_tours`] found.
///
/// # Errors
/// Why it cannot be right: these contradict each other, or what is known. Numbers that were counted do not.
pub(super) fn answer(
    question: &CountQuestion,
    numbers: &[(BigUint, Evidence)],
    symmetric: &BigUint,
) -> Result<Count, String> {
    let count = combined(question, numbers, symmetric).ok_or("its numbers contradict each other")?;
    let (board, tours) = (question.board, question.counted_tours());
    let wrong = match numbers.first() {
        Some((_, Evidence::Remainder { prime })) => {
            board.remainder_contradiction(tours, *prime, u128::try_from(count.value()).unwrap_or(u128::MAX))
        }
        _ => board.contradiction(tours, count.value()),
    };
    wrong.map_or(Ok(count), Err)
}

/// The arithmetic of [`answer`]; nothing if it does not come out even.
fn combined(question: &CountQuestion, numbers: &[(BigUint, Evidence)], symmetric: &BigUint) -> Option<Count> {
    let count = |value| Some(Count::new(value, question.convention()));
    if question.board.squares() == 1 {
        // The tour that makes no move has no direction, and is open only.
        return count(u32::from(question.ending == Ending::Open).into());
    }
    let value = tours(question, numbers)?;
    if let Some((_, Evidence::Remainder { prime })) = numbers.first() {
        return count(value % *prime);
    }
    if !question.unique {
        return count(value);
    }
    // A tour is the same in both directions here, and `tours` has the open ones directed.
    let undirected = if question.ending == Ending::Open { value / 2u32 } else { value };
    count(classes(undirected + symmetric, question.board.symmetries().len())?)
}

/// Closed tours undirected, open ones directed; nothing if more of these can be closed than there are.
fn tours(question: &CountQuestion, numbers: &[(BigUint, Evidence)]) -> Option<BigUint> {
    let (mut closed, mut open) = (BigUint::ZERO, BigUint::ZERO);
    for ((_, kind, times), (number, _)) in sweeps_for(question).into_iter().zip(numbers) {
        *if kind == SweepKind::Closed { &mut closed } else { &mut open } += number * times;
    }
    if question.ending == Ending::Closed {
        return Some(closed);
    }
    // Every closed tour passes the start, and leaves it in two directions; without a start it loses any one of its moves
    // and is an open one that can be closed.
    let (ways, directions) = if question.start.is_some() { (2, 1u32) } else { (question.board.squares(), 2) };
    let closable = if question.strict { closed * ways } else { BigUint::ZERO };
    (open >= closable).then(|| (open - closable) * directions)
}

/// How many classes there are, if the symmetries of the board, so many with the identity, leave so many tours alone in
/// all: by Burnside's lemma as many as a symmetry leaves alone on average. Nothing if that is no whole number: then some
/// count is wrong, and none may be told.
///
/// # Source
/// W. Burnside, "Theory of Groups of Finite Order", 1897, sections 118-119; he gives it to Frobenius, 1887.
fn classes(left_alone: BigUint, symmetries: usize) -> Option<BigUint> {
    (&left_alone % symmetries == BigUint::ZERO).then(|| left_alone / symmetries)
}

/// How many tours, undirected, the symmetries of the board other than the identity leave alone in all; 0 if no classes
/// are asked for. Nothing if stopped.
///
/// # Errors
/// [`CountError::Symmetric`] when they cannot be counted in the memory that may be taken.
pub(super) fn symmetric_tours(
    plan: &CountPlan,
    settings: &Settings,
    watch: &CountWatch,
) -> Result<Option<BigUint>, CountError> {
    let question = plan.question();
    let mut sum = BigUint::ZERO;
    if !question.unique || !question.board.existence(question.ending).exists {
        return Ok(Some(sum));
    }
    watch.show(|now| now.phase = CountPhase::Symmetry);
    let tours = (question.ending, question.strict);
    let (memory, threads) = (settings.memory.saturating_sub(plan.patterns()), settings.threads);
    for &symmetry in question.board.symmetries().iter().filter(|&&symmetry| symmetry != Symmetry::Identity) {
        match symmetric::fixed_tours(
            question.board,
            tours,
            symmetry,
            Bounds { memory, threads, stop: &|_| watch.is_stopped() },
        ) {
            Ok(number) => sum += number,
            Err(SymmetricError::Stopped) => return Ok(None),
            Err(error) => return Err(CountError::Symmetric(error)),
        }
    }
    Ok(Some(sum))
}
