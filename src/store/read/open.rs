//! Opens a file of tours.

use crate::bounded::{FileFormat, FileKind, refusal};
use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Opens a file of tours. A pipe is opened too, and only its reader finds out what it holds.
///
/// # Errors
/// When the file cannot be opened, or is another kind of file of destrier, or packed by another version: then the error says what
/// it is.
pub fn open_tours(path: &Path) -> io::Result<File> {
    let found = if fs::metadata(path)?.is_file() { FileFormat::of_file(path)? } else { None };
    match found {
        Some(format) if matches!(format.kind, FileKind::Tours | FileKind::Packed) && format.is_current() => {
            File::open(path)
        }
        None => File::open(path),
        other => Err(io::Error::new(io::ErrorKind::InvalidData, refusal(other, FileKind::Tours.name()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_or_a_journal_is_no_file_of_tours() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let opened = |text: &str| {
            fs::write(&file, text).unwrap();
            open_tours(&file).map(drop).map_err(|error| error.to_string())
        };
        for tours in ["3x4 a3 c2\n", FileKind::Packed.first_line(), "notes\n", ""] {
            assert_eq!(opened(tours), Ok(()), "{tours}");
        }
        let says = "is a journal, not a file of tours: to read it, type destrier replay FILE";
        assert_eq!(opened(FileKind::Journal.first_line()), Err(says.to_owned()));
        assert!(opened(FileKind::Count.first_line()).unwrap_err().contains("destrier resume FILE"));
        let says =
            "is a file of packed tours of version 17, and this program reads version 1: use the destrier that wrote it";
        assert_eq!(opened("destrier packed 17\n"), Err(says.to_owned()));
    }
}
