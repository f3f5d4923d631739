//! The folder of detached runs: it belongs to the user, and outlives the login.
//!
//! ```text
//!  /tmp/destrier-1000/          0700, and owned by the user: otherwise nothing is read or written there
//!    3.json                     what run 3 is, and how it ended; its number is this one, whatever stands in the file
//!    3.sock                     where it answers, while it runs
//!    3.out 3.err                what it prints
//!    3.history                  what it was like, a line a minute
//!    3.checkpoint               what it is saved in, if no other file is named
//! ```
//!
//! The runtime directory of a login goes with it, and a home may be that of several machines, of which a socket knows one:
//! so it is in `/tmp`, as tmux has it. `DESTRIER_RUNS` names another one.

use crate::bounded;
use crate::job::fault::{Failure, io_failure, usage};
use crate::job::say::shell_word;
use crate::saved;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Names the folder.
pub const VARIABLE: &str = "DESTRIER_RUNS";
/// Bytes of a checkpoint of a search, at most, roughly.
const ROOM: usize = 1 << 18;
/// Bytes of what is known of a run, at most: the report of 4,096 workers has a million.
const ENTRY_MAX: u64 = 4 << 20;
/// Bytes of the name of a socket, which the system takes at most, but for the last, which is 0.
const SOCKET_MAX: usize = 107;

/// A run, as its file has it.
#[derive(Clone, Serialize, Deserialize)]
pub struct RunEntry {
    pub id: u32,
    /// Its process.
    pub pid: u32,
    /// Its question, in words.
    pub question: String,
    /// When it began, in seconds since 1970.
    pub began_s: u64,
    /// The file that it is saved in.
    pub checkpoint: Option<PathBuf>,
    /// Its report, once it has ended.
    pub report: Option<Value>,
}

/// Seconds since 1970.
pub fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The folder; see the module.
#[derive(Clone)]
pub struct RunsFolder(PathBuf);

impl RunsFolder {
    /// A folder that exists, for a test.
    #[cfg(test)]
    pub fn of_test(path: &Path) -> RunsFolder {
        RunsFolder(path.to_owned())
    }

