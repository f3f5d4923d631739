//! `count BOARD --symmetry NAME`: how many tours each symmetry of the board keeps, and in how many classes.
//!
//! Nothing is swept across the board for this: the board is folded by the symmetry (`count::symmetric`), so that boards
//! may be wider than a count takes them.

use crate::board::{Ending, Shape, Symmetry};
use crate::cli::sheet::WIDTH;
use crate::count::symmetric::{
    Bounds, SymmetricError, SymmetricProgress, ToursOfKind, fixed_tours, may_share_tours, reason_for_none,
    tours_of_kind,
};
use crate::count::{CountError, CountQuestion, Settings};
use crate::job::limits::peak_bytes;
use crate::job::{Answer, CommandLine, Failure, Report, answered, keys, object, print, running, usage, with_signals};
use crate::lock::LockAlways as _;
use crate::table::table;
use crate::words::{self, count, grouped};
use clap::ValueEnum;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

table! {
    /// The symmetries by their names on the command line.
    /// `symmetry`: itself; nothing for all of them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
    pub enum Which(symmetry: Option<Symmetry>) {
        QuarterTurn: Some(Symmetry::QuarterTurn);
        HalfTurn: Some(Symmetry::HalfTurn);
        LeftRight: Some(Symmetry::LeftRight);
        TopBottom: Some(Symmetry::TopBottom);
        MainDiagonal: Some(Symmetry::MainDiagonal);
        AntiDiagonal: Some(Symmetry::AntiDiagonal);
        /// Every one that the board has
        All: None;
    }
}

impl Which {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Those that are meant, of the ones that the board has.
    ///
    /// # Errors
    /// When the board has not the one that is meant.
    fn of(self, shape: &Shape) -> Result<Vec<Which>, Failure> {
        let own = shape.symmetries();
        let has = |which: &Which| which.symmetry().is_some_and(|symmetry| own.contains(&symmetry));
        let all: Vec<Which> = Which::ALL.into_iter().filter(has).collect();
        match self.symmetry() {
            None if all.is_empty() => Err(usage(format!("--symmetry all: {} has no symmetry", shape.short()))),
            None => Ok(all),
            Some(_) if has(&self) => Ok(vec![self]),
            Some(symmetry) => {
                let error = SymmetricError::NotKept { shape: shape.clone(), symmetry };
                let names: Vec<String> = all.into_iter().map(Which::name).collect();
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                Err(usage(format!("--symmetry {}: {error}; this one has {names}", self.name())))
            }
        }
    }
}

/// What came of one symmetry.
struct SymmetryRow {
    name: String,
    /// Why it keeps none, if that can be said without counting.
    why: Option<String>,
    /// How many tours it keeps, and those among them that it keeps and no symmetry of higher order does; not where symmetries
    /// [share tours](may_share_tours).
    kept: Result<(BigUint, Option<ToursOfKind>), SymmetricError>,
}

/// Counts and prints the numbers.
///
/// # Errors
/// [`Failure`] when the board has not the symmetry, and when what it keeps does not fit in memory.
pub fn run(which: Which, json: bool, question: &CountQuestion, settings: &Settings) -> Result<Answer, Failure> {
    let began = Instant::now();
    let rows = which.of(&question.shape)?;
    let stopped = AtomicBool::new(false);
    let counter = Counter { question, settings, stopped, quarter: OnceLock::new(), at: Mutex::default() };
    let progress = || counter.line();
    let body = || rows.into_iter().map(|which| counter.row(which)).collect::<Result<Vec<SymmetryRow>, CountError>>();
    let (rows, signal) = with_signals(|| counter.stopped.store(true, Ordering::Relaxed), progress, body)?;
    let rows = rows.map_err(running)?;
    let refused = rows.iter().filter_map(|row| row.kept.as_ref().err()).find(|error| error.is_usage());
    if let Some(error) = refused.filter(|_| signal.is_none()) {
        return Err(usage(format!("{error}{}", others(&rows))));
    }
    print(&symmetry_report(question, &rows, which == Which::All, counter.shown().peak, began), json, false)?;
    answered(first_error(&rows).map_or(Ok(()), |error| Err(running(error))), signal)
}

/// The numbers that are known all the same where one cannot be had.
fn others(rows: &[SymmetryRow]) -> String {
    let known = |row: &SymmetryRow| row.kept.as_ref().ok().map(|(kept, _)| format!("{} {}", row.name, grouped(kept)));
    let known: Vec<String> = rows.iter().filter_map(known).collect();
    if known.is_empty() { String::new() } else { format!("\nThe others: {}", known.join(", ")) }
}

