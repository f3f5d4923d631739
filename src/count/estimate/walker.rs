//! One walk, which ends at a few tours or at none. Its weight is an unbiased estimate of the number of tours.
//!
//! A walk makes all forced moves. Where no move is forced, it takes the end of a fragment with the fewest open moves, tries
//! each move, leaves out the moves to dead positions and draws one of the others, by the score of the position after it
//! ([`PositionScore`]). The weight of the walk is divided by the likelihood of the draw. Once few pieces are left the walk
//! draws no more: it counts the tours of the position exactly and adds them. So the last choices, many of them dead ends,
//! add no variance. And the score, which does not see cycles that close too early, never compares an almost complete
//! position with another one. A walk that reaches a dead end adds nothing.
//!
//! An open tour has two ends. The walk draws the pair of ends first, by the score, and joins them outside the board. Around holes
//! no move of a closed tour may be forced, and no fragment begun: there the walk first draws the two moves of one square.

use super::score::PositionScore;
use crate::board::{Ending, Shape, SmallBoard, SquareMask};
use crate::search::edges::fragments::{ForcedResult, Fragments};
use crate::search::edges::{FEW, walk};
use fastrand::Rng;
use std::cmp::Ordering;
use std::fmt::Debug;

/// The exponent of the score in draws. Measured on 6x6 to 12x12: 0.85 has the least variance for the time, 1 and 0.7 up to
/// twice as much. It is fixed, because an exponent that is adapted to the walks would bias them.
const SCORE_EXPONENT: f64 = 0.85;
/// The share of draws that ignore the score and take all moves alike. It prevents rare and huge weights of moves whose score
/// is too small. Measured: it costs nothing up to 0.1; 0.2 costs half as much again.
const UNIFORM_SHARE: f64 = 0.1;
/// The share of first draws that ignore the score. It is larger, because the score is less accurate for pairs of ends.
const UNIFORM_SHARE_FIRST: f64 = 0.25;
/// The number of pieces from which the tours of a position are counted exactly. Measured: from 10 to 14 the variance for the
/// time is equal, at 20 it is more than doubled.
const PIECES_TO_COUNT: usize = 12;

/// The walks of one shape.
pub(super) trait RandomWalk: Send + Sync + Debug {
    /// Walks once and returns the weight. Its mean over all walks is the number of undirected closed or directed open tours.
    fn walk(&self, random: &mut Rng) -> f64;
}

/// Draws the walks of a shape whose board fits in `M` and has at most `N` squares, a power of two.
#[derive(Debug)]
pub(super) struct RandomWalker<M, const N: usize> {
    graph: SmallBoard<M>,
    score: PositionScore,
    start: WalkStart<M, N>,
}

#[derive(Debug)]
enum WalkStart<M, const N: usize> {
    /// The position after the first forced moves, or the number of its tours.
    Position(AfterMove<M, N>),
    /// One of several positions, of which each tour contains one.
    Drawn(FirstDraw<M, N>),
}

/// The positions with which a walk may begin: pairs of ends of open tours, or pairs of moves at one square.
#[derive(Debug)]
struct FirstDraw<M, const N: usize> {
    /// How often a tour counts: an open one in both directions.
    times: f64,
    /// The tours of all positions that leave few pieces.
    found: u64,
    /// The other positions that are not dead.
    positions: Vec<FirstPosition<M, N>>,
}

#[derive(Debug)]
struct FirstPosition<M, const N: usize> {
    position: WalkPosition<M, N>,
    /// The likelihood of drawing the position.
    share: f64,
    /// The sum of the shares up to and including this position.
    up_to: f64,
}

/// A position without forced moves, and the end of a fragment at which the walk draws the next move.
#[derive(Clone, Copy, Debug)]
struct WalkPosition<M, const N: usize> {
    fragments: Fragments<M, N>,
    end: usize,
}

/// A position after the moves that a move forces.
#[derive(Debug)]
enum AfterMove<M, const N: usize> {
    Open(WalkPosition<M, N>),
    /// Few pieces are left, or a square cannot get its moves: the number of the tours that contain the position.
    Counted(u64),
}

