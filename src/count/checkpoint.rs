//! A count in a file: what is known of its answer, and the finished squares of the pass in work; and the way back.
//!
//! ```text
//! destrier count 2                     what this is
//! {"question":..,"stage":..}           how far the count is, as one line of JSON
//! counts                               of the squares that are done (see `counts`), if a pass is in work
//! 4 bytes                              the CRC-32 of all that
//! ```
//!
//! A file of a count that is done has its numbers and no counts. It stays, and whoever asks again is told at once.

use super::answer::answer;
use super::asked::Asked;
use super::census;
use super::counts::{read_counts, write_counts};
use super::dense::Store;
use super::error::CountError;
use super::gather::Found;
use super::kept::{Finished, Wishes};
use super::layers::Layer;
use super::pass::State;
use super::progress::Progress;
use super::question::{Count, Question};
use super::residues::Modulus;
use super::settings::{How, Settings};
use super::sweep::sweeps_for;
use crate::memory::Refused;
use crate::saved::{self, Sealed};
use crate::schedule::words;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The first line.
const MAGIC: &str = "destrier count 2\n";
/// What all first lines of files of counts begin with, whatever their version.
const FAMILY: &[u8] = b"destrier count ";

/// The second line.
#[derive(Serialize, Deserialize)]
struct Header {
    question: Asked,
    wishes: Wishes,
    /// Seconds that it took until then.
    elapsed_s: f64,
    progress: Progress,
    stage: Stage,
}

/// How far a count is.
#[derive(Clone, Serialize, Deserialize)]
enum Stage {
    /// No square of the pass in work is done.
    Begun,
    /// Some are.
    Pass(At),
    /// Nothing is left to do.
    Done(Done),
}

/// A pass in work; its counts follow.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct At {
    modulus: Modulus,
    /// Squares done.
    at: usize,
    largest: u128,
    nonzero: u64,
    widest: usize,
    /// Bytes of a count; 0 if only those that are not zero are here.
    bytes: usize,
}

/// What makes an answer of the numbers of the sweeps, and a report of that.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Done {
    /// Tours that symmetries leave alone, if classes are asked for.
    pub(super) symmetric: num_bigint::BigUint,
    pub(super) states: u64,
    pub(super) peak_states: u64,
    pub(super) threads: usize,
}

/// A file that is sound as far as its second line.
pub(super) struct Opened {
    /// What is asked.
    pub(super) question: Question,
    asked: Asked,
    /// What was wished besides.
    pub(super) wishes: Wishes,
    /// How long it took until then.
    pub(super) elapsed: Duration,
    /// What is known besides the pass in work.
    pub(super) progress: Progress,
    stage: Stage,
    input: Sealed<BufReader<File>>,
    /// Bytes that are still to come, with the sum.
    left: u64,
}

impl Opened {
    /// The only modulus.
    pub(super) fn modulus(&self) -> Option<u32> {
        self.asked.modulus()
    }

    /// Its answer, if it is done.
    pub(super) fn finished(&self) -> Option<Finished> {
        let Stage::Done(done) = &self.stage else { return None };
        let count = answer(&self.question, &self.progress.numbers, &done.symmetric)?;
        let how = self.progress.how();
        let &Done { states, peak_states, threads, .. } = done;
        Some(Finished { count, how, states, peak_states, threads, elapsed: self.elapsed })
    }

