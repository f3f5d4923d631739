//! The order in which squares are processed, and the slots that hold the frontier.
//!
//! Squares are processed row by row along the short side; inside a row the even columns from left to right, then the
//! odd ones from right to left. On 8 columns, with the row that is being processed and the two after it:
//!
//! ```text
//! 0 7 1 6 2 5 3 4   <- processed in this order
//! . . . . . . . .   <- all on the frontier: the knight reaches them from above
//! . . . . . . . .   <- come to the frontier one by one
//! ```
//!
//! A knight that goes down two rows changes its column by one, so that two even columns share the squares that they
//! reach: after an even column at most one new square comes to the frontier, and it takes the **slot** of the square
//! that leaves. At most `2 * cols` slots are in use, where plain row order needs one more in the middle of a row; the
//! states of one more slot are three times as many.
//!
//! Open tours are closed ones of a larger graph: a further vertex, the **apex**, is joined to every square, is never
//! processed, and must have degree 2 in the end; its two neighbours are the ends of the tour. It has a slot of its own
//! from the beginning. Which squares may be joined to it is a question of colour ([`Apex`]).
//!
//! # Boards along the way
//!
//! The order of a board begins with that of every shorter one, and so does the work. A tour of the first rows alone is
//! complete when the join that closes it has left degree 2 on all their squares that are still ahead, and 0 on all behind
//! them: a pattern without ends that tells which rows they are ([`Closed`]). So one sweep can answer for every length of
//! a **strip** of boards. Its order is made as if two rows more came after the longest board, and ends before them: then
//! every square that is processed has all its neighbours, and every row does to the frontier what the others do.

use crate::board::{Board, Square};

/// Which squares may be joined to the apex, first and second in the order of processing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Apex {
    /// The colours, (row + column) mod 2, that may be joined first.
    pub(super) first: [bool; 2],
    /// The colours that may be joined second.
    pub(super) second: [bool; 2],
    /// A square that must be joined, of any colour.
    pub(super) must: Option<Square>,
}

/// What one square does to the frontier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FrontierStep {
    /// The slot of the square that is processed; it is free afterwards, or holds a square that comes new.
    pub(super) slot: u8,
    /// The slots of its neighbours that are still to be processed, the apex among them.
    pub(super) ahead: Vec<u8>,
    /// Which of these neighbours it must have a move to, as bits of their places; none but where a move is required.
    pub(super) must: u32,
    /// The slot of the apex, if this square may be joined to it: as its first neighbour, as its second.
    pub(super) apex: Option<Joining>,
    /// The slots in use afterwards.
    pub(super) active: u32,
    /// The patterns without ends that are whole tours: those of the boards whose squares still to be processed are all
    /// on the frontier afterwards.
    pub(super) closed: Vec<Closed>,
    /// The row that the square stands in, from 0, on the board with its short side across.
    pub(super) row: u32,
}

impl FrontierStep {
    /// Whether the two do the same to a frontier, in whatever rows.
    pub(super) fn same_effect(&self, other: &FrontierStep) -> bool {
        let parts = |step: &FrontierStep| (step.slot, step.must, step.apex, step.active);
        parts(self) == parts(other) && self.ahead == other.ahead && self.closed == other.closed
    }
}

/// A pattern without ends that is a tour of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Closed {
    /// How many rows the board has from the row of the step on.
    pub(super) rows: u32,
    /// The slots with degree 2; all others have degree 0.
    pub(super) twos: u32,
}

/// How a square may be joined to the apex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Joining {
    /// The apex' slot.
    pub(super) slot: u8,
    /// As the apex' first neighbour.
    pub(super) first: bool,
    /// As its second.
    pub(super) second: bool,
    /// It must be joined.
    pub(super) must: bool,
}

/// The steps of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StepOrder {
    /// One for each square, in order.
    pub(super) steps: Vec<FrontierStep>,
    /// How many slots there are.
    pub(super) slots: u32,
    /// The slots in use before the first step: the apex, or none.
    pub(super) active: u32,
    /// Whether it is for a strip: a tour that is complete is read where it was closed, and leads nowhere. That of a single
    /// board is carried on to the last square.
    pub(super) is_strip: bool,
}

/// The board with its short side across, and whether that exchanged rows and columns.
pub(super) fn upright(board: Board) -> (Board, bool) {
    if board.rows() < board.cols() { (board.transposed(), true) } else { (board, false) }
}

/// The columns of a row in the order of processing.
fn columns(cols: u32) -> impl Iterator<Item = u32> {
    (0..cols).step_by(2).chain((0..cols).filter(|col| col % 2 == 1).rev())
}

/// A board with its short side across, and its squares in the order of processing.
pub fn processing_order(board: Board) -> (Board, Vec<Square>) {
    let (board, _) = upright(board);
    (board, in_order(board).collect())
}

