//! `--detach`: the same command in a process of its own, in a session of its own, that answers on a socket.
//!
//! The typed command waits until the run has begun, so that bad input is reported at once. What the run prints lies in the
//! folder of runs.

use super::folder::{RunEntry, RunsFolder, VARIABLE, now_s};
use crate::job::command_line::CommandLine;
use crate::job::fault::{Answer, Failure, io_failure, refuse_if, running};
use crate::job::report::Report;
use crate::job::say::{note, print_object, put, say};
use crate::run::End;
use crate::run::journal::Subject;
use crate::run::remote::Server;
use clap::Args;
use serde_json::json;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

/// The option, as it is typed.
const DETACH: &str = "--detach";
/// Interval of checks whether a run has begun.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Whether a run is to continue in a process of its own, or is such a run.
#[derive(Args, Clone, Copy, Default, Debug)]
#[command(next_help_heading = "Saving and dividing")]
pub struct Detaching {
    /// Run without a screen and without this terminal
    ///
    /// `destrier runs` lists it, `destrier attach` shows it.
    #[arg(long)]
    pub detach: bool,
    /// The number of a run that has begun so
    #[arg(long, hide = true, value_name = "ID")]
    pub hosted: Option<u32>,
}

impl Detaching {
    /// Refuses a screen for a run that continues without one.
    ///
    /// # Errors
    /// [`Failure::Usage`] then.
    pub fn refuse_screen(&self, watch: bool) -> Result<(), Failure> {
        let why = "--detach goes on without a screen: leave out --watch, and see it by destrier attach";
        refuse_if(self.detach && watch, why)
    }

    /// The file that a hosted run is saved in, if no other is named.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is no folder for it.
    pub fn checkpoint(&self) -> Result<Option<PathBuf>, Failure> {
        self.hosted.map(|id| Ok(RunsFolder::made()?.checkpoint(id))).transpose()
    }

    /// Lets viewers of other processes see the run, if it is hosted, or `is_resumed` and was. `checkpoint` is the file that it is
    /// saved in.
    ///
    /// # Errors
    /// [`Failure`] when there can be no socket for a hosted run.
    pub fn host(
        &self,
        subject: &Subject,
        checkpoint: Option<&Path>,
        is_resumed: bool,
    ) -> Result<Option<HostedRun>, Failure> {
        let Some(id) = self.hosted else { return Ok(HostedRun::resumed(subject, checkpoint.filter(|_| is_resumed))) };
        // The run outlives the terminal. This fails for a process that leads a session already, which is as good.
        let _ = rustix::process::setsid();
        HostedRun::open(RunsFolder::made()?, id, subject, checkpoint).map(Some)
    }
}

/// A run that viewers of other processes can see.
pub struct HostedRun {
    server: Arc<Server>,
    entry: RunEntry,
    folder: RunsFolder,
}

impl HostedRun {
    /// Run `id` of the folder, with its socket and its entry.
    pub(in crate::job) fn open(
        folder: RunsFolder,
        id: u32,
        subject: &Subject,
        checkpoint: Option<&Path>,
    ) -> Result<HostedRun, Failure> {
        let socket = folder.socket(id);
        let failed = |error: io::Error| running(format!("{}: {error}", socket.display()));
        let server = Server::open(&socket, subject.clone()).map_err(failed)?;
        let entry = RunEntry {
            id,
            pid: std::process::id(),
            question: subject.to_string(),
            began_s: now_s(),
            checkpoint: checkpoint.map(std::path::absolute).transpose().map_err(failed)?,
            report: None,
        };
        folder.note(&entry).map_err(failed)?;
        Ok(HostedRun { server: Arc::new(server), entry, folder })
    }

    /// The run of the folder, if there is one, that this process resumes, which holds its checkpoint: on a terminal it is listed and
    /// seen as before. If it cannot be listed, it runs all the same.
    fn resumed(subject: &Subject, checkpoint: Option<&Path>) -> Option<HostedRun> {
        let (checkpoint, folder) = (std::path::absolute(checkpoint?).ok()?, RunsFolder::there().ok()??);
        let same = folder.entries().ok()?.filter(|entry| entry.checkpoint.as_ref() == Some(&checkpoint)).last()?;
        // A process that was killed has left it.
        let _ = fs::remove_file(folder.socket(same.id));
        let hosted = HostedRun::open(folder, same.id, subject, Some(&checkpoint)).ok()?;
        let entry = RunEntry { began_s: same.began_s, ..hosted.entry };
        let [_, notes] = hosted.folder.printed(entry.id);
        let note = "then it went on at a terminal, where the rest was printed";
        let _ = OpenOptions::new().append(true).open(notes).and_then(|mut notes| writeln!(notes, "{note}"));
        let _ = hosted.folder.note(&entry);
        Some(HostedRun { entry, ..hosted })
    }

    /// The server that its viewers ask.
    pub fn server(&self) -> Arc<Server> {
        Arc::clone(&self.server)
    }

    /// The file of its history.
    pub fn history(&self) -> PathBuf {
        self.folder.history(self.entry.id)
    }

