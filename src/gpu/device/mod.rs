//! A Vulkan device by way of wgpu: opened once, given kernels and memory, told to run, read back.
//!
//! Everything goes through [`Device::run`]: dispatches in one command buffer, then copies of what is to be read, then
//! short waits, so that a device that went away is noticed. Nothing panics: what wgpu reports goes into a slot that is
//! looked at after every call. A device belongs to the thread that opened it and is dropped there; at its end drivers
//! have been seen to crash when another thread was leaving the program. Dropping one that hangs, which counts as lost
//! here, may block: wgpu waits then without limit until the device is idle.

mod handle;
mod open;

pub use handle::{ComputeKernel, Device, Dispatch, GROUPS_MAX};
pub use open::offers;

#[cfg(test)]
mod tests;
