//! Notices a crew that stands still: its workers claim to search, and no worker enters a node.
//!
//! A burst takes well under a millisecond, so a crew that searches enters nodes at any moment. If it enters none for a minute, the
//! program has a fault, such as workers that hand one branch round for ever. The run is not ended for that, since a viewer knows
//! better; it is told once.

use crate::schedule::Snapshot;
use std::time::{Duration, Instant};

/// How long no node may be entered.
const STILL_FOR: Duration = Duration::from_secs(60);
/// Longest time between two looks. After a longer one the process itself may have been stopped.
const LOOKS_EVERY_MAX: Duration = Duration::from_secs(15);
/// Least share of the time in which the process had a core: a process without one enters no nodes either.
const CPU_SHARE_MIN: u32 = 10;

/// What was seen of a crew at regular looks.
#[derive(Default, PartialEq, Debug)]
pub struct StillCrew {
    since: Option<Stillness>,
    looked: Option<Instant>,
    is_told: bool,
}

/// A crew that has entered no node since a look.
#[derive(PartialEq, Debug)]
struct Stillness {
    at: Instant,
    /// CPU time of the process at that look.
    cpu: Duration,
    nodes: u64,
    /// Time of writing tours, of all workers.
    write: Duration,
}

impl StillCrew {
    /// Looks at the crew; `cpu` is the CPU time of the process. Answers `true` once when the crew has stood still for
    /// a minute.
    pub fn look(&mut self, now: Instant, cpu: Duration, seen: &Snapshot) -> bool {
        let is_regular = self.looked.replace(now).is_some_and(|looked| now.duration_since(looked) <= LOOKS_EVERY_MAX);
        let write = seen.workers.iter().map(|worker| worker.overhead.write).sum();
        let here = Stillness { at: now, cpu, nodes: seen.nodes(), write };
        // A construction enters no nodes, and those of a device come in dispatches.
        let searches =
            here.nodes > 0 && seen.lanes.is_none() && seen.workers.iter().any(|worker| worker.state.has_work());
        let is_free = searches && !seen.is_held() && seen.stop.is_none();
        let since = match self.since.take() {
            Some(since) if is_free && is_regular && (since.nodes, since.write) == (here.nodes, write) => since,
            _ => {
                self.is_told = false;
                self.since = is_free.then_some(here);
                return false;
            }
        };
        let (still, had_core) = (now.duration_since(since.at), cpu.saturating_sub(since.cpu) * CPU_SHARE_MIN);
        self.since = Some(since);
        let is_new = still >= STILL_FOR && had_core >= still && !self.is_told;
        self.is_told |= is_new;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::{WorkerSnapshot, WorkerState};

    /// Looks every ten seconds, twenty times, at what `seen` makes of a crew that stands still; answers the looks that tell
    /// of it. The process has half a core.
    fn told(seen: impl Fn(u32, &mut Snapshot)) -> Vec<u32> {
        told_at(|k| Duration::from_secs(10 * u64::from(k)), |at| at / 2, seen)
    }

    fn told_at(
        at: impl Fn(u32) -> Duration,
        cpu: impl Fn(Duration) -> Duration,
        seen: impl Fn(u32, &mut Snapshot),
    ) -> Vec<u32> {
        let (mut crew, began) = (StillCrew::default(), Instant::now());
        let look = |&k: &u32| {
            let states = [WorkerState::Descheduled, WorkerState::Waiting];
            let worker = |state| WorkerSnapshot { state, nodes: 7, ..WorkerSnapshot::default() };
            let mut snapshot = Snapshot { workers: states.map(worker).to_vec(), ..Snapshot::default() };
            seen(k, &mut snapshot);
            crew.look(began + at(k), cpu(at(k)), &snapshot)
        };
        (0..20).filter(look).collect()
    }

    #[test]
    fn a_crew_that_enters_no_node_for_a_minute_is_told_once() {
        assert_eq!(told(|_, _| ()), [6]);
        // It moves at 80 s, and stands still again.
        assert_eq!(told(|k, seen| seen.workers[0].nodes += u64::from(k >= 8)), [6, 14]);
    }

    #[test]
    fn a_crew_that_has_a_reason_to_stand_still_is_not_told() {
        let nothing: [u32; 0] = [];
        assert_eq!(told(|k, seen| seen.workers[1].nodes += u64::from(k / 5)), nothing, "it enters nodes");
        assert_eq!(told(|_, seen| seen.paused = true), nothing, "it is paused");
        assert_eq!(told(|_, seen| seen.pace = Some(1)), nothing, "it is in slow motion");
        assert_eq!(told(|k, seen| seen.paused = k % 5 == 0), nothing, "it was paused meanwhile");
        assert_eq!(told(|_, seen| seen.workers[0].state = WorkerState::Idle), nothing, "it is in a break");
        assert_eq!(
            told(|_, seen| seen.workers.iter_mut().for_each(|worker| worker.nodes = 0)),
            nothing,
            "it constructs"
        );
        let waits_for_output =
            |k: u32, seen: &mut Snapshot| seen.workers[0].overhead.write = Duration::from_secs(k.into());
        assert_eq!(told(waits_for_output), nothing, "a worker waits for the output");
    }

    #[test]
    fn a_process_that_did_not_run_is_not_told() {
        let every = |seconds: u64| move |k: u32| Duration::from_secs(seconds * u64::from(k));
        assert_eq!(told_at(every(10), |_| Duration::ZERO, |_, _| ()), [0; 0], "it had no core");
        assert_eq!(told_at(every(20), |at| at, |_, _| ()), [0; 0], "it was stopped between two looks");
    }
}
