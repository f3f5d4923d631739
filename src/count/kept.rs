//! What a file of a count says to whoever has nothing but its name: what is asked, how it was to be run, its answer.

use super::asked::Asked;
use super::checkpoint::Checkpoint;
use super::error::CountError;
use super::opened::{self, Bad, Finished, Wishes};
use super::question::Question;
use super::settings::Settings;
use std::path::Path;
use std::time::Duration;

/// What a file of a count says.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// What is asked.
    pub question: Question,
    /// The only modulus, if a remainder is.
    pub modulus: Option<u32>,
    /// How it was to be run.
    pub wishes: Wishes,
    /// How long it took until then.
    pub elapsed: Duration,
    /// Its answer, if it is done.
    pub finished: Option<Finished>,
}

impl Kept {
    /// Reads a file, all of it; it must be whole.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is not there, is no checkpoint of a count, or is damaged.
    pub fn read(path: &Path) -> Result<Kept, CountError> {
        Kept::whole(path, None).map_err(|bad| opened::refused(path, bad, None))
    }

    /// Reads the file of a question, if it is there.
    ///
    /// # Errors
    /// As [`Kept::read`], and when it belongs to another question.
    pub fn of(path: &Path, question: &Question, modulus: Option<u32>) -> Result<Option<Kept>, CountError> {
        let asked = Asked::new(question, modulus);
        match Kept::whole(path, Some(&asked)) {
            Ok(kept) => Ok(Some(kept)),
            Err(Bad::Missing) => Ok(None),
            Err(bad) => Err(opened::refused(path, bad, Some(&asked))),
        }
    }

    fn whole(path: &Path, asked: Option<&Asked>) -> Result<Kept, Bad> {
        let opened = opened::open(path)?;
        asked.map_or(Ok(()), |asked| opened.is_of(asked)).map_err(Bad::Foreign)?;
        let kept = Kept {
            question: opened.question,
            modulus: opened.modulus(),
            wishes: opened.wishes.clone(),
            elapsed: opened.elapsed,
            finished: opened.finished(),
        };
        opened.check().map_err(Bad::Damaged)?;
        Ok(kept)
    }

    /// What is asked, in words.
    pub fn words(&self) -> String {
        Asked::new(&self.question, self.modulus).words()
    }

    /// Begins the file of a question of which nothing is counted yet, if it is not there.
    ///
    /// # Errors
    /// When that cannot be written, or another run writes it.
    pub fn begin(path: &Path, question: &Question, settings: &Settings) -> Result<(), CountError> {
        Checkpoint::new(path, question, settings)?.claim()?.begin()
    }
}
