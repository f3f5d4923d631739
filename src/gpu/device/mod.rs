//! A Vulkan device through wgpu: opened once, then given kernels and buffers, run, and read back.
//!
//! All work goes through [`Device::run`]: dispatches in one command buffer, then copies of what is to be read, then
//! short waits, so that a lost device is noticed. Nothing panics: faults that wgpu reports go into a slot that is
//! checked after every call.
//!
//! A device belongs to the thread that opened it, which also drops it: drivers have been seen to crash when another
//! thread was leaving the program at that moment. Dropping a device that hangs, which counts as lost here, may block:
//! wgpu waits without limit until the device is idle.

mod handle;

pub use handle::{ComputeKernel, Device, Dispatch, GROUPS_MAX, offers};

#[cfg(test)]
mod tests;
