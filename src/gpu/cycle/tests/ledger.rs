//! The figures of a run, added up board by board: the plain twin of what a [`Film`](crate::gpu::cycle::Film)
//! computes.

use crate::board::Square;
use crate::gpu::compass::STEPS;
use crate::gpu::cycle::{
    CYCLES_PER_MOVE, Cell, CycleFacts, CyclePhase, CycleState, KnightChoice, KnightStatus, NEXT, RANK, VISIT,
};

impl CycleState {
    /// The phase of the last cycle.
    pub fn phase(&self) -> CyclePhase {
        CyclePhase::of(self.cycles())
    }

    /// The knight's decision, from the cycle in which it is made until the knight has left.
    pub fn choice(&self) -> Option<KnightChoice> {
        let knight = self.knight();
        let step = self.cells()[knight.index() as usize][NEXT] as u8;
        let to = self.target(knight, step)?;
        let ranks: Vec<u32> = self.free_beside(knight).map(|cell| cell[RANK] as u32).collect();
        let rank = *ranks.iter().min()?;
        let lowest = ranks.iter().filter(|&&other| other == rank).count() as u32;
        Some(KnightChoice { step, to, rank, candidates: ranks.len() as u32, lowest })
    }

    /// Whether a free square has a wrong rank: the knight has just arrived beside it, and the square still counts the
    /// knight's square as free.
    pub fn has_stale_rank(&self, square: Square) -> bool {
        let cell = self.cells()[square.index() as usize];
        cell[VISIT] == 0.0 && self.cycles() > 0 && cell[RANK] as usize != self.free_beside(square).count()
    }

    fn free_beside(&self, square: Square) -> impl Iterator<Item = Cell> {
        self.board()
            .neighbours(square)
            .map(|other| self.cells()[other.index() as usize])
            .filter(|cell| cell[VISIT] == 0.0)
    }
}

/// Follows one run and adds up what its last board alone does not show, however many cycles run between two calls.
///
/// An earlier board of the run resets the sums. Another run needs a new ledger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    decisions: u32,
    used: u64,
    looked: u64,
    ties: u32,
}

impl Ledger {
    /// The figures of this board, which is a later or an earlier one of the run.
    pub fn follow(&mut self, state: &CycleState) -> CycleFacts {
        let (squares, visit) = (state.board().squares(), state.visits());
        let decisions = visit.min(state.cycles() / CYCLES_PER_MOVE);
        if decisions < self.decisions {
            *self = Ledger::default();
        }
        let path = state.path();
        let visits = Visits::of(state, &path);
        for k in self.decisions..decisions {
            let (candidates, _, lowest) = visits.ranks(k);
            self.used += u64::from(candidates);
            let free = visits.free_beside(path[k as usize], k);
            self.looked += free.map(|square| u64::from(state.board().degree(square))).sum::<u64>();
            self.ties += u32::from(lowest > 1);
        }
        self.decisions = decisions;
        let last = decisions.checked_sub(1);
        let deciding = state.phase() == CyclePhase::Decide && state.cycles() == CYCLES_PER_MOVE * decisions;
        CycleFacts {
            cycle: state.cycles(),
            cycles_max: state.cycles_max(),
            phase: state.phase(),
            knight: state.knight(),
            visit,
            squares,
            status: state.status(),
            choice: last.and_then(|k| visits.choice(k)),
            ranks_used: last.filter(|_| deciding).map_or(0, |k| visits.ranks(k).0),
            ranks_used_total: self.used,
            ties: self.ties,
            steps_cpu: self.looked + self.used,
        }
    }
}

/// The squares of a run in their order, from which every decision can be recomputed.
struct Visits<'a> {
    state: &'a CycleState,
    path: &'a [Square],
}

