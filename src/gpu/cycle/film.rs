//! A run of the three-cycle board from which every cycle can be computed, forwards and back, without running the
//! others.
//!
//! The knight's path alone determines what a square holds after a cycle. The knight arrives on the k-th square in
//! cycle 3k - 2. The square's counter starts then, and its move is set in cycle 3k. A rank is the number of squares
//! around that were free one cycle before. So a [`Film`] stores the path, found by the rule move by move, and
//! computes any square in any cycle from it. [`CycleState::cycle`] computes the boards cell by cell; the tests
//! compare all of them.

use super::state::{
    COUNT, CYCLES_PER_MOVE, Cell, CyclePhase, CycleState, KnightChoice, KnightStatus, NEXT, RANK, VISIT,
};
use crate::board::Square;
use crate::gpu::compass::{NO_MOVE, STEPS};
use crate::memory::{filled, room};

/// The number of a square that is not on the path as far as that is known.
const NOT_ON_PATH: u32 = u32::MAX;

/// What all decisions up to one took.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct DecisionSums {
    /// Ranks compared.
    ranks: u64,
    /// Neighbours of free squares, counted once for each rank that was compared.
    neighbours: u64,
    /// Decisions with several lowest ranks.
    ties: u32,
}

/// The path of a knight as far as it is known, and the boards that follow from it.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::Compass;
/// # use destrier::gpu::cycle::{CycleState, Film};
/// let board: Board = "8x8".parse().unwrap();
/// let first = CycleState::new(board, board.parse_square("e6").unwrap(), Compass::SOURCE).unwrap();
/// let mut film = Film::of(first.clone());
/// assert!(film.look_ahead(100));
/// let mut state = first;
/// (0..100).for_each(|_| state.cycle());
/// assert_eq!(film.state(100), state);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Film {
    first: CycleState,
    path: Vec<Square>,
    /// By square: its place on the path, from 1.
    numbers: Vec<u32>,
    /// The sums up to each decision.
    sums: Vec<DecisionSums>,
    is_over: bool,
}

impl Film {
    /// The film of a run that begins with this board.
    ///
    /// # Panics
    /// When that board is not before its first cycle.
    pub fn of(first: CycleState) -> Film {
        assert_eq!(first.cycles(), 0, "a film begins before the first cycle");
        let start = first.knight();
        let mut numbers = filled(NOT_ON_PATH, first.cells().len());
        numbers[start.index() as usize] = 1;
        Film { first, path: vec![start], numbers, sums: vec![], is_over: false }
    }

    /// The board before the first cycle.
    pub fn first(&self) -> &CycleState {
        &self.first
    }

    /// Extends the path until `cycle` is known, by at most 10,000 moves; returns whether it is known. For an unknown
    /// cycle, the other methods answer as for the last known one.
    pub fn look_ahead(&mut self, cycle: u32) -> bool {
        const AT_ONCE: usize = 10_000;
        let squares = (cycle / CYCLES_PER_MOVE) as usize + 1;
        let wanted = squares.min(self.path.len() + AT_ONCE);
        while !self.is_over && self.path.len() < wanted {
            self.extend_path();
        }
        self.is_over || self.path.len() >= squares
    }

    /// Finds the next square of the path.
    fn extend_path(&mut self) {
        let from = self.path[self.path.len() - 1];
        let board = self.first.board();
        let free = |square: &Square| self.numbers[square.index() as usize] == NOT_ON_PATH;
        let ranks: Vec<(usize, Square)> = self.first.compass().ranked(board, from, free).collect();
        // `min_by_key` takes the first of several.
        let lowest = ranks.iter().min_by_key(|(rank, _)| *rank).copied();
        let same = ranks.iter().filter(|(rank, _)| lowest.is_some_and(|(least, _)| least == *rank)).count();
        let neighbours: u32 = ranks.iter().map(|&(_, square)| board.degree(square)).sum();
        let before = self.sums.last().copied().unwrap_or_default();
        self.sums.push(DecisionSums {
            ranks: before.ranks + ranks.len() as u64,
            neighbours: before.neighbours + u64::from(neighbours),
            ties: before.ties + u32::from(same > 1),
        });
        match lowest {
            Some((_, next)) => {
                self.path.push(next);
                self.numbers[next.index() as usize] = self.path.len() as u32;
                self.is_over = self.path.len() == self.numbers.len();
            }
            None => self.is_over = true,
        }
    }

