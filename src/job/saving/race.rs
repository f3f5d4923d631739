//! The file that a race for tours is saved in and resumed from.

use super::place::{
    LastSave, ResumeChanges, SAVE_INTERVAL, SaveOptions, checked_interval, claimed_place, not_begun, read_if_there,
    remove,
};
use crate::board::{Ending, Square};
use crate::job::failure::{Failure, running, usage};
use crate::job::files::WrittenFiles;
use crate::job::race_question::{RaceQuestion, race_request};
use crate::job::say::{say, say_leftovers, shell_word};
use crate::lock::LockAlways as _;
use crate::run::{Continuation, Plan, finding};
use crate::saved::{self, ReplacedFile};
use crate::schedule::RaceProgress;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// How the tours of a race are shown, as far as its file notes it.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct RaceOutput {
    /// The name of the format.
    pub format: Option<String>,
    /// Whether a picture numbers the squares.
    pub numbers: Option<bool>,
    /// The file.
    pub out: Option<PathBuf>,
    /// Whether an existing file may be replaced.
    pub force: bool,
}

/// The question of a race, and what became of its tours, as they are saved.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRaceQuestion {
    /// The question with the ending that is being tried.
    plan: Plan,
    /// Whether another ending is tried where there is no tour of this one.
    or_open: bool,
    /// The second square, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    /// Whether a number of tours was asked for.
    many: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    force: bool,
    /// Whether the tours have been shown, or written to their file.
    shown: bool,
    /// Length and CRC-32 of the file of tours, once it is complete and about to get its name: a file with that name and the
    /// same contents was written by this race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole: Option<(u64, u32)>,
}

/// The file of a race. Its contents are known here and never read back: a disk that cannot be read at the end of a race
/// takes nothing away from it.
pub struct RaceCheckpoint {
    place: ReplacedFile,
    every: Duration,
    saved: Arc<Mutex<SavedRace>>,
    last_save: Arc<LastSave>,
    /// Whether the file was begun by this run.
    is_new: AtomicBool,
}

/// The contents of the file of a race.
struct SavedRace {
    question: SavedRaceQuestion,
    progress: RaceProgress,
    /// Whether the file says that the tours were shown.
    is_noted: bool,
}

impl SavedRace {
    fn save(&self, place: &ReplacedFile, every: Duration) -> io::Result<()> {
        finding::save(place, &self.question, every, &self.progress)
    }
}

impl SavedRaceQuestion {
    fn new(question: &RaceQuestion, output: &RaceOutput, many: bool) -> Result<SavedRaceQuestion, Failure> {
        let RaceOutput { format, numbers, out, force } = output.clone();
        if out.as_ref().is_some_and(|out| out.to_str().is_none()) {
            return Err(usage("--out: its name is no text, and cannot be noted in the checkpoint"));
        }
        let board = question.plan.question.board();
        Ok(SavedRaceQuestion {
            plan: Plan { deadline: None, ..question.plan.clone() },
            or_open: question.endings.len() > 1,
            direction: question.direction.map(|square| board.name(square)),
            many,
            format,
            numbers,
            out: out.map(std::path::absolute).transpose()?,
            force,
            shown: false,
            whole: None,
        })
    }

    /// Whether the tours have been shown, or stand in their file: a race that was killed between naming the file and
    /// noting that has nothing left to do.
    fn is_shown(&self) -> bool {
        // A pipe of that name may have no writer: it is not opened.
        let out = || self.out.as_ref().filter(|out| fs::metadata(out).is_ok_and(|is| is.is_file()));
        let contents = || saved::contents(&File::open(out()?).ok()?).ok();
        self.shown || self.whole.is_some() && contents() == self.whole
    }

    /// The question of the race.
    fn question(&self) -> RaceQuestion {
        let board = self.plan.question.board();
        let direction: Option<Square> = self.direction.as_deref().and_then(|name| board.parse_square(name).ok());
        let endings: &[Ending] = match (self.plan.question.ending(), self.or_open) {
            (Ending::Closed, true) => &[Ending::Closed, Ending::Open],
            (Ending::Closed, false) => &[Ending::Closed],
            (Ending::Open, _) => &[Ending::Open],
        };
        RaceQuestion { plan: self.plan.clone(), endings, direction, generations: false }
    }

    /// How the tours are shown.
    fn output(&self) -> RaceOutput {
        let SavedRaceQuestion { format, numbers, out, force, .. } = self.clone();
        RaceOutput { format, numbers, out, force }
    }

    /// The question alone, to be compared.
    fn text(&self) -> Option<String> {
        let Plan { question, .. } = &self.plan;
        serde_json::to_string(&(question, &self.direction, &self.out, &self.format)).ok()
    }
}

/// The contents of a file, if it exists.
fn read(path: &Path) -> Result<Option<(SavedRaceQuestion, Duration, RaceProgress)>, Failure> {
    let of = |question: &SavedRaceQuestion| {
        let request = race_request(&question.plan).1;
        (request.board, request.ending, request.holes.clone())
    };
    read_if_there(path, |path| finding::read(path, of))
}

