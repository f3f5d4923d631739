//! A screen as text, and the files that screens and tours are written to.

use super::picture;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Frame, Terminal};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The numbers tried for a file name.
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=9999;

/// Draws a screen of this size.
pub fn drawn(size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> Buffer {
    // This backend never fails.
    let Ok(mut terminal) = Terminal::new(TestBackend::new(size.width, size.height));
    let Ok(_) = terminal.draw(draw);
    terminal.backend().buffer().clone()
}

/// A part of a drawn screen as text: line by line, without colours and without trailing blanks.
pub fn text_of(buffer: &Buffer, part: Rect) -> String {
    let part = part.intersection(buffer.area);
    let line = |y: u16| {
        let cells = (part.left()..part.right()).map(|x| buffer[Position { x, y }].symbol());
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    (part.top()..part.bottom()).map(line).collect()
}

/// Writes a drawn screen to a new file: as a picture if the name ends in `.svg`, otherwise as text. `-N` at the end of the
/// stem stands for the first number of which there is no file. Returns the path.
///
/// # Errors
/// If the file exists, or cannot be written.
pub fn write_screen(name: &str, buffer: &Buffer, light: bool) -> io::Result<PathBuf> {
    let path = Path::new(name);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let text = if extension == "svg" { picture::svg(buffer, light) } else { text_of(buffer, buffer.area) };
    let stem = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.strip_suffix("-N"));
    let (mut file, path) = match stem {
        Some(stem) => create(path.parent().unwrap_or(Path::new("")), stem, extension)?,
        None => (new_file(path)?, path.to_owned()),
    };
    file.write_all(text.as_bytes()).map(|()| path)
}

/// Why a screen was not written, and what to do if a file of this name exists.
pub fn refusal(name: &str, error: &io::Error) -> String {
    match error.kind() {
        // The error of the operating system; with -N every number is taken.
        io::ErrorKind::AlreadyExists if error.raw_os_error().is_some() => {
            format!("{name} exists: with -N before the ending the name gets a number")
        }
        _ => format!("{name} could not be written: {error}"),
    }
}

/// Creates the first unused `STEM-N.EXTENSION` of a folder.
///
/// # Errors
/// If no file can be created. An existing file is never changed.
pub fn create(folder: &Path, stem: &str, extension: &str) -> io::Result<(File, PathBuf)> {
    for number in NUMBERS {
        let path = folder.join(format!("{stem}-{number}")).with_extension(extension);
        match new_file(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "every number up to 9999 is taken"))
}

fn new_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    fn screen(text: &str) -> Buffer {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 9, 1));
        buffer.set_string(0, 0, text, Style::new());
        buffer
    }

    #[test]
    fn files_that_exist_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let numbered = named("screen-N.txt");
        let [first, second] = ["one", "two"].map(|text| write_screen(&numbered, &screen(text), false).unwrap());
        assert_ne!(first, second);
        assert_eq!(std::fs::read_to_string(first).unwrap(), "one\n");
        assert_eq!(std::fs::read_to_string(second).unwrap(), "two\n");
        let refused = write_screen(&named("screen-1.txt"), &screen("three"), false).unwrap_err();
        assert!(refusal("screen-1.txt", &refused).contains("-N before the ending"), "{refused}");
        let picture = write_screen(&named("mine.svg"), &screen("four"), true).unwrap();
        assert!(std::fs::read_to_string(picture).unwrap().starts_with("<svg"));
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let name = folder.path().join("none/screen-N.txt");
        assert!(write_screen(name.to_str().unwrap(), &screen("text"), false).is_err());
    }

    #[test]
    fn a_part_of_a_screen_is_cut_out() {
        assert_eq!(text_of(&screen("abcdef"), Rect::new(2, 0, 3, 5)), "cde\n");
    }
}
