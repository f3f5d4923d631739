//! The line below the crew's bar: the newest thing that matters, in a sentence.
//!
//! An event is told in the past, with its age; what is now is said of the look that is drawn. Each sentence stays long enough
//! to be read. Of those that wait meanwhile only the newest is kept; in slow motion, where each hire is looked at, a few wait,
//! hires before others, unless more come than can be read. Workers that run dry one after the other are told together.

use crate::event::{Event, EventKind};
use crate::schedule::{Snapshot, WorkerSnapshot, WorkerState};
use crate::words;
use std::collections::VecDeque;
use std::time::Duration;

/// How long a sentence stays.
const STAYS: Duration = Duration::from_millis(1500);
/// Sentences that wait in slow motion. If there are more, the newest alone is kept: the line tells of this moment.
const WAIT_MAX: usize = 3;
/// After so long without a hire the line says why there is none.
const QUIET: Duration = Duration::from_secs(5);

/// A sentence that waits to be shown.
#[derive(Clone, Debug)]
struct Sentence {
    text: String,
    /// The time of the view when it happened.
    at: Duration,
    is_hire: bool,
    /// Workers without a branch that it tells of.
    dry: Vec<usize>,
}

/// The sentence, and those that wait to be shown.
#[derive(Clone, Debug, Default)]
pub struct Story {
    waiting: VecDeque<Sentence>,
    shown: String,
    /// The time of the view when the event happened that it tells of, if it tells of one, and when it was shown.
    happened: Option<Duration>,
    since: Duration,
    /// How long it stays, by the clock of the looks.
    stays: Duration,
    /// When the last hire was, or the first look.
    hired_at: Option<Duration>,
    /// When the last pause was seen.
    held_at: Duration,
    /// Since when there is no hire, if that is what is told.
    quiet_since: Option<Duration>,
    /// Hires that were not told in slow motion.
    left_out: u64,
}

impl Story {
    /// Adds an event.
    pub fn take(&mut self, event: &Event, is_slow: bool) {
        let is_hire = matches!(event.kind, EventKind::Hired { .. });
        self.hired_at = if is_hire { Some(event.at) } else { self.hired_at };
        use EventKind::{Began, Finished, Idle, Paused, Resumed};
        if matches!(event.kind, Began { .. } | Idle { put_down: true, .. } | Finished | Paused | Resumed) {
            return;
        }
        let dry = matches!(event.kind, EventKind::Idle { nominee: Some(_), .. }).then_some(event.worker);
        match (self.waiting.back_mut().filter(|last| !last.dry.is_empty()), dry) {
            (Some(last), Some(worker)) => {
                last.dry.extend((!last.dry.contains(&worker)).then_some(worker));
                last.at = event.at;
                last.text = match last.dry.len() {
                    1 => event.sentence(),
                    some => format!("{some} workers were without a branch"),
                };
            }
            _ => {
                let dry = dry.into_iter().collect();
                self.waiting.push_back(Sentence { text: event.sentence(), at: event.at, is_hire, dry });
            }
        }
        if self.waiting.len() > if is_slow { WAIT_MAX } else { 1 } {
            self.keep_newest(is_slow);
        }
        self.left_out = if is_slow { self.left_out } else { 0 };
    }

    /// Leaves out what waits but the newest, in slow motion the newest hire if there is one.
    fn keep_newest(&mut self, is_slow: bool) {
        let hires = self.waiting.iter().filter(|sentence| sentence.is_hire).count();
        let newest = self.waiting.iter().rposition(|sentence| is_slow && sentence.is_hire);
        let newest = self.waiting.remove(newest.unwrap_or(self.waiting.len() - 1));
        self.waiting = newest.into_iter().collect();
        self.left_out += hires.saturating_sub(1) as u64;
    }

