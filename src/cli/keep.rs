//! `--checkpoint FILE`: the file that a search is kept in while it goes on, and that it is taken up from.
//!
//! FILE is there from before the first node on. Tours that the run writes lie in a file that keeps the name noted in
//! FILE until the run has ended: FILE says how many of its bytes are tours that it counts, and they are on the disk
//! before FILE is. What a killed run has written behind them is cut off when it is taken up, and found again.
//!
//! The workers do not wait for the disk: what they came to is handed to a thread of its own. If that is still busy with
//! the time before, FILE is not written this time.

use super::args::{Options, parse_time};
use super::failure::{Failure, running, usage};
use super::headless;
use super::outfile::{Lasts, Noter, OutFile, OutPosition, say_leftovers};
use super::output::{Destination, TourFormat};
use super::record::Recording;
use super::say::{say, shell_word};
use crate::lock::LockAlways as _;
use crate::run::{Checkpoint, Goes, Plan, Question};
use crate::saved::RecordFault;
use crate::saved::{self, ReplacedFile, older};
use crate::schedule::{RunOutcome, StopReason};
use crate::search::Task;
use clap::Args;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often a run is kept, if nothing is said.
pub const EVERY: Duration = Duration::from_secs(30);
/// And at most.
const EVERY_MIN: Duration = Duration::from_millis(10);

/// The options of a run that is kept.
#[derive(Args, Clone, Default, PartialEq, Debug)]
#[command(next_help_heading = "How it is kept")]
pub struct KeepArgs {
    /// Keep the run in FILE, and go on from FILE if it is there; `destrier resume FILE` goes on too
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often it is kept: 500ms, 30s (the default), 5m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub every: Option<Duration>,
}

/// How often, checked.
///
/// # Errors
/// [`Failure::Usage`] when it is more often than a disk can do.
pub fn often_enough(every: Option<Duration>) -> Result<Option<Duration>, Failure> {
    match every {
        Some(every) if every < EVERY_MIN => Err(usage("--every: a run is kept every 10ms at most")),
        every => Ok(every),
    }
}

/// The file of a run, if it is kept.
#[derive(Default)]
pub struct Keeping(Option<Box<KeptRun>>);

struct KeptRun {
    place: ReplacedFile,
    base: Arc<Base>,
    earlier: Option<RunOutcome>,
    /// Whether the run began from a checkpoint.
    resumed: bool,
    /// Where the result goes, of a part of a search; then nothing is kept any more.
    part: Option<ReplacedFile>,
    /// Who writes it while the run goes on.
    writer: Option<JoinHandle<()>>,
}

/// The files that a run writes.
pub struct Files {
    /// Where its tours go.
    pub output: Destination,
    /// Its journal.
    pub recording: Recording,
    /// What it is kept in.
    pub keeping: Keeping,
}

/// How a run begins whose options may name a file that it is kept in.
pub enum Begun {
    /// It begins, or goes on: where its tours go, and what it is kept in.
    Going(Destination, TourFormat, Keeping),
    /// It has ended before.
    Ended(Box<Checkpoint>),
}

/// Begins a run of this plan.
///
/// # Errors
/// [`Failure`] when a file cannot be written or taken up.
pub fn begin(plan: &Plan, options: &Options) -> Result<Begun, Failure> {
    let Some(path) = &options.keep.checkpoint else {
        if options.keep.every.is_some() {
            return Err(usage("--every says how often a run is kept: add --checkpoint FILE"));
        }
        return Ok(Begun::Going(options.output(plan, Lasts::UntilItFails)?, options.format, Keeping::default()));
    };
    refuse_devices(plan, "--checkpoint")?;
    kept_in(own_place("--checkpoint", path)?, None, plan, options)
}

