//! Devices beside the CPU: the batch of knights, and subtrees in lanes beside their twin and beside the searches that use
//! every core.

use crate::child::{self, program};
use crate::measure::turns;
use destrier::board::Ending;
use destrier::cli::bench::{Bench, BenchRow, TimedJob, board, cores};
use destrier::gpu::{DeviceChoice, ORDERS, adapters};
use destrier::job::{Failure, running};
use destrier::schedule::Scheduler;
use destrier::search::HandOver;
use destrier::solve::Problem;
use serde_json::Value;

/// Knights of 8x8 that visit every square, of 64 x 40,320: counted by two programs of their own.
const COMPLETE: u64 = 2_501_648;
/// Orders for a driver in software, which is no rival.
const SOFTWARE_ORDERS: [u32; 2] = [400, 4000];
/// Boards and their closed tours (OEIS A175881).
const BOARDS: [(&str, u64); 2] = [("6x6", 9862), ("6x7", 1_067_638)];

/// Prints the rows of the batch of knights: every start of 8x8 with every order of the moves, on the CPU and on each kind of
/// device there is, which must agree on every knight.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn map(bench: &mut Bench) -> Result<(), Failure> {
    knights(bench, "cpu", ORDERS)?;
    let mut devices = adapters().unwrap_or_default();
    devices.dedup_by_key(|device| device.kind);
    devices.iter().try_for_each(|device| {
        let few = bench.pick(SOFTWARE_ORDERS[0], SOFTWARE_ORDERS[1]);
        knights(bench, &device.name, if device.kind.is_hardware() { ORDERS } else { few })
    })
}

fn knights(bench: &mut Bench, adapter: &str, orders: u32) -> Result<(), Failure> {
    let mut command = program();
    command.args(["gpu", "map", "8x8", "--json", "--adapter", adapter, "--orders", &orders.to_string()]);
    if adapter != "cpu" {
        command.arg("--compare");
    }
    let (printed, _, time) = child::run(&mut command)?;
    let report: Value = serde_json::from_str(&printed).map_err(running)?;
    let mut row = BenchRow::new(format!("8x8 x {orders}, {}", report["device"].as_str().unwrap_or(adapter))).took(time);
    row = row.figure("moves_per_s", report["moves_per_s"].as_f64().unwrap_or(f64::NAN));
    if orders == ORDERS {
        row = row.count("complete", report["complete"].as_u64().unwrap_or(0), COMPLETE);
    }
    if adapter != "cpu" {
        row = row.must("equal", report["compare"]["equal"] == Value::Bool(true));
    }
    bench.add(row)
}

/// Prints the rows of the lanes. Tours a second compare the ways, nodes a second do not, as their trees differ; both are of
/// all the time that the run took. What the dispatches took of it is a figure of its own.
///
/// # Errors
/// [`Failure`] when a run fails.
pub fn lanes(bench: &mut Bench) -> Result<(), Failure> {
    for (name, tours) in &BOARDS[..bench.pick(1, 2)] {
        let problem = Problem::new(board(name), Ending::Closed);
        let twin = TimedJob::solve("gpu", Problem { adapter: DeviceChoice::Cpu, ..problem.clone() });
        let every =
            |solver| TimedJob::solve(solver, problem.clone()).under(Scheduler::Hire, cores(), HandOver::Shallowest);
        let jobs = [twin, TimedJob::solve("gpu", problem.clone()), every("path"), every("edges")];
        let mut ways: Vec<_> = jobs.iter().map(|job| || job.once()).collect();
        let names = ["gpu, the twin", "gpu", "path, every core", "edges, every core"];
        for (way, (time, outcome)) in names.into_iter().zip(turns(bench.pick(1, 3), &mut ways)) {
            let outcome = outcome?;
            let total = outcome.total();
            let mut row = BenchRow::new(format!("{name} closed, {way}"))
                .took(time)
                .count("tours", total.tours, *tours)
                .must("complete", outcome.complete())
                .figure("nodes", total.nodes)
                .figure("nodes_per_s", total.nodes as f64 / time.wall_s)
                .figure("tours_per_s", total.tours as f64 / time.wall_s);
            if let Some(lanes) = &outcome.lanes {
                row = row
                    .figure("lanes", u64::from(lanes.lanes))
                    .figure("dispatches", lanes.dispatches)
                    .figure("dispatched_s", lanes.spent.as_secs_f64())
                    .figure("occupancy", lanes.occupancy())
                    .remark(&lanes.device)
                    .remark(lanes.why.as_deref().unwrap_or(""));
            }
            bench.add(row)?;
        }
    }
    Ok(())
}
