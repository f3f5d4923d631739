//! What is printed: reports as text or as the one JSON object, messages for people, and quoted text made safe.
//!
//! A message may quote an argument, a file name or the contents of a file, and so commands for the terminal that were put
//! there on purpose. Quoted text is made visible instead ([`visible`]), and cut if it is too long to be read.

use crate::job::fault::{Failure, io_failure, running};
use crate::job::report::{Report, keys};
use crate::saved;
use crate::words::{self, is_obeyed, visible};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// What is said where it cannot be written.
pub const STDOUT: &str = "stdout cannot be written";
/// What is said where it cannot be written.
pub const STDERR: &str = "stderr cannot be written";
/// The longest word, or argument, that is quoted whole: paths hardly ever are longer.
const QUOTED_MAX: usize = 1000;
/// How much is quoted of a longer one.
const QUOTED: usize = 60;
/// Most files that are named.
const LEFTOVERS_NAMED: usize = 3;

/// Prints a report: as one JSON object on stdout, or as text, on stderr where stdout carries something else.
///
/// # Errors
/// When what it is printed on is gone.
pub fn print(report: &(impl Serialize + Display), json: bool, stdout_taken: bool) -> Result<(), Failure> {
    match (json, stdout_taken) {
        (true, _) => print_object(report),
        (false, true) => note(format_args!("{report}\n")),
        (false, false) => put(format_args!("{report}\n")),
    }
}

/// Writes text on stdout.
///
/// # Errors
/// When stdout is gone.
pub fn put(text: impl Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    write!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(io_failure(STDOUT))
}

/// Writes text on stderr.
///
/// # Errors
/// When stderr is gone.
pub fn note(text: impl Display) -> Result<(), Failure> {
    write!(io::stderr(), "{text}").map_err(io_failure(STDERR))
}

/// Prints the one JSON object on stdout.
///
/// # Errors
/// When stdout is gone.
pub fn print_object(object: &impl Serialize) -> Result<(), Failure> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let written = write_json(&mut stdout, object);
    written.and_then(|()| writeln!(stdout)).and_then(|()| stdout.flush()).map_err(io_failure(STDOUT))
}

/// Writes an object as JSON that is safe to print. What a terminal could obey is escaped: a reader of JSON finds the same text.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(output: impl Write, object: &impl Serialize) -> io::Result<()> {
    Ok(object.serialize(&mut serde_json::Serializer::with_formatter(output, VisibleJson))?)
}

/// The compact form of JSON, with escapes for [`is_obeyed`].
struct VisibleJson;

impl serde_json::ser::Formatter for VisibleJson {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, output: &mut W, text: &str) -> io::Result<()> {
        if !text.contains(is_obeyed) {
            return output.write_all(text.as_bytes());
        }
        text.chars().try_for_each(|c| {
            if is_obeyed(c) {
                c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(output, "\\u{unit:04x}"))
            } else {
                write!(output, "{c}")
            }
        })
    }
}

/// Prints the object of a run that failed, on a board or a range of boards.
///
/// # Errors
/// When stdout is gone.
pub fn print_failed(board: impl Display, error: &dyn Display) -> Result<(), Failure> {
    let (board, error) = (board.to_string(), error.to_string());
    print_object(&serde_json::json!({ "board": board, "error": error, "complete": false }))
}

/// The failure of a run on a board or a range of boards; with `json` its object is printed, too.
pub fn failed(board: impl Display, error: &dyn Display, json: bool) -> Failure {
    let printed = if json { print_failed(board, error) } else { Ok(()) };
    printed.err().unwrap_or_else(|| running(error))
}

/// Prints that work on a board, or a range of boards, was stopped before it was `done`, a participle.
///
/// # Errors
/// When stdout is gone.
pub fn print_stopped(board: impl Display, done: &str, json: bool) -> Result<(), Failure> {
    let mut report = Report::default();
    report.text(format_args!("{board}: NOT {done}: stopped by signal"));
    keys!(report, "board" => board.to_string(), "complete" => false, "stopped" => "signal");
    print(&report, json, false)
}

/// Prints a message on stderr, behind the name of the program.
///
/// # Errors
/// When stderr is gone.
pub fn say(message: impl Display) -> Result<(), Failure> {
    note(format_args!("destrier: {}\n", safe(&message.to_string())))
}

