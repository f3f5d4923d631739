//! Why one worker did as much as it did: a few sentences, a rule each.

use super::figures::{Histogram, SIMULATED};
use super::gauge::Balance;
use crate::run::spent::{TimePart, TimeUse};
use crate::words;
use std::cmp::Reverse;
use std::time::Duration;

/// What is known of the branches of a worker.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnBranches {
    /// When it first had work.
    pub began: Option<Duration>,
    /// How many branches it was given.
    pub taken: u64,
    /// How many it gave, as the events tell.
    pub given: u64,
    /// The depth of its first branch, and its giver; without one it began with the branch. `None` where that is not known.
    pub first: Option<(usize, Option<usize>)>,
    /// Nodes of the branches that it was given, of those that have ended.
    pub nodes: Histogram,
    /// Nodes of a branch that it has put down for a save, and whether it was given it.
    pub put_down: Option<(u64, bool)>,
}

impl OwnBranches {
    /// Adds a branch at this depth.
    pub fn add(&mut self, at: Duration, depth: usize, by: Option<usize>) {
        self.taken += u64::from(by.is_some());
        if self.began.is_none() {
            (self.began, self.first) = (Some(at), Some((depth, by)));
        }
    }
}

/// What a worker did while it did not search.
const LOST: [(TimePart, &str); 5] = [
    (TimePart::HandingOver, "handed over for"),
    (TimePart::Waiting, "waited for"),
    (TimePart::NoProcessor, "had no processor for"),
    (TimePart::Saving, "stood still for a save for"),
    (TimePart::Writing, "wrote for"),
];
/// A share of the time that is worth a sentence.
const TOLD: f64 = 0.02;
/// Processor time from which on a speed is one: less is mostly that of starting and waking.
const SPEED_FROM: Duration = Duration::from_millis(100);
/// A share of the time that is nothing.
const AT_ONCE: f64 = 0.001;
/// Numbers of nodes that differ by less are as good as equal.
const ALIKE: f64 = 0.05;

impl Balance {
    /// At most seven sentences about a worker, without full stops, in the order of its run.
    pub fn about(&self, worker: usize) -> Vec<String> {
        let (Some(time), Some((_, spent))) = (self.time_of(worker), self.own.get(worker)) else { return Vec::new() };
        let s = |share: f64| words::short(self.machine(share * spent.all));
        let waited = s(time[TimePart::Waiting]);
        let no_processor = (time[TimePart::NoProcessor] >= TOLD).then(|| {
            // At an event the last look is older than the event: the share names the time that it is of.
            let (lost, share) = (s(time[TimePart::NoProcessor]), time.percent(TimePart::NoProcessor));
            format!("had a branch but no processor for {lost}, {share} of {}", s(1.0))
        });
        let sentences = [
            self.began_with(worker),
            self.shared(worker),
            self.waited(worker, &time, waited),
            self.waits_of(worker..=worker).and_then(|waits| waits.sentence(self.branches[worker].taken)),
            no_processor,
            self.entered(worker, &time),
            self.seen.simulated.map(|_| SIMULATED.to_owned()),
        ];
        sentences.into_iter().flatten().collect()
    }

    /// The worker that entered the fewest nodes, and why or else how many; `None` of one worker.
    pub fn least(&self) -> Option<String> {
        let all = &self.seen.workers;
        let worker = (0..all.len()).min_by_key(|&worker| all[worker].nodes).filter(|_| all.len() > 1)?;
        let (own, mean) = (all[worker].nodes, self.seen.nodes() as f64 / all.len() as f64);
        let is_less = (own as f64) < (1.0 - ALIKE) * mean;
        let why = self.time_of(worker).filter(|_| is_less).and_then(|time| self.reason(worker, &time, true));
        let [own, mean] = [own, mean.round() as u64].map(words::count);
        let nodes = || (own != mean).then(|| format!("{own} nodes, and the mean is {mean}"));
        Some(format!("worker {worker} did least: {}", why.or_else(nodes)?))
    }

