//! A part of a count: its remainder by one prime, in a file of a folder of such parts.
//!
//! A part is a count's checkpoint that is done, under another name: `modulo-P.checkpoint` while it is counted, and
//! `modulo-P.part` from the moment on at which it holds the remainder.

use crate::board::Ending;
use crate::cli::failure::{Failure, running, usage};
use crate::cli::files::WrittenFiles;
use crate::cli::say::{say, shell_word};
use crate::count::{CountQuestion, SavedCount};
use crate::run::part::{CHECKPOINT, PART};
use crate::saved;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// How both begin.
const MODULO: &str = "modulo-";

/// A part, which need not be there.
pub struct CountPart {
    folder: PathBuf,
    modulus: u32,
    question: CountQuestion,
}

/// The prime that the name of a part, or of one that is not done, has.
pub fn modulus_of(name: &str) -> Option<u32> {
    let name = name.strip_prefix(MODULO)?;
    let digits = name.strip_suffix(PART).or_else(|| name.strip_suffix(CHECKPOINT))?;
    digits.parse().ok()
}

impl CountPart {
    /// The part of a question by a prime, in a folder.
    pub fn new(folder: &Path, question: &CountQuestion, modulus: u32) -> CountPart {
        CountPart { folder: folder.to_owned(), modulus, question: *question }
    }

    /// Its file.
    pub fn file(&self) -> PathBuf {
        self.named(PART)
    }

    /// The file that it has while it is counted.
    pub fn checkpoint(&self) -> PathBuf {
        self.named(CHECKPOINT)
    }

    /// Both files.
    pub fn files(&self) -> WrittenFiles {
        WrittenFiles::default().saved("--out-dir", Some(&self.file())).saved("--out-dir", Some(&self.checkpoint()))
    }

    fn named(&self, end: &str) -> PathBuf {
        self.folder.join(format!("{MODULO}{}{end}", self.modulus))
    }

    /// What to type to make it.
    pub fn command(&self) -> String {
        let CountQuestion { board, ending, start, strict, .. } = self.question;
        let open = if ending == Ending::Open { " --open" } else { "" };
        let start = start.map(|start| format!(" --start {}", board.name(start))).unwrap_or_default();
        let strict = if strict { " --strict" } else { "" };
        let (modulus, folder) = (self.modulus, shell_word(&self.folder));
        format!("destrier count {board}{open}{strict}{start} --modulus {modulus} --out-dir {folder}")
    }

    /// Makes the folder, and looks for the part, and for one that is not done, there. A part that is damaged is made
    /// again.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there can be no such folder, or another question's files stand there; as [`CountPart::settle`].
    pub fn begin(&self) -> Result<Option<SavedCount>, Failure> {
        let folder = self.folder.display();
        fs::create_dir_all(&self.folder)
            .map_err(|error| usage(format!("--out-dir {folder}: {error}: name a folder")))?;
        let file = self.file();
        match SavedCount::read(&file) {
            Ok(kept) if (kept.question, kept.modulus) != (self.question, Some(self.modulus)) => {
                let has = kept.words();
                let why = format!("{}: is a part of the {has}: name another folder, or move it away", file.display());
                return Err(usage(why));
            }
            Ok(kept) if kept.finished.is_some() => return Ok(Some(kept)),
            Ok(_) => say(format_args!("{}: is not done, and is made again", file.display()))?,
            Err(_) if !file.exists() => {}
            Err(error) => say(format_args!("{error}: it is made again"))?,
        }
        let kept = SavedCount::find(&self.checkpoint(), &self.question, Some(self.modulus)).map_err(usage)?;
        if kept.as_ref().is_some_and(|kept| kept.finished.is_some()) {
            // It was brought to its end by `resume`, or killed before it had its name.
            self.settle()?;
        }
        Ok(kept)
    }

    /// Gives what is done, in the checkpoint, the name of the part. A file that stood there, which was none, keeps a
    /// second name.
    ///
    /// # Errors
    /// [`Failure::Running`] when that cannot be done.
    pub fn settle(&self) -> Result<(), Failure> {
        let (checkpoint, file) = (self.checkpoint(), self.file());
        let rename = || {
            if file.exists() {
                fs::rename(&file, saved::older(&file))?;
            }
            fs::rename(&checkpoint, &file)?;
            match fs::remove_file(saved::older(&checkpoint)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            File::open(&self.folder)?.sync_all()
        };
        rename().map_err(|error: io::Error| running(format!("--out-dir {}: {error}", self.folder.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_makes_its_part_again() {
        let board: crate::board::Board = "5x6".parse().unwrap();
        let start = board.parse_square("a5").ok();
        let open = CountQuestion { start, ..CountQuestion::new(board, Ending::Open) };
        for (question, folder, command) in [
            (CountQuestion::new(board, Ending::Closed), "parts", "destrier count 5x6 --modulus 101 --out-dir parts"),
            (open, "my parts", "destrier count 5x6 --open --start a5 --modulus 101 --out-dir 'my parts'"),
            (
                CountQuestion { start: None, strict: true, ..open },
                "parts",
                "destrier count 5x6 --open --strict --modulus 101 --out-dir parts",
            ),
        ] {
            let part = CountPart::new(Path::new(folder), &question, 101);
            assert_eq!(part.command(), command);
            let names = [part.file(), part.checkpoint()].map(|file| file.file_name().unwrap().to_owned());
            assert_eq!(names.map(|name| modulus_of(name.to_str().unwrap())), [Some(101); 2]);
        }
        for name in ["modulo-101", "modulo-x.part", "101.part", "modulo-101.part~"] {
            assert_eq!(modulus_of(name), None);
        }
    }
}