    /// Shows the next sentence if the time of the present one is over. `hires` says whether workers of this run hire.
    pub fn pass(&mut self, seen: &Snapshot, hires: bool) {
        let now = seen.elapsed;
        let hired_at = *self.hired_at.get_or_insert(now);
        self.held_at = if seen.paused { now } else { self.held_at };
        // Why there is no hire gives way to the next event at once.
        let is_of_event = self.happened.is_some();
        // On the clock of a simulation a node takes a millisecond.
        let watched = seen.simulated.map(|simulated| STAYS.as_secs_f64() * 1e-3 * simulated.nodes_per_s);
        self.stays = watched.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or(STAYS);
        if is_of_event && now.saturating_sub(self.since) < self.stays && now >= self.since {
            return;
        }
        if let Some(next) = self.waiting.pop_front() {
            (self.shown, self.since, self.happened, self.quiet_since) = (next.text, now, Some(next.at), None);
            return;
        }
        self.left_out = 0;
        if hires && now.saturating_sub(hired_at.max(self.held_at)) >= QUIET && !seen.paused {
            (self.happened, self.quiet_since) = (None, Some(hired_at));
        }
    }

    /// The sentence that is shown, and how many hires were not told: that of an event with its age, or why there is no hire at
    /// the look that is drawn. `run_time` is what the clock of the run says at a time of the view.
    pub fn shown(&self, seen: &Snapshot, run_time: impl Fn(Duration) -> Duration) -> (String, u64) {
        let age = |at| words::age(run_time(seen.elapsed).saturating_sub(run_time(at)));
        let text = match (self.happened, self.quiet_since) {
            (Some(at), _) => format!("{}, {} ago", self.shown, age(at)),
            (None, Some(since)) => quiet(seen, &age(since)),
            (None, None) => String::new(),
        };
        (text, self.left_out)
    }

    /// Whether the sentence is that of an event that has just happened.
    pub fn is_new(&self, now: Duration) -> bool {
        self.happened.is_some_and(|at| now.saturating_sub(at) < self.stays.saturating_mul(2))
    }
}

