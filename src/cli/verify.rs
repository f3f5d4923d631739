//! `destrier verify`: tours from a file or stdin, each checked move by move.

use super::args::{THREADS_MAX, holes, threads};
use crate::board::{Board, Ending, Holes};
use crate::job::say::{print_object, safe};
use crate::job::{Failure, usage};
use crate::store::{self, PlainTours, ReadTour, TourReadError, TourReader, check, fault_number, tour_location};
use crate::words::noun;
use clap::{Args, value_parser};
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Faults that are listed; more are counted.
const LISTED_MAX: usize = 100;

/// `destrier verify`.
#[derive(Args)]
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
    /// The file is a picture of the board (# or x a hole, . or o a square), or a list of squares.
    #[arg(long, value_name = "FILE")]
    holes: Option<PathBuf>,
    /// The board of lists that do not name theirs; tours of other boards are invalid
    #[arg(long)]
    board: Option<Board>,
    /// Number of threads for long files, 1 to 4096; without it one per core
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=THREADS_MAX))]
    threads: Option<u32>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl VerifyArgs {
    /// To check a file by so many threads.
    pub fn of(file: PathBuf, threads: u32) -> VerifyArgs {
        VerifyArgs { file: Some(file), closed: true, holes: None, board: None, threads: Some(threads), json: true }
    }
}

/// What `verify --json` prints.
#[derive(Default, Serialize)]
pub struct VerifyReport {
    tours: u64,
    /// Tours that are all right.
    pub valid: u64,
    /// Of the valid ones: those whose last square is a knight's move from the first, and the others.
    closed: u64,
    open: u64,
    /// Of the valid ones: those that leave out squares.
    around_holes: u64,
    invalid: u64,
    faults: Vec<WrongTour>,
    /// Invalid tours that are not in `faults`.
    faults_left_out: u64,
    /// Faults that were listed, here or on stdout.
    #[serde(skip)]
    listed: usize,
}

#[derive(Serialize)]
struct WrongTour {
    /// Number of the tour, from 1.
    index: u64,
    /// Number of the line, from 1. Nothing in a packed file, which has no lines.
    line: Option<u64>,
    /// Number of the first wrong move, from 1, if it can be told. One that is missing, or that does not close the tour,
    /// comes after the last.
    r#move: Option<usize>,
    reason: String,
}

/// A line, if the tours have lines.
fn lined(line: u64) -> Option<u64> {
    Some(line).filter(|&line| line > 0)
}

/// A valid tour.
struct Right {
    closed: bool,
    around_holes: bool,
}

/// Checks and prints what came of it. Returns the exit code.
///
/// # Errors
/// [`Failure::Usage`] when there is nothing to check: no file, no text, no tours.
pub fn run(args: &VerifyArgs) -> Result<u8, Failure> {
    let verdict = verdict(args)?;
    verdict.print(args.json)?;
    Ok(u8::from(verdict.invalid > 0))
}

