//! The order in which squares are processed, and the slots that hold the frontier.
//!
//! Squares are processed row by row along the short side; inside a row the even columns from left to right, then the
//! odd ones from right to left. On 8 columns, with the row that is being processed and the two after it:
//!
//! ```text
//! 0 7 1 6 2 5 3 4   <- processed in this order
//! . . . . . . . .   <- all on the frontier: a knight reaches them from above
//! . . . . . . . .   <- join the frontier one by one
//! ```
//!
//! A knight that moves down two rows changes its column by one, so two even columns share the squares that they reach.
//! So after an even column at most one new square joins the frontier, and it takes the **slot** of the square that
//! leaves. At most `2 * cols` slots are in use. Plain row order needs one more in the middle of a row, and each further
//! slot makes three times as many states.
//!
//! Open tours are closed tours of a larger graph. A further vertex, the **apex**, is joined to every square, is never
//! processed, and has degree 2 in the end; its two neighbours are the ends of the tour. It has a slot of its own from
//! the beginning. The colour of a square decides whether it may be joined to the apex ([`Apex`]).
//!
//! # Strips
//!
//! The order of a board begins with the order of every shorter board, and so does the work. A join may close a tour of
//! the first rows alone. It then leaves degree 2 on all squares of those rows that are still ahead, and degree 0 on all
//! squares behind them. That is a pattern without ends, and it tells the number of rows ([`ClosedPattern`]). So one
//! sweep can answer for every length of a **strip** of boards. The order of a strip is made as if two rows followed the
//! longest board, and stops before them. Then every processed square has all its neighbours, and every row does the
//! same work on the frontier.

use crate::board::{Board, Square};
use crate::count::ask::question::upright;

/// The colours of the squares that may be joined to the apex, first and second in the order of processing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apex {
    /// The colours, (row + column) mod 2, that may be joined first.
    pub first: [bool; 2],
    /// The colours that may be joined second.
    pub second: [bool; 2],
    /// A square that must be joined, of any colour.
    pub required: Option<Square>,
}

/// One step: what processing a square does to the frontier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrontierStep {
    /// The slot of the processed square. It is free after the step, or holds a new square.
    pub slot: u8,
    /// The slots of its neighbours still to be processed, the apex among them.
    pub ahead: Vec<u8>,
    /// Neighbours that the square must have a move to, as bits of their places in `ahead`; none unless a move is
    /// required.
    pub required: u32,
    /// How the square may be joined to the apex, if the order has an apex.
    pub apex: Option<ApexLink>,
    /// The slots in use after the step.
    pub active: u32,
    /// The patterns without ends that are tours of a board: for every board whose unprocessed squares are all on the
    /// frontier after the step.
    pub closed_patterns: Vec<ClosedPattern>,
    /// The row of the square, from 0, on the board with its short side across.
    pub row: u32,
}

impl FrontierStep {
    /// Whether both steps have an equal effect on a frontier; their rows may differ.
    pub fn same_effect(&self, other: &FrontierStep) -> bool {
        let parts = |step: &FrontierStep| (step.slot, step.required, step.apex, step.active);
        parts(self) == parts(other) && self.ahead == other.ahead && self.closed_patterns == other.closed_patterns
    }
}

/// A pattern without ends that is a tour of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosedPattern {
    /// Rows of the board from the row of the step on.
    pub rows: u32,
    /// The slots with degree 2; all others have degree 0.
    pub twos: u32,
}

/// How a square may be joined to the apex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ApexLink {
    /// The slot of the apex.
    pub slot: u8,
    /// Whether the square may be the first neighbour of the apex.
    pub first: bool,
    /// Whether the square may be the second neighbour of the apex.
    pub second: bool,
    /// Whether the square must be joined.
    pub required: bool,
}

/// The steps of a board, or of a strip.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StepOrder {
    /// One step for each square, in order.
    pub steps: Vec<FrontierStep>,
    /// Number of slots.
    pub slots: u32,
    /// The slots in use before the first step: the apex, or none.
    pub active: u32,
    /// Whether the order is for a strip. A strip reads the tours of a board at the step that closes them, and they lead
    /// no further; a single board carries them on to the last square.
    pub is_strip: bool,
}

/// The columns of a row, in the order of processing.
fn columns(cols: u32) -> impl Iterator<Item = u32> {
    (0..cols).step_by(2).chain((0..cols).filter(|col| col % 2 == 1).rev())
}

/// The board with its short side across, and its squares in the order of processing.
pub fn processing_order(board: Board) -> (Board, Vec<Square>) {
    let (board, _) = upright(board);
    (board, squares_in_order(board).collect())
}

/// The squares of a board as it stands, in the order of processing.
fn squares_in_order(board: Board) -> impl Iterator<Item = Square> {
    let row = move |row| columns(board.cols()).filter_map(move |col| board.square(row, col));
    (0..board.rows()).flat_map(row)
}

/// Most slots of the frontier of a board `across` squares wide, without the apex.
pub fn slots(across: u32) -> u32 {
    2 * across
}

impl StepOrder {
    /// The order of a board with its short side across ([`upright`]); open tours need an apex.
    pub fn new(board: Board, apex: Option<Apex>) -> StepOrder {
        StepOrder { is_strip: false, ..StepOrder::first_rows(board, board.rows(), &[board.rows()], apex) }
    }

    /// The order of a strip of boards: as wide as `ground`, with the lengths in `lengths`, which rise. The ground has
    /// two rows more than the longest board. Open tours need an apex.
    pub fn strip(ground: Board, lengths: &[u32], apex: Option<Apex>) -> StepOrder {
        StepOrder::first_rows(ground, ground.rows() - 2, lengths, apex)
    }

