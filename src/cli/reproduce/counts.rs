//! The known numbers of tours, counted again.
//!
//! Every board is planned first, so that what is out of reach is said with its figures before any time is spent on it.
//! Closed and open tours of a board are each counted once, in this process, whose pace is measured once; what follows from
//! them by arithmetic, or by Burnside's lemma from the tours that a symmetry keeps, is not counted again.

use crate::board::{Board, CountKind, Ending, Holes, KnownCount, Shape, Symmetry, known_counts};
use crate::cli::args::cores;
use crate::cli::count::plan::about;
use crate::count::symmetric::{Bounds, SymmetricError, fixed_tours};
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, MeasuredPace, Modulus, Settings};
use crate::job::limits::{available, peak_from_now};
use crate::job::{Failure, running};
use crate::stop::Stop;
use crate::words::{bytes, count};
use num_bigint::BigInt;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Bits of a number that a pass modulo a prime makes known.
const PRIME_BITS: u32 = 31;
/// The source of a number that was not published begins so.
const OWN: &str = "computed for this project";

/// The table, in the form of the files of the others. `src/board/known_counts.csv` names a source for every row.
pub fn table() -> String {
    let mut rows: Vec<(usize, KnownCount)> = known_counts().map(upright).enumerate().collect();
    rows.sort_by_key(|(_, row)| (row.board.rows(), row.board.cols(), row.kind));
    let known = rows.len();
    let mut table =
        "words,field,published,compare,label\n#,log 1 1e33,,,Known numbers of tours, counted by frontier states. \
                     A number without time and memory follows from those above it, and one without memory took less than \
                     this process kept from the counts before.\n"
            .to_owned();
    for (nth, KnownCount { board, kind, count, source, .. }) in rows {
        let count = if source.starts_with(OWN) { format!("[{count}]") } else { count.to_string() };
        let _ = writeln!(table, "@count {nth},count,{count},=,{board} {kind}");
    }
    for (nth, Ragged { shape, kind, count, sequence }) in (known..).zip(ragged()) {
        let (cells, board) = (shape.squares(), shape.board());
        let _ = writeln!(table, "@count {nth},count,{count},=,{board}, first {cells}, {kind} ({sequence})");
    }
    table
}

/// The number of tours of the first cells of a board, column by column, the last of which may have fewer rows.
struct Ragged {
    shape: Shape,
    kind: CountKind,
    count: u128,
    sequence: &'static str,
}

/// The numbers of `ragged.csv`. A line is a sequence of OEIS: its name, the rows of its boards, what it counts, the cells of its first
/// board, how many more each further one has, and its numbers.
fn ragged() -> Vec<Ragged> {
    include_str!("ragged.csv").lines().skip(1).filter_map(sequence).flatten().collect()
}

/// The numbers of a line.
fn sequence(line: &'static str) -> Option<Vec<Ragged>> {
    let [sequence, rows, kind, cells, step, numbers] = line.split(',').collect::<Vec<_>>().try_into().ok()?;
    let kind = CountKind::ALL.into_iter().find(|of| of.name() == kind)?;
    let [rows, cells, step] = [rows, cells, step].map(|number| number.parse::<u64>().ok());
    let (rows, cells) = (rows?, (cells?..).step_by(step? as usize));
    let ragged = |(cells, count): (u64, &str)| {
        let board = Board::new(rows, cells.div_ceil(rows)).ok()?;
        let is_hole = |row: u64| cells % rows > 0 && row >= cells % rows;
        let holes =
            (0..rows).filter(|&row| is_hole(row)).filter_map(|row| board.at((row as u32 + 1) * board.cols() - 1));
        Some(Ragged { shape: Shape::new(board, Holes::new(holes)), kind, count: count.parse().ok()?, sequence })
    };
    cells.zip(numbers.split(' ')).map(ragged).collect()
}

/// The row with the shorter side first: a board and its transpose have the same tours.
fn upright(row: KnownCount) -> KnownCount {
    let board = if row.board.rows() > row.board.cols() { row.board.transposed() } else { row.board };
    KnownCount { board, ..row }
}

/// What is counted of a board: all tours of an ending, or, undirected, those that a symmetry keeps; of the open ones those
/// that cannot be closed.
type SymmetryPart = (Shape, Ending, Option<Symmetry>);

/// The numbers that were counted.
pub struct Counts {
    settings: Settings,
    /// How long one count may take.
    budget: Duration,
    pace: MeasuredPace,
    stop: Stop,
    /// A number, or why it is out of reach.
    known: HashMap<SymmetryPart, Result<BigInt, String>>,
    /// Time and memory of the counts for the figure in work.
    cost: Option<(f64, Option<u64>)>,
}

