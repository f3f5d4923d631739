//! The moves fixed on the way to a position, in the order in which they were fixed.

use super::fragments::Record;

/// No square.
const NONE: u8 = u8::MAX;

/// A closed tour.
#[derive(Clone, Debug)]
pub(super) struct Round<const N: usize> {
    /// The squares in the order of the visits; whatever comes behind them means nothing.
    pub(super) squares: [u8; N],
    /// By square its place in that order.
    pub(super) at: [u8; N],
}

/// Moves by number; a search that goes back writes over those it takes back.
#[derive(Clone, Debug)]
pub(super) struct Log<const N: usize>([[u8; 2]; N]);

impl<const N: usize> Record for Log<N> {
    #[inline(always)]
    fn fix(&mut self, fixed: usize, a: usize, b: usize) {
        self.0[fixed & (N - 1)] = [a as u8, b as u8];
    }
}

impl<const N: usize> Log<N> {
    /// Nothing yet.
    pub(super) fn new() -> Log<N> {
        Log([[0; 2]; N])
    }

    /// The moves from number `from` up to `to`, that one excluded.
    pub(super) fn moves(&self, from: usize, to: usize) -> &[[u8; 2]] {
        &self.0[from..to]
    }

    /// The fragments that the first `fixed` moves make, each from its lower end; none may be closed.
    pub(super) fn chains(&self, fixed: usize) -> Vec<Vec<u8>> {
        let links = self.links(fixed);
        let ends = (0..N as u8).filter(|&square| matches!(links[usize::from(square)], [first, NONE] if first != NONE));
        let mut chains: Vec<Vec<u8>> = Vec::new();
        for end in ends {
            if !chains.iter().any(|chain| chain.last() == Some(&end)) {
                chains.push(follow(&links, end));
            }
        }
        chains
    }

    /// The tour that the first `squares` moves make, an even number, from square 0 on.
    pub(super) fn tour(&self, squares: usize) -> Round<N> {
        // Of the two neighbours of a square one is where the walk comes from; the sum of both gives the other, and no
        // step branches.
        let (mut sums, moves) = ([0; N], self.moves(0, squares));
        for &[a, b] in moves {
            sums[usize::from(a) & (N - 1)] ^= b;
            sums[usize::from(b) & (N - 1)] ^= a;
        }
        let onward = |[before, square]: [u8; 2]| [square, sums[usize::from(square) & (N - 1)] ^ before];
        let first = moves.iter().find(|step| step.contains(&0)).map_or(0, |&[a, b]| a ^ b);
        // From both ends at once, until they meet: every step waits for the one before.
        let (mut way, mut back) = ([0, first], [0, sums[0] ^ first]);
        let mut round = Round { squares: [0; N], at: [0; N] };
        for at in 1..=squares / 2 {
            for (at, square) in [(at, way[1]), (squares - at, back[1])] {
                round.squares[at & (N - 1)] = square;
                round.at[usize::from(square) & (N - 1)] = at as u8;
            }
            (way, back) = (onward(way), onward(back));
        }
        round
    }

    /// By square those that a move joins it to.
    pub(super) fn links(&self, fixed: usize) -> [[u8; 2]; N] {
        let mut links = [[NONE; 2]; N];
        for &[a, b] in self.moves(0, fixed) {
            for (from, to) in [(a, b), (b, a)] {
                let link = &mut links[usize::from(from)];
                link[usize::from(link[0] != NONE)] = to;
            }
        }
        links
    }
}

/// The squares on the way from `start`, which has a link, until there is none onward or it leads back to the start.
fn follow(links: &[[u8; 2]], start: u8) -> Vec<u8> {
    let mut chain = Vec::with_capacity(links.len());
    chain.push(start);
    let (mut before, mut square) = (start, links[usize::from(start)][0]);
    while square != start && square != NONE {
        chain.push(square);
        let [first, second] = links[usize::from(square)];
        (before, square) = (square, if first == before { second } else { first });
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_become_chains_and_a_tour() {
        let mut log = Log::<8>::new();
        for (fixed, [a, b]) in [[3, 1], [5, 0], [1, 4], [2, 0], [4, 5], [2, 3]].into_iter().enumerate() {
            log.fix(fixed, a, b);
        }
        assert!(log.chains(0).is_empty());
        assert_eq!(log.chains(1), [[1, 3]]);
        assert_eq!(log.chains(4), [[2, 0, 5], [3, 1, 4]]);
        assert_eq!(log.chains(5), [[2, 0, 5, 4, 1, 3]]);
        let Round { squares, at } = log.tour(6);
        assert_eq!((&squares[..6], &at[..6]), (&[0, 5, 4, 1, 3, 2][..], &[0, 3, 5, 4, 2, 1][..]));
    }
}
