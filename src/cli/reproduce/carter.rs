//! Carter's boards: all open tours from every start, by his plain search and by a pruned one; his rotational search; and
//! the tour that he prints.
//!
//! The source prints times, not totals, for boards of 12 to 30 squares. Its times for the larger boards cannot be those
//! of the search that it describes (`bench squares` says why), so they are printed for comparison only; the totals are
//! compared with the known counts. Figures 2.1 to 2.3 are his printed times, divided. What is printed in four columns is checked: that the columns are quarter turns
//! of one another, and that they are strung to a tour as he says.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, sections 2.1 to 2.3; counts: OEIS A079137, A083386 and A306281
//! (undirected, here doubled).

use super::report::{TableReport, no_draft};
use crate::board::{Board, Ending};
use crate::cli::args::cores;
use crate::job::{Failure, running};
use crate::run::{TableChart, TableColumn, TableHead, TableRow};
use crate::schedule::Scheduler;
use crate::search::quarter::{SAMPLE, four_paths};
use crate::solve::Problem;
use crate::store::{TourReader, check};
use crate::words::{self, grouped};

/// What he prints of a board.
pub struct Published {
    /// The board.
    pub board: &'static str,
    /// Its open tours, directed.
    pub tours: u64,
    /// Seconds in serial, where he has them.
    pub serial_s: Option<f64>,
    /// Seconds on 4, 8 and 16 cores.
    pub parallel_s: [f64; 3],
}

const fn published(board: &'static str, tours: u64, serial_s: Option<f64>, parallel_s: [f64; 3]) -> Published {
    Published { board, tours, serial_s, parallel_s }
}

/// His table.
pub const PUBLISHED: [Published; 5] = [
    published("3x4", 16, Some(1.0e-5), [1.3e-4, 1.1e-4, 2.2e-4]),
    published("4x4", 0, Some(4.7e-5), [4.8e-4, 3.6e-4, 4.8e-4]),
    published("4x5", 164, Some(1.1e-3), [1.5e-4, 1.6e-4, 6.2e-4]),
    published("5x5", 1728, Some(8.3e-2), [6.7e-3, 6.5e-3, 6.9e-3]),
    published("5x6", 37_568, None, [0.42, 0.43, 0.48]),
];

/// The numbers of cores he had.
pub const CORES: [usize; 3] = [4, 8, 16];

/// How often a run is repeated that takes less than [`SHORT_S`] seconds. The source averages many runs; the least time is
/// the one that other programs disturbed least.
const ROUNDS: u32 = 5;
const SHORT_S: f64 = 0.05;

/// Sides of the boards of his rotational search: all its open tours, directed, and the seconds that he prints for 4, 8
/// and 16 cores alike.
const ROTATED: [(&str, u64, f64); 2] = [("7x7", 15_296, 8.6e-6), ("9x9", 3_615_248, 0.39)];
/// How the paths of his sample are strung: with the centre between two pairs.
const STRUNG: &str = "+0 +2 c -3 -1";

/// What was measured of a board.
struct Searched {
    board: Board,
    published: &'static Published,
    /// Seconds of the plain search on 1 thread.
    one_s: f64,
    /// Seconds on as many threads as he had cores.
    crews_s: [f64; 3],
    /// Seconds of the pruned search on 1 thread.
    path_s: f64,
    nodes: u64,
    same: bool,
}

/// Gives the tables; answers whether every total is the known one and the sample is what it is said to be.
///
/// # Errors
/// [`Failure`] when a run fails or nothing can be printed any more.
pub fn run(report: &mut TableReport) -> Result<bool, Failure> {
    let mut searched = Vec::new();
    report.table(times())?;
    for published in &PUBLISHED {
        let Some(board) = search(report, published)? else { return Ok(false) };
        report.row(board.row())?;
        searched.push(board);
    }
    let mut all_same = searched.iter().all(|board| board.same);
    for (figure, place) in FIGURES {
        report.table(speedups(figure, CORES[place]))?;
        for board in &searched {
            report.row(board.speedup(place))?;
        }
    }
    report.table(rotational())?;
    for (name, tours, his) in ROTATED {
        let board: Board = name.parse().map_err(running)?;
        let problem = Problem::new(board, Ending::Open);
        let done = report.solve(("quarter-turn", &problem), (Scheduler::Serial, 1), &no_draft)?;
        let Some(found) = done else { return Ok(false) };
        let (total, seconds) = (found.total(), found.elapsed.as_secs_f64());
        let same = total.tours == tours;
        all_same &= same;
        let cells = vec![board.to_string(), grouped(total.tours), grouped(total.nodes), few(seconds), few(his)];
        report.row(TableRow { cells, values: vec![Some(seconds), Some(his)], same: Some(same) })?;
    }
    let (said, right) = sample()?;
    report.note(format!("His sample for 9x9, section 2.2: {said}"))?;
    Ok(all_same && right)
}

/// The figures, and the places of their numbers of cores.
const FIGURES: [(&str, usize); 3] = [("figure 2.1", 2), ("figure 2.2", 1), ("figure 2.3", 0)];

/// A time or a ratio in two digits.
fn few(value: f64) -> String {
    format!("{value:.1e}")
}

/// A value that the source may lack.
fn or_none(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), few)
}

