//! Miller and Ranum's claims about depth-first search: how large its tree is, and what the order of the moves does to it.
//!
//! The source gives times for Python on a computer of its day. Here the same searches are run from every start for a
//! limited number of nodes; a node is a square placed, retries among them. Heat maps show the mean visit number of
//! every square: where squares with the most moves go first the middle is used up early.
//!
//! # Source
//! Brad Miller and David Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14
//! (Knight's Tour Analysis).

use super::report::TableReport;
use super::trees;
use crate::board::{Board, Ending, Holes};
use crate::find::{Attempt, AttemptProgress, DepthFirst, Heat, MoveOrder, Preference};
use crate::job::{Failure, running};
use crate::run::{TableChart, TableColumn, TableHead, TableRow};
use crate::words::{grouped, short};
use std::time::Instant;

/// Searches from every start of a board, and what the source says of one.
struct Claim {
    side: u64,
    preference: Preference,
    /// Nodes granted to every start.
    budget: u64,
    published: &'static str,
    /// The time that the source gives.
    published_s: Option<f64>,
    /// From how many starts a tour is found so, which is no figure of the source's.
    expected: usize,
}

const fn claim(
    (side, preference): (u64, Preference),
    budget: u64,
    published: &'static str,
    published_s: Option<f64>,
    expected: usize,
) -> Claim {
    Claim { side, preference, budget, published, published_s, expected }
}

const NATURAL: Preference = Preference::Order(MoveOrder::Natural);

/// The searches: the natural order, Warnsdorff's, and its reverse.
const CLAIMS: [Claim; 6] = [
    claim((5, NATURAL), 1_000_000, "about 1.5 seconds", Some(1.5), 13),
    claim((8, NATURAL), 200_000, "up to half an hour", Some(1800.0), 1),
    claim((5, Preference::FewestFirst), 1_000_000, "-", None, 13),
    claim((8, Preference::FewestFirst), 1_000_000, "under a second", Some(1.0), 64),
    claim((5, Preference::MostFirst), 1_000_000, "-", None, 13),
    claim((8, Preference::MostFirst), 200_000, "stranded on one side", None, 0),
];

/// The rings of squares around the middle of 8x8, from the edge: their name, the first and the last one.
const RINGS: [(&str, u32, u32); 3] = [("edge", 0, 0), ("next to it", 1, 1), ("middle 4x4", 2, 3)];

/// What the searches from every start of a board did.
struct Trial {
    starts: usize,
    /// Seconds to the tour from every start that has one, ascending.
    times: Vec<f64>,
    /// Tours found without a single square taken back.
    at_once: usize,
    deepest: u32,
    nodes: u64,
    heat: Heat,
    seconds: f64,
}

/// Gives the tables and the maps; answers whether every figure is the expected one.
///
/// # Errors
/// [`Failure`] when a run fails or nothing can be printed any more.
pub fn run(report: &mut TableReport) -> Result<bool, Failure> {
    let mut all_same = trees::run(report)?;
    report.table(orders())?;
    let mut trials = Vec::new();
    for claim in &CLAIMS {
        let board = Board::new(claim.side, claim.side).map_err(running)?;
        let Some(trial) = attempt(report, board, claim) else { return Ok(false) };
        let same = trial.times.len() == claim.expected;
        all_same &= same;
        report.row(order_row(board, claim, &trial, same))?;
        trials.push((board, claim, trial));
    }
    report.note(
        "None of these figures was published: the source names the orders, and gives times (table 3). = and DIFFERS compare \
         with what was found here before.",
    )?;
    report.table(first_tours())?;
    for (board, claim, trial) in &trials {
        report.row(time_row(*board, claim, &trial.times))?;
    }
    report.note("Published: by the source, in these words; -: it says nothing of this board in this order.")?;
    let is_mapped = |claim: &Claim| claim.side == 8 && claim.preference != NATURAL;
    let heats: Vec<(Preference, &Heat)> = trials
        .iter()
        .filter(|(_, claim, _)| is_mapped(claim))
        .map(|(_, claim, trial)| (claim.preference, &trial.heat))
        .collect();
    Ok(give_visits(report, &heats)? && all_same)
}