/// Why there is no number.
enum MissingNumber {
    Beyond(String),
    Failed(Failure),
}

impl Counts {
    /// Measures the pace of this machine.
    ///
    /// # Errors
    /// [`Failure::Running`] when that fails.
    pub fn begin(budget: Duration, stop: Stop) -> Result<Counts, Failure> {
        let threads = cores();
        let memory = available(threads).ok_or_else(|| running("this system does not say how much memory it has"))?;
        let settings = Settings { threads, memory, ..Settings::default() };
        let pace = MeasuredPace::measure(&settings, &CountWatch::with_stop(stop.clone(), threads)).map_err(running)?;
        let pace = pace.ok_or_else(|| running("the pace of a small count is not known"))?;
        Ok(Counts { settings, budget, pace, stop, known: HashMap::new(), cost: None })
    }

    /// The figure with this number in [`known_counts`]: its `count`, with a `note` of its cost, or why it is `beyond` reach.
    ///
    /// # Errors
    /// [`Failure`] when a count fails.
    pub fn figure(&mut self, nth: usize) -> Result<Value, Failure> {
        let known = known_counts().map(|row| (Shape::from(upright(row).board), row.kind));
        let row = known.chain(ragged().into_iter().map(|row| (row.shape, row.kind))).nth(nth);
        let row = row.ok_or_else(|| running(format!("no known count has the number {nth}")))?;
        self.cost = None;
        let note = |(seconds, peak): (f64, Option<u64>)| {
            format!("{seconds:.3} s{}", peak.map_or(String::new(), |peak| format!(", {}", bytes(peak))))
        };
        match self.number_of(&row) {
            // A number that does not come out even is none, and differs from any that was published.
            Ok((number, by)) if &number % by == BigInt::ZERO => {
                Ok(json!({ "count": (number / by).to_string(), "note": self.cost.map(note) }))
            }
            Ok((number, by)) => Ok(json!({ "count": format!("{number}/{by}") })),
            Err(MissingNumber::Beyond(why)) => Ok(json!({ "beyond": format!("not counted: {why}") })),
            Err(MissingNumber::Failed(failure)) => Err(failure),
        }
    }

    /// The number of a kind, as a numerator and a divisor. The kinds by symmetry are of square boards with an even side, of
    /// whose closed tours no reflection keeps one: a class has 8 tours, 4 if a half turn keeps them, 2 if a quarter turn
    /// does.
    fn number_of(&mut self, (shape, kind): &(Shape, CountKind)) -> Result<(BigInt, u32), MissingNumber> {
        use CountKind as Kind;
        use Ending::{Closed, Open};
        let (board, squares) = (shape.board(), shape.squares());
        let mut number = |ending, symmetry| self.number((shape.clone(), ending, symmetry));
        let [half, quarter] = [Symmetry::HalfTurn, Symmetry::QuarterTurn].map(Some);
        let symmetries = board.symmetries();
        // The identity, which keeps all, comes first.
        let mut kept = |ending| symmetries[1..].iter().map(|&by| number(ending, Some(by))).sum::<Result<BigInt, _>>();
        let images = symmetries.len() as u32;
        Ok(match kind {
            Kind::ClosedClasses => (kept(Closed)? + number(Closed, None)?, images),
            Kind::ClosedClassesAsymmetric => {
                let kept = kept(Closed)?;
                let (half, quarter) = (number(Closed, half)?, number(Closed, quarter)?);
                (number(Closed, None)? + kept - (half - &quarter) * (images / 4) - quarter * (images / 2), images)
            }
            Kind::OpenClassesStrict => {
                let kept = kept(Open)? * 2;
                (number(Open, None)? - number(Closed, None)? * (2 * squares) + kept, 2 * images)
            }
            Kind::ClosedUndirected => (number(Closed, None)?, 1),
            Kind::ClosedDirected => (number(Closed, None)? * 2, 1),
            Kind::ClosedHalfTurn => (number(Closed, half)?, 1),
            Kind::ClosedQuarterTurn => (number(Closed, quarter)?, 1),
            Kind::ClosedClassesHalfTurnOnly => (number(Closed, half)? - number(Closed, quarter)?, 4),
            Kind::ClosedClassesQuarterTurn => (number(Closed, quarter)?, 2),
            Kind::OpenDirected => (number(Open, None)?, 1),
            Kind::OpenUndirected => (number(Open, None)?, 2),
            // A closed tour can be cut at each of its moves.
            Kind::OpenUndirectedStrict => (number(Open, None)? - number(Closed, None)? * (2 * squares), 2),
        })
    }

