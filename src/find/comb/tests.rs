//! Combs of every kind of board, walked whole or checked at random places.

use super::*;
use crate::board::{Board, Ending, Route, Square, verify_by_numbers};
use proptest::prelude::*;

fn board(rows: u32, cols: u32) -> Board {
    Board::new(rows.into(), cols.into()).unwrap()
}

/// Walks the whole tour and compares every number.
fn check(comb: &dyn Route) {
    if let Some(fault) = verify_by_numbers(comb).find_map(Result::err) {
        panic!("{}: {fault}", comb.board());
    }
    for k in 0..comb.squares() {
        let square = comb.square_at(k).unwrap();
        assert_eq!(comb.number_of(square), Some(k), "{}", comb.board());
    }
    assert_eq!(comb.square_at(comb.squares()), None);
    let mut blocks = Vec::new();
    comb.walk_in_blocks(&mut |block| {
        blocks.extend_from_slice(block);
        true
    });
    assert!(comb.walk().eq(blocks), "{}", comb.board());
}

/// A tour of a board with a seed: closed if the board has closed tours.
fn comb(board: Board, seed: u64) -> Comb {
    let closed = board.existence(Ending::Closed).exists;
    Comb::new(board, if closed { Ending::Closed } else { Ending::Open }, [None; 2], seed).unwrap()
}

#[test]
fn every_board_from_5x5_to_40x40_has_its_tour() {
    for (rows, cols) in (5..=40).flat_map(|rows| (5..=40).map(move |cols| (rows, cols))) {
        let comb = comb(board(rows, cols), u64::from(rows * cols));
        assert_eq!(comb.ending() == Ending::Closed, rows * cols % 2 == 0);
        check(&comb);
    }
}

#[test]
fn every_board_three_or_four_wide_has_its_tour_if_it_has_one() {
    for (short, long) in [3, 4].into_iter().flat_map(|short| (1..=120).map(move |long| (short, long))) {
        for board in [board(short, long), board(long, short)] {
            for ending in [Ending::Closed, Ending::Open] {
                match Comb::new(board, ending, [None; 2], u64::from(long)) {
                    Ok(comb) => check(&comb),
                    Err(CombError::NoTour { .. }) => assert!(!board.existence(ending).exists),
                    Err(error) => panic!("{board}: {error}"),
                }
            }
        }
    }
}

#[test]
fn the_one_square_of_1x1_is_a_tour() {
    check(&comb(board(1, 1), 0));
}

#[test]
fn a_seed_gives_one_tour_and_another_seed_another_one() {
    for board in [board(16, 17), board(3, 30), board(4, 30), board(30, 3)] {
        let walk = |seed| comb(board, seed).walk().collect::<Vec<_>>();
        assert_eq!(walk(1), walk(1));
        // There are few blocks for thin boards.
        assert!((2..9).any(|seed| walk(seed) != walk(1)), "{board}");
    }
}

/// Checks that a tour is one and has the requested ends.
fn check_ends(board: Board, ending: Ending, ends: [Option<Square>; 2], seed: u64) {
    let comb = Comb::new(board, ending, ends, seed).unwrap();
    check(&comb);
    let own = [comb.square_at(0), comb.square_at(board.squares() - 1)];
    for (own, asked) in own.into_iter().zip(ends) {
        assert!(asked.is_none_or(|asked| own == Some(asked)), "{board}");
    }
}

#[test]
fn a_cycle_starts_or_ends_anywhere_and_is_walked_either_way() {
    for board in [board(12, 13), board(3, 18), board(18, 3)] {
        let cycle = comb(board, 3);
        for square in board.all() {
            check_ends(board, Ending::Closed, [Some(square), None], 3);
            check_ends(board, Ending::Open, [None, Some(square)], 3);
            let before = cycle.number_of(square).unwrap().checked_sub(1).unwrap_or(board.squares() - 1);
            let neighbour = cycle.square_at(before);
            check_ends(board, Ending::Closed, [Some(square), neighbour], 3);
            check_ends(board, Ending::Closed, [neighbour, Some(square)], 3);
        }
    }
}

