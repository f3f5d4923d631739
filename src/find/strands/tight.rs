//! The squares with few options left.
//!
//! A square is filed by its remaining choice: ends of strands, which need one move, before squares that need two; the
//! fewest open moves first. Each class is a set of bits, so a search finds its next square in a few words, and finds
//! one near the last.

/// Number of classes: ends of strands with 2..=8 open moves, then bare squares with 3..=9.
const CLASSES: usize = 14;

/// The squares with a choice, by class.
#[derive(Clone, Debug)]
pub(super) struct Tight {
    words: usize,
    /// The bits of one class after another, `words` words each.
    sets: Vec<u64>,
    sizes: [u32; CLASSES],
}

/// For each set of nine bits: the number of bits set.
const ONES: [u8; 512] = {
    let mut ones = [0; 512];
    let mut set = 1;
    while set < 512 {
        ones[set] = ones[set / 2] + (set % 2) as u8;
        set += 1;
    }
    ones
};

/// The number of moves in, times 16, plus the number of open moves.
#[inline(always)]
pub(super) fn degrees(fixed: u16, open: u16) -> u8 {
    ONES[usize::from(fixed) & 511] << 4 | ONES[usize::from(open) & 511]
}

/// The class of a square with these [`degrees`]; `None` if it has no choice.
#[inline(always)]
fn class(degrees: u8) -> Option<usize> {
    match degrees {
        0x12..=0x18 => Some(usize::from(degrees - 0x12)),
        0x03..=0x09 => Some(usize::from(degrees - 0x03) + 7),
        _ => None,
    }
}

impl Tight {
    /// Empty classes for a board of `squares` squares.
    pub fn new(squares: usize) -> Tight {
        let words = squares.div_ceil(64);
        Tight { words, sets: vec![0; words * CLASSES], sizes: [0; CLASSES] }
    }

    /// Files a square in its class.
    pub fn add(&mut self, square: usize, degrees: u8) {
        if let Some(class) = class(degrees) {
            self.sets[class * self.words + square / 64] ^= 1 << (square % 64);
            self.sizes[class] += 1;
        }
    }

    /// Files a square again when its [`degrees`] change from `before` to `after`.
    #[inline(always)]
    pub fn change(&mut self, square: usize, before: u8, after: u8) {
        if let Some(class) = class(before) {
            self.sets[class * self.words + square / 64] ^= 1 << (square % 64);
            self.sizes[class] -= 1;
        }
        self.add(square, after);
    }

    /// A square of the first class that is not empty, searched from the word of `near` on.
    pub fn first(&self, near: usize) -> Option<usize> {
        let class = self.sizes.iter().position(|&size| size > 0)?;
        let set = &self.sets[class * self.words..][..self.words];
        let from = near / 64;
        (from..self.words)
            .chain(0..from)
            .find(|&word| set[word] != 0)
            .map(|word| word * 64 + set[word].trailing_zeros() as usize)
    }
}
