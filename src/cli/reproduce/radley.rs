//! Radley's table: how many branches his test prunes at each depth of the 6x6 search.
//!
//! # Source
//! James Radley, "Knight's Tour - A JVM thread performance benchmark", 2002, section Algorithm (the column *pruned*);
//! the nodes by depth that belong to it were recomputed.

use super::report::TableReport;
use super::rows;
use crate::board::{Board, Ending};
use crate::job::{Failure, running};
use crate::run::{TableChart, TableColumn, TableHead, TableRow};
use crate::schedule::{RunOutcome, Scheduler, Snapshot};
use crate::search::Prune;
use crate::solve::Problem;
use crate::words::grouped;

/// Depth, pruned branches, nodes; with a line of headings.
const PUBLISHED: &str = include_str!("radley_6x6_prunes.csv");
/// Undirected closed tours of 6x6 (OEIS A175881).
const TOURS: u64 = 9862;
/// Whose totals are compared; the first run is shown depth by depth.
const RUNS: [(Scheduler, usize); 10] = [
    (Scheduler::Serial, 1),
    (Scheduler::Hire, 1),
    (Scheduler::Hire, 2),
    (Scheduler::Hire, 8),
    (Scheduler::Rayon, 1),
    (Scheduler::Rayon, 2),
    (Scheduler::Rayon, 8),
    (Scheduler::Static, 1),
    (Scheduler::Static, 2),
    (Scheduler::Static, 8),
];

/// Depth, published prunes, nodes.
type PublishedDepth = [u64; 3];

/// Gives the table by depth, and one row per run; answers whether every figure is the published one.
///
/// # Errors
/// [`Failure`] when a run fails or nothing can be printed any more.
pub fn run(report: &mut TableReport) -> Result<bool, Failure> {
    let published: Vec<PublishedDepth> = rows(PUBLISHED).collect();
    let problem =
        Problem { prune: Prune::AllIsolated, ..Problem::new(Board::new(6, 6).map_err(running)?, Ending::Closed) };
    let question = ("radley", &problem);
    let [first, others @ ..] = RUNS;
    report.table(by_depth())?;
    let draft = |seen: &Snapshot| {
        let row = |(index, published): (usize, &PublishedDepth)| {
            (index, depth_row(published, [&seen.pruned_by_depth, &seen.nodes_by_depth], false))
        };
        published.iter().enumerate().map(row).collect()
    };
    let Some(serial) = report.solve(question, first, &draft)? else { return Ok(false) };
    let total = serial.total();
    for at in &published {
        report.row(depth_row(at, [&total.pruned_by_depth, &total.nodes_by_depth], true))?;
    }
    report.table(by_run())?;
    let (row, mut all_same) = run_row(&published, first, &serial);
    report.row(row)?;
    for (index, crew) in (1..).zip(others) {
        let name = run_name(crew);
        let draft = |seen: &Snapshot| {
            let cells = vec![name.clone(), String::new(), grouped(seen.nodes()), String::new()];
            vec![(index, TableRow { cells, values: vec![Some(seen.elapsed.as_secs_f64())], same: None })]
        };
        let Some(outcome) = report.solve(question, crew, &draft)? else { return Ok(false) };
        let (row, same) = run_row(&published, crew, &outcome);
        all_same &= same;
        report.row(row)?;
    }
    Ok(all_same)
}

/// The head of the table by depth.
fn by_depth() -> TableHead {
    TableHead {
        name: "by depth",
        about: "6x6 closed tours by radley with --prune all-isolated, the test that gives his figures (search prunes \
                nothing unless asked); published: Radley 2002."
            .to_owned(),
        columns: vec![
            TableColumn::text("depth", 5),
            TableColumn::number("published", 10),
            TableColumn::number("pruned", 10),
            TableColumn::number("nodes", 11),
        ],
        chart: Some(TableChart::new(&["pruned"], false, "branches").with_mark("published")),
    }
}

/// The row of a depth, from the figures by depth so far, or when they are `whole`.
fn depth_row(&[depth, pruned, nodes]: &PublishedDepth, figures: [&[u64]; 2], whole: bool) -> TableRow {
    let [here, entered] = figures.map(|figures| figures.get(depth as usize).copied().unwrap_or(0));
    TableRow {
        cells: vec![depth.to_string(), grouped(pruned), grouped(here), grouped(entered)],
        values: vec![Some(here as f64), Some(pruned as f64)],
        same: whole.then_some([here, entered] == [pruned, nodes]),
    }
}

/// The head of the table of all runs.
fn by_run() -> TableHead {
    TableHead {
        name: "by run",
        about: "The same search under every scheduler: the whole table by depth is compared each time.".to_owned(),
        columns: vec![
            TableColumn::text("run", 9),
            TableColumn::number("tours", 6),
            TableColumn::number("nodes", 13),
            TableColumn::number("pruned", 11),
            TableColumn::number("seconds", 8),
        ],
        chart: Some(TableChart::new(&["seconds"], false, "s")),
    }
}

/// The scheduler and its number of threads.
fn run_name((scheduler, threads): (Scheduler, usize)) -> String {
    format!("{} x{threads}", scheduler.name())
}

/// The row of a run, and whether all its figures are the published ones.
fn run_row(published: &[PublishedDepth], crew: (Scheduler, usize), outcome: &RunOutcome) -> (TableRow, bool) {
    let total = outcome.total();
    let table_same = published.iter().all(|&[depth, pruned, nodes]| {
        let at = depth as usize;
        (total.pruned_by_depth[at], total.nodes_by_depth[at]) == (pruned, nodes)
    });
    let sums = [1, 2].map(|column| published.iter().map(|row| row[column]).sum::<u64>());
    let same = table_same && [total.pruned, total.nodes] == sums && total.tours == TOURS;
    let seconds = outcome.elapsed.as_secs_f64();
    let cells = vec![
        run_name(crew),
        grouped(total.tours),
        grouped(total.nodes),
        grouped(total.pruned),
        format!("{seconds:.2}"),
    ];
    (TableRow { cells, values: vec![Some(seconds)], same: Some(same) }, same)
}