/// The squares of a board, as it stands, in the order of processing.
fn in_order(board: Board) -> impl Iterator<Item = Square> {
    let row = move |row| columns(board.cols()).filter_map(move |col| board.square(row, col));
    (0..board.rows()).flat_map(row)
}

/// How many slots the widest frontier of a board so many squares across has, without the apex.
pub(super) fn slots(across: u32) -> u32 {
    2 * across
}

impl StepOrder {
    /// The order of a board, which must stand upright ([`upright`]); with an apex for open tours.
    pub(super) fn new(board: Board, apex: Option<Apex>) -> StepOrder {
        StepOrder { is_strip: false, ..StepOrder::begun(board, board.rows(), &[board.rows()], apex) }
    }

    /// The order of the boards of a strip, which all are so many squares across as `ground` and of these lengths, in
    /// order. The ground has two rows more than the longest of them.
    pub(super) fn strip(ground: Board, lengths: &[u32], apex: Option<Apex>) -> StepOrder {
        StepOrder::begun(ground, ground.rows() - 2, lengths, apex)
    }

    /// The first rows of the order of a board.
    fn begun(board: Board, rows: u32, lengths: &[u32], apex: Option<Apex>) -> StepOrder {
        let mut slot_of = vec![None; board.squares() as usize];
        let mut free = !u32::from(apex.is_some());
        let mut order = StepOrder { steps: Vec::new(), slots: 0, active: !free, is_strip: true };
        let mut active = order.active;
        let mut processed = vec![false; board.squares() as usize];
        for square in in_order(board).take((rows * board.cols()) as usize) {
            let slot = slot_of[square.index() as usize].unwrap_or_else(|| free.trailing_zeros() as u8);
            order.slots = order.slots.max(u32::from(slot) + 1);
            processed[square.index() as usize] = true;
            // The slot that becomes free is offered first: it is taken away from the free ones below.
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
                let must = apex.must == Some(square);
                Joining { slot: 0, first: must || apex.first[colour], second: must || apex.second[colour], must }
            });
            ahead.extend(apex.map(|apex| apex.slot));
            order.slots = ahead.iter().fold(order.slots, |slots, &slot| slots.max(u32::from(slot) + 1));
            // A square of the fourth row from here on has no neighbour that is processed.
            let near = (row + 1..=row + 3).filter(|length| lengths.binary_search(length).is_ok());
            let closed = near.filter_map(|length| {
                let mut left = (row * board.cols()..length * board.cols()).filter(|&index| !processed[index as usize]);
                let joined = u32::from(apex.is_some());
                let twos = left.try_fold(joined, |twos, index| Some(twos | 1 << slot_of[index as usize]?))?;
                Some(Closed { rows: length - row, twos })
            });
            let closed = closed.collect();
            order.steps.push(FrontierStep { slot, ahead, must: 0, apex, active, closed, row });
        }
        order
    }

    /// From now on tours must have the move between two squares, of the upright board whose squares are processed so.
    pub(super) fn require(&mut self, board: Board, squares: &[Square], ends: [Square; 2]) {
        let place = |square| squares.iter().position(|&other| other == square);
        let [Some(one), Some(other)] = ends.map(place) else { return };
        let (first, last) = (one.min(other), one.max(other));
        let ahead = board.neighbours(squares[first]).filter(|&next| place(next).is_some_and(|place| place > first));
        let chosen = ahead.take_while(|&next| next != squares[last]).count();
        self.steps[first].must |= 1 << chosen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse().unwrap()
    }

    #[test]
    fn the_row_goes_there_and_back() {
        assert_eq!(columns(8).collect::<Vec<_>>(), [0, 2, 4, 6, 7, 5, 3, 1]);
        assert_eq!(columns(5).collect::<Vec<_>>(), [0, 2, 4, 3, 1]);
    }

    #[test]
    fn two_slots_a_column_and_one_for_the_apex() {
        let apex = Apex { first: [true; 2], second: [true; 2], must: None };
        for (rows, cols) in (1..=12).flat_map(|rows| (1..=rows).map(move |cols| (rows, cols))) {
            let board = Board::new(rows, cols).unwrap();
            let slots = StepOrder::new(board, None).slots;
            assert!(slots <= super::slots(cols as u32).max(1), "{board}: {slots}");
            assert!(StepOrder::new(board, Some(apex)).slots <= slots + 1, "{board}");
        }
        assert_eq!(StepOrder::new(board("8x8"), None).slots, 16);
    }

    /// Between two steps every square on the frontier has a slot of its own, which is followed here by name.
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
                let whole = Closed { rows: board.rows() - row, twos: step.active };
                assert_eq!(step.closed, if all_met { vec![whole] } else { Vec::new() });
            }
        }
    }
}
