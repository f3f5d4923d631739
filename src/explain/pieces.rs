//! The pieces of an edge search, as on paper: the moves fixed, and for every square how many it still needs.

use super::reason::Reason;
use super::step::StepEvent;
use crate::board::{Board, Square};

/// Moves fixed on a board, none of which closes a ring.
#[derive(Clone, Debug)]
pub struct Pieces {
    board: Board,
    /// The moves in the order in which they were fixed.
    moves: Vec<[Square; 2]>,
    /// By square, the moves that it still needs.
    needs: Vec<u8>,
    /// By end of a piece, its other end; a square without a move is its own.
    mates: Vec<Square>,
}

/// What is left when no move is forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PiecesState {
    /// No tour has these moves, for this reason.
    Dead(Reason),
    /// No more pieces are left than the number given.
    Few,
    /// The search must choose; this end of a piece has the fewest moves open.
    Choice(Square),
}

impl Pieces {
    pub fn of(board: Board, moves: &[[Square; 2]]) -> Pieces {
        let (needs, mates) = (vec![2; board.squares() as usize], board.all().collect());
        let mut pieces = Pieces { board, moves: Vec::new(), needs, mates };
        moves.iter().for_each(|&[a, b]| pieces.join(a, b));
        pieces
    }

    /// The moves in the order in which they were fixed.
    pub fn moves(&self) -> &[[Square; 2]] {
        &self.moves
    }

    /// Number of moves that a square still needs.
    pub fn needs(&self, square: Square) -> u8 {
        self.needs[square.index() as usize]
    }

    /// The other end of the piece that ends on a square.
    pub fn mate(&self, square: Square) -> Square {
        self.mates[square.index() as usize]
    }

    /// The ends of the pieces, squares without a move not among them.
    pub fn ends(&self) -> impl Iterator<Item = Square> {
        self.board.all().filter(|&square| self.needs(square) == 1)
    }

    /// Number of pieces, squares without a move among them.
    pub fn count(&self) -> usize {
        self.board.squares() as usize - self.moves.len()
    }

    /// The squares to which a square can be joined, in their order on the board.
    pub fn open(&self, square: Square) -> Vec<Square> {
        let is_open = |&to: &Square| self.needs(to) > 0 && to != self.mate(square);
        let mut open: Vec<Square> = self.board.neighbours(square).filter(is_open).collect();
        open.sort_unstable();
        open
    }

    /// Whether the move between two squares is fixed.
    pub fn has(&self, a: Square, b: Square) -> bool {
        self.moves.iter().any(|&fixed| fixed == [a, b] || fixed == [b, a])
    }

    /// Fixes a move between two squares that need one and are not the ends of one piece.
    pub fn join(&mut self, a: Square, b: Square) {
        let (c, d) = (self.mate(a), self.mate(b));
        self.moves.push([a, b]);
        for (square, end, other) in [(a, c, d), (b, d, c)] {
            self.needs[square.index() as usize] -= 1;
            self.mates[end.index() as usize] = other;
        }
    }

    /// Fixes all moves that are forced, and tells each, until no more than `few` pieces are left or the search must choose.
    pub fn settle(&mut self, few: usize, mut tell: impl FnMut(StepEvent)) -> PiecesState {
        loop {
            if self.count() <= few {
                return PiecesState::Few;
            }
            let live = self.board.all().filter(|&square| self.needs(square) > 0);
            let open: Vec<(Square, u8)> = live.map(|square| (square, self.open(square).len() as u8)).collect();
            if let Some(&(square, open)) = open.iter().find(|&&(square, open)| open < self.needs(square)) {
                return PiecesState::Dead(Reason::TooFew(square, self.needs(square), open));
            }
            let forced = open.iter().filter(|&&(square, open)| open == self.needs(square));
            let forced: Vec<Square> = forced.map(|&(square, _)| square).collect();
            if forced.is_empty() {
                let narrowest = open.into_iter().filter(|&(square, _)| self.needs(square) == 1).min_by_key(|end| end.1);
                let (end, _) = narrowest.unwrap_or_else(|| unreachable!("corners are ends of pieces or inside"));
                return PiecesState::Choice(end);
            }
            for square in forced {
                if !self.force(square, &mut tell) {
                    if self.count() > few {
                        return PiecesState::Dead(self.unforced(square));
                    }
                    break;
                }
            }
        }
    }

