//! `find --checkpoint FILE`: a race that is kept while it goes on, and gone on with.

use super::answer::{Seek, asked};
use super::args::FindArgs;
use super::shown::{FindFormat, TourDisplay};
use crate::board::{Ending, Square};
use crate::cli::failure::{Failure, running, usage};
use crate::cli::files::WrittenFiles;
use crate::cli::keep::{EVERY, not_begun, often_enough, own_place, read_by};
use crate::cli::outfile::say_leftovers;
use crate::cli::resume::ResumeArgs;
use crate::cli::say::{say, shell_word};
use crate::lock::LockAlways as _;
use crate::run::{Goes, Plan, finding};
use crate::saved::{self, ReplacedFile};
use crate::schedule::RaceProgress;
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// What was asked, as it is written down.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaceQuestion {
    /// The question with the ending that is being tried.
    plan: Plan,
    /// Whether another ending will do where there is no tour of this one.
    or_open: bool,
    /// The second square, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    /// Whether a number of tours was asked for.
    pub many: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    numbers: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    out: Option<PathBuf>,
    force: bool,
    /// Whether the tours have been shown, or written where they were to be.
    shown: bool,
    /// Bytes of their file and the CRC-32 of them, once it is whole and about to get its name: what has that name and is
    /// the same has been written by this race.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole: Option<(u64, u32)>,
}

/// The file of a race. What it holds is known here and never read back: a disk that cannot be read at the end of a race
/// takes nothing away from it.
pub struct Keep {
    place: ReplacedFile,
    every: Duration,
    held: Arc<Mutex<SavedRace>>,
    /// Why it was not written the last time, if so.
    problem: Arc<Mutex<Option<String>>>,
}

/// What the file of a race holds.
struct SavedRace {
    written: RaceQuestion,
    raced: RaceProgress,
    /// Whether the file says that the tours were shown.
    is_noted: bool,
}

impl SavedRace {
    fn save(&self, place: &ReplacedFile, every: Duration) -> io::Result<()> {
        finding::save(place, &self.written, every, &self.raced)
    }
}

impl RaceQuestion {
    fn new(args: &FindArgs, seek: &Seek) -> Result<RaceQuestion, Failure> {
        let TourDisplay { format, numbers, out, force, .. } = &args.shown;
        if out.as_ref().is_some_and(|out| out.to_str().is_none()) {
            return Err(usage("--out: its name is no text, and cannot be noted in the checkpoint"));
        }
        let out = out.as_ref().map(std::path::absolute).transpose()?;
        let name = |format: &FindFormat| format.to_possible_value().map(|value| value.get_name().to_owned());
        let board = seek.plan.question.board();
        Ok(RaceQuestion {
            plan: Plan { deadline: None, ..seek.plan.clone() },
            or_open: false,
            direction: seek.direction.map(|square| board.name(square)),
            many: args.wanted.wants_many(),
            format: format.as_ref().and_then(name),
            numbers: *numbers,
            out,
            force: *force,
            shown: false,
            whole: None,
        })
    }

    /// Whether the tours are known to have been shown, or stand where they were to be written: who was killed between
    /// naming their file and noting that has left no more to do.
    fn is_shown(&self) -> bool {
        // Nobody may ever write into a pipe of that name: it is not opened.
        let out = || self.out.as_ref().filter(|out| fs::metadata(out).is_ok_and(|is| is.is_file()));
        let contents = || saved::contents(&File::open(out()?).ok()?).ok();
        self.shown || self.whole.is_some() && contents() == self.whole
    }

    /// What is looked for.
    fn seek(&self) -> Seek {
        let board = self.plan.question.board();
        let direction: Option<Square> = self.direction.as_deref().and_then(|name| board.parse_square(name).ok());
        let endings: &[Ending] = match (self.plan.question.ending(), self.or_open) {
            (Ending::Closed, true) => &[Ending::Closed, Ending::Open],
            (Ending::Closed, false) => &[Ending::Closed],
            (Ending::Open, _) => &[Ending::Open],
        };
        Seek { plan: self.plan.clone(), endings, direction, generations: false }
    }

    /// How it is shown.
    fn shown(&self, json: bool) -> TourDisplay {
        let format = self.format.as_deref().and_then(|name| FindFormat::from_str(name, false).ok());
        let RaceQuestion { numbers, out, force, .. } = self.clone();
        TourDisplay { format, numbers, out, force, json, ..TourDisplay::default() }
    }

    /// The question alone, to be compared.
    fn question(&self) -> Option<String> {
        let Plan { question, .. } = &self.plan;
        serde_json::to_string(&(question, &self.direction, &self.out, &self.format)).ok()
    }
}

/// What a file holds, if it is there.
fn read(path: &Path) -> Result<Option<(RaceQuestion, Duration, RaceProgress)>, Failure> {
    let of = |written: &RaceQuestion| {
        let request = asked(&written.plan).1;
        (request.board, request.ending, request.holes.clone())
    };
    read_by(path, |path| finding::read(path, of))
}

