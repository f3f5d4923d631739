//! The line below the crew's bar: the newest thing that matters, in a sentence.
//!
//! Each sentence stays long enough to be read. Of those that wait meanwhile only the newest are kept: at full speed the
//! newest one, in slow motion, where each hire is looked at, a few, hires before others. Workers that run dry one after the other
//! are told together.

use crate::event::{Event, EventKind};
use crate::schedule::{Snapshot, WorkerState};
use crate::words;
use std::collections::VecDeque;
use std::time::Duration;

/// How long a sentence stays.
const STAYS: Duration = Duration::from_millis(1500);
/// Sentences that wait in slow motion.
const WAIT_MAX: usize = 4;
/// After so long without a hire the line says why there is none.
const QUIET: Duration = Duration::from_secs(5);

/// A sentence that waits to be shown.
#[derive(Clone, Debug)]
struct Sentence {
    text: String,
    is_hire: bool,
    /// Workers without a branch that it tells of.
    dry: Vec<usize>,
}

/// The sentence, and those that wait to be shown.
#[derive(Clone, Debug, Default)]
pub struct Story {
    waiting: VecDeque<Sentence>,
    shown: String,
    /// Whether it tells of an event, and when it was shown, as a time of the view.
    is_news: bool,
    since: Duration,
    /// When the last hire was, or the first look.
    hired_at: Option<Duration>,
    /// Sentences that were not shown in slow motion.
    left_out: u64,
}

impl Story {
    /// Adds an event.
    pub fn take(&mut self, event: &Event, is_slow: bool) {
        if let EventKind::Hired { .. } = event.kind {
            self.hired_at = Some(event.at);
        }
        if matches!(event.kind, EventKind::Began { .. } | EventKind::Finished | EventKind::Paused | EventKind::Resumed)
        {
            return;
        }
        let dry = matches!(event.kind, EventKind::Idle { nominee: Some(_), .. }).then_some(event.worker);
        let is_hire = matches!(event.kind, EventKind::Hired { .. });
        match (self.waiting.back_mut().filter(|last| !last.dry.is_empty()), dry) {
            (Some(last), Some(worker)) => {
                last.dry.extend((!last.dry.contains(&worker)).then_some(worker));
                last.text = match last.dry.len() {
                    1 => event.sentence(),
                    some => format!("{some} workers have no branch, and wait for one"),
                };
            }
            _ => self.waiting.push_back(Sentence { text: event.sentence(), is_hire, dry: dry.into_iter().collect() }),
        }
        while self.waiting.len() > if is_slow { WAIT_MAX } else { 1 } {
            let oldest = self.waiting.iter().position(|sentence| is_slow && !sentence.is_hire).unwrap_or(0);
            self.waiting.remove(oldest);
            self.left_out += 1;
        }
        self.left_out = if is_slow { self.left_out } else { 0 };
    }

    /// Shows the next sentence if the time of the present one is over. `hires` says whether workers of this run hire.
    pub fn pass(&mut self, seen: &Snapshot, hires: bool) {
        let now = seen.elapsed;
        let hired_at = *self.hired_at.get_or_insert(now);
        if seen.paused {
            self.hired_at = Some(now);
        }
        if now.saturating_sub(self.since) < STAYS && now >= self.since && !self.shown.is_empty() {
            return;
        }
        if let Some(next) = self.waiting.pop_front() {
            (self.shown, self.since, self.is_news) = (next.text, now, true);
            return;
        }
        self.left_out = 0;
        if hires && now.saturating_sub(hired_at) >= QUIET && !seen.paused {
            (self.shown, self.since, self.is_news) = (quiet(seen, now.saturating_sub(hired_at)), now, false);
        }
    }

    /// The sentence that is shown, and how many were left out.
    pub fn shown(&self) -> (&str, u64) {
        (&self.shown, self.left_out)
    }

    /// The sentence of an event that has just happened.
    pub fn news(&self, now: Duration) -> Option<&str> {
        (self.is_news && now.saturating_sub(self.since) < 2 * STAYS).then_some(&*self.shown)
    }
}

/// Why there is no hire.
fn quiet(seen: &Snapshot, since: Duration) -> String {
    let workers = seen.workers.len();
    let waiting = seen.workers.iter().filter(|worker| !worker.state.has_work() && worker.state != WorkerState::Done);
    let since = words::span(since.as_secs() as f64);
    match waiting.count() {
        0 => {
            let left = seen.progress().map(|progress| progress.tree.mean * (1.0 - progress.done()) / workers as f64);
            let each = left.map_or(String::new(), |left| format!(" of about {} nodes", words::about(left)));
            format!("no hire for {since}: every worker has a branch{each}")
        }
        1 => format!("no hire for {since}: a worker waits for a branch"),
        some => format!("no hire for {since}: {some} workers wait for a branch"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::WorkerSnapshot;

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
        for (is_slow, left_out, next) in [(true, 1, "worker 0 gave worker 2"), (false, 0, "worker 0 gave worker 5")] {
            let mut story = Story::default();
            story.take(&hired(10, 0, 9), is_slow);
            story.pass(&seen(100), true);
            (1..6).for_each(|worker| story.take(&hired(110, 0, worker), is_slow));
            story.pass(&seen(1500), true);
            assert!(story.shown().0.starts_with("worker 0 gave worker 9"), "{story:?}");
            story.pass(&seen(1600), true);
            assert!(story.shown().0.starts_with(next) && story.shown().1 == left_out, "{story:?}");
        }
    }

    #[test]
    fn workers_that_run_dry_are_told_together_and_a_hire_is_kept_before_them() {
        let mut story = Story::default();
        let dry = |at, worker| Event {
            at: ms(at),
            worker,
            kind: EventKind::Idle { nominee: Some(0), level: None, nodes: 0 },
        };
        (1..4).for_each(|worker| story.take(&dry(10, worker), true));
        story.take(&hired(20, 0, 1), true);
        story.pass(&seen(100), true);
        assert_eq!(story.shown(), ("3 workers have no branch, and wait for one", 0));
        story.take(&dry(110, 2), true);
        (3..6).for_each(|worker| story.take(&hired(120, 0, worker), true));
        story.pass(&seen(1700), true);
        assert_eq!(story.shown(), ("worker 0 gave worker 1 a branch at depth 3", 1));
    }

    #[test]
    fn where_nothing_moves_the_line_says_why() {
        let mut story = Story::default();
        story.take(&hired(10, 0, 1), false);
        [100, 2000, 5020].into_iter().for_each(|at| story.pass(&seen(at), true));
        assert_eq!((story.shown().0, story.news(ms(5020))), ("no hire for 5 s: every worker has a branch", None));
        // A pause is no quiet, and neither is the time before the first look or a run without hires.
        story.pass(&Snapshot { paused: true, ..seen(60_000) }, true);
        story.pass(&seen(62_000), true);
        assert_eq!(story.shown().0, "no hire for 5 s: every worker has a branch");
        for (hires, said) in [(true, "no hire for 6 s: every worker has a branch"), (false, "")] {
            let mut late = Story::default();
            [100_000, 106_000].into_iter().for_each(|at| late.pass(&seen(at), hires));
            assert_eq!(late.shown().0, said);
        }
    }
}
