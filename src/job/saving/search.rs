//! The files of a search: where its tours go, and the file that it is saved in and resumed from.
//!
//! Tours that a saved run writes lie in a file that keeps the name noted in the checkpoint until the run has ended. The
//! checkpoint has the number of bytes that are tours which it counts. What a killed run has written behind them is cut off
//! when it is resumed, and found again.
//!
//! The file that a search is saved in, and the thread that writes it.
//!
//! The workers do not wait for the disk: their state is handed to a thread of its own. If that is still busy with the state
//! before, this one is not written.

use super::options::SearchOutput;
use super::place::{LastSave, SAVE_INTERVAL, checked_interval, claimed_place, not_begun, read_if_there, remove};
use crate::job::attend::clear_progress;
use crate::job::command_line::CommandLine;
use crate::job::failure::{Failure, running, usage};
use crate::job::output::{Destination, FileLifetime, OutFile, OutPosition, OutWatch, ReopenOptions, TourFormat};
use crate::job::run::SettledFiles;
use crate::job::say::{say, say_leftovers, shell_word};
use crate::run::{Checkpoint, Continuation, Plan, Question};
use crate::saved::{self, ReplacedFile};
use crate::schedule::{RunOutcome, StopReason};
use crate::search::Task;
use crate::solve::TourOutput;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// What a stopped run without a checkpoint lacks.
const CANNOT_RESUME: &str = "only a run with --checkpoint FILE can be resumed";

/// The files of a search that runs.
#[derive(Default)]
pub struct SearchFiles {
    output: Destination,
    format: TourFormat,
    checkpoint: Option<Box<SearchCheckpoint>>,
}

/// How a search begins that may be in a file.
pub enum SearchStart {
    /// It begins, or resumes.
    Running(SearchFiles),
    /// It has ended before.
    Ended(Box<FinishedSearch>),
}

/// A search that has ended before.
pub struct FinishedSearch {
    /// The question.
    pub plan: Plan,
    /// What came of it.
    pub outcome: RunOutcome,
}

impl SearchFiles {
    /// The files of a new run of this plan; or those of the run in its checkpoint, if there is one.
    ///
    /// # Errors
    /// [`Failure`] when a file cannot be written or resumed.
    pub fn begin(plan: &Plan, options: &SearchOutput) -> Result<SearchStart, Failure> {
        let Some(path) = options.save.file()? else {
            let (format, output) = (options.format, options.open(&plan.question, FileLifetime::UntilFailure)?);
            return Ok(SearchStart::Running(SearchFiles { output, format, checkpoint: None }));
        };
        refuse_devices(plan, "--checkpoint")?;
        SearchFiles::saved_in(claimed_place("--checkpoint", path)?, None, plan, options)
    }

    /// The files of a run that is saved in this place, new or resumed; its result goes to `part`, if there is one.
    ///
    /// # Errors
    /// [`Failure`] when a file cannot be written or resumed.
    pub fn saved_in(
        place: ReplacedFile,
        part: Option<ReplacedFile>,
        plan: &Plan,
        options: &SearchOutput,
    ) -> Result<SearchStart, Failure> {
        options.refuse_stdout()?;
        let every = checked_interval(options.save.every)?;
        let path = place.path().to_owned();
        let Some(mut checkpoint) = read_if_there(&path, Checkpoint::read)? else {
            let output = options.open(&plan.question, FileLifetime::UntilResumed)?;
            if !matches!(output, Destination::File(_)) {
                say_leftovers(saved::folder(&path))?;
            }
            let mut saving =
                SearchCheckpoint::new(place, plan, every.unwrap_or(SAVE_INTERVAL), &output, options.format);
            saving.part = part;
            if let Err(failure) = saving.write_first() {
                output.discard();
                saving.withdraw();
                return Err(failure);
            }
            let checkpoint = Some(Box::new(saving));
            return Ok(SearchStart::Running(SearchFiles { output, format: options.format, checkpoint }));
        };
        place.check_claim().map_err(|why| usage(format!("{} {why}", path.display())))?;
        if !checkpoint.is_of(plan) {
            let (has, wanted) = (checkpoint.plan.subject(), plan.subject());
            let why = format!("{} is a checkpoint of {has}, not of {wanted}: name another file", path.display());
            return Err(usage(why));
        }
        refuse_other_tours(&path, &checkpoint, options)?;
        let reopen =
            ReopenOptions { checkpoint: &path, is_named: options.out.is_some(), former: None, force: options.force };
        if checkpoint.ended {
            return FinishedSearch::settled(checkpoint, &reopen);
        }
        checkpoint.every = every.unwrap_or(checkpoint.every);
        let (output, format) = reopened(&checkpoint, &reopen)?;
        Ok(SearchStart::Running(SearchFiles::resumed(place, part, plan, output, format, checkpoint)?))
    }

