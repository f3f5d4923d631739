//! How fast a run is shown by itself: slowly where the work is shared within some hundred nodes, fast in between, and
//! slowly again at its end, where the last branches change hands.
//!
//! The hires of a search lie on two logarithmic scales. The first ones happen within a few nodes of each worker; the
//! last ones happen when hardly any nodes are left; and between them a tree that divides well has few. So a whole run begins at
//! [`FIRST`] nodes a second and worker, where the first hires come one by one and the others are seen to wait, holds that for
//! [`HOLDS_S`], doubles its speed every [`DOUBLES_S`], and slows down with the nodes that are left: a worker enters a constant
//! share of its part of them each second, so that each halving of what is left takes the same time.
//!
//! ```text
//!   nodes a second       ________              at most 40 million for all workers together
//!                       /        \___
//!                      /             \____     0.5 of what is left, each second
//!    1 _______________/                   \_
//!      0    4 s  ..  10 s                   ~ 40 s
//! ```

use super::question::Question;
use crate::schedule::{Snapshot, WorkerSnapshot, WorkerState};
use std::time::Duration;

/// Nodes a second and worker at the beginning.
const FIRST: f64 = 1.0;
/// Seconds for which it keeps its first speed.
const HOLDS_S: f64 = 4.0;
/// Seconds in which the speed of a whole run doubles.
const DOUBLES_S: f64 = 0.27;
/// Share of the nodes left that a worker enters each second near the end.
const SHARE_A_S: f64 = 0.5;
/// Nodes that are added to those left, so that it ends.
const REST: f64 = 8.0;
/// Nodes a second that a worker with a core of its own enters at full speed, about.
const FULL_SPEED: f64 = 1.6e8;
/// Most nodes a second of all workers together: a quarter of what one core can do, so that it runs as well on one.
const ALL_MAX: f64 = 4e7;
/// A look counts for at most this long: a view that was suspended has shown nothing meanwhile.
const LOOK_MAX: Duration = Duration::from_secs(1);
/// Seconds in which a slow start doubles its speed.
const START_DOUBLES_S: f64 = 0.5;
/// Nodes a second and worker at its beginning.
const START_FIRST: f64 = 60.0;
/// How many times slower than at full speed it goes at its end. Nearer to it a worker without a processor would be taken for one
/// that slow motion holds back: a busy machine is several times slower than a quiet one.
const START_LAST: f64 = 8.0;

/// How fast a run is shown by itself.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum Tempo {
    /// As fast as it can.
    #[default]
    Full,
    /// Slow at its beginning only.
    SlowStart,
    /// From the first hire to the last, in some 40 s: a tree of this many nodes.
    WholeRun {
        /// Nodes of the whole tree.
        nodes: u64,
    },
}

impl Tempo {
    /// Nodes a second for each worker when the run has been shown for this long, pauses left out, and looks like this;
    /// `None` for no limit.
    pub fn pace(self, shown: Duration, seen: &Snapshot) -> Option<u32> {
        let shown_s = shown.as_secs_f64();
        match self {
            Tempo::Full => None,
            Tempo::SlowStart => {
                let pace = (START_FIRST * (shown_s / START_DOUBLES_S).exp2()) as u32;
                (slower_by(pace, seen) > START_LAST).then_some(pace)
            }
            Tempo::WholeRun { nodes } => {
                let works =
                    |worker: &&WorkerSnapshot| worker.state.has_work() && worker.state != WorkerState::HandingOver;
                let working = seen.workers.iter().filter(works).count().max(1) as f64;
                let left = nodes.saturating_sub(seen.nodes()) as f64 / working;
                let ramp = FIRST * ((shown_s - HOLDS_S).max(0.0) / DOUBLES_S).exp2();
                Some(ramp.min((left + REST) * SHARE_A_S).min(ALL_MAX / working).max(1.0) as u32)
            }
        }
    }

    /// The tempo in which a question begins that is watched: a search by workers that share a tree begins slowly.
    pub fn of_watched(question: &Question) -> Tempo {
        match question {
            Question::Search(..) => Tempo::SlowStart,
            Question::Find(..) => Tempo::Full,
        }
    }