    /// A number, counted at most once.
    fn number(&mut self, part: SymmetryPart) -> Result<BigInt, MissingNumber> {
        if !self.known.contains_key(&part) {
            let (began, peak) = (Instant::now(), peak_from_now());
            let held = peak();
            let (shape, ending, symmetry) = &part;
            let counted = match *symmetry {
                None => self.all(shape, *ending),
                Some(symmetry) => self.symmetric(shape.board(), *ending, symmetry),
            };
            let counted = counted.map_err(MissingNumber::Failed)?;
            if counted.is_ok() {
                let (seconds, before) = self.cost.unwrap_or_default();
                self.cost = Some((seconds + began.elapsed().as_secs_f64(), before.max(own(held, peak()))));
            }
            self.known.insert(part.clone(), counted);
        }
        self.known[&part].clone().map_err(MissingNumber::Beyond)
    }

    fn symmetric(&self, board: Board, ending: Ending, by: Symmetry) -> Result<Result<BigInt, String>, Failure> {
        let (began, budget) = (Instant::now(), self.budget);
        let is_late = |_| began.elapsed() > budget || self.stop.is_asked();
        let bounds = Bounds { memory: self.settings.memory, threads: self.settings.threads, stop: &is_late };
        match fixed_tours(board, ending, true, by, bounds) {
            Ok(number) => Ok(Ok(number.into())),
            Err(error @ (SymmetricError::Identity | SymmetricError::NotKept { .. })) => Err(running(error)),
            Err(SymmetricError::Stopped) => Ok(Err(format!("takes more than {}", about(budget.as_secs_f64())))),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn all(&self, shape: &Shape, ending: Ending) -> Result<Result<BigInt, String>, Failure> {
        let Counts { settings, budget, pace, .. } = self;
        let question = CountQuestion::new(shape, ending);
        let watch = CountWatch::with_stop(self.stop.clone(), settings.threads);
        let plan = match CountPlan::new(&question, settings.memory, &watch) {
            Ok(plan) => plan,
            Err(error) if error.is_too_large() => return Ok(Err(error.to_string())),
            Err(error) => return Err(running(error)),
        };
        let widest = [128, 64, 32].into_iter().find(|&bits| plan.memory(bits) <= settings.memory).unwrap_or(32);
        let passes = passes(expected(shape, ending), widest);
        let pass = |modulus| plan.pass_seconds(pace, modulus, settings, &watch);
        let first = if passes > 1 { Modulus::TwoTo64 } else { Modulus::None };
        let seconds = pass(first) + pass(Modulus::Prime((1 << PRIME_BITS) - 1)) * f64::from(passes - 1);
        let [narrow, wide] = [32, 64].map(|bits| bytes(plan.memory(bits)));
        let states = count(plan.peak_states());
        let takes = format!("{states} states at once, {narrow} to {wide}, about {}", about(seconds));
        if let Err(CountError::Shortage(_)) = plan.check(settings, &watch) {
            return Ok(Err(format!("{takes}: more memory than there is")));
        }
        if seconds > budget.as_secs_f64() {
            return Ok(Err(format!("{takes}: longer than {}", about(budget.as_secs_f64()))));
        }
        let answer = plan.run(settings, &watch, None).map_err(running)?;
        match answer.count() {
            Some(number) => Ok(Ok(number.value().clone().into())),
            None if self.stop.is_asked() => Ok(Err("stopped".to_owned())),
            None => Err(running(format!("{question:?} has no number, although nothing stopped its count"))),
        }
    }
}

/// The most memory while a number was counted, if most of it was taken for that and not held before: what is given back stays
/// with the process.
fn own(held: Option<u64>, most: Option<u64>) -> Option<u64> {
    held.zip(most).filter(|&(held, most)| most >= 2 * held).map(|(_, most)| most)
}

/// About as many tours as will be found, to say how many passes that takes: the published number, or as many as all that is
/// published of the board allows.
fn expected(shape: &Shape, ending: Ending) -> u128 {
    let board = shape.board();
    if shape.has_holes() {
        // Undirected; an open tour has two directions.
        return ragged().iter().filter(|row| row.shape == *shape).map(|row| 2 * row.count).max().unwrap_or(0);
    }
    let most = || {
        // A class has at most so many tours.
        let images = 2 * board.symmetries().len() as u128;
        board.known_counts().iter().map(|known| known.count.saturating_mul(images)).max().unwrap_or(0)
    };
    board.known_tours(ending).map_or_else(most, |known| known.count)
}

/// Passes that a number takes, if counters of at most `widest` bits fit in memory: one if those hold it. Of 64 bits, else one that
/// leaves its residue modulo 2^64, those modulo primes that make up the rest, and one to confirm it. Of 32 bits, one that goes on as
/// long as they hold it, and primes alone.
fn passes(number: u128, widest: u32) -> u32 {
    let bits = u128::BITS - number.leading_zeros();
    let left = if widest == 32 { bits } else { bits.saturating_sub(64) };
    if bits <= widest { 1 } else { 2 + left.div_ceil(PRIME_BITS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(memory: u64) -> Counts {
        Counts {
            settings: Settings { threads: 2, memory, ..Settings::default() },
            budget: Duration::from_secs(60),
            pace: MeasuredPace { seconds_per_state: 1e-9, seconds_per_fresh_byte: 0.0 },
            stop: Stop::default(),
            known: HashMap::new(),
            cost: None,
        }
    }

    /// The place of a row in the list of known counts, and its number.
    fn row(board: &str, kind: CountKind) -> (usize, String) {
        let is_it = |row: &KnownCount| row.board.to_string() == board && row.kind == kind;
        let found = known_counts().enumerate().find(|(_, row)| is_it(row));
        found.map(|(nth, row)| (nth, row.count.to_string())).expect("it is known")
    }

    /// A small count after a large one takes nothing beside what that left behind.
    #[test]
    fn memory_that_was_held_before_is_not_that_of_a_count() {
        let mib = |mib: u64| Some(mib << 20);
        assert_eq!(own(mib(239), mib(240)), None);
        assert_eq!(own(mib(11), mib(240)), mib(240));
        assert_eq!((own(None, mib(240)), own(mib(11), None)), (None, None));
    }

    #[test]
    fn numbers_take_one_pass_as_long_as_counters_that_fit_hold_them() {
        let of = [0, u128::from(u64::MAX), 1 << 64, 2_122_880_233_853_945_590_892, 1 << 95];
        assert_eq!(of.map(|number| passes(number, 128)), [1; 5]);
        assert_eq!(of.map(|number| passes(number, 64)), [1, 1, 3, 3, 4]);
        let of = [0, u128::from(u32::MAX), 1 << 32, u128::from(u64::MAX)];
        assert_eq!(of.map(|number| passes(number, 32)), [1, 1, 4, 5]);
    }

    #[test]
    fn every_kind_of_6x6_is_the_published_number_and_none_is_counted_twice() {
        let mut counts = counts(1 << 30);
        let rows = "6x6".parse::<Board>().unwrap().known_counts();
        assert_eq!(rows.len(), 11, "every kind but closed directed");
        for KnownCount { kind, .. } in rows {
            let (nth, number) = row("6x6", kind);
            assert_eq!(counts.figure(nth).unwrap_or_else(|failure| panic!("{failure}"))["count"], number.as_str());
            let again = counts.figure(nth).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!((again["count"].as_str(), &again["note"]), (Some(number.as_str()), &Value::Null));
        }
    }

    /// What follows from a wrong number is no number, or another one, and no reason to fall over.
    #[test]
    fn what_follows_from_wrong_numbers_differs() {
        let mut counts = counts(1 << 30);
        let board: Board = "6x6".parse().unwrap();
        counts.known.insert((board.into(), Ending::Closed, None), Ok(9863.into()));
        counts.known.insert((board.into(), Ending::Open, None), Ok(7.into()));
        for kind in [CountKind::ClosedClasses, CountKind::ClosedClassesAsymmetric, CountKind::OpenUndirectedStrict] {
            let (nth, number) = row("6x6", kind);
            let figure = counts.figure(nth).unwrap_or_else(|failure| panic!("{failure}"));
            let count = figure["count"].as_str().unwrap();
            assert!(count != number && (count.contains('/') || count.contains('-')), "{kind}: {count}");
        }
    }

    #[test]
    fn boards_whose_last_column_is_short_have_the_numbers_of_their_sequences() {
        let (mut counts, known, rows) = (counts(1 << 30), known_counts().count(), ragged());
        assert_eq!((rows.len(), rows.iter().filter(|row| row.shape.has_holes()).count()), (339, 260));
        let small = (known..).zip(&rows).filter(|(_, row)| row.shape.squares() <= 24);
        for (nth, row) in small {
            let figure = counts.figure(nth).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(figure["count"], row.count.to_string(), "{} of {}", row.shape, row.sequence);
        }
    }

    #[test]
    fn a_count_that_does_not_fit_is_named_with_its_figures() {
        let (nth, _) = row("6x8", CountKind::ClosedUndirected);
        let figure = counts(8 << 20).figure(nth).unwrap_or_else(|failure| panic!("{failure}"));
        let why = figure["beyond"].as_str().unwrap_or_default();
        assert!(why.starts_with("not counted: ") && why.contains("states at once") && why.contains("memory"), "{why}");
    }
}