    /// Tells all viewers, now and later, how the run ended.
    pub fn end(self, end: Option<End>, report: &Report) {
        let report = serde_json::to_value(report).ok();
        let entry = RunEntry { report: report.clone(), ..self.entry };
        if let Err(error) = self.folder.note(&entry) {
            let _ =
                say(format_args!("{}: that it has ended could not be noted: {error}", self.folder.path().display()));
        }
        self.server.end(end, report);
    }
}

/// Begins the typed command in a process of its own. Returns the exit code. If that process ends before its run has begun,
/// its output is printed here, and its exit code is the answer.
///
/// # Errors
/// [`Failure`] when it cannot be begun.
pub fn begin_typed(json: bool) -> Result<Answer, Failure> {
    DetachSlot::claim()?.begin(std::env::args_os().skip(1).filter(|word| word != DETACH).collect(), json)
}

/// A number in the folder of runs, for a run that is to begin.
pub struct DetachSlot {
    folder: RunsFolder,
    id: u32,
    /// Whether the run has begun.
    taken: bool,
}

/// The number of a run that has not begun is free again.
impl Drop for DetachSlot {
    fn drop(&mut self) {
        if !self.taken {
            self.folder.give_up(self.id);
        }
    }
}

impl DetachSlot {
    fn claim() -> Result<DetachSlot, Failure> {
        let folder = RunsFolder::made()?;
        let id = folder.claim()?;
        Ok(DetachSlot { folder, id, taken: false })
    }

    /// Begins a command in a process of its own.
    fn begin(mut self, words: Vec<OsString>, json: bool) -> Result<Answer, Failure> {
        match begin(&self.folder, self.id, words)? {
            Some(code) => Ok(Answer::Elsewhere(code)),
            None => {
                self.taken = true;
                print_number(&self.folder, self.id, json).map(|()| Answer::Yes)
            }
        }
    }

    /// A number for a run that is still in this process, in a folder with room for its checkpoint.
    ///
    /// # Errors
    /// [`Failure`] when there is none.
    pub fn take() -> Result<DetachSlot, Failure> {
        let slot = DetachSlot::claim()?;
        let refused = |error| running(format!("{}: {error}", slot.folder.path().display()));
        slot.folder.has_room().map_err(refused)?;
        Ok(slot)
    }

    /// The file that the run can be saved in.
    pub fn checkpoint(&self) -> PathBuf {
        self.folder.checkpoint(self.id)
    }

    /// Resumes the run of this plan in a process of its own, from the file that it is saved in; `force` says that its tours
    /// replace a file.
    ///
    /// # Errors
    /// [`Failure`] when it cannot be resumed.
    pub fn resume(self, file: &Path, plan: &crate::run::Plan, force: bool) -> Result<Answer, Failure> {
        let line = CommandLine::resume(file, force);
        let begun = self.begin(line.clone().words(), false);
        if !matches!(begun, Ok(Answer::Yes)) {
            say(format_args!("to go on: {line}"))?;
        } else if plan.deadline.is_some() {
            say("--deadline was about this view: the run goes on until it is done, or ended")?;
        }
        begun
    }
}

/// Starts the process, and waits until its run has begun. Returns its exit code if it ends before that.
fn begin(folder: &RunsFolder, id: u32, words: Vec<OsString>) -> Result<Option<u8>, Failure> {
    let failed = |error: io::Error| running(format!("a process for it could not be started: {error}"));
    let [out, err] = folder.print(id).map_err(failed)?;
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command.args(words).arg("--hosted").arg(id.to_string());
    let mut child = command.stdin(Stdio::null()).stdout(out).stderr(err).spawn().map_err(failed)?;
    loop {
        let over = child.try_wait().map_err(failed)?;
        // It may have begun, and ended, since.
        if folder.entry(id).is_some() {
            return Ok(None);
        }
        if let Some(status) = over {
            let [out, err] = folder.printed(id).map(|file| fs::read(&file).map_err(io_failure(file.display())));
            let (out, err) = (out?, err?);
            if out.is_empty() && err.is_empty() {
                return Err(running(format!(
                    "{}: the run did not begin: its process ended ({status}) and could not write there why; make room on \
                     that disk, or let {VARIABLE} name another folder",
                    folder.path().display()
                )));
            }
            put(String::from_utf8_lossy(&out))?;
            note(String::from_utf8_lossy(&err))?;
            return Ok(Some(status.code().map_or(3, |code| code as u8)));
        }
        sleep(LOOK_EVERY);
    }
}

/// Prints the number of the run, and how to see it.
fn print_number(folder: &RunsFolder, id: u32, json: bool) -> Result<(), Failure> {
    let Some(entry) = folder.entry(id) else { return Ok(()) };
    let RunEntry { pid, question, .. } = &entry;
    if json {
        return print_object(&json!({ "id": id, "pid": pid, "question": question, "socket": folder.socket(id) }));
    }
    let next = match entry.report {
        Some(_) => format!("it has ended already; what it has printed: destrier runs {id}"),
        None => format!(
            "it goes on without this terminal; to see it: destrier attach {id}; to end it: destrier runs --stop {id}"
        ),
    };
    put(format_args!("run {id}: {question}\n{next}\n"))
}