/// Checks, printing faults unless they are in the verdict.
///
/// # Errors
/// As [`run`].
pub fn verdict(args: &VerifyArgs) -> Result<VerifyReport, Failure> {
    let stdin = args.file.as_deref().is_none_or(|file| file == Path::new("-"));
    let (name, input): (String, Box<dyn Read + Send>) = match &args.file {
        Some(file) if !stdin => (file.display().to_string(), Box::new(opened(file, store::open_tours(file))?)),
        _ => ("stdin".to_owned(), Box::new(io::stdin())),
    };
    let mut mask = args.holes.as_deref().map(Mask::new).transpose()?;
    let mut verdict = VerifyReport::default();
    let mut tours = TourReader::new(input, args.board);
    let (ending, threads) = (if args.closed { Ending::Closed } else { Ending::Open }, threads(args.threads)?);
    let broken = |error: TourReadError, verdict: &VerifyReport| match verdict.tours {
        0 => usage(format!("{name}: {error}")),
        _ => usage(format!("{name}: {error}; before it, {}", verdict.summary())),
    };
    loop {
        if mask.is_none() {
            let plain = tours.take_plain(ending, threads).map_err(|error| broken(error, &verdict))?;
            verdict.add_plain(plain);
            if plain.tours > 0 {
                continue;
            }
        }
        let judged = match tours.next() {
            None => break,
            Some(Ok(tour)) => judge(tour, args.closed, mask.as_mut())?,
            Some(Err(TourReadError::Tour { index, line, number, reason })) => {
                Err(WrongTour { index, line: lined(line), r#move: number, reason })
            }
            Some(Err(TourReadError::Block { first, tours, reason })) => {
                verdict.add_wrong(tours, WrongTour { index: first, line: None, r#move: None, reason }, args.json)?;
                continue;
            }
            Some(Err(error)) => return Err(broken(error, &verdict)),
        };
        verdict.add(judged, args.json)?;
    }
    if verdict.tours == 0 {
        return Err(usage(format!("{name}: there is no tour in it")));
    }
    Ok(verdict)
}

fn opened(file: &Path, opened: io::Result<File>) -> Result<File, Failure> {
    opened.map_err(|error| usage(format!("{}: {error}", file.display())))
}

/// The file of `--holes`, read for the board of the tours.
struct Mask<'a> {
    file: &'a Path,
    holes: Option<(Board, Holes)>,
}

impl Mask<'_> {
    /// A file that can be opened, which is found out before any tour is read.
    fn new(file: &Path) -> Result<Mask<'_>, Failure> {
        opened(file, File::open(file)).map(|_| Mask { file, holes: None })
    }

    fn of(&mut self, board: Board) -> Result<Holes, Failure> {
        if let Some((_, holes)) = self.holes.as_ref().filter(|(of, _)| *of == board) {
            return Ok(holes.clone());
        }
        let holes = holes(self.file, board)?;
        self.holes = Some((board, holes.clone()));
        Ok(holes)
    }
}

/// Whether it is a tour.
fn judge(tour: ReadTour, closed: bool, mask: Option<&mut Mask<'_>>) -> Result<Result<Right, WrongTour>, Failure> {
    let ReadTour { index, line, board, ending, holes, squares } = tour;
    let mask = mask.map(|mask| mask.of(board)).transpose()?;
    if mask.as_ref().is_some_and(|mask| !holes.is_empty() && holes != *mask) {
        let reason = "it leaves out other squares than --holes".to_owned();
        return Ok(Err(WrongTour { index, line: lined(line), r#move: None, reason }));
    }
    let holes = mask.unwrap_or(holes);
    let around_holes = !holes.is_empty();
    let ending = if closed { Ending::Closed } else { ending.unwrap_or(Ending::Open) };
    let length = squares.len();
    Ok(match check(board, holes, ending, squares) {
        Err(fault) => {
            let (number, reason) = (Some(fault_number(&fault, length)), fault.to_string());
            Err(WrongTour { index, line: lined(line), r#move: number, reason })
        }
        Ok(tour) => {
            let squares = tour.squares();
            Ok(Right { closed: board.adjacent(squares[squares.len() - 1], squares[0]), around_holes })
        }
    })
}

impl VerifyReport {
    /// Counts a tour; a fault is printed at once, unless it will be in the JSON object.
    fn add(&mut self, judged: Result<Right, WrongTour>, json: bool) -> io::Result<()> {
        match judged {
            Ok(Right { closed, around_holes }) => {
                self.tours += 1;
                self.valid += 1;
                self.closed += u64::from(closed);
                self.open += u64::from(!closed);
                self.around_holes += u64::from(around_holes);
                Ok(())
            }
            Err(wrong) => self.add_wrong(1, wrong, json),
        }
    }

    /// Counts tours that have one fault.
    fn add_wrong(&mut self, tours: u64, wrong: WrongTour, json: bool) -> io::Result<()> {
        self.tours += tours;
        self.invalid += tours;
        if self.listed == LISTED_MAX {
            self.faults_left_out += tours;
            return Ok(());
        }
        self.listed += 1;
        if json {
            self.faults.push(wrong);
        } else {
            let place = tour_location(wrong.index, wrong.line.unwrap_or(0));
            writeln!(io::stdout(), "{place}: {}", safe(&wrong.reason))?;
        }
        Ok(())
    }

    /// Counts tours that are all right, and go round no holes.
    fn add_plain(&mut self, PlainTours { tours, closed, .. }: PlainTours) {
        self.tours += tours;
        self.valid += tours;
        self.closed += closed;
        self.open += tours - closed;
    }

    fn summary(&self) -> String {
        let VerifyReport { tours, valid, closed, open, invalid, .. } = self;
        let holes = match self.around_holes {
            0 => String::new(),
            some => format!("; {some} around holes"),
        };
        format!(
            "{tours} {}: {valid} valid ({closed} closed, {open} open{holes}), {invalid} invalid",
            noun(tours, "tour")
        )
    }

    fn print(&self, json: bool) -> io::Result<()> {
        if json {
            return print_object(self);
        }
        let mut stdout = io::stdout().lock();
        if self.faults_left_out > 0 {
            writeln!(stdout, "and {} more invalid ones", self.faults_left_out)?;
        }
        writeln!(stdout, "{}", self.summary())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_that_are_not_listed_are_counted_in_tours() {
        let mut report = VerifyReport::default();
        let wrong = |index| WrongTour { index, line: None, r#move: None, reason: "a block is damaged".to_owned() };
        (1..=LISTED_MAX as u64).for_each(|index| report.add_wrong(1, wrong(index), true).unwrap());
        [7, 3].into_iter().for_each(|tours| report.add_wrong(tours, wrong(101), true).unwrap());
        let VerifyReport { tours, invalid, faults, faults_left_out, .. } = report;
        assert_eq!((tours, invalid, faults.len(), faults_left_out), (110, 110, LISTED_MAX, 10));
    }
}
