//! `count BOARD --open --per-start`: how many open tours begin on each square.
//!
//! Squares that a symmetry of the board takes to one another have as many, so one of each orbit is counted: the one that
//! is nearest to the second row from the top. The sweep goes from the top down, and a start that comes early leaves the
//! fewest states. On 8x8 the ten counts take together 7.3 times the states of that of all tours.

use super::args::CountArgs;
use super::report::{asked_report, failed};
use crate::board::{Orbit, Shape, Square};
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, Settings};
use crate::job::limits::peak_bytes;
use crate::job::{Answer, Failure, Report, answered, keys, print, progress, with_signals};
use crate::solve::Problem;
use crate::words::{self, grouped, number_of};
use num_bigint::BigUint;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Squares from which there are as many tours.
struct Class {
    square: Square,
    members: Vec<Square>,
    tours: Option<BigUint>,
}

impl Class {
    /// The orbits of a board with its holes.
    fn all(shape: &Shape) -> Vec<Class> {
        let board = shape.board();
        let class = |members: Vec<Square>| {
            let from_second = |&square: &Square| {
                let (row, col) = board.row_col(square);
                (row.abs_diff(1), col)
            };
            let square = members.iter().copied().min_by_key(from_second);
            Class { square: square.unwrap_or(members[0]), members, tours: None }
        };
        let members = |orbit: &Orbit| orbit.members.iter().map(|&(square, _)| square).collect();
        shape.orbits().iter().map(|orbit| class(members(orbit))).collect()
    }
}

/// Counts from every square and prints the numbers.
///
/// # Errors
/// [`Failure`] when a count does not fit, or fails.
pub fn run(args: &CountArgs, question: &CountQuestion, settings: &Settings) -> Result<Answer, Failure> {
    let began = Instant::now();
    let mut classes = Class::all(&question.shape);
    let watches: Vec<CountWatch> = classes.iter().map(|_| CountWatch::new(settings.threads)).collect();
    let (at, peak_states) = (AtomicUsize::new(0), AtomicU64::new(0));
    let line = || {
        let n = at.load(Ordering::Relaxed).min(watches.len() - 1);
        format!("square {} of {}, {}", n + 1, watches.len(), progress::count(&watches[n].snapshot()))
    };
    let body = || -> Result<(), CountError> {
        for (n, class) in classes.iter_mut().enumerate() {
            at.store(n, Ordering::Relaxed);
            let question = CountQuestion { start: Some(class.square), ..question.clone() };
            let answer =
                CountPlan::new(&question, settings.planning_memory(), &watches[n])?.run(settings, &watches[n], None)?;
            peak_states.fetch_max(answer.peak_states, Ordering::Relaxed);
            class.tours = answer.count().map(|count| count.value().clone());
        }
        Ok(())
    };
    let (counted, signal) = with_signals(|| watches.iter().for_each(CountWatch::stop), line, body)?;
    let printed = match counted {
        Ok(()) | Err(CountError::Stopped) => {
            let states = [watches.iter().map(|watch| watch.snapshot().states).sum(), peak_states.into_inner()];
            let report = report_of(question, settings.threads, &classes, states, began);
            print(&report, args.json, false)
        }
        Err(error) => Err(failed(question, settings, &error, args.json)),
    };
    answered(printed, signal)
}