/// Refuses what only a search on the CPU can do.
///
/// # Errors
/// [`Failure::Usage`] when a device does the work.
pub fn refuse_devices(plan: &Plan, option: &str) -> Result<(), Failure> {
    match &plan.question {
        Question::Search(solver, _) if solver.card().single_worker => {
            let name = solver.name();
            Err(usage(format!(
                "{option}: {name} leaves its work to a device, and cannot be taken up; use another solver"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses what no run that goes on could take back.
///
/// # Errors
/// [`Failure::Usage`] when the tours go to stdout.
pub fn refuse_stdout(options: &Options) -> Result<(), Failure> {
    match options.out() {
        Some(out) if out == Path::new("-") => {
            Err(usage("--out - cannot be taken back by a run that goes on: give --out a file"))
        }
        _ => Ok(()),
    }
}

/// Begins a run of this plan that is kept in a file, or goes on with it; its result goes to `part`, if there is one.
///
/// # Errors
/// [`Failure`] when a file cannot be written or taken up.
pub fn kept_in(
    place: ReplacedFile,
    part: Option<ReplacedFile>,
    plan: &Plan,
    options: &Options,
) -> Result<Begun, Failure> {
    refuse_stdout(options)?;
    let every = often_enough(options.keep.every)?;
    let path = place.path().to_owned();
    let Some(checkpoint) = read(&path)? else {
        let output = options.output(plan, Lasts::UntilTakenUp)?;
        if !matches!(output, Destination::File(_)) {
            say_leftovers(saved::folder(&path))?;
        }
        let kept = KeptRun::new(place, plan, every.unwrap_or(EVERY), &output, options.format);
        if let Err(failure) = kept.write_first() {
            output.discard();
            return Err(failure);
        }
        return Ok(Begun::Going(output, options.format, Keeping(Some(Box::new(KeptRun { part, ..kept })))));
    };
    place.check_claim().map_err(|why| usage(format!("{} {why}", path.display())))?;
    let refused = |why: String| Err(usage(format!("{} is a checkpoint of {why}: name another file", path.display())));
    if !checkpoint.is_of(plan) {
        return refused(format!("{}, not of {}", checkpoint.plan.subject(), plan.subject()));
    }
    refuse_other_tours(&path, &checkpoint, options)?;
    if checkpoint.ended {
        return Ok(Begun::Ended(Box::new(checkpoint)));
    }
    let every = every.unwrap_or(checkpoint.every);
    go_on(place, part, plan, every, checkpoint)
}

/// Refuses that the tours of a run which a file holds go elsewhere than they do.
///
/// # Errors
/// [`Failure::Usage`] then.
pub fn refuse_other_tours(path: &Path, checkpoint: &Checkpoint, options: &Options) -> Result<(), Failure> {
    let refused = |why: &dyn std::fmt::Display| Err(usage(format!("{} is of a run that {why}", path.display())));
    match (&checkpoint.tours, options.out()) {
        (None, Some(_)) => refused(&"does not write its tours: leave out --out, or name another file"),
        (Some(tours), Some(out)) if std::path::absolute(out).ok().as_ref() != Some(&tours.target) => {
            refused(&format_args!("writes its tours to {}: say so, or name another file", tours.target.display()))
        }
        _ => Ok(()),
    }
}

/// Removes a checkpoint that is no use any more, and the one before; that one is not there is as good.
pub fn remove(path: &Path) {
    for path in [older(path), path.to_owned()] {
        let _ = fs::remove_file(path);
    }
}

/// Goes on with what a file holds, in this way, and keeps it there; the result goes to `part`, if there is one.
///
/// # Errors
/// [`Failure`] when its tours cannot be taken up.
pub fn go_on(
    place: ReplacedFile,
    part: Option<ReplacedFile>,
    plan: &Plan,
    every: Duration,
    checkpoint: Checkpoint,
) -> Result<Begun, Failure> {
    say_leftovers(saved::folder(place.path()))?;
    let (output, format) = reopened(&checkpoint)?;
    let kept = KeptRun::new(place, plan, every, &output, format);
    Ok(Begun::Going(
        output,
        format,
        Keeping(Some(Box::new(KeptRun { part, earlier: Some(checkpoint.so_far), resumed: true, ..kept }))),
    ))
}

impl KeptRun {
    fn new(place: ReplacedFile, plan: &Plan, every: Duration, output: &Destination, format: TourFormat) -> KeptRun {
        let tours = match output {
            Destination::Nowhere | Destination::Stdout(_) => None,
            Destination::File(file) => Some((file.noter(), format)),
        };
        // How long a run may take is said of one go.
        let base = Base { plan: Plan { deadline: None, ..plan.clone() }, every, tours, problem: Mutex::default() };
        KeptRun { place, base: Arc::new(base), earlier: None, resumed: false, part: None, writer: None }
    }

    /// Writes it before anything is done: so it can be taken up whatever comes.
    fn write_first(&self) -> Result<(), Failure> {
        let untouched = RunOutcome { rest: vec![Task::root()], ..RunOutcome::default() };
        self.base
            .save(&self.place, untouched, OutPosition::default(), false)
            .map_err(|error| not_begun(&self.place, &error))
    }

    /// Writes how the run ended; answers whether nothing is left to be done.
    fn end(&mut self, outcome: &RunOutcome) -> Result<bool, Failure> {
        if let Some(writer) = self.writer.take() {
            // The crew has gone, and so there is nothing more to come; a panic has been told of.
            let _ = writer.join();
        }
        let ended = matches!(outcome.stopped, None | Some(StopReason::Limit));
        let so_far = RunOutcome { lanes: None, ..outcome.clone() };
        let place = self.part.as_ref().filter(|_| ended).unwrap_or(&self.place);
        let failed = |error| running(format!("{} was not written: {error}", place.path().display()));
        self.base.written().and_then(|written| self.base.save(place, so_far, written, ended)).map_err(failed)?;
        if self.part.is_some() && ended {
            remove(self.place.path());
        }
        Ok(ended)
    }
}

/// What of a checkpoint stays the same.
struct Base {
    plan: Plan,
    every: Duration,
    tours: Option<(Noter, TourFormat)>,
    /// Why it was not written the last time, if so.
    problem: Mutex<Option<String>>,
}

impl Base {
    /// How much the tours are that have been written.
    fn written(&self) -> io::Result<OutPosition> {
        self.tours.as_ref().map_or_else(|| Ok(OutPosition::default()), |(noter, _)| noter.written())
    }

    /// Notes what came of writing, and says the first time that it failed where `path` is to be named.
    fn told(&self, written: io::Result<()>, path: Option<&Path>) {
        let mut problem = self.problem.locked();
        let before = std::mem::replace(&mut *problem, written.err().map(|error| error.to_string()));
        if let (None, Some(problem), Some(path)) = (before, &*problem, path) {
            headless::clear_progress();
            // Whoever does not read it is no reason to stop.
            let _ = say(format_args!("{} was not written, and is as it was: {problem}", path.display()));
        }
    }

    /// Writes what the run came to so far; the tours that it counts are on the disk before.
    fn save(&self, place: &ReplacedFile, so_far: RunOutcome, written: OutPosition, ended: bool) -> io::Result<()> {
        let tours = self.tours.as_ref().map(|(noter, format)| noter.note(*format, written)).transpose()?;
        Checkpoint { plan: self.plan.clone(), every: self.every, tours, so_far, ended }.save(place)
    }
}

/// The file of a run, as the command line names it.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file.
pub fn place(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    if path.to_str().is_none() {
        return Err(usage(format!("{option} {}: its name is no text", path.display())));
    }
    let path = std::path::absolute(path)?;
    ReplacedFile::new(&path).map_err(|why| usage(format!("{option} {}: {why}", path.display())))
}

/// The same, of a file that the run is to be kept in: no other one is.
///
/// # Errors
/// [`Failure::Usage`] when there can be no such file, or it is another run's.
pub fn own_place(option: &str, path: &Path) -> Result<ReplacedFile, Failure> {
    let place = place(option, path)?;
    place.claim().map_err(|why| usage(format!("{option} {}: {why}", path.display())))?;
    Ok(place)
}

/// The failure of a run whose first file could not be written: bad usage where another run has just made that file.
pub fn not_begun(place: &ReplacedFile, error: &io::Error) -> Failure {
    let path = place.path().display();
    match saved::is_taken(error) {
        true => usage(format!("{path} {error}")),
        false => running(format!("{path}: {error}")),
    }
}

/// What a file has, if it is there.
///
/// # Errors
/// [`Failure::Usage`] when it is no checkpoint, or is damaged; then the one before is offered, if that is whole.
pub fn read(path: &Path) -> Result<Option<Checkpoint>, Failure> {
    read_by(path, Checkpoint::read)
}

/// Reads a checkpoint by `read`, if the file exists.
///
/// # Errors
/// As [`read`].
pub fn read_by<T>(path: &Path, read: impl Fn(&Path) -> Result<T, RecordFault>) -> Result<Option<T>, Failure> {
    match read(path) {
        Ok(held) => Ok(Some(held)),
        Err(RecordFault::Missing) => Ok(None),
        Err(fault) => Err(refused(path, &fault, read)),
    }
}

/// The refusal of a file that cannot be used; it offers the previous file if `read` can read that.
pub fn refused<T>(path: &Path, fault: &RecordFault, read: impl Fn(&Path) -> Result<T, RecordFault>) -> Failure {
    let why = saved::refusal(path, fault, |older| read(older).is_ok());
    usage(format!("{} {why}", path.display()))
}

impl Keeping {
    /// Whether the run is kept.
    pub fn is_kept(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the run began from a checkpoint, and so reports figures that the file held.
    pub fn is_resumed(&self) -> bool {
        self.0.as_ref().is_some_and(|kept| kept.resumed)
    }

    /// How the run begins; to be asked for once. That it cannot be kept is said when it happens, if `aloud`, and in any
    /// case at the end.
    ///
    /// # Errors
    /// When the thread that writes cannot be started.
    pub fn goes(&mut self, aloud: bool) -> io::Result<Goes> {
        let Some(kept) = &mut self.0 else { return Ok(Goes::default()) };
        let (send, receive) = crossbeam_channel::bounded::<(RunOutcome, OutPosition)>(1);
        let (base, place) = (Arc::clone(&kept.base), kept.place.clone());
        let write = move || {
            for (so_far, written) in &receive {
                base.told(base.save(&place, so_far, written, false), aloud.then(|| place.path()));
            }
        };
        kept.writer = Some(std::thread::Builder::new().name("checkpoint".to_owned()).spawn(write)?);
        let base = Arc::clone(&kept.base);
        let keeper = move |so_far: &RunOutcome| match base.written() {
            // The run goes on, and the file stays as it was: that is said at the end.
            Err(error) => base.told(Err(error), None),
            // What is still to be written is a little older.
            Ok(written) => drop(send.try_send((so_far.clone(), written))),
        };
        Ok(Goes { earlier: kept.earlier.take(), keeper: Some((kept.base.every, Box::new(keeper))), race: None })
    }

    /// Writes how the run ended; answers whether nothing is left to be done. Its tours have not got their name yet.
    ///
    /// # Errors
    /// [`Failure::Running`] when it cannot be written: the file is as it was.
    pub fn end(&mut self, outcome: &RunOutcome) -> Result<bool, Failure> {
        self.0.as_mut().map_or(Ok(true), |kept| kept.end(outcome))
    }

    /// Keeps a run that was stopped for another process to go on with it: in the file that it is kept in, or else in
    /// `elsewhere`; answers in which, after it was let go of.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be kept.
    #[cfg(feature = "tui")]
    pub fn let_go(
        &mut self,
        plan: &Plan,
        (output, format): (&mut Destination, TourFormat),
        outcome: &RunOutcome,
        elsewhere: &Path,
    ) -> Result<PathBuf, Failure> {
        let kept = self.is_kept();
        if !kept {
            let place = own_place("--detach", elsewhere)?;
            output.until_taken_up()?;
            self.0 = Some(Box::new(KeptRun::new(place, plan, EVERY, output, format)));
        }
        match (self.end(outcome), self.0.as_deref()) {
            (Ok(_), own) => Ok(own.map_or(elsewhere, |own| own.place.path()).to_owned()),
            (Err(failure), _) => {
                if !kept {
                    self.0 = None;
                }
                Err(failure)
            }
        }
    }

    /// Says how to go on.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_how_to_go_on(&self) -> io::Result<()> {
        let Some(KeptRun { place, base, .. }) = self.0.as_deref() else { return Ok(()) };
        if let Some(problem) = &*base.problem.locked() {
            say(format_args!("{} was not written the last time: {problem}", place.path().display()))?;
        }
        match base.plan.shard {
            None => say(format_args!("to go on: destrier resume {}", shell_word(place.path()))),
            Some(_) => say(format_args!("the same command goes on, from {}", shell_word(place.path()))),
        }
    }
}

/// Where the tours of a run go that goes on: on behind those that it has written.
///
/// # Errors
/// [`Failure::Usage`] when those are not there any more.
pub fn reopened(checkpoint: &Checkpoint) -> Result<(Destination, TourFormat), Failure> {
    let Some(tours) = &checkpoint.tours else { return Ok((Destination::Nowhere, TourFormat::default())) };
    let format = TourFormat::named(&tours.format)?;
    let question = &checkpoint.plan.question;
    let output = Destination::File(OutFile::reopen(tours)?).formed(format, question.board(), question.ending());
    Ok((output, format))
}

/// Gives the tours of a run that has ended their name, if they have not got it.
///
/// # Errors
/// [`Failure`] when that cannot be done.
pub fn settle(checkpoint: &Checkpoint) -> Result<(), Failure> {
    match &checkpoint.tours {
        Some(tours) if tours.part.exists() => reopened(checkpoint)?.0.keep(),
        _ => Ok(()),
    }
}
