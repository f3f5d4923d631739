//! The batch of knights: every start of 8x8 with every order of the moves, on the CPU and on each kind of device there
//! is. A device moves its knights beside the CPU, which must agree on every one of them.

use super::clock::Clock;
use super::row::BenchRow;
use super::{Bench, board, cores};
use crate::cli::gpu::whole;
use crate::gpu::map::Batch;
use crate::gpu::{DeviceChoice, DeviceLabel, DevicePlace, ORDERS, adapters};
use crate::job::{Failure, running};

/// Knights of 8x8 that visit every square, of 64 x 40,320: counted by two programs of their own.
const COMPLETE: u64 = 2_501_648;
/// Orders for a driver in software, which is no rival.
const SOFTWARE_ORDERS: [u32; 2] = [400, 4000];

/// Prints the rows.
///
/// # Errors
/// [`Failure`] when threads cannot be started, or a row cannot be printed.
pub fn run(bench: &mut Bench) -> Result<(), Failure> {
    let clock = Clock::start();
    let outcome = whole(batch(ORDERS)?, DevicePlace::Cpu(None), false)?;
    let row = BenchRow::new(format!("8x8 x {ORDERS}, {}", outcome.label)).took(clock.time());
    let row = row.count("complete", outcome.map.complete(), COMPLETE).figure("moves_per_s", outcome.moves_per_s());
    bench.add(row.figure("moves_per_s_and_thread", outcome.moves_per_s() / cores() as f64))?;
    // Without any there is nothing to measure; `destrier doctor` says why.
    let mut labels = adapters().unwrap_or_default();
    labels.dedup_by_key(|label| label.kind);
    labels.iter().try_for_each(|label| device(bench, label))
}

/// A device beside the CPU.
fn device(bench: &mut Bench, label: &DeviceLabel) -> Result<(), Failure> {
    let [few, more] = SOFTWARE_ORDERS;
    let orders = if label.kind.is_hardware() { ORDERS } else { bench.pick(few, more) };
    let what = format!("8x8 x {orders}, {label}");
    let place = match DevicePlace::open(&DeviceChoice::Named(label.name.clone())) {
        Ok(place) => place,
        Err(why) => return bench.add(BenchRow::new(what).remark(why.to_string())),
    };
    let outcome = whole(batch(orders)?, place, true)?;
    let compared = outcome.compared.as_ref();
    let unequal = compared.map_or(0, |compared| compared.unequal);
    let of_cpu = compared.map_or(f64::NAN, |compared| compared.moves_per_s());
    let times = outcome.moves_per_s() / of_cpu;
    let row = BenchRow::new(what)
        .count("knights_compared", compared.map_or(0, |compared| compared.knights), outcome.map.batch().knights())
        .count("unequal", unequal, 0)
        .figure("moves_per_s", outcome.moves_per_s())
        .figure("moves_per_s_of_the_CPU", of_cpu);
    let row = if orders == ORDERS { row.count("complete", outcome.map.complete(), COMPLETE) } else { row };
    let gave_up = outcome.failed_device.map_or(String::new(), |(_, why)| why.to_string());
    bench.add(row.figure("times_the_CPU", times).remark(gave_up))
}

fn batch(orders: u32) -> Result<Batch, Failure> {
    Batch::new(board("8x8"), orders).map_err(running)
}
