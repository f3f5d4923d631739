//! What sharing a search costs this machine, measured: the same that `simulate --costs measured` uses.

use crate::board::{Board, Ending};
use crate::simulate::{Costs, measure};
use crate::solve::{self, Problem};
use serde::Serialize;

/// The board whose open tours are searched meanwhile.
const BOARD: (u64, u64) = (5, 6);

/// Costs in nanoseconds, and what they were measured with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measured {
    board: Board,
    solver: &'static str,
    node_ns: f64,
    hand_over_ns: f64,
    wake_ns: f64,
    nominate_ns: f64,
    look_ns: f64,
    /// Nodes between two looks at the mailbox.
    burst: u64,
}

impl Measured {
    /// Measures, for about a second; nothing of a program without the solver.
    pub fn here() -> Measured {
        let board = Board::new(BOARD.0, BOARD.1).unwrap_or_else(|_| unreachable!("a few squares are a board"));
        let tree = solve::solver_by_name("brute")
            .and_then(|solver| solver.tree(&Problem::new(board, Ending::Open), false).ok());
        let tree = tree.unwrap_or_else(|| unreachable!("brute searches every board of this size"));
        Measured::of(board, "brute", &measure(&*tree.kernel))
    }

    fn of(board: Board, solver: &'static str, costs: &Costs) -> Measured {
        let Costs { hand_over, wake, nominate, look, burst, node_ns } = *costs;
        let [hand_over_ns, wake_ns, nominate_ns, look_ns] =
            [hand_over, wake, nominate, look].map(|nodes| nodes * node_ns);
        Measured { board, solver, node_ns, hand_over_ns, wake_ns, nominate_ns, look_ns, burst }
    }

    /// The same in clauses.
    pub fn lines(&self) -> [String; 5] {
        let Measured { board, solver, node_ns, hand_over_ns, wake_ns, nominate_ns, look_ns, burst } = self;
        [
            format!("{node_ns:.2} ns a node ({solver} on {board})"),
            format!("{hand_over_ns:.0} ns to hand a branch over"),
            format!("{:.1} us to wake a thread", wake_ns / 1000.0),
            format!("{nominate_ns:.0} ns to fall idle and nominate, and {look_ns:.2} ns for every mailbox looked at"),
            format!("{burst} nodes between two looks at the mailbox"),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_in_nodes_are_said_in_nanoseconds() {
        let board = Board::new(5, 6).unwrap();
        let lines = Measured::of(board, "brute", &Costs { node_ns: 2.0, wake: 4500.0, ..Costs::fixed() }).lines();
        let expected = [
            "2.00 ns a node (brute on 5x6)",
            "60 ns to hand a branch over",
            "9.0 us to wake a thread",
            "30 ns to fall idle and nominate, and 1.00 ns for every mailbox looked at",
            "16 nodes between two looks at the mailbox",
        ];
        assert_eq!(lines, expected);
    }
}
