//! A run of the three-cycle board as a film: every cycle of it, forwards and back, at no cost.
//!
//! What a square knows after a cycle follows from the way of the knight alone. The k-th square is reached in cycle
//! 3k - 2, counts from there, and has its move in cycle 3k; a rank is the number of squares around that were free one
//! cycle before. So a [`Film`] keeps the way, found by the rule move by move, and answers for any square in any cycle.
//! [`CycleState::cycle`] computes the same boards, cell by cell; the tests compare them all.

use super::facts::{CycleFacts, MODEL_CPU, MODEL_GPU};
use super::state::{
    COUNT, CYCLES_PER_MOVE, Cell, CyclePhase, CycleState, KnightChoice, KnightStatus, NEXT, RANK, VISIT,
};
use crate::board::Square;
use crate::gpu::compass::{NO_MOVE, STEPS};
use crate::memory::{filled, room};

/// The number of a square that is not on the way, as far as that is known.
const NOT_YET: u32 = u32::MAX;

/// The way of a knight, as far as it is known, and the boards that follow from it.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::Compass;
/// # use destrier::gpu::cycle::{Film, State};
/// let board: Board = "8x8".parse().unwrap();
/// let first = State::new(board, board.parse_square("e6").unwrap(), Compass::SOURCE).unwrap();
/// let mut film = Film::of(first.clone());
/// assert!(film.know(100));
/// let mut state = first;
/// (0..100).for_each(|_| state.cycle());
/// assert_eq!(film.state(100), state);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Film {
    first: CycleState,
    way: Vec<Square>,
    /// The place of each square on the way, from 1.
    numbers: Vec<u32>,
    /// For each decision, the ranks that have been read up to it, and the decisions in which the lowest was not alone.
    used: Vec<(u64, u32)>,
    ended: bool,
}

impl Film {
    /// The film of a run, by the board before its first cycle.
    ///
    /// # Panics
    /// When that board is one after a cycle.
    pub fn of(first: CycleState) -> Film {
        assert_eq!(first.cycles(), 0, "a film begins before the first cycle");
        let start = first.knight();
        let mut numbers = filled(NOT_YET, first.cells().len());
        numbers[start.index() as usize] = 1;
        Film { first, way: vec![start], numbers, used: vec![], ended: false }
    }

    /// The board before the first cycle.
    pub fn first(&self) -> &CycleState {
        &self.first
    }

    /// Looks ahead until everything about `cycle` is known, but for some ten thousand moves at most; answers whether it
    /// is. What is asked about a cycle that is not known is answered as if it were the last known one.
    pub fn know(&mut self, cycle: u32) -> bool {
        const AT_ONCE: usize = 10_000;
        let squares = (cycle / CYCLES_PER_MOVE) as usize + 1;
        let wanted = squares.min(self.way.len() + AT_ONCE);
        while !self.ended && self.way.len() < wanted {
            self.advance();
        }
        self.ended || self.way.len() >= squares
    }

    /// Finds the next square of the way.
    fn advance(&mut self) {
        let from = self.way[self.way.len() - 1];
        let board = self.first.board();
        let free = |square: &Square| self.numbers[square.index() as usize] == NOT_YET;
        let rank = |square: Square| board.neighbours(square).filter(free).count();
        let moves = self.first.compass().moves();
        let beside = moves.into_iter().filter_map(|step| self.first.beside(from, step)).filter(free);
        let ranks: Vec<(usize, Square)> = beside.map(|square| (rank(square), square)).collect();
        // The first of several.
        let lowest = ranks.iter().min_by_key(|(rank, _)| *rank).copied();
        let same = ranks.iter().filter(|(rank, _)| lowest.is_some_and(|(least, _)| least == *rank)).count();
        let (used, ties) = self.used.last().copied().unwrap_or_default();
        self.used.push((used + ranks.len() as u64, ties + u32::from(same > 1)));
        match lowest {
            Some((_, next)) => {
                self.way.push(next);
                self.numbers[next.index() as usize] = self.way.len() as u32;
                self.ended = self.way.len() == self.numbers.len();
            }
            None => self.ended = true,
        }
    }

