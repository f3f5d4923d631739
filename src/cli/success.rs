//! From how many starts Warnsdorff's rule makes a tour, by width of the board and tie-break.

use crate::board::{Board, Ending, Holes, Square};
use crate::find::{self, RuleManner, Tie, Warnsdorff};
use crate::job::{Failure, by_signal, running, usage, with_signals};
use crate::stop::{Stop, StopReason};
use crate::system;
use fastrand::Rng;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Which starts are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Starts {
    /// Up to this width all that the colours allow.
    pub all_up_to: u64,
    /// Beyond it so many, drawn at random, with repetition.
    pub sample: u32,
    /// Where random numbers begin, those of ties too.
    pub seed: u64,
}

impl Default for Starts {
    fn default() -> Starts {
        Starts { all_up_to: 20, sample: 400, seed: 0 }
    }
}

/// The figures of one width.
#[derive(Serialize, PartialEq, Eq, Debug)]
struct SuccessRow {
    width: u64,
    /// Starts tried.
    starts: usize,
    /// By tie-break: from how many of them the rule made a tour.
    complete: BTreeMap<String, usize>,
}

/// Prints the table: percentages, a line as soon as it is known, or with `json` numbers of starts in one object. The figures do not depend on the number of threads. A signal ends it with the last width that is
/// done.
///
/// # Errors
/// [`Failure::Usage`] when a board is too large; [`Failure`] when threads cannot be started or nothing can be printed.
pub fn run(
    widths: RangeInclusive<u64>,
    ties: &[Tie],
    starts: Starts,
    threads: usize,
    json: bool,
) -> Result<u8, Failure> {
    let boards = widths.map(|side| Board::new(side, side)).collect::<Result<Vec<Board>, _>>().map_err(usage)?;
    let pool = system::pool(threads).map_err(|error| running(format!("cannot start {threads} threads: {error}")))?;
    let (halt, done) = (Stop::default(), AtomicUsize::new(0));
    // Rows on a terminal show how far it is.
    let progress = || match io::stdout().is_terminal() && !json {
        true => String::new(),
        false => format!("{} of {} widths", done.load(Ordering::Relaxed), boards.len()),
    };
    let body = || -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        let mut rows = Vec::new();
        if !json {
            print_head(&mut out, ties, starts)?;
        }
        for &board in &boards {
            let Some(row) = pool.install(|| row(board, ties, starts, &halt)) else { break };
            done.fetch_add(1, Ordering::Relaxed);
            match json {
                true => rows.push(row),
                false => print_row(&mut out, &row, ties)?,
            }
        }
        if json {
            let complete = rows.len() == boards.len();
            let table = serde_json::json!({ "seed": starts.seed, "rows": rows, "complete": complete });
            writeln!(out, "{table}")?;
        }
        Ok(())
    };
    let (printed, signal) = with_signals(|| halt.ask(StopReason::Asked), progress, body)?;
    printed?;
    Ok(signal.map_or(0, by_signal))
}

fn print_head(out: &mut impl Write, ties: &[Tie], starts: Starts) -> io::Result<()> {
    let Starts { all_up_to, sample, seed } = starts;
    writeln!(out, "per cent of the starts of a square board from which Warnsdorff's rule makes an")?;
    writeln!(out, "open tour; up to {all_up_to} wide every start that the colours allow,")?;
    writeln!(out, "beyond {sample} drawn; seed {seed}\n")?;
    let names: String = ties.iter().map(|tie| format!(" {:>1$}", tie.to_string(), column(*tie))).collect();
    writeln!(out, "width  starts{names}")
}

/// Columns of a tie-break, as many as its name has letters, and as 100.0 has.
fn column(tie: Tie) -> usize {
    tie.to_string().len().max(5)
}

fn print_row(out: &mut impl Write, row: &SuccessRow, ties: &[Tie]) -> io::Result<()> {
    let percent = |n: usize| 100.0 * n as f64 / row.starts.max(1) as f64;
    let cell = |&tie: &Tie| Some(format!(" {:>1$.1}", percent(*row.complete.get(&tie.to_string())?), column(tie)));
    let cells: String = ties.iter().filter_map(cell).collect();
    writeln!(out, "{:5} {:>7}{cells}", row.width, row.starts)?;
    out.flush()
}

