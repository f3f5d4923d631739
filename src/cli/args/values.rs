//! Single values as they are typed: names, squares, times, numbers, seeds.

use crate::board::{Board, Holes, Shape, Square};
use crate::job::{Failure, usage};
use crate::schedule::{self, Scheduler};
use crate::search::{HandOver, Prune};
use crate::store::{TourReader, holes as mask, open_tours};
use crate::system;
use crate::words::number_in;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use std::io::{self, Read};
use std::path::Path;
use std::str::FromStr;

/// Workers of the largest crew.
pub const THREADS_MAX: u64 = schedule::THREADS_MAX as u64;
/// The user's variable for the number of workers, and the one that Slurm sets.
const THREADS_VARIABLE: &str = "DESTRIER_THREADS";
const SLURM_VARIABLE: &str = "SLURM_CPUS_PER_TASK";

/// Lets clap read a type by its own names.
macro_rules! typed_by_name {
    ($type:ty, $summary:expr) => {
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [$type] {
                &<$type>::ALL
            }

            fn to_possible_value(&self) -> Option<PossibleValue> {
                let summary: Option<&'static str> = $summary(*self);
                Some(PossibleValue::new(self.name()).help(summary))
            }
        }
    };
}

typed_by_name!(Scheduler, |scheduler: Scheduler| Some(scheduler.summary));
typed_by_name!(HandOver, |_| None);
typed_by_name!(Prune, |prune: Prune| Some(prune.summary()));

/// A parser of names; each name comes with its line of the help.
pub fn names(all: impl IntoIterator<Item = (&'static str, &'static str)>) -> PossibleValuesParser {
    PossibleValuesParser::new(all.into_iter().map(|(name, help)| PossibleValue::new(name).help(help)))
}

/// A square board of so many squares a side.
#[cfg(feature = "tui")]
pub fn square_board(side: u64) -> Board {
    Board::new(side, side).unwrap_or_else(|_| unreachable!("a few squares a side are a board"))
}

/// The square that an option names, if it is given.
///
/// # Errors
/// [`Failure::Usage`] when it is none of the board.
pub fn square(board: Board, option: &str, name: Option<&str>) -> Result<Option<Square>, Failure> {
    let square = name.map(|name| board.parse_square(name)).transpose();
    square.map_err(|error| usage(format!("{option}: {error}")))
}

/// The shape without the squares that the mask in the file of `--holes` leaves out.
///
/// # Errors
/// [`Failure::Usage`] when it is no mask of the board, or leaves no square.
pub fn with_holes(shape: &Shape, file: Option<&Path>) -> Result<Shape, Failure> {
    let Some(file) = file else { return Ok(shape.clone()) };
    let board = shape.board();
    let mask = mask::read(file, board).map_err(|error| refused_holes(file, &error))?;
    let holes = Holes::new(shape.holes().squares().iter().chain(mask.squares()).copied());
    match Shape::new(board, holes) {
        shape if shape.squares() == 0 => Err(refused_holes(file, &format!("every square of {board} is a hole"))),
        shape => Ok(shape),
    }
}

/// Why a mask is not read.
pub fn refused_holes(file: &Path, error: &str) -> Failure {
    usage(format!("--holes {}: {error}", file.display()))
}

/// Reads `5`, or `0..99`, both ends among them; `None` unless the numbers are digits alone.
pub fn parse_span<T: FromStr>(text: &str) -> Option<(T, T)> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let number = |digits: &str| digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()));
    Some((number(first)?, number(last)?))
}

/// The tours in a file, or on stdin.
pub type InputTours = TourReader<Box<dyn Read + Send>>;

/// Opens the tours in a file, or on stdin where none is named or the name is -. Returns the name for messages, and the reader.
///
/// # Errors
/// [`Failure::Usage`] when the file cannot be opened.
pub fn open_input(file: Option<&Path>, board: Option<&Shape>) -> Result<(String, InputTours), Failure> {
    let (name, input): (String, Box<dyn Read + Send>) = match file.filter(|file| *file != Path::new("-")) {
        Some(file) => {
            let name = file.display().to_string();
            let opened = open_tours(file).map_err(|error| usage(format!("{name}: {error}")))?;
            (name, Box::new(opened))
        }
        None => ("stdin".to_owned(), Box::new(io::stdin())),
    };
    Ok((name, TourReader::of_shape(input, board)))
}

/// The number of workers where no option names one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UsualThreads {
    pub threads: usize,
    /// The environment variable that decided, if not the number of cores did.
    pub variable: Option<&'static str>,
}

impl UsualThreads {
    /// The user's variable, or else the number of cores that Slurm gives to a task; at most the cores of this process.
    ///
    /// # Errors
    /// [`Failure::Usage`] when the user's variable is no number of workers. Slurm's is ignored then.
    pub fn here() -> Result<UsualThreads, Failure> {
        UsualThreads::of(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()), cores())
    }

    fn of(variable: impl Fn(&str) -> Option<String>, cores: usize) -> Result<UsualThreads, Failure> {
        let number = number_in::<usize>(1..=THREADS_MAX);
        let own = variable(THREADS_VARIABLE).filter(|text| !text.is_empty()).map(|text| match number(&text) {
            Ok(threads) => Ok((threads, THREADS_VARIABLE)),
            Err(_) => Err(usage(format!(
                "{THREADS_VARIABLE}={text}: write a number of workers, 1 to {THREADS_MAX}, or unset it"
            ))),
        });
        let slurm = || Some((number(&variable(SLURM_VARIABLE)?).ok()?, SLURM_VARIABLE));
        let asked = own.transpose()?.or_else(slurm).filter(|&(threads, _)| threads < cores);
        let (threads, variable) = asked.unzip();
        Ok(UsualThreads { threads: threads.unwrap_or(cores), variable })
    }
}

