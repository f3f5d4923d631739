//! Saves the screen as text in a file.

use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::{Frame, Terminal};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The numbers tried for a file name.
const NUMBERS: std::ops::RangeInclusive<u32> = 1..=9999;

/// What is drawn on a screen of this size.
pub fn drawn(size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> Buffer {
    let backend = TestBackend::new(size.width, size.height);
    // This backend never fails.
    let Ok(mut terminal) = Terminal::new(backend);
    let Ok(_) = terminal.draw(draw);
    terminal.backend().buffer().clone()
}

/// A screen of this size as text.
pub fn text_of(size: Size, draw: impl FnOnce(&mut Frame<'_>)) -> String {
    let buffer = drawn(size, draw);
    let width = usize::from(buffer.area.width.max(1));
    let line = |cells: &[ratatui::buffer::Cell]| cells.iter().map(|cell| cell.symbol()).collect::<String>();
    buffer.content.chunks(width).map(|cells| line(cells).trim_end().to_owned() + "\n").collect()
}

/// Writes a text to the first unused `destrier-screen-N.txt` of a folder, and returns the path.
///
/// # Errors
/// If no file can be created or written. An existing file is never changed.
pub fn write_screen(folder: &Path, text: &str) -> io::Result<PathBuf> {
    let (mut file, path) = create(folder, "screen", "txt")?;
    file.write_all(text.as_bytes()).map(|()| path)
}

/// Creates the first unused `destrier-KIND-N.EXTENSION` of a folder.
///
/// # Errors
/// If no file can be created. An existing file is never changed.
pub fn create(folder: &Path, kind: &str, extension: &str) -> io::Result<(File, PathBuf)> {
    for number in NUMBERS {
        let path = folder.join(format!("destrier-{kind}-{number}.{extension}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "every number up to 9999 is taken"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_exist_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let first = write_screen(folder.path(), "one").unwrap();
        let second = write_screen(folder.path(), "two").unwrap();
        assert_ne!(first, second);
        assert_eq!(std::fs::read_to_string(first).unwrap(), "one");
        assert_eq!(std::fs::read_to_string(second).unwrap(), "two");
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_screen(&folder.path().join("none"), "text").is_err());
    }
}
