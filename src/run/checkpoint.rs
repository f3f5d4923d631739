//! A search in a file: it is saved there while it works, and resumed from there.
//!
//! The file is a [record](crate::saved). Its header is the [`Checkpoint`]. Its body has a line for each open branch:
//! its choices, two hexadecimal digits each, and its share of the tree, such as `000a1b 0.0078125`.
//! [The crew](crate::schedule::Crew::resume) that resumes the search checks that the branches belong to the tree and that none
//! contains another. Reading checks the rest. The file of a count is another one: `count/run`.

use crate::bounded::FileKind;
use crate::run::question::{Plan, Question};
use crate::saved::{self, FileIdentity, RecordBody, RecordFault, RecordKind, RunNumber, SavedFile, SavedRun, seconds};
use crate::schedule::{ProgressSaver, RunOutcome, StopReason, THREADS_MAX, Totals};
use crate::search::{DEPTHS, Tally, Task};
use crate::store::write::PackedProgress;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// No counter of a real run is larger: some thousand years of a hundred cores.
const COUNT_MAX: u64 = 1 << 60;
/// No time of a real run is longer: some thirty years.
const TIME_MAX: Duration = Duration::from_secs(1_000_000_000);
/// Most bytes of the line of a branch: two for each choice, and the digits of a tiny share.
const PART_MAX: u64 = 1 << 10;

/// A search in a file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The question, and how the work is shared.
    pub plan: Plan,
    /// Interval between two saves.
    #[serde(rename = "every_s", with = "seconds")]
    pub every: Duration,
    /// The output file of its tours, if they are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tours: Option<Unfinished>,
    /// The figures so far, and the open branches.
    #[serde(rename = "outcome")]
    pub so_far: RunOutcome,
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
    /// The checksum of the last 64 KiB of these bytes; older files have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u32>,
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

impl SavedRun for Checkpoint {
    type Question = Plan;

    /// With 8,192 workers, each with figures of 14 digits, the header has 3 MB.
    const KIND: RecordKind = RecordKind { kind: FileKind::Search, header_max: 4 << 20 };

    fn question(&self) -> &Plan {
        &self.plan
    }

    fn words(plan: &Plan) -> String {
        plan.subject()
    }

    /// The way of sharing the work may differ.
    fn is_same(one: &Plan, other: &Plan) -> bool {
        let text = |question: &Question| serde_json::to_string(question).ok();
        one.shard == other.shard && text(&one.question) == text(&other.question)
    }

    /// It has ended too if it has found as many tours as were asked for.
    fn has_ended(&self) -> bool {
        match self.so_far.stopped {
            None => self.so_far.rest.is_empty(),
            Some(reason) => reason == StopReason::Limit,
        }
    }

    fn take_body(&mut self, mut body: RecordBody) -> Result<(), RecordFault> {
        if let Some(refusal) = self.plan.question.refusal() {
            return Err(RecordFault::Foreign(format!("cannot be resumed: {refusal}")));
        }
        while !body.is_empty() {
            let line = body.line(PART_MAX)?;
            let part = std::str::from_utf8(&line).ok().and_then(task);
            self.so_far.rest.push(part.ok_or_else(|| RecordFault::damaged("a line of an open branch is invalid"))?);
        }
        body.finish()?;
        let fault = self.fault().map(str::to_owned).or_else(|| self.plan.contradiction(&self.so_far));
        fault.map_or(Ok(()), |why| Err(RecordFault::Damaged(why)))
    }
}

impl Checkpoint {
    /// Saves the checkpoint in place of the one before. Of the figures by depth it has the sums only, with the first worker.
    ///
    /// # Errors
    /// When the file cannot be written; the previous checkpoint is still there.
    pub fn save(mut self, file: &SavedFile) -> io::Result<()> {
        let total = self.so_far.total();
        for (number, Totals { tally, .. }) in self.so_far.workers.iter_mut().enumerate() {
            let sums = if number == 0 { total.clone() } else { Tally::default() };
            (tally.nodes_by_depth, tally.pruned_by_depth) = (sums.nodes_by_depth, sums.pruned_by_depth);
        }
        file.save_record(&Checkpoint::KIND, &self, |output| {
            self.so_far.rest.iter().try_for_each(|Task { choices, share }| {
                choices.iter().try_for_each(|choice| write!(output, "{choice:02x}"))?;
                writeln!(output, " {share}")
            })
        })
    }

    /// Why no run can have saved this, if so.
    fn fault(&self) -> Option<&'static str> {
        let RunOutcome { workers, elapsed, slowed, events_lost, rest, .. } = &self.so_far;
        let counts = workers.iter().flat_map(|Totals { tally, sharing, .. }| {
            let by_depth = tally.nodes_by_depth.into_iter().chain(tally.pruned_by_depth);
            by_depth.chain([tally.nodes, tally.tours, tally.pruned]).chain(sharing.all())
        });
        // The limit keeps later sums of figures from overflowing.
        let sum = counts
            .chain([*events_lost])
            .try_fold(0u64, |sum, count| sum.checked_add(count).filter(|&sum| sum < COUNT_MAX));
        let times = |worker: &Totals| [worker.busy, worker.idle, worker.save];
        let longest = workers.iter().flat_map(times).fold(*elapsed.max(slowed), Duration::max);
        let Some(sum) = sum.filter(|_| longest < TIME_MAX && workers.len() <= 2 * THREADS_MAX) else {
            return Some("its figures are larger than any run can count");
        };
        if !self.has_ended() && rest.is_empty() {
            return Some("its open branches contradict its state");
        }
        let is_untouched = sum == 0 && longest.is_zero();
        (!is_untouched && rest.iter().any(|part| part.choices.is_empty()))
            .then_some("its only open branch is the whole tree, but it has counted nodes")
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
    use super::*;
    use crate::board::{Ending, Shape};
    use crate::event::EventSender;
    use crate::schedule::{ContextSwitches, Crew, CrewPlan, Scheduler, SharingCounts};
    use crate::solve::{self, Problem};
    use std::fs;
    use std::sync::{Arc, Mutex};

