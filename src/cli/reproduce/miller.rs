//! Miller and Ranum's claims about depth-first search: what the order of the moves does to it.
//!
//! The source gives times for Python on a computer of its day. Here the same searches are run from every start for a
//! limited number of nodes; a node is a square placed, retries among them. Heat maps show the mean visit number of
//! every square: where squares with the most moves go first the middle is used up early.
//!
//! # Source
//! Brad Miller and David Ranum, "Problem Solving with Algorithms and Data Structures using Python", section 7.14
//! (Knight's Tour Analysis).

use crate::board::{Board, Ending, Holes};
use crate::find::{Attempt, AttemptProgress, DepthFirst, Heat, MoveOrder, Preference};
use crate::job::{Failure, running};
use crate::words::grouped;
use std::io::{self, Write};
use std::time::Instant;

/// Side, order of the moves, nodes granted to every start, what the source says, and from how many starts a tour is
/// found so, which is no figure of the source's.
const RUNS: [(u64, Preference, u64, &str, usize); 6] = [
    (5, Preference::Order(MoveOrder::Natural), 1_000_000, "about 1.5 seconds", 13),
    (8, Preference::Order(MoveOrder::Natural), 200_000, "up to half an hour", 1),
    (5, Preference::FewestFirst, 1_000_000, "-", 13),
    (8, Preference::FewestFirst, 1_000_000, "under a second", 64),
    (5, Preference::MostFirst, 1_000_000, "-", 13),
    (8, Preference::MostFirst, 200_000, "stranded on one side", 0),
];

/// What the searches from every start of a board did.
struct Trial {
    starts: usize,
    found: usize,
    /// Without a single square taken back.
    at_once: usize,
    deepest: u32,
    nodes: u64,
    heat: Heat,
    seconds: f64,
}

/// Prints the table and the maps; answers whether every figure is the expected one.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "open tours by depth-first search, every start that the colours allow; published: Miller and Ranum\n"
    )?;
    writeln!(out, "board  first            starts  found  at once  squares reached        nodes  seconds  published")?;
    let mut all_same = true;
    let mut maps = Vec::new();
    for (side, preference, budget, published, expected) in RUNS {
        let board = Board::new(side, side).map_err(running)?;
        let trial = attempt(board, preference, budget);
        let same = trial.found == expected;
        all_same &= same;
        writeln!(
            out,
            "{board:6} {:15} {:>7} {:>6} {:>8} {:>16} {:>12} {:>8.3}  {published}{}",
            name(preference),
            trial.starts,
            trial.found,
            trial.at_once,
            trial.deepest,
            grouped(trial.nodes),
            trial.seconds,
            if same { String::new() } else { format!("  DIFFERS: {expected} found before") },
        )?;
        out.flush()?;
        if side == 8 && preference != Preference::Order(MoveOrder::Natural) {
            maps.push((preference, trial.heat));
        }
    }
    Ok(print_maps(&mut out, &maps)? && all_same)
}

fn name(preference: Preference) -> &'static str {
    match preference {
        Preference::Order(_) => "moves as listed",
        Preference::FewestFirst => "fewest moves on",
        Preference::MostFirst => "most moves on",
    }
}

/// Searches from every start for so many nodes, or until a tour is found.
fn attempt(board: Board, preference: Preference, budget: u64) -> Trial {
    let possible = |&square: &_| board.squares().is_multiple_of(2) || board.is_dark(square);
    let heat = Heat::new(board);
    let mut trial = Trial { starts: 0, found: 0, at_once: 0, deepest: 0, nodes: 0, heat, seconds: 0.0 };
    let began = Instant::now();
    for start in board.all().filter(possible) {
        let search = DepthFirst::new(board, &Holes::none(), Ending::Open, Some(start), preference, 0);
        let mut search = search.unwrap_or_else(|| unreachable!("the start is an open square"));
        search.keep_heat();
        let mut nodes = 0;
        let found = matches!(search.advance(budget, &mut nodes), AttemptProgress::Found(_));
        trial.starts += 1;
        trial.found += usize::from(found);
        trial.at_once += usize::from(found && nodes == u64::from(board.squares()));
        trial.deepest = trial.deepest.max(search.deepest());
        trial.nodes += nodes;
        if let Some(heat) = search.heat() {
            trial.heat.add(heat);
        }
    }
    trial.seconds = began.elapsed().as_secs_f64();
    trial
}

/// Prints the maps side by side, and the means of edge and middle below them; answers whether the middle is visited
/// late where the squares with the fewest moves go first, and early where those with the most do.
fn print_maps(out: &mut impl Write, maps: &[(Preference, Heat)]) -> Result<bool, Failure> {
    let Some((_, first)) = maps.first() else { return Ok(false) };
    let board = first.board();
    let width = 4 * board.cols() as usize;
    writeln!(out, "\nmean visit number of every square of {board}, over all nodes of all starts\n")?;
    let titles = maps.iter().map(|(preference, _)| format!("{:<width$}", format!("   {}", name(*preference))));
    writeln!(out, "{}", titles.collect::<Vec<_>>().join("    ").trim_end())?;
    for row in 0..board.rows() {
        let lines = maps.iter().map(|(_, heat)| line(heat, row));
        writeln!(out, "{}", lines.collect::<Vec<_>>().join("    "))?;
    }
    writeln!(out)?;
    let mut as_said = true;
    for (preference, heat) in maps {
        let (edge, middle) = (mean(heat, |ring| ring == 0), mean(heat, |ring| ring >= 2));
        as_said &= (edge < middle) == (*preference == Preference::FewestFirst);
        writeln!(out, "{:16} edge {edge:4.1}, middle 4x4 {middle:4.1}", name(*preference))?;
    }
    let verdict = if as_said { "as the source says" } else { "DIFFERS from what the source says" };
    writeln!(out, "{verdict}: most moves first visits the middle early, fewest first the edge")?;
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
