//! Devices beside the CPU: the batch of knights.

use crate::child::{self, program};
use destrier::cli::bench::{Bench, BenchRow};
use destrier::gpu::{ORDERS, adapters};
use destrier::job::{Failure, running};
use serde_json::Value;

/// Knights of 8x8 that visit every square, of 64 x 40,320: counted by two programs of their own.
const COMPLETE: u64 = 2_501_648;
/// Orders for a driver in software, which is no rival.
const SOFTWARE_ORDERS: [u32; 2] = [400, 4000];

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