    /// When and from whom it got its first branch.
    fn began_with(&self, worker: usize) -> Option<String> {
        if self.seen.events_lost > 0 {
            return None;
        }
        let Some(first) = self.branches[worker].began else { return Some("has had no branch".to_owned()) };
        // At an event the look is older.
        let now = self.seen.elapsed.max(first).max(self.hired_at.unwrap_or_default());
        let [after, all] = [first, now].map(|at| self.seconds(self.clock.between(self.began, at)));
        let after = if after < AT_ONCE * all {
            "at once".to_owned()
        } else {
            format!("after {} of {}", words::short(after), words::short(all))
        };
        Some(match self.branches[worker].first? {
            (depth, Some(by)) => format!("first branch {after}, from worker {by} at depth {depth}"),
            (0, None) => "began with the whole tree".to_owned(),
            (depth, None) => format!("began with a part of the tree at depth {depth}, {after}"),
        })
    }

    /// How many branches it took and gave, of a run with hires.
    fn shared(&self, worker: usize) -> Option<String> {
        let OwnBranches { taken, given, .. } = self.branches[worker];
        // At an event the look is older.
        let given = self.seen.workers.get(worker)?.sharing.hires.max(given);
        (self.hires > 0 && self.knows_branches(worker))
            .then(|| format!("{} taken, {} given", words::number_of(taken, "branch"), words::count(given)))
    }

    /// Whether all branches of a worker are known. Of a view that came later, those before are not.
    fn knows_branches(&self, worker: usize) -> bool {
        let OwnBranches { began, first, .. } = &self.branches[worker];
        self.seen.events_lost == 0 && began.is_some() == first.is_some()
    }

    /// How long it waited, for how much of that no worker had a branch to give any more, and at which worker most often.
    fn waited(&self, worker: usize, time: &TimeUse, waited: String) -> Option<String> {
        let after = self
            .tasks
            .idle_since(worker)
            .zip(self.hired_at)
            .map(|(idle, hired)| self.seconds(self.clock.between(idle.max(hired), self.seen.elapsed)));
        let after = after.filter(|s| self.ended.is_some() && *s > 0.0);
        let rest =
            after.map_or(String::new(), |s| format!(", {} of it after the last hire of the run", words::short(s)));
        let givers = self.pairs.all().filter(|[_, helper, _]| *helper == worker as u64);
        let most = givers.max_by_key(|[by, _, hires]| (*hires, Reverse(*by))).filter(|_| self.knows_branches(worker));
        let before = if rest.is_empty() { "" } else { ", before that" };
        let whom = most.map_or(String::new(), |[by, _, hires]| match self.branches[worker].taken {
            1 => format!("{before} for its branch at worker {by}"),
            taken => format!("{before} for {hires} of its {taken} branches at worker {by}"),
        });
        (time[TimePart::Waiting] >= TOLD).then(|| format!("waited {waited}{rest}{whom}"))
    }

    /// Its nodes beside those of the others, and why.
    fn entered(&self, worker: usize, time: &TimeUse) -> Option<String> {
        let all: Vec<u64> = self.seen.workers.iter().map(|worker| worker.nodes).collect();
        let (own, mean) = (*all.get(worker)?, all.iter().sum::<u64>() as f64 / all.len() as f64);
        if all.len() < 2 || mean == 0.0 {
            return None;
        }
        let fewer = all.iter().filter(|&&nodes| nodes < own).count();
        let more = all.iter().filter(|&&nodes| nodes > own).count();
        let place = match (fewer, more) {
            (0, more) if more > 0 => format!(", least of {}", all.len()),
            (fewer, 0) if fewer > 0 => format!(", most of {}", all.len()),
            _ => String::new(),
        };
        let [count, mean_count] = [own, mean.round() as u64].map(words::count);
        let nodes = format!("searched {count} {}{place} (mean {mean_count})", words::noun(own, "node"));
        let is_alike = (own as f64 - mean).abs() < ALIKE * mean;
        let why = if is_alike {
            format!("about as many as {}", others_of(all.len()))
        } else {
            self.reason(worker, time, (own as f64) < mean).unwrap_or_else(|| "no part of its time says why".to_owned())
        };
        Some(format!("{nodes}: {why}"))
    }