struct Counter<'a> {
    question: &'a CountQuestion,
    settings: &'a Settings,
    stopped: AtomicBool,
    /// What a quarter turn keeps, once that was wanted: it is a row, and part of that of the half turn.
    quarter: OnceLock<Result<BigUint, SymmetricError>>,
    at: Mutex<SymmetryProgress>,
}

/// How far it is.
#[derive(Clone, Default)]
struct SymmetryProgress {
    name: String,
    reached: SymmetricProgress,
    peak: u64,
}

impl Counter<'_> {
    fn shown(&self) -> SymmetryProgress {
        self.at.locked().clone()
    }

    fn line(&self) -> String {
        let SymmetryProgress { name, reached: SymmetricProgress { done, orbits, states }, .. } = self.shown();
        format!("{name}, {done} of {orbits} orbits done, {} states", count(states))
    }

    /// Notes how far it is; whether to stop.
    fn sees(&self, reached: SymmetricProgress) -> bool {
        let mut at = self.at.locked();
        (at.reached, at.peak) = (reached, at.peak.max(reached.states));
        self.stopped.load(Ordering::Relaxed)
    }

    fn row(&self, which: Which) -> Result<SymmetryRow, CountError> {
        let &CountQuestion { ref shape, ending, .. } = self.question;
        let symmetry = which.symmetry().unwrap_or(Symmetry::Identity);
        let why = reason_for_none(shape, ending, symmetry);
        self.at.locked().name = which.name();
        let kept = if why.is_some() { Ok((BigUint::ZERO, BigUint::ZERO)) } else { self.kept(symmetry) };
        let kept = match kept {
            Ok((kept, _)) if may_share_tours(shape, ending) => Ok((kept, None)),
            Ok((kept, by_quarter_turn)) => {
                let kind = tours_of_kind(shape, symmetry, &kept, &by_quarter_turn);
                Ok((kept, Some(kind.ok_or(CountError::Question("the orbits of these tours do not come out whole"))?)))
            }
            Err(error) => Err(error),
        };
        Ok(SymmetryRow { name: which.name(), why, kept })
    }

    /// How many tours a symmetry keeps; and of those of a half turn, how many a quarter turn keeps.
    fn kept(&self, symmetry: Symmetry) -> Result<(BigUint, BigUint), SymmetricError> {
        let &CountQuestion { ref shape, ending, .. } = self.question;
        let quarter = Symmetry::QuarterTurn;
        if symmetry == quarter {
            return Ok((self.by_quarter_turn()?, BigUint::ZERO));
        }
        // First what was asked for: if it is too large, that is said of it.
        let kept = self.fixed(symmetry)?;
        let turned = (symmetry, ending) == (Symmetry::HalfTurn, Ending::Closed)
            && shape.symmetries().contains(&quarter)
            && reason_for_none(shape, ending, quarter).is_none();
        Ok((kept, if turned { self.by_quarter_turn()? } else { BigUint::ZERO }))
    }

    /// How many tours a quarter turn keeps; counted once.
    fn by_quarter_turn(&self) -> Result<BigUint, SymmetricError> {
        self.quarter.get_or_init(|| self.fixed(Symmetry::QuarterTurn)).clone()
    }

    fn fixed(&self, symmetry: Symmetry) -> Result<BigUint, SymmetricError> {
        let &CountQuestion { ending, strict, .. } = self.question;
        let Settings { memory, threads, .. } = *self.settings;
        let bounds = Bounds { memory, threads, stop: &|reached| self.sees(reached) };
        fixed_tours(&self.question.shape, ending, strict, symmetry, bounds)
    }
}

/// Why a number is not there, other than that it was stopped.
fn first_error(rows: &[SymmetryRow]) -> Option<&SymmetricError> {
    rows.iter().filter_map(|row| row.kept.as_ref().err()).find(|error| **error != SymmetricError::Stopped)
}