    /// The files of a run that resumes from a checkpoint.
    ///
    /// # Errors
    /// [`Failure`] when stderr is gone, or the file of the run cannot be written.
    pub fn resumed(
        place: ReplacedFile,
        part: Option<ReplacedFile>,
        plan: &Plan,
        output: Destination,
        format: TourFormat,
        checkpoint: Checkpoint,
    ) -> Result<SearchFiles, Failure> {
        say_leftovers(saved::folder(place.path()))?;
        let mut saving = SearchCheckpoint::new(place, plan, checkpoint.every, &output, format);
        // The tours may be in another file now.
        if checkpoint.tours.is_some() {
            saving.write(&checkpoint.so_far)?;
        }
        (saving.part, saving.earlier, saving.is_resumed) = (part, Some(checkpoint.so_far), true);
        Ok(SearchFiles { output, format, checkpoint: Some(Box::new(saving)) })
    }

    /// The tour output of the workers of one run of this question.
    pub fn for_workers(&self, question: &Question) -> TourOutput {
        self.output.for_workers(self.format, question.board())
    }

    /// The destination of the tours.
    pub fn output(&self) -> &Destination {
        &self.output
    }

    /// Whether the run is saved.
    pub fn is_saved(&self) -> bool {
        self.checkpoint.is_some()
    }

    /// Whether the tours of a saved run replace a file.
    pub fn replaces(&self) -> bool {
        self.checkpoint.as_ref().is_some_and(|saving| saving.replaces())
    }