#[test]
fn an_error_says_why_ends_are_impossible() {
    let error = |board: Board, ending, ends| Comb::new(board, ending, ends, 1).unwrap_err().to_string();
    let (even, odd) = (board(12, 12), board(11, 13));
    let at = |row, col| even.square(row, col);
    let not_led = "the constructed cycle on 12x12 does not lead from the requested end to the requested start; leave out one of them, or use edges";
    assert_eq!(error(even, Ending::Closed, [at(0, 0), at(0, 1)]), not_led);
    let one_colour = "a12 and l1 are both light, and with as many light squares as dark ones a tour ends on the other colour \
                      than it begins on";
    for ending in [Ending::Closed, Ending::Open] {
        let no_tour = format!("12x12 has no such {} tour: {one_colour}", ending.name());
        assert_eq!(error(even, ending, [at(0, 0), at(11, 11)]), no_tour);
    }
    let dark = "b11 is light, and with one dark square more than light ones a tour begins and ends on dark squares";
    assert_eq!(error(odd, Ending::Open, [None, odd.square(0, 1)]), format!("11x13 has no such open tour: {dark}"));
    let start = "a tour of more than one square does not end on a11, its start";
    assert_eq!(error(odd, Ending::Open, [odd.at(0); 2]), format!("11x13 has no such open tour: {start}"));
    // Of the eight squares a move away two are neighbours on the cycle.
    let middle = at(6, 6);
    let errors = even.neighbours(middle.unwrap()).filter_map(|next| {
        Comb::new(even, Ending::Closed, [middle, Some(next)], 1).err().map(|error| error.to_string())
    });
    assert_eq!(errors.filter(|error| error == not_led).count(), 6);
}

