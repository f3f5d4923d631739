//! The figures of a run for Prometheus and what reads its format: a file in OpenMetrics text, replaced as a whole at the start,
//! every five seconds and at the end.

use super::fault::{Failure, usage};
use super::say::say;
use crate::count::{CountPhase, CountSnapshot};
use crate::lock::LockAlways as _;
use crate::run::balance::{Balance, RecentUse, WorkerMarks};
use crate::run::journal::Subject;
use crate::run::{Body, Frame, RunObserver, TimePart};
use crate::saved;
use crate::schedule::{Rate, Snapshot, WorkerState};
use crate::system;
use clap::Args;
use crossbeam_channel::{Sender, bounded};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time from one file to the next.
const EVERY: Duration = Duration::from_secs(5);
/// What a file of figures begins with; only such a file is replaced unasked.
const HEAD: &[u8] = b"# HELP destrier_";
/// Who may read it: collectors are other users.
const MODE: u32 = 0o644;

/// Where the figures of a run are kept.
#[derive(Args, Clone, Default, Debug)]
pub struct MetricsOptions {
    /// Keep the figures of the run in FILE, for Prometheus
    ///
    /// The file is OpenMetrics text, and replaced as a whole at the start, every 5 s and at the end. A file of something else is refused.
    #[arg(long, value_name = "FILE", help_heading = "Recording and measuring")]
    pub metrics: Option<PathBuf>,
}

/// Keeps the figures of a run in a file.
pub struct MetricsObserver {
    subject: String,
    written: Mutex<MetricsSeen>,
    /// The thread that writes the files, so that a slow disk holds up no view; `None` after the end.
    writer: Mutex<Option<(Sender<Figures>, JoinHandle<()>)>>,
}

/// What was seen, and when the next file is due.
struct MetricsSeen {
    balance: Balance,
    marks: WorkerMarks,
    /// The latest figures.
    seen: Option<Body>,
    /// Whether the run has ended; a screen may show it for long after that.
    is_over: bool,
    due: Instant,
}

impl MetricsObserver {
    /// Writes the first file of a run.
    ///
    /// # Errors
    /// [`Failure::Usage`] when there is a file of something else, none can be written, or the system refuses the thread.
    pub fn begin(path: &Path, subject: &Subject) -> Result<Arc<MetricsObserver>, Failure> {
        let refused = |why: &str| usage(format!("--metrics {}: {why}", path.display()));
        let check = |is_wrong: bool, why: &str| if is_wrong { Err(refused(why)) } else { Ok(()) };
        let is_none = fs::metadata(path).is_ok_and(|found| !found.is_file()) || path == Path::new("-");
        check(is_none, "is no regular file: name a file")?;
        let mut head = Vec::new();
        let found = File::open(path).and_then(|file| file.take(HEAD.len() as u64).read_to_end(&mut head));
        let is_other = found.is_ok() && !head.is_empty() && head != HEAD;
        check(is_other, "the file has something else than figures of a run: name another file")?;
        let balance = match subject {
            Subject::Run(plan) => Balance::of(plan.scheduler),
            _ => Balance::default(),
        };
        let (marks, due) = (WorkerMarks::default(), Instant::now() + EVERY);
        let written = MetricsSeen { balance, marks, seen: None, is_over: false, due };
        let first = written.figures(&subject.to_string());
        // A link is followed: what it points to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        first.write(&path).map_err(|error| refused(&saved::why_unwritable(saved::folder(&path), &error)))?;
        let (sender, figures) = bounded::<Figures>(1);
        let write = move || {
            let written = figures.iter().try_for_each(|figures| figures.write(&path));
            if let Err(error) = written {
                let _ = say(format_args!("--metrics {}: {error}; it tells no more of this run", path.display()));
            }
        };
        let thread = system::start("metrics", write).map_err(|error| refused(&error.to_string()))?;
        let writer = Mutex::new(Some((sender, thread)));
        Ok(Arc::new(MetricsObserver { subject: subject.to_string(), written: Mutex::new(written), writer }))
    }

    /// Writes the last file.
    pub fn end(&self) {
        let Some((sender, thread)) = self.writer.locked().take() else { return };
        let last = {
            let mut written = self.written.locked();
            written.is_over = true;
            written.figures(&self.subject)
        };
        // The send fails if the thread has ended.
        let _ = sender.send(last);
        drop(sender);
        let _ = thread.join();
    }

    /// Has the figures written, unless those before wait for the disk.
    fn replace(&self, written: &mut MetricsSeen) {
        if let Some((sender, _)) = &*self.writer.locked()
            && !sender.is_full()
        {
            // There is room, and no other sender. A thread that can no longer write the file has ended.
            let _ = sender.try_send(written.figures(&self.subject));
            // The last file is of the same time.
            if !written.is_over {
                written.marks = written.balance.marks();
            }
        }
        written.due = Instant::now() + EVERY;
    }
}

