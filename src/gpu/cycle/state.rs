//! The board after a cycle, and the plain twin of the shader that computes the next one.

use crate::board::{Board, Square};
use crate::gpu::compass::{BACK, Compass, NO_MOVE, STEPS};
use crate::gpu::label::GpuError;
use crate::memory::{filled, room};

/// The four floats of a square: visit number, counter, rank, next move.
pub type Cell = [f32; 4];

/// The channel of the visit number, red.
pub const VISIT: usize = 0;
/// The channel of the decision counter, green.
pub const COUNT: usize = 1;
/// The channel of the rank, blue.
pub const RANK: usize = 2;
/// The channel of the next move, alpha.
pub const NEXT: usize = 3;

/// Squares of the largest board: floats of 32 bits hold every whole number up to this.
pub const SQUARES_MAX: u32 = 1 << 24;

pub const CYCLES_PER_MOVE: u32 = 3;
/// The knight decides when its counter has this value.
const DECIDES_AT: f32 = 3.0;
/// A number above any rank.
const RANK_NONE: f32 = 9.0;

/// The phase of a move that a cycle does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CyclePhase {
    /// The board before the first cycle.
    Before,
    /// The knight arrives on its square.
    Arrive,
    /// The ranks around the knight become right.
    Ranks,
    /// The knight decides where to go.
    Decide,
}

impl CyclePhase {
    pub fn of(cycle: u32) -> CyclePhase {
        match cycle {
            0 => CyclePhase::Before,
            _ => [CyclePhase::Arrive, CyclePhase::Ranks, CyclePhase::Decide][((cycle - 1) % CYCLES_PER_MOVE) as usize],
        }
    }
}

/// The state of the knight's tour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnightStatus {
    /// The tour is not at its end.
    Touring,
    /// The knight has visited every square.
    Complete,
    /// The knight has decided, and no free square is left to go to.
    Stuck,
}

/// A decision of the knight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnightChoice {
    /// The move, a number of the [`Compass`].
    pub step: u8,
    /// The square that the move leads to.
    pub to: Square,
    /// The rank of that square.
    pub rank: u32,
    /// Free squares a knight's move away, whose ranks the decision compared.
    pub candidates: u32,
    /// How many of these squares have the lowest rank. If several do, a tie was broken.
    pub lowest: u32,
}

/// Checks that the board is small enough; cheap.
///
/// # Errors
/// [`GpuError::Refused`] when it is too large.
pub fn check_size(board: Board) -> Result<(), GpuError> {
    if board.squares() <= SQUARES_MAX {
        return Ok(());
    }
    Err(GpuError::Refused(format!(
        "the three-cycle board numbers its squares in floats, which are exact up to {SQUARES_MAX}; {board} has {}",
        board.squares()
    )))
}

/// The board after a cycle.
///
/// ```
/// # use destrier::board::Board;
/// # use destrier::gpu::Compass;
/// # use destrier::gpu::cycle::{CycleState, KnightStatus};
/// let board: Board = "8x8".parse().unwrap();
/// let run = |name| {
///     let mut state = CycleState::new(board, board.parse_square(name).unwrap(), Compass::SOURCE).unwrap();
///     while state.status() == KnightStatus::Touring {
///         state.cycle();
///     }
///     (state.status(), state.visits(), state.cycles())
/// };
/// assert_eq!(run("e6"), (KnightStatus::Complete, 64, 3 * 64 - 2));
/// assert_eq!(run("c8"), (KnightStatus::Stuck, 60, 3 * 60));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CycleState {
    board: Board,
    compass: Compass,
    cycles: u32,
    cells: Vec<Cell>,
}

impl CycleState {
    /// The board before the first cycle, with the knight on its start.
    ///
    /// # Errors
    /// [`GpuError::Refused`] when the board is too large.
    pub fn new(board: Board, start: Square, compass: Compass) -> Result<CycleState, GpuError> {
        check_size(board)?;
        let mut cells = filled([0.0, 0.0, 0.0, f32::from(NO_MOVE)], board.squares() as usize);
        cells[start.index() as usize][VISIT] = 1.0;
        Ok(CycleState { board, compass, cycles: 0, cells })
    }

