//! Tours by number: `rank` and `unrank`, where the layers are kept that both need, and how far the work is.

use super::count::{asked_report, settings};
use super::found::{FindFormat, FormatOptions, Names, TOURS_SQUARES_MAX, write_all};
use crate::board::{Ending, Route, Shape, Tour, TourFault};
use crate::cli::args::{ThreadsArgs, open_input, parse_size, parse_span};
use crate::count::number::{NUMBERING, NumberingPlan, StepDone};
use crate::count::{CountError, CountQuestion, CountWatch, Settings};
use crate::job::output::PACKED_IS_WHOLE;
use crate::job::{
    Answer, Failure, NoReason, Report, STDOUT, failed, io_failure, keys, print_object, print_stopped, progress, put,
    refuse_if, say, say_leftovers, usage, with_signals,
};
use crate::solve;
use crate::store::{ReadTour, TourReadError, check, tour_location};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::io::{self, IsTerminal, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Instant;

/// Where the layers are, and what the work may take.
#[derive(Args, Clone, Default)]
pub struct LayersArgs {
    /// Keep the layers of the count in DIR
    ///
    /// DIR is made if it is not there. If the layers are there already, nothing is counted. Without DIR they are made in
    /// memory every time.
    #[arg(long, value_name = "DIR")]
    pub layers: Option<PathBuf>,
    /// Memory that it may take: 3G, 1500M, 2.5GiB; without it what is available now
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_negative_numbers = true)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub by: ThreadsArgs,
}

