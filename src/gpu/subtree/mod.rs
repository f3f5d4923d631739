//! Subtrees searched side by side: one lane for each, thousands of lanes at once.
//!
//! A *prefix* is a path from a start, and the untried steps from its end: a subtree of the search, packed in a few
//! words. The CPU makes several prefixes for each lane and puts them into a queue. A lane takes a prefix, searches
//! its subtree depth first on a stack of its own, and takes the next one. So a lane with a small subtree does not
//! idle beside one with a large subtree. A dispatch gives every lane the same number of steps; the stacks stay on the
//! device, and the next dispatch continues there. When the queue is empty, the longest lanes are split between two
//! dispatches.
//!
//! ```text
//!            control: next 7, end 9                       untried and path, [level * lanes + lane]
//! queue  .  .  .  .  .  .  .  7  8                 level  lane 0       lane 1      lane 2
//!        \__taken__________/  \_left_/             1      a1  {}       a1  {}      a1  {}
//!                                                  2      b3  {c2}     c2  {}      b3  {}
//! lane 0: 3 levels deep, steps left                3      d4  {c6,e6}  b4  {a6}    -   done: takes prefix 7
//! ```
//!
//! A node is a square entered, the start included. The numbers of nodes and tours do not depend on the number of
//! lanes, on the steps of a dispatch, or on which lane searches which subtree.
//!
//! * `rules`: the steps of a search; its subtrees, and how the first ones are made
//! * `lane`: the trait of what moves lanes, and the plain twin of the shader `lanes.wgsl`, function by function
//! * `shader`: the lanes on a device
//! * `run`: the queue, the splits, the size of a dispatch, and how the twin replaces a lost device

mod lane;
mod rules;
mod run;
#[cfg(feature = "gpu")]
mod shader;
#[cfg(test)]
mod tests;

pub use lane::DispatchReport;
pub use rules::{SQUARES_MAX, SubtreeRules};
pub use run::Enumeration;
