//! What is known of a folder in which parts gather: what each of its files held when it was read.
//!
//! The folder may have a hundred thousand files and lie on the disk of another machine. So a look lists the names, and
//! reads what is new: a part that is there never changes, and is looked at again only in turns, some of them in each look.
//! Checkpoints are looked at each time and read when they have changed; a file that could not be read is read again when
//! it has changed, and now and then when it has not, for what another machine writes may be visible in part. Files come
//! and go between a look at the names and one at the files; one that has gone is forgotten.
//!
//! # Whose time it is
//!
//! The clocks of the machines differ, and the time of change of a file is by one of those, or by that of the disk. So a
//! time of change is held against this machine's clock never, but against the newest time of change in the folder, to
//! which what has passed here since that was first seen is added. That tells how old a file was when it was first seen; of
//! one that was seen to change since then it is what has passed here. One clock that is ahead thus makes the others look
//! old, until they change: that is half a minute. A single old checkpoint in a folder looks new for as long as it could be.

use super::pace::PartFigures;
use crate::run::checkpoint::Checkpoint;
use crate::run::checkpoint::ReadError;
use crate::run::part::{CHECKPOINT, PART, fault, named};
use crate::run::question::{Plan, Question};
use crate::schedule::Shard;
use crate::words::visible;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Of parts that are there so many are looked at again in a look.
const AGAIN: usize = 256;
/// A file that could not be read is read again after so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// While many files are read it is told so often how far that is.
const TELL_EVERY: Duration = Duration::from_millis(250);
/// A checkpoint is stale that was not written for so many times as long as it is kept for, and for so long.
const STALE_PERIODS: u32 = 4;
const STALE_MIN: Duration = Duration::from_secs(60);

/// What is known of a folder; see the module.
pub struct PartsFolder {
    path: PathBuf,
    files: HashMap<OsString, KnownFile>,
    questions: Vec<PartsQuestion>,
    /// The number of this look.
    round: u64,
    /// How many looks' worth of parts have been looked at again.
    turn: usize,
    /// The newest time of change, and when that was first seen.
    newest: Option<(SystemTime, Duration)>,
    /// Counts the changes of parts.
    changes: u64,
    reading: Option<(u64, u64)>,
    trouble: Option<String>,
    absent: bool,
}

/// A question, cut into so many parts, that files are of.
pub struct PartsQuestion {
    /// What is asked, of all parts together.
    pub plan: Plan,
    /// How many parts there are; nothing of a search that is not in parts.
    pub of: Option<u32>,
}

/// What is known of a file.
pub struct KnownFile {
    /// When it was changed, how long it is, and which file it is.
    stamp: (SystemTime, u64, u64),
    round: u64,
    /// When it was read.
    read: Duration,
    /// When it was seen to be new or changed; nothing of one that was there at the first look.
    changed: Option<Duration>,
    /// What it holds, or why that cannot be known.
    pub holds: Result<HeldPart, String>,
}

/// What a file holds.
pub struct HeldPart {
    /// The place of its question among all.
    pub question: usize,
    /// Which part it is, if it is one.
    pub shard: Option<Shard>,
    /// Whether it has the name of that part, and is what such a name stands for, wherever it is a part at all.
    pub fits: bool,
    /// Whether nothing of it is left to be done.
    pub ended: bool,
    /// What it has come to.
    pub figures: PartFigures,
    /// How often it is kept.
    pub every: Duration,
}

/// Whether a name is that of a checkpoint, not of a part.
pub fn is_checkpoint(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(CHECKPOINT.as_bytes())
}

/// Whether a name may be that of a part, or of one that is not done. Those that begin with a dot are not written to
/// their end.
fn is_wanted(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    !bytes.starts_with(b".") && (bytes.ends_with(PART.as_bytes()) || is_checkpoint(name))
}

impl KnownFile {
    /// Whether it need not be looked at each time.
    fn is_settled(&self, name: &OsStr) -> bool {
        self.holds.is_ok() && !is_checkpoint(name)
    }

    /// A rank by when it came: what was there at first by the time of the disk, then what came by the time of this machine.
    pub fn came(&self) -> (Duration, SystemTime) {
        (self.changed.unwrap_or_default(), self.stamp.0)
    }
}

impl PartsFolder {
    /// A folder of which nothing is known.
    pub fn new(path: PathBuf) -> PartsFolder {
        PartsFolder {
            path,
            files: HashMap::new(),
            questions: Vec::new(),
            round: 0,
            turn: 0,
            newest: None,
            changes: 0,
            reading: None,
            trouble: None,
            absent: false,
        }
    }

    /// Its files.
    pub fn files(&self) -> impl Iterator<Item = (&OsStr, &KnownFile)> {
        self.files.iter().map(|(name, known)| (name.as_os_str(), known))
    }

    /// The questions that they are of.
    pub fn questions(&self) -> &[PartsQuestion] {
        &self.questions
    }

    /// A number that is another one after any part came, went or changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many new files have been read, and of how many, while there are more to be read.
    pub fn reading(&self) -> Option<(u64, u64)> {
        self.reading
    }

    /// Whether it was never there.
    pub fn absent(&self) -> bool {
        self.absent
    }

    /// Why it could not be looked into, if it could not.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// How long ago a file was changed, at this moment, as far as is known.
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

    /// Whether nobody seems to write a checkpoint of such an age any more.
    pub fn is_stale(held: &HeldPart, age: Duration) -> bool {
        age > STALE_MIN.max(held.every.saturating_mul(STALE_PERIODS))
    }

    /// Looks into the folder by this clock; while it reads many files it tells so.
    pub fn look(&mut self, clock: &dyn Fn() -> Duration, tell: &mut dyn FnMut(&PartsFolder, Duration)) {
        let names = names(&self.path);
        // A folder that was there and had files has gone away; one that never had any is still to be made.
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
        look_at.extend(settled.into_iter().skip(self.turn).take(AGAIN));
        self.turn += AGAIN;
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

    /// Looks at a file, and reads it if it is new or has changed.
    fn look_at(&mut self, name: OsString, at: Duration) {
        let path = self.path.join(&name);
        let found = match fs::metadata(&path) {
            Ok(found) => found,
            // A link that leads nowhere is not seen either: it may lead somewhere later.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.forget(&name),
            Err(error) => return self.keep(name, (SystemTime::UNIX_EPOCH, 0, 0), at, Err(unreadable(&error))),
        };
        let stamp = (found.modified().unwrap_or(SystemTime::UNIX_EPOCH), found.len(), found.ino());
        if self.newest.is_none_or(|(newest, _)| stamp.0 > newest) {
            self.newest = Some((stamp.0, at));
        }
        if self.files.get(&name).is_some_and(|known| {
            known.stamp == stamp && (known.holds.is_ok() || at.saturating_sub(known.read) < PATIENCE)
        }) {
            return;
        }
        let holds = match Checkpoint::read(&path) {
            Ok(read) => Ok(self.held(&name, &read)),
            Err(ReadError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return self.forget(&name),
            Err(ReadError::Io(error)) => Err(unreadable(&error)),
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

    /// What a file of this name holds.
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

    /// The place of the question of a plan among all.
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

/// The part that a file is to be, by its name.
pub fn wanted(name: &OsStr) -> Option<Shard> {
    named(name.to_str()?)
}

/// A name as it may be shown.
pub fn shown(name: &OsStr) -> String {
    visible(&name.to_string_lossy())
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// The names in a folder that are to be looked at. A file that goes while they are listed is none.
fn names(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if is_wanted(&name) {
            names.push(name);
        }
    }
    Ok(names)
}
