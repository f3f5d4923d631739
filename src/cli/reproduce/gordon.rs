//! Gordon and Slocum's experiment: random walks and bred ones, each with repair and without.
//!
//! The paper itself was not at hand, so there are no published figures to hold the table against, only what its abstract
//! claims of 8x8: repair alone is enough to find complete tours from random strings, and with a genetic algorithm
//! considerably more are found. That a genetic algorithm finds them more consistently from arbitrary starts than a
//! depth-first search is claimed too; here only the starts from which it finds one are counted. The smaller boards are
//! this program's addition: there a population soon repeats itself, and finds more tours but fewer different ones.
//!
//! # Source
//! V. S. Gordon and T. J. Slocum, "The Knight's Tour - Evolutionary vs. Depth-First Search", Congress on Evolutionary
//! Computation, 2004, abstract.

use crate::board::{Board, Ending, Holes, Tour};
use crate::find::genetic::{Island, IslandOptions, POPULATION};
use crate::find::{Attempt, AttemptProgress};
use crate::job::{Failure, running};
use crate::words::grouped;
use std::fmt;
use std::io::{self, Write};

/// Strings evaluated for each row, over all starts.
const EVALUATIONS: u64 = 1_000_000;

/// Boards, and four starts on each that no symmetry takes to each other; on 5x5 of the colour there is more of.
const BOARDS: [(u64, [u32; 4]); 3] = [(5, [0, 2, 6, 12]), (6, [0, 1, 8, 14]), (8, [0, 1, 10, 27])];

/// The ways, as the rows name them: (breeds, repairs).
const WAYS: [(&str, bool, bool); 4] =
    [("random", false, false), ("random + repair", false, true), ("bred", true, false), ("bred + repair", true, true)];

/// "Considerably more": this many times as many.
const CONSIDERABLY: u64 = 10;

/// What one way came to on one board.
#[derive(Default)]
struct Harvest {
    tours: u64,
    distinct: u64,
    best: u32,
    /// Evaluations up to the first tour, one start after the other.
    first: Option<u64>,
    /// Starts from which a tour was found.
    starts: u64,
}

/// Prints the table; answers whether the claims hold.
pub fn run() -> Result<bool, Failure> {
    let mut out = io::stdout().lock();
    writeln!(out, "Open tours from coded walks: {} evaluations a row, on one island of", grouped(EVALUATIONS))?;
    writeln!(out, "{POPULATION} strings for each of four starts. Published: Gordon and Slocum 2004, of which")?;
    writeln!(out, "only the abstract was at hand: it has claims, but no figures.\n")?;
    writeln!(out, "board  strings              tours   distinct  best   first after  starts solved")?;
    let mut repaired = Harvest::default();
    let mut both = Harvest::default();
    for (side, starts) in BOARDS {
        let board = Board::new(side, side).map_err(running)?;
        for (name, breeds, repairs) in WAYS {
            let harvest = reap(board, starts, breeds, repairs)?;
            writeln!(out, "{:6} {name:<15} {harvest}", board.to_string())?;
            out.flush()?;
            match (breeds, repairs) {
                (false, true) => repaired = harvest,
                (true, true) => both = harvest,
                _ => {}
            }
        }
    }
    let alone = repaired.tours > 0;
    let more = both.distinct >= CONSIDERABLY * repaired.distinct;
    let verdict = |holds| if holds { "holds" } else { "DOES NOT HOLD" };
    writeln!(out, "\nRepeated tours are counted each time, distinct ones once from each start.")?;
    writeln!(out, "Claimed of 8x8: repair alone finds tours from random strings: {}.", verdict(alone))?;
    writeln!(
        out,
        "Bred strings find considerably more, here at least {CONSIDERABLY} times as many: {}.",
        verdict(more)
    )?;
    Ok(alone && more)
}

impl fmt::Display for Harvest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [tours, distinct] = [self.tours, self.distinct].map(grouped);
        let first = self.first.map_or("-".to_owned(), grouped);
        write!(f, "{tours:>10} {distinct:>10} {:>5} {first:>13} {:>9} of 4", self.best, self.starts)
    }
}

/// Evaluates strings on one island for each start.
fn reap(board: Board, starts: [u32; 4], breeds: bool, repairs: bool) -> Result<Harvest, Failure> {
    let generations = (EVALUATIONS / starts.len() as u64 / POPULATION as u64) as u32;
    let customs = IslandOptions { breeds, repairs, generations };
    let mut harvest = Harvest::default();
    let mut evaluations = 0;
    for start in starts {
        let square = board.at(start).unwrap_or_else(|| unreachable!("the starts of the table lie on their boards"));
        let mut island = Island::new(board, Ending::Open, square, &Holes::none(), customs, u64::from(start));
        loop {
            match island.advance(u64::MAX, &mut evaluations) {
                AttemptProgress::Found(squares) => {
                    Tour::verify(board, Ending::Open, squares).map_err(running)?;
                    harvest.first.get_or_insert(evaluations);
                }
                AttemptProgress::Going => {}
                AttemptProgress::GivenUp | AttemptProgress::Exhausted => break,
            }
        }
        let (_, tours, distinct) = island.tally();
        harvest.tours += tours;
        harvest.distinct += distinct;
        harvest.starts += u64::from(tours > 0);
        harvest.best = harvest.best.max(island.best());
    }
    Ok(harvest)
}
