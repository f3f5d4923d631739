//! Writes a run as a trace in Chrome's format, which Perfetto (<https://ui.perfetto.dev>) and others draw: a row for
//! each worker, a bar for each [task](super::task), an arrow for each hire, counters above.
//!
//! | `ph` | what |
//! | --- | --- |
//! | `M` | the name of the run, and of each worker; its `tid` is its number plus one, because 0 stands for no thread |
//! | `X` | a task, with `depth`, `nodes` and its giver as `by`; or `waiting`, with the worker that this one waited at; or `deciding`, a worker of the last row |
//! | `s`, `f` | a hire: an arrow from the worker that gave a branch to the one that got it |
//! | `C` | `workers with a branch` and `nodes/s` at each look, ten a second |
//! | `i` | rare events: the first tour, a pause, another rule |
//!
//! The last row shows the chain of hires that decided the end: the workers that led to the branch which ended last.
//!
//! Times are microseconds since the run began; after the first second they are multiples of 100. [`super::task`] says
//! what each scheduler reports. Only the present tasks are in memory: the trace is written while the run works, and
//! `otherData` at the end says what is missing.

use super::balance::{DecidingChain, LastTask};
use super::frame::Frame;
use super::task::{Gap, Stretch, Tasks, WorkerTask};
use crate::event::{Event, EventKind};
use crate::schedule::{EarlierRun, Snapshot};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Duration;

/// The trace has one process.
const PID: u32 = 1;

/// Writes the trace of a run.
pub struct Trace<W> {
    output: W,
    tasks: Tasks,
    deciding: DecidingChain,
    /// Whether each worker goes on with its own branch after a save.
    keeps: bool,
    /// Workers that have put their branches down for a save.
    put_down: HashSet<usize>,
    /// Number of workers; 0 before the first frame.
    workers: usize,
    /// The time of the look before, and the nodes entered by then.
    last: (Duration, u64),
    /// When the run ended, if it has.
    ended: Option<Duration>,
    written: Traced,
}

/// The totals of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Traced {
    /// Tasks written.
    pub tasks: u64,
    /// Hires written, as arrows.
    pub hires: u64,
    /// Hires that meters count but no event reported.
    pub hires_unseen: u64,
    /// Events that were lost.
    pub events_lost: u64,
}

