//! A plain backtracking search for closed tours from a corner, slow enough to be watched; it can be told to panic.

use destrier::board::{Board, SmallBoard, SquareMask};
use destrier::search::{Branches, Burst, BurstEnd, BurstOutput, Drawing, Kernel, Stack, Task};

/// The search; squares are tried in the order of their numbers.
#[derive(Clone)]
pub struct Walk {
    board: SmallBoard<u64>,
    stack: Stack<u64>,
    visited: u64,
    nodes: u64,
    /// Panics once it has entered this many nodes.
    panic_at: u64,
}

impl Walk {
    /// A search on a board of at most 64 squares.
    pub fn new(board: Board, panic_at: u64) -> Walk {
        let board = SmallBoard::new(board).expect("at most 64 squares");
        Walk { board, stack: Stack::new(), visited: 0, nodes: 0, panic_at }
    }
}

impl Kernel for Walk {
    fn branches(&self) -> &dyn Branches {
        &self.stack
    }

    fn branches_mut(&mut self) -> &mut dyn Branches {
        &mut self.stack
    }

    fn begin(&mut self, task: &Task) {
        self.stack.begin(task, 1);
        self.visited = self.stack.chosen().iter().fold(0, |set, &square| set | u64::bit(square.into()));
    }

    fn advance(&mut self, mut burst: Burst<'_>, out: &mut BurstOutput<'_>) -> BurstEnd {
        loop {
            let untried = self.stack.untried();
            if untried.is_empty() {
                match self.stack.leave() {
                    Some(square) => self.visited ^= u64::bit(square),
                    None => return BurstEnd::Exhausted,
                }
                continue;
            }
            if burst.is_due() {
                return BurstEnd::Yielded;
            }
            let square = untried.first();
            self.stack.enter(square);
            self.visited |= u64::bit(square);
            let children = self.board.neighbours(square) & !self.visited;
            self.stack.open(children);
            self.nodes += 1;
            assert!(self.nodes < self.panic_at, "told to panic");
            let depth = self.stack.depth();
            out.tally.nodes += 1;
            if out.levels {
                out.tally.nodes_by_depth[depth] += 1;
                out.tally.pruned_by_depth[depth] += u64::from(children.is_empty());
            }
            let closes = self.board.neighbours(square).has(0);
            out.tally.tours += u64::from(depth == self.board.squares() && closes);
        }
    }

    fn draw(&self, drawing: &mut Drawing) {
        let reserved = self.board.neighbours(0).without_first().first() as u32;
        drawing.path(self.stack.chosen().iter().map(|&square| square.into()), Some(reserved));
    }
}