    /// Seconds until the slow start is over that has this pace; `None` of another tempo.
    pub fn full_in_s(self, pace: u32, seen: &Snapshot) -> Option<f64> {
        (self == Tempo::SlowStart).then(|| START_DOUBLES_S * (slower_by(pace, seen) / START_LAST).log2().max(0.0))
    }
}

/// How many times slower than at full speed a run goes at this pace. With more workers than cores, each has a part of a core.
pub fn slower_by(pace: u32, seen: &Snapshot) -> f64 {
    let workers = seen.workers.len().max(1);
    let cores = seen.cores.filter(|&cores| cores > 0).map_or(workers, |cores| cores.min(workers));
    (FULL_SPEED * cores as f64 / workers as f64 / f64::from(pace)).max(1.0)
}

/// The same to two digits.
pub fn slower_by_about(pace: u32, seen: &Snapshot) -> u64 {
    let slower = slower_by(pace, seen);
    let digit = 10f64.powf((slower.log10().floor() - 1.0).max(0.0));
    ((slower / digit).round() * digit) as u64
}

/// The tempo of a run that is shown, and for how long it has been.
#[derive(Clone, Copy, Default, Debug)]
pub struct Pacing {
    tempo: Tempo,
    /// Time shown, pauses left out, and the time of the run at the last look.
    shown: Duration,
    seen_at: Duration,
}

impl Pacing {
    /// A run that begins in this tempo.
    pub fn new(tempo: Tempo) -> Pacing {
        Pacing { tempo, ..Pacing::default() }
    }

    /// Takes a look at the run; returns the pace from now on, unless the tempo has ended.
    pub fn take(&mut self, seen: &Snapshot) -> Option<Option<u32>> {
        let passed = seen.elapsed.saturating_sub(std::mem::replace(&mut self.seen_at, seen.elapsed));
        if self.tempo == Tempo::Full || seen.paused {
            return None;
        }
        self.shown += passed.min(LOOK_MAX);
        let pace = self.tempo.pace(self.shown, seen);
        if pace.is_none() {
            self.end();
        }
        Some(pace)
    }

    /// The run keeps the pace that it has from now on.
    pub fn end(&mut self) {
        self.tempo = Tempo::Full;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, EventKind};
    use crate::run::demonstration::demonstration;
    use crate::schedule::rule::NominationRule;
    use crate::schedule::{Sharing, WorkerSnapshot};
    use crate::search::HandOver;
    use crate::simulate::{Costs, NODE, ObserverRequest, SimulationObserver, SimulationPlan, VirtualSnapshot};
    use crate::stop::Stop;

    /// Frames a second of the viewer.
    const FPS: f64 = 10.0;

    /// A viewer of a simulation: it changes the pace of the workers at each of its frames.
    struct Viewer {
        tempo: Tempo,
        shown_s: f64,
        /// Virtual time of the last frame and of the next one, in nodes, and the seconds shown until then.
        last: f64,
        next: f64,
        /// Seconds at which hires were shown, and virtual times of those of this frame.
        hires_s: Vec<f64>,
        fresh: Vec<f64>,
    }

    impl SimulationObserver for Viewer {
        fn event(&mut self, event: Event) {
            if let EventKind::Hired { .. } = event.kind {
                // A node takes a millisecond of virtual time.
                self.fresh.push(event.at.as_secs_f64() * 1e3);
            }
        }

        fn turns_taken(&mut self, at: u64, seen: &VirtualSnapshot<'_>) -> ObserverRequest {
            while self.next <= at as f64 / 1e3 || seen.is_over() {
                let span = (self.next - self.last).max(f64::MIN_POSITIVE);
                let shown = |at: &f64| self.shown_s + ((at - self.last) / span).clamp(0.0, 1.0) / FPS;
                let here: Vec<f64> =
                    self.fresh.iter().filter(|&&at| at <= self.next || seen.is_over()).map(shown).collect();
                self.hires_s.extend(here);
                self.fresh.retain(|&at| at > self.next && !seen.is_over());
                self.shown_s += 1.0 / FPS;
                if seen.is_over() {
                    break;
                }
                let snapshot = Snapshot { workers: seen.workers(at), ..Snapshot::default() };
                let pace = self.tempo.pace(Duration::from_secs_f64(self.shown_s), &snapshot).unwrap();
                (self.last, self.next) = (self.next, self.next + f64::from(pace) / FPS);
            }
            ObserverRequest { until: (self.next * NODE as f64) as u64, hand_over: None }
        }
    }