    /// The board of this run after `cycles` cycles, whose cells a device or a [`Film`](super::Film) computed.
    ///
    /// # Panics
    /// When the number of cells is not the number of squares.
    pub fn after(&self, cycles: u32, cells: Vec<Cell>) -> CycleState {
        assert_eq!(cells.len(), self.cells.len(), "a cell for each square");
        CycleState { board: self.board, compass: self.compass, cycles, cells }
    }

    pub fn board(&self) -> Board {
        self.board
    }

    /// The order in which the knight compares moves.
    pub fn compass(&self) -> Compass {
        self.compass
    }

    /// Cycles that have run.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Cycles that the source runs: three for each square.
    pub fn cycles_max(&self) -> u32 {
        CYCLES_PER_MOVE * self.board.squares()
    }

    /// The four floats of each square, in the order of the squares' numbers.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Squares visited.
    pub fn visits(&self) -> u32 {
        self.cells.iter().map(|cell| cell[VISIT] as u32).max().unwrap_or(0)
    }

    pub fn knight(&self) -> Square {
        let latest = self.board.all().zip(&self.cells).max_by(|(_, a), (_, b)| a[VISIT].total_cmp(&b[VISIT]));
        latest.map_or_else(|| unreachable!("there is a cell for each square"), |(square, _)| square)
    }

    /// The state of the knight's tour.
    pub fn status(&self) -> KnightStatus {
        let cell = self.cells[self.knight().index() as usize];
        if cell[VISIT] as u32 == self.board.squares() {
            KnightStatus::Complete
        } else if cell[COUNT] >= DECIDES_AT && cell[NEXT] == f32::from(NO_MOVE) {
            KnightStatus::Stuck
        } else {
            KnightStatus::Touring
        }
    }

    /// The visited squares, in the order of their visits.
    pub fn path(&self) -> Vec<Square> {
        let mut visited: Vec<(u32, Square)> =
            self.board.all().map(|square| (self.cells[square.index() as usize][VISIT] as u32, square)).collect();
        visited.retain(|&(visit, _)| visit > 0);
        visited.sort_unstable();
        visited.into_iter().map(|(_, square)| square).collect()
    }

    /// Runs a cycle: computes every square at once, from the board before the cycle.
    pub fn cycle(&mut self) {
        let mut cells = room(self.cells.len());
        cells.extend((0..self.board.squares()).map(|at| self.cell_after(at)));
        self.cells = cells;
        self.cycles += 1;
    }

    /// The four floats of a square after the next cycle; line by line as in the shader.
    fn cell_after(&self, at: u32) -> Cell {
        let (cols, rows) = (self.board.cols() as i32, self.board.rows() as i32);
        let (x, y) = (at as i32 % cols, at as i32 / cols);
        let [mut visit, mut count, _, mut leave] = self.cells[at as usize];
        let (mut rank, mut best, mut next) = (0.0, RANK_NONE, f32::from(NO_MOVE));
        for m in self.compass.moves() {
            let (dx, dy) = STEPS[usize::from(m)];
            let (u, v) = (x + dx, y + dy);
            if u < 0 || u >= cols || v < 0 || v >= rows {
                continue;
            }
            let other = self.cells[(v * cols + u) as usize];
            if other[VISIT] == 0.0 {
                rank += 1.0;
                if other[RANK] < best {
                    best = other[RANK];
                    next = f32::from(m);
                }
            } else if visit == 0.0 && other[NEXT] == f32::from(m ^ BACK) {
                visit = other[VISIT] + 1.0;
            }
        }
        if visit != 0.0 && leave == f32::from(NO_MOVE) {
            count += 1.0;
            if count == DECIDES_AT {
                leave = next;
            }
        }
        [visit, count, rank, leave]
    }

    /// The square that a move leads to; `None` if it is off the board, or `step` is no move.
    pub(super) fn target(&self, square: Square, step: u8) -> Option<Square> {
        let &(right, down) = STEPS.get(usize::from(step))?;
        let (row, col) = self.board.row_col(square);
        self.board.square(row.checked_add_signed(down)?, col.checked_add_signed(right)?)
    }
}
