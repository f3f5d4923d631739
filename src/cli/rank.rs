//! `destrier rank`: the numbers of tours, from a file or stdin.

use super::numbered::LayersArgs;
use crate::board::{Board, Ending, Tour, TourFault};
use crate::count::CountQuestion;
use crate::count::number::NUMBERING;
use crate::job::say::print_object;
use crate::job::{Failure, usage};
use crate::store::{ReadTour, TourReadError, TourReader, check, open_tours, tour_location};
use clap::Args;
use serde::Serialize;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// `destrier rank`.
#[derive(Args)]
pub struct RankArgs {
    /// The file of tours, all of one board; without it, or when it is -, stdin
    ///
    /// Lists of moves, grids, four paths, JSON, SVG or packed, compressed or not.
    file: Option<PathBuf>,
    /// Their numbers among the closed tours, undirected
    ///
    /// The default, unless the first tour says that it is open.
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Their numbers among the open tours, directed
    #[arg(long)]
    open: bool,
    /// The board of lists that do not name theirs
    #[arg(long)]
    board: Option<Board>,
    #[command(flatten)]
    layers: LayersArgs,
    /// Print one JSON object instead of a number a line
    #[arg(long)]
    json: bool,
}

/// The JSON object.
#[derive(Serialize)]
struct RankReport {
    board: Board,
    ending: &'static str,
    convention: &'static str,
    numbering: u32,
    count: String,
    ranks: Vec<String>,
    elapsed_s: f64,
    complete: bool,
}

/// Numbers the tours and prints the numbers. Returns the exit code.
///
/// # Errors
/// [`Failure`] when there is no tour, when one is invalid or of another board, when tours cannot be numbered, or when
/// nothing can be printed.
pub fn run(args: &RankArgs) -> Result<u8, Failure> {
    let began = Instant::now();
    let tours = read(args)?;
    let question = CountQuestion::new(tours[0].board(), tours[0].ending());
    let ranked = args.layers.numbered(&question, None, args.json, |numbers, step_done| {
        Ok((numbers.count(), numbers.numbers(&tours, step_done)?))
    })?;
    let (count, ranks) = match ranked {
        Ok(ranked) => ranked,
        Err(code) => return Ok(code),
    };
    if args.json {
        print_object(&RankReport {
            board: question.board,
            ending: question.ending.name(),
            convention: question.convention().name(),
            numbering: NUMBERING,
            count: count.to_string(),
            ranks: ranks.iter().map(u128::to_string).collect(),
            elapsed_s: began.elapsed().as_secs_f64(),
            complete: true,
        })?;
    } else {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        ranks.iter().try_for_each(|rank| writeln!(stdout, "{rank}"))?;
        stdout.flush()?;
    }
    Ok(0)
}

/// The tours, at least one, all of one board and ending.
fn read(args: &RankArgs) -> Result<Vec<Tour>, Failure> {
    let file = args.file.as_deref().filter(|file| *file != Path::new("-"));
    let (name, input): (String, Box<dyn Read>) = match file {
        Some(file) => {
            let opened = open_tours(file).map_err(|error| usage(format!("{}: {error}", file.display())))?;
            (file.display().to_string(), Box::new(opened))
        }
        None => ("stdin".to_owned(), Box::new(io::stdin().lock())),
    };
    let mut tours: Vec<Tour> = Vec::new();
    for read in TourReader::new(input, args.board) {
        let read = read.map_err(|error: TourReadError| usage(format!("{name}: {error}")))?;
        let tour = judge(args, &read, tours.first());
        let place = tour_location(read.index, read.line);
        tours.push(tour.map_err(|why| usage(format!("{name}: {place}: {why}")))?);
    }
    if tours.is_empty() {
        return Err(usage(format!("{name}: there is no tour in it")));
    }
    Ok(tours)
}

/// The tour that was read, which must be as the first one is; why it is none.
fn judge(args: &RankArgs, read: &ReadTour, first: Option<&Tour>) -> Result<Tour, String> {
    let said = match (args.closed, args.open) {
        (true, _) => Some(Ending::Closed),
        (_, true) => Some(Ending::Open),
        _ => first.map(Tour::ending).or(read.ending),
    };
    let ending = said.unwrap_or(Ending::Closed);
    if let Some(first) = first.filter(|first| first.board() != read.board) {
        return Err(format!("it is of {}, and the first of {}: rank one board at a time", read.board, first.board()));
    }
    if !read.holes.is_empty() {
        return Err("it leaves out squares, and tours of whole boards have numbers".to_owned());
    }
    check(read.board, read.holes.clone(), ending, read.squares.clone()).map_err(|fault| match fault {
        TourFault::NotClosed { .. } => format!("{fault}; open tours are numbered with --open"),
        _ => fault.to_string(),
    })
}
