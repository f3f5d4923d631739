//! `destrier unrank`: the tours with given numbers.

use super::find::{FindFormat, FormatOptions, Names, TOURS_SQUARES_MAX, write_all};
use super::numbered::LayersArgs;
use crate::board::{Board, Ending, Route};
use crate::count::CountQuestion;
use crate::count::number::NUMBERING;
use crate::job::say::print_object;
use crate::job::{Failure, usage};
use crate::solve;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

/// `destrier unrank`.
#[derive(Args)]
pub struct UnrankArgs {
    /// ROWSxCOLS, such as 8x8 or 3x10; 8 alone means 8x8
    board: Board,
    /// Numbers of tours, from 0: 5, or 0..99, or several with commas or blanks between
    #[arg(value_name = "N", required = true, value_delimiter = ',')]
    numbers: Vec<NumberSpan>,
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

/// Numbers from the first to the last, both among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NumberSpan {
    first: u128,
    last: u128,
}

impl NumberSpan {
    /// How many they are.
    fn len(self) -> u128 {
        (self.last - self.first).saturating_add(1)
    }
}

impl FromStr for NumberSpan {
    type Err = String;

    /// Reads `5` or `0..99`.
    fn from_str(text: &str) -> Result<NumberSpan, String> {
        let (first, last) = text.split_once("..").unwrap_or((text, text));
        let number = |digits: &str| {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| digits.parse::<u128>().ok()).flatten()
        };
        match (number(first), number(last)) {
            (Some(first), Some(last)) if first <= last => Ok(NumberSpan { first, last }),
            (Some(first), Some(last)) => Err(format!("'{text}' goes down: write {last}..{first}")),
            _ => Err(format!("'{text}' is no number of a tour: write 5, or a range such as 0..99")),
        }
    }
}

/// The JSON object.
#[derive(Serialize)]
struct UnrankReport {
    board: Board,
    ending: &'static str,
    convention: &'static str,
    numbering: u32,
    count: String,
    numbers: Vec<String>,
    tours: Vec<Names>,
    elapsed_s: f64,
    complete: bool,
}

/// Formats in which every tour can be written: four paths are of those alone that a quarter turn keeps.
fn formats() -> impl TypedValueParser<Value = FindFormat> {
    let every = FindFormat::value_variants().iter().filter(|format| **format != FindFormat::Paths);
    PossibleValuesParser::new(every.filter_map(ValueEnum::to_possible_value))
        .try_map(|name| FindFormat::from_str(&name, false))
}

/// Makes the tours and prints them. Returns the exit code.
///
/// # Errors
/// [`Failure`] when a number is past the end, when the tours cannot be numbered, or when they cannot be printed.
pub fn run(args: &UnrankArgs) -> Result<u8, Failure> {
    let (began, board) = (Instant::now(), args.board);
    let ending = if args.open { Ending::Open } else { Ending::Closed };
    let all = args.numbers.iter().fold(0u128, |all, span| all.saturating_add(span.len()));
    let most = (TOURS_SQUARES_MAX / u64::from(board.squares())).max(1);
    let format = args.format.unwrap_or(FindFormat::Grid);
    if all > most.into() {
        return Err(usage(format!("up to {most} tours of {board} are made at once, not {all}")));
    }
    if format == FindFormat::Svg && all > 1 {
        return Err(usage(format!("a picture shows one tour, not {all}: ask for one number")));
    }
    let question = CountQuestion::new(board, ending);
    let last = args.numbers.iter().map(|span| span.last).max();
    let made = args.layers.numbered(&question, last, args.json, |numbers, step_done| {
        // What is past the end is said before as many numbers are listed.
        numbers.check(last.unwrap_or(0))?;
        let asked: Vec<u128> = args.numbers.iter().flat_map(|span| span.first..=span.last).collect();
        Ok((numbers.count(), numbers.tours(&asked, step_done)?, asked))
    })?;
    let (count, tours, asked) = match made {
        Ok(made) => made,
        Err(code) => return Ok(code),
    };
    let tours: Vec<Arc<dyn Route>> = tours.iter().map(solve::packed_route).collect();
    if args.json {
        print_object(&UnrankReport {
            board,
            ending: ending.name(),
            convention: question.convention().name(),
            numbering: NUMBERING,
            count: count.to_string(),
            numbers: asked.iter().map(u128::to_string).collect(),
            tours: tours.into_iter().map(Names).collect(),
            elapsed_s: began.elapsed().as_secs_f64(),
            complete: true,
        })?;
    } else {
        let mut stdout = io::BufWriter::new(io::stdout().lock());
        write_all(&tours, FormatOptions::of(format), &mut stdout)?;
        stdout.flush()?;
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_alone_and_as_ranges() {
        let read = |text: &str| text.parse::<NumberSpan>();
        assert_eq!(read("5"), Ok(NumberSpan { first: 5, last: 5 }));
        assert_eq!(read("0..99").map(NumberSpan::len), Ok(100));
        assert_eq!(read("19591828170979903").map(|span| span.first), Ok(19_591_828_170_979_903));
        assert_eq!(read("9..5"), Err("'9..5' goes down: write 5..9".to_owned()));
        for text in ["", "..", "5..", "..5", "-1", "+1", "1e3", "1...2", "x"] {
            assert!(read(text).unwrap_err().contains("is no number of a tour: write 5"), "{text}");
        }
    }
}
