//! The known numbers of tours, counted again.
//!
//! Every board is planned first, so that what is out of reach is said with its figures before any time is spent on it.
//! Closed and open tours of a board are each counted once; what follows from them by arithmetic, or by Burnside's lemma
//! from the tours that a symmetry keeps, is not counted again.
//!
//! # Source
//! `src/board/known_counts.csv` names one for every row.

use crate::board::{Board, CountKind, Ending, KnownCount, Symmetry, known_counts};
use crate::cli::args::cores;
use crate::cli::count::plan::about;
use crate::count::symmetric::{Bounds, SymmetricError, fixed_closed, fixed_open_strict};
use crate::count::{CountError, CountPlan, CountQuestion, CountWatch, MeasuredPace, Modulus, Settings};
use crate::job::limits::{Peak, available};
use crate::job::{Failure, running};
use crate::words::{self, bytes, count, grouped};
use num_bigint::BigUint;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Bits of a number that a pass modulo a prime makes known.
const PRIME_BITS: u32 = 31;

/// Prints the table; answers whether every number that was counted is the published one.
///
/// # Errors
/// [`Failure`] when a count fails or the table cannot be printed.
pub fn run(budget: Duration) -> Result<bool, Failure> {
    let threads = cores();
    let memory = available(threads).ok_or_else(|| running("this system does not say how much memory it has"))?;
    let settings = Settings { threads, memory, ..Settings::default() };
    let pace = MeasuredPace::measure(&settings, &CountWatch::new(threads)).map_err(running)?;
    let pace = pace.ok_or_else(|| running("the pace of a small count is not known"))?;
    let limits = Limits { settings, budget, pace };
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "known numbers of tours, counted by frontier states; {} and {} for each count,",
        bytes(memory),
        about(budget.as_secs_f64())
    )?;
    writeln!(out, "{}; a number without time and memory follows from those above it\n", words::threads(threads))?;
    writeln!(out, "board {:>30} {:>30}  equal    seconds      memory  kind", "here", "published")?;
    let mut rows: Vec<KnownCount> = known_counts().map(upright).collect();
    rows.sort_by_key(|row| (row.board.rows(), row.board.cols(), row.kind));
    let (mut equal, mut differing, mut beyond) = (0, 0, 0);
    for rows in rows.chunk_by(|a, b| a.board == b.board) {
        let mut counted = BoardCounts::new(rows[0].board, &limits);
        for row in rows {
            let figure = counted.figure(row)?;
            match &figure {
                Figure::Number { value, .. } if *value == BigUint::from(row.count) => equal += 1,
                Figure::Number { .. } | Figure::Contradiction(_) => differing += 1,
                Figure::Beyond(_) => beyond += 1,
            }
            writeln!(out, "{}", line(row, &figure))?;
            out.flush()?;
        }
    }
    writeln!(out, "\n{equal} equal, {differing} different, {beyond} out of reach here")?;
    Ok(differing == 0)
}

/// The row with the shorter side first: a board and its transpose have the same tours.
fn upright(row: KnownCount) -> KnownCount {
    let board = if row.board.rows() > row.board.cols() { row.board.transposed() } else { row.board };
    KnownCount { board, ..row }
}

fn line(row: &KnownCount, figure: &Figure) -> String {
    let (board, published, kind) = (row.board.to_string(), grouped(row.count), row.kind);
    match figure {
        Figure::Number { value, cost } => {
            let verdict = if *value == BigUint::from(row.count) { "equal" } else { "DIFFERS" };
            let seconds = cost.map_or(String::new(), |cost| format!("{:.3}", cost.seconds));
            let memory = cost.and_then(|cost| cost.peak).map_or(String::new(), bytes);
            format!("{board:<5} {:>30} {published:>30}  {verdict:<7} {seconds:>8} {memory:>11}  {kind}", grouped(value))
        }
        Figure::Contradiction(why) => format!("{board:<5} {:>30} {published:>30}  DIFFERS  {why}; {kind}", "-"),
        Figure::Beyond(why) => format!("{board:<5} {:>30} {published:>30}  not counted: {why}; {kind}", "-"),
    }
}

/// What one count may take.
struct Limits {
    settings: Settings,
    budget: Duration,
    /// What things take on this machine; measured once, for that takes a count.
    pace: MeasuredPace,
}

/// What one count took.
#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    peak: Option<u64>,
}

/// What came out for a row.
enum Figure {
    /// The number, and its cost where it was counted for this row.
    Number { value: BigUint, cost: Option<Cost> },
    /// Why there is none: the numbers that it follows from do not go together.
    Contradiction(String),
    /// Why it was not counted.
    Beyond(String),
}

/// A number counted once, however often it is needed, or why it is out of reach.
type KnownNumber = Result<BigUint, String>;

