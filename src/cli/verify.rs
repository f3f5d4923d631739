//! `destrier verify`: tours from a file or stdin, each checked move by move.

use super::args::{InputTours, THREADS_MAX, open_input, refused_holes, threads};
use crate::board::{Board, Ending, Shape, Symmetry, Tour, TourFacts};
use crate::bounded;
use crate::job::{Answer, Failure, NoReason, Report, keys, print, refuse_if, usage};
use crate::store::{DistinctTours, ReadTour, TourReadError, holes as mask, lines_named, tour_location};
use crate::words::{noun, number_in, number_of};
use clap::Args;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Tours whose facts are in the JSON object.
const FACTS_MAX: usize = 10_000;

/// Faults that are listed; more are counted.
const LISTED_MAX: usize = 100;

/// Forms in which this program writes tours: that a text has them needs no words.
const OWN_FORMS: [&str; 5] = ["list", "grid", "names in JSON", "SVG", "packed"];

/// `destrier verify`.
#[derive(Args, Default)]
pub struct VerifyArgs {
    /// The file of tours; without it, or when it is -, stdin
    ///
    /// Lists of moves, grids, JSON, SVG or packed, compressed or not.
    file: Option<PathBuf>,
    /// Every tour must be closed
    ///
    /// Without this open ones will do, unless the text says that they are closed.
    #[arg(long)]
    closed: bool,
    /// Leave out the squares that a file names
    ///
    /// The file is a picture of the board (# x * 1 a hole, . o _ 0 s a square), or a list of squares.
    #[arg(long, value_name = "FILE")]
    holes: Option<PathBuf>,
    /// The board of lists that do not name theirs; tours of other boards are invalid
    #[arg(long)]
    board: Option<Shape>,
    /// Say how many of the valid tours are different, and how many classes they are of
    ///
    /// Tours that are closed by --closed or by their text are one from every square and in both directions; open ones are directed.
    /// A class is the tours that symmetries of the board and reversal take to each other. The classes are kept in up to 1 GiB of
    /// memory, about 8 million of 8x8; where they take more, there is no answer.
    #[arg(long)]
    distinct: bool,
    /// Say of each valid tour whether it closes, its symmetries, turns, crossings, and whether its numbers are magic
    ///
    /// Symmetries of the board that take the moves of the tour to its moves. Turns: squares on which the direction changes.
    /// Crossings: pairs of moves whose lines cross. Semi-magic: the numbers of all rows, or of all columns, have one sum; magic: both;
    /// diagonally magic: both diagonals, too. In JSON the facts of the first 10,000 tours.
    #[arg(long)]
    facts: bool,
    /// Number of threads for long files, 1 to 4096; without it one per core
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    /// To check a file by so many threads.
    pub fn of(file: PathBuf, threads: u32) -> VerifyArgs {
        VerifyArgs { file: Some(file), closed: true, threads: Some(threads), json: true, ..VerifyArgs::default() }
    }
}

/// What was counted so far, in tours.
#[derive(Default)]
pub struct VerifyTally {
    /// Tours that are all right.
    pub valid: u64,
    /// Of the valid ones: those whose last square is a knight's move from the first.
    closed: u64,
    /// Of the valid ones: those that leave out squares.
    around_holes: u64,
    invalid: u64,
    /// The valid tours, where they are compared.
    distinct: Option<DistinctTours>,
    /// The facts of the first tours, for the JSON object, and the number of tours whose facts are not in it.
    facts: Option<Vec<Report>>,
    facts_left_out: u64,
    /// The faults that are listed in the JSON object.
    faults: Vec<Report>,
    /// Faults that were listed, in the object or on stdout.
    listed: usize,
    /// Invalid tours whose faults were not.
    faults_left_out: u64,
    /// The skipped lines that are listed in the JSON object.
    skipped: Vec<Report>,
    /// Lines on which no form begins.
    skipped_lines: u64,
    /// Whether tours that could be closed are open ones here.
    are_cut: bool,
    /// The forms in which the tours stood in the text.
    read_as: BTreeSet<&'static str>,
    /// Lines that were passed over: comments, headings, sizes and boxes.
    passed_over: u64,
}

