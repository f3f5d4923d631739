//! The board folded by a symmetry, and the graphs in which its symmetric tours are Hamiltonian cycles or paths.
//!
//! [`FoldedBoard`] holds the orbits and the edges between them. It makes a [`QuotientGraph`] for each kind of tour, and
//! `None` for a kind that the board cannot have; a comment beside each condition gives the reason.

use crate::board::{Shape, Square, Symmetry};

/// An edge, as seen from one of its two vertices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Arc {
    /// The vertex at the other end.
    pub to: usize,
    /// The voltage, below the order of the symmetry.
    pub voltage: u8,
}

/// A graph for the sweep: it counts the Hamiltonian cycles, or the Hamiltonian paths from the first terminal to the second.
#[derive(Clone, Debug)]
pub(super) struct QuotientGraph {
    /// The edges at each vertex; the orbits come first, then the two terminals if there are any.
    pub arcs: Vec<Vec<Arc>>,
    pub orbits: usize,
}

impl QuotientGraph {
    /// Whether a vertex is a terminal. A terminal takes one edge, an orbit takes two.
    pub fn is_terminal(&self, vertex: usize) -> bool {
        vertex >= self.orbits
    }
}

/// The orbits of a board's squares under a symmetry, and the edges between them.
pub(super) struct FoldedBoard {
    pub shape: Shape,
    pub symmetry: Symmetry,
    arcs: Vec<Vec<Arc>>,
    /// Number of squares of each orbit.
    sizes: Vec<u8>,
    /// The orbits at which a tour can be reflected: a fixed square, or two squares a knight's move apart.
    special: Vec<bool>,
}

impl FoldedBoard {
    /// Folds a shape by one of its symmetries.
    pub fn new(shape: &Shape, symmetry: Symmetry) -> FoldedBoard {
        let board = shape.board();
        let image = |square| symmetry.apply(board, square);
        // For each square: its orbit, and the power of the symmetry that takes the orbit's first square to it. Holes have none.
        let mut place: Vec<Option<(usize, u8)>> = vec![None; board.squares() as usize];
        let mut first: Vec<Square> = Vec::new();
        let mut sizes = Vec::new();
        for square in shape.all() {
            let (mut at, mut copy) = (square, 0);
            while place[at.index() as usize].is_none() {
                place[at.index() as usize] = Some((first.len(), copy));
                (at, copy) = (image(at), copy + 1);
            }
            if copy > 0 {
                first.push(square);
                sizes.push(copy);
            }
        }
        let arcs_of = |orbit: usize| {
            let mut arcs: Vec<Arc> = Vec::new();
            for (to, voltage) in board.neighbours(first[orbit]).filter_map(|near| place[near.index() as usize]) {
                // From a fixed square, all moves to one orbit are one edge.
                let again = sizes[orbit] == 1 && arcs.iter().any(|arc| arc.to == to);
                if to != orbit && !again {
                    arcs.push(Arc { to, voltage });
                }
            }
            arcs
        };
        let is_special =
            |orbit: usize| sizes[orbit] == 1 || sizes[orbit] == 2 && board.adjacent(first[orbit], image(first[orbit]));
        let arcs = (0..first.len()).map(arcs_of).collect();
        let special = (0..first.len()).map(is_special).collect();
        FoldedBoard { shape: shape.clone(), symmetry, arcs, sizes, special }
    }

    pub fn orbits(&self) -> usize {
        self.arcs.len()
    }

    /// The order of the symmetry: the number of times that it is applied until every square is where it was.
    fn order(&self) -> u8 {
        if matches!(self.symmetry, Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn) { 4 } else { 2 }
    }

    /// The graph of the closed tours that the symmetry rotates: each is a cycle with an odd sum of voltages.
    pub fn cycles(&self) -> Option<QuotientGraph> {
        // The sweep chooses no loop, and no two edges between the same orbits: see `short_cycles`.
        let enough = self.orbits() >= 3 && self.sizes.iter().all(|&size| size == self.order());
        // A move changes the colour of the square, as on a chessboard. The symmetry takes a square to the one that is an
        // odd multiple of (number of orbits) moves further along the tour. So it must change the colours just if the number
        // of orbits is odd.
        let board = self.shape.board();
        let (row, col) = board.row_col(self.symmetry.apply(board, board.at(0)?));
        let coloured = (row + col) as usize % 2 == self.orbits() % 2;
        (enough && coloured).then(|| QuotientGraph { arcs: self.arcs.clone(), orbits: self.orbits() })
    }

    /// Number of closed tours that the symmetry rotates on a shape of one orbit or two: the cycles of the quotient that are a
    /// loop or two edges between the same orbits, with an odd sum of voltages. No board without holes has such a tour.
    pub fn short_cycles(&self) -> usize {
        let board = self.shape.board();
        let is_loop = |&square: &Square| board.adjacent(square, self.symmetry.apply(board, square));
        match self.orbits() {
            _ if self.sizes.iter().any(|&size| size != self.order()) => 0,
            1 if self.order() == 4 => self.shape.all().take(1).filter(is_loop).count(),
            2 => {
                let odd = self.arcs[0].iter().filter(|arc| arc.voltage % 2 == 1).count();
                odd * (self.arcs[0].len() - odd)
            }
            _ => 0,
        }
    }