    /// The file that the run is saved in.
    pub fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_ref().map(|saving| saving.path())
    }

    /// From where the run resumes, and what saves it; to be called once. A failed save is reported when it happens, if
    /// `aloud`, and in any case at the end.
    ///
    /// # Errors
    /// When the thread that writes cannot be started.
    pub fn continuation(&mut self, aloud: bool) -> io::Result<Continuation> {
        self.checkpoint.as_mut().map_or_else(|| Ok(Continuation::default()), |saving| saving.continuation(aloud))
    }

    /// Saves how the run ended, and gives the tours their name if nothing is left to be done.
    pub fn settle(&mut self, outcome: &RunOutcome) -> SettledFiles {
        let ended = self.checkpoint.as_mut().map_or(Ok(true), |saving| saving.end(outcome));
        let output = std::mem::take(&mut self.output);
        match ended {
            Ok(true) => {
                let shown = output.shown();
                let result = output.keep();
                let is_cut = result.is_ok() && !shown.is_empty() && outcome.stopped == Some(StopReason::Signal);
                let note = is_cut.then(|| format!("{shown}holds the tours found before the signal; {CANNOT_RESUME}"));
                SettledFiles { result, note, ..SettledFiles::well(true) }
            }
            // A saved run that is not done resumes with its tours.
            ended => SettledFiles { result: ended.map(drop), ..SettledFiles::well(false) },
        }
    }

    /// Removes the files of a new run that does not take place; a resumed one keeps its own.
    pub fn withdraw(&mut self) {
        let is_resumed = self.checkpoint.as_ref().is_some_and(|saving| saving.is_resumed);
        if let Some(saving) = self.checkpoint.take().filter(|_| !is_resumed) {
            remove(saving.path());
            std::mem::take(&mut self.output).discard();
        }
    }

    /// Leaves the tours of a run that failed under a name which is returned, if they are of use.
    ///
    /// # Errors
    /// [`Failure`] when the file cannot get its name.
    pub fn abandon(&mut self, is_write_error: bool) -> Result<Option<PathBuf>, Failure> {
        match std::mem::take(&mut self.output) {
            _ if self.is_saved() => self.say_how_to_resume().map(|()| None).map_err(Failure::from),
            output if is_write_error => Ok(output.keep_part()),
            output => output.keep().map(|()| None),
        }
    }

    /// Ends a run whose number of tours contradicts a known one, and says why that may be. The file of tours does not get
    /// its name, and no checkpoint says that the run has ended.
    pub fn refuse_number(&mut self, why: &str) -> Failure {
        let part = std::mem::take(&mut self.output).keep_part();
        let part =
            part.map_or(String::new(), |path| format!("; the tours that were written are in {}", path.display()));
        // Only a resumed run can have the wrong number from its checkpoint.
        let is_resumed = self.checkpoint.as_ref().is_some_and(|saving| saving.is_resumed);
        let cause = if is_resumed { "; the checkpoint was changed: remove it to begin again" } else { "" };
        running(format!("{why}{cause}{part}"))
    }

    /// Saves a stopped run for another process to resume: in the file that it is saved in, or else in `elsewhere`. Returns
    /// that file.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be saved.
    pub fn hand_over(&mut self, plan: &Plan, outcome: &RunOutcome, elsewhere: &Path) -> Result<PathBuf, Failure> {
        let was_saved = self.is_saved();
        if !was_saved {
            let place = claimed_place("--detach", elsewhere)?;
            self.output.keep_until_resumed()?;
            let saving = SearchCheckpoint::new(place, plan, SAVE_INTERVAL, &self.output, self.format);
            self.checkpoint = Some(Box::new(saving));
        }
        let Some(saving) = &mut self.checkpoint else { unreachable!("it is saved now") };
        match saving.end(outcome) {
            Ok(_) => Ok(saving.path().to_owned()),
            Err(failure) => {
                if !was_saved {
                    self.checkpoint = None;
                }
                Err(failure)
            }
        }
    }

    /// Leaves the files of a run whose view has failed: a saved run keeps its tours for later.
    ///
    /// # Errors
    /// [`Failure`] when the file of tours cannot get its name.
    pub fn leave(&mut self) -> Result<(), Failure> {
        if self.is_saved() { Ok(self.say_how_to_resume()?) } else { std::mem::take(&mut self.output).keep() }
    }

    /// Says how to resume a saved run.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_how_to_resume(&self) -> io::Result<()> {
        self.checkpoint.as_ref().map_or(Ok(()), |saving| saving.say_how_to_resume())
    }
}

impl FinishedSearch {
    /// The search of a checkpoint that has ended; gives its tours their name, if they have not got it.
    ///
    /// # Errors
    /// [`Failure`] when that cannot be done.
    pub fn settled(checkpoint: Checkpoint, reopen: &ReopenOptions<'_>) -> Result<SearchStart, Failure> {
        match &checkpoint.tours {
            Some(tours) if tours.part().exists() => reopened(&checkpoint, reopen)?.0.keep()?,
            Some(tours) if !tours.target.exists() => {
                say(format_args!(
                    "its tours were written to {}, which is not there any more; to search again, type rm {}",
                    tours.target.display(),
                    shell_word(reopen.checkpoint)
                ))?;
            }
            _ => {}
        }
        let ended = FinishedSearch { plan: checkpoint.plan, outcome: checkpoint.so_far };
        Ok(SearchStart::Ended(Box::new(ended)))
    }
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
                "{option}: the solver {name} runs on a device, and such a search cannot be saved: use another solver"
            )))
        }
        _ => Ok(()),
    }
}

