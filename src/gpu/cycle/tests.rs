//! The three-cycle board, run cycle by cycle and compared with the source's sample and counts.

pub mod ledger;

use super::*;
use crate::board::{Board, KURAPATI, parse_grid};
use crate::gpu::compass::Compass;

fn state(board: &str, start: &str, compass: Compass) -> CycleState {
    let board: Board = board.parse().unwrap();
    CycleState::new(board, board.parse_square(start).unwrap(), compass).unwrap()
}

/// Runs until the tour ends.
fn toured(mut state: CycleState) -> CycleState {
    while state.status() == KnightStatus::Touring {
        state.cycle();
    }
    state
}

#[test]
fn the_source_s_sample_comes_out_and_square_k_is_reached_in_cycle_3k_minus_2() {
    let mut state = state("8x8", "2,4", Compass::SOURCE);
    let mut reached = vec![];
    while state.status() == KnightStatus::Touring {
        state.cycle();
        if reached.len() < state.visits() as usize {
            reached.push(state.cycles());
        }
    }
    assert_eq!(reached, (1..=64).map(|k| 3 * k - 2).collect::<Vec<u32>>());
    let (_, squares) = parse_grid(KURAPATI).unwrap();
    assert_eq!(state.path(), squares);
}

/// The number of starts from which a square board is completed: Kurapati's model, recomputed.
#[test]
fn the_number_of_complete_starts_is_the_known_one() {
    let complete = |board: &str, compass| {
        let board: Board = board.parse().unwrap();
        let runs = board.all().map(|start| toured(CycleState::new(board, start, compass).unwrap()));
        runs.filter(|state| state.status() == KnightStatus::Complete).count()
    };
    for (board, starts) in [("5x5", 9), ("6x6", 36), ("7x7", 18), ("8x8", 63)] {
        assert_eq!(complete(board, Compass::SOURCE), starts, "{board}");
    }
    // The order with its last two moves exchanged.
    assert_eq!(complete("8x8", Compass::nth(1)), 64);
}

#[test]
fn the_one_start_of_8x8_that_fails_is_stuck_and_its_board_does_not_change() {
    let mut state = toured(state("8x8", "0,2", Compass::SOURCE));
    assert_eq!((state.status(), state.visits(), state.cycles()), (KnightStatus::Stuck, 60, 180));
    let before = state.clone();
    (0..10).for_each(|_| state.cycle());
    assert_eq!((state.status(), state.path()), (KnightStatus::Stuck, before.path()));
    assert_eq!(state.choice(), None);
}

#[test]
fn ranks_are_wrong_around_a_knight_that_has_just_arrived_and_nowhere_else() {
    let mut state = state("6x6", "a1", Compass::SOURCE);
    while state.status() == KnightStatus::Touring {
        state.cycle();
        let knight = state.knight();
        for square in state.board().all() {
            let free = state.cells()[square.index() as usize][VISIT] == 0.0;
            let arrived = state.phase() == CyclePhase::Arrive && state.cycles() > 1;
            let wrong = free && arrived && state.board().adjacent(knight, square);
            assert_eq!(state.has_stale_rank(square), wrong, "cycle {} {square:?}", state.cycles());
        }
    }
}

#[test]
fn a_choice_has_the_lowest_rank_and_ties_are_counted() {
    let mut state = state("8x8", "2,4", Compass::SOURCE);
    let mut ties = 0;
    for cycle in 1..=3 * 63 {
        state.cycle();
        assert_eq!(state.choice().is_some(), state.phase() == CyclePhase::Decide, "cycle {cycle}");
        if let Some(choice) = state.choice() {
            ties += u32::from(choice.lowest > 1);
            let cell = state.cells()[choice.to.index() as usize];
            assert_eq!((cell[VISIT], cell[RANK] as u32), (0.0, choice.rank));
        }
    }
    assert_eq!(ties, 14);
}

#[test]
fn a_board_too_large_for_floats_is_refused() {
    let board = Board::new(4097, 4096).unwrap();
    let error = CycleState::new(board, board.at(0).unwrap(), Compass::SOURCE).unwrap_err();
    assert!(error.to_string().contains("exact up to 16777216"), "{error}");
    let tiny = toured(state("1x1", "a1", Compass::SOURCE));
    assert_eq!((tiny.status(), tiny.visits(), tiny.cycles()), (KnightStatus::Complete, 1, 0));
    assert_eq!(toured(state("2x2", "a1", Compass::SOURCE)).status(), KnightStatus::Stuck);
}