fn times() -> TableHead {
    let seconds = ["x1", "x4", "x8", "x16", "path", "his serial", "his 4", "his 8", "his 16"]
        .map(|name| (name, name.len().max(7)));
    let numbers = [("tours", 6), ("nodes", 13)].into_iter().chain(seconds);
    TableHead {
        name: "times",
        about: format!(
            "All open tours (directed) from every start, seconds; published: Carter 2016, section 2.1. x1 to x16: brute \
             with static blocks on so many threads, here on {}; path: a pruned search on one. Short runs: the least of 5.",
            words::number_of(cores(), "core")
        ),
        columns: [TableColumn::text("board", 5)]
            .into_iter()
            .chain(numbers.map(|(name, width)| TableColumn::number(name, width)))
            .collect(),
        chart: Some(TableChart::new(&["x1", "x4", "x8", "x16", "his serial", "his 4", "his 8", "his 16"], true, "s")),
    }
}

fn speedups(figure: &'static str, threads: usize) -> TableHead {
    TableHead {
        name: figure,
        about: format!(
            "Parallel speedup by squares on {threads} cores: time of the serial search, divided by that on {threads} \
             threads, with their start; here, on {}, and by the times that Carter prints.",
            words::number_of(cores(), "core")
        ),
        columns: vec![
            TableColumn::text("squares", 7),
            TableColumn::text("board", 5),
            TableColumn::number("here", 7),
            TableColumn::number("his", 7),
        ],
        chart: Some(TableChart::new(&["here", "his"], false, "times as fast")),
    }
}

fn rotational() -> TableHead {
    TableHead {
        name: "rotational",
        about:
            "His rotational search, section 2.3: open tours (directed) of four rotated paths, seconds on one thread; \
                his on 4, 8 and 16 cores alike."
                .to_owned(),
        columns: vec![
            TableColumn::text("board", 5),
            TableColumn::number("tours", 9),
            TableColumn::number("nodes", 13),
            TableColumn::number("here", 7),
            TableColumn::number("his", 7),
        ],
        chart: Some(TableChart::new(&["here", "his"], true, "s")),
    }
}

/// Searches a board by both methods; `None` if it was stopped.
fn search(report: &mut TableReport, published: &'static Published) -> Result<Option<Searched>, Failure> {
    let board: Board = published.board.parse().map_err(running)?;
    let problem = Problem::new(board, Ending::Open);
    let mut same = true;
    let mut run = |name: &str, crew| -> Result<Option<(f64, u64)>, Failure> {
        let mut least = f64::INFINITY;
        let mut nodes = 0;
        for _ in 0..ROUNDS {
            let Some(outcome) = report.solve((name, &problem), crew, &no_draft)? else { return Ok(None) };
            same &= outcome.total().tours == published.tours;
            least = least.min(outcome.elapsed.as_secs_f64());
            nodes = outcome.total().nodes;
            if least > SHORT_S {
                break;
            }
        }
        Ok(Some((least, nodes)))
    };
    let Some((path_s, _)) = run("path", (Scheduler::Serial, 1))? else { return Ok(None) };
    let Some((one_s, nodes)) = run("brute", (Scheduler::Blocks, 1))? else { return Ok(None) };
    let mut crews_s = [0.0; 3];
    for (time, threads) in crews_s.iter_mut().zip(CORES) {
        let Some((seconds, _)) = run("brute", (Scheduler::Blocks, threads))? else { return Ok(None) };
        *time = seconds;
    }
    Ok(Some(Searched { board, published, one_s, crews_s, path_s, nodes, same }))
}

impl Searched {
    /// The row of the times.
    fn row(&self) -> TableRow {
        let [four, eight, sixteen] = self.crews_s;
        let here = [self.one_s, four, eight, sixteen].map(Some);
        let his = [self.published.serial_s].into_iter().chain(self.published.parallel_s.map(Some));
        let cells = [self.board.to_string(), grouped(self.published.tours), grouped(self.nodes)];
        let seconds = here.into_iter().chain([Some(self.path_s)]).chain(his.clone()).map(or_none);
        TableRow {
            cells: cells.into_iter().chain(seconds).collect(),
            values: here.into_iter().chain(his).collect(),
            same: Some(self.same),
        }
    }

    /// The row of a figure: the speedup with the number of threads at this place.
    fn speedup(&self, place: usize) -> TableRow {
        let here = Some(self.one_s / self.crews_s[place]);
        let his = self.published.serial_s.map(|serial_s| serial_s / self.published.parallel_s[place]);
        let cells = vec![self.board.squares().to_string(), self.board.to_string(), ratio(here), ratio(his)];
        TableRow { cells, values: vec![here, his], same: None }
    }
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.2}"))
}

/// What his sample is, and whether it is what he says.
fn sample() -> Result<(String, bool), Failure> {
    let read = match TourReader::new(SAMPLE.as_bytes(), None).next() {
        Some(Ok(read)) => read,
        Some(Err(error)) => return Ok((format!("it is no tour: {error}"), false)),
        None => return Ok(("there is none".to_owned(), false)),
    };
    let tour = match check(read.board, read.holes, Ending::Open, read.squares) {
        Ok(tour) => tour,
        Err(fault) => return Ok((format!("strung together it is no tour: {fault}"), false)),
    };
    Ok(match four_paths(&tour) {
        Some(four) if four.columns() == SAMPLE && four.stringing.to_string() == STRUNG => {
            (format!("an open tour, checked; its columns are quarter turns of one another, strung as {STRUNG}"), true)
        }
        _ => ("a tour, but its columns are not quarter turns of one another".to_owned(), false),
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_printed_sample_is_what_its_author_says() {
        let (said, right) = super::sample().unwrap();
        assert!(right && said.contains("an open tour"), "{said}");
    }
}