/// Why there is no hire.
fn quiet(seen: &Snapshot, since: &str) -> String {
    let workers = seen.workers.len();
    let waits = |worker: &&WorkerSnapshot| matches!(worker.state, WorkerState::Idle | WorkerState::Waiting);
    match seen.workers.iter().filter(waits).count() {
        0 => {
            let left = seen.progress().map(|progress| progress.tree.mean * (1.0 - progress.done()) / workers as f64);
            let each = left.map_or(String::new(), |left| format!(" of about {} nodes", words::about(left)));
            format!("no hire for {since}: every worker has a branch{each}")
        }
        some => {
            let wait = if some == 1 { "waits" } else { "wait" };
            format!("no hire for {since}: {some} of {} {wait} for a branch", words::number_of(workers as u64, "worker"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    fn hired(at: u64, by: usize, worker: usize) -> Event {
        let kind = EventKind::Hired { by, depth: 3, left: None, company: Vec::new(), entered: None };
        Event { at: ms(at), worker, kind }
    }

    fn seen(at: u64) -> Snapshot {
        Snapshot { elapsed: ms(at), workers: vec![WorkerSnapshot::default(); 2], ..Snapshot::default() }
    }

    #[test]
    fn each_sentence_stays_and_of_those_that_wait_the_newest_are_kept() {
        // More come than can be read: the newest is told.
        for (is_slow, left_out, next) in [(true, 3, "worker 0 gave worker 4"), (false, 0, "worker 0 gave worker 5")] {
            let mut story = Story::default();
            story.take(&hired(10, 0, 9), is_slow);
            story.pass(&seen(100), true);
            (1..6).for_each(|worker| story.take(&hired(110, 0, worker), is_slow));
            story.pass(&seen(1500), true);
            assert!(story.shown(&seen(1500), |at| at).0.starts_with("worker 0 gave worker 9"), "{story:?}");
            story.pass(&seen(1600), true);
            let (text, not_told) = story.shown(&seen(1600), |at| at);
            assert!(text.starts_with(next) && not_told == left_out, "{story:?}");
            let untold = text.split(", ").next().unwrap();
            assert_eq!(story.shown(&seen(4200), |at| at).0, format!("{untold}, 4 s ago"));
        }
        // A few can be read one by one.
        let mut story = Story::default();
        (1..4).for_each(|worker| story.take(&hired(10 * worker as u64, 0, worker), true));
        for (at, worker) in [(100, 1), (1600, 2), (3100, 3)] {
            story.pass(&seen(at), true);
            assert!(
                story.shown(&seen(0), |at| at).0.starts_with(&format!("worker 0 gave worker {worker}")),
                "{story:?}"
            );
        }
    }

    #[test]
    fn workers_that_run_dry_are_told_together_and_a_hire_is_kept_before_them() {
        let mut story = Story::default();
        let dry = |at, worker| Event {
            at: ms(at),
            worker,
            kind: EventKind::Idle { nominee: Some(0), level: None, nodes: 0, put_down: false },
        };
        (1..4).for_each(|worker| story.take(&dry(10, worker), true));
        story.take(&hired(20, 0, 1), true);
        story.pass(&seen(100), true);
        assert_eq!(story.shown(&seen(100), |at| at), ("3 workers were without a branch, 90.0 ms ago".to_owned(), 0));
        story.take(&dry(110, 2), true);
        (3..6).for_each(|worker| story.take(&hired(120, 0, worker), true));
        story.pass(&seen(1700), true);
        assert_eq!(
            story.shown(&seen(1700), |at| at),
            ("worker 0 gave worker 4 a branch at depth 3, 1 s ago".to_owned(), 2)
        );
    }

    #[test]
    fn a_worker_that_stops_for_a_save_does_not_run_dry() {
        for (put_down, told) in [(true, ""), (false, "worker 1 ran dry, 10.0 ms ago")] {
            let mut story = Story::default();
            let kind = EventKind::Idle { nominee: None, level: None, nodes: 5, put_down };
            story.take(&Event { at: ms(10), worker: 1, kind }, false);
            story.pass(&seen(20), true);
            assert_eq!(story.shown(&seen(20), |at| at).0, told);
        }
    }

    /// On the clock of a simulation at 100 nodes a second 150 ms are as long as 1.5 s.
    #[test]
    fn in_a_simulation_a_sentence_stays_as_long() {
        for (nodes_per_s, stays) in [(100.0, 150), (-1.0, 1500), (f64::NAN, 1500)] {
            let simulated = Some(crate::schedule::Simulated { node_ns: 1.0, nodes_per_s });
            let mut story = Story::default();
            let mut at = |at| {
                story.pass(&Snapshot { simulated, ..seen(at) }, true);
                story.take(&hired(at, 0, at as usize), false);
                story.shown(&seen(at), |at| at).0
            };
            at(0);
            let first = at(10);
            assert!(first.starts_with("worker 0 gave worker 0 "), "{first}");
            assert!(at(9 + stays).starts_with("worker 0 gave worker 0 "));
            assert!(!at(10 + stays).starts_with("worker 0 gave worker 0 "));
        }
    }

    #[test]
    fn where_nothing_moves_the_line_says_why() {
        let mut story = Story::default();
        story.take(&hired(10, 0, 1), false);
        [100, 2000, 5020].into_iter().for_each(|at| story.pass(&seen(at), true));
        let quiet = "no hire for 5 s: every worker has a branch".to_owned();
        assert_eq!((story.shown(&seen(5020), |at| at).0, story.is_new(ms(5020))), (quiet.clone(), false));
        // A pause is no quiet, and neither is the time before the first look or a run without hires.
        story.pass(&Snapshot { paused: true, ..seen(60_000) }, true);
        story.pass(&seen(66_000), true);
        let run_time = |at| if at > ms(60_000) { at - ms(54_980) } else { at };
        assert_eq!(story.shown(&seen(66_000), run_time).0, quiet.replace("5 s", "11 s"));
        for (hires, said) in [(true, "no hire for 6 s: every worker has a branch"), (false, "")] {
            let mut late = Story::default();
            [100_000, 106_000].into_iter().for_each(|at| late.pass(&seen(at), hires));
            assert_eq!(late.shown(&seen(106_000), |at| at).0, said);
        }
    }
}