    /// Why it entered fewer nodes than the others, or more. Its nodes are its time of searching times its speed: the one that
    /// accounts for more of the difference is the reason, if it accounts for half of it; of the time, the part that differs most.
    fn reason(&self, worker: usize, time: &TimeUse, is_less: bool) -> Option<String> {
        let others: Vec<usize> = (0..self.seen.workers.len()).filter(|other| *other != worker).collect();
        let whom = others_of(others.len() + 1);
        let mean =
            TimeUse::mean(others.iter().filter_map(|other| self.time_of(*other)).collect::<Vec<_>>().into_iter())?;
        let speeds = self.nodes_per_cpu_s([worker]).zip(self.nodes_per_cpu_s(others.iter().copied()));
        let speeds = speeds.filter(|_| self.seen.workers[worker].cpu >= SPEED_FROM);
        let nodes = |of: &[usize]| of.iter().map(|&worker| self.seen.workers[worker].nodes as f64).sum::<f64>();
        // Orders of magnitude add up.
        let apart = |own: f64, others: f64| (own.max(1e-9) / others.max(1e-9)).ln() * if is_less { -1.0 } else { 1.0 };
        let by_nodes = apart(nodes(&[worker]), nodes(&others) / others.len() as f64);
        let by_speed = speeds.map_or(0.0, |(own, others)| apart(own, others));
        let by_time = apart(time[TimePart::Searching], mean[TimePart::Searching]);
        if by_speed.max(by_time) < by_nodes / 2.0 {
            return None;
        }
        if let Some((own, others)) = speeds.filter(|_| by_speed > by_time) {
            let [own, others] = [own, others].map(words::rate);
            return Some(format!("{own} nodes in a second of processor time, {whom} {others}"));
        }
        let by = |part: TimePart| (time[part] - mean[part]) * if is_less { 1.0 } else { -1.0 };
        let (part, did) = LOST.into_iter().max_by(|(a, _), (b, _)| by(*a).total_cmp(&by(*b)))?;
        let [own, others] = [time, &mean].map(|time| time.percent(part));
        (by(part) > 0.0 && own != others).then(|| format!("it {did} {own} of its time, {whom} {others}"))
    }
}

/// The other workers of so many.
fn others_of(workers: usize) -> &'static str {
    if workers == 2 { "the other" } else { "the others" }
}

#[cfg(test)]
mod tests {
    use crate::event::{Event, EventKind};
    use crate::run::balance::Balance;
    use crate::schedule::{Scheduler, Snapshot, WorkerSnapshot};
    use std::time::Duration;

    fn ms(at: u64) -> Duration {
        Duration::from_millis(at)
    }

    /// Worker 0 searches for a second; worker 1 waits for the first 0.1 s of it and from 0.6 s on.
    fn run() -> Balance {
        let event = |at, worker, kind| Event { at: ms(at), worker, kind };
        let hired = EventKind::Hired { by: 0, depth: 3, left: None, company: Vec::new(), entered: None };
        let idle = EventKind::Idle { nominee: Some(0), level: None, nodes: 400, put_down: false };
        let mut balance = Balance::of(Scheduler::HIRE);
        let worker = |busy, nodes| WorkerSnapshot { busy: ms(busy), cpu: ms(busy), nodes, ..WorkerSnapshot::default() };
        let seen =
            Snapshot { elapsed: ms(1000), workers: vec![worker(1000, 1000), worker(500, 400)], ..Snapshot::default() };
        balance.meet(&seen);
        let began = event(2, 0, EventKind::Began { depth: 0 });
        for event in [began, event(100, 1, hired), event(600, 1, idle), event(1000, 0, EventKind::Finished)] {
            balance.happened(&event);
        }
        balance.sampled(&seen);
        balance
    }

    #[test]
    fn a_worker_is_told_by_its_first_branch_its_waiting_and_its_nodes() {
        assert_eq!(
            run().about(1),
            [
                "first branch after 100 ms of 1.00 s, from worker 0 at depth 3",
                "1 branch taken, 0 given",
                "waited 500 ms, 400 ms of it after the last hire of the run, before that for its branch at worker 0",
                "searched 400 nodes, least of 2 (mean 700): it waited for 50.0% of its time, the other 0%",
            ]
        );
        let mut again = run();
        for by in [2, 0, 2] {
            again.pairs.add(by, 1);
            again.branches[1].taken += 1;
        }
        assert_eq!(
            again.about(1)[2],
            "waited 500 ms, 400 ms of it after the last hire of the run, before that for 2 of its 4 branches at worker 0"
        );
        let least = "worker 1 did least: it waited for 50.0% of its time, the other 0%";
        assert_eq!(run().least().as_deref(), Some(least));
        let nodes = "searched 1,000 nodes, most of 2 (mean 700): it waited for 0% of its time, the other 50.0%";
        assert_eq!(run().about(0), ["began with the whole tree", "0 branches taken, 1 given", nodes]);
    }
}
