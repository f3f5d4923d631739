//! What moves the lanes: what a dispatch is told, and what it did.

use super::memory::LaneMemory;
use super::prefix::Prefix;
use crate::gpu::label::{DeviceLabel, GpuError};
use std::time::Duration;

/// What a dispatch is told.
#[derive(Clone, Copy, Debug)]
pub struct DispatchOrders {
    /// Steps that each lane may take.
    pub budget: u32,
    /// The first prefix of the queue that is not taken.
    pub next: u32,
    /// The end of the queue.
    pub end: u32,
    /// Whether tours are to be kept; a lane that finds one when there is no room left waits with it.
    pub keep: bool,
}

/// What a dispatch did.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DispatchReport {
    /// The first prefix of the queue that is not taken.
    pub next: u32,
    /// Lanes that have not finished their prefix.
    pub live: u32,
    /// Nodes entered.
    pub nodes: u32,
    /// Tours found.
    pub tours: u32,
    /// Steps that all lanes took, and the most that one took.
    pub steps: [u32; 2],
    /// The path of lane 0.
    pub shown: Vec<u8>,
    /// The tours, if they are kept, one after the other.
    pub kept: Vec<u8>,
    /// How long it took.
    pub took: Duration,
}

/// Where lanes are: in memory of this program or of a device.
pub trait LaneEngine {
    /// What does the work.
    fn label(&self) -> DeviceLabel;

    /// Puts prefixes into the queue, from its beginning on; those that were there have been taken.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn feed(&mut self, queue: &[Prefix]) -> Result<(), GpuError>;

    /// Lets every lane take some steps.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn advance(&mut self, orders: DispatchOrders) -> Result<DispatchReport, GpuError>;

    /// What the lanes know.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn memory(&mut self) -> Result<LaneMemory, GpuError>;

    /// Replaces the steps that are untried.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError>;
}

/// How large an engine is.
#[derive(Clone, Copy, Debug)]
pub struct EngineSize {
    /// Lanes.
    pub lanes: u32,
    /// Prefixes that the queue holds.
    pub queue: u32,
    /// Tours that are kept in a dispatch; 0 when they are only counted.
    pub kept: u32,
}
