//! What `find` came to: its report, and the tours as they are shown.

use crate::board::{Board, Ending, Route, TourFault, verify_by_numbers, with_numbers};
use crate::cli::terminal::{needs_terminal, on_screens};
use crate::find::genetic::Generation;
use crate::job::output::{Destination, PACKED_IS_WHOLE, refuse_bytes_on_terminal};
use crate::job::{
    ActiveRuns, Failure, RaceVerdict, Report, clear_progress, io_failure, keys, note, put, race_request, refuse_if,
    running, safe, say,
};
use crate::run::Plan;
use crate::search::quarter::{four_paths_of, four_ranges};
use crate::solve::{FindAnswer, Request};
use crate::store::write::{self, Picture, WriteError};
use crate::words::{grouped, moment, number_of};
use clap::Args;
use serde::ser::{Error, SerializeSeq};
use serde::{Serialize, Serializer};
use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Squares of all tours together that are kept at once, where there are several.
pub const TOURS_SQUARES_MAX: u64 = 1 << 30;

/// A generation, as a row, and the island on which it was bred.
fn bred(&(island, generation): &(u64, Generation)) -> Report {
    let Generation { number, evaluations, best, mean, tours, distinct } = generation;
    let mut row = Report::default();
    row.cell("island", island, "island", 6, island);
    row.cell("number", number, "generation", 11, number);
    row.cell("evaluations", evaluations, "evaluations", 12, evaluations);
    row.cell("best", best, "best", 5, best);
    row.cell("mean", mean, "mean", 6, format_args!("{mean:.1}"));
    row.cell("tours", tours, "tours", 6, tours);
    row.cell("distinct", distinct, "distinct", 9, distinct);
    row
}

/// The squares of a tour by name, each checked on the way.
pub struct Names(pub Arc<dyn Route>);

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let board = self.0.board();
        let mut names = serializer.serialize_seq(Some(self.0.squares() as usize))?;
        let mut name = String::new();
        for square in verify_by_numbers(&*self.0) {
            name.clear();
            board.write_name(square.map_err(S::Error::custom)?, &mut name).map_err(S::Error::custom)?;
            names.serialize_element(&name)?;
        }
        names.end()
    }
}

/// The keys of a race; `many` says that a number of tours was asked for. Tours are written as they are walked, so that one
/// of any size needs no memory.
pub fn find_report(verdict: &RaceVerdict, many: bool) -> Report {
    let (request, done) = (verdict.request(), &verdict.done);
    let mut report = Report::default();
    let ending = request.ending.name();
    keys!(report, "board" => request.board(), ending);
    keys!(report, "holes"? => request.shape.has_holes().then(|| request.shape.hole_names()), "method" => verdict.by());
    report.key_if("device", done.device.as_ref().map(|device| device.label.to_string()));
    tell_tours(&mut report, verdict, many);
    let (reason, impossible) = match &done.answer {
        Some(FindAnswer::Impossible(reason)) => (Some(reason.clone()), Some(true)),
        Some(FindAnswer::NotFound(reason) | FindAnswer::Refused(reason)) => (Some(reason.clone()), Some(false)),
        Some(FindAnswer::Tours(_)) | None => (None, None),
    };
    report.key_if("reason", reason);
    // Whether it is proven that there is none.
    report.key_if("impossible", impossible);
    let generations = verdict.generations.iter().flatten();
    let generations: Vec<Report> = generations.map(bred).collect();
    report.key_if("generations", Some(generations).filter(|generations| !generations.is_empty()));
    let (nodes, elapsed_s) = (done.outcome.total().nodes, done.outcome.elapsed.as_secs_f64());
    let stopped = done.outcome.stopped.map(|reason| reason.with_signal(true).name());
    keys!(report, request.seed, verdict.plan.threads, done.attempts, nodes, elapsed_s);
    keys!(report, done.outcome.complete(), stopped);
    report
}

