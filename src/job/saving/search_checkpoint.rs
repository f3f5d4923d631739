//! The file that a search is saved in, and the thread that writes it.
//!
//! The workers do not wait for the disk: their state is handed to a thread of its own. If that is still busy with the state
//! before, this one is not written.

use super::place::{LastSave, not_begun, remove};
use crate::job::attend::clear_progress;
use crate::job::failure::{Failure, running};
use crate::job::output::{Destination, OutPosition, OutWatch, TourFormat};
use crate::job::say::{say, shell_word};
use crate::run::{Checkpoint, Continuation, Plan};
use crate::saved::ReplacedFile;
use crate::schedule::{RunOutcome, StopReason};
use crate::search::Task;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

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
        let keeper = move |so_far: &RunOutcome| match header.written() {
            // The run continues, and the file stays as it was; the end reports it.
            Err(error) => drop(header.last_save.note(Err(error))),
            // If the writer is busy, its state is a little older than this one.
            Ok(written) => drop(send.try_send((so_far.clone(), written))),
        };
        Ok(Continuation { earlier: self.earlier.take(), keeper: Some((self.header.every, Box::new(keeper))) })
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
        let force = if self.replaces() { " --force" } else { "" };
        say(format_args!("to go on: destrier resume {}{force}", shell_word(self.path())))
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
