//! Searches that are timed side by side: A B A B, so that what the machine does meanwhile meets them all alike.

use super::row::{BenchRow, LapClock, LapTime, median};
use crate::job::{Failure, solve_unobserved};
use crate::schedule::{CrewPlan, Levels, RunOutcome, Scheduler};
use crate::search::{HandOver, Tally};
use crate::solve::Problem;
use std::time::Duration;

/// A round of a search that is shorter than this repeats it.
const ROUND_MIN: Duration = Duration::from_millis(100);

/// A problem, its solver and the crew that searches.
#[derive(Clone)]
pub struct TimedJob {
    solver: &'static str,
    problem: Problem,
    crew: CrewPlan,
}

impl TimedJob {
    /// A problem by a solver's name, on one worker.
    pub fn solve(solver: &'static str, problem: Problem) -> TimedJob {
        TimedJob { solver, problem, crew: CrewPlan::serial() }
    }

    /// The same under this scheduler.
    pub fn under(&self, scheduler: Scheduler, threads: usize, hand_over: HandOver) -> TimedJob {
        TimedJob { crew: CrewPlan { scheduler, threads, hand_over, ..self.crew }, ..self.clone() }
    }

    /// The same with figures by depth kept in this way.
    pub fn levels(&self, levels: Levels) -> TimedJob {
        TimedJob { crew: CrewPlan { levels, ..self.crew }, ..self.clone() }
    }

    /// Runs it.
    ///
    /// # Errors
    /// [`Failure`] when no solver has the name, it does not take the problem, or the run fails.
    pub fn once(&self) -> Result<RunOutcome, Failure> {
        solve_unobserved(self.solver, &self.problem, self.crew, None)
    }
}

/// What came out of a run and how long it took, in the median.
pub struct Timed {
    /// What was counted; in the first round.
    pub total: Tally,
    /// Whether every round counted the same.
    pub steady: bool,
    /// How long one run took.
    pub time: LapTime,
    /// Seconds on the wall, of every round.
    pub walls: Vec<f64>,
}

impl Timed {
    /// CPU time by node, in nanoseconds.
    pub fn ns_per_node(&self) -> f64 {
        1e9 * self.time.cpu_s / self.total.nodes as f64
    }

    /// How many times as fast as another run, round by round, for neighbours in time met the same machine: the median, the
    /// least and the greatest.
    pub fn speed_up(&self, beside: &Timed) -> (f64, (f64, f64)) {
        let times = || beside.walls.iter().zip(&self.walls).map(|(before, wall)| before / wall);
        let spread = times().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)));
        (median(times()), spread)
    }

    /// A row of what was counted: so many tours it must be, and so many nodes where that is known.
    pub fn row(&self, what: String, tours: u64, nodes: Option<u64>) -> BenchRow {
        let row = BenchRow::new(what).took(self.time).count("tours", self.total.tours, tours);
        let row = match nodes {
            Some(nodes) => row.count("nodes", self.total.nodes, nodes),
            None => row.figure("nodes", self.total.nodes),
        };
        row.must("steady", self.steady)
    }
}

/// One round of one run: what came of it, and how long it took.
type Lap = (RunOutcome, LapTime);

/// Runs a round.
fn lap(run: &TimedJob) -> Result<Lap, Failure> {
    let (clock, mut runs) = (LapClock::start(), 0.0);
    loop {
        let outcome = run.once()?;
        runs += 1.0;
        let LapTime { cpu_s, wall_s } = clock.time();
        if wall_s >= ROUND_MIN.as_secs_f64() {
            return Ok((outcome, LapTime { cpu_s: cpu_s / runs, wall_s: wall_s / runs }));
        }
    }
}

/// Lets the runs take turns for some rounds; one answer for each run.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn race(runs: &[TimedJob], rounds: usize) -> Result<Vec<Timed>, Failure> {
    let mut laps: Vec<Vec<Lap>> = runs.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds.max(1) {
        for (run, laps) in runs.iter().zip(&mut laps) {
            laps.push(lap(run)?);
        }
    }
    Ok(laps.iter().map(|laps| timed(laps)).collect())
}

fn timed(laps: &[Lap]) -> Timed {
    let total = laps[0].0.total();
    let counts = |tally: &Tally| (tally.tours, tally.nodes, tally.pruned);
    let same = |(outcome, _): &Lap| outcome.complete() && counts(&outcome.total()) == counts(&total);
    Timed {
        steady: laps.iter().all(same),
        time: LapTime::median(laps.iter().map(|(_, time)| *time)),
        walls: laps.iter().map(|(_, time)| time.wall_s).collect(),
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Ending, Shape};

    #[test]
    fn a_race_counts_what_each_run_counts() {
        let run = TimedJob::solve("radley", Problem::new("3x10".parse::<Shape>().unwrap(), Ending::Closed));
        let twin = run.under(Scheduler::HIRE, 2, HandOver::Next);
        let timed = race(&[run, twin], 2).unwrap();
        assert!(timed.iter().all(|timed| timed.steady && timed.total.tours == 16));
        assert_eq!(timed[0].total, timed[1].total);
    }
}