/// A fault: the number of the tour, its line, or 0 in a packed file, which has none, the column and the number of the first wrong
/// move, if they can be told, and why it is wrong.
fn fault(error: TourReadError) -> Report {
    let (index, line, column, number, reason) = match error {
        TourReadError::Tour { index, line, column, number, reason, .. } => (index, line, column, number, reason),
        error => (0, 0, None, None, error.to_string()),
    };
    let mut fault = Report::default();
    fault.text(format_args!("{}: {reason}", tour_location(index, line)));
    keys!(fault, index, "line" => Some(line).filter(|&line| line > 0));
    // One that is missing, or that does not close the tour, comes after the last.
    keys!(fault, "move" => number, reason, column);
    fault
}

/// Checks and prints what came of it.
///
/// # Errors
/// [`Failure::Usage`] when there is nothing to check: no file, no text, no tours.
pub fn run(args: &VerifyArgs) -> Result<Answer, Failure> {
    let tally = tally(args)?;
    let answer = Answer::no_if(tally.invalid > 0 || tally.skipped_lines > 0, NoReason::NotValid);
    print(&tally.report(), args.json, false)?;
    Ok(answer)
}

/// Checks, printing faults unless they will be in the JSON object.
///
/// # Errors
/// As [`run`].
pub fn tally(args: &VerifyArgs) -> Result<VerifyTally, Failure> {
    let (name, mut tours) = open_input(args.file.as_deref(), args.board.as_ref())?;
    let mut mask = args.holes.as_deref().map(Mask::new).transpose()?;
    let mut tally = VerifyTally {
        distinct: args.distinct.then(DistinctTours::default),
        facts: args.facts.then(Vec::new),
        ..VerifyTally::default()
    };
    let (ending, threads) = (if args.closed { Ending::Closed } else { Ending::Open }, threads(args.threads)?);
    let broken = |error: TourReadError, tally: &VerifyTally| match tally.tours() {
        0 => usage(format!("{name}: {error}")),
        _ => usage(format!("{name}: {error}; before it, {}", tally.summary())),
    };
    let is_plain = mask.is_none() && !args.distinct && !args.facts;
    loop {
        if is_plain && tally.take_plain(&mut tours, ending, threads).map_err(|error| broken(error, &tally))? {
            continue;
        }
        match tours.next() {
            None => break,
            Some(Ok(tour)) => tally.add(tour, mask.as_mut(), args)?,
            Some(Err(error @ TourReadError::Tour { .. })) => tally.add_invalid(error, args.json)?,
            Some(Err(TourReadError::Skipped { from, to, reason })) => tally.add_skipped(from, to, reason, args.json)?,
            Some(Err(error)) => return Err(broken(error, &tally)),
        }
    }
    (tally.read_as, tally.passed_over) = (tours.forms().clone(), tours.passed_over());
    refuse_if(tally.tours() == 0, format_args!("{name}: there is no tour in it"))?;
    Ok(tally)
}

/// The file of `--holes`, which is read once, for the board of the first tour.
struct Mask<'a> {
    name: &'a Path,
    file: File,
    text: String,
    shape: Option<Shape>,
}

impl Mask<'_> {
    /// A file that can be opened, which is found out before any tour is read.
    fn new(name: &Path) -> Result<Mask<'_>, Failure> {
        let file = bounded::open_stream(name).map_err(|error| refused_holes(name, &error.to_string()))?;
        Ok(Mask { name, file, text: String::new(), shape: None })
    }

    fn of(&mut self, board: Board) -> Result<Shape, Failure> {
        if let Some(shape) = self.shape.as_ref().filter(|shape| shape.board() == board) {
            return Ok(shape.clone());
        }
        let refused = |error: String| refused_holes(self.name, &error);
        if self.shape.is_none() {
            self.text = mask::text(&self.file, board).map_err(refused)?;
        }
        let holes = mask::parse(&self.text, board).map_err(refused)?;
        Ok(self.shape.insert(Shape::new(board, holes)).clone())
    }
}