#[test]
fn a_path_starts_and_ends_in_the_first_piece() {
    let corner_colour = |board: Board, rows, cols| {
        let squares = (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
        squares.filter(|(row, col)| (row + col) % 2 == 0).filter_map(move |(row, col)| board.square(row, col))
    };
    let odd = board(19, 21);
    for start in corner_colour(odd, 7, 9) {
        check_ends(odd, Ending::Open, [Some(start), None], 5);
        check_ends(odd, Ending::Open, [None, Some(start)], 5);
    }
    let [start, end] = [(2, 4), (6, 6)].map(|(row, col)| odd.square(row, col));
    check_ends(odd, Ending::Open, [start, end], 5);
    // Both ends in the root of a board that has cycles, but none from one of these to the other.
    let even = board(14, 20);
    check_ends(even, Ending::Open, [even.square(0, 0), even.square(7, 6)], 5);
    let error = Comb::new(odd, Ending::Open, [odd.square(8, 8), None], 5).unwrap_err().to_string();
    assert!(error.contains("rows 1 to 7 and columns 1 to 9 from the top left"), "{error}");
}

#[test]
fn thin_paths_take_the_ends_they_can() {
    let [four, three] = [board(4, 20), board(3, 15)];
    check_ends(four, Ending::Open, [four.square(0, 0), None], 7);
    check_ends(four, Ending::Open, [None, four.square(0, 0)], 7);
    let last = three.square(2, 14);
    check_ends(three, Ending::Open, [None, last], 7);
    check_ends(three, Ending::Open, [last, None], 7);
    let start = comb(three, 8).square_at(0);
    check_ends(three, Ending::Open, [start, last], 7);
    let standing = three.transposed();
    check_ends(standing, Ending::Open, [standing.square(14, 2), comb(standing, 8).square_at(0)], 7);
    assert!(Comb::new(four, Ending::Open, [four.square(0, 19), None], 7).is_err());
}

#[test]
fn rows_of_numbers_are_those_of_the_squares() {
    let boards = [(5, 5), (6, 17), (17, 18), (40, 41), (35, 64), (3, 30), (30, 3), (4, 21), (21, 4)];
    for board in boards.map(|(rows, cols)| board(rows, cols)) {
        let mut combs = vec![comb(board, 9)];
        if combs[0].ending() == Ending::Closed {
            let start = board.at(board.squares() / 2);
            let before = start.and_then(|start| combs[0].number_of(start)).and_then(|k| combs[0].square_at(k - 1));
            for ends in [[start, None], [start, before], [before, start]] {
                combs.push(Comb::new(board, Ending::Closed, ends, 9).unwrap());
            }
        }
        let mut numbers = vec![0; board.cols() as usize];
        for (comb, row) in combs.iter().flat_map(|comb| (0..board.rows()).map(move |row| (comb, row))) {
            comb.number_row(row, &mut numbers);
            let squares = (0..board.cols()).map(|col| comb.number_of(board.square(row, col).unwrap()).unwrap());
            assert!(squares.eq(numbers.iter().copied()), "{board} row {row}");
        }
    }
}

#[test]
fn quadrants_have_the_tours_of_even_boards_that_are_nearly_square() {
    let sides = (6..=70).step_by(2).flat_map(|n| [(n, n), (n, n + 2), (n + 2, n)]);
    for board in sides.map(|(rows, cols)| board(rows, cols)) {
        check(&Quadrants::new(board, Ending::Closed, [None; 2], 4).unwrap());
    }
    let board = board(36, 36);
    let quadrants = |ends| Quadrants::new(board, Ending::Open, ends, 4).unwrap();
    let start = board.at(77);
    let ends = [quadrants([start, None]).square_at(0), quadrants([start, None]).square_at(board.squares() - 1)];
    assert_eq!(ends[0], start);
    check(&quadrants([ends[1], ends[0]]));
    assert_eq!(quadrants([ends[1], ends[0]]).square_at(0), ends[1]);
}

#[test]
fn quadrants_do_not_fit_every_board() {
    for (rows, cols) in [(4, 4), (7, 7), (8, 12), (6, 7)] {
        let error = Quadrants::new(board(rows, cols), Ending::Open, [None; 2], 0).unwrap_err();
        let takes = "quadrants takes boards of n x n and n x (n + 2) squares, n even and at least 6, not";
        assert_eq!(error.to_string(), format!("{takes} {rows}x{cols}; use tiles, which takes any"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn huge_boards_answer_both_ways_and_move_by_move(
        rows in 5u32..60_000, cols in 5u32..60_000, seed: u64,
        at in prop::collection::vec(any::<prop::sample::Index>(), 40),
    ) {
        let board = board(rows, cols);
        let comb = comb(board, seed);
        for at in at {
            let k = at.index(board.squares() as usize - 1) as u32;
            let [square, next] = [k, k + 1].map(|k| comb.square_at(k).unwrap());
            prop_assert!(board.adjacent(square, next), "{} at {}", board, k);
            prop_assert_eq!(comb.number_of(square), Some(k));
            prop_assert_eq!(comb.walk_from(k).nth(1), Some(next));
            // From a square to its number and back.
            let square = board.at(k).unwrap();
            prop_assert_eq!(comb.square_at(comb.number_of(square).unwrap()), Some(square));
        }
        let ends = [0, board.squares() - 1].map(|k| comb.square_at(k).unwrap());
        prop_assert_eq!(board.adjacent(ends[0], ends[1]) || comb.ending() == Ending::Open, true);
    }

    #[test]
    fn huge_quadrants_answer_both_ways(half in 3u32..32_000, wider: bool, at in any::<prop::sample::Index>()) {
        let board = board(2 * half, 2 * half + 2 * u32::from(wider));
        let quadrants = Quadrants::new(board, Ending::Closed, [None; 2], 1).unwrap();
        let k = at.index(board.squares() as usize - 1) as u32;
        let [square, next] = [k, k + 1].map(|k| quadrants.square_at(k).unwrap());
        prop_assert!(board.adjacent(square, next));
        prop_assert_eq!(quadrants.number_of(square), Some(k));
        prop_assert_eq!(quadrants.walk_from(k).nth(1), Some(next));
    }

    #[test]
    fn long_thin_boards_answer_both_ways(
        short in 3u32..5, long in 10u32..1_000_000, standing: bool, at in any::<prop::sample::Index>(),
    ) {
        let board = if standing { board(long, short) } else { board(short, long) };
        let comb = comb(board, 1);
        let k = at.index(board.squares() as usize - 1) as u32;
        let [square, next] = [k, k + 1].map(|k| comb.square_at(k).unwrap());
        prop_assert!(board.adjacent(square, next));
        prop_assert_eq!(comb.number_of(square), Some(k));
    }
}