    /// The graph of the closed tours that the symmetry reflects: each tour is a path between two special orbits. The sweep
    /// counts each path twice, once from either end.
    pub fn paths_between_special(&self) -> Option<QuotientGraph> {
        // A closed tour is reflected at two moves, or, around holes, at two squares.
        let reflectable = match self.fixed_squares() {
            0 => true,
            2 => self.orbits() >= 3,
            _ => false,
        };
        if reflectable { self.paths(|orbit| self.special[orbit]) } else { None }
    }

    /// The graph of the open tours: each tour is a path from the orbit of its middle to the orbit of its ends; with `strict`, only of
    /// those whose ends are not a knight's move apart.
    pub fn paths_from_special(&self, strict: bool) -> Option<QuotientGraph> {
        // A path has one middle.
        if self.fixed_squares() <= 1 { self.paths(|orbit| !strict || !self.special[orbit]) } else { None }
    }

    /// Number of squares that the symmetry leaves in place.
    fn fixed_squares(&self) -> usize {
        self.sizes.iter().filter(|&&size| size == 1).count()
    }

    /// The graph of the paths from a special orbit to an orbit for which `may_finish` is true.
    fn paths(&self, may_finish: impl Fn(usize) -> bool) -> Option<QuotientGraph> {
        // A reflection has order 2, and so has a reversal.
        if self.order() != 2 {
            return None;
        }
        let (starts, finishes) = (self.orbits(), self.orbits() + 1);
        let mut arcs: Vec<Vec<Arc>> =
            self.arcs.iter().map(|arcs| arcs.iter().map(|arc| Arc { voltage: 0, ..*arc }).collect()).collect();
        arcs.resize(self.orbits() + 2, Vec::new());
        for orbit in 0..self.orbits() {
            for (terminal, joined) in [(starts, self.special[orbit]), (finishes, may_finish(orbit))] {
                if joined {
                    arcs[orbit].push(Arc { to: terminal, voltage: 0 });
                    arcs[terminal].push(Arc { to: orbit, voltage: 0 });
                }
            }
        }
        let possible = !arcs[starts].is_empty() && !arcs[finishes].is_empty();
        possible.then(|| QuotientGraph { arcs, orbits: self.orbits() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn folded(text: &str, symmetry: Symmetry) -> FoldedBoard {
        FoldedBoard::new(&text.parse().unwrap(), symmetry)
    }

    /// The orbits of 4x4 are a to h, row by row, as in the drawing of [`crate::count::symmetric`].
    #[test]
    fn edges_have_the_voltages_of_the_drawing() {
        let folded = folded("4x4", Symmetry::HalfTurn);
        let [a, e, f, g] = [0, 4, 5, 6];
        let voltages = |from: usize, to: usize| {
            let arcs = folded.arcs[from].iter().filter(|arc| arc.to == to);
            arcs.map(|arc| arc.voltage).collect::<BTreeSet<_>>()
        };
        assert_eq!((voltages(a, g), voltages(g, a)), (BTreeSet::from([0, 1]), BTreeSet::from([0, 1])));
        assert_eq!((voltages(e, f), voltages(f, e)), (BTreeSet::from([1]), BTreeSet::from([1])));
    }

    #[test]
    fn an_edge_has_the_opposite_voltage_from_its_other_end() {
        for (text, symmetry) in
            [("6x6", Symmetry::QuarterTurn), ("6x7", Symmetry::HalfTurn), ("8x8", Symmetry::LeftRight)]
        {
            let folded = folded(text, symmetry);
            for (from, arcs) in folded.arcs.iter().enumerate() {
                for &Arc { to, voltage } in arcs {
                    let back = Arc { to: from, voltage: (folded.order() - voltage) % folded.order() };
                    assert_eq!(folded.arcs[to].iter().filter(|&&arc| arc == back).count(), 1, "{text} {symmetry}");
                }
            }
        }
    }

    /// Two orbits of 6x7 have squares a knight's move apart across the centre. The centre of 5x5 has eight moves to four orbits.
    #[test]
    fn tours_are_reflected_at_the_centre() {
        let special =
            |folded: &FoldedBoard| (0..folded.orbits()).filter(|&orbit| folded.special[orbit]).collect::<Vec<_>>();
        assert_eq!(special(&folded("6x7", Symmetry::HalfTurn)), [16, 18]);
        assert_eq!(special(&folded("6x6", Symmetry::HalfTurn)), [0; 0]);
        let odd = folded("5x5", Symmetry::HalfTurn);
        assert_eq!((special(&odd), odd.arcs[12].len()), (vec![12], 4));
    }
}
