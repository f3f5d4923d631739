//! A search in a file: it is saved there while it works, and resumed from there.
//!
//! The file is a [record](crate::saved). Its header has the question and the totals. Its body has a line for each open branch:
//! its choices, two hexadecimal digits each, and its share of the tree, such as `000a1b 0.0078125`.
//! [The crew](crate::schedule::Crew::resume) that resumes the search checks that the branches belong to the tree and that none
//! contains another. Reading checks the rest. The file of a count is another one: `count/run`.

use crate::bounded::FileKind;
use crate::run::question::{Plan, Question};
use crate::saved::{self, FileIdentity, RecordBody, RecordFault, RecordKind, ReplacedFile, RunNumber};
use crate::schedule::{Forecast, ProgressSaver, RunOutcome, Shard, SharingCounts, StopReason, THREADS_MAX, Totals};
use crate::search::{DEPTHS, Tally, Task};
use crate::store::write::PackedProgress;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A checkpoint of a search. With 8,192 workers, each with figures of 19 digits, the header has 1.8 MB.
pub(super) const KIND: RecordKind = RecordKind { kind: FileKind::Search, header_max: 2 << 20 };

/// A search in a file.
#[derive(Clone)]
pub struct Checkpoint {
    /// The question, and how the work is shared.
    pub plan: Plan,
    /// Interval between two saves.
    pub every: Duration,
    /// The output file of its tours, if they are written.
    pub tours: Option<Unfinished>,
    /// The figures so far, and the open branches.
    pub so_far: RunOutcome,
    /// Whether the search is complete, or has found as many tours as were asked for.
    pub ended: bool,
}

/// An output file of tours that has its temporary name until the search ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unfinished {
    /// Its final name.
    pub target: PathBuf,
    /// The file that stood there when the run began, if the run was to replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<FileIdentity>,
    /// The number of the run, from which the temporary name follows.
    pub run: RunNumber,
    /// Bytes of tours that this checkpoint includes; later bytes are discarded on resume.
    pub bytes: u64,
    /// The format of the tours.
    pub format: String,
    /// The progress of the packed format, if it is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub packed: Option<PackedProgress>,
}

impl Unfinished {
    /// Its temporary name, beside the final one.
    pub fn part(&self) -> PathBuf {
        self.run.unfinished(saved::folder(&self.target))
    }
}

/// From where a run resumes, and what saves it.
#[derive(Default)]
pub struct Continuation {
    /// The outcome of the earlier run, if the run is resumed.
    pub earlier: Option<RunOutcome>,
    /// Interval of saves of a search, and the function that saves it.
    pub saver: Option<(Duration, ProgressSaver)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchHeader {
    pub(super) plan: Plan,
    /// The version of the method that deals prefixes to shards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) deal: Option<u32>,
    pub(super) every_s: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) tours: Option<Unfinished>,
    pub(super) ended: bool,
    pub(super) stopped: Option<StopReason>,
    pub(super) elapsed_s: f64,
    pub(super) events_lost: u64,
    pub(super) outlook: Forecast,
    pub(super) workers: Vec<Worker>,
    pub(super) nodes_by_depth: Vec<u64>,
    pub(super) pruned_by_depth: Vec<u64>,
    pub(super) parts: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Worker {
    pub(super) nodes: u64,
    pub(super) tours: u64,
    pub(super) pruned: u64,
    #[serde(flatten)]
    pub(super) sharing: SharingCounts,
    pub(super) busy_s: f64,
    pub(super) idle_s: f64,
}

impl Checkpoint {
    /// Saves the checkpoint in place of the one before.
    ///
    /// # Errors
    /// When the file cannot be written; the previous checkpoint is still there.
    pub fn save(&self, place: &ReplacedFile) -> io::Result<()> {
        place.save_record(&KIND, &self.header(), |output| {
            self.so_far.rest.iter().try_for_each(|Task { choices, share }| {
                choices.iter().try_for_each(|choice| write!(output, "{choice:02x}"))?;
                writeln!(output, " {share}")
            })
        })
    }

