//! The waits of the workers, as the events of a run tell them: from running dry to the branch that ends it.

use super::{Moment, RunHistory};
use crate::event::{Event, EventKind};
use crate::words;
use std::collections::BTreeMap;
use std::time::Duration;

/// The time in which a worker had no branch.
struct Wait {
    worker: usize,
    /// The event by which it ran dry, unless it waited from the beginning, and the one that ended its wait; without one it waits still.
    from: Option<usize>,
    to: Option<usize>,
    took: Duration,
}

impl RunHistory {
    /// The next moment, or the one before, at which a wait of more than `longer` begins or ends; with a sentence that says who
    /// waits, how long, and who ends it.
    pub fn wait_beside(&self, moment: Moment, is_next: bool, longer: Duration) -> Option<(Moment, String)> {
        // What is before the first look is gone to at that look: nothing is known of before.
        let first = self.first();
        if !is_next && moment <= first {
            return None;
        }
        let (happened, waits) = (self.happened(moment), self.waits());
        let here = happened.checked_sub(1).filter(|&event| self.after(event) == moment);
        let long = waits.iter().filter(|wait| wait.took > longer);
        let ends = long.flat_map(|wait| [wait.from, wait.to].into_iter().flatten().map(move |end| (end, wait)));
        let (event, wait) = match is_next {
            true => ends.filter(|(event, _)| *event >= happened).min_by_key(|(event, _)| *event),
            false => ends.filter(|(event, _)| *event < here.unwrap_or(happened)).max_by_key(|(event, _)| *event),
        }?;
        Some((self.after(event).max(first), self.sentence(wait, event)))
    }

    fn waits(&self) -> Vec<Wait> {
        let (began, mut dry) = self.at_first();
        let mut waits = Vec::new();
        let wait = |(worker, from): (usize, Option<usize>), to: Option<usize>| {
            let since = from.map_or(began, |from| self.events[from].at);
            let until = to.map_or(self.last().at, |to| self.events[to].at);
            let [from_s, to_s] = [since, until].map(|at| self.run_time(at));
            Wait { worker, from, to, took: to_s.saturating_sub(from_s) }
        };
        for (k, event) in self.events.iter().enumerate() {
            match event.kind {
                // Hired into a task of its own at once it runs dry twice.
                EventKind::Idle { .. } => {
                    let from = dry.entry(event.worker).or_insert(Some(k));
                    *from = if event.at <= began { Some(k) } else { *from };
                }
                EventKind::Hired { .. } | EventKind::Began { .. } => {
                    waits.extend(dry.remove_entry(&event.worker).map(|dry| wait(dry, Some(k))));
                }
                EventKind::Finished => waits.extend(std::mem::take(&mut dry).into_iter().map(|dry| wait(dry, Some(k)))),
                _ => {}
            }
        }
        waits.extend(dry.into_iter().map(|dry| wait(dry, None)));
        waits
    }

    /// When the run began, and the workers that are known to have waited from then on for their first branch.
    fn at_first(&self) -> (Duration, BTreeMap<usize, Option<usize>>) {
        let Some(seen) = self.frames.front().and_then(|frame| frame.snapshot()) else { return Default::default() };
        let began = seen.earlier.map_or(Duration::ZERO, |earlier| earlier.elapsed);
        // A view that came later knows nothing of before.
        let known = |worker: usize| {
            let gets = |event: &&Event| matches!(event.kind, EventKind::Hired { .. } | EventKind::Began { .. });
            let first = self.events.iter().filter(|event| event.worker == worker).find(gets);
            first.is_some_and(|event| seen.workers[worker].nodes == 0 || event.at <= seen.elapsed)
        };
        let lost = self.frames.back().and_then(|frame| frame.snapshot()).map_or(0, |seen| seen.events_lost);
        let workers = if self.forgotten() + lost == 0 { seen.workers.len() } else { 0 };
        (began, (0..workers).filter(|worker| known(*worker)).map(|worker| (worker, None)).collect())
    }

    /// A wait in words, at the event by which it begins or ends.
    fn sentence(&self, wait: &Wait, event: usize) -> String {
        let (worker, took) = (wait.worker, words::short(wait.took.as_secs_f64()));
        let by = wait.to.map(|to| &self.events[to].kind);
        let dry = self.events[event].ran_dry();
        match (Some(event) == wait.from, by) {
            (true, Some(EventKind::Hired { by, .. })) => {
                format!("{dry}, and waits {took} until worker {by} gives it a branch")
            }
            (true, Some(EventKind::Finished)) => format!("{dry}, and waits {took} until the run ends"),
            (true, Some(_)) => format!("{dry}, and waits {took} until it has work"),
            (true, None) => format!("{dry}, and has waited {took} since"),
            (false, Some(EventKind::Hired { by, .. })) => {
                format!("worker {worker} has waited {took}, until worker {by} gave it a branch")
            }
            (false, Some(EventKind::Finished)) => format!("worker {worker} has waited {took}, until the run ended"),
            (false, _) => format!("worker {worker} has waited {took}, until it had work"),
        }
    }
}
