//! The tie-breaks, by name: among several squares of lowest rank, a sieve drops some; then the first move or a random one wins.

use super::field::{Field, MoveCourse};
use crate::board::{Board, MOVES, Symmetry};
use fastrand::Rng;
use std::fmt;
use std::str::FromStr;

/// A tie-break of Warnsdorff's rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tie {
    /// The order in which Kurapati's shader compares the neighbours.
    Kurapati,
    /// A fixed order, clockwise.
    Fixed,
    /// A random square of those with the lowest rank.
    Random,
    /// The lowest sum of the ranks 1 level ahead, then 2, up to this level, 1..=[`Tie::LEVELS_MAX`]; then a random square
    /// (Pohl).
    Pohl(u32),
    /// The square farthest from the centre of the board, then the fixed order (Roth).
    Roth,
    /// The square farthest from the centre of the board, then a random one.
    RothRandom,
    /// The square with the neighbour of lowest rank, then a random one.
    LowestNeighbour,
}

impl Tie {
    /// Most levels that a tie-break looks ahead; each level costs up to eight times the level before.
    pub const LEVELS_MAX: u32 = 5;

    /// The names that a user may type, for help and error messages.
    pub const NAMES: &str = "kurapati, fixed, random, pohl-1 to pohl-5, roth, roth-random, lowest-neighbour";

    /// One tie-break of each kind, the default first.
    pub const ALL: [Tie; 7] =
        [Tie::Roth, Tie::RothRandom, Tie::Kurapati, Tie::Fixed, Tie::Random, Tie::Pohl(1), Tie::LowestNeighbour];

    /// Whether the tie-break ends with a random choice; the other tie-breaks are deterministic.
    pub fn is_random(self) -> bool {
        !matches!(self, Tie::Kurapati | Tie::Fixed | Tie::Roth)
    }
}

impl fmt::Display for Tie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tie::Kurapati => f.pad("kurapati"),
            Tie::Fixed => f.pad("fixed"),
            Tie::Random => f.pad("random"),
            Tie::Pohl(levels) => f.pad(&format!("pohl-{levels}")),
            Tie::Roth => f.pad("roth"),
            Tie::RothRandom => f.pad("roth-random"),
            Tie::LowestNeighbour => f.pad("lowest-neighbour"),
        }
    }
}

/// The text, which names no tie-break.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no tie-break: write {names}", names = Tie::NAMES)]
pub struct TieError(pub String);

impl FromStr for Tie {
    type Err = TieError;

    fn from_str(text: &str) -> Result<Tie, TieError> {
        let levels = text.strip_prefix("pohl-").and_then(|levels| levels.parse().ok());
        if let Some(levels @ 1..=Tie::LEVELS_MAX) = levels {
            return Ok(Tie::Pohl(levels));
        }
        let named = Tie::ALL.into_iter().find(|tie| tie.to_string() == text);
        named.ok_or_else(|| TieError(text.to_owned()))
    }
}

/// The order in which Kurapati's shader compares the neighbours, as codes:
///
/// ```text
/// . 3 . 1 .
/// 7 . . . 5
/// . . K . .
/// 6 . . . 4
/// . 2 . 0 .
/// ```
///
/// # Source
/// Suraj N. Kurapati, "Knight's Tour in Cg", 2007; the order is that of its program.
const KURAPATI: [u8; 8] = [5, 4, 2, 3, 7, 6, 0, 1];

/// Clockwise from the top right, as codes:
///
/// ```text
/// . 7 . 0 .
/// 6 . . . 1
/// . . K . .
/// 5 . . . 2
/// . 4 . 3 .
/// ```
pub const CLOCKWISE: [u8; 8] = [4, 6, 7, 5, 2, 0, 1, 3];

/// The order in which a tie-break takes equal squares, mapped by a symmetry.
pub fn order(tie: Tie, mirror: Symmetry) -> [u8; 8] {
    let order = if tie == Tie::Kurapati { KURAPATI } else { CLOCKWISE };
    mirrored(order, mirror)
}

/// The images of moves under a symmetry, as codes.
pub fn mirrored(codes: [u8; 8], mirror: Symmetry) -> [u8; 8] {
    let Ok(board) = Board::new(5, 5) else { unreachable!("5x5 is a board") };
    codes.map(|code| {
        let image = board.square(2, 2).and_then(|centre| {
            let target = board.step(centre, code.into())?;
            (0..8).find(|&k| board.step(centre, k.into()) == Some(mirror.apply(board, target)))
        });
        image.unwrap_or_else(|| unreachable!("from the middle of 5x5 every move, and every image of one, stays on it"))
    })
}

