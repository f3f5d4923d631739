//! The lanes of a device beside their twin on the CPU, and beside the searches that use every core.

use super::clock::{Clock, Time, median};
use super::race::TimedJob;
use super::row::BenchRow;
use super::{Bench, board, cores};
use crate::board::Ending;
use crate::gpu::DeviceChoice;
use crate::job::Failure;
use crate::schedule::{RunOutcome, Scheduler};
use crate::search::HandOver;
use crate::solve::Problem;

/// Boards and their closed tours (OEIS A175881), whether in the quick bench too.
const BOARDS: [(&str, u64, bool); 2] = [("6x6", 9862, true), ("6x7", 1_067_638, false)];

/// Prints a row for each board and way.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let quick = bench.is_quick();
    for (name, tours, _) in BOARDS.into_iter().filter(|board| board.2 || !quick) {
        let problem = Problem::new(board(name), Ending::Closed);
        let rounds = bench.pick(3, 1);
        let twin = TimedJob::solve("gpu", Problem { adapter: DeviceChoice::Cpu, ..problem.clone() });
        let device = measure(&TimedJob::solve("gpu", problem.clone()), name, tours, rounds)?;
        bench.add(measure(&twin, name, tours, rounds)?)?;
        bench.add(device)?;
        for solver in ["path", "edges"] {
            let every = TimedJob::solve(solver, problem.clone()).under(Scheduler::Hire, cores(), HandOver::Shallowest);
            bench.add(measure(&every, name, tours, rounds)?.remark(format!("{solver} on {} threads", cores())))?;
        }
    }
    Ok(())
}

/// Runs it some times: the median. Tours a second compare the ways, nodes a second do not, as their trees differ; both
/// are of all the time that the run took. What the dispatches took of it is a figure of its own.
fn measure(run: &TimedJob, name: &str, tours: u64, rounds: usize) -> Result<BenchRow, Failure> {
    let mut laps: Vec<(RunOutcome, Time)> = Vec::new();
    for _ in 0..rounds {
        let clock = Clock::start();
        laps.push((run.once()?, clock.time()));
    }
    let (first, _) = &laps[0];
    let total = first.total();
    let rate = |n: u64| median(laps.iter().map(|(outcome, _)| n as f64 / outcome.elapsed.as_secs_f64().max(1e-9)));
    let dispatched = |(outcome, _): &(RunOutcome, Time)| outcome.lanes.as_ref().map(|lanes| lanes.spent.as_secs_f64());
    let took = Time::median(laps.iter().map(|&(_, time)| time));
    let steady = laps.iter().all(|(outcome, _)| (outcome.total().nodes, outcome.complete()) == (total.nodes, true));
    let row = BenchRow::new(format!("{name} closed"))
        .took(took)
        .count("tours", total.tours, tours)
        .must("steady", steady)
        .figure("nodes", total.nodes)
        .figure("nodes_per_s", rate(total.nodes))
        .figure("tours_per_s", rate(total.tours));
    Ok(match &first.lanes {
        None => row,
        Some(lanes) => row
            .figure("lanes", u64::from(lanes.lanes))
            .figure("dispatches", lanes.dispatches)
            .figure("dispatched_s", median(laps.iter().filter_map(dispatched)))
            .figure("occupancy", lanes.occupancy())
            .remark(format!("gpu on {}", lanes.device))
            .remark(lanes.why.as_deref().unwrap_or("")),
    })
}
