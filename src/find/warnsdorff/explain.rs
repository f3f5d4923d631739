//! Why the rule goes where it goes: the candidates of one move, their ranks, and what decided between them.
//!
//! A pure function of the squares visited. It looks only at the squares a few moves around the knight, so that it costs
//! the same on a board of any size; and it is written without the kernel, which is tested against it.

use super::ties::order;
use crate::board::{Board, Square, Symmetry};
use crate::find::Tie;

/// What put a candidate out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// Another one has a lower rank.
    ByRank,
    /// The tie-break prefers another one of the same rank.
    ByTie,
    /// The tie-break finds it equal to one that comes before it in the order of the moves.
    ByOrder,
}

/// An open square a knight's move away.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The square.
    pub square: Square,
    /// Open squares next to it.
    pub rank: u32,
    /// What put it out; nothing for the one chosen, and for those between which lots are drawn.
    pub lost: Option<Lost>,
    /// Whether it alone is left.
    pub chosen: bool,
}

/// The candidates of one move, in the order in which the tie-break takes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explained {
    board: Board,
    tie: Tie,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// Looks at the candidates of a knight on `here`, which counts as visited.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::find::{Tie, explain};
/// let board: Board = "8x8".parse().unwrap();
/// let here = board.parse_square("2,4").unwrap();
/// let explained = explain(board, |square| square == here, here, Tie::Kurapati);
/// let ranks: Vec<u32> = explained.candidates.iter().map(|candidate| candidate.rank).collect();
/// assert_eq!(ranks, [7, 3, 7, 3, 5, 3, 7, 5]);
/// let chosen = explained.candidates[1].square;
/// assert_eq!(explained.why(chosen), "rank 3, the lowest; tie with d8 and g7 broken by kurapati's order");
/// ```
pub fn explain(board: Board, visited: impl Fn(Square) -> bool, here: Square, tie: Tie) -> Explained {
    let around =
        Around { board, order: order(tie, Symmetry::Identity), open: |square| square != here && !visited(square) };
    let candidate = |square| Candidate { square, rank: around.rank(square), lost: None, chosen: false };
    let mut candidates: Vec<Candidate> = around.of(here).map(candidate).collect();
    keep_least(&mut candidates, Lost::ByRank, |candidate| candidate.rank);
    match tie {
        Tie::Kurapati | Tie::Fixed | Tie::Random => {}
        Tie::Roth | Tie::RothRandom => {
            keep_least(&mut candidates, Lost::ByTie, |candidate| u128::MAX - distance(board, candidate.square));
        }
        Tie::Pohl(levels) => {
            for level in 1..=levels {
                keep_least(&mut candidates, Lost::ByTie, |candidate| around.sum(candidate.square, level));
            }
        }
        Tie::LowestNeighbour => keep_least(&mut candidates, Lost::ByTie, |candidate| {
            around.of(candidate.square).map(|square| around.rank(square)).min().unwrap_or(u32::MAX)
        }),
    }
    let mut left: Vec<&mut Candidate> = candidates.iter_mut().filter(|candidate| candidate.lost.is_none()).collect();
    if !tie.draws_lots() {
        left.iter_mut().skip(1).for_each(|candidate| candidate.lost = Some(Lost::ByOrder));
        left.truncate(1);
    }
    if let [only] = &mut left[..] {
        only.chosen = true;
    }
    Explained { board, tie, candidates }
}

/// Puts out, for this reason, all that are left but those of least value.
fn keep_least<V: Ord>(candidates: &mut [Candidate], reason: Lost, value: impl Fn(&Candidate) -> V) {
    let in_play = |candidate: &&Candidate| candidate.lost.is_none();
    // Nothing is to be decided where one is left, and values can be dear.
    if candidates.iter().filter(in_play).count() < 2 {
        return;
    }
    let Some(least) = candidates.iter().filter(in_play).map(&value).min() else { return };
    for candidate in candidates.iter_mut().filter(|candidate| candidate.lost.is_none()) {
        if value(candidate) != least {
            candidate.lost = Some(reason);
        }
    }
}

/// Twice the distance from the centre of the board, squared.
fn distance(board: Board, square: Square) -> u128 {
    let (row, col) = board.row_col(square);
    let off = |at: u32, side: u32| u128::from((2 * u64::from(at)).abs_diff(u64::from(side - 1)));
    let (down, right) = (off(row, board.rows()), off(col, board.cols()));
    down * down + right * right
}

/// The open squares around a square.
struct Around<F> {
    board: Board,
    order: [u8; 8],
    open: F,
}

impl<F: Fn(Square) -> bool> Around<F> {
    fn of(&self, square: Square) -> impl Iterator<Item = Square> {
        self.order.iter().filter_map(move |&k| self.board.step(square, k.into())).filter(|&square| (self.open)(square))
    }

    fn rank(&self, square: Square) -> u32 {
        self.of(square).count() as u32
    }

