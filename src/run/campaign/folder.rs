//! The files of a folder of parts, and what each held when it was last read.
//!
//! The folder may have a hundred thousand files and lie on the disk of another machine. So a look lists the names and
//! reads only what is new. A complete part never changes: each look checks only some of them, in turn. Checkpoints are
//! checked in each look and read when they have changed. A file that could not be read is read again when it changes,
//! and now and then otherwise, because a write by another machine may be visible in part. A file that disappears
//! between the listing and the read is forgotten.
//!
//! # Clocks
//!
//! The clocks of the machines differ, and a file's time of change comes from one of them, or from the disk. So the time
//! of change is never compared with this machine's clock. It is compared with the newest time of change in the folder,
//! plus the time passed here since that was first seen. This gives the age of a file at its first sight; after a change
//! seen here, its age is the time passed here. If one clock is ahead, the other files look old until they change, about
//! half a minute. A single old checkpoint in a folder looks new for as long as a new one could.

use super::pace::PartFigures;
use crate::run::checkpoint::Checkpoint;
use crate::run::part::{CHECKPOINT, PART, fault, named};
use crate::run::question::{Plan, Question};
use crate::saved::RecordFault;
use crate::schedule::Shard;
use crate::words::visible;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Complete parts that a look checks again.
const CHECKED_PER_LOOK: usize = 256;
/// Interval of reading a file again that could not be read.
const RETRY_AFTER: Duration = Duration::from_secs(10);
/// Interval of progress reports while many files are read.
const TELL_EVERY: Duration = Duration::from_millis(250);
/// A checkpoint is stale when it is older than this many of its intervals of saves, and older than [`STALE_MIN`].
const STALE_PERIODS: u32 = 4;
const STALE_MIN: Duration = Duration::from_secs(60);

/// The known state of a folder.
#[derive(Default)]
pub struct PartsFolder {
    path: PathBuf,
    /// The files in the folder, by name.
    pub files: HashMap<OsString, KnownFile>,
    /// The questions of the files.
    pub questions: Vec<PartsQuestion>,
    /// The number of this look.
    round: u64,
    /// Position of the next complete parts to check again.
    turn: usize,
    /// The newest time of change, and when it was first seen here.
    newest: Option<(SystemTime, Duration)>,
    /// A number that changes when a part comes, goes or changes.
    pub changes: u64,
    /// How many new files have been read, and of how many, while reading is in progress.
    pub reading: Option<(u64, u64)>,
    /// Why the folder could not be read, if it could not.
    pub trouble: Option<String>,
    /// Whether the folder does not exist yet.
    pub absent: bool,
}

/// A question divided into a number of parts.
pub struct PartsQuestion {
    /// The question of all parts together.
    pub plan: Plan,
    /// The number of parts; `None` for a search that is not divided.
    pub of: Option<u32>,
}

/// The known state of a file.
pub struct KnownFile {
    /// Time of change, length and inode.
    stamp: (SystemTime, u64, u64),
    round: u64,
    /// When the file was read.
    read: Duration,
    /// When this program saw that the file was new or changed; `None` if it was there at the first look.
    changed: Option<Duration>,
    /// The contents, or why they are unknown.
    pub holds: Result<HeldPart, String>,
}

/// The contents of a file.
pub struct HeldPart {
    /// The index of its question.
    pub question: usize,
    /// The part, if it is one.
    pub shard: Option<Shard>,
    /// Whether the file name is right for the part and its state.
    pub fits: bool,
    /// Whether the work is complete.
    pub ended: bool,
    /// Figures so far.
    pub figures: PartFigures,
    /// Interval of saves.
    pub every: Duration,
}

/// Whether a name is that of a checkpoint, not of a complete part.
pub fn is_checkpoint(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(CHECKPOINT.as_bytes())
}

/// Whether a name may be that of a part or a checkpoint. Names that begin with a dot are incomplete writes.
fn is_part_name(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    !bytes.starts_with(b".") && (bytes.ends_with(PART.as_bytes()) || is_checkpoint(name))
}

impl KnownFile {
    /// Whether the file need not be checked in each look.
    fn is_settled(&self, name: &OsStr) -> bool {
        self.holds.is_ok() && !is_checkpoint(name)
    }

    /// The order in which files came: first those of the first look, by the time of the disk, then the others by this
    /// machine's time.
    pub fn came(&self) -> (Duration, SystemTime) {
        (self.changed.unwrap_or_default(), self.stamp.0)
    }
}

impl PartsFolder {
    /// A folder that has not been read.
    pub fn new(path: PathBuf) -> PartsFolder {
        PartsFolder { path, ..PartsFolder::default() }
    }

    /// The age of a file at this time, as far as it is known.
    pub fn age(&self, known: &KnownFile, at: Duration) -> Duration {
        match (known.changed, self.newest) {
            (Some(changed), _) => at.saturating_sub(changed),
            (None, Some((newest, seen))) => {
                let before = newest.duration_since(known.stamp.0).unwrap_or_default();
                before + at.saturating_sub(seen)
            }
            (None, None) => Duration::ZERO,
        }
    }

