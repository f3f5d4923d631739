//! `count BOARD --open --per-start`: how many open tours begin on each square.
//!
//! Squares that a symmetry of the board takes to one another have as many, so one of each orbit is counted: the one that
//! is nearest to the second row from the top. The sweep goes from the top down, and a start that comes early leaves the
//! fewest states. On 8x8 the ten counts take together 7.3 times the states of that of all tours.

use super::args::CountArgs;
use super::run::failed;
use crate::board::{Board, Square};
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, Settings};
use crate::job::limits::Peak;
use crate::job::say::print;
use crate::job::{Failure, exit_code, progress, with_signals};
use crate::solve::Problem;
use crate::words::{grouped, number_of, threads};
use num_bigint::BigUint;
use serde::Serialize;
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// What is printed.
#[derive(Serialize)]
struct StartsReport {
    board: Board,
    ending: &'static str,
    convention: &'static str,
    /// Decimal digits, row by row from the top; null where it was stopped before.
    starts: Vec<Vec<Option<String>>>,
    /// Their sum, when all are there.
    count: Option<String>,
    /// States stored, over all counts.
    states: u64,
    peak_states: u64,
    peak_bytes: Option<u64>,
    threads: usize,
    elapsed_s: f64,
    complete: bool,
    #[serde(skip)]
    classes: Vec<Class>,
    /// The number of all tours, where it is known.
    #[serde(skip)]
    known: Option<u64>,
}

/// Squares from which there are as many tours.
struct Class {
    square: Square,
    members: Vec<Square>,
    tours: Option<BigUint>,
}

impl Class {
    /// The orbits of a board.
    fn all(board: Board) -> Vec<Class> {
        let class = |members: Vec<Square>| {
            let from_second = |&square: &Square| {
                let (row, col) = board.row_col(square);
                (row.abs_diff(1), col)
            };
            let square = members.iter().copied().min_by_key(from_second);
            Class { square: square.unwrap_or(members[0]), members, tours: None }
        };
        board.orbits().map(|orbit| class(orbit.members.iter().map(|&(square, _)| square).collect())).collect()
    }
}

/// Counts from every square and prints the numbers. Returns the exit code.
///
/// # Errors
/// [`Failure`] when a count does not fit, or fails.
pub fn run(args: &CountArgs, question: &CountQuestion, settings: &Settings) -> Result<u8, Failure> {
    let (began, board) = (Instant::now(), question.board);
    let mut classes = Class::all(board);
    let watches: Vec<CountWatch> = classes.iter().map(|_| CountWatch::new(settings.threads)).collect();
    let (at, peak_states) = (AtomicUsize::new(0), AtomicU64::new(0));
    let line = || {
        let n = at.load(Ordering::Relaxed).min(watches.len() - 1);
        format!("square {} of {}, {}", n + 1, watches.len(), progress::count(&watches[n].snapshot()))
    };
    let body = || -> Result<(), CountError> {
        for (n, class) in classes.iter_mut().enumerate() {
            at.store(n, Ordering::Relaxed);
            let question = CountQuestion { start: Some(class.square), ..*question };
            let answer =
                CountPlan::new(&question, settings.planning_memory(), &watches[n])?.run(settings, &watches[n])?;
            peak_states.fetch_max(answer.peak_states, Ordering::Relaxed);
            class.tours = answer.count().map(|count| count.value().clone());
        }
        Ok(())
    };
    let (counted, signal) = with_signals(|| watches.iter().for_each(CountWatch::stop), line, body)?;
    let printed = match counted {
        Ok(()) | Err(CountError::Stopped) => {
            let states = [watches.iter().map(|watch| watch.snapshot().states).sum(), peak_states.into_inner()];
            let report = StartsReport::new(question, settings.threads, classes, states, began);
            print(&report, args.json, false).map_err(Failure::from)
        }
        Err(error) => Err(failed(question, settings, &error, args.json)),
    };
    exit_code(printed, signal)
}

