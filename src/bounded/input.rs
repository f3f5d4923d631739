//! Lines, files and values in JSON, read up to a largest length, and numbers with a range.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read};
use std::ops::RangeInclusive;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Largest length in bytes of the first line of a journal, a stream or a manifest, which describes the rest.
///
/// The longest question is one of holes. At most 2^24 of them are written, as runs of two numbers each, five bits a digit.
/// A run has three digits for its length of one hole and a gap of less than 2^10 squares; each further digit takes another
/// 2^10 squares of at most 2^32. So holes take less than 53 MiB. Prescribed moves take some MiB: a method that heeds them
/// takes boards of up to 2^16 squares, and the operating system bounds the command line.
pub const FIRST_LINE_MAX: u64 = 64 << 20;

/// Reads a line with its end. The last line of an input may have none; at the end of the input the line is empty.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for a line of more than `longest` bytes, [`io::ErrorKind::OutOfMemory`] where memory is
/// refused, and when the input cannot be read.
pub fn line(input: &mut (impl BufRead + ?Sized), longest: u64) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    loop {
        let ahead = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            ahead => ahead?,
        };
        let end = ahead.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(ahead.len(), |at| at + 1);
        if (line.len() + taken) as u64 > longest {
            return Err(too_long("line", longest));
        }
        line.try_reserve(taken).map_err(|_| io::ErrorKind::OutOfMemory)?;
        line.extend_from_slice(&ahead[..taken]);
        input.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(line);
        }
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// When it cannot be opened, or is no regular file: the program would wait for a writer of a pipe.
pub fn open(path: &Path) -> io::Result<File> {
    open_for(path, OpenOptions::new().read(true))
}

/// Opens a regular file for what the options say.
///
/// # Errors
/// As [`open`].
pub fn open_for(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // To open a device may set it off, so the name is looked at first. Another file may have it a moment later.
    check_regular(&fs::metadata(path)?)?;
    open_now(path, options)
}

fn open_now(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Without this flag, to open a pipe waits for a writer.
    let file = options.custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Opens a file for reading that the user names, which may be a pipe: its writer is waited for.
///
/// # Errors
/// When it cannot be opened, or is a folder.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    if found.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder: name a file"));
    }
    if found.is_file() {
        // A file of the kernel may wait for more, as /proc/kmsg does.
        fcntl_setfl(&file, fcntl_getfl(&file)? | OFlags::NONBLOCK)?;
    }
    Ok(file)
}

fn check_regular(found: &fs::Metadata) -> io::Result<()> {
    if found.is_file() { Ok(()) } else { Err(io::Error::other("it is no regular file")) }
}

/// Reads a whole regular file.
///
/// # Errors
/// As [`open`], and [`io::ErrorKind::InvalidData`] for a file of more than `longest` bytes.
pub fn contents(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    rest(open(path)?, longest)
}

/// Reads an open file to its end.
///
/// # Errors
/// When it cannot be read, and [`io::ErrorKind::InvalidData`] where it has more than `longest` bytes.
pub fn rest(file: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest { Err(too_long("file", longest)) } else { Ok(bytes) }
}

fn too_long(what: &str, longest: u64) -> io::Error {
    let (longest, unit) = if longest < 1 << 10 { (longest, "bytes") } else { (longest >> 10, "KiB") };
    io::Error::new(io::ErrorKind::InvalidData, format!("a {what} has more than {longest} {unit}"))
}

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
/// As [`json`], as [`line()`], and [`io::ErrorKind::UnexpectedEof`] for a line without an end.
pub fn json_line<T: DeserializeOwned>(input: &mut (impl BufRead + ?Sized), longest: u64) -> io::Result<Option<T>> {
    let line = line(input, longest)?;
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
    let refused = |value: T| format!("{what} must be {} to {}, not {value}", range.start(), range.end());
    if range.contains(&value) { Ok(value) } else { Err(refused(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::io::BufReader;

    #[test]
    fn a_line_is_read_to_its_end_and_no_further_than_its_longest_length() {
        let lines = |text: &str, longest| {
            // The buffer ends in the middle of lines.
            let mut input = BufReader::with_capacity(3, text.as_bytes());
            let mut next = || line(&mut input, longest).map_err(|error| error.kind());
            [next(), next(), next()]
        };
        let [end, long] = [Ok(Vec::new()), Err(io::ErrorKind::InvalidData)];
        assert_eq!(lines("abcd\n\nx", 5), [Ok(b"abcd\n".to_vec()), Ok(b"\n".to_vec()), Ok(b"x".to_vec())]);
        assert_eq!(lines("", 5), [end.clone(), end.clone(), end]);
        assert_eq!(lines("abcde\nabcd\n", 5)[0], long);
    }

    /// An input that never ends its first line is not read on.
    #[test]
    fn a_line_without_an_end_is_an_error_that_says_the_longest_length() {
        let mut input = BufReader::new(io::repeat(b'x').take(1 << 40));
        let error = line(&mut input, 64 << 10).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::InvalidData, "a line has more than 64 KiB")
        );
        assert!(input.get_ref().limit() > (1 << 40) - (1 << 20), "{} bytes are left", input.get_ref().limit());
    }

    #[test]
    fn a_pipe_is_no_regular_file_and_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0)
            .unwrap();
        for opened in [open(&pipe).map(drop), contents(&pipe, 9).map(drop), open(folder.path()).map(drop)] {
            assert_eq!(opened.unwrap_err().to_string(), "it is no regular file");
        }
        // The pipe got the name after the look at it.
        let (send, opened) = std::sync::mpsc::channel();
        let late = pipe.clone();
        std::thread::spawn(move || send.send(open_now(&late, OpenOptions::new().read(true)).map(drop)));
        let opened = opened.recv_timeout(std::time::Duration::from_secs(120));
        assert_eq!(opened.expect("it waits for a writer").unwrap_err().to_string(), "it is no regular file");
        let file = folder.path().join("file");
        fs::write(&file, "ten bytes.").unwrap();
        assert_eq!(contents(&file, 10).unwrap(), b"ten bytes.");
        assert_eq!(contents(&file, 9).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

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
