//! Carter's boards: all open tours from every start, by his plain search and by a pruned one.
//!
//! The source prints times, not totals, for boards of 12 to 30 squares. Its times for the larger boards cannot be those
//! of the search that it describes (0.083 s for 38 million nodes of 5x5 on one core of 2016), so they are printed for
//! comparison only; the totals are compared with the known counts.
//!
//! # Source
//! Cameron Carter, "PCSE Final Project", 2016, section 2.1 (times on 8 cores, or 4 where those are not given); counts:
//! OEIS A079137, A083386 and A306281 (undirected, here doubled).

use super::solve;
use crate::board::{Board, Ending};
use crate::cli::args::cores;
use crate::cli::failure::{Failure, running};
use crate::schedule::Scheduler;
use crate::schedule::words::grouped;
use crate::solve::Problem;
use std::io::{self, Write};

/// Rows, columns, directed tours, the source's seconds in serial (4 cores' column) and in parallel (8 cores).
const BOARDS: [(u64, u64, u64, &str, &str); 5] = [
    (3, 4, 16, "1.0e-5", "1.1e-4"),
    (4, 4, 0, "4.7e-5", "3.6e-4"),
    (4, 5, 164, "1.1e-3", "1.6e-4"),
    (5, 5, 1728, "8.3e-2", "6.5e-3"),
    (5, 6, 37568, "-", "0.43"),
];

/// Prints the table; answers whether every total is the known one.
pub fn run() -> Result<bool, Failure> {
    let threads = cores();
    let mut out = io::stdout().lock();
    writeln!(out, "All open tours (directed), every start; published: Carter 2016, section 2.1")?;
    writeln!(out, "seconds here: brute with static sharing on 1 and {threads} threads, path on 1\n")?;
    writeln!(
        out,
        "board  squares   tours            nodes   brute x1  brute x{threads}    path   published x1  parallel"
    )?;
    let mut all_same = true;
    for (rows, cols, tours, serial, parallel) in BOARDS {
        let board = Board::new(rows, cols).map_err(running)?;
        let problem = Problem::new(board, Ending::Open);
        let path = solve("path", &problem, Scheduler::Serial, 1)?;
        let mut same = path.total().tours == tours;
        let mut nodes = 0;
        let mut times = [0.0, 0.0];
        for (time, crew) in times.iter_mut().zip([1, threads]) {
            let brute = solve("brute", &problem, Scheduler::Static, crew)?;
            same &= brute.total().tours == tours;
            nodes = brute.total().nodes;
            *time = brute.elapsed.as_secs_f64();
        }
        all_same &= same;
        let mark = if same { '=' } else { '!' };
        let path_s = path.elapsed.as_secs_f64();
        writeln!(
            out,
            "{board:6} {:7} {:>7} {mark} {:>14} {:>10.1e} {:>9.1e} {path_s:>7.1e} {serial:>14} {parallel:>9}",
            board.squares(),
            grouped(tours),
            grouped(nodes),
            times[0],
            times[1],
        )?;
        out.flush()?;
    }
    writeln!(out, "\n= marks the known number of tours")?;
    Ok(all_same)
}