/// Whether it is a tour.
fn judge(tour: ReadTour, closed: bool, mask: Option<&mut Mask<'_>>) -> Result<Result<Tour, TourReadError>, Failure> {
    let shape = mask.map(|mask| mask.of(tour.shape.board())).transpose()?;
    let tour = if let Some(shape) = shape { tour.of_shape(&shape) } else { Ok(tour) };
    Ok(tour.and_then(|tour| {
        let ending = if closed { Ending::Closed } else { tour.ending.unwrap_or(Ending::Open) };
        tour.verify(ending)
    }))
}

impl VerifyTally {
    fn tours(&self) -> u64 {
        self.valid + self.invalid
    }

    /// Counts the plain tours that come next, unless each is looked at; whether there were any.
    fn take_plain(&mut self, tours: &mut InputTours, ending: Ending, threads: usize) -> Result<bool, TourReadError> {
        let plain = tours.take_plain(ending, threads)?;
        self.valid += plain.tours;
        self.closed += plain.closed;
        self.invalid += plain.wrong;
        self.faults_left_out += plain.wrong;
        let are_some = plain.tours + plain.wrong > 0;
        if !are_some && self.listed == LISTED_MAX {
            tours.count_wrong();
        }
        Ok(are_some)
    }

    /// Counts a tour that was read.
    fn add(&mut self, tour: ReadTour, mask: Option<&mut Mask<'_>>, args: &VerifyArgs) -> Result<(), Failure> {
        let place = (tour.index, tour.line());
        match judge(tour, args.closed, mask)? {
            Ok(tour) => self.add_valid(place, &tour, args),
            Err(error) => self.add_invalid(error, args.json),
        }
    }

    /// Counts a valid tour, with its number and line, and says its facts if they are asked for.
    fn add_valid(&mut self, (index, line): (u64, u64), tour: &Tour, args: &VerifyArgs) -> Result<(), Failure> {
        let squares = tour.squares();
        self.valid += 1;
        let closes = tour.board().adjacent(squares[squares.len() - 1], squares[0]);
        self.closed += u64::from(closes);
        self.are_cut |= closes && tour.ending() == Ending::Open;
        self.around_holes += u64::from(!tour.holes().is_empty());
        if let Some(distinct) = &mut self.distinct {
            distinct.add(tour);
        }
        match &mut self.facts {
            Some(listed) if !args.json || listed.len() < FACTS_MAX => {
                list(listed, facts(index, line, &TourFacts::of(tour)), args.json)
            }
            listed => {
                self.facts_left_out += u64::from(listed.is_some());
                Ok(())
            }
        }
    }

    /// Counts tours that have one fault, which is printed at once, unless it will be in the JSON object.
    fn add_invalid(&mut self, error: TourReadError, json: bool) -> Result<(), Failure> {
        let tours = if let TourReadError::Tour { tours, .. } = error { tours } else { 1 };
        self.invalid += tours;
        if self.listed == LISTED_MAX {
            self.faults_left_out += tours;
            return Ok(());
        }
        self.listed += 1;
        list(&mut self.faults, fault(error), json)
    }

    /// Counts lines that are not read. Only the first few are listed.
    fn add_skipped(&mut self, from: u64, to: u64, reason: String, json: bool) -> Result<(), Failure> {
        self.skipped_lines += to + 1 - from;
        if self.listed == LISTED_MAX {
            return Ok(());
        }
        self.listed += 1;
        let mut lines = Report::default();
        lines.text(format_args!("not read: {}: {reason}", lines_named(from, to)));
        keys!(lines, "line" => from, to, reason);
        list(&mut self.skipped, lines, json)
    }