/// The tour that was asked for, or the tours if a number of them was.
pub fn tell_tours(report: &mut Report, verdict: &RaceVerdict, many: bool) {
    let mut names = verdict.done.tours().iter().cloned().map(Names);
    if many {
        report.key("tours", names.collect::<Vec<Names>>());
    } else {
        report.key_if("tour", names.next());
    }
}

/// What is said of tours that cannot be written.
const TOURS: &str = "the tours cannot be written";
/// What is said of a tour that was found, and not written to its end.
pub const CUT_SHORT: &str = "the run was stopped before the tour was shown or written whole: no file is left of it";

/// Prints the answer in a line: to stderr where stdout has the tours. `shown` says that a view has them.
///
/// # Errors
/// When it cannot be written.
pub fn print_answer(verdict: &RaceVerdict, to_stdout: bool, shown: bool) -> Result<(), Failure> {
    if let Some(generations) = &verdict.generations {
        note(format_args!("{}\n", bred(&(0, Generation::default())).headings()))?;
        generations.iter().try_for_each(|generation| note(format_args!("{}\n", bred(generation))))?;
    }
    let line = AnswerLine(verdict);
    match &verdict.done.answer {
        Some(FindAnswer::Tours(tours)) => {
            if !to_stdout {
                put(format_args!("{}\n", safe(&line.to_string())))?;
            } else if io::stderr().is_terminal() && !io::stdout().is_terminal() {
                note(format_args!("{}\n", safe(&line.to_string())))?;
            } else if cfg!(feature = "tui") && !shown && io::stderr().is_terminal() {
                say("with --show it is stepped through move by move")?;
            }
            let (found, wanted) = (tours.len() as u64, verdict.request().tours);
            if found < wanted {
                let outcome = &verdict.done.outcome;
                let why = match outcome.complete() {
                    true if outcome.has_all => "there are no more",
                    true => "no more were found",
                    false => "the run was stopped",
                };
                say(format_args!("{found} of {wanted} tours: {why}"))?;
            }
            Ok(())
        }
        Some(FindAnswer::NotFound(reason)) if reason == CUT_SHORT => say(reason),
        _ => say(line),
    }
}

pub struct AnswerLine<'a>(pub &'a RaceVerdict);

impl fmt::Display for AnswerLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnswerLine(verdict) = self;
        let (request, done) = (verdict.request(), &verdict.done);
        let (board, ending) = (request.board(), request.ending.name());
        let mut method = verdict.by().to_owned();
        if let Some(device) = &done.device {
            method.push_str(&format!(" on {}", device.label));
        }
        match &done.answer {
            Some(FindAnswer::Tours(tours)) => {
                let what = match tours.len() {
                    1 => format!("{ending} tour"),
                    n => number_of(n, &format!("{ending} tour")),
                };
                let squares = number_of(tours.first().map_or(0, |tour| tour.squares()), "square");
                let time = time(done.outcome.elapsed);
                write!(f, "{board} {what} by {method}, seed {}: {squares}, found in {time}", request.seed)
            }
            Some(FindAnswer::Impossible(reason)) => {
                write!(f, "impossible: {board} has no {}: {reason}", wanted(request))
            }
            Some(FindAnswer::NotFound(reason)) => {
                write!(f, "not found: no {} of {board} by {method}: {reason}", wanted(request))
            }
            Some(FindAnswer::Refused(refusal)) => write!(f, "{method}: {refusal}"),
            None => Ok(()),
        }
    }
}

/// How long it took: `0.31 ms`, `12.30 ms`, `1.20s`, `0:12`.
fn time(elapsed: Duration) -> String {
    if elapsed < Duration::from_secs(1) { format!("{:.2} ms", elapsed.as_secs_f64() * 1e3) } else { moment(elapsed) }
}

/// The tour that was asked for, in words.
fn wanted(request: &Request) -> String {
    let name = |way: &str, square| format!(" {way} {}", request.board().name(square));
    let has_moves = !(request.must.is_empty() && request.must_not.is_empty());
    let narrowed = [
        request.start.map(|square| name("from", square)),
        request.end.map(|square| name("to", square)),
        (!request.holes().is_empty()).then(|| " around these holes".to_owned()),
        has_moves.then(|| " with these moves".to_owned()),
        (!request.given.is_empty()).then(|| " with these numbers".to_owned()),
    ];
    format!("{} tour{}", request.ending.name(), narrowed.into_iter().flatten().collect::<String>())
}