    /// The demonstration, on a virtual clock: it is neither too short nor too long, and something happens in
    /// every fifth of it, with two workers and with a thousand.
    #[test]
    fn a_whole_run_has_hires_from_its_beginning_to_its_end() {
        let (plan, tempo) = demonstration(1, None);
        let (Question::Search(solver, problem), Tempo::WholeRun { nodes }) = (plan.question, tempo) else { panic!() };
        let kernel = solver.tree(&problem, false).unwrap().kernel;
        for workers in [2, 1024] {
            let sharing = Sharing::Hire(NominationRule::of(workers, HandOver::Shallowest));
            let plan = SimulationPlan { workers, sharing, costs: Costs::fixed(), seed: 0 };
            let mut viewer =
                Viewer { tempo, shown_s: 0.0, last: 0.0, next: 0.0, hires_s: Vec::new(), fresh: Vec::new() };
            let figures = plan.run_observed(&mut viewer, &*kernel, &Stop::default()).unwrap();
            assert_eq!(figures.nodes, nodes);
            assert_eq!(viewer.hires_s.len() as u64, figures.hires);
            let mut fifths = [0; 5];
            viewer.hires_s.iter().for_each(|at| fifths[((at / viewer.shown_s * 5.0) as usize).min(4)] += 1);
            let said = format!("{workers} workers: {:.1} s, hires by fifths {fifths:?}", viewer.shown_s);
            assert!((25.0..=90.0).contains(&viewer.shown_s), "{said}");
            assert!(fifths.iter().all(|&hires| hires > 0), "{said}");
        }
    }

    #[test]
    fn how_much_slower_a_run_is_shown_is_said_to_two_digits() {
        let slower = |pace, cores, workers| {
            let workers = vec![WorkerSnapshot::default(); workers];
            slower_by_about(pace, &Snapshot { cores, workers, ..Snapshot::default() })
        };
        assert_eq!([60, 4_800_000, u32::MAX].map(|pace| slower(pace, None, 4)), [2_700_000, 33, 1]);
        // Of sixteen workers on two cores each has an eighth of one.
        assert_eq!(
            [(Some(2), 16), (Some(64), 16)].map(|(cores, workers)| slower(1000, cores, workers)),
            [20_000, 160_000]
        );
    }

    #[test]
    fn a_slow_start_is_over_near_to_full_speed() {
        let seen = |cores, workers| Snapshot {
            cores: Some(cores),
            workers: vec![WorkerSnapshot::default(); workers],
            ..Snapshot::default()
        };
        let pace = |s| Tempo::SlowStart.pace(Duration::from_secs_f64(s), &seen(4, 4));
        assert_eq!([0.0, 0.5, 5.0, 9.0, 9.5].map(pace), [Some(60), Some(120), Some(61_440), Some(15_728_640), None]);
        // Of 64 workers on two cores each has a part of a core.
        let pace = |s| Tempo::SlowStart.pace(Duration::from_secs_f64(s), &seen(2, 64));
        assert_eq!([5.0, 6.5, 7.0].map(pace), [Some(61_440), Some(491_520), None]);
        let full_in_s = Tempo::SlowStart.full_in_s(61_440, &seen(2, 64)).unwrap();
        assert!((full_in_s - 1.67).abs() < 0.01, "{full_in_s}");
        assert_eq!(Tempo::Full.pace(Duration::ZERO, &Snapshot::default()), None);
    }

    #[test]
    fn a_pause_holds_the_tempo() {
        let mut pacing = Pacing::new(Tempo::SlowStart);
        // A second at most counts for a look.
        let mut at = |s, paused| {
            let seen = Snapshot { elapsed: Duration::from_secs(s), paused, ..Snapshot::default() };
            pacing.take(&seen)
        };
        assert_eq!([at(1, false), at(2, false)], [Some(Some(240)), Some(Some(960))]);
        assert_eq!(at(100, true), None);
        assert_eq!([at(101, false), at(500, false)], [Some(Some(3840)), Some(Some(15_360))]);
        let last: Vec<_> = (501..508).map(|s| at(s, false)).collect();
        assert_eq!(last[5..], [Some(None), None]);
    }
}