    /// The cycle in which the knight arrives on the last square, or knows that it is stuck; nothing as long as that is
    /// not known.
    pub fn end(&self) -> Option<u32> {
        let squares = self.way.len() as u32;
        match self.way.len() == self.numbers.len() {
            true if squares == 1 => Some(0),
            true => Some(CYCLES_PER_MOVE * squares - 2),
            false => self.ended.then_some(CYCLES_PER_MOVE * squares),
        }
    }

    /// The last cycle of which everything is known.
    pub fn known(&self) -> u32 {
        self.end().unwrap_or(CYCLES_PER_MOVE * (self.way.len() as u32 - 1) + 2)
    }

    /// Squares visited after a cycle.
    fn visits(&self, cycle: u32) -> u32 {
        (cycle.max(1) + 2).div_euclid(CYCLES_PER_MOVE).min(self.way.len() as u32)
    }

    /// Where the knight stands after a cycle.
    pub fn knight(&self, cycle: u32) -> Square {
        self.way[self.visits(cycle) as usize - 1]
    }

    /// How the knight fares after a cycle.
    fn status(&self, cycle: u32) -> KnightStatus {
        match self.end() {
            Some(end) if cycle >= end && self.way.len() == self.numbers.len() => KnightStatus::Complete,
            Some(end) if cycle >= end => KnightStatus::Stuck,
            _ => KnightStatus::Touring,
        }
    }

    /// What the knight has decided, in the cycle in which it does.
    fn choice(&self, cycle: u32) -> Option<KnightChoice> {
        let decides = CyclePhase::of(cycle) == CyclePhase::Decide && self.visits(cycle) * CYCLES_PER_MOVE == cycle;
        let k = self.visits(cycle) as usize;
        let to = *self.way.get(k).filter(|_| decides)?;
        let ranks: Vec<u32> = self.candidates(cycle).map(|square| self.cell(cycle, square)[RANK] as u32).collect();
        let rank = self.cell(cycle, to)[RANK] as u32;
        let lowest = ranks.iter().filter(|&&other| other == rank).count() as u32;
        Some(KnightChoice { step: self.step(k), to, rank, candidates: ranks.len() as u32, lowest })
    }

    /// The free squares a knight's move away from the knight after a cycle.
    pub fn candidates(&self, cycle: u32) -> impl Iterator<Item = Square> {
        self.first.board().neighbours(self.knight(cycle)).filter(move |&square| !self.is_visited(cycle, square))
    }

    /// Whether the rank that a free square has after a cycle is not the one that it should have: the knight is there,
    /// and the square does not know yet.
    pub fn is_wrong(&self, cycle: u32, square: Square) -> bool {
        let free = self.first.board().neighbours(square).filter(|&other| !self.is_visited(cycle, other));
        cycle > 0 && !self.is_visited(cycle, square) && self.cell(cycle, square)[RANK] as usize != free.count()
    }

    /// The figures of the board after a cycle.
    pub fn facts(&self, cycle: u32) -> CycleFacts {
        let (visit, squares) = (self.visits(cycle), self.numbers.len() as u32);
        let status = self.status(cycle);
        let decisions = (cycle / CYCLES_PER_MOVE).min(visit);
        let choice = self.choice(CYCLES_PER_MOVE * decisions);
        let deciding = decisions > 0 && cycle == CYCLES_PER_MOVE * decisions;
        // The knight that has arrived on the last square decides, but there is nothing to read.
        let read = (decisions as usize).min(self.used.len());
        let (ranks_used_total, ties) = read.checked_sub(1).map_or((0, 0), |last| self.used[last]);
        let reached = CYCLES_PER_MOVE * visit - 2;
        CycleFacts {
            cycle,
            cycles_max: self.first.cycles_max(),
            phase: CyclePhase::of(cycle),
            knight: self.knight(cycle),
            visit,
            squares,
            status,
            ended: match status {
                KnightStatus::Touring => None,
                KnightStatus::Complete => Some(reached.min(cycle)),
                KnightStatus::Stuck => Some(CYCLES_PER_MOVE * visit),
            },
            choice,
            decisions,
            ranks: if cycle == 0 { 0 } else { squares },
            ranks_used: choice.filter(|_| deciding).map_or(0, |choice| choice.candidates),
            ranks_total: u64::from(squares) * u64::from(cycle),
            ranks_used_total,
            ties,
            model_cpu: MODEL_CPU * u64::from(visit),
            model_gpu: MODEL_GPU * u64::from(visit),
            reached,
        }
    }