    fn header(&self) -> SearchHeader {
        let RunOutcome { workers, stopped, elapsed, events_lost, outlook, rest, .. } = &self.so_far;
        let total = self.so_far.total();
        SearchHeader {
            plan: self.plan.clone(),
            deal: self.plan.shard.map(|_| Shard::DEAL),
            every_s: self.every.as_secs_f64(),
            tours: self.tours.clone(),
            ended: self.ended,
            stopped: *stopped,
            elapsed_s: elapsed.as_secs_f64(),
            events_lost: *events_lost,
            outlook: *outlook,
            workers: workers
                .iter()
                .map(|Totals { tally, sharing, busy, idle, .. }| Worker {
                    nodes: tally.nodes,
                    tours: tally.tours,
                    pruned: tally.pruned,
                    sharing: *sharing,
                    busy_s: busy.as_secs_f64(),
                    idle_s: idle.as_secs_f64(),
                })
                .collect(),
            nodes_by_depth: total.nodes_by_depth.to_vec(),
            pruned_by_depth: total.pruned_by_depth.to_vec(),
            parts: rest.len() as u64,
        }
    }

    /// Whether the checkpoint has this question and shard; the way of sharing the work may differ.
    pub fn is_of(&self, plan: &Plan) -> bool {
        let text = |question: &Question| serde_json::to_string(question).ok();
        self.plan.shard == plan.shard && text(&self.plan.question) == text(&plan.question)
    }
}

/// No counter of a real run is larger: some thousand years of a hundred cores.
pub(super) const COUNT_MAX: u64 = 1 << 60;
/// No time of a real run is longer, in seconds: some thirty years.
const SECONDS_MAX: f64 = 1e9;
/// Most bytes of the line of a branch: two for each choice, and the digits of a tiny share.
const PART_MAX: u64 = 1 << 10;

impl Checkpoint {
    /// Reads a checkpoint from a file.
    ///
    /// # Errors
    /// [`RecordFault`].
    pub fn read(path: &Path) -> Result<Checkpoint, RecordFault> {
        saved::read_record(path, &KIND, parse)
    }
}

fn parse(header: SearchHeader, body: &mut RecordBody) -> Result<Checkpoint, RecordFault> {
    let mut rest = Vec::new();
    for _ in 0..header.parts {
        let line = body.line(PART_MAX)?;
        let part = std::str::from_utf8(&line).ok().and_then(task);
        rest.push(part.ok_or_else(|| RecordFault::damaged("a line of an open branch is invalid"))?);
    }
    let read = header.checkpoint(rest).map_err(RecordFault::damaged)?;
    read.plan.contradiction(&read.so_far).map_or(Ok(read), |why| Err(RecordFault::Damaged(why)))
}

/// A time in seconds, if a run can have taken it.
fn time(seconds: f64) -> Option<Duration> {
    interval(seconds).filter(|_| seconds < SECONDS_MAX)
}

/// An interval in seconds, which may be longer than any run: then the run is saved at its end.
fn interval(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

/// The fault of a figure that is too large.
const TOO_LARGE: &str = "its figures are negative, or larger than any run can count";

impl SearchHeader {
    /// Makes a checkpoint of the header and the open branches, or says why they contradict each other.
    fn checkpoint(self, rest: Vec<Task>) -> Result<Checkpoint, &'static str> {
        let SearchHeader { plan, deal, tours, ended, stopped, events_lost, outlook, .. } = self;
        if deal != plan.shard.map(|_| Shard::DEAL) {
            return Err("another version of destrier divided the search into parts");
        }
        let depths = |counts: Vec<u64>| {
            <[u64; DEPTHS]>::try_from(counts).map_err(|_| "its figures by depth have the wrong length")
        };
        let (nodes_by_depth, pruned_by_depth) = (depths(self.nodes_by_depth)?, depths(self.pruned_by_depth)?);
        let counts = self.workers.iter().flat_map(|worker| {
            let Worker { nodes, tours, pruned, sharing, .. } = worker;
            [*nodes, *tours, *pruned].into_iter().chain(sharing.all())
        });
        let others = [events_lost].into_iter().chain(nodes_by_depth).chain(pruned_by_depth);
        // The limit keeps later sums of figures from overflowing.
        let sum =
            counts.chain(others).try_fold(0u64, |sum, count| sum.checked_add(count).filter(|&sum| sum < COUNT_MAX));
        let (elapsed, every) = (time(self.elapsed_s), interval(self.every_s));
        let workers = self.workers.into_iter().map(Worker::totals).collect::<Option<Vec<Totals>>>();
        let (Some(sum), Some(elapsed), Some(every), Some(mut workers)) = (sum, elapsed, every, workers) else {
            return Err(TOO_LARGE);
        };
        let has_worked = workers.iter().any(|worker| !worker.busy.is_zero() || !worker.idle.is_zero());
        if workers.len() > 2 * THREADS_MAX {
            return Err(TOO_LARGE);
        }
        let is_ended =
            stopped.is_none_or(|reason| reason == StopReason::Limit) && (rest.is_empty() || stopped.is_some());
        if (ended && !is_ended) || (!ended && rest.is_empty()) {
            return Err("its open branches contradict its state");
        }
        if rest.iter().any(|part| part.choices.is_empty()) && (sum > 0 || !elapsed.is_zero() || has_worked) {
            return Err("its only open branch is the whole tree, but it has counted nodes");
        }
        // By depth only the sum over all workers is saved.
        if let Some(worker) = workers.first_mut() {
            (worker.tally.nodes_by_depth, worker.tally.pruned_by_depth) = (nodes_by_depth, pruned_by_depth);
        }
        let so_far = RunOutcome { workers, stopped, elapsed, events_lost, outlook, rest, lanes: None };
        Ok(Checkpoint { plan, every, tours, so_far, ended })
    }
}

impl Worker {
    /// The totals; nothing if a time is longer than any run takes.
    fn totals(self) -> Option<Totals> {
        let Worker { nodes, tours, pruned, sharing, busy_s, idle_s } = self;
        let tally = Tally { nodes, tours, pruned, ..Tally::default() };
        Some(Totals { tally, sharing, busy: time(busy_s)?, idle: time(idle_s)?, switches: None, rest: Vec::new() })
    }
}

/// Parses the line of an open branch.
fn task(line: &str) -> Option<Task> {
    let (choices, share) = line.split_once(' ')?;
    let share: f64 = share.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
    let pairs = choices.as_bytes().chunks(2);
    let choice = |pair: &[u8]| match *pair {
        [high, low] => Some((char::from(high).to_digit(16)? * 16 + char::from(low).to_digit(16)?) as u8),
        _ => None,
    };
    let choices = pairs.map(choice).collect::<Option<Box<[u8]>>>().filter(|choices| choices.len() < DEPTHS)?;
    Some(Task { choices, share })
}

#[cfg(test)]
mod tests {
    use super::{COUNT_MAX, *};
    use crate::board::Ending;
    use crate::event::EventSender;
    use crate::schedule::{Crew, CrewPlan, Scheduler, THREADS_MAX};
    use crate::search::Tally;
    use crate::solve::{self, Problem};
    use std::fs;
    use std::sync::{Arc, Mutex};