/// Why a number could not be had: those that it follows from are wrong, it is out of reach, or something failed.
enum MissingNumber {
    Contradiction(String),
    Beyond(String),
    Failed(Failure),
}

/// What has been counted of one board.
struct BoardCounts<'a> {
    board: Board,
    limits: &'a Limits,
    /// Open directed, closed undirected, by ending.
    tours: [Option<KnownNumber>; 2],
    /// Tours that a symmetry keeps, undirected: closed ones, and open ones that cannot be closed.
    kept: HashMap<(Ending, Symmetry), KnownNumber>,
    /// Of the counts for the row in work.
    cost: Option<Cost>,
}

impl BoardCounts<'_> {
    fn new(board: Board, limits: &Limits) -> BoardCounts<'_> {
        BoardCounts { board, limits, tours: [None, None], kept: HashMap::new(), cost: None }
    }

    fn figure(&mut self, row: &KnownCount) -> Result<Figure, Failure> {
        self.cost = None;
        match self.number_of(row) {
            Ok(value) => Ok(Figure::Number { value, cost: self.cost }),
            Err(MissingNumber::Contradiction(why)) => Ok(Figure::Contradiction(why)),
            Err(MissingNumber::Beyond(why)) => Ok(Figure::Beyond(why)),
            Err(MissingNumber::Failed(failure)) => Err(failure),
        }
    }

    /// The number of a kind. The kinds by symmetry are of square boards with an even side, of whose closed tours no
    /// reflection keeps one: a class has 8 tours, 4 if a half turn keeps them, 2 if a quarter turn does.
    fn number_of(&mut self, row: &KnownCount) -> Result<BigUint, MissingNumber> {
        let half_turn_only = |this: &mut Self| -> Result<BigUint, MissingNumber> {
            let by_half = this.kept(Ending::Closed, Symmetry::HalfTurn)?;
            let by_quarter = this.kept(Ending::Closed, Symmetry::QuarterTurn)?;
            divided(less(by_half, &by_quarter)?, 4)
        };
        let quarter_turn = |this: &mut Self| divided(this.kept(Ending::Closed, Symmetry::QuarterTurn)?, 2);
        match row.kind {
            CountKind::ClosedUndirected => self.tours(Ending::Closed),
            CountKind::ClosedDirected => Ok(self.tours(Ending::Closed)? * 2u32),
            CountKind::ClosedHalfTurn => self.kept(Ending::Closed, Symmetry::HalfTurn),
            CountKind::ClosedQuarterTurn => self.kept(Ending::Closed, Symmetry::QuarterTurn),
            CountKind::ClosedClasses => self.closed_classes(),
            CountKind::ClosedClassesAsymmetric => {
                let all = self.closed_classes()?;
                less(less(all, &half_turn_only(self)?)?, &quarter_turn(self)?)
            }
            CountKind::ClosedClassesHalfTurnOnly => half_turn_only(self),
            CountKind::ClosedClassesQuarterTurn => quarter_turn(self),
            CountKind::OpenDirected => self.tours(Ending::Open),
            CountKind::OpenUndirected => divided(self.tours(Ending::Open)?, 2),
            CountKind::OpenUndirectedStrict => self.strict(),
            CountKind::OpenClassesStrict => {
                let all = self.strict()?;
                self.classes(all, Ending::Open)
            }
        }
    }

    /// Open tours that cannot be closed, undirected: a closed tour can be cut at each of its moves.
    fn strict(&mut self) -> Result<BigUint, MissingNumber> {
        let open = divided(self.tours(Ending::Open)?, 2)?;
        less(open, &(self.tours(Ending::Closed)? * self.board.squares()))
    }

    fn closed_classes(&mut self) -> Result<BigUint, MissingNumber> {
        let all = self.tours(Ending::Closed)?;
        self.classes(all, Ending::Closed)
    }

    /// Classes of so many tours, by Burnside's lemma: the mean number of tours that a symmetry keeps.
    fn classes(&mut self, all: BigUint, ending: Ending) -> Result<BigUint, MissingNumber> {
        let symmetries = self.board.symmetries();
        let mut sum = all;
        // The identity, which keeps all, comes first.
        for &symmetry in &symmetries[1..] {
            sum += self.kept(ending, symmetry)?;
        }
        divided(sum, symmetries.len())
    }

    /// Tours, undirected, that a symmetry keeps, counted at most once: closed ones, or open ones that cannot be closed.
    fn kept(&mut self, ending: Ending, symmetry: Symmetry) -> Result<BigUint, MissingNumber> {
        if let Some(known) = self.kept.get(&(ending, symmetry)) {
            return known.clone().map_err(MissingNumber::Beyond);
        }
        let known = self.symmetric(ending, symmetry).map_err(MissingNumber::Failed)?;
        self.kept.insert((ending, symmetry), known.clone());
        known.map_err(MissingNumber::Beyond)
    }

    fn symmetric(&mut self, ending: Ending, symmetry: Symmetry) -> Result<KnownNumber, Failure> {
        let began = Instant::now();
        let peak = Peak::from_now();
        let budget = self.limits.budget;
        let bounds = Bounds {
            memory: self.limits.settings.memory,
            threads: self.limits.settings.threads,
            stop: &|_| began.elapsed() > budget,
        };
        let count = match ending {
            Ending::Closed => fixed_closed,
            Ending::Open => fixed_open_strict,
        };
        let counted = count(self.board, symmetry, bounds);
        self.spent(began, &peak);
        match counted {
            Ok(number) => Ok(Ok(number)),
            Err(error @ (SymmetricError::Identity | SymmetricError::NotKept { .. })) => Err(running(error)),
            Err(SymmetricError::Stopped) => Ok(Err(format!("takes more than {}", about(budget.as_secs_f64())))),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn spent(&mut self, began: Instant, peak: &Peak) {
        let before = self.cost.unwrap_or(Cost { seconds: 0.0, peak: None });
        let seconds = before.seconds + began.elapsed().as_secs_f64();
        self.cost = Some(Cost { seconds, peak: before.peak.max(peak.bytes()) });
    }

    /// All tours of an ending in the convention of `count`, counted at most once.
    fn tours(&mut self, ending: Ending) -> Result<BigUint, MissingNumber> {
        if let Some(known) = self.tours[ending as usize].clone() {
            return known.map_err(MissingNumber::Beyond);
        }
        let known = self.count(ending).map_err(MissingNumber::Failed)?;
        self.tours[ending as usize] = Some(known.clone());
        known.map_err(MissingNumber::Beyond)
    }

    /// About as many tours as will be found, to say how many passes that takes: the published number, or as many as all
    /// that is published of the board allows.
    fn expected(&self, ending: Ending) -> u128 {
        let most = || {
            // A class has at most so many tours.
            let images = 2 * self.board.symmetries().len() as u128;
            self.board.known_counts().iter().map(|known| known.count.saturating_mul(images)).max().unwrap_or(0)
        };
        self.board.known_tours(ending).map_or_else(most, |known| known.count)
    }

    fn count(&mut self, ending: Ending) -> Result<KnownNumber, Failure> {
        let Limits { settings, budget, pace } = self.limits;
        let question = CountQuestion::new(self.board, ending);
        let (began, peak, watch) = (Instant::now(), Peak::from_now(), CountWatch::new(settings.threads));
        let plan = match CountPlan::new(&question, settings.memory, &watch) {
            Ok(plan) => plan,
            Err(error @ (CountError::TooWide { .. } | CountError::PlanTooLarge { .. })) => {
                return Ok(Err(error.to_string()));
            }
            Err(error) => return Err(running(error)),
        };
        let passes = passes(self.expected(ending), plan.memory(64) <= settings.memory);
        let pass = |modulus| plan.pass_seconds(pace, modulus, settings, &watch);
        let first = if passes > 1 { Modulus::TwoTo64 } else { Modulus::None };
        // Passes modulo primes of 31 bits have counts as wide as those in plain integers.
        let seconds = pass(first) + pass(Modulus::None) * f64::from(passes - 1);
        let [narrow, wide] = [32, 64].map(|bits| bytes(plan.memory(bits)));
        let takes =
            format!("{} states at once, {narrow} to {wide}, about {}", count(plan.peak_states()), about(seconds));
        if let Err(CountError::Refused(_)) = plan.check(settings, &watch) {
            return Ok(Err(format!("{takes}: more memory than there is")));
        }
        if seconds > budget.as_secs_f64() {
            return Ok(Err(format!("{takes}: longer than {}", about(budget.as_secs_f64()))));
        }
        let answer = plan.run(settings, &watch).map_err(running)?;
        self.spent(began, &peak);
        let number = answer
            .count()
            .cloned()
            .ok_or_else(|| running(format!("{question:?} has no number, although nothing stopped its count")))?;
        Ok(Ok(number.value().clone()))
    }
}

/// The difference of two numbers of tours, the second of which must be a part of the first.
fn less(all: BigUint, part: &BigUint) -> Result<BigUint, MissingNumber> {
    if *part > all {
        let [all, part] = [&all, part].map(grouped);
        return Err(MissingNumber::Contradiction(format!("{part} tours or classes are to be a part of {all}")));
    }
    Ok(all - part)
}

/// A number that is known to be a multiple, divided.
fn divided(number: BigUint, by: usize) -> Result<BigUint, MissingNumber> {
    match &number % by == BigUint::ZERO {
        true => Ok(number / by),
        false => Err(MissingNumber::Contradiction(format!("{} is to be a multiple of {by}", grouped(&number)))),
    }
}

/// Passes that a number takes. If counters of 64 bits fit in memory: one if those hold it, else one that leaves its
/// residue modulo 2^64, those modulo primes that make up the rest, and one to confirm it. If only 32 bits fit, one that
/// goes on as long as they hold it, and primes alone.
fn passes(number: u128, fits_64: bool) -> u32 {
    let bits = u128::BITS - number.leading_zeros();
    let (exact, left) = if fits_64 { (64, bits.saturating_sub(64)) } else { (32, bits) };
    if bits <= exact { 1 } else { 2 + left.div_ceil(PRIME_BITS) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(memory: u64) -> Limits {
        let settings = Settings { threads: 2, memory, ..Settings::default() };
        Limits {
            settings,
            budget: Duration::from_secs(60),
            pace: MeasuredPace { seconds_per_state: 1e-9, seconds_per_fresh_byte: 0.0 },
        }
    }

    #[test]
    fn numbers_take_one_pass_as_long_as_counters_that_fit_hold_them() {
        let of = [0, u128::from(u64::MAX), 1 << 64, 2_122_880_233_853_945_590_892, 1 << 95];
        assert_eq!(of.map(|number| passes(number, true)), [1, 1, 3, 3, 4]);
        let of = [0, u128::from(u32::MAX), 1 << 32, u128::from(u64::MAX)];
        assert_eq!(of.map(|number| passes(number, false)), [1, 1, 4, 5]);
    }

    /// Numbers that do not go together are no numbers, and no reason to fall over.
    #[test]
    fn what_follows_from_wrong_numbers_differs() {
        let says = |result: Result<BigUint, MissingNumber>| match result {
            Ok(number) => number.to_string(),
            Err(MissingNumber::Contradiction(why)) => why,
            Err(_) => panic!("it is within reach"),
        };
        assert_eq!(says(divided(9864u32.into(), 8)), "1233");
        assert_eq!(says(divided(9863u32.into(), 8)), "9,863 is to be a multiple of 8");
        assert_eq!(says(less(78u32.into(), &10u32.into())), "68");
        assert!(says(less(10u32.into(), &78u32.into())).contains("78 tours or classes are to be a part of 10"));

        let limits = limits(1 << 30);
        let board: Board = "6x6".parse().unwrap();
        let mut counted = BoardCounts::new(board, &limits);
        counted.tours = [Some(Ok(9863u32.into())), Some(Ok(7u32.into()))];
        for kind in [CountKind::ClosedClasses, CountKind::ClosedClassesAsymmetric, CountKind::OpenUndirectedStrict] {
            let row = board.known_count(kind).unwrap();
            let figure = counted.figure(&row).unwrap_or_else(|failure| panic!("{failure}"));
            assert!(matches!(figure, Figure::Contradiction(_)), "{row:?}");
            assert!(line(&row, &figure).contains("DIFFERS"));
        }
    }

    #[test]
    fn what_a_symmetry_keeps_is_counted_once() {
        let limits = limits(1 << 30);
        let board: Board = "6x6".parse().unwrap();
        let mut counted = BoardCounts::new(board, &limits);
        let row = board.known_count(CountKind::ClosedHalfTurn).unwrap();
        let mut cost = || match counted.figure(&row).unwrap_or_else(|failure| panic!("{failure}")) {
            Figure::Number { cost, .. } => cost.is_some(),
            _ => panic!("{row:?} is within reach"),
        };
        assert_eq!([cost(), cost()], [true, false]);
    }

    #[test]
    fn every_kind_of_6x6_is_the_published_number() {
        let limits = limits(1 << 30);
        let board: Board = "6x6".parse().unwrap();
        let mut counted = BoardCounts::new(board, &limits);
        let rows = board.known_counts();
        assert_eq!(rows.len(), 11, "every kind but closed directed");
        for row in rows {
            match counted.figure(&row).unwrap_or_else(|failure| panic!("{failure}")) {
                Figure::Number { value, .. } => assert_eq!(value, BigUint::from(row.count), "{row:?}"),
                Figure::Contradiction(why) | Figure::Beyond(why) => panic!("{row:?}: {why}"),
            }
        }
    }

    #[test]
    fn a_count_that_does_not_fit_is_named_with_its_figures() {
        let limits = limits(8 << 20);
        let row = "6x8".parse::<Board>().unwrap().known_count(CountKind::ClosedUndirected).unwrap();
        let figure = BoardCounts::new(row.board, &limits).figure(&row).unwrap_or_else(|failure| panic!("{failure}"));
        let line = line(&row, &figure);
        assert!(line.contains("not counted") && line.contains("states at once") && line.contains("memory"), "{line}");
    }
}