/// Number of workers: as many as are asked for, or the usual number.
///
/// # Errors
/// As [`UsualThreads::here`].
pub fn threads(asked: Option<u32>) -> Result<usize, Failure> {
    asked.map_or_else(|| Ok(UsualThreads::here()?.threads), |threads| Ok(threads as usize))
}

/// Cores that this process may use.
pub fn cores() -> usize {
    system::cores().unwrap_or(1)
}

/// Where random numbers begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seed {
    Number(u64),
    /// Anywhere.
    Random,
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::Number(0)
    }
}

impl Seed {
    /// The number; drawn anew each time if it is to be.
    pub fn number(self) -> u64 {
        match self {
            Seed::Number(seed) => seed,
            Seed::Random => fastrand::u64(..),
        }
    }
}

/// Reads a seed.
///
/// # Errors
/// A sentence when it is none.
pub fn parse_seed(text: &str) -> Result<Seed, String> {
    match text {
        "random" => Ok(Seed::Random),
        _ => text
            .parse()
            .map(Seed::Number)
            .map_err(|_| format!("'{text}' is no seed: write a number from 0 to {}, or random", u64::MAX)),
    }
}

/// The bytes of a unit of memory in small letters: k, m, g and t alone are powers of 1024, as with most tools, and with ib, too;
/// with a b they are powers of 1000.
fn unit_bytes(unit: &str) -> Option<u64> {
    let Some(nth) = unit.chars().next().and_then(|letter| "kmgt".find(letter)) else {
        return matches!(unit, "" | "b").then_some(1);
    };
    let base: u64 = match &unit[1..] {
        "" | "ib" => 1024,
        "b" => 1000,
        _ => return None,
    };
    Some(base.pow(nth as u32 + 1))
}

/// Reads a size such as `3G`, `1500M`, `2.5GiB`, `800000K`, or bytes.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let hint = "write a size such as 3G, 1500M, 2.5GiB, 800000K, or a number of bytes";
    let text = text.trim();
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let value: f64 = number.parse().map_err(|_| format!("'{text}' is no size of memory: {hint}"))?;
    let unit = unit.trim_start().to_ascii_lowercase();
    let Some(factor) = unit_bytes(&unit) else { return Err(format!("'{unit}' is no unit of memory: {hint}")) };
    // Whole numbers are taken exactly: bytes may have more digits than a float holds.
    let bytes = match number.parse::<u64>() {
        Ok(whole) => whole.checked_mul(factor),
        Err(_) => Some(value * factor as f64).filter(|&bytes| bytes < u64::MAX as f64).map(|bytes| bytes as u64),
    };
    match bytes {
        Some(0) => Err(format!("'{text}' leaves no memory to count in: {hint}")),
        Some(bytes) => Ok(bytes),
        None => Err(format!("'{text}' is more than there is anywhere: {hint}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The usual number on four cores, with these values of the two variables.
    fn usual(own: Option<&str>, slurm: Option<&str>) -> Result<(usize, Option<&'static str>), String> {
        let value = |name: &str| if name == THREADS_VARIABLE { own } else { slurm };
        let usual = UsualThreads::of(|name| value(name).map(str::to_owned), 4);
        usual.map(|usual| (usual.threads, usual.variable)).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_variable_decides_within_the_cores() {
        let (own, slurm) = (Some(THREADS_VARIABLE), Some(SLURM_VARIABLE));
        for (variables, expected) in [
            ((None, None), (4, None)),
            ((Some("3"), None), (3, own)),
            ((Some("1"), Some("2")), (1, own)),
            ((None, Some("2")), (2, slurm)),
            ((Some(""), Some("2")), (2, slurm)),
            ((Some("4"), Some("2")), (4, None)),
            ((Some("4096"), None), (4, None)),
            ((None, Some("64")), (4, None)),
            ((None, Some("0")), (4, None)),
            ((None, Some("2(x3)")), (4, None)),
            ((None, Some("")), (4, None)),
        ] {
            assert_eq!(usual(variables.0, variables.1), Ok(expected), "{variables:?}");
        }
        for bad in ["0", "4097", "two", "-1", "2.5", " 2"] {
            let refused = usual(Some(bad), Some("2")).unwrap_err();
            assert!(
                refused.starts_with(&format!("DESTRIER_THREADS={bad}: write a number of workers, 1 to 4096")),
                "{refused}"
            );
        }
    }

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("3G", 3 << 30),
            ("1500M", 1500 << 20),
            ("2.5GiB", 5 << 29),
            ("800000K", 800_000 << 10),
            ("123456", 123_456),
            ("1GB", 1_000_000_000),
            ("2 MiB", 2 << 20),
            ("0.5t", 1 << 39),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused_with_what_would_be_right() {
        for (text, says) in [
            ("0", "no memory"),
            ("0.0001", "no memory"),
            ("0G", "no memory"),
            ("-1", "no size"),
            ("lots", "no size"),
            ("", "no size"),
            ("1.2.3G", "no size"),
            (".", "no size"),
            ("3X", "'x' is no unit"),
            ("3GG", "no unit"),
            ("18446744073709551616", "more than"),
            ("17179869184G", "more than"),
            ("99999999999999.5T", "more than"),
        ] {
            let refused = parse_size(text).unwrap_err();
            assert!(refused.contains(says) && refused.contains("3G"), "{text}: {refused}");
        }
    }
}