    /// Whether a checkpoint of this age seems abandoned.
    pub fn is_stale(held: &HeldPart, age: Duration) -> bool {
        age > STALE_MIN.max(held.every.saturating_mul(STALE_PERIODS))
    }

    /// Reads the folder, with times from `clock`; reports progress to `tell` while it reads many files.
    pub fn look(&mut self, clock: &dyn Fn() -> Duration, tell: &mut dyn FnMut(&PartsFolder, Duration)) {
        let names = names(&self.path);
        // A folder that had files has disappeared; a folder that never had any may not exist yet.
        self.absent = self.files.is_empty() && matches!(&names, Err(error) if error.kind() == io::ErrorKind::NotFound);
        let names = match names {
            Ok(names) => names,
            Err(_) if self.absent => Vec::new(),
            Err(error) => {
                self.trouble = Some(error.to_string());
                return;
            }
        };
        self.trouble = None;
        self.round += 1;
        let (mut look_at, mut settled) = (Vec::new(), Vec::new());
        for name in names {
            match self.files.get_mut(&name) {
                Some(known) => {
                    known.round = self.round;
                    if known.is_settled(&name) { &mut settled } else { &mut look_at }.push(name);
                }
                None => look_at.push(name),
            }
        }
        let (round, before) = (self.round, self.files.len());
        self.files.retain(|_, known| known.round == round);
        self.changes += (before - self.files.len()) as u64;
        self.turn = if self.turn < settled.len() { self.turn } else { 0 };
        look_at.extend(settled.into_iter().skip(self.turn).take(CHECKED_PER_LOOK));
        self.turn += CHECKED_PER_LOOK;
        look_at.sort();

        let all = look_at.len() as u64;
        let mut told = clock();
        for (count, name) in (1..).zip(look_at) {
            let at = clock();
            self.look_at(name, at);
            if at.saturating_sub(told) >= TELL_EVERY {
                told = at;
                self.reading = Some((count, all));
                tell(self, at);
            }
        }
        self.reading = None;
    }

    /// Checks a file, and reads it if it is new or has changed.
    fn look_at(&mut self, name: OsString, at: Duration) {
        let path = self.path.join(&name);
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            // A broken link is ignored too: its target may appear later.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.forget(&name),
            Err(error) => return self.keep(name, (SystemTime::UNIX_EPOCH, 0, 0), at, Err(unreadable(&error))),
        };
        let stamp = (found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len(), found.ino());
        if self.newest.is_none_or(|(newest, _)| stamp.0 > newest) {
            self.newest = Some((stamp.0, at));
        }
        if self.files.get(&name).is_some_and(|known| {
            known.stamp == stamp && (known.holds.is_ok() || at.saturating_sub(known.read) < RETRY_AFTER)
        }) {
            return;
        }
        let holds = match Checkpoint::read(&path) {
            Ok(read) => Ok(self.held(&name, &read)),
            Err(RecordFault::Missing) => return self.forget(&name),
            Err(error) => Err(error.to_string()),
        };
        self.keep(name, stamp, at, holds);
    }

    fn forget(&mut self, name: &OsStr) {
        self.changes += u64::from(self.files.remove(name).is_some());
    }

    fn keep(&mut self, name: OsString, stamp: (SystemTime, u64, u64), at: Duration, holds: Result<HeldPart, String>) {
        let before = self.files.get(&name);
        let same = before.is_some_and(|before| before.stamp == stamp);
        let changed = if same { before.and_then(|before| before.changed) } else { (self.round > 1).then_some(at) };
        self.changes += u64::from(!is_checkpoint(&name));
        self.files.insert(name, KnownFile { stamp, round: self.round, read: at, changed, holds });
    }

    /// The contents of a file with this name.
    fn held(&mut self, name: &OsStr, read: &Checkpoint) -> HeldPart {
        let Checkpoint { plan, every, so_far, ended, .. } = read;
        let total = so_far.total();
        let cpu_s = so_far.workers.iter().map(|worker| worker.busy).sum::<Duration>().as_secs_f64();
        let end = *ended || is_checkpoint(name);
        HeldPart {
            question: self.question(plan),
            shard: plan.shard,
            fits: fault(Path::new(name), plan, end, true).is_none(),
            ended: *ended,
            figures: PartFigures { tours: total.tours, nodes: total.nodes, cpu_s },
            every: *every,
        }
    }

    /// The index of the question of a plan.
    fn question(&mut self, plan: &Plan) -> usize {
        let (of, plan) = (plan.shard.map(Shard::of), plan.undivided());
        let text = |question: &Question| serde_json::to_string(question).ok();
        let asked = text(&plan.question);
        let same = |other: &PartsQuestion| other.of == of && text(&other.plan.question) == asked;
        self.questions.iter().position(same).unwrap_or_else(|| {
            self.questions.push(PartsQuestion { plan, of });
            self.questions.len() - 1
        })
    }
}

/// The part that a file name stands for.
pub fn shard_of_name(name: &OsStr) -> Option<Shard> {
    named(name.to_str()?)
}

/// A file name, safe to show.
pub fn visible_name(name: &OsStr) -> String {
    visible(&name.to_string_lossy())
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The names in a folder that may be parts or checkpoints.
fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if is_part_name(&name) {
            names.push(name);
        }
    }
    Ok(names)
}