impl<M: SquareMask, const N: usize> RandomWalker<M, N> {
    /// A walker of a shape; `None` if `M` or `N` cannot hold its board.
    pub(super) fn new(shape: &Shape, ending: Ending) -> Option<RandomWalker<M, N>> {
        let graph = SmallBoard::new(shape).filter(|_| shape.board().squares() as usize <= N)?;
        let (score, start) = (PositionScore::new(&graph), WalkStart::Position(AfterMove::Counted(0)));
        let mut walker = RandomWalker { graph, score, start };
        let (bare, [light, dark]) = (Fragments::new(&walker.graph), shape.colours());
        walker.start = match ending {
            Ending::Open if shape.squares() == 1 => WalkStart::Position(AfterMove::Counted(1)),
            Ending::Open => walker.first_draw(walker.pairs_of_ends(light.cmp(&dark)), 2.0),
            // A tour alternates between colours, and two squares have only one move.
            Ending::Closed if light != dark || light == 1 => return Some(walker),
            Ending::Closed if shape.has_holes() => walker.first_draw(walker.pairs_of_moves(), 1.0),
            // Other boards have squares with fewer than two moves.
            Ending::Closed if shape.board().rows().min(shape.board().cols()) >= 3 => {
                WalkStart::Position(walker.after_forced_moves(bare))
            }
            Ending::Closed => return Some(walker),
        };
        Some(walker)
    }

    /// A fragment for each pair of squares at which an open tour can end; `light_to_dark` compares the numbers of light and dark
    /// squares.
    fn pairs_of_ends(&self, light_to_dark: Ordering) -> impl Iterator<Item = Fragments<M, N>> {
        let (board, bare) = (self.graph.board(), Fragments::new(&self.graph));
        let is_dark = move |square: usize| board.at(square as u32).is_some_and(|square| board.is_dark(square));
        // A tour changes colour at every move. If there are more squares of a colour it begins and ends on them.
        let can_end = move |[one, two]: &[usize; 2]| match light_to_dark {
            Ordering::Equal => is_dark(*one) != is_dark(*two),
            Ordering::Less => is_dark(*one) && is_dark(*two),
            Ordering::Greater => !is_dark(*one) && !is_dark(*two),
        };
        let pairs = pairs_of(self.graph.all()).filter(can_end);
        pairs.map(move |[one, two]| bare.after(&self.graph, one, two))
    }

    /// The fragments of two moves at the square that has the fewest. A closed tour contains one of them.
    fn pairs_of_moves(&self) -> impl Iterator<Item = Fragments<M, N>> {
        let (graph, bare) = (&self.graph, Fragments::new(&self.graph));
        let narrowest = graph.all().iter().min_by_key(|&square| graph.neighbours(square).len()).unwrap_or(0);
        let pairs = pairs_of(graph.neighbours(narrowest));
        pairs.map(move |[one, two]| bare.after(graph, narrowest, one).after(graph, narrowest, two))
    }

    /// The first draw from positions of which each tour contains one, with the likelihoods of drawing them.
    fn first_draw(&self, from: impl Iterator<Item = Fragments<M, N>>, times: f64) -> WalkStart<M, N> {
        let (mut found, mut positions) = (0, Vec::new());
        for position in from {
            match self.after_forced_moves(position) {
                AfterMove::Counted(tours) => found += tours,
                AfterMove::Open(position) => positions.push(position),
            }
        }
        let score = |position: &WalkPosition<M, N>| self.score.of(&self.graph, &position.fragments);
        let mut shares: Vec<f64> = positions.iter().map(score).collect();
        normalise(&mut shares, UNIFORM_SHARE_FIRST);
        let mut up_to = 0.0;
        let drawn = |(position, share)| {
            up_to += share;
            FirstPosition { position, share, up_to }
        };
        let positions = positions.into_iter().zip(shares).map(drawn).collect();
        WalkStart::Drawn(FirstDraw { times, found, positions })
    }

    /// Makes the forced moves of a position, and counts its tours if few pieces are left.
    fn after_forced_moves(&self, mut fragments: Fragments<M, N>) -> AfterMove<M, N> {
        match fragments.settle(&self.graph, &mut (), PIECES_TO_COUNT) {
            ForcedResult::Dead => AfterMove::Counted(0),
            ForcedResult::Few => AfterMove::Counted(self.count_tours(fragments)),
            ForcedResult::Branch(end) => AfterMove::Open(WalkPosition { fragments, end }),
        }
    }