impl LayersArgs {
    /// Plans the numbering of the tours of a question and does `work` with it; the exit code instead where a signal came first.
    ///
    /// # Errors
    /// [`Failure::Usage`] where the tours cannot be numbered, or `work` asked for what is not there; [`Failure::Running`]
    /// where something failed.
    pub fn numbered<T>(
        &self,
        question: &CountQuestion,
        json: bool,
        work: impl FnOnce(&NumberingPlan<'_>, StepDone<'_>) -> Result<T, CountError>,
    ) -> Result<Result<T, Answer>, Failure> {
        if let Some(folder) = &self.layers {
            say_leftovers(folder)?;
        }
        let settings = settings(self.by.threads, self.memory, None, None)?;
        let settings = Settings { memory: settings.usable_memory(), ..settings };
        let (watch, stopped) = (CountWatch::new(settings.threads), AtomicBool::new(false));
        let (steps, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let step_done = || {
            done.fetch_add(1, Relaxed);
            !stopped.load(Relaxed)
        };
        let line = || match done.load(Relaxed) {
            0 => progress::count(&watch.snapshot()),
            done => format!("tours by number, layer {done} of {}", steps.load(Relaxed)),
        };
        let stop = || {
            stopped.store(true, Relaxed);
            watch.stop();
        };
        let body = || {
            let numbering = NumberingPlan::new(question, &settings, self.layers.as_deref(), &watch)?;
            steps.store(numbering.steps(), Relaxed);
            work(&numbering, &step_done)
        };
        let (worked, signal) = with_signals(stop, line, body)?;
        match worked {
            Ok(worked) => Ok(Ok(worked)),
            Err(CountError::Stopped) => {
                print_stopped(question.name(), "numbered", json)?;
                Ok(Err(Answer::No(NoReason::NoTour).or_signal(signal)))
            }
            Err(error) if error.is_usage() => Err(usage(error)),
            Err(error) => Err(failed(question.name(), &error, json)),
        }
    }
}

/// `destrier rank`.
#[derive(Args)]
pub struct RankArgs {
    /// The file of tours, all of one board; without it, or when it is -, stdin
    ///
    /// Lists of moves, grids, JSON, SVG or packed, compressed or not.
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
    board: Option<Shape>,
    #[command(flatten)]
    layers: LayersArgs,
    /// Print one JSON object instead of a number a line
    #[arg(long)]
    json: bool,
}

/// Numbers the tours and prints the numbers.
///
/// # Errors
/// [`Failure`] when there is no tour, when one is invalid or of another board, when tours cannot be numbered, or when
/// nothing can be printed.
pub fn rank(args: &RankArgs) -> Result<Answer, Failure> {
    let began = Instant::now();
    let tours = read(args)?;
    let question = CountQuestion::new(tours[0].shape(), tours[0].ending());
    let ranked =
        args.layers.numbered(&question, args.json, |numbering, step_done| numbering.ranks(&tours, step_done))?;
    let (count, ranks) = match ranked {
        Ok(ranked) => ranked,
        Err(answer) => return Ok(answer),
    };
    if args.json {
        let mut report = numbered_report(&question, count);
        report.key("ranks", ranks.iter().map(u128::to_string).collect::<Vec<_>>());
        print_ended(report, began)?;
    } else {
        put(ranks.iter().map(|rank| format!("{rank}\n")).collect::<String>())?;
        say_numbering()?;
    }
    Ok(Answer::Yes)
}

/// Says at a terminal which numbers these are: two more commands count tours.
fn say_numbering() -> Result<(), Failure> {
    let said = "a tour's number, from 0, is that among all tours, as rank and unrank have it; its place in a file is a \
                different number";
    if io::stdout().is_terminal() { say(said) } else { Ok(()) }
}

/// The keys at the head of a report of numbered tours: the question, the numbering, the count.
fn numbered_report(question: &CountQuestion, count: u128) -> Report {
    let mut report = asked_report(question);
    keys!(report, "numbering" => NUMBERING, "count" => count.to_string());
    report
}

/// Prints the object of work that is over.
fn print_ended(mut report: Report, began: Instant) -> Result<(), Failure> {
    keys!(report, "elapsed_s" => began.elapsed().as_secs_f64(), "complete" => true);
    print_object(&report)
}

/// The tours, at least one, all of one board and ending.
fn read(args: &RankArgs) -> Result<Vec<Tour>, Failure> {
    let (name, read) = open_input(args.file.as_deref(), args.board.as_ref())?;
    let mut tours: Vec<Tour> = Vec::new();
    for read in read {
        let read = read.map_err(|error: TourReadError| usage(format!("{name}: {error}")))?;
        let tour = judge(args, &read, tours.first());
        let place = tour_location(read.index, read.line());
        tours.push(tour.map_err(|why| usage(format!("{name}: {place}: {why}")))?);
    }
    refuse_if(tours.is_empty(), format_args!("{name}: there is no tour in it"))?;
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
    if let Some(first) = first.filter(|first| *first.shape() != read.shape) {
        let (board, first) = (read.shape.short(), first.shape().short());
        return Err(format!("it is of {board}, and the first of {first}: rank one board at a time"));
    }
    check(read.shape.clone(), ending, read.squares.clone()).map_err(|fault| match fault {
        TourFault::NotClosed { .. } => format!("{fault}; open tours are numbered with --open"),
        _ => fault.to_string(),
    })
}

/// `destrier unrank`.
#[derive(Args)]
pub struct UnrankArgs {
    /// ROWSxCOLS, such as 8x8 or 3x10; 8 alone means 8x8; with holes 6x6-a1,f1
    board: Shape,
    /// Numbers of tours, from 0: 5, or 0..99, or several with commas or blanks between
    #[arg(value_name = "N", required = true, value_delimiter = ',', value_parser = number_span)]
    numbers: Vec<RangeInclusive<u128>>,
    /// Closed tours, undirected (the default)
    #[arg(long, conflicts_with = "open")]
    closed: bool,
    /// Open tours, directed
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    layers: LayersArgs,
    /// How tours are written; without it as a grid
    #[arg(long, value_parser = formats(), conflicts_with = "json")]
    format: Option<FindFormat>,
    /// Print one JSON object instead of tours
    #[arg(long)]
    json: bool,
}

/// Reads `5` or `0..99`, whose last number is among them.
fn number_span(text: &str) -> Result<RangeInclusive<u128>, String> {
    match parse_span(text) {
        Some((first, last)) if first <= last => Ok(first..=last),
        Some((first, last)) => Err(format!("'{text}' goes down: write {last}..{first}")),
        _ => Err(format!("'{text}' is no number of a tour: write 5, or a range such as 0..99")),
    }
}

/// Formats in which every tour can be written: four paths are of those alone that a quarter turn keeps.
fn formats() -> impl TypedValueParser<Value = FindFormat> {
    let every = FindFormat::value_variants().iter().filter(|format| **format != FindFormat::Paths);
    PossibleValuesParser::new(every.filter_map(ValueEnum::to_possible_value))
        .try_map(|name| FindFormat::from_str(&name, false))
}

/// Makes the tours and prints them.
///
/// # Errors
/// [`Failure`] when a number is past the end, when the tours cannot be numbered, or when they cannot be printed.
pub fn unrank(args: &UnrankArgs) -> Result<Answer, Failure> {
    let (began, board) = (Instant::now(), &args.board);
    let ending = Ending::open_if(args.open);
    let number = |span: &RangeInclusive<u128>| (span.end() - span.start()).saturating_add(1);
    let all = args.numbers.iter().map(number).fold(0, u128::saturating_add);
    let most = (TOURS_SQUARES_MAX / u64::from(board.squares())).max(1);
    let format = args.format.unwrap_or(FindFormat::Grid);
    refuse_if(all > most.into(), format_args!("up to {most} tours of {} are made at once, not {all}", board.short()))?;
    refuse_if(format == FindFormat::Packed && board.has_holes(), PACKED_IS_WHOLE)?;
    let is_picture = format == FindFormat::Svg;
    refuse_if(is_picture && all > 1, format_args!("a picture shows one tour, not {all}: ask for one number"))?;
    let question = CountQuestion::new(board, ending);
    let last = args.numbers.iter().map(|span| *span.end()).max();
    let made = args.layers.numbered(&question, args.json, |numbering, step_done| {
        let numbers = numbering.numbers(last)?;
        // What is past the end is said before as many numbers are listed.
        numbers.check(last.unwrap_or(0))?;
        let asked: Vec<u128> = args.numbers.iter().cloned().flatten().collect();
        Ok((numbers.count(), numbers.tours(&asked, step_done)?, asked))
    })?;
    let (count, tours, asked) = match made {
        Ok(made) => made,
        Err(answer) => return Ok(answer),
    };
    let tours: Vec<Arc<dyn Route>> = tours.iter().map(solve::packed_route).collect();
    if args.json {
        let mut report = numbered_report(&question, count);
        report.key("numbers", asked.iter().map(u128::to_string).collect::<Vec<_>>());
        report.key("tours", tours.into_iter().map(Names).collect::<Vec<_>>());
        print_ended(report, began)?;
    } else {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        write_all(&tours, FormatOptions { format, numbers: None }, &mut stdout)?;
        stdout.flush().map_err(io_failure(STDOUT))?;
        say_numbering()?;
    }
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_alone_and_as_ranges() {
        assert_eq!(number_span("5"), Ok(5..=5));
        assert_eq!(number_span("0..99"), Ok(0..=99));
        assert_eq!(number_span("19591828170979903").map(|span| *span.start()), Ok(19_591_828_170_979_903));
        assert_eq!(number_span("9..5"), Err("'9..5' goes down: write 5..9".to_owned()));
        for text in ["", "..", "5..", "..5", "-1", "+1", "1e3", "1...2", "x"] {
            assert!(number_span(text).unwrap_err().contains("is no number of a tour: write 5"), "{text}");
        }
    }
}