    /// The cycle in which the knight arrives on the last square or is found stuck; `None` as long as the end is
    /// unknown.
    pub fn end(&self) -> Option<u32> {
        let squares = self.path.len() as u32;
        match self.path.len() == self.numbers.len() {
            true if squares == 1 => Some(0),
            true => Some(CYCLES_PER_MOVE * squares - 2),
            false => self.is_over.then_some(CYCLES_PER_MOVE * squares),
        }
    }

    /// The last cycle that is known.
    pub fn last_known(&self) -> u32 {
        self.end().unwrap_or(CYCLES_PER_MOVE * (self.path.len() as u32 - 1) + 2)
    }

    /// Squares visited after a cycle.
    fn visits(&self, cycle: u32) -> u32 {
        (cycle.max(1) + 2).div_euclid(CYCLES_PER_MOVE).min(self.path.len() as u32)
    }

    /// The square of the knight after a cycle.
    pub fn knight(&self, cycle: u32) -> Square {
        self.path[self.visits(cycle) as usize - 1]
    }

    /// The state of the knight's tour after a cycle.
    fn status(&self, cycle: u32) -> KnightStatus {
        match self.end() {
            Some(end) if cycle >= end && self.path.len() == self.numbers.len() => KnightStatus::Complete,
            Some(end) if cycle >= end => KnightStatus::Stuck,
            _ => KnightStatus::Touring,
        }
    }

    /// The knight's decision, if it is made in this cycle.
    fn choice(&self, cycle: u32) -> Option<KnightChoice> {
        let decides = CyclePhase::of(cycle) == CyclePhase::Decide && self.visits(cycle) * CYCLES_PER_MOVE == cycle;
        let k = self.visits(cycle) as usize;
        let to = *self.path.get(k).filter(|_| decides)?;
        let ranks: Vec<u32> = self.candidates(cycle).map(|square| self.cell(cycle, square)[RANK] as u32).collect();
        let rank = self.cell(cycle, to)[RANK] as u32;
        let lowest = ranks.iter().filter(|&&other| other == rank).count() as u32;
        Some(KnightChoice { step: self.step(k), to, rank, candidates: ranks.len() as u32, lowest })
    }

    /// The free squares a knight's move away from the knight, after a cycle.
    pub fn candidates(&self, cycle: u32) -> impl Iterator<Item = Square> {
        self.first.board().neighbours(self.knight(cycle)).filter(move |&square| !self.is_visited(cycle, square))
    }

    /// Whether a free square has a wrong rank after a cycle: the knight has just arrived beside it, and the square
    /// still counts the knight's square as free.
    pub fn has_stale_rank(&self, cycle: u32, square: Square) -> bool {
        let free = self.first.board().neighbours(square).filter(|&other| !self.is_visited(cycle, other));
        cycle > 0 && !self.is_visited(cycle, square) && self.cell(cycle, square)[RANK] as usize != free.count()
    }

    /// The figures of the board after a cycle.
    pub fn facts(&self, cycle: u32) -> CycleFacts {
        let (visit, squares) = (self.visits(cycle), self.numbers.len() as u32);
        let decisions = (cycle / CYCLES_PER_MOVE).min(visit);
        let choice = self.choice(CYCLES_PER_MOVE * decisions);
        let deciding = decisions > 0 && cycle == CYCLES_PER_MOVE * decisions;
        // A knight that has arrived on the last square decides, but compares no rank.
        let summed = (decisions as usize).min(self.sums.len());
        let sums = summed.checked_sub(1).map_or(DecisionSums::default(), |last| self.sums[last]);
        CycleFacts {
            cycle,
            cycles_max: self.first.cycles_max(),
            phase: CyclePhase::of(cycle),
            knight: self.knight(cycle),
            visit,
            squares,
            status: self.status(cycle),
            choice,
            ranks_used: choice.filter(|_| deciding).map_or(0, |choice| choice.candidates),
            ranks_used_total: sums.ranks,
            ties: sums.ties,
            steps_cpu: sums.neighbours + sums.ranks,
        }
    }