impl RaceCheckpoint {
    fn new(place: ReplacedFile, every: Duration, saved: SavedRace) -> RaceCheckpoint {
        RaceCheckpoint {
            place,
            every,
            saved: Arc::new(Mutex::new(saved)),
            last_save: Arc::default(),
            is_new: AtomicBool::default(),
        }
    }

    fn saved(&self) -> MutexGuard<'_, SavedRace> {
        self.saved.locked()
    }

    /// The file of a race, if it is to be saved: a new one, or one from which `question` resumes. `many` says that a number
    /// of tours was asked for.
    ///
    /// # Errors
    /// [`Failure`] when the race cannot be saved, or not there.
    pub fn begin(
        question: &mut RaceQuestion,
        output: &RaceOutput,
        many: bool,
        save: &SaveOptions,
    ) -> Result<Option<RaceCheckpoint>, Failure> {
        let Some(path) = save.file()? else { return Ok(None) };
        let refused = |why: &str| Err(usage(format!("--checkpoint: {why}")));
        if let Ok(plan) = question.first() {
            let (finder, request) = race_request(&plan);
            let finder = finder.delegate(request).unwrap_or(finder);
            if !finder.card().attempts {
                return refused(&format!(
                    "a race by {} makes no attempts, so it has nothing to save: leave out --checkpoint",
                    finder.name()
                ));
            }
        }
        let asked = SavedRaceQuestion::new(question, output, many)?;
        let (place, every) = (claimed_place("--checkpoint", path)?, checked_interval(save.every)?);
        // A file of tours reports what is left in its own folder.
        if asked.out.is_none() {
            say_leftovers(saved::folder(place.path()))?;
        }
        let Some((mut before, interval, progress)) = read(place.path())? else {
            let saved = SavedRace { question: asked, progress: RaceProgress::default(), is_noted: false };
            return Ok(Some(RaceCheckpoint::new(place, every.unwrap_or(SAVE_INTERVAL), saved)));
        };
        place.check_claim().map_err(|why| usage(format!("{} {why}", path.display())))?;
        let of = |plan: Plan| SavedRaceQuestion { plan, ..asked.clone() }.text();
        if !question.plans().any(|plan| of(plan) == before.text()) {
            let has = before.plan.subject();
            return refused(&format!("{} is of {has}, and another question: name another file", path.display()));
        }
        let is_noted = before.shown;
        before.shown = before.is_shown();
        if before.shown && before.out.is_some() {
            return refused(&format!("the race has ended: destrier resume {} tells of it", shell_word(path)));
        }
        // The race resumes with the ending that was being tried.
        let Plan { threads, deadline, .. } = question.plan;
        *question = before.question();
        (question.plan.threads, question.plan.deadline) = (threads, deadline);
        let saved = SavedRace { question: before, progress, is_noted };
        Ok(Some(RaceCheckpoint::new(place, every.unwrap_or(interval), saved)))
    }

    /// The race in a file: its checkpoint, its question, and how its tours are shown.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be resumed.
    pub fn resume(path: &Path, changes: &ResumeChanges) -> Result<(RaceCheckpoint, RaceQuestion, RaceOutput), Failure> {
        let refused = |why: &str| Err(usage(format!("{} holds a race for tours: {why}", path.display())));
        let place = claimed_place("resume", path)?;
        let Some((mut saved, interval, progress)) = read(place.path())? else {
            return Err(usage(format!("{} is not there", path.display())));
        };
        let is_noted = saved.shown;
        saved.shown = saved.is_shown();
        if let Some(out) = &changes.out {
            if saved.shown {
                return refused("it has ended, and its tours have been shown or written; leave out --out");
            }
            if out.to_str().is_none() {
                return refused("the name of --out is no text, and cannot be noted in it");
            }
            (saved.out, saved.whole) = (Some(std::path::absolute(out)?), None);
        }
        let file = shell_word(place.path());
        WrittenFiles::default().saved("resume", Some(place.path())).file("--out", saved.out.as_deref()).check()?;
        if let Some(out) = saved.out.as_ref().filter(|out| !saved.shown && !saved.force && out.is_file()) {
            let why = format!("the file exists; move it away, or name another one: destrier resume {file} --out FILE");
            return Err(usage(format!("--out {}: {why}", out.display())));
        }
        if let Some(out) = saved.out.as_ref().filter(|out| saved.shown && !out.exists()) {
            say(format_args!("its tours were written to {}, which is not there any more", out.display()))?;
        }
        let every = checked_interval(changes.every)?.unwrap_or(interval);
        let mut question = saved.question();
        question.plan.threads = changes.threads.unwrap_or(question.plan.threads);
        question.plan.deadline = changes.deadline;
        let output = saved.output();
        if output.out.is_none() || saved.shown {
            say_leftovers(saved::folder(place.path()))?;
        }
        let saved = SavedRace { question: saved, progress, is_noted };
        Ok((RaceCheckpoint::new(place, every, saved), question, output))
    }

    /// From where the race for the tours of a plan resumes, and what saves it. The saved progress is of the first ending
    /// that is tried.
    pub fn continuation(&self, plan: &Plan) -> Continuation {
        let mut saved = self.saved();
        let ending = plan.question.ending();
        if ending != saved.question.plan.question.ending() {
            saved.progress = RaceProgress::default();
        }
        saved.question.or_open &= ending == Ending::Closed;
        saved.question.plan = Plan { deadline: None, ..plan.clone() };
        let progress = saved.progress.clone();
        let (place, every, saved, last_save) =
            (self.place.clone(), self.every, Arc::clone(&self.saved), Arc::clone(&self.last_save));
        let keeper = move |progress: &RaceProgress| {
            let mut saved = saved.locked();
            saved.progress = progress.clone();
            // If this fails, the race continues, and the file stays as it was; the end reports it.
            let _ = last_save.note(saved.save(&place, every));
        };
        Continuation { race: Some((progress, every, Box::new(keeper))), ..Continuation::default() }
    }

    /// Writes the file before the first attempt: the race can be resumed whatever happens.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it.
    pub fn write_first(&self, question: &RaceQuestion) -> Result<(), Failure> {
        // A question that no method is asked has no race to be resumed.
        if !self.place.is_free() || question.first().is_err() {
            return Ok(());
        }
        let plan = question.plans().next().unwrap_or_else(|| question.plan.clone());
        let mut saved = self.saved();
        saved.question.plan = Plan { deadline: None, ..plan };
        saved.save(&self.place, self.every).map_err(|error| not_begun(&self.place, &error))?;
        self.is_new.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Removes the file of a race that does not take place, if it was begun by this run.
    pub fn withdraw(&self) {
        if self.is_new.load(Ordering::Relaxed) {
            remove(self.place.path());
        }
    }

    /// Reports a failed save, and how to resume a race that was stopped.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_at_the_end(&self, stopped: bool) -> io::Result<()> {
        let path = self.place.path();
        self.last_save.say(path)?;
        if stopped { say(format_args!("to go on: destrier resume {}", shell_word(path))) } else { Ok(()) }
    }

    /// Notes the contents of the file of tours, which is about to get its name.
    pub fn note_whole(&self, file: &File) {
        let mut saved = self.saved();
        saved.question.whole = saved::contents(file).ok();
        // A failed save is reported when it is noted that the tours are there.
        let _ = saved.save(&self.place, self.every);
    }

    /// Notes that the tours were shown, or written to their file.
    ///
    /// # Errors
    /// [`Failure`] when that cannot be noted.
    pub fn note_shown(&self) -> Result<(), Failure> {
        let mut saved = self.saved();
        // A race without a method that could be asked has begun no file.
        if std::mem::replace(&mut saved.is_noted, true) || self.place.is_free() {
            return Ok(());
        }
        saved.question.shown = true;
        let path = self.place.path().display();
        saved.save(&self.place, self.every).map_err(|error| running(format!("{path} was not written: {error}")))
    }

    /// Whether the tours stand in the file that they were to be written to.
    pub fn is_written(&self) -> bool {
        let SavedRace { question, .. } = &*self.saved();
        question.shown && question.out.is_some()
    }

    /// Whether a number of tours was asked for.
    pub fn wants_many(&self) -> bool {
        self.saved().question.many
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Question;
    use crate::solve::{Request, finder_by_name};

    /// The file cannot be read at the end of the race: what it was to hold is known, and is written.
    #[test]
    fn a_race_whose_file_cannot_be_read_notes_its_end_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [path, out] = ["race", "tours"].map(|name| folder.path().join(name));
        let request = Request::new("8x8".parse().unwrap(), Ending::Open);
        let plan = Plan::of(Question::Find(finder_by_name("genetic").unwrap(), request), 1);
        let mut question = RaceQuestion { plan, endings: &[Ending::Open], direction: None, generations: false };
        let output = RaceOutput { out: Some(out.clone()), ..RaceOutput::default() };
        let save = SaveOptions { checkpoint: Some(path.clone()), every: None };
        let checkpoint = RaceCheckpoint::begin(&mut question, &output, false, &save).unwrap().unwrap();
        checkpoint.write_first(&question).unwrap();
        let first = read(&path).unwrap().unwrap();
        let unreadable = || fs::write(&path, "what no disk gives back").unwrap();
        unreadable();
        let (_, _, keeper) = checkpoint.continuation(&question.first().unwrap()).race.unwrap();
        let raced = RaceProgress { next: 7, attempts: 8, ..RaceProgress::default() };
        keeper(&raced);
        unreadable();
        fs::write(&out, "the tours").unwrap();
        checkpoint.note_whole(&File::open(&out).unwrap());
        let (written, every, held) = read(&path).unwrap().unwrap();
        assert_eq!((held.next, held.attempts, every), (7, 8, first.1));
        assert!(!written.shown && written.is_shown() && written.text() == first.0.text());
        unreadable();
        checkpoint.note_shown().unwrap();
        assert!(read(&path).unwrap().unwrap().0.shown);
        // What is noted is not noted again.
        unreadable();
        checkpoint.note_shown().unwrap();
        assert!(read(&path).is_err());
    }
}