    /// Whether it is what was asked.
    ///
    /// # Errors
    /// What it is instead.
    pub(super) fn is_of(&self, asked: &Asked) -> Result<(), String> {
        if self.asked == *asked {
            return Ok(());
        }
        let (has, asked) = (self.asked.words(), asked.words());
        Err(format!("is a checkpoint of the {has}, not of the {asked}: name another file"))
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// When the sum does not agree, or it cannot be read.
    pub(super) fn check(mut self) -> io::Result<()> {
        let counts = self.left.checked_sub(4).ok_or(io::ErrorKind::UnexpectedEof)?;
        let read = io::copy(&mut (&mut self.input).take(counts), &mut io::sink())?;
        if read < counts {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.input.check()
    }

    /// What it has of the pass in work, if there is one.
    ///
    /// # Errors
    /// When there is none, and the sum does not agree.
    fn pass(self) -> io::Result<Option<Saved>> {
        match self.stage {
            Stage::Pass(at) => Ok(Some(Saved { at, input: self.input })),
            _ => self.check().map(|()| None),
        }
    }
}

/// A file that is no checkpoint, or not whole: why.
#[derive(Debug)]
pub(super) enum Bad {
    /// There is none.
    Missing,
    /// It is something else.
    Foreign(String),
    /// It was damaged, or could not be read.
    Damaged(io::Error),
}

/// Opens a file and reads its two lines.
///
/// # Errors
/// Why it is no checkpoint.
pub(super) fn open(path: &Path) -> Result<Opened, Bad> {
    let found = match fs::metadata(path) {
        Ok(found) if found.is_file() => found,
        Ok(found) if found.is_dir() => return Err(Bad::Foreign("is a folder: name a file".to_owned())),
        Ok(_) => return Err(Bad::Foreign("is no regular file: name another one".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Bad::Missing),
        Err(error) => return Err(Bad::Foreign(error.to_string())),
    };
    let mut input = saved::open(path).map_err(|error| Bad::Foreign(error.to_string()))?;
    if !input.begins_with(MAGIC).map_err(Bad::Damaged)? {
        let mut first = [0; FAMILY.len()];
        let other = File::open(path).and_then(|mut file| file.read_exact(&mut first));
        return Err(Bad::Foreign(match other {
            Ok(()) if first == *FAMILY => {
                "is a checkpoint of a count that another version of destrier wrote: name another file".to_owned()
            }
            _ => "is no checkpoint of a count: name another file".to_owned(),
        }));
    }
    let line = input.line().map_err(Bad::Damaged)?;
    let header: Header = serde_json::from_slice(&line).map_err(|error| Bad::Damaged(error.into()))?;
    let left = found.len().saturating_sub((MAGIC.len() + line.len()) as u64);
    sound(header, input, left).map_err(|what| Bad::Damaged(io::Error::other(what)))
}

/// A file whose second line says what can be. The checksum finds what was damaged by accident; this is for one that was
/// made up, its checksum and all.
fn sound(header: Header, input: Sealed<BufReader<File>>, left: u64) -> Result<Opened, &'static str> {
    let Header { question: asked, wishes, elapsed_s, progress, stage } = header;
    let (question, modulus) = asked.question().ok_or("it asks for what cannot be asked")?;
    let elapsed = Duration::try_from_secs_f64(elapsed_s).map_err(|_| "it took a time that there is not")?;
    wishes.every().ok_or("it is kept at times that there are not")?;
    let (sweeps, done) = (sweeps_for(&question).len(), progress.sweep());
    if !progress.is_sound(modulus) {
        return Err("what it knows of the answer is no result of a count");
    }
    match &stage {
        Stage::Pass(At { at, widest, bytes, .. }) => {
            if done >= sweeps || *at as u64 > question.board.squares() as u64 {
                return Err("it is further than a count can be");
            }
            if ![2, 4, 8].contains(widest) || ![0, 2, 4, 8].contains(bytes) {
                return Err("its counts have no width of counts");
            }
        }
        Stage::Begun if done > sweeps => return Err("it is further than a count can be"),
        Stage::Begun => {}
        Stage::Done(_) if done != sweeps => return Err("it is done, and knows too many numbers, or too few"),
        Stage::Done(Done { symmetric, .. }) => {
            if answer(&question, &progress.numbers, symmetric).is_none() {
                return Err("its numbers contradict each other");
            }
        }
    }
    Ok(Opened { question, asked, wishes, elapsed, progress, stage, input, left })
}

/// What is said of a file that is not to be had; one before it is offered if that is whole, and of the question that is
/// `asked`, whichever it is.
pub(super) fn refused(path: &Path, bad: Bad, asked: Option<&Asked>) -> CountError {
    let (problem, otherwise) = match bad {
        Bad::Missing => ("is not there".to_owned(), ": name a file that --checkpoint has written"),
        Bad::Foreign(what) => (what, ""),
        Bad::Damaged(error) => match error.downcast::<Refused>() {
            Ok(refused) => return refused.into(),
            Err(error) => {
                let why = match error.kind() {
                    io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
                    _ => error.to_string(),
                };
                (format!("is damaged ({why})"), ": remove it to begin again, or name another file")
            }
        },
    };
    let older = saved::older(path);
    let before = open(&older).ok().filter(|before| asked.is_none_or(|asked| before.is_of(asked).is_ok()));
    let offer = before.and_then(|before| before.check().ok()).map(|()| {
        let (older, path) = (older.display(), path.display());
        format!("; the one before it is whole: mv '{older}' '{path}' and the same command goes on from there")
    });
    let otherwise = offer.unwrap_or_else(|| otherwise.to_owned());
    CountError::Checkpoint { path: path.display().to_string(), problem: format!("{problem}{otherwise}") }
}

/// Where a count is kept.
pub(super) struct Checkpoint {
    place: saved::Place,
    asked: Asked,
    wishes: Wishes,
}

/// A pass in a file: its counts are still to come.
pub(super) struct Saved {
    at: At,
    input: Sealed<BufReader<File>>,
}

impl Saved {
    /// Squares done.
    pub(super) fn at(&self) -> usize {
        self.at.at
    }
}

impl Checkpoint {
    /// A checkpoint in a file, which need not be there, of a question; its folder must take files.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it does not.
    pub(super) fn new(path: &Path, question: &Question, settings: &Settings) -> Result<Checkpoint, CountError> {
        let named = |problem| CountError::Checkpoint { path: path.display().to_string(), problem };
        let place = saved::Place::new(path).map_err(named)?;
        let asked = Asked::new(question, settings.modulus);
        Ok(Checkpoint { place, asked, wishes: Wishes::of(settings) })
    }

    /// What is said of a file that says what cannot be.
    pub(super) fn wrong(&self, what: &str) -> CountError {
        self.damaged(io::Error::other(what.to_owned()))
    }

    /// What is said of a file that cannot be read, unless it was memory that was refused.
    fn damaged(&self, error: io::Error) -> CountError {
        refused(self.place.path(), Bad::Damaged(error), Some(&self.asked))
    }

    /// What the file has, if it is there: a checkpoint of this question.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when it is none, is damaged, or belongs to another question.
    pub(super) fn open(&self) -> Result<Option<Opened>, CountError> {
        let of_this = |opened: Opened| opened.is_of(&self.asked).map(|()| opened).map_err(Bad::Foreign);
        match open(self.place.path()).and_then(of_this) {
            Ok(opened) => Ok(Some(opened)),
            Err(Bad::Missing) => Ok(None),
            Err(bad) => Err(refused(self.place.path(), bad, Some(&self.asked))),
        }
    }

    /// What an opened file has of the pass in work, if one is.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when there is none, and the file is damaged; one with counts is read by [`Self::load`].
    pub(super) fn pass(&self, opened: Opened) -> Result<Option<Saved>, CountError> {
        opened.pass().map_err(|error| self.damaged(error))
    }

    /// The state of a saved pass, whose layers are these; its counts go into the store, where they may take `limit`
    /// bytes.
    ///
    /// # Errors
    /// [`CountError::Checkpoint`] when the file is damaged, or has wider counts than there is room for.
    pub(super) fn load(
        &self,
        saved: Saved,
        layers: &[Arc<Layer>],
        store: &mut Store,
        limit: u64,
    ) -> Result<State, CountError> {
        let Saved { at: At { modulus, at, largest, nonzero, widest, bytes }, mut input } = saved;
        let layer = layers.get(at).ok_or_else(|| self.wrong("it is further than a count can be"))?;
        if !store.fits(0, bytes * layer.states() as usize, limit) {
            let wanted = words::bytes(bytes as u64 * layer.states());
            let problem = format!("has {wanted} of counts, which is more than may be used: raise --memory");
            return Err(CountError::Checkpoint { path: self.place.path().display().to_string(), problem });
        }
        let (counts, found) = read_counts(&mut input, bytes, layer, store).map_err(|error| self.damaged(error))?;
        input.check().map_err(|error| self.damaged(error))?;
        let said = Found { largest, nonzero };
        census::agree(found, said, modulus, bytes, layer).map_err(|error| self.damaged(error))?;
        Ok(State { modulus, at, counts, found: said, widest })
    }

    /// Notes a count of which no square is done, if the file is not there.
    ///
    /// # Errors
    /// [`CountError::Row`] when the disk does not take it.
    pub(super) fn begin(&self) -> Result<(), CountError> {
        if self.place.path().exists() {
            return Ok(());
        }
        self.write(&Progress::default(), Duration::ZERO, Stage::Begun, |_| Ok(()))
    }

    /// Notes a pass in work, in place of what the file has.
    ///
    /// # Errors
    /// [`CountError::Row`] when the disk does not take it; what the file had is still there.
    pub(super) fn save(
        &self,
        (progress, elapsed): (&Progress, Duration),
        state: &State,
        layer: &Layer,
        store: &Store,
    ) -> Result<(), CountError> {
        let State { modulus, at, widest, .. } = *state;
        let Found { largest, nonzero } = state.found;
        let at = At { modulus, at, largest, nonzero, widest, bytes: state.counts.bytes() };
        self.write(progress, elapsed, Stage::Pass(at), |output| write_counts(output, &state.counts, layer, store))
    }

    /// Notes that all is done.
    ///
    /// # Errors
    /// As [`Checkpoint::save`].
    pub(super) fn finish(&self, progress: &Progress, elapsed: Duration, done: Done) -> Result<(), CountError> {
        self.write(progress, elapsed, Stage::Done(done), |_| Ok(()))
    }

    fn write(
        &self,
        progress: &Progress,
        elapsed: Duration,
        stage: Stage,
        counts: impl FnOnce(&mut Sealed<BufWriter<&File>>) -> io::Result<()>,
    ) -> Result<(), CountError> {
        let header = Header {
            question: self.asked.clone(),
            wishes: self.wishes.clone(),
            elapsed_s: elapsed.as_secs_f64(),
            progress: progress.clone(),
            stage,
        };
        let saved = self.place.save(MAGIC, |output| {
            serde_json::to_writer(&mut *output, &header)?;
            output.write_all(b"\n")?;
            counts(output)
        });
        saved.map_err(|source| CountError::Row { path: self.place.path().display().to_string(), source })
    }
}

/// The number that a finished count has come to.
///
/// # Errors
/// [`CountError::Checkpoint`] when numbers that came from a file contradict each other.
pub(super) fn concluded(
    question: &Question,
    progress: &Progress,
    done: &Done,
    checkpoint: Option<&Checkpoint>,
) -> Result<(Count, How), CountError> {
    match (answer(question, &progress.numbers, &done.symmetric), checkpoint) {
        (Some(count), _) => Ok((count, progress.how())),
        (None, Some(checkpoint)) => Err(checkpoint.wrong("its numbers contradict each other")),
        (None, None) => panic!("the numbers of the sweeps contradict each other: no answer may be told"),
    }
}
