//! One walk to a tour, or to a few: what it weighs is an unbiased estimate of the number of tours.
//!
//! A walk makes the moves that are forced, and where none is it takes the end of a fragment with the fewest moves open,
//! looks where each of them leads, leaves out those that are dead, and draws one of the others, in proportion to how
//! likely tours are below ([`Likely`]). Its weight is divided by the likelihood of the draw. Where few pieces are left
//! nothing is drawn any more: the tours below are counted and added, so that the last choices, many of them dead ends, add no
//! variance, and the figure, which knows nothing of cycles that close too early, never compares what is all but done
//! with what is not. Where a walk leads nowhere it adds nothing.
//!
//! An open tour has two ends. They are drawn first, by the same figure, and joined outside the board.

use super::position::{ForcedOutcome, MoveTable, Position, TouchedSquares, directions};
use super::score::PositionScore;
use crate::board::{Board, Ending};
use fastrand::Rng;

/// How far draws follow the figure: its exponent. Measured on 6x6 to 12x12: 0.85 has the least variance for the time,
/// 1 and 0.7 up to twice as much. It is fixed, because one that followed the walks would bias them.
const SCORE_EXPONENT: f64 = 0.85;
/// The part of draws that follow no figure but take all moves as likely, so that none of which the figure thinks too little
/// brings a weight that is rare and huge. Measured: it costs nothing up to 0.1; 0.2 costs half as much again.
const UNIFORM_SHARE: f64 = 0.1;
/// The same for pairs of ends, of which the figure knows less.
const UNIFORM_SHARE_ENDS: f64 = 0.25;
/// Pieces left at which the tours below are counted. Measured: from 10 to 14 the variance for the time is the same, at 20
/// it is more than doubled.
const PIECES_TO_COUNT: u32 = 12;

/// Draws walks of one board.
#[derive(Clone, Debug)]
pub(super) struct RandomWalker {
    moves: MoveTable,
    likely: PositionScore,
    begin: WalkStart,
    touched: TouchedSquares,
}

/// Where walks begin.
#[derive(Clone, Debug)]
enum WalkStart {
    /// The single square, whose number of tours is this.
    Known(f64),
    /// What is forced at the root; nothing if that is dead.
    Closed(Option<Box<Position>>),
    /// The tours of pairs of ends that leave few pieces, undirected; the other pairs that are not dead, each with its share
    /// and those of all before it.
    Open(f64, Vec<EndPair>),
}

#[derive(Clone, Copy, Debug)]
struct EndPair {
    ends: [u8; 2],
    share: f64,
    up_to: f64,
}

impl RandomWalker {
    /// Walks of a board; nothing when it has too many squares.
    pub(super) fn new(board: Board, ending: Ending) -> Option<RandomWalker> {
        let moves = MoveTable::new(board)?;
        let begin = WalkStart::Known(f64::from(u8::from(ending == Ending::Open)));
        let mut walker = RandomWalker { moves, likely: PositionScore::new(), begin, touched: TouchedSquares::new() };
        match ending {
            _ if board.squares() == 1 => {}
            Ending::Closed => walker.begin = WalkStart::Closed(walker.start_position(None).map(Box::new)),
            Ending::Open => walker.begin = walker.end_pairs(board),
        }
        Some(walker)
    }

    /// The position before the first choice, of open tours between two squares; nothing if it is dead.
    fn start_position(&mut self, ends: Option<[u8; 2]>) -> Option<Position> {
        let RandomWalker { moves, touched, .. } = self;
        let mut root = Position::new(moves, touched);
        if let Some(ends) = ends {
            root = root.ending_at(moves, touched, ends.map(usize::from));
        }
        (root.make_forced_moves(moves, touched) != ForcedOutcome::Dead).then_some(root)
    }

    /// The pairs of squares that a tour can end at, with the shares that they are drawn by.
    fn end_pairs(&mut self, board: Board) -> WalkStart {
        let squares = board.squares();
        let is_light = |square: u32| (square / board.cols() + square % board.cols()).is_multiple_of(2);
        // A tour changes colour at every move: of an odd board it begins and ends on the colour of the corners.
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
                pairs.push(EndPair { ends, share: self.likely.of(&self.moves, &root), up_to: 0.0 });
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

    /// Walks once; answers the weight: its mean over all walks is the number of tours, open ones directed.
    pub(super) fn walk(&mut self, random: &mut Rng) -> f64 {
        match &self.begin {
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
        let RandomWalker { moves, likely, touched, .. } = self;
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
                        (ways[count], shares[count]) = (next, likely.of(moves, &next));
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

/// Makes logarithms of figures shares that add up to 1, a part of them equal.
fn normalise(shares: &mut [f64], blind: f64) {
    let most = shares.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    shares.iter_mut().for_each(|share| *share = ((*share - most) * SCORE_EXPONENT).exp());
    let (sum, equal) = (shares.iter().sum::<f64>(), blind / shares.len() as f64);
    shares.iter_mut().for_each(|share| *share = *share / sum * (1.0 - blind) + equal);
}

/// Makes logarithms shares and draws one by them, nothing of none.
fn draw_share(shares: &mut [f64], random: &mut Rng) -> Option<usize> {
    normalise(shares, UNIFORM_SHARE);
    // One way alone is no choice, and takes no random number.
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