fn name(preference: Preference) -> &'static str {
    match preference {
        Preference::Order(_) => "natural",
        Preference::FewestFirst => "fewest",
        Preference::MostFirst => "most",
    }
}

/// The columns of a search: its board and its order.
const WHICH: [TableColumn; 2] = [TableColumn::text("board", 5), TableColumn::text("order", 7)];

/// The head of the table of the orders.
fn orders() -> TableHead {
    let numbers = [("starts", 6), ("found", 5), ("at once", 7), ("reached", 7), ("nodes", 11), ("time", 7)];
    TableHead {
        name: "orders",
        about: "Depth-first search from every start that the colours allow, up to a million nodes each, or 200,000. \
                natural: moves as listed; fewest: Warnsdorff's order, the fewest moves on first; most: its reverse."
            .to_owned(),
        columns: WHICH.into_iter().chain(numbers.map(|(name, width)| TableColumn::number(name, width))).collect(),
        chart: Some(TableChart::new(&["starts", "found", "at once"], false, "starts")),
    }
}

fn order_row(board: Board, claim: &Claim, trial: &Trial, same: bool) -> TableRow {
    let counts = [trial.starts, trial.times.len(), trial.at_once];
    let [starts, found, at_once] = counts.map(|count| count.to_string());
    TableRow {
        cells: vec![
            board.to_string(),
            name(claim.preference).to_owned(),
            starts,
            found,
            at_once,
            trial.deepest.to_string(),
            grouped(trial.nodes),
            short(trial.seconds),
        ],
        values: counts.map(|count| Some(count as f64)).into(),
        same: Some(same),
    }
}

/// The head of the table of the times to the first tour.
fn first_tours() -> TableHead {
    let numbers = ["quickest", "median", "slowest"].map(|name| TableColumn::number(name, 8));
    TableHead {
        name: "first tour",
        about:
            "Time to the first tour, over the starts from which one was found; published: for Python, on a computer of \
                its day."
                .to_owned(),
        columns: WHICH.into_iter().chain(numbers).chain([TableColumn::text("published", 20)]).collect(),
        chart: Some(TableChart::new(&["quickest", "median", "slowest"], true, "s").with_mark("published")),
    }
}

fn time_row(board: Board, claim: &Claim, times: &[f64]) -> TableRow {
    let times = [0, times.len() / 2, times.len().saturating_sub(1)].map(|at| times.get(at).copied());
    let [quickest, median, slowest] = times.map(|time| time.map_or("-".to_owned(), short));
    TableRow {
        cells: vec![
            board.to_string(),
            name(claim.preference).to_owned(),
            quickest,
            median,
            slowest,
            claim.published.to_owned(),
        ],
        values: times.into_iter().chain([claim.published_s]).collect(),
        same: None,
    }
}

/// Searches from every start for so many nodes, or until a tour is found. `None` if it was stopped.
fn attempt(report: &TableReport, board: Board, claim: &Claim) -> Option<Trial> {
    let possible = |&square: &_| board.squares().is_multiple_of(2) || board.is_dark(square);
    let heat = Heat::new(board);
    let mut trial = Trial { starts: 0, times: Vec::new(), at_once: 0, deepest: 0, nodes: 0, heat, seconds: 0.0 };
    for start in board.all().filter(possible) {
        if report.is_stopped() {
            return None;
        }
        let search = DepthFirst::new(board, &Holes::none(), Ending::Open, Some(start), claim.preference, 0);
        let mut search = search.unwrap_or_else(|| unreachable!("the start is an open square"));
        search.keep_heat();
        let (mut nodes, began) = (0, Instant::now());
        let found = matches!(search.advance(claim.budget, &mut nodes), AttemptProgress::Found(_));
        let seconds = began.elapsed().as_secs_f64();
        trial.times.extend(found.then_some(seconds));
        trial.starts += 1;
        trial.at_once += usize::from(found && nodes == u64::from(board.squares()));
        trial.deepest = trial.deepest.max(search.deepest());
        trial.nodes += nodes;
        trial.seconds += seconds;
        if let Some(heat) = search.heat() {
            trial.heat.add(heat);
        }
    }
    trial.times.sort_by(f64::total_cmp);
    Some(trial)
}