/// Squares at the beginning and at the end that a summary names.
const NAMED: u32 = 8;

/// Bytes that are gathered for a file.
const BLOCK: usize = 1 << 16;

/// How tours are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum FindFormat {
    /// A board of move numbers; several with an empty line between them
    Grid,
    /// `8x8 a1 b3 c5 ..`, one tour a line
    #[value(alias = "line")]
    List,
    /// A picture: the path over the board, start and end marked
    Svg,
    /// An object with board, ending and tour, one a line
    Json,
    /// Bytes, three bits a move, for verify, show and rank
    Packed,
    /// `65:71:17:11`, the four paths of a quarter-turn tour side by side, by number from 1
    Paths,
}

/// How it is shown.
#[derive(Args, Clone, Default, PartialEq)]
pub struct TourDisplay {
    /// How tours are written; without it as a grid
    #[arg(long, value_enum, help_heading = "Output")]
    pub format: Option<FindFormat>,
    /// Whether an SVG picture numbers the squares; without it up to 60x60
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true", require_equals = true,
          help_heading = "Output")]
    pub numbers: Option<bool>,
    /// Write to FILE instead of stdout; - is stdout
    ///
    /// The file is compressed when its name ends in .zst. Nothing is written when there is no tour.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Replace FILE if it exists
    #[arg(long, help_heading = "Output")]
    pub force: bool,
    /// Look at the tours move by move, on a terminal
    #[arg(long, conflicts_with_all = ["out", "format", "json"], help_heading = "Screen")]
    pub show: bool,
    /// Record the run in FILE, for `destrier replay`
    ///
    /// The file is compressed when its name ends in .zst.
    #[arg(long, value_name = "FILE", help_heading = "Recording and measuring")]
    pub record: Option<PathBuf>,
    /// Watch the attempts race, in the live view
    #[arg(long, conflicts_with_all = ["out", "format", "json", "show", "numbers", "generations", "partial"],
          help_heading = "Screen")]
    pub watch: bool,
    /// Print one JSON object instead of text
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// A format with what it leaves open.
#[derive(Clone, Copy, Debug)]
pub struct FormatOptions {
    pub format: FindFormat,
    /// Whether a picture numbers its squares; the format decides if this says nothing.
    pub numbers: Option<bool>,
}

impl FormatOptions {
    pub const GRID: FormatOptions = FormatOptions { format: FindFormat::Grid, numbers: None };
}

/// Where tours go.
pub enum Target {
    Stdout(FormatOptions),
    /// A file or a device.
    Named(Destination, FormatOptions),
    /// Into the JSON object alone.
    Object,
    /// Nowhere: the terminal is too narrow, so they are only described.
    Summary,
    /// On the screen, to be looked at move by move.
    Screen,
}