    fn plan() -> Plan {
        let problem = Problem::new("6x6".parse().unwrap(), Ending::Open);
        Plan::of(Question::Search(solve::solver_by_name("path").unwrap(), problem), 2)
    }

    /// What a run of 6x6 had left in one of its breaks.
    fn so_far() -> RunOutcome {
        let breaks = Some(Duration::from_millis(2));
        let mut crew = Crew::new(CrewPlan { breaks, ..CrewPlan::of(2, Scheduler::Hire) }, EventSender::nowhere());
        let first: Arc<Mutex<Option<RunOutcome>>> = Arc::default();
        let keep = first.clone();
        crew.set_saver(Box::new(move |so_far| {
            keep.lock().unwrap().get_or_insert_with(|| so_far.clone());
        }));
        plan().question.answer(crew, None, &|_, _| {}).unwrap();
        first.lock().unwrap().take().unwrap()
    }

    fn checkpoint() -> Checkpoint {
        let tours = Unfinished {
            target: "a".into(),
            replaces: None,
            run: "0123456789abcdef".to_owned().try_into().unwrap(),
            bytes: 7,
            format: "line".into(),
            packed: None,
        };
        Checkpoint { plan: plan(), every: Duration::from_secs(30), tours: Some(tours), so_far: so_far(), ended: false }
    }