    /// The sum of the ranks `level` levels on.
    fn sum(&self, square: Square, level: u32) -> u64 {
        match level {
            0 => self.rank(square).into(),
            _ => self.of(square).map(|next| self.sum(next, level - 1)).sum(),
        }
    }
}

impl Explained {
    /// Why the knight went to `taken`, or that it did not follow the rule: a sentence without capital and full stop.
    pub fn why(&self, taken: Square) -> String {
        let Some(own) = self.candidates.iter().find(|candidate| candidate.square == taken) else {
            return format!("{} is not open, or not a knight's move away", self.board.name(taken));
        };
        let rank = own.rank;
        if self.candidates.len() == 1 {
            return format!("rank {rank}, the only move");
        }
        match own.lost {
            Some(Lost::ByRank) => format!("rank {rank}, not the lowest: the rule goes to {}", self.rule_goes_to()),
            Some(Lost::ByTie | Lost::ByOrder) => {
                format!("rank {rank}, the lowest, but {} prefers {}", self.tie, self.rule_goes_to())
            }
            None => format!("rank {rank}, the lowest{}", self.ties_of(taken)),
        }
    }

    fn rule_goes_to(&self) -> String {
        let left = self.candidates.iter().filter(|candidate| candidate.lost.is_none());
        let names: Vec<String> =
            left.map(|candidate| format!("{} (rank {})", self.board.name(candidate.square), candidate.rank)).collect();
        listed(&names, "or")
    }

    /// How the ties of the square that was taken were broken.
    fn ties_of(&self, taken: Square) -> String {
        let with = |lost: Option<Lost>| {
            let others = self.candidates.iter().filter(|other| other.square != taken && other.lost == lost);
            let names: Vec<String> = others.map(|other| self.board.name(other.square)).collect();
            (!names.is_empty()).then(|| listed(&names, "and"))
        };
        let by_tie = match self.tie {
            Tie::Pohl(1) => "the sums of the ranks one level on".to_owned(),
            Tie::Pohl(levels) => format!("the sums of the ranks up to {levels} levels on"),
            Tie::LowestNeighbour => "the lowest rank next to it".to_owned(),
            _ => "the distance from the centre".to_owned(),
        };
        let by_order = if self.tie == Tie::Kurapati { "kurapati's order" } else { "the clockwise order" };
        let broken = [(Some(Lost::ByTie), by_tie.as_str()), (Some(Lost::ByOrder), by_order), (None, "lot")];
        let broken =
            broken.into_iter().filter_map(|(lost, by)| Some(format!("; tie with {} broken by {by}", with(lost)?)));
        broken.collect()
    }
}

/// `a, b and c`.
fn listed(names: &[String], and: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [many @ .., last] => format!("{} {and} {last}", many.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(board: Board, name: &str) -> Square {
        board.parse_square(name).unwrap()
    }

    #[test]
    fn sentences_say_what_decided() {
        let board: Board = "8x8".parse().unwrap();
        let from = |here: &str, tie| explain(board, |_| false, at(board, here), tie);
        // From b8 (rank 3): d7 has rank 5, a6 3 and c6 7, as b8 itself is no longer open.
        assert_eq!(from("b8", Tie::Roth).why(at(board, "a6")), "rank 3, the lowest");
        let not = "rank 5, not the lowest: the rule goes to a6 (rank 3)";
        assert_eq!(from("b8", Tie::Random).why(at(board, "d7")), not);
        // From c7 the two squares a8 and e8 .. are not alike: a8 is a corner.
        assert_eq!(from("c7", Tie::Pohl(2)).why(at(board, "a8")), "rank 1, the lowest");
        assert_eq!(from("c7", Tie::Roth).why(at(board, "c6")), "c6 is not open, or not a knight's move away");
        // In the corner the two moves are mirror images.
        for (tie, taken, why) in [
            (Tie::Fixed, "c7", "rank 5, the lowest; tie with b6 broken by the clockwise order"),
            (Tie::Fixed, "b6", "rank 5, the lowest, but fixed prefers c7 (rank 5)"),
            (Tie::Roth, "c7", "rank 5, the lowest; tie with b6 broken by the clockwise order"),
            (Tie::RothRandom, "b6", "rank 5, the lowest; tie with c7 broken by lot"),
            (Tie::Pohl(2), "b6", "rank 5, the lowest; tie with c7 broken by lot"),
        ] {
            assert_eq!(from("a8", tie).why(at(board, taken)), why);
        }
        let alone = explain(board, |square| square != at(board, "c7"), at(board, "a8"), Tie::Roth);
        assert_eq!(alone.why(at(board, "c7")), "rank 0, the only move");
        assert!(explain(board, |_| true, at(board, "a8"), Tie::Roth).candidates.is_empty());
    }

    #[test]
    fn a_board_of_any_size_is_explained_at_once() {
        let board: Board = "60000x60000".parse().unwrap();
        let explained = explain(board, |_| false, board.square(0, 0).unwrap(), Tie::Pohl(3));
        assert_eq!(explained.candidates.len(), 2);
    }
}