    /// The folder, made if it is not there.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it cannot be made, or is not the user's own.
    pub fn made() -> Result<RunsFolder, Failure> {
        let folder = RunsFolder::named()?;
        match DirBuilder::new().mode(0o700).create(&folder.0) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(folder.refused(&error)),
            _ => folder.checked(),
        }
    }

    /// The folder, if it is there.
    ///
    /// # Errors
    /// [`Failure::Usage`] when it is not the user's own.
    pub fn there() -> Result<Option<RunsFolder>, Failure> {
        let folder = RunsFolder::named()?;
        match fs::symlink_metadata(&folder.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            _ => folder.checked().map(Some),
        }
    }

    /// Where the folder is, or would be made, if runs can be put there.
    ///
    /// # Errors
    /// As [`RunsFolder::made`], and when it cannot be written.
    pub fn usable() -> Result<PathBuf, Failure> {
        let (folder, there) = (RunsFolder::named()?, RunsFolder::there()?);
        let writes = if there.is_some() { &*folder.0 } else { saved::folder(&folder.0) };
        let refused =
            |error| folder.refused(&format_args!("{error}: let {VARIABLE} name a folder that can be written"));
        tempfile::tempfile_in(writes).map_err(refused)?;
        Ok(folder.0)
    }

    fn named() -> Result<RunsFolder, Failure> {
        let own = || PathBuf::from(format!("/tmp/destrier-{}", rustix::process::geteuid().as_raw()));
        let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty());
        let named = std::path::absolute(named.map_or_else(own, PathBuf::from));
        let folder = RunsFolder(named.map_err(io_failure("the folder of runs"))?);
        match folder.socket(u32::MAX).as_os_str().len() {
            0..=SOCKET_MAX => Ok(folder),
            _ => Err(folder
                .refused(&format_args!("its name is too long for a socket in it: let {VARIABLE} name another folder"))),
        }
    }

    /// The folder, if no other user can have put anything there.
    fn checked(self) -> Result<RunsFolder, Failure> {
        let found = fs::symlink_metadata(&self.0).map_err(|error| self.refused(&error))?;
        let mode = found.mode() & 0o777;
        if !found.is_dir() {
            Err(self.refused(&"is no folder"))
        } else if found.uid() != rustix::process::geteuid().as_raw() {
            Err(self.refused(&format_args!("belongs to another user: let {VARIABLE} name another folder")))
        } else if mode & 0o077 != 0 {
            let path = shell_word(&self.0);
            Err(self.refused(&format_args!("others can get in (mode {mode:o}): to close it, type chmod 700 {path}")))
        } else {
            Ok(self)
        }
    }

    fn refused(&self, why: &dyn std::fmt::Display) -> Failure {
        usage(format!("{}, the folder of runs: {why}", self.0.display()))
    }

    fn file(&self, id: u32, ending: &str) -> PathBuf {
        self.0.join(format!("{id}.{ending}"))
    }

    /// The socket on which a run answers.
    pub fn socket(&self, id: u32) -> PathBuf {
        self.file(id, "sock")
    }

    /// The file that a run is saved in, if no other is named.
    pub fn checkpoint(&self, id: u32) -> PathBuf {
        self.file(id, "checkpoint")
    }

    /// What a run has printed: on stdout, and on stderr.
    pub fn printed(&self, id: u32) -> [PathBuf; 2] {
        ["out", "err"].map(|ending| self.file(id, ending))
    }

    /// What a run was like, a line a minute.
    pub fn history(&self, id: u32) -> PathBuf {
        self.file(id, "history")
    }

    /// Whether the disk takes what a run is kept in, which is small.
    ///
    /// # Errors
    /// When it does not.
    pub fn has_room(&self) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
        io::Write::write_all(&mut file, &[0; ROOM])?;
        file.as_file().sync_all()
    }

    /// Files for what a run prints.
    ///
    /// # Errors
    /// When they cannot be made.
    pub fn print(&self, id: u32) -> io::Result<[File; 2]> {
        // A run may go on at a terminal before this process has ended, and note that behind what it has printed.
        let open = |path| OpenOptions::new().append(true).create_new(true).mode(0o600).open(path);
        self.remove(id, &["out", "err"]);
        let [out, err] = self.printed(id);
        Ok([open(out)?, open(err)?])
    }

    /// A number that no run has, taken.
    ///
    /// # Errors
    /// [`Failure`] when nothing can be written there.
    pub fn claim(&self) -> Result<u32, Failure> {
        let mut id = self.numbers("")?.last().map_or(1, |last| last.saturating_add(1));
        loop {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(self.file(id, "json"));
            match file {
                Ok(_) => return Ok(id),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && id < u32::MAX => id += 1,
                Err(error) => return Err(self.refused(&error)),
            }
        }
    }

    /// What is known of all runs, in the order of their numbers.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn entries(&self) -> Result<impl Iterator<Item = RunEntry>, Failure> {
        Ok(self.all()?.filter_map(|(_, read)| read.ok()))
    }

    /// All runs, in the order of their numbers, as [`RunsFolder::read`] finds them.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn all(&self) -> Result<impl Iterator<Item = (u32, Result<RunEntry, String>)>, Failure> {
        Ok(self.numbers("json")?.into_iter().filter_map(|id| Some((id, self.read(id)?))))
    }

    /// The numbers of all files that end so, in order.
    fn numbers(&self, ending: &str) -> Result<Vec<u32>, Failure> {
        let entries = fs::read_dir(&self.0).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| self.refused(&error))?;
        let number = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            let (number, end) = name.to_str()?.split_once('.')?;
            end.ends_with(ending).then(|| number.parse().ok())?
        };
        let mut numbers: Vec<u32> = entries.iter().filter_map(number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// What is known of a run; nothing when there is none, it is only about to be, or its file cannot be read.
    pub fn entry(&self, id: u32) -> Option<RunEntry> {
        self.read(id)?.ok()
    }

    /// What is known of a run, or why its file cannot be read and what to do, in words that follow its number; nothing when there is
    /// none, or it is only about to be. The number is that of the file, whatever stands in it.
    pub fn read(&self, id: u32) -> Option<Result<RunEntry, String>> {
        let file = self.file(id, "json");
        let found = fs::symlink_metadata(&file).ok().filter(|found| !found.is_file() || found.len() > 0)?;
        let read = bounded::contents(&file, ENTRY_MAX).and_then(|bytes| bounded::json::<RunEntry>(&bytes));
        let [socket, own] = [&self.socket(id), &file].map(|file| shell_word(file));
        match read {
            // It was removed since.
            Err(error) if found.is_file() && error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(format!(
                "unreadable: {id}.json: {error}\n      to see whether it goes on: destrier attach {socket}\n      \
                 its process: pgrep -f -- '--hosted {id}$'; when it has ended: mv {own} {own}.other"
            ))),
            Ok(entry) => Some(Ok(RunEntry { id, ..entry })),
        }
    }

    /// Notes what is known of a run, in one piece.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn note(&self, entry: &RunEntry) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.0)?;
        serde_json::to_writer(&mut file, entry)?;
        file.persist(self.file(entry.id, "json"))?;
        Ok(())
    }

    /// Removes all files of a run.
    pub fn forget(&self, id: u32) {
        self.remove(id, &["checkpoint", "checkpoint~"]);
        self.give_up(id);
    }

    /// Removes the files of a run that has not begun; what it was to go on with stays.
    pub fn give_up(&self, id: u32) {
        self.remove(id, &["sock", "out", "err", "history", "json"]);
    }

    fn remove(&self, id: u32, endings: &[&str]) {
        // One that is not there is as good.
        endings.iter().for_each(|ending| drop(fs::remove_file(self.file(id, ending))));
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}