/// The figures of a board; nothing when a halt came before.
fn row(board: Board, ties: &[Tie], starts: Starts, halt: &Stop) -> Option<SuccessRow> {
    let tried = tried(board, starts);
    let complete = ties.iter().map(|&tie| {
        let completes = |&&(start, seed): &&(Square, u64)| {
            if halt.is_asked() {
                return false;
            }
            let manner = RuleManner { seed, ..RuleManner::new(tie) };
            let mut knight = Warnsdorff::new(board, &Holes::none(), Ending::Open, start, manner);
            find::run(&mut knight).0.is_some()
        };
        (tie.to_string(), tried.par_iter().filter(completes).count())
    });
    let row = SuccessRow { width: board.cols().into(), starts: tried.len(), complete: complete.collect() };
    (!halt.is_asked()).then_some(row)
}

/// The starts that are tried, each with a seed for its ties.
fn tried(board: Board, starts: Starts) -> Vec<(Square, u64)> {
    let possible = |square: &Square| board.squares().is_multiple_of(2) || board.is_dark(*square);
    let mut rng = Rng::with_seed(starts.seed ^ u64::from(board.squares()));
    if u64::from(board.cols()) <= starts.all_up_to {
        return board.all().filter(possible).map(|square| (square, rng.u64(..))).collect();
    }
    let mut drawn = Vec::new();
    while drawn.len() < starts.sample as usize {
        let square = board.at(rng.u32(..board.squares())).filter(possible);
        drawn.extend(square.map(|square| (square, rng.u64(..))));
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u64, tie: Tie, starts: Starts) -> (usize, usize) {
        let row = row(Board::new(width, width).unwrap(), &[tie], starts, &Stop::default()).unwrap();
        (row.starts, row.complete[&tie.to_string()])
    }

    #[test]
    fn small_boards_are_tried_from_every_start_that_the_colours_allow() {
        // Recomputed by a model of Kurapati 2007; Roth's rule fails on none of 5x5 and 6x6.
        for (width, tie, expected) in [
            (5, Tie::Kurapati, (13, 9)),
            (7, Tie::Kurapati, (25, 18)),
            (8, Tie::Kurapati, (64, 63)),
            (5, Tie::Roth, (13, 13)),
            (6, Tie::Roth, (36, 36)),
        ] {
            assert_eq!(of(width, tie, Starts::default()), expected, "{width} {tie}");
        }
    }

    #[test]
    fn large_boards_are_sampled_and_the_seed_decides() {
        let starts = Starts { sample: 50, ..Starts::default() };
        let random = |seed| of(41, Tie::Random, Starts { seed, ..starts });
        assert_eq!(random(1).0, 50);
        assert_eq!(random(1), random(1));
        assert!((2..20).any(|seed| random(seed) != random(1)));
        let board = Board::new(41, 41).unwrap();
        assert!(tried(board, starts).iter().all(|(square, _)| square.index() % 2 == 0));
    }

    #[test]
    fn a_row_prints_the_share_of_its_starts() {
        let complete = BTreeMap::from([(Tie::Roth.to_string(), 13), (Tie::Kurapati.to_string(), 9)]);
        let (mut printed, row) = (Vec::new(), SuccessRow { width: 5, starts: 13, complete });
        print_row(&mut printed, &row, &[Tie::Roth, Tie::Kurapati]).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        assert_eq!(printed.split_whitespace().collect::<Vec<_>>(), ["5", "13", "100.0", "69.2"]);
    }

    #[test]
    fn a_row_that_was_halted_is_none() {
        let halt = Stop::default();
        halt.ask(StopReason::Asked);
        assert_eq!(row(Board::new(5, 5).unwrap(), &[Tie::Roth], Starts::default(), &halt), None);
    }

    #[test]
    fn a_board_that_is_none_is_bad_input() {
        let failure = run(0..=3, &[Tie::Roth], Starts::default(), 1, false).unwrap_err();
        assert!(matches!(failure, Failure::Usage(_)), "{failure}");
    }
}