    /// The order of the first `rows` rows of a board.
    fn first_rows(board: Board, rows: u32, lengths: &[u32], apex: Option<Apex>) -> StepOrder {
        let mut slot_of = vec![None; board.squares() as usize];
        let mut free = !u32::from(apex.is_some());
        let mut order = StepOrder { steps: Vec::new(), slots: 0, active: !free, is_strip: true };
        let mut active = order.active;
        let mut processed = vec![false; board.squares() as usize];
        for square in squares_in_order(board).take((rows * board.cols()) as usize) {
            let slot = slot_of[square.index() as usize].unwrap_or_else(|| free.trailing_zeros() as u8);
            order.slots = order.slots.max(u32::from(slot) + 1);
            processed[square.index() as usize] = true;
            // The slot that becomes free is offered first; the code below takes it from the free slots again.
            let mut offered = Some(slot);
            free |= 1 << slot;
            let ahead = board.neighbours(square).filter(|next| !processed[next.index() as usize]);
            let mut ahead: Vec<u8> = ahead
                .map(|next| {
                    *slot_of[next.index() as usize].get_or_insert_with(|| {
                        let slot = offered.take().unwrap_or(free.trailing_zeros() as u8);
                        free &= !(1 << slot);
                        slot
                    })
                })
                .collect();
            active = ahead.iter().fold(active & !(1 << slot), |active, &slot| active | 1 << slot);
            let (row, col) = board.row_col(square);
            let colour = ((row + col) % 2) as usize;
            let apex = apex.map(|apex| {
                let required = apex.required == Some(square);
                let [first, second] = [apex.first, apex.second].map(|colours| required || colours[colour]);
                ApexLink { slot: 0, first, second, required }
            });
            ahead.extend(apex.map(|apex| apex.slot));
            order.slots = ahead.iter().fold(order.slots, |slots, &slot| slots.max(u32::from(slot) + 1));
            // The fourth row from here on has no neighbour of a processed square.
            let near = (row + 1..=row + 3).filter(|length| lengths.binary_search(length).is_ok());
            let closed = near.filter_map(|length| {
                let mut left = (row * board.cols()..length * board.cols()).filter(|&index| !processed[index as usize]);
                let joined = u32::from(apex.is_some());
                let twos = left.try_fold(joined, |twos, index| Some(twos | 1 << slot_of[index as usize]?))?;
                Some(ClosedPattern { rows: length - row, twos })
            });
            let closed = closed.collect();
            order.steps.push(FrontierStep { slot, ahead, required: 0, apex, active, closed_patterns: closed, row });
        }
        order
    }

    /// Requires the move between two squares, where `squares` are the squares of an upright board in the order of
    /// processing.
    pub fn require(&mut self, board: Board, squares: &[Square], ends: [Square; 2]) {
        let place = |square| squares.iter().position(|&other| other == square);
        let [Some(one), Some(other)] = ends.map(place) else { return };
        let (first, last) = (one.min(other), one.max(other));
        let ahead = board.neighbours(squares[first]).filter(|&next| place(next).is_some_and(|place| place > first));
        let chosen = ahead.take_while(|&next| next != squares[last]).count();
        self.steps[first].required |= 1 << chosen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn a_row_is_processed_there_and_back() {
        assert_eq!(columns(8).collect::<Vec<_>>(), [0, 2, 4, 6, 7, 5, 3, 1]);
        assert_eq!(columns(5).collect::<Vec<_>>(), [0, 2, 4, 3, 1]);
    }

    #[test]
    fn two_slots_a_column_and_one_for_the_apex() {
        let apex = Apex { first: [true; 2], second: [true; 2], required: None };
        for (rows, cols) in (1..=12).flat_map(|rows| (1..=rows).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let slots = StepOrder::new(board, None).slots;
            assert!(slots <= super::slots(cols as u32).max(1), "{board}: {slots}");
            assert!(StepOrder::new(board, Some(apex)).slots <= slots + 1, "{board}");
        }
        assert_eq!(StepOrder::new(board("8x8"), None).slots, 16);
    }

    /// The test follows the square in every slot from step to step.
    #[test]
    fn a_slot_holds_one_square_from_its_first_neighbour_to_its_turn() {
        for text in ["3x3", "5x4", "8x8", "7x5", "12x3"] {
            let board = board(text);
            let order = StepOrder::new(board, None);
            let mut holder = vec![None; order.slots as usize];
            let mut processed = Vec::new();
            let squares = (0..board.rows()).flat_map(|row| columns(board.cols()).map(move |col| (row, col)));
            for (step, (row, col)) in order.steps.iter().zip(squares) {
                let square = board.square(row, col).unwrap();
                assert!([None, Some(square)].contains(&holder[step.slot as usize]), "{text} {row},{col}");
                holder[step.slot as usize] = None;
                processed.push(square);
                let ahead: Vec<Square> = board.neighbours(square).filter(|next| !processed.contains(next)).collect();
                assert_eq!(ahead.len(), step.ahead.len());
                for (&next, &slot) in ahead.iter().zip(&step.ahead) {
                    assert!([None, Some(next)].contains(&holder[slot as usize]), "{text} {row},{col}");
                    holder[slot as usize] = Some(next);
                }
                let active = (0..32).filter(|&slot| step.active >> slot & 1 == 1).count();
                assert_eq!(active, holder.iter().flatten().count());
                let all_met = active + processed.len() == board.squares() as usize;
                let whole = ClosedPattern { rows: board.rows() - row, twos: step.active };
                assert_eq!(step.closed_patterns, if all_met { vec![whole] } else { Vec::new() });
            }
        }
    }
}
