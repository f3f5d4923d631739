//! The files of a search: where its tours go, and the file that it is saved in.
//!
//! Tours that a saved run writes lie in a file that keeps the name noted in the checkpoint until the run has ended. The
//! checkpoint has the number of bytes that are tours which it counts. What a killed run has written behind them is cut off
//! when it is resumed, and found again.
//!
//! The workers do not wait for the disk: their state is handed to a thread of its own. If that is still busy with the state
//! before, this one is not written.

use super::options::SearchOutput;
use super::place::{PartFiles, SAVE_INTERVAL, checked_interval, claimed, opened, say_how_to_resume};
use crate::job::attend::clear_progress;
use crate::job::command_line::CommandLine;
use crate::job::fault::{Failure, running, usage};
use crate::job::output::{Destination, OutFile, OutWatch, ReopenOptions, TourFormat};
use crate::job::run::SettledFiles;
use crate::job::say::{say, say_leftovers, shell_word};
use crate::run::{Checkpoint, Continuation, Plan, Question, Unfinished};
use crate::saved::{self, SaveError, SavedFile, SavedRun as _};
use crate::schedule::{RunOutcome, StopReason};
use crate::search::Task;
use crate::solve::TourOutput;
use crate::system::{self, ThreadRefused};
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
    saving: Option<Arc<SearchSaving>>,
    /// The outcome of the run that is resumed.
    earlier: Option<RunOutcome>,
    /// The part that it makes, if it makes one.
    part: Option<PartFiles>,
    /// The thread that writes while the run works.
    writer: Option<JoinHandle<()>>,
}

/// The files of a run that begins; or those of none, and the run that has ended before.
pub type BegunFiles = (SearchFiles, Option<Checkpoint>);

impl SearchFiles {
    /// The files of a new run of this plan; or those of the run in its checkpoint or part, if there is one. The second result is
    /// a run that has ended before.
    ///
    /// # Errors
    /// [`Failure`] when a file cannot be written or resumed.
    pub fn begin(plan: &Plan, options: &SearchOutput, part: Option<PartFiles>) -> Result<BegunFiles, Failure> {
        let every = checked_interval(options.save.every)?;
        let (file, found): (SavedFile, Option<Checkpoint>) = match (&part, &options.save.checkpoint) {
            (Some(part), _) => part.open(plan)?,
            (None, Some(path)) => {
                options.refuse_stdout()?;
                opened("--checkpoint", path, plan)?
            }
            (None, None) if every.is_some() => {
                return Err(usage("--every says how often a run is kept: add --checkpoint FILE"));
            }
            (None, None) => {
                let (format, output) = (options.format, options.open(&plan.question)?);
                return Ok((SearchFiles { output, format, ..SearchFiles::default() }, None));
            }
        };
        let Some(mut checkpoint) = found else {
            return SearchFiles::new_in(file, part, plan, options, every.unwrap_or(SAVE_INTERVAL));
        };
        // A part that has ended has its name.
        let done = part.as_ref().filter(|_| checkpoint.has_ended());
        let path = done.map_or(file.path(), |part| &*part.done).to_owned();
        refuse_other_tours(&path, &checkpoint, options)?;
        checkpoint.every = every.unwrap_or(checkpoint.every);
        if !checkpoint.has_ended() {
            checkpoint.plan = plan.clone();
        }
        let (is_named, force) = (options.out.is_some(), options.force);
        let reopen = ReopenOptions { checkpoint: &path, is_named, former: None, force };
        SearchFiles::resumed(file, part, checkpoint, &reopen)
    }

    /// The files of a new run that is saved in this file. The file is written before the first node.
    fn new_in(
        file: SavedFile,
        part: Option<PartFiles>,
        plan: &Plan,
        options: &SearchOutput,
        every: Duration,
    ) -> Result<BegunFiles, Failure> {
        let (format, output) = (options.format, options.open(&plan.question)?);
        if !matches!(output, Destination::File(_)) {
            say_leftovers(saved::folder(file.path()))?;
        }
        let saving = SearchSaving::new(file, plan, every, &output, format);
        let untouched = RunOutcome { rest: vec![Task::root()], ..RunOutcome::default() };
        if let Err(error) = saving.save(untouched, saving.written()) {
            output.discard();
            saving.file.withdraw();
            return Err(error.into());
        }
        let saving = Some(Arc::new(saving));
        Ok((SearchFiles { output, format, saving, part, ..SearchFiles::default() }, None))
    }