impl<'a> Visits<'a> {
    fn of(state: &'a CycleState, path: &'a [Square]) -> Visits<'a> {
        Visits { state, path }
    }

    /// The neighbours of a square that were free when the knight stood on the k-th square of the path, counted from
    /// 0.
    fn free_beside(&self, square: Square, k: u32) -> impl Iterator<Item = Square> {
        let free = move |other: &Square| {
            let visit = self.state.cells()[other.index() as usize][VISIT] as u32;
            visit == 0 || visit > k + 1
        };
        self.state.board().neighbours(square).filter(free)
    }

    /// Decision k: the number of free squares, their lowest rank, and how many have it.
    fn ranks(&self, k: u32) -> (u32, u32, u32) {
        let (mut candidates, mut best, mut lowest) = (0, u32::MAX, 0);
        for square in self.free_beside(self.path[k as usize], k) {
            let rank = self.free_beside(square, k).count() as u32;
            candidates += 1;
            if rank < best {
                (best, lowest) = (rank, 0);
            }
            lowest += u32::from(rank == best);
        }
        (candidates, best, lowest)
    }

    fn choice(&self, k: u32) -> Option<KnightChoice> {
        let from = self.path[k as usize];
        let step = self.state.cells()[from.index() as usize][NEXT] as u8;
        let &(right, down) = STEPS.get(usize::from(step))?;
        let (row, col) = self.state.board().row_col(from);
        let to = self.state.board().square(row.checked_add_signed(down)?, col.checked_add_signed(right)?)?;
        let (candidates, rank, lowest) = self.ranks(k);
        Some(KnightChoice { step, to, rank, candidates, lowest })
    }
}

mod tests {
    use super::*;
    use crate::board::Board;
    use crate::gpu::Compass;

    fn state(board: &str, start: &str) -> CycleState {
        let board: Board = board.parse().unwrap();
        CycleState::new(board, board.parse_square(start).unwrap(), Compass::SOURCE).unwrap()
    }

    /// The figures after each cycle, from cycle 0 to 3 cycles beyond the source's last.
    fn every(mut state: CycleState) -> Vec<(CycleState, CycleFacts)> {
        let mut ledger = Ledger::default();
        let mut all = vec![(state.clone(), ledger.follow(&state))];
        for _ in 0..state.cycles_max() + 3 {
            state.cycle();
            all.push((state.clone(), ledger.follow(&state)));
        }
        all
    }

    /// 168 ranks are used on 8x8, every edge of the knight graph once; 14 ties.
    #[test]
    fn the_source_s_sample_in_figures() {
        let mut state = state("8x8", "2,4");
        (0..190).for_each(|_| state.cycle());
        let facts = Ledger::default().follow(&state);
        assert_eq!((facts.cycle, facts.cycles_max, facts.visit), (190, 192, 64));
        assert_eq!((facts.status, facts.ranks_used_total, facts.ties), (KnightStatus::Complete, 168, 14));
        // Counted from the printed tour: 1,084 neighbours of 168 free squares, and 168 ranks.
        assert_eq!(facts.steps_cpu, 1084 + 168);
    }

    #[test]
    fn figures_do_not_depend_on_the_cycles_between_two_calls() {
        for (board, start) in [("8x8", "0,2"), ("5x5", "0,0"), ("3x4", "1,1"), ("1x1", "0,0"), ("2x2", "0,0")] {
            let all = every(state(board, start));
            let (mut used, mut ties, mut last) = (0, 0, None);
            for (state, facts) in &all {
                let choice = state.choice().filter(|_| state.phase() == CyclePhase::Decide);
                used += u64::from(choice.map_or(0, |choice| choice.candidates));
                ties += choice.map_or(0, |choice| u32::from(choice.lowest > 1));
                last = if state.phase() == CyclePhase::Decide { choice } else { last };
                assert_eq!((facts.ranks_used_total, facts.ties), (used, ties), "{board} {}", state.cycles());
                assert_eq!(facts.ranks_used, choice.map_or(0, |choice| choice.candidates));
                assert_eq!(facts.choice, last, "{board} {}", state.cycles());
                // A new ledger that sees this board alone, and one that goes back to it.
                assert_eq!(Ledger::default().follow(state), *facts);
                let mut late = Ledger::default();
                late.follow(&all[all.len() - 1].0);
                assert_eq!(late.follow(state), *facts);
            }
        }
    }

    #[test]
    fn a_stuck_knight_has_no_choice() {
        let (_, facts) = every(state("8x8", "0,2")).pop().unwrap();
        assert_eq!((facts.status, facts.visit), (KnightStatus::Stuck, 60));
        assert_eq!((facts.choice, facts.ranks_used), (None, 0));
    }
}
