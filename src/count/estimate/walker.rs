//! One walk, which ends at a few tours or at none. Its weight is an unbiased estimate of the number of tours.
//!
//! A walk makes all forced moves. Where no move is forced, it takes the end of a fragment with the fewest open moves, tries
//! each move, leaves out the moves to dead positions and draws one of the others, by the score of the position after it
//! ([`PositionScore`]). The weight of the walk is divided by the likelihood of the draw. Once few pieces are left the walk
//! draws no more: it counts the tours of the position exactly and adds them. So the last choices, many of them dead ends,
//! add no variance. And the score, which does not see cycles that close too early, never compares an almost complete
//! position with another one. A walk that reaches a dead end adds nothing.
//!
//! An open tour has two ends. The walk draws the pair of ends first, by the score, and joins them outside the board.

use super::position::{ForcedOutcome, MoveTable, Position, TouchedSquares, directions};
use super::score::PositionScore;
use crate::board::{Board, Ending};
use fastrand::Rng;

/// The exponent of the score in draws. Measured on 6x6 to 12x12: 0.85 has the least variance for the time, 1 and 0.7 up to
/// twice as much. It is fixed, because an exponent that is adapted to the walks would bias them.
const SCORE_EXPONENT: f64 = 0.85;
/// The share of draws that ignore the score and take all moves alike. It prevents rare and huge weights of moves whose score
/// is too small. Measured: it costs nothing up to 0.1; 0.2 costs half as much again.
const UNIFORM_SHARE: f64 = 0.1;
/// The share of draws of end pairs that ignore the score. It is larger, because the score is less accurate for end pairs.
const UNIFORM_SHARE_ENDS: f64 = 0.25;
/// The number of pieces from which the tours of a position are counted exactly. Measured: from 10 to 14 the variance for the
/// time is equal, at 20 it is more than doubled.
const PIECES_TO_COUNT: u32 = 12;

/// Draws walks of one board.
#[derive(Clone, Debug)]
pub(super) struct RandomWalker {
    moves: MoveTable,
    score: PositionScore,
    start: WalkStart,
    touched: TouchedSquares,
}

#[derive(Clone, Debug)]
enum WalkStart {
    /// On the board of a single square, which has this number of tours.
    Known(f64),
    /// At the position after the first forced moves; `None` if that is dead.
    Closed(Option<Box<Position>>),
    /// At a pair of ends. The number is the undirected tours of all pairs that leave few pieces, which are counted exactly;
    /// the list has the other pairs that are not dead.
    Open(f64, Vec<EndPair>),
}

/// Two squares as the ends of open tours.
#[derive(Clone, Copy, Debug)]
struct EndPair {
    ends: [u8; 2],
    /// The likelihood of drawing the pair.
    share: f64,
    /// The sum of the shares up to and including this pair.
    up_to: f64,
}

impl RandomWalker {
    /// A walker of a board; `None` if the board has too many squares.
    pub(super) fn new(board: Board, ending: Ending) -> Option<RandomWalker> {
        let moves = MoveTable::new(board)?;
        let start = WalkStart::Known(f64::from(u8::from(ending == Ending::Open)));
        let mut walker = RandomWalker { moves, score: PositionScore::new(), start, touched: TouchedSquares::new() };
        match ending {
            _ if board.squares() == 1 => {}
            Ending::Closed => walker.start = WalkStart::Closed(walker.start_position(None).map(Box::new)),
            Ending::Open => walker.start = walker.end_pairs(board),
        }
        Some(walker)
    }

    /// The position before the first choice, for closed tours or for open tours between two squares; `None` if it is dead.
    fn start_position(&mut self, ends: Option<[u8; 2]>) -> Option<Position> {
        let RandomWalker { moves, touched, .. } = self;
        let mut root = Position::new(moves, touched);
        if let Some(ends) = ends {
            root = root.ending_at(moves, touched, ends.map(usize::from));
        }
        (root.make_forced_moves(moves, touched) != ForcedOutcome::Dead).then_some(root)
    }