    /// Why the moves left to a square cannot be fixed: a move forced before used one of them up, or they close a ring.
    fn unforced(&self, square: Square) -> Reason {
        let (needs, open) = (self.needs(square), self.open(square).len() as u8);
        match open < needs && !self.board.adjacent(square, self.mate(square)) {
            true => Reason::TooFew(square, needs, open),
            false => Reason::Ring(square),
        }
    }

    /// Fixes the only moves left to a square; returns whether enough of them close no ring.
    fn force(&mut self, square: Square, tell: &mut impl FnMut(StepEvent)) -> bool {
        let reason = match self.needs(square) {
            0 => return true,
            1 => Reason::OneLeft,
            _ => Reason::TwoLeft,
        };
        let mut fix = |pieces: &mut Pieces, to| {
            pieces.join(square, to);
            tell(StepEvent::Fixed { from: square, to, reason });
        };
        match (self.needs(square), &self.open(square)[..]) {
            (1, &[first, ..]) => fix(self, first),
            (2, &[first, second, ..]) if self.mate(first) != second => {
                fix(self, second);
                fix(self, first);
            }
            _ => return false,
        }
        true
    }

    /// Every tour that contains the pieces, of which there is one at least, as the moves that string them.
    pub fn strings(&self) -> Vec<Vec<[Square; 2]>> {
        let Some(head) = self.ends().next() else { return Vec::new() };
        let tail = self.mate(head);
        let open = self.board.all().filter(|&square| self.needs(square) > 0 && square != head && square != tail);
        let mut tours = Vec::new();
        self.string(&mut Vec::new(), (head, tail), open.collect(), &mut tours);
        tours
    }

    fn string(
        &self,
        strung: &mut Vec<[Square; 2]>,
        (head, tail): (Square, Square),
        open: Vec<Square>,
        tours: &mut Vec<Vec<[Square; 2]>>,
    ) {
        if open.is_empty() && self.board.adjacent(head, tail) {
            tours.push(strung.iter().copied().chain([[head, tail]]).collect());
        }
        for &entry in open.iter().filter(|&&entry| self.board.adjacent(head, entry)) {
            let exit = self.mate(entry);
            strung.push([head, entry]);
            let rest = open.iter().copied().filter(|&square| square != entry && square != exit);
            self.string(strung, (exit, tail), rest.collect(), tours);
            strung.pop();
        }
    }
}

/// The pieces that moves make, as squares in order: each from its lower end, or all squares of a tour from the first one.
pub fn chains(board: Board, moves: &[[Square; 2]]) -> Vec<Vec<u8>> {
    let mut links = vec![Vec::new(); board.squares() as usize];
    for &[a, b] in moves {
        links[a.index() as usize].push(b.index());
        links[b.index() as usize].push(a.index());
    }
    let is_tour = links.iter().all(|links| links.len() == 2);
    let mut chains: Vec<Vec<u8>> = Vec::new();
    for start in 0..board.squares() {
        let begins = links[start as usize].len() == 1 || (is_tour && start == 0);
        if !begins || chains.iter().any(|chain| chain.last() == Some(&(start as u8))) {
            continue;
        }
        let (mut chain, mut before, mut square) = (vec![start as u8], start, links[start as usize][0]);
        while square != start {
            chain.push(square as u8);
            let onward = links[square as usize].iter().find(|&&onward| onward != before);
            (before, square) = (square, onward.copied().unwrap_or(start));
        }
        chains.push(chain);
    }
    chains
}
