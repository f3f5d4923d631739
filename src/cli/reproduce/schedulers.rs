//! The figures by which the hire protocol was chosen: what its earlier rules and its rivals come to among many workers.
//!
//! They are simulated, with the costs that the prototype had, and so the same on every machine. The trees are all open tours of
//! 5x6 from a corner and, with `--full`, all closed tours of 6x6. The prototype had a kernel and a simulator of its own;
//! what it came to is printed beside what is found here, which may differ from it by a stated tolerance.
//!
//! # Source
//! `src/schedule/README.md`, the figures at its end.

use crate::board::{Board, Ending};
use crate::job::{Failure, running};
use crate::schedule::rule::{EARLIER, NominationRule};
use crate::search::HandOver;
use crate::simulate::{Costs, Sharing, SimulationPlan};
use crate::solve::{self, Problem};
use crate::stop::Stop;
use crate::words::grouped;
use std::io::{self, Write};

/// A tree to share.
struct SchedulerTree {
    board: &'static str,
    solver: &'static str,
    ending: Ending,
    nodes: u64,
    tours: u64,
    /// Whether it takes minutes.
    large: bool,
    /// Nodes between two looks at the mailbox, as the prototype had them for this tree.
    burst: u64,
    rows: &'static [SchedulerRow],
}

/// Who shares it, among how many, the efficiency before, and by how much it may differ from that, or fall short of it.
struct SchedulerRow {
    who: &'static str,
    workers: usize,
    before: f64,
    within: Within,
}

/// What the efficiency must be.
enum Within {
    /// As far from that of the prototype.
    About(f64),
    /// At least that: a target, not a figure of the prototype.
    AtLeast,
}

use Within::{About, AtLeast};

const fn row(who: &'static str, workers: usize, before: f64, within: Within) -> SchedulerRow {
    SchedulerRow { who, workers, before, within }
}

const TREES: [SchedulerTree; 2] = [
    SchedulerTree {
        board: "5x6",
        solver: "brute",
        ending: Ending::Open,
        nodes: 98_742_288,
        tours: 4542,
        large: false,
        burst: 16,
        rows: &[
            row("source", 64, 0.549, About(0.05)),
            row("source", 1024, 0.111, About(0.05)),
            row("open-level", 64, 0.998, About(0.005)),
            row("open-level", 1024, 0.686, About(0.01)),
            row("halving", 64, 0.999, About(0.005)),
            row("halving", 1024, 0.943, About(0.01)),
            row("rayon", 64, 0.999, About(0.005)),
            row("rayon", 1024, 0.977, About(0.01)),
            row("hire", 64, 0.998, AtLeast),
            row("hire", 1024, 0.98, AtLeast),
        ],
    },
    SchedulerTree {
        board: "6x6",
        solver: "radley",
        ending: Ending::Closed,
        nodes: 1_769_811_723,
        tours: 9862,
        large: true,
        burst: 64,
        rows: &[
            row("source", 1024, 0.203, About(0.1)),
            row("open-level", 1024, 0.978, About(0.005)),
            row("halving", 1024, 0.995, About(0.002)),
            row("rayon", 1024, 0.9985, About(0.002)),
            row("hire", 1024, 0.998, AtLeast),
        ],
    },
];

/// Prints the table; answers whether every figure is the expected one.
///
/// # Errors
/// [`Failure`] when it cannot be printed.
pub fn run(full: bool) -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "efficiency of schedulers among simulated workers, with fixed costs; before: the prototype, or a target\n"
    )?;
    writeln!(out, "board who        workers   before     here       hires")?;
    let mut all_same = true;
    for tree in TREES.iter().filter(|tree| full || !tree.large) {
        for row in tree.rows {
            let (line, same) = simulate(tree, row)?;
            all_same &= same;
            writeln!(out, "{line}")?;
            out.flush()?;
        }
    }
    if !full {
        writeln!(out, "\nthe 1.77 billion nodes of 6x6 are left out: --full takes some minutes")?;
    }
    Ok(all_same)
}

/// One line of the table, and whether it is as expected.
fn simulate(tree: &SchedulerTree, row: &SchedulerRow) -> Result<(String, bool), Failure> {
    let board: Board = tree.board.parse().map_err(running)?;
    let start = board.at(0).filter(|_| tree.ending == Ending::Open);
    let problem = Problem { start, ..Problem::new(board, tree.ending) };
    let solver = solve::solver_by_name(tree.solver).ok_or_else(|| running(tree.solver))?;
    let kernel = solver.tree(&problem, false).map_err(running)?.kernel;
    let earlier = EARLIER.into_iter().find(|earlier| earlier.name == row.who).map(|earlier| earlier.rule);
    let sharing = match row.who {
        "rayon" => Sharing::Steal,
        _ => Sharing::Hire(earlier.unwrap_or_else(|| NominationRule::of(row.workers, HandOver::Shallowest))),
    };
    let costs = Costs { burst: tree.burst, ..Costs::fixed() };
    let plan = SimulationPlan { workers: row.workers, sharing, costs, seed: 0 };
    let figures = plan.run(&*kernel, &Stop::default()).ok_or_else(|| running("a table is not stopped"))?;
    let here = figures.efficiency();
    let expected = match row.within {
        About(tolerance) => (here - row.before).abs() <= tolerance,
        AtLeast => here >= row.before,
    };
    let same = expected && (figures.nodes, figures.tours) == (tree.nodes, tree.tours);
    let verdict = match (same, &row.within) {
        (false, _) => "DIFFERS".to_owned(),
        (true, About(tolerance)) => format!("within {tolerance}"),
        (true, AtLeast) => "at least that".to_owned(),
    };
    let (who, workers, hires) = (row.who, grouped(row.workers), grouped(figures.hires));
    Ok((format!("{board:5} {who:<10} {workers:>7} {:>8} {here:>8.4} {hires:>11}  {verdict}", row.before), same))
}