/// The names of orders, each the name of a column.
type Orders<'a> = &'a [&'static str];

/// A column, and one for each order.
fn by_order(first: TableColumn, orders: Orders<'_>, column: impl Fn(&'static str) -> TableColumn) -> Vec<TableColumn> {
    [first].into_iter().chain(orders.iter().map(|name| column(name))).collect()
}

/// The head of the table of the rings.
fn visits(orders: Orders<'_>) -> TableHead {
    TableHead {
        name: "visits",
        about:
            "Mean visit number of the squares of 8x8, over all nodes of all starts, by their distance from the edge."
                .to_owned(),
        columns: by_order(TableColumn::text("squares", 10), orders, |name| TableColumn::number(name, 7)),
        chart: Some(TableChart::new(orders, false, "visits")),
    }
}

/// The head of the maps.
fn maps(orders: Orders<'_>) -> TableHead {
    TableHead {
        name: "maps",
        about: "Mean visit number of every square of 8x8, over all nodes of all starts.".to_owned(),
        columns: by_order(TableColumn::text("row", 3), orders, |name| TableColumn::text(name, 32)),
        chart: None,
    }
}

/// Gives the means of the rings, and the maps side by side; answers whether the middle is visited late where the squares
/// with the fewest moves go first, and early where those with the most do.
fn give_visits(report: &mut TableReport, heats: &[(Preference, &Heat)]) -> Result<bool, Failure> {
    let orders: Vec<&'static str> = heats.iter().map(|(preference, _)| name(*preference)).collect();
    report.table(visits(&orders))?;
    for (ring, from, to) in RINGS {
        let means: Vec<f64> = heats.iter().map(|(_, heat)| mean(heat, |ring| (from..=to).contains(&ring))).collect();
        let cells = [ring.to_owned()].into_iter().chain(means.iter().map(|mean| format!("{mean:.1}"))).collect();
        report.row(TableRow { cells, values: means.into_iter().map(Some).collect(), same: None })?;
    }
    let as_said = heats.iter().all(|(preference, heat)| {
        let (edge, middle) = (mean(heat, |ring| ring == 0), mean(heat, |ring| ring >= 2));
        (edge < middle) == (*preference == Preference::FewestFirst)
    });
    let verdict = if as_said { "As the source says" } else { "DIFFERS from what the source says" };
    report.note(format!(
        "{verdict}: most moves first visits the middle early, fewest first the edge. No figure of this table was published: \
         the source says it in words."
    ))?;
    report.table(maps(&orders))?;
    let rows = heats.first().map_or(0, |(_, heat)| heat.board().rows());
    for row in 0..rows {
        let lines = heats.iter().map(|(_, heat)| line(heat, row));
        let cells = [(rows - row).to_string()].into_iter().chain(lines).collect();
        report.row(TableRow { cells, ..TableRow::default() })?;
    }
    report.note("No such map was published: these are the squares of table 4, one by one.")?;
    Ok(as_said)
}

fn line(heat: &Heat, row: u32) -> String {
    let squares = (0..heat.board().cols()).filter_map(|col| heat.board().square(row, col));
    squares.map(|square| heat.mean(square).map_or("   -".to_owned(), |mean| format!("{mean:4.0}"))).collect()
}

/// The mean over the squares of these rings, counted from the edge, each square alike.
fn mean(heat: &Heat, rings: impl Fn(u32) -> bool) -> f64 {
    let board = heat.board();
    let ring = |square| {
        let (row, col) = board.row_col(square);
        row.min(col).min(board.rows() - 1 - row).min(board.cols() - 1 - col)
    };
    let means: Vec<f64> = board.all().filter(|&square| rings(ring(square))).filter_map(|s| heat.mean(s)).collect();
    means.iter().sum::<f64>() / means.len().max(1) as f64
}