/// Reports which files in a folder are left of runs that were killed.
///
/// # Errors
/// When stderr is gone.
pub fn say_leftovers(folder: &Path) -> Result<(), Failure> {
    let left = saved::leftovers(folder);
    let names: Vec<String> = left.iter().take(LEFTOVERS_NAMED).map(|(path, _)| shell_word(path)).collect();
    let bytes = words::bytes(left.iter().map(|(_, bytes)| bytes).sum());
    let more = if left.len() > names.len() { ", .." } else { "" };
    let names = names.join(", ");
    match left.len() {
        0 => Ok(()),
        1 => say(format_args!("{names} ({bytes}) is left of a run that was killed, and may be removed")),
        n => say(format_args!(
            "{n} files ({bytes}) are left of runs that were killed, and may be removed: {names}{more}"
        )),
    }
}

/// A name as a word for the shell, for commands that the user is to type. What a terminal could obey, or is no text, is given by
/// the numbers of its bytes, as bash, ksh and zsh read them.
pub fn shell_word(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    let dash = if bytes.starts_with(b"-") { "./" } else { "" };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+~".contains(c);
    match path.to_str() {
        Some(name) if !name.is_empty() && !name.starts_with(['-', '~']) && name.chars().all(plain) => name.to_owned(),
        Some(name) if !name.contains(is_obeyed) => format!("'{dash}{}'", name.replace('\'', "'\\''")),
        _ => {
            let byte = |&byte: &u8| match byte {
                b'\'' | b'\\' => format!("\\{}", char::from(byte)),
                b' '..=b'~' => char::from(byte).to_string(),
                _ => format!("\\{byte:03o}"),
            };
            format!("$'{dash}{}'", bytes.iter().map(byte).collect::<String>())
        }
    }
}

/// The text as it may be printed, whatever is quoted in it.
pub fn safe(text: &str) -> String {
    let args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    visible(&shortened(text, args))
}

/// The text with long words cut, and long ones of these arguments, which may have blanks in them.
fn shortened(text: &str, args: impl Iterator<Item = String>) -> String {
    let mut text = text.to_owned();
    for arg in args.filter(|arg| arg.len() > QUOTED_MAX) {
        // Of `--limit=..` the part behind the sign is quoted.
        let value = arg.split_once('=').map_or("", |(_, value)| value);
        for quoted in [&arg, value].into_iter().filter(|quoted| quoted.len() > QUOTED_MAX) {
            text = text.replace(quoted, &cut(quoted));
        }
    }
    if text.len() <= QUOTED_MAX {
        return text;
    }
    let word = |word: &str| if word.len() > QUOTED_MAX { cut(word) } else { word.to_owned() };
    text.split_inclusive(char::is_whitespace).map(word).collect()
}

/// The beginning and the end of a text: the end may have a quotation mark, or a blank.
fn cut(text: &str) -> String {
    let begin = text.char_indices().nth(QUOTED).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().rev().nth(1).map_or(begin, |(at, _)| at.max(begin));
    format!("{}..{}", &text[..begin], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_for_the_shell() {
        for (name, word) in [
            ("8x10.count", "8x10.count"),
            ("/tmp/a b", "'/tmp/a b'"),
            ("it's", "'it'\\''s'"),
            ("-x", "'./-x'"),
            ("~x", "'~x'"),
            ("a$(b)", "'a$(b)'"),
            ("größer", "'größer'"),
            ("it's\x1b]0;pwn\x07\\", "$'it\\'s\\033]0;pwn\\007\\\\'"),
            ("-\n", "$'./-\\012'"),
            ("a\u{9b}b\u{202e}", "$'a\\302\\233b\\342\\200\\256'"),
        ] {
            assert_eq!(shell_word(Path::new(name)), word);
        }
        assert_eq!(shell_word(Path::new(std::ffi::OsStr::from_bytes(b"a\xff"))), "$'a\\377'");
    }

    #[test]
    fn json_has_no_character_that_a_terminal_obeys_and_means_the_same() {
        let text = "a\x1b\x07\n\"\\ö\u{7f}\u{80}\u{9b}\u{9f}\u{202a}\u{202e}\u{2066}\u{2069}♞\u{e0001}z";
        let mut json = Vec::new();
        write_json(&mut json, &[text]).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains(is_obeyed) && json.contains("ö\\u007f\\u0080\\u009b"), "{json}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&json).unwrap(), [text]);
    }

    #[test]
    fn what_is_too_long_to_be_read_is_cut() {
        let long = "x".repeat(100_000);
        let none = || std::iter::empty();
        let of = |text: &str| shortened(text, none());
        assert_eq!(of(&format!("no '{long}' here")), format!("no '{}..' here", "x".repeat(59)));
        let path = format!("/{}", "folder/".repeat(100));
        assert_eq!(of(&path), path);
        let blanks = "a b ".repeat(1000);
        let said = shortened(&format!("'{blanks}' is no board"), [format!("--x={blanks}"), blanks.clone()].into_iter());
        assert!(said.len() < 100 && said.ends_with("' is no board"), "{said}");
    }
}
