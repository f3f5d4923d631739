//! `--adapter`: which Vulkan adapter does the work, checked before any begins, and what is said when none does.

use crate::gpu::{self, DeviceChoice, DoneBy, GpuError};
use crate::job::{Failure, say, usage};

/// Refuses an adapter that is asked for and not here.
///
/// # Errors
/// [`Failure::Usage`] that says which there are.
pub fn check(wanted: &DeviceChoice) -> Result<(), Failure> {
    if !matches!(wanted, DeviceChoice::Software | DeviceChoice::Named(_)) {
        return Ok(());
    }
    let chosen = gpu::adapters().and_then(|have| gpu::choose(wanted, &have).map(|_| ()));
    chosen.map_err(|why: GpuError| usage(format!("--adapter: {why}")))
}

/// Says that the CPU did the work of a method that leaves it to a device, if one was wanted, and why.
///
/// # Errors
/// When stderr is gone.
pub fn tell_of(device: Option<&DoneBy>) -> Result<(), Failure> {
    match device.and_then(|device| device.instead.as_ref()) {
        Some(why) => say(format_args!("{why}; the CPU did the same work")),
        None => Ok(()),
    }
}
