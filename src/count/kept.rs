//! What a file of a count says to whoever has nothing but its name: what is asked, how it was to be run, its answer.

use super::asked::Asked;
use super::checkpoint::Checkpoint;
use super::error::CountError;
use super::opened::{self, Bad};
use super::question::{Count, Question};
use super::settings::{Answer, How, Settings};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a count was to be run, besides what every go says anew.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Wishes {
    /// Rows are kept at most every so many seconds.
    every_s: f64,
    /// Bytes that it may take, if that was said.
    pub memory: Option<u64>,
    /// Where counts may live in files: a whole path.
    pub spill: Option<PathBuf>,
}

impl Wishes {
    pub(super) fn of(settings: &Settings) -> Wishes {
        let whole = |folder: &PathBuf| std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
        // A name that is no text cannot be written down; whoever has one says it again.
        let spill = settings.spill.as_ref().map(whole).filter(|folder| folder.to_str().is_some());
        Wishes { every_s: settings.every.as_secs_f64(), memory: settings.wanted, spill }
    }

    /// How often rows are kept, at most; nothing if that is no time.
    pub fn every(&self) -> Option<Duration> {
        Duration::try_from_secs_f64(self.every_s).ok()
    }
}

/// A count that is done, in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The number, or its remainder.
    pub count: Count,
    /// How it was made sure of.
    pub how: How,
    /// States stored, in all goes.
    pub states: u64,
    /// The most states stored after one square.
    pub peak_states: u64,
    /// Threads of the last go.
    pub threads: usize,
    /// Of all goes.
    pub elapsed: Duration,
}

impl Finished {
    /// The answer that was given then.
    pub fn answer(&self) -> Answer {
        let Finished { count, how, peak_states, elapsed, .. } = self.clone();
        Answer { count: Some(count), how, peak_states, elapsed, resumed: None, saved: None, unsaved: None }
    }
}

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