    fn summary(&self) -> String {
        let VerifyTally { valid, closed, invalid, .. } = self;
        let if_some = |number: u64, words: String| if number > 0 { words } else { String::new() };
        let holes = if_some(self.around_holes, format!("; {} around holes", self.around_holes));
        let skipped = if_some(self.skipped_lines, format!("; {} not read", number_of(self.skipped_lines, "line")));
        let (tours, open) = (self.tours(), valid - closed);
        let noun = noun(tours, "tour");
        format!("{tours} {noun}: {valid} valid ({closed} closed, {open} open{holes}), {invalid} invalid{skipped}")
    }

    fn report(self) -> Report {
        let mut report = Report::default();
        if self.faults_left_out > 0 {
            report.text(format_args!("and {} more invalid ones", self.faults_left_out));
        }
        if self.read_as.iter().any(|form| !OWN_FORMS.contains(form)) {
            let forms: Vec<&str> = self.read_as.iter().copied().collect();
            report.text(format_args!("read as {}", forms.join("; ")));
        }
        if self.passed_over > 0 {
            let lines = noun(self.passed_over, "line");
            report.text(format_args!("{} {lines} passed over: headings, comments, sizes", self.passed_over));
        }
        report.text(self.summary());
        let open = self.valid - self.closed;
        keys!(report, self.tours(), self.valid, self.closed, open, self.around_holes, self.invalid);
        if let Some(distinct) = self.distinct {
            let counts = distinct.counts();
            report.text(match counts {
                Some([tours, 1]) => format!("{tours} different, of 1 class under symmetry and reversal"),
                Some([tours, more]) => format!("{tours} different, of {more} classes under symmetry and reversal"),
                None => "how many are different is not known: to keep them takes more than 1 GiB".to_owned(),
            });
            if counts.is_some() && self.are_cut {
                report.text("counted as open tours, by where they begin; --closed counts closed ones");
            }
            let (distinct, classes) = counts.map(<(u64, u64)>::from).unzip();
            keys!(report, distinct, classes);
        }
        if let Some(facts) = self.facts {
            keys!(report, facts, self.facts_left_out);
        }
        keys!(report, self.faults, self.faults_left_out, self.read_as, self.passed_over);
        keys!(report, self.skipped, self.skipped_lines);
        report
    }
}

/// The facts of a valid tour.
fn facts(index: u64, line: u64, facts: &TourFacts) -> Report {
    let mut report = Report::default();
    report.text(format_args!("{}: {facts}", tour_location(index, line)));
    let (closed, magic) = (facts.is_closed, facts.magic.name());
    let symmetry: Vec<String> = facts.symmetries.iter().map(Symmetry::to_string).collect();
    keys!(report, index, closed, symmetry, facts.turns, facts.crossings, magic);
    report
}

/// Keeps an entry for the JSON object, or prints it.
fn list(kept: &mut Vec<Report>, entry: Report, json: bool) -> Result<(), Failure> {
    if !json {
        return print(&entry, false, false);
    }
    kept.push(entry);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_that_are_not_listed_are_counted_in_tours() {
        let mut tally = VerifyTally::default();
        let reason = || "a block is damaged".to_owned();
        let mut add = |tours, index| {
            let (line, column, number, reason) = (0, None, None, reason());
            tally.add_invalid(TourReadError::Tour { index, tours, line, column, number, reason }, true).unwrap();
        };
        (1..=LISTED_MAX as u64).for_each(|index| add(1, index));
        [7, 3].into_iter().for_each(|tours| add(tours, 101));
        let object = serde_json::to_value(tally.report()).unwrap();
        let numbers = ["tours", "invalid", "faults_left_out"].map(|key| object[key].as_u64());
        assert_eq!((numbers, object["faults"].as_array().map(Vec::len)), ([110, 110, 10].map(Some), Some(LISTED_MAX)));
    }
}
