//! Bit strings that code walks of a knight, and the evaluation that follows them.
//!
//! Three bits code each move of a walk from a fixed square: one of the eight directions. The fitness of a string is the
//! number of squares visited before its first illegal move, which leads off the board, into a hole or to a visited square.
//! Repair replaces an illegal move by the next possible direction and writes that direction into the string, so that
//! children inherit it; the walk then ends only where no direction is possible.

use crate::board::{Board, Ending, Shape, Square};
use fastrand::Rng;

/// Bits that code one move.
const BITS: usize = 3;

/// The directions in the order of their codes, clockwise, as indices into [`MOVES`](crate::board::MOVES).
///
/// ```text
/// . 7 . 0 .
/// 6 . . . 1
/// . . K . .
/// 5 . . . 2
/// . 4 . 3 .
/// ```
///
/// Repair tries the directions in this order from the coded one, so that the move turns a little and does not jump.
const CLOCKWISE: [usize; 8] = [4, 6, 7, 5, 2, 0, 1, 3];

/// The probability that a bit flips, in units of 2^-21: one in a hundred.
const FLIP: u64 = (1 << 21) / 100;

/// A string: one direction, 0..8, for each move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Genome(Vec<u8>);

impl Genome {
    /// A random string of `moves` moves.
    pub fn random(moves: usize, rng: &mut Rng) -> Genome {
        Genome((0..moves).map(|_| rng.u8(..8)).collect())
    }

    /// Becomes the child of two strings: the bits of `head` up to a random place, then the bits of `tail`.
    pub fn cross(&mut self, head: &Genome, tail: &Genome, rng: &mut Rng) {
        self.copy(tail);
        let bits = BITS * tail.0.len();
        if bits < 2 {
            return;
        }
        let place = rng.usize(1..bits);
        let (whole, rest) = (place / BITS, place % BITS);
        self.0[..whole].copy_from_slice(&head.0[..whole]);
        if rest > 0 {
            let from_tail = 7 >> rest;
            self.0[whole] = head.0[whole] & !from_tail | tail.0[whole] & from_tail;
        }
    }

    /// Becomes a copy of another string.
    pub fn copy(&mut self, other: &Genome) {
        self.0.clone_from(&other.0);
    }

    /// Flips each bit with a probability of 0.01.
    pub fn mutate(&mut self, rng: &mut Rng) {
        for gene in &mut self.0 {
            let chance = rng.u64(..);
            for bit in 0..BITS {
                let flips = chance >> (21 * bit) & ((1 << 21) - 1) < FLIP;
                *gene ^= u8::from(flips) << bit;
            }
        }
    }
}

/// Walks over a board as strings say, and evaluates them.
#[derive(Clone, Debug)]
pub struct GenomeWalker {
    board: Board,
    ending: Ending,
    repairs: bool,
    /// For each square: the number of the last walk that visited it; `u64::MAX` for a hole.
    visited: Vec<u64>,
    walks: u64,
    /// The squares of the last walk, in order.
    pub path: Vec<Square>,
    /// Number of squares to visit.
    squares: usize,
}

impl GenomeWalker {
    /// A walker that starts at `start`, which must not be a hole.
    pub fn new(shape: &Shape, ending: Ending, start: Square, repairs: bool) -> GenomeWalker {
        let (board, squares) = (shape.board(), shape.squares() as usize);
        let mut visited = vec![0; board.squares() as usize];
        for hole in shape.holes().squares() {
            visited[hole.index() as usize] = u64::MAX;
        }
        GenomeWalker { board, ending, repairs, visited, walks: 0, path: vec![start], squares }
    }

    /// Number of moves of a string.
    pub fn moves(&self) -> usize {
        self.squares - 1
    }

    /// The fitness of a tour: the number of its squares, and one more for the closing move of a closed tour.
    pub fn goal(&self) -> u32 {
        self.squares as u32 + u32::from(self.ending == Ending::Closed)
    }