impl TourDisplay {
    /// Where the tours go, checked before any work begins.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the file cannot be written, or stdout is claimed twice.
    pub fn target(&self, plan: &Plan) -> Result<Target, Failure> {
        let has_file = self.out.is_some() || self.record.is_some();
        refuse_if(self.force && !has_file, "--force replaces a file: add --out or --record")?;
        let (finder, request) = race_request(plan);
        let (board, tours) = (request.board(), request.tours);
        let format = self.format.unwrap_or(FindFormat::Grid);
        let form = FormatOptions { format, numbers: self.numbers };
        let is_picture = format == FindFormat::Svg;
        let one = format_args!("a picture shows one tour, not {tours}: leave out --tours or --format svg");
        refuse_if(is_picture && tours > 1, one)?;
        if self.show {
            let instead = "without --show the same command prints the tour";
            return needs_terminal("--show", instead).map(|()| Target::Screen);
        }
        let has_paths = format != FindFormat::Paths || finder.card().paths;
        refuse_if(!has_paths, "--format paths prints the four paths of --method quarter-turn")?;
        refuse_if(format == FindFormat::Packed && request.shape.has_holes(), PACKED_IS_WHOLE)?;
        refuse_if(self.numbers.is_some() && !is_picture, "--numbers says what a picture shows: add --format svg")?;
        let output = Destination::new("--out", self.out.as_deref(), self.force)?;
        let is_stdout = matches!(output, Destination::Stdout(_));
        let is_nowhere = matches!(output, Destination::Nowhere);
        if format == FindFormat::Packed && !self.json && (is_nowhere || is_stdout) {
            refuse_bytes_on_terminal()?;
        }
        refuse_if(self.json && is_stdout, "--json and --out - both claim stdout: give --out a file")?;
        let is_object = self.json && is_nowhere && self.format.is_some();
        refuse_if(is_object, "--json prints the tour in its object: give --format a file, by --out")?;
        match output {
            Destination::File(_) | Destination::Device(_) => Ok(Target::Named(output, form)),
            Destination::Nowhere if self.json => Ok(Target::Object),
            Destination::Nowhere if self.format.is_none() && !fits(board) => Ok(Target::Summary),
            _ => Ok(Target::Stdout(form)),
        }
    }
}

/// Whether stdout is no terminal, or one that is wide enough for the grid.
fn fits(board: Board) -> bool {
    let width = u64::from(board.cols()) * (board.squares().to_string().len() as u64 + 1) - 1;
    let terminal = io::stdout().is_terminal().then(|| rustix::termios::tcgetwinsize(io::stdout()));
    !matches!(terminal, Some(Ok(size)) if size.ws_col > 0 && width > u64::from(size.ws_col))
}

impl Target {
    /// Writes the tours of an answer, or shows them; answers the signal that ended the view.
    ///
    /// # Errors
    /// [`Failure`] when writing failed or something is no tour; then a file is not kept.
    pub fn show(self, verdict: &RaceVerdict, runs: &ActiveRuns) -> Result<Option<i32>, Failure> {
        let tours = verdict.done.tours();
        match self {
            Target::Object => Ok(None),
            Target::Screen => on_screens!(verdict => screen::show(verdict)),
            Target::Named(output, form) => {
                runs.begin_work("bytes written");
                // What is compressed is compressed by such blocks.
                let mut writer = BufWriter::with_capacity(BLOCK, runs.writer(output.writer()));
                let written =
                    write_all(tours, form, &mut writer).and_then(|()| writer.flush().map_err(io_failure(TOURS)));
                drop(writer);
                written.map_err(|failure| match failure {
                    Failure::Io(_, error) => output.failure(error),
                    other => other,
                })?;
                output.keep().map(|()| None)
            }
            Target::Stdout(form) => {
                if io::stdout().is_terminal() {
                    clear_progress();
                } else {
                    runs.begin_work("bytes written");
                }
                // The stream of the standard library looks for line ends, and writes after each of them.
                let stdout = io::stdout().as_fd().try_clone_to_owned().map_err(io_failure(TOURS))?;
                let mut stdout = BufWriter::with_capacity(BLOCK, runs.writer(File::from(stdout)));
                write_all(tours, form, &mut stdout)?;
                stdout.flush().map_err(io_failure(TOURS))?;
                Ok(None)
            }
            Target::Summary => {
                runs.begin_work("squares checked");
                for tour in tours {
                    check(&**tour, runs)?;
                }
                clear_progress();
                put(format_args!("{}\n", summary(verdict)))?;
                Ok(None)
            }
        }
    }
}