impl Keep {
    fn new(place: ReplacedFile, every: Duration, held: SavedRace) -> Keep {
        Keep { place, every, held: Arc::new(Mutex::new(held)), problem: Arc::default() }
    }

    fn held(&self) -> MutexGuard<'_, SavedRace> {
        self.held.locked()
    }

    /// The file of a race, if it is to be kept: a new one, or one that it goes on from.
    ///
    /// # Errors
    /// [`Failure`] when the race cannot be kept, or not there.
    pub fn begin(args: &FindArgs, seek: &mut Seek) -> Result<Option<Keep>, Failure> {
        let Some(path) = &args.keep.checkpoint else {
            return match args.keep.every {
                None => Ok(None),
                Some(_) => Err(usage("--every says how often a run is kept: add --checkpoint FILE")),
            };
        };
        let refused = |why: &str| Err(usage(format!("--checkpoint: {why}")));
        if args.shown.watch || args.shown.show || seek.generations {
            return refused(
                "a race is kept without a screen and without its generations: leave out --watch, --show \
                            and --generations",
            );
        }
        if let Ok(plan) = seek.first() {
            let (finder, request) = asked(&plan);
            let finder = finder.delegate(request).unwrap_or(finder);
            if !finder.card().attempts {
                return refused(&format!("{} makes no attempts that could be gone on with", finder.name()));
            }
        }
        let written = RaceQuestion { or_open: seek.endings.len() > 1, ..RaceQuestion::new(args, seek)? };
        let (place, every) = (own_place("--checkpoint", path)?, often_enough(args.keep.every)?);
        // Whoever writes tours says what is left in their folder.
        if written.out.is_none() {
            say_leftovers(saved::folder(place.path()))?;
        }
        let Some((mut before, often, raced)) = read(place.path())? else {
            let held = SavedRace { written, raced: RaceProgress::default(), is_noted: false };
            return Ok(Some(Keep::new(place, every.unwrap_or(EVERY), held)));
        };
        place.check_claim().map_err(|why| usage(format!("{} {why}", path.display())))?;
        let of =
            |plan: &Plan, written: &RaceQuestion| RaceQuestion { plan: plan.clone(), ..written.clone() }.question();
        if !seek.plans().any(|plan| of(&plan, &written) == before.question()) {
            let has = before.plan.subject();
            return refused(&format!("{} is of {has}, and another question: name another file", path.display()));
        }
        let is_noted = before.shown;
        before.shown = before.is_shown();
        if before.shown && before.out.is_some() {
            return refused(&format!("the race has ended: destrier resume {} tells of it", shell_word(path)));
        }
        // The ending that was being tried is gone on with.
        let threads = seek.plan.threads;
        let deadline = seek.plan.deadline;
        *seek = before.seek();
        (seek.plan.threads, seek.plan.deadline) = (threads, deadline);
        Ok(Some(Keep::new(place, every.unwrap_or(often), SavedRace { written: before, raced, is_noted })))
    }

    /// The file of a race that is gone on with, what it looks for, and how that is shown.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be taken up.
    pub fn resume(args: &ResumeArgs) -> Result<(Keep, Seek, TourDisplay), Failure> {
        let refused = |why: &str| Err(usage(format!("{} holds a race for tours: {why}", args.file.display())));
        if args.scheduler.is_some() {
            return refused("it has no scheduler; leave out --scheduler");
        }
        if args.watch {
            return refused("it goes on without a screen; leave out --watch");
        }
        let place = own_place("resume", &args.file)?;
        let Some((mut written, often, raced)) = read(place.path())? else {
            return Err(usage(format!("{} is not there", args.file.display())));
        };
        let is_noted = written.shown;
        written.shown = written.is_shown();
        if let Some(out) = &args.out {
            if written.shown {
                return refused("it has ended, and its tours have been shown or written; leave out --out");
            }
            if out.to_str().is_none() {
                return refused("the name of --out is no text, and cannot be noted in it");
            }
            (written.out, written.whole) = (Some(std::path::absolute(out)?), None);
        }
        let file = shell_word(place.path());
        WrittenFiles::default().saved("resume", Some(place.path())).file("--out", written.out.as_deref()).check()?;
        if let Some(out) = written.out.as_ref().filter(|out| !written.shown && !written.force && out.is_file()) {
            let why = format!("the file exists; move it away, or name another one: destrier resume {file} --out FILE");
            return Err(usage(format!("--out {}: {why}", out.display())));
        }
        let every = often_enough(args.every)?.unwrap_or(often);
        let mut seek = written.seek();
        if let Some(threads) = args.threads {
            seek.plan.threads = threads as usize;
        }
        // What is in its file is not written again.
        let shown = match (&written.out, written.shown) {
            (Some(_), true) => TourDisplay { json: true, ..TourDisplay::default() },
            _ => written.shown(args.json),
        };
        if shown.out.is_none() {
            say_leftovers(saved::folder(place.path()))?;
        }
        Ok((Keep::new(place, every, SavedRace { written, raced, is_noted }), seek, shown))
    }

    /// How the race for tours of a plan begins: what it goes on from is of the first ending that is tried.
    pub fn goes(&self, plan: &Plan) -> Goes {
        let mut held = self.held();
        let ending = plan.question.ending();
        if ending != held.written.plan.question.ending() {
            held.raced = RaceProgress::default();
        }
        held.written.or_open &= ending == Ending::Closed;
        held.written.plan = Plan { deadline: None, ..plan.clone() };
        let raced = held.raced.clone();
        let (place, every, held, problem) =
            (self.place.clone(), self.every, Arc::clone(&self.held), Arc::clone(&self.problem));
        let keeper = move |raced: &RaceProgress| {
            let mut held = held.locked();
            held.raced = raced.clone();
            // The race goes on, and the file stays as it was: that is said at the end.
            let failed = held.save(&place, every).err().map(|error| error.to_string());
            *problem.locked() = failed;
        };
        Goes { race: Some((raced, every, Box::new(keeper))), ..Goes::default() }
    }

    /// Writes it before anything is done: so it can be taken up whatever comes.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it.
    pub fn write_first(&self, seek: &Seek) -> Result<(), Failure> {
        // Where no method is asked there is no race to be resumed.
        if !self.place.is_free() || seek.first().is_err() {
            return Ok(());
        }
        let plan = seek.plans().next().unwrap_or_else(|| seek.plan.clone());
        let mut held = self.held();
        held.written.plan = Plan { deadline: None, ..plan };
        held.save(&self.place, self.every).map_err(|error| not_begun(&self.place, &error))
    }

    /// Says how to go on, of a race that was stopped; and that the file was not written, if so.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_at_the_end(&self, stopped: bool) -> io::Result<()> {
        let path = self.place.path();
        if let Some(problem) = &*self.problem.locked() {
            say(format_args!("{} was not written the last time: {problem}", path.display()))?;
        }
        if stopped { say(format_args!("to go on: destrier resume {}", shell_word(path))) } else { Ok(()) }
    }

    /// Notes what the file of the tours has, which is about to get its name.
    pub fn note_whole(&self, file: &File) {
        let mut held = self.held();
        held.written.whole = saved::contents(file).ok();
        // What goes wrong with the checkpoint is said when it is noted that the tours are there.
        let _ = held.save(&self.place, self.every);
    }

    /// Notes that the tours were shown, or written where they were to be.
    ///
    /// # Errors
    /// [`Failure`] when that cannot be noted.
    pub fn note_shown(&self) -> Result<(), Failure> {
        let mut held = self.held();
        // Of a race without a method that could be asked no file was begun.
        if std::mem::replace(&mut held.is_noted, true) || self.place.is_free() {
            return Ok(());
        }
        held.written.shown = true;
        let path = self.place.path().display();
        held.save(&self.place, self.every).map_err(|error| running(format!("{path} was not written: {error}")))
    }

    /// Whether the tours are in the file that they were to be written to.
    pub fn is_written(&self) -> bool {
        let SavedRace { written, .. } = &*self.held();
        written.shown && written.out.is_some()
    }

    /// Whether a number of tours was asked for.
    pub fn wants_many(&self) -> bool {
        self.held().written.many
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Typed {
        #[command(flatten)]
        args: FindArgs,
    }

    /// The file cannot be read at the end of the race: what it was to hold is known, and is written.
    #[test]
    fn a_race_whose_file_cannot_be_read_notes_its_end_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let [path, out] = ["race", "tours"].map(|name| folder.path().join(name));
        let words = ["find", "8x8", "--open", "--method", "genetic", "--checkpoint"].map(std::ffi::OsStr::new);
        let words = words.into_iter().chain([path.as_os_str(), "--out".as_ref(), out.as_os_str()]);
        let args = Typed::parse_from(words).args;
        let mut seek = args.seek("8x8".parse().unwrap()).unwrap();
        let keep = Keep::begin(&args, &mut seek).unwrap().unwrap();
        keep.write_first(&seek).unwrap();
        let first = read(&path).unwrap().unwrap();
        let unreadable = || fs::write(&path, "what no disk gives back").unwrap();
        unreadable();
        let (_, _, keeper) = keep.goes(&seek.first().unwrap()).race.unwrap();
        let raced = RaceProgress { next: 7, attempts: 8, ..RaceProgress::default() };
        keeper(&raced);
        unreadable();
        fs::write(&out, "the tours").unwrap();
        keep.note_whole(&File::open(&out).unwrap());
        let (written, every, held) = read(&path).unwrap().unwrap();
        assert_eq!((held.next, held.attempts, every), (7, 8, first.1));
        assert!(!written.shown && written.is_shown() && written.question() == first.0.question());
        unreadable();
        keep.note_shown().unwrap();
        assert!(read(&path).unwrap().unwrap().0.shown);
        // What is noted is not noted again.
        unreadable();
        keep.note_shown().unwrap();
        assert!(read(&path).is_err());
    }
}
