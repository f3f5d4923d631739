//! Values in JSON, and numbers with a range.

use super::input;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::io::{self, BufRead};
use std::ops::RangeInclusive;

/// Parses bytes that hold one value in JSON and nothing else. Arrays and objects are nested at most 127 deep, the limit of
/// serde_json.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] with what is wrong, and where.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    serde_json::from_slice(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))
}

/// Reads a line of at most `longest` bytes that holds a value in JSON; `None` at the end of the input.
///
/// # Errors
/// As [`json`], as [`line`](super::line), and [`io::ErrorKind::UnexpectedEof`] for a line without an end.
pub fn json_line<T: DeserializeOwned>(input: &mut (impl BufRead + ?Sized), longest: u64) -> io::Result<Option<T>> {
    let line = input::line(input, longest)?;
    match line.last() {
        None => Ok(None),
        Some(b'\n') => json(&line).map(Some),
        Some(_) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a line was cut off")),
    }
}

/// Checks a number that a file or a client gives. `what` names it.
///
/// # Errors
/// A message with the range and the number, if it lies outside.
pub fn in_range<T: PartialOrd + Display>(value: T, range: RangeInclusive<T>, what: &str) -> Result<T, String> {
    match range.contains(&value) {
        true => Ok(value),
        false => Err(format!("{what} must be {} to {}, not {value}", range.start(), range.end())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn one_value_is_parsed_of_bounded_length_and_depth() {
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(json::<Value>(nested(127).as_bytes()).is_ok());
        for wrong in [nested(128), nested(100_000), "[1] 2".to_owned(), "[1".to_owned(), String::new()] {
            assert_eq!(json::<Value>(wrong.as_bytes()).unwrap_err().kind(), io::ErrorKind::InvalidData);
        }
        assert!(json::<u32>(b"4294967296").is_err() && json::<u32>(b"-1").is_err());
    }

    #[test]
    fn a_line_has_a_value_and_an_end() {
        let read = |text: &str| json_line::<u32>(&mut text.as_bytes(), 4).map_err(|error| error.kind());
        assert_eq!(read(""), Ok(None));
        assert_eq!(read("123\n4"), Ok(Some(123)));
        assert_eq!(read("123"), Err(io::ErrorKind::UnexpectedEof));
        assert_eq!(read("1234\n"), Err(io::ErrorKind::InvalidData));
        assert_eq!(read("x\n"), Err(io::ErrorKind::InvalidData));
    }

    #[test]
    fn a_number_outside_its_range_is_refused_with_the_range() {
        assert_eq!(in_range(1, 1..=8, "the width"), Ok(1));
        assert_eq!(in_range(9, 1..=8, "the width"), Err("the width must be 1 to 8, not 9".to_owned()));
        assert!(in_range(f64::NAN, 0.0..=1.0, "the share").is_err());
    }
}