/// Writes tours one after the other, each verified on the way.
///
/// # Errors
/// [`Failure`] when writing failed or something is no tour.
pub fn write_all(tours: &[Arc<dyn Route>], form: FormatOptions, to: &mut dyn Write) -> Result<(), Failure> {
    let FormatOptions { format, numbers } = form;
    let failed = |error: WriteError| match error {
        WriteError::Io(error) => io_failure(TOURS)(error),
        WriteError::Fault(fault) => running(fault),
    };
    if format == FindFormat::Packed {
        return write::packed_all(tours.iter().map(|tour| &**tour), to).map_err(failed);
    }
    for (i, tour) in tours.iter().enumerate() {
        // A grid asks for the number of every square; it is made of one tour after the other.
        let opened = if format == FindFormat::Grid { with_numbers(tour) } else { Arc::clone(tour) };
        let tour = &*opened;
        let written = match format {
            FindFormat::Grid if i > 0 => writeln!(to).map_err(WriteError::Io).and_then(|()| write::grid(tour, to)),
            FindFormat::Grid => write::grid(tour, to),
            FindFormat::List => write::list(tour, to),
            FindFormat::Svg => write::svg(tour, Picture { numbers, groups: &four_ranges(tour) }, to),
            FindFormat::Json => write_object(tour, to),
            FindFormat::Packed => unreachable!("these are written together"),
            FindFormat::Paths => write_paths(tour, i > 0, to),
        };
        written.map_err(failed)?;
    }
    Ok(())
}

fn write_object(tour: &dyn Route, to: &mut dyn Write) -> Result<(), WriteError> {
    let board = tour.board();
    write!(to, "{{\"board\":\"{board}\",\"ending\":\"{}\",", tour.ending().name())?;
    if !tour.holes().is_empty() {
        write!(to, "\"holes\":")?;
        write::json_squares(board, tour.holes().squares(), to)?;
        write!(to, ",")?;
    }
    write!(to, "\"tour\":")?;
    write::json(tour, to)?;
    Ok(writeln!(to, "}}")?)
}

/// Writes the four paths of a tour; an empty line parts them from those before.
fn write_paths(tour: &dyn Route, is_next: bool, to: &mut dyn Write) -> Result<(), WriteError> {
    let columns = four_paths_of(tour).map_or(String::new(), |paths| paths.columns());
    Ok(write!(to, "{}{columns}", if is_next { "\n" } else { "" })?)
}

/// What is said of tours that are not shown.
fn summary(verdict: &RaceVerdict) -> Report {
    let mut summary = Report::default();
    summary.text(AnswerLine(verdict));
    for tour in verdict.done.tours() {
        let (board, squares) = (tour.board(), tour.squares());
        let name = |k: u32| tour.square_at(k).map_or(String::new(), |square| board.name(square));
        let names = |from: u32, to: u32| (from..to).map(name).collect::<Vec<_>>().join(" ");
        summary.entry("first squares", names(0, NAMED.min(squares)));
        summary.entry("last squares", names(squares.saturating_sub(NAMED), squares));
        let closing = if tour.ending() == Ending::Closed { ", and one leads back to the first" } else { "" };
        let squares = grouped(squares);
        let checked = format!("knight's moves over all {squares} squares, each visited once{closing}");
        summary.entry("checked", checked);
    }
    let show = if cfg!(feature = "tui") { "--show, " } else { "" };
    let all = format_args!("To see it all: {show}--format grid, list or svg, or --out FILE.");
    summary.text(format_args!("The grid is wider than this terminal. {all}"));
    summary
}

/// Walks a whole tour and verifies it.
///
/// # Errors
/// [`Failure::Running`] when it is none, or when it was asked to end.
pub fn check(tour: &dyn Route, runs: &ActiveRuns) -> Result<(), Failure> {
    const AT_ONCE: usize = 1 << 16;
    let mut squares = verify_by_numbers(tour);
    loop {
        let walked =
            squares.by_ref().take(AT_ONCE).try_fold(0, |n, square: Result<_, TourFault>| square.map(|_| n + 1));
        match walked {
            Err(fault) => return Err(running(format!("{}: {fault}", tour.board()))),
            Ok(0) => return Ok(()),
            Ok(_) if runs.is_stopped() => return Err(running("stopped by a signal")),
            Ok(n) => runs.count_work(n),
        }
    }
}
#[cfg(feature = "tui")]
mod screen;