impl MetricsSeen {
    /// The figures of a run of this subject.
    fn figures(&self, subject: &str) -> Figures {
        let is_running = !self.is_over;
        let mut figures = Figures(Registry::with_prefix("destrier"));
        let labels = vec![("version", env!("CARGO_PKG_VERSION").to_owned()), ("run", subject.to_owned())];
        figures.0.register("build", "What runs", Info::new(labels));
        figures.gauge("running", "Whether the run goes on", f64::from(u8::from(is_running)));
        match &self.seen {
            Some(Body::Tree(tree)) => figures.search(&tree.snapshot, self, is_running),
            Some(Body::Count(seen)) => figures.count(seen),
            Some(Body::Map(_) | Body::Cycles(_)) | None => {}
        }
        figures
    }
}

impl RunObserver for MetricsObserver {
    fn take(&self, frame: &Frame) {
        let mut written = self.written.locked();
        written.balance.take(frame);
        let is_first = written.seen.replace(frame.body.clone()).is_none();
        let was_over = written.is_over;
        written.is_over = is_over(frame, was_over);
        if is_first || was_over != written.is_over || !written.is_over && Instant::now() >= written.due {
            self.replace(&mut written);
        }
    }
}

/// Whether the run has ended by this frame.
fn is_over(frame: &Frame, was_over: bool) -> bool {
    match &frame.body {
        Body::Tree(tree) => {
            frame.ended().is_some()
                || was_over && tree.snapshot.workers.iter().all(|worker| worker.state == WorkerState::Done)
        }
        Body::Count(seen) => seen.phase == CountPhase::Done,
        Body::Map(_) | Body::Cycles(_) => false,
    }
}

/// Figures with their names and what they are.
struct Figures(Registry);

