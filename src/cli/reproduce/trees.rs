//! The sizes of search trees that Miller and Ranum estimate, beside the trees themselves.
//!
//! A tree is that from one corner. On a board where it takes seconds every node is counted; the tree of a larger one is
//! estimated from samples.
//!
//! # Source
//! Brad Miller and David Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14
//! (k^(N+1)-1, 2^(N+1)-1); Suraj N. Kurapati, "Knight's Tour in Cg", 2007, section "Naive approach" (8^N). The nodes of
//! whole trees were recomputed.

use super::report::{TableReport, no_draft};
use crate::board::{Board, Ending, PRINTED_ESTIMATES, tree_estimate};
use crate::job::{Failure, running};
use crate::ranged::Ranged;
use crate::run::{TableChart, TableColumn, TableHead, TableRow};
use crate::schedule::Scheduler;
use crate::search::{Brute, Prober};
use crate::solve::Problem;
use crate::words::ranged;

/// Board, and the nodes of its tree from a corner, where they are counted.
const TREES: [(&str, Option<u64>); 8] = [
    ("3x4", Some(67)),
    ("4x4", Some(2_223)),
    ("4x5", Some(35_661)),
    ("5x5", Some(1_735_079)),
    ("5x6", Some(98_742_288)),
    ("6x6", None),
    ("7x7", None),
    ("8x8", None),
];

/// Samples of a tree: six generations of eight, the last by crowds of 2048 nodes.
const SAMPLES: usize = 48;
/// The seed of the samples: the figures are the same in every run.
const SEED: u64 = 1;

/// Gives the table; answers whether every tree that is counted has the size that was counted before.
///
/// # Errors
/// [`Failure`] when a run fails or nothing can be printed any more.
pub fn run(report: &mut TableReport) -> Result<bool, Failure> {
    report.table(head())?;
    let mut all_same = true;
    for (name, expected) in TREES {
        let board: Board = name.parse().map_err(running)?;
        let Some(nodes) = tree_of(report, board, expected.is_some())? else { return Ok(false) };
        let same = expected.map(|expected| nodes.mean == expected as f64);
        all_same &= same != Some(false);
        report.row(row(board, nodes, same))?;
    }
    report.note(
        "No visited square is a branch: the tree is far smaller than k says. Up to 6x6 it is smaller than a binary tree of \
         its height, at 7x7 some five times as large, at 8x8 some two hundred times. It grows exponentially all the same.",
    )?;
    report.note(
        "The source rounds k: the exact 3.84^25 is 4.06e14. Its figure for 8x8, 1.3e46, is 5.25^64 rounded up: 1.23e46.",
    )?;
    Ok(all_same)
}

/// The head of the table.
pub fn head() -> TableHead {
    TableHead {
        name: "tree sizes",
        about: "Nodes of the search tree of open tours from a corner, on boards of N + 1 squares, with k moves from a \
                square in the mean: counted, or estimated from samples. Published: Miller and Ranum, by their k."
            .to_owned(),
        columns: vec![
            TableColumn::text("board", 5),
            TableColumn::number("k", 4),
            TableColumn::number("nodes", 12),
            TableColumn::text("how", 9),
            TableColumn::number("2^(N+1)-1", 9),
            TableColumn::number("k^(N+1)-1", 9),
            TableColumn::number("published", 9),
            TableColumn::number("8^N", 7),
        ],
        chart: Some(TableChart::new(&["nodes", "2^(N+1)-1", "k^(N+1)-1", "8^N"], true, "nodes")),
    }
}

/// The nodes of the tree from the first square: all of them, or an estimate. `None` if it was stopped.
fn tree_of(report: &mut TableReport, board: Board, whole: bool) -> Result<Option<Ranged>, Failure> {
    let start = board.at(0);
    if whole {
        let problem = Problem { start, ..Problem::new(board, Ending::Open) };
        let done = report.solve(("brute", &problem), (Scheduler::Serial, 1), &no_draft)?;
        return Ok(done.map(|outcome| Ranged::exact(outcome.total().nodes as f64)));
    }
    let tree = Brute::<u64>::new(board, start).ok_or_else(|| running(format!("{board} has more than 64 squares")))?;
    let mut prober = Prober::new(&tree, SEED);
    let mut nodes = None;
    for _ in 0..SAMPLES {
        let sample = prober.sample(|| report.is_stopped());
        nodes = sample.map(|sample| sample.nodes).or(nodes);
    }
    Ok(nodes.filter(|_| !report.is_stopped()))
}

/// The row of a board. `same` says whether its tree has the size that was counted before, if it was counted.
fn row(board: Board, nodes: Ranged, same: Option<bool>) -> TableRow {
    let how = if same.is_some() { "counted" } else { "estimated" };
    let (squares, k) = (board.squares(), board.mean_degree().value());
    // 8^N, less 1, which no digit shows.
    let estimates = [(2.0, squares), (k, squares), (8.0, squares - 1)].map(|(k, levels)| tree_estimate(k, levels));
    let [binary, mean, eight] = estimates.map(|size| size.map_or("-".to_owned(), |size| size.to_string()));
    let is_this = |side: u32| (board.rows(), board.cols()) == (side, side);
    let printed = PRINTED_ESTIMATES.iter().find(|printed| is_this(printed.side));
    TableRow {
        cells: vec![
            board.to_string(),
            format!("{k:.2}"),
            ranged(nodes),
            how.to_owned(),
            binary,
            mean,
            printed.map_or("-", |printed| printed.nodes).to_owned(),
            eight,
        ],
        values: [Some(nodes.mean)].into_iter().chain(estimates.map(|size| Some(10f64.powf(size?.log10)))).collect(),
        // The published figure of the row is another one than the counted one: an equal sign would seem to compare them.
        same: same.filter(|same| !same),
    }
}
