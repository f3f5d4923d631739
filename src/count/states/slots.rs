//! Which slot holds which square of the frontier.
//!
//! A square that joins the frontier takes the slot of the square that is being processed, if nothing has taken it yet, or else
//! the first free one. With a mirror, a square and its image take two slots that are each other's image, both at once: whichever of
//! the two is met first, the place of the other is kept for it.

use super::mirror::Mirror;
use crate::board::{Board, Square};

/// The slots of a board's squares, so far.
pub struct SlotTable {
    board: Board,
    mirror: Option<Mirror>,
    /// By square: the slot that it has, or had.
    of: Vec<Option<u8>>,
    /// By slot: the square that took it last.
    holder: [Option<Square>; 32],
    free: u32,
    /// The square that is being processed, and its slot until another square takes it.
    processed: Option<(Square, Option<u8>)>,
}

impl SlotTable {
    /// A table in which the slots in `taken` hold no square.
    pub fn new(board: Board, taken: u32, mirror: Option<Mirror>) -> SlotTable {
        let of = vec![None; board.squares() as usize];
        SlotTable { board, mirror, of, holder: [None; 32], free: !taken, processed: None }
    }

    pub fn get(&self, square: Square) -> Option<u8> {
        self.of[square.index() as usize]
    }

    /// Processes a square: its slot becomes free.
    pub fn process(&mut self, square: Square) -> u8 {
        self.processed = None;
        let slot = self.meet(square);
        let is_free = self.holder[usize::from(slot)] == Some(square);
        if is_free {
            self.free |= 1 << slot;
        }
        self.processed = Some((square, is_free.then_some(slot)));
        slot
    }

    /// The slot of a square that is a move away from the processed one.
    pub fn meet(&mut self, square: Square) -> u8 {
        self.get(square).unwrap_or_else(|| self.take(square))
    }

    fn take(&mut self, square: Square) -> u8 {
        let Some(mirror) = self.mirror else {
            let offered = self.processed.as_mut().and_then(|(_, slot)| slot.take());
            let slot = offered.unwrap_or(self.free.trailing_zeros() as u8);
            self.hold(square, slot);
            return slot;
        };
        let image = mirrored(self.board, square);
        let kept = (1u32 << mirror.fixed) - 1;
        let slot = match self.processed {
            _ if image == square => (self.free & kept).trailing_zeros() as u8,
            Some((processed, Some(slot))) if self.is_offered(processed, slot, mirror) => slot,
            _ => (self.free & mirror.image(self.free) & !kept).trailing_zeros() as u8,
        };
        self.hold(square, slot);
        if image != square {
            self.hold(image, mirror.slot(slot));
        }
        slot
    }

    /// Whether the slot of the processed square is free and its image is so, or will be when the image of the square has been
    /// processed.
    fn is_offered(&self, processed: Square, slot: u8, mirror: Mirror) -> bool {
        let (image, holder) = (mirror.slot(slot), self.holder[usize::from(mirror.slot(slot))]);
        let next = mirrored(self.board, processed);
        let is_free = |slot: u8| self.free >> slot & 1 == 1;
        is_free(slot) && image != slot && (is_free(image) || holder == Some(next))
    }

    fn hold(&mut self, square: Square, slot: u8) {
        self.of[square.index() as usize] = Some(slot);
        self.holder[usize::from(slot)] = Some(square);
        self.free &= !(1 << slot);
    }
}

/// The image of a square: left and right exchanged.
pub fn mirrored(board: Board, square: Square) -> Square {
    let (row, col) = board.row_col(square);
    board.square(row, board.cols() - 1 - col).unwrap_or(square)
}