/// Refuses that the tours of a saved run go elsewhere than they do.
///
/// # Errors
/// [`Failure::Usage`] then.
pub fn refuse_other_tours(path: &Path, checkpoint: &Checkpoint, options: &SearchOutput) -> Result<(), Failure> {
    let refused = |why: &dyn std::fmt::Display| Err(usage(format!("{} is of a run that {why}", path.display())));
    match (&checkpoint.tours, options.out.as_deref()) {
        (None, Some(_)) => refused(&"does not write its tours: leave out --out, or name another file"),
        (Some(tours), Some(out)) if std::path::absolute(out).ok().as_ref() != Some(&tours.target) => {
            refused(&format_args!("writes its tours to {}: say so, or name another file", tours.target.display()))
        }
        _ => Ok(()),
    }
}

/// The tour output of a resumed run: behind the tours that it has written.
///
/// # Errors
/// The errors of [`OutFile::reopen`].
pub fn reopened(checkpoint: &Checkpoint, reopen: &ReopenOptions<'_>) -> Result<(Destination, TourFormat), Failure> {
    let Some(tours) = &checkpoint.tours else { return Ok((Destination::Nowhere, TourFormat::default())) };
    let format = TourFormat::named(&tours.format)?;
    let (board, ending) = (checkpoint.plan.question.board(), checkpoint.plan.question.ending());
    let counted = format.bytes(board, ending, checkpoint.so_far.total().tours);
    let output = Destination::File(OutFile::reopen(tours, reopen, counted)?).formed(format, board, ending);
    Ok((output, format))
}

/// The file that a search is saved in.
pub struct SearchCheckpoint {
    place: ReplacedFile,
    header: Arc<CheckpointHeader>,
    /// The outcome of the run that is resumed.
    pub earlier: Option<RunOutcome>,
    /// Whether the run began from a checkpoint.
    pub is_resumed: bool,
    /// The file of the result of a part; the checkpoint is removed when that is written.
    pub part: Option<ReplacedFile>,
    /// The thread that writes while the run works.
    writer: Option<JoinHandle<()>>,
}

/// What is the same in all checkpoints of a run.
struct CheckpointHeader {
    plan: Plan,
    every: Duration,
    tours: Option<(OutWatch, TourFormat)>,
    last_save: LastSave,
}

impl SearchCheckpoint {
    /// The file of a new run of this plan, whose tours go to `output`.
    pub fn new(
        place: ReplacedFile,
        plan: &Plan,
        every: Duration,
        output: &Destination,
        format: TourFormat,
    ) -> SearchCheckpoint {
        let tours = match output {
            Destination::Nowhere | Destination::Stdout(_) => None,
            Destination::File(file) => Some((file.watch(), format)),
        };
        // A deadline is for one run.
        let plan = Plan { deadline: None, ..plan.clone() };
        let header = Arc::new(CheckpointHeader { plan, every, tours, last_save: LastSave::default() });
        SearchCheckpoint { place, header, earlier: None, is_resumed: false, part: None, writer: None }
    }

    /// Writes a checkpoint before the first node: the run can be resumed whatever happens.
    ///
    /// # Errors
    /// [`Failure`] when the disk does not take it.
    pub fn write_first(&self) -> Result<(), Failure> {
        let untouched = RunOutcome { rest: vec![Task::root()], ..RunOutcome::default() };
        self.header
            .save(&self.place, untouched, OutPosition::default(), false)
            .map_err(|error| not_begun(&self.place, &error))
    }

    /// Writes the state from which the run resumes.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it: the file is as it was.
    pub fn write(&self, so_far: &RunOutcome) -> Result<(), Failure> {
        let header = &self.header;
        let saved = header.written().and_then(|written| header.save(&self.place, so_far.clone(), written, false));
        saved.map_err(|error| running(format!("{}: {error}", self.path().display())))
    }