    #[test]
    fn what_is_written_is_read_again_and_comes_to_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("run")).unwrap();
        let kept = checkpoint();
        kept.save(&place).unwrap();
        let read = Checkpoint::read(place.path()).unwrap();
        assert_eq!((read.tours, read.so_far.rest.clone()), (kept.tours, kept.so_far.rest.clone()));
        assert!(read.so_far.total() == kept.so_far.total() && read.so_far.elapsed == kept.so_far.elapsed);
        for (read, kept) in read.so_far.workers.iter().zip(&kept.so_far.workers) {
            assert_eq!((read.sharing, read.busy, read.idle), (kept.sharing, kept.busy, kept.idle));
        }
        let mut crew = Crew::new(CrewPlan::serial(), EventSender::nowhere());
        crew.resume(read.so_far);
        let done = plan().question.answer(crew, None, &|_, _| {}).unwrap();
        assert_eq!(done.outcome.total().tours, 6_637_920);
    }

    /// What `--every` takes is read again, however long it is; what it does not take is refused.
    #[test]
    fn an_interval_may_be_longer_than_any_run() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("run")).unwrap();
        let mut kept = checkpoint();
        for seconds in [1 << 30, 1 << 40, 1 << 63] {
            kept.every = Duration::from_secs(seconds);
            kept.save(&place).unwrap();
            assert_eq!(Checkpoint::read(place.path()).unwrap().every, kept.every);
        }
        let good = fs::read(place.path()).unwrap();
        let good = std::str::from_utf8(&good[..good.len() - 4]).unwrap();
        let (before, after) = good.split_once("\"every_s\":").unwrap();
        let after = &after[after.find(',').unwrap()..];
        for wrong in ["-1.0", "1e300", "18446744073709551616"] {
            let text = format!("{before}\"every_s\":{wrong}{after}");
            fs::write(place.path(), [text.as_bytes(), &saved::checksum([text.as_bytes()]).to_le_bytes()].concat())
                .unwrap();
            let refused = Checkpoint::read(place.path()).err().unwrap().to_string();
            assert!(refused.contains("negative, or larger than any run can count"), "{wrong}: {refused}");
        }
    }

    /// The largest crew, twice, whose figures are as large as a run can have: a header that is read.
    #[test]
    fn the_longest_header_of_a_run_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("run")).unwrap();
        let mut kept = checkpoint();
        // A board of which no number is known that such figures could contradict.
        let problem = Problem::new("11x11".parse().unwrap(), Ending::Open);
        kept.plan = Plan::of(Question::Search(solve::solver_by_name("path").unwrap(), problem), 2);
        let figure = COUNT_MAX / (2 * THREADS_MAX as u64 * 8);
        let time = Duration::from_nanos(figure);
        let sharing = SharingCounts { hires: figure, donations: figure };
        let tally = Tally { nodes: figure, tours: figure, pruned: figure, ..Tally::default() };
        let totals = Totals { tally, sharing, busy: time, idle: time, switches: None, rest: Vec::new() };
        kept.so_far.workers = vec![totals; 2 * THREADS_MAX];
        kept.save(&place).unwrap();
        let read = Checkpoint::read(place.path()).unwrap();
        assert!(read.so_far.total() == kept.so_far.total() && read.so_far.workers.len() == 2 * THREADS_MAX);
    }

    /// A file with any change and a right checksum is refused, or is a search.
    #[test]
    fn what_was_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = ReplacedFile::new(&folder.path().join("run")).unwrap();
        checkpoint().save(&place).unwrap();
        let good = fs::read(place.path()).unwrap();
        let mut random = fastrand::Rng::with_seed(16);
        let (mut refused, mut taken) = (0, 0);
        for round in 0..300 {
            let mut text = good[..good.len() - 4].to_vec();
            let at = random.usize(KIND.kind.first_line().len()..text.len());
            match round % 3 {
                0 => text[at] ^= 1 << random.u8(..8),
                1 => drop(text.remove(at)),
                _ => text.insert(at, random.u8(b'0'..=b'9')),
            }
            let seal = saved::checksum([&text[..]]).to_le_bytes();
            fs::write(place.path(), [&text[..], &seal].concat()).unwrap();
            match Checkpoint::read(place.path()) {
                Err(_) => refused += 1,
                // A file with a right checksum is a search, and one that neither panics nor hangs.
                Ok(read) => {
                    let mut crew = Crew::new(CrewPlan::serial(), EventSender::nowhere());
                    crew.resume(read.so_far);
                    let _ = plan().question.answer(crew, None, &|_, _| {});
                    taken += 1;
                }
            }
        }
        assert!(refused > 50 && taken > 0, "{refused} refused, {taken} taken");
    }
}