    /// The four floats of a square after a cycle.
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

    /// The move from the square at this place of the path to the next one.
    fn step(&self, place: usize) -> u8 {
        let leads = |&step: &u8| self.first.target(self.path[place - 1], step) == self.path.get(place).copied();
        match self.path.get(place) {
            Some(_) => (0..STEPS.len() as u8).find(leads).unwrap_or(NO_MOVE),
            None => NO_MOVE,
        }
    }
}

/// CPU cycles of a move in the source's model: for each of 8 moves, 8 neighbours are counted and one rank is
/// compared.
pub const MODEL_CPU: u64 = 72;
/// GPU cycles of a move in the source's model: 8 ranks, already computed, are compared in each of three cycles.
pub const MODEL_GPU: u64 = 24;
/// How many times as fast a GPU is in the source's model. The model leaves out the cost of starting a cycle, and has
/// never been measured.
pub const MODEL_SPEED_UP: u64 = MODEL_CPU / MODEL_GPU;

/// The figures of a board after a cycle.
///
/// # Source
/// The model: Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Speedup".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CycleFacts {
    /// Cycles that have run, c.
    pub cycle: u32,
    /// Cycles that the source runs: 3N.
    pub cycles_max: u32,
    /// The phase of the last cycle.
    pub phase: CyclePhase,
    pub knight: Square,
    /// Squares visited, k.
    pub visit: u32,
    /// Squares of the board, N.
    pub squares: u32,
    /// The state of the knight's tour.
    pub status: KnightStatus,
    /// The last decision; it stays after the knight has left. `None` before the first decision, and when the last decision
    /// was for no move.
    pub choice: Option<KnightChoice>,
    /// Ranks used in this cycle: those of the knight's free neighbours if it decided in this cycle, else 0.
    pub ranks_used: u32,
    /// Ranks used so far.
    pub ranks_used_total: u64,
    /// Decisions so far with several squares of lowest rank.
    pub ties: u32,
    /// What a CPU does for the decisions so far, in the units of the model, counted: it looks at every neighbour of every
    /// free square that the knight could enter, and compares the rank of each of these squares. A GPU needs the
    /// comparisons alone: [`ranks_used_total`](CycleFacts::ranks_used_total).
    pub steps_cpu: u64,
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
        assert!(film.look_ahead(state.cycles_max()));
        let end = film.end().unwrap();
        for cycle in 0..=end + 5 {
            assert_eq!(film.state(cycle), state, "{board} {start} cycle {cycle}");
            assert_eq!(film.facts(cycle), ledger.follow(&state), "{board} {start} cycle {cycle}");
            assert!(
                state.board().all().all(|square| film.has_stale_rank(cycle, square) == state.has_stale_rank(square))
            );
            state.cycle();
        }
        (film.status(end), end)
    }

    #[test]
    fn every_cycle_of_a_film_is_that_of_the_twin() {
        assert_eq!(compare("8x8", 20, Compass::SOURCE), (KnightStatus::Complete, 190));
        assert_eq!(compare("8x8", 2, Compass::SOURCE), (KnightStatus::Stuck, 180));
        for (board, start) in [("1x1", 0), ("1x2", 1), ("2x2", 0), ("2x3", 0), ("3x3", 4), ("5x5", 2), ("4x7", 9)] {
            compare(board, start, Compass::nth(777));
        }
    }

    #[test]
    fn a_film_looks_ahead_by_a_bounded_number_of_moves() {
        let mut film = Film::of(first("150x150", 0, Compass::SOURCE));
        assert!(!film.look_ahead(u32::MAX) && film.end().is_none());
        let known = film.last_known();
        assert!(film.look_ahead(known) && film.last_known() == known);
        while !film.look_ahead(u32::MAX) {}
        assert_eq!(film.last_known(), film.end().unwrap());
    }
}
