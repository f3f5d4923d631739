//! A run in a file: one code reads and compares what the file holds, keeps the run there, and says why that cannot be.
//!
//! The file is a [record]. Its header is the run itself, by serde; what the run has besides is the body.
//! `job/saving` says to the user how a saved run is resumed.

use super::record::{self, RecordBody, RecordFault, RecordKind};
use super::replaced::{SavedFile, is_taken};
use crate::lock::LockAlways as _;
use crate::memory::MemoryRefused;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::Path;

/// A run that is saved in a file and resumed from it.
pub trait SavedRun: Serialize + DeserializeOwned {
    /// What the run is to answer.
    type Question;

    const KIND: RecordKind;

    fn question(&self) -> &Self::Question;

    /// A question in words, such as `6x6 closed tours by path`.
    fn words(question: &Self::Question) -> String;

    fn is_same(one: &Self::Question, other: &Self::Question) -> bool;

    /// Whether nothing is left to be done.
    fn has_ended(&self) -> bool;

    /// Takes over the body behind the header, and refuses what no run can have written.
    ///
    /// # Errors
    /// [`RecordFault`].
    fn take_body(&mut self, body: RecordBody) -> Result<(), RecordFault>;

    /// Reads the run in a file, which may be the file of a run at work.
    ///
    /// # Errors
    /// [`RecordFault`].
    fn read(path: &Path) -> Result<Self, RecordFault> {
        record::read(path, &Self::KIND, |mut run: Self, body| run.take_body(body).map(|()| run))
    }
}

/// Reads the run in a file, and refuses a run of another question than `asked`.
fn read_asked<R: SavedRun>(path: &Path, asked: Option<&R::Question>) -> Result<R, RecordFault> {
    let run = R::read(path)?;
    match asked.filter(|asked| !R::is_same(run.question(), asked)) {
        None => Ok(run),
        Some(asked) => {
            let (has, asked) = (R::words(run.question()), R::words(asked));
            Err(RecordFault::Foreign(format!("is a checkpoint of {has}, not of {asked}")))
        }
    }
}

/// Why a run cannot be saved in its file, or resumed from it. The text begins with the name of the file.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file cannot be used, and what to do about that.
    #[error("{0}")]
    Unusable(String),
    /// The disk does not take the file.
    #[error("{0}")]
    Unwritten(String),
    /// The file needs more memory than there is.
    #[error(transparent)]
    Memory(MemoryRefused),
}

impl SaveError {
    /// The error for a file that cannot be used; `why` follows its name.
    pub fn unusable(path: &Path, why: impl ToString) -> SaveError {
        SaveError::Unusable(format!("{}: {}", path.display(), why.to_string()))
    }

    /// The error for a file with a fault. It offers the previous file if that can be used for what is `asked`.
    pub fn of_fault<R: SavedRun>(path: &Path, fault: RecordFault, asked: Option<&R::Question>) -> SaveError {
        match fault {
            RecordFault::Memory(refused) => SaveError::Memory(refused),
            fault => {
                let is_whole = |older: &Path| read_asked::<R>(older, asked).is_ok();
                SaveError::unusable(path, record::refusal(path, &fault, is_whole))
            }
        }
    }
}

impl SavedFile {
    /// Reads the run in the file, if the file exists.
    ///
    /// # Errors
    /// [`SaveError::Unusable`] when the file has no such run, is damaged, has a run of another question than `asked`, or was made
    /// by another run since it was claimed.
    pub fn read<R: SavedRun>(&self, asked: Option<&R::Question>) -> Result<Option<R>, SaveError> {
        let run: R = match read_asked(self.path(), asked) {
            Ok(run) => run,
            Err(RecordFault::Missing) => return Ok(None),
            Err(fault) => return Err(SaveError::of_fault::<R>(self.path(), fault, asked)),
        };
        self.check_claim().map_err(|why| SaveError::unusable(self.path(), why))?;
        Ok(Some(run))
    }