    /// Follows a string, repairs it if repair is on, and returns its fitness.
    pub fn follow(&mut self, genome: &mut Genome) -> u32 {
        self.walks += 1;
        self.path.truncate(1);
        let mut at = self.path[0];
        self.visited[at.index() as usize] = self.walks;
        let tries = if self.repairs { 8 } else { 1 };
        for gene in &mut genome.0 {
            let (board, visited, walks) = (self.board, &self.visited, self.walks);
            let vacant = |to: &Square| !matches!(visited[to.index() as usize], by if by == walks || by == u64::MAX);
            let possible = |k: u8| Some((k, board.step(at, CLOCKWISE[usize::from(k)]).filter(vacant)?));
            let mut directions = (0..tries).map(|turn| (*gene + turn) % 8);
            let Some((direction, to)) = directions.find_map(possible) else { break };
            *gene = direction;
            at = to;
            self.visited[to.index() as usize] = walks;
            self.path.push(to);
        }
        let closes = self.ending == Ending::Closed && self.path.len() == self.squares;
        self.path.len() as u32 + u32::from(closes && self.board.adjacent(at, self.path[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Holes;
    use fastrand::Rng;
    use proptest::prelude::*;

    fn walker(board: &str, repairs: bool) -> GenomeWalker {
        let board: Board = board.parse().unwrap();
        GenomeWalker::new(&board.into(), Ending::Open, board.at(0).unwrap(), repairs)
    }

    #[test]
    fn a_walk_ends_at_its_first_illegal_move_or_is_repaired() {
        // From the top left of 3x4 only the directions 2 (c2) and 3 (b1) stay on the board; 0 and 1 lead up.
        let mut genome = Genome(vec![0; 11]);
        let mut plain = walker("3x4", false);
        assert_eq!((plain.follow(&mut genome), plain.path.len()), (1, 1));
        assert_eq!(genome, Genome(vec![0; 11]), "without repair a string stays as it is");
        let mut repairing = walker("3x4", true);
        let fitness = repairing.follow(&mut genome);
        assert_eq!(genome.0[0], 2);
        let names: Vec<_> = repairing.path.iter().map(|&square| repairing.board.name(square).to_string()).collect();
        assert_eq!(names[..2], ["a3", "c2"]);
        assert_eq!(fitness as usize, names.len());
        assert_eq!(plain.follow(&mut genome), fitness, "what was repaired needs no repair");
    }

    #[test]
    fn a_hole_is_never_entered_and_a_closing_move_counts() {
        // The eight squares round the middle of 3x3 are a cycle; repair alone walks it.
        let board: Board = "3x3".parse().unwrap();
        let hole = Holes::new([board.parse_square("b2").unwrap()]);
        for (ending, goal) in [(Ending::Open, 8), (Ending::Closed, 9)] {
            let mut walker = GenomeWalker::new(&Shape::new(board, hole.clone()), ending, board.at(0).unwrap(), true);
            assert_eq!((walker.moves(), walker.goal()), (7, goal));
            assert_eq!(walker.follow(&mut Genome(vec![0; 7])), goal);
        }
    }

    #[test]
    fn bits_are_flipped_one_in_a_hundred() {
        let mut rng = Rng::with_seed(1);
        let mut genome = Genome(vec![0; 100_000]);
        genome.mutate(&mut rng);
        let flipped: u32 = genome.0.iter().map(|gene| gene.count_ones()).sum();
        // 300,000 bits: 3000 expected, standard deviation 54.5.
        assert!((2780..3220).contains(&flipped), "{flipped}");
        assert!(genome.0.iter().all(|&gene| gene < 8));
    }

    fn bits(genome: &Genome) -> Vec<bool> {
        genome.0.iter().flat_map(|gene| (0..3).rev().map(move |bit| gene >> bit & 1 == 1)).collect()
    }

    proptest! {
        #[test]
        fn a_child_is_a_head_of_the_one_and_a_tail_of_the_other(moves in 1usize..20, seed: u64) {
            let mut rng = Rng::with_seed(seed);
            let (head, tail) = (Genome::random(moves, &mut rng), Genome::random(moves, &mut rng));
            let mut child = Genome::default();
            child.cross(&head, &tail, &mut rng);
            let [head, tail, child] = [&head, &tail, &child].map(bits);
            let fits = |place: usize| child[..place] == head[..place] && child[place..] == tail[place..];
            prop_assert!((1..3 * moves).any(fits));
        }

        #[test]
        fn repair_never_makes_a_walk_shorter(seed: u64) {
            let (mut plain, mut repairing) = (walker("6x6", false), walker("6x6", true));
            let mut genome = Genome::random(plain.moves(), &mut Rng::with_seed(seed));
            let before = plain.follow(&mut genome);
            let path = plain.path.to_vec();
            prop_assert!(repairing.follow(&mut genome) >= before);
            prop_assert_eq!(&repairing.path[..path.len()], &path[..]);
        }
    }
}