/// A tie-break with its random numbers.
pub struct TieBreak {
    tie: Tie,
    /// The random numbers that choose among the squares that remain; with `None` the first move of the course wins.
    rng: Option<Rng>,
}

impl TieBreak {
    /// The tie-break `tie`, for moves in a course made by [`order`].
    pub fn new(tie: Tie, seed: u64) -> TieBreak {
        TieBreak { tie, rng: tie.is_random().then(|| Rng::with_seed(seed)) }
    }

    /// Whether the first of the equal moves always wins.
    pub fn takes_the_first(&self) -> bool {
        matches!(self.tie, Tie::Kurapati | Tie::Fixed)
    }

    /// Chooses one of the moves `tied` (bits: positions in the course, at least one) from the cell `here`.
    #[inline(always)]
    pub fn pick(&mut self, field: &Field, here: usize, course: &MoveCourse, tied: u8) -> usize {
        if tied.is_power_of_two() { tied.trailing_zeros() as usize } else { self.decide(field, here, course, tied) }
    }

    fn decide(&mut self, field: &Field, here: usize, course: &MoveCourse, tied: u8) -> usize {
        let remaining = self.apply_sieve(field, here, course, tied);
        match &mut self.rng {
            Some(rng) if !remaining.is_power_of_two() => {
                let drawn = rng.u32(0..remaining.count_ones());
                (0..drawn).fold(remaining, |rest, _| rest & (rest - 1)).trailing_zeros() as usize
            }
            _ => remaining.trailing_zeros() as usize,
        }
    }

    /// Which of the squares of equal rank remain.
    fn apply_sieve(&self, field: &Field, here: usize, course: &MoveCourse, tied: u8) -> u8 {
        let around = Field::around(here, course);
        match self.tie {
            Tie::Kurapati | Tie::Fixed | Tie::Random => tied,
            Tie::Roth | Tie::RothRandom => {
                // All moves are equally long, so the farthest square lies farthest along the ray from the centre.
                let (row, col) = field.row_col(here);
                let down = 2 * row as i64 - i64::from(field.board.rows() - 1);
                let right = 2 * col as i64 - i64::from(field.board.cols() - 1);
                least(tied, |k| {
                    let (rows, cols) = MOVES[course.codes[k] as usize];
                    -(down * i64::from(rows) + right * i64::from(cols))
                })
            }
            Tie::Pohl(levels) => (1..=levels).fold(tied, |remaining, level| {
                if remaining.is_power_of_two() {
                    remaining
                } else {
                    least(remaining, |k| sum(field, course, around[k], level))
                }
            }),
            Tie::LowestNeighbour => {
                let lowest = |cell| Field::around(cell, course).into_iter().filter_map(|cell| field.rank(cell)).min();
                // A square without an open neighbour is the last one, or a dead end.
                least(tied, |k| lowest(around[k]).unwrap_or(u8::MAX))
            }
        }
    }
}

/// Those of `positions` with the least value.
#[inline]
fn least<V: Ord>(mut positions: u8, value: impl Fn(usize) -> V) -> u8 {
    let mut best = None;
    let mut remaining = 0;
    while positions != 0 {
        let bit = positions & positions.wrapping_neg();
        positions ^= bit;
        let value = value(bit.trailing_zeros() as usize);
        match best.as_ref().map(|best| value.cmp(best)) {
            Some(std::cmp::Ordering::Greater) => {}
            Some(std::cmp::Ordering::Equal) => remaining |= bit,
            _ => (best, remaining) = (Some(value), bit),
        }
    }
    remaining
}

/// The sum of the ranks `level` levels ahead: at level 0 the rank of the square, at a higher level the total of the sums of
/// its open neighbours.
fn sum(field: &Field, course: &MoveCourse, cell: usize, level: u32) -> u64 {
    match (field.rank(cell), level) {
        (None, _) => 0,
        (Some(rank), 0) => rank.into(),
        (Some(_), _) => Field::around(cell, course).into_iter().map(|cell| sum(field, course, cell, level - 1)).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_break_is_parsed_from_its_own_name() {
        for tie in Tie::ALL.into_iter().chain([Tie::Pohl(5)]) {
            assert_eq!(tie.to_string().parse(), Ok(tie));
        }
        for text in ["", "pohl", "pohl-0", "pohl-6", "pohl--1", "Roth"] {
            assert_eq!(text.parse::<Tie>(), Err(TieError(text.to_owned())), "{text}");
        }
    }
}