    /// The files of a run that resumes from a checkpoint, or what came of one that has ended.
    ///
    /// # Errors
    /// [`Failure`] when stderr is gone, the file of the run cannot be written, or its tours cannot be resumed.
    pub fn resumed(
        file: SavedFile,
        part: Option<PartFiles>,
        checkpoint: Checkpoint,
        reopen: &ReopenOptions<'_>,
    ) -> Result<BegunFiles, Failure> {
        if checkpoint.has_ended() {
            if let Some(part) = part.filter(PartFiles::has_checkpoint) {
                part.settle()?;
            }
            settle_tours(&checkpoint, reopen)?;
            // A run that was killed at its end has left the file before.
            file.remove_older();
            return Ok((SearchFiles::default(), Some(checkpoint)));
        }
        file.check_folder().map_err(|why| SaveError::unusable(file.path(), why))?;
        let (output, format) = reopened(&checkpoint, reopen)?;
        say_leftovers(saved::folder(file.path()))?;
        let saving = SearchSaving::new(file, &checkpoint.plan, checkpoint.every, &output, format);
        // The tours may be in another file now.
        if checkpoint.tours.is_some() {
            saving.save(checkpoint.so_far.clone(), saving.written())?;
        }
        let (saving, earlier) = (Some(Arc::new(saving)), Some(checkpoint.so_far));
        Ok((SearchFiles { output, format, saving, earlier, part, ..SearchFiles::default() }, None))
    }

    /// The tour output of the workers of one run of this question.
    pub fn for_workers(&self, question: &Question) -> TourOutput {
        self.output.for_workers(self.format, question.shape())
    }

    /// The destination of the tours.
    pub fn output(&self) -> &Destination {
        &self.output
    }

    /// Whether the run is saved.
    pub fn is_saved(&self) -> bool {
        self.saving.is_some()
    }

    /// Whether the tours of a saved run replace a file.
    pub fn replaces(&self) -> bool {
        self.saving.as_ref().is_some_and(|saving| saving.replaces())
    }

    /// The file that the run is saved in.
    pub fn checkpoint(&self) -> Option<&Path> {
        self.saving.as_ref().map(|saving| saving.file.path())
    }

    /// Whether that file was there before.
    pub fn is_resumed(&self) -> bool {
        self.saving.as_ref().is_some_and(|saving| !saving.file.is_new())
    }

    /// From where the run resumes, and what saves it; to be called once. A failed save is reported when it happens, if
    /// `aloud`, and in any case at the end.
    ///
    /// # Errors
    /// When the thread that writes cannot be started.
    pub fn continuation(&mut self, aloud: bool) -> Result<Continuation, ThreadRefused> {
        let Some(saving) = &self.saving else { return Ok(Continuation::default()) };
        let (send, receive) = crossbeam_channel::bounded::<(RunOutcome, io::Result<Option<Unfinished>>)>(1);
        let own = Arc::clone(saving);
        let write = move || {
            for (so_far, written) in &receive {
                let was_well = own.file.problem().is_none();
                if let Some(problem) = own.save(so_far, written).err().filter(|_| aloud && was_well) {
                    clear_progress();
                    // A message that cannot be written is no reason to stop: the run continues.
                    let _ = say(problem);
                }
            }
        };
        self.writer = Some(system::start("checkpoint", write)?);
        let own = Arc::clone(saving);
        // If the writer is busy, its state is a little older than this one.
        let saver = move |so_far: &RunOutcome| drop(send.try_send((so_far.clone(), own.written())));
        Ok(Continuation { earlier: self.earlier.take(), saver: Some((saving.every, Box::new(saver))) })
    }

    /// Saves how the run ended, if it is saved. Returns whether nothing is left to be done.
    fn save_end(&mut self, outcome: &RunOutcome) -> Result<bool, Failure> {
        let Some(saving) = &self.saving else { return Ok(true) };
        if let Some(writer) = self.writer.take() {
            // The crew is gone, so nothing more is sent; a panic has been reported.
            let _ = writer.join();
        }
        let ended = matches!(outcome.stopped, None | Some(StopReason::Limit));
        saving.save(outcome.clone(), saving.written())?;
        if ended {
            // The tours are about to get their name: the file before could not be resumed with them.
            saving.file.remove_older();
            self.part.as_ref().map_or(Ok(()), PartFiles::settle)?;
        }
        Ok(ended)
    }

    /// Saves how the run ended, and gives the tours their name if nothing is left to be done.
    pub fn settle(&mut self, outcome: &RunOutcome) -> SettledFiles {
        let ended = self.save_end(outcome);
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
        if let Some(saving) = self.saving.take_if(|saving| saving.file.is_new()) {
            saving.file.withdraw();
            std::mem::take(&mut self.output).discard();
        }
    }

    /// Leaves the tours of a run that failed under a name which is returned, if they are of use.
    ///
    /// # Errors
    /// [`Failure`] when the file cannot get its name.
    pub fn abandon(&mut self, is_write_error: bool) -> Result<Option<PathBuf>, Failure> {
        if self.is_saved() || !is_write_error {
            return self.leave().map(|()| None);
        }
        Ok(std::mem::take(&mut self.output).keep_part())
    }