impl<W: Write> Trace<W> {
    /// Begins the trace of a run with this name, in which each worker `keeps` its branch over a save.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(mut output: W, name: &str, keeps: bool) -> io::Result<Trace<W>> {
        let named = json!({ "ph": "M", "pid": PID, "tid": 0, "name": "process_name", "args": { "name": name } });
        write!(output, "{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{named}")?;
        let (tasks, deciding, written) = (Tasks::default(), DecidingChain::default(), Traced::default());
        let put_down = HashSet::new();
        Ok(Trace {
            output,
            tasks,
            deciding,
            keeps,
            put_down,
            workers: 0,
            last: (Duration::ZERO, 0),
            ended: None,
            written,
        })
    }

    /// Writes what a frame adds.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn take(&mut self, frame: &Frame) -> io::Result<()> {
        let Some(seen) = frame.snapshot() else { return Ok(()) };
        if self.workers == 0 {
            self.meet(seen)?;
        }
        frame.events.iter().try_for_each(|event| self.happened(event))?;
        self.count(seen)
    }

    /// Names the workers.
    fn meet(&mut self, seen: &Snapshot) -> io::Result<()> {
        self.workers = seen.workers.len();
        let (began, nodes) =
            seen.earlier.map_or((Duration::ZERO, 0), |EarlierRun { elapsed, nodes, .. }| (elapsed, nodes));
        self.tasks = Tasks::new(self.workers, began);
        self.deciding = DecidingChain::new(self.workers);
        self.last = (began, nodes);
        (0..self.workers).try_for_each(|worker| self.name_row(worker, &format!("worker {worker}"), began))
    }

    fn name_row(&mut self, row: usize, name: &str, at: Duration) -> io::Result<()> {
        self.write("M", row, at, &[("name", json!("thread_name")), ("args", json!({ "name": name }))])?;
        let place = json!({ "sort_index": row });
        self.write("M", row, at, &[("name", json!("thread_sort_index")), ("args", place)])
    }

    fn happened(&mut self, event: &Event) -> io::Result<()> {
        let begins = matches!(event.kind, EventKind::Began { .. } | EventKind::Hired { .. });
        let has_rest = begins && self.put_down.remove(&event.worker);
        let goes_on = has_rest && matches!(event.kind, EventKind::Began { .. });
        // The rest of a task, of which a bar is written.
        self.written.tasks = self.written.tasks.saturating_sub(goes_on.into());
        self.tasks.take(event).iter().flatten().try_for_each(|stretch| self.stretch(stretch, goes_on))?;
        if matches!(event.kind, EventKind::Idle { put_down: true, .. }) {
            self.put_down.insert(event.worker);
        }
        self.deciding.take(event, self.keeps);
        let &Event { at, worker, ref kind } = event;
        let rare = match kind {
            EventKind::Hired { by, .. } => return self.arrow(*by, worker, at),
            EventKind::Began { .. } | EventKind::Idle { .. } => return Ok(()),
            EventKind::Finished => {
                self.ended = Some(at);
                return Ok(());
            }
            EventKind::Donated { to, helpers } => format!("{helpers} helpers to worker {to}"),
            EventKind::FirstTour => "first tour".to_owned(),
            EventKind::RuleChanged { rule } => format!("rule {}", rule.name()),
            EventKind::Paused => "paused".to_owned(),
            EventKind::Resumed => "went on".to_owned(),
        };
        // Wishes concern all workers, the other events one.
        let scope = if matches!(kind, EventKind::FirstTour | EventKind::Donated { .. }) { "t" } else { "p" };
        self.write("i", worker, at, &[("name", json!(rare)), ("s", json!(scope))])
    }

    /// Writes both ends of the arrow of a hire.
    fn arrow(&mut self, by: usize, worker: usize, at: Duration) -> io::Result<()> {
        if by.max(worker) >= self.workers {
            return Ok(());
        }
        self.written.hires += 1;
        let hire = [("name", json!("hire")), ("cat", json!("hire")), ("id", json!(self.written.hires))];
        self.write("s", by, at, &hire)?;
        let [name, cat, id] = hire;
        self.write("f", worker, at, &[name, cat, id, ("bp", json!("e"))])
    }

    /// Writes the bar of a task or a gap, which was a save if the worker `goes_on` with its branch after it.
    fn stretch(&mut self, stretch: &Stretch, goes_on: bool) -> io::Result<()> {
        let (worker, [from, to], cat, name, args) = match *stretch {
            Stretch::Task(ref task @ WorkerTask { worker, by, depth, from, to, nodes, .. }) => {
                self.written.tasks += 1;
                self.deciding.end(task);
                let name = depth.map_or("task".to_owned(), |depth| format!("depth {depth}"));
                (worker, [from, to], "task", name, json!({ "depth": depth, "nodes": nodes, "by": by }))
            }
            // A gap of no length after rounding cannot be drawn.
            Stretch::Gap(Gap { from, to, .. }) if from == to => return Ok(()),
            Stretch::Gap(Gap { worker, from, to, nominee }) => {
                let name = if goes_on { "saving" } else { "waiting" };
                (worker, [from, to], name, name.to_owned(), json!({ "waits_at": nominee }))
            }
        };
        let dur = (to - from).as_micros() as u64;
        let bar = [("dur", json!(dur)), ("cat", json!(cat)), ("name", json!(name)), ("args", args)];
        self.write("X", worker, from, &bar)
    }

    /// Writes the chain of hires that decided the end as a row of its own: each worker up to where it gave the next one its
    /// branch, the last one up to the end.
    fn write_deciding(&mut self) -> io::Result<()> {
        let Some(LastTask { worker, to, began, hires }) = self.deciding.last(|at| at).filter(|_| self.workers > 1)
        else {
            return Ok(());
        };
        self.name_row(self.workers, "what decided the end", began)?;
        let first = hires.first().map_or(worker, |hire| hire.by);
        let begins = hires.iter().map(|hire| (hire.at, hire.worker, json!({ "depth": hire.depth, "by": hire.by })));
        let begins: Vec<_> = std::iter::once((began, first, json!({}))).chain(begins).collect();
        let ends = hires.iter().map(|hire| hire.at).chain([to]);
        for ((at, worker, args), end) in begins.into_iter().zip(ends) {
            let dur = end.saturating_sub(at).as_micros() as u64;
            let name = json!(format!("worker {worker}"));
            let bar = [("dur", json!(dur)), ("cat", json!("deciding")), ("name", name), ("args", args)];
            self.write("X", self.workers, at, &bar)?;
        }
        Ok(())
    }

    /// Writes the counters of a look.
    fn count(&mut self, seen: &Snapshot) -> io::Result<()> {
        // The last look may come after the end.
        let at = self.ended.map_or(seen.elapsed, |ended| ended.min(seen.elapsed));
        let busy = seen.workers.iter().filter(|worker| worker.state.has_work()).count();
        self.write("C", 0, at, &[("name", json!("workers with a branch")), ("args", json!({ "workers": busy }))])?;
        let ((before, had), nodes) = (self.last, seen.nodes());
        let time = at.saturating_sub(before).as_secs_f64();
        if time > 0.0 {
            let rate = (nodes.saturating_sub(had) as f64 / time).round() as u64;
            self.write("C", 0, at, &[("name", json!("nodes/s")), ("args", json!({ "nodes/s": rate }))])?;
            self.last = (at, nodes);
        }
        let counted: u64 = seen.workers.iter().map(|worker| worker.sharing.hires).sum();
        self.written.hires_unseen = counted.saturating_sub(self.written.hires);
        self.written.events_lost = seen.events_lost;
        Ok(())
    }

    /// Writes the last tasks, then `other` and the missing items as `otherData`. Returns the output and the totals.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(mut self, mut other: Map<String, Value>) -> io::Result<(W, Traced)> {
        let last = self.ended.unwrap_or(self.last.0);
        for stretch in self.tasks.end(last) {
            self.stretch(&stretch, false)?;
        }
        if self.ended.is_some() && self.written.events_lost == 0 {
            self.write_deciding()?;
        }
        if let Value::Object(totals) = serde_json::to_value(self.written)? {
            other.extend(totals);
        }
        writeln!(self.output, "\n],\"otherData\":{}}}", Value::Object(other))?;
        self.output.flush()?;
        Ok((self.output, self.written))
    }

    /// Writes a trace event of this kind.
    fn write(&mut self, ph: &str, worker: usize, at: Duration, members: &[(&str, Value)]) -> io::Result<()> {
        write!(self.output, ",\n{{\"ph\":\"{ph}\",\"pid\":{PID},\"tid\":{},\"ts\":{}", worker + 1, at.as_micros())?;
        members.iter().try_for_each(|(name, value)| write!(self.output, ",\"{name}\":{value}"))?;
        self.output.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Body, TreeFrame};
    use crate::schedule::WorkerSnapshot;

    fn frame(at: u64, nodes: [u64; 2], hires: u64, events: Vec<(u64, usize, EventKind)>) -> Frame {
        let ms = Duration::from_millis;
        let workers = nodes.map(|nodes| WorkerSnapshot { nodes, ..WorkerSnapshot::default() });
        let mut snapshot = Snapshot { elapsed: ms(at), workers: workers.into(), events_lost: 1, ..Snapshot::default() };
        snapshot.workers[0].sharing.hires = hires;
        let events = events.into_iter().map(|(at, worker, kind)| Event { at: ms(at), worker, kind }).collect();
        Frame { body: Body::Tree(Box::new(TreeFrame { snapshot, positions: Vec::new() })), events }
    }

    fn hired(by: usize) -> EventKind {
        EventKind::Hired { by, depth: 3, left: None, company: Vec::new(), entered: None }
    }

    fn written(frames: &[Frame]) -> (Value, Traced) {
        let mut trace = Trace::begin(Vec::new(), "a \"run\"", true).unwrap();
        frames.iter().for_each(|frame| trace.take(frame).unwrap());
        let (text, traced) = trace.finish(Map::new()).unwrap();
        (serde_json::from_slice(&text).unwrap(), traced)
    }

    /// A run that is cut off, with a lost hire and an event of a worker that does not exist.
    #[test]
    fn unknown_figures_are_left_out() {
        let (trace, traced) = written(&[
            frame(0, [0; 2], 0, vec![(0, 0, EventKind::Began { depth: 0 })]),
            frame(100, [500, 20], 2, vec![(40, 1, hired(0)), (60, 9, hired(0)), (70, 0, hired(usize::MAX))]),
        ]);
        assert_eq!(traced, Traced { tasks: 3, hires: 1, hires_unseen: 1, events_lost: 1 });
        let events = trace["traceEvents"].as_array().unwrap();
        let of = |ph: &str, name: &str| -> Vec<&Value> {
            events
                .iter()
                .filter(|event| event["ph"] == ph && event["name"].as_str().unwrap().starts_with(name))
                .collect()
        };
        assert_eq!(of("M", "process_name")[0]["args"]["name"], "a \"run\"");
        let tasks = of("X", "depth");
        assert!(tasks.iter().all(|task| task["args"]["nodes"].is_null()), "{tasks:?}");
        let last = tasks.last().unwrap();
        assert_eq!((&last["tid"], &last["ts"], &last["dur"]), (&json!(2), &json!(40_000), &json!(60_000)));
        assert_eq!((&of("s", "hire")[0]["tid"], &of("f", "hire")[0]["tid"]), (&json!(1), &json!(2)));
        assert_eq!(of("C", "nodes/s")[0]["args"]["nodes/s"], 5200);
        let other = json!({ "tasks": 3, "hires": 1, "hires_unseen": 1, "events_lost": 1 });
        assert_eq!(trace["otherData"], other);
    }

    /// Worker 0 gives a branch to worker 1, which ends last. A save cuts its bar, and no task.
    #[test]
    fn the_chain_that_decided_the_end_has_a_row_of_its_own() {
        let stop = |nodes, put_down| EventKind::Idle { nominee: None, level: None, nodes, put_down };
        let idle = |nodes| stop(nodes, false);
        let mut last = frame(
            100,
            [500, 20],
            1,
            vec![
                (0, 0, EventKind::Began { depth: 0 }),
                (40, 1, hired(0)),
                (50, 0, stop(300, true)),
                (55, 0, EventKind::Began { depth: 3 }),
                (60, 0, idle(200)),
                (90, 1, idle(20)),
                (90, 1, EventKind::Finished),
            ],
        );
        if let Body::Tree(tree) = &mut last.body {
            tree.snapshot.events_lost = 0;
        }
        let (trace, traced) = written(&[last]);
        let events = trace["traceEvents"].as_array().unwrap();
        assert_eq!((traced.tasks, events.iter().filter(|event| event["cat"] == "saving").count()), (2, 1));
        let row: Vec<&Value> = events.iter().filter(|event| event["cat"] == "deciding").collect();
        let bars: Vec<_> =
            row.iter().map(|bar| ["tid", "ts", "dur", "name"].map(|member| bar[member].clone())).collect();
        let bar = |ts: u64, dur: u64, name: &str| [json!(3), json!(ts), json!(dur), json!(name)];
        assert_eq!(bars, [bar(0, 40_000, "worker 0"), bar(40_000, 50_000, "worker 1")]);
        assert!(events.iter().any(|event| event["tid"] == 3 && event["args"]["name"] == "what decided the end"));
    }

    #[test]
    fn a_run_without_frames_has_an_empty_trace() {
        let (trace, traced) = written(&[]);
        assert_eq!((trace["traceEvents"].as_array().unwrap().len(), traced), (1, Traced::default()));
    }
}