    fn plan() -> Plan {
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Open);
        Plan::of(Question::Search(solve::solver_by_name("path").unwrap(), problem), 2)
    }

    /// What a run of 6x6 had left in one of its breaks.
    fn so_far() -> RunOutcome {
        let breaks = Some(Duration::from_millis(2));
        let mut crew = Crew::new(CrewPlan { breaks, ..CrewPlan::of(2, Scheduler::HIRE) }, EventSender::nowhere());
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
            tail: Some(9),
            format: "line".into(),
            packed: None,
        };
        Checkpoint { plan: plan(), every: Duration::from_secs(30), tours: Some(tours), so_far: so_far() }
    }

    #[test]
    fn what_is_written_is_read_again_and_comes_to_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("run")).unwrap();
        let kept = checkpoint();
        kept.clone().save(&place).unwrap();
        let read = Checkpoint::read(place.path()).unwrap();
        assert_eq!((read.tours, read.so_far.rest.clone()), (kept.tours, kept.so_far.rest.clone()));
        assert!(read.so_far.total() == kept.so_far.total() && read.so_far.elapsed == kept.so_far.elapsed);
        for (read, kept) in read.so_far.workers.iter().zip(&kept.so_far.workers) {
            assert_eq!((read.sharing, read.busy, read.idle), (kept.sharing, kept.busy, kept.idle));
            assert_eq!(read.switches, kept.switches);
        }
        let mut crew = Crew::new(CrewPlan::serial(), EventSender::nowhere());
        crew.resume(read.so_far);
        let done = plan().question.answer(crew, None, &|_, _| {}).unwrap();
        assert_eq!(done.outcome.total().tours, 6_637_920);
    }

    #[test]
    fn a_search_by_a_solver_of_an_earlier_version_is_refused_with_what_to_use() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("run")).unwrap();
        let former = Question::Search(
            solve::solver_by_name("gpu").unwrap(),
            Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Open),
        );
        Checkpoint { plan: Plan::of(former, 2), ..checkpoint() }.save(&place).unwrap();
        let refused = Checkpoint::read(place.path()).err().map(|error| error.to_string()).unwrap();
        assert!(refused.contains("cannot be resumed: the solver gpu was removed: "), "{refused}");
        assert!(refused.contains("use --solver edges for closed tours"), "{refused}");
    }

    /// What `--every` takes is read again, however long it is; what it does not take is refused.
    #[test]
    fn an_interval_may_be_longer_than_any_run() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("run")).unwrap();
        let mut kept = checkpoint();
        for seconds in [1 << 30, 1 << 40, 1 << 63] {
            kept.every = Duration::from_secs(seconds);
            kept.clone().save(&place).unwrap();
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
        let place = SavedFile::new(&folder.path().join("run")).unwrap();
        let mut kept = checkpoint();
        // A board of which no number is known that such figures could contradict.
        let problem = Problem::new("11x11".parse::<Shape>().unwrap(), Ending::Open);
        kept.plan = Plan::of(Question::Search(solve::solver_by_name("path").unwrap(), problem), 2);
        let figure = COUNT_MAX / (2 * THREADS_MAX as u64 * 8);
        let time = Duration::from_nanos(figure);
        let sharing = SharingCounts { hires: figure, donations: figure };
        let tally = Tally { nodes: figure, tours: figure, pruned: figure, ..Tally::default() };
        let most = ContextSwitches { voluntary: u32::MAX, forced: u32::MAX, migrations: Some(u32::MAX) };
        let totals =
            Totals { tally, sharing, busy: time, idle: time, save: time, switches: Some(most), rest: Vec::new() };
        kept.so_far.workers = vec![totals; 2 * THREADS_MAX];
        kept.clone().save(&place).unwrap();
        let read = Checkpoint::read(place.path()).unwrap();
        assert!(read.so_far.total() == kept.so_far.total() && read.so_far.workers.len() == 2 * THREADS_MAX);
    }

    /// A file with any change and a right checksum is refused, or is a search.
    #[test]
    fn what_was_changed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = SavedFile::new(&folder.path().join("run")).unwrap();
        checkpoint().save(&place).unwrap();
        let good = fs::read(place.path()).unwrap();
        let mut random = fastrand::Rng::with_seed(16);
        let (mut refused, mut taken) = (0, 0);
        for round in 0..300 {
            let mut text = good[..good.len() - 4].to_vec();
            let at = random.usize(Checkpoint::KIND.kind.first_line().len()..text.len());
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