    /// What a square knows after a cycle.
    pub fn cell(&self, cycle: u32, square: Square) -> Cell {
        let mut cell = [0.0, 0.0, 0.0, f32::from(NO_MOVE)];
        if let Some(before) = cycle.checked_sub(1) {
            let neighbours = self.first.board().neighbours(square);
            cell[RANK] = neighbours.filter(|&other| !self.is_visited(before, other)).count() as f32;
        }
        if self.is_visited(cycle, square) {
            let here = self.numbers[square.index() as usize];
            let stood = cycle - CYCLES_PER_MOVE * (here - 1);
            let step = if stood >= CYCLES_PER_MOVE { self.step(here as usize) } else { NO_MOVE };
            let count = if step == NO_MOVE { stood } else { CYCLES_PER_MOVE };
            cell[VISIT] = here as f32;
            cell[COUNT] = count as f32;
            cell[NEXT] = f32::from(step);
        }
        cell
    }

    /// The board after a cycle.
    pub fn state(&self, cycle: u32) -> CycleState {
        let mut cells = room(self.first.board().squares() as usize);
        cells.extend(self.first.board().all().map(|square| self.cell(cycle, square)));
        self.first.after(cycle, cells)
    }

    fn is_visited(&self, cycle: u32, square: Square) -> bool {
        self.numbers[square.index() as usize] <= self.visits(cycle)
    }

    /// The move from the square of this place on the way to the next one.
    fn step(&self, place: usize) -> u8 {
        let leads = |&step: &u8| self.first.beside(self.way[place - 1], step) == self.way.get(place).copied();
        match self.way.get(place) {
            Some(_) => (0..STEPS.len() as u8).find(leads).unwrap_or(NO_MOVE),
            None => NO_MOVE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::gpu::Compass;
    use crate::gpu::cycle::tests::ledger::Ledger;

    fn first(board: &str, start: u32, compass: Compass) -> CycleState {
        let board: Board = board.parse().unwrap();
        CycleState::new(board, board.at(start).unwrap(), compass).unwrap()
    }

    /// Runs the twin a little beyond its end, and compares everything after every cycle.
    fn compare(board: &str, start: u32, compass: Compass) -> (KnightStatus, u32) {
        let mut state = first(board, start, compass);
        let (mut film, mut ledger) = (Film::of(state.clone()), Ledger::default());
        assert!(film.know(state.cycles_max()));
        let end = film.end().unwrap();
        for cycle in 0..=end + 5 {
            assert_eq!(film.state(cycle), state, "{board} {start} cycle {cycle}");
            assert_eq!(film.facts(cycle), ledger.follow(&state), "{board} {start} cycle {cycle}");
            assert!(state.board().all().all(|square| film.is_wrong(cycle, square) == state.is_wrong(square)));
            state.cycle();
        }
        (film.status(end), end)
    }

    #[test]
    fn every_cycle_of_the_film_is_that_of_the_twin() {
        assert_eq!(compare("8x8", 20, Compass::SOURCE), (KnightStatus::Complete, 190));
        assert_eq!(compare("8x8", 2, Compass::SOURCE), (KnightStatus::Stuck, 180));
        for (board, start) in [("1x1", 0), ("1x2", 1), ("2x2", 0), ("2x3", 0), ("3x3", 4), ("5x5", 2), ("4x7", 9)] {
            compare(board, start, Compass::nth(777));
        }
    }

    #[test]
    fn it_looks_ahead_a_bounded_way_at_a_time() {
        let mut film = Film::of(first("150x150", 0, Compass::SOURCE));
        assert!(!film.know(u32::MAX) && film.end().is_none());
        let known = film.known();
        assert!(film.know(known) && film.known() == known);
        while !film.know(u32::MAX) {}
        assert_eq!(film.known(), film.end().unwrap());
    }
}