    /// The number of tours that contain the position.
    fn count_tours(&self, mut fragments: Fragments<M, N>) -> u64 {
        match fragments.settle(&self.graph, &mut (), FEW) {
            ForcedResult::Dead => 0,
            ForcedResult::Few => walk::count(&self.graph, &fragments),
            ForcedResult::Branch(end) => {
                let after = |to| self.count_tours(fragments.after(&self.graph, end, to));
                fragments.options(&self.graph, end).iter().map(after).sum()
            }
        }
    }

    fn walk_from(&self, mut position: WalkPosition<M, N>, random: &mut Rng) -> f64 {
        let (mut weight, mut found) = (1.0, 0.0);
        let (mut ways, mut shares) = (Vec::with_capacity(8), Vec::with_capacity(8));
        loop {
            let WalkPosition { fragments, end } = position;
            ways.clear();
            shares.clear();
            for to in fragments.options(&self.graph, end).iter() {
                match self.after_forced_moves(fragments.after(&self.graph, end, to)) {
                    AfterMove::Counted(tours) => found += weight * tours as f64,
                    AfterMove::Open(next) => {
                        shares.push(self.score.of(&self.graph, &next.fragments));
                        ways.push(next);
                    }
                }
            }
            let Some(drawn) = draw_share(&mut shares, random) else { return found };
            weight /= shares[drawn];
            position = ways[drawn];
        }
    }
}

impl<M: SquareMask, const N: usize> RandomWalk for RandomWalker<M, N> {
    fn walk(&self, random: &mut Rng) -> f64 {
        match &self.start {
            WalkStart::Position(AfterMove::Counted(tours)) => *tours as f64,
            WalkStart::Position(AfterMove::Open(position)) => self.walk_from(*position, random),
            WalkStart::Drawn(FirstDraw { times, found, positions }) => {
                let found = times * *found as f64;
                let Some(last) = positions.last() else { return found };
                let drawn = random.f64() * last.up_to;
                let place = positions.partition_point(|one| one.up_to <= drawn).min(positions.len() - 1);
                let FirstPosition { position, share, .. } = &positions[place];
                found + times * last.up_to / share * self.walk_from(*position, random)
            }
        }
    }
}

/// Every two squares of a set.
fn pairs_of<M: SquareMask>(squares: M) -> impl Iterator<Item = [usize; 2]> {
    squares.iter().flat_map(move |one| squares.iter().take_while(move |&two| two < one).map(move |two| [one, two]))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::count::estimate::wide_mask::WideMask;

    /// The number of tours of a board: closed tours, or open tours between two squares.
    fn tours<M: SquareMask, const N: usize>(board: &str, ends: Option<[usize; 2]>) -> u64 {
        let walker = RandomWalker::<M, N>::new(&board.parse().unwrap(), Ending::Closed).unwrap();
        let bare = Fragments::new(&walker.graph);
        walker.count_tours(ends.map_or(bare, |[one, two]| bare.after(&walker.graph, one, two)))
    }

    #[test]
    fn every_tour_is_found_once() {
        for (board, expected) in [("3x3", 0), ("3x10", 16), ("10x3", 16), ("5x6", 8), ("6x6", 9862), ("4x6", 0)] {
            assert_eq!(tours::<u64, 64>(board, None), expected, "{board}");
            assert_eq!(tours::<WideMask<4>, 256>(board, None), expected, "{board}");
        }
        for (board, expected) in [("3x4", 8), ("4x5", 82), ("5x5", 864)] {
            let squares = board.parse::<Board>().unwrap().squares() as usize;
            let pairs = (0..squares).flat_map(|one| (0..one).map(move |two| [one, two]));
            assert_eq!(pairs.map(|ends| tours::<u64, 64>(board, Some(ends))).sum::<u64>(), expected, "{board}");
        }
        // Every closed tour has two moves at one square.
        for (board, expected) in [("3x3-b2", 1), ("5x6-a5,b5", 302), ("6x6-a1,f1,a6,f6", 408_052), ("5x5-a1", 30)] {
            let walker = RandomWalker::<u64, 64>::new(&board.parse().unwrap(), Ending::Closed).unwrap();
            let counted = walker.pairs_of_moves().map(|position| walker.count_tours(position));
            assert_eq!(counted.sum::<u64>(), expected, "{board}");
        }
    }
}
