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
//! * `engine`: what moves lanes; `memory`: what they know between two dispatches
//! * `lane`: the lanes as a plain twin of the shader `lanes.wgsl`, function by function
//! * `shader`: the lanes on a device
//! * `run`: the queue, splitting, and how long a dispatch is; `saved`: what is left of a device that was lost

mod engine;
mod lane;
mod prefix;
mod recovery;
mod rules;
mod run;
#[cfg(feature = "gpu")]
mod shader;
#[cfg(test)]
mod tests;

pub use engine::{DispatchOrders, DispatchOutcome, DispatchReport, EngineSize, LaneEngine};
pub use rules::{SQUARES_MAX, SubtreeRules};
pub use run::Enumeration;
