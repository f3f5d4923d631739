//! Carter's boards: all open tours from every start, by his plain search and by a pruned one; his rotational search; and
//! the tour that he prints.
//!
//! The source prints times, not totals, for boards of 12 to 30 squares. Its times for the larger boards cannot be those
//! of the search that it describes (`bench squares` says why), so they are printed for comparison only; the totals are
//! compared with the known counts. What is printed in four columns is checked: that the columns are quarter turns
//! of one another, and that they are strung to a tour as he says.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, sections 2.1 to 2.3; counts: OEIS A079137, A083386 and A306281
//! (undirected, here doubled).

use super::solve;
use crate::board::{Board, Ending};
use crate::cli::args::cores;
use crate::job::{Failure, running};
use crate::schedule::Scheduler;
use crate::search::quarter::{SAMPLE, four_paths};
use crate::solve::Problem;
use crate::store::{TourReader, check};
use crate::words::grouped;
use std::io::{self, Write};

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

/// Sides of the boards of his rotational search: all its open tours, directed, and the seconds that he prints for 4, 8
/// and 16 cores alike.
const ROTATED: [(&str, u64, &str); 2] = [("7x7", 15_296, "8.6e-6"), ("9x9", 3_615_248, "0.39")];
/// How the paths of his sample are strung: with the centre between two pairs.
const STRUNG: &str = "+0 +2 c -3 -1";

/// Prints the tables; answers whether every total is the known one and the sample is what it is said to be.
///
/// # Errors
/// [`Failure`] when a run fails or nothing can be printed any more.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    let threads = cores();
    writeln!(out, "All open tours (directed), every start; published: Carter 2016, section 2.1")?;
    writeln!(out, "seconds here: brute with static blocks on 1 and {threads} threads, path on 1\n")?;
    let heading = format!("brute x{threads}");
    writeln!(
        out,
        "                                               here              published                4        8       16\n\
         board  squares   tours            nodes  brute x1 {heading:>9}    path    serial      cores    cores    cores"
    )?;
    let mut all_same = true;
    for row in &PUBLISHED {
        let (line, same) = searched(row, threads)?;
        all_same &= same;
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    writeln!(out, "\nHis rotational search, section 2.3: open tours (directed) of four rotated paths\n")?;
    writeln!(out, "board     tours            nodes  x1 here   published on 4, 8 and 16 cores")?;
    for (name, tours, his) in ROTATED {
        let board: Board = name.parse().map_err(running)?;
        let found = solve("quarter-turn", &Problem::new(board, Ending::Open), Scheduler::Serial, 1)?;
        let (total, seconds) = (found.total(), found.elapsed.as_secs_f64());
        all_same &= total.tours == tours;
        let (mark, tours, nodes) = (mark(total.tours == tours), grouped(tours), grouped(total.nodes));
        writeln!(out, "{name:6} {tours:>9} {mark} {nodes:>13} {seconds:>8.1e}   {his}")?;
    }
    let said = sample()?;
    all_same &= said.1;
    writeln!(out, "\nHis sample for 9x9, section 2.2: {}", said.0)?;
    writeln!(out, "\n= marks the known number of tours")?;
    Ok(all_same)
}

fn mark(same: bool) -> char {
    if same { '=' } else { '!' }
}

/// A line of the first table, and whether its totals are the known ones.
fn searched(row: &Published, threads: usize) -> Result<(String, bool), Failure> {
    let board: Board = row.board.parse().map_err(running)?;
    let problem = Problem::new(board, Ending::Open);
    let path = solve("path", &problem, Scheduler::Serial, 1)?;
    let mut same = path.total().tours == row.tours;
    let (mut nodes, mut times) = (0, [0.0, 0.0]);
    for (time, crew) in times.iter_mut().zip([1, threads]) {
        let brute = solve("brute", &problem, Scheduler::Blocks, crew)?;
        same &= brute.total().tours == row.tours;
        nodes = brute.total().nodes;
        *time = brute.elapsed.as_secs_f64();
    }
    let ([one, all], path_s) = (times, path.elapsed.as_secs_f64());
    let serial = row.serial_s.map_or("-".to_owned(), |seconds| format!("{seconds:.1e}"));
    let [four, eight, sixteen] = row.parallel_s;
    let (squares, tours, mark, nodes) = (board.squares(), grouped(row.tours), mark(same), grouped(nodes));
    let line = format!(
        "{board:6} {squares:7} {tours:>7} {mark} {nodes:>14} {one:>9.1e} {all:>9.1e} {path_s:>7.1e} {serial:>9}  \
         {four:>9.1e} {eight:>8.1e} {sixteen:>8.1e}"
    );
    Ok((line, same))
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
