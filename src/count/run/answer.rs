//! The arithmetic of an answer: from the numbers of the sweeps to tours by their convention, and to classes.

use crate::board::{Ending, Symmetry};
use crate::count::ask::progress::{CountProgress, costlier};
use crate::count::ask::question::{Count, CountQuestion};
use crate::count::ask::residues::Evidence;
use crate::count::ask::settings::{BoardNumber, Settings};
use crate::count::error::CountError;
use crate::count::plan::count_plan::CountPlan;
use crate::count::snapshot::CountPhase;
use crate::count::states::sweep::{SweepKind, sweeps_for, sweeps_of};
use crate::count::symmetric::{self, Bounds, SymmetricError};
use crate::count::watch::CountWatch;
use num_bigint::BigUint;

/// The numbers of the boards of a question, the shortest first, as far as all their sweeps have their numbers. `symmetric` is
/// the result of [`symmetric_tours`].
///
/// The error says why numbers cannot be right, as for [`answer`].
pub fn board_numbers(
    question: &CountQuestion,
    progress: &CountProgress,
    symmetric: &BigUint,
) -> Result<Vec<BoardNumber>, String> {
    let sweeps = sweeps_of(question);
    let number = |kind: SweepKind, length| progress.number(sweeps.iter().position(|sweep| sweep.1 == kind)?, length);
    let of_length = |length| {
        let of_board = question.of_length(length);
        let numbers = sweeps_for(&of_board).into_iter().map(|(_, kind)| number(kind, length).cloned());
        let numbers = numbers.collect::<Option<Vec<_>>>()?;
        let count = answer(&of_board, &numbers, symmetric)
            .map_err(|why| question.range.map_or_else(|| why.clone(), |_| format!("{}: {why}", of_board.board())));
        let evidence = || numbers.into_iter().map(|(_, evidence)| evidence).fold(Evidence::Plain, costlier);
        Some(count.map(|count| BoardNumber { board: of_board.board(), count, evidence: evidence() }))
    };
    question.lengths().filter_map(of_length).collect()
}

/// The answer from the numbers of the sweeps and from `symmetric`, the result of [`symmetric_tours`].
///
/// The error says why the numbers cannot be right: they contradict each other, or a known number. That does not happen
/// to numbers of a correct count.
pub fn answer(question: &CountQuestion, numbers: &[(BigUint, Evidence)], symmetric: &BigUint) -> Result<Count, String> {
    let count = combined(question, numbers, symmetric).ok_or("its numbers contradict each other")?;
    let (board, tours) = (question.board(), question.counted_tours());
    let wrong = match numbers.first() {
        // Bounds and published numbers are of whole boards.
        _ if question.shape.has_holes() => None,
        Some((_, Evidence::Remainder { prime })) => {
            board.remainder_contradiction(tours, *prime, u128::try_from(count.value()).unwrap_or(u128::MAX))
        }
        _ => board.contradiction(tours, count.value()),
    };
    wrong.map_or(Ok(count), Err)
}

/// The arithmetic of [`answer`]; nothing if a division leaves a remainder.
fn combined(question: &CountQuestion, numbers: &[(BigUint, Evidence)], symmetric: &BigUint) -> Option<Count> {
    let count = |value| Some(Count::new(value, question.convention()));
    if question.shape.squares() == 1 {
        // The tour without a move has no direction, and is open only.
        return count(u32::from(question.ending == Ending::Open).into());
    }
    if let Some((_, Evidence::Remainder { prime })) = numbers.first() {
        return count(tours(question, numbers, Some((*prime).into()))? % *prime);
    }
    let value = tours(question, numbers, None)?;
    if !question.unique {
        return count(value);
    }
    // A class holds a tour in both directions, and `tours` counts open ones directed.
    let undirected = if question.ending == Ending::Open { value / 2u32 } else { value };
    count(classes(undirected + symmetric, question.shape.symmetries().len())?)
}

/// Closed tours undirected, or open tours directed; nothing if more open tours could be closed than there are. With a modulus,
/// some number that has the remainder of the number of tours.
fn tours(question: &CountQuestion, numbers: &[(BigUint, Evidence)], modulus: Option<BigUint>) -> Option<BigUint> {
    let (mut closed, mut open) = (BigUint::ZERO, BigUint::ZERO);
    for ((_, kind), (number, _)) in sweeps_for(question).into_iter().zip(numbers) {
        *if kind == SweepKind::Closed { &mut closed } else { &mut open } += number;
    }
    if question.ending == Ending::Closed {
        return Some(closed);
    }
    // With a start: a closed tour passes it, and leaves it in two directions. Without one: a closed tour that loses any
    // of its moves is an open tour that can be closed.
    let (ways, directions) = if question.start.is_some() { (2, 1u32) } else { (question.shape.squares(), 2) };
    let closable = if question.strict { closed * ways } else { BigUint::ZERO };
    // Of remainders, the one to be subtracted may be the larger one.
    if let Some(modulus) = modulus {
        let closable = closable % &modulus;
        return Some((open + modulus - closable) * directions);
    }
    (open >= closable).then(|| (open - closable) * directions)
}

/// The number of classes, by Burnside's lemma: the number of tours that a symmetry keeps, on average. `kept` is their
/// sum over the `symmetries` symmetries of the shape, the identity included. Returns nothing if the average is no whole
/// number: then some count is wrong.
///
/// # Source
/// W. Burnside, "Theory of Groups of Finite Order", 1897, sections 118-119; he gives it to Frobenius, 1887.
fn classes(kept: BigUint, symmetries: usize) -> Option<BigUint> {
    (&kept % symmetries == BigUint::ZERO).then(|| kept / symmetries)
}

/// Undirected tours that the symmetries of the shape keep, summed over all symmetries but the identity; 0 if the
/// question is not for classes. Returns nothing if stopped.
///
/// Fails with [`CountError::Symmetric`] when the tours cannot be counted in the memory limit.
pub fn symmetric_tours(
    plan: &CountPlan,
    settings: &Settings,
    watch: &CountWatch,
) -> Result<Option<BigUint>, CountError> {
    let question = plan.question();
    let mut sum = BigUint::ZERO;
    let has_none = match question.shape.has_holes() {
        true => plan.sweeps.is_empty(),
        false => !question.board().existence(question.ending).exists,
    };
    if !question.unique || has_none {
        return Ok(Some(sum));
    }
    watch.update(|now| now.phase = CountPhase::Symmetry);
    let memory = settings.memory.saturating_sub(plan.pattern_bytes());
    let bounds = Bounds { memory, threads: settings.threads, stop: &|_| watch.is_stopped() };
    for symmetry in question.shape.symmetries().into_iter().filter(|&symmetry| symmetry != Symmetry::Identity) {
        match symmetric::fixed_tours(&question.shape, question.ending, question.strict, symmetry, bounds) {
            Ok(number) => sum += number,
            Err(SymmetricError::Stopped) => return Ok(None),
            Err(error) => return Err(CountError::Symmetric(error)),
        }
    }
    Ok(Some(sum))
}