/// The numbers, with what they took since `began`; `peak` is the most states after one orbit.
fn symmetry_report(question: &CountQuestion, rows: &[SymmetryRow], is_all: bool, peak: u64, began: Instant) -> Report {
    let (name, ending, elapsed_s) = (question.name(), question.ending.name(), began.elapsed().as_secs_f64());
    let mut failed = rows.iter().filter_map(|row| row.kept.as_ref().err());
    let stopped = failed.clone().any(|error| *error == SymmetricError::Stopped);
    let complete = failed.next().is_none();
    let mut report = Report::default();

    let strict = if question.strict { " that cannot be closed" } else { "" };
    report.text(format_args!("{name} {ending} tours{strict}, undirected: how many a symmetry keeps\n"));
    keys!(report, "board" => question.board(), "holes"? => question.hole_names(), ending);
    keys!(report, "convention" => "undirected", "strict"? => question.strict.then_some(true));
    tell_rows(&mut report, rows);
    let kinds: Option<Vec<&ToursOfKind>> = rows.iter().map(|row| row.kept.as_ref().ok()?.1.as_ref()).collect();
    if let Some(kinds) = kinds.filter(|_| is_all && complete && question.shape.squares() > 1) {
        let tours: BigUint = kinds.iter().map(|kind| &kind.tours).sum();
        let in_all: BigUint = kinds.iter().map(|kind| &kind.classes).sum();
        let (tours, classes) = (words::number_of(&tours, "tour"), classes(&in_all));
        report.text(format_args!("\nin all {tours} in {classes}; with all the others:"));
        report.text(CommandLine::count(&CountQuestion { unique: true, ..question.clone() }));
    }
    let states = words::number_of(peak, "state");
    let (peak_bytes, stopped) = (peak_bytes(), stopped.then_some("signal"));
    keys!(report, "peak_states" => peak, peak_bytes, elapsed_s, complete, stopped);
    report.text(format_args!("\nat most {states}, {elapsed_s:.1} s"));
    report.key_if("error", first_error(rows).map(ToString::to_string));
    report
}

/// A line for each symmetry; by name how many tours it keeps, null where that was not counted, and why it keeps none.
fn tell_rows(report: &mut Report, rows: &[SymmetryRow]) {
    let digits = |row: &SymmetryRow| row.kept.as_ref().map_or("-".to_owned(), |(kept, _)| grouped(kept));
    let width = rows.iter().map(|row| digits(row).len()).max().unwrap_or(0);
    for (at, row) in rows.iter().enumerate() {
        report.text(format_args!("{:<13} {:>width$}  {}", row.name, digits(row), row.remark()));
        // Told once for neighbours.
        if let Some(why) = row.why.as_ref().filter(|_| rows.get(at + 1).is_none_or(|next| next.why != row.why)) {
            words::wrapped(why, WIDTH - 2).iter().for_each(|line| report.text(format_args!("  {line}")));
        }
    }
    let kept = |row: &SymmetryRow| row.kept.as_ref().ok().map(|(kept, _)| kept.to_string());
    let symmetry: BTreeMap<String, Option<String>> = rows.iter().map(|row| (row.name.clone(), kept(row))).collect();
    let kinds: Vec<Report> = rows.iter().filter_map(SymmetryRow::kind).collect();
    let why: BTreeMap<String, String> =
        rows.iter().filter_map(|row| Some((row.name.clone(), row.why.clone()?))).collect();
    keys!(report, symmetry, kinds, why);
}

impl SymmetryRow {
    /// The tours that the symmetry keeps and no symmetry of higher order does; `orbit` images of each, itself among them.
    fn kind(&self) -> Option<Report> {
        let ToursOfKind { tours, orbit, classes, .. } = self.kept.as_ref().ok()?.1.as_ref()?;
        let (symmetry, orbit) = (self.name.clone(), *orbit);
        let [tours, classes] = [tours, classes].map(BigUint::to_string);
        Some(object!(symmetry, tours, orbit, classes))
    }

    /// What is said beside the number.
    fn remark(&self) -> String {
        match &self.kept {
            Err(SymmetricError::Stopped) => "NOT counted: it was stopped".to_owned(),
            Err(error) => format!("NOT counted: {error}"),
            Ok((kept, _)) if *kept == BigUint::ZERO && self.why.is_none() => "none, as counting shows".to_owned(),
            Ok((kept, _)) if *kept == BigUint::ZERO => "none:".to_owned(),
            Ok((_, None)) => "other symmetries may keep some of them, too: --unique counts classes".to_owned(),
            Ok((kept, Some(kind))) if *kept > kind.tours => {
                let (tours, classes) = (grouped(&kind.tours), classes(&kind.classes));
                format!("{tours} in {classes} of {}; the others a quarter turn keeps too", kind.orbit)
            }
            // That of 1x1.
            Ok((_, Some(kind))) if kind.tours == BigUint::from(1u32) => "1 tour, 1 class".to_owned(),
            Ok((_, Some(kind))) => format!("in {} of {}", classes(&kind.classes), kind.orbit),
        }
    }
}

/// So many classes, in words.
fn classes(number: &BigUint) -> String {
    words::number_of(number, "class")
}
