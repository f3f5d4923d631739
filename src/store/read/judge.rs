//! What numbers that were read mean: a grid, the rows and columns of the squares in their order, or the numbers of the squares.
//!
//! Of two readings the one that is a tour is taken, and only if it uses every number.

use super::outcome::{ReadStop, ReadTour, WordPlaces, flaw};
use crate::board::{Board, GridError, GridRows, Shape, Square};
use crate::store::check::{is_first_again, verify_moves};

/// Whether the squares are a tour around the holes. It may name its first square again.
pub fn is_tour(shape: &Shape, squares: &[Square]) -> bool {
    let squares = &squares[usize::from(is_first_again(shape, squares))..];
    squares.len() == shape.squares() as usize && verify_moves(shape, squares).is_ok()
}

/// The tour whose move numbers the rows are. Numbers of the rows at the edge are no move numbers: they are left out if the grid is none
/// with them.
pub fn by_grid(rows: &GridRows, places: &WordPlaces) -> Result<ReadTour, ReadStop> {
    let found = |(shape, squares), places: WordPlaces, form| ReadTour::new(shape, squares, places.by_square(), form);
    let (form, columns) = (if rows.is_from_0() { "grid from 0" } else { "grid" }, rows.inner_columns());
    rows.finish().map(|tour| found(tour, places.clone(), form)).or_else(|error| {
        let is_inside = |at: usize| columns.contains(&(at % rows.cols()));
        match rows.columns(columns.clone()).finish() {
            Ok(tour) if columns.len() < rows.cols() => Ok(found(tour, places.only(is_inside), "grid with row numbers")),
            _ => Err(grid_flaw(rows, places, &error)),
        }
    })
}

fn grid_flaw(rows: &GridRows, places: &WordPlaces, error: &GridError) -> ReadStop {
    let is_pairs = rows.cols() == 2 && rows.rows() > 2;
    let hint = if is_pairs { "; rows of two are pairs if --board names the board" } else { "" };
    let reason = format!("{error}{hint}");
    match *error {
        GridError::Number { row, col, number, .. } => {
            places.flaw((row - 1) * rows.cols() + col - 1, number as usize, reason)
        }
        _ => flaw(places.begin, None, reason),
    }
}

/// The tour whose squares are these numbers in their order, from the top left, or whose moves they number, row by row: the second only if
/// the first is no tour and it is one.
pub fn by_numbers(rows: &GridRows, shape: &Shape, places: WordPlaces) -> Result<ReadTour, ReadStop> {
    let (board, numbers, first) = (shape.board(), rows.numbers(), u32::from(!rows.is_from_0()));
    let square = |&number: &u32| number.checked_sub(first).and_then(|index| board.at(index));
    // One square too many may be the first one again. Two show that a square is visited twice.
    let numbers = &numbers[..numbers.len().min(board.squares() as usize + 2)];
    if let Some(index) = numbers.iter().position(|number| square(number).is_none()) {
        let (move_number, last, number) = (index + 1, board.squares() - 1 + first, numbers[index]);
        let reason = format!("move {move_number}: the squares of {board} are numbered {first} to {last}, not {number}");
        return Err(places.flaw(index, move_number, reason));
    }
    let squares: Vec<Square> = numbers.iter().filter_map(square).collect();
    if numbers.len() == board.squares() as usize
        && !is_tour(shape, &squares)
        && let Ok((_, moves)) = rows.recut(board.cols() as usize).finish()
        && is_tour(shape, &moves)
    {
        return Ok(ReadTour::new(shape.clone(), moves, places.by_square(), "numbers of moves, row by row"));
    }
    Ok(ReadTour::new(shape.clone(), squares, places, "numbers of squares"))
}

/// How pairs of numbers may be meant: the number of the first row and column, whether the column stands first, and the form. Lists of
/// this program have row and column from 0.
const WAYS: [(u32, bool, &str); 4] = [
    (0, false, "pairs"),
    (1, false, "pairs from 1"),
    (0, true, "pairs, column first"),
    (1, true, "pairs from 1, column first"),
];

/// The tour whose squares are two numbers each, one after the other. They are read in another way than that of lists only if that makes a
/// path of them and the way of lists does not, or if they cannot be read in that way.
pub fn by_pairs(pairs: &[[u32; 2]], shape: Option<&Shape>, places: &WordPlaces) -> Result<ReadTour, ReadStop> {
    let read = |&(first, is_turned, form): &(u32, bool, &'static str)| {
        let spot = |&[one, other]: &[u32; 2]| {
            let (row, col) = if is_turned { (other, one) } else { (one, other) };
            row.checked_sub(first).zip(col.checked_sub(first))
        };
        let spots = pairs.iter().map(spot).collect::<Option<Vec<_>>>()?;
        let side = |side: fn(&(u32, u32)) -> u32| spots.iter().map(side).max().map_or(0, |last| u64::from(last) + 1);
        let named = || Some(Board::new(side(|spot| spot.0), side(|spot| spot.1)).ok()?.into());
        let shape: Shape = shape.cloned().or_else(named)?;
        let board = shape.board();
        // One square too many may be the first one again. Two show that a square is visited twice.
        let spots = spots.into_iter().take(board.squares() as usize + 2);
        let squares = spots.map(|(row, col)| board.square(row, col)).collect::<Option<Vec<_>>>()?;
        Some(ReadTour::new(shape, squares, places.clone(), form))
    };
    let is_whole = |found: &ReadTour| is_tour(&found.shape, &found.squares);
    let found = WAYS.iter().filter_map(read).find(is_whole).or_else(|| WAYS.iter().find_map(read));
    found.ok_or_else(|| {
        let board = shape.map(Shape::board);
        let is_off = |&[row, col]: &[u32; 2]| board.is_none_or(|board| board.square(row, col).is_none());
        let index = pairs.iter().position(is_off).unwrap_or(0);
        let of = board.map_or_else(|| "a board".to_owned(), |board| format!("the board {board}"));
        let ([row, col], number) = (pairs[index], index + 1);
        let reason = format!("move {number}: '{row},{col}' is not on {of}: rows and columns count from 0");
        places.flaw(index, number, reason)
    })
}
