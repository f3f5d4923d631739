//! How long workers waited from running dry until they were hired, how often they asked in vain, and what ended the waits.

use super::figures::Histogram;
use super::gauge::Balance;
use super::words::{BalanceLine, seconds};
use crate::schedule::{WAIT_CLASSES, WaitCounts};
use crate::words::{grouped, number_of};
use serde::Serialize;
use std::time::Duration;

/// The waits of a worker, or of several together. A wait with a pause or slow motion in it is in none of the figures.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WaitFigures {
    /// Waits that ended with a hire.
    pub count: u64,
    /// How often a worker asked another one that gave it no branch; `None` where the scheduler does not tell.
    pub in_vain: Option<u64>,
    /// Seconds that half of the waits did not exceed: the end of a class of the histogram, at most the longest wait.
    pub p50_s: Option<f64>,
    pub p99_s: Option<f64>,
    pub longest_s: Option<f64>,
    /// Nodes that half of the branches that were given did not exceed: the end of a class that doubles.
    pub nodes_p50: Option<u64>,
    /// At `i`: waits under 2^i us that are in no class before. The last one has all longer ones.
    pub histogram: [u64; WAIT_CLASSES],
}

impl WaitFigures {
    fn new(waits: &WaitCounts, is_asked: bool, nodes: &Histogram) -> WaitFigures {
        let [p50_s, p99_s, longest_s] =
            [0.5, 0.99, 1.0].map(|share| waits.quantile(share).as_ref().map(Duration::as_secs_f64));
        WaitFigures {
            count: waits.count(),
            in_vain: is_asked.then_some(waits.in_vain),
            p50_s,
            p99_s,
            longest_s,
            nodes_p50: nodes.quantile(0.5).map(|[_, most]| most),
            histogram: waits.histogram,
        }
    }

    /// Its times and how often it was in vain, with explanations; without times where no wait was counted, as in slow motion.
    pub fn lines(&self) -> Vec<BalanceLine> {
        let line = BalanceLine::new;
        let in_vain = line("in vain", self.in_vain.map(grouped), "times a worker asked one that gave no branch");
        if self.count == 0 {
            return self.in_vain.filter(|&times| times > 0).map(|_| in_vain).into_iter().collect();
        }
        vec![
            line("waits", Some(grouped(self.count)), "until hired, also the first, at full speed"),
            line("wait p50", self.p50_s.map(seconds), "half of the waits were at most that long"),
            line("wait p99", self.p99_s.map(seconds), "99 of 100 were at most that long"),
            line("longest", self.longest_s.map(seconds), "the longest wait"),
            in_vain,
        ]
    }

    /// The same of a worker that got so many branches, as a sentence without its full stop; `None` without waits. Waits are looked
    /// at once a second, and one with a pause or slow motion in it is not known.
    pub fn sentence(&self, taken: u64) -> Option<String> {
        let [p50, p99, longest] = [self.p50_s?, self.p99_s?, self.longest_s?].map(seconds);
        let of = if self.count < taken { format!(" known of {}", grouped(taken)) } else { String::new() };
        let waits = number_of(self.count, "wait") + &of;
        let in_vain = |times| format!("; asked in vain {}", number_of(times, "time"));
        let in_vain = self.in_vain.map_or(String::new(), in_vain);
        Some(format!("{waits}: p50 {p50}, p99 {p99}, longest {longest}{in_vain}"))
    }
}

impl Balance {
    /// The waits of these workers; `None` where they are not known, as in a recording that is older than they are.
    pub(super) fn waits_of(&self, workers: impl Iterator<Item = usize>) -> Option<WaitFigures> {
        let (mut waits, mut nodes) = (WaitCounts::default(), Histogram::default());
        for worker in workers {
            waits = waits.plus(self.seen.waits.get(worker)?);
            nodes.merge(&self.branches.get(worker)?.nodes);
        }
        (!self.seen.waits.is_empty()).then(|| WaitFigures::new(&waits, !self.is_seen_from_outside(), &nodes))
    }

    /// The waits of all workers.
    pub fn waits(&self) -> Option<WaitFigures> {
        self.waits_of(0..self.seen.workers.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits are looked at once a second: those of a worker may be fewer than the branches that events have told of.
    #[test]
    fn waits_that_are_not_known_yet_are_not_passed_over() {
        let mut waits = WaitCounts::default();
        waits.histogram[3] = 2;
        waits.longest = Duration::from_micros(7);
        let waits = WaitFigures::new(&waits, false, &Histogram::default());
        let known = |taken| waits.sentence(taken).unwrap();
        assert_eq!(known(2), "2 waits: p50 7.00 us, p99 7.00 us, longest 7.00 us");
        assert!(known(8).starts_with("2 waits known of 8: p50 7.00 us, "), "{}", known(8));
    }
}