    /// Notes how a save ended.
    ///
    /// # Errors
    /// [`SaveError::Unwritten`] when the disk did not take the file, which is as it was, if it was there. [`SaveError::Unusable`] when another
    /// run has just made it.
    pub fn note(&self, saved: io::Result<()>) -> Result<(), SaveError> {
        let saved = saved.map_err(|error| {
            if is_taken(&error) {
                SaveError::unusable(self.path(), error)
            } else {
                let state = if self.path().exists() { "is as it was" } else { "is not there" };
                SaveError::Unwritten(format!("{} was not written, and {state}: {error}", self.path().display()))
            }
        });
        *self.problem.locked() = saved.as_ref().err().map(SaveError::to_string);
        saved
    }

    /// Why the run was not saved the last time, in words that begin with the name of the file.
    pub fn problem(&self) -> Option<String> {
        self.problem.locked().clone()
    }

    /// Removes the file of a run that does not take place, if the run has made it.
    pub fn withdraw(&self) {
        if self.is_new() && !self.is_free() {
            self.remove_older();
            let _ = fs::remove_file(self.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::FileKind;
    use serde::Deserialize;
    use std::io::Write as _;

    /// A run that counts up to a number, with a line for what is left.
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct CountedRun {
        to: u32,
        #[serde(skip)]
        left: Vec<u8>,
    }

    impl SavedRun for CountedRun {
        type Question = u32;

        const KIND: RecordKind = RecordKind { kind: FileKind::Layer, header_max: 64 };

        fn question(&self) -> &u32 {
            &self.to
        }

        fn words(to: &u32) -> String {
            format!("a run to {to}")
        }

        fn is_same(one: &u32, other: &u32) -> bool {
            one == other
        }

        fn has_ended(&self) -> bool {
            self.left.is_empty()
        }

        fn take_body(&mut self, mut body: RecordBody) -> Result<(), RecordFault> {
            self.left = body.line(8)?;
            body.finish()
        }
    }

    fn saved(file: &SavedFile, to: u32) -> Result<(), SaveError> {
        let run = CountedRun { to, left: b"left".to_vec() };
        file.note(file.save_record(&CountedRun::KIND, &run, |body| writeln!(body, "left")))
    }

    fn claimed(path: &Path) -> SavedFile {
        let file = SavedFile::new(path).unwrap();
        file.claim().unwrap();
        file
    }

    #[test]
    fn a_run_is_read_compared_and_refused_with_the_file_before_it_if_that_is_of_the_question() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let file = claimed(&path);
        assert_eq!(file.read::<CountedRun>(Some(&7)).unwrap(), None);
        saved(&file, 7).unwrap();
        saved(&file, 7).unwrap();
        assert_eq!(file.read(Some(&7)).unwrap(), Some(CountedRun { to: 7, left: b"left".to_vec() }));
        let why = |asked: &u32| file.read::<CountedRun>(Some(asked)).unwrap_err().to_string();
        let shown = path.display();
        assert_eq!(why(&8), format!("{shown}: is a checkpoint of a run to 7, not of a run to 8: name another file"));
        fs::write(&path, "notes").unwrap();
        let offer = "the previous checkpoint is whole: mv ";
        assert!(why(&7).contains(offer) && !why(&8).contains(offer), "{} {}", why(&7), why(&8));
    }

    #[test]
    fn a_failed_save_is_noted_until_one_succeeds_and_only_a_new_file_is_withdrawn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let file = claimed(&path);
        let failed = file.note(Err(io::Error::other("full"))).unwrap_err();
        let says = format!("{} was not written, and is not there: full", path.display());
        assert!(matches!(&failed, SaveError::Unwritten(why) if *why == says), "{failed}");
        assert_eq!(file.problem(), Some(says));
        saved(&file, 7).unwrap();
        assert_eq!((file.problem(), file.is_new()), (None, true));
        drop(file);
        let again = claimed(&path);
        assert!(!again.is_new());
        again.withdraw();
        assert!(path.exists());
        fs::remove_file(&path).unwrap();
        drop(again);
        let new = claimed(&path);
        saved(&new, 7).unwrap();
        saved(&new, 7).unwrap();
        new.withdraw();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