    /// The pairs of squares at which an open tour can end, with the likelihoods of drawing them.
    fn end_pairs(&mut self, board: Board) -> WalkStart {
        let squares = board.squares();
        let is_light = |square: u32| (square / board.cols() + square % board.cols()).is_multiple_of(2);
        // A tour changes colour at every move. On a board of an odd number of squares it begins and ends on the colour of
        // the corners.
        let can_end = |one: u32, two: u32| match squares.is_multiple_of(2) {
            true => is_light(one) != is_light(two),
            false => is_light(one) && is_light(two),
        };
        let (mut found, mut pairs) = (0, Vec::new());
        for [one, two] in (0..squares).flat_map(|one| (0..one).map(move |two| [one, two])) {
            let ends = [one as u8, two as u8];
            let Some(root) = can_end(one, two).then(|| self.start_position(Some(ends))).flatten() else { continue };
            if root.pieces() <= PIECES_TO_COUNT {
                found += root.count_tours(&self.moves, &mut self.touched);
            } else {
                pairs.push(EndPair { ends, share: self.score.of(&self.moves, &root), up_to: 0.0 });
            }
        }
        let mut shares: Vec<f64> = pairs.iter().map(|pair| pair.share).collect();
        normalise(&mut shares, UNIFORM_SHARE_ENDS);
        let mut sum = 0.0;
        for (pair, share) in pairs.iter_mut().zip(shares) {
            sum += share;
            (pair.share, pair.up_to) = (share, sum);
        }
        WalkStart::Open(found as f64, pairs)
    }

    /// Walks once and returns the weight. Its mean over all walks is the number of undirected closed or directed open tours.
    pub(super) fn walk(&mut self, random: &mut Rng) -> f64 {
        match &self.start {
            WalkStart::Known(tours) => *tours,
            WalkStart::Closed(root) => root.as_deref().copied().map_or(0.0, |root| self.walk_from(root, random)),
            WalkStart::Open(found, pairs) => {
                let found = 2.0 * found;
                let Some(last) = pairs.last() else { return found };
                let drawn = random.f64() * last.up_to;
                let place = pairs.partition_point(|pair| pair.up_to <= drawn).min(pairs.len() - 1);
                let EndPair { ends, share, .. } = pairs[place];
                let weight = 2.0 * last.up_to / share;
                found + self.start_position(Some(ends)).map_or(0.0, |root| weight * self.walk_from(root, random))
            }
        }
    }

    fn walk_from(&mut self, mut position: Position, random: &mut Rng) -> f64 {
        let RandomWalker { moves, score, touched, .. } = self;
        let (mut weight, mut found) = (1.0, 0.0);
        while position.pieces() > PIECES_TO_COUNT {
            let end = position.narrowest(moves);
            let (mut ways, mut shares, mut count) = ([position; 8], [0.0; 8], 0);
            for direction in directions(position.open(end)) {
                match position.after(moves, touched, (end, direction)) {
                    (_, ForcedOutcome::Dead) => {}
                    (next, _) if next.pieces() <= PIECES_TO_COUNT => {
                        found += weight * next.count_tours(moves, touched) as f64
                    }
                    (next, _) => {
                        (ways[count], shares[count]) = (next, score.of(moves, &next));
                        count += 1;
                    }
                }
            }
            let shares = &mut shares[..count];
            let Some(drawn) = draw_share(shares, random) else { return found };
            weight /= shares[drawn];
            position = ways[drawn];
        }
        found + weight * position.count_tours(moves, touched) as f64
    }
}

/// Turns logarithms of scores into shares that add up to 1; the part `uniform` of the whole is divided equally.
fn normalise(shares: &mut [f64], uniform: f64) {
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shares.iter_mut().for_each(|share| *share = ((*share - most) * SCORE_EXPONENT).exp());
    let (sum, equal) = (shares.iter().sum::<f64>(), uniform / shares.len() as f64);
    shares.iter_mut().for_each(|share| *share = *share / sum * (1.0 - uniform) + equal);
}

/// Turns logarithms of scores into shares, and draws an index by the shares; `None` if there are none.
fn draw_share(shares: &mut [f64], random: &mut Rng) -> Option<usize> {
    normalise(shares, UNIFORM_SHARE);
    // A single way needs no draw, and uses no random number.
    let last = shares.len().checked_sub(1)?;
    let mut rest = if last == 0 { 0.0 } else { random.f64() };
    for (place, share) in shares[..last].iter().enumerate() {
        if rest < *share {
            return Some(place);
        }
        rest -= share;
    }
    Some(last)
}