impl StartsReport {
    /// The numbers, with what they took since `began`.
    fn new(
        question: &CountQuestion,
        threads: usize,
        classes: Vec<Class>,
        [states, peak_states]: [u64; 2],
        began: Instant,
    ) -> StartsReport {
        let board = question.board;
        let of = |square: Square| {
            let class = classes.iter().find(|class| class.members.contains(&square));
            class.and_then(|class| class.tours.as_ref()).map(ToString::to_string)
        };
        let row = |row| (0..board.cols()).map(|col| board.square(row, col).and_then(of)).collect();
        let sum: Option<BigUint> =
            classes.iter().map(|class| class.tours.as_ref().map(|tours| tours * class.members.len())).sum();
        StartsReport {
            board,
            ending: question.ending.name(),
            convention: question.convention().name(),
            starts: (0..board.rows()).map(row).collect(),
            complete: sum.is_some(),
            count: sum.map(|sum| sum.to_string()),
            states,
            peak_states,
            peak_bytes: Peak::of_process().bytes(),
            threads,
            elapsed_s: began.elapsed().as_secs_f64(),
            known: Problem::new(board, question.ending).known_tours(),
            classes,
        }
    }

    /// A square's number beside the mean of all, where all are there.
    fn share(&self, tours: &str) -> Option<f64> {
        let mean = self.count.as_ref()?.parse::<f64>().ok()? / f64::from(self.board.squares());
        Some(tours.parse::<f64>().ok()? / mean).filter(|share| share.is_finite())
    }
}

impl fmt::Display for StartsReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StartsReport { board, convention, .. } = self;
        writeln!(f, "{board} open tours ({convention}) by the square that they begin on\n")?;
        let digits = |class: &Class| class.tours.as_ref().map_or("-".to_owned(), grouped);
        let width = self.classes.iter().map(|class| digits(class).len()).max().unwrap_or(0);
        for class in &self.classes {
            let also: Vec<String> = class
                .members
                .iter()
                .filter(|&&square| square != class.square)
                .map(|&square| board.name(square))
                .collect();
            let also = if also.is_empty() { String::new() } else { format!("  and {}", also.join(" ")) };
            writeln!(f, "{:>4} {:>width$}{also}", board.name(class.square), digits(class))?;
        }
        if self.complete && self.count.as_deref() != Some("0") {
            writeln!(f, "\nin hundredths of the mean of all squares\n")?;
            for row in &self.starts {
                let cell = |tours: &Option<String>| {
                    let share = tours.as_deref().and_then(|tours| self.share(tours));
                    share.map_or("    -".to_owned(), |share| format!("{:>5.0}", 100.0 * share))
                };
                writeln!(f, "{}", row.iter().map(cell).collect::<String>())?;
            }
        }
        let (states, elapsed) = (number_of(self.states, "state"), self.elapsed_s);
        match (&self.count, self.known) {
            (Some(count), known) => {
                let digits: BigUint = count.parse().unwrap_or_default();
                let known = known.map_or("", |known| match digits == BigUint::from(known) {
                    true => ", the known number",
                    false => ", which is NOT the known number",
                });
                write!(f, "\nin all {}{known}", grouped(&digits))?;
            }
            (None, _) => write!(f, "\nNOT complete: it was stopped")?,
        }
        write!(f, "\n{states}, {}, {elapsed:.1} s", threads(self.threads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Ending;

    #[test]
    fn every_square_is_in_one_class_and_the_second_row_is_preferred() {
        let board: Board = "6x6".parse().unwrap();
        let classes = Class::all(board);
        let mut members: Vec<Square> = classes.iter().flat_map(|class| class.members.clone()).collect();
        members.sort();
        assert_eq!(members, board.all().collect::<Vec<_>>());
        let counted: Vec<String> = classes.iter().map(|class| board.name(class.square)).collect();
        assert_eq!(counted, ["a6", "a5", "a4", "b5", "c5", "c4"]);
    }

    #[test]
    fn what_was_stopped_says_so_and_what_is_complete_adds_up() {
        let question = CountQuestion::new("5x5".parse().unwrap(), Ending::Open);
        let mut classes = Class::all(question.board);
        classes[0].tours = Some(BigUint::from(304u32));
        let report = StartsReport::new(&question, 1, classes, [0; 2], Instant::now());
        assert!(!report.complete && report.to_string().contains("NOT complete"));
        assert_eq!((&report.starts[0][0], &report.starts[0][1]), (&Some("304".to_owned()), &None));
    }
}