/// Figures of one name, told apart by labels.
type Labelled = Family<Vec<(&'static str, String)>, Gauge<f64, AtomicU64>>;

impl Figures {
    /// Replaces the file.
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = String::new();
        encode(&mut text, &self.0).map_err(io::Error::other)?;
        let mode = Permissions::from_mode(MODE);
        let mut file = tempfile::Builder::new().permissions(mode).tempfile_in(saved::folder(path))?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
        Ok(())
    }

    /// A number that only grows.
    fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.0.register(name, help, ConstCounter::new(value));
    }

    fn gauge(&mut self, name: &str, help: &str, value: f64) {
        self.0.register(name, help, ConstGauge::new(value));
    }

    fn gauges(&mut self, name: &str, help: &str, rows: impl IntoIterator<Item = (Vec<(&'static str, String)>, f64)>) {
        let all = Labelled::default();
        for (labels, value) in rows {
            all.get_or_create(&labels).set(value);
        }
        self.0.register(name, help, all);
    }

    fn search(&mut self, seen: &Snapshot, written: &MetricsSeen, is_running: bool) {
        let elapsed = written.balance.elapsed();
        self.gauge("elapsed_seconds", "Time of the run, with that of the runs that it resumes", elapsed.as_secs_f64());
        self.counter("nodes", "Nodes entered", seen.nodes());
        self.counter("tours", "Tours found", seen.tours());
        self.counter("hires", "Branches that a worker took from another", seen.hires());
        self.counter("events_lost", "Events that did not fit in the queue", seen.events_lost);
        self.gauge("paused", "Whether the run is paused", f64::from(u8::from(seen.paused)));
        if let Some(progress) = seen.progress() {
            let done = if is_running || seen.stop.is_some() { progress.done() } else { 1.0 };
            self.gauge("done_ratio", "Share of the tree that was searched", done);
        }
        let rate = Rate::mean(seen.nodes(), seen.tours(), elapsed);
        if let Some((least, most)) = seen.left(rate).filter(|_| is_running && !seen.is_held()) {
            let bounds = [("least", least), ("most", most)].map(|(bound, s)| (vec![("bound", bound.to_owned())], s));
            self.gauges("left_seconds", "Time that is left", bounds);
        }
        if let Some(waits) = written.balance.waits() {
            self.counter("waits", "Waits for a branch that ended with a hire", waits.count);
            let in_vain = waits.in_vain.into_iter();
            in_vain
                .for_each(|times| self.counter("asked_in_vain", "How often a worker gave no branch when asked", times));
            let quantiles = [("0.5", waits.p50_s), ("0.99", waits.p99_s), ("1", waits.longest_s)];
            let rows = quantiles.into_iter().filter_map(|(q, s)| Some((vec![("quantile", q.to_owned())], s?)));
            self.gauges("wait_seconds", "How long workers waited for a branch, in this run", rows);
        }
        self.recent(&written.balance.since(&written.marks));
    }

    /// What the workers have done since the file before: all of them, and those of each group of CPUs.
    fn recent(&mut self, uses: &[RecentUse]) {
        let group = |used: &RecentUse| ("group", used.name.clone());
        let workers = uses.iter().map(|used| (vec![group(used)], used.workers as f64));
        self.gauges("workers", "Workers of a group of CPUs", workers);
        let speeds = uses.iter().map(|used| (vec![group(used)], used.nodes_per_s));
        self.gauges("nodes_per_second", "Nodes a second since the file before", speeds);
        let timed = uses.iter().filter_map(|used| Some((used, used.time?)));
        let shares = timed.flat_map(|(used, time)| {
            let of = move |part: TimePart| (vec![group(used), ("part", part.name().to_owned())], time[part]);
            TimePart::ALL.into_iter().map(of)
        });
        self.gauges("time_ratio", "Shares of the workers' time since the file before", shares);
    }

    fn count(&mut self, seen: &CountSnapshot) {
        self.gauge("elapsed_seconds", "Time of the count, with that of the runs that it resumes", seen.elapsed_s);
        self.counter("states", "States stored", seen.states);
        self.gauge("states_planned", "States that will be stored", seen.states_planned as f64);
        self.gauge("row", "The row in work, from 1", seen.row_in_work().into());
        self.gauge("rows", "Rows of the board", seen.rows.into());
        self.gauge("threads", "Threads that count", seen.threads.len() as f64);
        self.gauge("memory_bytes", "Counts in memory", seen.buffer_bytes as f64);
        self.gauge("spilled_bytes", "Counts in files", seen.spilled_bytes as f64);
        if let Some(left_s) = seen.left_s {
            self.gauge("left_seconds", "Time that is left", left_s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape};
    use crate::event::{Event, EventKind};
    use crate::run::{Plan, Question, TreeFrame};
    use crate::schedule::WorkerSnapshot;
    use crate::solve::{self, Problem};

    #[test]
    fn a_disk_that_takes_no_file_holds_up_no_frame() {
        let (sender, figures) = bounded(1);
        let thread = system::start("metrics", || {}).unwrap();
        let (balance, marks, due) = (Balance::default(), WorkerMarks::default(), Instant::now());
        let written = MetricsSeen { balance, marks, seen: None, is_over: false, due };
        let writer = Mutex::new(Some((sender, thread)));
        let observer = MetricsObserver { subject: String::new(), written: Mutex::new(written), writer };
        for _ in 0..3 {
            observer.written.locked().due = Instant::now();
            let seen = TreeFrame { snapshot: Snapshot::default(), positions: Vec::new() };
            observer.take(&Frame { body: Body::Tree(Box::new(seen)), events: Vec::new() });
        }
        assert_eq!(figures.len(), 1);
    }

    /// A screen shows an ended run until it is left; the file says at once that it has ended, and at what speed.
    #[test]
    fn the_end_of_a_run_is_written_before_its_screen_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.prom");
        let problem = Problem::new("6x6".parse::<Shape>().unwrap(), Ending::Closed);
        let plan = Plan::of(Question::Search(solve::default_solver(Ending::Closed), problem), 1);
        let observer = MetricsObserver::begin(&path, &Subject::Run(plan)).unwrap();
        let take = |at, nodes, state, ends: bool| {
            let (elapsed, kind) = (Duration::from_millis(at), EventKind::Finished);
            let worker = WorkerSnapshot { nodes, state, busy: elapsed, cpu: elapsed, ..WorkerSnapshot::default() };
            let snapshot = Snapshot { elapsed, workers: vec![worker], ..Snapshot::default() };
            let body = Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() }));
            observer.take(&Frame {
                body,
                events: ends.then_some(Event { at: elapsed, worker: 0, kind }).into_iter().collect(),
            });
        };
        let written = |line: &str| {
            let begun = Instant::now();
            while !fs::read_to_string(&path).unwrap().contains(line) {
                assert!(begun.elapsed() < Duration::from_secs(120), "{line}");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        take(10, 1_000, WorkerState::Busy, false);
        written("destrier_nodes_total 1000");
        take(510, 51_000, WorkerState::Done, true);
        written("destrier_running 0");
        observer.written.locked().due = Instant::now();
        take(510, 51_000, WorkerState::Done, false);
        observer.end();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("destrier_nodes_per_second{group=\"all\"} 100000.0"), "{text}");
    }
}
