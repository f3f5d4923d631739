//! Subtrees searched side by side: one lane for each, thousands of lanes at once.
//!
//! A *prefix* is a path from a start and the steps from its end that are untried: a subtree of the search, packed in
//! a few words. The CPU makes several for each lane and puts them into a queue; a lane takes one, searches
//! it depth first on a stack of its own, and takes the next, so that one with a small subtree does not idle beside one
//! with a large subtree. A dispatch gives every lane the same number of steps and leaves the stacks as they are: the
//! next one goes on there. When the queue is dry, the longest lanes are split between two dispatches.
//!
//! ```text
//!            control: next 7, end 9                       untried and path, [level * lanes + lane]
//! queue  .  .  .  .  .  .  .  7  8                 level  lane 0       lane 1      lane 2
//!        \__taken__________/  \_left_/             1      a1  {}       a1  {}      a1  {}
//!                                                  2      b3  {c2}     c2  {}      b3  {}
//! lane 0: 3 levels deep, steps left                3      d4  {c6,e6}  b4  {a6}    -   done: takes prefix 7
//! ```
//!
//! A node is a square entered, the start among them. Nodes and tours do not depend on the number of lanes, on how many
//! steps a dispatch has, or on which lane searches what.
//!
//! * `rules`: which steps there are; `prefix`: subtrees, and how the first are made
//! * `lane`: the lanes as a plain twin of the shader `lanes.wgsl`, function by function
//! * `shader`: the lanes on a device
//! * `run`: the queue, splitting, and how long a dispatch is; `saved`: what is left of a device that was lost

mod lane;
mod prefix;
mod rules;
mod run;
mod saved;
#[cfg(feature = "gpu")]
mod shader;
#[cfg(test)]
mod tests;

pub use rules::{Rules, SQUARES_MAX};
pub use run::Enumeration;
pub use saved::Burst;

use super::label::{GpuError, Label};
use super::place::Place;
use lane::{Memory, Twin};
use prefix::Prefix;
use std::time::Duration;

/// What a dispatch is told.
#[derive(Clone, Copy, Debug)]
pub struct Orders {
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
pub struct Report {
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
pub trait Engine {
    /// What does the work.
    fn label(&self) -> Label;

    /// Puts prefixes into the queue, from its beginning on; those that were there have been taken.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn feed(&mut self, queue: &[Prefix]) -> Result<(), GpuError>;

    /// Lets every lane take some steps.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn advance(&mut self, orders: Orders) -> Result<Report, GpuError>;

    /// What the lanes know.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn memory(&mut self) -> Result<Memory, GpuError>;

    /// Replaces the steps that are untried.
    ///
    /// # Errors
    /// [`GpuError`] when the device failed.
    fn set_untried(&mut self, untried: &[u64]) -> Result<(), GpuError>;
}

/// How large an engine is.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Lanes.
    pub lanes: u32,
    /// Prefixes that the queue holds.
    pub queue: u32,
    /// Tours that are kept in a dispatch; 0 when they are only counted.
    pub kept: u32,
}

/// Lanes at this place.
///
/// # Errors
/// [`GpuError`] when the device failed or cannot hold them.
fn engine(place: Place, rules: &Rules, size: Size) -> Result<Box<dyn Engine>, GpuError> {
    Ok(match place {
        Place::Cpu(_) => Box::new(Twin::new(rules, size)),
        #[cfg(feature = "gpu")]
        Place::Device(device) => Box::new(shader::Shader::new(device, rules, size)?),
    })
}
