//! What is printed: reports as text or as the one JSON object, messages for people, and quoted text made safe.
//!
//! A message may quote an argument, a file name or the contents of a file, and so commands for the terminal that were put
//! there on purpose. Quoted text is made visible instead ([`visible`]), and cut if it is too long to be read.

use crate::job::report::Report;
use crate::saved;
use crate::words::{self, visible};
use serde::Serialize;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

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
pub fn print(report: &(impl Serialize + Display), json: bool, stdout_taken: bool) -> io::Result<()> {
    match (json, stdout_taken) {
        (true, _) => print_object(report),
        (false, true) => writeln!(io::stderr(), "{report}"),
        (false, false) => writeln!(io::stdout(), "{report}"),
    }
}

/// Prints the one JSON object on stdout.
///
/// # Errors
/// When stdout is gone.
pub fn print_object(object: &impl Serialize) -> io::Result<()> {
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer(&mut stdout, object)?;
    writeln!(stdout)?;
    stdout.flush()
}

/// Prints the object of a run that failed, on a board or a range of boards.
///
/// # Errors
/// When stdout is gone.
pub fn print_failed(board: impl Display, error: &dyn Display) -> io::Result<()> {
    let (board, error) = (board.to_string(), error.to_string());
    print_object(&serde_json::json!({ "board": board, "error": error, "complete": false }))
}

/// Prints that work on a board, or a range of boards, was stopped before it was `done`, a participle.
///
/// # Errors
/// When stdout is gone.
pub fn print_stopped(board: impl Display, done: &str, json: bool) -> io::Result<()> {
    let mut report = Report::default();
    report.text(format_args!("{board}: NOT {done}: stopped by signal"));
    report.key("board", board.to_string());
    report.key("complete", false);
    report.key("stopped", "signal");
    print(&report, json, false)
}

/// Prints a message on stderr, behind the name of the program.
///
/// # Errors
/// When stderr is gone.
pub fn say(message: impl Display) -> io::Result<()> {
    writeln!(io::stderr(), "destrier: {}", safe(&message.to_string()))
}

/// Reports which files in a folder are left of runs that were killed.
///
/// # Errors
/// When stderr is gone.
pub fn say_leftovers(folder: &Path) -> io::Result<()> {
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

/// A name as a word for the shell, for commands that the user is to type.
pub fn shell_word(path: &Path) -> String {
    let name = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+~".contains(c);
    if !name.is_empty() && !name.starts_with(['-', '~']) && name.chars().all(plain) {
        return name;
    }
    let dash = if name.starts_with('-') { "./" } else { "" };
    format!("'{dash}{}'", name.replace('\'', "'\\''"))
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
        ] {
            assert_eq!(shell_word(Path::new(name)), word);
        }
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