    /// Removes the first checkpoint of a run that cannot begin, if it has been written: no run could resume from it.
    pub fn withdraw(&self) {
        if !self.place.is_free() {
            remove(self.path());
        }
    }

    /// From where the run resumes, and what saves it; to be called once. A failed save is reported when it happens, if
    /// `aloud`, and in any case at the end.
    ///
    /// # Errors
    /// When the thread that writes cannot be started.
    pub fn continuation(&mut self, aloud: bool) -> io::Result<Continuation> {
        let (send, receive) = crossbeam_channel::bounded::<(RunOutcome, OutPosition)>(1);
        let (header, place) = (Arc::clone(&self.header), self.place.clone());
        let write = move || {
            for (so_far, written) in &receive {
                let saved = header.save(&place, so_far, written, false);
                if let Some(problem) = header.last_save.note(saved).filter(|_| aloud) {
                    clear_progress();
                    // A message that cannot be written is no reason to stop.
                    let path = place.path().display();
                    let _ = say(format_args!("{path} was not written, and is as it was: {problem}"));
                }
            }
        };
        self.writer = Some(std::thread::Builder::new().name("checkpoint".to_owned()).spawn(write)?);
        let header = Arc::clone(&self.header);
        let saver = move |so_far: &RunOutcome| match header.written() {
            // The run continues, and the file stays as it was; the end reports it.
            Err(error) => drop(header.last_save.note(Err(error))),
            // If the writer is busy, its state is a little older than this one.
            Ok(written) => drop(send.try_send((so_far.clone(), written))),
        };
        Ok(Continuation { earlier: self.earlier.take(), saver: Some((self.header.every, Box::new(saver))) })
    }

    /// Saves how the run ended. Returns whether nothing is left to be done.
    ///
    /// # Errors
    /// [`Failure::Running`] when the disk does not take it: the file is as it was.
    pub fn end(&mut self, outcome: &RunOutcome) -> Result<bool, Failure> {
        if let Some(writer) = self.writer.take() {
            // The crew is gone, so nothing more is sent; a panic has been reported.
            let _ = writer.join();
        }
        let ended = matches!(outcome.stopped, None | Some(StopReason::Limit));
        let so_far = RunOutcome { lanes: None, ..outcome.clone() };
        let place = self.part.as_ref().filter(|_| ended).unwrap_or(&self.place);
        let failed = |error| running(format!("{} was not written: {error}", place.path().display()));
        let header = &self.header;
        header.written().and_then(|written| header.save(place, so_far, written, ended)).map_err(failed)?;
        match self.part {
            Some(_) if ended => remove(self.place.path()),
            // The tours are about to get their name: the file before could not be resumed with them.
            None if ended => self.place.remove_older(),
            _ => {}
        }
        Ok(ended)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Says how to resume the run.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_how_to_resume(&self) -> io::Result<()> {
        self.header.last_save.say(self.path())?;
        say(format_args!("to go on: {}", CommandLine::resume(self.path(), self.replaces())))
    }

    /// Whether the tours replace a file: a run that resumes must be told so again.
    pub fn replaces(&self) -> bool {
        self.header.tours.as_ref().is_some_and(|(watch, _)| watch.replaces())
    }
}

impl CheckpointHeader {
    /// How much of the tours has been written.
    fn written(&self) -> io::Result<OutPosition> {
        self.tours.as_ref().map_or_else(|| Ok(OutPosition::default()), |(watch, _)| watch.written())
    }

    /// Writes the state of the run; the tours that it counts are brought to the disk before.
    fn save(&self, place: &ReplacedFile, so_far: RunOutcome, written: OutPosition, ended: bool) -> io::Result<()> {
        let tours = self.tours.as_ref().map(|(watch, format)| watch.note(format.name(), written)).transpose()?;
        Checkpoint { plan: self.plan.clone(), every: self.every, tours, so_far, ended }.save(place)
    }
}