    /// Ends a run whose number of tours contradicts a known one, and says why that may be. The file of tours does not get
    /// its name, and no checkpoint says that the run has ended.
    pub fn refuse_number(&mut self, why: &str) -> Failure {
        let part = std::mem::take(&mut self.output).keep_part();
        let part =
            part.map_or(String::new(), |path| format!("; the tours that were written are in {}", path.display()));
        // Only a resumed run can have the wrong number from its checkpoint.
        let cause = if self.is_resumed() { "; the checkpoint was changed: remove it to begin again" } else { "" };
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
            let file = claimed("--detach", elsewhere)?;
            let saving = SearchSaving::new(file, plan, SAVE_INTERVAL, &self.output, self.format);
            self.saving = Some(Arc::new(saving));
        }
        let saved = self.save_end(outcome);
        let path = self.checkpoint().map(Path::to_owned);
        if saved.is_err() && !was_saved {
            self.saving = None;
        }
        saved.map(|_| path.unwrap_or_default())
    }

    /// Leaves the files of a run that has failed, or whose view has: a saved run keeps its tours for later.
    ///
    /// # Errors
    /// [`Failure`] when the file of tours cannot get its name.
    pub fn leave(&mut self) -> Result<(), Failure> {
        let Some(saving) = &self.saving else { return std::mem::take(&mut self.output).keep() };
        saving.file.problem().map_or(Ok(()), say)?;
        std::mem::take(&mut self.output);
        self.say_how_to_resume()
    }

    /// Says how to resume a saved run.
    ///
    /// # Errors
    /// When stderr is gone.
    pub fn say_how_to_resume(&self) -> Result<(), Failure> {
        let Some(saving) = &self.saving else { return Ok(()) };
        let command = CommandLine::resume(saving.file.path(), saving.replaces());
        say_how_to_resume(&saving.file, "", &command)
    }
}

/// The file that a search is saved in, and what is the same in all its checkpoints.
struct SearchSaving {
    file: SavedFile,
    plan: Plan,
    every: Duration,
    tours: Option<OutWatch>,
}

impl SearchSaving {
    /// The file of a run of this plan, whose tours go to `output`.
    fn new(file: SavedFile, plan: &Plan, every: Duration, output: &Destination, format: TourFormat) -> SearchSaving {
        let tours = if let Destination::File(file) = output { Some(file.watch(format.name())) } else { None };
        // A deadline is for one run.
        let plan = Plan { deadline: None, ..plan.clone() };
        SearchSaving { file, plan, every, tours }
    }

    /// Whether the tours replace a file: a run that resumes must be told so again.
    fn replaces(&self) -> bool {
        self.tours.as_ref().is_some_and(OutWatch::replaces)
    }

    /// How much of the tours has been written.
    fn written(&self) -> io::Result<Option<Unfinished>> {
        self.tours.as_ref().map(OutWatch::written).transpose()
    }

    /// Writes the state of the run, with so much of the tours; they are brought to the disk before. Now that a checkpoint names their
    /// file, that stays until a run resumes with it.
    fn save(&self, so_far: RunOutcome, written: io::Result<Option<Unfinished>>) -> Result<(), SaveError> {
        let save = |tours| {
            self.tours.as_ref().map_or(Ok(()), OutWatch::sync)?;
            Checkpoint { plan: self.plan.clone(), every: self.every, tours, so_far }.save(&self.file)?;
            self.tours.as_ref().map_or(Ok(()), OutWatch::keep_until_resumed)
        };
        self.file.note(written.and_then(save))
    }
}

/// Gives the tours of a search that has ended their name, if they have not got it.
///
/// # Errors
/// [`Failure`] when that cannot be done.
fn settle_tours(checkpoint: &Checkpoint, reopen: &ReopenOptions<'_>) -> Result<(), Failure> {
    match &checkpoint.tours {
        Some(tours) if tours.part().exists() => reopened(checkpoint, reopen)?.0.keep(),
        Some(tours) if !tours.target.exists() => say(format_args!(
            "its tours were written to {}, which is not there any more; to search again, type rm {}",
            tours.target.display(),
            shell_word(reopen.checkpoint)
        )),
        _ => Ok(()),
    }
}

/// Refuses that the tours of a saved run go elsewhere than they do.
///
/// # Errors
/// [`Failure::Usage`] then.
fn refuse_other_tours(path: &Path, checkpoint: &Checkpoint, options: &SearchOutput) -> Result<(), Failure> {
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
fn reopened(checkpoint: &Checkpoint, reopen: &ReopenOptions<'_>) -> Result<(Destination, TourFormat), Failure> {
    let Some(tours) = &checkpoint.tours else { return Ok((Destination::Nowhere, TourFormat::default())) };
    let format = TourFormat::named(&tours.format)?;
    let (shape, ending) = (checkpoint.plan.question.shape(), checkpoint.plan.question.ending());
    let counted = format.bytes(shape, ending, checkpoint.so_far.total().tours);
    let output = Destination::File(OutFile::reopen(tours, reopen, counted)?).formed(format, shape, ending);
    Ok((output, format))
}