/// The numbers, with what they took since `began`.
fn report_of(question: &CountQuestion, threads: usize, classes: &[Class], states: [u64; 2], began: Instant) -> Report {
    let [states, peak_states] = states;
    let (board, convention, elapsed_s) =
        (question.board(), question.convention().name(), began.elapsed().as_secs_f64());
    let of = |square: Square| {
        let class = classes.iter().find(|class| class.members.contains(&square));
        class.and_then(|class| class.tours.as_ref())
    };
    let sum: Option<BigUint> =
        classes.iter().map(|class| class.tours.as_ref().map(|tours| tours * class.members.len())).sum();
    let mut report = asked_report(question);

    let name = question.name();
    report.text(format_args!("{name} open tours ({convention}) by the square that they begin on\n"));
    let digits = |class: &Class| class.tours.as_ref().map_or("-".to_owned(), grouped);
    let width = classes.iter().map(|class| digits(class).len()).max().unwrap_or(0);
    for class in classes {
        let others = class.members.iter().filter(|&&square| square != class.square);
        let names: Vec<String> = others.map(|&square| board.name(square)).collect();
        let also = if names.is_empty() { String::new() } else { format!("  and {}", names.join(" ")) };
        report.text(format_args!("{:>4} {:>width$}{also}", board.name(class.square), digits(class)));
    }
    // Decimal digits, row by row from the top; null for a hole, and where it was stopped before.
    let number = |row, col| board.square(row, col).and_then(of).map(ToString::to_string);
    let numbers = |row| (0..board.cols()).map(|col| number(row, col)).collect();
    report.key("starts", (0..board.rows()).map(numbers).collect::<Vec<Vec<Option<String>>>>());
    report.key("count", sum.as_ref().map(ToString::to_string));
    if let Some(sum) = sum.as_ref().filter(|sum| **sum != BigUint::ZERO) {
        tell_shares(&mut report, &question.shape, sum, of);
    }
    let (peak_bytes, complete) = (peak_bytes(), sum.is_some());
    keys!(report, states, peak_states, peak_bytes, threads, elapsed_s, complete);
    match &sum {
        Some(sum) => {
            let known = Problem::new(&question.shape, question.ending).known_tours();
            let verdict = |known| if known == *sum { ", the known number" } else { ", which is NOT the known number" };
            let known = known.map_or("", |known| verdict(BigUint::from(known)));
            report.text(format_args!("\nin all {}{known}", grouped(sum)));
        }
        None => report.text("\nNOT complete: it was stopped"),
    }
    report.text(format_args!("{}, {}, {elapsed_s:.1} s", number_of(states, "state"), words::threads(threads)));
    report
}

/// The numbers beside their mean, square by square.
fn tell_shares<'a>(report: &mut Report, shape: &Shape, sum: &BigUint, tours: impl Fn(Square) -> Option<&'a BigUint>) {
    report.text("\nin hundredths of the mean of all squares\n");
    let float = |number: &BigUint| number.to_string().parse::<f64>().unwrap_or(f64::NAN);
    let mean = float(sum) / f64::from(shape.squares());
    // A number of more than 308 digits has no share.
    let share = |tours: &BigUint| Some(float(tours) / mean).filter(|share| share.is_finite());
    let cell = |square: Square| match tours(square).and_then(share) {
        Some(share) => format!("{:>5.0}", 100.0 * share),
        None if shape.has(square) => "    -".to_owned(),
        None => "    .".to_owned(),
    };
    let cells: Vec<String> = shape.board().all().map(cell).collect();
    cells.chunks(shape.board().cols() as usize).for_each(|row| report.text(row.concat()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Ending};

    #[test]
    fn every_square_is_in_one_class_and_the_second_row_is_preferred() {
        let board: Board = "6x6".parse().unwrap();
        let classes = Class::all(&board.into());
        let mut members: Vec<Square> = classes.iter().flat_map(|class| class.members.clone()).collect();
        members.sort();
        assert_eq!(members, board.all().collect::<Vec<_>>());
        let counted: Vec<String> = classes.iter().map(|class| board.name(class.square)).collect();
        assert_eq!(counted, ["a6", "a5", "a4", "b5", "c5", "c4"]);
    }

    #[test]
    fn what_was_stopped_says_so_and_what_is_complete_adds_up() {
        let question = CountQuestion::new("5x5".parse::<Shape>().unwrap(), Ending::Open);
        let mut classes = Class::all(&question.shape);
        classes[0].tours = Some(BigUint::from(304u32));
        let report = report_of(&question, 1, &classes, [0; 2], Instant::now());
        let object = serde_json::to_value(&report).unwrap();
        assert!(object["complete"] == false && report.to_string().contains("NOT complete"));
        assert_eq!((&object["starts"][0][0], &object["starts"][0][1]), (&"304".into(), &serde_json::Value::Null));
    }
}
